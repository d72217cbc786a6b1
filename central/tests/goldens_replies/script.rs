//! Requests and answers as text.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;

use actix_web::test::TestRequest;
use keno_log::hash::sha256;
use keno_testing::{Goldens, lines_of_json};
use serde_json::Value;

use crate::common::{Answer, House, Person};

pub fn goldens() -> Goldens {
    Goldens::of(env!("CARGO_MANIFEST_DIR"), "tests/goldens/replies")
}

/// What a paper knows of the log, in its code: the checkpoint at its sale may be that of just
/// before or of just after it. Control number, copy and secret stay.
fn without_checkpoints_of_codes(text: &str) -> String {
    const KNOWN: usize = 3 + 16 + 2 + 20;
    const WHOLE: usize = KNOWN + 11 + 52 + 16;
    let mut parts = text.split("KT2");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code: usize = part.bytes().take_while(u8::is_ascii_alphanumeric).count();
        out.push_str("KT2");
        if code + 3 == WHOLE {
            out.push_str(&part[..KNOWN - 3]);
            out.push_str("[checkpoint of the code]");
            out.push_str(&part[WHOLE - 3..]);
        } else {
            out.push_str(part);
        }
    }
    out
}

/// Metrics whose lines are in order between one explanation and the next: theirs is chance.
fn sorted_metrics(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    for family in lines.split_mut(|line| line.starts_with('#')) {
        family.sort_unstable();
    }
    lines.join("\n")
}

/// The words of a paper, without regard to how they stand.
fn pdf_text(pdf: &[u8]) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(pdf).unwrap();
    let said = Command::new("pdftotext")
        .args(["-enc", "UTF-8"])
        .arg(file.path())
        .arg("-")
        .output()
        .unwrap_or_else(|error| panic!("pdftotext of poppler-utils: {error}"));
    assert!(said.status.success());
    let text = String::from_utf8(said.stdout).unwrap();
    let lines = text.split(['\n', '\u{c}']).map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// The headers of almost every answer.
const USUAL: [&str; 5] = [
    "cache-control: no-store\n",
    "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'\n",
    "referrer-policy: no-referrer\n",
    "x-content-type-options: nosniff\n",
    "x-frame-options: DENY\n",
];

/// An answer as text: status, headers, body. The usual headers are not written down; that one is
/// missing is.
pub fn answer_text(answer: &Answer) -> String {
    let mut text = format!("{}\n", answer.status);
    let hash = sha256(&answer.body)
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let all: Vec<String> = answer
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {}\n", value.to_str().unwrap()))
        .map(|line| line.replace(&format!("W/\"{hash}\""), "that of the body"))
        .collect();
    for usual in USUAL
        .iter()
        .filter(|usual| !all.contains(&usual.to_string()))
    {
        write!(text, "without {usual}").unwrap();
    }
    let mut headers: Vec<String> = all
        .into_iter()
        .filter(|line| !USUAL.contains(&line.as_str()))
        .collect();
    headers.sort();
    text.extend(headers);
    text.push('\n');
    let kind = answer.header("content-type");
    if kind.contains("json") {
        text.push_str(&lines_of_json(answer.text()));
    } else if kind.contains("openmetrics") {
        text.push_str(&sorted_metrics(answer.text()));
    } else if let Ok(body) = std::str::from_utf8(&answer.body) {
        text.push_str(body);
    } else {
        write!(text, "{} bytes, SHA-256 {hash}", answer.body.len()).unwrap();
        if kind == "application/pdf" {
            write!(text, "\n\n{}", pdf_text(&answer.body)).unwrap();
        }
    }
    without_checkpoints_of_codes(&text)
}

pub fn sender_text(sender: Option<&Person>) -> String {
    match sender {
        Some(person) => format!("{} at device {}", person.badge, person.device),
        None => "device 8".to_owned(),
    }
}

pub fn request_text(body: &Value) -> String {
    match body {
        Value::Null => String::new(),
        body => without_checkpoints_of_codes(&lines_of_json(&body.to_string())) + "\n",
    }
}

/// A day of a house, written down request by request.
pub struct Script {
    pub house: House,
    text: String,
}

/// Who sends a request.
pub enum By<'a> {
    Person(&'a Person),
    Device(u32),
    Nobody,
}

impl Script {
    pub fn new() -> Self {
        Self {
            house: House::seeded(),
            text: String::new(),
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
        let (text, said) = (answer_text(&answer), without_checkpoints_of_codes(said));
        writeln!(self.text, "## {title}\n{said}\nby {who}\n\n{text}\n").unwrap();
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

    /// Ends the day: what was written down, and the log that it left.
    pub async fn end(mut self, name: &str) {
        self.house.published();
        let checkpoint = self.house.get("/log/checkpoint").await;
        writeln!(self.text, "## the log\n\n{}", checkpoint.text()).unwrap();
        for index in 0..self.house.central.view.get().log_size {
            let entry = self.house.get(&format!("/log/entries/{index}")).await;
            let entry = entry.value();
            let (kind, hash) = (&entry["kind"], &entry["leaf_hash"]);
            let (kind, hash) = (kind.as_str().unwrap(), hash.as_str().unwrap());
            writeln!(self.text, "{index:4} {kind:22} {hash}").unwrap();
        }
        goldens().hold(name, &self.text);
    }
}
