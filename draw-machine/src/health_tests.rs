//! Tests of the health tests: ill sources, each of its own kind.

use super::*;

/// A source whose bytes are a hash of a counter: healthy, and the same at each run.
#[derive(Default)]
pub(crate) struct Recorded {
    pub(crate) stream: u8,
    block: u64,
    rest: Vec<u8>,
}

impl Recorded {
    pub(crate) fn stream(stream: u8) -> Self {
        Self {
            stream,
            ..Self::default()
        }
    }
}

impl EntropySource for Recorded {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        for byte in buffer {
            if self.rest.is_empty() {
                let mut input = vec![self.stream];
                input.extend_from_slice(&self.block.to_be_bytes());
                self.rest = Sha256::digest(input).to_vec();
                self.block += 1;
            }
            *byte = self.rest.remove(0);
        }
        Ok(())
    }
}

/// A healthy source that falls ill after some requests, in the way that `ill` does.
pub(crate) struct FallsIll<F> {
    pub(crate) healthy: Recorded,
    pub(crate) requests_left: u32,
    pub(crate) ill: F,
}

impl<F: FnMut(&mut Recorded, &mut [u8]) -> Result<(), EntropyFault>> EntropySource for FallsIll<F> {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        if self.requests_left == 0 {
            return (self.ill)(&mut self.healthy, buffer);
        }
        self.requests_left -= 1;
        self.healthy.fill(buffer)
    }
}

type Illness = fn(&mut Recorded, &mut [u8]) -> Result<(), EntropyFault>;

/// Every illness with the fault that it must raise.
pub(crate) const ILLNESSES: [(&str, Illness, EntropyFault); 8] = [
    (
        "fails",
        |_, _| Err(EntropyFault::Unavailable),
        EntropyFault::Unavailable,
    ),
    ("writes nothing", |_, _| Ok(()), EntropyFault::ShortRead),
    (
        "leaves the last byte",
        |healthy, buffer| {
            let end = buffer.len() - 1;
            healthy.fill(&mut buffer[..end])
        },
        EntropyFault::ShortRead,
    ),
    (
        "leaves the second half",
        |healthy, buffer| {
            let end = buffer.len() / 2;
            healthy.fill(&mut buffer[..end])
        },
        EntropyFault::ShortRead,
    ),
    (
        "all zero",
        |_, buffer| {
            buffer.fill(0);
            Ok(())
        },
        EntropyFault::RepetitionCount,
    ),
    (
        "six equal bytes",
        |healthy, buffer| {
            healthy.fill(buffer)?;
            buffer[10..16].fill(7);
            Ok(())
        },
        EntropyFault::RepetitionCount,
    ),
    (
        "every other byte is the same",
        |healthy, buffer| {
            healthy.fill(buffer)?;
            for pair in buffer.chunks_exact_mut(2) {
                pair[0] = 9;
                pair[1] = if pair[1] == 9 { 8 } else { pair[1] };
            }
            Ok(())
        },
        EntropyFault::AdaptiveProportion,
    ),
    (
        "the same block again",
        |_, buffer| {
            for (place, byte) in buffer.iter_mut().enumerate() {
                *byte = u8::try_from(place % 251).unwrap();
            }
            Ok(())
        },
        EntropyFault::RepeatedBlock,
    ),
];

#[test]
fn a_healthy_source_passes_and_its_bytes_are_untouched() {
    let mut checked = HealthChecked::new(Recorded::default());
    assert_eq!(checked.health(), Health::NotStarted);
    let mut plain = Recorded::default();
    plain.fill(&mut [0; START_UP_BYTES]).unwrap();
    for _ in 0..1_000 {
        let (mut given, mut expected) = ([0; 32], [0; 32]);
        checked.fill(&mut given).unwrap();
        // Where the last byte equals the filling the source was probed once more.
        plain.fill(&mut expected).unwrap();
        assert_eq!(given, expected);
        if expected[31] == PREFILLS[0] {
            plain.fill(&mut expected).unwrap();
        }
    }
    assert_eq!(checked.health(), Health::Healthy);
}

#[test]
fn the_start_up_test_reads_at_least_1024_bytes() {
    struct Counting(Recorded, usize);
    impl EntropySource for &mut Counting {
        fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
            self.1 += buffer.len();
            self.0.fill(buffer)
        }
    }
    let mut counting = Counting(Recorded::default(), 0);
    HealthChecked::new(&mut counting).start_up().unwrap();
    assert!(counting.1 >= 1_024);
}

#[test]
fn every_illness_is_caught_at_start_up_and_later_and_stays() {
    for (name, ill, expected) in ILLNESSES {
        for requests_left in [0, 5, 33, 100] {
            let mut checked = HealthChecked::new(FallsIll {
                healthy: Recorded::default(),
                requests_left,
                ill,
            });
            let mut buffer = [0u8; 32];
            let mut given = 0;
            let fault = loop {
                match checked.fill(&mut buffer) {
                    Ok(()) => given += 1,
                    Err(fault) => break fault,
                }
                assert!(given < requests_left + 60, "{name} was never caught");
            };
            assert_eq!(fault, expected, "{name}");
            assert_eq!(buffer, [0; 32], "{name}: the buffer is wiped");
            if requests_left <= 5 {
                assert_eq!(given, 0, "{name}: nothing passes the start-up test");
            }
            // Once failed, stays failed.
            assert_eq!(checked.fill(&mut buffer), Err(expected));
            assert_eq!(checked.health(), Health::OutOfService(expected));
        }
    }
}

#[test]
fn a_source_that_recovers_stays_out_of_service() {
    let mut failures = 1;
    let mut checked = HealthChecked::new(FallsIll {
        healthy: Recorded::default(),
        requests_left: 40,
        ill: move |healthy: &mut Recorded, buffer: &mut [u8]| {
            if failures > 0 {
                failures -= 1;
                return Err(EntropyFault::Unavailable);
            }
            healthy.fill(buffer)
        },
    });
    let mut buffer = [0u8; 32];
    let outcomes: Vec<bool> = (0..20).map(|_| checked.fill(&mut buffer).is_ok()).collect();
    let first_failure = outcomes.iter().position(|passed| !passed).unwrap();
    assert!(outcomes[first_failure..].iter().all(|passed| !passed));
}

#[test]
fn a_block_of_an_earlier_run_is_refused() {
    let mut block = [0u8; 32];
    let mut plain = Recorded::default();
    plain.fill(&mut [0; START_UP_BYTES]).unwrap();
    plain.fill(&mut block).unwrap();
    let mut checked = HealthChecked::new(Recorded::default());
    checked.remember(&block);
    assert_eq!(checked.fill(&mut [0; 32]), Err(EntropyFault::RepeatedBlock));
}

#[test]
fn the_cut_offs_are_exact() {
    let mut repetition = RepetitionCount::default();
    assert!(
        [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]
            .iter()
            .all(|byte| repetition.feed(*byte).is_ok())
    );
    assert_eq!(repetition.feed(2), Err(EntropyFault::RepetitionCount));

    // Eighteen occurrences in the window pass, the nineteenth does not; a new window starts anew.
    let mut proportion = AdaptiveProportion::default();
    for place in 0..512u32 {
        let byte = if place < 18 { 5 } else { 6 };
        assert!(proportion.feed(byte).is_ok());
    }
    for _ in 0..18 {
        assert!(proportion.feed(5).is_ok());
    }
    assert_eq!(proportion.feed(5), Err(EntropyFault::AdaptiveProportion));
}

/// The cut-offs against their definition (SP 800-90B §4.4.1 and §4.4.2), in whole numbers: what a
/// sound source does by chance is as rare as 2^-40, and with one less it would be more often.
#[test]
fn the_cut_offs_are_those_of_a_false_alarm_rate_of_2_to_the_minus_40() {
    // 8 bits for each byte that equals the first of its run.
    assert_eq!(8 * (REPETITION_CUTOFF - 1), 40);

    // How often one value comes in 512 bytes: (255/256)^512 for never, and then each term from
    // the one before. All in units of 2^-100.
    const ONE: u128 = 1 << 100;
    let mut term = (0..PROPORTION_WINDOW).fold(ONE, |term, _| term * 255 / 256);
    let mut terms = Vec::new();
    for times in 0..PROPORTION_WINDOW {
        terms.push(term);
        term = term * u128::from(PROPORTION_WINDOW - times) / u128::from((times + 1) * 255);
    }
    let at_least = |times: u32| -> u128 { terms.iter().skip(times as usize).sum() };
    assert!(ONE - at_least(0) < ONE >> 90, "all terms together are 1");
    assert!(at_least(PROPORTION_CUTOFF) <= ONE >> 40);
    assert!(at_least(PROPORTION_CUTOFF - 1) > ONE >> 40);
}

#[test]
fn names_are_distinct() {
    let names = ILLNESSES.map(|(_, _, fault)| fault.name());
    let distinct: BTreeSet<&str> = names.into_iter().collect();
    assert_eq!(distinct.len(), 5);
}
