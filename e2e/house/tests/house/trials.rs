//! The pages on which printer and scanner are tried, asked as they ask.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use keno_house_tests::agent::{AtWork, How, Said};
use keno_house_tests::counter::Counter;
use keno_house_tests::fake_printer::{Death, FakePrinter, Plan, Way};
use keno_house_tests::house::{House, pin_of};
use keno_terminal::config::{Config, Role};
use keno_terminal::printer::settings::DrawerSetting;
use keno_terminal::scanner::ScannerKind;
use keno_terminal::virtual_printer::Sheet;
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use serde_json::{Value, json};

use crate::straight;

fn at_work(house: &House, counter: &Counter, change: impl FnOnce(&mut Config)) -> AtWork {
    let mut settings = counter.settings();
    change(&mut settings);
    let agent = AtWork::on(house, settings, counter.printer_patience, How::default()).unwrap();
    agent.until_central("trusted");
    agent
}

fn printer_of(counter: &mut Counter) -> FakePrinter {
    let printer = FakePrinter::new(Way::Network, 576);
    let keno_terminal::printer::Driver::Network(address) = printer.driver() else {
        panic!("a network address");
    };
    counter.printer_at(address);
    printer
}

fn tries(agent: &AtWork, what: &str) -> Said {
    agent.does(what, &Value::Null)
}

fn scans(agent: &AtWork, typed: &str) -> Value {
    let said = agent.does("scanner-test", &json!({"typed": typed}));
    assert_eq!(said.status, 200, "{:#}", said.reply);
    said.reply
}

#[test]
fn the_printer_is_tried_and_says_what_it_says() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let mut printer = printer_of(&mut counter);
    let agent = at_work(&house, &counter, |_| {});
    let well = tries(&agent, "printer-state");
    assert_eq!(well.reply["printer"]["state"], "ready");
    assert_eq!(well.reply["printer"]["near_end"], false);
    assert!(printer.seen().is_empty(), "asking prints nothing");

    let tried = tries(&agent, "printer-test").ended("done");
    assert!(tried.reply["confirmed_ms"].is_u64(), "{:#}", tried.reply);
    let papers = printer.seen();
    assert_eq!(papers.len(), 1);
    assert!(papers[0].confirmed && papers[0].is_whole());
    let text = papers[0].sheet.texts().join("\n");
    for expected in [
        "éèêàçùôîœÉÈÀÇ«»’",
        "123456789012345678901234567890123456789012345678",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in {text}");
    }
    assert_eq!(papers[0].sheet.qr_payloads(), ["ESSAI0123456789TEST"]);

    printer.mechanism(|one| one.is_near_end = true);
    let ending = tries(&agent, "printer-state").reply;
    assert_eq!(ending["printer"]["near_end"], true);
    printer.mechanism(|one| one.is_near_end = false);

    // Each trouble in its words, and then well again.
    for (death, name, words) in [
        (Death::Cover, "cover_open", "Capot ouvert"),
        (Death::PaperEnd, "out_of_paper", "apier"),
    ] {
        printer.dies(Plan { death, at: 300 });
        let failed = tries(&agent, "printer-test")
            .ended("printer_trouble")
            .said(&[words]);
        assert_eq!(failed.reply["confirmed_ms"], Value::Null);
        let state = tries(&agent, "printer-state").reply;
        assert_eq!(state["printer"]["state"], name);
        let before = printer.seen().len();
        let refused = tries(&agent, "printer-test").ended("printer_trouble");
        refused.said(&["Rien n’a été imprimé", "Nothing was printed"]);
        assert_eq!(printer.seen().len(), before);
        printer.mend();
        assert_eq!(
            tries(&agent, "printer-state").reply["printer"]["state"],
            "ready"
        );
    }
    assert_eq!(house.tickets(), 0);
    assert_eq!(counter_items(&agent), 0);
}

fn counter_items(agent: &AtWork) -> usize {
    agent.state()["open"].as_array().unwrap().len()
}

#[test]
fn the_drawer_opens_for_who_is_signed_on_alone() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let printer = printer_of(&mut counter);
    let pulses = || {
        printer.settle();
        printer.mechanism(|one| one.pulses)
    };
    let without = at_work(&house, &counter, |_| {});
    tries(&without, "drawer")
        .ended("refused")
        .said(&["Aucun tiroir-caisse"]);
    without.stop();
    let agent = at_work(&house, &counter, |settings| {
        settings.printing.drawer = DrawerSetting::Pin2;
    });
    assert_eq!(pulses(), 0);
    tries(&agent, "drawer").ended("done");
    assert_eq!(pulses(), 1);
    agent.does("sign-off", &Value::Null).ended("done");
    tries(&agent, "drawer")
        .ended("refused")
        .said(&["en service", "signed on"]);
    assert_eq!(pulses(), 1);
    let sign_on = json!({"badge": "C1", "pin": pin_of("C1")});
    agent.does("sign-on", &sign_on).ended("done");
    tries(&agent, "drawer").ended("done");
    assert_eq!(pulses(), 2);
    assert!(printer.seen().is_empty(), "no paper is made of a pulse");
}

#[test]
fn nothing_is_tried_while_a_command_is_in_doubt() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let printer = printer_of(&mut counter);
    let agent = at_work(&house, &counter, |settings| {
        settings.printing.drawer = DrawerSetting::Pin2;
    });
    // The paper is torn in the middle: the ticket is in doubt until it is cancelled.
    printer.dies(Plan {
        death: Death::Cover,
        at: 700,
    });
    agent.sells(&straight(&[7], 200, 1));
    let open = agent.until(|state| state["busy"].is_null());
    assert_ne!(open["open"], json!([]), "the sale is not in doubt");
    let so_far = || {
        let papers = printer.seen().len();
        (papers, printer.mechanism(|one| one.pulses))
    };
    let before = so_far();
    for what in ["printer-state", "printer-test", "drawer", "scanner-test"] {
        let refused = agent.does(what, &json!({})).refused("in_doubt");
        assert_eq!(refused.status, 409, "{what}");
    }
    assert_eq!(so_far(), before);
}

#[test]
fn nothing_is_tried_while_a_paper_is_printing() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let printer = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    counter.printer_at(printer.local_addr().unwrap());
    let agent = at_work(&house, &counter, |_| {});
    std::thread::scope(|scope| {
        let sale = scope.spawn(|| agent.sells(&straight(&[7], 200, 1)));
        // Idle hands ask the printer how it is, and so do those that are about to sell: only these
        // get no answer.
        let connection = loop {
            let (connection, _) = printer.accept().unwrap();
            if agent.state()["busy"] == "sale" {
                break connection;
            }
        };
        for what in ["printer-state", "printer-test", "drawer", "scanner-test"] {
            agent.does(what, &json!({})).refused("terminal_busy");
        }
        // The door first: what is asked next finds nobody.
        drop((printer, connection));
        sale.join().unwrap().ended("printer_trouble");
    });
    assert_eq!(house.tickets(), 0);
}

#[test]
fn what_is_typed_by_a_scanner_is_taken_apart_and_stays_text() {
    let house = House::new();
    let counter = Counter::open(&house);
    let code = counter.sells(&straight(&[7], 200, 1));
    let agent = at_work(&house, &counter, |_| {});
    let ticket = scans(&agent, &code);
    assert_eq!(
        (&ticket["meaning"], &ticket["bytes"]),
        (&json!("claim_code"), &json!(120))
    );
    let all = ticket.to_string();
    assert!(!all.contains(&code[21..41]), "a secret is shown");
    assert!(all.contains(&code[..21]));
    let number = scans(&agent, &code[3..19]);
    assert_eq!(number["meaning"], "control_number");
    // Nothing of it is a command of a page or of a screen.
    let hostile = scans(&agent, "\u{1b}[2J<script>alert(1)</script>é");
    assert_eq!(hostile["meaning"], "not_our_alphabet");
    let text = hostile["text"].as_str().unwrap();
    assert!(text.chars().all(|sign| sign.is_ascii() || sign == '·'));
    assert!(!hostile["text"].as_str().unwrap().contains('\u{1b}'));
    assert_eq!(scans(&agent, "")["meaning"], "empty");
    let page = agent.ask("GET", "/trial.js", &[], &Value::Null);
    let script = String::from_utf8(page.body).unwrap();
    for word in ["innerHTML", "insertAdjacent", "document.write", "eval("] {
        assert!(!script.contains(word), "the page makes elements: {word}");
    }
}

/// A scanner on a line: its device, and the end at which it speaks.
fn line() -> (PathBuf, File, File) {
    let speaks = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&speaks).unwrap();
    unlockpt(&speaks).unwrap();
    let name = ptsname(&speaks, Vec::new()).unwrap().into_string().unwrap();
    let device = PathBuf::from(name);
    let kept = File::options()
        .read(true)
        .write(true)
        .open(&device)
        .unwrap();
    let mut modes = tcgetattr(&kept).unwrap();
    modes.make_raw();
    tcsetattr(&kept, OptionalActions::Now, &modes).unwrap();
    fcntl_setfl(&speaks, OFlags::NONBLOCK).unwrap();
    (device, File::from(speaks), kept)
}

#[test]
fn a_scanner_on_a_line_is_heard_with_what_is_around_its_codes() {
    let house = House::new();
    let counter = Counter::open(&house);
    let (device, mut speaks, kept) = line();
    let agent = at_work(&house, &counter, |settings| {
        settings.scanner.kind = ScannerKind::Serial;
        settings.scanner.device = Some(device);
        settings.scanner.prefix = "A1".to_owned();
        settings.scanner.suffix = "Z".to_owned();
    });
    let kind = agent.ask("GET", "/agent/scanner", &[], &Value::Null);
    assert_eq!(kind.body, br#"{"kind":"serial","class":"of_its_own"}"#);
    for (sent, meaning, has_prefix, has_suffix) in [
        ("A10731552890146663Z\r", "control_number", true, true),
        ("0731552890146663\r", "control_number", false, false),
        ("A1\u{1b}]0;x\u{7}Z\r", "not_our_alphabet", true, true),
    ] {
        // What was said of the code before may come first: it is asked until this one is heard.
        let is_it = |scan: &Value| scan["meaning"] == meaning && scan["has_prefix"] == has_prefix;
        let scan = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let mut heard = scans(&agent, "");
                for _ in 0..1_000 {
                    if is_it(&heard) {
                        break;
                    }
                    heard = scans(&agent, "");
                }
                heard
            });
            // Opening the line drops what was said before: it is said until it is heard.
            while !waiting.is_finished() {
                // A line that is full takes nothing: then it is not heard yet.
                let _ = speaks.write(sent.as_bytes());
                std::thread::yield_now();
            }
            waiting.join().unwrap()
        });
        assert_eq!(scan["meaning"], meaning, "{scan:#}");
        assert_eq!(
            (&scan["has_prefix"], &scan["has_suffix"]),
            (&json!(has_prefix), &json!(has_suffix))
        );
    }
    drop((speaks, kept));
    let gone = scans(&agent, "");
    assert_eq!(gone["meaning"], Value::Null);
    assert!(
        gone["sentence"]["fr"]
            .as_str()
            .unwrap()
            .contains("introuvable"),
        "{gone:#}"
    );
}

#[test]
fn the_pages_of_the_trials_are_a_counters_alone() {
    let house = House::new();
    let counter = Counter::open(&house);
    let agent = at_work(&house, &counter, |_| {});
    for (path, says) in [
        ("/printer", "Essai de l’imprimante"),
        ("/scanner", "Essai du lecteur"),
    ] {
        let page = agent.ask("GET", path, &[], &Value::Null);
        let text = String::from_utf8(page.body).unwrap();
        assert!(text.contains(says) && text.contains("lang=\"en\""));
    }
    agent.stop();
    let how = How {
        role: Role::Kiosk,
        ..How::default()
    };
    let kiosk = AtWork::start_as(&house, &counter, how);
    for path in ["/printer", "/scanner", "/agent/scanner"] {
        assert_eq!(
            kiosk.ask("GET", path, &[], &Value::Null).status,
            404,
            "{path}"
        );
    }
    for what in ["printer-state", "printer-test", "drawer", "scanner-test"] {
        assert_eq!(kiosk.does(what, &json!({})).status, 404, "{what}");
    }
    let papers: Vec<Sheet> = counter.papers();
    assert!(papers.is_empty());
}
