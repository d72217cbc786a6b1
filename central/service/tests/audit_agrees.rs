//! Random days through the one door, judged whole by the second computation.
//!
//! keno-audit shares no rule arithmetic with the server. Here it reads the exported log of each
//! day and must find nothing: seals, balls, ways, caps, prizes, refunds and payments agree. That
//! it finds what is wrong is shown by its own tests; the last test here shows that it finds a
//! wrong prize in a log that this server wrote.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use crate::support::{House, RULES, quick, slip, straight, wait};
use keno_game::{Cents, ConditioningAsked, Pick, SelectionType, SlipSelection};
use keno_log::Event;
use keno_record::past_draws::draw_range;
use keno_service::Stop;
use keno_service::counter::{Named, PayOrder, Sold, TicketPicture, TillContents, TillMovementKind};
use keno_service::draw::{Conductor, Draw};
use keno_service::refusal::Refusal;
use keno_service::staff::Recognised;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Rules whose maximum per draw is reached by a few winners: 100.00, prizes below 5.00 in full.
fn tight_rules() -> String {
    // What a counter offers goes with the games that it is sold by.
    let head = RULES
        .split("[counter]")
        .next()
        .expect("the rules have a head")
        .replace("per_draw = \"50000.00\"", "per_draw = \"100.00\"")
        .replace("full_below = \"1000.00\"", "full_below = \"5.00\"");
    format!(
        "{head}[[game]]\ncode = \"keno\"\nname.fr = \"Keno\"\nname.en = \"Keno\"\n\
         straight = {{ min = 1, max = 3 }}\nway = {{ min = 1, max = 3 }}\n\
         king = {{ min = 1, max = 3 }}\nking_alone = true\n\
         [game.wager]\nstep = \"0.50\"\nmin = \"0.50\"\nmax = \"2.00\"\nsame_numbers = \"2.00\"\n\
         [game.pays]\n1 = {{ 1 = \"3\" }}\n2 = {{ 0 = \"0.5\", 2 = \"7\" }}\n3 = {{ 2 = \"1\", 3 = \"42\" }}\n"
    )
}

/// The same rules, with heads, tails and evens: sets that the book names.
fn set_rules() -> String {
    let game = |code: &str, set: &str, pays: &str| {
        format!(
            "[[game]]\ncode = \"{code}\"\nname.fr = \"{code} fr\"\nname.en = \"{code} en\"\n\
             set = \"{set}\"\nking_alone = false\n[game.wager]\nstep = \"0.50\"\nmin = \"0.50\"\n\
             max = \"2.00\"\nsame_numbers = \"2.00\"\n[game.pays]\n40 = {{ {pays} }}\n"
        )
    };
    let eleven_up: Vec<String> = (11..=20).map(|catch| format!("{catch} = \"2\"")).collect();
    let eleven_up = eleven_up.join(", ");
    tight_rules()
        + &game("heads", "1-40", &eleven_up)
        + &game("tails", "41-80", &eleven_up)
        + &game("evens", "1-40", "10 = \"4\"")
}

/// A selection of a set by its name.
fn named(game: &str, wager_cents: i64) -> SlipSelection {
    SlipSelection {
        game: game.to_owned(),
        kind: SelectionType::NamedSet,
        pick: Pick::Numbers {
            groups: Vec::new(),
            kings: Vec::new(),
        },
        conditioning: Vec::new(),
        wager: Some(Cents::new(wager_cents)),
    }
}

struct Dice(ChaCha20Rng);

impl Dice {
    fn below(&mut self, limit: u32) -> u32 {
        self.0.next_u32() % limit
    }

    fn numbers(&mut self, count: u8) -> Vec<u8> {
        let mut all: Vec<u8> = (1..=80).collect();
        (0..count)
            .map(|_| {
                let at = usize::try_from(self.below(u32::try_from(all.len()).unwrap())).unwrap();
                all.swap_remove(at)
            })
            .collect()
    }

    fn wager(&mut self) -> i64 {
        50 * (1 + i64::from(self.below(4)))
    }

    fn selection(&mut self) -> SlipSelection {
        let wager = self.wager();
        match self.below(5) {
            0 => quick(1 + u8::try_from(self.below(3)).unwrap(), wager),
            1 | 2 => {
                let count = 1 + u8::try_from(self.below(3)).unwrap();
                straight(&self.numbers(count), wager)
            }
            kind => {
                let is_king = kind == 4;
                let numbers = self.numbers(6);
                let (groups, kings) = if is_king {
                    (
                        vec![numbers[..2].to_vec(), numbers[2..4].to_vec()],
                        vec![numbers[5]],
                    )
                } else {
                    (
                        vec![
                            numbers[..1].to_vec(),
                            numbers[1..2].to_vec(),
                            numbers[2..4].to_vec(),
                        ],
                        vec![],
                    )
                };
                let sizes: &[u8] = if is_king { &[1, 2, 3] } else { &[2, 3] };
                SlipSelection {
                    game: "keno".to_owned(),
                    kind: if is_king {
                        SelectionType::King
                    } else {
                        SelectionType::Way
                    },
                    pick: Pick::Numbers { groups, kings },
                    conditioning: sizes
                        .iter()
                        .map(|&spots| ConditioningAsked {
                            ways: None,
                            spots,
                            wager: Cents::new(wager.min(100)),
                        })
                        .collect(),
                    wager: None,
                }
            }
        }
    }
}

/// A random day, some tickets of which play these sets too; returns how often the cap bit.
fn play(house: &House, seed: u8, sets: &[&str]) -> usize {
    let mut dice = Dice(ChaCha20Rng::from_seed([seed; 32]));
    let clerk = house.clerk(1, "C1");
    let supervisor = house.clerk(2, "S2");
    let mut sold: Vec<Sold> = Vec::new();
    let first = house.next_draw();
    let mut bitten = 0;
    for draw in first..first + 4 {
        for _ in 0..25 + dice.below(20) {
            let selections = (0..1 + dice.below(3)).map(|_| dice.selection());
            let mut selections: Vec<SlipSelection> = selections.collect();
            if !sets.is_empty() && dice.below(2) == 0 {
                let at = dice.below(u32::try_from(sets.len()).unwrap());
                selections.push(named(sets[usize::try_from(at).unwrap()], dice.wager()));
            }
            let draws = 1 + u16::try_from(dice.below(3)).unwrap();
            let mut order = house.order(&clerk, slip(selections, draws), None);
            if dice.below(4) == 0 {
                order.tender = ["coupon", "chip"][dice.below(2) as usize].to_owned();
            }
            match wait(order.sell(&house.central, &clerk)) {
                Ok(ticket) => {
                    house.confirm(&clerk, &ticket);
                    sold.push(ticket);
                }
                // Two selections may carry too much on the same numbers.
                Err(Stop::Refused(Refusal::Slip { .. })) => {}
                other => panic!("{other:?}"),
            }
        }
        // Another clerk's shift at the same counter: what is undone later is of a counted till.
        if dice.below(3) != 0 {
            wait(clerk.close_shift(&house.central, TillContents::cash(50_000), None)).unwrap();
            wait(clerk.open_shift(&house.central, 30_000)).unwrap();
        }
        for ticket in &sold {
            if ticket.sold.first_draw == draw && dice.below(10) == 0 {
                house.cancel(&clerk, ticket).unwrap();
            } else if ticket.sold.first_draw == draw && dice.below(20) == 0 {
                wait(Named::from(&house.paper(ticket)).mark_unpaid(
                    &house.central,
                    &clerk,
                    &house.person("S1"),
                ))
                .unwrap();
            }
        }
        for (at, kind) in [
            (&clerk, TillMovementKind::Fill),
            (&supervisor, TillMovementKind::Fill),
            (&clerk, TillMovementKind::Drop),
        ] {
            if dice.below(2) == 0 {
                let mut order = house.till_order(at, kind);
                order.amount_cents = 5 * i64::from(1 + dice.below(2_000));
                wait(order.move_cash(&house.central, at)).unwrap();
                let count = house.count_order(at, 50_000);
                wait(count.count(&house.central, at)).unwrap();
            }
        }
        house.until_closed(draw);
        if let Some(late) = sold
            .iter()
            .rev()
            .find(|ticket| ticket.sold.first_draw == draw)
        {
            // Refused when it was cancelled before.
            let _ = wait(Named::from(&house.paper(late)).mark_unpaid(
                &house.central,
                &clerk,
                &house.person("S1"),
            ));
        }
        if dice.below(4) == 0 {
            Draw(draw)
                .void(&house.central, "essai", "S1", "S2")
                .unwrap();
            Conductor::tick(&house.central);
        } else {
            house.until_settled(draw);
            let settled = draw_range(&house.central, draw, draw).unwrap();
            let totals = settled[0].settlement().unwrap();
            bitten += usize::from(totals.large_denominator != 1 || totals.large_numerator != 1);
            assert!(totals.payable_cents <= 10_000, "never more than the cap");
        }
        for ticket in &sold {
            if dice.below(3) == 0 {
                continue;
            }
            let paper = house.paper(ticket);
            let row = paper.find(&house.central).unwrap().unwrap();
            let items: Vec<_> = TicketPicture::of(&house.central, row)
                .unwrap()
                .payable()
                .map(|due| (due.draw.number(), due.payable_cents))
                .collect();
            if items.is_empty() {
                continue;
            }
            if dice.below(4) == 0 {
                let refused = Named::from(&paper).refuse_patron(&house.central, &clerk, "excluded");
                wait(refused).unwrap();
            }
            if dice.below(4) == 0 {
                let auditor = house.auditor();
                let remark = auditor.remark(&house.central, ticket.ticket, "vu");
                wait(remark).unwrap();
            }
            let order = PayOrder {
                counter: house.next_counter(),
                session: supervisor.session,
                paper: paper.into(),
                items,
                second: Some(Recognised {
                    badge: "S1".into(),
                    roles: vec![2],
                    credential: None,
                }),
            };
            let paid = match wait(order.pay(&house.central, &supervisor)) {
                // A prize goes out in cash, a refund as it came in.
                Err(Stop::Refused(Refusal::MixedTenders)) => {
                    let mut one = order.clone();
                    one.items.truncate(1);
                    wait(one.pay(&house.central, &supervisor)).unwrap()
                }
                paid => paid.unwrap(),
            };
            if dice.below(8) == 0 {
                wait(supervisor.reverse_payment(
                    &house.central,
                    &house.person("S1"),
                    paid.leaf,
                    "parti",
                ))
                .unwrap();
            }
        }
    }
    // What the record expects in each till stands in the closing, where the audit adds it up.
    for at in [&clerk, &supervisor] {
        wait(at.close_shift(&house.central, TillContents::cash(50_000), None)).unwrap();
    }
    bitten
}

/// The exported log of a house, once its newest leaf is published.
fn exported(house: &mut House) -> Vec<u8> {
    // Stopping publishes what waits; opening reads it back.
    house.restart();
    keno_house_builder::exported(&house.central).unwrap()
}

fn judged(bytes: &[u8], key: &str) -> keno_audit::verify::Outcome {
    let outside = keno_audit::verify::Outside {
        checkpoint: None,
        key: Some(key),
    };
    keno_audit::verify::verify(bytes, outside, keno_audit::Options::default()).unwrap()
}

#[test]
fn the_second_computation_finds_nothing_in_random_days() {
    let rules = tight_rules();
    let mut bitten = 0;
    for seed in 1..=6 {
        let database = (seed == 6).then(|| keno_testing::empty_postgres_database().unwrap());
        let mut house = House::with_rules(database.as_ref().map(|d| d.address()), None, &rules);
        bitten += play(&house, seed, &[]);
        let key = house.central.view.get().house.clone().unwrap().log_key;
        let outcome = judged(&exported(&mut house), &key);
        assert!(
            outcome.holds(),
            "seed {seed}: {:?}",
            &outcome.findings[..outcome.findings.len().min(5)]
        );
    }
    assert!(
        bitten >= 6,
        "the cap must bite for this to say much: {bitten}"
    );
}

const SETS: [&str; 3] = ["heads", "tails", "evens"];

#[test]
fn the_second_computation_finds_nothing_in_days_with_named_sets() {
    for seed in [7, 8] {
        let database = (seed == 8).then(|| keno_testing::empty_postgres_database().unwrap());
        let address = database.as_ref().map(|d| d.address());
        let mut house = House::with_rules(address, None, &set_rules());
        play(&house, seed, &SETS);
        let key = house.central.view.get().house.clone().unwrap().log_key;
        let outcome = judged(&exported(&mut house), &key);
        assert!(outcome.holds(), "seed {seed}: {:?}", outcome.findings);
    }
}

/// Both readers of a rule book take the same texts for a set, and no others.
#[test]
fn both_readers_agree_on_what_a_set_is() {
    let forty = (1..=40).map(|number| format!("{number} "));
    let listed: String = forty.collect();
    let mut taken = Vec::new();
    for set in [
        "1-40",
        "41-80",
        "1-20 41-60",
        "1 3-41",
        listed.trim(),
        "1-20 21-40",
        "1-39",
        "1-41",
        "41-81",
        "0-39",
        "40-1",
        "1-20 20-39",
        "21-40 1-20",
        "1-20  21-40",
        "01-40",
        "1-1 3-41",
        "1-",
        "-40",
        "1-20,21-40",
        "",
    ] {
        let text = set_rules().replace("set = \"1-40\"", &format!("set = \"{set}\""));
        let first = keno_book::rules_file::read(&text).is_ok();
        let second = keno_audit::rule_book::RuleBook::parse(&text)
            .is_ok_and(|book| keno_audit::returns::returns(&book).is_ok());
        assert_eq!(first, second, "{set:?}");
        taken.extend(first.then_some(set));
    }
    assert_eq!(taken.len(), 6, "{taken:?}");
}

/// A set of other numbers than the rule book names, in a log that this server wrote.
#[test]
fn a_set_of_other_numbers_is_found() {
    let mut house = House::with_rules(None, None, &set_rules());
    play(&house, 7, &SETS);
    let key = house.central.view.get().house.clone().unwrap().log_key;
    let (tampered, at) = tampered(&exported(&mut house), |event| {
        let Event::TicketSold(body) = event else {
            return false;
        };
        let set = body.selections.iter_mut().find(|one| one.kind == 4);
        set.map(|set| set.groups[0][39] += 1).is_some()
    });
    let outcome = judged(&tampered, &key);
    let first = &outcome.findings[0];
    assert_eq!((first.entry, first.name()), (at, "ticket_selection"));
}

/// The log with the first fact changed that `change` takes, and the entry of that fact.
fn tampered(bytes: &[u8], change: impl Fn(&mut Event) -> bool) -> (Vec<u8>, Option<u64>) {
    use keno_log::export::{ExportReader, ExportRecord, put_entry, put_magic};
    use keno_log::leaf::body_commitment;
    let mut tampered = Vec::new();
    put_magic(&mut tampered);
    let mut at = None;
    for record in ExportReader::new(bytes).unwrap() {
        let ExportRecord::Entry(exported) = record.unwrap() else {
            continue;
        };
        let mut entry = exported.entry().unwrap();
        if at.is_none()
            && let Ok(mut event) = entry.event()
            && change(&mut event)
        {
            entry.body = event.encode();
            entry.leaf.commitment = body_commitment(&entry.nonce, &entry.body);
            at = Some(entry.leaf.header.index);
        }
        put_entry(&entry, &entry.leaf.hash(), &mut tampered);
    }
    (tampered, at)
}

#[test]
fn a_wrong_prize_in_a_log_of_this_server_is_found() {
    let mut house = House::with_rules(None, None, &tight_rules());
    play(&house, 3, &[]);
    let key = house.central.view.get().house.clone().unwrap().log_key;
    let (tampered, at) = tampered(&exported(&mut house), |event| {
        let Event::DrawSettled(body) = event else {
            return false;
        };
        body.payable_cents -= 1;
        body.breakage_cents += 1;
        true
    });
    let outcome = judged(&tampered, &key);
    let first = &outcome.findings[0];
    assert_eq!((first.entry, first.name()), (at, "settlement_payable"));
}
