//! What a device asks of central, as data that can be asked again, and an answer under way.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use keno_game::PrintMeans;
use keno_log::CommandKey;
use keno_log::event::DamagedReading;
use keno_service::authority::identity::Caller;
use keno_service::counter::{
    CancelOrder, CountOrder, FileDecision, FileOrder, Fragment, Named, Paper, PayOrder, SellOrder,
    TillContents, TillOrder,
};
use keno_service::staff::Recognised;
use keno_service::{Central, Stop};

/// What is asked.
#[derive(Debug, Clone)]
pub enum Order {
    /// A sale.
    Sell(SellOrder),
    /// A cancellation.
    Cancel(CancelOrder),
    /// A payment.
    Pay(PayOrder),
    /// A fill or a drop.
    Till(TillOrder),
    /// Closing a key: counter, session, and the device that was left with it.
    CloseKey(u64, u64, Option<u32>),
    /// Going on with what a device left open.
    TakeOver(u32),
    /// The paper came out: ticket, copy.
    Print(u64, u8),
    /// The patron left.
    Unpaid(Paper),
    /// A held ticket is released.
    Release(Paper),
    /// A new copy.
    Duplicate(Paper),
    /// Presented as a claim.
    Present(Paper),
    /// Paper and record differ.
    Discrepancy(Paper),
    /// What stands on a paper without a code.
    Read(Paper, DamagedReading),
    /// A damaged paper is kept: its number, and what else is legible.
    OpenFile(String, DamagedReading),
    /// A file is judged: paid or not, and by three or not.
    JudgeFile(u64, bool, bool),
    /// The audit office remarks on a ticket: its leaf, and what it says.
    Remark(u64, &'static str),
    /// The holder is not paid: which of the reasons.
    RefusePatron(Paper, usize),
    /// A payment was not handed over.
    Reverse(u64),
    /// A till with a float.
    OpenTill(i64),
    /// A till counted by two people in the middle of a shift.
    CountTill(i64),
    /// A till counted and closed.
    CloseTill(i64),
    /// Someone signs on.
    SignOn(Recognised),
    /// And off.
    SignOff,
}

impl Order {
    /// The key, for what moves money over the counter.
    pub fn key(&self, device: u32) -> Option<CommandKey> {
        let (counter, session) = match self {
            Self::Sell(order) => (order.counter, order.session),
            Self::Pay(order) => (order.counter, order.session),
            Self::Till(order) => (order.counter, order.session),
            Self::Cancel(order) => (order.counter, order.session),
            _ => return None,
        };
        Some(CommandKey {
            device,
            session,
            counter,
        })
    }

    /// The name that the model gives to the outcome of its key.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Sell(_) => "sale",
            Self::Cancel(..) => "cancellation",
            Self::Pay(_) => "payment",
            Self::Till(_) => "till",
            _ => "none",
        }
    }
}

/// What central says.
#[derive(Debug)]
pub enum Reply {
    /// Recorded, at this leaf.
    Leaf(u64),
    /// Sold: leaf, key of the claim secret.
    Sold(u64, u16),
    /// What the key ended as: none when it is closed without a leaf.
    Key(Option<&'static str>),
    /// Session.
    Session(u64),
    /// A new copy.
    Copy(u8),
    /// The till expected so much.
    Counted(i64),
}

/// An answer under way.
pub type Answer = Pin<Box<dyn Future<Output = Result<Reply, Stop>>>>;

/// The supervisor who stands beside.
pub fn beside() -> Recognised {
    Recognised {
        badge: "S9".to_owned(),
        roles: vec![2],
        credential: None,
    }
}

/// An administrator, who judges as the third.
fn administrator() -> Recognised {
    Recognised {
        badge: "X1".to_owned(),
        roles: vec![8],
        credential: None,
    }
}

/// Asks central. Nothing happens until the answer is polled.
pub fn ask(central: Arc<Central>, caller: Caller, order: Order) -> Answer {
    Box::pin(async move {
        let central = central.as_ref();
        let second = beside();
        Ok(match &order {
            Order::Sell(order) => {
                let sold = order.sell(central, &caller).await?;
                Reply::Sold(sold.ticket, sold.sold.secret_key)
            }
            Order::Cancel(order) => Reply::Leaf(order.cancel(central, &caller).await?.leaf),
            Order::Pay(order) => Reply::Leaf(order.pay(central, &caller).await?.leaf),
            Order::Till(order) => Reply::Leaf(order.move_cash(central, &caller).await?.leaf),
            Order::TakeOver(device) => {
                let reason = "en panne";
                let taken = caller.take_over(central, &second, *device, reason).await?;
                Reply::Leaf(taken.leaf)
            }
            Order::CloseKey(counter, session, left) => {
                use keno_record::state::KeyKind;
                let known = caller.close_key(central, *left, *session, *counter).await?;
                Reply::Key(known.kind.and_then(|kind| match kind {
                    KeyKind::Sale => Some("sale"),
                    KeyKind::Cancellation => Some("cancellation"),
                    KeyKind::Payment => Some("payment"),
                    KeyKind::TillMovement => Some("till"),
                    KeyKind::LostRefund => Some("lost refund"),
                    KeyKind::Closed => None,
                }))
            }
            Order::Print(ticket, copy) => {
                let device = &caller.device;
                let how = PrintMeans::Printer;
                Reply::Leaf(device.confirm_print(central, *ticket, *copy, how).await?)
            }
            Order::Unpaid(paper) => Reply::Leaf(
                Named::from(paper)
                    .mark_unpaid(central, &caller, &second)
                    .await?,
            ),
            Order::Release(paper) => Reply::Leaf(
                Named::from(paper)
                    .release(central, &caller, &second, "vu")
                    .await?,
            ),
            Order::Duplicate(paper) => {
                let (_, copy) = Named::from(paper)
                    .duplicate(central, &caller, &second, "perdu")
                    .await?;
                Reply::Copy(copy)
            }
            Order::Present(paper) => {
                Reply::Leaf(Named::from(paper).present(central, &caller).await?.leaf)
            }
            Order::Discrepancy(paper) => {
                Reply::Leaf(paper.note_discrepancy(central, &caller, 1, "essai").await?)
            }
            Order::Read(paper, reading) => Reply::Leaf(
                paper
                    .read_damaged(central, &caller, &second, reading)
                    .await?
                    .leaf,
            ),
            Order::OpenFile(number, reading) => {
                let order = FileOrder {
                    fragment: Fragment::new(number, reading.clone())?,
                    presented_by: "porteur".to_owned(),
                    note: "mouillé".to_owned(),
                };
                Reply::Leaf(order.open(central, &caller).await?.number)
            }
            Order::JudgeFile(file, is_paid, by_three) => {
                let by = Caller {
                    badge: second.badge.clone(),
                    roles: second.roles.clone(),
                    ..caller.clone()
                };
                let decision = FileDecision {
                    file: *file,
                    refused: (!is_paid).then(|| "other".to_owned()),
                    picture: [7; 32],
                    note: "vu".to_owned(),
                    second: Recognised {
                        badge: caller.badge.clone(),
                        roles: caller.roles.clone(),
                        credential: None,
                    },
                    third: by_three.then(administrator),
                };
                Reply::Leaf(decision.judge(central, &by).await?)
            }
            Order::Remark(ticket, text) => {
                Reply::Leaf(caller.remark(central, *ticket, text).await?)
            }
            Order::RefusePatron(paper, reason) => {
                let (reason, _) = Named::REFUSAL_REASONS[reason % Named::REFUSAL_REASONS.len()];
                Reply::Leaf(
                    Named::from(paper)
                        .refuse_patron(central, &caller, reason)
                        .await?,
                )
            }
            Order::Reverse(payment) => {
                let reason = "parti";
                let leaf = caller
                    .reverse_payment(central, &second, *payment, reason)
                    .await?;
                Reply::Leaf(leaf)
            }
            Order::OpenTill(cents) => Reply::Leaf(caller.open_shift(central, *cents).await?),
            Order::CountTill(counted) => {
                let order = CountOrder {
                    counted_cents: *counted,
                    reason: "monnaie contestée".to_owned(),
                    second: beside(),
                };
                Reply::Leaf(order.count(central, &caller).await?.leaf)
            }
            Order::CloseTill(counted) => {
                let view = central.view.get();
                let is_anothers = view
                    .shift_at(caller.device.device)
                    .is_some_and(|(_, till)| till.badge != caller.badge);
                let second = is_anothers.then(beside);
                Reply::Counted(
                    caller
                        .close_shift(central, TillContents::cash(*counted), second.as_ref())
                        .await?
                        .expected_cents,
                )
            }
            Order::SignOn(person) => {
                Reply::Session(person.sign_on(central, &caller.device).await?.session)
            }
            Order::SignOff => Reply::Leaf(caller.sign_off(central).await?),
        })
    })
}

/// Looks once whether an answer is there.
pub fn look(answer: &mut Answer) -> Option<Result<Reply, Stop>> {
    let mut context = Context::from_waker(Waker::noop());
    match answer.as_mut().poll(&mut context) {
        Poll::Ready(reply) => Some(reply),
        Poll::Pending => None,
    }
}
