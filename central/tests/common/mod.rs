//! A house behind its public door: people with badges and PINs, devices with keys, a clock that
//! moves when told. Requests go through the server's own table of addresses.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "support code that each test uses in part, and whose failures are the test's"
)]

pub mod desk;
pub mod printed;
pub mod restored;
pub mod seeded;
pub mod stage;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::body::MessageBody;
use actix_web::http::header::HeaderMap;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web;
use futures_util::future::LocalBoxFuture;
use keno_central::app::App;
use keno_central::problem::meaning;
use keno_central::server::configure;
use keno_game::DrawState;
use keno_house_builder::{Founded, NewHouse, Pins, devices, found, is_over, until_draw};
use keno_record::clock::ManualClock;
use keno_record::past_draws::draw_range;
use keno_record::roles::{DeviceRole, Role};
use keno_record::view::DrawInfo;
use keno_service::Central;
use keno_service::central::Options;
use keno_service::draw::Conductor;
use keno_service::house_file::HouseFile;
use keno_testing::TestFolder;
use keno_wire::Problem;
use keno_wire::reply::{CheckReply, SellReply, SignOnReply};
use keno_wire::request::PayItem;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use keno_house_builder::{NOON_MS, RULES};
pub use keno_testing::pin_of;

/// The server's table of addresses, at which a request is answered.
pub type Server = Rc<dyn Fn(TestRequest) -> LocalBoxFuture<'static, Answer>>;

thread_local! {
    /// That of the house which this thread asked last: to build one takes as long as many requests.
    /// Where the house ends on another thread it is let be: what actix keeps for this one is gone by then.
    static SERVER: RefCell<ManuallyDrop<Option<(*const App, Server)>>> =
        const { RefCell::new(ManuallyDrop::new(None)) };
}

/// Lets go of the house that this thread asked last, when it is dropped or is to be stopped.
pub struct Asked;

impl Drop for Asked {
    fn drop(&mut self) {
        drop(ManuallyDrop::into_inner(SERVER.take()));
    }
}

/// The float of every till.
pub const FLOAT_CENTS: i64 = 500_000;

/// Counters, a kiosk, a display, the audit office, the back office, the draw desk, the main cage.
const DEVICES: [(u32, &str, DeviceRole); 8] = [
    (1, "T01", DeviceRole::Counter),
    (2, "T02", DeviceRole::Counter),
    (3, "K01", DeviceRole::Kiosk),
    (4, "D01", DeviceRole::Display),
    (5, "A01", DeviceRole::Audit),
    (6, "B01", DeviceRole::Office),
    (7, "P01", DeviceRole::Desk),
    (8, "G01", DeviceRole::Cage),
];

/// A person with a PIN of their own, recorded by the two administrators.
pub fn record(central: &Central, badge: &str, roles: &[Role]) {
    let one = [keno_house_builder::Person::of(badge, roles)];
    keno_house_builder::record_people(central, ["X1", "X2"], &one, Pins::Quick(pin_of)).unwrap();
}

/// A second person as a request names one.
pub fn second(badge: &str) -> Value {
    json!({"badge": badge, "pin": pin_of(badge)})
}

/// A house on a database of its own.
pub struct House {
    pub folder: TestFolder,
    pub clock: Arc<ManualClock>,
    pub central: Arc<Central>,
    pub app: web::Data<App>,
    pub keys: BTreeMap<u32, String>,
    counter: AtomicU64,
    asked: Asked,
}

/// A person signed on at a device.
#[derive(Debug, Clone)]
pub struct Person {
    pub badge: String,
    pub device: u32,
    pub device_header: String,
    pub session: u64,
    pub session_header: String,
    pub shift: Option<u64>,
}

/// What the server answered.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn value(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text()))
    }

    /// The reply of a call that succeeded.
    #[track_caller]
    pub fn ok<T: DeserializeOwned>(&self) -> T {
        assert_eq!(self.status, 200, "{}", self.text());
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The problem of a call that did not.
    #[track_caller]
    pub fn problem(&self) -> Problem {
        assert_eq!(
            self.header("content-type"),
            "application/problem+json",
            "{}",
            self.text()
        );
        let problem: Problem = serde_json::from_slice(&self.body).unwrap();
        assert_eq!(problem.status, self.status);
        let sentence = &problem.sentence;
        assert!(!sentence.fr.is_empty() && !sentence.en.is_empty());
        let title = match self.header("content-language") {
            "en" => &sentence.en,
            _ => &sentence.fr,
        };
        assert_eq!(problem.title, *title);
        assert!(meaning::of(problem.name()).is_some(), "{}", problem.kind);
        assert!(meaning::statuses().any(|status| status == self.status));
        problem
    }

    /// Status and name of the problem.
    #[track_caller]
    pub fn refusal(&self) -> (u16, String) {
        let problem = self.problem();
        (self.status, problem.name().to_owned())
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}

/// The options of every house here: SQLite unless an address is given.
pub fn options(folder: &Path, clock: &Arc<ManualClock>, database: Option<&str>) -> Options {
    let file = keno_house_builder::house_file(database).unwrap();
    keno_house_builder::options(folder, clock, file)
}

/// Runs what blocks on a thread of its own: inside a test's runtime it may not.
pub fn blocking<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap())
}

impl House {
    /// A founded house with rules, people, devices and draws on sale; SQLite unless an address
    /// is given.
    pub fn new(database: Option<&str>) -> Self {
        Self::with_rules(database, RULES)
    }

    /// As [`House::new`], with other rules.
    pub fn with_rules(database: Option<&str>, rules: &str) -> Self {
        Self::made(database, rules, |_| {})
    }

    /// As [`House::new`], where the file of the house says something else.
    pub fn with_file(said: impl FnOnce(&mut HouseFile) + Send) -> Self {
        Self::made(None, RULES, said)
    }

    /// As [`House::new`], with other rules and another file of the house.
    pub fn made(
        database: Option<&str>,
        rules: &str,
        said: impl FnOnce(&mut HouseFile) + Send,
    ) -> Self {
        Self::opened(database, rules, |options| said(&mut options.house))
    }

    /// As [`House::new`], with other rules, and opened in another way.
    pub fn opened(
        database: Option<&str>,
        rules: &str,
        how: impl FnOnce(&mut Options) + Send,
    ) -> Self {
        Self::founded((rules, Pins::Quick(pin_of)), |folder, clock| {
            let mut options = options(folder, clock, database);
            how(&mut options);
            options
        })
    }

    /// As [`House::new`], where trying a PIN takes the time that it takes in a true house.
    pub fn with_true_pins() -> Self {
        Self::founded((RULES, Pins::Recorded(pin_of)), |folder, clock| {
            options(folder, clock, None)
        })
    }

    fn founded(
        (rules, pins): (&str, Pins),
        options: impl FnOnce(&Path, &Arc<ManualClock>) -> Options + Send,
    ) -> Self {
        let folder = TestFolder::new().unwrap();
        let clock = Arc::new(ManualClock::at(NOON_MS));
        blocking(move || {
            let options = options(folder.path(), &clock);
            let house = NewHouse {
                pins,
                devices: devices(&DEVICES),
                rules: Some(rules.to_owned()),
                publishers: ["X1", "S1"],
                ..NewHouse::default()
            };
            let Founded { central, keys } = found(options, &house).unwrap();
            let app = web::Data::new(App::new(Arc::clone(&central), folder.path()).unwrap());
            Self {
                folder,
                clock,
                central,
                app,
                keys,
                counter: AtomicU64::new(0),
                asked: Asked,
            }
        })
    }

    /// The house after a restart of central.
    pub fn restarted(self) -> Self {
        self.restarted_with(|_| {})
    }

    /// The same, with other options.
    pub fn restarted_with(self, said: impl FnOnce(&mut Options) + Send) -> Self {
        let Self {
            folder,
            clock,
            central,
            app,
            keys,
            counter,
            asked,
        } = self;
        drop(asked);
        blocking(move || {
            drop(app);
            central.sequencer.stop();
            drop(central);
            let mut options = options(folder.path(), &clock, None);
            said(&mut options);
            let central = Central::open(options).unwrap();
            Conductor::tick(&central);
            let app = web::Data::new(App::new(Arc::clone(&central), folder.path()).unwrap());
            Self {
                folder,
                clock,
                central,
                app,
                keys,
                counter,
                asked: Asked,
            }
        })
    }

    /// Sends a request through the server's table.
    pub async fn call(&self, request: TestRequest) -> Answer {
        let server = self.server().await;
        server(request).await
    }

    /// The server's table, for many requests.
    pub async fn server(&self) -> Server {
        let app = self.app.clone();
        let own = Arc::as_ptr(&app.clone().into_inner());
        let known = SERVER.with_borrow(|last| {
            let of_this = last.as_ref().filter(|(house, _)| *house == own);
            of_this.map(|(_, server)| Rc::clone(server))
        });
        if let Some(server) = known {
            return server;
        }
        let table = actix_web::App::new().configure(|cfg| configure(cfg, app));
        let service = Rc::new(init_service(table).await);
        let server: Server = Rc::new(move |request| {
            let service = Rc::clone(&service);
            Box::pin(async move {
                let response = call_service(&*service, request.to_request()).await;
                let status = response.status().as_u16();
                let headers = response.headers().clone();
                let body = actix_web::body::to_bytes(response.into_body().boxed())
                    .await
                    .unwrap_or_else(|_| panic!("the body broke"));
                Answer {
                    status,
                    headers,
                    body: body.to_vec(),
                }
            })
        });
        SERVER.set(ManuallyDrop::new(Some((own, Rc::clone(&server)))));
        server
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call(TestRequest::get().uri(path)).await
    }

    /// A `GET` of a device with nobody signed on.
    pub async fn get_device(&self, device: u32, path: &str) -> Answer {
        let header = ("Boulier-Device", self.device_header(device));
        self.call(TestRequest::get().uri(path).insert_header(header))
            .await
    }

    /// A `GET` of a person.
    pub async fn get_as(&self, person: &Person, path: &str) -> Answer {
        self.call(person.sign(TestRequest::get().uri(path))).await
    }

    /// A `POST` under `/api/v1` of a person.
    pub async fn post(&self, person: &Person, path: &str, body: Value) -> Answer {
        let request = TestRequest::post()
            .uri(&format!("/api/v1{path}"))
            .set_json(body);
        self.call(person.sign(request)).await
    }

    /// A `POST` under `/api/v1` of a device with nobody signed on.
    pub async fn post_device(&self, device: u32, path: &str, body: Value) -> Answer {
        let request = TestRequest::post()
            .uri(&format!("/api/v1{path}"))
            .insert_header(("Boulier-Device", self.device_header(device)))
            .set_json(body);
        self.call(request).await
    }

    /// A `POST` under `/api/v1` of nobody.
    pub async fn post_nobody(&self, path: &str, body: Value) -> Answer {
        let request = TestRequest::post()
            .uri(&format!("/api/v1{path}"))
            .set_json(body);
        self.call(request).await
    }

    pub fn device_header(&self, device: u32) -> String {
        format!("{device}.{}", self.keys[&device])
    }

    /// Signs a person on at a device, with a float for those who keep a till.
    pub async fn sign_on(&self, device: u32, badge: &str) -> Person {
        let keeps_a_till = badge.starts_with(['C', 'S']);
        let mut body = json!({"badge": badge, "pin": pin_of(badge)});
        if keeps_a_till {
            body["float_cents"] = json!(FLOAT_CENTS);
        }
        let reply: SignOnReply = self.post_device(device, "/sessions", body).await.ok();
        Person {
            badge: badge.to_owned(),
            device,
            device_header: self.device_header(device),
            session: reply.session,
            session_header: format!("{}.{}", reply.session, reply.token),
            shift: reply.shift,
        }
    }

    /// A new key of a person.
    pub fn key(&self, person: &Person) -> Value {
        let counter = self.counter.fetch_add(1, Ordering::SeqCst) + 1;
        json!({"session": person.session, "counter": counter})
    }

    /// What a slip costs.
    pub async fn price(&self, person: &Person, slip: &Value) -> i64 {
        let answer = self.post(person, "/prices", json!({"slip": slip})).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.value()["total_cents"].as_i64().unwrap()
    }

    /// The request that sells a slip at its price, paid exactly.
    pub async fn order(&self, person: &Person, slip: &Value) -> Value {
        let total = self.price(person, slip).await;
        json!({
            "key": self.key(person), "slip": slip, "tender": "cash",
            "received_cents": total, "total_cents": total, "intake": "slip",
        })
    }

    /// Sells a slip.
    pub async fn sell(&self, person: &Person, slip: &Value) -> SellReply {
        let order = self.order(person, slip).await;
        self.post(person, "/sales", order).await.ok()
    }

    /// Sells a slip and confirms its paper.
    pub async fn sell_printed(&self, person: &Person, slip: &Value) -> SellReply {
        let sold = self.sell(person, slip).await;
        let body = json!({"ticket": sold.ticket.ticket, "copy": 1, "how": "printer"});
        assert_eq!(self.post(person, "/prints", body).await.status, 200);
        sold
    }

    /// Asks about a code.
    pub async fn check(&self, person: &Person, code: &str) -> CheckReply {
        self.post(person, "/checks", json!({"code": code}))
            .await
            .ok()
    }

    /// The request that pays everything that is shown as payable.
    pub async fn pay_order(&self, person: &Person, code: &str) -> Value {
        let items: Vec<PayItem> = self.check(person, code).await.payable;
        json!({"key": self.key(person), "code": code, "items": items})
    }

    /// Takes every draw step that is due.
    pub fn tick(&self) {
        blocking(|| Conductor::tick(&self.central));
    }

    pub fn draw_state(&self, draw: u64) -> DrawState {
        blocking(|| draw_range(&self.central, draw, draw).unwrap()[0].state())
    }

    /// Lets time pass, a second at a time, until a draw is as asked, for an hour at most.
    fn until_draw(&self, draw: u64, is_there: impl Fn(&DrawInfo) -> bool + Send) {
        let limits = (draw, 3_600);
        blocking(|| until_draw(&self.central, &self.clock, limits, is_there).unwrap());
        self.unlock_all();
    }

    /// Everybody is back at their screen and has typed the PIN.
    pub fn unlock_all(&self) {
        let now_ms = self.central.clock.monotonic_ms();
        for (session, open) in &self.central.view.get().sessions {
            self.app.idle.unlocked(open.device, *session, now_ms);
        }
    }

    /// Lets time pass until the draw is in one of the states.
    pub fn until(&self, draw: u64, states: &[DrawState]) {
        self.until_draw(draw, |draw| states.contains(&draw.state()));
    }

    pub fn until_settled(&self, draw: u64) {
        self.until_draw(draw, is_over);
    }

    /// Lets time pass until sales of the draw are closed.
    pub fn until_closed(&self, draw: u64) {
        self.until_draw(draw, |draw| draw.is_sealed());
    }

    /// When sales of a draw close.
    pub fn closes_at_ms(&self, draw: u64) -> i64 {
        self.central.view.get().draws[&draw].closes_at_ms()
    }

    pub fn next_draw(&self) -> u64 {
        self.central.view.get().next_open().unwrap().number()
    }
}

impl Person {
    /// A request with this person's headers.
    pub fn sign(&self, request: TestRequest) -> TestRequest {
        request
            .insert_header(("Boulier-Device", self.device_header.clone()))
            .insert_header(("Boulier-Session", self.session_header.clone()))
    }
}

/// A slip with one straight selection.
pub fn straight(numbers: &[u8], wager_cents: i64, draws: u32) -> Value {
    json!({
        "selections": [{"type": "straight", "numbers": numbers, "wager_cents": wager_cents}],
        "draws": draws,
    })
}

/// A slip that wins whatever is drawn: each of the 80 numbers alone, so that 20 of 80 ways catch
/// one of one, which pays 3 for 1.
pub fn sure_win(wager_cents: i64, draws: u32) -> Value {
    let groups: Vec<[u8; 1]> = (1..=80).map(|number| [number]).collect();
    json!({
        "selections": [{
            "type": "way", "groups": groups,
            "ways": [{"ways": 80, "spots": 1, "wager_cents": wager_cents}],
        }],
        "draws": draws,
    })
}

/// What a sure win pays for one draw.
pub const fn sure_prize_cents(wager_cents: i64) -> i64 {
    20 * 3 * wager_cents
}
