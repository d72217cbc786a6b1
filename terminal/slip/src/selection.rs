//! The selections and wagers of a ticket: s. 82(1) and (2).

use keno_game::{SelectionType, selection_letter};
use keno_wire::coded::Name;
use keno_wire::reply::{Bilingual, SelectionView};
use keno_wire::slip::type_words;
use keno_words::{Money, Say, both, paper};

use crate::fault::SlipFault;
use crate::layout::Draft;
use crate::paper::{Fact, Size};

/// Numbers stand under the name of the type, not under the letter.
const INDENT: usize = 3;

/// Of one, or of several.
fn counted(count: usize, one: &'static dyn Say, several: &'static dyn Say) -> &'static dyn Say {
    if count == 1 { one } else { several }
}

/// What so many numbers are called.
pub fn numbers(count: u8) -> &'static dyn Say {
    counted(usize::from(count), &paper::Number, &paper::Numbers)
}

fn two_digits(numbers: &[u8], between: &str) -> String {
    let texts: Vec<String> = numbers
        .iter()
        .map(|number| format!("{number:02}"))
        .collect();
    texts.join(between)
}

/// The name of a type of selection. A type that this version does not
/// know is printed by its own name rather than as another one.
fn kind_name(kind: &Name<SelectionType>) -> Bilingual {
    let Name::Known(known) = kind else {
        let (fr, en) = (kind.as_str().to_uppercase(), kind.to_string());
        return Bilingual { fr, en };
    };
    let Bilingual { fr, en } = Bilingual::of(type_words(*known));
    let (first, rest) = en.split_at(1);
    Bilingual {
        fr: fr.to_uppercase(),
        en: format!("{}{rest}", first.to_uppercase()),
    }
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
    let name = kind_name(&selection.kind);
    let pick = selection.quick_pick.then_some(paper::QuickPick);
    let spots = counted(count, &paper::Spot, &paper::Spots);
    let letter = selection_letter(position);
    let line = format!("{letter}\u{A0} {}, {count} {}", name.fr, spots.fr());
    draft.pair_bold(0, &line, &pick.fr());
    let line = format!("{}, {count} {}", name.en, spots.en());
    draft.pair(INDENT, &line, &pick.en());
    let kind = selection.kind.known();
    let game = both(&selection.game_name);
    if kind.is_some_and(SelectionType::is_named) {
        // The name is what the patron asked for, and stands as large as the numbers it stands for.
        draft.left_styled(INDENT, &game, Size::Tall, true);
    } else if selection.game != keno_wire::request::default_game() {
        draft.left(INDENT, &game);
    }
    if !selection.kings.is_empty() {
        let kings = counted(selection.kings.len(), &paper::King, &paper::Kings);
        let numbers = two_digits(&selection.kings, "\u{A0} ");
        let line = format!("{}\u{A0} {numbers}", both(kings));
        draft.left_styled(INDENT, &line, Size::Tall, true);
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
    let kind = selection.kind.known();
    if kind.is_none_or(SelectionType::has_ways) {
        for line in &selection.conditioning {
            let (ways, spots) = (line.ways, line.spots);
            let (wager, numbers) = (Money(line.wager_cents), numbers(spots).fr());
            draft.pair(
                INDENT,
                &format!("{ways}\u{A0}x\u{A0}{spots} {numbers} {}", wager.fr()),
                &format!("{ways}/{spots} {}", wager.en()),
            );
        }
    }
    let (amount, draws) = (&Money(selection.per_draw_cents), &draws);
    let all_draws = Money(all_draws);
    match draws {
        1 => draft.pair_each(INDENT, &paper::WagerForDraw { amount, draws }, &all_draws),
        _ => draft.pair_each(INDENT, &paper::WagerForDraws { amount, draws }, &all_draws),
    }
}
