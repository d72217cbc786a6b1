//! Balls that two people enter or the machine reads, and draws of them that are interrupted
//! (`RULES.md`, "Balls").

use keno_log::event::{
    BallDrawn, BallEntered, BallRead, BallsRecorded, ComputerStoodIn, EntererReplaced,
    LineIncident, TubesAttested,
};

use super::Replay;
use super::account::{Attested, DrawState, Hands};
use super::draws::{BALLS, COMPUTER};

/// From this incident on the line has stopped.
const STOPS: u8 = 20;
/// Two people find that the draw cannot go on, and interrupt it.
const UNFINISHED: u8 = 5;

impl Hands {
    /// What somebody has entered, if they are one of the two.
    fn list(&self, badge: &str) -> Option<&Vec<u8>> {
        let mut people = self.people.iter();
        people.find(|(one, _)| one == badge).map(|(_, list)| list)
    }

    /// The number that both have at a place, from 0; none where one has none, or they differ.
    fn alike(&self, place: usize) -> Option<u8> {
        match self.people.as_slice() {
            [(_, one), (_, other)] => {
                let number = *one.get(place)?;
                (number != 0 && other.get(place) == Some(&number)).then_some(number)
            }
            _ => None,
        }
    }

    /// Puts a number into the list of one of the two. One that differs from the other's, or is 0,
    /// leaves both without.
    fn put(&mut self, badge: &str, place: usize, number: u8) {
        if self.list(badge).is_none() {
            self.people.push((badge.to_owned(), Vec::new()));
        }
        let mut is_asked_again = number == 0;
        for (one, list) in &mut self.people {
            if one == badge {
                if list.len() == place {
                    list.push(0);
                }
                if let Some(slot) = list.get_mut(place) {
                    *slot = number;
                }
            } else {
                let other = list.get(place).copied().unwrap_or(0);
                is_asked_again |= other != 0 && other != number;
            }
        }
        if is_asked_again {
            for (_, list) in &mut self.people {
                if let Some(slot) = list.get_mut(place) {
                    *slot = 0;
                }
            }
        }
    }

    /// Whether every ball of a draw of so many counts and, where one was read, both entered each.
    fn is_final(&self, drawn: u8) -> bool {
        let is_entered = || {
            let counted = self.counted.iter().enumerate();
            counted
                .into_iter()
                .all(|(at, ball)| self.alike(at) == Some(*ball))
        };
        self.counted.len() == usize::from(drawn) && (self.read.is_none() || is_entered())
    }

    /// Whether these are the balls that count, and both have entered each of them, or the machine has
    /// read them all.
    fn has_all(&self, balls: &[u8], drawn: u8) -> bool {
        let are_entered = || (0..balls.len()).all(|at| self.alike(at) == Some(balls[at]));
        let are_read = self.people.is_empty() && !self.has_stopped;
        let is_whole = self.counted.len() == usize::from(drawn);
        self.counted == balls && is_whole && (are_read || are_entered())
    }
}

impl Replay {
    /// What was entered of a draw, taken out to be judged; none while the step is out of order.
    fn hands_of(&mut self, draw: u64, state: DrawState) -> Option<Hands> {
        let draw = self.step(draw, &[state], state)?;
        Some(std::mem::take(&mut draw.hands))
    }

    fn put_hands(&mut self, draw: u64, hands: Hands) {
        if let Some(draw) = self.draws.get_mut(&draw) {
            draw.hands = hands;
        }
    }

    pub(super) fn ball_entered(&mut self, body: &BallEntered) {
        let Some(mut hands) = self.hands_of(body.draw, DrawState::Drawing) else {
            return;
        };
        let draw = self.draws.get(&body.draw);
        let (pool, drawn, source) =
            draw.map_or((0, 0, 0), |it| (it.pool_size, it.drawn, it.source));
        let list = hands.list(&body.by).cloned();
        let is_known = list.is_some();
        let list = list.unwrap_or_default();
        let beyond = usize::from(body.number != 0);
        let most = (list.len() + beyond).min(usize::from(drawn));
        let is_in_turn = (1..=most).contains(&usize::from(body.position));
        let place = usize::from(body.position).saturating_sub(1);
        let mut others = list.iter().enumerate();
        let is_new = body.number == 0 || !others.any(|(at, it)| at != place && *it == body.number);
        let mut enterers = hands.people.iter();
        let has_place = is_known
            || (hands.people.len() < 2
                && !enterers.any(|(one, _)| self.staff.is_one_human(one, &body.by)));
        let sold = self.has_sold(body.draw, &[&body.by]);
        let reads = hands.read.is_some() && !hands.has_stopped;
        let may_enter = source == BALLS && has_place && !sold && !reads;
        let is_right = may_enter && is_in_turn && is_new && body.number <= pool;
        must!(self, is_right => BallEntryWrong, "ball {} by {:?}", body.position, body.by);
        if is_in_turn && has_place {
            hands.put(&body.by, place, body.number);
        }
        self.put_hands(body.draw, hands);
    }

    pub(super) fn ball_drawn(&mut self, body: &BallDrawn) {
        let Some(mut hands) = self.hands_of(body.draw, DrawState::Drawing) else {
            return;
        };
        let place = usize::from(body.position).wrapping_sub(1);
        let are_they = match hands.people.as_slice() {
            [(one, _), (other, _)] => *one == body.by && *other == body.second,
            _ => false,
        };
        let is_next = place <= hands.counted.len();
        let is_right = are_they && is_next && hands.alike(place) == Some(body.number);
        must!(self, is_right => BallDrawnWrong, "ball {}, {}", body.position, body.number);
        match hands.counted.get_mut(place) {
            Some(counted) => *counted = body.number,
            None if is_next => hands.counted.push(body.number),
            None => {}
        }
        self.put_hands(body.draw, hands);
    }

    pub(super) fn ball_read(&mut self, body: &BallRead) {
        let Some(mut hands) = self.hands_of(body.draw, DrawState::Drawing) else {
            return;
        };
        let draw = self.draws.get(&body.draw);
        let (pool, drawn, source) =
            draw.map_or((0, 0, 0), |it| (it.pool_size, it.drawn, it.source));
        let is_next = hands.counted.len() + 1 == usize::from(body.position);
        let is_ball = (1..=pool).contains(&body.number) && !hands.counted.contains(&body.number);
        let may_read = source == BALLS && hands.people.is_empty() && !hands.has_stopped;
        let before = hands.read.as_ref();
        let is_as_before =
            |(machine, set): &(String, String)| (machine, set) == (&body.machine, &body.ball_set);
        let is_same = before.is_none_or(is_as_before) && !hands.is_mixed;
        let started_with = draw.and_then(|draw| draw.started_with.as_ref());
        let is_set = started_with.is_none_or(|set| *set == body.ball_set);
        let is_named = !body.machine.is_empty() && is_same && is_set;
        let is_right = may_read && is_next && body.position <= drawn && is_ball && is_named;
        must!(self, is_right => BallReadWrong, "ball {}, {}", body.position, body.number);
        if is_next {
            hands.counted.push(body.number);
            hands.is_mixed |= !is_same;
            let read = (body.machine.clone(), body.ball_set.clone());
            hands.read.get_or_insert(read);
        }
        self.put_hands(body.draw, hands);
    }

    pub(super) fn line_incident(&mut self, body: &LineIncident) {
        let Some(mut hands) = self.hands_of(body.draw, DrawState::Drawing) else {
            return;
        };
        let draw = self.draws.get(&body.draw);
        let is_of_balls = draw.is_some_and(|draw| draw.source == BALLS);
        let is_known = matches!(body.incident, 1..=8 | STOPS..=28);
        let is_new = !hands.has_stopped && !hands.incidents.contains(&body.incident);
        let counts = hands.counted.len() == usize::from(body.counted);
        let is_right = is_of_balls && is_known && is_new && counts;
        must!(self, is_right => LineIncidentWrong, "draw {}, incident {}", body.draw, body.incident);
        hands.incidents.push(body.incident);
        hands.has_stopped |= body.incident >= STOPS;
        self.put_hands(body.draw, hands);
    }

    pub(super) fn enterer_replaced(&mut self, body: &EntererReplaced) {
        let Some(mut hands) = self.hands_of(body.draw, DrawState::Drawing) else {
            return;
        };
        let is_one = |one: &str, other: &str| self.staff.is_one_human(one, other);
        let mut enterers = hands.people.iter();
        let is_another = !enterers.any(|(one, _)| is_one(one, &body.arriving))
            && !is_one(&body.leaving, &body.second);
        let sold = self.has_sold(body.draw, &[&body.arriving]);
        let mut enterers = hands.people.iter_mut();
        let leaving = enterers.find(|(one, _)| *one == body.leaving);
        let is_right = leaving.is_some() && is_another && !sold;
        if let Some(place) = leaving {
            *place = (body.arriving.clone(), Vec::new());
        }
        must!(self, is_right => EntererWrong, "{:?} for {:?}", body.arriving, body.leaving);
        self.put_hands(body.draw, hands);
    }

    pub(super) fn tubes_attested(&mut self, body: &TubesAttested) {
        let entry = self.now.entry;
        let state = self
            .draws
            .get(&body.draw)
            .map_or(DrawState::Suspended, |draw| draw.state);
        let from: &[DrawState] = match body.finding {
            UNFINISHED => &[DrawState::Closed, DrawState::Drawing],
            _ => &[DrawState::Suspended],
        };
        let Some(draw) = self.step(body.draw, from, state) else {
            return;
        };
        draw.attested = Some(Attested {
            entry,
            finding: body.finding,
            by: [body.by.clone(), body.second.clone()],
        });
        let is_right = draw.has_balls()
            && draw.hands.counted == body.balls
            && (1..=UNFINISHED).contains(&body.finding);
        must!(self, is_right => TubesWrong, "draw {}, finding {}", body.draw, body.finding);
    }

    pub(super) fn computer_stood_in(&mut self, body: &ComputerStoodIn) {
        let from = [DrawState::Closed, DrawState::Drawing, DrawState::Suspended];
        let sold = self.has_sold(body.draw, &[&body.by, &body.second]);
        let Some(draw) = self.step(body.draw, &from, DrawState::Closed) else {
            return;
        };
        let is_right = draw.source == BALLS && !draw.has_balls() && draw.is_committed() && !sold;
        draw.source = COMPUTER;
        must!(self, is_right => StandInWrong, "draw {}", body.draw);
    }

    /// Whether the numbers of balls are those that two people entered.
    pub(super) fn judge_entered(&mut self, body: &BallsRecorded) {
        let draw = self.draws.get(&body.draw);
        let are_entered = draw.is_some_and(|draw| draw.hands.has_all(&body.balls, draw.drawn));
        must!(self, body.machine != BALLS || are_entered => BallsNotEntered, "draw {}", body.draw);
    }

    /// What the machine says of an interrupted draw counts no more.
    pub(super) fn line_stops(&mut self, number: u64) {
        if let Some(draw) = self.draws.get_mut(&number) {
            draw.hands.has_stopped = true;
        }
    }

    /// A draw of which a ball was entered is interrupted by two who say what they saw, and not once
    /// every ball of it counts.
    pub(super) fn judge_interruption(&mut self, number: u64, by: &String) {
        let entry = self.now.entry;
        let Some(draw) = self.draws.get(&number).filter(|draw| draw.has_balls()) else {
            return;
        };
        let is_final = draw.hands.is_final(draw.drawn);
        let attested = draw.attested.as_ref();
        let agreed = attested
            .filter(|it| it.entry + 1 == entry && it.finding == UNFINISHED && it.by[0] == *by)
            .map(|it| it.by.clone());
        let sold = agreed
            .as_ref()
            .is_some_and(|by| self.has_sold(number, &[&by[0], &by[1]]));
        let is_right = agreed.is_some() && !is_final && !sold;
        must!(self, is_right => InterruptedWrong, "draw {number}");
    }

    /// An interrupted draw of which a ball was entered: what the rules say becomes of it, by two who
    /// attest it where they say that it is completed.
    pub(super) fn judge_interrupted(
        &mut self,
        number: u64,
        was: Option<DrawState>,
        goes_on: bool,
        by: [&String; 2],
    ) {
        let entry = self.now.entry;
        let completes = self.book_of_draw(number).map(|(_, it)| it.book.completes);
        let Some(draw) = self.draws.get(&number).filter(|draw| draw.has_balls()) else {
            return;
        };
        let attested = draw.attested.as_ref().filter(|it| it.entry + 1 == entry);
        let by_them = attested.is_none_or(|it| it.by.iter().eq(by));
        let is_the_rule = match (completes, attested.map(|it| it.finding)) {
            (Some(true), Some(1)) => goes_on,
            (Some(true), Some(2..=4)) | (Some(false), None) => !goes_on,
            _ => false,
        };
        let is_final = draw.hands.is_final(draw.drawn);
        let sold = self.has_sold(number, &by);
        let is_right =
            is_the_rule && by_them && was == Some(DrawState::Suspended) && !is_final && !sold;
        must!(self, is_right => InterruptedWrong, "draw {number}");
    }
}
