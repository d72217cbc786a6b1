//! What stands on a ticket's paper, read off what the printer's bytes say; and the same facts out
//! of what central says. The two are equal or the paper lies.
//!
//! The reading is strict: the paper is read from its first word to its last one before the codes,
//! in both languages, and a word that is not expected where it stands is a fault.

use keno_terminal::virtual_printer::{Row, Sheet};
use keno_wire::reply::TicketView;

/// A selection with its wager: s. 82(1) and (2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// `straight`, `way` or `king`.
    pub kind: String,
    /// The computer picked the numbers.
    pub quick_pick: bool,
    /// Kings.
    pub kings: Vec<u8>,
    /// Groups; one for a straight selection.
    pub groups: Vec<Vec<u8>>,
    /// Ways, spots of each, and cents per way; none for a straight selection.
    pub ways: Vec<(u32, u8, i64)>,
    /// Wager per draw, in cents.
    pub per_draw_cents: i64,
    /// Wager for all draws, in cents.
    pub all_draws_cents: i64,
}

/// The six facts of s. 82.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SixFacts {
    /// s. 82(1) and (2).
    pub selections: Vec<Selection>,
    /// s. 82(2): the total, in cents.
    pub total_cents: i64,
    /// s. 82(3): how many draws.
    pub draws: u32,
    /// First draw and when.
    pub first: (u64, String),
    /// Last draw and when.
    pub last: (u64, String),
    /// s. 82(4).
    pub control_number: String,
    /// s. 82(5), in cents.
    pub maximum_cents: i64,
    /// s. 82(6): the last day.
    pub claim_by: String,
    /// s. 82(6): where, in French and in English.
    pub claim_place: (String, String),
    /// From so many cents on it is claimed elsewhere.
    pub cage_from_cents: i64,
    /// Where, in French and in English.
    pub cage_place: (String, String),
}

/// The facts as central tells them.
pub fn facts_of_central(view: &TicketView) -> SixFacts {
    let all = i64::from(view.draws);
    SixFacts {
        selections: view
            .selections
            .iter()
            .map(|selection| Selection {
                kind: selection.kind.to_string(),
                quick_pick: selection.quick_pick,
                kings: selection.kings.clone(),
                groups: selection.groups.clone(),
                ways: if selection.kind == "straight" {
                    Vec::new()
                } else {
                    selection
                        .conditioning
                        .iter()
                        .map(|line| (line.ways, line.spots, line.wager_cents))
                        .collect()
                },
                per_draw_cents: selection.per_draw_cents,
                all_draws_cents: selection.per_draw_cents * all,
            })
            .collect(),
        total_cents: view.total_cents,
        draws: view.draws,
        first: (view.first.draw, view.first.local.clone()),
        last: (view.last.draw, view.last.local.clone()),
        control_number: view.control_number.clone(),
        maximum_cents: view.cap_cents,
        claim_by: view.claim_by.clone(),
        claim_place: (view.claim_place.fr.clone(), view.claim_place.en.clone()),
        cage_from_cents: view.cage_from_cents,
        cage_place: (view.cage_place.fr.clone(), view.cage_place.en.clone()),
    }
}

/// Plain single spaces: wrapping and alignment are no facts.
fn plain(text: &str) -> String {
    let text = text.replace('\u{A0}', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All text of a paper on one line.
pub fn text(sheet: &Sheet) -> String {
    plain(&sheet.texts().join(" "))
}

/// Words, taken from the front.
struct Words<'a> {
    rest: &'a str,
}

type Read<T> = Result<T, String>;

impl<'a> Words<'a> {
    fn fault<T>(&self, wanted: &str) -> Read<T> {
        Err(format!("{wanted:?} wanted before {:?}", self.rest))
    }

    fn take(&mut self, words: &str) -> Read<()> {
        match self.rest.strip_prefix(words) {
            Some(rest) => {
                self.rest = rest.trim_start();
                Ok(())
            }
            None => self.fault(words),
        }
    }

    fn takes(&mut self, words: &str) -> bool {
        self.take(words).is_ok()
    }

    /// Everything up to some words, and the words.
    fn until(&mut self, words: &str) -> Read<&'a str> {
        match self.rest.split_once(words) {
            Some((before, rest)) => {
                self.rest = rest.trim_start();
                Ok(before.trim())
            }
            None => self.fault(words),
        }
    }

    /// Everything that is made of these characters.
    fn of(&mut self, characters: &str) -> &'a str {
        let end = self
            .rest
            .find(|one| !characters.contains(one))
            .unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        taken.trim()
    }

    fn number<T: std::str::FromStr>(&mut self) -> Read<T> {
        let digits = self.of("0123456789");
        digits.parse().or_else(|_| self.fault("a number"))
    }

    /// `1 234,50 $`, or without cents.
    fn french(&mut self) -> Read<i64> {
        let amount = self.until("$")?.replace(' ', "");
        cents(&amount, ',').map_or_else(|| self.fault("an amount"), Ok)
    }

    /// `$1,234.50`, or without cents.
    fn english(&mut self) -> Read<i64> {
        self.take("$")?;
        let amount = self.of("0123456789,.").replace(',', "");
        cents(&amount, '.').map_or_else(|| self.fault("an amount"), Ok)
    }

    fn both(&mut self, fr: &str, en: &str) -> Read<i64> {
        self.take(fr)?;
        let french = self.french()?;
        self.take(en)?;
        if self.english()? == french {
            Ok(french)
        } else {
            self.fault("the same amount in both languages")
        }
    }

    /// `000 012`.
    fn draw(&mut self) -> Read<u64> {
        let digits: String = self.of("0123456789 ").replace(' ', "");
        digits.parse().or_else(|_| self.fault("a draw"))
    }

    /// `2026-11-20 21:08`.
    fn time(&mut self) -> String {
        self.of("0123456789-: ").to_owned()
    }

    fn end(&self) -> Read<()> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            self.fault("the end")
        }
    }
}

fn cents(amount: &str, point: char) -> Option<i64> {
    let (dollars, rest) = amount.split_once(point).unwrap_or((amount, "00"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (is_number(dollars) && is_number(rest) && rest.len() == 2)
        .then(|| Some(dollars.parse::<i64>().ok()? * 100 + rest.parse::<i64>().ok()?))?
}

fn two_digits(text: &str) -> Read<Vec<u8>> {
    text.split_whitespace()
        .map(|digits| match digits.parse() {
            Ok(number) if digits.len() == 2 => Ok(number),
            _ => Err(format!("{digits:?} is no number of the pool")),
        })
        .collect()
}

const NUMBERS: &str = "0123456789 ";
/// Where the secret stands in a claim code: behind version, number and copy.
const SECRET: std::ops::Range<usize> = 21..41;

fn selection(text: &str, letter: char, draws: u32) -> Read<Selection> {
    let mut words = Words { rest: text };
    words.take(&letter.to_string())?;
    let (kind, english) = if words.takes("SIMPLE,") {
        ("straight", "Straight,")
    } else if words.takes("COMBINAISON,") {
        ("way", "Way,")
    } else {
        words.take("NUMÉRO ROI,")?;
        ("king", "King,")
    };
    let count: usize = words.number()?;
    words.take(if count == 1 { "NUMÉRO" } else { "NUMÉROS" })?;
    let quick_pick = words.takes("MISE-ÉCLAIR");
    words.take(english)?;
    if words.number::<usize>()? != count {
        return words.fault("the same count in both languages");
    }
    words.take(if count == 1 { "spot" } else { "spots" })?;
    if quick_pick {
        words.take("Quick pick")?;
    }
    let mut kings = Vec::new();
    if words.takes("Roi / King") || words.takes("Rois / Kings") {
        kings = two_digits(words.of(NUMBERS))?;
    }
    let mut groups = Vec::new();
    if kind == "straight" {
        groups.push(two_digits(words.of(NUMBERS))?);
    } else {
        while words.takes("(") {
            groups.push(two_digits(words.until(")")?)?);
        }
    }
    if kings.len() + groups.iter().map(Vec::len).sum::<usize>() != count {
        return words.fault("as many numbers as are told");
    }
    let mut ways = Vec::new();
    while !words.rest.starts_with("Mise ") {
        let many: u32 = words.number()?;
        words.take("x")?;
        let spots: u8 = words.number()?;
        words.take(if spots == 1 { "numéro" } else { "numéros" })?;
        let french = words.french()?;
        words.take(&format!("{many}/{spots}"))?;
        if words.english()? != french {
            return words.fault("the same amount in both languages");
        }
        ways.push((many, spots, french));
    }
    let s = if draws == 1 { "" } else { "s" };
    words.take("Mise")?;
    let per_draw_cents = words.french()?;
    words.take(&format!("x {draws} tirage{s}"))?;
    let all_draws_cents = words.french()?;
    words.take("Wager")?;
    if words.english()? != per_draw_cents {
        return words.fault("the same amount in both languages");
    }
    words.take(&format!("x {draws} draw{s}"))?;
    if words.english()? != all_draws_cents {
        return words.fault("the same amount in both languages");
    }
    words.end()?;
    Ok(Selection {
        kind: kind.to_owned(),
        quick_pick,
        kings,
        groups,
        ways,
        per_draw_cents,
        all_draws_cents,
    })
}

/// What stands between two rules, and within it between two empty lines.
fn blocks(sheet: &Sheet) -> Vec<Vec<String>> {
    let mut blocks = vec![vec![String::new()]];
    for row in &sheet.rows {
        let block = blocks.last_mut().unwrap();
        match row.text() {
            Some(text) if !text.is_empty() && text.chars().all(|one| one == '-') => {
                blocks.push(vec![String::new()]);
            }
            Some(text) => {
                let part = block.last_mut().unwrap();
                part.push(' ');
                part.push_str(&text);
            }
            None if matches!(row, Row::Blank(_)) => block.push(String::new()),
            None => {}
        }
    }
    for block in &mut blocks {
        for part in block.iter_mut() {
            *part = plain(part);
        }
        block.retain(|part| !part.is_empty());
    }
    blocks
}

/// The facts on a paper.
///
/// # Errors
/// What does not stand where it should.
pub fn facts_on_paper(sheet: &Sheet) -> Result<SixFacts, String> {
    let blocks = blocks(sheet);
    let [head, draws_block, chosen, total, rest, _law, foot] = blocks.as_slice() else {
        return Err(format!("{} blocks", blocks.len()));
    };
    let words_of = |block: &Vec<String>| block.join(" ");

    let text = words_of(head);
    let mut words = Words { rest: &text };
    words.take("N°")?;
    let number = words.of(NUMBERS).to_owned();
    let foot = words_of(foot);
    // The secret stands in print by the lower number, as the QR says it.
    let codes = sheet.qr_payloads();
    let [code] = codes.as_slice() else {
        return Err(format!("{} QR codes", codes.len()));
    };
    let secret = code.get(SECRET).ok_or("the QR has no secret")?;
    let groups: Vec<String> = secret
        .as_bytes()
        .chunks(5)
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .collect();
    let ends = format!("N° {number} CODE {} *** FIN / END", groups.join(" "));
    if !foot.ends_with(&ends) {
        return Err(format!("the foot is {foot:?} and should end with {ends:?}"));
    }
    let control_number = number.replace(' ', "");
    if control_number.len() != 16 {
        return Err(format!("{control_number} is no control number"));
    }
    if sheet.itf_digits() != [control_number.as_str()] {
        return Err(format!("the bars say {:?}", sheet.itf_digits()));
    }

    let text = words_of(draws_block);
    let mut words = Words { rest: &text };
    let draws: u32 = words.number()?;
    let (first, last);
    if words.takes("TIRAGE / DRAW ") {
        let draw = words.draw()?;
        words.take("Le / On")?;
        first = (draw, words.time());
        last = first.clone();
    } else {
        words.take("TIRAGES / DRAWS")?;
        let one = words.draw()?;
        words.take("à / to")?;
        let other = words.draw()?;
        words.take("Premier / First")?;
        first = (one, words.time());
        words.take("Dernier, prévu / Last, planned")?;
        last = (other, words.time());
    }
    words.end()?;

    let selections = ('A'..='Z')
        .zip(chosen)
        .map(|(letter, part)| selection(part, letter, draws))
        .collect::<Read<Vec<Selection>>>()?;

    let text = words_of(total);
    let mut words = Words { rest: &text };
    let total_cents = words.both("MISE TOTALE", "Total wager")?;
    words.take("PAYÉ,")?;

    let text = words_of(rest);
    let mut words = Words { rest: &text };
    let maximum_cents = words.both(
        "Maximum payable en lots par tirage",
        "Maximum total aggregate payout per draw",
    )?;
    words.take("RÉCLAMER AU PLUS TARD LE / CLAIM BY")?;
    let claim_by = words.time();
    words.take("À")?;
    let place_fr = words.until(" At ")?.to_owned();
    let place_en = words.until(" Dès ")?.to_owned();
    let cage_from_cents = words.french()?;
    words.take(", à")?;
    let cage_fr = words.until(" From ")?.to_owned();
    if words.english()? != cage_from_cents {
        return words.fault("the same amount in both languages");
    }
    words.take("on, at")?;
    let cage_en = words.rest.to_owned();

    Ok(SixFacts {
        selections,
        total_cents,
        draws,
        first,
        last,
        control_number,
        maximum_cents,
        claim_by,
        claim_place: (place_fr, place_en),
        cage_from_cents,
        cage_place: (cage_fr, cage_en),
    })
}
