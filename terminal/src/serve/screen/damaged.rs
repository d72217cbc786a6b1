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
    command(cfg, "damaged/readings", Task::Reading, Agent::read_damaged);
    command(cfg, "damaged/files", Task::File, Agent::open_file);
    // Prints again what a file's paper says, as the page was given it.
    let prints = Agent::print_file_again;
    command(cfg, "damaged/files/print", Task::FilePaper, prints);
    let address = "/agent/damaged/files/{number}/judgement";
    cfg.route(address, web::post().to(judge));
}
