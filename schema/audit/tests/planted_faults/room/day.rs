//! The room opened, used and left when it may not be, draws that are put off, and what is said to have
//! happened.

use super::*;

pub const PLANTED: &[Planted] = &[
    // A draw that is put off.
    of!("postponed_wrong", "postpone 6", DrawPostponed, it =>
        it.draws_at_ms = scheduled_then(OF_BALLS, &[]).draws_at_ms),
    of!("postponed_wrong", "postpone 6", DrawPostponed, it => it.draws_at_ms = i64::MIN),
    of!("postponed_wrong", "postpone 6", DrawPostponed, it => it.draws_at_ms = i64::MAX),
    (
        "postponed_wrong",
        "postpone 6",
        |events, log| {
            let late = time_of(log.size()) + DAY_MS + 1;
            events[0] = postponed(OF_BALLS, late).into();
        },
        "postpone 6",
        0,
    ),
    // A day after its sales were to close, whenever that is said.
    (
        "postponed_wrong",
        "schedule 6",
        alter!(DrawScheduled, it => it.closes_at_ms -= DAY_MS),
        "postpone 6",
        0,
    ),
    (
        "postponed_wrong",
        "postpone 6",
        |events, _| events.push(events[0].clone()),
        "postpone 6",
        1,
    ),
    of!("draw_unknown", "postpone 6", DrawPostponed, it => it.draw = 99),
    told!(
        "draw_step_out_of_order",
        "close 6",
        vec![postponed(OF_BALLS, time_of(0) + DAY_MS).into()],
        0
    ),
    (
        "draw_step_out_of_order",
        "start 6",
        |events, _| events.push(postponed(OF_BALLS, time_of(0) + DAY_MS).into()),
        "start 6",
        1,
    ),
    (
        "epoch_draw",
        "postpone 6",
        |events, log| epoch(events, log, OTHER),
        "postpone 6",
        2,
    ),
    of!("role_wrong", "postpone 6", DrawPostponed, it => it.second = "M301".to_owned()),
    of!("role_wrong", "postpone 6", DrawPostponed, it => it.by = "M301".to_owned()),
    of!("role_wrong", "postpone 6", DrawPostponed, it => it.by = "A401".to_owned()),
    of!("role_wrong", "postpone 6", DrawPostponed, it =>
        (it.by, it.second) = ("A401".to_owned(), "S201".to_owned())),
    of!("role_wrong", "postpone 6", DrawPostponed, it => it.second = "A401".to_owned()),
    // Neither of two verifiers answers for it.
    (
        "role_wrong",
        "postpone 6",
        |events, _| {
            let Some(Event::DrawPostponed(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            body.by = "M303".to_owned();
            before(events, vec![person("M303", &[5]).into()]);
        },
        "postpone 6",
        1,
    ),
    // With what the room is opened.
    ("room_opened_wrong", "offer", drop_it, "room", 0),
    told!(
        "room_opened_wrong",
        "secrets 5",
        vec![opened_with(&in_the_room(), CHOOSES).into()],
        0
    ),
    // The secrets of another draw choose nothing.
    told!(
        "room_opened_wrong",
        "secrets 5",
        another_and(vec![
            voided(OTHER),
            revealed(OTHER, &AGAIN),
            opened_with(&chosen(OTHER, &AGAIN, &all_sets()), CHOOSES).into(),
        ]),
        ANOTHER + 2
    ),
    of!("room_opened_wrong", "room", DrawRoomOpened, it => it.set = beside().to_owned()),
    of!("room_opened_wrong", "room", DrawRoomOpened, it => it.set = "jeu 4".to_owned()),
    of!("room_opened_wrong", "room", DrawRoomOpened, it => it.draw = 4),
    of!("room_opened_wrong", "room", DrawRoomOpened, it => it.draw = 99),
    of!("room_opened_wrong", "room", DrawRoomOpened, it => it.counted = 79),
    of!("room_opened_wrong", "room", DrawRoomOpened, it => it.counted = 81),
    told!(
        "room_opened_wrong",
        "room",
        vec![measured_anew(|it| it.gauge = 2)],
        1
    ),
    told!(
        "room_opened_wrong",
        "room",
        vec![measured_anew(|it| it.masses_mg.truncate(79))],
        1
    ),
    (
        "room_opened_wrong",
        "room",
        |events, log| {
            let good_until_ms = time_of(log.size() + 1) - 1;
            before(
                events,
                vec![measured_anew(|it| it.good_until_ms = good_until_ms)],
            );
        },
        "room",
        1,
    ),
    (
        "room_opened_wrong",
        "room",
        |events, _| events.push(events[0].clone()),
        "room",
        1,
    ),
    (
        "room_opened_wrong",
        "room ends",
        |events, _| events.push(opened_with(&in_the_room(), CHOOSES).into()),
        "room ends",
        1,
    ),
    // How the day ends.
    told!("room_ended_wrong", "offer", vec![ended(0).into()], 0),
    told!("room_ended_wrong", "room", vec![ended(1).into()], 0),
    (
        "room_ended_wrong",
        "room ends",
        |events, _| events.push(ended(1).into()),
        "room ends",
        1,
    ),
    of!("room_ended_wrong", "room ends", DrawRoomEnded, it => it.goes_on = 2),
    of!("room_ended_wrong", "room ends", DrawRoomEnded, it => it.goes_on = 255),
    told!("room_ended_wrong", "postpone 6", vec![ended(0).into()], 0),
    told!("room_ended_wrong", "balls 6", vec![ended(0).into()], 0),
    told!("room_ended_wrong", "certify 6", vec![ended(0).into()], 0),
    (
        "room_ended_wrong",
        "start 6",
        |events, _| events.extend([suspended(), ended(0).into()]),
        "start 6",
        2,
    ),
    // A draw that an epoch found announced keeps nobody: what it does next is what is wrong.
    (
        "epoch_draw",
        "postpone 6",
        |events, log| {
            before(events, vec![ended(0).into()]);
            epoch(events, log, OTHER);
        },
        "postpone 6",
        3,
    ),
    // What a draw of balls needs.
    ("room_not_ready", "room", drop_it, "start 6", 0),
    (
        "room_not_ready",
        "close 6",
        |events, _| before(events, vec![ended(0).into()]),
        "start 6",
        0,
    ),
    told!(
        "room_not_ready",
        "start 6",
        vec![measured_anew(|it| it.gauge = 2)],
        1
    ),
    told!(
        "room_not_ready",
        "start 6",
        vec![measured_anew(|it| it.most_draws = 0)],
        1
    ),
    told!(
        "room_not_ready",
        "start 6",
        vec![measured_anew(|it| it.masses_mg.truncate(79))],
        1
    ),
    told!(
        "room_not_ready",
        "start 6",
        vec![measured_anew(|it| it.masses_mg.push(2_700))],
        1
    ),
    (
        "room_not_ready",
        "start 6",
        |events, log| {
            let good_until_ms = time_of(log.size() + 1) - 1;
            before(
                events,
                vec![measured_anew(|it| it.good_until_ms = good_until_ms)],
            );
        },
        "start 6",
        1,
    ),
    // The first start uses the set up.
    (
        "room_not_ready",
        "start 6",
        |events, _| {
            again_after(events, Vec::new());
            before(events, vec![measured_anew(|it| it.most_draws = 1)]);
        },
        "start 6",
        4,
    ),
    // A register of one set, which nobody has used, is one.
    (
        "room_not_ready",
        "start 2",
        |events, _| before(events, vec![unfit(|it| it.good_until_ms = i64::MAX)]),
        "start 2",
        1,
    ),
    // What happens in the room.
    of!("draw_unknown", "incident", IncidentLogged, it => it.draw = Some(99)),
    of!("draw_unknown", "incident of no draw", IncidentLogged, it => it.draw = Some(0)),
    (
        "epoch_draw",
        "incident",
        |events, log| epoch(events, log, OTHER),
        "incident",
        2,
    ),
    of!("place_wrong", "incident", IncidentLogged, it => it.device = 7),
    of!("place_wrong", "incident", IncidentLogged, it => it.device = 99),
    of!("role_wrong", "incident", IncidentLogged, it => it.by = "C142".to_owned()),
    of!("role_wrong", "incident of no draw", IncidentLogged, it => it.by = "A401".to_owned()),
    of!("badge_unknown", "incident", IncidentLogged, it => it.by = "X".to_owned()),
];
