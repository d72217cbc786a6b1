//! A central for the tests of the terminal: it answers what it is told to, over real HTTP, and
//! keeps what it was asked.
#![allow(clippy::unwrap_used, dead_code)]

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use keno_testing::{lines_of_json, tight_json};
use serde_json::{Value, json};

/// One answer.
pub enum Answer {
    /// A reply.
    Reply(Value),
    /// A refusal by its name.
    Problem(u16, &'static str),
    /// A refusal by its name that may be tried again.
    Busy(&'static str),
    /// The request is taken and the connection closed without a word.
    HangUp,
}

#[derive(Default)]
struct Script {
    answers: VecDeque<(&'static str, Answer)>,
    asked: Vec<(String, Value)>,
    headers: Vec<String>,
    /// Each request and its answer, one after the other.
    story: Vec<String>,
}

/// A central that follows a script, in order.
pub struct FakeCentral {
    /// Where it listens.
    pub address: SocketAddr,
    script: Arc<Mutex<Script>>,
}

impl FakeCentral {
    /// Listens on a port of this machine.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let script = Arc::new(Mutex::new(Script::default()));
        let shared = Arc::clone(&script);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                answer(stream, &shared);
            }
        });
        Self { address, script }
    }

    /// The next request must be for that path and gets that answer.
    pub fn expect(&self, path: &'static str, answer: Answer) {
        self.script
            .lock()
            .unwrap()
            .answers
            .push_back((path, answer));
    }

    /// Paths asked since the last call, with their bodies.
    pub fn asked(&self) -> Vec<(String, Value)> {
        let mut script = self.script.lock().unwrap();
        assert!(
            script.answers.is_empty(),
            "not asked: {:?}",
            script.answers.front().map(|(path, _)| path)
        );
        std::mem::take(&mut script.asked)
    }

    /// What was asked and answered since the last call, as text; what came again and again stands
    /// once, and how often.
    pub fn story(&self) -> String {
        let story = std::mem::take(&mut self.script.lock().unwrap().story);
        let mut told = String::new();
        for same in story.chunk_by(|one, other| one == other) {
            told.push_str(&same[0]);
            if same.len() > 1 {
                told.push_str(&format!("so {} times\n", same.len()));
            }
        }
        told
    }

    /// Every header line ever received.
    pub fn headers(&self) -> Vec<String> {
        self.script.lock().unwrap().headers.clone()
    }
}

fn answer(mut stream: TcpStream, script: &Mutex<Script>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut first = String::new();
    if reader.read_line(&mut first).unwrap_or(0) == 0 {
        return;
    }
    let path = first.split(' ').nth(1).unwrap().to_owned();
    let mut length = 0;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        headers.push(line.trim().to_owned());
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let mut script = script.lock().unwrap();
    // Asked before anything that is open is taken up; no script is about it.
    if path == "/api/v1/hand-overs" {
        let body = json!({"taken": []}).to_string();
        let length = body.len();
        let head = "HTTP/1.1 200 x\r\nContent-Type: application/json\r\nConnection: close";
        let _ = write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{body}");
        return;
    }
    script.headers.extend(headers);
    let said = lines_of_json(&tight_json(&String::from_utf8_lossy(&body)));
    let asked = format!("asked {path} {said}\n");
    script.story.push(asked);
    script.asked.push((
        path.clone(),
        serde_json::from_slice(&body).unwrap_or(Value::Null),
    ));
    let (status, kind, body) = match script.answers.pop_front() {
        Some((expected, Answer::Reply(body))) if path == expected => {
            (200, "application/json", body)
        }
        Some((expected, Answer::Problem(status, name))) if path == expected => (
            status,
            "application/problem+json",
            json!({"type": format!("/problems/{name}"), "status": status, "title": "Refusé.", "sentence": {"fr": "Refusé.", "en": "Refused."},
                   "retry": false, "selection": 1, "field": "numbers"}),
        ),
        Some((expected, Answer::Busy(name))) if path == expected => (
            503,
            "application/problem+json",
            json!({"type": format!("/problems/{name}"), "status": 503, "title": "Occupé.", "sentence": {"fr": "Occupé.", "en": "Busy."},
                   "retry": true}),
        ),
        Some((expected, Answer::HangUp)) if path == expected => {
            script.story.last_mut().unwrap().push_str("no answer\n");
            return;
        }
        other => {
            let expected = other.map(|(path, _)| path);
            (
                400,
                "application/problem+json",
                json!({"type": "/problems/not_in_the_script", "status": 400,
                "title": "", "sentence": {"fr": format!("{path} au lieu de {expected:?}"), "en": ""}, "retry": false}),
            )
        }
    };
    let body = body.to_string();
    script
        .story
        .last_mut()
        .unwrap()
        .push_str(&format!("answered {status}\n"));
    let _ = write!(
        stream,
        "HTTP/1.1 {status} x\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
}
