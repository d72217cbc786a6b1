//! The selections and wagers of a ticket: s. 82(1) and (2).

use keno_game::{SelectionType, selection_letter};
use keno_wire::reply::SelectionView;

use crate::fault::SlipFault;
use crate::layout::Draft;
use crate::money::{english, french};
use crate::paper::{Fact, Size};

/// Numbers stand under the name of the type, not under the letter.
const INDENT: usize = 3;

/// `s` for two and more.
const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn two_digits(numbers: &[u8], between: &str) -> String {
    let texts: Vec<String> = numbers
        .iter()
        .map(|number| format!("{number:02}"))
        .collect();
    texts.join(between)
}

/// The name of a type of selection, in French and English. A type that this version does not
/// know is printed by its own name rather than as another one.
fn kind_names(kind: &str) -> (String, String) {
    let Some(kind) = SelectionType::from_code(kind) else {
        return (kind.to_uppercase(), kind.to_owned());
    };
    let (first, rest) = kind.name_en().split_at(1);
    let name_en = format!("{}{rest}", first.to_uppercase());
    (kind.name_fr().to_uppercase(), name_en)
}

/// Writes one selection: its type and numbers, then what is wagered on it.
pub fn write(
    draft: &mut Draft,
    position: usize,
    selection: &SelectionView,
    draws: u32,
) -> Result<(), SlipFault> {
    let count = selection.kings.len() + selection.groups.iter().map(Vec::len).sum::<usize>();
    if count == 0 {
        return Err(SlipFault::NoNumbers);
    }
    if selection.per_draw_cents <= 0 {
        return Err(SlipFault::Wager);
    }
    let all_draws = selection
        .per_draw_cents
        .checked_mul(i64::from(draws))
        .ok_or(SlipFault::Wager)?;
    draft.stating(Fact::Selections, |draft| {
        write_numbers(draft, position, selection, count);
    });
    draft.stating(Fact::Wagers, |draft| {
        write_wager(draft, selection, draws, all_draws);
    });
    Ok(())
}

fn write_numbers(draft: &mut Draft, position: usize, selection: &SelectionView, count: usize) {
    let (name_fr, name_en) = kind_names(&selection.kind);
    let (pick_fr, pick_en) = if selection.quick_pick {
        ("MISE-ÉCLAIR", "Quick pick")
    } else {
        ("", "")
    };
    let many = plural(count);
    draft.pair_bold(
        0,
        &format!(
            "{}\u{A0} {name_fr}, {count} NUMÉRO{}",
            selection_letter(position),
            many.to_uppercase()
        ),
        pick_fr,
    );
    draft.pair(INDENT, &format!("{name_en}, {count} spot{many}"), pick_en);
    let kind = SelectionType::from_code(&selection.kind);
    let name = format!("{} / {}", selection.game_name.fr, selection.game_name.en);
    if kind.is_some_and(SelectionType::is_named) {
        // The name is what the patron asked for, and stands as large as the numbers it stands for.
        draft.left_styled(INDENT, &name, Size::Tall, true);
    } else if selection.game != keno_wire::request::default_game() {
        draft.left(INDENT, &name);
    }
    if !selection.kings.is_empty() {
        let many = plural(selection.kings.len());
        draft.left_styled(
            INDENT,
            &format!(
                "Roi{many} / King{many}\u{A0} {}",
                two_digits(&selection.kings, "\u{A0} ")
            ),
            Size::Tall,
            true,
        );
    }
    let numbers = if let ([group], true) = (selection.groups.as_slice(), selection.kings.is_empty())
    {
        two_digits(group, "\u{A0} ")
    } else {
        // No-break spaces hold a group together, so that it is cut only when it is longer
        // than a line.
        let groups: Vec<String> = selection
            .groups
            .iter()
            .map(|group| format!("({})", two_digits(group, "\u{A0}")))
            .collect();
        groups.join("\u{A0} ")
    };
    draft.left_styled(INDENT, &numbers, Size::Tall, true);
}

fn write_wager(draft: &mut Draft, selection: &SelectionView, draws: u32, all_draws: i64) {
    let kind = SelectionType::from_code(&selection.kind);
    if kind.is_none_or(SelectionType::has_ways) {
        for line in &selection.conditioning {
            let many = plural(usize::from(line.spots));
            draft.pair(
                INDENT,
                &format!(
                    "{}\u{A0}x\u{A0}{} numéro{many} {}",
                    line.ways,
                    line.spots,
                    french(line.wager_cents)
                ),
                &format!("{}/{} {}", line.ways, line.spots, english(line.wager_cents)),
            );
        }
    }
    let many = if draws == 1 { "" } else { "s" };
    draft.pair(
        INDENT,
        &format!(
            "Mise {} x {draws} tirage{many}",
            french(selection.per_draw_cents)
        ),
        &french(all_draws),
    );
    draft.pair(
        INDENT,
        &format!(
            "Wager {} x {draws} draw{many}",
            english(selection.per_draw_cents)
        ),
        &english(all_draws),
    );
}
