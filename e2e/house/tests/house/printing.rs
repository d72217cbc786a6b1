//! Printers that die at a chosen byte, by every way and in every manner: a spread of the campaign
//! that `keno-printing-campaign` runs in full.

use std::thread;

use keno_house_tests::fake_printer::{Death, Way};
use keno_house_tests::house::House;
use keno_house_tests::printing::{Booth, Case, judge_record};

/// Bytes at the end of a ticket, where the last line, the cut and both questions are.
const TAIL: usize = 34;

fn run(booth: &mut Booth, way: Way, shift: usize) {
    let bytes = booth.job_bytes().unwrap();
    assert!(bytes > 1_500, "{bytes}");
    for (number, death) in Death::ALL.into_iter().enumerate() {
        // One within the paper and one at its end, others on each way.
        let within = (number * 311 + shift * 577) % (bytes - TAIL);
        let tail = bytes - TAIL + (number * 3 + shift * 11) % TAIL;
        for at in [within, tail] {
            let case = Case {
                death,
                at,
                is_clerk_there: at % 2 == 0,
            };
            if let Err(wrong) = booth.run(case) {
                panic!("{way:?} {case:?}: {wrong}");
            }
        }
    }
}

#[test]
fn whatever_a_printer_does_a_sale_ends_with_one_whole_paper_or_a_way_to_it() {
    let house = House::new();
    let ways = [(1, Way::Network), (2, Way::Serial), (3, Way::Usb)];
    let booths: Vec<Booth> = thread::scope(|scope| {
        let house = &house;
        let threads = ways.map(|(device, way)| {
            scope.spawn(move || {
                let mut booth = Booth::open(house, device, way);
                run(&mut booth, way, device as usize);
                booth
            })
        });
        threads.map(|thread| thread.join().unwrap()).into()
    });
    judge_record(&house, &booths).unwrap();
    // Every kind of doubt came up, and so did papers that nobody had to be asked about.
    for booth in &booths {
        let stood = |name: &str| booth.stood.get(name).copied().unwrap_or(0);
        assert!(stood("printed: printer") > 2, "{:?}", booth.stood);
        assert!(stood("unknown") > 2, "{:?}", booth.stood);
        assert!(booth.questions > 5 && booth.torn > 2);
    }
}

/// The judge itself: clerks who say what they did not see.
#[test]
fn a_paper_that_is_vouched_for_and_not_whole_is_found_and_so_is_a_second_whole_one() {
    let house = House::new();
    let mut booth = Booth::open(&house, 1, Way::Network);
    let case = |death| Case {
        death,
        at: 800,
        is_clerk_there: true,
    };
    booth.clerk_says = Some(true);
    let found = booth.run(case(Death::Hung));
    let says = |found: Result<(), String>, words: &str| {
        assert!(
            found.as_ref().is_err_and(|why| why.starts_with(words)),
            "{found:?}"
        );
    };
    says(found, "0 whole papers");
    booth.clerk_says = Some(false);
    let found = booth.run(case(Death::Silent));
    // The ticket, and two receipts of its cancellation.
    says(found, "3 whole papers");
    booth.clerk_says = None;
    assert_eq!(booth.run(case(Death::Silent)), Ok(()));
}
