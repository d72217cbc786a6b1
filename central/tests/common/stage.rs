//! The examples of `/openapi.json`, and a house in which each of them makes sense.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use keno_central::trust::authority::DeviceKey;
use keno_central::trust::enrolment::Asked;
use keno_service::draw;
use keno_service::draw::{Conductor, Draw};
use keno_service::staff::Badge;
use keno_wire::enrolment::{EnrolmentCode, SALT_BYTES, Seen, digest};
use serde_json::{Value, json};

use super::desk::{self, AT_DESK};
use super::{Answer, House, Person, RULES, blocking, pin_of, second, straight, sure_win};

/// The document, as it is served.
pub fn document() -> Value {
    keno_central::api::openapi::openapi().unwrap()
}

/// The paths of the document with their operations.
pub fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            found.push((method.to_uppercase(), path.clone(), operation.clone()));
        }
    }
    found
}

/// What an operation answers with, by its status or a range of them; a response that several have is
/// described once.
pub fn response<'a>(document: &'a Value, operation: &'a Value, status: &str) -> &'a Value {
    let response = &operation["responses"][status];
    match response["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => response,
    }
}

/// Examples that need a house whose first draw is still open, or that leave it in a state in
/// which others make no sense: each has a house of its own.
pub const ALONE: [&str; 44] = [
    "acknowledge_message",
    "amend_rules",
    "approval",
    "certify_draw",
    "choose_pin",
    "close_shift",
    "confirm_schedule",
    "desk",
    "enter_ball",
    "grant_approval",
    "judge_file",
    "make_card",
    "make_acting",
    "name_acting",
    "pay",
    "present",
    "present_afterwards",
    "publish_rules",
    "record_person",
    "refuse_approval",
    "release",
    "replace_enterer",
    "reset_pin",
    "resume_draw",
    "resume_sales",
    "return_device",
    "reverse",
    "revoke_device",
    "shift_sheet",
    "stand_in",
    "stop_terminal",
    "suspend_draw",
    "suspend_sales",
    "take_over",
    "void_draw",
    "withdraw_person",
    "agree_in_room",
    "choose_ball_set",
    "draw_room",
    "end_draw_room",
    "log_incident",
    "measure_ball_set",
    "open_draw_room",
    "postpone_draw",
];

/// Examples that only a connection with TLS can send: the tests of the whole house send them.
pub const OVER_TLS: [&str; 3] = ["enrol", "renew_certificate", "confirm_key"];

/// Examples that need a follower of the log: the tests of one send them. Here they are refused.
pub const FOLLOWED: [(&str, &str); 4] = [
    ("begin_following", "nobody_begins"),
    ("cosigned", "record_unknown"),
    ("open_payouts", "nothing_waits"),
    ("take_cosignature", "not_cosigned"),
];

/// The public key of a device that waits for a code, as it is sent: known points of P-256, so that
/// what is recorded of them is always the same.
fn public_key(code: &str) -> Vec<u8> {
    const BEFORE: &str = "3059301306072a8648ce3d020106082a8648ce3d03010703420004";
    const ONE: &str = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296\
                       4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";
    const TWO: &str = "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978\
                       07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1";
    let point = if code == WAITING { ONE } else { TWO };
    hex::decode(format!("{BEFORE}{point}")).unwrap()
}

/// Set, one more fact is staged from which nothing follows: so it is counted how many goldens a leaf
/// more changes.
const ONE_MORE_REMARK: &str = "BOULIER_ONE_MORE_REMARK";

/// The code of a device whose enrolment is only asked about.
const WAITING: &str = "ABCD-EFGH";

/// What the examples cannot know: codes, keys and leaves of the house that they run in.
pub struct Stage {
    pub house: House,
    pub clerk: Person,
    pub supervisor: Person,
    pub administrator: Person,
    pub auditor: Person,
}

impl Stage {
    pub async fn of(house: House) -> Self {
        Self {
            clerk: house.sign_on(1, "C1").await,
            supervisor: house.sign_on(2, "S1").await,
            administrator: house.sign_on(6, "X1").await,
            auditor: house.sign_on(5, "A1").await,
            house,
        }
    }

    /// The code of a printed ticket that wins draw 1 when it is settled.
    async fn ticket(&self) -> (u64, String) {
        let sold = self.house.sell_printed(&self.clerk, &sure_win(50, 1)).await;
        (sold.ticket.ticket, sold.ticket.claim_code.unwrap())
    }

    /// A device waits for its code; the name of its enrolment.
    fn wait_for(&self, code: &str) -> String {
        let trust = &self.house.app.trust;
        let key = public_key(code);
        let seen = Seen {
            authority: trust.authority.fingerprint(),
            key: digest(&key),
        };
        let salt = [7; SALT_BYTES];
        let secret = EnrolmentCode::read(code).unwrap().secret(&salt).unwrap();
        let asked = Asked {
            key: DeviceKey::read(&key).unwrap(),
            salt,
            proof: secret.device_proof(&seen),
        };
        let now_ms = self.house.central.clock.monotonic_ms();
        trust
            .enrolments
            .begin(code.to_owned(), asked, now_ms)
            .unwrap();
        code.to_owned()
    }

    /// Puts the house in the state that an example speaks of, and fits the example to it.
    /// Returns who sends it.
    pub async fn prepare(&self, operation: &str, example: &mut Value) -> Option<Person> {
        let house = &self.house;
        if example.get("key").is_some() {
            example["key"] = house.key(&self.clerk);
        }
        match operation {
            "sign_on" => {
                *example = json!({"badge": "C2", "pin": pin_of("C2"), "float_cents": example["float_cents"]});
                return None;
            }
            "relieve" => {
                *example = json!({
                    "absent": "C1", "staying": second("C2"), "second": second("S2"),
                });
                return None;
            }
            "begin_anew" => {
                example["by"] = second("S1");
                return None;
            }
            "unlock" => {
                *example = json!({"badge": "C2", "pin": pin_of("C2")});
                return Some(house.sign_on(8, "C2").await);
            }
            "end_session" | "sign_off" => return Some(house.sign_on(8, "C2").await),
            "sell" | "price" | "close_shift" | "ask_key" | "close_key" => {}
            "confirm_print" => {
                let sold = house.sell(&self.clerk, &straight(&[1], 100, 1)).await;
                example["ticket"] = json!(sold.ticket.ticket);
            }
            "cancel" | "check" | "note_discrepancy" | "refuse_patron" => {
                example["code"] = json!(self.ticket().await.1);
            }
            "present" => {
                let (_, code) = self.ticket().await;
                house.until_settled(1);
                example["code"] = json!(code);
            }
            "present_afterwards" => {
                let (_, code) = self.ticket().await;
                house.until_settled(1);
                example["code"] = json!(code);
                example["presented_at_ms"] = json!(house.central.clock.now_ms());
                example["second"] = second("S1");
            }
            "read_damaged" => {
                let sold = house
                    .sell_printed(&self.clerk, &straight(&[4, 17, 33], 200, 1))
                    .await;
                example["number"] = json!(sold.ticket.control_number);
                example["reading"]["terminal"] = json!(sold.ticket.terminal);
                let draw = sold.ticket.first.draw;
                example["reading"]["first_draw"] = json!(draw);
                example["reading"]["last_draw"] = json!(draw);
                example["second"] = second("S1");
            }
            "files" => return Some(self.supervisor.clone()),
            "judge_file" => {
                let (_, code) = self.ticket().await;
                let number = &code[3..19];
                let order = json!({"number": number, "presented_by": "x", "note": "x"});
                let opened = house.post(&self.clerk, "/damaged/files", order).await;
                example["number"] = opened.value()["number"].clone();
                example["second"] = second("C2");
                house.clock.advance(24 * 3_600_000);
                blocking(|| Conductor::tick(&house.central));
                return Some(house.sign_on(2, "S1").await);
            }
            "move_till" | "count_till" => example["second"] = second("S1"),
            "shift_sheet" => {
                let counted = json!({"counted_cents": 0});
                house.post(&self.clerk, "/shifts/close", counted).await;
            }
            "unpaid" | "duplicate" => {
                example["code"] = json!(self.ticket().await.1);
                example["second"] = second("S1");
            }
            "release" => {
                let sold = house.sell(&self.clerk, &straight(&[1], 100, 1)).await;
                house.until_settled(1);
                example["code"] = json!(sold.ticket.control_number);
                example["second"] = second("C1");
                return Some(self.supervisor.clone());
            }
            "pay" | "reverse" => {
                let (_, code) = self.ticket().await;
                house.until_settled(1);
                let mut order = house.pay_order(&self.clerk, &code).await;
                if operation == "pay" {
                    order["second"] = second("S1");
                    *example = order;
                } else {
                    let paid = house.post(&self.clerk, "/payments", order).await.value();
                    example["payment"] = paid["payment"].clone();
                    example["second"] = second("S1");
                }
            }
            "suspend_draw" | "void_draw" | "resume_draw" | "suspend_sales" | "resume_sales"
            | "confirm_schedule" => {
                house.until_closed(2);
                if operation == "resume_draw" {
                    blocking(|| Draw(2).suspend(&house.central, "test", "S1")).unwrap();
                }
                if operation == "confirm_schedule" {
                    blocking(|| draw::halt_schedule(&house.central, 1, 0, 0)).unwrap();
                }
                if example.get("second").is_some() {
                    example["second"] = second("S2");
                }
                return Some(self.supervisor.clone());
            }
            "publish_rules" => {
                example["text"] = json!(RULES.replace("version = 1", "version = 2"));
                example["second"] = second("S1");
                return Some(self.administrator.clone());
            }
            "amend_rules" => {
                example["second"] = second("S2");
                return Some(self.administrator.clone());
            }
            "amendable_rules" | "preview_amendment" | "people" => {
                return Some(self.administrator.clone());
            }
            "begin_following" | "open_payouts" => {
                example["second"] = second("X1");
                return Some(self.supervisor.clone());
            }
            "lift_badge" => {
                example["badge"] = json!("C2");
                example["second"] = second("S2");
                return Some(self.supervisor.clone());
            }
            "last_draw" | "transcript" | "certificate" => {
                house.until_settled(1);
            }
            "audit_ticket" | "ticket_report" => {
                example["code"] = json!(self.ticket().await.1);
                return Some(self.auditor.clone());
            }
            "remark_ticket" => {
                let sold = house.sell(&self.clerk, &straight(&[1], 100, 1)).await;
                example["ticket"] = json!(sold.ticket.ticket);
                if std::env::var_os(ONE_MORE_REMARK).is_some() {
                    let mut before = example.clone();
                    before["text"] = json!("x");
                    let answer = house.post(&self.auditor, "/audit/remarks", before).await;
                    assert_eq!(answer.status, 200);
                }
                return Some(self.auditor.clone());
            }
            "draw_report" | "numbers_report" => {
                house.until_settled(1);
                return Some(self.auditor.clone());
            }
            "shift_report" => return Some(self.auditor.clone()),
            "alarms" | "slip" | "wall" | "approvals" | "send_message" | "stop_terminal"
            | "start_terminal" => {
                return Some(self.supervisor.clone());
            }
            "approval" | "grant_approval" | "refuse_approval" => {
                let content = json!({"what": "till_movement", "kind": "fill", "amount_cents": 1});
                let asked = json!({"content": content});
                let answer = house.post(&self.clerk, "/approvals", asked).await;
                assert_eq!(answer.value()["id"], 1, "{}", answer.text());
                if operation != "approval" {
                    example["pin"] = json!(pin_of("S1"));
                    return Some(self.supervisor.clone());
                }
            }
            "acknowledge_message" => {
                let text = json!({"fr": "x"});
                let answer = house.post(&self.supervisor, "/messages", text).await;
                assert_eq!(answer.value()["id"], 1, "{}", answer.text());
            }
            "take_over" | "return_device" => {
                // A neighbour has a place for the till when its own is counted.
                let counted = json!({"counted_cents": 0});
                house.post(&self.clerk, "/shifts/close", counted).await;
                let mut taken = json!({"device": 2, "reason": "x", "second": second("S1")});
                if operation == "take_over" {
                    taken["reason"] = example["reason"].clone();
                    *example = taken;
                } else {
                    let answer = house.post(&self.clerk, "/hand-overs", taken).await;
                    assert_eq!(answer.status, 200, "{}", answer.text());
                    example["by"] = second("X1");
                    example["second"] = second("X2");
                }
            }
            "record_person" | "make_card" | "withdraw_person" => {
                example["badge"] = json!("C2");
                if operation == "record_person" {
                    example["staff"] = json!("C2");
                }
                example["by"] = second("X1");
                example["second"] = second("X2");
                return Some(self.administrator.clone());
            }
            "name_acting" => {
                example["badge"] = json!("C2");
                example["by"] = second("X1");
                example["second"] = second("X2");
                return Some(self.administrator.clone());
            }
            "make_acting" => {
                example["badge"] = json!("C2");
                example["by"] = second("S1");
                blocking(|| Badge("C2").name_acting(&self.house.central, true, "X1", "X2"))
                    .unwrap();
            }
            "choose_pin" => {
                example["badge"] = json!("C2");
                example["pin"] = json!(pin_of("C2"));
            }
            "reset_pin" => {
                example["badge"] = json!("C2");
                example["by"] = second("S1");
                example["second"] = second("S2");
            }
            "revoke_device" | "approve_enrolment" => {
                example["badge"] = json!("X1");
                example["pin"] = json!(pin_of("X1"));
                if operation == "approve_enrolment" {
                    example["second"] = second("X2");
                    self.wait_for(example["code"].as_str().unwrap());
                }
            }
            "ask_enrolment" => example["enrolment"] = json!(self.wait_for(WAITING)),
            _ => {}
        }
        Some(self.clerk.clone())
    }
}

impl Stage {
    /// Sends the example of an operation, in a house where it makes sense. `lost` is the code of a
    /// ticket that a restored house has lost.
    pub async fn send(
        &self,
        (method, path, operation): &(String, String, Value),
        lost: Option<String>,
    ) -> Sent {
        let name = operation["operationId"].as_str().unwrap();
        let mut example =
            operation["requestBody"]["content"]["application/json"]["example"].clone();
        let (of_balls, sender) = if AT_DESK.contains(&name) {
            let (draw, sender) = desk::prepare(&self.house, name, &mut example).await;
            (Some(draw), Some(sender))
        } else {
            (None, self.prepare(name, &mut example).await)
        };
        if let Some(code) = lost {
            example["code"] = json!(code);
            example["second"] = second("S1");
        }
        let mut address = address(path, operation);
        if let Some(draw) = of_balls {
            address = path.replace("{number}", &draw.to_string());
        }
        if name == "judge_file" {
            // The number of a file is a leaf: no example knows it.
            let number = example.as_object_mut().unwrap().remove("number").unwrap();
            address = path.replace("{number}", &number.to_string());
        }
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = TestRequest::default().method(method.clone()).uri(&address);
        request = match &sender {
            Some(person) => person.sign(request),
            None => request.insert_header(("Boulier-Device", self.house.device_header(8))),
        };
        if method == Method::POST {
            request = request.set_json(&example);
        }
        // What was made ready may be in the answer with the checkpoint of just then.
        self.house.published();
        let answer = self.house.call(request).await;
        Sent {
            address,
            example,
            sender,
            answer,
        }
    }
}

/// An example that was sent.
pub struct Sent {
    pub address: String,
    pub example: Value,
    /// The device of the main cage, where nobody is signed on, when absent.
    pub sender: Option<Person>,
    pub answer: Answer,
}

/// A path with the examples of its parameters, and a query with the others.
pub fn address(path: &str, operation: &Value) -> String {
    let mut address = path.to_owned();
    let mut query = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap();
        let example = parameter["example"].to_string();
        let example = example.trim_matches('"');
        if parameter["in"] == "path" {
            address = address.replace(&format!("{{{name}}}"), example);
        } else {
            query.push(format!("{name}={example}"));
        }
    }
    if query.is_empty() {
        address
    } else {
        format!("{address}?{}", query.join("&"))
    }
}
