//! `docs/roles.md`, made from the table.

use std::fmt::Write;

use keno_record::roles::{DeviceRole, Role};

use super::row::{Limit, Own, Second, Who};
use super::table::Operation;

fn names<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> String {
    all.iter()
        .map(|one| name(*one))
        .collect::<Vec<_>>()
        .join(", ")
}

fn roles(all: &[Role]) -> String {
    if all.len() == Role::ALL.len() {
        "anyone on the staff".to_owned()
    } else {
        names(all, Role::name)
    }
}

fn devices(all: &[DeviceRole]) -> String {
    if all.len() == DeviceRole::ALL.len() {
        "any".to_owned()
    } else {
        names(all, DeviceRole::name)
    }
}

/// Device, and person, of a row.
fn who(who: Who) -> (String, String) {
    match who {
        Who::Public => ("none needed".to_owned(), "nobody".to_owned()),
        Who::Device { at } => (devices(at), "nobody".to_owned()),
        Who::Anyone => (
            "none needed; one that is named must be right".to_owned(),
            "nobody; a session that is named must be right".to_owned(),
        ),
        Who::House => (
            "any, and central's machine without one".to_owned(),
            "nobody".to_owned(),
        ),
        Who::Signing {
            at,
            roles: of,
            console,
        } => {
            let more = if console {
                ", and the command line of central's machine"
            } else {
                ""
            };
            (
                format!("{}{more}", devices(at)),
                format!("{}, by badge and PIN", roles(of)),
            )
        }
        Who::Person {
            at,
            roles: of,
            also,
        } => {
            let all = || std::iter::once((at, of)).chain(also.iter().copied());
            let join = |parts: Vec<String>| parts.join("; ");
            (
                join(all().map(|(at, _)| devices(at)).collect()),
                join(all().map(|(_, of)| roles(of)).collect()),
            )
        }
        Who::Console { roles: of } => (
            "the command line of central's machine".to_owned(),
            format!("{}, by badge and PIN", roles(of)),
        ),
        Who::Host => (
            "the command line of central's machine".to_owned(),
            "whoever has its account".to_owned(),
        ),
    }
}

fn second(second: Second) -> String {
    match second {
        Second::None => String::new(),
        Second::OneOf(of) => roles(of),
        Second::WhenRuled(of) => format!("{}, where the rules ask for one", roles(of)),
        Second::UnlessBy { alone, either } => {
            format!("{}; none is asked beside {}", roles(either), roles(alone))
        }
        Second::Beside { answering, either } => {
            format!("{}; one of the two is {}", roles(either), roles(answering))
        }
    }
}

const fn own(own: Own) -> &'static str {
    match own {
        Own::Nothing => "",
        Own::Session => "session",
        Own::Till => "till of the device",
        Own::TillOpened => {
            "till that one opened or took over; another's by a supervisor and a second person"
        }
        Own::Shift => "last shift counted at the device; a supervisor and an auditor read any",
        Own::TillPaid => "till that paid",
        Own::Paper => "paper of the device",
        Own::Key => "key of the device",
    }
}

const fn limit(limit: Limit) -> &'static str {
    match limit {
        Limit::None => "",
        Limit::Pin => "PIN",
        Limit::Number => "number",
    }
}

impl Operation {
    /// The document.
    pub fn document() -> String {
        let mut text = String::from(
            "# Who may do what, and from where\n\n\
         Made from the table in `central/service/src/authority/table.rs`, which is what central \
         judges by; a test holds this page to it. What has no row does not exist. An empty cell \
         means that nothing is asked.\n\n\
         A request is judged in this order: the device and its role, the session, the roles of \
         the person, what must be the person's own, the second person.\n",
        );
        for operation in Operation::ALL {
            let row = operation.row();
            let (device, person) = who(row.who);
            let _ = write!(
                text,
                "\n## `{}`\n\n{}\n\n| | |\n|---|---|\n| Device | {device} |\n| Person | {person} |\n",
                row.name,
                operation.sentence().trim(),
            );
            for (title, words) in [
                ("Second person", second(row.second).as_str()),
                ("Own", own(row.own)),
                ("Limit", limit(row.limit)),
                ("Access log", row.logged),
            ] {
                if !words.is_empty() {
                    let _ = writeln!(text, "| {title} | {words} |");
                }
            }
            for door in row.doors {
                let _ = writeln!(text, "| Door | `{}` |", door.text());
            }
        }
        text
    }
}
