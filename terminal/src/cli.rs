//! The command line.

mod arguments;
mod desk;
mod devices;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Parser;
use keno_daemon::{Supervisor, Watchdog};
use keno_slip::{Issue, Width, ticket};
use keno_wire::reply::TicketView;
use keno_wire::request::{
    CloseShiftRequest, DuplicateRequest, ReleaseRequest, ReverseRequest, TakeOverRequest,
    TillCountRequest, TillMovementKind, UnpaidRequest,
};

pub use arguments::Arguments;
use arguments::Command;
pub use desk::Desk;
use keno_words::{Say, both, command as words};

use crate::agent::{Agent, LostTicket};
use crate::central::{Central, Patience};
use crate::clock::wait;
use crate::config::Config;
use crate::enrolment::TrustDesk;
use crate::exit::{Exit, Stop};
use crate::journal::{Journal, ParkedMoney};
use crate::printer::{JobId, render};
use crate::serve::enrolment::{Enrolling, is_enrolled};
use crate::slip_file::{SLIP_BYTES_MAX, SlipFile};
use crate::told::Told;
use crate::trust::{Time, TrustFolder};
use crate::virtual_printer::{decode, picture, server};
use crate::witness::Witness;

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
    let done = execute(
        arguments,
        Streams {
            input: &mut *streams.input,
            output: &mut *streams.output,
            notes: &mut *streams.notes,
            ..streams
        },
    );
    match done {
        Ok(exit) | Err(Stop::End(exit)) => exit,
        Err(Stop::Fault(error)) => {
            let _ = writeln!(streams.notes, "{error:#}");
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
        } => render_files(
            &ticket,
            png.as_deref(),
            bytes.as_deref(),
            width(columns)?,
            Issue::again_if(reprint),
        ),
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
    };
    let before = match read_before(&command, &mut desk) {
        Ok(before) => before,
        Err(exit) => return Ok(exit),
    };
    match command {
        Command::TestPrinter => return devices::test_printer(&config, &mut desk),
        Command::TestScanner { count } => return devices::test_scanner(&config, count, &mut desk),
        _ => {}
    }
    // What is wrong with the settings is said before anything is opened.
    config.driver()?;
    config.width()?;
    // The folder's lock is held before anything about trust changes.
    let journal = Journal::open(&config.journal)?;
    let mut told = Told::to(desk);
    let mut trust = trust_of(&config, &command, streams.now_ms, &mut told);
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
    let agent = Agent::of(&config, central, device, journal, told)?;
    with_witness(agent, command, before)
}

/// What was read before a command was given.
struct Before {
    /// The slip of its file.
    slip: Option<SlipFile>,
    /// The codes of tickets.
    codes: Vec<String>,
}

/// Reads what a command is about; how it ends where that cannot be read.
fn read_before(command: &Command, desk: &mut Desk<'_>) -> Result<Before, Exit> {
    // A slip that cannot be read is told before anything else is touched.
    let slip = match command {
        Command::Sell { slip, .. } => match SlipFile::read(slip) {
            Ok(file) => Some(file),
            Err(fault) => {
                desk.note(&fault);
                return Err(Exit::Refused);
            }
        },
        _ => None,
    };
    // So is a code: nobody is asked for a PIN before they have a ticket in hand.
    let most = match command {
        Command::Present { .. } => usize::MAX,
        _ if command.asks_code() => 1,
        _ => 0,
    };
    let codes = desk.ask_codes(most);
    if command.asks_code() && codes.is_empty() {
        desk.note(&words::NoCode);
        return Err(Exit::Usage);
    }
    Ok(Before { slip, codes })
}

/// What keeps this device known to central.
fn trust_of<'d, 's>(
    config: &Config,
    command: &Command,
    time: Time,
    told: &'d mut Told<'s>,
) -> TrustDesk<'d, 's> {
    TrustDesk {
        folder: TrustFolder::new(&config.trust),
        central: match command {
            Command::Enrol { central: None } => config.enrolment_address(),
            _ => config.central.clone(),
        },
        time,
        patience: Patience::default(),
        told,
        pause: wait,
    }
}

/// Looks at central's log before a command that trusts it.
fn with_witness(mut agent: Agent<'_>, command: Command, before: Before) -> Result<Exit, Stop> {
    let mut witness = Witness::open(&agent.folder).context(both(&words::WitnessUnreadable))?;
    if let Command::BeginAnew { badge } = command {
        return agent.begin_anew(&mut witness, badge);
    }
    // These two are for when central is away, and ask it nothing that moves money.
    if !matches!(command, Command::Status | Command::Park { .. }) {
        agent.look_at_log(&mut witness)?;
    }
    match command {
        Command::Status => {
            let mistrust = witness.against().map(|against| against.mistrust);
            agent.status(mistrust)
        }
        Command::HandOut { file, draft } => hand_out(&mut agent, file.as_deref(), draft.as_deref()),
        Command::TakeOver {
            device,
            reason,
            code,
            second,
        } => {
            let code = code.map(read_code).transpose()?;
            let second = second.into();
            let request = TakeOverRequest {
                device,
                reason,
                second,
            };
            agent.take_over(request, code.as_deref())
        }
        command => give(&mut agent, command, before),
    }
}

/// Gives a command about a ticket to the agent, or another.
fn give(agent: &mut Agent<'_>, command: Command, before: Before) -> Result<Exit, Stop> {
    let Before { slip, codes } = before;
    let code = codes.first().cloned().unwrap_or_default();
    match command {
        Command::Sell { sale, .. } => match slip {
            Some(file) => agent.sell(&file.slip(), &sale.options(Some(&file))),
            None => Ok(Exit::Refused),
        },
        Command::Replay {
            draws,
            new_numbers,
            sale,
        } => agent.replay(&code, draws, new_numbers, &sale.options(None)),
        Command::Check => agent.check(&code),
        Command::Pay { second, yes } => agent.pay(&code, second.into(), yes),
        Command::Present { at, second } => match at {
            Some(at) => agent.present_all_at(&codes, &at, second.into()),
            None => agent.present_all(&codes),
        },
        Command::Cancel { reason, second } => agent.cancel(&code, &reason, second.if_named()),
        Command::Duplicate { reason, second } => {
            let second = second.into();
            agent.duplicate(DuplicateRequest {
                code,
                reason,
                second,
            })
        }
        Command::Release { evidence, second } => {
            let second = second.into();
            agent.release(ReleaseRequest {
                code,
                evidence,
                second,
            })
        }
        Command::Unpaid(second) => {
            let second = second.into();
            agent.unpaid(UnpaidRequest { code, second })
        }
        Command::Reverse {
            payment,
            reason,
            second,
        } => {
            let second = second.into();
            agent.reverse(ReverseRequest {
                payment,
                reason,
                second,
            })
        }
        Command::RefundLost {
            amount_cents,
            tender,
            reason,
            second,
        } => agent.refund_lost(LostTicket {
            code,
            amount_cents,
            tender: tender.into(),
            reason,
            second: second.into(),
        }),
        command => give_to_till(agent, command),
    }
}

/// Gives a command about the till, a draw or the sales of the house to the agent, or another.
fn give_to_till(agent: &mut Agent<'_>, command: Command) -> Result<Exit, Stop> {
    match command {
        Command::Fill(cash) => agent.move_till(
            TillMovementKind::Fill,
            cash.amount_cents,
            cash.second.into(),
        ),
        Command::Drop(cash) => agent.move_till(
            TillMovementKind::Drop,
            cash.amount_cents,
            cash.second.into(),
        ),
        Command::CountTill {
            counted_cents,
            reason,
            second,
        } => agent.count_till(TillCountRequest {
            counted_cents,
            reason,
            second: second.into(),
        }),
        Command::ShiftSheet { shift } => agent.shift_sheet(shift),
        Command::CloseTill {
            counted_cents,
            second,
        } => agent.close_till(CloseShiftRequest {
            counted_cents,
            coupons: None,
            chips: None,
            second: second.if_named(),
        }),
        Command::StopSales { reason } => agent.stop_sales(&reason),
        Command::ResumeSales(second) => agent.resume_sales(second.into()),
        Command::SuspendDraw { draw, reason } => agent.suspend_draw(draw, &reason),
        Command::ResumeDraw { draw, second } => agent.resume_draw(draw, second.into()),
        Command::VoidDraw {
            draw,
            reason,
            second,
        } => agent.void_draw(draw, &reason, second.into()),
        command => give_to_terminal(agent, command),
    }
}

/// Gives a command about who is at this terminal, and what it left open, to the agent.
fn give_to_terminal(agent: &mut Agent<'_>, command: Command) -> Result<Exit, Stop> {
    match command {
        Command::SignOn { float_cents } => {
            agent.sign_on(float_cents)?;
            agent.resolve()
        }
        Command::ChoosePin => agent.choose_pin_typed(),
        Command::Park { money } => {
            agent.park(None, money.as_deref().and_then(ParkedMoney::from_name))
        }
        Command::TakeBack => agent.take_back(),
        Command::SignOff => agent.sign_off(),
        // The rest was done before there was an agent.
        _ => Ok(Exit::Usage),
    }
}

/// Bytes of a code that are read.
const CODE_BYTES_MAX: u64 = 64 * 1024;

fn read_code(path: PathBuf) -> anyhow::Result<String> {
    let mut text = String::new();
    File::open(&path)
        .with_context(|| path.display().to_string())?
        .take(CODE_BYTES_MAX)
        .read_to_string(&mut text)
        .with_context(|| path.display().to_string())?;
    Ok(text)
}

fn hand_out(
    agent: &mut Agent<'_>,
    file: Option<&Path>,
    draft: Option<&Path>,
) -> Result<Exit, Stop> {
    let draft = match draft.map(SlipFile::read).transpose() {
        Ok(draft) => draft.map(|file| file.slip()),
        Err(fault) => {
            agent.told.note(&fault);
            return Ok(Exit::Refused);
        }
    };
    let code = agent.hand_out(draft)?;
    match file {
        Some(path) => std::fs::write(path, code)?,
        None => agent.told.tell_line(&code),
    }
    Ok(Exit::Done)
}

fn be_the_agent(config: &Config, notes: &mut dyn Write) -> Result<Exit, Stop> {
    let surroundings = crate::serve::Surroundings::default();
    let supervisor = Arc::new(Supervisor::from_environment());
    let mut config = config.clone();
    if !is_enrolled(&config)? {
        let page = Enrolling::start(&config, &surroundings)?;
        // The pages of the agent come where this one was.
        config.listen = page.address;
        let address = &page.address.to_string();
        write_both(notes, &words::NotEnrolled { address })?;
        supervisor.ready(&format!("not enrolled, page at http://{}/", page.address));
        let watchdog = Watchdog::start(Arc::clone(&supervisor), page.is_at_work())?;
        let enrolled = page.wait();
        drop(watchdog);
        if !enrolled? {
            supervisor.stopping();
            return Ok(Exit::Done);
        }
    }
    let running = crate::serve::start(&config, &surroundings)?;
    let device = running.board.view().device;
    let address = &running.address.to_string();
    let serving = words::Serving {
        device: &device,
        address,
    };
    write_both(notes, &serving)?;
    supervisor.ready(&format!(
        "terminal {device}, pages at http://{}/",
        running.address
    ));
    let watchdog = Watchdog::start(Arc::clone(&supervisor), running.is_at_work())?;
    crate::serve::until_told_to_stop()?;
    supervisor.stopping();
    drop(watchdog);
    running.stop();
    Ok(Exit::Done)
}

fn write_both(notes: &mut dyn Write, words: &dyn Say) -> std::io::Result<()> {
    writeln!(notes, "{}\n{}", words.fr(), words.en())
}

fn be_a_printer(options: &server::Options, notes: &mut dyn Write) -> Result<Exit, Stop> {
    let running = server::start(options).context(both(&words::VirtualPrinterCannotStart))?;
    let (printer, address) = (&running.print.to_string(), &running.web.to_string());
    write_both(notes, &words::VirtualPrinter { printer, address })?;
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
        let sheet = sheets.first().context(both(&words::NoPaper))?;
        std::fs::write(path, picture::picture_of_paper(sheet)?)?;
    }
    Ok(Exit::Done)
}
