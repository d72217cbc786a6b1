//! A refused slip in a sentence, for a clerk or a patron.

use keno_game::selection::letter;
use keno_game::{Cents, SlipDetail, SlipRefusal, SlipRefusalCode as Code};
use keno_words::slip as words;
use keno_words::{Language, Money, Say};

/// One sentence with its figures, after the selection that it is about; without one it begins with
/// a capital.
#[derive(Debug, Clone, Copy)]
pub struct SlipSentence<'a>(pub &'a SlipRefusal);

impl Say for SlipSentence<'_> {
    fn say(&self, language: Language, to: &mut String) {
        if let Some(index) = self.0.selection {
            let letter = &letter(index.into());
            words::InSelection { letter }.say(language, to);
        }
        let start = to.len();
        body(self.0, &mut |words| words.say(language, to));
        let first = to.get(start..).and_then(|said| said.chars().next());
        if let (None, Some(first)) = (self.0.selection, first) {
            let capital: String = first.to_uppercase().collect();
            to.replace_range(start..start + first.len_utf8(), &capital);
        }
    }
}

fn body(refusal: &SlipRefusal, say: &mut dyn FnMut(&dyn Say)) {
    let (asked, least, most) = match refusal.detail {
        SlipDetail::Count { asked, min, max } => (asked, min, max),
        _ => (0, 0, 0),
    };
    let (asked, least, most) = (&asked, &least, &most);
    let number = match refusal.detail {
        SlipDetail::Number(number) => number,
        _ => 0,
    };
    let number = &number;
    let (way, ways) = (&way_asked(&refusal.detail), &Generated(&refusal.detail));
    match (refusal.code, &refusal.detail) {
        (Code::NoSelections, _) => say(&words::NoSelections),
        (Code::TooManySelections, _) => say(&words::TooManySelections { asked, most }),
        (Code::NoDraws, _) => say(&words::NoDraws),
        (Code::TooManyDraws, _) => say(&words::TooManyDraws { asked, most }),
        (Code::UnknownGame, _) => say(&words::UnknownGame),
        (Code::UnknownType, _) => say(&words::UnknownType),
        (Code::QuickPickNotStraight, _) => say(&words::QuickPickNotStraight),
        (Code::NoNumbers, _) => say(&words::NoNumbers),
        (Code::NumbersNotOfType, SlipDetail::Named) => say(&words::NumbersOfTheRules),
        (Code::NumbersNotOfType, _) => say(&words::NumbersNotOfType),
        (Code::NumberOutOfRange, SlipDetail::NumberOfPool { number, max }) => {
            say(&words::NumberOutOfRange { number, max });
        }
        (Code::NumberOutOfRange, _) => say(&words::NoSuchNumber),
        (Code::NumberRepeated, _) => say(&words::NumberRepeated { number }),
        (Code::TooManyNumbers, _) => say(&words::TooManyNumbers { asked, most }),
        (Code::TooFewNumbers, _) => say(&words::TooFewNumbers { asked, least }),
        (Code::GroupsOverlap, _) => say(&words::GroupsOverlap { number }),
        (Code::WayNotGenerated, _) => say(&words::WayNotGenerated { way, ways }),
        (Code::WayRepeated, _) => say(&words::WayRepeated { number }),
        (Code::NoWaysChosen, _) => say(&words::NoWaysChosen { ways }),
        (Code::WayPaysNothing, SlipDetail::Spots { asked, min, max }) => {
            say(&words::WayPaysNothing { asked, min, max });
        }
        (Code::WayPaysNothing, _) => say(&words::AWayPaysNothing),
        (Code::TooManyWays, _) => say(&words::TooManyWays { asked, most }),
        (Code::WagerMissing, _) => say(&words::WagerMissing),
        (Code::WagerGivenTwice, _) => say(&words::WagerGivenTwice),
        (Code::WagerBelowMinimum | Code::WagerAboveMaximum | Code::WagerOffStep, detail) => {
            wager(detail, say);
        }
        (Code::SameNumbersOverLimit, SlipDetail::Amount { asked, max }) => {
            let (asked, max) = (&money(*asked), &money(*max));
            say(&words::SameNumbersOverLimit { asked, max });
        }
        (Code::SameNumbersOverLimit, _) => say(&words::TooMuchOnSameNumbers),
        (Code::TotalOverflow, _) => say(&words::TotalOverflow),
        (Code::QuickPickFailed, _) => say(&words::QuickPickFailed),
    }
}

/// Which wagers are permitted.
fn wager(detail: &SlipDetail, say: &mut dyn FnMut(&dyn Say)) {
    let SlipDetail::Wager {
        asked,
        min,
        max,
        step,
    } = *detail
    else {
        return say(&words::WagerNotPermitted);
    };
    say(&words::Wager {
        asked: &money(asked),
        min: &money(min),
        max: &money(max),
        step: &money(step),
    });
}

fn money(amount: Cents) -> Money {
    Money(amount.get())
}

/// The way at fault as a clerk writes it: `2/4`, or `?/4`.
fn way_asked(detail: &SlipDetail) -> String {
    match detail {
        SlipDetail::Ways {
            asked_ways: Some(ways),
            asked_spots,
            ..
        } => format!("{ways}/{asked_spots}"),
        SlipDetail::Ways { asked_spots, .. } => format!("?/{asked_spots}"),
        _ => String::new(),
    }
}

/// What the groups generate: `2/4, 1/8`.
struct Generated<'a>(&'a SlipDetail);

impl Say for Generated<'_> {
    fn say(&self, language: Language, to: &mut String) {
        match self.0 {
            SlipDetail::Ways { generated, .. } if !generated.is_empty() => {
                let ways = generated
                    .iter()
                    .map(|(ways, spots)| format!("{ways}/{spots}"));
                to.push_str(&ways.collect::<Vec<_>>().join(", "));
            }
            _ => words::NoWay.say(language, to),
        }
    }
}
