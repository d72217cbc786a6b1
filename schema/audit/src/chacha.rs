//! ChaCha20 as a source of 32-bit words (RFC 8439, section 2.3), nonce and counter zero.
//!
//! Written out here so that the second computation of the balls shares no code with the first.

/// The constants of the first row: "expand 32-byte k" (RFC 8439, 2.3).
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// The key stream of one key, word by word, each block read in its order.
#[derive(Debug, Clone)]
pub struct Words {
    key: [u32; 8],
    block: [u32; 16],
    counter: u64,
    next: usize,
}

impl Words {
    /// The key stream of `key` from its first word.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(key.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Self {
            key: words,
            block: [0; 16],
            counter: 0,
            next: 16,
        }
    }

    /// The next word, little-endian in the byte stream.
    pub fn next_word(&mut self) -> u32 {
        if self.next >= self.block.len() {
            self.block = block(&self.key, self.counter);
            self.counter += 1;
            self.next = 0;
        }
        let word = self.block.get(self.next).copied().unwrap_or_default();
        self.next += 1;
        word
    }
}

/// One block of sixteen words (RFC 8439, 2.3.1).
fn block(key: &[u32; 8], counter: u64) -> [u32; 16] {
    let [c0, c1, c2, c3] = CONSTANTS;
    let [k0, k1, k2, k3, k4, k5, k6, k7] = *key;
    let low = (counter & 0xffff_ffff) as u32;
    let high = (counter >> 32) as u32;
    let start = [
        c0, c1, c2, c3, k0, k1, k2, k3, k4, k5, k6, k7, low, high, 0, 0,
    ];
    let mut state = start;
    for _ in 0..10 {
        quarter_round(&mut state, 0, 4, 8, 12);
        quarter_round(&mut state, 1, 5, 9, 13);
        quarter_round(&mut state, 2, 6, 10, 14);
        quarter_round(&mut state, 3, 7, 11, 15);
        quarter_round(&mut state, 0, 5, 10, 15);
        quarter_round(&mut state, 1, 6, 11, 12);
        quarter_round(&mut state, 2, 7, 8, 13);
        quarter_round(&mut state, 3, 4, 9, 14);
    }
    for (word, first) in state.iter_mut().zip(start) {
        *word = word.wrapping_add(first);
    }
    state
}

/// RFC 8439, 2.1. The indices are the literals above, all below 16.
fn quarter_round(state: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    state[a] = state[a].wrapping_add(state[b]);
    state[d] = (state[d] ^ state[a]).rotate_left(16);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_left(12);
    state[a] = state[a].wrapping_add(state[b]);
    state[d] = (state[d] ^ state[a]).rotate_left(8);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_left(7);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    #[test]
    fn the_zero_key_gives_the_stream_of_rfc_8439_a_1() {
        let mut words = Words::new(&[0; 32]);
        let first: Vec<u32> = (0..4).map(|_| words.next_word()).collect();
        // Test vector 1: keystream 76 b8 e0 ad a0 f1 3d 90 40 5d 6a e5 53 86 bd 28.
        assert_eq!(first, [0xade0_b876, 0x903d_f1a0, 0xe56a_5d40, 0x28bd_8653]);
    }

    #[test]
    fn a_library_gives_the_same_words() {
        let key = std::array::from_fn(|place| (place * 7 + 3) as u8);
        let mut ours = Words::new(&key);
        let mut theirs = ChaCha20Rng::from_seed(key);
        for place in 0..1_000 {
            assert_eq!(ours.next_word(), theirs.next_u32(), "word {place}");
        }
    }
}
