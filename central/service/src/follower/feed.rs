//! Handing the log to its follower: entries under a checkpoint that covers them, with the proof that
//! they lead there, and asking what it says of the draws that wait.
//!
//! Central is held for no ask: a follower that hangs holds nothing up but itself.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use keno_game::DrawState;
use keno_line::follow::{Answer, Ask, DRAWS_MAX, ENTRIES_BYTES, More, OfDraw};
use keno_line::frame::Hex32;
use keno_line::server::Refused;
use keno_log::EventKind;
use keno_log::checkpoint::{Note, SignatureLine};
use keno_log::event::DrawFollowed;
use keno_log::follower::beginning;
use keno_log::proof::consistency_proof;
use keno_record::fault::chain;
use keno_record::log_tree::TreeReader;
use keno_record::sequencer::Lane;
use keno_record::store::log;
use keno_record::view::{DrawInfo, View};

use crate::central::Central;
use crate::central::follower_line::{Beginning, Feed, FollowerLine};
use crate::maintenance::{ENTRIES_A_READ, put_row};
use crate::{Fault, Refusal, Stop, bounds};

/// How long a follower that has everything is left alone.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How long one that is away, or refuses, is left alone.
const TRY_AGAIN: Duration = Duration::from_secs(5);

/// Central cannot read its own log.
const NOT_HANDED_OVER: &str = "not_handed_over";
/// The beginning is not signed for this house by the key that is pinned.
const BEGINNING_UNSIGNED: &str = "beginning_unsigned";
/// It has more entries than there are.
const OTHER_PAST: &str = "other_past";
/// What central says of a follower, and not the follower: it is over as soon as it is not so.
const OURS: [&str; 2] = [NOT_HANDED_OVER, BEGINNING_UNSIGNED];
/// It refuses by no name that can be told.
const UNNAMED: &str = "unnamed";
/// Signs of a refusal's name.
const NAME_MAX: usize = 64;
/// What a follower says that has another number of entries than it is asked to go on from.
const OTHER_SIZE: &str = "other_size";

/// What was asked and what came of it; or why central could not ask.
type Asked = Result<(Ask, io::Result<Answer>), Fault>;

fn ask(line: &FollowerLine, next: Result<Ask, Fault>) -> Asked {
    let ask = next?;
    let answer = line.host.answer(&ask);
    Ok((ask, answer))
}

/// Entries that nobody outside may have yet begin here: numbers before their moment, and what one
/// person alone has entered of a draw's balls.
fn withheld_from(view: &View) -> u64 {
    let from = |draw: &Arc<DrawInfo>| {
        let is_under_way = matches!(
            draw.state(),
            DrawState::Drawing | DrawState::Drawn | DrawState::Suspended
        );
        if !is_under_way {
            return None;
        }
        let (kind, after) = match draw.is_of_balls() {
            true => (EventKind::DrawStarted, 1),
            false => (EventKind::BallsRecorded, 0),
        };
        let mut leaves = draw.leaves().iter();
        let found = leaves.find(|(of, _, _)| *of == kind);
        found.map(|(_, leaf, _)| leaf + after)
    };
    let all = view.draws.values().filter_map(from);
    all.min().unwrap_or(u64::MAX)
}

impl FollowerLine {
    /// One ask and what comes of it: for how long the follower is left alone after it.
    pub fn turn(&self, central: &Central) -> Duration {
        let mut feed = self.feed.lock();
        let asked = ask(self, feed.next(central, self));
        feed.take(central, self, asked)
    }

    /// Feeds the follower on a thread of its own, until [`Self::stop`] or until central is gone.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(self: &Arc<Self>, central: &Arc<Central>) -> io::Result<()> {
        let (stop, stopped) = channel();
        let (weak, line) = (Arc::downgrade(central), Arc::clone(self));
        std::thread::Builder::new()
            .name("follower".to_owned())
            .spawn(move || run(&weak, &line, &stopped))?;
        *self.feeding.lock() = Some(stop);
        Ok(())
    }

    /// Asks nothing more.
    pub fn stop(&self) {
        drop(self.feeding.lock().take());
    }
}

impl Feed {
    /// What is asked next.
    fn next(&self, central: &Central, line: &FollowerLine) -> Result<Ask, Fault> {
        let Some(from) = self.size else {
            return Ok(Ask::State);
        };
        // In this order: what the picture shows of the leaves under the checkpoint is there.
        let Some(checkpoint) = central.checkpoint() else {
            return Ok(Ask::State);
        };
        let view = central.view.get();
        let until = checkpoint.size.min(withheld_from(&view));
        let mut reader = central.readers.get()?;
        let (mut bytes, mut next) = (Vec::new(), from);
        while next < until && bytes.len() < ENTRIES_BYTES {
            let left = i64::try_from(until - next).unwrap_or(i64::MAX);
            let rows = log::entries(&mut reader, next, left.min(ENTRIES_A_READ))?;
            if rows.is_empty() {
                return Err(Fault::Record(format!("leaf {next} is missing")));
            }
            for row in &rows {
                if bytes.len() >= ENTRIES_BYTES {
                    break;
                }
                put_row(row, &mut bytes)?;
                next += 1;
            }
        }
        let draws = asked_of(line, &view, next);
        if bytes.is_empty() && draws.is_empty() {
            return Ok(Ask::State);
        }
        let mut tree = TreeReader::new(&mut reader, &central.tile_roots, checkpoint.size);
        let proof = consistency_proof(next, checkpoint.size, &mut |level, index| {
            tree.node(level, index)
        });
        let proof = proof.map_err(|broken| Fault::Record(broken.to_string()))?;
        Ok(Ask::Follow(Box::new(More {
            from,
            entries: STANDARD.encode(&bytes),
            checkpoint: checkpoint.note.clone(),
            consistency: proof.into_iter().map(Hex32).collect(),
            draws,
        })))
    }

    fn take(&mut self, central: &Central, line: &FollowerLine, asked: Asked) -> Duration {
        let (ask, answer) = match asked {
            Ok(asked) => asked,
            Err(fault) => return self.not_handed_over(line, &fault),
        };
        let now_ms = central.clock.monotonic_ms();
        let taken = match (answer, ask) {
            (Err(fault), _) => Err(fault.to_string()),
            // Somebody else answers by now, who has other entries.
            (Ok(Answer::Refused(refused)), _) if refused.name == OTHER_SIZE => {
                self.size = None;
                return Duration::ZERO;
            }
            (Ok(Answer::Refused(refused)), _) => {
                let Refused { name, words } = refused;
                let name = name_of(&name);
                line.hear(|heard| {
                    heard.at_ms = now_ms;
                    heard.refuses = Some(Refused::new(&name, bounds::cut(&words)));
                });
                Err(name)
            }
            (
                Ok(Answer::State {
                    size,
                    began,
                    signature,
                    ..
                }),
                Ask::State,
            ) => {
                let own = Beginning {
                    began: began.0,
                    signature,
                };
                self.heard_state(central, line, (size, own), now_ms)
            }
            (
                Ok(Answer::Followed {
                    size,
                    cosignature,
                    draws,
                }),
                Ask::Follow(more),
            ) => {
                let handed = !more.entries.is_empty();
                // Whoever takes entries and has no more than before would be handed the log forever.
                if handed && self.size.is_some_and(|before| size <= before) {
                    return self.troubled("it takes entries, and does not have them".to_owned());
                }
                self.size = Some(size);
                line.hear(|heard| {
                    (heard.at_ms, heard.size, heard.refuses) = (now_ms, size, None);
                });
                take_cosignature(central, &more, cosignature);
                let mut asked_for = draws.iter().filter(|said| more.draws.contains(&said.draw));
                asked_for
                    .try_for_each(|said| record(central, line, said))
                    .map(|()| if handed { Duration::ZERO } else { LOOK_EVERY })
                    .map_err(|stop| match stop {
                        Stop::Refused(refusal) => refusal.name().to_owned(),
                        Stop::Broke(fault) | Stop::Undone(fault) => chain(&fault),
                    })
            }
            _ => Err("it answers what was not asked".to_owned()),
        };
        match taken {
            Ok(pause) => {
                self.trouble = None;
                pause
            }
            Err(why) => self.troubled(why),
        }
    }

    /// It says how far it has come: whoever has the key has signed that.
    fn heard_state(
        &mut self,
        central: &Central,
        line: &FollowerLine,
        (size, own): (u64, Beginning),
        now_ms: i64,
    ) -> Result<Duration, String> {
        let text = beginning(&central.house_code, &own.began);
        let newest = central.checkpoint();
        let refused = if !SignatureLine::is_under(&own.signature, &text, line.host.key()) {
            let words = "it is not signed for this house under its name: look at house and host in \
                         its settings";
            Some(Refused::new(BEGINNING_UNSIGNED, words.to_owned()))
        } else {
            // More than there is was never handed over by this record.
            newest.filter(|newest| size > newest.size).map(|newest| {
                let words = format!("it has {size} entries, and the log {}", newest.size);
                Refused::new(OTHER_PAST, words)
            })
        };
        line.hear(|heard| {
            heard.at_ms = now_ms;
            // A refusal of its own stands until it takes something, or until it has begun anew.
            let is_own = |refused: &Refused| !OURS.contains(&refused.name.as_str());
            let is_same = heard.beginning.as_ref() == Some(&own);
            heard.refuses = match &refused {
                Some(refused) => Some(refused.clone()),
                None => heard.refuses.take().filter(|it| is_same && is_own(it)),
            };
            if refused
                .as_ref()
                .is_none_or(|it| it.name != BEGINNING_UNSIGNED)
            {
                heard.size = size;
                heard.beginning = Some(own);
            }
        });
        if let Some(refused) = refused {
            return Err(refused.name);
        }
        let is_new = self.size.replace(size) != Some(size);
        Ok(if is_new { Duration::ZERO } else { LOOK_EVERY })
    }

    /// Central itself cannot read what it would hand over: nobody is to take that for a follower that
    /// goes on.
    fn not_handed_over(&mut self, line: &FollowerLine, fault: &Fault) -> Duration {
        let words = chain(fault);
        let refused = Refused::new(NOT_HANDED_OVER, bounds::cut(&words));
        line.hear(|heard| heard.refuses = Some(refused));
        self.troubled(words)
    }

    fn troubled(&mut self, why: String) -> Duration {
        self.size = None;
        if self.trouble.as_ref() != Some(&why) {
            tracing::warn!(%why, "the follower of the log does not go on");
            self.trouble = Some(why);
        }
        TRY_AGAIN
    }
}

/// Draws of which the follower is asked what it says, once it has so many entries: it is on record,
/// and where it said that one differs, it began anew since.
fn asked_of(line: &FollowerLine, view: &View, size: u64) -> Vec<u64> {
    let following = &view.following;
    if !line.heard().is_on_record(line, following) {
        return Vec::new();
    }
    let waiting = following.waiting.iter();
    waiting
        .filter(|(_, waiting)| waiting.size <= size && following.has_begun_since(waiting))
        .map(|(draw, _)| *draw)
        .take(DRAWS_MAX)
        .collect()
}

/// The name of a refusal as it may stand in an alarm: those of our own follower do.
fn name_of(name: &str) -> String {
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    match name.len() <= NAME_MAX && !name.is_empty() && name.bytes().all(is_name) {
        true => name.to_owned(),
        false => UNNAMED.to_owned(),
    }
}

/// Keeps its cosignature of the checkpoint, where that holds.
fn take_cosignature(central: &Central, more: &More, cosignature: Option<String>) {
    let note = |line: &str| {
        let mut note = Note::parse(&more.checkpoint).ok()?;
        note.add(SignatureLine::parse(line).ok()?).ok()?;
        Some(note.to_string())
    };
    let Some(note) = cosignature.and_then(|line| note(&line)) else {
        return;
    };
    if let Err(Stop::Broke(fault) | Stop::Undone(fault)) =
        central.cosignatures.take_often(central, &note)
    {
        tracing::warn!(fault = %chain(&fault), "a cosignature could not be kept");
    }
}

/// Records what the follower says of a draw; nothing where the draw does not wait for it any more.
fn record(central: &Central, line: &FollowerLine, said: &OfDraw) -> Result<(), Stop> {
    let body = DrawFollowed {
        draw: said.draw,
        finding: said.finding.clone(),
        entry: said.entry,
        signature: said.signature.clone(),
    };
    let key = line.host.key().clone();
    central.sequencer.submit_blocking(Lane::Draw, move |judge| {
        let following = &judge.state.following;
        let house = judge.state.house()?.code.as_str();
        let (Some(_), Some(last)) = (following.waiting.get(&body.draw), &following.last) else {
            return Ok(());
        };
        let is_right = last.key == key.to_string() && following.has_said(house, &body);
        if !is_right {
            return Err(Refusal::NobodyBegins.into());
        }
        judge.record(body.clone())?;
        Ok(())
    })
}

fn run(central: &Weak<Central>, line: &FollowerLine, stopped: &Receiver<()>) {
    let mut pause = Duration::ZERO;
    loop {
        match stopped.recv_timeout(pause) {
            Err(RecvTimeoutError::Timeout) | Ok(()) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let next = |central: Arc<Central>| line.feed.lock().next(&central, line);
        let Some(next) = central.upgrade().map(next) else {
            return;
        };
        let asked = ask(line, next);
        let Some(central) = central.upgrade() else {
            return;
        };
        pause = line.feed.lock().take(&central, line, asked);
    }
}
