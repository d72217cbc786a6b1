//! Rows of a table of planted faults, read and done to a story; `planted_faults/README.md` says how
//! they are written.

use keno_log::hash::sha256;
use keno_log::{Event, EventKind, Hash};

use super::read::Cursor;
use super::scenario::person;
use super::value::{self, Kind, Value, inner, nothing, of_event, to_event};
use super::{Log, commitment, follower, hosts, room};

/// A row: what is done at each label, and what is expected.
#[derive(Debug, Clone)]
pub struct Row {
    /// As it stands in the table.
    pub text: String,
    pub places: Vec<Place>,
    /// The name of the finding; none where the log holds.
    pub finding: Option<String>,
    /// What the verifier in Python names instead, of what is wrong in that entry.
    pub strange: Option<String>,
    /// Whether something is found before it.
    pub is_later: bool,
    /// Label and offset of the entry that is named.
    pub named: (String, u64),
}

/// What stands at a label instead.
#[derive(Debug, Clone)]
pub struct Place {
    pub label: String,
    pub facts: Vec<Fact>,
}

/// A fact: where it is taken from, and what is changed in it.
#[derive(Debug, Clone)]
pub struct Fact {
    pub source: Source,
    pub changes: Vec<Change>,
}

#[derive(Debug, Clone)]
pub enum Source {
    /// What stands at the label.
    It,
    /// The header of what stands there.
    Header,
    /// What stands at another label.
    Label(String),
    /// A kind, with nothing in its fields.
    Kind(EventKind),
    /// As the story itself makes such facts.
    Made(Maker, Vec<Expression>),
}

/// How the story makes a fact that follows from more than its fields.
#[derive(Debug, Clone, Copy)]
pub enum Maker {
    /// Somebody with a badge and roles, as the two administrators record them.
    Person,
    /// A set of balls that passed, by its name.
    Measured,
    /// The keys of the hosts of a draw.
    HostsNamed,
    /// Who follows from now on: which key, and chosen by chance.
    Begun,
    /// What the follower says and signs of a draw: what it found, and in which entry.
    Followed,
    /// The same, by this key and begun so.
    FollowedBy,
    /// What the hosts of a draw sign of it.
    HostsSigned,
}

#[derive(Debug, Clone)]
pub struct Change {
    pub path: Vec<Step>,
    pub act: Act,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Field(String),
    Item(usize),
}

#[derive(Debug, Clone)]
pub enum Act {
    Put(Expression),
    Add(Expression),
    Take(Expression),
    /// Bits of a number or of a hash's byte.
    Flip(Expression),
    /// A list or a text has so many left.
    Cut(usize),
    /// A text for another, wherever it stands.
    Swap(String, String),
    /// The hash of the text that stands beside it.
    Rehashed,
    /// The price that follows from the selections.
    Repriced,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    Word(String),
    Quoted(String),
    /// The number of the entry at a label.
    At(String),
    /// What is in a field of what stands at the label.
    Of(Vec<Step>),
    Sum(Box<Expression>, i128),
    Repeated(Box<Expression>, usize),
    List(Vec<Expression>),
    Record(Vec<(String, Expression)>),
    Call(String, Vec<Expression>),
}

/// What a row may speak of: the log so far, and what stands at the label.
#[derive(Clone, Copy)]
struct Ground<'a> {
    log: &'a Log,
    it: Option<&'a Event>,
}

/// The rows of a table, and its faults by name.
pub fn rows(table: &str) -> Vec<Row> {
    Cursor::new(table).rows()
}

impl Row {
    /// What stands at a label by this row.
    pub fn change(&self, label: &str, events: &mut Vec<Event>, log: &Log) {
        for place in self.places.iter().filter(|place| place.label == label) {
            let it = events.first().cloned();
            let on = Ground {
                log,
                it: it.as_ref(),
            };
            let facts = place.facts.iter();
            let facts = facts.filter(|fact| !matches!(fact.source, Source::Header));
            let is_of_header = facts.clone().count() == 0 && !place.facts.is_empty();
            if !is_of_header {
                *events = facts.map(|fact| fact.event(on)).collect();
            }
        }
    }

    /// The header of what stands at a label, by this row.
    pub fn change_header(&self, label: &str, header: &mut keno_log::LeafHeader) {
        let places = self.places.iter().filter(|place| place.label == label);
        let facts = places.flat_map(|place| &place.facts);
        for fact in facts.filter(|fact| matches!(fact.source, Source::Header)) {
            for change in &fact.changes {
                change.of_header(header);
            }
        }
    }
}

impl Fact {
    fn event(&self, on: Ground<'_>) -> Event {
        let event = match &self.source {
            Source::It | Source::Header => on.it.unwrap().clone(),
            Source::Label(label) => on.log.event(label),
            Source::Kind(kind) => to_event(*kind, &value::record_of(kind.fields())),
            Source::Made(maker, arguments) => maker.event(arguments, on),
        };
        let mut body = of_event(&event);
        for change in &self.changes {
            change.act_on(&mut body, event.kind(), on);
        }
        to_event(event.kind(), &body)
    }
}

impl Maker {
    /// By its name in a table.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "person" => Some(Self::Person),
            "measured" => Some(Self::Measured),
            "hosts_named" => Some(Self::HostsNamed),
            "begun" => Some(Self::Begun),
            "followed" => Some(Self::Followed),
            "followed_by" => Some(Self::FollowedBy),
            "hosts_signed" => Some(Self::HostsSigned),
            _ => None,
        }
    }

    fn event(self, arguments: &[Expression], on: Ground<'_>) -> Event {
        match (self, arguments) {
            (Self::Person, [badge, roles @ ..]) => {
                let roles = roles.iter().map(|it| it.number(on) as u8);
                person(&badge.text(), &roles.collect::<Vec<u8>>()).into()
            }
            (Self::Measured, [set]) => room::measured(&set.text()).into(),
            (Self::HostsNamed, [draw]) => hosts::named(draw.number(on) as u64).into(),
            (Self::Begun, [key, began]) => {
                follower::begun(key.number(on) as u8, began.hash(on)).into()
            }
            (Self::HostsSigned, [draw]) => hosts::signed(on.log, draw.number(on) as u64).into(),
            (Self::Followed, [draw, finding, entry]) => {
                let (draw, finding) = (draw.number(on) as u64, finding.text());
                follower::followed(on.log, draw, &finding, entry.entry(on)).into()
            }
            (Self::FollowedBy, [key, began, draw, finding, entry]) => {
                let by = (key.number(on) as u8, began.hash(on));
                let (draw, finding) = (draw.number(on) as u64, finding.text());
                follower::followed_by(on.log, by, draw, (&finding, entry.entry(on))).into()
            }
            _ => panic!("{self:?} is not made of {arguments:?}"),
        }
    }
}

impl Change {
    fn of_header(&self, header: &mut keno_log::LeafHeader) {
        let [Step::Field(name)] = &self.path[..] else {
            panic!("{:?} is no field of a header", self.path);
        };
        let log = Log::new(super::Fault::None);
        let on = Ground {
            log: &log,
            it: None,
        };
        let changed = |now: i128| match &self.act {
            Act::Put(number) => number.number(on),
            Act::Add(number) => now + number.number(on),
            Act::Take(number) => now - number.number(on),
            other => panic!("{other:?} of a header"),
        };
        match name.as_str() {
            "index" => header.index = changed(header.index.into()) as u64,
            "at_ms" => header.at_ms = changed(header.at_ms.into()) as i64,
            "business_day" => header.business_day = changed(header.business_day.into()) as u32,
            "draw" => header.draw = changed(header.draw.into()) as u64,
            other => panic!("a header has no {other}"),
        }
    }

    fn act_on(&self, body: &mut Value, kind: EventKind, on: Ground<'_>) {
        match &self.act {
            Act::Rehashed => return rehash(body),
            Act::Repriced => return reprice(body),
            _ => {}
        }
        let Some((Step::Field(first), rest)) = self.path.split_first() else {
            panic!("{:?} begins with no field", self.path);
        };
        let declared = kind.fields().iter().find(|it| it.name == first);
        let declared = declared.unwrap_or_else(|| panic!("{kind:?} has no {first}"));
        self.act_within(field_of(body, first), declared.kind, rest, on);
    }

    fn act_within(&self, value: &mut Value, kind: Kind, path: &[Step], on: Ground<'_>) {
        let Some((step, rest)) = path.split_first() else {
            return self.act_at(value, kind, on);
        };
        match (step, value) {
            (Step::Field(name), Value::Maybe(Some(value))) => {
                self.act_within(field_of(value, name), inner(kind), rest, on);
            }
            (Step::Field(name), value @ Value::Record(_)) => {
                let fields = value::fields_of(kind);
                let declared = fields.iter().find(|it| it.name == name).unwrap();
                self.act_within(field_of(value, name), declared.kind, rest, on);
            }
            (Step::Item(place), Value::List(items)) => {
                self.act_within(&mut items[*place], inner(kind), rest, on);
            }
            (Step::Item(place), Value::Hash(hash)) => {
                let mut byte = Value::Number(hash[*place].into());
                self.act_at(&mut byte, "u8", on);
                let Value::Number(number) = byte else {
                    panic!("{byte:?} is no byte");
                };
                hash[*place] = u8::try_from(number).unwrap();
            }
            (step, value) => panic!("{value:?} has no {step:?}"),
        }
    }

    fn act_at(&self, value: &mut Value, kind: Kind, on: Ground<'_>) {
        match (&self.act, value) {
            (Act::Put(put), value) => *value = put.value(kind, on),
            (act, Value::Maybe(Some(value))) if !matches!(act, Act::Put(_)) => {
                self.act_at(value, inner(kind), on);
            }
            (Act::Add(more), Value::Number(number)) => *number += more.number(on),
            (Act::Take(less), Value::Number(number)) => *number -= less.number(on),
            (Act::Flip(bits), Value::Number(number)) => *number ^= bits.number(on),
            (Act::Add(more), Value::Text(text)) => match more.value(kind, on) {
                Value::Text(more) => text.push_str(&more),
                other => panic!("{other:?} is no text"),
            },
            (Act::Add(more), Value::List(items)) => match more.value(kind, on) {
                Value::List(more) => items.extend(more),
                other => panic!("{other:?} is no list"),
            },
            (Act::Cut(left), Value::List(items)) => items.truncate(*left),
            (Act::Cut(left), Value::Text(text)) => text.truncate(*left),
            (Act::Swap(from, to), Value::Text(text)) => {
                assert!(text.contains(from), "{from:?} is not in {text:?}");
                *text = text.replace(from, to);
            }
            (act, value) => panic!("{act:?} of {value:?}"),
        }
    }
}

fn field_of<'a>(record: &'a mut Value, name: &str) -> &'a mut Value {
    let Value::Record(fields) = record else {
        panic!("{record:?} has no fields");
    };
    let mut fields = fields.iter_mut();
    let found = fields.find(|(field, _)| *field == name);
    &mut found
        .unwrap_or_else(|| panic!("there is no field {name}"))
        .1
}

/// Finds a text and puts its hash beside it.
fn rehash(body: &mut Value) {
    let Value::Text(text) = field_of(body, "text").clone() else {
        panic!("no text stands here");
    };
    *field_of(body, "hash") = Value::Hash(sha256(text.as_bytes()));
}

/// Finds what a ticket's selections cost, and puts it where prices stand.
fn reprice(body: &mut Value) {
    let event = to_event(EventKind::TicketSold, body);
    let Event::TicketSold(mut sold) = event else {
        panic!("no ticket stands here");
    };
    let lines = sold.selections.iter().flat_map(|it| &it.conditioning);
    sold.per_draw_cents = lines
        .map(|line| i64::from(line.ways) * line.wager_cents)
        .sum();
    sold.total_cents = sold.per_draw_cents * (sold.last_draw - sold.first_draw + 1) as i64;
    sold.received_cents = sold.total_cents;
    *body = of_event(&sold.into());
}

/// Numbers, cents a draw, and the game where it is another.
fn selection(arguments: &[Expression], on: Ground<'_>) -> Value {
    let (numbers, cents, game) = match arguments {
        [numbers, cents] => (numbers, cents, "keno".to_owned()),
        [numbers, cents, game] => (numbers, cents, game.text()),
        other => panic!("{other:?} are no straight"),
    };
    let Value::List(numbers) = numbers.value("Vec<u8>", on) else {
        panic!("{numbers:?} are no numbers");
    };
    let mut selection = nothing("SelectionRecord");
    let line = [
        ("ways", 1),
        ("spots", numbers.len() as i128),
        ("wager_cents", cents.number(on)),
    ];
    let line = line.map(|(name, number)| (name, Value::Number(number)));
    let fields = [
        ("game", Value::Text(game)),
        ("kind", Value::Number(1)),
        ("groups", Value::List(vec![Value::List(numbers)])),
        (
            "conditioning",
            Value::List(vec![Value::Record(line.to_vec())]),
        ),
    ];
    for (name, value) in fields {
        *field_of(&mut selection, name) = value;
    }
    selection
}

impl Expression {
    fn number(&self, on: Ground<'_>) -> i128 {
        match self {
            Self::Word(word) => match word.as_str() {
                "size" => on.log.size().into(),
                "now" => on.log.time_of(on.log.size()).into(),
                word => {
                    let digits = word.replace('_', "");
                    digits
                        .parse()
                        .unwrap_or_else(|_| panic!("{word} is no number"))
                }
            },
            Self::At(label) => on.log.at(label).into(),
            Self::Sum(one, other) => one.number(on) + other,
            other => panic!("{other:?} is no number"),
        }
    }

    /// The number of an entry, or none.
    fn entry(&self, on: Ground<'_>) -> Option<u64> {
        let is_none = *self == Self::Word("none".to_owned());
        (!is_none).then(|| self.number(on) as u64)
    }

    fn text(&self) -> String {
        match self {
            Self::Word(text) | Self::Quoted(text) => text.clone(),
            Self::Repeated(one, times) => one.text().repeat(*times),
            other => panic!("{other:?} is no text"),
        }
    }

    fn hash(&self, on: Ground<'_>) -> Hash {
        match self {
            Self::Word(word) if word == "root" => on.log.edge.root(),
            Self::Word(word) => hex::decode(word).unwrap().try_into().unwrap(),
            Self::Repeated(one, 32) => match &**one {
                Self::Word(byte) => [u8::from_str_radix(byte, 16).unwrap(); 32],
                other => panic!("{other:?} is no byte"),
            },
            Self::Call(name, arguments) if name == "sha256" => match &arguments[..] {
                [text] => sha256(text.text().as_bytes()),
                other => panic!("{other:?} is no text"),
            },
            Self::Call(name, arguments) if name == "commitment" => match &arguments[..] {
                [draw, secret] => commitment(draw.number(on) as u64, &secret.hash(on)),
                other => panic!("{other:?} are no draw and secret"),
            },
            other => panic!("{other:?} is no hash"),
        }
    }

    fn value(&self, kind: Kind, on: Ground<'_>) -> Value {
        match (kind, self) {
            (_, Self::Of(path)) => {
                let body = of_event(on.it.unwrap());
                path.iter().fold(body, |value, step| value.within(step))
            }
            ("u8" | "u16" | "u32" | "u64" | "i64", _) => Value::Number(self.number(on)),
            ("bool", Self::Word(word)) => Value::Flag(word.parse().unwrap()),
            ("Hash", _) => Value::Hash(self.hash(on)),
            ("String", _) => Value::Text(self.text()),
            (_, Self::Word(word)) if kind.starts_with("Option<") && word == "none" => {
                Value::Maybe(None)
            }
            _ if kind.starts_with("Option<") => {
                Value::Maybe(Some(Box::new(self.value(inner(kind), on))))
            }
            (_, Self::List(items)) if kind.starts_with("Vec<") => {
                let items = items.iter().flat_map(|item| item.items(inner(kind), on));
                Value::List(items.collect())
            }
            ("SelectionRecord", Self::Call(name, arguments)) if name == "straight" => {
                selection(arguments, on)
            }
            (_, Self::Record(fields)) => {
                let mut value = nothing(kind);
                for (name, field) in fields {
                    let declared = value::fields_of(kind).iter().find(|it| it.name == name);
                    let declared = declared.unwrap_or_else(|| panic!("{kind} has no {name}"));
                    *field_of(&mut value, name) = field.value(declared.kind, on);
                }
                value
            }
            _ => panic!("{self:?} is no {kind}"),
        }
    }

    /// What it is of a list: one, as many as are repeated, or the numbers from one to another.
    fn items(&self, kind: Kind, on: Ground<'_>) -> Vec<Value> {
        match self {
            Self::Repeated(one, times) if kind != "Hash" => vec![one.value(kind, on); *times],
            Self::Word(word) if word.contains("..") => {
                let (from, to) = word.split_once("..").unwrap();
                let (from, to): (i128, i128) = (from.parse().unwrap(), to.parse().unwrap());
                let mut all: Vec<Value> =
                    (from.min(to)..=from.max(to)).map(Value::Number).collect();
                if from > to {
                    all.reverse();
                }
                all
            }
            _ => vec![self.value(kind, on)],
        }
    }
}
