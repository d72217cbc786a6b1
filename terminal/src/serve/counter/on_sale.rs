//! What is on sale, as central last told it: the draws, and the rule books that govern them. A slip
//! is priced by the book that governs its first draw, which may be a later one than the book of the
//! next draw. It is kept for a start without central, which shows the rules and sells nothing.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::serve::object::{Object, object};
use keno_book::rules_file::{self, RuleBookFile};
use keno_game::{Game, SelectionType, SpotsAllowed};
use keno_wire::counter::{CounterReply, LaterRules, SaleDraw};
use keno_wire::reply::Bilingual;
use keno_wire::wall::PendingMessage;
use serde::{Deserialize, Serialize};

use crate::central::{CallFault, Central};
use crate::clock::{now, since_ms};
use crate::kept;

const FILE: &str = "counter.json";

/// What central told, and when.
#[derive(Debug, Clone)]
pub(in crate::serve) struct OnSale {
    facts: CounterReply,
    /// None when it was kept from before the start: then nothing is on sale.
    heard: Option<Instant>,
    /// That of the next draw.
    book: Option<Arc<RuleBookFile>>,
    /// Those of later draws on sale, soonest first.
    later: Vec<LaterBook>,
    /// Hashes of books that this program cannot read: they are not asked for again.
    unreadable: BTreeSet<String>,
}

/// A rule book that governs from a later draw on.
#[derive(Debug, Clone)]
struct LaterBook {
    from_draw: u64,
    /// None when this program cannot read it: then nothing is sold for those draws.
    book: Option<Arc<RuleBookFile>>,
}

/// As it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    facts: CounterReply,
    rules: Option<String>,
}

/// A version of the rules, as much of it as is needed.
#[derive(Deserialize)]
struct Rules {
    hash: String,
    text: String,
}

/// Rule books by their hashes: those that were known, and what was fetched beside them.
struct Books<'a> {
    fetch: &'a mut dyn FnMut(&str) -> Result<Rules, CallFault>,
    before: Option<&'a OnSale>,
    unreadable: BTreeSet<String>,
}

impl Books<'_> {
    /// The book of this hash, which central gives at this path; none when this program cannot read
    /// it, or when another one stands there by now. A newer house may have rules that this program
    /// does not know: central still prices and judges, and only what is told beforehand is missing.
    fn of(&mut self, hash: &str, path: &str) -> Result<Option<Arc<RuleBookFile>>, CallFault> {
        if let Some(book) = self.before.and_then(|before| before.book_of_hash(hash)) {
            return Ok(Some(book));
        }
        let is_unreadable = |before: &OnSale| before.unreadable.contains(hash);
        if self.before.is_some_and(is_unreadable) {
            self.unreadable.insert(hash.to_owned());
            return Ok(None);
        }
        let rules = (self.fetch)(path)?;
        match rules_file::read(&rules.text) {
            // Its hash alone is believed.
            Ok(book) => Ok(Some(Arc::new(book)).filter(|book| hash_of(book) == hash)),
            Err(faults) => {
                tracing::error!(faults = faults.len(), "the rule book cannot be read");
                self.unreadable.insert(rules.hash);
                Ok(None)
            }
        }
    }

    /// The book of a version that governs later; none when it cannot be had now, which is tried
    /// again the next time.
    fn of_later(&mut self, later: &LaterRules) -> Option<Arc<RuleBookFile>> {
        let path = format!("/api/v1/rules/versions/{}", later.version);
        self.of(&later.hash, &path).unwrap_or_else(|fault| {
            tracing::error!(%fault, version = later.version, "the rules of a later draw");
            None
        })
    }
}

fn hash_of(book: &RuleBookFile) -> String {
    hex::encode(book.hash)
}

impl OnSale {
    /// What was kept before the start; none when there is nothing that can be read.
    pub(in crate::serve) fn kept(folder: &Path) -> Option<Self> {
        let bytes = std::fs::read(folder.join(FILE)).ok()?;
        let kept: Kept = serde_json::from_slice(&bytes).ok()?;
        let book = kept.rules.and_then(|text| rules_file::read(&text).ok());
        Some(Self {
            facts: kept.facts,
            heard: None,
            book: book.map(Arc::new),
            // Nothing is on sale before central is heard.
            later: Vec::new(),
            unreadable: BTreeSet::new(),
        })
    }

    /// Asks central. Rule books are fetched only when they are others than before.
    ///
    /// # Errors
    /// As central gives them.
    pub(in crate::serve) fn ask(
        central: &Central,
        before: Option<&Self>,
    ) -> Result<Self, CallFault> {
        let facts: CounterReply = central.get("/api/v1/counter")?;
        Self::of(facts, before, &mut |path| central.get(path))
    }

    fn of(
        facts: CounterReply,
        before: Option<&Self>,
        fetch: &mut dyn FnMut(&str) -> Result<Rules, CallFault>,
    ) -> Result<Self, CallFault> {
        let mut books = Books {
            fetch,
            before,
            unreadable: BTreeSet::new(),
        };
        let book = match &facts.rules_hash {
            None => None,
            Some(hash) => books.of(hash, "/api/v1/rules/current")?,
        };
        let later = facts.later_rules.iter().map(|rules| LaterBook {
            from_draw: rules.from_draw,
            book: books.of_later(rules),
        });
        let later = later.collect();
        Ok(Self {
            facts,
            heard: Some(now()),
            book,
            later,
            unreadable: books.unreadable,
        })
    }

    fn book_of_hash(&self, hash: &str) -> Option<Arc<RuleBookFile>> {
        let later = self.later.iter().map(|later| &later.book);
        std::iter::once(&self.book)
            .chain(later)
            .flatten()
            .find(|book| hash_of(book) == hash)
            .cloned()
    }

    /// As if central had told it a moment ago.
    #[cfg(test)]
    pub(super) fn told(facts: CounterReply, rules: &str, later: &[(u64, &str)]) -> Self {
        let read = |text: &str| rules_file::read(text).ok().map(Arc::new);
        let later = later.iter().map(|(from_draw, text)| LaterBook {
            from_draw: *from_draw,
            book: read(text),
        });
        Self {
            facts,
            heard: Some(now()),
            book: read(rules),
            later: later.collect(),
            unreadable: BTreeSet::new(),
        }
    }

    /// Keeps it for the next start.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub(in crate::serve) fn keep(&self, folder: &Path) -> std::io::Result<()> {
        let kept = Kept {
            facts: self.facts.clone(),
            rules: self.book.as_ref().map(|book| book.text.clone()),
        };
        kept::remember(&folder.join(FILE), &kept)
    }

    /// True when pages have to be told: more than the time has changed.
    pub(in crate::serve) fn differs(&self, other: &Self) -> bool {
        let timeless = |facts: &CounterReply| CounterReply {
            central_ms: 0,
            ..facts.clone()
        };
        self.heard.is_some() != other.heard.is_some()
            || timeless(&self.facts) != timeless(&other.facts)
            || self.book.is_some() != other.book.is_some()
            || self.known_later() != other.known_later()
    }

    /// Of which later draws the rules are known.
    fn known_later(&self) -> Vec<(u64, bool)> {
        let later = self.later.iter();
        later
            .map(|later| (later.from_draw, later.book.is_some()))
            .collect()
    }

    /// The rule book of the next draw.
    pub(in crate::serve) fn book(&self) -> Option<&RuleBookFile> {
        self.book.as_deref()
    }

    /// The rule book that governs a slip with this first draw, the next one when it is not said.
    pub(in crate::serve) fn book_for(&self, first_draw: Option<u64>) -> Option<&RuleBookFile> {
        let later = self
            .later
            .iter()
            .rev()
            .find(|later| first_draw.is_some_and(|draw| later.from_draw <= draw));
        later.map_or(&self.book, |later| &later.book).as_deref()
    }

    /// The draws open for sale, soonest first; none before central was heard.
    pub(in crate::serve) fn draws(&self) -> &[SaleDraw] {
        match self.heard {
            Some(_) => &self.facts.draws,
            None => &[],
        }
    }

    /// Messages that wait to be read here; none before central was heard.
    pub(in crate::serve) fn messages(&self) -> &[PendingMessage] {
        match self.heard {
            Some(_) => &self.facts.messages,
            None => &[],
        }
    }

    /// The same without a message that was read here.
    pub(in crate::serve) fn without(&self, message: u64) -> Self {
        let mut without = self.clone();
        without.facts.messages.retain(|one| one.id != message);
        without
    }

    /// The day in the house's zone.
    pub(super) fn today(&self) -> &str {
        &self.facts.today
    }

    /// The line that a page always shows.
    pub(in crate::serve) fn line(&self) -> SaleLine {
        let next = self.draws().first().cloned();
        let since_ms = self.heard.map_or(0, since_ms);
        let central_now = self
            .facts
            .central_ms
            .saturating_add(i64::try_from(since_ms).unwrap_or(i64::MAX));
        SaleLine {
            sales_suspended: self.facts.sales_suspended,
            stopped: self.facts.stopped,
            rules_version: self.facts.rules_version,
            later_rules: self.facts.later_rules.clone(),
            shift: self.facts.shift,
            shift_badge: self.facts.shift_badge.clone(),
            closes_in_ms: next
                .as_ref()
                .map(|draw| draw.closes_at_ms.saturating_sub(central_now)),
            next,
            last_draw: self.draws().last().map(|draw| draw.draw.draw),
        }
    }

    /// What a page needs of the rules to make a slip for the next draw.
    pub(in crate::serve) fn rules(&self) -> Option<Object> {
        self.book().map(rules_view)
    }

    /// The same for later draws that other rules govern; none where this device cannot read them:
    /// nothing is sold for those draws.
    pub(in crate::serve) fn later_rules(&self) -> Vec<Object> {
        let view = |later: &LaterBook| {
            let rules = later.book.as_deref().map(rules_view);
            object! { "from_draw": later.from_draw, "rules": rules }
        };
        self.later.iter().map(view).collect()
    }
}

/// One dollar where the game permits it, else the smallest wager.
fn default_wager(game: Option<&Game>) -> i64 {
    const DOLLAR: i64 = 100;
    game.map_or(DOLLAR, |game| {
        let (min, max, step) = (
            game.wager.min.get(),
            game.wager.max.get(),
            game.wager.step.get(),
        );
        let is_permitted = (min..=max).contains(&DOLLAR) && step > 0 && DOLLAR % step == 0;
        if is_permitted { DOLLAR } else { min }
    })
}

/// The line of sales that a page always shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SaleLine {
    /// Sales are suspended for the whole house.
    pub sales_suspended: bool,
    /// A supervisor has stopped this terminal: it sells nothing for now.
    pub stopped: bool,
    /// Version of the rules for the next draw.
    pub rules_version: Option<u32>,
    /// Which rules govern draws after it.
    pub later_rules: Vec<LaterRules>,
    /// Shift number of the till that is open here.
    pub shift: Option<u64>,
    /// Badge of whoever opened it.
    pub shift_badge: Option<String>,
    /// The next draw on sale.
    pub next: Option<SaleDraw>,
    /// Number of the last draw on sale.
    pub last_draw: Option<u64>,
    /// Milliseconds until its sales close, by central's clock; below zero when it is late.
    pub closes_in_ms: Option<i64>,
}

/// Of the rule book, what a page needs to make a slip.
fn rules_view(book: &RuleBookFile) -> Object {
    let (rules, texts) = (&book.rules, &book.texts);
    let counter = book.counter.as_ref();
    // F1 first.
    let express = counter.iter().flat_map(|counter| &counter.express);
    let express = express.map(
        |pick| object! { "game": pick.game, "spots": pick.spots, "wager_cents": pick.wager.get() },
    );
    object! {
        "pool": rules.pool.size(),
        "cap_cents": rules.cap.get(),
        "selections_max": rules.limits.selections_max,
        "draws_max": rules.limits.draws_max,
        "tenders": rules.tenders.iter().map(|one| one.code()).collect::<Vec<_>>(),
        "rules_place": Bilingual::new(&texts.rules_place_fr, &texts.rules_place_en),
        "games": rules.games.iter().map(game_view).collect::<Vec<_>>(),
        // What is put on a selection when nothing is said.
        "wager_cents": counter.map_or_else(
            || default_wager(rules.games.first()),
            |counter| counter.default_wager.get(),
        ),
        "express": express.collect::<Vec<_>>(),
    }
}

/// A game: its code, and each type of selection under its name, with nothing where the game does not
/// sell it; a named set, with what it is called and has, only where it does.
fn game_view(game: &Game) -> Object {
    let mut view = object! { "code": game.code };
    for kind in SelectionType::ALL {
        let spots = game.spots_allowed(kind).map(|SpotsAllowed { min, max }| {
            let set = game.set.filter(|_| kind.is_named());
            set.map_or_else(
                || object! { "min": min, "max": max },
                |numbers| {
                    let numbers: Vec<u8> = numbers.iter().collect();
                    let name = Bilingual::new(&game.name_fr, &game.name_en);
                    object! { "min": min, "max": max, "name": name, "numbers": numbers }
                },
            )
        });
        if spots.is_some() || !kind.is_named() {
            view.add(kind.code(), &spots);
        }
    }
    view
}

#[cfg(test)]
pub(in crate::serve::counter) mod tests;
