//! Every cell of the table of authority, at the server's own addresses: each operation asked for by
//! nobody, by the console, by each device, by each role of a person at each device, in ended and
//! foreign sessions, in one in front of which nobody was for a while, and with keys that do not
//! count, on both databases. Certificates that do not count are asked with at their own door
//! (`e2e/house`, `certificates`). What the table allows is
//! never refused for who asks; what it does not allow always is, with the same name.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::BTreeMap;

use crate::common::{Answer, House, Person, Server, blocking, pin_of};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use keno_central::console::{CONSOLE_FILE, CONSOLE_HEADER};
use keno_central::{api, site};
use keno_record::roles::{DeviceRole, Role};
use keno_service::authority::{Door, Operation, Own, Place, Who};
use keno_service::refusal::Refusal;
use keno_service::staff::DeviceNumber;
use serde_json::json;

/// Where the page about roles stands.
const PAGE: &str = "../docs/roles.md";

/// Names of the refusals that say who may not.
const NOT_FOR_YOU: [&str; 9] = [
    "device_unknown",
    "device_revoked",
    "device_handed_over",
    "not_signed_in",
    "session_ended",
    "session_elsewhere",
    "session_idle",
    "wrong_place",
    "wrong_role",
];

#[test]
fn the_page_about_roles_is_the_table() {
    let made = Operation::document();
    if std::env::var_os("BOULIER_WRITE_DOCS").is_some() {
        std::fs::write(PAGE, &made).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(PAGE).unwrap(),
        made,
        "the table has changed: see that it is meant, then run this test with BOULIER_WRITE_DOCS=1"
    );
}

#[test]
fn every_route_has_a_row_and_every_row_its_route() {
    let mut served: Vec<String> = api::endpoints()
        .into_iter()
        .chain(site::endpoints())
        .map(|endpoint| format!("{} {}", endpoint.method, endpoint.path))
        .collect();
    let mut rows: Vec<String> = Operation::ALL
        .iter()
        .flat_map(|operation| operation.row().doors)
        .filter(|door| !matches!(door, Door::Command(_)))
        .map(Door::text)
        .collect();
    served.sort_unstable();
    rows.sort_unstable();
    assert_eq!(served, rows);
}

/// The table judges an address by its path. A path that is spelled otherwise, as any client may, is
/// none of them: it must not come to the same handler past the table.
#[actix_web::test]
async fn an_address_has_one_spelling() {
    let house = House::new(None);
    let server = house.server().await;
    let clerk = house.sign_on(1, "C1").await;
    for endpoint in api::endpoints().into_iter().chain(site::endpoints()) {
        let parts = endpoint
            .path
            .split('/')
            .map(|part| match part.strip_prefix('{') {
                Some(_) => "1",
                None => part,
            });
        let path = parts.collect::<Vec<_>>().join("/");
        for (at, letter) in path.char_indices().filter(|(_, letter)| *letter != '/') {
            let (before, after) = (&path[..at], &path[at + 1..]);
            let spelled = format!("{before}%{:02x}{after}", u32::from(letter));
            let asked = || TestRequest::with_uri(&spelled).method(endpoint.method.clone());
            assert_eq!(server(asked()).await.status, 404, "{spelled}");
            let signed = clerk.sign(asked());
            assert_eq!(server(signed).await.status, 404, "{spelled}");
        }
    }
}

/// What is answered where nobody was in front of the device: being unlocked or ended, and what
/// became of a key.
const WHILE_IDLE: [&str; 5] = [
    "POST /api/v1/sessions/unlock",
    "POST /api/v1/sessions/end",
    "DELETE /api/v1/sessions/current",
    "POST /api/v1/keys/question",
    "POST /api/v1/keys/close",
];

/// Who asks.
struct Asker {
    name: String,
    device: Option<String>,
    session: Option<String>,
    console: bool,
    /// Where, and who, for the table; none where nobody is recognised.
    place: Result<Place, &'static str>,
    person: Result<Role, &'static str>,
    /// Whose session it is, where nobody was in front of it for a while.
    idle: Option<Role>,
}

impl Asker {
    fn nobody(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            device: None,
            session: None,
            console: false,
            place: Ok(Place::Nowhere),
            person: Err("not_signed_in"),
            idle: None,
        }
    }

    /// What the table says: the refusal's name, if it refuses. Whoever is idle is told so where
    /// the place is right, before their roles are looked at.
    fn expected(&self, operation: Operation) -> Option<&'static str> {
        let doors = operation.row().doors;
        match self.idle {
            Some(role) if doors.iter().any(|door| WHILE_IDLE.contains(&&*door.text())) => Self {
                name: String::new(),
                device: self.device.clone(),
                session: self.session.clone(),
                person: Ok(role),
                idle: None,
                ..*self
            }
            .expected(operation),
            _ => self.expected_of(operation),
        }
    }

    fn expected_of(&self, operation: Operation) -> Option<&'static str> {
        match operation.row().who {
            Who::Public | Who::House => return None,
            Who::Anyone => {
                return match (self.place, &self.session) {
                    (Err(name), _) => Some(name),
                    (_, Some(_)) => self.person.err(),
                    _ => None,
                };
            }
            _ => {}
        }
        let place = match self.place {
            Err(name) => return Some(name),
            Ok(place) => place,
        };
        if let Err(refusal) = operation.judge_place(place) {
            return Some(name_of(&refusal));
        }
        let (Who::Person { .. }, Place::Device(here)) = (operation.row().who, place) else {
            return None;
        };
        match self.person {
            Err(name) => Some(name),
            Ok(role) if operation.row().who.roles_at(here).contains(&role) => None,
            Ok(_) => Some("wrong_role"),
        }
    }

    async fn ask(&self, house: &House, server: &Server, door: &Door) -> Answer {
        let (Door::Api(method, path) | Door::Page(method, path)) = door else {
            panic!("{} is no address", door.text());
        };
        let path = path
            .replace("{name}", "1")
            .replace("{number}", "1")
            .replace("{id}", "1")
            .replace("{index}", "1")
            .replace("{version}", "1")
            .replace("{code}", "1")
            .replace("{tile:.*}", "1");
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let answer = server(self.request(house, &method, &path)).await;
        if method == Method::GET {
            // Whoever may not have an answer may not have its head.
            let head = server(self.request(house, &Method::HEAD, &path)).await;
            assert_eq!(head.status, answer.status, "{} HEAD {path}", self.name);
        }
        answer
    }

    /// A request of theirs.
    fn request(&self, house: &House, method: &Method, path: &str) -> TestRequest {
        let mut request = TestRequest::with_uri(path).method(method.clone());
        if *method == Method::POST {
            request = request.set_json(json!({}));
        }
        if let Some(device) = &self.device {
            request = request.insert_header(("Boulier-Device", device.as_str()));
        }
        if let Some(session) = &self.session {
            request = request.insert_header(("Boulier-Session", session.as_str()));
        }
        if self.console {
            let folder = house.folder.path();
            let key = std::fs::read_to_string(folder.join(CONSOLE_FILE)).unwrap();
            request = request.insert_header((CONSOLE_HEADER, key));
        }
        request
    }
}

fn name_of(refusal: &Refusal) -> &'static str {
    refusal.name()
}

/// The name of the refusal that says who may not, or none.
fn refused(answer: &Answer) -> Option<String> {
    if answer.header("content-type") != "application/problem+json" {
        // A page says it without a name.
        return (answer.status == 403).then(|| "forbidden".to_owned());
    }
    let name = answer.problem().name().to_owned();
    NOT_FOR_YOU.contains(&name.as_str()).then_some(name)
}

/// The badge of a role that holds nothing else.
fn badge_of(role: Role) -> String {
    format!("R{}", role.number())
}

async fn signed_on(house: &House, device: u32, role: Role) -> Person {
    house.sign_on(device, &badge_of(role)).await
}

/// A device of each role.
fn devices() -> BTreeMap<DeviceRole, u32> {
    DeviceRole::ALL.into_iter().zip(100..).collect()
}

async fn askers(house: &House) -> Vec<Asker> {
    let mut all = vec![Asker::nobody("nobody")];
    all.push(Asker {
        console: true,
        place: Ok(Place::Console),
        ..Asker::nobody("the console")
    });
    all.push(Asker {
        device: Some(format!("100.{}", "00".repeat(32))),
        place: Err("device_unknown"),
        ..Asker::nobody("a device with another key")
    });
    let (revoked, key) = (99, {
        let central = house.central.clone();
        blocking(move || {
            let key = DeviceNumber(99)
                .record(&central, "R99", DeviceRole::Counter.number(), ("X1", "X2"))
                .unwrap();
            DeviceNumber(99).revoke(&central, "X1").unwrap();
            key
        })
    });
    all.push(Asker {
        device: Some(format!("{revoked}.{key}")),
        place: Err("device_revoked"),
        ..Asker::nobody("a revoked device")
    });
    for (role, number) in devices() {
        all.push(Asker {
            device: Some(house.device_header(number)),
            place: Ok(Place::Device(role)),
            ..Asker::nobody(&format!("a {} with nobody", role.name()))
        });
    }
    // Of each person at each device where they may sign on; elsewhere with the session of another
    // device, which is none there.
    for (at, number) in devices() {
        for role in Role::ALL {
            let may = Operation::may_sign_on(at, &[role.number()]);
            let answer = house
                .post_device(
                    number,
                    "/sessions",
                    json!({"badge": badge_of(role), "pin": pin_of(&badge_of(role))}),
                )
                .await;
            assert_eq!(
                answer.status == 200,
                may,
                "{} at a {}: {}",
                role.name(),
                at.name(),
                answer.text()
            );
        }
    }
    all
}

/// The askers whose sessions last only as long as nobody else signs on at their device.
async fn people_at(house: &House, at: DeviceRole, number: u32, role: Role) -> Vec<Asker> {
    if !Operation::may_sign_on(at, &[role.number()]) {
        return Vec::new();
    }
    let person = signed_on(house, number, role).await;
    let asker = |name: String, device: u32, place, person_of: Result<Role, &'static str>| Asker {
        name,
        device: Some(house.device_header(device)),
        session: Some(person.session_header.clone()),
        console: false,
        place: Ok(Place::Device(place)),
        person: person_of,
        idle: None,
    };
    let mut all = vec![asker(
        format!("a {} at a {}", role.name(), at.name()),
        number,
        at,
        Ok(role),
    )];
    for (other, device) in devices() {
        if other != at {
            all.push(asker(
                format!("a {} of a {} at a {}", role.name(), at.name(), other.name()),
                device,
                other,
                Err("session_elsewhere"),
            ));
        }
    }
    all
}

/// Nobody touches the device for as long as a session may be without a hand.
async fn idle_at(house: &House, at: DeviceRole, number: u32, role: Role) -> Option<Asker> {
    if !Operation::may_sign_on(at, &[role.number()]) {
        return None;
    }
    let person = signed_on(house, number, role).await;
    let minutes = house.central.house.sessions.idle_minutes;
    // A device tells how it is every five seconds.
    for _ in 0..=(minutes * 12) {
        house.clock.advance(5_000);
        let now_ms = house.central.clock.monotonic_ms();
        house.app.idle.heard(number, person.session, None, now_ms);
    }
    Some(Asker {
        device: Some(person.device_header),
        session: Some(person.session_header),
        place: Ok(Place::Device(at)),
        person: Err("session_idle"),
        idle: Some(role),
        ..Asker::nobody(&format!("an idle {} at a {}", role.name(), at.name()))
    })
}

fn founded(database: Option<&str>) -> House {
    let mut house = House::new(database);
    let central = house.central.clone();
    let keys = blocking(move || {
        for role in Role::ALL {
            let badge = badge_of(role);
            crate::common::record(&central, &badge, &[role]);
        }
        devices()
            .into_iter()
            .map(|(role, number)| {
                let key = DeviceNumber(number)
                    .record(&central, &format!("R{number}"), role.number(), ("X1", "X2"))
                    .unwrap();
                (number, key)
            })
            .collect::<Vec<_>>()
    });
    house.keys.extend(keys);
    house
}

async fn judge(
    (house, server): (&House, &Server),
    asker: &Asker,
    cells: &mut usize,
    wrong: &mut Vec<String>,
) {
    for operation in Operation::ALL {
        for door in operation.row().doors {
            if matches!(door, Door::Command(_)) {
                continue;
            }
            // It would end the session that asks.
            if operation.row().own == Own::Session
                && matches!(operation, Operation::SignOff)
                && asker.expected(*operation).is_none()
            {
                continue;
            }
            // A stream does not end.
            if door.text() == "GET /live" {
                continue;
            }
            let found = refused(&asker.ask(house, server, door).await);
            let expected = asker.expected(*operation);
            let agree = match (&found, expected, door) {
                (None, None, _) => true,
                // Shift 1 is not theirs.
                (Some(found), None, _) if operation.row().own == Own::Shift => {
                    found == "wrong_role"
                }
                (Some(found), Some(expected), Door::Api(..)) => found == expected,
                (Some(_), Some(_), Door::Page(..)) => true,
                _ => false,
            };
            *cells += 1;
            if !agree {
                wrong.push(format!(
                    "{} by {}: {found:?}, and the table says {expected:?}",
                    door.text(),
                    asker.name
                ));
            }
        }
    }
}

async fn every_cell(database: Option<&str>) {
    let house = founded(database);
    let (mut cells, mut wrong) = (0, Vec::new());
    let server = house.server().await;
    for asker in askers(&house).await {
        judge((&house, &server), &asker, &mut cells, &mut wrong).await;
    }
    for (at, number) in devices() {
        for role in Role::ALL {
            for asker in people_at(&house, at, number, role).await {
                judge((&house, &server), &asker, &mut cells, &mut wrong).await;
            }
        }
    }
    for (at, number) in devices() {
        for role in Role::ALL {
            if let Some(asker) = idle_at(&house, at, number, role).await {
                judge((&house, &server), &asker, &mut cells, &mut wrong).await;
            }
        }
    }
    // Signing off is allowed, and ends the session for everything else.
    let person = signed_on(&house, devices()[&DeviceRole::Counter], Role::Clerk).await;
    let end = TestRequest::delete().uri("/api/v1/sessions/current");
    assert_eq!(house.call(person.sign(end)).await.status, 200);
    let ended = Asker {
        device: Some(person.device_header),
        session: Some(person.session_header),
        place: Ok(Place::Device(DeviceRole::Counter)),
        person: Err("session_ended"),
        ..Asker::nobody("an ended session")
    };
    judge((&house, &server), &ended, &mut cells, &mut wrong).await;
    assert!(
        wrong.is_empty(),
        "{} of {cells} cells:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(cells > 10_000, "{cells} cells");
}

#[actix_web::test]
async fn every_cell_is_as_the_table_says() {
    every_cell(None).await;
}

#[actix_web::test]
async fn every_cell_is_as_the_table_says_on_postgresql() {
    let database = blocking(|| keno_testing::empty_postgres_database().unwrap());
    every_cell(Some(database.address())).await;
}
