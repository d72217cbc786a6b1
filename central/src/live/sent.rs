//! Which events lead from what was sent to what is now: pure.

use std::collections::BTreeMap;

use actix_web::web::Bytes;
use keno_wire::reply::{DrawView, Snapshot};
use serde::Serialize;

#[derive(Serialize)]
struct DrawEvent<'a> {
    seq: u64,
    role: &'a str,
    draw: &'a DrawView,
}

#[derive(Serialize)]
struct BallEvent {
    seq: u64,
    draw: u64,
    position: usize,
    number: u8,
}

#[derive(Serialize)]
pub(super) struct Heartbeat {
    pub(super) seq: u64,
    pub(super) central_ms: i64,
}

/// An event as it stands in the stream.
pub(super) fn encoded(name: &str, data: &impl Serialize) -> Option<Bytes> {
    let json = serde_json::to_string(data)
        .inspect_err(|error| tracing::error!(%error, "a live event could not be encoded"))
        .ok()?;
    Some(Bytes::from(format!("event: {name}\ndata: {json}\n\n")))
}

/// A snapshot for all who come while nothing changes.
#[derive(Debug)]
pub(super) struct Whole {
    /// From then on something may show by the clock alone.
    pub(super) until_ms: i64,
    /// The event.
    pub(super) encoded: Bytes,
}

/// What was sent so far, so that only news is sent.
#[derive(Debug, Default)]
pub(super) struct Sent {
    pub(super) seq: u64,
    pub(super) current: Option<DrawView>,
    pub(super) next: Option<DrawView>,
    pub(super) last: BTreeMap<u64, DrawView>,
    pub(super) sales_suspended: bool,
    pub(super) cap_cents: i64,
    pub(super) heartbeat_at_ms: Option<i64>,
    pub(super) whole: Option<Whole>,
    is_started: bool,
}

impl Sent {
    fn next_seq(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }

    /// The next event: a draw as it stands now.
    fn of_draw(&mut self, role: &str, draw: &DrawView) -> Option<Bytes> {
        let seq = self.next_seq();
        encoded("draw", &DrawEvent { seq, role, draw })
    }

    /// What every client has by now, as an event: of `now` it takes what never changes. Something
    /// may have been committed since, which whoever comes then gets as news, like all the others.
    pub(super) fn whole_of(&self, mut now: Snapshot) -> Option<Bytes> {
        now.current.clone_from(&self.current);
        now.next.clone_from(&self.next);
        now.last = self.last.values().rev().cloned().collect();
        now.sales_suspended = self.sales_suspended;
        now.cap_cents = self.cap_cents;
        encoded("snapshot", &now)
    }

    /// Takes a snapshot as sent.
    fn remember(&mut self, now: &Snapshot) {
        self.current = now.current.clone();
        self.next = now.next.clone();
        self.last = now
            .last
            .iter()
            .map(|draw| (draw.draw.draw, draw.clone()))
            .collect();
        self.sales_suspended = now.sales_suspended;
        self.cap_cents = now.cap_cents;
        self.is_started = true;
    }

    /// Events that lead from what was sent to `now`.
    pub(super) fn news(&mut self, now: &Snapshot) -> Vec<Bytes> {
        let mut events = Vec::new();
        let must_restart = !self.is_started
            || self.sales_suspended != now.sales_suspended
            || self.cap_cents != now.cap_cents
            || (self.current.is_some() && now.current.is_none())
            || (self.next.is_some() && now.next.is_none());
        if must_restart {
            let seq = self.next_seq();
            let whole = Snapshot { seq, ..now.clone() };
            events.extend(encoded("snapshot", &whole));
        } else {
            self.news_of_current(now, &mut events);
            if now.next != self.next
                && let Some(draw) = &now.next
            {
                events.extend(self.of_draw("next", draw));
            }
            // Oldest first, so that a client's list ends in order.
            for draw in now.last.iter().rev() {
                if self.last.get(&draw.draw.draw) != Some(draw) {
                    events.extend(self.of_draw("last", draw));
                }
            }
        }
        self.remember(now);
        self.whole.take_if(|_| !events.is_empty());
        events
    }

    fn news_of_current(&mut self, now: &Snapshot, events: &mut Vec<Bytes>) {
        let Some(draw) = &now.current else { return };
        let sent = self.current.take();
        let shown_before = sent
            .as_ref()
            .filter(|sent| sent.draw.draw == draw.draw.draw)
            .map_or(0, |sent| sent.balls.len());
        let but_for_balls = |view: &DrawView| DrawView {
            balls: Vec::new(),
            ..view.clone()
        };
        let is_same = sent
            .as_ref()
            .is_some_and(|sent| but_for_balls(sent) == but_for_balls(draw));
        let sent_balls = sent.as_ref().map_or(&[][..], |sent| &sent.balls);
        let is_corrected = !draw.balls.starts_with(&sent_balls[..shown_before]);
        if !is_same || is_corrected {
            // The draw as it stood before the numbers of this step: they follow one by one.
            let mut before = draw.clone();
            before.balls.truncate(shown_before);
            events.extend(self.of_draw("current", &before));
        }
        for (at, number) in draw.balls.iter().enumerate().skip(shown_before) {
            let seq = self.next_seq();
            let event = BallEvent {
                seq,
                draw: draw.draw.draw,
                position: at + 1,
                number: *number,
            };
            events.extend(encoded("ball", &event));
        }
    }
}

#[cfg(test)]
mod tests {
    use keno_wire::reply::DrawTime;

    use super::*;

    fn draw(number: u64, state: &str, balls: &[u8]) -> DrawView {
        DrawView {
            draw: DrawTime {
                draw: number,
                draws_at_ms: 0,
                local: String::new(),
                zone_mark: String::new(),
            },
            state: state.into(),
            closes_at_ms: 0,
            source: "computer".into(),
            ball_set: None,
            balls: balls.to_vec(),
            drawn: 20,
            pool: 80,
            cap_cents: 1,
            commitments: Vec::new(),
            seal: None,
            settlement: None,
            leaves: Vec::new(),
        }
    }

    fn picture(current: DrawView, last: Vec<DrawView>) -> Snapshot {
        Snapshot {
            seq: 0,
            central_ms: 0,
            house_name: String::new(),
            current: Some(current),
            next: Some(draw(9, "open", &[])),
            last,
            sales_suspended: false,
            ball_interval_ms: 2_000,
            cap_cents: 1,
        }
    }

    /// Name and data of each event.
    fn read(events: &[Bytes]) -> Vec<(String, serde_json::Value)> {
        events
            .iter()
            .map(|event| {
                let text = std::str::from_utf8(event).unwrap();
                let (name, rest) = text
                    .strip_prefix("event: ")
                    .unwrap()
                    .split_once('\n')
                    .unwrap();
                let data = rest.strip_prefix("data: ").unwrap().trim_end();
                (name.to_owned(), serde_json::from_str(data).unwrap())
            })
            .collect()
    }

    #[test]
    fn events_lead_from_one_picture_to_the_next_without_a_gap() {
        let mut sent = Sent::default();
        let mut seqs = Vec::new();
        let steps = [
            (picture(draw(8, "closed", &[]), vec![]), vec!["snapshot"]),
            (picture(draw(8, "closed", &[]), vec![]), vec![]),
            (
                picture(draw(8, "drawn", &[7]), vec![]),
                vec!["draw", "ball"],
            ),
            (picture(draw(8, "drawn", &[7, 3]), vec![]), vec!["ball"]),
            // Two moments passed while nobody looked: both numbers come, in order.
            (
                picture(draw(8, "drawn", &[7, 3, 80, 1]), vec![]),
                vec!["ball", "ball"],
            ),
            (
                picture(
                    draw(8, "official", &[7, 3, 80, 1]),
                    vec![draw(8, "official", &[7, 3, 80, 1])],
                ),
                vec!["draw", "draw"],
            ),
        ];
        for (now, names) in steps {
            let events = read(&sent.news(&now));
            let got: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(got, names);
            seqs.extend(events.iter().map(|(_, data)| data["seq"].as_u64().unwrap()));
        }
        assert_eq!(seqs, (1..=8).collect::<Vec<u64>>());
    }

    #[test]
    fn a_stop_of_sales_is_told_by_a_new_snapshot() {
        let mut sent = Sent::default();
        let before = picture(draw(8, "closed", &[]), vec![]);
        sent.news(&before);
        let mut stopped = before;
        stopped.sales_suspended = true;
        let events = read(&sent.news(&stopped));
        assert_eq!(events.len(), 1);
        assert_eq!(events[0].0, "snapshot");
        assert_eq!(events[0].1["sales_suspended"], true);
    }
}
