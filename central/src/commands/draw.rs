//! Draws, the schedule and sales as a whole, on a house that does not run.

use std::path::Path;

use keno_service::authority::Operation;
use keno_service::draw;
use keno_service::draw::{Conductor, Draw};

use super::fail::stopped;
use super::folder::Folder;
use super::{ByTwo, DrawCommand, Ending, SalesCommand, note, people};

/// Runs a command about a draw.
pub fn run(command: DrawCommand) -> anyhow::Result<Ending> {
    match command {
        DrawCommand::Void {
            data,
            draw,
            people: two,
            reason,
        } => {
            let central = Folder::read(&data.data)?.open()?;
            people::two(&central, &two, Operation::DecideAtConsole)?;
            Draw(draw)
                .void(&central, &reason, &two.by, &two.second)
                .map_err(stopped)?;
            note(&format!(
                "draw {draw} is void; its wagers are refunded at the counters"
            ));
        }
        DrawCommand::Suspend {
            data,
            draw,
            by,
            reason,
        } => {
            let central = Folder::read(&data.data)?.open()?;
            people::one(&central, &by, Operation::DecideAtConsole)?;
            Draw(draw)
                .suspend(&central, &reason, &by)
                .map_err(stopped)?;
            note(&format!("draw {draw} is suspended; its seal stands"));
        }
        DrawCommand::Resume {
            data,
            draw,
            people: two,
        } => {
            let central = Folder::read(&data.data)?.open()?;
            people::two(&central, &two, Operation::DecideAtConsole)?;
            Draw(draw)
                .resume(&central, &two.by, &two.second)
                .map_err(stopped)?;
            note(&format!(
                "draw {draw} goes on from its seal when central serves"
            ));
        }
    }
    Ok(Ending::Done)
}

/// Confirms the clock.
pub fn confirm(data: &Path, two: &ByTwo) -> anyhow::Result<Ending> {
    let central = Folder::read(data)?.open()?;
    // A silence is noticed when central is opened to serve: here too, so that one start suffices.
    let last_at_ms = central.last_at_start_ms();
    Conductor::check_silence(&central, last_at_ms).map_err(stopped)?;
    people::two(&central, two, Operation::DecideAtConsole)?;
    draw::confirm_schedule(&central, &two.by, &two.second).map_err(stopped)?;
    note("the clock is confirmed; draws go on when central serves");
    Ok(Ending::Done)
}

/// Runs a command about sales as a whole.
pub fn run_sales(command: SalesCommand) -> anyhow::Result<Ending> {
    match command {
        SalesCommand::Stop { data, by, reason } => {
            let central = Folder::read(&data.data)?.open()?;
            people::one(&central, &by, Operation::DecideAtConsole)?;
            draw::suspend_sales(&central, &reason, &by).map_err(stopped)?;
            note("sales are stopped until two people resume them");
        }
        SalesCommand::Resume { data, people: two } => {
            let central = Folder::read(&data.data)?.open()?;
            people::two(&central, &two, Operation::DecideAtConsole)?;
            draw::resume_sales(&central, &two.by, &two.second).map_err(stopped)?;
            note("sales go on when central serves");
        }
    }
    Ok(Ending::Done)
}
