//! Requests and answers as text.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;

use actix_web::test::TestRequest;
use keno_log::hash::sha256;
use keno_testing::{Goldens, Shapes, lines_of_json, redacted};
use serde_json::Value;

use crate::common::{Answer, House, Person};

pub fn goldens() -> Goldens {
    Goldens::of("tests/goldens/replies")
}

/// Metrics whose lines are in order between one explanation and the next: theirs is chance.
fn sorted_metrics(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    for family in lines.split_mut(|line| line.starts_with('#')) {
        family.sort_unstable();
    }
    let text = lines.join("\n");
    let size = text.lines().find(|line| line.starts_with(SIZE));
    text.replace(size.unwrap_or(SIZE), &format!("{SIZE} [leaf]"))
}

/// The metric that counts leaves.
const SIZE: &str = "boulier_checkpoint_size";

/// A report as CSV: what several rows of a section say alike stands once, behind their numbers. Which
/// numbers were drawn follows from every leaf before: of those it is said how many.
fn rows_of_csv(text: &str) -> String {
    let mut said: Vec<((&str, String), Vec<&str>)> = Vec::new();
    for line in text.lines() {
        let mut cells = line.splitn(3, ',');
        let mut cell = || cells.next().unwrap_or_default();
        let (section, row, rest) = (cell(), cell(), cell());
        let rest = match (section, rest.split_once(",numbers")) {
            ("numbers", Some((number, ""))) => {
                let (label, _) = number.rsplit_once(',').unwrap();
                format!("{label},[number],numbers")
            }
            _ => rest.to_owned(),
        };
        let known = said
            .iter_mut()
            .find(|(of, _)| *of == (section, rest.clone()));
        match known {
            Some((_, rows)) => rows.push(row),
            None => said.push(((section, rest), vec![row])),
        }
    }
    let mut lines: Vec<String> = Vec::new();
    let mut drawn: Vec<String> = Vec::new();
    for ((section, rest), rows) in said {
        match (section, rows[0]) {
            ("numbers", "0") | ("section", _) => {
                lines.push(format!("{section},{},{rest}", rows[0]))
            }
            ("numbers", _) => drawn.push(format!("numbers,{} of them,{rest}", rows.len())),
            _ => lines.push(format!("{section},{},{rest}", rows.join(" "))),
        }
    }
    drawn.sort();
    lines.extend(drawn);
    lines.join("\n")
}

/// The words of a paper, a row of a table on a line.
fn pdf_text(pdf: &[u8]) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(pdf).unwrap();
    let said = Command::new("pdftotext")
        .args(["-layout", "-enc", "UTF-8"])
        .arg(file.path())
        .arg("-")
        .output()
        .unwrap_or_else(|error| panic!("pdftotext of poppler-utils: {error}"));
    assert!(said.status.success());
    let text = String::from_utf8(said.stdout).unwrap();
    let rows = text.split(['\n', '\u{c}']).map(|row| {
        let cells = row.split("  ").map(str::trim);
        cells
            .filter(|cell| !cell.is_empty())
            .collect::<Vec<_>>()
            .join("  ")
    });
    rows.filter(|row| !row.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The headers of every answer.
const USUAL: [&str; 5] = [
    "cache-control: no-store",
    "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy: no-referrer",
    "x-content-type-options: nosniff",
    "x-frame-options: DENY",
];

/// What may be kept, and asked for again: what is published, and what a counter asks for often.
const KEPT: [&str; 2] = ["cache-control: no-cache", "etag: that of the body"];

/// The headers of an answer, but for those of its class: all have the usual ones, and each class of
/// addresses the kind of its body beside. What is missing is said too.
fn headers_text(address: &str, answer: &Answer, hash: &str) -> String {
    let all: Vec<String> = answer
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .map(|line| line.replace(&format!("W/\"{hash}\""), "that of the body"))
        .collect();
    let is_kept = all.iter().any(|line| line == KEPT[0]);
    let kind = match (answer.status, address.split('/').nth(1)) {
        (400.., _) => "content-type: application/problem+json",
        (_, Some("api" | "log")) => "content-type: application/json",
        _ => "",
    };
    let class: Vec<&str> = match is_kept {
        true => KEPT.iter().chain(&USUAL[1..]).copied().collect(),
        false => USUAL.to_vec(),
    };
    let mut headers: Vec<String> = class
        .iter()
        .filter(|line| !all.iter().any(|had| had == *line))
        .map(|line| format!("without {line}\n"))
        .collect();
    if !all.iter().any(|line| line.starts_with("content-type")) {
        headers.push("without content-type\n".to_owned());
    }
    if is_kept {
        headers.push("kept\n".to_owned());
    }
    let is_of_class = |line: &&String| class.contains(&line.as_str()) || *line == kind;
    let others = all.iter().filter(|line| !is_of_class(line));
    headers.extend(others.map(|line| format!("{line}\n")));
    headers.sort();
    headers.concat()
}

/// An answer as text: what its headers have that its class has not, and its body.
pub fn answer_text(address: &str, answer: &Answer) -> String {
    let hash = hex::encode(sha256(&answer.body));
    let mut text = headers_text(address, answer, &hash);
    let kind = answer.header("content-type");
    if kind.contains("json") {
        text.push_str(&lines_of_json(&redacted(answer.text())));
    } else if kind.contains("openmetrics") {
        text.push_str(&sorted_metrics(answer.text()));
    } else if let Ok(body) = std::str::from_utf8(&answer.body) {
        let body = match kind.starts_with("text/csv") {
            true => rows_of_csv(&redacted(body)),
            false => redacted(body),
        };
        text.push_str(&body);
    } else {
        let words = match kind {
            "application/pdf" => pdf_text(&answer.body),
            _ => String::new(),
        };
        let without = redacted(&words);
        // Where nothing shifts, what is seen is held to the byte.
        if words == without {
            writeln!(text, "{} bytes, SHA-256 {hash}", answer.body.len()).unwrap();
        }
        text.push_str(&without);
    }
    text
}

pub fn sender_text(sender: Option<&Person>) -> String {
    match sender {
        Some(person) => format!("{} at device {}", person.badge, person.device),
        None => "device 8".to_owned(),
    }
}

/// A request as text.
pub fn request_text(body: &Value) -> String {
    match body {
        Value::Null => String::new(),
        body => redacted(&body.to_string()) + "\n",
    }
}

/// A day of a house, written down request by request.
pub struct Script {
    pub house: House,
    /// Leaves that the house had before its day.
    founded: u64,
    answers: Shapes,
}

/// Who sends a request.
pub enum By<'a> {
    Person(&'a Person),
    Device(u32),
    Nobody,
}

impl Script {
    pub fn new() -> Self {
        let house = House::seeded();
        Self {
            founded: house.central.view.get().log_size,
            house,
            answers: Shapes::default(),
        }
    }

    /// Sends a request and writes it down with its answer.
    pub async fn send(
        &mut self,
        title: &str,
        by: By<'_>,
        request: TestRequest,
        said: &str,
    ) -> Answer {
        self.house.published();
        let (request, who) = match by {
            By::Person(person) => (person.sign(request), sender_text(Some(person))),
            By::Device(device) => {
                let key = self.house.device_header(device);
                let request = request.insert_header(("Boulier-Device", key));
                (request, format!("device {device}"))
            }
            By::Nobody => (request, "nobody".to_owned()),
        };
        let answer = self.house.call(request).await;
        let address = said.split(' ').nth(1).unwrap_or_default();
        let text = answer_text(address, &answer);
        let heading = format!("{}\nby {who}: {}", redacted(said), answer.status);
        self.answers.put(title, &heading, &text);
        answer
    }

    pub async fn post(&mut self, title: &str, by: By<'_>, path: &str, body: Value) -> Answer {
        let request = TestRequest::post()
            .uri(&format!("/api/v1{path}"))
            .set_json(&body);
        self.send(title, by, request, &format!("POST /api/v1{path} {body}"))
            .await
    }

    pub async fn get(&mut self, title: &str, by: By<'_>, path: &str) -> Answer {
        self.send(
            title,
            by,
            TestRequest::get().uri(path),
            &format!("GET {path}"),
        )
        .await
    }

    /// Ends the day: what was written down, and the facts that it left in the log.
    pub async fn end(self, name: &str) {
        self.house.published();
        let mut kinds = Vec::new();
        for index in self.founded..self.house.central.view.get().log_size {
            let entry = self.house.get(&format!("/log/entries/{index}")).await;
            kinds.push(entry.value()["kind"].as_str().unwrap().to_owned());
        }
        let text = format!("{}## the log\n{}", self.answers.text(), repeated(&kinds));
        goldens().hold(name, &text);
    }
}

/// Kinds of facts in their order; what comes again and again stands once, and how often.
fn repeated(kinds: &[String]) -> String {
    let mut text = String::new();
    let mut rest = kinds;
    while !rest.is_empty() {
        let times = |length: usize| {
            let first = &rest[..length];
            rest.chunks(length)
                .take_while(|chunk| chunk == &first)
                .count()
        };
        let most = 4.min(rest.len());
        let length = (1..=most).max_by_key(|&length| (times(length) - 1) * length);
        let length = length.filter(|&length| times(length) > 1).unwrap_or(1);
        let times = times(length);
        let often = if times > 1 {
            format!(", {times} times")
        } else {
            String::new()
        };
        writeln!(text, "{}{often}", rest[..length].join(", ")).unwrap();
        rest = &rest[times * length..];
    }
    text
}
