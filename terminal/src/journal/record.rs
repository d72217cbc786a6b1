//! What is written in the journal, and what a command comes to by it.

use keno_game::PrintMeans;
use keno_wire::coded::{CommandKind, Name, ParkedMoney, Stage};
use keno_wire::reply::TicketReference;
use keno_wire::request::CommandKey;
use serde::{Deserialize, Serialize};

/// What became of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Outcome {
    /// It is in central's record.
    Recorded {
        /// Leaf index of the fact.
        leaf: u64,
    },
    /// Central refused it by that name.
    Refused {
        /// Stable name.
        name: String,
    },
    /// It never left this machine.
    NotSent,
    /// Its key is closed at central: it can never be recorded.
    Closed,
}

/// What became of the paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "paper")]
pub enum PaperState {
    /// Its bytes are about to leave for the printer.
    Started,
    /// It came out whole: `printer` or `clerk` says so.
    Printed {
        /// Who says so.
        how: Name<PrintMeans>,
    },
    /// Nobody knows.
    Unknown,
    /// The printer failed, after so many bytes.
    Failed {
        /// Name of the trouble.
        fault: String,
        /// Bytes sent; 0 means that there is no paper.
        sent: u64,
    },
    /// It will not be printed from here, and nothing is left to do for it.
    Given,
    /// There is none, and two people decide what becomes of the ticket, which is named by
    /// reference.
    Missing {
        /// Leaf of the ticket.
        ticket: u64,
        /// Control number, masked.
        number: String,
        /// Name of the terminal that sold it.
        terminal: String,
        /// When, in the house's zone.
        sold_at: String,
    },
}

/// One record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "record")]
pub enum Record {
    /// A command is about to be sent.
    Sent {
        /// Its key.
        key: CommandKey,
        /// Its kind.
        kind: CommandKind,
        /// What it is about, without secrets.
        request: serde_json::Value,
        /// Price, refund or prize in cents, as it was told.
        total_cents: i64,
        /// What the patron handed over, in cents.
        received_cents: i64,
        /// The device that sent it, when that one was handed over to this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device: Option<u32>,
    },
    /// What is open was written down for a neighbour: nothing is done here any more.
    HandedOut,
    /// It was not taken over after all: this device goes on.
    TakenBack,
    /// Central's record says that this device was handed over: what is open is another's.
    Left {
        /// Leaf index of the fact.
        leaf: u64,
        /// Device that went on.
        to: u32,
    },
    /// Every command before this had ended, and was taken out. Only ever the first record.
    Cut {
        /// Commands that were taken out, in all.
        commands: u64,
        /// The last key that this device had sent by then.
        newest: Option<CommandKey>,
        /// What was open had been written down for a neighbour.
        handed_out: bool,
        /// Leaf of the last time that this device was handed over.
        left: Option<u64>,
        /// Session and counter of commands that ended and that another could still name.
        settled: Vec<(u64, u64)>,
        /// Digest over which the chain goes on: that of the last row that was taken out.
        chain: String,
    },
    /// What became of a command.
    Outcome {
        /// Its key.
        key: CommandKey,
        /// What became of it.
        #[serde(flatten)]
        outcome: Outcome,
    },
    /// The clerk puts a command in doubt aside, its money apart, so that the queue moves on.
    Parked {
        /// Its key.
        key: CommandKey,
        /// What becomes of the money, of a sale.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        money: Option<ParkedMoney>,
    },
    /// The clerk was told that a command came to nothing, and what to do with its money.
    Told {
        /// Its key.
        key: CommandKey,
    },
    /// A command that was in doubt is in the record after all: cash is owed by it, which the
    /// clerk has to be told.
    Owed {
        /// Its key.
        key: CommandKey,
        /// Change, refund, prize or movement in cents.
        cents: i64,
    },
    /// What became of its paper.
    Paper {
        /// Its key.
        key: CommandKey,
        /// What became of it.
        #[serde(flatten)]
        state: PaperState,
    },
    /// Central knows that the paper came out.
    Reported {
        /// Its key.
        key: CommandKey,
    },
}

impl Record {
    /// The key that it is about; none when it is about this device.
    pub const fn key(&self) -> Option<CommandKey> {
        match self {
            Self::HandedOut | Self::TakenBack | Self::Left { .. } | Self::Cut { .. } => None,
            Self::Sent { key, .. }
            | Self::Outcome { key, .. }
            | Self::Parked { key, .. }
            | Self::Told { key }
            | Self::Owed { key, .. }
            | Self::Paper { key, .. }
            | Self::Reported { key } => Some(*key),
        }
    }
}

/// A command as the journal knows it. As JSON it is what a neighbour has to know of it to go on, with
/// names of one letter: a scanner reads it from a screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Its key.
    #[serde(rename = "k")]
    pub key: CommandKey,
    /// The device that sent it, when that one was handed over to this.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub device: Option<u32>,
    /// Its kind.
    #[serde(rename = "n")]
    pub kind: CommandKind,
    /// Price, refund or prize in cents.
    #[serde(rename = "t")]
    pub total_cents: i64,
    /// What the patron handed over, in cents.
    #[serde(rename = "r", default, skip_serializing_if = "is_zero")]
    pub received_cents: i64,
    /// What became of it; none while in doubt.
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// What became of its paper; none when no byte of it was sent.
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<PaperState>,
    /// It was put aside.
    #[serde(rename = "a", default, skip_serializing_if = "is_false")]
    pub is_parked: bool,
    /// What became of its money when it was, of a sale.
    #[serde(rename = "m", default, skip_serializing_if = "Option::is_none")]
    pub money: Option<ParkedMoney>,
    /// Cash that is owed by it, in cents, when it was in doubt before it was known.
    #[serde(rename = "w", default, skip_serializing_if = "Option::is_none")]
    pub owed_cents: Option<i64>,
    /// The sale that it takes back: its paper is torn, or its money was given back.
    #[serde(rename = "q", default, skip_serializing_if = "Option::is_none")]
    pub torn: Option<CommandKey>,
    /// Draws of the slip, of a sale that was sent from here.
    #[serde(skip)]
    pub draws: Option<u64>,
    /// The clerk was told what came of it.
    #[serde(skip)]
    pub is_told: bool,
    /// Central knows that the paper came out.
    #[serde(skip)]
    pub is_reported: bool,
    /// Leaf of the hand-over of this device while it was open: it is another's.
    #[serde(skip)]
    pub left_at: Option<u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
const fn is_zero(cents: &i64) -> bool {
    *cents == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
const fn is_false(truth: &bool) -> bool {
    !*truth
}

impl Item {
    /// The command of a [`Record::Sent`]; none for any other record.
    pub(super) fn sent(record: &Record) -> Option<Self> {
        let Record::Sent {
            key,
            kind,
            request,
            total_cents,
            received_cents,
            device,
        } = record
        else {
            return None;
        };
        Some(Self {
            draws: request.get("draws").and_then(serde_json::Value::as_u64),
            torn: request
                .get("torn")
                .and_then(|sale| serde_json::from_value(sale.clone()).ok()),
            key: *key,
            kind: *kind,
            total_cents: *total_cents,
            received_cents: *received_cents,
            device: *device,
            outcome: None,
            paper: None,
            is_parked: false,
            money: None,
            is_told: false,
            owed_cents: None,
            is_reported: false,
            left_at: None,
        })
    }

    /// Carries a later record of its key.
    pub(super) fn apply(&mut self, record: &Record) {
        match record {
            Record::Sent { .. }
            | Record::Cut { .. }
            | Record::HandedOut
            | Record::TakenBack
            | Record::Left { .. } => {}
            Record::Outcome { outcome, .. } => self.outcome = Some(outcome.clone()),
            Record::Parked { money, .. } => {
                self.is_parked = true;
                self.money = *money;
            }
            Record::Told { .. } => self.is_told = true,
            Record::Owed { cents, .. } => self.owed_cents = Some(*cents),
            Record::Paper { state, .. } => self.paper = Some(state.clone()),
            Record::Reported { .. } => self.is_reported = true,
        }
    }

    /// How far it is.
    pub const fn stage(&self) -> Stage {
        if self.is_left() {
            return Stage::Done;
        }
        match self.stage_of_paper() {
            Stage::Done if self.owed_cents.is_some() && !self.is_told => Stage::ToHandOver,
            stage => stage,
        }
    }

    /// How far it is, the cash by it left out.
    const fn stage_of_paper(&self) -> Stage {
        match (&self.outcome, &self.paper) {
            (None, _) if self.is_parked => Stage::Parked,
            (None, _) => Stage::Asking,
            (Some(Outcome::Recorded { .. }), Some(PaperState::Printed { .. })) => {
                if matches!(self.kind, CommandKind::Sale) && !self.is_reported {
                    Stage::ToReport
                } else {
                    Stage::Done
                }
            }
            (Some(Outcome::Recorded { .. }), Some(PaperState::Given)) => Stage::Done,
            (Some(Outcome::Recorded { .. }), Some(PaperState::Missing { .. })) => {
                if self.is_told {
                    Stage::Referred
                } else {
                    Stage::NoPaper
                }
            }
            // Whatever stands of a paper here, none is handed over.
            (Some(Outcome::Recorded { .. }), _) if self.is_given_back() => Stage::ToWithdraw,
            (Some(Outcome::Recorded { .. }), None | Some(PaperState::Failed { sent: 0, .. })) => {
                Stage::ToPrint
            }
            (Some(Outcome::Recorded { .. }), Some(PaperState::Failed { .. })) => match self.kind {
                CommandKind::Sale => Stage::Torn,
                _ => Stage::ToPrint,
            },
            (Some(Outcome::Recorded { .. }), Some(_)) => Stage::PaperInDoubt,
            (Some(_), _) if self.is_told => Stage::Done,
            (Some(_), _) => Stage::ToTell,
        }
    }

    /// True of a sale whose money the player had back when it was put aside.
    pub const fn is_given_back(&self) -> bool {
        matches!(self.money, Some(ParkedMoney::GivenBack))
    }

    /// True when it was open while this device was handed over: it is another's.
    pub const fn is_left(&self) -> bool {
        self.left_at.is_some()
    }

    /// The ticket by reference, when it is recorded and has no paper.
    pub fn reference(&self) -> Option<TicketReference> {
        match &self.paper {
            Some(PaperState::Missing {
                ticket,
                number,
                terminal,
                sold_at,
            }) => Some(TicketReference {
                ticket: *ticket,
                number: number.clone(),
                terminal: terminal.clone(),
                sold_at_local: sold_at.clone(),
            }),
            _ => None,
        }
    }

    /// True when something is left to do for it.
    pub const fn is_open(&self) -> bool {
        !matches!(self.stage(), Stage::Done)
    }
}
