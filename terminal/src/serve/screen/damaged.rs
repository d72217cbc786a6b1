//! Papers whose code cannot be read: read by two, or kept with a file.

use actix_web::{HttpResponse, web};
use keno_wire::damaged::JudgeFileRequest;

use crate::agent::Agent;
use crate::serve::door::{Shared, command, give};
use crate::serve::task::Task;

async fn judge(
    shared: web::Data<Shared>,
    number: web::Path<u64>,
    asked: web::Json<JudgeFileRequest>,
) -> HttpResponse {
    let (number, asked) = (number.into_inner(), asked.into_inner());
    give(&shared, Task::Judgement, move |agent| {
        agent.judge_file(number, &asked)
    })
    .await
}

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    command(
        cfg,
        "/agent/damaged/readings",
        Task::Reading,
        Agent::read_damaged,
    );
    command(cfg, "/agent/damaged/files", Task::File, |agent, asked| {
        agent.open_file(&asked)
    });
    // Prints again what a file's paper says, as the page was given it.
    command(
        cfg,
        "/agent/damaged/files/print",
        Task::FilePaper,
        |agent, file| agent.print_file_again(&file),
    );
    let address = "/agent/damaged/files/{number}/judgement";
    cfg.route(address, web::post().to(judge));
}
