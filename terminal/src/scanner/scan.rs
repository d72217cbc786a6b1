//! Characters one by one become a scan.

use std::time::Duration;

/// Bytes of a scan that are kept: a claim code has 120, and a prefix and suffix may be around it.
pub const SCAN_BYTES_MAX: usize = 160;

/// What a scanner read, as it came.
#[derive(Clone, PartialEq, Eq)]
pub struct Scan {
    /// Its bytes, without those that ended it; at most [`SCAN_BYTES_MAX`].
    pub bytes: Vec<u8>,
    /// There were more.
    pub is_cut: bool,
}

impl std::fmt::Debug for Scan {
    /// Its length only: a claim code in a log would be money.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Scan")
            .field("bytes", &self.bytes.len())
            .field("is_cut", &self.is_cut)
            .finish()
    }
}

/// Puts characters together until one ends the scan: CR, LF or TAB.
#[derive(Debug)]
pub struct Assembler {
    gap: Duration,
    held: Vec<u8>,
    is_cut: bool,
    last: Option<Duration>,
}

impl Assembler {
    /// Characters that come later than `gap` after the one before begin a new scan.
    pub const fn new(gap: Duration) -> Self {
        Self {
            gap,
            held: Vec::new(),
            is_cut: false,
            last: None,
        }
    }

    /// A character came, so long after some moment that never changes.
    pub fn push(&mut self, byte: u8, at: Duration) -> Option<Scan> {
        let is_late = self
            .last
            .is_some_and(|last| at.saturating_sub(last) > self.gap);
        if is_late {
            self.forget();
        }
        self.last = Some(at);
        if matches!(byte, b'\r' | b'\n' | b'\t') {
            let is_cut = std::mem::take(&mut self.is_cut);
            let bytes = std::mem::take(&mut self.held);
            return (!bytes.is_empty()).then_some(Scan { bytes, is_cut });
        }
        if self.held.len() < SCAN_BYTES_MAX {
            self.held.push(byte);
        } else {
            self.is_cut = true;
        }
        None
    }

    /// What was half read is given up.
    pub fn forget(&mut self) {
        self.held.clear();
        self.is_cut = false;
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAP: Duration = Duration::from_millis(100);

    /// Characters with the milliseconds between them.
    fn scans(characters: &[(u64, u8)]) -> Vec<Vec<u8>> {
        let mut assembler = Assembler::new(GAP);
        let mut at = Duration::ZERO;
        characters
            .iter()
            .filter_map(|&(pause, byte)| {
                at += Duration::from_millis(pause);
                assembler.push(byte, at).map(|scan| scan.bytes)
            })
            .collect()
    }

    #[test]
    fn a_scan_ends_with_enter_and_empty_ones_are_none() {
        assert_eq!(
            scans(&[
                (0, b'\r'),
                (1, b'1'),
                (1, b'2'),
                (1, b'\r'),
                (0, b'\n'),
                (9, b'A'),
                (1, b'\t')
            ]),
            [b"12".to_vec(), b"A".to_vec()]
        );
    }

    #[test]
    fn a_pause_gives_up_what_was_before_it() {
        assert_eq!(
            scans(&[(0, b'1'), (100, b'2'), (101, b'3'), (1, b'\n')]),
            [b"3".to_vec()]
        );
        // Only Enter is late: what it would have ended is gone.
        assert!(scans(&[(0, b'1'), (101, b'\n')]).is_empty());
    }

    #[test]
    fn a_scan_without_end_takes_no_more_memory_and_says_so() {
        let mut assembler = Assembler::new(GAP);
        for _ in 0..100_000 {
            assert_eq!(assembler.push(b'7', Duration::ZERO), None);
        }
        let scan = assembler.push(b'\n', Duration::ZERO).unwrap();
        assert_eq!((scan.bytes.len(), scan.is_cut), (SCAN_BYTES_MAX, true));
        assembler.push(b'8', Duration::ZERO);
        let next = assembler.push(b'\n', Duration::ZERO).unwrap();
        assert_eq!((next.bytes, next.is_cut), (b"8".to_vec(), false));
    }

    #[test]
    fn a_scan_in_a_log_is_not_money() {
        let scan = Scan {
            bytes: b"KT2SECRET".to_vec(),
            is_cut: false,
        };
        assert!(!format!("{scan:?}").contains("KT2"));
    }
}
