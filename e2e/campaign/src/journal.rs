//! What a device knows of what it did: the side of the story that central cannot change.

use serde_json::{Value, json};

/// The key of a command that moves money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Device number.
    pub device: u32,
    /// Session number.
    pub session: u64,
    /// Counter of the device within the session.
    pub counter: u64,
}

impl Key {
    /// As a request says it.
    pub fn value(self) -> Value {
        json!({"session": self.session, "counter": self.counter})
    }
}

/// What a keyed command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A sale.
    Sale,
    /// A cancellation.
    Cancellation,
    /// A payment.
    Payment,
    /// A fill or a drop.
    TillMovement,
    /// A key that is closed without ever having been sent.
    Nothing,
}

impl Kind {
    /// Where it is sent.
    pub fn path(self) -> &'static str {
        match self {
            Self::Sale => "/sales",
            Self::Cancellation => "/cancellations",
            Self::Payment => "/payments",
            Self::TillMovement => "/shifts/movements",
            Self::Nothing => "/keys/close",
        }
    }

    /// The state by which central names it when asked about its key.
    pub fn state(self) -> &'static str {
        match self {
            Self::Sale => "sale",
            Self::Cancellation => "cancellation",
            Self::Payment => "payment",
            Self::TillMovement => "till_movement",
            Self::Nothing => "closed",
        }
    }

    /// The field of the reply that names its leaf.
    pub fn leaf_of(self, reply: &Value) -> Option<u64> {
        let leaf = match self {
            Self::Sale => reply.get("ticket")?.get("ticket"),
            Self::Cancellation => reply.get("leaf"),
            Self::Payment => reply.get("payment"),
            Self::TillMovement => reply.get("movement"),
            Self::Nothing => None,
        };
        leaf?.as_u64()
    }
}

/// How a keyed command ended, as far as the device knows.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Sent, or about to be.
    Open,
    /// Acknowledged.
    Recorded {
        /// The leaf that the reply names.
        leaf: u64,
        /// The reply, without what may change from one repetition to the next.
        reply: Value,
    },
    /// Central said no.
    Refused(String),
    /// Closed by central: it will never be recorded.
    Closed,
}

/// A keyed command: written down before it is sent.
#[derive(Debug, Clone)]
pub struct Command {
    /// Its key.
    pub key: Key,
    /// What it does.
    pub kind: Kind,
    /// The request, with the key.
    pub request: Value,
    /// The till that was open at the device.
    pub shift: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// What a command without a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// The paper of a ticket came out whole.
    Print(u64),
    /// A payment was not handed over; the sum that goes back to the till, in cents of cash.
    Reversal {
        /// Leaf of the payment.
        payment: u64,
        /// Till of the payment.
        shift: u64,
        /// Cash that returns.
        cash_cents: i64,
    },
    /// A ticket was not paid for.
    Unpaid {
        /// Leaf of the ticket.
        ticket: u64,
        /// Till of the sale.
        shift: u64,
        /// Cash that the sale had put there.
        cash_cents: i64,
    },
    /// A new copy of a ticket.
    Duplicate(u64),
    /// A ticket was presented as a claim.
    Present(u64),
    /// A till was counted.
    CloseShift(u64),
    /// Someone signed on, with a float for the till.
    SignOn,
}

/// How an attempt at a deed ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Acknowledged, with its leaf where the reply names one.
    Done(Option<u64>),
    /// Central said no.
    Refused(String),
    /// No answer.
    Lost,
}

/// One attempt at a deed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What was tried.
    pub deed: Deed,
    /// How it ended.
    pub ending: Ending,
}

/// A till as the device knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Till {
    /// Shift number.
    pub shift: u64,
    /// What it was opened with.
    pub float_cents: i64,
    /// What central expected in it when it was counted, where the answer arrived.
    pub expected_cents: Option<i64>,
}

/// All that a device did.
#[derive(Debug, Default)]
pub struct Journal {
    /// Keyed commands, in order.
    pub commands: Vec<Command>,
    /// Attempts at deeds without a key, in order.
    pub attempts: Vec<Attempt>,
    /// Its tills, in order.
    pub tills: Vec<Till>,
}

/// A reply without what may differ when it is repeated: whether it is a repetition; the claim
/// code, which is not said again once the paper came out or the draw closed; and how many draws
/// of a ticket are still to come, which central counts anew each time.
pub fn lasting(reply: &Value) -> Value {
    let mut kept = reply.clone();
    if let Some(fields) = kept.as_object_mut() {
        fields.remove("repeated");
        fields.remove("draws_left");
        fields.remove("without_paper");
        if let Some(ticket) = fields.get_mut("ticket").and_then(Value::as_object_mut) {
            ticket.remove("claim_code");
        }
    }
    kept
}

/// Whether two replies to a key say the same. A control number is told whole once, and masked to
/// its last digits where no paper can be made any more.
pub fn say_the_same(one: &Value, other: &Value) -> bool {
    let numbers = [one, other].map(|reply| number_in(reply).unwrap_or_default());
    let are_alike = numbers[0] == numbers[1]
        || numbers.iter().any(|number| is_masked(number))
            && last_digits(numbers[0]) == last_digits(numbers[1]);
    let without_number = |reply: &Value| {
        let mut reply = lasting(reply);
        if let Some(ticket) = reply.get_mut("ticket").and_then(Value::as_object_mut) {
            ticket.remove("control_number");
        }
        reply
    };
    are_alike && without_number(one) == without_number(other)
}

fn number_in(reply: &Value) -> Option<&str> {
    reply.get("ticket")?.get("control_number")?.as_str()
}

/// Whether only the last digits of a control number are told.
pub fn is_masked(number: &str) -> bool {
    let digits = number.chars().filter(char::is_ascii_digit).count();
    number.starts_with('•') && digits == 4
}

fn last_digits(number: &str) -> String {
    let digits: Vec<char> = number.chars().filter(char::is_ascii_digit).collect();
    digits.iter().rev().take(4).collect()
}

/// What central hands over in cash for an amount: the nearest five cents.
pub fn cash_of(cents: i64) -> i64 {
    (cents + 2).div_euclid(5) * 5
}

impl Journal {
    /// What was really done of the deeds without a key: acknowledged, or found done when it was
    /// tried again after an answer was lost.
    pub fn deeds_done(&self) -> impl Iterator<Item = Deed> + '_ {
        let mut seen = std::collections::BTreeSet::new();
        self.attempts.iter().filter_map(move |attempt| {
            let is_done = match (&attempt.deed, &attempt.ending) {
                (_, Ending::Done(_)) => true,
                // Only this device undoes its own payments and sales.
                (Deed::Reversal { .. }, Ending::Refused(name)) => name == "payment_reversed",
                (Deed::Unpaid { .. }, Ending::Refused(name)) => name == "ticket_void_unpaid",
                _ => false,
            };
            (is_done && seen.insert(attempt.deed)).then_some(attempt.deed)
        })
    }

    /// The cash that must be in a till, by what this device knows alone.
    pub fn expected_cents(&self, till: &Till) -> i64 {
        let commands = self
            .commands
            .iter()
            .filter(|command| command.shift == till.shift)
            .map(|command| match &command.outcome {
                Outcome::Recorded { reply, .. } => cash_moved(command, reply),
                _ => 0,
            });
        let deeds = self.deeds_done().map(|deed| match deed {
            Deed::Reversal {
                shift, cash_cents, ..
            } if shift == till.shift => cash_cents,
            Deed::Unpaid {
                shift, cash_cents, ..
            } if shift == till.shift => -cash_cents,
            _ => 0,
        });
        till.float_cents + commands.chain(deeds).sum::<i64>()
    }

    /// True when nothing is open.
    pub fn is_resolved(&self) -> bool {
        !self
            .commands
            .iter()
            .any(|command| command.outcome == Outcome::Open)
    }
}

/// The cash that a recorded command put into its till.
fn cash_moved(command: &Command, reply: &Value) -> i64 {
    let amount = |value: Option<&Value>| value.and_then(Value::as_i64).unwrap_or(0);
    let is_cash = |value: Option<&Value>| value.and_then(Value::as_str) == Some("cash");
    match command.kind {
        // By the request: what was asked, not what central says that it was.
        Kind::Sale => {
            let request = &command.request;
            let total = amount(request.get("total_cents"));
            match request.get("tender").and_then(Value::as_str) {
                Some("cash") => total,
                Some("chip") => total - amount(request.get("received_cents")),
                _ => 0,
            }
        }
        Kind::Cancellation if is_cash(reply.get("tender")) => -amount(reply.get("refund_cents")),
        Kind::Cancellation => amount(reply.get("change_cents")),
        Kind::Payment if is_cash(reply.get("tender")) => {
            let items = command.request.get("items").and_then(Value::as_array);
            let total: i64 = items
                .into_iter()
                .flatten()
                .map(|item| amount(item.get("amount_cents")))
                .sum();
            -cash_of(total)
        }
        Kind::TillMovement => {
            let cents = amount(command.request.get("amount_cents"));
            match command.request.get("kind").and_then(Value::as_str) {
                Some("fill") => cents,
                _ => -cents,
            }
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(kind: Kind, request: Value, reply: Value) -> Command {
        Command {
            key: Key {
                device: 1,
                session: 1,
                counter: 1,
            },
            kind,
            request,
            shift: 7,
            outcome: Outcome::Recorded { leaf: 1, reply },
        }
    }

    #[test]
    fn a_till_is_the_sum_of_what_the_device_did() {
        let till = Till {
            shift: 7,
            float_cents: 1_000,
            expected_cents: None,
        };
        let mut journal = Journal::default();
        let cash = json!({"tender": "cash", "refund_cents": 300});
        journal.commands = vec![
            recorded(
                Kind::Sale,
                json!({"tender": "cash", "total_cents": 700}),
                Value::Null,
            ),
            recorded(
                Kind::Sale,
                json!({"tender": "chip", "total_cents": 9_000, "received_cents": 9_500}),
                Value::Null,
            ),
            recorded(
                Kind::Sale,
                json!({"tender": "coupon", "total_cents": 200, "received_cents": 300}),
                Value::Null,
            ),
            recorded(Kind::Cancellation, Value::Null, cash.clone()),
            recorded(
                Kind::Cancellation,
                Value::Null,
                json!({"tender": "chip", "refund_cents": 9_000, "change_cents": 500}),
            ),
            recorded(
                Kind::Payment,
                json!({"items": [{"amount_cents": 101}, {"amount_cents": 102}]}),
                cash,
            ),
            recorded(
                Kind::TillMovement,
                json!({"kind": "drop", "amount_cents": 50}),
                Value::Null,
            ),
        ];
        let expected = 1_000 + 700 - 500 - 300 + 500 - 205 - 50;
        assert_eq!(journal.expected_cents(&till), expected);
        // An answer that was lost, found done when it was tried again, counts once.
        let deed = Deed::Reversal {
            payment: 4,
            shift: 7,
            cash_cents: 205,
        };
        for ending in [
            Ending::Lost,
            Ending::Refused("payment_reversed".to_owned()),
            Ending::Refused("payment_reversed".to_owned()),
        ] {
            journal.attempts.push(Attempt { deed, ending });
        }
        assert_eq!(journal.expected_cents(&till), 1_000 + 700 - 300 - 50);
    }

    #[test]
    fn cash_is_the_nearest_five_cents() {
        let handed: Vec<i64> = (100..=105).map(cash_of).collect();
        assert_eq!(handed, [100, 100, 100, 105, 105, 105]);
    }
}
