//! What is played: which part is killed, and when.

use keno_testing::copy_folder;
use serde_json::{Value, json};

use super::desk::Said;
use super::machine::balls_of;
use super::world::{MARKER, Part, SUPERVISOR, VERIFIER, World};
use super::{Planted, Play, Played};
use crate::clock::pass;
use crate::hosts;

/// Balls of a draw.
const DRAWN: u8 = 20;
/// The seed of another machine is so far from that of the first.
const OTHER: u64 = 1_000_003;
/// So long the machine may take to say every ball once more behind its last.
const SAID_TWICE: std::time::Duration = std::time::Duration::from_millis(800);

/// What two people ask, and the states in which it is done.
struct ByTwo {
    what: &'static str,
    body: Value,
    done: &'static [&'static str],
    /// Places of the two desks.
    people: (usize, usize),
}

impl World<'_> {
    /// Plays the next draw to its end.
    ///
    /// # Errors
    /// When it cannot be played; what is wrong is in the report.
    pub(super) fn play(&mut self, play: Play, after: u8) -> anyhow::Result<()> {
        let mut played = Played::default();
        self.begins()?;
        let after_each = self.plan.after.clone();
        match play {
            Play::CentralReads => self.central_reads(&after_each)?,
            Play::CentralAnywhere => self.central_anywhere()?,
            Play::MachineBack => self.machine_back(&after_each, &[Part::Machine])?,
            Play::BothBack => self.machine_back(&after_each, &[Part::Machine, Part::Central])?,
            Play::Forgets => played = self.machine_is_another(after, None)?,
            Play::OtherBalls => {
                played = self.machine_is_another(after, Some(self.plan.seed + OTHER))?;
            }
            Play::CentralEnters => {
                self.reads_until(7)?;
                self.kill(Part::Machine);
                self.is_read_no_more();
                self.enter_all(|_| Part::Central, &after_each)?;
                played.is_entered = true;
                self.comes_back(Part::Machine)?;
            }
            Play::DeskEnters => {
                self.kill(Part::Machine);
                self.is_read_no_more();
                self.enter_all(Part::Desk, &after_each)?;
                played.is_entered = true;
                self.comes_back(Part::Machine)?;
            }
            Play::CentralDecides | Play::CentralVoids => {
                played = self.decides(play == Play::CentralVoids, |_| Part::Central)?;
            }
            Play::DeskDecides | Play::DeskVoids => {
                played = self.decides(play == Play::DeskVoids, Part::Desk)?;
            }
            Play::HostsAway => self.hosts_away(&after_each)?,
            Play::HostsVoid => {
                (0..hosts::COUNT).for_each(|place| self.kill(Part::Host(place)));
                played = self.decides(true, |_| Part::Central)?;
            }
        }
        if !played.is_void {
            let part: fn(usize) -> Part = match play {
                Play::DeskEnters | Play::DeskDecides => Part::Desk,
                _ => |_| Part::Central,
            };
            self.certified(part)?;
        }
        let end = if played.is_void { "void" } else { "settled" };
        self.until(end, |world| world.state() == end);
        if matches!(play, Play::HostsAway | Play::HostsVoid) {
            self.hosts_are_back(played.is_void)?;
        }
        if !played.is_void {
            self.all_see(usize::from(DRAWN));
        }
        if self.seed != self.plan.seed && !self.is_wrong() {
            // The first machine stands there again for the next draw.
            self.kill(Part::Machine);
            self.seed = self.plan.seed;
            self.comes_back(Part::Machine)?;
        }
        (played.draw, played.play) = (self.draw, Some(play));
        played.fell.clone_from(&self.fell);
        // One that is broken off has no end to be judged.
        if !self.is_wrong() {
            self.played.push(played);
        }
        Ok(())
    }

    /// So many balls fall, and everyone sees them.
    fn reads_until(&mut self, count: u8) -> anyhow::Result<()> {
        self.falls(count)?;
        self.all_see(usize::from(count));
        Ok(())
    }

    fn central_reads(&mut self, after: &[u8]) -> anyhow::Result<()> {
        for (turn, count) in after.iter().enumerate() {
            self.reads_until(*count)?;
            self.kill(Part::Central);
            if self.plan.plant == Some(Planted::Redraw) {
                self.redraw(turn)?;
            }
            self.comes_back(Part::Central)?;
            self.all_see(usize::from(*count));
        }
        self.reads_until(DRAWN)?;
        pass(SAID_TWICE);
        self.dies(Part::Central)?;
        self.all_see(usize::from(DRAWN));
        Ok(())
    }

    /// No ball needs a host: what they hold is for a computer that draws instead.
    fn hosts_away(&mut self, after: &[u8]) -> anyhow::Result<()> {
        for (turn, count) in after.iter().enumerate() {
            let host = Part::Host(turn % hosts::COUNT);
            self.kill(host);
            self.reads_until(*count)?;
            self.comes_back(host)?;
        }
        self.reads_until(DRAWN)?;
        (0..hosts::COUNT).for_each(|place| self.kill(Part::Host(place)));
        Ok(())
    }

    /// Secrets of a void draw are told when their holders are back, those of balls never.
    fn hosts_are_back(&mut self, is_void: bool) -> anyhow::Result<()> {
        let told = self.told();
        if told > 0 {
            self.wrong(&format!("{told} secrets were told while no host was there"));
        }
        (0..hosts::COUNT).try_for_each(|place| self.comes_back(Part::Host(place)))?;
        if is_void {
            // One of them draws, and holds none.
            let holders = hosts::COUNT - 1;
            self.until("the secrets are told", |world| world.told() == holders);
        }
        Ok(())
    }

    /// Planted: the record forgets the balls that were shown, and the machine has others.
    fn redraw(&mut self, turn: usize) -> anyhow::Result<()> {
        let (data, copy) = (self.founded.data(), self.copy());
        if turn == 0 {
            return Ok(copy_folder(&data, &copy)?);
        }
        self.kill(Part::Machine);
        std::fs::remove_dir_all(&data)?;
        copy_folder(&copy, &data)?;
        self.seed = self.plan.seed + OTHER;
        self.comes_back(Part::Machine)
    }

    fn central_anywhere(&mut self) -> anyhow::Result<()> {
        for count in 1..=DRAWN {
            self.falls(count)?;
            pass(std::time::Duration::from_micros(self.chance.below(220_000)));
            self.dies(Part::Central)?;
            self.all_see(usize::from(count));
        }
        Ok(())
    }

    /// What is killed comes back in any order.
    fn machine_back(&mut self, after: &[u8], parts: &[Part]) -> anyhow::Result<()> {
        for count in after {
            self.reads_until(*count)?;
            parts.iter().for_each(|part| self.kill(*part));
            if parts.len() == 1 && self.chance.percent(50) && *count < DRAWN {
                self.is_read_no_more();
            }
            if self.plan.plant == Some(Planted::OtherMachine) && *count > 0 {
                self.seed = self.plan.seed + OTHER;
            }
            let mut back = parts.to_vec();
            if self.chance.percent(50) {
                back.reverse();
            }
            for part in back {
                self.comes_back(part)?;
            }
            // It is heard again, or has read all.
            self.until("the machine is heard again", |world| {
                matches!(world.standing().as_str(), "reads" | "whole" | "stopped")
            });
            self.all_see(usize::from(*count));
            if self.standing() == "stopped" {
                let why = self.line()["why"]["en"].to_string();
                self.wrong(&format!(
                    "the machine came back with its balls, and is not read any more: {why}"
                ));
                break;
            }
        }
        self.reads_until(DRAWN)
    }

    /// Waits until the desk says that nothing reads the draw.
    fn is_read_no_more(&mut self) {
        self.until("the machine is missed", |world| {
            matches!(world.standing().as_str(), "away" | "silent" | "stopped")
        });
    }

    /// After so many balls another machine stands there, or the same that knows of none.
    fn machine_is_another(&mut self, after: u8, seed: Option<u64>) -> anyhow::Result<Played> {
        let mut played = Played::default();
        self.reads_until(after)?;
        if after == DRAWN {
            pass(SAID_TWICE);
        }
        self.kill(Part::Machine);
        if let Some(seed) = seed {
            self.seed = seed;
        }
        // In the tubes of the other lie as many, or one more.
        let more = u8::from(self.chance.percent(50) && after > 0 && after < DRAWN);
        self.falls(seed.map_or(0, |_| after + more))?;
        self.comes_back(Part::Machine)?;
        match after {
            // Nothing had fallen: what falls now counts.
            0 => {
                self.fell = balls_of(self.seed, self.draw);
                self.reads_until(DRAWN)?;
            }
            _ => {
                if after == DRAWN {
                    // All was read, and said twice: nobody asks that machine, until central is started
                    // again.
                    self.all_see(usize::from(DRAWN));
                    self.dies(Part::Central)?;
                }
                // Nobody sees a ball of that machine on the way.
                self.until("the line has stopped", |world| {
                    world.sights();
                    world.standing() == "stopped"
                });
                self.all_see(usize::from(after));
                // What fell first is on the film: both enter it, from the first ball.
                self.enter_all(|_| Part::Central, &[])?;
                (played.must_stop, played.is_entered) = (true, true);
            }
        }
        Ok(played)
    }

    /// Both enter every ball; a part is killed after these, or while it is entered. What came of it the
    /// desk says, and what is missing is typed again.
    fn enter_all(&mut self, part: fn(usize) -> Part, after: &[u8]) -> anyhow::Result<()> {
        for (position, number) in (1..).zip(self.fell.clone()) {
            for place in [MARKER, VERIFIER] {
                let body = json!({"position": position, "number": number});
                let (dies, at_once) = (after.contains(&position), self.chance.percent(40));
                if dies && at_once {
                    self.asks_and_dies(place, ("balls", &body), part(place))?;
                }
                let place_of = usize::from(position) - 1;
                if self.entered_at(place).get(place_of) != Some(&number) {
                    self.enter(place, &body);
                }
                if dies && !at_once {
                    self.dies(part(place))?;
                }
                let shown = self.entered_at(place);
                if !self.is_wrong() && self.fell.get(..=place_of) != Some(shown.as_slice()) {
                    self.wrong(&format!("{shown:?} is shown as entered, up to {position}"));
                }
            }
            let counted = usize::from(position).max(self.counted());
            self.all_see(counted);
            if self.is_wrong() {
                break;
            }
        }
        Ok(())
    }

    /// As many balls as anyone was ever shown.
    fn counted(&self) -> usize {
        let shown = self.seen.draws.get(&self.draw);
        shown.map_or(0, |shown| shown.balls.len())
    }

    fn enter(&mut self, place: usize, body: &Value) {
        if self.is_wrong() {
            return;
        }
        let mut last = Said::Lost;
        self.until("the ball is entered", |world| {
            last = world.asks(place, "balls", body);
            // A machine that central has not missed yet keeps its draw. The same again changes nothing.
            last != Said::Lost && last != Said::Refused("line_reads".to_owned())
        });
        match last {
            Said::Done(_) => self.report.entered += 1,
            other => self.wrong(&format!("{body} is not taken: {other:?}")),
        }
    }

    /// Two people decide, and a part is killed after the first has asked, and while the second agrees.
    fn by_two(&mut self, of: &ByTwo, part: fn(usize) -> Part) -> anyhow::Result<()> {
        let (first, second) = of.people;
        let before = self.state();
        let said = self.asks(first, of.what, &of.body);
        let waits = matches!(&said, Said::Done(reply) if reply["is_done"] == false);
        let asked = self.waiting_at(second);
        let Some(asked) = asked.filter(|_| waits || said == Said::Lost) else {
            self.wrong(&format!("{} by one person: {said:?}", of.what));
            return Ok(());
        };
        let killed = part(first);
        self.dies(killed)?;
        let now = self.state();
        if now != before {
            self.wrong(&format!("{}: one asked, and it is {now}", of.what));
        }
        let stands = self.waiting_at(second);
        let expected = (killed != Part::Central).then(|| asked.clone());
        if stands != expected {
            self.wrong(&format!("{}: {stands:?} waits, not {expected:?}", of.what));
        }
        if killed == Part::Central {
            let said = self.asks(second, of.what, &agreeing(&of.body, asked.1));
            if said != Said::Refused("nothing_asked".to_owned()) {
                self.wrong(&format!("{} was asked before the start: {said:?}", of.what));
            }
        }
        // The second agrees; a part is killed at some instant of it. Whoever comes back sees what stands.
        for is_killed in [true, false] {
            let Some(number) = self.waits(of) else {
                break;
            };
            let body = agreeing(&of.body, number);
            if is_killed {
                self.asks_and_dies(second, (of.what, &body), part(second))?;
            } else {
                let said = self.asks(second, of.what, &body);
                let is_done = matches!(&said, Said::Done(reply) if reply["is_done"] == true);
                if !is_done && said != Said::Lost {
                    self.wrong(&format!("{} by two: {said:?}", of.what));
                }
            }
        }
        self.until(of.what, |world| of.done.contains(&world.state().as_str()));
        Ok(())
    }

    /// The number of what waits for the second person, asked once more by the first where nothing does;
    /// none once it is done.
    fn waits(&mut self, of: &ByTwo) -> Option<u64> {
        let (first, second) = of.people;
        let mut number = None;
        self.until("it waits for the second person", |world| {
            if of.done.contains(&world.state().as_str()) {
                return true;
            }
            number = world.waiting_at(second).map(|(_, number)| number);
            if number.is_none() {
                world.asks(first, of.what, &of.body);
            }
            number.is_some()
        });
        number
    }

    fn decides(&mut self, is_void: bool, part: fn(usize) -> Part) -> anyhow::Result<Played> {
        self.reads_until(5)?;
        let interrupt = ByTwo {
            what: "suspend",
            body: json!({"reason": "the machine is looked at"}),
            done: &["suspended"],
            people: (SUPERVISOR, VERIFIER),
        };
        self.by_two(&interrupt, part)?;
        // What falls now nobody reads.
        self.falls(9)?;
        let (what, finding, done): (_, _, &[&str]) = match is_void {
            true => ("void", "fell", &["void"]),
            false => ("resume", "in_tubes", &["drawing"]),
        };
        let decide = ByTwo {
            what,
            body: json!({"reason": "decided by two", "finding": finding}),
            done,
            people: (SUPERVISOR, VERIFIER),
        };
        self.by_two(&decide, part)?;
        if !is_void {
            self.until("it is drawn on", |world| world.state() == "drawing");
            self.all_see(5);
            self.enter_all(part, &[])?;
        }
        Ok(Played {
            is_void,
            is_entered: !is_void,
            is_interrupted: true,
            ..Played::default()
        })
    }

    /// Two people declare the numbers official.
    fn certified(&mut self, part: fn(usize) -> Part) -> anyhow::Result<()> {
        if self.is_wrong() {
            return Ok(());
        }
        let certify = ByTwo {
            what: "certification",
            body: json!({"reason": ""}),
            done: &["official", "settled"],
            people: (MARKER, VERIFIER),
        };
        self.by_two(&certify, part)
    }
}

/// The same, as agreed to by its number.
fn agreeing(body: &Value, number: u64) -> Value {
    let mut body = body.clone();
    body["agreeing"] = json!(number);
    body
}
