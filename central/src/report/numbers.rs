//! How often each number came up in official draws, by where they came from.

use keno_game::DrawSource;
use keno_log::event::BallsRecorded;
use keno_record::fault::Fault;
use keno_record::state::Frequency;
use keno_record::store::{draws, leaves};
use keno_schema::Connection;
use keno_words::{Say, report};

use super::sheet::{Section, Sheet, Value, columns, rows};
use super::{House, ReportFault};
use keno_wire::reply::Bilingual;

/// Draws read at a time.
const DRAWS_A_READ: i64 = 500;

/// Counts the numbers of every official draw, from their leaves.
pub fn read(connection: &mut Connection) -> Result<Vec<Frequency>, ReportFault> {
    let mut all = Vec::new();
    let mut after = 0;
    loop {
        let found = draws::official_after(connection, after, DRAWS_A_READ).map_err(Fault::from)?;
        let Some((last, _)) = found.last() else {
            return Ok(all);
        };
        after = last.number;
        let recorded: Vec<u64> = found
            .iter()
            .map(|(_, result)| result.recorded_leaf)
            .collect();
        let mut facts = leaves::facts(connection, &recorded)?;
        // Leaves come in their own order, draws in theirs.
        facts.sort_by_key(|fact| fact.event.draw());
        for ((draw, _), fact) in found.iter().zip(facts) {
            let leaf = fact.leaf;
            let foreign =
                || Fault::Record(format!("leaf {leaf} is not that of draw {}", draw.number));
            let body = BallsRecorded::try_from(fact.event).map_err(|_| foreign())?;
            if body.draw != draw.number {
                return Err(foreign().into());
            }
            let set = draw.ball_set.as_deref();
            let kind = (draw.source, set, draw.pool_size, draw.drawn);
            Frequency::add(&mut all, kind, &body.balls);
        }
    }
}

/// A figure in tenths, with a point.
fn tenths(figure: i64) -> Value {
    let sign = if figure < 0 { "-" } else { "" };
    let figure = figure.unsigned_abs();
    Value::Text(format!("{sign}{}.{}", figure / 10, figure % 10))
}

fn section(frequency: &Frequency) -> Section {
    let with = frequency
        .set
        .as_ref()
        .map(|set| report::DrawMachineWith { set });
    let source: &dyn Say = match (frequency.source == DrawSource::Balls.number(), &with) {
        (true, Some(with)) => with,
        (true, None) => &report::DrawMachine,
        (false, _) => &report::Computer,
    };
    let mut section = Section::new("numbers", source);
    let pool = report::DrawnOfPool {
        drawn: &frequency.drawn,
        pool_size: &frequency.pool_size,
    };
    let spread = i64::try_from(frequency.spread_tenths()).unwrap_or(i64::MAX);
    rows! { section:
        "pool" NumbersDrawn: Value::said(&pool),
        "draws" OfficialDraws: Value::Count(frequency.draws),
        "spread" SpreadOfNumbers: tenths(spread),
        "spread_expected" SpreadExpected: Value::Count(u64::from(frequency.pool_size.saturating_sub(1))),
    }
    let numbers: Vec<(u8, u64)> = frequency.numbers().collect();
    section.table(
        &numbers,
        columns![
            "number" Number: |(number, _)| Value::Numbers(vec![*number]),
            "times" TimesDrawn: |(_, times)| Value::Count(*times),
            "z" DeviationsAway: |(_, times)| tenths(frequency.z_tenths(*times)),
            "uneven" NoChance: |(_, times)| match frequency.is_uneven(*times) {
                true => Value::said(&report::NoChanceAnyMore),
                false => Value::Absent,
            },
        ],
        &report::None,
    );
    section.note(&report::NumbersAreJudged);
    section
}

/// What the leaves say, as a sheet.
pub fn sheet(house: &House, frequencies: &[Frequency]) -> Sheet {
    let mut sections: Vec<Section> = frequencies.iter().map(section).collect();
    if sections.is_empty() {
        let mut none = Section::new("numbers", &report::WinningNumbers);
        none.note(&report::None);
        sections.push(none);
    }
    Sheet {
        title: Bilingual::of(&report::NumbersSheet),
        house: house.name.clone(),
        made_at_ms: house.now_ms,
        calendar: house.calendar,
        sections,
    }
}
