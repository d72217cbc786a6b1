//! Papers whose code cannot be read: read by two, or kept with a file.

use actix_web::{HttpResponse, web};
use keno_wire::damaged::{FileView, JudgeFileRequest, OpenFileRequest, ReadingRequest};

use crate::agent::Agent;
use crate::serve::door::{Needs, Shared, command, give};
use crate::serve::task::Task;

async fn judge(
    shared: web::Data<Shared>,
    number: web::Path<u64>,
    asked: web::Json<JudgeFileRequest>,
) -> HttpResponse {
    let (number, asked) = (number.into_inner(), asked.into_inner());
    let work = move |agent: &mut Agent<'static>| agent.judge_file(number, &asked);
    give(&shared, Task::Judgement, Needs::Central, Box::new(work)).await
}

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    cfg.route(
        "/agent/damaged/readings",
        command(
            Task::Reading,
            Needs::Central,
            |agent, asked: ReadingRequest| {
                agent.read_damaged(&asked.number, asked.reading, asked.second.into())
            },
        ),
    )
    .route(
        "/agent/damaged/files",
        command(
            Task::File,
            Needs::Central,
            |agent, asked: OpenFileRequest| agent.open_file(&asked),
        ),
    )
    // Prints again what a file's paper says, as the page was given it.
    .route(
        "/agent/damaged/files/print",
        command(Task::FilePaper, Needs::Nothing, |agent, file: FileView| {
            agent.print_file_again(&file)
        }),
    )
    .route(
        "/agent/damaged/files/{number}/judgement",
        web::post().to(judge),
    );
}
