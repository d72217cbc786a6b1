//! An auditor's half of the secrets that a holder gave into escrow (`RULES.md`, "Escrow"), opened for the
//! host of that holder alone: by its key, which the log named before the first wager.

use std::collections::BTreeSet;
use std::io::Read;

use keno_line::HostKey;
use keno_line::sealed::{open as unseal, seal};
use keno_log::Event;
use keno_log::checkpoint::VerifyingKey;
use keno_log::escrow::{Bound, Opened, OpenedHalf};
use keno_log::event::SecretEscrowed;
use keno_log::export::ExportRecord;

use crate::chance::chance;
use crate::replay::{DrawAccount, Replay};
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
    /// Nothing fits.
    #[error("no draw waits for a secret of this holder that is in escrow with this key")]
    Nothing,
    /// The key does not open it.
    #[error(
        "the half of draw {0} does not open: it was sealed otherwise, or for another host than the log names"
    )]
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
    /// These draws; where there are none, all whose secrets are not told.
    pub draws: &'a [u64],
}

impl Asked<'_> {
    /// The place of the holder, where its secret of a draw is in escrow with the key.
    fn place(&self, draw: &DrawAccount) -> Option<usize> {
        let place = draw.holders.iter().position(|name| name == self.holder)?;
        let own = self.key.verifying_key().to_string();
        let auditors = draw.escrow_of(place)?;
        auditors.contains(&own).then_some(place)
    }
}

/// Opens halves, and says of which draws one does not open. `replay` is the log, judged; `export` is the same log, from its first byte.
///
/// # Errors
/// The first [`EscrowFault`].
pub fn open(
    export: impl Read,
    replay: &Replay,
    asked: Asked<'_>,
) -> Result<(Opened, Vec<u64>), EscrowFault> {
    let mut closed = Vec::new();
    let wanted: BTreeSet<u64> = if asked.draws.is_empty() {
        let waits = |draw: &&DrawAccount| draw.secrets.is_none() && asked.place(draw).is_some();
        replay
            .draws()
            .filter(waits)
            .map(|draw| draw.number)
            .collect()
    } else {
        for number in asked.draws {
            let draw = replay.draw(*number);
            let draw = draw.ok_or(EscrowFault::DrawUnknown(*number))?;
            asked.place(draw).ok_or(EscrowFault::NotInEscrow(*number))?;
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
            match half(&opened.house, draw, &body, asked.key) {
                Some(half) => opened.halves.push(half),
                None => closed.push(body.draw),
            }
        }
    }
    if opened.halves.is_empty() {
        let first = closed.first().copied();
        return Err(first.map_or(EscrowFault::Nothing, EscrowFault::Unopenable));
    }
    opened.halves.sort_by_key(|half| half.draw);
    Ok((opened, closed))
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
    let host = draw.hosts.as_ref()?.get(usize::from(body.position) + 1)?;
    let half = unseal(key, &bound.half(host, &own), body.halves.get(at)?)?;
    let to = VerifyingKey::parse(host).ok()?;
    Some(OpenedHalf {
        draw: draw.number,
        commitment,
        half: seal(&to, &bound.half(host, host), &half, chance()?)?,
    })
}
