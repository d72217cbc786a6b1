//! Balls that two people enter by hand, each blind of the other, or that the machine reads (s. 75).
//!
//! What one entered is hidden from everybody else until both have: only the balls that count are
//! given out.

use std::fmt;

use keno_log::event::BallRead;

/// One of the two, with what they entered.
#[derive(Clone, PartialEq, Eq)]
pub struct Enterer {
    /// Badge code.
    pub badge: String,
    /// The number at each position; 0 where it is asked for once more.
    pub entries: Vec<u8>,
}

impl fmt::Debug for Enterer {
    /// The numbers are left out: the other must not find them in a line of the process's log.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Enterer")
            .field("badge", &self.badge)
            .field("count", &self.entries.len())
            .finish_non_exhaustive()
    }
}

/// What was entered of a draw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hands {
    /// The two who enter, in the order in which they began.
    pub people: Vec<Enterer>,
    /// The balls that count, in order.
    pub counted: Vec<u8>,
    /// When the last of them came to count, UTC milliseconds; 0 before the first.
    pub counted_at_ms: i64,
    /// What the machine said on its line, where it reads its balls.
    pub line: ReadLine,
}

/// The line of a machine that reads its balls, for one draw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadLine {
    /// The machine, and the set that it names; empty before the first ball.
    pub machine: String,
    /// See `machine`.
    pub ball_set: String,
    /// Incidents so far, each a bit at its number.
    pub incidents: u32,
    /// Whether nothing more is read: two people enter the balls.
    pub has_stopped: bool,
}

/// From this incident on the line of a draw has stopped (`RULES.md`, "Balls").
pub const LINE_STOPS: u8 = 20;

impl ReadLine {
    /// Whether it read a ball.
    pub fn has_read(&self) -> bool {
        !self.machine.is_empty()
    }

    /// Whether an incident is on record.
    pub fn has_had(&self, incident: u8) -> bool {
        self.incidents & bit(incident) != 0
    }

    /// Notes an incident.
    pub fn note(&mut self, incident: u8) {
        self.incidents |= bit(incident);
        self.has_stopped |= incident >= LINE_STOPS;
    }
}

fn bit(incident: u8) -> u32 {
    1_u32.checked_shl(u32::from(incident)).unwrap_or(0)
}

/// The place of a position in a list.
fn place(position: u8) -> Option<usize> {
    usize::from(position).checked_sub(1)
}

/// Where somebody goes on who has entered this much: at a ball that is asked again, else at the
/// next.
pub fn next_position(entries: &[u8]) -> u8 {
    let asked_again = entries.iter().position(|number| *number == 0);
    let before = asked_again.unwrap_or(entries.len());
    u8::try_from(before + 1).unwrap_or(u8::MAX)
}

impl Hands {
    /// Whether a ball was entered or read.
    pub fn has_begun(&self) -> bool {
        !self.people.is_empty() || self.line.has_read()
    }

    /// Notes a ball that the machine read: it counts.
    pub fn read(&mut self, body: &BallRead, at_ms: i64) {
        if usize::from(body.position) != self.counted.len() + 1 {
            return;
        }
        self.line.machine.clone_from(&body.machine);
        self.line.ball_set.clone_from(&body.ball_set);
        self.count(body.position, body.number, at_ms);
    }

    /// Whether the machine may read a ball.
    pub fn may_read(&self) -> bool {
        self.people.is_empty() && !self.line.has_stopped
    }

    /// Whether the machine read every ball of a draw of so many.
    pub fn is_read(&self, drawn: u8) -> bool {
        self.may_read() && self.counted.len() == usize::from(drawn)
    }

    /// What somebody entered so far.
    pub fn entries_of(&self, badge: &str) -> &[u8] {
        let mut people = self.people.iter();
        let found = people.find(|one| one.badge == badge);
        found.map_or(&[], |one| &one.entries)
    }

    /// Notes what somebody says a ball was. Where the two differ, both are asked once more.
    pub fn enter(&mut self, badge: &str, position: u8, number: u8) {
        let Some(at) = place(position) else { return };
        let known = self.people.iter().position(|one| one.badge == badge);
        let mine = known.unwrap_or_else(|| {
            self.people.push(Enterer {
                badge: badge.to_owned(),
                entries: Vec::new(),
            });
            self.people.len() - 1
        });
        let mut differ = number == 0;
        for (index, one) in self.people.iter_mut().enumerate() {
            if index == mine {
                if one.entries.len() <= at {
                    one.entries.resize(at + 1, 0);
                }
                one.entries[at] = number;
            } else if let Some(other) = one.entries.get(at) {
                differ |= *other != 0 && *other != number;
            }
        }
        if differ {
            for one in &mut self.people {
                if let Some(entry) = one.entries.get_mut(at) {
                    *entry = 0;
                }
            }
        }
    }

    /// Puts another person in the place of one who leaves: every ball is to be entered anew.
    pub fn replace(&mut self, leaving: &str, arriving: &str) {
        if let Some(one) = self.people.iter_mut().find(|one| one.badge == leaving) {
            one.badge = arriving.to_owned();
            one.entries.clear();
        }
    }

    /// Notes that a ball counts.
    pub fn count(&mut self, position: u8, number: u8, at_ms: i64) {
        let Some(at) = place(position) else { return };
        match self.counted.get_mut(at) {
            Some(counted) => *counted = number,
            None => self.counted.push(number),
        }
        self.counted_at_ms = at_ms;
    }

    /// The number on which both agree.
    fn agreed(&self, at: usize) -> Option<u8> {
        let [first, second] = self.people.as_slice() else {
            return None;
        };
        let number = first.entries.get(at).filter(|number| **number != 0)?;
        (second.entries.get(at) == Some(number)).then_some(*number)
    }

    /// What is to count from now on, by position: balls in their order, and corrections. None
    /// while a number would stand twice: a ball before it is being asked for once more.
    pub fn due(&self) -> Vec<(u8, u8)> {
        let mut counted = self.counted.clone();
        let mut due = Vec::new();
        for (at, position) in (0..).zip(1_u8..=u8::MAX) {
            match (self.agreed(at), counted.get_mut(at)) {
                (Some(number), Some(before)) if *before != number => {
                    *before = number;
                    due.push((position, number));
                }
                (Some(number), None) => {
                    counted.push(number);
                    due.push((position, number));
                }
                (None, None) => break,
                _ => {}
            }
        }
        let stands_twice = (1..counted.len()).any(|at| counted[..at].contains(&counted[at]));
        if stands_twice {
            due.clear();
        }
        due
    }

    /// Whether nobody interrupts it any more: every ball counts, by what people said.
    pub fn is_final(&self, drawn: u8) -> bool {
        let drawn = usize::from(drawn);
        self.counted.len() == drawn
            && (!self.line.has_read()
                || (0..drawn).all(|at| self.agreed(at) == self.counted.get(at).copied()))
    }

    /// Whether the machine read every ball of a draw of so many, or both have entered each and agree.
    pub fn is_complete(&self, drawn: u8) -> bool {
        if self.is_read(drawn) {
            return true;
        }
        let drawn = usize::from(drawn);
        self.counted.len() == drawn
            && (0..drawn).all(|at| self.agreed(at) == self.counted.get(at).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entered(entries: &[(&str, u8, u8)]) -> Hands {
        let mut hands = Hands::default();
        for (badge, position, number) in entries {
            hands.enter(badge, *position, *number);
            for (position, number) in hands.due() {
                hands.count(position, number, 7);
            }
        }
        hands
    }

    #[test]
    fn a_ball_counts_when_both_say_the_same() {
        let hands = entered(&[("M", 1, 7), ("M", 2, 80), ("V", 1, 7)]);
        assert_eq!(hands.counted, [7]);
        let hands = entered(&[("M", 1, 7), ("M", 2, 80), ("V", 1, 7), ("V", 2, 80)]);
        assert_eq!(hands.counted, [7, 80]);
        assert!(hands.is_complete(2) && !hands.is_complete(3));
    }

    #[test]
    fn a_difference_is_asked_again_of_both() {
        let mut hands = entered(&[("M", 1, 68), ("V", 1, 89), ("M", 2, 5), ("V", 2, 5)]);
        assert!(
            hands.counted.is_empty(),
            "the second ball waits for the first"
        );
        assert_eq!(hands.entries_of("M"), [0, 5]);
        assert_eq!(hands.entries_of("V"), [0, 5]);
        hands.enter("V", 1, 68);
        assert!(hands.due().is_empty());
        hands.enter("M", 1, 68);
        assert_eq!(hands.due(), [(1, 68), (2, 5)]);
    }

    #[test]
    fn a_correction_is_of_both_and_changes_one_ball() {
        let mut hands = entered(&[("M", 1, 6), ("V", 1, 6), ("M", 2, 9), ("V", 2, 9)]);
        // Two balls that were mixed up: neither correction counts before the other.
        for (badge, position, number) in [("M", 1, 0), ("M", 2, 0), ("M", 1, 9), ("V", 1, 9)] {
            hands.enter(badge, position, number);
            assert!(hands.due().is_empty());
        }
        hands.enter("V", 2, 6);
        hands.enter("M", 2, 6);
        assert_eq!(hands.due(), [(1, 9), (2, 6)]);
    }

    #[test]
    fn whoever_replaces_enters_every_ball() {
        let mut hands = entered(&[("M", 1, 6), ("V", 1, 6)]);
        hands.replace("V", "W");
        assert_eq!(hands.counted, [6]);
        assert!(!hands.is_complete(1));
        hands.enter("W", 1, 6);
        assert!(hands.due().is_empty() && hands.is_complete(1));
    }
}
