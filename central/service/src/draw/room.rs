//! The draw room: sets of balls are measured, chance chooses one, two people open the room, hand it
//! over, and end its day (`RULES.md`, "The draw room").
//!
//! Each step is asked by one person and agreed to by another, each in a session of their own: they
//! stand at the same scale. What waits for the second is no record, and a start forgets it.

use keno_game::{DrawSource, DrawState};
use keno_log::Event;
use keno_log::event::{
    BallSetMeasured, BallSetsOffered, DrawRoomEnded, DrawRoomOpened, IncidentLogged,
};
use keno_record::sequencer::Lane;
use keno_record::state::{SetOfBalls, State};
use keno_record::view::View;

use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::central::Central;
use crate::central::decisions::WAITS_MS;
use crate::central::house_file::BallSetLimits;
pub use crate::central::room_steps::{RoomAsked, RoomStep};
use crate::draw::steps::Draw;
use crate::refusal::Refusal;
use crate::staff::staff_of;
use crate::staff::two_people::must_be_two;
use crate::{Fault, Stop, bounds};

const DAY_MS: i64 = 86_400_000;

impl RoomStep {
    /// Its row of the table of authority.
    pub fn operation(&self) -> Operation {
        match self {
            Self::Measure { .. } => Operation::MeasureBallSet,
            Self::Offer { .. } | Self::Open { .. } => Operation::OpenDrawRoom,
            Self::HandOver | Self::End => Operation::EndDrawRoom,
        }
    }
}

impl RoomStep {
    /// Asks for a step; what was asked before is asked no more.
    ///
    /// # Errors
    /// Why the step is not possible now: as [`RoomAsked::agree`], but for the second person.
    pub fn ask(self, central: &Central, by: &Caller) -> Result<(), Stop> {
        let moment = moment(central);
        let tried = (self.clone(), by.badge.clone());
        central.look(move |state| fact_of(state, moment, &tried.0, &tried.1, "").map(drop))??;
        *central.room_steps.lock() = Some(RoomAsked {
            number: central.ask_numbers.next(central.clock.now_ms()),
            step: self,
            by: by.badge.clone(),
            until_ms: central.clock.monotonic_ms() + WAITS_MS,
            is_taken: false,
        });
        Ok(())
    }
}

impl RoomAsked {
    /// The step that waits for a second person.
    pub fn waiting(central: &Central) -> Option<Self> {
        let now_ms = central.clock.monotonic_ms();
        let mut asked = central.room_steps.lock();
        asked.take_if(|it| it.until_ms <= now_ms);
        asked.clone()
    }

    fn must_be_two(&self, central: &Central, view: &View, second: &str) -> Result<(), Refusal> {
        let staff = staff_of(central, view);
        must_be_two(staff, self.step.operation(), &self.by, second)
    }

    /// Whether somebody may be the second.
    pub fn may_agree(&self, central: &Central, view: &View, badge: &str) -> bool {
        self.must_be_two(central, view, badge).is_ok()
    }

    /// Agrees to the step of that number, and records it.
    ///
    /// # Errors
    /// [`Refusal::NothingAsked`]; [`Refusal::SamePersonTwice`], [`Refusal::SecondPersonRefused`]; why
    /// the step is not possible: [`Refusal::RoomIsOpen`], [`Refusal::RoomNotOpen`],
    /// [`Refusal::NoBallSetUsable`], [`Refusal::NoChoosingDraw`], [`Refusal::SetNotChosen`],
    /// [`Refusal::BallSetUnusable`], [`Refusal::BallsMiscounted`], [`Refusal::DrawUndecided`]; or a
    /// fault.
    pub fn agree(central: &Central, by: &Caller, number: u64) -> Result<(), Stop> {
        let asked = Self::waiting(central).filter(|it| it.number == number);
        let asked = asked.ok_or(Refusal::NothingAsked)?;
        // Who may not agree takes nothing away from who may.
        asked.must_be_two(central, &central.view.get(), &by.badge)?;
        // One of two who agree at once takes it: nothing is done twice. It stands there until it is
        // recorded: whoever asked is not told meanwhile that nothing waits any more.
        let first = match central.room_steps.lock().as_mut() {
            Some(it) if it.number == number && !it.is_taken => {
                it.is_taken = true;
                it.clone()
            }
            _ => return Err(Refusal::NothingAsked.into()),
        };
        let done = first.record(central, by.badge.clone());
        let mut asked = central.room_steps.lock();
        match asked.as_mut().filter(|it| it.number == number) {
            Some(it) if matches!(done, Err(Stop::Refused(_))) => it.is_taken = false,
            Some(_) => *asked = None,
            None => {}
        }
        done
    }

    fn record(self, central: &Central, second: String) -> Result<(), Stop> {
        let moment = moment(central);
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            let Self { step, by, .. } = &self;
            must_be_two(judge.staff(), step.operation(), by, &second)?;
            let now_ms = judge.now_ms;
            let moment = Moment { now_ms, ..moment };
            let fact = fact_of(judge.state, moment, step, by, &second)?;
            judge.record(fact)?;
            Ok(())
        })
    }
}

/// What happened in the draw room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// The draw in which it did, if in one.
    pub draw: Option<u64>,
    /// What, in words.
    pub text: String,
    /// Where the film shows it.
    pub camera: String,
}

impl Incident {
    /// Records it.
    ///
    /// # Errors
    /// [`Refusal::DrawUnknown`], a text that is none, or a fault.
    pub fn log(self, central: &Central, by: &Caller) -> Result<(), Stop> {
        bounds::said("text", &self.text)?;
        bounds::note("camera", &self.camera)?;
        let fact = IncidentLogged {
            draw: self.draw,
            text: self.text,
            camera: self.camera,
            by: by.badge.clone(),
            device: by.device.device,
        };
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            Operation::LogIncident.judge_roles(&judge.staff().roles(&fact.by))?;
            let known = |draw| judge.state.draws.contains_key(&draw);
            if let Some(draw) = fact.draw.filter(|draw| !known(*draw)) {
                return Err(Refusal::DrawUnknown { draw }.into());
            }
            judge.record(fact.clone())?;
            Ok(())
        })
    }
}

/// What a step is judged with, beside the state.
#[derive(Debug, Clone, Copy)]
struct Moment {
    now_ms: i64,
    limits: BallSetLimits,
}

fn moment(central: &Central) -> Moment {
    Moment {
        now_ms: central.clock.now_ms(),
        limits: central.house.ball_sets,
    }
}

/// The fact of a step that two people take.
fn fact_of(
    state: &State,
    moment: Moment,
    step: &RoomStep,
    by: &str,
    second: &str,
) -> Result<Event, Refusal> {
    let (by, second) = (by.to_owned(), second.to_owned());
    match step {
        RoomStep::Measure { .. } => measured(state, moment, step, by, second).map(Into::into),
        RoomStep::Offer { reason } => {
            offered(state, moment.now_ms, reason, by, second).map(Into::into)
        }
        RoomStep::Open { counted, camera } => {
            bounds::said("camera", camera)?;
            let (set, draw) = chosen(state, moment.now_ms)?;
            must_count(state.room.sets.get(&set), *counted)?;
            Ok(DrawRoomOpened {
                set,
                draw,
                counted: *counted,
                camera: camera.clone(),
                by,
                second,
            }
            .into())
        }
        RoomStep::HandOver | RoomStep::End => {
            if state.room.open.is_none() {
                return Err(Refusal::RoomNotOpen);
            }
            let goes_on = *step == RoomStep::HandOver;
            match undecided(state) {
                Some(draw) if !goes_on => Err(Refusal::DrawUndecided { draw }),
                _ => Ok(DrawRoomEnded {
                    goes_on: u8::from(goes_on),
                    by,
                    second,
                }
                .into()),
            }
        }
    }
}

fn measured(
    state: &State,
    Moment { now_ms, limits }: Moment,
    step: &RoomStep,
    by: String,
    second: String,
) -> Result<BallSetMeasured, Refusal> {
    let RoomStep::Measure {
        set,
        masses_mg,
        passed,
        instruments,
    } = step
    else {
        return Err(Refusal::NothingAsked);
    };
    bounds::word("set", set)?;
    // Two names that look alike would be two sets.
    if !set.is_ascii() || set.trim() != set {
        return Err(Refusal::TextSigns { field: "set" });
    }
    bounds::said("instruments", instruments)?;
    let rules = state.rule_books.values().next_back();
    let balls = rules.map_or(0, |rules| rules.rules.pool.size());
    if masses_mg.len() != usize::from(balls) {
        return Err(Refusal::BallsMiscounted {
            field: "masses_mg",
            expected: balls,
        });
    }
    // Two names that differ by capitals alone would be two sets of the same balls.
    let mut known = state.room.sets.keys();
    let known = known.find(|known| known.eq_ignore_ascii_case(set));
    Ok(BallSetMeasured {
        set: known.unwrap_or(set).clone(),
        masses_mg: masses_mg.clone(),
        gauge: if *passed { 1 } else { 2 },
        instruments: instruments.clone(),
        least_mg: limits.least_mg,
        most_mg: limits.most_mg,
        most_draws: limits.draws,
        good_until_ms: now_ms + i64::from(limits.days) * DAY_MS,
        by,
        second,
    })
}

fn offered(
    state: &State,
    now_ms: i64,
    reason: &str,
    by: String,
    second: String,
) -> Result<BallSetsOffered, Refusal> {
    let room = &state.room;
    if room.open.is_some() {
        return Err(Refusal::RoomIsOpen);
    }
    let mut passed_over = None;
    if let Some(choice) = &room.choice {
        passed_over = choice.chosen.as_deref();
        if passed_over.is_none() && !is_lost(state, choice.draw) {
            return Err(Refusal::SetNotChosen { draw: choice.draw });
        }
        bounds::reason("reason", reason)?;
    }
    let sets = room.usable(now_ms, passed_over);
    if sets.is_empty() {
        return Err(Refusal::NoBallSetUsable);
    }
    Ok(BallSetsOffered {
        sets,
        draw: state.choosing_draw().ok_or(Refusal::NoChoosingDraw)?,
        reason: match room.choice {
            Some(_) => reason.to_owned(),
            None => String::new(),
        },
        by,
        second,
    })
}

/// Whether a draw will choose nothing any more.
fn is_lost(state: &State, draw: u64) -> bool {
    let is_of_before = draw < state.epoch.next_draw;
    let known = state.draws.get(&draw);
    is_of_before || known.is_none_or(|draw| draw.state == DrawState::Void)
}

/// The set that was chosen, which may be used, and the draw that chose it.
fn chosen(state: &State, now_ms: i64) -> Result<(String, u64), Refusal> {
    let room = &state.room;
    if room.open.is_some() {
        return Err(Refusal::RoomIsOpen);
    }
    let choice = room.choice.as_ref().ok_or(Refusal::NoChoice)?;
    let draw = choice.draw;
    let set = choice.chosen.clone();
    let set = set.ok_or(Refusal::SetNotChosen { draw })?;
    let unusable = room.sets.get(&set).and_then(|it| it.unusable(now_ms));
    match unusable {
        Some(why) => Err(Refusal::BallSetUnusable { set, why }),
        None => Ok((set, draw)),
    }
}

fn must_count(set: Option<&SetOfBalls>, counted: u8) -> Result<(), Refusal> {
    let balls = set.map_or(0, |set| set.masses_mg.len());
    let expected = u8::try_from(balls).unwrap_or(u8::MAX);
    match counted == expected {
        true => Ok(()),
        false => Err(Refusal::BallsMiscounted {
            field: "counted",
            expected,
        }),
    }
}

/// A draw of balls that is closed and that nobody has decided yet.
fn undecided(state: &State) -> Option<u64> {
    use DrawState::{Closed, Drawing, Drawn, Suspended};
    let mut draws = state.draws.values();
    let found = draws.find(|draw| {
        draw.source == DrawSource::Balls.number()
            && draw.number >= state.epoch.next_draw
            && matches!(draw.state, Closed | Drawing | Drawn | Suspended)
    });
    found.map(|draw| draw.number)
}

impl RoomStep {
    /// How many people each step of the evening lacks of those who are signed on.
    ///
    /// # Errors
    /// The database's.
    pub fn lacks(central: &Central, view: &View) -> Result<Vec<(Operation, u8)>, Fault> {
        let steps = [
            Operation::OpenDrawRoom,
            Operation::EnterBall,
            Operation::CertifyDraw,
            Operation::VoidDraw,
        ];
        let staff = staff_of(central, view);
        let sealed = view.draws.values().find(|draw| {
            draw.is_of_balls() && matches!(draw.state(), DrawState::Closed | DrawState::Drawing)
        });
        let mut present: Vec<&str> = Vec::new();
        for session in view.sessions.values() {
            let badge = session.badge.as_str();
            let is_known = present
                .iter()
                .any(|one| keno_record::people::is_one_human(&view.people, one, badge));
            let has_sold = match sealed {
                Some(draw) => Draw(draw.number()).sold_by(central, view, badge)?.is_some(),
                None => false,
            };
            if !is_known && !has_sold {
                present.push(badge);
            }
        }
        let lack = |operation: Operation| {
            let may: Vec<&str> = present
                .iter()
                .copied()
                .filter(|badge| operation.judge_roles(&staff.roles(badge)).is_ok())
                .collect();
            let is_pair = match operation {
                // Two of the same role, each alone.
                Operation::EnterBall => may.len() >= 2,
                _ => may.iter().any(|by| {
                    let mut others = present.iter().filter(|second| *second != by);
                    others.any(|second| must_be_two(staff, operation, by, second).is_ok())
                }),
            };
            match (is_pair, may.len()) {
                (true, _) => 0,
                (false, 0) => 2,
                (false, _) => 1,
            }
        };
        Ok(steps.into_iter().map(|it| (it, lack(it))).collect())
    }
}
