//! The clock: behind the record, silent for a day, or jumping.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;

use keno_log::Event;
use keno_record::clock::{Clock, ManualClock, Moment};
use keno_record::record::OpenRecordFault;
use keno_record::recover::DoubtfulPast;
use keno_record::store::log;
use keno_service::central::OpenCentralFault;
use keno_service::draw::Conductor;
use keno_service::refusal::Refusal;
use keno_service::{Stop, draw};

use crate::doubtful_past::{open, refused, stopped_house};
use crate::support::House;

#[test]
fn a_clock_behind_the_record_is_refused() {
    let house = stopped_house();
    house.clock.jump(-2_001);
    let fault = refused(
        &house,
        &["2 s before the last leaf", "Set the clock of this machine"],
    );
    assert!(matches!(
        fault,
        OpenCentralFault::Record(OpenRecordFault::Past(DoubtfulPast::ClockBehind {
            seconds: 2
        }))
    ));
    house.clock.jump(-86_400_000);
    refused(&house, &["86402 s before the last leaf"]);
    // Less than a breath is waited out, and no leaf is dated before another.
    house.clock.jump(86_400_000 + 1);
    let central = open(&house).unwrap();
    draw::suspend_sales(&central, "essai", "S1").unwrap();
    drop(central);
    let mut connection = house.record().open_reader().unwrap();
    let rows = log::entries(&mut connection, 0, i64::MAX).unwrap();
    let times: Vec<i64> = rows
        .iter()
        .map(|row| log::checked_entry(row).unwrap().0.leaf.header.at_ms)
        .collect();
    assert!(times.is_sorted(), "{times:?}");
}

fn refusal<T: std::fmt::Debug>(outcome: Result<T, Stop>) -> Refusal {
    match outcome {
        Err(Stop::Refused(refusal)) => refusal,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Nothing is closed, drawn or expired until two people have looked at the clock.
fn assert_halted_until_two_people_confirm(house: &mut House) {
    let leaves = house.events().len();
    assert_eq!(Conductor::tick(&house.central), 0, "the schedule is halted");
    assert_eq!(house.events().len(), leaves);
    assert_eq!(
        refusal(draw::confirm_schedule(&house.central, "S1", "S1")),
        Refusal::SamePersonTwice
    );
    assert!(house.central.view.get().schedule_halted.is_some());
    // A restart does not end the halt.
    house.restart();
    assert_eq!(
        Conductor::tick(&house.central),
        0,
        "the schedule is still halted"
    );
    draw::confirm_schedule(&house.central, "S1", "S2").unwrap();
    assert_eq!(
        refusal(draw::confirm_schedule(&house.central, "S1", "S2")),
        Refusal::NotHalted
    );
    assert!(Conductor::tick(&house.central) > 0, "the schedule goes on");
}

#[test]
fn a_start_after_a_day_of_silence_halts_the_schedule() {
    const DAY_MS: i64 = 86_400_000;
    let mut house = House::new(None);
    house.clerk(1, "C1");
    house.stop();
    // A day to the millisecond is not more than a day.
    house.clock.advance(DAY_MS);
    house.central = open(&house).unwrap().into();
    let central = Arc::clone(&house.central);
    assert!(!Conductor::check_silence(&central, central.last_at_start_ms()).unwrap());
    drop(central);
    house.stop();
    house.clock.advance(DAY_MS + 1);
    house.central = open(&house).unwrap().into();
    let central = Arc::clone(&house.central);
    assert!(Conductor::check_silence(&central, central.last_at_start_ms()).unwrap());
    drop(central);
    let halted = house.events().into_iter().find_map(|event| match event {
        Event::ScheduleHalted(halted) => Some(halted),
        _ => None,
    });
    assert_eq!(halted.unwrap().reason, 2);
    assert_halted_until_two_people_confirm(&mut house);
    // A new house has no silence behind it.
    let new = House::new(None);
    assert_eq!(new.central.last_at_start_ms(), 0);
    assert!(!Conductor::check_silence(&new.central, 0).unwrap());
}

/// A clock that jumps at the worst moment: just after its second reading by the conductor.
struct Jumping {
    clock: Arc<ManualClock>,
    looks: AtomicU64,
    jump_ms: i64,
    told: std::sync::Mutex<std::sync::mpsc::Sender<u64>>,
}

impl Clock for Jumping {
    fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// The conductor alone asks for this, once at each look, after it read the time.
    fn monotonic_ms(&self) -> i64 {
        let looks = self.looks.fetch_add(1, Ordering::SeqCst) + 1;
        if looks == 2 {
            self.clock.jump(self.jump_ms);
        }
        let _ = self.told.lock().unwrap().send(looks);
        self.clock.monotonic_ms()
    }

    fn until(&self, monotonic_ms: i64) -> Moment<'_> {
        self.clock.until(monotonic_ms)
    }
}

/// Nothing is decided by the time that the clock jumped to, however little after a look the jump
/// comes. Seen to fail: with the conductor's call of `jumped` removed (a hundred looks, no
/// halt); with the steps reading the clock for themselves (draws closed by the jump).
#[test]
fn a_clock_that_jumps_halts_the_schedule() {
    for jump_ms in [86_400_000, -60_000] {
        let mut house = House::new(None);
        let (told, looks) = channel();
        let clock = Arc::new(Jumping {
            clock: Arc::clone(&house.clock),
            looks: AtomicU64::new(0),
            jump_ms,
            told: std::sync::Mutex::new(told),
        });
        house.restart_with(|options| options.clock = clock);
        let conductor = Conductor::start(Arc::clone(&house.central)).unwrap();
        while house.central.view.get().schedule_halted.is_none() {
            assert!(looks.recv().unwrap() < 100, "the jump was not seen");
        }
        conductor.stop();
        drop(conductor);
        let events = house.events();
        let closed = events
            .iter()
            .any(|event| matches!(event, Event::DrawClosed(_)));
        assert!(!closed, "a draw was closed by the jump");
        let halted = events.iter().find_map(|event| match event {
            Event::ScheduleHalted(halted) => Some(halted),
            _ => None,
        });
        let halted = halted.unwrap();
        assert_eq!(halted.reason, 1);
        assert_eq!(halted.seen_ms - halted.expected_ms, jump_ms);
        if jump_ms > 0 {
            assert_halted_until_two_people_confirm(&mut house);
        }
    }
}
