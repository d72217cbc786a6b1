//! Writes what the targets begin with: `seeds FOLDER` makes a folder of a corpus for each, from the
//! vectors of the log's format.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use keno_audit::stream::Records;
use keno_game::ControlNumber;
use keno_log::access::{self, AccessAnchor, AccessRecord};
use keno_log::checkpoint::SigningKey;
use keno_log::export::ExportRecord;
use keno_log::tree::Edge;
use keno_wire::claim_code::{ClaimCode, read_secret};
use serde_json::Value;

const LEAVES: &str = include_str!("../../log/vectors/leaves.txt");
const EPOCHS: &str = include_str!("../../log/vectors/epochs.json");
const MEANING: &str = include_str!("../../log/vectors/meaning.json");
const NOTES: [&str; 3] = [
    include_str!("../../log/vectors/house-checkpoint.txt"),
    include_str!("../../log/vectors/checkpoint.txt"),
    include_str!("../../log/vectors/signed-note.txt"),
];
const BOOK: &str = include_str!("../../../samples/rules/demonstration.toml");

/// Codes as they are scanned or typed: of a ticket, of its number, of a slip, of a leaf, of a file,
/// of an enrolment; an amount and the address of a database.
const CODES: [&str; 9] = [
    "0731552890146663",
    "0731 5528 9014 6663 MPJTB 9D5MP JTB9D 5MP0W",
    "MPJTB9D5MPJTB9D5MP0W",
    "KS1GRQTZAA2018E945AHZ1G0P6GD4T8",
    "#1180",
    "#1180-7KQ4M2PX",
    "ABCD-EFGH",
    "12.50",
    "postgres://u@127.0.0.1:5432/keno",
];

/// What a machine says of its balls: a whole draw, one that ends early, another draw between.
fn balls() -> [Vec<u8>; 3] {
    use keno_draw::ball_line::{Content, Frame, Said, Standing};
    let said = |draw| Said {
        draw,
        set: "A".to_owned(),
        at_ms: 1_795_194_000_000,
    };
    let ball = |draw, position| {
        let number = 3 * position + 1;
        let content = Content::Ball { position, number };
        Frame {
            said: said(draw),
            content,
        }
        .to_bytes()
    };
    let ends = |count| {
        let standing = Standing::Ended;
        let content = Content::Count { count, standing };
        Frame {
            said: said(7),
            content,
        }
        .to_bytes()
    };
    let whole: Vec<u8> = (1..=20).flat_map(|position| ball(7, position)).collect();
    let short: Vec<u8> = (1..=19).flat_map(|position| ball(7, position)).collect();
    [
        [whole.clone(), ends(20), whole, ends(20)].concat(),
        [short, ends(19)].concat(),
        [
            ball(7, 1),
            ball(6, 2),
            b"?\r".to_vec(),
            ball(7, 1),
            ball(7, 2),
        ]
        .concat(),
    ]
}

type Failure = Box<dyn Error>;

/// The folder of all corpora.
struct Corpus(PathBuf);

impl Corpus {
    fn add(&self, target: &str, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        let folder = self.0.join(target);
        fs::create_dir_all(&folder)?;
        Ok(fs::write(folder.join(name), bytes)?)
    }

    fn add_facts(&self, name: &str, facts: &[(u8, Vec<u8>)]) -> Result<(), Failure> {
        let all = facts.iter().map(|(kind, body)| (*kind, body.as_slice()));
        self.add("replay", name, keno_fuzz::of_facts(all))?;
        for (place, (kind, body)) in facts.iter().enumerate() {
            let bytes = [&[*kind], body.as_slice()].concat();
            self.add("record", &format!("{name}-{place}"), bytes)?;
        }
        Ok(())
    }
}

fn main() -> Result<(), Failure> {
    let folder = env::args().nth(1).ok_or("seeds FOLDER")?;
    let corpus = Corpus(Path::new(&folder).to_path_buf());
    leaves(&corpus)?;
    epochs(&corpus)?;
    books(&corpus)?;
    access_log(&corpus)?;
    for (place, note) in NOTES.iter().enumerate() {
        corpus.add("checkpoint", &format!("note-{place}"), note)?;
        let signed = note.split_once('\n').map_or("", |(_, signed)| signed);
        corpus.add("checkpoint", &format!("signed-{place}"), signed)?;
    }
    let whole = ClaimCode {
        control_number: ControlNumber::parse("0731552890146663")?,
        copy: 1,
        secret: read_secret("MPJTB9D5MPJTB9D5MP0W")?,
        log_size: 29,
        log_root: [7; 32],
        mark: [7; 10],
    };
    for (place, said) in balls().iter().enumerate() {
        corpus.add("ball_line", &format!("draw-{place}"), said)?;
        let text = String::from_utf8_lossy(said);
        let bare = text.split('\r').filter_map(|line| line.rsplit_once(','));
        let bare: Vec<&str> = bare.map(|(line, _)| line).collect();
        corpus.add(
            "ball_line",
            &format!("bare-{place}"),
            format!("+{}", bare.join("\r")),
        )?;
    }
    corpus.add("code", "claim-code", whole.text())?;
    for (place, code) in CODES.iter().enumerate() {
        corpus.add("code", &format!("code-{place}"), code)?;
    }
    Ok(())
}

/// One fact of each kind, and the leaf around it.
fn leaves(corpus: &Corpus) -> Result<(), Failure> {
    let mut facts = Vec::new();
    for line in LEAVES.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [number, _, body, _, leaf, _] = words.as_slice() else {
            return Err(format!("a line of leaves.txt has {} words", words.len()).into());
        };
        facts.push((number.parse()?, unhex(body)?));
        let leaf = [&[0], unhex(leaf)?.as_slice()].concat();
        corpus.add("record", &format!("leaf-{number}"), leaf)?;
    }
    corpus.add_facts("each-kind", &facts)
}

/// A log of two epochs, its facts, what was kept outside of it, and the entries that are changed.
fn epochs(corpus: &Corpus) -> Result<(), Failure> {
    let vectors: Value = serde_json::from_str(EPOCHS)?;
    let export = STANDARD.decode(vectors["export"].as_str().ok_or("no export")?)?;
    corpus.add("export", "epochs", &export)?;
    let mut facts = Vec::new();
    for record in Records::new(export.as_slice())? {
        if let ExportRecord::Entry(exported) = record? {
            let entry = exported.entry()?;
            facts.push((entry.leaf.header.kind.number(), entry.body));
        }
    }
    corpus.add_facts("epochs", &facts)?;
    for list in ["outside", "own"] {
        for (place, one) in vectors[list].as_array().into_iter().flatten().enumerate() {
            let note = one["note"].as_str().ok_or("no note")?;
            corpus.add("checkpoint", &format!("{list}-{place}"), note)?;
        }
    }
    Ok(())
}

/// The demonstration's rules, and with each counter that the vectors put behind them.
fn books(corpus: &Corpus) -> Result<(), Failure> {
    corpus.add("rule_book", "demonstration", BOOK)?;
    let vectors: Value = serde_json::from_str(MEANING)?;
    let bare = BOOK
        .split_once("\n[counter]")
        .map_or(BOOK, |(bare, _)| bare);
    for (place, one) in vectors["counters"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        let counter = one["text"].as_str().ok_or("no text")?;
        corpus.add(
            "rule_book",
            &format!("counter-{place}"),
            format!("{bare}\n{counter}"),
        )?;
    }
    Ok(())
}

/// An access log of two lines, of one of which only the hash is kept, and its anchor.
fn access_log(corpus: &Corpus) -> Result<(), Failure> {
    let line = AccessRecord {
        at_ms: 1_795_194_000_000,
        kind: "check".to_owned(),
        device: Some(2),
        badge: "A300".to_owned(),
        trace: "00".repeat(16),
        purpose: "dispute".to_owned(),
    };
    let hash = line.hash();
    corpus.add(
        "record",
        "access",
        [&[0], line.to_bytes().as_slice()].concat(),
    )?;
    let mut edge = Edge::new();
    edge.append(hash);
    edge.append(hash);
    let key = SigningKey::from_seed("boulier/essai", &[7; 32])?;
    let anchor = AccessAnchor::sign("boulier/essai", 0, &edge, &key).ok_or("no anchor")?;
    corpus.add("checkpoint", "access-anchor", anchor.line())?;
    let export = format!(
        "{}\n{}{}\n{}",
        access::MAGIC,
        access::export_line(&hash, Some(&line.to_bytes())),
        access::export_line(&hash, None),
        anchor.note
    );
    corpus.add("checkpoint", "access-log", export)
}

fn unhex(text: &str) -> Result<Vec<u8>, Failure> {
    (0..text.len())
        .step_by(2)
        .map(|at| {
            let pair = text.get(at..at + 2).ok_or("half a byte")?;
            Ok(u8::from_str_radix(pair, 16)?)
        })
        .collect()
}
