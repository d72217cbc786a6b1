//! Draw steps. Each is a leaf; calls to holders and machine never happen inside a transaction.

use keno_draw::adapter::{DrawEvent, DrawOrder, collect};
use keno_draw::holder::{Revealed, Seal, SecretHolder};
use keno_draw::transcript::{HolderRecord, Transcript, beacon_in};
use keno_draw::{DrawContext, round_secret};
use keno_game::{DrawSource, DrawState, DrawStep, Drawn, Pool, draw};
use keno_log::EventKind;
use keno_log::beacon::Round;
use keno_log::event::{
    BallsRecorded, CommitmentRecorded, DrawCertified, DrawClosed, DrawOpened, DrawScheduled,
    DrawStarted, HostsNamed, HostsSigned, SalesResumed, SalesSuspended, ScheduleConfirmed,
    ScheduleHalted, SecretsRevealed,
};
use keno_log::hash::sha256;
use keno_record::fault::Fault;
use keno_record::past_draws::{DrawHosts, draw_range};
use keno_record::people::{GUARD, badges_of_humans};
use keno_record::roles::{Role, has_any};
use keno_record::sequencer::{Judge, Lane};
use keno_record::store::leaves::body_at;
use keno_record::store::tickets;
use keno_record::view::{DrawInfo, View};

use crate::central::Central;
use crate::draw::hosts::{self, of_holder, of_machine};
use crate::refusal::Refusal;
use crate::staff::people::Badge;
use crate::staff::two_people::must_differ;
use crate::{Stop, bounds};

/// Refuses people of whom one sold for a draw: nobody who knows what was wagered with him has a
/// hand in what becomes of it.
pub(super) fn must_not_have_sold(
    judge: &mut Judge<'_>,
    draw: u64,
    badges: &[String],
) -> Result<(), Stop> {
    judge.settle_rows()?;
    // Another badge of theirs sold for it just as well.
    let badges = badges_of_humans(&judge.state.people, badges);
    match tickets::seller_for(judge.connection, draw, &badges)? {
        Some(badge) => Err(Refusal::SoldForDraw { draw, badge }.into()),
        None => Ok(()),
    }
}

/// Refuses a step that the draw's state does not allow.
pub(super) fn must_allow(judge: &Judge<'_>, number: u64, step: DrawStep) -> Result<(), Refusal> {
    match judge.state.draws.get(&number) {
        None => Err(Refusal::DrawUnknown { draw: number }),
        Some(live) => {
            draw::next(live.state, step)
                .map(drop)
                .map_err(|refused| Refusal::DrawStepRefused {
                    state: refused.state.name(),
                })
        }
    }
}

/// A draw, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw(pub u64);

impl Draw {
    /// Announces a draw, has every holder commit to it, and opens it for sale: one batch, so
    /// that no draw is ever open without its commitments.
    ///
    /// # Errors
    /// [`Refusal::NoRules`], or a fault of a holder or the database.
    pub fn schedule(
        self,
        central: &Central,
        closes_at_ms: i64,
        draws_at_ms: i64,
    ) -> Result<(), Stop> {
        let rules = central
            .view
            .get()
            .rules_for(self.0)
            .cloned()
            .ok_or(Refusal::NoRules)?;
        let mut names = Vec::new();
        let mut commitments = Vec::new();
        let keys = hosts::keys(central);
        for holder in central.holders.lock().iter_mut() {
            names.push(holder.name().to_owned());
            commitments.push(holder.commit(self.0).map_err(|fault| of_holder(&fault))?);
        }
        let scheduled = DrawScheduled {
            draw: self.0,
            closes_at_ms,
            draws_at_ms,
            source: central
                .schedule
                .source_at(central.calendar, draws_at_ms)
                .number(),
            holders: names,
            pool_size: rules.rules.pool.size(),
            drawn: rules.rules.pool.drawn(),
            cap_cents: rules.rules.cap.get(),
            full_below_cents: rules.rules.cap_threshold.get(),
        };
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            if let Some(known) = judge.state.draws.get(&self.0) {
                return Err(Refusal::DrawStepRefused {
                    state: known.state.name(),
                }
                .into());
            }
            judge.record(scheduled.clone())?;
            for (commitment, position) in commitments.iter().zip(0_u8..) {
                judge.record(CommitmentRecorded {
                    draw: self.0,
                    position,
                    commitment: *commitment,
                })?;
            }
            if !keys.is_empty() {
                judge.record(HostsNamed {
                    draw: self.0,
                    keys: keys.clone(),
                })?;
            }
            judge.record(DrawOpened { draw: self.0 })?;
            Ok(())
        })
    }

    /// Closes and seals a draw.
    ///
    /// # Errors
    /// [`Refusal::DrawStepRefused`], or a fault.
    pub fn close(self, central: &Central) -> Result<(), Stop> {
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            must_allow(judge, self.0, DrawStep::Close)?;
            let Some(live) = judge.state.draws.get(&self.0) else {
                return Err(Refusal::DrawUnknown { draw: self.0 }.into());
            };
            let closed = DrawClosed {
                draw: self.0,
                tickets: live.tickets,
                selections: live.selections,
                wagered_cents: live.wagered_cents,
            };
            judge.record(closed)?;
            Ok(())
        })
    }

    /// Refuses a draw of balls that the draw room is not ready for.
    fn must_be_ready(self, judge: &Judge<'_>) -> Result<(), Refusal> {
        let Some(live) = judge.state.draws.get(&self.0) else {
            return Ok(());
        };
        let is_of_balls = live.source == DrawSource::Balls.number();
        match !is_of_balls || judge.state.room.is_ready(live.pool_size, judge.now_ms) {
            true => Ok(()),
            false => Err(Refusal::RoomNotOpen),
        }
    }

    /// Hands the seal out: from here on a number may exist. Not where program or tables were changed
    /// since the start.
    ///
    /// # Errors
    /// [`Refusal::DrawStepRefused`], [`Refusal::RoomNotOpen`], or a fault.
    pub fn start(self, central: &Central) -> Result<(), Stop> {
        let mut reader = central.readers.get().map_err(Fault::from)?;
        central.integrity.look(&mut reader)?;
        drop(reader);
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            must_allow(judge, self.0, DrawStep::Start)?;
            self.must_be_ready(judge)?;
            let seal = judge
                .state
                .draws
                .get(&self.0)
                .and_then(|live| live.seal)
                .ok_or(Refusal::DrawStepRefused { state: "open" })?;
            let rule_book_hash = judge
                .state
                .rules_for(self.0)
                .map(|rules| rules.hash)
                .ok_or(Refusal::NoRules)?;
            judge.record(DrawStarted {
                draw: self.0,
                seal_size: seal.size,
                seal_root: seal.root,
                rule_book_hash,
            })?;
            Ok(())
        })
    }
}

/// The derivation's context of a started draw.
fn context(central: &Central, live: &DrawInfo) -> Result<DrawContext, Fault> {
    let (seal, _) = live
        .seal()
        .ok_or_else(|| Fault::Record(format!("draw {} has no seal", live.number())))?;
    let (pool_size, drawn) = live.pool();
    Ok(DrawContext {
        house: central.house_code.clone(),
        draw: live.number(),
        log_size: seal.size,
        seal_root: seal.root,
        rule_book_hash: live
            .rule_book_hash()
            .ok_or_else(|| Fault::Record(format!("draw {} has not started", live.number())))?,
        pool_size,
        drawn,
    })
}

/// What a holder of a draw gave, and what vouches for it.
type Given = (HolderRecord, String);

/// Asks each holder that the draw announced, by its name, whoever else `house.toml` names today: `ask` is
/// given the holder. What a public beacon gives is read from the record where it is there already, and of
/// a draw that has no round it is nothing. Each is checked against its commitment in the record.
fn from_holders(
    central: &Central,
    live: &DrawInfo,
    mut ask: impl FnMut(&mut dyn SecretHolder) -> Result<Revealed, Fault>,
) -> Result<Vec<Given>, Fault> {
    let (house, draw) = (&central.house_code, live.number());
    let DrawHosts { keys, signatures } = hosts::named(central, live)?;
    let has_no_round = live.state() == DrawState::Void || live.is_of_balls();
    let mut holders = central.holders.lock();
    let mut given = Vec::new();
    for (announced, place) in live.holders().iter().zip(1..) {
        let beacon = keys.get(place).map_or("", |key| beacon_in(key));
        let recorded = signatures.get(place).and_then(|line| Round::parse(line));
        let revealed = if !beacon.is_empty() && (has_no_round || recorded.is_some()) {
            let round = recorded.filter(|_| !has_no_round);
            let signature = round.map_or_else(Vec::new, |round| round.signature.to_vec());
            Revealed {
                secret: round_secret(house, draw, beacon, &signature),
                signature: round.map_or_else(String::new, |round| round.to_string()),
            }
        } else {
            let name = &announced.name;
            let holder = holders.iter_mut().find(|holder| holder.name() == name);
            let holder = holder.ok_or_else(|| {
                Fault::Machine(format!(
                    "{name}, a holder of draw {draw}, is not in house.toml"
                ))
            })?;
            ask(holder.as_mut())?
        };
        let mut record = HolderRecord {
            name: announced.name.clone(),
            commitment: [0; 32],
            secret: revealed.secret,
            beacon: beacon.to_owned(),
        };
        record.commitment = record.bound(house, draw);
        // Nobody can be held to what he never committed to: a draw may be void before.
        if announced
            .commitment
            .is_some_and(|it| it != record.commitment)
        {
            let name = &announced.name;
            let words =
                format!("the secret of {name} for draw {draw} is not what was committed to");
            return Err(Fault::Machine(words));
        }
        given.push((record, revealed.signature));
    }
    Ok(given)
}

/// The draw as it is ordered: the secrets of its holders, and what proves the seal.
fn order(central: &Central, live: &DrawInfo) -> Result<DrawOrder, Fault> {
    let ctx = context(central, live)?;
    let seal = Seal {
        size: ctx.log_size,
        root: ctx.seal_root,
    };
    let proof = hosts::proof(central, &seal)?;
    let given = from_holders(central, live, |holder| {
        hosts::round_has_come(central, live, &*holder)?;
        holder
            .reveal(live.number(), &seal, &proof)
            .map_err(|fault| of_holder(&fault))
    })?;
    let (holders, signatures) = given.into_iter().unzip();
    Ok(DrawOrder {
        ctx,
        holders,
        proof,
        signatures,
    })
}

/// What the holders gave for a draw, as kept since it was drawn, or asked for anew.
fn given(central: &Central, live: &DrawInfo) -> Result<Vec<HolderRecord>, Fault> {
    if let Some(given) = central.given.lock().get(&live.number()) {
        return Ok(given.clone());
    }
    Ok(order(central, live)?.holders)
}

impl Draw {
    /// Has the machine draw, judges the numbers by the draw guard, and records them all before
    /// the first is shown.
    ///
    /// # Errors
    /// A refusal, or [`Fault::Machine`]: then no number was recorded.
    pub fn record_balls(self, central: &Central) -> Result<(), Stop> {
        let Self(number) = self;
        let view = central.view.get();
        let live = view
            .draws
            .get(&number)
            .ok_or(Refusal::DrawUnknown { draw: number })?;
        if live.state() != DrawState::Drawing {
            return Err(Refusal::DrawStepRefused {
                state: live.state().name(),
            }
            .into());
        }
        let are_hosts_named = hosts::are_named(central, live)?;
        let order = order(central, live)?;
        let collected = {
            let mut machine = central.machine.lock();
            collect(machine.as_mut(), &order).map_err(|fault| of_machine(&fault))?
        };
        if collected.end != DrawEvent::Complete || !collected.kind.is_real() {
            return Err(Fault::Machine(format!("draw {number} did not complete")).into());
        }
        // The guard computes the draw again from the transcript before anything is recorded.
        let transcript = Transcript::compute(order.ctx.clone(), order.holders.clone())
            .map_err(|fault| Fault::Machine(fault.to_string()))?;
        if transcript.balls != collected.balls {
            return Err(Fault::Machine(format!(
                "the numbers of draw {number} are not those of its transcript"
            ))
            .into());
        }
        let pool = Pool::new(order.ctx.pool_size, order.ctx.drawn)
            .map_err(|fault| Fault::Machine(fault.to_string()))?;
        let drawn = Drawn::new(pool, &collected.balls)
            .map_err(|fault| Fault::Machine(fault.to_string()))?;
        let secrets: Vec<u8> = order
            .holders
            .iter()
            .flat_map(|holder| holder.secret)
            .collect();
        let event = BallsRecorded {
            draw: number,
            machine: collected.kind.code(),
            balls: collected.balls,
            words_used: transcript.words_used,
            words_rejected: transcript.rejected,
            secrets_hash: sha256(&secrets),
        };
        let signatures: Vec<String> = std::iter::once(collected.signature)
            .chain(order.signatures)
            .collect();
        let signed = are_hosts_named.then_some(HostsSigned {
            draw: number,
            signatures,
        });
        let set = drawn.set();
        central.given.lock().insert(number, order.holders);
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            must_allow(judge, number, DrawStep::Record)?;
            if judge.state.drawn_sets.contains(&set.bits()) {
                // One pair in 3.5 × 10^18: a repetition is a fault until people have looked.
                return Err(Fault::Machine(format!(
                    "the numbers of draw {number} are those of an earlier draw"
                ))
                .into());
            }
            judge.record(event.clone())?;
            if let Some(signed) = &signed {
                judge.record(signed.clone())?;
            }
            Ok(())
        })
    }
}

impl Badge<'_> {
    /// Whether somebody certifies draws, with this badge or another of theirs: not those that they sold
    /// for.
    pub fn certifies(self, view: &View) -> bool {
        view.people.get(self.0).is_some_and(|seller| {
            view.people.values().any(|person| {
                person.active
                    && person.staff == seller.staff
                    && has_any(&person.roles, &[Role::Marker, Role::Verifier])
            })
        })
    }
}

impl Draw {
    /// A draw as anyone may see it now. Reads the record when it is not in memory.
    ///
    /// # Errors
    /// [`Refusal::RecordUnknown`], or a fault.
    pub fn find(self, central: &Central) -> Result<DrawInfo, Stop> {
        draw_range(central, self.0, self.0)?
            .pop()
            .ok_or_else(|| Refusal::RecordUnknown.into())
    }

    /// Declares the numbers official: the guard alone, or two people who did not sell for the draw.
    /// Balls that both entered alike are recorded with it.
    ///
    /// # Errors
    /// [`Refusal::SamePersonTwice`], [`Refusal::BallsNotEntered`], [`Refusal::NumbersRepeated`],
    /// [`Refusal::SoldForDraw`], [`Refusal::DrawStepRefused`], or a fault.
    pub fn certify(self, central: &Central, certifiers: Vec<String>) -> Result<(), Stop> {
        let by_guard = certifiers == [GUARD];
        let view = central.view.get();
        let is_another = |place: usize| {
            let before = &certifiers[..place];
            let is_one = |one: &String| must_differ(&view.people, one, &certifiers[place]).is_err();
            !before.iter().any(is_one)
        };
        let are_two = certifiers.len() >= 2 && (0..certifiers.len()).all(is_another);
        if !by_guard && (!are_two || certifiers.iter().any(|one| one.is_empty() || one == GUARD)) {
            return Err(Refusal::SamePersonTwice.into());
        }
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            let entered = self.entered(judge)?;
            if entered.is_none() {
                must_allow(judge, self.0, DrawStep::Certify)?;
            }
            if !by_guard {
                must_not_have_sold(judge, self.0, &certifiers)?;
            }
            // Nothing is recorded of what is refused.
            if let Some(balls) = entered {
                judge.record(balls)?;
            }
            judge.record(DrawCertified {
                draw: self.0,
                certifiers: certifiers.clone(),
            })?;
            Ok(())
        })
    }

    /// Publishes the secrets of a draw that is official.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub fn reveal_secrets(self, central: &Central) -> Result<(), Stop> {
        let view = central.view.get();
        let live = view
            .draws
            .get(&self.0)
            .ok_or(Refusal::DrawUnknown { draw: self.0 })?;
        let secrets = match live.state() {
            DrawState::Official => given(central, live)?
                .iter()
                .map(|holder| holder.secret)
                .collect(),
            DrawState::Void => from_holders(central, live, |holder| {
                let secret = holder.publish_void(self.0);
                let revealed = secret.map(|secret| Revealed {
                    secret,
                    signature: String::new(),
                });
                revealed.map_err(|fault| of_holder(&fault))
            })?
            .iter()
            .map(|(holder, _)| holder.secret)
            .collect(),
            other => {
                return Err(Refusal::DrawStepRefused {
                    state: other.name(),
                }
                .into());
            }
        };
        let event = SecretsRevealed {
            draw: self.0,
            secrets,
        };
        central
            .sequencer
            .submit_blocking(Lane::Draw, move |judge| {
                // Told once, and before the settlement: what is settled is not explained afterwards.
                let live = judge.state.draws.get(&self.0);
                let live = live.ok_or(Refusal::DrawUnknown { draw: self.0 })?;
                let is_told = live.holders.iter().any(|holder| holder.secret.is_some());
                if is_told || !matches!(live.state, DrawState::Official | DrawState::Void) {
                    return Err(Refusal::DrawStepRefused {
                        state: live.state.name(),
                    }
                    .into());
                }
                judge.record(event.clone())?;
                Ok(())
            })?;
        central.given.lock().remove(&self.0);
        Ok(())
    }
}

/// Stops sales for the whole house.
///
/// # Errors
/// A refusal or a fault.
pub fn suspend_sales(central: &Central, reason: &str, by: &str) -> Result<(), Stop> {
    bounds::reason("reason", reason)?;
    let (reason, by) = (reason.to_owned(), by.to_owned());
    central.sequencer.submit_blocking(Lane::Draw, move |judge| {
        if judge.state.sales_suspended.is_none() {
            judge.record(SalesSuspended {
                reason: reason.clone(),
                by: by.clone(),
            })?;
        }
        Ok(())
    })
}

/// Lets sales go on, by two people.
///
/// # Errors
/// [`Refusal::SamePersonTwice`], or a fault.
pub fn resume_sales(central: &Central, by: &str, second: &str) -> Result<(), Stop> {
    must_differ(&central.view.get().people, by, second)?;
    let (by, second) = (by.to_owned(), second.to_owned());
    central.sequencer.submit_blocking(Lane::Draw, move |judge| {
        if judge.state.sales_suspended.is_some() {
            judge.record(SalesResumed {
                by: by.clone(),
                second: second.clone(),
            })?;
        }
        Ok(())
    })
}

/// Halts the schedule: the clock is doubtful.
///
/// # Errors
/// A fault.
pub fn halt_schedule(
    central: &Central,
    reason: u8,
    seen_ms: i64,
    expected_ms: i64,
) -> Result<(), Stop> {
    central.sequencer.submit_blocking(Lane::Draw, move |judge| {
        if judge.state.schedule_halted.is_none() {
            judge.record(ScheduleHalted {
                reason,
                seen_ms,
                expected_ms,
            })?;
        }
        Ok(())
    })
}

/// Two people confirm the clock.
///
/// # Errors
/// [`Refusal::NotHalted`] or [`Refusal::SamePersonTwice`].
pub fn confirm_schedule(central: &Central, by: &str, second: &str) -> Result<(), Stop> {
    must_differ(&central.view.get().people, by, second)?;
    let (by, second) = (by.to_owned(), second.to_owned());
    central.sequencer.submit_blocking(Lane::Draw, move |judge| {
        if judge.state.schedule_halted.is_none() {
            return Err(Refusal::NotHalted.into());
        }
        judge.record(ScheduleConfirmed {
            by: by.clone(),
            second: second.clone(),
        })?;
        Ok(())
    })
}

impl Draw {
    /// The published transcript of a draw whose secrets are revealed.
    ///
    /// # Errors
    /// A refusal while it is not, or a fault.
    pub fn transcript(self, central: &Central) -> Result<Transcript, Stop> {
        let (_, _, transcript) = self.published(central)?;
        transcript.ok_or_else(|| Refusal::DrawnByBalls { draw: self.0 }.into())
    }

    /// A draw whose result is official, with what defines it and its transcript; real balls have none,
    /// since they follow from nothing that could be published.
    ///
    /// # Errors
    /// A refusal while it is not official or its secrets are not revealed, or a fault.
    pub fn published(
        self,
        central: &Central,
    ) -> Result<(DrawInfo, DrawContext, Option<Transcript>), Stop> {
        let draws = draw_range(central, self.0, self.0)?;
        let live = (draws.into_iter().next()).ok_or(Refusal::DrawUnknown { draw: self.0 })?;
        match live.state() {
            DrawState::Official | DrawState::Settled => {}
            DrawState::Scheduled | DrawState::Open => {
                return Err(Refusal::NotDrawnYet { draw: self.0 }.into());
            }
            // For good: nobody is told to wait.
            DrawState::Void => {
                let state = DrawState::Void.name();
                return Err(Refusal::DrawStepRefused { state }.into());
            }
            _ => return Err(Refusal::ResultNotOfficial { draw: self.0 }.into()),
        }
        let context = match context(central, &live) {
            Ok(context) => context,
            // A draw read back from rows does not hold the rule book's hash: its leaf does.
            Err(_) => context_from_leaf(central, &live)?,
        };
        if live.is_of_balls() {
            return Ok((live, context, None));
        }
        let named = hosts::records(central, &live)?;
        let beacon = |place: usize| {
            let key = named.get(place + 1).map_or("", |host| &host.key);
            beacon_in(key).to_owned()
        };
        let holders: Option<Vec<HolderRecord>> = live
            .holders()
            .iter()
            .enumerate()
            .map(|(place, holder)| {
                Some(HolderRecord {
                    name: holder.name.clone(),
                    commitment: holder.commitment?,
                    secret: holder.secret?,
                    beacon: beacon(place),
                })
            })
            .collect();
        let holders = holders.ok_or(Refusal::ResultNotOfficial { draw: self.0 })?;
        let mut transcript = Transcript::compute(context.clone(), holders)
            .map_err(|fault| Fault::Machine(fault.to_string()))?;
        transcript.hosts = named;
        Ok((live, context, Some(transcript)))
    }
}

fn context_from_leaf(central: &Central, live: &DrawInfo) -> Result<DrawContext, Fault> {
    let (_, leaf, _) = live
        .leaves()
        .iter()
        .rev()
        .find(|(kind, _, _)| *kind == EventKind::DrawStarted)
        .ok_or_else(|| Fault::Record(format!("draw {} has not started", live.number())))?;
    let mut reader = central.readers.get()?;
    let (started, _) = body_at::<DrawStarted>(&mut reader, *leaf)?;
    let (pool_size, drawn) = live.pool();
    Ok(DrawContext {
        house: central.house_code.clone(),
        draw: live.number(),
        log_size: started.seal_size,
        seal_root: started.seal_root,
        rule_book_hash: started.rule_book_hash,
        pool_size,
        drawn,
    })
}
