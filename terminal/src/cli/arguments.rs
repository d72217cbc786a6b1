//! What the command line takes.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use keno_game::Intake;
use keno_wire::coded::Name;
use keno_wire::request::SecondPerson;

use crate::agent::{SaleOptions, cash};
use crate::slip_file::SlipFile;
use crate::virtual_printer::Fault;

/// The edge agent of a Keno counter.
#[derive(Debug, Parser)]
#[command(name = "keno-terminal", version, about, after_help = EXITS)]
pub struct Arguments {
    /// File of settings, by default terminal.toml when it is there; each setting can also be
    /// given as BOULIER_… in the environment.
    #[arg(long, global = true)]
    pub(super) config: Option<PathBuf>,
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXITS: &str = "Codes of tickets and PINs are asked for, or read from standard input in that \
order, a line each: never arguments, which everybody on the machine sees. Exit: 0 done; 1 this machine failed; 2 refused; 3 central unreachable; \
4 printer trouble; 5 in doubt; 64 not a command.";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Sell the slip of a JSON file and print the ticket.
    Sell {
        /// The slip file.
        slip: PathBuf,
        #[command(flatten)]
        sale: SaleArguments,
    },
    /// Sell the selections of an earlier ticket again, from the next draw.
    Replay {
        /// Number of draws.
        #[arg(long, default_value_t = 1)]
        draws: u32,
        /// Let the computer pick other numbers where it picked them before.
        #[arg(long)]
        new_numbers: bool,
        #[command(flatten)]
        sale: SaleArguments,
    },
    /// Tell the verdict of a ticket; nothing moves.
    Check,
    /// Pay what can be paid now of a ticket.
    Pay {
        #[command(flatten)]
        second: SecondArguments,
        /// Ask nothing.
        #[arg(long)]
        yes: bool,
    },
    /// Present tickets as claims without paying them, a code after the other until an empty line, and
    /// print the receipt: what is presented in time can be paid later too (s. 86).
    Present {
        /// They were presented while central was away, at this hour, which two people enter: HHMM, or
        /// DDHHMM with the day of the month; the last time that it was so by the house's clock.
        #[arg(long)]
        at: Option<String>,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Cancel a ticket before its first draw closes.
    Cancel {
        /// Why.
        #[arg(long, default_value = "changed_mind", value_parser =
            ["changed_mind", "keyed_wrong", "printed_badly", "not_paid", "other"])]
        reason: String,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Issue and print a duplicate, by two people: the paper before it is worthless.
    Duplicate {
        /// Why.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Release a held ticket on evidence, by two people.
    Release {
        /// What was seen.
        #[arg(long)]
        evidence: String,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// The patron left without paying: void the ticket before the first ball, by two people.
    Unpaid(SecondArguments),
    /// Undo a payment that was not handed over, by two people, in the same shift.
    Reverse {
        /// Number of the payment, on its receipt.
        payment: u64,
        /// Why.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Give the price of a ticket back that a restore of central lost, by two people, against its
    /// paper.
    RefundLost {
        /// The price on the paper, in cents.
        #[arg(long, allow_negative_numbers = true)]
        amount_cents: i64,
        /// The tender on the paper.
        #[arg(long, default_value = "cash", value_parser = ["cash", "coupon", "chip"])]
        tender: String,
        /// How the two found out what was paid.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Choose another PIN for your own badge.
    ChoosePin,
    /// Put cash into the till, by two people, and print the paper that both sign.
    Fill(CashArguments),
    /// Take cash out of the till, by two people, and print the paper that both sign.
    Drop(CashArguments),
    /// Count the till blind in the middle of a shift, by two people, and print the paper that both
    /// sign; only then is the expected cash told. The till stays open.
    CountTill {
        /// Cash counted, in cents.
        #[arg(allow_negative_numbers = true)]
        counted_cents: i64,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Print the sheet of a shift again: a clerk the last one that was counted here, a supervisor
    /// any that was counted.
    ShiftSheet {
        /// Shift number.
        shift: u64,
    },
    /// Close the till with the cash that was counted, and print the sheet of its shift; only then
    /// is the expected cash told.
    CloseTill {
        /// Cash counted, in cents.
        #[arg(allow_negative_numbers = true)]
        counted_cents: i64,
        /// Of the second person, where the till is another's: one of the two is a supervisor.
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Stop the sales of the whole house.
    StopSales {
        /// Why, for the record.
        #[arg(long)]
        reason: String,
    },
    /// Let the sales of the house go on, by two people.
    ResumeSales(SecondArguments),
    /// Interrupt a draw; its seal stands.
    SuspendDraw {
        /// Draw number.
        draw: u64,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
    },
    /// Go on with an interrupted draw from its seal, by two people.
    ResumeDraw {
        /// Draw number.
        draw: u64,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Void a draw, by two people: every wager for it is given back.
    VoidDraw {
        /// Draw number.
        draw: u64,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Sign on with the badge and PIN of the settings, or as asked.
    SignOn {
        /// Opening float of the till in cents, when a shift is to be opened.
        #[arg(long)]
        float_cents: Option<i64>,
    },
    /// Put the command that is in doubt aside, so that the queue moves on; of a sale it is said what
    /// becomes of the money, which decides afterwards, and the waiting slip is printed.
    Park {
        /// What becomes of the player's money; asked when it is not said.
        #[arg(long, value_parser = ["kept", "given_back"])]
        money: Option<String>,
    },
    /// Leave this terminal in the middle of a shift: what is open is written down as a code for
    /// a neighbour, and nothing is done here any more.
    HandOut {
        /// Where the code goes; to the screen when this is not given.
        #[arg(long)]
        file: Option<PathBuf>,
        /// The slip that was being made.
        #[arg(long)]
        draft: Option<PathBuf>,
    },
    /// Go on here after all, when nobody has taken this terminal over.
    TakeBack,
    /// Go on here with the till of another terminal and what it left open, by two people; that
    /// one is locked.
    TakeOver {
        /// Number of the device that is left.
        device: u32,
        /// Why.
        #[arg(long)]
        reason: String,
        /// File with the code that the other terminal gave, when it could.
        #[arg(long)]
        code: Option<PathBuf>,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// End the session.
    SignOff,
    /// Tell how central, the printer and the journal are; resolve what is open.
    Status,
    /// After central's log was refused and people have looked at the evidence: let this device begin
    /// anew with the central that is there, by a technician or a supervisor, whose PIN that central
    /// asks. What it knew stays in a file of its own.
    BeginAnew {
        /// Badge of the technician or supervisor; asked when it is not said.
        #[arg(long)]
        badge: Option<String>,
    },
    /// Be the agent of this device: its pages on this machine, its journal, its printer.
    Serve,
    /// Print a test page, and tell what the printer says of itself and of the page.
    #[command(alias = "printer-test")]
    TestPrinter,
    /// Show what the scanner reads: its bytes, its prefix and suffix, and what they mean.
    TestScanner {
        /// How many scans.
        #[arg(long, default_value_t = 1)]
        count: usize,
    },
    /// Show what a reply of central would look like on paper: a ticket, as an image or bytes.
    Render {
        /// JSON of a ticket.
        ticket: PathBuf,
        /// Where the image goes.
        #[arg(long, required_unless_present = "bytes")]
        png: Option<PathBuf>,
        /// Where the printer's bytes go.
        #[arg(long)]
        bytes: Option<PathBuf>,
        /// Columns of the paper: 48 or 32.
        #[arg(long, default_value_t = 48)]
        columns: u8,
        /// As a reprint.
        #[arg(long)]
        reprint: bool,
    },
    /// Enrol this device at a central over https: shows a code that a technician types at central.
    Enrol {
        /// Where central lets the public in, such as https://keno.example.org:8444.
        #[arg(long)]
        central: Option<String>,
    },
    /// Make a new key for this device; the old one ends.
    RotateKey,
    /// Be a printer: take bytes at a port of this machine and show the papers in a browser.
    VirtualPrinter {
        /// Where bytes are taken.
        #[arg(long, default_value = "127.0.0.1:9100")]
        print: SocketAddr,
        /// Where papers are shown.
        #[arg(long, default_value = "127.0.0.1:8481")]
        web: SocketAddr,
        /// Where papers are kept.
        #[arg(long, default_value = "virtual-printer")]
        folder: PathBuf,
        /// A trouble to have: out_of_paper, cover_open, die_after:BYTES, silent or near_end.
        #[arg(long)]
        fault: Option<Fault>,
        /// Columns of the paper: 48 or 32.
        #[arg(long, default_value_t = 48)]
        columns: u8,
    },
}

#[derive(Debug, clap::Args)]
pub(super) struct CashArguments {
    /// How much, in cents.
    #[arg(allow_negative_numbers = true)]
    pub(super) amount_cents: i64,
    #[command(flatten)]
    pub(super) second: SecondArguments,
}

#[derive(Debug, clap::Args)]
pub(super) struct SecondArguments {
    /// Badge of the second person; the PIN is asked.
    #[arg(long)]
    second: Option<String>,
}

impl Command {
    /// Whether a ticket's code is asked for before anything else.
    pub(super) const fn asks_code(&self) -> bool {
        matches!(
            self,
            Self::Replay { .. }
                | Self::Check
                | Self::Pay { .. }
                | Self::Present { .. }
                | Self::Cancel { .. }
                | Self::Duplicate { .. }
                | Self::Release { .. }
                | Self::Unpaid { .. }
                | Self::RefundLost { .. }
        )
    }
}

impl SecondArguments {
    /// The second person, where one is named.
    pub(super) fn if_named(self) -> Option<SecondPerson> {
        self.second.is_some().then(|| self.into())
    }
}

impl From<SecondArguments> for SecondPerson {
    fn from(arguments: SecondArguments) -> Self {
        Self {
            badge: arguments.second.unwrap_or_default(),
            ..Self::default()
        }
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct SaleArguments {
    /// How the wager is paid; `cash` when neither this nor the file says.
    #[arg(long, value_parser = ["cash", "coupon", "chip"])]
    tender: Option<String>,
    /// What the patron handed over, in cents; `auto` is the price.
    #[arg(long, value_parser = received)]
    received: Option<Received>,
    /// Ask nothing: the total was told and the wager received.
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Received {
    Price,
    Cents(i64),
}

pub(super) fn received(text: &str) -> Result<Received, String> {
    if text == "auto" {
        return Ok(Received::Price);
    }
    match text.parse() {
        Ok(cents) if cents > 0 => Ok(Received::Cents(cents)),
        _ => Err("cents above zero, or auto".to_owned()),
    }
}

impl SaleArguments {
    /// The command line prevails over the file.
    pub(super) fn options(&self, file: Option<&SlipFile>) -> SaleOptions {
        let tender = self
            .tender
            .as_deref()
            .map(Name::from)
            .or_else(|| file.and_then(|file| file.tender.clone()))
            .unwrap_or_else(cash);
        let received_cents = match self.received {
            Some(Received::Cents(cents)) => Some(cents),
            Some(Received::Price) => None,
            None => file.and_then(|file| file.received_cents),
        };
        SaleOptions {
            tender,
            received_cents,
            told_cents: None,
            is_confirmed: self.yes,
            intake: Intake::Slip.into(),
            replay_of: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn received_is_cents_or_auto() {
        assert_eq!(received("auto"), Ok(Received::Price));
        assert_eq!(received("4000"), Ok(Received::Cents(4000)));
        for text in ["0", "-1", "40.00", "", "1e3"] {
            assert!(received(text).is_err(), "{text}");
        }
    }
}
