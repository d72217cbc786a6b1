//! People and PINs: what two people record, and the PIN that its owner chooses.

use keno_record::people::RECOVERY;
use keno_record::roles::Role;
use keno_service::authority::Operation;
use keno_service::staff;
use keno_service::staff::{Badge, Door, NewPerson};
use keno_wire::badge_card::BadgeCard;
use keno_wire::people::{
    CardReply, CardRequest, ChoosePinRequest, MakeActingRequest, NameActingRequest, PeopleReply,
    PersonRequest, PersonView, ResetPinReply, ResetPinRequest, Signer, WithdrawRequest,
};
use keno_wire::reply::RecordedReply;
use keno_words::malformed;

use super::handler::{ApiError, App, Reply, Signing, web, write};
use crate::convert;
use crate::request::signer::{signer, two_signers};

fn unknown_role() -> ApiError {
    let names = Role::ALL.map(Role::name).join(", ");
    ApiError::malformed(Some("roles"), &malformed::Roles { names: &names })
}

fn role(name: &str) -> Result<Role, ApiError> {
    Role::from_name(name).ok_or_else(unknown_role)
}

/// Who is on the staff, by badge.
#[utoipa::path(
    get, path = "/api/v1/people", tag = "people", operation_id = "people",
    responses((status = 200, description = "Everybody whose badge stands", body = PeopleReply))
)]
pub(super) async fn list(app: web::Data<App>) -> web::Json<PeopleReply> {
    let central = &app.central;
    let view = central.view.get();
    let staff = staff::staff_of(central, &view);
    let mut people: Vec<PersonView> = view
        .people
        .iter()
        .filter(|(badge, person)| person.active && badge.as_str() != RECOVERY)
        .map(|(badge, person)| PersonView {
            badge: badge.clone(),
            staff: person.staff.clone(),
            name: person.name.clone(),
            roles: convert::role_names(&person.roles),
            has_card: person.card > 0,
            must_change: person.must_change,
            may_act: view.acting.contains_key(badge),
            acts: staff.acts(badge),
            is_locked: Badge(badge).is_locked(central),
        })
        .collect();
    people.sort_by(|one, other| one.badge.cmp(&other.badge));
    web::Json(PeopleReply { people })
}

/// Record a person as they are to stand: new, or changed. Their sessions end, and the PIN is good
/// until its owner has chosen another.
///
/// On central's own machine, or at a device of the back office.
#[utoipa::path(
    post, path = "/api/v1/people", tag = "people", operation_id = "record_person",
    request_body(content = PersonRequest, example = json!({
        "badge": "C143", "staff": "4711", "name": "Léa", "roles": ["clerk"], "pin": "471108",
        "by": {"badge": "D401", "pin": "582917"}, "second": {"badge": "D402", "pin": "693028"}
    })),
    responses((status = 200, description = "Recorded", body = RecordedReply))
)]
pub(super) async fn record(
    Signing(app, origin, asked): Signing<PersonRequest>,
) -> Reply<RecordedReply> {
    let roles = asked
        .roles
        .iter()
        .map(|name| role(name))
        .collect::<Result<Vec<_>, _>>()?;
    if roles.is_empty() {
        return Err(unknown_role());
    }
    let at = (Operation::RecordPerson, Door::People, origin);
    two_signers(&app, at, &asked.by, &asked.second).await?;
    write(move || {
        let person = NewPerson {
            badge: &asked.badge,
            staff: &asked.staff,
            name: &asked.name,
            roles: &roles,
            pin: &asked.pin,
            must_change: true,
        };
        person.record(&app.central, &asked.by.badge, &asked.second.badge)
    })
    .await
}

/// Withdraw a badge; its sessions end.
///
/// On central's own machine, or at a device of the back office.
#[utoipa::path(
    post, path = "/api/v1/people/withdraw", tag = "people", operation_id = "withdraw_person",
    request_body(content = WithdrawRequest, example = json!({
        "badge": "C142",
        "by": {"badge": "D401", "pin": "582917"}, "second": {"badge": "D402", "pin": "693028"}
    })),
    responses((status = 200, description = "Withdrawn", body = RecordedReply))
)]
pub(super) async fn withdraw(
    Signing(app, origin, asked): Signing<WithdrawRequest>,
) -> Reply<RecordedReply> {
    let at = (Operation::RecordPerson, Door::People, origin);
    two_signers(&app, at, &asked.by, &asked.second).await?;
    write(move || Badge(&asked.badge).withdraw(&app.central, &asked.by.badge, &asked.second.badge))
        .await
}

/// Make a card for a badge, which its owner shows as a second person at another's screen: said once.
/// The card before counts no more.
///
/// On central's own machine, or at a device of the back office.
#[utoipa::path(
    post, path = "/api/v1/people/card", tag = "people", operation_id = "make_card",
    request_body(content = CardRequest, example = json!({
        "badge": "S201",
        "by": {"badge": "D401", "pin": "582917"}, "second": {"badge": "D402", "pin": "693028"}
    })),
    responses((status = 200, description = "What its code says", body = CardReply))
)]
pub(super) async fn card(Signing(app, origin, asked): Signing<CardRequest>) -> Reply<CardReply> {
    let at = (Operation::MakeCard, Door::People, origin);
    two_signers(&app, at, &asked.by, &asked.second).await?;
    write(move || {
        let (badge, by, second) = (asked.badge, asked.by.badge, asked.second.badge);
        let (leaf, secret) = Badge(&badge).make_card(&app.central, &by, &second)?;
        let text = BadgeCard::of(&badge, &secret).text();
        Ok(CardReply { leaf, text })
    })
    .await
}

/// Choose another PIN for one's own badge; its sessions end.
///
/// On central's own machine, or at a device where people sign on.
#[utoipa::path(
    post, path = "/api/v1/people/pin", tag = "people", operation_id = "choose_pin",
    request_body(content = ChoosePinRequest, example = json!({
        "badge": "C142", "pin": "471108", "new_pin": "850274"
    })),
    responses((status = 200, description = "It is the PIN from here on", body = RecordedReply))
)]
pub(super) async fn choose_pin(
    Signing(app, origin, asked): Signing<ChoosePinRequest>,
) -> Reply<RecordedReply> {
    let at = (Operation::ChoosePin, Door::NewPin, origin);
    let owner = Signer {
        badge: asked.badge,
        pin: asked.pin,
        card: asked.card,
    };
    let person = signer(&app, at, &owner).await?;
    write(move || person.choose_pin(&app.central, &owner.pin, &asked.new_pin, origin)).await
}

/// Give a clerk who forgot the PIN another, by a supervisor and a second person: it is good for
/// nothing but to choose another. The clerk's sessions end.
///
/// On central's own machine, or at a device where a supervisor sees the house.
#[utoipa::path(
    post, path = "/api/v1/people/pin/reset", tag = "people", operation_id = "reset_pin",
    request_body(content = ResetPinRequest, example = json!({
        "badge": "C142",
        "by": {"badge": "S201", "pin": "582917"}, "second": {"badge": "S202", "pin": "693028"}
    })),
    responses((status = 200, description = "The PIN, said once", body = ResetPinReply))
)]
pub(super) async fn reset_pin(
    Signing(app, origin, asked): Signing<ResetPinRequest>,
) -> Reply<ResetPinReply> {
    let at = (Operation::ResetPin, Door::People, origin);
    two_signers(&app, at, &asked.by, &asked.second).await?;
    write(move || {
        let (badge, by, second) = (asked.badge, asked.by.badge, asked.second.badge);
        let (leaf, pin) = Badge(&badge).reset_pin(&app.central, &by, &second)?;
        Ok(ResetPinReply { leaf, pin })
    })
    .await
}

/// Name somebody who may be made an acting supervisor, or take that back, by two administrators.
///
/// On central's own machine, or at a device of the back office.
#[utoipa::path(
    post, path = "/api/v1/people/acting/naming", tag = "people", operation_id = "name_acting",
    request_body(content = NameActingRequest, example = json!({
        "badge": "C142", "may_act": true,
        "by": {"badge": "D401", "pin": "582917"}, "second": {"badge": "D402", "pin": "693028"}
    })),
    responses((status = 200, description = "Named, or no more", body = RecordedReply))
)]
pub(super) async fn name_acting(
    Signing(app, origin, asked): Signing<NameActingRequest>,
) -> Reply<RecordedReply> {
    let at = (Operation::NameActing, Door::People, origin);
    two_signers(&app, at, &asked.by, &asked.second).await?;
    write(move || {
        let (by, second) = (&asked.by.badge, &asked.second.badge);
        Badge(&asked.badge).name_acting(&app.central, asked.may_act, by, second)
    })
    .await
}

/// Make somebody who was named an acting supervisor for the rest of the business day: by a
/// supervisor, or by the cage and another person. They count as a supervisor at once, except about
/// tickets that they sold themselves.
///
/// On central's own machine, or at a device where a supervisor sees the house.
#[utoipa::path(
    post, path = "/api/v1/people/acting", tag = "people", operation_id = "make_acting",
    request_body(content = MakeActingRequest, example = json!({
        "badge": "C142", "by": {"badge": "S201", "pin": "582917"}
    })),
    responses((status = 200, description = "An acting supervisor", body = RecordedReply))
)]
pub(super) async fn make_acting(
    Signing(app, origin, asked): Signing<MakeActingRequest>,
) -> Reply<RecordedReply> {
    let at = (Operation::MakeActing, Door::People, origin);
    match &asked.second {
        Some(second) => two_signers(&app, at, &asked.by, second).await?,
        None => {
            signer(&app, at, &asked.by).await?;
        }
    }
    write(move || {
        let second = asked.second.as_ref().map(|second| second.badge.as_str());
        Badge(&asked.badge).make_acting(&app.central, &asked.by.badge, second)
    })
    .await
}
