//! Papers whose code cannot be read: read by two, or kept with a file.

use actix_web::{HttpResponse, web};
use keno_wire::damaged::{FileView, JudgeFileRequest, OpenFileRequest, ReadingRequest};

use crate::agent::{Agent, Second};
use crate::serve::door::{Needs, Shared, give};
use crate::serve::task::Task;

async fn read(shared: web::Data<Shared>, asked: web::Json<ReadingRequest>) -> HttpResponse {
    let asked = asked.into_inner();
    let second = Second::from(asked.second);
    let work =
        move |agent: &mut Agent<'static>| agent.read_damaged(&asked.number, asked.reading, second);
    give(&shared, Task::Reading, Needs::Central, Box::new(work)).await
}

async fn open(shared: web::Data<Shared>, asked: web::Json<OpenFileRequest>) -> HttpResponse {
    let asked = asked.into_inner();
    let work = move |agent: &mut Agent<'static>| agent.open_file(&asked);
    give(&shared, Task::File, Needs::Central, Box::new(work)).await
}

async fn judge(
    shared: web::Data<Shared>,
    number: web::Path<u64>,
    asked: web::Json<JudgeFileRequest>,
) -> HttpResponse {
    let (number, asked) = (number.into_inner(), asked.into_inner());
    let work = move |agent: &mut Agent<'static>| agent.judge_file(number, &asked);
    give(&shared, Task::Judgement, Needs::Central, Box::new(work)).await
}

/// Prints again what a file's paper says, as the page was given it.
async fn print(shared: web::Data<Shared>, file: web::Json<FileView>) -> HttpResponse {
    let file = file.into_inner();
    let work = move |agent: &mut Agent<'static>| agent.print_file_again(&file);
    give(&shared, Task::FilePaper, Needs::Nothing, Box::new(work)).await
}

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    cfg.route("/agent/damaged/readings", web::post().to(read))
        .route("/agent/damaged/files", web::post().to(open))
        .route("/agent/damaged/files/print", web::post().to(print))
        .route(
            "/agent/damaged/files/{number}/judgement",
            web::post().to(judge),
        );
}
