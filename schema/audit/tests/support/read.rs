//! How a table of planted faults is read.

use std::collections::BTreeMap;

use keno_log::EventKind;

use super::table::{Act, Change, Expression, Fact, Maker, Place, Row, Source, Step};

/// Reads rows off the front of a table.
pub struct Cursor<'a> {
    table: &'a str,
    rest: &'a str,
    /// The facts that the table itself declares.
    named: BTreeMap<String, Vec<Fact>>,
}

impl<'a> Cursor<'a> {
    pub fn new(table: &'a str) -> Self {
        Self {
            table,
            rest: table,
            named: BTreeMap::new(),
        }
    }

    /// Every row, up to the end.
    pub fn rows(&mut self) -> Vec<Row> {
        let mut rows = Vec::new();
        loop {
            self.space();
            if self.rest.is_empty() {
                return rows;
            }
            if self.took("facts ") {
                let name = self.word();
                self.must("=");
                let facts = self.facts();
                let before = self.named.insert(name.clone(), facts);
                assert!(before.is_none(), "{name} is declared twice");
            } else {
                rows.push(self.row());
            }
        }
    }

    fn row(&mut self) -> Row {
        let whole = self.rest;
        let mut places = vec![self.place()];
        while self.took("&") {
            places.push(self.place());
        }
        self.must("->");
        let line = self.rest.split('\n').next().unwrap_or_default();
        self.rest = &self.rest[line.len()..];
        let text = whole[..whole.len() - self.rest.len()].to_owned();
        let (line, offset) = match line.trim().rsplit_once(" +") {
            Some((line, offset)) => (line, offset.parse().unwrap()),
            None => (line.trim(), 0),
        };
        let (finding, label) = match line.split_once(" at ") {
            Some((finding, label)) => (finding, label.to_owned()),
            None => (line, places[0].label.clone()),
        };
        let later = finding.strip_prefix("later ");
        let finding = later.unwrap_or(finding);
        let (finding, strange) = match finding.split_once(" or ") {
            Some((finding, strange)) => (finding, Some(strange.to_owned())),
            None => (finding, None),
        };
        let finding = (finding != "holds").then(|| finding.to_owned());
        Row {
            text,
            places,
            finding,
            strange,
            is_later: later.is_some(),
            named: (label, offset),
        }
    }

    fn place(&mut self) -> Place {
        self.space();
        let (label, rest) = self.rest.split_once(':').unwrap();
        assert!(!label.contains('\n'), "{label:?} is no label");
        self.rest = rest;
        Place {
            label: label.to_owned(),
            facts: self.facts(),
        }
    }

    fn facts(&mut self) -> Vec<Fact> {
        let mut facts = self.fact();
        while self.took(";") {
            facts.extend(self.fact());
        }
        facts
    }

    /// A fact, or all that are declared under a name, or none where nothing is to stand.
    fn fact(&mut self) -> Vec<Fact> {
        if self.is_change() {
            return vec![Fact {
                source: Source::It,
                changes: self.changes(),
            }];
        }
        let mut facts = self.source();
        if self.took("with ") {
            let [fact] = &mut facts[..] else {
                self.wrong("the end of facts")
            };
            fact.changes.extend(self.changes());
        }
        facts
    }

    fn source(&mut self) -> Vec<Fact> {
        let of = |source| {
            vec![Fact {
                source,
                changes: Vec::new(),
            }]
        };
        if self.took("(") {
            let (label, rest) = self.rest.split_once(')').unwrap();
            self.rest = rest;
            return of(Source::Label(label.to_owned()));
        }
        let name = self.word();
        match name.as_str() {
            "nothing" => Vec::new(),
            "it" => of(Source::It),
            "header" => of(Source::Header),
            name => {
                if let Some(facts) = self.named.get(name) {
                    return facts.clone();
                }
                if let Some(maker) = Maker::named(name) {
                    return of(Source::Made(maker, self.arguments()));
                }
                let mut kinds = EventKind::ALL.iter().copied();
                let kind = kinds.find(|kind| kind.name() == name);
                of(Source::Kind(kind.unwrap_or_else(|| self.wrong("a fact"))))
            }
        }
    }

    /// Whether a change comes next, and no name of a fact.
    fn is_change(&mut self) -> bool {
        self.space();
        if self.rest.starts_with('(') {
            return false;
        }
        let before = self.rest;
        let word = self.word();
        let is_alone = word == "rehashed" || word == "repriced";
        let signs = ["=", "+=", "-=", "^=", ".", "[", "swaps ", "cut "];
        let after = self.rest.trim_start();
        let is_one = is_alone || signs.iter().any(|sign| after.starts_with(sign));
        self.rest = before;
        is_one
    }

    fn changes(&mut self) -> Vec<Change> {
        let mut changes = vec![self.change()];
        while self.took(",") {
            changes.push(self.change());
        }
        changes
    }

    fn change(&mut self) -> Change {
        let path = self.path();
        let act = match &path[..] {
            [Step::Field(name)] if name == "rehashed" => Act::Rehashed,
            [Step::Field(name)] if name == "repriced" => Act::Repriced,
            _ => self.act(),
        };
        Change { path, act }
    }

    fn path(&mut self) -> Vec<Step> {
        let mut path = vec![Step::Field(self.name())];
        loop {
            if self.rest.starts_with('.') {
                self.must(".");
                path.push(Step::Field(self.name()));
            } else if self.rest.starts_with('[') {
                self.must("[");
                path.push(Step::Item(self.count()));
                self.must("]");
            } else {
                return path;
            }
        }
    }

    fn act(&mut self) -> Act {
        if self.took("+=") {
            Act::Add(self.expression())
        } else if self.took("-=") {
            Act::Take(self.expression())
        } else if self.took("^=") {
            Act::Flip(self.expression())
        } else if self.took("cut ") {
            Act::Cut(self.count())
        } else if self.took("swaps ") {
            let from = self.quoted();
            self.must("for ");
            Act::Swap(from, self.quoted())
        } else {
            self.must("=");
            Act::Put(self.expression())
        }
    }

    fn expression(&mut self) -> Expression {
        self.space();
        let one = if self.rest.starts_with('"') {
            Expression::Quoted(self.quoted())
        } else if self.took("it.") {
            return Expression::Of(self.path());
        } else if self.took("@(") {
            let (label, rest) = self.rest.split_once(')').unwrap();
            self.rest = rest;
            Expression::At(label.to_owned())
        } else if self.took("[") {
            let mut items = Vec::new();
            while !self.took("]") {
                items.push(self.expression());
                self.took(",");
            }
            Expression::List(items)
        } else if self.took("{") {
            let mut fields = Vec::new();
            while !self.took("}") {
                let name = self.name();
                self.must("=");
                fields.push((name, self.expression()));
                self.took(",");
            }
            Expression::Record(fields)
        } else {
            let word = self.word();
            if self.rest.starts_with('(') {
                return Expression::Call(word, self.arguments());
            }
            Expression::Word(word)
        };
        if self.took("*") {
            return Expression::Repeated(Box::new(one), self.count());
        }
        let sign = if self.took("+ ") {
            1
        } else if self.took("- ") {
            -1
        } else {
            return one;
        };
        let number: i128 = self.word().replace('_', "").parse().unwrap();
        Expression::Sum(Box::new(one), sign * number)
    }

    fn arguments(&mut self) -> Vec<Expression> {
        self.must("(");
        let mut arguments = Vec::new();
        while !self.took(")") {
            arguments.push(self.expression());
            self.took(",");
        }
        arguments
    }

    /// A text in quotes, as JSON writes it.
    fn quoted(&mut self) -> String {
        self.space();
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter::<String>();
        let text = values
            .next()
            .unwrap()
            .unwrap_or_else(|_| self.wrong("a text"));
        self.rest = &self.rest[values.byte_offset()..];
        text
    }

    fn count(&mut self) -> usize {
        self.word()
            .parse()
            .unwrap_or_else(|_| self.wrong("a count"))
    }

    fn word(&mut self) -> String {
        self.take(|sign| sign.is_alphanumeric() || "_./-".contains(sign))
    }

    fn name(&mut self) -> String {
        self.take(|sign| sign.is_alphanumeric() || sign == '_')
    }

    fn take(&mut self, is_of: impl Fn(char) -> bool) -> String {
        self.space();
        let end = self.rest.find(|sign| !is_of(sign));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        if word.is_empty() {
            self.wrong("a word")
        }
        word.to_owned()
    }

    fn took(&mut self, sign: &str) -> bool {
        self.space();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn must(&mut self, sign: &str) {
        if !self.took(sign) {
            self.wrong(sign)
        }
    }

    /// Past what says nothing: spaces, ends of lines, comments.
    fn space(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with('#') {
                return;
            }
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
        }
    }

    fn wrong(&self, wanted: &str) -> ! {
        let read = &self.table[..self.table.len() - self.rest.len()];
        let line = read.lines().count();
        let found: String = self.rest.chars().take(40).collect();
        panic!("line {line}: {wanted:?} is wanted where {found:?} stands")
    }
}
