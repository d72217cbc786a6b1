//! Tickets that a restore lost: their price is given back once, by two people, and never for a
//! paper that proves nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use keno_log::Event;
use keno_log::event::LostTicketRefunded;
use keno_record::fault::Fault;
use keno_record::paper_code::Shown;
use keno_record::sequencer::CommitHook;
use keno_record::state::KeyKind;
use keno_service::authority::identity::Caller;
use keno_service::counter::{LostRefundOrder, Paper, Recorded, Sold, TillContents, Verdict};
use keno_service::draw::Conductor;
use keno_service::maintenance::Backup;
use keno_service::maintenance::{rebuild, verify};
use keno_service::refusal::Refusal;
use keno_service::{Stop, counter, draw};

use crate::backup::{
    Place, audit, back_keys_up, back_up, free_folder, on_both, open_restored, restore_with,
    sell_some,
};
use crate::support::{House, assert_same, quick, slip, wait};

/// A house that was restored, with what it kept and what it lost.
struct Restored {
    again: House,
    kept: Vec<Sold>,
    lost: Vec<(Sold, Paper)>,
    place: Place,
    keys: std::path::PathBuf,
    continues_size: u64,
}

/// Sells, backs up, sells more, and goes on from the backup: with the anchors of the house that
/// was lost, or with none.
fn restored(house: &mut House, other: Option<&str>, anchors_are_left: bool) -> Restored {
    let place = Place::empty();
    let kept = sell_some(house, 1, "C1", 3);
    let made = back_up(house, &place.at("records")).unwrap();
    let keys = back_keys_up(house, &place.at("keys")).unwrap();
    let lost: Vec<(Sold, Paper)> = sell_some(house, 2, "C2", 6)
        .into_iter()
        .map(|sold| {
            let paper = house.paper(&sold);
            (sold, paper)
        })
        .collect();
    let now_ms = house.clock_ms() + 60_000;
    house.stop();
    let folder = free_folder();
    let file = place.at("house.toml");
    std::fs::write(&file, crate::backup::house_text(other)).unwrap();
    let anchors = if anchors_are_left {
        vec![house.path().join("anchors.log")]
    } else {
        Vec::new()
    };
    let made = restore_with(
        &made.folder,
        &keys,
        folder.path(),
        &anchors,
        now_ms,
        Some(&file),
    )
    .unwrap();
    let again = open_restored(folder, now_ms, other);
    Conductor::tick(&again.central);
    Restored {
        again,
        kept,
        lost,
        place,
        keys,
        continues_size: made.epoch.event.continues_size,
    }
}

/// A paper of the first epoch whose secret is typed.
fn typed(house: &House, number: keno_game::ControlNumber, copy: u8) -> Paper {
    let code = Paper::whole_code(&house.central, 1, &number, copy).unwrap();
    let paper = Paper::shown(&house.central, number, &Shown::Secret(code.secret));
    assert_eq!(paper.true_claim().map(|claim| claim.copy), Some(copy));
    paper
}

/// A scanned paper of the first epoch that knows so many leaves.
fn of_size(house: &House, number: keno_game::ControlNumber, size: u64) -> Paper {
    let (keys, code) = (&house.central.keys, &house.central.house_code);
    let code = keys.whole_code(1, code, &number, 1, (size, [7; 32]));
    Paper::shown(&house.central, number, &Shown::Whole(code.unwrap()))
}

/// The order for a paper at its price, with the supervisor S1 beside.
fn order(house: &House, caller: &Caller, sold: &Sold, paper: &Paper) -> LostRefundOrder {
    LostRefundOrder {
        counter: house.next_counter(),
        session: caller.session,
        paper: paper.clone(),
        amount_cents: sold.sold.total_cents,
        tender: "cash".to_owned(),
        reason: "prix lu sur le papier".to_owned(),
        second: house.person("S1"),
    }
}

fn refund(
    house: &House,
    caller: &Caller,
    order: &LostRefundOrder,
) -> Result<Recorded<LostTicketRefunded>, Stop> {
    wait(order.refund(&house.central, caller))
}

/// The refusal of an order that must be refused, and that leaves no trace.
fn refused(house: &House, caller: &Caller, order: &LostRefundOrder) -> Refusal {
    let before = house.remembered();
    match refund(house, caller, order) {
        Err(Stop::Refused(refusal)) => {
            assert_same(&before, &house.remembered(), refusal.name());
            refusal
        }
        other => panic!("{other:?}"),
    }
}

fn refunds(house: &House) -> Vec<LostTicketRefunded> {
    let events = house.events().into_iter();
    events
        .filter_map(|event| match event {
            Event::LostTicketRefunded(body) => Some(body),
            _ => None,
        })
        .collect()
}

#[test]
fn a_lost_ticket_is_refunded_once_and_the_record_says_by_whom() {
    on_both(|house, other| {
        let Restored {
            mut again,
            kept,
            lost,
            place,
            keys,
            ..
        } = restored(house, other, true);
        let clerk = again.clerk(1, "C1");
        let elsewhere = again.clerk(2, "C2");
        let (sold, paper) = &lost[0];
        assert_eq!(
            paper.why_unknown(&again.central).unwrap(),
            Refusal::NumberUnknown
        );
        let till = again.expected_cents(1);
        let first = order(&again, &clerk, sold, paper);
        let done = refund(&again, &clerk, &first).unwrap();
        assert!(!done.repeated);
        assert_eq!(
            (
                done.event.amount_cents,
                done.event.sold_epoch,
                done.event.tender
            ),
            (sold.sold.total_cents, 1, 1)
        );
        // Its number says where its leaf stood.
        assert_eq!(done.event.lost_leaf, sold.ticket);
        assert_eq!(again.expected_cents(1), till - sold.sold.total_cents);

        // The same key is answered as before, and with other content refused.
        let same = refund(&again, &clerk, &first).unwrap();
        assert_eq!((same.leaf, same.repeated), (done.leaf, true));
        let changed = LostRefundOrder {
            amount_cents: first.amount_cents + 100,
            ..first.clone()
        };
        assert_eq!(refused(&again, &clerk, &changed), Refusal::KeyOtherContent);
        // Another key, at this counter or at another, is told who did it and when.
        let at = again.central.calendar.minute_text(done.at_ms);
        let told = Refusal::LostRefunded {
            at: at.clone(),
            device: "T01".to_owned(),
            by: "C1".to_owned(),
            second: "S1".to_owned(),
        };
        for caller in [&clerk, &elsewhere] {
            let twice = order(&again, caller, sold, paper);
            assert_eq!(refused(&again, caller, &twice), told);
        }
        // A second copy of the same ticket is the same ticket.
        let mut copy = order(&again, &elsewhere, sold, paper);
        copy.paper = typed(&again, paper.number, 2);
        assert_eq!(refused(&again, &elsewhere, &copy), told);
        assert_eq!(paper.why_unknown(&again.central).unwrap(), told);
        let (told_of, _) = paper.lost_refund(&again.central).unwrap().unwrap();
        let verdict = Verdict::LostRefunded {
            date: at,
            place: counter::shift_place(&again.central, told_of.shift),
        };
        assert!(verdict.words(true).fr().contains("T01"), "{verdict:?}");

        // What is no cash moves no cash.
        let (sold, paper) = &lost[1];
        let till = again.expected_cents(2);
        let mut chips = order(&again, &elsewhere, sold, paper);
        chips.tender = "chip".to_owned();
        refund(&again, &elsewhere, &chips).unwrap();
        assert_eq!(again.expected_cents(2), till);

        // A ticket of before the backup, and one of after the restore, are in the record.
        let paper = again.paper(&kept[0]);
        let known = order(&again, &clerk, &kept[0], &paper);
        assert_eq!(refused(&again, &clerk, &known), Refusal::TicketNotLost);
        draw::resume_sales(&again.central, "S1", "S2").unwrap();
        let after = again.sell(&clerk, slip(vec![quick(4, 100)], 1));
        let known = order(&again, &clerk, &after, &again.paper(&after));
        assert_eq!(refused(&again, &clerk, &known), Refusal::TicketNotLost);

        // Both computations agree; memory is what a start makes of it; the tables can be made
        // again, and a backup of it is whole.
        let outcome = audit(&again, None);
        assert_eq!(outcome.findings, []);
        let sum = refunds(&again)
            .iter()
            .map(|it| it.amount_cents)
            .sum::<i64>();
        assert_eq!(outcome.replay.totals().lost_refunded_cents, sum);
        assert_same(&again.remembered(), &again.recovered(), "memory and record");
        let made = back_up(&again, &place.at("again")).unwrap();
        Backup::check(&made.folder, &place.at("again")).unwrap();
        again.stop();
        rebuild(&mut again.record().open_writer().unwrap()).unwrap();
        let verified = verify(
            &mut again.record().open_reader().unwrap(),
            &[again.path().join("anchors.log")],
            &again.path(),
        )
        .unwrap();
        assert_eq!(verified.findings, []);

        // Whoever goes on from that backup knows the refund, after a start too.
        let now_ms = again.clock_ms() + 1_000;
        let folder = free_folder();
        let anchors = [again.path().join("anchors.log")];
        let file = place.at("third.toml");
        std::fs::write(&file, crate::backup::house_text(None)).unwrap();
        restore_with(
            &made.folder,
            &keys,
            folder.path(),
            &anchors,
            now_ms,
            Some(&file),
        )
        .unwrap();
        let third = open_restored(folder, now_ms, None);
        Conductor::tick(&third.central);
        let clerk = third.clerk(2, "C1");
        let (sold, paper) = &lost[0];
        let twice = order(&third, &clerk, sold, paper);
        assert_eq!(refused(&third, &clerk, &twice), told);
    });
}

#[test]
fn a_paper_that_proves_nothing_and_people_who_may_not_are_refused() {
    on_both(|house, other| {
        let Restored { again, lost, .. } = restored(house, other, true);
        let clerk = again.clerk(1, "C1");
        let (sold, paper) = &lost[0];
        let good = order(&again, &clerk, sold, paper);
        let but = |change: &dyn Fn(&mut LostRefundOrder)| {
            let mut changed = good.clone();
            change(&mut changed);
            refused(&again, &clerk, &changed)
        };
        // Forged, of another house, of a number that was typed.
        let forged = but(&|it| it.paper = again.forged(sold, 1));
        assert_eq!(forged, Refusal::NumberUnknown);
        let another = House::new(None);
        let theirs = sell_some(&another, 1, "C1", 1);
        let foreign = but(&|it| {
            it.paper = Paper::shown(
                &again.central,
                another.number(&theirs[0]),
                &Shown::Whole(another.whole(&theirs[0], 1)),
            )
        });
        assert_eq!(foreign, Refusal::NumberUnknown);
        let alone = but(&|it| it.paper = Paper::number_alone(paper.number));
        assert_eq!(alone, Refusal::ClaimCodeNeeded);
        // Prices that no ticket has, and tenders that no rules accept.
        let most = 100_000_000_000;
        for cents in [0, -500, most, i64::MAX, i64::MIN] {
            let refusal = but(&|it| it.amount_cents = cents);
            assert!(matches!(refusal, Refusal::AmountInvalid { .. }), "{cents}");
        }
        assert_eq!(
            but(&|it| it.tender = "gold".to_owned()),
            Refusal::TenderUnknown
        );
        assert_eq!(but(&|it| it.reason = " ".to_owned()), Refusal::ReasonNeeded);
        // Two people, of whom one answers for more than the till.
        assert_eq!(
            but(&|it| it.second = again.person("C1")),
            Refusal::SamePersonTwice
        );
        assert_eq!(
            but(&|it| it.second = again.person("C2")),
            Refusal::SecondPersonRefused
        );
        assert_eq!(
            but(&|it| it.second = again.person("A1")),
            Refusal::SecondPersonRefused
        );
        // From the cage's limit on it is the cage that pays.
        let rules = again
            .central
            .view
            .get()
            .rules_for(1)
            .unwrap()
            .rules
            .payout
            .cage;
        assert_eq!(but(&|it| it.amount_cents = rules.get()), Refusal::CageOnly);
        // A till that is not open.
        let (shift, session) = (clerk.session, again.clerk(2, "S2"));
        assert_ne!(shift, session.session);
        wait(session.close_shift(&again.central, TillContents::cash(50_000), None)).unwrap();
        let mut without = order(&again, &session, sold, paper);
        assert_eq!(refused(&again, &session, &without), Refusal::NoOpenTill);
        wait(session.open_shift(&again.central, 50_000)).unwrap();
        // An auditor has no till.
        let auditor = Caller {
            roles: again.person("A1").roles,
            ..clerk.clone()
        };
        assert!(matches!(
            refused(&again, &auditor, &good),
            Refusal::WrongRole { .. }
        ));
        assert_eq!(refunds(&again), []);
        // The cage itself, with a clerk beside, may.
        without.amount_cents = rules.get();
        without.second = again.person("C1");
        let at_the_cage = again.at_the_cage(&session);
        without.session = at_the_cage.session;
        refund(&again, &at_the_cage, &without).unwrap();
        assert_eq!(audit(&again, None).findings, []);
    });
}

#[test]
fn nothing_is_lost_where_nothing_was_restored() {
    let house = House::new(None);
    let clerk = house.clerk(1, "C1");
    let sold = sell_some(&house, 1, "C1", 1);
    // A paper of this house whose number is in no record: nobody can have it honestly.
    let paper = typed(
        &house,
        keno_game::ControlNumber::from_payload(7).unwrap(),
        1,
    );
    let clerk = Caller {
        session: house
            .central
            .view
            .get()
            .sessions
            .keys()
            .copied()
            .max()
            .unwrap(),
        ..clerk
    };
    let mut asked = order(&house, &clerk, &sold[0], &paper);
    asked.paper = of_size(&house, paper.number, u64::MAX);
    assert_eq!(refused(&house, &clerk, &asked), Refusal::NothingLost);
}

/// Nothing is left that knew of the lost part but the papers: the number says where its leaf stood,
/// and the secret that nobody but this house made it.
#[test]
fn a_number_shows_a_loss_that_nobody_knew_of() {
    on_both(|house, other| {
        let Restored {
            again,
            lost,
            continues_size,
            ..
        } = restored(house, other, false);
        let clerk = again.clerk(1, "C1");
        let (sold, paper) = &lost[0];
        assert!(sold.ticket >= continues_size);
        let mut asked = order(&again, &clerk, sold, paper);
        asked.paper = typed(&again, paper.number, 1);
        refund(&again, &clerk, &asked).unwrap();
        // A leaf that the log kept is no lost one, and one of this epoch is none either.
        let own = again
            .central
            .view
            .get()
            .epochs
            .place(again.central.view.get().log_size);
        for (series, leaf) in [(1, continues_size - 1), (own.series, u64::from(u32::MAX))] {
            let place = keno_record::numbers::Place { series, leaf };
            let number = again
                .central
                .keys
                .control_number(&again.central.house_code, place);
            asked.counter = again.next_counter();
            asked.paper = typed(&again, number, 1);
            assert_eq!(refused(&again, &clerk, &asked), Refusal::NothingLost);
        }
        assert_eq!(audit(&again, None).findings, []);
    });
}

#[test]
fn two_counters_at_once_refund_one_paper_once() {
    on_both(|house, other| {
        let Restored { again, lost, .. } = restored(house, other, true);
        let callers = [again.clerk(1, "C1"), again.clerk(2, "C2")];
        for (sold, paper) in &lost {
            let orders = callers.each_ref().map(|it| order(&again, it, sold, paper));
            let central = &again.central;
            let outcomes: Vec<_> = std::thread::scope(|scope| {
                let asked = callers.iter().zip(&orders);
                let all: Vec<_> = asked
                    .map(|(caller, order)| scope.spawn(move || wait(order.refund(central, caller))))
                    .collect();
                all.into_iter().map(|one| one.join().unwrap()).collect()
            });
            let done = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
            assert_eq!(done, 1, "{outcomes:?}");
            assert!(outcomes.iter().any(|outcome| matches!(
                outcome,
                Err(Stop::Refused(Refusal::LostRefunded { .. }))
            )));
        }
        assert_eq!(refunds(&again).len(), lost.len());
        assert_eq!(audit(&again, None).findings, []);
    });
}

/// What happens at the edge of the next commit: 1 it does not take place, 2 it does and is
/// reported lost.
struct Edge(Arc<AtomicU8>);

impl CommitHook for Edge {
    fn before_commit(&mut self) -> Result<(), Fault> {
        match self
            .0
            .compare_exchange(1, 0, Ordering::SeqCst, Ordering::SeqCst)
        {
            Ok(_) => Err(Fault::Record("planted".to_owned())),
            Err(_) => Ok(()),
        }
    }

    fn outcome_lost(&mut self) -> bool {
        self.0
            .compare_exchange(2, 0, Ordering::SeqCst, Ordering::SeqCst)
            .is_ok()
    }
}

#[test]
fn a_power_cut_leaves_a_refund_done_or_not_done_and_the_key_says_which() {
    on_both(|house, other| {
        let Restored {
            mut again, lost, ..
        } = restored(house, other, true);
        let edge = Arc::new(AtomicU8::new(0));
        let hook = Arc::clone(&edge);
        again.restart_with(|options| options.hook = Some(Box::new(Edge(hook))));
        let clerk = again.clerk(1, "C1");
        let (sold, paper) = &lost[0];
        let asked = order(&again, &clerk, sold, paper);
        let known = |again: &House| {
            clerk
                .device
                .ask_key(&again.central, None, clerk.session, asked.counter)
                .unwrap()
        };

        // The commit does not take place: nothing is left of it, in memory and on the disk.
        let before = again.remembered();
        edge.store(1, Ordering::SeqCst);
        assert!(matches!(
            refund(&again, &clerk, &asked),
            Err(Stop::Undone(_) | Stop::Broke(_))
        ));
        assert_same(&before, &again.remembered(), "after a commit that failed");
        assert_eq!(known(&again).kind, None);
        assert!(paper.lost_refund(&again.central).unwrap().is_none());

        // It takes place, and central goes down before it can answer.
        edge.store(2, Ordering::SeqCst);
        // SQLite cannot be asked how its commit ended; PostgreSQL can, and says that it was made.
        let outcome = refund(&again, &clerk, &asked);
        assert!(
            matches!(&outcome, Err(Stop::Broke(_))) || (other.is_some() && outcome.is_ok()),
            "{outcome:?}"
        );
        again.restart();
        assert_same(&again.remembered(), &again.recovered(), "after the start");
        let answer = known(&again);
        assert_eq!(answer.kind, Some(KeyKind::LostRefund));
        let same = refund(&again, &clerk, &asked).unwrap();
        assert_eq!((Some(same.leaf), same.repeated), (answer.leaf, true));
        let twice = order(&again, &clerk, sold, paper);
        assert!(matches!(
            refused(&again, &clerk, &twice),
            Refusal::LostRefunded { .. }
        ));
        assert_eq!(refunds(&again).len(), 1);
        // A key that is closed takes no late copy.
        let (sold, paper) = &lost[1];
        let late = order(&again, &clerk, sold, paper);
        wait(clerk.close_key(&again.central, None, late.session, late.counter)).unwrap();
        assert_eq!(refused(&again, &clerk, &late), Refusal::KeyClosed);
        assert_eq!(audit(&again, None).findings, []);
    });
}

/// When nothing that is open is as old as the refund, a start does not read that far back: the
/// row says where its leaf is.
#[test]
fn a_start_long_after_still_knows_what_was_refunded() {
    let mut house = crate::backup::house_on(None);
    let Restored {
        mut again, lost, ..
    } = restored(&mut house, None, true);
    let callers = [again.clerk(1, "C1"), again.clerk(2, "C2")];
    let (sold, paper) = &lost[0];
    let first = order(&again, &callers[0], sold, paper);
    refund(&again, &callers[0], &first).unwrap();
    let last = *crate::backup::announced(&again.events()).last().unwrap();
    for caller in &callers {
        wait(caller.close_shift(&again.central, TillContents::cash(0), None)).unwrap();
        wait(caller.sign_off(&again.central)).unwrap();
    }
    again.until_settled(last);
    again.restart();
    assert_same(&again.remembered(), &again.recovered(), "after the start");
    let clerk = again.clerk(2, "C1");
    let twice = order(&again, &clerk, sold, paper);
    assert!(matches!(
        refused(&again, &clerk, &twice),
        Refusal::LostRefunded { .. }
    ));
    // The key of a session that is long over is answered as before.
    let same = refund(&again, &callers[0], &first).unwrap();
    assert!(same.repeated);
}
