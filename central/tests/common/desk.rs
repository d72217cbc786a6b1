//! The examples of a draw desk: a draw of balls that is being drawn, and who sits there.

use keno_log::Event;
use keno_log::event::{
    BallSetMeasured, BallSetsOffered, CommitmentRecorded, DrawOpened, DrawRoomOpened,
    DrawScheduled, SecretsRevealed,
};
use keno_record::past_draws::draw_range;
use keno_record::roles::{DeviceRole, Role};
use keno_record::sequencer::Lane;
use keno_service::authority::identity::{Caller, DeviceCaller};
use keno_service::draw::{Draw, EnteredBall, RoomAsked, RoomStep};
use serde_json::{Value, json};

use super::{House, Person, blocking, record, second};

/// Examples that are sent from a draw desk, about a draw of balls.
pub const AT_DESK: [&str; 13] = [
    "agree_in_room",
    "choose_ball_set",
    "desk",
    "draw_room",
    "end_draw_room",
    "log_incident",
    "measure_ball_set",
    "open_draw_room",
    "postpone_draw",
    "enter_ball",
    "certify_draw",
    "replace_enterer",
    "stand_in",
];

/// The draw desk.
const DESK: u32 = 7;

/// Announces a draw of balls after those that are on sale, and brings it to where its machine may
/// draw.
fn draw_of_balls(house: &House, is_started: bool) -> u64 {
    let central = &house.central;
    let draw = central.view.get().draws.keys().next_back().unwrap() + 1;
    let like = draw_range(central, draw - 1, draw - 1).unwrap().remove(0);
    let scheduled = DrawScheduled {
        draw,
        closes_at_ms: like.closes_at_ms() + 60_000,
        draws_at_ms: like.draws_at_ms() + 60_000,
        source: 2,
        holders: vec!["machine".to_owned()],
        pool_size: 80,
        drawn: 20,
        cap_cents: like.cap_cents(),
        full_below_cents: 100_000,
    };
    central
        .sequencer
        .submit_blocking(Lane::Draw, move |judge| {
            judge.record(scheduled.clone())?;
            judge.record(CommitmentRecorded {
                draw,
                position: 0,
                commitment: [7; 32],
            })?;
            judge.record(DrawOpened { draw })?;
            Ok::<_, keno_service::Stop>(())
        })
        .unwrap();
    Draw(draw).close(central).unwrap();
    if is_started {
        Draw(draw).start(central).unwrap();
    }
    draw
}

/// Sets of balls, a choice and an open room, as far as an example needs them.
fn prepare_room(house: &House, operation: &str, example: &mut Value) {
    let people = || ("M1".to_owned(), "V1".to_owned());
    let measured = |set: &str, mass_mg: u32| {
        let (by, second) = people();
        Event::from(BallSetMeasured {
            set: set.to_owned(),
            masses_mg: vec![mass_mg; 80],
            gauge: 1,
            instruments: "balance B-1, calibre C-2".to_owned(),
            least_mg: 2_670,
            most_mg: 2_770,
            most_draws: 1_500,
            good_until_ms: 1_795_800_000_000,
            by,
            second,
        })
    };
    let mut facts = vec![measured("A", 2_700), measured("B", 2_800)];
    let (is_chosen, is_open) = match operation {
        "open_draw_room" => (true, false),
        "draw_room" | "end_draw_room" => (true, true),
        "choose_ball_set" | "agree_in_room" => (false, false),
        _ => return,
    };
    if is_chosen {
        let (by, second) = people();
        facts.push(Event::from(BallSetsOffered {
            sets: vec!["A".to_owned()],
            draw: 1,
            reason: String::new(),
            by,
            second,
        }));
        let secrets = Vec::new();
        facts.push(Event::from(SecretsRevealed { draw: 1, secrets }));
    }
    if is_open {
        let (by, second) = people();
        facts.push(Event::from(DrawRoomOpened {
            set: "A".to_owned(),
            draw: 1,
            counted: 80,
            camera: "camera 3".to_owned(),
            by,
            second,
        }));
    }
    let central = &house.central;
    central
        .sequencer
        .submit_blocking(Lane::Draw, move |judge| {
            for fact in &facts {
                judge.record(fact.clone())?;
            }
            Ok::<_, keno_service::Stop>(())
        })
        .unwrap();
    if operation == "agree_in_room" {
        let reason = String::new();
        let by = at_desk("V1", Role::Verifier);
        RoomStep::Offer { reason }.ask(central, &by).unwrap();
        example["number"] = json!(RoomAsked::waiting(central).unwrap().number);
    }
}

/// Somebody at the desk.
fn at_desk(badge: &str, role: Role) -> Caller {
    Caller {
        device: DeviceCaller {
            device: DESK,
            role: DeviceRole::Desk,
            name: "P01".to_owned(),
        },
        session: 0,
        badge: badge.to_owned(),
        roles: vec![role.number()],
    }
}

/// Puts the house in the state that an example of the desk speaks of. Returns the draw, and who sends
/// the example.
pub async fn prepare(house: &House, operation: &str, example: &mut Value) -> (u64, Person) {
    let draw = blocking(|| {
        // Sealed first: a credential has another salt each time.
        let draw = draw_of_balls(house, operation != "postpone_draw");
        record(&house.central, "M1", &[Role::Marker]);
        record(&house.central, "V1", &[Role::Verifier]);
        record(&house.central, "V2", &[Role::Verifier]);
        let enter = |badge: &str, role: Role, position: u8| {
            let by = at_desk(badge, role);
            let number = position * 4;
            let ball = EnteredBall { position, number };
            Draw(draw).enter_ball(&house.central, &by, ball).unwrap();
        };
        prepare_room(house, operation, example);
        let entered = match operation {
            "certify_draw" => 20,
            "desk" | "replace_enterer" => 1,
            _ => 0,
        };
        for position in 1..=entered {
            enter("M1", Role::Marker, position);
            enter("V1", Role::Verifier, position);
        }
        draw
    });
    if operation == "replace_enterer" {
        example["leaving"] = json!("V1");
        example["second"] = second("S1");
    }
    let badge = match operation {
        "replace_enterer" => "V2",
        "stand_in" | "postpone_draw" => "S1",
        _ => "M1",
    };
    (draw, house.sign_on(DESK, badge).await)
}
