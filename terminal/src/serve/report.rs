//! What this device says of itself to central, for the supervisor's wall: when it changes, and every
//! few seconds. It is no fact of the record, and one that is lost is no fault.

use std::collections::BTreeMap;
use std::time::Instant;

use keno_wire::coded::Name;
use keno_wire::wall::{HeardReply, OpenReport, PrinterReport, TerminalReport};

use super::board::{Board, BoardView};
use crate::central::Central;
use crate::clock::{now, since_ms};

/// A device that says nothing new says so again after so long.
const AGAIN_MS: u64 = 5_000;
/// After a report that was not heard the next is tried after so long.
const RETRY_MS: u64 = 1_000;

/// Names one command: the device that it is of, when that was another, session and counter.
type Key = (Option<u32>, u64, u64);

fn key_of(open: &OpenReport) -> Key {
    (open.device, open.key.session, open.key.counter)
}

/// How long a command is open is no news, nor how long nobody was there.
fn timeless(report: &TerminalReport) -> TerminalReport {
    let mut report = report.clone();
    report.hand_ms = None;
    for open in &mut report.open {
        open.since_ms = 0;
    }
    report
}

/// What was said last.
#[derive(Debug, Default)]
pub(super) struct Reporter {
    said: Option<(TerminalReport, Instant)>,
    failed: Option<Instant>,
    /// Since when each command is seen open.
    seen: BTreeMap<Key, Instant>,
}

impl Reporter {
    fn report(&mut self, view: BoardView, hand_ms: Option<u64>) -> TerminalReport {
        let mut report = TerminalReport {
            version: view.version.to_owned(),
            locked: view.locked,
            hand_ms,
            printer: view.printer.map(|printer| PrinterReport {
                state: printer.state.to_owned(),
                near_end: printer.near_end.is_some(),
            }),
            open: view
                .open
                .into_iter()
                .map(|open| OpenReport {
                    key: open.key,
                    device: open.device,
                    kind: open.kind.into(),
                    stage: open.stage.into(),
                    money: open.money.map(Name::from),
                    total_cents: open.total_cents,
                    since_ms: 0,
                })
                .collect(),
        };
        let keys: Vec<Key> = report.open.iter().map(key_of).collect();
        self.seen.retain(|key, _| keys.contains(key));
        for open in &mut report.open {
            open.since_ms = since_ms(*self.seen.entry(key_of(open)).or_insert_with(now));
        }
        report
    }

    /// Tells central how this device is, when that is due; `hand_ms` since a hand was seen.
    pub(super) fn tell(&mut self, central: &Central, board: &Board, hand_ms: Option<u64>) {
        if self.failed.is_some_and(|at| since_ms(at) < RETRY_MS) {
            return;
        }
        let report = self.report(board.view(), hand_ms);
        let is_told = self.said.as_ref().is_some_and(|(said, at)| {
            since_ms(*at) < AGAIN_MS && timeless(said) == timeless(&report)
        });
        if is_told {
            return;
        }
        match central.post::<_, HeardReply>("/terminals/report", &report) {
            Ok(_) => {
                self.said = Some((report, now()));
                self.failed = None;
            }
            Err(fault) => {
                // An older central does not listen.
                tracing::debug!(%fault, "a report was not heard");
                self.failed = Some(now());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use keno_wire::coded::{CommandKind, Stage};
    use keno_wire::request::CommandKey;

    use super::*;

    #[test]
    fn how_long_a_command_is_open_is_no_news_and_all_else_is() {
        let report = |stage: Stage, since_ms| TerminalReport {
            version: String::new(),
            locked: false,
            hand_ms: None,
            printer: None,
            open: vec![OpenReport {
                key: CommandKey {
                    session: 1,
                    counter: 1,
                },
                device: None,
                kind: CommandKind::Sale.into(),
                stage: stage.into(),
                money: None,
                total_cents: 1,
                since_ms,
            }],
        };
        assert_eq!(
            timeless(&report(Stage::Asking, 1)),
            timeless(&report(Stage::Asking, 2))
        );
        assert_ne!(
            timeless(&report(Stage::Asking, 1)),
            timeless(&report(Stage::Parked, 1))
        );
    }
}
