//! The draw room: sets of balls, which of them chance chose, and whether the room is open
//! (`RULES.md`, "The draw room").

use std::collections::BTreeMap;

use keno_log::Hash;
use keno_log::event::{BallSetMeasured, BallSetsOffered, DrawRoomEnded, DrawRoomOpened};
use keno_log::hash::sha256;

/// Where the set is named in the derivation of a choice.
const CHOICE: &str = "boulier/ball-set/v1";

/// A set of balls in the register, as its last measuring says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetOfBalls {
    /// Mass of each ball in milligrams, from ball 1.
    pub masses_mg: Vec<u32>,
    /// Every ball passed the gauge.
    pub passed: bool,
    /// The least that a ball may have.
    pub least_mg: u32,
    /// The most that a ball may have.
    pub most_mg: u32,
    /// Scale and gauge, in words.
    pub instruments: String,
    /// Good for so many starts of a draw.
    pub most_draws: u32,
    /// Draws that were started with it since.
    pub starts: u32,
    /// Good until then.
    pub good_until_ms: i64,
    /// When it was measured.
    pub measured_at_ms: i64,
    /// It was chosen and not used.
    pub set_aside: bool,
}

/// Why a set may not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// A ball does not pass the gauge, or has a mass out of bounds.
    Unfit,
    /// It was started as often as it is good for.
    UsedUp,
    /// It was measured too long ago.
    Outdated,
    /// It was chosen, and not used; it is measured before it is offered again.
    SetAside,
}

impl SetOfBalls {
    /// Why it may not be used at a moment; none when it may.
    pub fn unusable(&self, now_ms: i64) -> Option<Unusable> {
        let mut masses = self.masses_mg.iter();
        let is_even = masses.all(|mass| (self.least_mg..=self.most_mg).contains(mass));
        match () {
            () if !self.passed || !is_even || self.masses_mg.is_empty() => Some(Unusable::Unfit),
            () if self.starts >= self.most_draws => Some(Unusable::UsedUp),
            () if now_ms > self.good_until_ms => Some(Unusable::Outdated),
            () if self.set_aside => Some(Unusable::SetAside),
            () => None,
        }
    }
}

/// A choice among sets by the secrets of a draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetChoice {
    /// The sets, ascending.
    pub sets: Vec<String>,
    /// The draw.
    pub draw: u64,
    /// What it chose, once its secrets are known.
    pub chosen: Option<String>,
}

/// The room while it is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenRoom {
    /// The set in the machine.
    pub set: String,
    /// Since when.
    pub since_ms: i64,
    /// Who answers for it: the two who opened it, or between whom it passed.
    pub people: Vec<String>,
}

/// Sets of balls, and the room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawRoom {
    /// The register, by name.
    pub sets: BTreeMap<String, SetOfBalls>,
    /// A choice that stands.
    pub choice: Option<SetChoice>,
    /// The room, while it is open.
    pub open: Option<OpenRoom>,
}

/// The set that the secrets of a draw choose among some; none among none.
pub fn chosen_set(house: &str, draw: u64, secrets: &[Hash], sets: &[String]) -> Option<String> {
    let mut text = format!("{CHOICE}\n{house}\n{draw}\n");
    for secret in secrets {
        text.extend(secret.iter().map(|byte| format!("{byte:02x}")));
        text.push('\n');
    }
    for set in sets {
        text.push_str(set);
        text.push('\n');
    }
    let [a, b, c, d, e, f, g, h, ..] = sha256(text.as_bytes());
    let number = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
    let place = number.checked_rem(u64::try_from(sets.len()).ok()?)?;
    sets.get(usize::try_from(place).ok()?).cloned()
}

impl DrawRoom {
    /// The sets that may be used at a moment, ascending. `aside` is the one that would be set aside.
    pub fn usable(&self, now_ms: i64, aside: Option<&str>) -> Vec<String> {
        let sets = self.sets.iter();
        sets.filter(|(name, set)| set.unusable(now_ms).is_none() && Some(name.as_str()) != aside)
            .map(|(name, _)| name.clone())
            .collect()
    }

    /// Whether a draw of balls of such a pool may begin: the register has not begun, or the room is
    /// open with a set that may be used.
    pub fn is_ready(&self, pool_size: u8, now_ms: i64) -> bool {
        self.sets.is_empty()
            || self.set_in_use().is_some_and(|set| {
                set.masses_mg.len() == usize::from(pool_size) && set.unusable(now_ms).is_none()
            })
    }

    /// The set in the machine.
    pub fn set_in_use(&self) -> Option<&SetOfBalls> {
        self.sets.get(&self.open.as_ref()?.set)
    }

    pub(super) fn measure(&mut self, body: &BallSetMeasured, at_ms: i64) {
        let set = SetOfBalls {
            masses_mg: body.masses_mg.clone(),
            passed: body.gauge == 1,
            least_mg: body.least_mg,
            most_mg: body.most_mg,
            instruments: body.instruments.clone(),
            most_draws: body.most_draws,
            starts: 0,
            good_until_ms: body.good_until_ms,
            measured_at_ms: at_ms,
            set_aside: false,
        };
        self.sets.insert(body.set.clone(), set);
    }

    pub(super) fn offer(&mut self, body: &BallSetsOffered) {
        let passed_over = self.choice.take().and_then(|choice| choice.chosen);
        if let Some(set) = passed_over.and_then(|name| self.sets.get_mut(&name)) {
            set.set_aside = true;
        }
        self.choice = Some(SetChoice {
            sets: body.sets.clone(),
            draw: body.draw,
            chosen: None,
        });
    }

    pub(super) fn open(&mut self, body: &DrawRoomOpened, at_ms: i64) {
        self.choice = None;
        self.open = Some(OpenRoom {
            set: body.set.clone(),
            since_ms: at_ms,
            people: vec![body.by.clone(), body.second.clone()],
        });
    }

    pub(super) fn end(&mut self, body: &DrawRoomEnded) {
        match &mut self.open {
            Some(open) if body.goes_on == 1 => {
                open.people = vec![body.by.clone(), body.second.clone()];
            }
            open => *open = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> SetOfBalls {
        SetOfBalls {
            masses_mg: vec![2_700; 80],
            passed: true,
            least_mg: 2_670,
            most_mg: 2_770,
            instruments: "scale 1".to_owned(),
            most_draws: 3,
            starts: 0,
            good_until_ms: 1_000,
            measured_at_ms: 0,
            set_aside: false,
        }
    }

    #[test]
    fn a_set_is_usable_until_something_speaks_against_it() {
        assert_eq!(set().unusable(1_000), None);
        type Change = fn(&mut SetOfBalls);
        let changes: [(Unusable, Change); 6] = [
            (Unusable::Unfit, |set| set.passed = false),
            (Unusable::Unfit, |set| set.masses_mg[79] = 2_669),
            (Unusable::Unfit, |set| set.masses_mg[0] = 2_771),
            (Unusable::Unfit, |set| set.masses_mg.clear()),
            (Unusable::UsedUp, |set| set.starts = 3),
            (Unusable::SetAside, |set| set.set_aside = true),
        ];
        for (reason, change) in changes {
            let mut changed = set();
            change(&mut changed);
            assert_eq!(changed.unusable(1_000), Some(reason));
        }
        assert_eq!(set().unusable(1_001), Some(Unusable::Outdated));
    }

    #[test]
    fn every_set_is_chosen_about_as_often() {
        let sets: Vec<String> = ["A", "B", "C"].map(str::to_owned).to_vec();
        let mut counts = BTreeMap::new();
        for draw in 1..=3_000 {
            let set = chosen_set("H", draw, &[[7; 32]], &sets).unwrap();
            *counts.entry(set).or_insert(0) += 1;
        }
        // 1,000 each is expected, with a deviation of 26.
        assert!(
            counts.values().all(|count| (870..1_130).contains(count)),
            "{counts:?}"
        );
        assert_eq!(chosen_set("H", 1, &[[7; 32]], &[]), None);
    }

    #[test]
    fn a_room_is_ready_with_a_set_that_may_be_used() {
        let mut room = DrawRoom::default();
        assert!(room.is_ready(80, 0), "a house without a register draws on");
        room.sets.insert("A".to_owned(), set());
        assert!(!room.is_ready(80, 0));
        room.open = Some(OpenRoom {
            set: "A".to_owned(),
            since_ms: 0,
            people: Vec::new(),
        });
        assert!(room.is_ready(80, 1_000));
        assert!(!room.is_ready(70, 1_000) && !room.is_ready(80, 1_001));
    }
}
