//! The person at the command line: lines in both languages, and questions.

use std::io::{BufRead, Write};

use keno_wire::Problem;
use keno_words::{Say, command as words};

use crate::config::Language;
use crate::told::{Choice, Entry, Line, Person};

/// Where the person reads and writes. Facts go to `output`, all else to `notes`.
pub struct Desk<'a> {
    /// What the person types.
    pub input: Box<dyn BufRead + 'a>,
    /// Facts: prices, verdicts, numbers.
    pub output: Box<dyn Write + 'a>,
    /// Questions, refusals, troubles.
    pub notes: Box<dyn Write + 'a>,
    /// Which language comes first.
    pub language: Language,
    /// Makes the terminal show, or not show, what is typed.
    pub echo: fn(bool),
}

/// How often a question is put before nobody has answered it.
const TRIES: usize = 3;

impl Desk<'_> {
    fn order(&self, words: &dyn Say) -> [String; 2] {
        match self.language {
            Language::Fr => [words.fr(), words.en()],
            Language::En => [words.en(), words.fr()],
        }
    }

    /// A fact.
    pub fn tell(&mut self, words: &dyn Say) {
        for line in self.order(words) {
            // Nobody reads: the fact stands in the journal and at central all the same.
            let _ = writeln!(self.output, "{line}");
        }
    }

    /// A line that is the same in both languages.
    pub fn tell_line(&mut self, line: &str) {
        let _ = writeln!(self.output, "{line}");
    }

    /// A trouble, a refusal or a hint.
    pub fn note(&mut self, words: &dyn Say) {
        for line in self.order(words) {
            let _ = writeln!(self.notes, "{line}");
        }
    }

    /// A refusal of central: the sentences, and where on the slip.
    fn note_problem(&mut self, problem: &Problem) {
        self.note(&problem.sentence);
        if let Some(selection) = problem.selection {
            let letter = keno_game::selection_letter(usize::from(selection));
            self.note(&words::Selection { letter: &letter });
        }
        if let Some(field) = &problem.field {
            self.note(&words::Field { field: &field });
        }
        if let Some(draw) = problem.next_draw {
            let draw = keno_slip::money::draw_number(draw);
            self.note(&words::NextDrawOnSale { draw: &draw });
        }
        let _ = writeln!(self.notes, "({})", problem.name());
        if problem.name() == "no_open_till" {
            self.note(&words::SignOnHint);
        }
    }

    /// A line typed by the person; none when nobody answers.
    pub fn ask(&mut self, words: &dyn Say) -> Option<String> {
        self.note(words);
        let _ = write!(self.notes, "> ");
        let _ = self.notes.flush();
        let mut line = String::new();
        match self.input.read_line(&mut line) {
            Ok(count) if count > 0 => Some(line.trim().to_owned()),
            _ => None,
        }
    }

    /// Codes of tickets, scanned or typed, until so many are given, or an empty line.
    pub fn ask_codes(&mut self, most: usize) -> Vec<String> {
        let mut codes = Vec::new();
        while codes.len() < most {
            let code = self.ask(&words::AskTicket);
            match code.filter(|code| !code.is_empty()) {
                Some(code) => codes.push(code),
                None => break,
            }
        }
        codes
    }

    /// A line typed without being shown.
    pub(super) fn ask_secret(&mut self, words: &dyn Say) -> Option<String> {
        (self.echo)(false);
        let answer = self.ask(words);
        (self.echo)(true);
        let _ = writeln!(self.notes);
        answer
    }
}

impl Person for Desk<'_> {
    fn hear(&mut self, line: &Line) {
        match line {
            Line::Fact(words) => self.tell(words),
            Line::Plain(line) => self.tell_line(line),
            Line::Note(words) | Line::Question(words) => self.note(words),
            Line::Refusal(problem) => self.note_problem(problem),
        }
    }

    /// `1` yes, `0` no; anything else is asked again twice, then nobody has answered.
    fn decide(&mut self, choice: Choice) -> Option<bool> {
        let question = choice.sentence();
        for _ in 0..TRIES {
            match self.ask(&question)?.as_str() {
                "1" => return Some(true),
                "0" => return Some(false),
                _ => {}
            }
        }
        None
    }

    fn enter(&mut self, entry: Entry) -> Option<String> {
        if entry.is_secret() {
            self.ask_secret(&entry)
        } else {
            self.ask(&entry)
        }
    }
}
