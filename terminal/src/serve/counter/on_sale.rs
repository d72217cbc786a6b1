//! What is on sale, as central last told it: the draws, and the rule book that governs the next.
//! It is kept for a start without central, which shows the rules and sells nothing.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use keno_book::rules_file::{self, ExpressPick, RuleBookFile};
use keno_game::{Game, SpotsAllowed};
use keno_wire::counter::{CounterReply, SaleDraw};
use keno_wire::reply::Bilingual;
use keno_wire::wall::PendingMessage;
use serde::{Deserialize, Serialize};

use crate::central::{CallFault, Central};
use crate::serve::clock::{now, since_ms};

const FILE: &str = "counter.json";

/// What central told, and when.
#[derive(Debug, Clone)]
pub(in crate::serve) struct OnSale {
    facts: CounterReply,
    /// None when it was kept from before the start: then nothing is on sale.
    heard: Option<Instant>,
    book: Option<Arc<RuleBookFile>>,
}

/// As it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    facts: CounterReply,
    rules: Option<String>,
}

/// `/api/v1/rules/current`, as much of it as is needed.
#[derive(Deserialize)]
struct Rules {
    text: String,
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
        })
    }

    /// Asks central. The rule book is fetched only when it is another than before.
    ///
    /// # Errors
    /// As central gives them.
    pub(in crate::serve) fn ask(
        central: &Central,
        before: Option<&Self>,
    ) -> Result<Self, CallFault> {
        let facts: CounterReply = central.get("/api/v1/counter")?;
        let is_it = |book: &Arc<RuleBookFile>| Some(hash_of(book)) == facts.rules_hash;
        let known = before
            .and_then(|before| before.book.clone())
            .filter(|book| is_it(book));
        let book = match known {
            Some(book) => Some(book),
            None if facts.rules_hash.is_none() => None,
            None => {
                let rules: Rules = central.get("/api/v1/rules/current")?;
                match rules_file::read(&rules.text) {
                    Ok(book) => Some(Arc::new(book)),
                    Err(faults) => {
                        // A newer house may have rules that this program cannot read: central
                        // still prices and judges, and only what is told beforehand is missing.
                        tracing::error!(faults = faults.len(), "the rule book cannot be read");
                        None
                    }
                }
            }
        };
        Ok(Self {
            facts,
            heard: Some(now()),
            book,
        })
    }

    /// As if central had told it a moment ago.
    #[cfg(test)]
    pub(super) fn told(facts: CounterReply, rules: &str) -> Self {
        Self {
            facts,
            heard: Some(now()),
            book: rules_file::read(rules).ok().map(Arc::new),
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
        let bytes = serde_json::to_vec(&kept).map_err(std::io::Error::other)?;
        let partial = folder.join("counter.partial");
        std::fs::write(&partial, bytes)?;
        std::fs::rename(&partial, folder.join(FILE))
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
    }

    /// The rule book.
    pub(super) fn book(&self) -> Option<&RuleBookFile> {
        self.book.as_deref()
    }

    /// The draws open for sale, soonest first; none before central was heard.
    pub(super) fn draws(&self) -> &[SaleDraw] {
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
        let mut facts = self.facts.clone();
        facts.messages.retain(|one| one.id != message);
        Self {
            facts,
            heard: self.heard,
            book: self.book.clone(),
        }
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
            house_name: self.facts.house_name.clone(),
            today: self.facts.today.clone(),
            sales_suspended: self.facts.sales_suspended,
            stopped: self.facts.stopped,
            rules_version: self.facts.rules_version,
            shift: self.facts.shift,
            shift_badge: self.facts.shift_badge.clone(),
            closes_in_ms: next
                .as_ref()
                .map(|draw| draw.closes_at_ms.saturating_sub(central_now)),
            next,
            last_draw: self.draws().last().map(|draw| draw.draw.draw),
        }
    }

    /// What a page needs of the rules to make a slip.
    pub(super) fn rules(&self) -> Option<RulesView> {
        let book = self.book()?;
        let rules = &book.rules;
        Some(RulesView {
            version: rules.version,
            pool: rules.pool.size(),
            cap_cents: rules.cap.get(),
            selections_max: rules.limits.selections_max,
            draws_max: rules.limits.draws_max,
            tenders: rules.tenders.iter().map(|one| one.code()).collect(),
            confirm_key_cents: rules.confirm.second_key.get(),
            confirm_typed_cents: rules.confirm.type_total.get(),
            confirm_draws: rules.confirm.draws,
            second_person_cents: rules.payout.second_person.get(),
            cage_cents: rules.payout.cage.get(),
            rules_place: Bilingual {
                fr: book.texts.rules_place_fr.clone(),
                en: book.texts.rules_place_en.clone(),
            },
            games: rules.games.iter().map(GameView::of).collect(),
            wager_cents: book.counter.as_ref().map_or_else(
                || default_wager(rules.games.first()),
                |counter| counter.default_wager.get(),
            ),
            express: book
                .counter
                .iter()
                .flat_map(|counter| &counter.express)
                .map(ExpressView::of)
                .collect(),
        })
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
    /// Name of the house.
    pub house_name: String,
    /// The day in the house's zone, `yyyy-mm-dd`.
    pub today: String,
    /// Sales are suspended for the whole house.
    pub sales_suspended: bool,
    /// A supervisor has stopped this terminal: it sells nothing for now.
    pub stopped: bool,
    /// Version of the rules for the next draw.
    pub rules_version: Option<u32>,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct RulesView {
    version: u32,
    pool: u8,
    cap_cents: i64,
    selections_max: u8,
    draws_max: u16,
    tenders: Vec<&'static str>,
    confirm_key_cents: i64,
    confirm_typed_cents: i64,
    confirm_draws: u16,
    second_person_cents: i64,
    cage_cents: i64,
    rules_place: Bilingual,
    games: Vec<GameView>,
    /// What is put on a selection when nothing is said.
    wager_cents: i64,
    express: Vec<ExpressView>,
}

/// One express pick, F1 first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ExpressView {
    game: String,
    spots: u8,
    wager_cents: i64,
}

impl ExpressView {
    fn of(pick: &ExpressPick) -> Self {
        Self {
            game: pick.game.clone(),
            spots: pick.spots,
            wager_cents: pick.wager.get(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct GameView {
    code: String,
    name: Bilingual,
    straight: Option<SpotsView>,
    way: Option<SpotsView>,
    king: Option<SpotsView>,
    wager_step_cents: i64,
    wager_min_cents: i64,
    wager_max_cents: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct SpotsView {
    min: u8,
    max: u8,
}

impl GameView {
    fn of(game: &Game) -> Self {
        let spots = |allowed: Option<SpotsAllowed>| {
            allowed.map(|allowed| SpotsView {
                min: allowed.min,
                max: allowed.max,
            })
        };
        Self {
            code: game.code.clone(),
            name: Bilingual {
                fr: game.name_fr.clone(),
                en: game.name_en.clone(),
            },
            straight: spots(game.straight),
            way: spots(game.way),
            king: spots(game.king),
            wager_step_cents: game.wager.step.get(),
            wager_min_cents: game.wager.min.get(),
            wager_max_cents: game.wager.max.get(),
        }
    }
}
