//! Publishing a version of the rules, by two people.

use keno_book::rules_file;
use keno_game::rules::RuleBook;
use keno_log::event::RuleBookPublished;
use keno_record::sequencer::Lane;

use crate::Stop;
use crate::central::Central;
use crate::central::house_file::people_needed;
use crate::refusal::Refusal;
use crate::staff::two_people::must_differ;

/// Publishes a version of the rules, by two people.
///
/// # Errors
/// [`Refusal::StaffTooFew`], [`Refusal::RuleBookFaulty`], [`Refusal::RuleBookVersion`],
/// [`Refusal::RuleBookTooEarly`], [`Refusal::SamePersonTwice`].
pub fn publish_rules(
    central: &Central,
    text: &str,
    effective_from: u64,
    by: &str,
    second: &str,
) -> Result<u64, Stop> {
    let fewest = central.house.staff.fewest;
    record_rules(central, text, effective_from, (by, second), |rules| {
        let faults = rules_file::hidden_signs(text);
        if !faults.is_empty() {
            return Err(Refusal::RuleBookFaulty { faults });
        }
        let needed = people_needed(rules);
        match fewest.filter(|stated| *stated < needed) {
            Some(stated) => Err(Refusal::StaffTooFew { needed, stated }),
            None => Ok(()),
        }
    })
}

/// Records a version of the rules, by two people: a new one, or the one in force with limits of
/// the house changed, which needs no other people. `judge` is asked about the rules once they are
/// read: reading takes up to seconds, since the returns are computed.
///
/// # Errors
/// [`Refusal::SamePersonTwice`], [`Refusal::RuleBookFaulty`], what `judge` says,
/// [`Refusal::RuleBookVersion`], [`Refusal::RuleBookTooEarly`].
pub(crate) fn record_rules(
    central: &Central,
    text: &str,
    effective_from: u64,
    (by, second): (&str, &str),
    judge: impl FnOnce(&RuleBook) -> Result<(), Refusal>,
) -> Result<u64, Stop> {
    must_differ(&central.view.get().people, by, second)?;
    let file = rules_file::read(text).map_err(|faults| Refusal::RuleBookFaulty { faults })?;
    judge(&file.rules)?;
    let event = RuleBookPublished {
        version: file.rules.version,
        effective_from,
        hash: file.hash,
        text: text.to_owned(),
        by: by.to_owned(),
        second: second.to_owned(),
    };
    central.sequencer.submit_blocking(Lane::Draw, move |judge| {
        let expected = judge
            .state
            .rule_books
            .keys()
            .next_back()
            .map_or(1, |last| last + 1);
        if event.version != expected {
            return Err(Refusal::RuleBookVersion { expected }.into());
        }
        // Cap, threshold and pool belong to the draw: a book that changes them starts after
        // the last draw that is announced; any other, after the last that is closed.
        let keeps_the_draws = judge.state.draws.values().all(|draw| {
            draw.number < effective_from
                || (draw.cap_cents == file.rules.cap.get()
                    && draw.full_below_cents == file.rules.cap_threshold.get()
                    && draw.pool_size == file.rules.pool.size()
                    && draw.drawn == file.rules.pool.drawn())
        });
        let last = judge.state.draws.keys().next_back().copied().unwrap_or(0);
        let earliest = if keeps_the_draws {
            judge.state.next_open().unwrap_or(last + 1)
        } else {
            last + 1
        };
        if effective_from < earliest {
            return Err(Refusal::RuleBookTooEarly { earliest }.into());
        }
        Ok(judge.record(event.clone())?)
    })
}
