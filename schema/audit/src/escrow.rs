//! An auditor's half of the secrets that a holder gave into escrow (`RULES.md`, "Escrow"), opened once
//! their draws are closed by the log and by the clock of who opens.

use std::collections::BTreeSet;
use std::io::Read;

use keno_line::HostKey;
use keno_line::sealed::open as unseal;
use keno_log::Event;
use keno_log::escrow::{Bound, Opened, OpenedHalf};
use keno_log::event::SecretEscrowed;
use keno_log::export::ExportRecord;

use crate::replay::{DrawAccount, DrawState, Replay};
use crate::stream::{Records, StreamFault};
use crate::verify::read_entry;

/// Why nothing is opened. Closed; the order is the order of the checks.
#[derive(Debug, thiserror::Error)]
pub enum EscrowFault {
    /// The log names no such draw.
    #[error("the log has no draw {0}")]
    DrawUnknown(u64),
    /// The secret of the holder for it was not given into escrow to this key.
    #[error("of draw {0} nothing is in escrow with this key")]
    NotInEscrow(u64),
    /// Wagers may still come: who has both halves could choose them.
    #[error("draw {0} is on sale: its half is opened once it is closed")]
    OnSale(u64),
    /// By the clock of this machine its sales are not to close yet.
    #[error(
        "draw {0} is closed in this log, and its sales were to close later than it is here now"
    )]
    ClosedEarly(u64),
    /// Nothing fits.
    #[error("no draw is closed and waits for a secret that is in escrow with this key")]
    Nothing,
    /// The key does not open it.
    #[error("the half of draw {0} does not open: it is not sealed to this key, or to nobody")]
    Unopenable(u64),
    /// The export cannot be read again.
    #[error(transparent)]
    Stream(#[from] StreamFault),
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// Whose secrets.
    pub holder: &'a str,
    /// The key of the auditor.
    pub key: &'a HostKey,
    /// These draws; where there are none, all that are closed and wait for their secret.
    pub draws: &'a [u64],
    /// Now, UTC milliseconds, by the clock of who opens.
    pub now_ms: i64,
}

impl Asked<'_> {
    /// The place of the holder, where its secret of a draw is in escrow with the key.
    fn place(&self, draw: &DrawAccount) -> Option<usize> {
        let place = draw.holders.iter().position(|name| name == self.holder)?;
        let own = self.key.verifying_key().to_string();
        let auditors = draw.escrow_of(place)?;
        auditors.contains(&own).then_some(place)
    }

    /// Whether the half of a draw may be opened.
    fn may_open(&self, draw: &DrawAccount) -> Result<(), EscrowFault> {
        let number = draw.number;
        self.place(draw).ok_or(EscrowFault::NotInEscrow(number))?;
        // Of a void draw there is nothing to win.
        if draw.state == DrawState::Void {
            return Ok(());
        }
        if draw.close.is_none() {
            return Err(EscrowFault::OnSale(number));
        }
        if draw.closes_at_ms > self.now_ms {
            return Err(EscrowFault::ClosedEarly(number));
        }
        Ok(())
    }
}

/// Opens halves. `replay` is the log, judged; `export` is the same log, from its first byte.
///
/// # Errors
/// The first [`EscrowFault`].
pub fn open(export: impl Read, replay: &Replay, asked: Asked<'_>) -> Result<Opened, EscrowFault> {
    let wanted: BTreeSet<u64> = if asked.draws.is_empty() {
        let waits = |draw: &&DrawAccount| draw.secrets.is_none() && asked.may_open(draw).is_ok();
        replay
            .draws()
            .filter(waits)
            .map(|draw| draw.number)
            .collect()
    } else {
        for number in asked.draws {
            let draw = replay.draw(*number);
            asked.may_open(draw.ok_or(EscrowFault::DrawUnknown(*number))?)?;
        }
        asked.draws.iter().copied().collect()
    };
    let mut opened = Opened {
        house: replay.house().map_or("", |house| &house.house).to_owned(),
        holder: asked.holder.to_owned(),
        halves: Vec::new(),
    };
    for record in Records::new(export)? {
        let ExportRecord::Entry(exported) = record? else {
            break;
        };
        let Ok((_, Event::SecretEscrowed(body))) = read_entry(&exported) else {
            continue;
        };
        let draw = replay
            .draw(body.draw)
            .filter(|_| wanted.contains(&body.draw));
        if let Some(draw) = draw
            && asked.place(draw) == Some(usize::from(body.position))
        {
            let half = half(&opened.house, draw, &body, asked.key);
            opened
                .halves
                .push(half.ok_or(EscrowFault::Unopenable(body.draw))?);
        }
    }
    if opened.halves.is_empty() {
        return Err(EscrowFault::Nothing);
    }
    opened.halves.sort_by_key(|half| half.draw);
    Ok(opened)
}

fn half(
    house: &str,
    draw: &DrawAccount,
    body: &SecretEscrowed,
    key: &HostKey,
) -> Option<OpenedHalf> {
    let commitment = (*draw.commitments.get(usize::from(body.position))?)?;
    let own = key.verifying_key().to_string();
    let at = body.auditors.iter().position(|auditor| *auditor == own)?;
    let bound = Bound {
        house,
        draw: draw.number,
        commitment: &commitment,
    };
    let half = unseal(key, &bound.half(&own), body.halves.get(at)?)?;
    Some(OpenedHalf {
        draw: draw.number,
        commitment,
        half: *half,
    })
}
