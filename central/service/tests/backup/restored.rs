//! A backup made while the house serves, and the house that goes on from it.

use std::collections::BTreeSet;

use keno_game::DrawState;
use keno_log::Event;
use keno_service::counter::{PayOrder, TicketPicture, Verdict};
use keno_service::draw::Conductor;
use keno_service::maintenance::Backup;
use keno_service::maintenance::{rebuild, verify};
use keno_service::refusal::Refusal;
use keno_service::{Stop, draw};

use crate::backup::{
    Place, announced, audit, back_keys_up, back_up, free_folder, head, on_both, open_restored,
    restore_to, restore_with, sell_some, state_of,
};
use crate::support::{House, assert_same, quick, slip, wait};

/// What the record of a house says: every fact in order.
fn kinds_after(house: &House, size: u64) -> Vec<&'static str> {
    let events = house.events();
    let after = usize::try_from(size).unwrap();
    events[after..]
        .iter()
        .map(|event| event.kind().name())
        .collect()
}

#[test]
fn a_house_goes_on_from_its_backup_in_a_new_epoch() {
    on_both(|house, other| {
        let place = Place::empty();
        let kept = sell_some(house, 1, "C1", 12);
        let settled = house.next_draw();
        house.until_settled(settled);
        let waiting = sell_some(house, 1, "C1", 6);
        let made = back_up(house, &place.at("records")).unwrap();
        Backup::check(&made.folder, &place.at("records")).unwrap();
        let keys = back_keys_up(house, &place.at("keys")).unwrap();

        // What comes now is lost: sales, a whole draw with its numbers, and what was signed.
        let lost = sell_some(house, 2, "C2", 9);
        let drawn = house.next_draw();
        house.until_settled(drawn);
        house.clock.advance(90_000);
        Conductor::tick(&house.central);
        let lost_draws = announced(&house.events());
        let lost_sessions: BTreeSet<u64> = house
            .events()
            .iter()
            .filter_map(|event| match event {
                Event::SessionOpened(body) => Some(body.session),
                _ => None,
            })
            .collect();
        let lost_numbers: BTreeSet<_> = lost
            .iter()
            .map(|sold| house.number(sold).digits())
            .collect();
        let lost_papers: Vec<_> = lost.iter().map(|sold| house.paper(sold)).collect();
        let lost_head = head(&mut house.central.readers.get().unwrap());
        let now_ms = house.clock_ms() + 60_000;
        house.stop();

        let folder = free_folder();
        let file = place.at("house.toml");
        std::fs::write(&file, crate::backup::house_text(other)).unwrap();
        let restored = restore_with(
            &made.folder,
            &keys,
            folder.path(),
            &[house.path().join("anchors.log")],
            now_ms,
            Some(&file),
        )
        .unwrap();

        // The fact says from where it goes on, and what is known to be lost.
        let epoch = &restored.epoch.event;
        assert_eq!(epoch.epoch, 2);
        assert_eq!(epoch.continues_size, made.manifest.size);
        assert_eq!(Some(epoch.continues_root), made.root());
        assert_eq!((epoch.lost_size, epoch.lost_root), lost_head);
        assert_eq!((epoch.by.as_str(), epoch.second.as_str()), ("S1", "S2"));

        let again = open_restored(folder, now_ms, other);
        let kinds = kinds_after(&again, made.manifest.size);
        assert_eq!(kinds[0], "EpochOpened");
        assert_eq!(*kinds.last().unwrap(), "LeaseTaken");
        // Nothing that was announced is ever drawn, and its wagers are owed back.
        assert_eq!(state_of(&again, settled), DrawState::Settled);
        assert_eq!(restored.epoch.voided.len(), 20);
        for (draw, _, _) in &restored.epoch.voided {
            assert_eq!(state_of(&again, *draw), DrawState::Void, "draw {draw}");
        }
        let owed: i64 = restored.epoch.voided.iter().map(|it| it.2).sum();
        assert!(owed > 0, "no wager is owed back");
        assert_eq!(restored.epoch.sessions, 1);
        assert_eq!(restored.epoch.shifts.len(), 1);

        // The house sells and draws on, under numbers that the lost part did not have.
        Conductor::tick(&again.central);
        let clerk = again.clerk(2, "C2");
        assert!(!lost_sessions.contains(&clerk.session));
        assert!(clerk.session > *lost_sessions.last().unwrap());
        // Sales wait until two have looked at who is recorded: they are told whom.
        let told: Vec<&str> = restored.epoch.people.iter().map(|it| &*it.0).collect();
        assert!(
            told.is_sorted() && told.contains(&"C2") && told.contains(&"S1"),
            "{told:?}"
        );
        assert!(
            restored
                .epoch
                .devices
                .iter()
                .any(|(number, _)| *number == 2)
        );
        let early = again.order(&clerk, slip(vec![quick(4, 100)], 1), None);
        assert!(matches!(
            wait(early.sell(&again.central, &clerk)),
            Err(Stop::Refused(Refusal::SalesSuspended))
        ));
        assert!(again.central.view.get().waits_after_restore());
        draw::resume_sales(&again.central, "S1", "S2").unwrap();
        assert!(!again.central.view.get().waits_after_restore());
        let sold = again.sell(&clerk, slip(vec![quick(4, 100)], 1));
        again.confirm(&clerk, &sold);
        assert!(sold.sold.first_draw > *lost_draws.last().unwrap());
        // The moments of the draws that are void are free: the house draws at once.
        let next = again.central.view.get().next_open().unwrap().draws_at_ms();
        assert!(
            next - again.clock_ms() <= 2 * 120_000,
            "the next draw waits"
        );
        assert!(!lost_numbers.contains(&again.number(&sold).digits()));
        assert_ne!(sold.sold.secret_key, lost[0].sold.secret_key);
        again.until_settled(sold.sold.first_draw);
        assert_eq!(state_of(&again, sold.sold.first_draw), DrawState::Settled);
        assert_eq!(state_of(&again, drawn), DrawState::Void);

        // A paper of the lost part is genuine and unknown; one of before is what it was.
        for paper in &lost_papers {
            assert!(paper.find(&again.central).unwrap().is_none());
            assert_eq!(
                paper.lost_in_restore(&again.central),
                Some(now_ms),
                "the paper is genuine"
            );
            let alone = keno_service::counter::Paper::number_alone(paper.number);
            assert_eq!(alone.lost_in_restore(&again.central), None);
        }
        let paper = again.paper(&waiting[0]);
        let row = paper.find(&again.central).unwrap().unwrap();
        let picture = TicketPicture::of(&again.central, row).unwrap();
        assert!(matches!(
            picture.verdict(&again.central),
            Verdict::DrawCancelled { .. } | Verdict::Winner { .. }
        ));
        let order = PayOrder {
            counter: again.next_counter(),
            session: clerk.session,
            paper: paper.into(),
            items: picture
                .payable()
                .map(|due| (due.draw.number(), due.payable_cents))
                .collect(),
            second: None,
        };
        wait(order.pay(&again.central, &clerk)).unwrap();
        // Keys of a session of before are dead.
        let mut dead = again.order(&clerk, slip(vec![quick(4, 100)], 1), None);
        dead.session = kept[0].sold.key.session;
        assert!(matches!(
            wait(dead.sell(&again.central, &clerk)),
            Err(Stop::Refused(Refusal::SessionEnded))
        ));

        // Both computations agree with it, also about what was kept outside.
        let outcome = audit(&again, None);
        assert_eq!(outcome.findings, []);
        assert_eq!(outcome.replay.epoch(), 2);
        let inside = audit(&again, Some(&made.manifest.checkpoint));
        assert_eq!(
            (inside.findings, inside.outside_lost_in),
            (Vec::new(), None)
        );
        let verified = verify(
            &mut again.record().open_reader().unwrap(),
            &[again.path().join("anchors.log")],
            &again.path(),
        )
        .unwrap();
        assert_eq!(verified.findings, []);

        // Memory is what a start makes of it, and the tables can be made again.
        let remembered = again.remembered();
        crate::support::assert_same(&remembered, &again.recovered(), "memory and record");
        let mut again = again;
        again.stop();
        rebuild(&mut again.record().open_writer().unwrap()).unwrap();
        let verified = verify(
            &mut again.record().open_reader().unwrap(),
            &[again.path().join("anchors.log")],
            &again.path(),
        )
        .unwrap();
        assert_eq!(verified.findings, []);
    });
}

#[test]
fn restores_of_one_backup_that_do_not_know_each_other_share_no_number() {
    let house = crate::backup::house_on(None);
    let place = Place::empty();
    sell_some(&house, 1, "C1", 3);
    let made = back_up(&house, &place.at("records")).unwrap();
    let keys = back_keys_up(&house, &place.at("keys")).unwrap();
    let mut at_ms = house.clock_ms() + 3_000;
    let mut seen: BTreeSet<u64> = announced(&house.events()).into_iter().collect();
    let mut sessions = BTreeSet::new();
    let mut numbers = BTreeSet::new();
    for _ in 0..4 {
        let folder = free_folder();
        let restored = restore_to(&made.folder, &keys, folder.path(), &[], at_ms).unwrap();
        assert_eq!(
            restored.epoch.event.lost_size,
            restored.epoch.event.continues_size
        );
        let again = open_restored(folder, at_ms, None);
        Conductor::tick(&again.central);
        for sold in sell_some(&again, 1, "C1", 2) {
            let number = again.number(&sold).digits();
            assert!(numbers.insert(number), "a control number twice");
        }
        // Each lives for a while, and is lost too.
        for _ in 0..15 {
            again.clock.advance(60_000);
            Conductor::tick(&again.central);
        }
        let size = usize::try_from(made.manifest.size).unwrap();
        for event in &again.events()[size..] {
            match event {
                Event::DrawScheduled(body) => {
                    assert!(seen.insert(body.draw), "draw {} twice", body.draw);
                }
                Event::SessionOpened(body) => assert!(sessions.insert(body.session)),
                _ => {}
            }
        }
        at_ms = again.clock_ms() + 1;
    }
}

/// Nobody could claim since somebody was served last, or what they claimed is lost: the restore
/// says so, and the start after it says the same.
#[test]
fn a_restore_after_more_than_a_day_ends_a_silence() {
    for (after_ms, silences) in [(80_000_000, 0), (86_400_001, 2)] {
        let house = crate::backup::house_on(None);
        let place = Place::empty();
        sell_some(&house, 1, "C1", 3);
        let made = back_up(&house, &place.at("records")).unwrap();
        let keys = back_keys_up(&house, &place.at("keys")).unwrap();
        let at_ms = house.clock_ms() + after_ms;
        let folder = free_folder();
        restore_to(&made.folder, &keys, folder.path(), &[], at_ms).unwrap();
        let again = open_restored(folder, at_ms, None);
        assert_eq!(again.central.view.get().silences.len(), silences);
        assert_same(&again.remembered(), &again.recovered(), "a start");
        again.audit_holds();
    }
}

#[test]
fn an_outside_checkpoint_of_the_lost_part_is_admitted_or_found() {
    let mut house = crate::backup::house_on(None);
    let place = Place::empty();
    sell_some(&house, 1, "C1", 3);
    let made = back_up(&house, &place.at("records")).unwrap();
    let keys = back_keys_up(&house, &place.at("keys")).unwrap();
    sell_some(&house, 1, "C1", 3);
    // The publisher signs and anchors the newest head: one that it has not come to is passed over.
    let signed = |house: &House| {
        let (size, _) = head(&mut house.central.readers.get().unwrap());
        loop {
            match house.central.checkpoint() {
                Some(newest) if newest.size == size => return newest.note.clone(),
                _ => std::thread::yield_now(),
            }
        }
    };
    let early = signed(&house);
    sell_some(&house, 1, "C1", 1);
    let late = signed(&house);
    let now_ms = house.clock_ms() + 1_000;
    house.stop();
    // The anchors of a moment between the two: what came after it nobody can admit.
    let anchors = place.at("anchors.log");
    let text = std::fs::read_to_string(house.path().join("anchors.log")).unwrap();
    let early_size: u64 = early.lines().nth(1).unwrap().parse().unwrap();
    let known: Vec<&str> = text
        .lines()
        .filter(|line| {
            let size: u64 = line.split(' ').nth(1).unwrap().parse().unwrap();
            size <= early_size
        })
        .collect();
    std::fs::write(&anchors, format!("{}\n", known.join("\n"))).unwrap();
    let folder = free_folder();
    let restored = restore_to(&made.folder, &keys, folder.path(), &[anchors], now_ms).unwrap();
    assert_eq!(restored.epoch.event.lost_size, early_size);
    let again = open_restored(folder, now_ms, None);
    let admitted = audit(&again, Some(&early));
    assert_eq!(
        (admitted.findings, admitted.outside_lost_in),
        (Vec::new(), Some(2))
    );
    let hidden = audit(&again, Some(&late));
    let names: Vec<&str> = hidden.findings.iter().map(|it| it.name()).collect();
    assert_eq!(names, ["outside_lost"]);
}

/// The house that went on is lost too, and only the old backup is left: its epoch is passed over,
/// and what it signed is admitted.
#[test]
fn a_lost_epoch_is_passed_over() {
    let house = crate::backup::house_on(None);
    let place = Place::empty();
    sell_some(&house, 1, "C1", 3);
    let made = back_up(&house, &place.at("records")).unwrap();
    let keys = back_keys_up(&house, &place.at("keys")).unwrap();
    let at_ms = house.clock_ms() + 3_000;
    let folder = free_folder();
    restore_to(&made.folder, &keys, folder.path(), &[], at_ms).unwrap();
    let mut second = open_restored(folder, at_ms, None);
    Conductor::tick(&second.central);
    sell_some(&second, 1, "C1", 4);
    let kept = head(&mut second.central.readers.get().unwrap());
    let later_ms = second.clock_ms() + 120_000;
    second.stop();
    let anchors = [second.path().join("anchors.log")];
    let folder = free_folder();
    let restored = restore_to(&made.folder, &keys, folder.path(), &anchors, later_ms).unwrap();
    let event = &restored.epoch.event;
    assert_eq!((event.epoch, event.continues_size), (3, made.manifest.size));
    assert_eq!((event.lost_size, event.lost_root), kept);
    let third = open_restored(folder, later_ms, None);
    assert_eq!(audit(&third, None).findings, []);
    assert!(third.central.origin.ends_with("/3"));
}
