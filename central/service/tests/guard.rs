//! A win that is too improbable holds its payment and stops sales until people have looked.
//!
//! No draw gives thirteen of thirteen on demand, so the numbers of a recorded draw are replaced
//! in the writer's memory for the length of one command, and put back.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use crate::support::{House, RULES, slip, straight, wait};
use diesel::connection::SimpleConnection;
use keno_game::DrawState;
use keno_record::past_draws::draw_range;
use keno_record::sequencer::Lane;
use keno_record::state::prizes::Wagers;
use keno_schema::on;
use keno_service::Stop;
use keno_service::counter::{Named, PayOrder, TicketPicture, Verdict};
use keno_service::draw::{Conductor, Draw, Suspicion};
use keno_service::house::Held;
use keno_service::refusal::Refusal;
use keno_service::staff::Recognised;

/// The demonstration rules with a game of thirteen numbers beside.
fn rules() -> String {
    format!(
        "{RULES}\n[[game]]\ncode = \"thirteen\"\nname.fr = \"Treize\"\nname.en = \"Thirteen\"\n\
         straight = {{ min = 13, max = 13 }}\nking_alone = false\n\
         [game.wager]\nstep = \"1.00\"\nmin = \"1.00\"\nmax = \"2.00\"\nsame_numbers = \"2.00\"\n\
         [game.pays]\n13 = {{ 4 = \"1\", 5 = \"1\", 6 = \"2\", 7 = \"2\", 8 = \"3\", 2 = \"1\", 13 = \"1000\" }}\n"
    )
}

/// What the guard would hold if the draw had these numbers.
fn if_drawn(house: &House, draw: u64, balls: Vec<u8>, hold: bool) -> Vec<(u64, Suspicion)> {
    house
        .central
        .sequencer
        .submit_blocking(Lane::Draw, move |judge| {
            let live = judge.state.draws.get_mut(&draw).unwrap();
            let before = live.balls.clone();
            live.balls.as_mut().unwrap().balls = balls.clone();
            // As a settlement does: what is seen among the wagers, then what the record says of it.
            let seen = Wagers::of(judge.state, draw).map(|wagers| wagers.seen());
            let found = seen.and_then(|seen| Draw(draw).improbable_wins(judge, &seen));
            judge.state.draws.get_mut(&draw).unwrap().balls = before;
            let found = found?;
            if hold {
                Draw(draw).hold_wins(judge, &found)?;
            }
            Ok::<_, keno_service::Stop>(found)
        })
        .unwrap()
}

fn until_drawn(house: &House, draw: u64) {
    use keno_game::DrawState;
    for _ in 0..600 {
        Conductor::tick(&house.central);
        if draw_range(&house.central, draw, draw).unwrap()[0].state() == DrawState::Drawn {
            return;
        }
        house.clock.advance(500);
    }
    panic!("draw {draw} was not drawn");
}

#[test]
fn an_improbable_win_is_held_and_sales_stop() {
    let house = House::with_rules(None, None, &rules());
    let clerk = house.clerk(1, "C1");
    let supervisor = house.clerk(2, "S2");
    let draw = house.next_draw();
    let numbers: Vec<u8> = (1..=13).collect();
    let mut selection = straight(&numbers, 100);
    selection.game = "thirteen".to_owned();
    let lucky = house.sell(&clerk, slip(vec![selection], 1));
    let ten = house.sell(
        &clerk,
        slip(vec![straight(&(1..=10).collect::<Vec<_>>(), 100)], 1),
    );
    // Covers every number by fours: one of these surely wins a little.
    let small: Vec<_> = (0..20_u8)
        .map(|n| {
            let of = |k: u8| straight(&[n * 4 + k], 100);
            house.sell(&clerk, slip(vec![of(1), of(2), of(3), of(4)], 1))
        })
        .collect();
    for sold in small.iter().chain([&lucky, &ten]) {
        house.confirm(&clerk, sold);
    }
    until_drawn(&house, draw);
    // Twelve of thirteen, and ten of ten once: rare, not improbable.
    let twelve: Vec<u8> = (1..=12).chain(61..=68).collect();
    assert_eq!(if_drawn(&house, draw, twelve, false), vec![]);
    // Thirteen of thirteen: one chance in 3.7 billion.
    let thirteen: Vec<u8> = (1..=13).chain(61..=67).collect();
    assert_eq!(
        if_drawn(&house, draw, thirteen, true),
        vec![(lucky.ticket, Suspicion::Improbable)]
    );
    assert!(house.central.view.get().sales_suspended.is_some());
    let order = house.order(&clerk, slip(vec![straight(&[7], 100)], 1), None);
    assert!(matches!(
        wait(order.sell(&house.central, &clerk)),
        Err(Stop::Refused(Refusal::SalesSuspended))
    ));
    house.until_settled(draw);
    // What is held is not paid; what is not, is.
    let paper = house.paper(&lucky);
    let row = paper.find(&house.central).unwrap().unwrap();
    let picture = TicketPicture::of(&house.central, row).unwrap();
    assert!(picture.held);
    // Its holder is told why, who answers for it and by when; after that, whom to ask.
    let verdict = |late: bool| {
        let hours = i64::from(house.central.house.held_wins.hours);
        Verdict::WinHeld {
            owner: None,
            until: {
                let held_at_ms = picture.win_held_at_ms().unwrap();
                let until_ms = held_at_ms + hours * 3_600_000;
                house.central.calendar.minute_text(until_ms)
            },
            is_late: late,
        }
    };
    assert_eq!(picture.verdict(&house.central), verdict(false));
    let held = Held::all(&house.central, house.clock_ms()).unwrap();
    assert_eq!((held.len(), held[0].ticket), (1, lucky.ticket));
    let until_ms = held[0].decided_by_ms.unwrap();
    assert!(!held[0].is_late(until_ms) && held[0].is_late(until_ms + 1));
    let pay = |paper: &keno_service::counter::Paper, items| PayOrder {
        counter: house.next_counter(),
        session: supervisor.session,
        paper: paper.clone().into(),
        items,
        second: Some(Recognised {
            badge: "S1".into(),
            roles: vec![2],
            credential: None,
        }),
    };
    let refused = wait(pay(&paper, vec![(draw, 100)]).pay(&house.central, &supervisor));
    assert!(
        matches!(refused, Err(Stop::Refused(Refusal::TicketHeld))),
        "{refused:?}"
    );
    let winner = small
        .iter()
        .map(|sold| house.paper(sold))
        .find_map(|paper| {
            let row = paper.find(&house.central).unwrap().unwrap();
            let picture = TicketPicture::of(&house.central, row).unwrap();
            let cents: i64 = picture.payable().map(|due| due.payable_cents).sum();
            (cents > 0).then_some((paper, cents))
        })
        .unwrap();
    wait(pay(&winner.0, vec![(draw, winner.1)]).pay(&house.central, &supervisor)).unwrap();
    // Two people release it.
    wait(Named::from(&paper).release(
        &house.central,
        &supervisor,
        &house.person("S1"),
        "vidéo vue, tirage vérifié",
    ))
    .unwrap();
    let row = paper.find(&house.central).unwrap().unwrap();
    assert!(!TicketPicture::of(&house.central, row).unwrap().held);
}

/// A table or the program that somebody changed since the start: no draw begins. Seen to fail without
/// the look of the program, and with the tables looked at once, at the start.
#[test]
fn no_draw_begins_where_program_or_tables_were_changed() {
    let database = keno_testing::empty_postgres_database().unwrap();
    let changes = [
        (
            None,
            "CREATE TRIGGER mine AFTER INSERT ON draw_result BEGIN DELETE FROM silence; END",
            "DROP TRIGGER mine",
        ),
        (
            Some(database.address()),
            "CREATE RULE mine AS ON INSERT TO draw_result DO ALSO DELETE FROM silence",
            "DROP RULE mine ON draw_result",
        ),
    ];
    for (address, change, back) in changes {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("central");
        std::fs::write(&program, "a program").unwrap();
        let known = program.clone();
        let house = House::founded(address, RULES, move |options| {
            options.program = Some(known.clone());
        });
        let state_of = |draw: u64| draw_range(&house.central, draw, draw).unwrap()[0].state();
        let later = || {
            house.clock.advance(3_000);
            Conductor::tick(&house.central);
        };
        let alter = |sql: &str| {
            let mut connection = house.record().open_writer().unwrap();
            on!(&mut connection, c => c.batch_execute(sql)).unwrap();
        };
        house.until_closed(1);
        alter(change);
        house.clock.advance(60_000);
        later();
        assert_eq!(state_of(1), DrawState::Closed);
        let told = house.central.changed_since_start().unwrap();
        assert!(told.contains("mine"), "{told}");
        alter(back);
        later();
        assert_ne!(state_of(1), DrawState::Closed);
        assert_eq!(house.central.changed_since_start(), None);
        house.until_settled(1);
        house.until_closed(2);
        std::fs::write(folder.path().join("other"), "a program").unwrap();
        std::fs::rename(folder.path().join("other"), &program).unwrap();
        house.clock.advance(60_000);
        later();
        assert_eq!(state_of(2), DrawState::Closed);
        let told = house.central.changed_since_start().unwrap();
        assert!(told.contains("program"), "{told}");
    }
}
