//! A scanner that types like a keyboard into whatever has the focus: who reads the keys hands
//! them in, with the moment at which each came.

use std::time::Duration;

use super::scan::{Assembler, Scan};

/// Characters handed in one by one.
#[derive(Debug)]
pub struct Wedge(Assembler);

impl Wedge {
    /// A pause longer than `gap` begins a new scan.
    pub const fn new(gap: Duration) -> Self {
        Self(Assembler::new(gap))
    }

    /// A character was typed, so long after some moment that never changes. Letters are one
    /// letter, as the keyboard's state may make them small; one outside of ASCII is none of ours.
    pub fn typed(&mut self, character: char, at: Duration) -> Option<Scan> {
        let byte = u8::try_from(character)
            .ok()
            .filter(u8::is_ascii)
            .unwrap_or(b'?');
        self.0.push(byte.to_ascii_uppercase(), at)
    }

    /// A line that came as a whole.
    pub fn line(line: &str) -> Option<Scan> {
        let mut wedge = Self::new(Duration::MAX);
        let mut scan = None;
        for character in line.trim().chars().chain(['\n']) {
            scan = wedge.typed(character, Duration::ZERO).or(scan);
        }
        scan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_scan_in_capitals() {
        assert_eq!(Wedge::line("  kt2é9\r\n").unwrap().bytes, b"KT2?9");
        assert_eq!(Wedge::line(" \n"), None);
    }
}
