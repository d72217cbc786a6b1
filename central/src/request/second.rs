//! The second person of what two people do: at the same screen, by badge and PIN, or at the wall,
//! by an approval for exactly this command.

use actix_web::web;
use keno_service::Stop;
use keno_service::authority::Operation;
use keno_service::authority::identity::Caller;
use keno_service::refusal::Refusal;
use keno_service::staff::Recognised;
use keno_wire::request::{CommandKey, SecondPerson};
use keno_wire::wall::ApprovalContent;
use keno_words::Say;
use keno_words::counter::SecondPersonUsed;

use crate::app::{App, blocking};
use crate::convert;
use crate::request::signer::signed_beside;
use crate::wall::content_hash;

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
    /// The person.
    pub(crate) person: Recognised,
    approval: Option<(web::Data<App>, u64)>,
}

impl Second {
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

/// Tells whoever is signed on elsewhere with the badge of a second person that it was used,
/// before the command is done. That this fails does not stop the command.
async fn warn(app: &web::Data<App>, first: &Caller, second: &str) {
    let (shared, first, second) = (app.clone(), first.clone(), second.to_owned());
    let told = blocking(move || {
        let central = &shared.central;
        let place = convert::terminal_name(&central.view.get(), first.device.device);
        let words = SecondPersonUsed {
            second: &second,
            place: &place,
        };
        let words = (&*words.fr(), &*words.en());
        Ok(shared
            .access
            .tell_elsewhere(central, &first, &second, words)?)
    });
    if let Err(fault) = told.await {
        tracing::error!(?fault, "a second person could not be told of it");
    }
}

/// Recognises the second person of what is never approved from afar.
///
/// # Errors
/// [`Refusal::ApprovalNotForThis`], and as `recognise_second`.
pub(crate) async fn second_at_the_screen(
    app: &web::Data<App>,
    first: &Caller,
    second: &SecondPerson,
    operation: Operation,
) -> Result<Recognised, Stop> {
    if second.approval.is_some() {
        return Err(Refusal::ApprovalNotForThis.into());
    }
    let signed = signed_beside(second);
    let person = signed
        .recognise_second(&app.central, operation, first)
        .await?;
    warn(app, first, &person.badge).await;
    Ok(person)
}

/// Recognises the third person who judges a damaged paper.
///
/// # Errors
/// As [`second_at_the_screen`].
pub(crate) async fn third_at_the_screen(
    app: &web::Data<App>,
    first: &Caller,
    third: &SecondPerson,
) -> Result<Recognised, Stop> {
    if third.approval.is_some() {
        return Err(Refusal::ApprovalNotForThis.into());
    }
    let person = signed_beside(third)
        .recognise_third(&app.central, first)
        .await?;
    warn(app, first, &person.badge).await;
    Ok(person)
}

/// Recognises the second person of a two-person action, or the one who granted it at the wall.
///
/// # Errors
/// As `recognise_second` and `Approvals::spend`.
pub(crate) async fn second_person(
    app: &web::Data<App>,
    first: &Caller,
    second: &SecondPerson,
    operation: Operation,
    what: Approvable,
) -> Result<Second, Stop> {
    let Some(id) = second.approval else {
        return Ok(Second {
            person: second_at_the_screen(app, first, second, operation).await?,
            approval: None,
        });
    };
    let content = content_hash(&what.content)?;
    let key = what.key.map(|key| keno_log::CommandKey {
        device: first.device.device,
        session: key.session,
        counter: key.counter,
    });
    let (central, approvals) = (&app.central, &app.wall.approvals);
    Ok(Second {
        person: approvals.spend(central, (operation, first), id, &content, key)?,
        approval: Some((app.clone(), id)),
    })
}
