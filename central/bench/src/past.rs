//! What a house has behind it: tickets that were sold through the service, draw by draw, with
//! every draw settled before the next is opened. Each leaf and each row is one that was judged, so
//! that the record verifies; of all of it nothing is kept here but where the tickets stand.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, ensure};
use keno_game::DrawState;
use keno_log::Hash;
use keno_log::tree::Edge;
use keno_record::clock::{Clock, ManualClock, SystemClock};
use keno_record::store::log;
use keno_record::ticket::Ticket;
use keno_schema::Database;
use keno_service::Central;
use keno_service::authority::identity::Caller;
use keno_service::counter::{Paper, TillContents};
use keno_service::draw::{Conductor, Draw};
use keno_wire::claim_code::ClaimCode;

use crate::house::{FLOAT_CENTS, Terminal, furnish, house_text, open, stopped};
use crate::till::SELECTIONS;
use crate::wagers::{WAGER_CENTS, Wager, sell_tickets, sign_on, wagers};

/// Tickets of a past draw, unless fewer are asked for.
pub const DRAW_TICKETS: u64 = 1_000;
/// The last draws that are over, which central has in memory. A ticket of theirs is not old.
const IN_MEMORY: u64 = 40;
/// More than so many tickets would fill a till with more cash than may be counted.
const TILL_TICKETS: u64 = 200_000;
/// From one past draw to the next.
const DRAW_MS: i64 = 5_000;
/// Seed of what was played.
const SEED: u64 = 0x7061_7374;

/// A house with a past.
#[derive(Debug, Clone)]
pub struct Past {
    /// Its data folder.
    pub folder: PathBuf,
    /// Its terminals; what is behind it was sold at one that is not among them.
    pub terminals: Vec<Terminal>,
    seller: u32,
    now_ms: i64,
    /// Draws that are over.
    drawn: u64,
    sold: Vec<Sold>,
}

/// Tickets of a past draw, sold at one till.
#[derive(Debug, Clone, Copy)]
struct Sold {
    draw: u64,
    /// The leaf of the first.
    first: u64,
    /// How many there are: they follow it one by one.
    count: u64,
    /// Size and root of the log that their papers know.
    known: (u64, Hash),
}

impl Past {
    /// Founds a house so long ago that its clock does not come to pass this moment while so many
    /// draws are played.
    ///
    /// # Errors
    /// When anything is refused.
    pub fn found(folder: &Path, terminals: u32, draws: u64) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join("house.toml"), house_text(None))?;
        let long_ms = i64::try_from(draws + 1)? * DRAW_MS;
        let now_ms = SystemClock::new().now_ms() - long_ms;
        let central = open(folder, None, Arc::new(ManualClock::at(now_ms)))?;
        let mut devices = furnish(&central, terminals + 1)?;
        devices.truncate(usize::try_from(terminals)?);
        Ok(Self {
            folder: folder.to_owned(),
            terminals: devices,
            seller: terminals + 1,
            now_ms,
            drawn: 0,
            sold: Vec::new(),
        })
    }

    /// The same house in another folder, from which both go on.
    ///
    /// # Errors
    /// When it cannot be copied.
    pub fn copied(&self, folder: &Path) -> anyhow::Result<Self> {
        keno_testing::copy_folder(&self.folder, folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            ..self.clone()
        })
    }

    /// Sells so many tickets more, of three selections and one draw each, and settles their draws.
    /// The last of them are sold at one till, which stays open; the others at a till each draw.
    ///
    /// # Errors
    /// When anything is refused.
    pub fn go_on(&mut self, tickets: u64, draw_tickets: u64, till_open: u64) -> anyhow::Result<()> {
        let clock = Arc::new(ManualClock::at(self.now_ms));
        let central = open(&self.folder, None, Arc::clone(&clock) as Arc<dyn Clock>)?;
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let mut left = tickets;
        let mut open: Option<Caller> = None;
        while left > 0 {
            let count = left.min(draw_tickets);
            let draw = self.drawn + 1;
            let closes_at_ms = clock.now_ms() + DRAW_MS / 2;
            Draw(draw)
                .schedule(&central, closes_at_ms, closes_at_ms + DRAW_MS / 4)
                .map_err(stopped)?;
            if open.is_none() && left <= till_open {
                open = Some(runtime.block_on(sign_on(&central, self.seller))?);
            }
            let mut of_draw = count;
            while of_draw > 0 {
                let count = of_draw.min(TILL_TICKETS);
                let first = runtime.block_on(self.sell(&central, draw, count, open.as_ref()))?;
                let known = central.checkpoint().map(|said| (said.size, said.root));
                self.sold.push(Sold {
                    draw,
                    first,
                    count,
                    known: known.context("no checkpoint")?,
                });
                of_draw -= count;
            }
            self.drawn = draw;
            clock.advance(DRAW_MS / 2);
            Draw(draw).close(&central).map_err(stopped)?;
            clock.advance(DRAW_MS / 4);
            settle(&central, draw).map_err(stopped)?;
            clock.advance(DRAW_MS - DRAW_MS / 2 - DRAW_MS / 4);
            left -= count;
        }
        self.now_ms = clock.now_ms();
        Ok(())
    }

    /// The tickets of a draw, in a session with its till from sign-on to sign-off, or in one that is
    /// open.
    async fn sell(
        &self,
        central: &Arc<Central>,
        draw: u64,
        count: u64,
        open: Option<&Caller>,
    ) -> anyhow::Result<u64> {
        let seed = SEED ^ (draw << 32) ^ self.tickets();
        let played = wagers(usize::try_from(count)? * SELECTIONS, seed)?;
        let tickets: Vec<&[Wager]> = played.chunks(SELECTIONS).collect();
        // Of one session no two are the same.
        let first_counter = self.tickets() + 1;
        if let Some(caller) = open {
            return sell_tickets(central, caller, draw, first_counter, &tickets).await;
        }
        let caller = sign_on(central, self.seller).await?;
        let first = sell_tickets(central, &caller, draw, first_counter, &tickets).await?;
        let taken_cents = WAGER_CENTS * i64::try_from(played.len())?;
        caller
            .close_shift(central, TillContents::cash(FLOAT_CENTS + taken_cents), None)
            .await
            .map_err(stopped)?;
        caller.sign_off(central).await.map_err(stopped)?;
        Ok(first)
    }

    /// Tickets behind it.
    pub fn tickets(&self) -> u64 {
        self.sold.iter().map(|sold| sold.count).sum()
    }

    /// Tickets of draws that central has to read from the record; all, where it has all of them in
    /// memory.
    fn old_tickets(&self) -> u64 {
        let old = self.drawn.saturating_sub(IN_MEMORY);
        let sold = self.sold.iter().filter(|sold| sold.draw <= old);
        match sold.map(|sold| sold.count).sum() {
            0 => self.tickets(),
            some => some,
        }
    }

    /// The leaf of a ticket, counted from 0, and what its paper knows of the log.
    fn leaf(&self, mut place: u64) -> Option<(u64, (u64, Hash))> {
        for sold in &self.sold {
            match place.checked_sub(sold.count) {
                Some(further) => place = further,
                None => return Some((sold.first + place, sold.known)),
            }
        }
        None
    }

    /// Puts draws on sale by the machine's clock. Gives one that no measurement reaches, and the
    /// codes of so many old tickets, or of all, that lie evenly behind it.
    ///
    /// # Errors
    /// When no draw can be put on sale, or a ticket is not there.
    pub fn put_on_sale(&self, codes: u64) -> anyhow::Result<(u64, Vec<String>)> {
        let central = open(&self.folder, None, Arc::new(SystemClock::new()))?;
        Conductor::tick(&central);
        let view = central.view.get();
        let mut on_sale = view.draws.values();
        let draw = on_sale
            .by_ref()
            .filter(|draw| draw.state() == DrawState::Open)
            .nth(9)
            .context("fewer than ten draws are on sale")?;
        let tickets = self.old_tickets();
        let asked = codes.min(tickets);
        let mut reader = central.readers.get()?;
        let codes = (0..asked)
            .map(|at| {
                let place = at * tickets / asked;
                let (leaf, known) = self.leaf(place).context("no such ticket")?;
                let ticket = Ticket::read(&mut reader, leaf)?.context("a leaf is no sale")?;
                code(&central, leaf, ticket.sale.secret_key, known)
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        Ok((draw.number(), codes))
    }

    /// Bytes of its database, which is closed.
    ///
    /// # Errors
    /// When it is not there.
    pub fn database_bytes(&self) -> anyhow::Result<u64> {
        Ok(std::fs::metadata(self.database_file())?.len())
    }

    fn database_file(&self) -> PathBuf {
        self.folder.join("keno.sqlite")
    }

    /// The root of its first leaves, and how many leaves there are.
    ///
    /// # Errors
    /// The database's.
    pub fn root_of(&self, leaves: u64) -> anyhow::Result<(Hash, u64)> {
        let mut reader = Database::Sqlite(self.database_file()).open_reader()?;
        let mut edge = Edge::new();
        while edge.size() < leaves {
            let rows = log::entries(&mut reader, edge.size(), 10_000)?;
            ensure!(!rows.is_empty(), "the record ends at leaf {}", edge.size());
            for row in rows.iter().take(usize::try_from(leaves - edge.size())?) {
                let (_, leaf_hash) = log::checked_entry(row)?;
                edge.append(leaf_hash);
            }
        }
        let all = log::count(&mut reader)?;
        Ok((edge.root(), all))
    }
}

/// From the seal to the prizes.
fn settle(central: &Central, draw: u64) -> Result<(), keno_service::Stop> {
    let draw = Draw(draw);
    draw.start(central)?;
    draw.record_balls(central)?;
    draw.certify(central, vec!["guard".to_owned()])?;
    draw.reveal_secrets(central)?;
    draw.settle(central).map(drop)
}

/// What is printed on the first copy of a ticket.
fn code(
    central: &Central,
    leaf: u64,
    secret_key: u16,
    known: (u64, Hash),
) -> anyhow::Result<String> {
    let number = Paper::control_number(central, leaf);
    let house = central.house_code.as_str();
    let whole = central
        .keys
        .whole_code(secret_key, house, &number, 1, known)
        .context("no claim key")?;
    Ok(ClaimCode {
        control_number: number,
        copy: whole.copy,
        secret: whole.secret,
        log_size: whole.log_size,
        log_root: whole.log_root,
        mark: whole.mark,
    }
    .text())
}
