//! What a counter's page is told, command by command, and what it sees after each.
//!
//! The houses of these tests have keys of their own: what is made from them is blanked by name, as
//! is what comes when it comes.
//!
//! `INSTA_UPDATE=always cargo test -p keno-house-tests --test suite goldens` accepts what it is now.

use keno_house_tests::agent::AtWork;
use keno_house_tests::counter::Counter;
use keno_house_tests::house::{House, pin_of};
use keno_testing::{Goldens, Shapes, lines_of_json, redacted};
use serde_json::{Value, json};

use crate::{straight, sure_win};

/// Fields that are blanked: times, what is heard of central when it is heard, numbers drawn, the
/// ends of control numbers.
const BLANKED: [&str; 10] = [
    "balls",
    "central",
    "change",
    "draws_at_ms",
    "last_draw",
    "next_draw",
    "number_end",
    "printer",
    "sale",
    "version",
];

fn blanked(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| {
                let is_blank = BLANKED.contains(&name.as_str());
                let field = match is_blank {
                    true => json!(format!("[{name}]")),
                    false => blanked(field),
                };
                (name.clone(), field)
            })
            .collect(),
        Value::Array(all) => all.iter().map(blanked).collect(),
        other => other.clone(),
    }
}

/// A shift, written down.
struct Story<'a> {
    agent: &'a AtWork,
    shapes: Shapes,
}

/// What was said, over lines.
fn lines(value: &Value) -> String {
    lines_of_json(&redacted(&blanked(value).to_string()))
}

impl Story<'_> {
    /// Gives a command and writes down what it came to, and what is seen once nothing is open.
    fn does(&mut self, title: &str, command: &str, body: &Value) -> Value {
        let said = self.agent.does(command, body);
        let state = self.agent.until_open(&[]);
        let status = said.status;
        let heading = format!(
            "{command} {}\n{status}",
            redacted(&blanked(body).to_string())
        );
        self.shapes.put(title, &heading, &lines(&said.reply));
        self.shapes
            .put(&format!("{title}, and seen then"), "", &lines(&state));
        said.reply
    }
}

#[test]
fn a_shift_is_told_as_ever() {
    let house = House::new();
    let counter = Counter::open(&house);
    let agent = AtWork::start(&house, &counter);
    let state = agent.until(|state| state["sale"]["next"].is_object());
    let mut story = Story {
        agent: &agent,
        shapes: Shapes::default(),
    };
    story.shapes.put("before", "", &lines(&state));
    let slip = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let sale = |slip: &Value, total_cents: i64| {
        json!({
            "slip": slip, "total_cents": total_cents, "confirm": "typed",
            "typed_cents": total_cents,
        })
    };
    let small = slip(&straight(&[7, 18, 33], 200, 2));
    story.does("a draft", "draft", &json!({"slip": small}));
    let bad = slip(&straight(&[7, 7], 200, 2));
    story.does("a draft that is no slip", "draft", &json!({"slip": bad}));
    story.does("another price than was told", "sales", &sale(&small, 399));
    story.does("sold", "sales", &sale(&small, 400));
    let code = |counter: &Counter| {
        let papers = crate::tickets(counter);
        papers.last().unwrap().qr_payloads()[0].to_owned()
    };
    let first = code(&counter);
    story.does("checked", "checks", &json!({"code": first}));
    story.does("no ticket", "checks", &json!({"code": "0731552890146663"}));
    let cancel = json!({"code": first, "reason": "changed_mind"});
    story.does("cancelled", "cancellations", &cancel);
    story.does("cancelled twice", "cancellations", &cancel);
    let winner = slip(&sure_win(50, 1));
    story.does("sold to win", "sales", &sale(&winner, 4_000));
    let second = code(&counter);
    house.until_settled(house.next_draw());
    story.does("a winner", "checks", &json!({"code": second}));
    let pay = |total_cents: i64| json!({"code": second, "total_cents": total_cents});
    story.does("another prize than was told", "payments", &pay(2_999));
    story.does("paid", "payments", &pay(3_000));
    story.does("paid twice", "payments", &pay(3_000));
    story.does("locked", "lock", &Value::Null);
    story.does("while it is locked", "checks", &json!({"code": second}));
    let wrong = json!({"badge": "C1", "pin": "0000"});
    story.does("a wrong PIN", "unlock", &wrong);
    let right = json!({"badge": "C1", "pin": pin_of("C1")});
    story.does("unlocked", "unlock", &right);
    story.does("signed off", "sign-off", &json!({}));
    story.does("nobody there", "checks", &json!({"code": second}));
    story.does(
        "a field too many",
        "checks",
        &json!({"code": second, "gift": 1}),
    );
    story.does("a command that is not there", "gifts", &json!({}));
    let goldens = Goldens::of("tests/goldens");
    goldens.hold("a-shift-at-a-page", story.shapes.text());
}
