//! The codes of selection slips: of a blank slip, of an express card and of an e-slip. Digits and
//! A-Z only, so that they survive any keyboard layout; a ticket's claim code begins with `KT`, a
//! slip's with `KS`.
//!
//! ```text
//! KS1 <body> <check: 7 characters>
//! ```
//!
//! without the spaces, at most 160 characters. Body and check are in Crockford's base 32. The
//! check is the CRC-32 of every character before it, as 32 bits and three zero bits; no change of
//! a single character passes it. The body is bits, filled up to a whole character with zeros:
//!
//! ```text
//! body      kind: 2 bits (0 blank slip, 1 express card, 2 e-slip)
//!           pool: 1 bit (0 for 80 numbers, 1 for 70)
//!           language: 1 bit (0 French first, 1 English first)
//!           rule book version: number
//!           mark of the rules: 20 bits, over what of them such a slip shows or depends on
//!           and then
//! blank     game: number, its place in the rule book from 0
//! express   game: number; spots: 7 bits; wager in cents: number
//! e-slip    draws: number; selections: number; each of them
//! selection type: 2 bits (0 straight, 1 way, 2 king, 3 set); computer pick: 1 bit; game: number
//!           with a computer pick   spots: 7 bits
//!           straight, set          numbers: list
//!           way, king              groups: number; each a list; kings: list
//!           wager: 1 bit whether there is one, then its cents: number
//!           composition: number of lines; each: 1 bit whether ways are said, then they:
//!           number; spots: 7 bits; wager in cents: number
//! list      how many: number; each 7 bits
//! number    groups of 5 bits, the lowest first: 1 bit whether another follows, 4 bits; the
//!           highest group is not zero unless it is the only one; below 2^32
//! ```
//!
//! A slip promises nothing: no price and no place in a draw (s. 81). It says under which rules it
//! was made, because its mentions are theirs (s. 77). A later version that leaves alone what the
//! slip shows leaves it valid; one that changes it withdraws it, which is said with both versions
//! before anything else is read into it. The mark is what tells the two apart (`shown` says over
//! which bytes); an express card is withdrawn too when its pick is no longer sold.

mod bits;
mod refusal;
mod shown;

use keno_game::{Cents, ConditioningAsked, Pick, RuleBook, SelectionType, SlipSelection};
use thiserror::Error;

use crate::claim_code::plain;
use crate::{request, slip};
use bits::{Bits, Reading};

pub use refusal::SlipCodeRefusal;
pub use shown::{asks_the_type, draws_of, panels_of, wagers_of};

/// What every code of a slip begins with, whichever the version.
pub const FAMILY: &str = "KS";
/// Characters of the longest code.
pub const CHARACTERS_MAX: usize = 160;

const PREFIX: &str = "KS1";
const CHECK_CHARACTERS: usize = 7;
/// Bits of the mark that are on a slip.
const MARK_BITS: u32 = 20;

/// The language that comes first on a slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlipLanguage {
    /// French, then English.
    French,
    /// English, then French.
    English,
}

impl SlipLanguage {
    /// Both, French first.
    pub const ALL: [Self; 2] = [Self::French, Self::English];

    /// Stable name.
    pub const fn code(self) -> &'static str {
        match self {
            Self::French => "fr",
            Self::English => "en",
        }
    }
}

/// The rules that govern a ticket sold now.
#[derive(Debug, Clone, Copy)]
pub struct RulesInForce<'a> {
    /// The rules.
    pub rules: &'a RuleBook,
    /// Where they may be read (s. 76), in French.
    pub rules_place_fr: &'a str,
    /// The same in English.
    pub rules_place_en: &'a str,
}

/// Under which rules a slip was made, and in which language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlipVersion {
    /// Version of the rule book.
    pub rules: u32,
    /// Numbers in its pool: 80 or 70.
    pub pool_size: u8,
    /// 20 bits over what of it the slip shows: the version 3 of another house is not ours.
    pub mark: u32,
    /// The language that comes first.
    pub language: SlipLanguage,
}

impl SlipVersion {
    /// The version of a slip made now.
    fn of(in_force: RulesInForce<'_>, language: SlipLanguage, content: &SlipContent) -> Self {
        Self {
            rules: in_force.rules.version,
            pool_size: in_force.rules.pool.size(),
            // A game that the rules lack makes a slip that is refused, whatever its mark.
            mark: shown::mark_of(in_force, content).unwrap_or(0),
            language,
        }
    }
}

/// A code of a slip, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlipCode {
    /// Under which rules it was made.
    pub version: SlipVersion,
    /// What it is.
    pub content: SlipContent,
}

/// What a code of a slip says beside its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlipContent {
    /// A blank selection slip: what is marked on it is on the paper alone.
    Blank {
        /// Place of its game in the rule book, from 0.
        game: u8,
    },
    /// An express card: a computer pick of one straight selection, for one draw.
    Express {
        /// Place of its game in the rule book, from 0.
        game: u8,
        /// How many numbers.
        spots: u8,
        /// The wager per draw.
        wager: Cents,
    },
    /// An e-slip: a whole slip.
    ESlip(ESlip),
}

impl SlipContent {
    /// As the code says it.
    const fn kind(&self) -> u8 {
        match self {
            Self::Blank { .. } => 0,
            Self::Express { .. } => 1,
            Self::ESlip(_) => 2,
        }
    }
}

/// What is on an e-slip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ESlip {
    draws: u16,
    /// Each with the place of its game in the rule book; the selection's own is empty.
    selections: Vec<(u8, SlipSelection)>,
}

/// Why a slip cannot be made into an e-slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ESlipFault {
    /// A type of selection that no house has, or numbers that are not of its type.
    #[error("the slip is not one of these rules")]
    Shape,
    /// It names its first draw: an e-slip has no place in a draw.
    #[error("an e-slip names no draw")]
    FirstDraw,
    /// A game that the rule book does not have.
    #[error("the rule book has no such game")]
    Game,
    /// A number, a wager or a count that no slip can have.
    #[error("a number of the slip is beyond what a code holds")]
    Range,
    /// Longer than a scanner is asked to read; it is sold as several slips.
    #[error("the slip is too long for one code")]
    TooLong,
}

impl SlipCode {
    fn of(in_force: RulesInForce<'_>, language: SlipLanguage, content: SlipContent) -> Self {
        let version = SlipVersion::of(in_force, language, &content);
        Self { version, content }
    }

    /// The code of a blank slip.
    pub fn blank(in_force: RulesInForce<'_>, language: SlipLanguage, game: u8) -> Self {
        Self::of(in_force, language, SlipContent::Blank { game })
    }

    /// The code of an express card. What is on it was judged with the rule book that offers it.
    pub fn express(
        in_force: RulesInForce<'_>,
        language: SlipLanguage,
        game: u8,
        spots: u8,
        wager: Cents,
    ) -> Self {
        let content = SlipContent::Express { game, spots, wager };
        Self::of(in_force, language, content)
    }

    /// The code of an e-slip.
    ///
    /// # Errors
    /// [`ESlipFault`]. Whether the rules would sell the slip is not asked.
    pub fn e_slip(
        asked: &request::Slip,
        in_force: RulesInForce<'_>,
        language: SlipLanguage,
    ) -> Result<Self, ESlipFault> {
        if asked.first_draw.is_some() {
            return Err(ESlipFault::FirstDraw);
        }
        let draws = u16::try_from(asked.draws).map_err(|_| ESlipFault::Range)?;
        let read = slip::slip(asked).map_err(|_| ESlipFault::Shape)?;
        let selections = read
            .selections
            .into_iter()
            .map(|selection| placed(selection, in_force.rules))
            .collect::<Result<_, _>>()?;
        let content = SlipContent::ESlip(ESlip { draws, selections });
        let code = Self::of(in_force, language, content);
        if code.text().len() > CHARACTERS_MAX {
            return Err(ESlipFault::TooLong);
        }
        Ok(code)
    }

    /// Stable name of what it is.
    pub const fn name(&self) -> &'static str {
        match self.content {
            SlipContent::Blank { .. } => "blank_slip",
            SlipContent::Express { .. } => "express_card",
            SlipContent::ESlip(_) => "e_slip",
        }
    }

    /// The code as it stands in the QR.
    pub fn text(&self) -> String {
        let mut bits = Bits::new();
        bits.put(u32::from(self.content.kind()), 2);
        bits.put(u32::from(self.version.pool_size == 70), 1);
        bits.put(u32::from(self.version.language == SlipLanguage::English), 1);
        bits.number(self.version.rules);
        bits.put(self.version.mark, MARK_BITS);
        match &self.content {
            SlipContent::Blank { game } => bits.number(u32::from(*game)),
            SlipContent::Express { game, spots, wager } => {
                bits.number(u32::from(*game));
                bits.put(u32::from(*spots), 7);
                bits.number(cents(*wager));
            }
            SlipContent::ESlip(slip) => slip.write(&mut bits),
        }
        let mut text = format!("{PREFIX}{}", bits.text());
        text.push_str(&check(&text));
        text
    }

    /// True when the text begins as a code of a slip of this version does.
    pub fn looks_like(text: &str) -> bool {
        text.starts_with(PREFIX)
    }

    /// Reads a code, as [`plain`] makes it.
    ///
    /// # Errors
    /// Of [`SlipCodeRefusal`], those that need no rule book.
    pub fn parse(text: &str) -> Result<Self, SlipCodeRefusal> {
        let text = plain(text);
        let text = text.as_str();
        if !Self::looks_like(text) {
            let version = text
                .strip_prefix(FAMILY)
                .and_then(|rest| rest.bytes().next());
            return Err(match version {
                Some(b'0'..=b'9') => SlipCodeRefusal::OtherFormat,
                _ => SlipCodeRefusal::Unreadable,
            });
        }
        let is_whole = (PREFIX.len() + CHECK_CHARACTERS..=CHARACTERS_MAX).contains(&text.len())
            && text.is_ascii();
        if !is_whole {
            return Err(SlipCodeRefusal::Unreadable);
        }
        let (checked, said) = text.split_at(text.len() - CHECK_CHARACTERS);
        let mut reading = checked
            .strip_prefix(PREFIX)
            .and_then(Reading::of)
            .ok_or(SlipCodeRefusal::Unreadable)?;
        if Reading::of(said).is_none() {
            return Err(SlipCodeRefusal::Unreadable);
        }
        if check(checked) != said {
            return Err(SlipCodeRefusal::CheckWrong);
        }
        let code = read(&mut reading).filter(|_| reading.is_at_its_end());
        code.ok_or(SlipCodeRefusal::Unreadable)
    }

    /// Judges it by the rules that govern a ticket sold now.
    ///
    /// # Errors
    /// Of [`SlipCodeRefusal`], those that need the rule book.
    pub fn judge(&self, in_force: RulesInForce<'_>) -> Result<(), SlipCodeRefusal> {
        let made = self.version;
        let house = in_force.rules.pool.size();
        if made.pool_size != house {
            return Err(SlipCodeRefusal::OtherPool {
                slip: made.pool_size,
                house,
            });
        }
        let (slip, version) = (made.rules, in_force.rules.version);
        if slip > version {
            return Err(SlipCodeRefusal::VersionUnknown {
                slip,
                in_force: version,
            });
        }
        let mark = shown::mark_of(in_force, &self.content);
        if slip < version {
            let is_as_it_was = mark == Some(made.mark);
            if is_as_it_was && shown::is_sold(in_force.rules, &self.content) {
                return Ok(());
            }
            return Err(SlipCodeRefusal::VersionWithdrawn {
                slip,
                in_force: version,
            });
        }
        match mark {
            None => Err(SlipCodeRefusal::GameUnknown),
            Some(mark) if mark != made.mark => Err(SlipCodeRefusal::OtherRules { version: slip }),
            Some(_) => Ok(()),
        }
    }

    /// The slip that it stands for, to be shown, corrected and sold; none for a blank slip. Whether
    /// the rules sell it is for the price and the sale to say.
    ///
    /// # Errors
    /// As [`SlipCode::judge`].
    pub fn slip(
        &self,
        in_force: RulesInForce<'_>,
    ) -> Result<Option<request::Slip>, SlipCodeRefusal> {
        self.judge(in_force)?;
        let code_of = |game: u8| {
            let game = in_force.rules.games.get(usize::from(game));
            game.map_or_else(String::new, |game| game.code.clone())
        };
        let (draws, selections) = match &self.content {
            SlipContent::Blank { .. } => return Ok(None),
            SlipContent::Express { game, spots, wager } => {
                let selection = SlipSelection {
                    game: String::new(),
                    kind: SelectionType::Straight,
                    pick: Pick::Quick { spots: *spots },
                    conditioning: Vec::new(),
                    wager: Some(*wager),
                };
                (1, vec![asked(code_of(*game), &selection)])
            }
            SlipContent::ESlip(slip) => {
                let selections = slip.selections.iter();
                let asked = selections.map(|(game, one)| asked(code_of(*game), one));
                (u32::from(slip.draws), asked.collect())
            }
        };
        Ok(Some(request::Slip {
            selections,
            draws,
            first_draw: None,
        }))
    }
}

/// The CRC-32 of some characters, as a code says it.
fn check(text: &str) -> String {
    let mut bits = Bits::new();
    bits.put(crc32fast::hash(text.as_bytes()), 32);
    bits.text()
}

/// An amount that was judged to fit.
fn cents(amount: Cents) -> u32 {
    u32::try_from(amount.get()).unwrap_or(u32::MAX)
}

/// A selection with the place of its game, if a code can hold it.
fn placed(
    mut selection: SlipSelection,
    rules: &RuleBook,
) -> Result<(u8, SlipSelection), ESlipFault> {
    let mut games = rules.games.iter();
    let place = games.position(|game| game.code == selection.game);
    let game = u8::try_from(place.ok_or(ESlipFault::Game)?).map_err(|_| ESlipFault::Game)?;
    selection.game.clear();
    // A set that is said by its name alone is sold with the numbers that it has now, or not at all.
    let named = rules.games.get(usize::from(game)).and_then(|it| it.set);
    if let (Pick::Numbers { groups, .. }, true) = (&mut selection.pick, selection.kind.is_named())
        && groups.is_empty()
    {
        groups.extend(named.map(|set| set.iter().collect()));
    }
    let fits = |numbers: &Vec<u8>| numbers.iter().all(|number| *number < 128);
    let pick_fits = match &selection.pick {
        Pick::Quick { spots } => *spots < 128,
        Pick::Numbers { groups, kings } => {
            let is_of_its_type =
                selection.kind.has_ways() || (groups.len() == 1 && kings.is_empty());
            is_of_its_type && groups.iter().all(fits) && fits(kings)
        }
    };
    let lines = selection.conditioning.iter();
    let wagers: Vec<Cents> = lines
        .map(|line| line.wager)
        .chain(selection.wager)
        .collect();
    let wagers_fit = wagers
        .iter()
        .all(|wager| u32::try_from(wager.get()).is_ok());
    let spots_fit = selection.conditioning.iter().all(|line| line.spots < 128);
    if pick_fits && wagers_fit && spots_fit {
        Ok((game, selection))
    } else {
        Err(ESlipFault::Range)
    }
}

/// A selection as it travels.
fn asked(game: String, selection: &SlipSelection) -> request::Selection {
    let wide = |numbers: &Vec<u8>| -> Vec<i64> {
        numbers.iter().map(|number| i64::from(*number)).collect()
    };
    let mut asked = request::Selection {
        game,
        kind: selection.kind.into(),
        numbers: Vec::new(),
        groups: Vec::new(),
        kings: Vec::new(),
        quick_pick: None,
        wager_cents: selection.wager.map(Cents::get),
        ways: selection
            .conditioning
            .iter()
            .map(|line| request::Conditioning {
                ways: line.ways,
                spots: line.spots,
                wager_cents: line.wager.get(),
            })
            .collect(),
    };
    match &selection.pick {
        Pick::Quick { spots } => asked.quick_pick = Some(*spots),
        Pick::Numbers { groups, .. } if !selection.kind.has_ways() => {
            asked.numbers = groups.iter().flat_map(wide).collect();
        }
        Pick::Numbers { groups, kings } => {
            asked.groups = groups.iter().map(wide).collect();
            asked.kings = wide(kings);
        }
    }
    asked
}

/// How many, as a code says it; a slip that is longer than that is too long for a code.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl ESlip {
    fn write(&self, bits: &mut Bits) {
        bits.number(u32::from(self.draws));
        bits.number(count(self.selections.len()));
        for (game, selection) in &self.selections {
            // Types count from 1 up.
            bits.put(u32::from(selection.kind.number()).saturating_sub(1), 2);
            let is_quick = matches!(selection.pick, Pick::Quick { .. });
            bits.put(u32::from(is_quick), 1);
            bits.number(u32::from(*game));
            match &selection.pick {
                Pick::Quick { spots } => bits.put(u32::from(*spots), 7),
                Pick::Numbers { groups, .. } if !selection.kind.has_ways() => {
                    groups.iter().for_each(|group| write_list(bits, group));
                }
                Pick::Numbers { groups, kings } => {
                    bits.number(count(groups.len()));
                    groups.iter().for_each(|group| write_list(bits, group));
                    write_list(bits, kings);
                }
            }
            bits.put(u32::from(selection.wager.is_some()), 1);
            if let Some(wager) = selection.wager {
                bits.number(cents(wager));
            }
            bits.number(count(selection.conditioning.len()));
            for line in &selection.conditioning {
                bits.put(u32::from(line.ways.is_some()), 1);
                if let Some(ways) = line.ways {
                    bits.number(ways);
                }
                bits.put(u32::from(line.spots), 7);
                bits.number(cents(line.wager));
            }
        }
    }
}

fn write_list(bits: &mut Bits, numbers: &[u8]) {
    bits.number(count(numbers.len()));
    for number in numbers {
        bits.put(u32::from(*number), 7);
    }
}

/// A body, or nothing when its bits end too early or say what no code says.
fn read(bits: &mut Reading) -> Option<SlipCode> {
    let kind = bits.take(2)?;
    let pool_size = if bits.flag()? { 70 } else { 80 };
    let language = if bits.flag()? {
        SlipLanguage::English
    } else {
        SlipLanguage::French
    };
    let version = SlipVersion {
        pool_size,
        language,
        rules: bits.number()?,
        mark: bits.take(MARK_BITS)?,
    };
    let content = match kind {
        0 => SlipContent::Blank {
            game: u8::try_from(bits.number()?).ok()?,
        },
        1 => SlipContent::Express {
            game: u8::try_from(bits.number()?).ok()?,
            spots: bits.seven()?,
            wager: bits.money()?,
        },
        2 => {
            let draws = u16::try_from(bits.number()?).ok()?;
            let selections = bits.each(read_selection)?;
            SlipContent::ESlip(ESlip { draws, selections })
        }
        _ => return None,
    };
    Some(SlipCode { version, content })
}

fn read_selection(bits: &mut Reading) -> Option<(u8, SlipSelection)> {
    let number = u8::try_from(bits.take(2)?).ok()?;
    let kind = SelectionType::from_number(number + 1)?;
    let is_quick = bits.flag()?;
    let game = u8::try_from(bits.number()?).ok()?;
    let list = |bits: &mut Reading| bits.each(Reading::seven);
    let pick = if is_quick {
        Pick::Quick {
            spots: bits.seven()?,
        }
    } else if kind.has_ways() {
        Pick::Numbers {
            groups: bits.each(list)?,
            kings: list(bits)?,
        }
    } else {
        Pick::Numbers {
            groups: vec![list(bits)?],
            kings: Vec::new(),
        }
    };
    let wager = if bits.flag()? {
        Some(bits.money()?)
    } else {
        None
    };
    let conditioning = bits.each(|bits| {
        let ways = if bits.flag()? {
            Some(bits.number()?)
        } else {
            None
        };
        Some(ConditioningAsked {
            ways,
            spots: bits.seven()?,
            wager: bits.money()?,
        })
    })?;
    let selection = SlipSelection {
        game: String::new(),
        kind,
        pick,
        conditioning,
        wager,
    };
    Some((game, selection))
}
