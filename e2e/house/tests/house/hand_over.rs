//! A terminal that is left in the middle of a shift, and the neighbour that goes on.

use keno_house_tests::agent::{AtWork, How};
use keno_house_tests::counter::{Counter, Kind};
use keno_house_tests::house::{House, pin_of, refusal, second};
use keno_house_tests::http::Request;
use keno_house_tests::line::Lost;
use keno_house_tests::paper::text;
use keno_log::Event;
use keno_service::staff::DeviceNumber;
use keno_terminal::config::Language;
use keno_terminal::exit::Exit;
use serde_json::{Value, json};

use crate::put_aside::asks_about_the_new;
use crate::{on_both, papers_agree, straight, sure_win, tickets};

const SALES: &str = "/api/v1/sales";
const PRINTS: &str = "/api/v1/prints";
const TAKE_OVER: &str = "/hand-overs";

fn kind(device: u32) -> Kind {
    Kind {
        device,
        language: Language::Fr,
        columns: 48,
    }
}

/// Two people take the first counter over at a neighbour.
fn taken(neighbour: &AtWork, code: Option<&str>) -> keno_house_tests::agent::Said {
    neighbour.does(
        "take-over",
        &json!({"device": 1, "reason": "écran noir", "code": code, "second": second("S1")}),
    )
}

/// The code that a counter shows when it is left.
fn handed_out(agent: &AtWork, draft: &Value) -> String {
    let headers = [("boulier-page", "1")];
    let answer = agent.ask(
        "POST",
        "/agent/hand-out",
        &headers,
        &json!({"draft": draft}),
    );
    assert_eq!(answer.status, 200);
    let answer: Value = serde_json::from_slice(&answer.body).unwrap();
    assert!(answer["svg"].as_str().unwrap().contains("<svg"));
    answer["code"].as_str().unwrap().to_owned()
}

/// A sale that central recorded and whose answer is lost, put aside; the line stays cut.
fn puts_a_sale_aside(counter: &Counter, agent: &AtWork) {
    counter.line.lose_and_cut(SALES, Lost::Answer);
    std::thread::scope(|scope| {
        let sale = scope.spawn(|| agent.sells(&straight(&[7, 18], 200, 2)));
        let state = agent.until(|state| state["busy"] == "asking");
        agent
            .does("park", &json!({ "key": state["asking"], "money": "kept" }))
            .ended("done");
        sale.join().unwrap().ended("in_doubt");
    });
}

/// A house that lost the way between a counter and central: a sale that central recorded, one
/// that it never saw, a slip half made. All of it goes on at the neighbour, and nowhere else.
#[test]
fn a_counter_that_is_cut_off_is_left_and_its_neighbour_goes_on() {
    on_both(|house| {
        let left = Counter::open(house);
        let agent = AtWork::start(house, &left);
        agent.sells(&sure_win(50, 1)).ended("done");
        for (numbers, lost) in [([7, 18], Lost::Answer), ([8, 19], Lost::Request)] {
            left.line.lose_and_cut(SALES, lost);
            std::thread::scope(|scope| {
                let sale = scope.spawn(|| agent.sells(&straight(&numbers, 200, 2)));
                agent.until(|state| state["busy"] == "asking");
                if let Some(first) = agent.state()["open"].get(0).cloned() {
                    // A clerk with a queue does not wait for what is put aside already.
                    let window = &agent;
                    scope.spawn(move || {
                        window.does("park", &json!({ "key": first["key"], "money": "kept" }))
                    });
                }
                let state = agent.until(asks_about_the_new);
                agent
                    .does("park", &json!({ "key": state["asking"], "money": "kept" }))
                    .ended("done");
                sale.join().unwrap().ended("in_doubt");
            });
            if lost == Lost::Answer {
                // The second sale needs a central that is there.
                left.line.deafen("/api/v1/keys/question");
                left.line.mend(house.address());
                agent.until_central("trusted");
            }
        }
        let draft: Value = serde_json::from_str(&straight(&[3], 100, 1)).unwrap();
        let code = handed_out(&agent, &draft);
        assert_eq!(handed_out(&agent, &draft), code);
        assert_eq!(agent.state()["handed_out"], true);

        // Nothing is done at the counter that is left, also after a restart.
        agent.stop();
        let agent = AtWork::start_as(house, &left, How::default());
        assert_eq!(agent.state()["handed_out"], true);
        left.keno(&["status"]);

        let right = Counter::without_till(house, kind(2));
        let neighbour = AtWork::start(house, &right);
        neighbour.sells(&straight(&[1], 50, 1)).ended("refused");
        taken(&neighbour, Some(&code))
            .ended("printer_trouble")
            .said(&[
                "T01 repris ici, avec son tiroir : quart 1",
                "2 commande(s) à régler",
            ]);
        let state = neighbour.until_open(&["paper_in_doubt", "to_tell"]);
        assert_eq!(state["draft"]["selections"][0]["numbers"], json!([3]));
        assert_eq!(state["open"][0]["device"], 1);
        // The ticket that central recorded never came out: cancelled, and sold again.
        let key = |at: usize| json!({"key": state["open"][at]["key"]});
        let paper = json!({"key": state["open"][0]["key"], "whole": false});
        neighbour.does("paper", &paper).ended("done");
        assert!(text(&right.newest_paper()).contains("REÇU D’ANNULATION"));
        neighbour.does("acknowledge", &key(0)).ended("done");
        neighbour.does("acknowledge", &key(1)).ended("done");
        neighbour.until_open(&[]);
        neighbour.sells(&draft.to_string()).ended("done");
        // What was sold is not offered again.
        assert!(neighbour.state()["draft"].is_null());

        // The counter that was left hears of it.
        left.line.hear_all();
        left.line.mend(house.address());
        agent.until_central("handed_over");
        let state = agent.until_open(&[]);
        assert!(
            state["central"]["sentence"]["fr"]
                .as_str()
                .unwrap()
                .contains("appareil 2")
        );
        // Its page says what the neighbour does, in the order in which it was begun.
        assert_eq!(state["left"].as_array().unwrap().len(), 2);
        assert_eq!(state["left"][0]["total_cents"], 400);
        let slip = json!({"slip": draft, "total_cents": 100});
        agent.does("sales", &slip).refused("device_handed_over");
        let asked = json!({"key": {"session": 1, "counter": 1}});
        let own = format!("1.{}", house.keys[&1]);
        let path = "/api/v1/keys/question";
        let headers = [("boulier-device", own.as_str())];
        let late = Request::new("POST", path, &headers, asked.to_string().into_bytes());
        assert_eq!(refusal(&late.ask(house.address())), "device_handed_over");

        // The till is the neighbour's, with all that went through it.
        neighbour.stop();
        right
            .keno(&["close-till", "0"])
            .ended(Exit::Done)
            .said(&["Expected $5,041.00"]);
        let papers = [&left, &right].map(tickets).concat();
        assert_eq!(papers.len(), 2);
        assert_eq!(house.tickets(), 3);
        assert!(house.verified(None).holds());
    });
}

/// A counter dies between central's record and its printer; nobody can read anything off it. Its
/// ticket is found by the record alone, looked for, and is one whose paper did come out.
#[test]
fn a_counter_that_is_dead_leaves_its_tickets_to_the_record() {
    let house = House::new();
    let left = Counter::open(&house);
    let agent = AtWork::start(&house, &left);
    left.line.lose_and_cut(PRINTS, Lost::Request);
    agent.sells(&straight(&[7, 18], 200, 2)).ended("done");
    agent.stop();

    let right = Counter::without_till(&house, kind(2));
    let neighbour = AtWork::start(&house, &right);
    taken(&neighbour, None)
        .ended("printer_trouble")
        .said(&["1 commande(s) à régler"]);
    let state = neighbour.until_open(&["paper_in_doubt"]);
    // Killed and started again, it knows what it took over; asked again, it takes nothing twice.
    neighbour.stop();
    let neighbour = AtWork::start(&house, &right);
    assert_eq!(
        neighbour.until_open(&["paper_in_doubt"])["open"],
        state["open"]
    );
    taken(&neighbour, None)
        .ended("printer_trouble")
        .said(&["0 commande(s) à régler"]);
    let key = state["open"][0]["key"].clone();
    neighbour
        .does("paper", &json!({"key": key, "whole": true}))
        .ended("done");
    neighbour.until_open(&[]);
    let handed_over = |event: &Event| matches!(event, Event::DeviceHandedOver(_));
    let events = house.events();
    assert_eq!(events.iter().filter(|event| handed_over(event)).count(), 1);
    assert!(house.verified(None).holds());

    // Mended, the counter begins with nothing: what it has in its journal is the neighbour's.
    left.line.mend(house.address());
    let agent = AtWork::start_as(&house, &left, How::default());
    agent.until_central("handed_over");
    agent.until_open(&[]);
    DeviceNumber(1)
        .serve_again(house.central(), "X1", "X2")
        .unwrap();
    agent.until_central("trusted");
    let slip = json!({"slip": {"selections": [], "draws": 1}, "total_cents": 100});
    agent.does("sales", &slip).ended("refused");
    let signs_on = json!({"badge": "C3", "pin": pin_of("C3"), "float_cents": 10_000});
    agent.does("sign-on", &signs_on).ended("done");
    agent.sells(&straight(&[1], 50, 1)).ended("done");
    agent.until_open(&[]);
    assert!(house.verified(None).holds());
}

/// A counter that is off while it is taken over and given back hears of it before it takes up
/// anything that it had open.
#[test]
fn a_counter_that_was_off_all_the_while_does_nothing_twice() {
    let house = House::new();
    let left = Counter::open(&house);
    let agent = AtWork::start(&house, &left);
    puts_a_sale_aside(&left, &agent);
    agent.stop();
    let right = Counter::without_till(&house, kind(2));
    let neighbour = AtWork::start(&house, &right);
    taken(&neighbour, None).ended("printer_trouble");
    let state = neighbour.until_open(&["paper_in_doubt"]);
    let paper = json!({"key": state["open"][0]["key"], "whole": false});
    neighbour.does("paper", &paper).ended("done");
    DeviceNumber(1)
        .serve_again(house.central(), "X1", "X2")
        .unwrap();
    left.line.mend(house.address());
    let agent = AtWork::start(&house, &left);
    agent.until_open(&[]);
    agent.stop();
    left.keno(&["status"]);
    assert_eq!(left.open_items(), []);
    assert!(tickets(&left).is_empty());
    assert!(house.verified(None).holds());
}

/// Central was restored from before a hand-over, and knows nothing of it: what it refuses to tell
/// the neighbour is not called a central that does not answer.
#[test]
fn what_central_refuses_to_tell_is_for_the_supervisor() {
    let mut house = House::new();
    let left = Counter::open(&house);
    let agent = AtWork::start(&house, &left);
    puts_a_sale_aside(&left, &agent);
    let code = handed_out(&agent, &Value::Null);
    agent.stop();
    house.stop();
    let copy = house.copied();
    house.start();
    let right = Counter::without_till(&house, kind(2));
    right.line.deafen("/api/v1/keys/question");
    let pin = pin_of("S1");
    let written_down = keno_testing::TestFolder::new().unwrap();
    let file = written_down.join("code.txt");
    std::fs::write(&file, &code).unwrap();
    let take_over = [
        "take-over",
        "1",
        "--reason",
        "x",
        "--code",
        file.to_str().unwrap(),
        "--second",
        "S1",
        "--second-pin",
        &pin,
    ];
    right.keno(&take_over);
    house.goes_on_from(&copy);
    right.line.hear_all();
    right.line.mend(house.address());
    right.keno(&["status"]).said(&[
        "À régler d’abord : commande 1-1-1.",
        "Cette clé n’appartient pas à cet appareil",
        "le central refuse de le dire",
    ]);
    right.keno(&["status"]).ended(Exit::InDoubt);
    assert_eq!(right.open_items().len(), 1);
    assert!(house.verified(None).holds());
}

/// A code is written down, and then the counter goes on after all.
#[test]
fn a_counter_that_nobody_took_over_goes_on() {
    let house = House::new();
    let left = Counter::open(&house);
    let agent = AtWork::start(&house, &left);
    agent.does("take-back", &json!({})).ended("refused");
    handed_out(&agent, &Value::Null);
    agent.sells(&straight(&[1], 50, 1)).ended("refused");
    left.line.cut();
    agent.until_central("away");
    agent
        .does("take-back", &json!({}))
        .ended("central_unreachable");
    assert_eq!(agent.state()["handed_out"], true);
    left.line.mend(house.address());
    agent.until_central("trusted");
    agent.does("take-back", &json!({})).ended("done");
    agent.sells(&straight(&[1], 50, 1)).ended("done");
    papers_agree(&house, &left, 1);
}

#[test]
fn who_may_take_what_over_and_what_of_whom() {
    on_both(|house| {
        let left = Counter::open(house);
        let office = house.person("C2");
        let take = |device: u32, badge: &str, reason: &str| json!({"device": device, "reason": reason, "second": second(badge)});
        for (wanted, body) in [
            ("same_person_twice", take(1, "C2", "x")),
            ("badge_or_pin_wrong", take(1, "C3", "x")),
            ("device_is_this_one", take(4, "S1", "x")),
            ("reason_needed", take(1, "S1", " ")),
            ("no_such_counter", take(9, "S1", "x")),
        ] {
            assert_eq!(office.is_refused(TAKE_OVER, &body), wanted);
        }
        let foreign = json!({"key": {"session": 1, "counter": 1}, "device": 1});
        assert_eq!(office.is_refused("/keys/question", &foreign), "key_foreign");
        assert_eq!(office.is_refused("/keys/close", &foreign), "key_foreign");
        // Only what is left is taken back into service.
        let again = DeviceNumber(1)
            .serve_again(house.central(), "X1", "X2")
            .unwrap_err();
        assert!(format!("{again:?}").contains("DeviceNotHandedOver"));

        // A neighbour with a till of its own has no place for another.
        let right = Counter::open_as(house, kind(3));
        let full = right
            .keno(&[
                "take-over",
                "1",
                "--reason",
                "x",
                "--second",
                "S1",
                "--second-pin",
                &pin_of("S1"),
            ])
            .ended(Exit::Refused);
        full.said(&["already open at this terminal"]);
        let taken: keno_wire::reply::TakenView = office.does(TAKE_OVER, &take(1, "S1", "x"));
        assert_eq!(
            (taken.device, taken.shift, taken.unconfirmed.len()),
            (1, Some(1), 0)
        );
        let known: keno_wire::reply::KeyReply = office.does("/keys/close", &foreign);
        assert_eq!(known.state, "closed");
        // It cannot be taken twice, and who took it can be taken in turn, with all it took.
        let late = house.person("C2");
        let again: keno_wire::reply::TakenView = late.does(TAKE_OVER, &take(1, "S1", "x"));
        assert_eq!(again, taken);
        // What the counter does once it serves again is its own affair.
        DeviceNumber(1)
            .serve_again(house.central(), "X1", "X2")
            .unwrap();
        left.keno(&["sign-on"]).ended(Exit::Done);
        let sessions = house.central().view.get();
        let newest = sessions.sessions.iter();
        let newest = newest
            .filter(|(_, one)| one.device == 1)
            .map(|(number, _)| *number);
        let its_own = json!({"key": {"session": newest.max(), "counter": 1}, "device": 1});
        assert_eq!(late.is_refused("/keys/question", &its_own), "key_foreign");
        assert_eq!(late.is_refused("/keys/close", &its_own), "key_foreign");
        assert_eq!(
            late.is_refused(
                "/keys/close",
                &json!({"key": {"session": 99, "counter": 1}, "device": 1})
            ),
            "key_foreign"
        );
        let known: keno_wire::reply::KeyReply = late.does("/keys/close", &foreign);
        assert_eq!(known.state, "closed");
        assert!(house.verified(None).holds());
    });
}
