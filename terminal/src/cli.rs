//! The command line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use clap::{Parser, Subcommand};
use keno_daemon::{Supervisor, Watchdog};
use keno_slip::{Issue, Width, ticket};
use keno_wire::reply::TicketView;
use keno_wire::request::TillMovementKind;

use crate::agent::{Agent, Credentials, SaleOptions, Second, Stop};
use crate::central::{Central, Patience};
use crate::config::Config;
use crate::desk::Desk;
use crate::devices;
use crate::exit::Exit;
use crate::journal::Journal;
use crate::printer::{JobId, render};
use crate::slip_file::{SLIP_BYTES_MAX, SlipFile};
use crate::trust::renewal::TrustDesk;
use crate::trust::{Time, TrustFolder};
use crate::virtual_printer::{Fault, decode, picture, server};
use crate::witness::Witness;

/// The edge agent of a Keno counter.
#[derive(Debug, Parser)]
#[command(name = "keno-terminal", version, about, after_help = EXITS)]
pub struct Arguments {
    /// File of settings, by default terminal.toml when it is there; each setting can also be
    /// given as BOULIER_… in the environment.
    #[arg(long, global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

const EXITS: &str = "Exit: 0 done; 1 this machine failed; 2 refused; 3 central unreachable; \
4 printer trouble; 5 in doubt; 64 not a command.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Sell the slip of a JSON file and print the ticket.
    Sell {
        /// The slip file.
        slip: PathBuf,
        #[command(flatten)]
        sale: SaleArguments,
    },
    /// Sell the selections of an earlier ticket again, from the next draw.
    Replay {
        /// Claim code or control number.
        code: String,
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
    Check {
        /// Claim code or control number.
        code: String,
    },
    /// Pay what can be paid now of a ticket.
    Pay {
        /// Claim code.
        code: String,
        #[command(flatten)]
        second: SecondArguments,
        /// Ask nothing.
        #[arg(long)]
        yes: bool,
    },
    /// Cancel a ticket before its first draw closes.
    Cancel {
        /// Claim code on the paper.
        code: String,
        /// Why.
        #[arg(long, default_value = "changed_mind", value_parser =
            ["changed_mind", "keyed_wrong", "printed_badly", "not_paid", "other"])]
        reason: String,
    },
    /// Issue and print a duplicate, by two people: the paper before it is worthless.
    Duplicate {
        /// Claim code or control number.
        code: String,
        /// Why.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Release a held ticket on evidence, by two people.
    Release {
        /// Claim code or control number.
        code: String,
        /// What was seen.
        #[arg(long)]
        evidence: String,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// The patron left without paying: void the ticket before the first ball, by two people.
    Unpaid {
        /// Claim code or control number.
        code: String,
        #[command(flatten)]
        second: SecondArguments,
    },
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
    /// Put cash into the till, by two people, and print the paper that both sign.
    Fill {
        /// How much, in cents.
        #[arg(allow_negative_numbers = true)]
        amount_cents: i64,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Take cash out of the till, by two people, and print the paper that both sign.
    Drop {
        /// How much, in cents.
        #[arg(allow_negative_numbers = true)]
        amount_cents: i64,
        #[command(flatten)]
        second: SecondArguments,
    },
    /// Close the till with the cash that was counted; only then is the expected cash told.
    CloseTill {
        /// Cash counted, in cents.
        #[arg(allow_negative_numbers = true)]
        counted_cents: i64,
    },
    /// Stop the sales of the whole house.
    StopSales {
        /// Why, for the record.
        #[arg(long)]
        reason: String,
    },
    /// Let the sales of the house go on, by two people.
    ResumeSales {
        #[command(flatten)]
        second: SecondArguments,
    },
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
    /// Put the command that is in doubt aside, its money apart, so that the queue moves on.
    Park,
    /// End the session.
    SignOff,
    /// Tell how central, the printer and the journal are; resolve what is open.
    Status,
    /// After central's log was refused and people have looked at the evidence: let this device
    /// begin anew with the central that is there. What it knew stays in a file of its own.
    BeginAnew,
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
    /// Open the cash drawer.
    OpenDrawer,
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
        /// Where central is, such as https://keno.example.org:8443.
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

#[derive(clap::Args)]
struct SecondArguments {
    /// Badge of the second person; the PIN is asked, or is in BOULIER_SECOND_PIN.
    #[arg(long)]
    second: Option<String>,
    /// PIN of the second person.
    #[arg(long, env = "BOULIER_SECOND_PIN", hide = true, hide_env_values = true)]
    second_pin: Option<String>,
}

// A PIN is never printed, whoever asks.
impl std::fmt::Debug for SecondArguments {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SecondArguments")
            .field("second", &self.second)
            .finish_non_exhaustive()
    }
}

impl From<SecondArguments> for Second {
    fn from(arguments: SecondArguments) -> Self {
        Self {
            badge: arguments.second,
            pin: arguments.second_pin,
        }
    }
}

#[derive(Debug, clap::Args)]
struct SaleArguments {
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
enum Received {
    Price,
    Cents(i64),
}

fn received(text: &str) -> Result<Received, String> {
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
    fn options(&self, file: Option<&SlipFile>) -> SaleOptions {
        let tender = self
            .tender
            .clone()
            .or_else(|| file.and_then(|file| file.tender.clone()))
            .unwrap_or_else(|| "cash".to_owned());
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
            intake: "slip".to_owned(),
            replay_of: None,
        }
    }
}

/// Where a command reads and writes.
pub struct Streams<'a> {
    /// What the person types.
    pub input: &'a mut dyn BufRead,
    /// Facts.
    pub output: &'a mut dyn Write,
    /// All else.
    pub notes: &'a mut dyn Write,
    /// Makes the terminal show, or not show, what is typed.
    pub echo: fn(bool),
    /// The time of this machine, UTC milliseconds: certificates begin and end by it.
    pub now_ms: Time,
}

/// Runs the command line.
pub fn run(arguments: impl IntoIterator<Item = String>, streams: Streams<'_>) -> Exit {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let text = error.render();
            if error.use_stderr() {
                let _ = write!(streams.notes, "{text}");
                return Exit::Usage;
            }
            let _ = write!(streams.output, "{text}");
            return Exit::Done;
        }
    };
    let Streams {
        input,
        output,
        notes,
        echo,
        now_ms,
    } = streams;
    let done = execute(
        arguments,
        Streams {
            input,
            output,
            notes: &mut *notes,
            echo,
            now_ms,
        },
    );
    match done {
        Ok(exit) | Err(Stop::End(exit)) => exit,
        Err(Stop::Fault(error)) => {
            let _ = writeln!(notes, "{error:#}");
            Exit::Failed
        }
    }
}

fn execute(arguments: Arguments, streams: Streams<'_>) -> Result<Exit, Stop> {
    let config_path = arguments.config;
    match arguments.command {
        Command::VirtualPrinter {
            print,
            web,
            folder,
            fault,
            columns,
        } => {
            let options = server::Options {
                print,
                web,
                folder,
                fault,
                dots: width(columns)?.dots(),
            };
            be_a_printer(&options, streams.notes)
        }
        Command::Render {
            ticket,
            png,
            bytes,
            columns,
            reprint,
        } => {
            let issue = if reprint {
                Issue::Reprint
            } else {
                Issue::First
            };
            render_files(
                &ticket,
                png.as_deref(),
                bytes.as_deref(),
                width(columns)?,
                issue,
            )
        }
        command => with_agent(config_path.as_deref(), command, streams),
    }
}

fn width(columns: u8) -> anyhow::Result<Width> {
    Ok(Config {
        columns,
        ..Config::default()
    }
    .width()?)
}

fn with_agent(
    config_path: Option<&Path>,
    command: Command,
    streams: Streams<'_>,
) -> Result<Exit, Stop> {
    let mut config = Config::read(config_path)?;
    if matches!(command, Command::Serve) {
        return be_the_agent(&config, streams.notes);
    }
    if let Command::Enrol {
        central: Some(central),
    } = &command
    {
        config.central.clone_from(central);
        config.check_central()?;
    }
    let mut desk = Desk {
        input: Box::new(streams.input),
        output: Box::new(streams.output),
        notes: Box::new(streams.notes),
        language: config.language,
        echo: streams.echo,
        amount_cents: None,
    };
    // A slip that cannot be read is told before anything else is touched.
    let slip = match &command {
        Command::Sell { slip, .. } => match SlipFile::read(slip) {
            Ok(file) => Some(file),
            Err(fault) => {
                desk.note(&fault.sentence_fr(), &fault.to_string());
                return Ok(Exit::Refused);
            }
        },
        _ => None,
    };
    match command {
        Command::TestPrinter => return devices::test_printer(&config, &mut desk),
        Command::TestScanner { count } => return devices::test_scanner(&config, count, &mut desk),
        Command::OpenDrawer => return devices::drawer(&config, &mut desk),
        _ => {}
    }
    let driver = config.driver()?;
    let paper_width = config.width()?;
    // The folder's lock is held before anything about trust changes.
    let journal = Journal::open(&config.journal)?;
    let mut trust = TrustDesk {
        folder: TrustFolder::new(&config.trust),
        central: config.central.clone(),
        time: streams.now_ms,
        patience: Patience::default(),
        desk: &mut desk,
        pause: |pause| {
            wait(pause);
        },
    };
    let (central, device) = match &command {
        Command::Enrol { .. } => return trust.enrol(&journal),
        Command::RotateKey => return trust.rotate_key(),
        _ if config.is_over_tls() => {
            let (central, identity) = trust.connect()?;
            (central, u64::from(identity.device))
        }
        _ => {
            let (key, patience) = (config.key()?, Patience::default());
            let central = Central::new(&config.central, config.device, &key, patience);
            (central, config.device)
        }
    };
    let mut agent = Agent {
        central,
        journal,
        desk,
        device,
        driver,
        timing: config.printing.timing(),
        equipment: config.printing.equipment(),
        width: paper_width,
        folder: config.journal.clone(),
        credentials: Credentials {
            badge: config.badge.clone(),
            pin: config.pin.clone(),
        },
        pause: Box::new(|_, pause| wait(pause)),
        acknowledges_by_hand: false,
    };
    let mut witness = Witness::open(&config.journal)
        .context("the memory of central's log cannot be read: a technician has to look")?;
    if matches!(command, Command::BeginAnew) {
        return begin_anew(&mut agent.desk, &mut witness);
    }
    // These two are for when central is away, and ask it nothing that moves money.
    if !matches!(command, Command::Status | Command::Park) {
        agent.look_at_log(&mut witness)?;
    }
    match command {
        Command::Sell { sale, .. } => match slip {
            Some(file) => agent.sell_file(&file, &sale.options(Some(&file))),
            None => Ok(Exit::Refused),
        },
        Command::Replay {
            code,
            draws,
            new_numbers,
            sale,
        } => agent.replay(&code, draws, new_numbers, &sale.options(None)),
        Command::Check { code } => agent.check(&code),
        Command::Pay { code, second, yes } => agent.pay(&code, second.into(), yes),
        Command::Cancel { code, reason } => agent.cancel(&code, &reason),
        Command::Duplicate {
            code,
            reason,
            second,
        } => agent.duplicate(&code, &reason, second.into()),
        Command::Release {
            code,
            evidence,
            second,
        } => agent.release(&code, &evidence, second.into()),
        Command::Unpaid { code, second } => agent.unpaid(&code, second.into()),
        Command::Reverse {
            payment,
            reason,
            second,
        } => agent.reverse(payment, &reason, second.into()),
        Command::Fill {
            amount_cents,
            second,
        } => agent.move_till(TillMovementKind::Fill, amount_cents, second.into()),
        Command::Drop {
            amount_cents,
            second,
        } => agent.move_till(TillMovementKind::Drop, amount_cents, second.into()),
        Command::StopSales { reason } => agent.stop_sales(&reason),
        Command::ResumeSales { second } => agent.resume_sales(second.into()),
        Command::SuspendDraw { draw, reason } => agent.suspend_draw(draw, &reason),
        Command::ResumeDraw { draw, second } => agent.resume_draw(draw, second.into()),
        Command::VoidDraw {
            draw,
            reason,
            second,
        } => agent.void_draw(draw, &reason, second.into()),
        Command::CloseTill { counted_cents } => agent.close_till(counted_cents),
        Command::SignOn { float_cents } => {
            agent.sign_on(float_cents)?;
            agent.resolve()?;
            Ok(Exit::Done)
        }
        Command::Park => agent.park(None),
        Command::SignOff => agent.sign_off(),
        Command::Status => agent.status(),
        Command::BeginAnew
        | Command::Serve
        | Command::TestPrinter
        | Command::TestScanner { .. }
        | Command::OpenDrawer
        | Command::Enrol { .. }
        | Command::RotateKey
        | Command::Render { .. }
        | Command::VirtualPrinter { .. } => Ok(Exit::Usage),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "nothing announces that central is back: between two questions there is only time"
)]
fn wait(pause: Duration) -> bool {
    thread::sleep(pause);
    true
}

fn begin_anew(desk: &mut Desk<'_>, witness: &mut Witness) -> Result<Exit, Stop> {
    let Some(against) = witness.against() else {
        desk.note(
            "Rien n’est retenu contre le central.",
            "Nothing stands against central.",
        );
        return Ok(Exit::Refused);
    };
    desk.tell_bilingual(&against.mistrust.sentence());
    let is_sure = desk.ask_yes(
        "La direction a-t-elle vu la preuve, et faut-il recommencer avec ce central ?",
        "Has the management seen the evidence, and is this device to begin anew with this central?",
    );
    if is_sure != Some(true) {
        desk.note("Rien n’a changé.", "Nothing has changed.");
        return Ok(Exit::Refused);
    }
    if let Some(past) = witness.begin_anew()? {
        let past = past.display();
        desk.tell(
            &format!("La preuve reste dans {past}."),
            &format!("The evidence stays in {past}."),
        );
    }
    Ok(Exit::Done)
}

fn be_the_agent(config: &Config, notes: &mut dyn Write) -> Result<Exit, Stop> {
    let running = crate::serve::start(config, &crate::serve::Surroundings::default())?;
    writeln!(
        notes,
        "Terminal {0}, pages sur http://{1}/\nTerminal {0}, pages at http://{1}/",
        config.device, running.address
    )?;
    let supervisor = Arc::new(Supervisor::from_environment());
    supervisor.ready(&format!(
        "terminal {}, pages at http://{}/",
        config.device, running.address
    ));
    let watchdog = Watchdog::start(Arc::clone(&supervisor), running.is_at_work())?;
    crate::serve::until_told_to_stop()?;
    supervisor.stopping();
    drop(watchdog);
    running.stop();
    Ok(Exit::Done)
}

fn be_a_printer(options: &server::Options, notes: &mut dyn Write) -> Result<Exit, Stop> {
    let running = server::start(options).context("the virtual printer cannot start")?;
    writeln!(
        notes,
        "Imprimante virtuelle : {0}, papiers sur http://{1}/\nVirtual printer: {0}, papers at http://{1}/",
        running.print, running.web
    )?;
    running.wait();
    Ok(Exit::Done)
}

fn render_files(
    path: &Path,
    png: Option<&Path>,
    bytes_path: Option<&Path>,
    width: Width,
    issue: Issue,
) -> Result<Exit, Stop> {
    let mut text = Vec::new();
    BufReader::new(File::open(path).with_context(|| path.display().to_string())?)
        .take(SLIP_BYTES_MAX)
        .read_to_end(&mut text)?;
    let view: TicketView =
        serde_json::from_slice(&text).with_context(|| path.display().to_string())?;
    let bytes = render(
        &ticket(&view, issue, width)?,
        JobId::from_number(view.ticket),
    )?;
    if let Some(path) = bytes_path {
        std::fs::write(path, &bytes)?;
    }
    if let Some(path) = png {
        let sheets = decode(&bytes, width.dots())?;
        let sheet = sheets.first().context("the bytes hold no paper")?;
        std::fs::write(path, picture::picture_of_paper(sheet)?)?;
    }
    Ok(Exit::Done)
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
