//! Lines that never overflow: every text of every paper goes through here.

use keno_words::{Say, both, paper};

use crate::paper::{Align, Fact, Line, Mark, Paper, Size, Span, TextLine, Width};
use crate::text::printable;

/// French puts a space before these, at which a line must not end; `«` has one after it.
const KEPT_WITH_THE_WORD_BEFORE: [&str; 6] = [":", ";", "!", "?", "»", "%"];

/// The words of a text, with the signs that belong to them.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(before) if KEPT_WITH_THE_WORD_BEFORE.contains(&word) || before == "«" => {
                before.push('\u{A0}');
                before.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// Cuts a text into lines of at most `columns` characters, between words where it can. The
/// no-break space keeps words together unless a word alone is longer than a line.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0_usize;
    for word in words(text) {
        let word = word.as_str();
        let length = word.chars().count();
        if used > 0 && used + 1 + length <= columns {
            line.push(' ');
            line.push_str(word);
            used += 1 + length;
            continue;
        }
        if used > 0 {
            lines.push(std::mem::take(&mut line));
        }
        let mut rest: Vec<char> = word.chars().collect();
        while rest.len() > columns {
            let cut = rest
                .iter()
                .take(columns)
                .rposition(|&character| character == '\u{00A0}')
                .filter(|&position| position > 0)
                .unwrap_or(columns);
            let tail = rest.split_off(cut);
            lines.push(rest.into_iter().collect());
            rest = tail
                .into_iter()
                .skip_while(|&character| character == '\u{00A0}')
                .collect();
        }
        used = rest.len();
        line = rest.into_iter().collect();
    }
    if used > 0 {
        lines.push(line);
    }
    lines
}

/// A local time without a break in it.
pub fn unbroken(time: &str) -> String {
    time.replace(' ', "\u{A0}")
}

/// A paper in the making.
pub struct Draft {
    width: Width,
    fact: Option<Fact>,
    lines: Vec<Line>,
}

impl Draft {
    /// An empty paper.
    pub fn new(width: Width) -> Self {
        Self {
            width,
            fact: None,
            lines: Vec::new(),
        }
    }

    /// The lines that `write` adds state a fact of s. 82.
    pub fn stating(&mut self, fact: Fact, write: impl FnOnce(&mut Self)) {
        let before = self.fact.replace(fact);
        write(self);
        self.fact = before;
    }

    /// True when the paper is the narrow one.
    pub fn is_narrow(&self) -> bool {
        self.width == Width::Narrow
    }

    fn columns(&self) -> usize {
        self.width.columns()
    }

    fn push(&mut self, mark: Mark) {
        self.lines.push(Line {
            fact: self.fact,
            mark,
        });
    }

    fn push_text(&mut self, text: String, bold: bool, align: Align, size: Size) {
        self.push(Mark::Text(TextLine {
            spans: vec![Span { text, bold }],
            align,
            size,
        }));
    }

    fn push_left(&mut self, text: String, bold: bool) {
        self.push_text(text, bold, Align::Left, Size::Normal);
    }

    /// Text in the middle, wrapped.
    pub fn centre(&mut self, text: &str, size: Size, bold: bool) {
        let columns = self.columns() / size.width_factor();
        for line in wrap(&printable(text), columns) {
            self.push_text(line, bold, Align::Centre, size);
        }
    }

    /// Words in the middle, the French in this size and bold, the English below them.
    pub fn title(&mut self, words: &dyn Say, size: Size) {
        self.centre(&words.fr(), size, true);
        self.centre(&words.en(), Size::Normal, false);
    }

    /// A sentence in both languages, the French in bold.
    pub fn sentence(&mut self, words: &dyn Say) {
        self.left_styled(0, &words.fr(), Size::Normal, true);
        self.left(0, &words.en());
    }

    /// Text from the left margin, `indent` columns in, wrapped under itself.
    pub fn left(&mut self, indent: usize, text: &str) {
        self.left_styled(indent, text, Size::Normal, false);
    }

    /// As [`Draft::left`], in a size and weight.
    pub fn left_styled(&mut self, indent: usize, text: &str, size: Size, bold: bool) {
        let columns = (self.columns() / size.width_factor()).saturating_sub(indent);
        for line in wrap(&printable(text), columns) {
            self.push_text(format!("{:indent$}{line}", ""), bold, Align::Left, size);
        }
    }

    /// A text at the left and one at the right margin: on one line when both fit with two
    /// spaces between them, else below each other.
    pub fn pair(&mut self, indent: usize, left: &str, right: &str) {
        self.pair_styled(indent, left, right, false);
    }

    /// As [`Draft::pair`], in bold.
    pub fn pair_bold(&mut self, indent: usize, left: &str, right: &str) {
        self.pair_styled(indent, left, right, true);
    }

    /// A value under its name in one language and in the other.
    pub fn pair_each(&mut self, indent: usize, name: &dyn Say, value: &dyn Say) {
        self.pair(indent, &name.fr(), &value.fr());
        self.pair(indent, &name.en(), &value.en());
    }

    /// As [`Draft::pair_each`], the French in bold.
    pub fn pair_each_bold(&mut self, name: &dyn Say, value: &dyn Say) {
        self.pair_bold(0, &name.fr(), &value.fr());
        self.pair(0, &name.en(), &value.en());
    }

    fn pair_styled(&mut self, indent: usize, left: &str, right: &str, bold: bool) {
        let (left, right) = (printable(left), printable(right));
        let (left, right) = (left.trim(), right.trim());
        if right.is_empty() {
            self.left_styled(indent, left, Size::Normal, bold);
            return;
        }
        let columns = self.columns();
        let taken = indent + left.chars().count() + right.chars().count();
        if taken + 2 <= columns {
            let gap = columns - taken;
            self.push_left(format!("{:indent$}{left}{:gap$}{right}", "", ""), bold);
            return;
        }
        let room = columns.saturating_sub(indent);
        let mut lines = wrap(left, room);
        let last = lines.pop().unwrap_or_default();
        for line in lines {
            self.push_left(format!("{:indent$}{line}", ""), bold);
        }
        // The last line of a long left text may have room for the right one.
        if indent + last.chars().count() + 2 + right.chars().count() <= columns {
            self.pair_styled(indent, &last, right, bold);
            return;
        }
        self.left_styled(indent, &last, Size::Normal, bold);
        for line in wrap(right, room) {
            self.push_left(format!("{line:>columns$}"), bold);
        }
    }

    /// A rule across the paper.
    pub fn rule(&mut self) {
        let columns = self.columns();
        self.push(Mark::Rule(columns));
    }

    /// The claim code as a QR of about 25 mm.
    pub fn qr(&mut self, payload: String) {
        let module_dots = if self.is_narrow() { 5 } else { 6 };
        self.push(Mark::Qr {
            payload,
            module_dots,
        });
    }

    /// The control number as bars.
    pub fn itf(&mut self, digits: String) {
        let bar_dots = if self.is_narrow() { 2 } else { 3 };
        self.push(Mark::Itf { digits, bar_dots });
    }

    /// Empty lines.
    pub fn feed(&mut self, lines: u8) {
        self.push(Mark::Feed(lines));
    }

    /// The last line, which a clerk is asked about, and the cut.
    pub fn finish(mut self) -> Paper {
        self.fact = None;
        let end = format!("*** {}", both(&paper::End));
        self.push_text(end, true, Align::Centre, Size::Normal);
        self.push(Mark::Cut);
        Paper {
            width: self.width,
            lines: self.lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_and_long_ones_cut() {
        assert_eq!(wrap("un deux trois", 8), ["un deux", "trois"]);
        assert_eq!(
            wrap("anticonstitutionnellement", 10),
            ["anticonsti", "tutionnell", "ement"]
        );
        assert_eq!(wrap("(01\u{A0}02\u{A0}03)", 7), ["(01\u{A0}02", "03)"]);
        assert_eq!(wrap("", 7), Vec::<String>::new());
        assert_eq!(wrap("à part : oui", 6), ["à", "part\u{A0}:", "oui"]);
        assert_eq!(
            wrap("dit « oui » ici", 7),
            ["dit", "«\u{A0}oui\u{A0}»", "ici"]
        );
        assert_eq!(wrap(": seul", 4), [":", "seul"]);
    }

    #[test]
    fn a_pair_is_one_line_or_several() {
        let mut draft = Draft::new(Width::Narrow);
        draft.pair(1, "gauche", "droite");
        draft.pair(0, "une phrase assez longue à gauche", "droite");
        draft.pair(0, "une phrase encore plus longue à gauche", "droite");
        let texts = draft.finish().texts();
        assert_eq!(
            texts,
            [
                " gauche                   droite",
                "une phrase assez longue à gauche",
                "                          droite",
                "une phrase encore plus longue à",
                "gauche                    droite",
                "*** FIN / END"
            ]
        );
    }
}
