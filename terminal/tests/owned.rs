//! The input devices of a till: its keyboard is the page's, and no key of anything else that types.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use evdev::uinput::VirtualDevice;
use evdev::{AttributeSet, EventType, InputEvent as Event, KeyCode};
use keno_terminal::scanner::input::MachineInputs;
use keno_terminal::scanner::owned::{
    InputEvent, InputEvents, InputIdentity, InputStanding, Inputs, Owned, Owner, Plugged,
};

const GAP: Duration = Duration::from_millis(300);
/// The codes of the kernel for what these devices type.
const CODES: &[(char, u16)] = &[
    ('1', 2),
    ('2', 3),
    ('3', 4),
    ('4', 5),
    ('5', 6),
    ('6', 7),
    ('7', 8),
    ('8', 9),
    ('9', 10),
    ('0', 11),
    ('-', 12),
    ('K', 37),
    ('T', 20),
    ('M', 50),
    ('P', 25),
    ('J', 36),
    ('B', 48),
    ('D', 32),
    ('Q', 16),
    (']', 27),
    ('/', 53),
    (' ', 57),
    ('\n', 28),
    ('\t', 15),
];

/// What a device reports of a text, as it was recorded: scan code, press, synchronisation, release,
/// synchronisation; a capital between Shift.
fn recorded(text: &str) -> Vec<InputEvent> {
    let one = |sign: char| {
        let code = CODES.iter().find(|(own, _)| *own == sign).unwrap().1;
        let stroke = |code: u16, value: i32| [(4, 4, i32::from(code)), (1, code, value), (0, 0, 0)];
        let shift = |value| {
            if sign.is_ascii_uppercase() {
                stroke(42, value).to_vec()
            } else {
                Vec::new()
            }
        };
        [
            shift(1),
            stroke(code, 1).to_vec(),
            stroke(code, 0).to_vec(),
            shift(0),
        ]
        .concat()
    };
    text.chars().flat_map(one).collect()
}

struct Device {
    plugged: Plugged,
    is_held: bool,
    is_refused: bool,
    queue: Vec<InputEvent>,
}

/// Devices made of recordings, and the page that has what nobody holds.
#[derive(Default)]
struct Bench {
    devices: Vec<Device>,
    page: Vec<InputEvent>,
    plugs: u64,
}

#[derive(Clone, Default)]
struct Recordings(Rc<RefCell<Bench>>);

impl Recordings {
    fn plug(&self, name: &str, port: &str) -> u64 {
        let mut bench = self.0.borrow_mut();
        bench.plugs += 1;
        let number = bench.plugs;
        let identity = InputIdentity {
            id: [3, 0x1234, 0x5678, 0x111],
            name: name.to_owned(),
            port: port.to_owned(),
            serial: String::new(),
        };
        bench.devices.push(Device {
            plugged: Plugged { number, identity },
            is_held: false,
            is_refused: false,
            queue: Vec::new(),
        });
        number
    }

    fn with(&self, number: u64, change: impl FnOnce(&mut Device)) {
        let mut bench = self.0.borrow_mut();
        let device = bench
            .devices
            .iter_mut()
            .find(|one| one.plugged.number == number);
        change(device.unwrap());
    }

    fn pull(&self, number: u64) {
        self.0
            .borrow_mut()
            .devices
            .retain(|one| one.plugged.number != number);
    }

    fn types(&self, number: u64, text: &str) {
        let events = recorded(text);
        let mut bench = self.0.borrow_mut();
        let bench = &mut *bench;
        let device = bench
            .devices
            .iter_mut()
            .find(|one| one.plugged.number == number)
            .unwrap();
        if device.is_held {
            device.queue.extend(events);
        } else {
            bench.page.extend(events);
        }
    }

    /// Keys that reached the page since this was asked last.
    fn page(&self) -> usize {
        std::mem::take(&mut self.0.borrow_mut().page)
            .iter()
            .filter(|(kind, _, value)| (*kind, *value) == (1, 1))
            .count()
    }
}

impl Inputs for Recordings {
    fn plugged(&mut self) -> Vec<Plugged> {
        self.0
            .borrow()
            .devices
            .iter()
            .map(|one| one.plugged.clone())
            .collect()
    }

    fn grab(&mut self, number: u64) -> io::Result<()> {
        let mut bench = self.0.borrow_mut();
        let device = bench
            .devices
            .iter_mut()
            .find(|one| one.plugged.number == number);
        let device = device.ok_or(io::ErrorKind::NotFound)?;
        if device.is_refused {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        device.is_held = true;
        Ok(())
    }

    fn release(&mut self, number: u64) {
        let mut bench = self.0.borrow_mut();
        for one in bench
            .devices
            .iter_mut()
            .filter(|one| one.plugged.number == number)
        {
            one.is_held = false;
        }
    }

    fn events(&mut self, _: Duration) -> InputEvents {
        let mut bench = self.0.borrow_mut();
        let held = bench
            .devices
            .iter_mut()
            .filter(|one| one.is_held && !one.queue.is_empty());
        held.map(|one| (one.plugged.number, Ok(std::mem::take(&mut one.queue))))
            .collect()
    }
}

fn scans(heard: Vec<Owned>) -> Vec<String> {
    heard
        .into_iter()
        .map(|one| match one {
            Owned::Scan(scan) => String::from_utf8(scan.bytes).unwrap(),
            Owned::Registered(identity) => format!("registered {}", identity.name),
        })
        .collect()
}

/// A till whose keyboard is registered, at so many milliseconds.
struct Till {
    devices: Recordings,
    owner: Owner<Recordings>,
    keyboard: u64,
    now: Duration,
}

impl Till {
    fn new() -> Self {
        let devices = Recordings::default();
        let keyboard = devices.plug("Keyboard", "usb-1/input0");
        let mut till = Self {
            owner: Owner::new(devices.clone(), GAP, None),
            devices,
            keyboard,
            now: Duration::ZERO,
        };
        till.registers("481592", till.keyboard);
        till
    }

    fn turn(&mut self) -> Vec<String> {
        self.now += Duration::from_millis(100);
        scans(self.owner.turn(Duration::ZERO, self.now))
    }

    fn registers(&mut self, digits: &str, keyboard: u64) {
        self.owner.register_by(Some(digits.to_owned()));
        assert_eq!(self.turn(), [""; 0]);
        self.devices.types(keyboard, &format!("{digits}\n"));
        assert_eq!(self.turn().len(), 1, "it is registered");
        assert_eq!(self.turn(), [""; 0]);
        assert_eq!(
            self.devices.page(),
            0,
            "what registers a keyboard is typed into no page"
        );
    }

    fn standings(&self) -> Vec<(String, InputStanding)> {
        let views = self.owner.view().into_iter();
        views.map(|one| (one.name, one.standing)).collect()
    }
}

#[test]
fn before_a_keyboard_is_registered_nothing_is_held() {
    let devices = Recordings::default();
    let (keyboard, scanner) = (devices.plug("Keyboard", "1"), devices.plug("Scanner", "2"));
    let mut owner = Owner::new(devices.clone(), GAP, None);
    assert_eq!(scans(owner.turn(Duration::ZERO, GAP)), [""; 0]);
    for one in [keyboard, scanner] {
        devices.types(one, "07\n");
        assert_eq!(devices.page(), 3);
    }
    assert!(
        owner
            .view()
            .iter()
            .all(|one| one.standing == InputStanding::Free)
    );
    assert!(owner.is_settled(GAP));
}

#[test]
fn no_key_of_a_scanner_reaches_the_page_and_what_it_reads_is_told() {
    let mut till = Till::new();
    till.devices.types(till.keyboard, "0718\n");
    assert_eq!(till.devices.page(), 5, "the keyboard is the page's");
    // A spare one of any make, plugged in now, without a rule; and one that is two devices.
    let scanner = till.devices.plug("Scanner of some make", "usb-2/input0");
    let other = till.devices.plug("Scanner of another make", "usb-3/input0");
    let second = till.devices.plug("Scanner of another make", "usb-3/input1");
    assert_eq!(till.turn(), [""; 0]);
    assert!(till.owner.is_settled(till.now));
    for one in [scanner, other, second] {
        for text in [
            "0731552890146663",
            "]Q1KT2073",
            "4711",
            "07-1833-42",
            "1",
            "7/ 8",
        ] {
            till.devices.types(one, &format!("{text}\n"));
            assert_eq!(till.turn(), [text]);
        }
        // Without an end, with two, and a person who types on it: nothing of it is the page's.
        till.devices.types(one, "071833");
        assert_eq!(till.turn(), [""; 0]);
        till.devices.types(one, "\n\n\t");
        assert_eq!(till.turn(), ["071833"]);
    }
    // Sign by sign, each later than the one before: a pause that is too long makes half a code, and no key.
    for pause in [1_u64, 45, 150, 299, 301, 1000] {
        for sign in "KT2073155289014666301\n".chars() {
            till.now += Duration::from_millis(pause);
            till.devices.types(scanner, &sign.to_string());
            till.owner.turn(Duration::ZERO, till.now);
        }
    }
    assert_eq!(till.devices.page(), 0);
}

#[test]
fn devices_are_plugged_pulled_and_swapped() {
    let mut till = Till::new();
    let scanner = till.devices.plug("Scanner", "usb-2/input0");
    till.turn();
    till.devices.types(scanner, "KT2");
    till.turn();
    // Half a code, and the cable is pulled.
    till.devices.pull(scanner);
    till.turn();
    let again = till.devices.plug("Scanner", "usb-2/input0");
    till.turn();
    till.devices.types(again, "12\n");
    assert_eq!(till.turn(), ["12"]);
    // The keyboard comes back where it was, and is known; elsewhere it is another one until it is
    // registered, and types into nothing.
    till.devices.pull(till.keyboard);
    till.turn();
    let back = till.devices.plug("Keyboard", "usb-1/input0");
    let elsewhere = till.devices.plug("Keyboard", "usb-4/input0");
    till.turn();
    till.devices.types(back, "07");
    assert_eq!(till.devices.page(), 2);
    till.devices.types(elsewhere, "07");
    till.turn();
    assert_eq!(till.devices.page(), 0);
    assert_eq!(
        till.standings(),
        [
            ("Scanner".to_owned(), InputStanding::Held),
            ("Keyboard".to_owned(), InputStanding::Keyboard),
            ("Keyboard".to_owned(), InputStanding::Held),
        ]
    );
    till.registers("700031", elsewhere);
    till.devices.types(elsewhere, "07");
    assert_eq!(till.devices.page(), 2);
    till.devices.types(back, "07");
    till.turn();
    assert_eq!(till.devices.page(), 0, "the one before is none any more");
}

#[test]
fn only_what_was_shown_registers_a_keyboard() {
    let mut till = Till::new();
    let scanner = till.devices.plug("Scanner", "usb-2/input0");
    till.owner.register_by(Some("123456".to_owned()));
    till.turn();
    for text in [
        "0731552890146663\n",
        "0123456\n",
        "1234567\n",
        "12345\n",
        "654321\n",
        "\n",
    ] {
        till.devices.types(scanner, text);
        assert_eq!(till.turn(), [""; 0], "{text}");
    }
    // Left, or too late: the keyboard is the one that it was.
    till.owner.register_by(None);
    till.turn();
    till.devices.types(scanner, "123456\n");
    assert_eq!(till.turn(), ["123456"], "a scan");
    till.devices.types(till.keyboard, "07");
    assert_eq!(till.devices.page(), 2);
}

#[test]
fn keys_wait_until_a_new_device_is_held_and_no_longer_than_a_second() {
    let mut till = Till::new();
    let scanner = till.devices.plug("Scanner", "usb-2/input0");
    // The machine has not given the right to it yet.
    till.devices.with(scanner, |one| one.is_refused = true);
    till.turn();
    assert!(!till.owner.is_settled(till.now));
    till.devices.with(scanner, |one| one.is_refused = false);
    till.turn();
    assert!(till.owner.is_settled(till.now));
    // One that is never to be had is named, and people go on.
    let denied = till.devices.plug("Other", "usb-3/input0");
    till.devices.with(denied, |one| one.is_refused = true);
    till.turn();
    assert!(!till.owner.is_settled(till.now));
    for _ in 0..10 {
        till.turn();
    }
    assert!(till.owner.is_settled(till.now));
    assert_eq!(till.standings()[2].1, InputStanding::NotHeld);
}

/// Real devices of the kernel, of this test's own, and none of the machine's.
#[derive(Default)]
struct OwnInputs(MachineInputs);

const OWN: &str = "boulier-test";

impl Inputs for OwnInputs {
    fn plugged(&mut self) -> Vec<Plugged> {
        let all = self.0.plugged().into_iter();
        all.filter(|one| one.identity.name.starts_with(OWN))
            .collect()
    }

    fn grab(&mut self, number: u64) -> io::Result<()> {
        self.0.grab(number)
    }

    fn release(&mut self, number: u64) {
        self.0.release(number);
    }

    fn events(&mut self, wait: Duration) -> InputEvents {
        self.0.events(wait)
    }
}

fn real(name: &str) -> io::Result<VirtualDevice> {
    let keys: AttributeSet<KeyCode> = (1..128).map(KeyCode::new).collect();
    VirtualDevice::builder()?
        .name(name)
        .with_keys(&keys)?
        .build()
}

/// Where the machine lets nobody make devices, the recordings above are all there is.
#[test]
fn real_devices_are_held_where_the_machine_has_them() {
    let Ok(mut scanner) = real("boulier-test scanner") else {
        eprintln!("this machine makes no input devices: recordings only");
        return;
    };
    let keyboard = InputIdentity {
        name: "boulier-test keyboard".to_owned(),
        ..InputIdentity::default()
    };
    let mut owner = Owner::new(OwnInputs::default(), GAP, Some(keyboard));
    let is_held = |owner: &Owner<OwnInputs>| {
        owner
            .view()
            .iter()
            .any(|one| one.standing == InputStanding::Held)
    };
    while !is_held(&owner) {
        owner.turn(Duration::from_millis(10), Duration::ZERO);
    }
    for (kind, code, value) in recorded("0731552890146663\n") {
        scanner
            .emit(&[Event::new(EventType(kind).0, code, value)])
            .unwrap();
    }
    let mut read = Vec::new();
    while read.is_empty() {
        read = scans(owner.turn(Duration::from_millis(10), Duration::ZERO));
    }
    assert_eq!(read, ["0731552890146663"]);
}
