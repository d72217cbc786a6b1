//! The person at the counter: sentences in both languages, and questions.

use std::io::{BufRead, Write};

use keno_slip::money::{english, french};
use keno_wire::Problem;
use keno_wire::reply::Bilingual;

use crate::config::Language;

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
    /// The amount that was told last, for a page that asks for it to be confirmed: a price, or
    /// what can be paid.
    pub amount_cents: Option<i64>,
}

impl Desk<'_> {
    const fn order<'t>(&self, fr: &'t str, en: &'t str) -> [&'t str; 2] {
        match self.language {
            Language::Fr => [fr, en],
            Language::En => [en, fr],
        }
    }

    /// A fact.
    pub fn tell(&mut self, fr: &str, en: &str) {
        for line in self.order(fr, en) {
            // Nobody reads: the fact stands in the journal and at central all the same.
            let _ = writeln!(self.output, "{line}");
        }
    }

    /// A line that is the same in both languages.
    pub fn tell_line(&mut self, line: &str) {
        let _ = writeln!(self.output, "{line}");
    }

    /// A trouble, a refusal or a hint.
    pub fn note(&mut self, fr: &str, en: &str) {
        for line in self.order(fr, en) {
            let _ = writeln!(self.notes, "{line}");
        }
    }

    /// A sentence of central.
    pub fn tell_bilingual(&mut self, sentence: &Bilingual) {
        self.tell(&sentence.fr, &sentence.en);
    }

    /// A refusal of central: the sentences, and where on the slip.
    pub fn note_problem(&mut self, problem: &Problem) {
        self.note(&problem.title.fr, &problem.title.en);
        if let Some(selection) = problem.selection {
            let letter = keno_slip::selection_letter(usize::from(selection));
            self.note(
                &format!("Sélection {letter}"),
                &format!("Selection {letter}"),
            );
        }
        if let Some(field) = &problem.field {
            self.note(&format!("Champ : {field}"), &format!("Field: {field}"));
        }
        if let Some(draw) = problem.next_draw {
            let draw = keno_slip::money::draw_number(draw);
            self.note(
                &format!("Le prochain tirage en vente est le {draw}."),
                &format!("The next draw on sale is {draw}."),
            );
        }
        let _ = writeln!(self.notes, "({})", problem.name());
        if problem.name() == "no_open_till" {
            self.note(
                "Conseil : « keno-terminal sign-on --float-cents 20000 » ouvre la caisse.",
                "hint: \"keno-terminal sign-on --float-cents 20000\" opens the till.",
            );
        }
    }

    /// A sentence about an amount, which replaces `{}`.
    pub fn tell_amount(&mut self, fr: &str, en: &str, cents: i64) {
        self.tell(
            &fr.replace("{}", &french(cents)),
            &en.replace("{}", &english(cents)),
        );
    }

    /// A line typed by the person; none when nobody answers.
    pub fn ask(&mut self, fr: &str, en: &str) -> Option<String> {
        self.note(fr, en);
        let _ = write!(self.notes, "> ");
        let _ = self.notes.flush();
        let mut line = String::new();
        match self.input.read_line(&mut line) {
            Ok(count) if count > 0 => Some(line.trim().to_owned()),
            _ => None,
        }
    }

    /// A line typed without being shown.
    pub fn ask_secret(&mut self, fr: &str, en: &str) -> Option<String> {
        (self.echo)(false);
        let answer = self.ask(fr, en);
        (self.echo)(true);
        let _ = writeln!(self.notes);
        answer
    }

    /// `1` yes, `0` no; anything else is asked again twice, then nobody has answered.
    pub fn ask_yes(&mut self, fr: &str, en: &str) -> Option<bool> {
        for _ in 0..3 {
            match self
                .ask(
                    &format!("{fr}  [1] oui  [0] non"),
                    &format!("{en}  [1] yes  [0] no"),
                )?
                .as_str()
            {
                "1" => return Some(true),
                "0" => return Some(false),
                _ => {}
            }
        }
        None
    }
}
