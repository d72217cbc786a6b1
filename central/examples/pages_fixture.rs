//! Serves the pages from known views, with a scripted `/live`: for people who design them and for
//! browsers that photograph them. It has no record, no database and no use in a house.
//!
//! `cargo run -p keno-central --example pages_fixture -- 127.0.0.1:8099`
//!
//! `/live?scene=NAME` plays one scene: `open`, `closing`, `closed`, `drawing`, `drawn`,
//! `official`, `seventy` (a pool of 70), `suspended`, `sales_suspended`, `void`, `idle`,
//! `silent` (one snapshot, then nothing), `dead` (503) or `play` (a whole draw, fast).
//! `/board?scene=NAME` follows it.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::http::header;
use actix_web::web::{Bytes, Form, Json, Path, Query};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, get, post};
use futures_util::stream;
use keno_wire::coded::Coded;
use keno_wire::reply::{DrawView, Snapshot};
use serde::Deserialize;

use pages::Lang;
use pages::view::*;

// The module itself, not the library: pages can be designed while the rest does not build.
#[allow(dead_code, unused_imports)]
#[path = "../src/pages/mod.rs"]
mod pages;

#[path = "../src/pages/samples.rs"]
mod samples;
mod format {
    pub fn moment(at_ms: i64, zone: chrono_tz::Tz) -> String {
        use chrono::TimeZone;
        zone.timestamp_millis_opt(at_ms)
            .single()
            .map(|at| at.format("%Y-%m-%d %H:%M:%S").to_string())
            .unwrap_or_default()
    }
}
mod view {
    pub use crate::pages::view::*;
}

#[derive(Debug, Deserialize)]
struct Asked {
    lang: Option<String>,
    scene: Option<String>,
    code: Option<String>,
}

impl Asked {
    fn lang(&self) -> Lang {
        Lang::from_code(self.lang.as_deref())
    }

    fn scene(&self) -> &str {
        self.scene.as_deref().unwrap_or("play")
    }
}

fn page(html: Result<String, pages::PageFault>) -> HttpResponse {
    match html {
        Ok(html) => HttpResponse::Ok()
            .insert_header((header::CONTENT_TYPE, "text/html; charset=utf-8"))
            .insert_header((
                header::CONTENT_SECURITY_POLICY,
                pages::CONTENT_SECURITY_POLICY,
            ))
            .body(html),
        Err(fault) => HttpResponse::InternalServerError().body(fault.to_string()),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a fixture to look at shows the time it is"
)]
fn now_ms() -> i64 {
    chrono::Utc::now().timestamp_millis()
}

/// The sample draws, moved so that `next` closes `left_ms` from now.
fn scene(name: &str) -> Snapshot {
    let mut snapshot = samples::snapshot();
    let left_ms = match name {
        "closing" => 42_000,
        "official" => 130_000,
        _ => 168_000,
    };
    let by_ms = now_ms() + left_ms - samples::draw(48_214, "open", 0).closes_at_ms;
    let moved = |mut draw: DrawView| {
        draw.closes_at_ms += by_ms;
        draw.draw.draws_at_ms += by_ms;
        draw.draw.local =
            format::moment(draw.draw.draws_at_ms, chrono_tz::America::Toronto)[..16].to_owned();
        for leaf in &mut draw.leaves {
            leaf.at_ms += by_ms;
        }
        draw
    };
    let current = match name {
        "closed" => Some(("closed", 0)),
        "drawing" | "seventy" => Some(("drawing", 14)),
        "drawn" => Some(("drawn", 20)),
        "official" | "open" | "closing" | "silent" | "sales_suspended" | "prizes" | "last" => {
            Some(("settled", 20))
        }
        "suspended" => Some(("suspended", 7)),
        "void" => Some(("void", 7)),
        "play" => Some(("closed", 0)),
        _ => None,
    };
    snapshot.current = current.map(|(state, shown)| moved(samples::draw(48_213, state, shown)));
    if let Some(current) = &mut snapshot.current {
        if name == "official" {
            for leaf in &mut current.leaves {
                leaf.at_ms = now_ms() - 5_000;
            }
        } else {
            for leaf in &mut current.leaves {
                leaf.at_ms = now_ms() - 90_000;
            }
        }
        if name == "drawn" {
            current.source = "balls".into();
        }
        if matches!(name, "void" | "suspended") {
            current.draw.draws_at_ms = now_ms() - 10_000;
        }
    }
    snapshot.next = snapshot.next.map(moved);
    snapshot.last = snapshot.last.into_iter().map(moved).collect();
    snapshot.sales_suspended = name == "sales_suspended";
    if name == "idle" {
        snapshot.next = None;
        snapshot.last.clear();
    }
    if name == "seventy"
        && let Some(current) = &mut snapshot.current
    {
        current.pool = 70;
        current.balls.retain(|ball| *ball <= 70);
    }
    snapshot.central_ms = now_ms();
    snapshot
}

fn event(name: &str, data: &serde_json::Value) -> Bytes {
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}

/// The `step`th event of the scene `play`: twenty balls, then the official result.
fn play(step: u64) -> Bytes {
    let number = samples::BALLS
        .get(usize::try_from(step).unwrap_or(usize::MAX))
        .copied();
    match number {
        Some(number) => event(
            "ball",
            &serde_json::json!({ "seq": step + 2, "draw": 48_213, "position": step + 1, "number": number }),
        ),
        None => {
            let draw = scene("official").current;
            event(
                "draw",
                &serde_json::json!({ "seq": step + 2, "draw": draw, "role": "current" }),
            )
        }
    }
}

#[get("/live")]
async fn get_live(asked: Query<Asked>) -> HttpResponse {
    let name = asked.scene().to_owned();
    if name == "dead" {
        return HttpResponse::ServiceUnavailable().finish();
    }
    let first = event("snapshot", &serde_json::json!(scene(&name)));
    let events = stream::unfold((0_u64, first), move |(step, ready)| {
        let name = name.clone();
        async move {
            if step > 0 {
                let pause_ms = if name == "silent" {
                    3_600_000
                } else if name == "play" {
                    400
                } else {
                    2_000
                };
                tokio::time::sleep(Duration::from_millis(pause_ms)).await;
            }
            let following = match (name.as_str(), step) {
                ("play", 0..=20) => play(step),
                ("play", _) => event(
                    "hb",
                    &serde_json::json!({ "seq": 22, "central_ms": now_ms() }),
                ),
                _ => event(
                    "hb",
                    &serde_json::json!({ "seq": 1, "central_ms": now_ms() }),
                ),
            };
            Some((Ok::<_, Infallible>(ready), (step + 1, following)))
        }
    });
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/event-stream"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .streaming(events)
}

#[get("/board")]
async fn get_board(asked: Query<Asked>) -> HttpResponse {
    let mut view = samples::board();
    view.snapshot = (asked.scene() != "dead").then(|| scene(asked.scene()));
    view.live_path = format!("/live?scene={}", asked.scene());
    page(pages::render_board(&view, asked.lang()))
}

#[get("/check")]
async fn get_check(asked: Query<Asked>) -> HttpResponse {
    page(pages::render_check(
        &samples::check(asked.code.as_deref().map(answer)),
        asked.lang(),
    ))
}

#[post("/check")]
async fn check_form(asked: Form<Asked>) -> HttpResponse {
    page(pages::render_check(
        &samples::check(asked.code.as_deref().map(answer)),
        asked.lang(),
    ))
}

/// Any verdict by its name; `winner` has everything.
fn answer(code: &str) -> keno_wire::reply::CheckReply {
    match code.to_lowercase().as_str() {
        "winner" => samples::winner(),
        name if pages::VERDICTS.iter().any(|row| row.code.code() == name) => {
            samples::bare_verdict(name)
        }
        _ => samples::bare_verdict("not_found"),
    }
}

#[post("/api/v1/checks")]
async fn checks(asked: Json<keno_wire::request::CheckRequest>) -> HttpResponse {
    HttpResponse::Ok().json(answer(&asked.code))
}

#[get("/draws")]
async fn get_draws(asked: Query<Asked>) -> HttpResponse {
    page(pages::render_draws(&samples::draws(), asked.lang()))
}

#[get("/draws/{number}")]
async fn get_draw(number: Path<u64>, asked: Query<Asked>) -> HttpResponse {
    if *number != 48_213 {
        let view = MessageView {
            frame: samples::frame("/draws"),
            message: Message::NoSuchDraw,
        };
        return page(pages::render_message(&view, asked.lang()));
    }
    page(pages::render_draw(&samples::draw_page(), asked.lang()))
}

#[get("/prizes")]
async fn get_prizes(asked: Query<Asked>) -> HttpResponse {
    let view = PrizesView {
        frame: samples::frame("/prizes"),
        prizes: Some(samples::prizes()),
    };
    page(pages::render_prizes(&view, asked.lang()))
}

#[get("/")]
async fn get_home(asked: Query<Asked>) -> HttpResponse {
    page(pages::render_home(&samples::home(), asked.lang()))
}

#[get("/audit")]
async fn get_audit(asked: Query<Asked>) -> HttpResponse {
    let mut view = samples::audit();
    match asked.scene() {
        "idle" => view.found = AuditFinding::Idle,
        "unknown" => view.found = AuditFinding::Unknown,
        "differs" => {
            if let AuditFinding::Ticket(ticket) = &mut view.found {
                if let Some(line) = ticket.evaluation.first_mut() {
                    line.recomputed_cents = Some(500);
                    line.before_cap_cents = Some(800);
                }
                ticket.integrity.included = Some(false);
            }
        }
        _ => {}
    }
    page(pages::render_audit(&view, asked.lang()))
}

#[get("/audit/sign-in")]
async fn get_sign_in(asked: Query<Asked>) -> HttpResponse {
    page(pages::render_sign_in(&samples::sign_in(), asked.lang()))
}

async fn rest(request: HttpRequest, asked: Query<Asked>) -> HttpResponse {
    if let Some(asset) = pages::asset(request.path()) {
        return HttpResponse::Ok()
            .insert_header((header::CONTENT_TYPE, asset.mime))
            .insert_header((header::CACHE_CONTROL, asset.cache))
            .body(asset.bytes);
    }
    let view = MessageView {
        frame: samples::frame("/"),
        message: Message::NotFound,
    };
    page(pages::render_message(&view, asked.lang()))
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let address = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "127.0.0.1:8099".to_owned());
    HttpServer::new(|| {
        App::new()
            .service(get_live)
            .service(get_board)
            .service(get_check)
            .service(check_form)
            .service(checks)
            .service(get_draws)
            .service(get_draw)
            .service(get_prizes)
            .service(get_home)
            .service(get_audit)
            .service(get_sign_in)
            .default_service(actix_web::web::to(rest))
    })
    .workers(1)
    .bind(address)?
    .run()
    .await
}
