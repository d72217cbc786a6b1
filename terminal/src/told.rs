//! What a person is told while a command is at work, and what that person is asked. Both are values:
//! how a line is shown and how a question is put is the business of whoever gave the command.

use keno_wire::Problem;
use keno_wire::reply::Bilingual;
use keno_words::{Say, agent as words};

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A fact: a price, a verdict, a number.
    Fact(Bilingual),
    /// A fact that is the same in both languages.
    Plain(String),
    /// A trouble, a refusal of this device, or a hint.
    Note(Bilingual),
    /// What central refused.
    Refusal(Box<Problem>),
    /// What was asked.
    Question(Bilingual),
}

impl Line {
    /// True of what was found out; the rest are troubles, hints and questions.
    pub const fn is_fact(&self) -> bool {
        matches!(self, Self::Fact(_) | Self::Plain(_))
    }

    /// The sentence; of a refusal what central says.
    pub fn sentence(&self) -> Bilingual {
        match self {
            Self::Fact(sentence) | Self::Note(sentence) | Self::Question(sentence) => {
                sentence.clone()
            }
            Self::Plain(line) => Bilingual::of(line),
            Self::Refusal(problem) => problem.sentence.clone(),
        }
    }
}

/// A question that is answered by yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Is the wager here, and is the ticket to be issued?
    IssueTicket,
    /// Are these amounts to be paid?
    PayAmounts,
    /// Is the paper of an earlier try whole?
    PaperIsWhole,
    /// Is a duplicate to be printed again?
    PrintAgain,
    /// Does the player's money stay in an envelope?
    MoneyIsKept,
    /// Was the evidence seen, and is this device to begin anew?
    BeginAnew,
}

keno_words::says! { Choice: agent { IssueTicket, PayAmounts, PaperIsWhole, PrintAgain, MoneyIsKept, BeginAnew } }

impl Choice {
    /// The question, and how it is answered.
    pub fn sentence(self) -> Bilingual {
        Bilingual::of(&words::YesOrNo { question: &self })
    }
}

/// Something that is typed or scanned when it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// Badge of who signs on.
    Badge,
    /// PIN of who signs on.
    Pin,
    /// The PIN that counts from now on.
    NewPin,
    /// Badge of the second person.
    SecondBadge,
    /// PIN of the second person.
    SecondPin,
    /// Badge of who lets this device begin anew.
    BeginAnewBadge,
}

// What is asked.
keno_words::says! { Entry: agent { Badge, Pin, NewPin, SecondBadge, SecondPin, BeginAnewBadge } }

impl Entry {
    /// True of what nobody else may see while it is typed.
    pub const fn is_secret(self) -> bool {
        matches!(self, Self::Pin | Self::NewPin | Self::SecondPin)
    }
}

/// Who gave a command: hears each line when it is said, since some have to be known before the
/// journal says that they are, and answers what is asked in the middle.
pub trait Person {
    /// Hears a line; questions come by the other two.
    fn hear(&mut self, _line: &Line) {}

    /// Yes or no; none when nobody answers.
    fn decide(&mut self, _choice: Choice) -> Option<bool> {
        None
    }

    /// What is typed or scanned; none when nobody answers.
    fn enter(&mut self, _entry: Entry) -> Option<String> {
        None
    }
}

/// A person who is not there: hears nothing and answers nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Person for Nobody {}

/// What was told so far, and to whom.
pub struct Told<'a> {
    person: Box<dyn Person + 'a>,
    lines: Vec<Line>,
}

impl<'a> Told<'a> {
    /// Nothing yet.
    pub fn to(person: impl Person + 'a) -> Self {
        Self {
            person: Box::new(person),
            lines: Vec::new(),
        }
    }

    /// What was told, taken out of here.
    pub fn take(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines)
    }

    /// The last refusal of central that was told.
    pub fn refusal(&self) -> Option<&Problem> {
        refusal_in(&self.lines)
    }

    fn say(&mut self, line: Line) {
        self.person.hear(&line);
        self.lines.push(line);
    }

    /// A fact.
    pub fn tell(&mut self, words: &dyn Say) {
        self.say(Line::Fact(Bilingual::of(words)));
    }

    /// A fact that is the same in both languages.
    pub fn tell_line(&mut self, line: &str) {
        self.say(Line::Plain(line.to_owned()));
    }

    /// A trouble, a refusal or a hint.
    pub fn note(&mut self, words: &dyn Say) {
        self.say(Line::Note(Bilingual::of(words)));
    }

    /// A refusal of central.
    pub fn note_problem(&mut self, problem: &Problem) {
        self.say(Line::Refusal(Box::new(problem.clone())));
    }

    /// Yes or no; none when nobody answers.
    pub fn decide(&mut self, choice: Choice) -> Option<bool> {
        self.lines.push(Line::Question(choice.sentence()));
        self.person.decide(choice)
    }

    /// What is typed or scanned; none when nobody answers.
    pub fn enter(&mut self, entry: Entry) -> Option<String> {
        self.lines.push(Line::Question(Bilingual::of(&entry)));
        self.person.enter(entry)
    }
}

/// The last refusal of central among lines.
pub fn refusal_in(lines: &[Line]) -> Option<&Problem> {
    lines.iter().rev().find_map(|line| match line {
        Line::Refusal(problem) => Some(&**problem),
        _ => None,
    })
}
