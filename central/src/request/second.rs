//! The second person of what two people do: at the same screen, by badge and PIN, or at the wall,
//! by an approval for exactly this command.

use std::collections::BTreeMap;

use actix_web::web;
use keno_record::people;
use keno_record::roles::{Role, has_any};
use keno_service::authority::identity::Caller;
use keno_service::refusal::Refusal;
use keno_service::staff::limiter::Origin;
use keno_service::staff::{Attempt, Door, Recognised};
use keno_service::{Stop, staff};
use keno_wire::request::{CommandKey, SecondPerson};
use keno_wire::wall::ApprovalContent;

use crate::app::App;
use crate::convert;
use crate::wall::{Message, content_hash};

/// A command that may be approved at the wall.
pub(crate) struct Approvable {
    /// Its content as it came.
    pub(crate) content: ApprovalContent,
    /// Its key, if it has one: it may then come again after a lost answer.
    pub(crate) key: Option<CommandKey>,
}

impl Approvable {
    /// A command without a key.
    pub(crate) const fn once(content: ApprovalContent) -> Self {
        Self { content, key: None }
    }
}

/// A second person who was recognised, and the approval that was used up for it.
pub(crate) struct Second {
    person: Recognised,
    approval: Option<(web::Data<App>, u64)>,
}

impl Second {
    /// The person.
    pub(crate) fn person(&self) -> Recognised {
        self.person.clone()
    }

    /// The badge.
    pub(crate) fn badge(&self) -> &str {
        &self.person.badge
    }

    /// What came of the command. When nothing was recorded, the approval may be used again.
    ///
    /// # Errors
    /// What came of it.
    pub(crate) fn after<T>(&self, outcome: Result<T, Stop>) -> Result<T, Stop> {
        if let (Err(Stop::Refused(_) | Stop::Undone(_)), Some((app, id))) =
            (&outcome, &self.approval)
        {
            app.wall.approvals.give_back(*id);
        }
        outcome
    }
}

/// Tells whoever is signed on elsewhere with the badge of a second person, or another badge of
/// theirs, that it was used. The command does not wait for it.
fn warn(app: &web::Data<App>, first: &Caller, second: &str) {
    let view = app.central.view.get();
    let now_ms = app.central.clock.now_ms();
    let place = convert::terminal_name(&view, first.device.device);
    let elsewhere: Vec<u32> = view
        .sessions
        .values()
        .filter(|session| session.device != first.device.device)
        .filter(|session| {
            people::is_one_human(&app.central.view.get().people, &session.badge, second)
        })
        .map(|session| session.device)
        .collect();
    for device in elsewhere {
        let message = Message {
            at_ms: now_ms,
            by: first.badge.clone(),
            device: Some(device),
            fr: format!("L’insigne {second} vient de servir de deuxième personne à {place}."),
            en: format!("The badge {second} was just used as a second person at {place}."),
            read: BTreeMap::new(),
        };
        let shared = app.clone();
        actix_web::rt::task::spawn_blocking(move || {
            let access = &shared.access;
            let sent = access
                .messages
                .send(message, |line| access.write_message(line));
            if let Err(fault) = sent {
                tracing::error!(%fault, "a second person could not be told of it");
            }
        });
    }
}

/// Tries the second person's badge and PIN at the screen of the first.
async fn typed(
    app: &web::Data<App>,
    first: &Caller,
    second: &SecondPerson,
    roles: &[Role],
) -> Result<Recognised, Stop> {
    let central = &app.central;
    staff::must_differ(&central.view.get().people, &first.badge, &second.badge)?;
    let person = staff::recognise(
        central,
        Attempt {
            badge: &second.badge,
            pin: &second.pin,
            card: Some(&second.card),
            origin: Origin::Device(first.device.device),
            door: Door::Second,
            may: &|numbers| has_any(numbers, roles),
        },
    )
    .await?;
    warn(app, first, &person.badge);
    Ok(person)
}

/// Checks the second person of what is never approved from afar.
///
/// # Errors
/// [`Refusal::SamePersonTwice`], as `Central::recognise`; [`Refusal::ApprovalNotForThis`].
pub(crate) async fn second_at_the_screen(
    app: &web::Data<App>,
    first: &Caller,
    second: &SecondPerson,
    roles: &[Role],
) -> Result<Recognised, Stop> {
    if second.approval.is_some() {
        return Err(Refusal::ApprovalNotForThis.into());
    }
    typed(app, first, second, roles).await
}

/// Checks the second person of a two-person action. A wrong PIN counts for that badge at this
/// device alone. Who granted an approval is judged as if they stood at the screen.
///
/// # Errors
/// As [`second_at_the_screen`], and as `Approvals::spend`.
pub(crate) async fn second_person(
    app: &web::Data<App>,
    first: &Caller,
    second: &SecondPerson,
    roles: &[Role],
    what: Approvable,
) -> Result<Second, Stop> {
    let central = &app.central;
    let Some(id) = second.approval else {
        return Ok(Second {
            person: typed(app, first, second, roles).await?,
            approval: None,
        });
    };
    let badge = app.wall.approvals.spend(
        id,
        first.session,
        &content_hash(&what.content),
        what.key,
        central.clock.monotonic_ms(),
    )?;
    let view = central.view.get();
    let second = Second {
        person: Recognised {
            roles: staff::staff_of(central, &view).roles(&badge),
            badge,
        },
        approval: Some((app.clone(), id)),
    };
    if let Err(refusal) = staff::must_differ(
        &central.view.get().people,
        &second.person.badge,
        &first.badge,
    ) {
        return second.after(Err(refusal.into()));
    }
    if !has_any(&second.person.roles, roles) {
        return second.after(Err(Refusal::SecondPersonRefused.into()));
    }
    Ok(second)
}
