//! What hangs on a counter: the roll, the drawer, printers on lines that come and go.

use std::time::Duration;

use keno_house_tests::counter::Counter;
use keno_house_tests::fake_printer::{FakePrinter, Way};
use keno_house_tests::house::House;
use keno_house_tests::paper::text;
use keno_terminal::exit::Exit;
use keno_terminal::journal::PaperState;
use keno_terminal::printer::settings::Equipment;
use keno_terminal::printer::trial::try_printer;
use keno_terminal::printer::{
    Confirmation, Drawer, Driver, PrinterFault, Timing, condition, drawer::DrawerPin, open_drawer,
};
use keno_terminal::virtual_printer::Fault;

use crate::{straight, sure_win};

/// Where an answer comes, however busy the machine is.
fn patient() -> Timing {
    let minute = Duration::from_secs(60);
    Timing {
        connect: minute,
        status: minute,
        confirmation: minute,
        ..Timing::default()
    }
}

const DRAWER: Drawer = Drawer {
    pin: DrawerPin::Two,
    is_open_high: None,
};

#[test]
fn a_roll_near_its_end_is_told_before_the_sale_with_a_rough_count() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let printer = FakePrinter::new(Way::Network, 576);
    counter.other_printer = Some(printer.driver());
    counter.equipment.near_end_tickets = Some(12);
    let done = counter.agent_sells("", &straight(&[7], 100, 1));
    assert!(!done.notes.contains("Bientôt plus de papier"));
    printer.mechanism(|one| one.is_near_end = true);
    counter
        .agent_sells("", &straight(&[7], 100, 1))
        .ended(Exit::Done)
        .said(&[
            "Bientôt plus de papier : environ 12 billets.",
            "The roll is near its end: about 12 tickets.",
        ]);
    counter
        .agent_status("")
        .said(&["Bientôt plus de papier : environ 12 billets."]);
}

#[test]
fn the_drawer_opens_when_cash_moves_and_only_where_there_is_one() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let printer = FakePrinter::new(Way::Serial, 576);
    let pulses = || {
        printer.settle();
        printer.mechanism(|one| (one.pulses, one.strange))
    };
    counter.other_printer = Some(printer.driver());
    counter.agent_sells("", &sure_win(50, 1)).ended(Exit::Done);
    assert_eq!(pulses(), (0, 0), "no drawer is set");
    counter.equipment.drawer = Some(DRAWER);
    counter.agent_sells("", &sure_win(50, 1)).ended(Exit::Done);
    assert_eq!(pulses(), (1, 0));
    let coupon = sure_win(50, 1).replace("}],", "}],\"tender\":\"coupon\",");
    counter.agent_sells("", &coupon).ended(Exit::Done);
    assert_eq!(pulses(), (1, 0), "no cash moves for a coupon");
    let paper = printer.seen().remove(0).sheet;
    let code = paper.qr_payloads()[0].to_owned();
    house.until_settled(house.next_draw());
    counter
        .agent("", |agent| {
            agent.pay(&code, keno_wire::request::SecondPerson::default(), true)
        })
        .ended(Exit::Done)
        .said(&["Hand over $30.00."]);
    assert_eq!(pulses(), (2, 0));
    // No paper was made of a pulse.
    assert_eq!(printer.seen().len(), 4);
}

/// A printer that is not there, or in trouble, keeps nobody from paying; and a pulse that waits in
/// it would open the drawer when nobody stands there.
#[test]
fn a_printer_in_trouble_is_sent_no_pulse() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    for fault in [Fault::OutOfPaper, Fault::CoverOpen] {
        counter.new_printer(Some(fault));
        let driver = counter.driver();
        assert!(open_drawer(&driver, DRAWER, patient()).is_err());
        assert!(counter.papers().is_empty());
    }
    counter.new_printer(None);
    let code = counter.sells(&sure_win(50, 1));
    house.until_settled(house.next_draw());
    counter.no_printer();
    counter.equipment.drawer = Some(DRAWER);
    counter
        .agent("", |agent| {
            agent.pay(&code, keno_wire::request::SecondPerson::default(), true)
        })
        .ended(Exit::PrinterTrouble)
        .said(&["Hand over $30.00.", "Open the cash drawer with its key."]);
}

/// An earlier paper is about, so that no later one is the first: not even when the reprint in
/// between never began.
#[test]
fn a_reprint_that_could_not_begin_leaves_the_next_paper_a_reprint() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let code = counter.sells(&sure_win(50, 1));
    house.until_settled(house.next_draw());
    house.clock.advance(60_000);
    counter.new_printer(Some(Fault::DieAfter(300)));
    // Every byte had left for it: only the clerk knows that the receipt is not whole.
    counter
        .keno_typing("0\n", &["pay", "--yes", &code])
        .ended(Exit::PrinterTrouble)
        .said(&["Hand over $30.00."]);
    counter.no_printer();
    // The printer is out of reach: nothing is resolved by `status`, so a sale tries to.
    let slip = counter.slip(&sure_win(50, 1));
    counter
        .keno(&["sell", "--yes", slip.to_str().unwrap()])
        .ended(Exit::PrinterTrouble);
    match &counter.open_items()[0].paper {
        Some(PaperState::Failed { fault, sent }) => {
            assert_eq!(fault, "absent");
            assert!(*sent > 0, "an earlier paper is about");
        }
        other => panic!("{other:?}"),
    }
    counter.new_printer(None);
    counter.keno(&["status"]).ended(Exit::Done);
    let paper = counter.newest_paper();
    assert!(paper.is_cut && text(&paper).contains("RÉIMPRESSION / REPRINT"));
    assert_eq!(house.tickets(), 1);
}

/// A device that goes away and comes back under its name, as a cable that is pulled and put back.
#[test]
fn a_printer_that_was_unplugged_is_found_again_under_its_name() {
    let folder = keno_testing::TestFolder::new().unwrap();
    let name = folder.join("boulier-printer");
    for way in [Way::Serial, Way::Usb] {
        let driver = |printer: &FakePrinter| match printer.driver() {
            Driver::Serial(_, line) => Driver::Serial(name.clone(), line),
            _ => Driver::Usb(name.clone()),
        };
        let timing = patient();
        let trial = |driver: &Driver| {
            try_printer(
                driver,
                "T01",
                keno_slip::Width::Wide,
                timing,
                Equipment::default(),
            )
            .unwrap()
        };
        let first = FakePrinter::new(way, 576);
        std::os::unix::fs::symlink(first.device(), &name).unwrap();
        let by_name = driver(&first);
        let good = trial(&by_name);
        assert_eq!(good.outcome, Some(Ok(Confirmation::Printer)));
        assert!(good.sentences()[1].fr.contains("confirmée après"));
        drop(first);
        std::fs::remove_file(&name).unwrap();
        let gone = trial(&by_name);
        assert_eq!(gone.before.trouble(), Some(PrinterFault::Absent));
        assert_eq!(gone.outcome, None);
        let second = FakePrinter::new(way, 576);
        std::os::unix::fs::symlink(second.device(), &name).unwrap();
        assert!(trial(&by_name).is_good());
        assert_eq!(condition(&by_name, timing).trouble(), None);
        assert_eq!(second.seen().len(), 1);
        std::fs::remove_file(&name).unwrap();
    }
}
