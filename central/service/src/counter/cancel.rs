//! A sale taken back before its first draw closes.

use keno_game::DrawState;
use keno_log::CommandKey;
use keno_log::event::TicketCancelled;
use keno_record::sequencer::Lane;
use keno_record::state::KeyKind;
use keno_record::store::big;

use crate::Stop;
use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::central::Central;
use crate::counter::key::{ContentHash, Recorded, judge_key};
use crate::counter::paper::{Named, Paper};
use crate::counter::ticket::{must_be_sold, must_not_be_paid, reason_of, ticket_named};
use crate::counter::till::till_of;
use crate::refusal::Refusal;

impl Paper {
    /// Why a ticket is cancelled, as it is recorded.
    pub const CANCEL_REASONS: [(&'static str, u8); 5] = [
        ("changed_mind", 1),
        ("keyed_wrong", 2),
        ("printed_badly", 3),
        ("not_paid", 4),
        ("other", 5),
    ];

    /// Cancels a ticket before its first draw closes, with its paper; the wager is given back in
    /// the tender of the sale.
    ///
    /// # Errors
    /// A refusal or a fault; nothing was recorded unless it is [`Stop::Broke`].
    pub async fn cancel(
        &self,
        central: &Central,
        caller: &Caller,
        session: u64,
        counter: u64,
        reason: &str,
    ) -> Result<Recorded<TicketCancelled>, Stop> {
        caller.may(Operation::Cancel)?;
        let reason = reason_of(&Self::CANCEL_REASONS, reason)?;
        let named = Named::from(self);
        let ticket = named.must_find(central)?;
        self.check_claim(&ticket)?;
        let (number, copy) = (ticket.number, ticket.copy);
        let key = CommandKey {
            device: caller.device.device,
            session,
            counter,
        };
        let content = ContentHash::of("cancel")
            .number(big(number))
            .number(i64::from(reason))
            .finish();
        let (device, badge) = (caller.device.device, caller.badge.clone());
        let (leaf, repeated) = central
            .sequencer
            .submit(Lane::Money, move |judge| {
                if let Some(leaf) = judge_key(judge, &key, KeyKind::Cancellation, &content)? {
                    return Ok((leaf, true));
                }
                let (shift, _) = till_of(judge, device)?;
                let ticket = ticket_named(judge, &named, number)?;
                if ticket.copy != copy {
                    return Err(Refusal::CopyReplaced.into());
                }
                must_be_sold(&ticket)?;
                let first = ticket.first_draw;
                let state = judge.state.draws.get(&first).map(|draw| draw.state);
                if state != Some(DrawState::Open) {
                    return Err(Refusal::CancelAfterClose { draw: first }.into());
                }
                must_not_be_paid(judge, &ticket)?;
                let leaf = judge.record(TicketCancelled {
                    first_draw: first,
                    ticket: number,
                    key,
                    content_hash: content,
                    reason,
                    refund_cents: ticket.sale.total_cents,
                    tender: ticket.sale.tender,
                    badge: badge.clone(),
                    shift,
                })?;
                Ok((leaf, false))
            })
            .await?;
        Ok(Recorded::read(central, leaf, repeated)?)
    }
}
