//! A small house for tests: two terminals, clerks, supervisors, a clock that moves when told.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "support code that each test uses in part, and whose failures are the test's"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keno_audit::Outside;
use keno_game::{
    Cents, ConditioningAsked, ControlNumber, Pick, PrintMeans, SelectionType, Slip, SlipSelection,
};
use keno_house_builder::{NewHouse, exported, is_over, until_draw};
use keno_log::event::TicketCancelled;
use keno_record::clock::ManualClock;
use keno_record::paper_code::{Shown, WholeCode};
use keno_record::roles::{DeviceRole, Role};
use keno_record::sequencer::CommitHook;
use keno_record::view::DrawInfo;
use keno_service::Central;
use keno_service::Stop;
use keno_service::authority::identity::{Caller, DeviceCaller};
use keno_service::central::Options;
use keno_service::counter::{
    CancelOrder, CountOrder, Named, Paper, Recorded, SellOrder, SlipOrder, Sold, TillMovementKind,
    TillOrder,
};
use keno_service::draw::Draw;
use keno_service::staff::{DeviceNumber, Recognised};
use keno_testing::copy_folder;

pub use keno_house_builder::{NOON_MS, RULES};

/// The draw desk, where a test has recorded it.
pub const DESK: u32 = 41;

/// Somebody at the draw desk: a marker by an M, a verifier by any other badge.
pub fn at_the_desk(badge: &str) -> Caller {
    let role = match badge.starts_with('M') {
        true => Role::Marker,
        false => Role::Verifier,
    };
    Caller {
        device: DeviceCaller {
            device: DESK,
            role: DeviceRole::Desk,
            name: "P01".to_owned(),
        },
        session: 0,
        badge: badge.to_owned(),
        roles: vec![role.number()],
    }
}

/// Central, while it runs.
pub struct Running(Option<Arc<Central>>);

impl From<Arc<Central>> for Running {
    fn from(central: Arc<Central>) -> Self {
        Self(Some(central))
    }
}

impl std::ops::Deref for Running {
    type Target = Arc<Central>;

    fn deref(&self) -> &Arc<Central> {
        self.0.as_ref().expect("central is stopped")
    }
}

/// A house on a database.
pub struct House {
    pub folder: tempfile::TempDir,
    pub clock: Arc<ManualClock>,
    pub central: Running,
    pub database: Option<String>,
    counter: std::cell::Cell<u64>,
}

/// The options of every house here: SQLite unless an address is given.
pub fn options(folder: &Path, clock: &Arc<ManualClock>, database: Option<&str>) -> Options {
    let file = keno_house_builder::house_file(database).unwrap();
    keno_house_builder::options(folder, clock, file)
}

impl House {
    /// A founded house with rules, people, terminals T01 and T02, and draws on sale.
    pub fn new(database: Option<&str>) -> Self {
        Self::with(database, None)
    }

    pub fn with(database: Option<&str>, hook: Option<Box<dyn CommitHook>>) -> Self {
        Self::with_rules(database, hook, RULES)
    }

    pub fn with_rules(
        database: Option<&str>,
        hook: Option<Box<dyn CommitHook>>,
        rules: &str,
    ) -> Self {
        Self::founded(database, rules, |options| options.hook = hook)
    }

    /// As [`Self::new`], with other rules, and `change` made to the options before the opening.
    pub fn founded(database: Option<&str>, rules: &str, change: impl FnOnce(&mut Options)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::at(NOON_MS));
        let mut options = options(folder.path(), &clock, database);
        change(&mut options);
        let house = NewHouse {
            rules: Some(rules.to_owned()),
            ..NewHouse::default()
        };
        let central = keno_house_builder::found(options, &house).unwrap().central;
        Self {
            folder,
            clock,
            central: central.into(),
            database: database.map(str::to_owned),
            counter: std::cell::Cell::new(0),
        }
    }

    /// Stops central and starts it again on the same folder.
    pub fn restart(&mut self) {
        self.restart_with(|_| {});
    }

    /// As [`Self::restart`], with `change` made to the options before the opening.
    pub fn restart_with(&mut self, change: impl FnOnce(&mut Options)) {
        let folder = self.path();
        self.stop();
        let mut options = options(&folder, &self.clock, self.database.as_deref());
        change(&mut options);
        self.central = Central::open(options).unwrap().into();
    }

    /// A second house on a copy of the folder, with a clock of its own at the same moment; both
    /// are opened again, so that both records go on with the same leaf.
    pub fn twin(&mut self) -> Self {
        assert!(self.database.is_none(), "a folder is copied, not a server");
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::at(self.clock_ms()));
        self.stop();
        copy_folder(self.folder.path(), folder.path()).unwrap();
        let open = |folder: &Path, clock: &Arc<ManualClock>| {
            Running::from(Central::open(options(folder, clock, None)).unwrap())
        };
        self.central = open(self.folder.path(), &self.clock);
        Self {
            central: open(folder.path(), &clock),
            folder,
            clock,
            database: None,
            counter: self.counter.clone(),
        }
    }

    /// A house on a folder that holds one already, stopped, at a moment of its own.
    pub fn open_on(
        folder: tempfile::TempDir,
        now_ms: i64,
        change: impl FnOnce(&mut Options),
    ) -> Self {
        let clock = Arc::new(ManualClock::at(now_ms));
        let mut options = options(folder.path(), &clock, None);
        change(&mut options);
        Self {
            central: Central::open(options).unwrap().into(),
            folder,
            clock,
            database: None,
            counter: std::cell::Cell::new(1_000),
        }
    }

    /// The moment that the house's clock shows.
    pub fn clock_ms(&self) -> i64 {
        keno_record::clock::Clock::now_ms(self.clock.as_ref())
    }

    /// Where the record is.
    pub fn record(&self) -> keno_schema::Database {
        self.database.as_deref().map_or_else(
            || keno_schema::Database::Sqlite(self.folder.path().join("keno.sqlite")),
            keno_schema::Database::parse,
        )
    }

    /// What the writer holds in memory, as text.
    pub fn remembered(&self) -> Vec<String> {
        self.central
            .sequencer
            .submit_blocking(keno_record::sequencer::Lane::Draw, |judge| {
                Ok::<_, keno_service::Stop>(judge.state.fingerprint())
            })
            .unwrap()
    }

    /// What a start would make of the record as it now is on the disk, as text.
    pub fn recovered(&self) -> Vec<String> {
        let mut connection = self.record().open_reader().unwrap();
        let anchors = vec![self.folder.path().join("anchors.log")];
        let recovered =
            keno_record::recover::recover(&mut connection, &anchors, None, self.clock_ms())
                .unwrap();
        recovered.fingerprint()
    }

    /// The cash that the record expects in a till, as the writer knows it: the readers' picture
    /// does not follow every sale.
    pub fn expected_cents(&self, device: u32) -> i64 {
        self.central
            .sequencer
            .submit_blocking(keno_record::sequencer::Lane::Draw, move |judge| {
                let mut tills = judge.state.shifts.values();
                Ok::<_, keno_service::Stop>(
                    tills
                        .find(|till| till.device == device)
                        .unwrap()
                        .expected_cents,
                )
            })
            .unwrap()
    }

    /// Every fact of the record, in order.
    pub fn events(&self) -> Vec<keno_log::Event> {
        self.events_from(0)
    }

    /// Every fact from a leaf on.
    pub fn events_from(&self, first: u64) -> Vec<keno_log::Event> {
        let mut connection = self.record().open_reader().unwrap();
        keno_record::store::log::entries(&mut connection, first, i64::MAX)
            .unwrap()
            .iter()
            .map(|row| {
                let (entry, _) = keno_record::store::log::checked_entry(row).unwrap();
                entry.event().unwrap()
            })
            .collect()
    }

    /// Stops central: the folder can be opened by another.
    pub fn stop(&mut self) {
        let old = self.central.0.take().map(Arc::try_unwrap);
        assert!(!matches!(old, Some(Err(_))), "central is still in use");
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Signs a clerk on at a terminal with a float of 500.00.
    pub fn clerk(&self, device: u32, badge: &str) -> Caller {
        let view = self.central.view.get();
        let device = DeviceCaller {
            device,
            role: DeviceRole::Counter,
            name: view.devices[&device].name.clone(),
        };
        let person = Recognised {
            badge: badge.to_owned(),
            roles: view.people[badge].roles.clone(),
            credential: None,
        };
        let opened = wait(person.sign_on(&self.central, &device)).unwrap();
        let caller = Caller {
            device,
            session: opened.session,
            badge: badge.to_owned(),
            roles: person.roles,
        };
        if opened.shift.is_none() {
            wait(caller.open_shift(&self.central, 50_000)).unwrap();
        }
        caller
    }

    /// The auditor at the audit office, whose pages have sessions of their own.
    pub fn auditor(&self) -> Caller {
        Caller {
            device: DeviceCaller {
                device: 5,
                role: DeviceRole::Audit,
                name: "O01".to_owned(),
            },
            session: 0,
            badge: "A1".to_owned(),
            roles: vec![Role::Auditor.number()],
        }
    }

    /// The same person where the terminal is recorded as a counter of the main cage: signed on anew,
    /// with the till that was open.
    pub fn at_the_cage(&self, caller: &Caller) -> Caller {
        let device = DeviceCaller {
            role: DeviceRole::Cage,
            ..caller.device.clone()
        };
        let role = device.role.number();
        DeviceNumber(device.device)
            .record(&self.central, &device.name, role, ("X1", "X2"))
            .unwrap();
        let person = Recognised {
            badge: caller.badge.clone(),
            roles: caller.roles.clone(),
            credential: None,
        };
        let opened = wait(person.sign_on(&self.central, &device)).unwrap();
        Caller {
            device,
            session: opened.session,
            ..caller.clone()
        }
    }

    pub fn next_counter(&self) -> u64 {
        self.counter.set(self.counter.get() + 1);
        self.counter.get()
    }

    /// The order of a slip at its price, paid exactly.
    pub fn order(&self, caller: &Caller, slip: Slip, first_draw: Option<u64>) -> SellOrder {
        let order = SlipOrder { slip, first_draw };
        let total = order
            .quote(&self.central)
            .map_or(0, |quote| quote.priced.total.get());
        SellOrder {
            counter: self.next_counter(),
            session: caller.session,
            order,
            tender: "cash".to_owned(),
            received_cents: total,
            total_cents: total,
            intake: "slip".to_owned(),
            replay_of: None,
        }
    }

    pub fn sell(&self, caller: &Caller, slip: Slip) -> Sold {
        let order = self.order(caller, slip, None);
        wait(order.sell(&self.central, caller)).unwrap()
    }

    /// Someone whose PIN was right.
    pub fn person(&self, badge: &str) -> Recognised {
        Recognised {
            badge: badge.to_owned(),
            roles: self.central.view.get().people[badge].roles.clone(),
            credential: None,
        }
    }

    /// A count of a till in the middle of its shift.
    pub fn count_order(&self, caller: &Caller, counted_cents: i64) -> CountOrder {
        CountOrder {
            counted_cents,
            reason: "monnaie contestée".to_owned(),
            second: self.till_order(caller, TillMovementKind::Fill).second,
        }
    }

    /// A fill of 100.00 or a drop of 40.00 with the supervisor S1 beside.
    pub fn till_order(&self, caller: &Caller, kind: TillMovementKind) -> TillOrder {
        TillOrder {
            counter: self.next_counter(),
            session: caller.session,
            kind,
            amount_cents: match kind {
                TillMovementKind::Fill => 10_000,
                TillMovementKind::Drop => 4_000,
            },
            second: self.person("S1"),
        }
    }

    /// Cancels a ticket: alone, as far as one person does.
    pub fn cancel(&self, clerk: &Caller, sold: &Sold) -> Result<Recorded<TicketCancelled>, Stop> {
        cancel(&self.central, clerk, &self.paper(sold), self.next_counter())
    }

    /// The paper of a ticket, copy 1.
    pub fn paper(&self, sold: &Sold) -> Paper {
        self.paper_copy(sold, 1)
    }

    pub fn number(&self, sold: &Sold) -> ControlNumber {
        Paper::control_number(&self.central, sold.ticket)
    }

    pub fn paper_copy(&self, sold: &Sold, copy: u8) -> Paper {
        Paper::shown(
            &self.central,
            self.number(sold),
            &Shown::Whole(self.whole(sold, copy)),
        )
    }

    /// What the QR of a copy says.
    pub fn whole(&self, sold: &Sold, copy: u8) -> WholeCode {
        Paper::whole_code(
            &self.central,
            sold.sold.secret_key,
            &self.number(sold),
            copy,
        )
        .unwrap()
    }

    /// The paper of a copy, with a secret that is not its.
    pub fn forged(&self, sold: &Sold, copy: u8) -> Paper {
        let mut secret = self.whole(sold, copy).secret;
        secret[0] ^= 1;
        Paper::shown(&self.central, self.number(sold), &Shown::Secret(secret))
    }

    /// Lets time pass until the draw is settled (or void), a second at a time, for an hour at most.
    pub fn until_settled(&self, draw: u64) {
        until_draw(&self.central, &self.clock, (draw, 3_600), is_over).unwrap();
    }

    /// Brings a draw that is closed to where it is settled next.
    pub fn until_official(&self, draw: u64) {
        let central = &self.central;
        Draw(draw).start(central).unwrap();
        Draw(draw).record_balls(central).unwrap();
        Draw(draw)
            .certify(central, vec!["guard".to_owned()])
            .unwrap();
        Draw(draw).reveal_secrets(central).unwrap();
    }

    /// Lets time pass until sales of the draw are closed.
    pub fn until_closed(&self, draw: u64) {
        let closed = |draw: &DrawInfo| draw.is_sealed();
        until_draw(&self.central, &self.clock, (draw, 3_600), closed).unwrap();
    }

    /// The second computation reads the whole record and finds nothing.
    pub fn audit_holds(&self) {
        let bytes = exported(&self.central).unwrap();
        let (outside, options) = (Outside::default(), keno_audit::Options::default());
        let outcome = keno_audit::verify(&bytes[..], outside, options).unwrap();
        assert_eq!(outcome.findings, []);
    }

    pub fn confirm(&self, caller: &Caller, sold: &Sold) {
        wait(
            caller
                .device
                .confirm_print(&self.central, sold.ticket, 1, PrintMeans::Printer),
        )
        .unwrap();
    }

    pub fn next_draw(&self) -> u64 {
        self.central.view.get().next_open().unwrap().number()
    }
}

/// A straight selection.
pub fn straight(numbers: &[u8], wager_cents: i64) -> SlipSelection {
    SlipSelection {
        game: "keno".to_owned(),
        kind: SelectionType::Straight,
        pick: Pick::Numbers {
            groups: vec![numbers.to_vec()],
            kings: Vec::new(),
        },
        conditioning: Vec::new(),
        wager: Some(Cents::new(wager_cents)),
    }
}

/// A quick pick.
pub fn quick(spots: u8, wager_cents: i64) -> SlipSelection {
    SlipSelection {
        pick: Pick::Quick { spots },
        ..straight(&[], wager_cents)
    }
}

/// The way selection 2/4 + 1/8.
pub fn two_fours_one_eight(wager_cents: i64) -> SlipSelection {
    SlipSelection {
        game: "keno".to_owned(),
        kind: SelectionType::Way,
        pick: Pick::Numbers {
            groups: vec![vec![3, 14, 22, 29], vec![40, 51, 66, 80]],
            kings: Vec::new(),
        },
        conditioning: vec![
            ConditioningAsked {
                ways: Some(2),
                spots: 4,
                wager: Cents::new(wager_cents),
            },
            ConditioningAsked {
                ways: Some(1),
                spots: 8,
                wager: Cents::new(wager_cents),
            },
        ],
        wager: None,
    }
}

/// Twenty tickets over all the numbers of the pool, four to a ticket, for so many draws.
pub fn whole_pool(house: &House, clerk: &Caller, draws: u16) -> Vec<Sold> {
    let tickets = (0..20_u8).map(|n| {
        let four = (1..=4).map(|of| straight(&[n * 4 + of], 100)).collect();
        let sold = house.sell(clerk, slip(four, draws));
        house.confirm(clerk, &sold);
        sold
    });
    tickets.collect()
}

pub fn slip(selections: Vec<SlipSelection>, draws: u16) -> Slip {
    Slip { selections, draws }
}

/// Waits for a future on this thread.
pub fn wait<F: std::future::Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

/// Asserts that two fingerprints are the same; says only where they differ.
#[track_caller]
pub fn assert_same(one: &[String], other: &[String], what: &str) {
    let only = |of: &[String], not: &[String]| -> Vec<String> {
        of.iter()
            .filter(|line| !not.contains(line))
            .cloned()
            .collect()
    };
    let (left, right) = (only(one, other), only(other, one));
    assert!(
        left.is_empty() && right.is_empty(),
        "{what}:\n  {}\nthere, and here\n  {}",
        left.join("\n  "),
        right.join("\n  ")
    );
    assert_eq!(one.len(), other.len(), "{what}: a line is repeated");
}

/// Cancels a ticket with its paper, alone.
pub fn cancel(
    central: &Central,
    clerk: &Caller,
    paper: &Paper,
    counter: u64,
) -> Result<Recorded<TicketCancelled>, Stop> {
    let order = CancelOrder {
        counter,
        session: clerk.session,
        named: Named::from(paper),
        reason: "changed_mind".to_owned(),
        second: None,
    };
    wait(order.cancel(central, clerk))
}
