//! The input devices of a till, owned: its keyboard is known, and every other device that types is
//! held by this program alone, whichever its make. No key of a scanner reaches a page, at any pace.
//!
//! The devices themselves stand behind [`Inputs`]: [`super::input::MachineInputs`] are those of the
//! kernel.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::keys::Keyboard;
use super::scan::Scan;

/// By what a device is known again after it was pulled, or the till was switched off.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputIdentity {
    /// Bus, vendor, product and version, as the kernel gives them.
    pub id: [u16; 4],
    /// What it calls itself.
    pub name: String,
    /// Where it is plugged in, and which of its parts it is; empty where it does not say.
    pub port: String,
    /// Its serial number; empty where it has none.
    pub serial: String,
}

/// A device that types, as it is plugged in now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plugged {
    /// Of this plugging: the same device has another one the next time.
    pub number: u64,
    /// What it is.
    pub identity: InputIdentity,
}

/// An event as the kernel gives it: kind, code, value.
pub type InputEvent = (u16, u16, i32);

/// What became of waiting for the devices that are held: their events, or that one is gone.
pub type InputEvents = Vec<(u64, std::io::Result<Vec<InputEvent>>)>;

/// The input devices of a machine.
pub trait Inputs {
    /// Those that type, as they are plugged in now.
    fn plugged(&mut self) -> Vec<Plugged>;

    /// Holds one alone.
    ///
    /// # Errors
    /// As the operating system gives them.
    fn grab(&mut self, number: u64) -> std::io::Result<()>;

    /// Lets one go.
    fn release(&mut self, number: u64);

    /// Waits for events of what is held, at most so long.
    fn events(&mut self, wait: Duration) -> InputEvents;
}

/// How a device stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputStanding {
    /// The keyboard of the till: its keys are the page's.
    Keyboard,
    /// Held by this program alone: a scanner.
    Held,
    /// Free: no keyboard is registered, and what it types reaches the page.
    Free,
    /// It could not be held: no right to it, or another program holds it.
    NotHeld,
}

/// A device and how it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InputView {
    /// What it calls itself.
    pub name: String,
    /// How it stands.
    pub standing: InputStanding,
}

/// What was heard.
#[derive(Debug, PartialEq, Eq)]
pub enum Owned {
    /// A scan.
    Scan(Scan),
    /// The keyboard on which the digits that were shown were typed.
    Registered(InputIdentity),
}

/// What one device is at.
struct Device {
    identity: InputIdentity,
    keyboard: Keyboard,
    /// What was typed while a keyboard is being registered.
    typed: String,
}

/// A device that could not be held is tried again for so long; by then the machine has given the
/// rights that it gives.
const PATIENCE: Duration = Duration::from_secs(1);

/// The owner of the input devices.
pub struct Owner<I> {
    inputs: I,
    gap: Duration,
    keyboard: Option<InputIdentity>,
    /// The digits by which a keyboard is registered, while one is.
    digits: Option<String>,
    held: BTreeMap<u64, Device>,
    /// Since when one could not be held.
    refused: BTreeMap<u64, Duration>,
    plugged: Vec<Plugged>,
}

impl<I: Inputs> Owner<I> {
    /// The owner of some devices, with the keyboard that was registered before. A pause longer than
    /// `gap` begins a new scan.
    pub const fn new(inputs: I, gap: Duration, keyboard: Option<InputIdentity>) -> Self {
        Self {
            inputs,
            gap,
            keyboard,
            digits: None,
            held: BTreeMap::new(),
            refused: BTreeMap::new(),
            plugged: Vec::new(),
        }
    }

    /// A keyboard is registered by these digits, or is not any more.
    pub fn register_by(&mut self, digits: Option<String>) {
        if self.digits == digits {
            return;
        }
        for device in self.held.values_mut() {
            device.typed.clear();
            device.keyboard.forget();
        }
        self.digits = digits;
    }

    /// The keyboard, while it is neither free nor to be found out.
    fn is_keyboard(&self, identity: &InputIdentity) -> bool {
        self.digits.is_none() && self.keyboard.as_ref() == Some(identity)
    }

    /// Something is held: a keyboard is known, or one is being registered.
    const fn is_at_work(&self) -> bool {
        self.keyboard.is_some() || self.digits.is_some()
    }

    /// Looks what is plugged in, holds what is to be held, and waits for what it types, at most
    /// `wait`; `now` is so long after some moment that never changes.
    pub fn turn(&mut self, wait: Duration, now: Duration) -> Vec<Owned> {
        self.look(now);
        self.inputs
            .events(wait)
            .into_iter()
            .flat_map(|(number, events)| match events {
                Ok(events) => self.take(number, &events, now),
                Err(_) => {
                    self.let_go(number);
                    Vec::new()
                }
            })
            .collect()
    }

    fn look(&mut self, now: Duration) {
        self.plugged = self.inputs.plugged();
        let is_there = |number: &u64| self.plugged.iter().any(|one| one.number == *number);
        let gone: Vec<u64> = self
            .held
            .keys()
            .filter(|one| !is_there(one))
            .copied()
            .collect();
        self.refused.retain(|number, _| is_there(number));
        for number in gone {
            self.let_go(number);
        }
        for one in self.plugged.clone() {
            let is_to_be_held = self.is_at_work() && !self.is_keyboard(&one.identity);
            if !is_to_be_held {
                self.refused.remove(&one.number);
            }
            match (is_to_be_held, self.held.contains_key(&one.number)) {
                (true, false) => self.hold(one, now),
                (false, true) => self.let_go(one.number),
                _ => {}
            }
        }
    }

    fn hold(&mut self, one: Plugged, now: Duration) {
        if let Err(error) = self.inputs.grab(one.number) {
            self.refused.entry(one.number).or_insert_with(|| {
                tracing::warn!(%error, name = one.identity.name, "an input device is not held");
                now
            });
            return;
        }
        self.refused.remove(&one.number);
        let device = Device {
            identity: one.identity,
            keyboard: Keyboard::new(self.gap),
            typed: String::new(),
        };
        self.held.insert(one.number, device);
    }

    fn let_go(&mut self, number: u64) {
        self.inputs.release(number);
        self.held.remove(&number);
    }

    fn take(&mut self, number: u64, events: &[InputEvent], now: Duration) -> Vec<Owned> {
        let Some(device) = self.held.get_mut(&number) else {
            return Vec::new();
        };
        let Some(digits) = &self.digits else {
            let scans = events.iter().filter_map(|&(kind, code, value)| {
                device
                    .keyboard
                    .event(kind, code, value, now)
                    .map(Owned::Scan)
            });
            return scans.collect();
        };
        for &event in events {
            match super::keys::pressed(event) {
                Some('\n') if device.typed == *digits => {
                    let identity = device.identity.clone();
                    self.keyboard = Some(identity.clone());
                    self.digits = None;
                    return vec![Owned::Registered(identity)];
                }
                Some('\n') => device.typed.clear(),
                // No more than can be right is kept.
                Some(sign) if device.typed.len() <= digits.len() => device.typed.push(sign),
                _ => {}
            }
        }
        Vec::new()
    }

    /// False while something that was just plugged in is not held yet: until then nobody can say
    /// whose the keys of the page are.
    pub fn is_settled(&self, now: Duration) -> bool {
        let is_waited_for = |since: &Duration| now.saturating_sub(*since) < PATIENCE;
        !self.is_at_work() || !self.refused.values().any(is_waited_for)
    }

    /// The devices, in the order of their numbers.
    pub fn view(&self) -> Vec<InputView> {
        let standing = |one: &Plugged| {
            if self.held.contains_key(&one.number) {
                InputStanding::Held
            } else if self.refused.contains_key(&one.number) {
                InputStanding::NotHeld
            } else if self.keyboard.as_ref() == Some(&one.identity) {
                InputStanding::Keyboard
            } else {
                InputStanding::Free
            }
        };
        let view = |one: &Plugged| InputView {
            name: one.identity.name.clone(),
            standing: standing(one),
        };
        self.plugged.iter().map(view).collect()
    }
}
