//! The state as text, to compare two of them.

use super::State;

impl State {
    /// Everything that a state holds, a line a thing, in an order of its own. Left out is only what
    /// a start does not bring back: the count of changes.
    pub fn fingerprint(&self) -> Vec<String> {
        let state = self;
        fn sorted<T: std::fmt::Debug>(
            name: &str,
            things: impl IntoIterator<Item = T>,
        ) -> Vec<String> {
            let mut lines: Vec<String> = things
                .into_iter()
                .map(|thing| format!("{name} {thing:?}"))
                .collect();
            lines.sort();
            lines
        }
        let mut lines = vec![
            format!("house {:?}", state.house),
            format!("edge {:?} at {}", state.edge, state.last_at_ms),
            format!("leaves {:?}", state.leaves),
            format!("tables {:?}", state.tables),
            format!("next {} {}", state.next_session, state.next_shift),
            format!(
                "marks {:?} {:?}",
                state.sales_suspended, state.schedule_halted
            ),
            format!("fence {}", state.fence),
            format!("epoch {:?} {:?}", state.epoch, state.epochs),
            format!("silences {:?} after {:?}", state.silences, state.served),
        ];
        lines.extend(sorted("book", &state.rule_books));
        lines.extend(sorted("person", &state.people));
        lines.extend(sorted("acting", &state.acting));
        lines.extend(sorted("device", &state.devices));
        lines.extend(sorted("handed over", &state.handed_over));
        lines.extend(sorted("session", &state.sessions));
        lines.extend(sorted("shift", &state.shifts));
        lines.extend(state.draws.values().map(|draw| format!("draw {draw:?}")));
        lines.extend(sorted("key", state.keys.iter()));
        lines.extend(sorted("ended page", &state.ended_pages));
        lines.extend(sorted("last sale", &state.last_sales));
        lines.extend(sorted("set", &state.drawn_sets));
        lines.extend(sorted("frequency", &state.frequencies));
        lines.extend(sorted("ball set", &state.room.sets));
        lines.push(format!(
            "room {:?} {:?}",
            state.room.choice, state.room.open
        ));
        lines.push(format!("following {:?}", state.following.last));
        lines.extend(sorted("begun", &state.following.begun));
        lines.extend(sorted("waiting", &state.following.waiting));
        lines.extend(sorted("lost refund", &state.lost_refunds));
        lines.extend(sorted("judged file", &state.judged_files));
        // Ascending by ticket, whatever else: settlement rests on this order.
        lines.extend(
            state
                .single
                .iter()
                .map(|wagers| format!("single {wagers:?}")),
        );
        lines.extend(state.ranged.iter().map(|wager| format!("ranged {wager:?}")));
        lines.extend(state.ways.iter().map(|wager| format!("way {wager:?}")));
        for (draw, sums) in &state.liability {
            lines.extend(sorted(&format!("liability {draw}"), sums));
        }
        lines
    }
}
