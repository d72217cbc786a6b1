//! The draw room: sets of balls, which of them is used, and draws that are held later (`RULES.md`,
//! "The draw room").

use std::collections::BTreeMap;

use keno_log::Hash;
use keno_log::event::{
    BallSetMeasured, BallSetsOffered, DrawPostponed, DrawRoomEnded, DrawRoomOpened, IncidentLogged,
};
use keno_log::hash::sha256;

use super::Replay;
use super::account::DrawState;
use super::draws::{BALLS, COMPUTER};

/// First line of what a choice follows from.
const TAG: &str = "boulier/ball-set/v1";
/// The gauge let every ball through.
const PASSED: u8 = 1;
/// It did not.
const NOT_PASSED: u8 = 2;
/// Most masses that are put down: they are counted in one byte.
const MASSES_MAX: usize = 255;
/// The room's day is over.
const OVER: u8 = 0;
/// The room passes to other people.
const GOES_ON: u8 = 1;
/// How much later than now, and than its sales were to close, a draw is held at most: a day.
const POSTPONED_MAX_MS: i128 = 86_400_000;

/// A set of balls as it was measured last.
#[derive(Debug)]
struct BallSet {
    /// How many there are.
    balls: usize,
    /// Whether each passed the gauge and is neither too light nor too heavy.
    is_sound: bool,
    most_draws: u32,
    good_until_ms: i64,
    /// Starts of a draw since then.
    starts: u32,
    /// It was chosen, and not used.
    is_set_aside: bool,
}

impl BallSet {
    fn is_usable(&self, at_ms: i64) -> bool {
        self.is_sound
            && !self.is_set_aside
            && self.starts < self.most_draws
            && at_ms <= self.good_until_ms
    }
}

/// Sets from which the secrets of a draw choose one.
#[derive(Debug)]
struct Choice {
    sets: Vec<String>,
    draw: u64,
    /// The one that was chosen, once the secrets are known.
    chosen: Option<String>,
}

/// The draw room, as far as the log was read.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// Every set that was ever measured: by its name, which are in the order of their bytes.
    register: BTreeMap<String, BallSet>,
    /// The choice that stands.
    choice: Option<Choice>,
    /// The set in the machine, while the room is open.
    open_with: Option<String>,
}

impl Room {
    /// The set of a name, if it can be used now.
    fn usable(&self, set: &str, at_ms: i64) -> Option<&BallSet> {
        self.register.get(set).filter(|set| set.is_usable(at_ms))
    }

    /// Whether these are all sets that can be used now, in their order, and at least one.
    fn are_all_usable(&self, sets: &[String], at_ms: i64) -> bool {
        let register = self.register.iter();
        let usable = register.filter(|(_, set)| set.is_usable(at_ms));
        !sets.is_empty() && usable.map(|(name, _)| name).eq(sets)
    }

    /// A set that was chosen and is not used cannot be chosen again before it is measured anew:
    /// otherwise whoever does not like it has another chosen until it suits.
    fn set_aside(&mut self, set: &str) {
        if let Some(set) = self.register.get_mut(set) {
            set.is_set_aside = true;
        }
    }
}

/// The place of the set that the secrets of a draw (in holder order) choose; none among none.
fn place_chosen(house: &str, draw: u64, secrets: &[Hash], sets: &[String]) -> Option<usize> {
    let head = [TAG.to_owned(), house.to_owned(), draw.to_string()];
    let secrets = secrets.iter().map(hex::encode);
    let lines = head.into_iter().chain(secrets).chain(sets.iter().cloned());
    let text: String = lines.map(|line| line + "\n").collect();
    let number = sha256(text.as_bytes());
    let number = number
        .first_chunk()
        .map_or(0, |first| u64::from_be_bytes(*first));
    let place = number.checked_rem(u64::try_from(sets.len()).ok()?)?;
    usize::try_from(place).ok()
}

impl Replay {
    pub(super) fn ball_set_measured(&mut self, body: &BallSetMeasured) {
        let is_right = !body.set.is_empty()
            && !body.set.chars().any(|one| one < ' ')
            && (1..=MASSES_MAX).contains(&body.masses_mg.len())
            && matches!(body.gauge, PASSED | NOT_PASSED)
            && body.least_mg <= body.most_mg
            && body.good_until_ms > self.now.at_ms;
        must!(self, is_right => MeasureWrong, "{:?}", body.set);
        let mut masses = body.masses_mg.iter();
        let measured = BallSet {
            balls: body.masses_mg.len(),
            is_sound: body.gauge == PASSED
                && masses.all(|mass| (body.least_mg..=body.most_mg).contains(mass)),
            most_draws: body.most_draws,
            good_until_ms: body.good_until_ms,
            starts: 0,
            is_set_aside: false,
        };
        self.room.register.insert(body.set.clone(), measured);
    }

    pub(super) fn ball_sets_offered(&mut self, body: &BallSetsOffered) {
        let at_ms = self.now.at_ms;
        let draw = self.draws.get(&body.draw);
        let is_secret = body.draw >= self.epoch_numbers().0
            && draw.is_some_and(|draw| {
                draw.state == DrawState::Open && draw.source == COMPUTER && draw.is_committed()
            });
        let last = self.room.choice.take();
        let is_again = last.is_some();
        let may_begin = last
            .as_ref()
            .is_none_or(|last| last.chosen.is_some() || self.is_lost(last.draw));
        if let Some(set) = last.and_then(|last| last.chosen) {
            self.room.set_aside(&set);
        }
        let is_right = self.room.open_with.is_none()
            && self.room.are_all_usable(&body.sets, at_ms)
            && is_secret
            && body.reason.is_empty() != is_again
            && may_begin;
        self.room.choice = Some(Choice {
            sets: body.sets.clone(),
            draw: body.draw,
            chosen: None,
        });
        must!(self, is_right => OfferWrong,
            "{} sets, draw {}", body.sets.len(), body.draw);
    }

    /// Whether nobody need reveal the secrets of a draw any more.
    fn is_lost(&self, draw: u64) -> bool {
        let known = self.draws.get(&draw);
        known.is_some_and(|it| it.state == DrawState::Void || draw < self.epoch_numbers().0)
    }

    /// The secrets of a draw, which are those that were committed to, choose among the sets that
    /// were offered.
    pub(super) fn choose_set(&mut self, house: &str, draw: u64, secrets: &[Hash]) {
        let choice = self.room.choice.as_mut();
        if let Some(choice) = choice.filter(|choice| choice.draw == draw) {
            let place = place_chosen(house, draw, secrets, &choice.sets);
            choice.chosen = place.and_then(|at| choice.sets.get(at)).cloned();
        }
    }

    pub(super) fn draw_room_opened(&mut self, body: &DrawRoomOpened) {
        let room = &mut self.room;
        let is_closed = room.open_with.is_none();
        let is_chosen = room.choice.take().is_some_and(|choice| {
            choice.chosen.as_ref() == Some(&body.set) && choice.draw == body.draw
        });
        let usable = room.usable(&body.set, self.now.at_ms);
        let is_whole = usable.is_some_and(|set| set.balls == usize::from(body.counted));
        room.open_with = Some(body.set.clone());
        must!(self, is_closed && is_chosen && is_whole => RoomOpenedWrong,
            "{:?}, draw {}, {} balls", body.set, body.draw, body.counted);
    }

    pub(super) fn draw_room_ended(&mut self, body: &DrawRoomEnded) {
        let is_open = self.room.open_with.is_some();
        let is_right = match body.goes_on {
            OVER => !self.is_drawing_balls(),
            GOES_ON => true,
            _ => false,
        };
        if body.goes_on != GOES_ON {
            self.room.open_with = None;
        }
        must!(self, is_open && is_right => RoomEndedWrong, "{}", body.goes_on);
    }

    /// Whether a draw of balls of this epoch is closed, and neither official nor void.
    fn is_drawing_balls(&self) -> bool {
        // All up to this one are settled or void.
        let after = self.finished_through.saturating_add(1);
        let from = after.max(self.epoch_numbers().0);
        let mut draws = self.draws.range(from..).map(|(_, draw)| draw);
        draws.any(|draw| {
            draw.source == BALLS
                && matches!(
                    draw.state,
                    DrawState::Closed
                        | DrawState::Drawing
                        | DrawState::Drawn
                        | DrawState::Suspended
                )
        })
    }

    /// A draw of balls is started in an open room, with a set that can be used; that counts for the
    /// set.
    pub(super) fn judge_room(&mut self, number: u64) {
        let (at_ms, room) = (self.now.at_ms, &mut self.room);
        let draw = self.draws.get(&number).filter(|draw| draw.source == BALLS);
        let Some(draw) = draw.filter(|_| !room.register.is_empty()) else {
            return;
        };
        let set = room.open_with.as_ref();
        let mut set = set.and_then(|set| room.register.get_mut(set));
        let is_ready = set
            .as_ref()
            .is_some_and(|set| set.is_usable(at_ms) && set.balls == usize::from(draw.pool_size));
        if let Some(set) = &mut set {
            set.starts = set.starts.saturating_add(1);
        }
        let started_with = set.and_then(|_| room.open_with.clone());
        if let Some(draw) = self.draws.get_mut(&number) {
            draw.started_with = started_with;
        }
        must!(self, is_ready => RoomNotReady, "draw {number}");
    }

    pub(super) fn draw_postponed(&mut self, body: &DrawPostponed) {
        let at_ms = self.now.at_ms;
        let Some(draw) = self.step(body.draw, &[DrawState::Closed], DrawState::Closed) else {
            return;
        };
        let is_later = body.draws_at_ms > draw.postponed_to_ms.unwrap_or(draw.draws_at_ms);
        draw.postponed_to_ms = Some(body.draws_at_ms);
        let from_ms = i128::from(at_ms.min(draw.closes_at_ms));
        let ahead_ms = i128::from(body.draws_at_ms) - from_ms;
        must!(self, is_later && ahead_ms <= POSTPONED_MAX_MS => PostponedWrong,
            "draw {}, {}", body.draw, body.draws_at_ms);
    }

    pub(super) fn incident_logged(&mut self, body: &IncidentLogged) {
        if let Some(draw) = body.draw {
            must!(self, self.draws.contains_key(&draw) => DrawUnknown, "draw {draw}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out once by another program from `RULES.md`.
    #[test]
    fn the_secrets_choose_the_set_that_the_document_says() {
        let sets: Vec<String> = (1..98).map(|set| format!("jeu {set:02}")).collect();
        let secrets = [[0x1a; 32], [0xf2; 32]];
        let place = |draw| place_chosen("essai", draw, &secrets, &sets);
        let places = [0, 7, 10, u64::MAX].map(place);
        assert_eq!(places, [Some(63), Some(53), Some(55), Some(65)]);
        let turned = [secrets[1], secrets[0]];
        assert_eq!(place_chosen("essai", 7, &turned, &sets), Some(58));
        assert_eq!(place_chosen("essai", 7, &secrets[..1], &sets), Some(22));
        assert_eq!(place_chosen("autre", 7, &secrets, &sets), Some(71));
        assert_eq!(place_chosen("essai", 7, &secrets, &sets[..96]), Some(61));
        assert_eq!(place_chosen("essai", 7, &secrets, &sets[1..]), Some(79));
        assert_eq!(place_chosen("essai", 7, &secrets, &[]), None);
    }
}
