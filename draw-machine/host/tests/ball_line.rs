//! Simulated draws through frames and reader in memory, healthy and with each fault: no ball counts
//! that did not fall, and every fault is named.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::collections::BTreeMap;

use keno_draw::ball_line::{Content, Frame, Lines, NoFrame, Question, Said, Standing, read};
use keno_draw::ball_reader::{BallReader, Heard, Incident, SILENCE_MS, STALLED_MS};
use keno_draw_machine::simulator::{Answer, FAULTS, Fault, Simulator, Trouble};

const NOON: i64 = 1_790_000_000_000;
const DRAWN: usize = 20;

/// Draws; `BOULIER_CASES` says another number.
fn cases() -> u64 {
    let said = std::env::var("BOULIER_CASES").ok();
    said.map_or(20_000, |said| said.parse().unwrap())
}

/// What became of a draw.
#[derive(Debug)]
struct Outcome {
    balls: Vec<u8>,
    incidents: Vec<Incident>,
    is_complete: bool,
    has_stopped: bool,
}

/// Plays a draw to its end, or until nothing changes any more. Bytes come in pieces that the seed cuts.
fn play(machine: &mut Simulator, draw: u64, seed: u64) -> Outcome {
    let mut reader = BallReader::new(draw, (80, 20), Some("A".to_owned()), Vec::new(), 0);
    let mut lines = Lines::default();
    let (mut now, mut balls, mut incidents) = (0, Vec::new(), Vec::new());
    for turn in 0..2_000_u64 {
        let mut heard: Vec<Heard> = Vec::new();
        match machine.answer(reader.question(), NOON + now) {
            Answer::HangsUp => {
                lines.clear();
                heard.extend(reader.lose());
            }
            Answer::Bytes(bytes) => {
                // Something is left for the next turn, now and then.
                for byte in &bytes {
                    now += i64::from((seed ^ turn ^ u64::from(*byte)).is_multiple_of(7));
                    if let Some(line) = lines.take(*byte) {
                        heard.extend(reader.hear(read(line), now, NOON + now));
                    }
                }
            }
        }
        heard.extend(reader.wait(now));
        for one in heard {
            match one {
                Heard::Ball {
                    position, number, ..
                } => {
                    balls.push(number);
                    assert_eq!(balls.len(), usize::from(position));
                }
                Heard::Incident { incident, .. } => incidents.push(incident),
            }
        }
        if reader.is_complete() || reader.has_stopped() {
            break;
        }
        now += 100;
    }
    assert_eq!(balls, reader.balls());
    Outcome {
        balls,
        incidents,
        is_complete: reader.is_complete(),
        has_stopped: reader.has_stopped(),
    }
}

/// What a fault is called when it is noticed; none where it does no harm on this draw.
fn names(fault: Fault) -> &'static [Incident] {
    match fault {
        Fault::Repeated => &[Incident::BallRepeated],
        Fault::Zero | Fault::Beyond => &[Incident::BallOutside],
        Fault::Short => &[Incident::EndedShort],
        Fault::Changed => &[Incident::BallChanged, Incident::BallRepeated],
        Fault::FromZero => &[Incident::PlaceOutside],
        Fault::OtherSet => &[Incident::OtherSet],
        Fault::Stops => &[Incident::MachineStopped],
        Fault::Forgets => &[Incident::Forgotten],
        Fault::Cut | Fault::Flipped | Fault::Interleaved => {
            &[Incident::FrameBroken, Incident::Noise]
        }
        Fault::Doubled => &[Incident::FrameDoubled],
        Fault::Late => &[Incident::BallAhead, Incident::FrameDoubled],
        Fault::Noise => &[Incident::Noise, Incident::FrameBroken],
        Fault::Silent => &[Incident::Silent],
        Fault::Reconnects => &[Incident::ConnectionLost],
        Fault::Yesterday => &[Incident::OtherDraw],
        Fault::Clock => &[Incident::ClockWrong],
    }
}

fn stops(fault: Fault) -> bool {
    names(fault).iter().any(|name| name.stops())
}

#[test]
fn no_ball_counts_that_did_not_fall_and_every_fault_is_named() {
    let mut unnamed: BTreeMap<Fault, u64> = BTreeMap::new();
    let mut played: BTreeMap<Option<Fault>, u64> = BTreeMap::new();
    for seed in 0..cases() {
        let kinds = FAULTS.len() as u64 + 1;
        let fault = FAULTS.get((seed % kinds) as usize).map(|(fault, _)| *fault);
        let interval_ms = [0, 100, 350][(seed / kinds % 3) as usize];
        let draw = 1_000 + seed;
        let trouble = fault.map_or(Trouble::None, Trouble::Always);
        let mut machine = Simulator::new(seed, "A", interval_ms, trouble);
        let truth = machine.balls(draw);
        let outcome = play(&mut machine, draw, seed);
        let told = format!("{fault:?} seed {seed} every {interval_ms} ms: {outcome:?}");
        *played.entry(fault).or_default() += 1;
        assert!(truth.starts_with(&outcome.balls), "{told}");
        // A draw comes to its end, or it was stopped by name.
        assert!(outcome.is_complete != outcome.has_stopped, "{told}");
        assert!(
            !outcome.is_complete || outcome.balls.len() == DRAWN,
            "{told}"
        );
        let Some(fault) = fault else {
            assert!(outcome.incidents.is_empty(), "{told}");
            continue;
        };
        let known = names(fault);
        let is_named = outcome.incidents.iter().any(|one| known.contains(one));
        // What comes behind a frame that is lost is before its turn.
        let follows = [Incident::BallAhead];
        let mut others = outcome.incidents.iter();
        assert!(
            others.all(|one| known.contains(one) || follows.contains(one)),
            "{told}"
        );
        assert!(stops(fault) || outcome.is_complete, "{told}");
        *unnamed.entry(fault).or_default() += u64::from(!is_named);
    }
    // Where a fault touches nothing that is asked for (the last frame is cut behind its end, two
    // frames change places and both are right), there is nothing to name.
    for (fault, count) in unnamed {
        let of = played[&Some(fault)];
        let most = match fault {
            Fault::Cut | Fault::Flipped => of / 10,
            Fault::Forgets | Fault::Changed => of / 3 + of / 50 + 1,
            Fault::Late => of * 2 / 3 + 2,
            // A line end between two frames is no noise.
            Fault::Noise => of / 10_000 + 1,
            _ => 0,
        };
        assert!(count <= most, "{fault:?}: {count} of {of} were not named");
    }
}

#[test]
fn a_machine_that_begins_anew_unseen_is_found_out() {
    for seed in 0..500 {
        let mut reader = BallReader::new(7, (80, 20), None, Vec::new(), 0);
        let mut machine = Simulator::new(seed, "A", 100, Trouble::None);
        let hear = |reader: &mut BallReader, machine: &mut Simulator, now: i64| {
            let Answer::Bytes(bytes) = machine.answer(reader.question(), NOON + now) else {
                panic!("it hangs up");
            };
            let mut lines = Lines::default();
            let lines = bytes.iter().filter_map(|byte| lines.take(*byte));
            let heard = lines.flat_map(|line| reader.hear(read(line), now, NOON + now));
            heard.collect::<Vec<_>>()
        };
        for now in [0, 700] {
            hear(&mut reader, &mut machine, now);
        }
        assert_eq!(reader.balls().len(), 7);
        // The power was gone, and other balls have fallen since; more than central knows.
        let mut other = Simulator::new(seed + 1_000_000, "A", 100, Trouble::None);
        other.answer(reader.question(), NOON);
        assert!(reader.wait(700 + SILENCE_MS).is_some());
        let heard = hear(&mut reader, &mut other, 2_701);
        let named = heard
            .iter()
            .any(|one| matches!(one, Heard::Incident { incident, .. } if incident.stops()));
        assert!(
            named && reader.balls() == &machine.balls(7)[..7],
            "{seed}: {heard:?}"
        );
    }
}

/// A machine whose balls fall as a file says has them again after a start; of another draw it has none.
#[test]
fn what_lies_in_the_tubes_is_there_after_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let tubes = folder.path().join("tubes");
    let said = |draw: u64| {
        let mut machine = Simulator::new(11, "A", 0, Trouble::None).with_tubes(Some(tubes.clone()));
        let Answer::Bytes(bytes) = machine.answer(Question { draw, next: 1 }, NOON) else {
            panic!("it hangs up");
        };
        let mut lines = Lines::default();
        let lines = bytes.iter().filter_map(|byte| lines.take(*byte));
        let frames = lines.map(|line| read(line).unwrap().content);
        frames.collect::<Vec<_>>()
    };
    let nothing = [Content::Count {
        count: 0,
        standing: Standing::Alive,
    }];
    assert_eq!(said(5), nothing, "there is no file yet");
    std::fs::write(&tubes, "5 20\n").unwrap();
    let all = said(5);
    assert_eq!(all.len(), 21);
    assert_eq!(said(6), nothing);
    std::fs::write(&tubes, "5 3\n").unwrap();
    assert_eq!(said(5)[..3], all[..3]);
    assert_eq!(said(5).len(), 4);
}

#[test]
fn every_cut_of_the_stream_gives_the_same_balls_or_a_named_stop() {
    let mut machine = Simulator::new(11, "A", 0, Trouble::None);
    let truth = machine.balls(5);
    let whole = |machine: &mut Simulator, reader: &BallReader| match machine
        .answer(reader.question(), NOON)
    {
        Answer::Bytes(bytes) => bytes,
        Answer::HangsUp => panic!("it hangs up"),
    };
    let fresh = BallReader::new(5, (80, 20), None, Vec::new(), 0);
    let bytes = whole(&mut machine.clone(), &fresh);
    for cut in 0..=bytes.len() {
        let mut reader = fresh.clone();
        let mut lines = Lines::default();
        let mut hear = |reader: &mut BallReader, bytes: &[u8]| {
            for byte in bytes {
                if let Some(line) = lines.take(*byte) {
                    reader.hear(read(line), 0, NOON);
                }
            }
        };
        // Everything behind the cut is lost, and asked for again.
        hear(&mut reader, &bytes[..cut]);
        for _ in 0..4 {
            let more = whole(&mut machine, &reader);
            hear(&mut reader, &more);
        }
        assert!(
            reader.is_complete() && reader.balls() == truth,
            "cut at {cut}"
        );
    }
}

#[test]
fn what_is_no_frame_is_told_in_signs_that_can_be_shown() {
    let mut reader = BallReader::new(5, (80, 20), None, Vec::new(), 0);
    let line = [0_u8, 27, b'[', b'2', b'J', 200, b'a'].repeat(30);
    let noise: Result<Frame, NoFrame> = read(line);
    let heard = reader.hear(noise, 0, NOON);
    let [Heard::Incident { incident, said }] = heard.as_slice() else {
        panic!("{heard:?}");
    };
    assert_eq!((*incident, said.len()), (Incident::Noise, 64));
    assert!(said.bytes().all(|sign| (b' '..=b'~').contains(&sign)));
}

fn said(draw: u64) -> Said {
    Said {
        draw,
        set: "A".to_owned(),
        at_ms: 0,
    }
}

fn counts(draw: u64, count: u8) -> Frame {
    let standing = Standing::Alive;
    let content = Content::Count { count, standing };
    let said = said(draw);
    Frame { said, content }
}

fn ball(position: u8, number: u8) -> Frame {
    let content = Content::Ball { position, number };
    let said = said(5);
    Frame { said, content }
}

/// What keeps a line busy and leads to no ball is silence: people are not kept waiting by it.
#[test]
fn a_machine_that_says_nothing_of_use_is_silent() {
    let told: [(&str, Frame); 4] = [
        ("another draw", counts(4, 3)),
        ("balls that it counts and does not say", counts(5, 9)),
        ("a ball that was said", ball(1, 7)),
        ("a ball before its turn", ball(9, 70)),
    ];
    for (what, frame) in told {
        let mut reader = BallReader::new(5, (80, 20), None, Vec::new(), 0);
        reader.hear(Ok(ball(1, 7)), 0, NOON);
        for now in 0..SILENCE_MS {
            reader.hear(Ok(frame.clone()), now, NOON);
            assert_eq!(reader.wait(now), None, "{what}");
        }
        let silent = reader.wait(SILENCE_MS);
        let is_silent = |heard: &Heard| matches!(heard, Heard::Incident { incident, .. } if *incident == Incident::Silent);
        assert!(silent.as_ref().is_some_and(is_silent), "{what}");
    }
    // Asked for all of them again, it says that they are there, and none of them.
    let mut reader = BallReader::new(5, (80, 20), None, vec![7, 8, 9], 0);
    for now in 0..SILENCE_MS {
        reader.hear(Ok(counts(5, 3)), now, NOON);
    }
    assert!(reader.wait(SILENCE_MS).is_some());
    // One that waits for its next ball is heard, and has stalled after half a minute.
    let mut reader = BallReader::new(5, (80, 20), None, Vec::new(), 0);
    reader.hear(Ok(ball(1, 7)), 0, NOON);
    for now in 0..STALLED_MS {
        reader.hear(Ok(counts(5, 1)), now, NOON);
        assert!(reader.wait(now).is_none() && !reader.is_stalled(now));
    }
    assert!(reader.is_stalled(STALLED_MS));
    reader.hear(Ok(ball(2, 8)), STALLED_MS, NOON);
    assert!(!reader.is_stalled(STALLED_MS));
}

/// Each incident is told once, however often it happens: a flood writes nothing more.
#[test]
fn what_happens_again_is_told_once() {
    let mut reader = BallReader::new(5, (80, 20), None, Vec::new(), 0);
    let mut told = 0;
    for _ in 0..1_000 {
        told += reader.hear(read(vec![0]), 0, NOON).len();
        told += reader.hear(Ok(counts(4, 1)), 0, NOON).len();
    }
    assert_eq!(told, 2);
    // A number that no byte holds is outside, and not damaged.
    let line = b"B,5,1,261,A,0";
    let summed = [
        &line[..],
        format!(",{:08X}", crc32fast::hash(line)).as_bytes(),
    ]
    .concat();
    let heard = reader.hear(read(summed), 0, NOON);
    let [Heard::Incident { incident, .. }] = heard.as_slice() else {
        panic!("{heard:?}");
    };
    assert_eq!(*incident, Incident::BallOutside);
}
