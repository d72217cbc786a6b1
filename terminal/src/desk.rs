//! The person at the counter: sentences in both languages, and questions.

use std::io::{BufRead, Write};

use keno_slip::money::{english, french};
use keno_wire::Problem;
use keno_wire::damaged::FileView;
use keno_wire::reply::{
    Bilingual, CancelReply, CheckReply, CloseShiftReply, LostRefundReply, PayReply,
    PresentationReply, ShiftSheetReply, TicketView, TillCountReply, TillMovementReply,
};
use keno_wire::request::{CommandKey, Slip};
use serde::Serialize;

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
    /// The same for a page, which shows one language and lays facts out itself.
    pub kept: Kept,
}

/// What was told during a command, for a page.
#[derive(Debug, Default)]
pub struct Kept {
    /// The sentences, in their order.
    pub said: Vec<Sentence>,
    /// The key that was journaled for it.
    pub sent: Option<CommandKey>,
    /// What the command came to.
    pub fact: Option<PageFact>,
    /// The refusal of central that ended it.
    pub problem: Option<Box<Problem>>,
}

/// A sentence of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// A fact; else a trouble, a refusal or a hint.
    pub is_fact: bool,
    /// French.
    pub fr: String,
    /// English.
    pub en: String,
}

/// What a command came to, for a page that lays it out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum PageFact {
    /// A ticket was registered. Its claim code is never here: whoever reads the page could claim.
    Sale {
        /// The ticket.
        ticket: Box<TicketView>,
    },
    /// A ticket was looked up.
    Check {
        /// What central says.
        check: Box<CheckReply>,
        /// Its slip, to be sold again with the same numbers.
        again: Option<Slip>,
        /// The same with a new computer pick, where the computer had picked.
        new_pick: Option<Slip>,
    },
    /// A ticket was cancelled.
    Cancellation(CancelReply),
    /// Prizes were paid.
    Payment(PayReply),
    /// A ticket was presented as a claim.
    Presented(PresentationReply),
    /// The till was moved.
    TillMovement(TillMovementReply),
    /// The price of a lost ticket was given back.
    LostRefund(LostRefundReply),
    /// What was read from a damaged paper agrees with the record.
    PaperRead {
        /// What stands for the code of its ticket at this till.
        code: String,
    },
    /// A file of a damaged paper.
    File(Box<FileView>),
    /// The till was counted by two people and stays open.
    TillCounted(TillCountReply),
    /// The till was counted and closed.
    TillClosed {
        /// The count.
        closed: CloseShiftReply,
        /// The sheet of the shift, when central gave it.
        sheet: Option<Box<ShiftSheetReply>>,
    },
    /// The sheet of a shift.
    ShiftSheet {
        /// Its figures.
        sheet: Box<ShiftSheetReply>,
    },
    /// The holder of a ticket was not paid.
    PatronRefused {
        /// Stable name of the reason.
        reason: String,
    },
    /// A duplicate of a ticket was made.
    Duplicate {
        /// The ticket, without its claim code.
        ticket: Box<TicketView>,
    },
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
        self.keep(true, fr, en);
        for line in self.order(fr, en) {
            // Nobody reads: the fact stands in the journal and at central all the same.
            let _ = writeln!(self.output, "{line}");
        }
    }

    fn keep(&mut self, is_fact: bool, fr: &str, en: &str) {
        self.kept.said.push(Sentence {
            is_fact,
            fr: fr.to_owned(),
            en: en.to_owned(),
        });
    }

    /// A line that is the same in both languages.
    pub fn tell_line(&mut self, line: &str) {
        self.keep(true, line, line);
        let _ = writeln!(self.output, "{line}");
    }

    /// A trouble, a refusal or a hint.
    pub fn note(&mut self, fr: &str, en: &str) {
        self.keep(false, fr, en);
        self.write_note(fr, en);
    }

    /// What a page has from elsewhere.
    fn write_note(&mut self, fr: &str, en: &str) {
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
        self.kept.problem = Some(Box::new(problem.clone()));
        self.note(&problem.title.fr, &problem.title.en);
        if let Some(selection) = problem.selection {
            let letter = keno_game::selection_letter(usize::from(selection));
            self.write_note(
                &format!("Sélection {letter}"),
                &format!("Selection {letter}"),
            );
        }
        if let Some(field) = &problem.field {
            self.write_note(&format!("Champ : {field}"), &format!("Field: {field}"));
        }
        if let Some(draw) = problem.next_draw {
            let draw = keno_slip::money::draw_number(draw);
            self.write_note(
                &format!("Le prochain tirage en vente est le {draw}."),
                &format!("The next draw on sale is {draw}."),
            );
        }
        let _ = writeln!(self.notes, "({})", problem.name());
        if problem.name() == "no_open_till" {
            self.write_note(
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

    /// Codes of tickets, scanned or typed, until so many are given, or an empty line.
    pub fn ask_codes(&mut self, most: usize) -> Vec<String> {
        let mut codes = Vec::new();
        while codes.len() < most {
            let code = self.ask(
                "Billet : numérisez-le, ou tapez son numéro et ses 20 signes",
                "Ticket: scan it, or type its number and its 20 signs",
            );
            match code.filter(|code| !code.is_empty()) {
                Some(code) => codes.push(code),
                None => break,
            }
        }
        codes
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
