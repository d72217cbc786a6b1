//! Which sold tickets what is legible of a paper leaves.

use keno_game::ControlNumber;
use keno_log::event::DamagedReading;
use keno_record::fault::Fault;
use keno_record::store::damaged;
use keno_record::ticket::Ticket;

use crate::central::Central;
use crate::counter::paper::Paper;
use crate::refusal::Refusal;

/// Digits of a control number.
pub const SIGNS: usize = 16;

/// Illegible digits that are tried out where no draw is legible.
const UNKNOWN_MOST: usize = 4;

/// Tickets that are read at a time.
const ROWS: i64 = 2_000;

/// What stands for two tickets or more.
const SEVERAL: u8 = 2;

/// What is legible of a paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragment {
    /// The control number, a digit or nothing at each of its places.
    digits: [Option<u8>; SIGNS],
    /// The rest.
    pub reading: DamagedReading,
}

impl Fragment {
    /// Reads a number of 16 signs, `?` where nothing is legible; blanks are let be.
    ///
    /// # Errors
    /// [`Refusal::CodeUnreadable`] for other signs or another length.
    pub fn new(number: &str, reading: DamagedReading) -> Result<Self, Refusal> {
        let signs = number.chars().filter(|one| !one.is_whitespace());
        let read: Vec<Option<u8>> = signs
            .map(|one| match one {
                '?' => Ok(None),
                _ => one
                    .to_digit(10)
                    .and_then(|digit| u8::try_from(digit).ok())
                    .map(Some)
                    .ok_or(Refusal::CodeUnreadable),
            })
            .collect::<Result<_, _>>()?;
        let digits = read.try_into().map_err(|_| Refusal::CodeUnreadable)?;
        Ok(Self { digits, reading })
    }

    /// How many digits are legible.
    pub fn digits(&self) -> u8 {
        let count = self.digits.iter().flatten().count();
        u8::try_from(count).unwrap_or(u8::MAX)
    }

    /// The 16 signs, `?` where nothing is legible.
    pub(super) fn text(&self) -> String {
        let signs = self.digits.iter().map(|digit| match digit {
            Some(digit) => char::from(digit + b'0'),
            None => '?',
        });
        signs.collect()
    }

    fn matches(&self, number: &ControlNumber) -> bool {
        let text = number.digits();
        let mut places = self.digits.iter().zip(text.bytes());
        places.all(|(wanted, sign)| wanted.is_none_or(|digit| digit + b'0' == sign))
    }

    /// Every control number whose check digits agree, where few enough digits are illegible.
    fn numbers(&self) -> Option<Vec<ControlNumber>> {
        let unknown = self.digits.iter().filter(|digit| digit.is_none()).count();
        if unknown > UNKNOWN_MOST {
            return None;
        }
        let power = u32::try_from(unknown).ok()?;
        let numbers = (0..10_u32.pow(power)).filter_map(|filled| {
            let mut left = filled;
            let text: String = self
                .digits
                .iter()
                .map(|digit| {
                    let digit = digit.map_or_else(
                        || {
                            let next = left % 10;
                            left /= 10;
                            next
                        },
                        u32::from,
                    );
                    char::from_digit(digit, 10).unwrap_or('0')
                })
                .collect();
            ControlNumber::parse(&text).ok()
        });
        Some(numbers.collect())
    }
}

/// Whether a reading says all that a paper says beside its number.
pub(super) fn is_whole(reading: &DamagedReading) -> bool {
    reading.first_draw.is_some()
        && reading.last_draw.is_some()
        && reading.total_cents.is_some()
        && reading.sold_at.is_some()
        && !reading.numbers.is_empty()
}

/// Whether what is legible is the ticket's: draws, price, terminal, and all numbers of one of
/// its selections.
pub(super) fn agrees(reading: &DamagedReading, ticket: &Ticket) -> bool {
    fn is<T: PartialEq>(said: Option<T>, of_ticket: T) -> bool {
        said.is_none_or(|said| said == of_ticket)
    }
    let facts = is(reading.first_draw, ticket.first_draw)
        && is(reading.last_draw, ticket.last_draw)
        && is(reading.total_cents, ticket.sale.total_cents)
        && is(reading.sold_at, ticket.device);
    if !facts || reading.numbers.is_empty() {
        return facts;
    }
    let mut wanted = reading.numbers.clone();
    wanted.sort_unstable();
    ticket.sale.selections.iter().any(|selection| {
        let groups = selection.groups.iter().flatten();
        let mut played: Vec<u8> = groups.chain(&selection.kings).copied().collect();
        played.sort_unstable();
        played == wanted
    })
}

/// How many sold tickets what is legible leaves (what is above 2 is 2), and the one that it
/// leaves. Too little to look for leaves several, and so does a ticket whose leaves do not hold: it
/// may be the one.
///
/// # Errors
/// A fault.
pub(super) fn tickets_that_fit(
    central: &Central,
    fragment: &Fragment,
) -> Result<(u8, Option<Ticket>), Fault> {
    let mut found: Option<Ticket> = None;
    // False once there are several.
    let mut add = |looked: Result<Option<Ticket>, Fault>| match looked {
        Ok(Some(ticket)) if agrees(&fragment.reading, &ticket) => match found {
            Some(_) => Ok(false),
            None => {
                found = Some(ticket);
                Ok(true)
            }
        },
        Ok(_) => Ok(true),
        Err(Fault::Record(_)) => Ok(false),
        Err(fault) => Err(fault),
    };
    if let Some(numbers) = fragment.numbers() {
        for number in numbers {
            if !add(Paper::number_alone(number).find(central))? {
                return Ok((SEVERAL, None));
            }
        }
    } else {
        let Some(first_draw) = fragment.reading.first_draw else {
            return Ok((SEVERAL, None));
        };
        let mut next = 0;
        loop {
            let mut reader = central.readers.get()?;
            let sold = damaged::tickets_from(&mut reader, first_draw, next, ROWS)?;
            let Some(last) = sold.last() else {
                break;
            };
            next = last + 1;
            for number in sold {
                if fragment.matches(&Paper::control_number(central, number))
                    && !add(Ticket::read(&mut reader, number))?
                {
                    return Ok((SEVERAL, None));
                }
            }
        }
    }
    Ok(found.map_or((0, None), |ticket| (1, Some(ticket))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing() -> DamagedReading {
        DamagedReading {
            first_draw: None,
            last_draw: None,
            total_cents: None,
            sold_at: None,
            numbers: Vec::new(),
        }
    }

    #[test]
    fn a_fragment_is_sixteen_signs_of_digits_and_question_marks() {
        let fragment = Fragment::new("0731 5528 9014 66??", nothing()).unwrap();
        assert_eq!(fragment.digits(), 14);
        let whole = ControlNumber::parse("0731552890146663").unwrap();
        assert!(fragment.matches(&whole));
        assert!(fragment.numbers().unwrap().contains(&whole));
        assert!(
            !Fragment::new("1731552890146???", nothing())
                .unwrap()
                .matches(&whole)
        );
        for wrong in [
            "",
            "073155289014666",
            "07315528901466631",
            "073155289014666x",
        ] {
            assert_eq!(
                Fragment::new(wrong, nothing()),
                Err(Refusal::CodeUnreadable),
                "{wrong}"
            );
        }
        let hardly = Fragment::new("0731????????????", nothing()).unwrap();
        assert!(hardly.numbers().is_none());
    }
}
