//! Events of an input device become characters, by the place of the key and not by the layout of
//! this machine: a scanner that is set to the US keyboard types by the same keys everywhere.

use std::time::Duration;

use super::scan::{Assembler, Scan};

const KIND_SYNCHRONISATION: u16 = 0;
const KIND_KEY: u16 = 1;
/// The kernel's queue was full: events are missing.
const CODE_DROPPED: u16 = 3;
const RELEASED: i32 = 0;
const PRESSED: i32 = 1;
const ENTER: [u16; 2] = [28, 96];
const TAB: u16 = 15;
const LEFT_SHIFT: u16 = 42;
const RIGHT_SHIFT: u16 = 54;
/// Keys that change others, and print nothing: control, alt, meta, caps lock, number lock.
const SILENT: [u16; 9] = [29, 97, 56, 100, 125, 126, 58, 69, 70];
/// What stands for a key that prints nothing: no code holds it.
const STRANGE: u8 = b'?';

/// Rows of keys: the code of the first, what they print, and what they print with shift; on
/// the keypad that is nothing else. Caps lock is the machine's, and none of a scanner.
const ROWS: [(u16, &[u8], &[u8]); 8] = [
    (2, b"1234567890-=", b"!@#$%^&*()_+"),
    (16, b"qwertyuiop[]", b"QWERTYUIOP{}"),
    (30, b"asdfghjkl;'`", b"ASDFGHJKL:\"~"),
    (43, b"\\zxcvbnm,./", b"|ZXCVBNM<>?"),
    (55, b"*", b"*"),
    (57, b" ", b" "),
    (71, b"789-456+1230.", b"789-456+1230."),
    (98, b"/", b"/"),
];

fn character(code: u16, has_shift: bool) -> u8 {
    let found = ROWS.iter().find_map(|(first, plain, shifted)| {
        let place = usize::from(code.checked_sub(*first)?);
        let row = if has_shift { shifted } else { plain };
        row.get(place).copied()
    });
    found.unwrap_or(STRANGE)
}

/// What a key that was just pressed prints without shift, Enter as a newline; none for all else.
pub fn pressed((kind, code, value): (u16, u16, i32)) -> Option<char> {
    let is_printing = kind == KIND_KEY && value == PRESSED && !SILENT.contains(&code);
    let is_shift = [LEFT_SHIFT, RIGHT_SHIFT].contains(&code);
    (is_printing && !is_shift).then(|| {
        if ENTER.contains(&code) {
            '\n'
        } else {
            char::from(character(code, false))
        }
    })
}

/// A keyboard, which a scanner pretends to be.
#[derive(Debug)]
pub struct Keyboard {
    assembler: Assembler,
    shifts: [bool; 2],
    /// Events are missing: what comes up to the next end is not a scan.
    is_spoilt: bool,
}

impl Keyboard {
    /// A keyboard on which no key is down; a pause longer than `gap` begins a new scan.
    pub const fn new(gap: Duration) -> Self {
        Self {
            assembler: Assembler::new(gap),
            shifts: [false; 2],
            is_spoilt: false,
        }
    }

    /// An event came, so long after some moment that never changes: its kind, code and value as
    /// the kernel gives them.
    pub fn event(&mut self, kind: u16, code: u16, value: i32, at: Duration) -> Option<Scan> {
        if (kind, code) == (KIND_SYNCHRONISATION, CODE_DROPPED) {
            self.is_spoilt = true;
            self.shifts = [false; 2];
            return None;
        }
        if kind != KIND_KEY {
            return None;
        }
        for (shift, own) in self.shifts.iter_mut().zip([LEFT_SHIFT, RIGHT_SHIFT]) {
            if code == own {
                *shift = value != RELEASED;
                return None;
            }
        }
        // A key that repeats is one that somebody holds down: a scanner presses and lets go.
        if value != PRESSED || SILENT.contains(&code) {
            return None;
        }
        let byte = if ENTER.contains(&code) {
            b'\n'
        } else if code == TAB {
            b'\t'
        } else {
            character(code, self.shifts.contains(&true))
        };
        let scan = self.assembler.push(byte, at);
        if matches!(byte, b'\n' | b'\t') && std::mem::take(&mut self.is_spoilt) {
            return None;
        }
        scan
    }

    /// The device is gone: what was half read is given up, and no key is down.
    pub fn forget(&mut self) {
        self.assembler.forget();
        self.shifts = [false; 2];
        self.is_spoilt = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GAP: Duration = Duration::from_millis(100);

    /// The key of a character, and whether shift is held for it.
    fn key(character: u8) -> u16 {
        ROWS.iter()
            .find_map(|(first, row, _)| {
                let place = row.iter().position(|&own| own == character)?;
                Some(first + u16::try_from(place).unwrap())
            })
            .unwrap()
    }

    fn press(keyboard: &mut Keyboard, code: u16) -> Option<Scan> {
        let scan = keyboard.event(KIND_KEY, code, PRESSED, Duration::ZERO);
        keyboard.event(KIND_SYNCHRONISATION, 0, 0, Duration::ZERO);
        keyboard.event(KIND_KEY, code, RELEASED, Duration::ZERO);
        scan
    }

    fn types(keyboard: &mut Keyboard, text: &str) -> Option<Scan> {
        for byte in text.bytes() {
            assert_eq!(press(keyboard, key(byte)), None);
        }
        press(keyboard, ENTER[0])
    }

    #[test]
    fn every_digit_and_letter_comes_through() {
        let mut keyboard = Keyboard::new(GAP);
        let all = "0123456789abcdefghijklmnopqrstuvwxyz";
        assert_eq!(types(&mut keyboard, all).unwrap().bytes, all.as_bytes());
    }

    #[test]
    fn letters_come_with_and_without_shift_and_signs_as_the_scanner_typed_them() {
        let mut keyboard = Keyboard::new(GAP);
        keyboard.event(KIND_KEY, LEFT_SHIFT, PRESSED, GAP);
        press(&mut keyboard, key(b'k'));
        press(&mut keyboard, key(b'1'));
        keyboard.event(KIND_KEY, 79, PRESSED, GAP);
        keyboard.event(KIND_KEY, LEFT_SHIFT, RELEASED, GAP);
        press(&mut keyboard, key(b't'));
        // A minus, a key that has no sign, a key held down, caps lock.
        press(&mut keyboard, 12);
        press(&mut keyboard, 110);
        keyboard.event(KIND_KEY, key(b't'), 2, GAP);
        press(&mut keyboard, 58);
        assert_eq!(press(&mut keyboard, ENTER[1]).unwrap().bytes, b"K!1t-?");
    }

    #[test]
    fn a_scan_of_which_events_are_missing_is_none_and_the_next_is_whole() {
        let mut keyboard = Keyboard::new(GAP);
        press(&mut keyboard, key(b'1'));
        keyboard.event(KIND_SYNCHRONISATION, CODE_DROPPED, 0, Duration::ZERO);
        assert_eq!(types(&mut keyboard, "23"), None);
        assert_eq!(types(&mut keyboard, "45").unwrap().bytes, b"45");
    }

    #[test]
    fn what_was_half_read_before_the_cable_was_pulled_is_gone() {
        let mut keyboard = Keyboard::new(GAP);
        keyboard.event(KIND_KEY, RIGHT_SHIFT, PRESSED, Duration::ZERO);
        press(&mut keyboard, key(b'9'));
        keyboard.forget();
        assert_eq!(types(&mut keyboard, "1").unwrap().bytes, b"1");
    }

    proptest! {
        #[test]
        fn no_event_stops_it(events in proptest::collection::vec(
            (any::<u16>(), any::<u16>(), any::<i32>(), any::<u32>()), 0..200,
        )) {
            let mut keyboard = Keyboard::new(GAP);
            for (kind, code, value, at) in events {
                let at = Duration::from_millis(u64::from(at));
                let scan = keyboard.event(kind % 3, code % 128, value % 3, at);
                if let Some(scan) = scan {
                    prop_assert!(scan.bytes.iter().all(|byte| (b' '..=b'~').contains(byte)));
                }
            }
        }
    }
}
