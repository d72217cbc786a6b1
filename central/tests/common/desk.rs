//! The examples of a draw desk: a draw of balls that is being drawn, and who sits there.

use keno_log::event::{CommitmentRecorded, DrawOpened, DrawScheduled};
use keno_record::past_draws::draw_range;
use keno_record::roles::{DeviceRole, Role};
use keno_record::sequencer::Lane;
use keno_service::authority::identity::{Caller, DeviceCaller};
use keno_service::draw::{Draw, EnteredBall};
use serde_json::{Value, json};

use super::{House, Person, blocking, record, second};

/// Examples that are sent from a draw desk, about a draw of balls.
pub const AT_DESK: [&str; 5] = [
    "desk",
    "enter_ball",
    "certify_draw",
    "replace_enterer",
    "stand_in",
];

/// The draw desk.
const DESK: u32 = 7;

/// Announces a draw of balls after those that are on sale, and brings it to where its machine may
/// draw.
fn draw_of_balls(house: &House) -> u64 {
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
    Draw(draw).start(central).unwrap();
    draw
}

/// Puts the house in the state that an example of the desk speaks of. Returns the draw, and who sends
/// the example.
pub async fn prepare(house: &House, operation: &str, example: &mut Value) -> (u64, Person) {
    let draw = blocking(|| {
        // Sealed first: a credential has another salt each time.
        let draw = draw_of_balls(house);
        record(&house.central, "M1", &[Role::Marker]);
        record(&house.central, "V1", &[Role::Verifier]);
        record(&house.central, "V2", &[Role::Verifier]);
        let enter = |badge: &str, role: Role, position: u8| {
            let by = Caller {
                device: DeviceCaller {
                    device: DESK,
                    role: DeviceRole::Desk,
                    name: "P01".to_owned(),
                },
                session: 0,
                badge: badge.to_owned(),
                roles: vec![role.number()],
            };
            let number = position * 4;
            let ball = EnteredBall { position, number };
            Draw(draw).enter_ball(&house.central, &by, ball).unwrap();
        };
        let entered = match operation {
            "certify_draw" => 20,
            "stand_in" | "enter_ball" => 0,
            _ => 1,
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
        "stand_in" => "S1",
        _ => "M1",
    };
    (draw, house.sign_on(DESK, badge).await)
}
