//! A founded house behind its real door: people with badges and PINs, devices with keys, a
//! server on a free port, a clock that moves when told.

use keno_service::counter;
use keno_service::draw;
use keno_service::house_file::HouseFile;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, mpsc};
use std::thread;
use std::thread::JoinHandle;

use actix_web::web;
use keno_central::app::App;
use keno_central::server::{Handles, serve_with};
use keno_game::DrawState;
use keno_house_builder::{
    Founded, NewHouse, Pins, counters, found, house_file, is_over, people, until_draw,
};
use keno_record::clock::ManualClock;
use keno_record::past_draws::draw_range;
use keno_record::record::OpenRecordFault;
use keno_record::roles::Role;
use keno_record::view::DrawInfo;
use keno_service::Central;
use keno_service::central::{OpenCentralFault, Options};
use keno_service::draw::Conductor;
use keno_service::house_file::Tls;
use keno_service::maintenance::EpochOrder;
use keno_testing::{TestFolder, copy_folder};
use keno_wire::reply::{CheckReply, SignOnReply};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::http::{Answer, Request};

pub use keno_house_builder::NOON_MS;
pub use keno_testing::pin_of;

/// Name of the house: its accents, its apostrophe and its ligature travel to every paper.
pub const NAME: &str = "Casino de l’Été à Trois-Cœurs";

/// Names by which central is called over TLS.
pub const NAMES: [&str; 2] = ["127.0.0.1", "localhost"];

/// The float of every till, in cents.
pub const FLOAT_CENTS: i64 = 500_000;

/// The device of the people who act for a test, beside the counters 1 to 3.
pub const OFFICE: u32 = 4;

/// Badges and roles, beside the administrators.
const PEOPLE: [(&str, &[Role]); 5] = [
    ("C1", &[Role::Clerk]),
    ("C2", &[Role::Clerk]),
    ("C3", &[Role::Clerk]),
    ("S1", &[Role::Supervisor]),
    ("S2", &[Role::Supervisor, Role::Cage]),
];

/// The administrators.
const ADMINISTRATORS: [&str; 2] = ["X1", "X2"];

/// Every badge of a house that was just founded.
pub fn badges() -> impl Iterator<Item = &'static str> {
    PEOPLE.iter().map(|(badge, _)| *badge).chain(ADMINISTRATORS)
}

/// A person with a PIN of their own, recorded by the house's administrators.
///
/// # Panics
/// When that is refused.
pub fn record(central: &Central, badge: &str, roles: &[Role]) {
    let one = [keno_house_builder::Person::of(badge, roles)];
    keno_house_builder::record_people(central, ADMINISTRATORS, &one, Pins::Quick(pin_of)).unwrap();
}

/// A second person as a request names one.
pub fn second(badge: &str) -> Value {
    json!({"badge": badge, "pin": pin_of(badge)})
}

struct Serving {
    address: SocketAddr,
    secure: SocketAddr,
    public: SocketAddr,
    app: web::Data<App>,
    handle: Handles,
    thread: JoinHandle<()>,
}

/// A house.
pub struct House {
    /// Its data.
    pub folder: TestFolder,
    /// Its clock.
    pub clock: Arc<ManualClock>,
    database: Option<String>,
    central: Option<Arc<Central>>,
    serving: Option<Serving>,
    /// Keys of the devices, in hexadecimal.
    pub keys: BTreeMap<u32, String>,
    /// The oldest agent that may sign on, from the next start.
    pub agents_minimum: Option<String>,
}

/// A person signed on at [`OFFICE`].
pub struct Person<'a> {
    house: &'a House,
    session: String,
}

fn start(central: &Arc<Central>, folder: &TestFolder) -> Serving {
    let app = web::Data::new(App::new(Arc::clone(central), folder.path()).unwrap());
    let (tell, told) = mpsc::channel();
    let kept = app.clone();
    let thread = thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let any = SocketAddr::from(([127, 0, 0, 1], 0));
            let tls = Tls {
                listen: any,
                public: any,
                names: NAMES.map(str::to_owned).to_vec(),
            };
            let served = serve_with(&app, any, Some(&tls)).unwrap();
            let addresses = (served.address, served.tls.unwrap(), served.public.unwrap());
            tell.send((addresses, served.server.handle())).unwrap();
            served.server.await.unwrap();
        });
    });
    let ((address, secure, public), handle) = told.recv().expect("central listens");
    Serving {
        address,
        secure,
        public,
        app: kept,
        handle,
        thread,
    }
}

impl House {
    /// A house that opens today, on SQLite.
    pub fn new() -> Self {
        Self::on(None)
    }

    /// A house that opens today, on SQLite unless an address is given.
    pub fn on(database: Option<&str>) -> Self {
        Self::at(database, NOON_MS)
    }

    /// As [`Self::on`], at another time.
    pub fn at(database: Option<&str>, now_ms: i64) -> Self {
        let mut house = Self {
            folder: TestFolder::new().unwrap(),
            clock: Arc::new(ManualClock::at(now_ms)),
            database: database.map(str::to_owned),
            central: None,
            serving: None,
            keys: BTreeMap::new(),
            agents_minimum: None,
        };
        let wanted = NewHouse {
            administrators: ADMINISTRATORS,
            people: people(&PEOPLE),
            pins: Pins::Quick(pin_of),
            devices: counters(1..=OFFICE),
            publishers: ADMINISTRATORS,
            ..NewHouse::default()
        };
        let Founded { central, keys } = found(house.options(), &wanted).unwrap();
        house.keys = keys;
        house.serving = Some(start(&central, &house.folder));
        house.central = Some(central);
        house
    }

    /// Its house file, as the real program reads it: any free ports, and TLS.
    pub fn file_text(&self) -> String {
        let mut text = HouseFile::demonstration();
        let url = self.database.as_deref().unwrap_or("keno.sqlite");
        for (from, to) in [
            ("Casino de démonstration", NAME),
            ("saleable_draws = 40", "saleable_draws = 24"),
            ("127.0.0.1:8480", "127.0.0.1:0"),
            ("url = \"keno.sqlite\"", &format!("url = \"{url}\"")),
        ] {
            assert!(text.contains(from), "{from}");
            text = text.replace(from, to);
        }
        text + &format!("\n[tls]\nlisten = \"127.0.0.1:0\"\nnames = {NAMES:?}\n")
    }

    fn options(&self) -> Options {
        let mut file = house_file(self.database.as_deref()).unwrap();
        NAME.clone_into(&mut file.name);
        file.saleable_draws = 24;
        file.agents_minimum.clone_from(&self.agents_minimum);
        let mut options = keno_house_builder::options(self.folder.path(), &self.clock, file);
        // Express picks by chance, as in a real house: another start repeats none.
        options.quick_picks = None;
        options
    }

    /// The use cases below the door.
    ///
    /// # Panics
    /// While central is stopped.
    pub fn central(&self) -> &Arc<Central> {
        self.central.as_ref().expect("central is running")
    }

    /// Where central listens.
    ///
    /// # Panics
    /// While central is stopped.
    pub fn address(&self) -> SocketAddr {
        self.serving.as_ref().expect("central is running").address
    }

    /// Where central listens with TLS.
    ///
    /// # Panics
    /// While central is stopped.
    pub fn secure(&self) -> SocketAddr {
        self.serving.as_ref().expect("central is running").secure
    }

    /// Where it listens with TLS for everybody.
    pub fn public(&self) -> SocketAddr {
        self.serving.as_ref().expect("central is running").public
    }

    /// What every request shares.
    ///
    /// # Panics
    /// While central is stopped.
    pub fn app(&self) -> &App {
        &self.serving.as_ref().expect("central is running").app
    }

    /// Stops central without a word to anyone who waits for an answer.
    pub fn stop(&mut self) {
        if let Some(serving) = self.serving.take() {
            drop(serving.handle.stop(false));
            serving.thread.join().unwrap();
            drop(serving.app);
        }
        self.central = None;
    }

    /// Opens central again on what it kept.
    ///
    /// # Panics
    /// When its past does not hold.
    pub fn start(&mut self) {
        let central = loop {
            match Central::open(self.options()) {
                // The last worker of the old server has not let go yet.
                Err(OpenCentralFault::Record(OpenRecordFault::Locked(_))) => thread::yield_now(),
                opened => break opened.unwrap(),
            }
        };
        self.serving = Some(start(&central, &self.folder));
        self.central = Some(central);
        Conductor::tick(self.central());
    }

    /// Waits until the last worker of the stopped server has closed the record: it would tidy up by
    /// name, and take files away that have since taken the place of its own.
    fn waits_until_let_go(&self) {
        assert!(self.central.is_none(), "central is running");
        let lock = std::fs::File::open(self.folder.join("central.lock")).unwrap();
        while lock.try_lock().is_err() {
            thread::yield_now();
        }
    }

    /// Keeps a copy of what is on the disk, as a backup of a careless house would, or a thief.
    ///
    /// # Panics
    /// While central is running.
    pub fn copied(&self) -> TestFolder {
        self.waits_until_let_go();
        loop {
            let copy = TestFolder::new().unwrap();
            // A reader that lets go only now takes files of its own away: then once more.
            if copy_folder(self.folder.path(), copy.path()).is_ok() {
                return copy;
            }
        }
    }

    /// Puts a copy in the place of what is on the disk, and takes the anchors away that would
    /// tell.
    ///
    /// # Panics
    /// While central is running.
    pub fn set_back(&self, copy: &TestFolder) {
        self.waits_until_let_go();
        std::fs::remove_dir_all(self.folder.path()).unwrap();
        std::fs::create_dir(self.folder.path()).unwrap();
        copy_folder(copy.path(), self.folder.path()).unwrap();
        std::fs::remove_file(self.folder.join("anchors.log")).unwrap();
    }

    /// Everything after the copy is lost, and the record goes on from it in a new epoch, by S1 and
    /// S2, who let sales go on: what a restore does. Central runs before and after.
    ///
    /// # Panics
    /// When central is stopped, or does not open the epoch.
    pub fn goes_on_from(&mut self, copy: &TestFolder) {
        let head = keno_record::store::log::head(&mut self.central().readers.get().unwrap());
        let (edge, _) = head.unwrap().expect("the record has a head");
        self.stop();
        self.set_back(copy);
        self.clock.advance(60_000);
        let mut options = self.options();
        options.opens_epoch = true;
        let central = Central::open(options).unwrap();
        EpochOrder {
            lost: Some((edge.size(), edge.root())),
            lost_epoch: 1,
            reason: "disk lost".to_owned(),
            by: "S1".to_owned(),
            second: "S2".to_owned(),
        }
        .open(&central)
        .unwrap();
        draw::resume_sales(&central, "S1", "S2").unwrap();
        drop(central);
        self.start();
    }

    /// State of a draw.
    pub fn draw_state(&self, draw: u64) -> DrawState {
        draw_range(self.central(), draw, draw).unwrap()[0].state()
    }

    /// Now, by the house's clock on the wall: `yyyy-mm-dd HH:MM`.
    ///
    /// # Panics
    /// When central is stopped.
    pub fn local_minute(&self) -> String {
        let central = self.central();
        central.calendar.minute_text(central.clock.now_ms())
    }

    /// Lets time pass until a draw is as asked, for three hours at most.
    fn until_draw(&self, draw: u64, is_there: impl Fn(&DrawInfo) -> bool) {
        until_draw(self.central(), &self.clock, (draw, 10_800), is_there).unwrap();
    }

    /// Lets time pass until a draw is settled or void.
    pub fn until_settled(&self, draw: u64) {
        self.until_draw(draw, is_over);
    }

    /// Lets time pass until sales of a draw are closed.
    pub fn until_closed(&self, draw: u64) {
        self.until_draw(draw, |draw| draw.is_sealed());
    }

    /// The draw that is on sale next.
    pub fn next_draw(&self) -> u64 {
        self.central().view.get().next_open().unwrap().number()
    }

    /// Numbers of a draw, in order.
    pub fn balls(&self, draw: u64) -> Vec<u8> {
        let answer = self.get(&format!("/api/v1/draws/{draw}"));
        let view: Value = serde_json::from_slice(&answer.body).unwrap();
        serde_json::from_value(view["balls"].clone()).unwrap()
    }

    /// Leaves in the record.
    pub fn log_size(&self) -> u64 {
        self.central().view.get().log_size
    }

    /// The control number of a ticket, which stands on its paper alone.
    ///
    /// # Panics
    /// When there is no such ticket.
    pub fn number_of(&self, ticket: u64) -> String {
        let central = self.central();
        counter::Paper::control_number(central, ticket).digits()
    }

    /// Tickets in the record.
    pub fn tickets(&self) -> u64 {
        self.verified(None).replay.totals().tickets
    }

    /// A `GET` of anyone.
    pub fn get(&self, path: &str) -> Answer {
        Request::new("GET", path, &[], Vec::new()).ask(self.address())
    }

    /// The newest checkpoint as the house publishes it.
    pub fn checkpoint(&self) -> String {
        let answer = self.get("/log/checkpoint");
        assert_eq!(answer.status, 200);
        String::from_utf8(answer.body).unwrap()
    }

    /// The record up to its last leaf, as it is exported.
    pub fn exported(&self) -> Vec<u8> {
        keno_house_builder::exported(self.central()).unwrap()
    }

    /// Every fact of the record, in order.
    ///
    /// # Panics
    /// When the export does not read back.
    pub fn events(&self) -> Vec<keno_log::Event> {
        let bytes = self.exported();
        keno_log::export::ExportReader::new(&bytes)
            .unwrap()
            .filter_map(|record| match record.unwrap() {
                keno_log::export::ExportRecord::Entry(entry) => {
                    Some(entry.entry().unwrap().event().unwrap())
                }
                keno_log::export::ExportRecord::End(_) => None,
            })
            .collect()
    }

    /// What the second computation says of the record, held against a checkpoint that was kept
    /// elsewhere.
    pub fn verified(&self, outside: Option<&str>) -> keno_audit::Outcome {
        let key = self.central().view.get().house.clone().unwrap().log_key;
        let outside = keno_audit::Outside {
            checkpoint: outside,
            key: Some(&key),
        };
        let bytes = self.exported();
        keno_audit::verify(bytes.as_slice(), outside, keno_audit::Options::default()).unwrap()
    }

    /// Another person signs on at a device: the session that was open there ends.
    ///
    /// # Panics
    /// When that is refused.
    pub fn ends_session_at(&self, device: u32, badge: &str) {
        let body = json!({"badge": badge, "pin": pin_of(badge)});
        let answer = self.post_at(device, None, "/sessions", &body);
        assert_eq!(answer.status, 200, "{}", text(&answer));
    }

    /// A request under `/api/v1` of the office.
    pub fn post(&self, session: Option<&str>, path: &str, body: &Value) -> Answer {
        self.post_at(OFFICE, session, path, body)
    }

    fn post_at(&self, device: u32, session: Option<&str>, path: &str, body: &Value) -> Answer {
        let device = format!("{device}.{}", self.keys[&device]);
        let mut headers = vec![("boulier-device", device.as_str())];
        headers.extend(session.map(|session| ("boulier-session", session)));
        let bytes = serde_json::to_vec(body).unwrap();
        Request::new("POST", &format!("/api/v1{path}"), &headers, bytes).ask(self.address())
    }

    /// What anyone with the paper is told of it.
    pub fn check(&self, code: &str) -> CheckReply {
        let answer = self.post(None, "/checks", &json!({"code": code}));
        assert_eq!(answer.status, 200, "{}", text(&answer));
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// Name of the verdict on a paper.
    pub fn verdict(&self, code: &str) -> String {
        self.check(code).verdict.code.to_string()
    }

    /// Signs a person on at the office.
    pub fn person(&self, badge: &str) -> Person<'_> {
        let body = json!({"badge": badge, "pin": pin_of(badge)});
        let answer = self.post(None, "/sessions", &body);
        assert_eq!(answer.status, 200, "{}", text(&answer));
        let reply: SignOnReply = serde_json::from_slice(&answer.body).unwrap();
        Person {
            house: self,
            session: format!("{}.{}", reply.session, reply.token),
        }
    }
}

impl Default for House {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop();
    }
}

fn text(answer: &Answer) -> String {
    format!(
        "{}: {}",
        answer.status,
        String::from_utf8_lossy(&answer.body)
    )
}

impl Person<'_> {
    /// Does something that must succeed.
    ///
    /// # Panics
    /// When it does not.
    pub fn does<R: DeserializeOwned>(&self, path: &str, body: &Value) -> R {
        let answer = self.house.post(Some(&self.session), path, body);
        assert_eq!(answer.status, 200, "{path}: {}", text(&answer));
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// Looks at something that must be shown.
    ///
    /// # Panics
    /// When it is not.
    pub fn sees<R: DeserializeOwned>(&self, path: &str) -> R {
        let device = format!("{OFFICE}.{}", self.house.keys[&OFFICE]);
        let headers = [
            ("boulier-device", device.as_str()),
            ("boulier-session", self.session.as_str()),
        ];
        let answer = Request::new("GET", path, &headers, Vec::new()).ask(self.house.address());
        assert_eq!(answer.status, 200, "{path}: {}", text(&answer));
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// Tries something that must be refused; the name of the refusal.
    ///
    /// # Panics
    /// When it is not refused.
    pub fn is_refused(&self, path: &str, body: &Value) -> String {
        refusal(&self.house.post(Some(&self.session), path, body))
    }
}

/// The name of a refusal.
///
/// # Panics
/// When the answer is none.
pub fn refusal(answer: &Answer) -> String {
    let problem: keno_wire::Problem = serde_json::from_slice(&answer.body)
        .unwrap_or_else(|error| panic!("{error}: {}", text(answer)));
    assert!(answer.status >= 400);
    problem.name().to_owned()
}
