//! Central's pages as they are: each state of each page from the sample views, and the pages of a
//! house at work, as they are served. A page stands in French, and behind it the lines that English
//! has instead; of the states of a page one is whole.
//!
//! Names of files that carry a hash stand without it; which hash each has is a list of its own.
//!
//! `INSTA_UPDATE=always cargo test -p keno-central --test suite goldens_pages` accepts what it is now.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

#[path = "../src/pages/samples.rs"]
mod samples;

/// What the sample views need of the pages.
mod view {
    pub use keno_central::pages::view::*;
}
/// A moment in the words of the sample views.
mod format {
    use chrono::TimeZone;

    pub fn moment(at_ms: i64, zone: chrono_tz::Tz) -> String {
        let at = zone.timestamp_millis_opt(at_ms).single().unwrap();
        at.format("%Y-%m-%d %H:%M:%S").to_string()
    }
}

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::common::{Answer, House, pin_of, sure_win};
use actix_web::http::header;
use actix_web::test::TestRequest;
use keno_central::pages::{
    Lang, VERDICTS, asset, render_audit, render_board, render_check, render_draw, render_draws,
    render_home, render_message, render_prizes, render_sign_in,
};
use keno_log::hash::sha256;
use keno_testing::{Goldens, Shapes, differences, redacted};
use keno_wire::coded::Coded;
use keno_wire::reply::Snapshot;
use view::{AuditFinding, Message, MessageView, PrizesView};

fn goldens() -> Goldens {
    Goldens::of("tests/goldens/pages")
}

/// A page without the hashes of its files' names, which are put into `assets`.
fn without_hashes(page: &str, assets: &mut BTreeSet<String>) -> String {
    const PREFIX: &str = "/assets/";
    let mut parts = page.split(PREFIX);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(['"', '\'', ')']).unwrap_or(part.len());
        let (name, after) = part.split_at(end);
        assets.insert(format!("{PREFIX}{name}"));
        let mut words: Vec<&str> = name.split('.').collect();
        words.remove(words.len() - 2);
        write!(out, "{PREFIX}{}{after}", words.join(".")).unwrap();
    }
    out
}

/// A page without the pictures that every page begins with, which are put into `pictures`.
fn without_pictures(page: &str, pictures: &mut BTreeSet<String>) -> String {
    let Some((before, after)) = page.split_once("<svg class=\"shapes\"") else {
        return page.to_owned();
    };
    let (inner, after) = after.split_once("</svg>").unwrap();
    pictures.insert(format!("<svg class=\"shapes\"{inner}</svg>"));
    format!("{before}[pictures]{after}")
}

/// A page without what is around its own part, which is put into `frames`.
fn without_frame(page: &str, frames: &mut BTreeSet<String>) -> String {
    let parts = page.split_once("<main").and_then(|(before, rest)| {
        let (main, after) = rest.split_once("</main>")?;
        Some((before, main, after))
    });
    let Some((before, main, after)) = parts else {
        return page.to_owned();
    };
    frames.insert(format!("{before}[main]{after}"));
    format!("[frame]\n<main{main}</main>\n")
}

/// Frames that are not known, by the titles of their pages.
fn frames_text(known: &BTreeSet<String>, frames: &BTreeSet<String>) -> String {
    let title = |frame: &str| between(frame, "<title>", "</title>").to_owned();
    let mut shapes = Shapes::default();
    for frame in known {
        shapes.know(&title(frame), frame);
    }
    for frame in frames.difference(known) {
        shapes.put(&title(frame), "", frame);
    }
    shapes.text().to_owned()
}

/// What stands elsewhere than in the pages.
#[derive(Default)]
struct Apart {
    assets: BTreeSet<String>,
    pictures: BTreeSet<String>,
    frames: BTreeSet<String>,
}

impl Apart {
    fn taken_from(&mut self, page: &str) -> String {
        let page = without_hashes(page, &mut self.assets);
        let page = without_pictures(&page, &mut self.pictures);
        let lines = page.lines().filter(|line| !line.trim().is_empty());
        let page = lines.fold(String::new(), |text, line| format!("{text}{line}\n"));
        // The items of a list are one line.
        let lists = page.split("</li>\n").map(|part| match part.trim_start() {
            item if item.starts_with("<li") => item,
            _ => part,
        });
        without_frame(&lists.collect::<Vec<_>>().join("</li>"), &mut self.frames)
    }
}

/// The sample draws with the current one in a state, its sales closing as the name says.
fn scene(name: &str) -> Snapshot {
    let mut snapshot = samples::snapshot();
    let current = match name {
        "closed" => Some(("closed", 0)),
        "drawing" | "seventy" => Some(("drawing", 14)),
        "drawn" => Some(("drawn", 20)),
        "official" | "sales-suspended" => Some(("settled", 20)),
        "suspended" => Some(("suspended", 7)),
        "void" => Some(("void", 7)),
        _ => None,
    };
    snapshot.current = current.map(|(state, shown)| samples::draw(48_213, state, shown));
    if let Some(current) = &mut snapshot.current {
        if name == "drawn" {
            current.source = "balls".into();
        }
        if name == "seventy" {
            current.pool = 70;
            current.balls.retain(|ball| *ball <= 70);
        }
    }
    snapshot.sales_suspended = name == "sales-suspended";
    if name == "idle" {
        snapshot.next = None;
        snapshot.last.clear();
    }
    snapshot
}

/// Every state of every page in a language, by its name.
fn states(lang: Lang) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for name in [
        "open",
        "closed",
        "drawing",
        "seventy",
        "drawn",
        "official",
        "sales-suspended",
        "suspended",
        "void",
        "idle",
    ] {
        let mut view = samples::board();
        view.snapshot = Some(scene(name));
        let page = render_board(&view, lang).unwrap();
        all.push((format!("board-{name}"), page));
    }
    let mut dead = samples::board();
    dead.snapshot = None;
    let page = render_board(&dead, lang).unwrap();
    all.push(("board-dead".to_owned(), page));

    let page = render_check(&samples::check(None), lang).unwrap();
    all.push(("check".to_owned(), page));
    let page = render_check(&samples::check(Some(samples::winner())), lang).unwrap();
    all.push(("check-winner-with-everything".to_owned(), page));
    for row in VERDICTS {
        let code = row.code.code();
        let reply = samples::bare_verdict(code);
        let page = render_check(&samples::check(Some(reply)), lang).unwrap();
        all.push((format!("check-{code}"), page));
    }

    let page = render_draws(&samples::draws(), lang).unwrap();
    all.push(("draws".to_owned(), page));
    let page = render_draw(&samples::draw_page(), lang).unwrap();
    all.push(("draw".to_owned(), page));
    for (name, state, shown) in [("drawing", "drawing", 14), ("void", "void", 0)] {
        let mut view = samples::draw_page();
        view.draw = samples::draw(48_213, state, shown);
        let page = render_draw(&view, lang).unwrap();
        all.push((format!("draw-{name}"), page));
    }
    for (name, prizes) in [
        ("prizes", Some(samples::prizes())),
        ("prizes-sets", Some(samples::prizes_with_sets())),
        ("prizes-none", None),
    ] {
        let view = PrizesView {
            frame: samples::frame("/prizes"),
            prizes,
        };
        let page = render_prizes(&view, lang).unwrap();
        all.push((name.to_owned(), page));
    }
    let page = render_home(&samples::home(), lang).unwrap();
    all.push(("home".to_owned(), page));

    let page = render_sign_in(&samples::sign_in(), lang).unwrap();
    all.push(("audit-sign-in".to_owned(), page));
    let page = render_audit(&samples::audit(), lang).unwrap();
    all.push(("audit".to_owned(), page));
    for (name, found) in [
        ("idle", AuditFinding::Idle),
        ("unknown", AuditFinding::Unknown),
    ] {
        let mut view = samples::audit();
        view.found = found;
        let page = render_audit(&view, lang).unwrap();
        all.push((format!("audit-{name}"), page));
    }
    let mut refused = samples::audit();
    refused.refusal = Some(view::NotTaken {
        why: samples::both("Écrivez une remarque.", "Write a remark."),
        typed: "<i>".to_owned(),
    });
    let page = render_audit(&refused, lang).unwrap();
    all.push(("audit-remark-refused".to_owned(), page));
    let mut differs = samples::audit();
    if let AuditFinding::Ticket(ticket) = &mut differs.found {
        let line = ticket.evaluation.first_mut().unwrap();
        line.recomputed_cents = Some(500);
        line.before_cap_cents = Some(800);
        ticket.integrity.included = Some(false);
    }
    let page = render_audit(&differs, lang).unwrap();
    all.push(("audit-differs".to_owned(), page));

    for (name, message) in [
        ("starting", Message::Starting),
        ("not-found", Message::NotFound),
        ("no-such-draw", Message::NoSuchDraw),
        ("too-many", Message::TooMany),
        ("down", Message::Down),
        ("forbidden", Message::Forbidden),
    ] {
        let view = MessageView {
            frame: samples::frame("/nothing"),
            message,
        };
        let page = render_message(&view, lang).unwrap();
        all.push((format!("message-{name}"), page));
    }
    all
}

/// Every state of every page: in French, and what English has instead.
fn states_in_both(apart: &mut Apart) -> Vec<(String, String)> {
    let [french, english] = [Lang::Fr, Lang::En].map(states);
    french
        .into_iter()
        .zip(english)
        .map(|((name, french), (_, english))| {
            let [french, english] = [french, english].map(|page| apart.taken_from(&page));
            (name, in_both(&french, &english))
        })
        .collect()
}

fn in_both(french: &str, english: &str) -> String {
    let (french, instead) = (french.trim_end(), differences(french, english));
    format!("{french}\n-- in English\n{instead}")
}

#[test]
fn every_state_of_every_page_is_as_ever() {
    let goldens = goldens();
    let mut apart = Apart::default();
    let mut pages: BTreeMap<String, Shapes> = BTreeMap::new();
    for (name, page) in states_in_both(&mut apart) {
        let kind = name.split('-').next().unwrap().to_owned();
        pages.entry(kind).or_default().put(&name, "", &page);
    }
    for (kind, states) in pages {
        goldens.hold(&kind, states.text());
    }
    let mut text = String::new();
    for path in apart.assets {
        let asset = asset(&path).unwrap_or_else(|| panic!("{path} is not served"));
        let hash = hex::encode(&sha256(asset.bytes)[..8]);
        let (mime, cache) = (asset.mime, asset.cache);
        writeln!(text, "{path} {mime} {cache} {hash}").unwrap();
    }
    goldens.hold("assets", &text);
    goldens.hold("frames", &frames_text(&BTreeSet::new(), &apart.frames));
    let pictures: Vec<String> = apart.pictures.into_iter().collect();
    goldens.hold("pictures", &pictures.join("\n"));
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let after = text.split_once(start).unwrap().1;
    after.split_once(end).unwrap().0
}

/// A served page: its status and where it leads, and itself without what shifts. Which cells of a
/// board are lit follows from the balls.
fn served(answer: &Answer, apart: &mut Apart) -> (String, String) {
    const LIT: &str = " class=\"lit\"";
    let location = answer.header("location");
    let kind = answer.header("content-type");
    let page = redacted(&apart.taken_from(answer.text()));
    let lit = match page.matches(LIT).count() {
        0 => String::new(),
        lit => format!(", {lit} cells lit"),
    };
    let head = format!("{} {kind} {location}{lit}", answer.status);
    (head, page.replace(LIT, ""))
}

#[actix_web::test]
async fn the_pages_of_a_house_at_work_are_as_ever() {
    let house = House::seeded();
    let clerk = house.sign_on(1, "C1").await;
    let mut apart = Apart::default();
    let mut pages = Shapes::default();
    for (name, page) in states_in_both(&mut apart) {
        pages.know(&name, &page);
    }
    let of_samples: BTreeSet<String> = apart.frames.iter().map(|frame| redacted(frame)).collect();
    let sold = house.sell_printed(&clerk, &sure_win(50, 2)).await;
    let code = sold.ticket.claim_code.unwrap();
    for moment in ["before", "after"] {
        if moment == "after" {
            house.until_settled(1);
        }
        house.published();
        for (name, path) in [
            ("home", "/"),
            ("board", "/board"),
            ("check", "/check"),
            ("draws", "/draws"),
            ("draw", "/draws/1"),
            ("prizes", "/prizes"),
            ("nowhere", "/nowhere"),
            ("no-draw", "/draws/999"),
            ("checked", ""),
        ] {
            let mut both = Vec::new();
            for lang in ["fr", "en"] {
                let answer = match path {
                    "" => {
                        let form = TestRequest::post()
                            .uri("/check")
                            .insert_header((
                                header::CONTENT_TYPE,
                                "application/x-www-form-urlencoded",
                            ))
                            .set_payload(format!("lang={lang}&code={code}"));
                        house.call(form).await
                    }
                    _ => house.get(&format!("{path}?lang={lang}")).await,
                };
                both.push(served(&answer, &mut apart));
            }
            let [(head, french), (other, english)] = <[_; 2]>::try_from(both).unwrap();
            assert_eq!(head, other);
            pages.put(
                &format!("{name} {moment}"),
                &head,
                &in_both(&french, &english),
            );
        }
    }

    // The audit office, whose cookie and form are the only chance that is left.
    let office = house.device_header(5);
    let send = |path: &str, body: String, cookie: &str| {
        let request = TestRequest::post()
            .uri(path)
            .insert_header(("Boulier-Device", office.clone()))
            .insert_header((header::CONTENT_TYPE, "application/x-www-form-urlencoded"))
            .insert_header((header::COOKIE, format!("boulier-audit={cookie}")))
            .set_payload(body);
        house.call(request)
    };
    let mut put = |name: &str, answer: &Answer| {
        let (head, page) = served(answer, &mut apart);
        pages.put(&format!("the audit office: {name}"), &head, &page);
    };
    let answer = house.get_device(5, "/audit/sign-in").await;
    put("sign-in", &answer);
    let body = "badge=A1&pin=0000&purpose=claim".to_owned();
    put("refused", &send("/audit/sign-in", body, "").await);
    let body = format!("badge=A1&pin={}&purpose=claim", pin_of("A1"));
    let welcome = send("/audit/sign-in", body, "").await;
    let cookie = between(welcome.header("set-cookie"), "boulier-audit=", ";").to_owned();
    let request = TestRequest::get()
        .uri("/audit")
        .insert_header(("Boulier-Device", office.clone()))
        .insert_header((header::COOKIE, format!("boulier-audit={cookie}")));
    let page = house.call(request).await;
    let token = between(page.text(), "name=\"form_token\" value=\"", "\"").to_owned();
    put("welcome", &page);
    for (name, number) in [
        ("a ticket", sold.ticket.control_number.as_str()),
        ("an unknown number", "0731552890146663"),
    ] {
        let body = format!("number={number}&purpose=claim&form_token={token}");
        put(name, &send("/audit", body, &cookie).await);
    }
    goldens().hold("served", pages.text());
    let frames: BTreeSet<String> = apart.frames.iter().map(|frame| redacted(frame)).collect();
    goldens().hold("served-frames", &frames_text(&of_samples, &frames));
}
