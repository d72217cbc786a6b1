//! A million scans of anything: each has a meaning, and none stops the program.
//!
//! `cargo run --release -p keno-terminal --example scan-fuzz -- 1000000`

use std::collections::BTreeMap;
use std::time::Duration;

use keno_terminal::scanner::keys::Keyboard;
use keno_terminal::scanner::trial::try_scan;
use keno_terminal::scanner::{Scan, ScannerSettings};

/// Numbers that look like chance, the same at every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % below.max(1)
    }

    fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).unwrap_or(0)
    }
}

/// A claim code whose check digits are right; its secret is nobody's.
const CODE: &[u8] = b"KT2073155289014666301MPJTB9D5MPJTB9D5MP0W00000000042\
00000000000000000000000000000000000000000000000000000000000000000000";
const ALPHABET: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

fn input(chance: &mut Chance) -> Vec<u8> {
    match chance.below(4) {
        // Anything.
        0 => (0..chance.below(220)).map(|_| chance.byte()).collect(),
        // Anything of our alphabet.
        1 => (0..chance.below(180))
            .map(|_| ALPHABET.get(chance.below(36)).copied().unwrap_or(b'0'))
            .collect(),
        // A number, some of it wrong.
        2 => {
            let mut number = b"0731552890146663".to_vec();
            number.truncate(chance.below(18));
            number
        }
        // A code with a few bytes changed, taken out or put in.
        _ => {
            let mut code = CODE.to_vec();
            for _ in 0..chance.below(4) {
                let place = chance.below(code.len());
                match chance.below(3) {
                    0 => code.insert(place, chance.byte()),
                    1 => {
                        code.remove(place);
                    }
                    _ => {
                        if let Some(byte) = code.get_mut(place) {
                            *byte = ALPHABET.get(chance.below(36)).copied().unwrap_or(b'0');
                        }
                    }
                }
            }
            code
        }
    }
}

fn main() {
    let count: u64 = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(1_000_000);
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let mut keyboard = Keyboard::new(Duration::from_millis(100));
    let mut names: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut typed = 0_u64;
    for round in 0..count {
        let settings = ScannerSettings {
            prefix: if round % 3 == 0 { "K" } else { "" }.to_owned(),
            suffix: if round % 5 == 0 { "09" } else { "" }.to_owned(),
            ..ScannerSettings::default()
        };
        let bytes = input(&mut chance);
        let scan = Scan {
            is_cut: bytes.len() > 160,
            bytes,
        };
        let trial = try_scan(&scan, &settings);
        assert!(trial.sentences().len() >= 3);
        *names.entry(trial.meaning.name()).or_default() += 1;
        // Keys of any kind, in any order.
        for _ in 0..8 {
            let kind = u16::try_from(chance.below(3)).unwrap_or(0);
            let code = u16::try_from(chance.below(160)).unwrap_or(0);
            let value = i32::try_from(chance.below(3)).unwrap_or(0);
            let at = Duration::from_millis(round);
            typed += u64::from(keyboard.event(kind, code, value, at).is_some());
        }
    }
    println!("{count} scans, {typed} more out of keys:");
    for (name, count) in names {
        println!("  {count:>9}  {name}");
    }
}
