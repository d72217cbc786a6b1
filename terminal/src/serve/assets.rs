//! The files of the pages. Each has one address; the kind that the browser is told follows from
//! its name.

use actix_web::{HttpResponse, web};

/// The kind of a page.
pub(super) const HTML: &str = "text/html; charset=utf-8";

/// A file: its address, its name below `pages/`, and what it holds.
type File = (&'static str, &'static str, &'static str);

macro_rules! files {
    ($($path:literal: $name:literal)*) => {
        &[$(($path, $name, include_str!(concat!("pages/", $name)))),*]
    };
}

/// What every page of a person who works needs.
pub(super) const FRAME: &[File] = files! {
    "/counter.css": "counter.css"
    "/device.js": "counter/device.js"
    "/dom.js": "counter/dom.js"
    "/frame.js": "counter/frame.js"
    "/hearing.js": "counter/hearing.js"
    "/keys.js": "counter/keys.js"
    "/redraw.js": "counter/redraw.js"
    "/words.js": "counter/words.js"
    "/fr.json": "words/fr.json"
    "/en.json": "words/en.json"
};

/// What a page needs beside it that asks for people and tickets.
pub(super) const ASKING: &[File] = files! {
    "/ask.js": "counter/ask.js"
    "/damaged.js": "counter/damaged.js"
    "/draft.js": "counter/draft.js"
    "/reasons.js": "counter/reasons.js"
};

/// The counter's own, and the patron's screen.
pub(super) const COUNTER: &[File] = files! {
    "/": "counter.html"
    "/customer": "customer.html"
    "/customer.css": "customer.css"
    "/arming.js": "counter/arming.js"
    "/counter.js": "counter/counter.js"
    "/customer.js": "counter/customer.js"
    "/doubts.js": "counter/doubts.js"
    "/presentation.js": "counter/presentation.js"
    "/refusal.js": "counter/refusal.js"
    "/sale.js": "counter/sale.js"
    "/sale_view.js": "counter/sale_view.js"
    "/shift.js": "counter/shift.js"
    "/ticket.js": "counter/ticket.js"
    "/verdict.js": "counter/verdict.js"
};

/// Where people sign on at an office, and choose what they came for.
pub(super) const OFFICES: &[File] = files! {
    "/office": "office.html"
    "/office.js": "counter/office.js"
    "/limits.css": "limits.css"
};

/// The draw desk, and the draw room.
pub(super) const DESK: &[File] = files! {
    "/desk": "desk.html"
    "/desk.css": "desk.css"
    "/balls.js": "counter/balls.js"
    "/desk.js": "counter/desk.js"
    "/room": "room.html"
    "/room.css": "room.css"
    "/room.js": "counter/room.js"
    "/room_form.js": "counter/room_form.js"
};

/// The back office: limits, rules and staff.
pub(super) const OFFICE: &[File] = files! {
    "/limits": "limits.html"
    "/limits.js": "counter/limits.js"
    "/staff": "staff.html"
    "/staff.css": "staff.css"
    "/staff.js": "counter/staff.js"
};

/// The supervisor's wall.
pub(super) const WALL: &[File] = files! {
    "/wall": "wall.html"
    "/wall.css": "wall.css"
    "/wall.js": "counter/wall.js"
    "/messages.js": "counter/messages.js"
    "/changes.css": "changes.css"
    "/changes.js": "counter/changes.js"
};

/// The technician's page.
pub(super) const TECHNICIAN: &[File] = files! {
    "/technician": "technician.html"
    "/technician.js": "counter/technician.js"
    "/technician.css": "technician.css"
};

/// The technician's page of a device that is not enrolled, which has no other.
pub(super) const ENROLMENT: &[File] = files! { "/": "technician.html" };

/// The trials of printer and scanner.
pub(super) const TRIALS: &[File] = files! {
    "/printer": "printer.html"
    "/scanner": "scanner.html"
    "/trial.js": "trial.js"
    "/trial.css": "trial.css"
};

/// What the pages without a person have.
pub(super) const AGENT: &[File] = files! { "/agent.js": "agent.js" };

/// The looks of the pages without a person, and of the pages of central behind a desk.
pub(super) const LOOKS: &[File] = files! { "/agent.css": "agent.css" };

/// The kiosk.
pub(super) const KIOSK: &[File] = files! { "/": "kiosk.html" };

/// The display.
pub(super) const DISPLAY: &[File] = files! { "/": "display.html" };

/// The kind of a file, from its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => HTML,
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        _ => "text/javascript; charset=utf-8",
    }
}

/// Serves some files, each at its address.
pub(super) fn configure(cfg: &mut web::ServiceConfig, sets: &[&[File]]) {
    for (path, name, body) in sets.iter().copied().flatten().copied() {
        let answer = move || async move { HttpResponse::Ok().content_type(kind(name)).body(body) };
        cfg.route(path, web::get().to(answer));
    }
}
