//! A win that is too improbable holds its payment and stops sales until people have looked.
//!
//! No draw gives thirteen of thirteen on demand, so the numbers of a recorded draw are replaced
//! in the writer's memory for the length of one command, and put back.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

mod support;

use keno_record::past_draws::draw_range;
use keno_record::sequencer::Lane;
use keno_record::state::prizes::Wagers;
use keno_service::Stop;
use keno_service::counter::{Named, PayOrder, TicketPicture};
use keno_service::draw::{Conductor, Draw, Suspicion};
use keno_service::refusal::Refusal;
use keno_service::staff::Recognised;
use support::{House, RULES, slip, straight, wait};

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
