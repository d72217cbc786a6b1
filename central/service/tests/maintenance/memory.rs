//! The writer's memory as a text, to compare what was recovered with what was there.

use std::fmt::Write;

use keno_game::DrawState;
use keno_record::state::{Draw, State};

/// How many finished draws are compared: a recovery may hold more of them.
const FINISHED_COMPARED: usize = 40;

/// The memory as lines that two states share when they judge alike: rules, people, devices,
/// sessions, tills, draws, keys, wagers, liability, marks. The settlement under way is not part
/// of it (it is computed again), nor is what only counts changes.
pub fn digest(state: &State) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_digest(state, &mut text);
    text
}

fn write_digest(state: &State, text: &mut String) -> std::fmt::Result {
    writeln!(text, "house {:?}", state.house)?;
    writeln!(
        text,
        "edge {} {}",
        state.edge.size(),
        hex::encode(state.edge.root())
    )?;
    writeln!(
        text,
        "marks suspended {:?} halted {:?} fence {} last {}",
        state.sales_suspended, state.schedule_halted, state.fence, state.last_at_ms
    )?;
    writeln!(
        text,
        "silences {:?} after {:?}",
        state.silences, state.served
    )?;
    writeln!(
        text,
        "next session {} shift {}",
        state.next_session, state.next_shift
    )?;
    for (version, rules) in &state.rule_books {
        writeln!(
            text,
            "rules {version} from {} leaf {} {}",
            rules.effective_from,
            rules.leaf,
            hex::encode(rules.hash)
        )?;
    }
    for (index, table) in state.tables.iter().enumerate() {
        writeln!(text, "table {index} {table:?}")?;
    }
    in_order(text, "person", state.people.iter())?;
    in_order(text, "device", state.devices.iter())?;
    in_order(text, "handed over", state.handed_over.iter())?;
    in_order(text, "session", state.sessions.iter())?;
    in_order(text, "shift", state.shifts.iter())?;
    in_order(text, "key", state.keys.iter())?;
    write_draws(state, text)?;
    for (draw, wagers) in &state.single {
        writeln!(text, "single {draw} {wagers:?}")?;
    }
    // A wager that only finished draws had may still wait to be let go.
    let oldest = state
        .draws
        .values()
        .find(|draw| !is_finished(draw))
        .map_or(u64::MAX, |draw| draw.number);
    for ranged in state.ranged.iter().filter(|ranged| ranged.last >= oldest) {
        writeln!(text, "ranged {ranged:?}")?;
    }
    for way in state.ways.iter().filter(|way| way.last >= oldest) {
        writeln!(text, "way {way:?}")?;
    }
    for (draw, sums) in &state.liability {
        let sums: std::collections::BTreeMap<_, _> =
            sums.iter().filter(|(_, cents)| **cents != 0).collect();
        writeln!(text, "liability {draw} {sums:?}")?;
    }
    let mut sets: Vec<u128> = state.drawn_sets.iter().copied().collect();
    sets.sort_unstable();
    writeln!(text, "drawn {sets:?}")
}

fn is_finished(draw: &Draw) -> bool {
    matches!(draw.state, DrawState::Settled | DrawState::Void)
}

/// An unfinished draw counts as a whole. A finished one may come from rows, which hold neither
/// the times of its leaves nor the hash of its rules.
fn write_draws(state: &State, text: &mut String) -> std::fmt::Result {
    let finished = state.draws.values().filter(|draw| is_finished(draw));
    let skipped = finished.count().saturating_sub(FINISHED_COMPARED);
    let mut seen = 0;
    for draw in state.draws.values() {
        if !is_finished(draw) {
            writeln!(text, "draw {draw:?}")?;
            continue;
        }
        seen += 1;
        if seen > skipped {
            let plain = Draw {
                leaves: Vec::new(),
                rule_book_hash: None,
                ..draw.clone()
            };
            writeln!(text, "draw {plain:?}")?;
        }
    }
    Ok(())
}

fn in_order<K: Ord + std::fmt::Debug, V: std::fmt::Debug>(
    text: &mut String,
    what: &str,
    entries: impl Iterator<Item = (K, V)>,
) -> std::fmt::Result {
    let mut lines: Vec<(K, V)> = entries.collect();
    lines.sort_by(|one, other| one.0.cmp(&other.0));
    for (key, value) in lines {
        writeln!(text, "{what} {key:?} {value:?}")?;
    }
    Ok(())
}
