//! Rule books of simulated houses: the model knows their figures from here, central from their
//! text alone.

use std::fmt::Write;

use crate::dice::Dice;

/// A pay table: catches and what they pay, in hundredths for one.
type Pays = &'static [(u8, i64)];

/// Lawful pay tables (each returns 65 % or more): the numbers played, and what a rule book has one
/// of. Those above a straight's are of a named set.
const TABLES: [(usize, &[Pays]); 4] = [
    (1, &[&[(1, 300)], &[(1, 280)], &[(0, 20), (1, 250)]]),
    (
        2,
        &[
            &[(2, 1_200)],
            &[(0, 50), (2, 700)],
            &[(2, 1_150)],
            &[(1, 20), (2, 1_033)],
        ],
    ),
    (
        3,
        &[
            &[(2, 100), (3, 4_200)],
            &[(2, 200), (3, 3_000)],
            &[(0, 33), (2, 100), (3, 3_133)],
        ],
    ),
    (
        40,
        &[
            &[(10, 350)],
            // More than half of the numbers drawn.
            &[
                (11, 200),
                (12, 200),
                (13, 200),
                (14, 200),
                (15, 200),
                (16, 200),
                (17, 200),
                (18, 200),
                (19, 200),
                (20, 200),
            ],
            &[(8, 200), (11, 100), (12, 433), (20, 99_999)],
        ],
    ),
];

/// The named sets that a game may have: runs of numbers, each from its first to its last.
const SETS: [&[(u8, u8)]; 4] = [
    &[(1, 40)],
    &[(41, 80)],
    &[(1, 10), (21, 30), (41, 50), (61, 70)],
    // As many as a straight may have.
    &[(7, 7), (12, 13)],
];

/// Up to so much one person cancels, by every version.
pub const CANCEL_ALONE_CENTS: i64 = 1_000;

/// A version of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    /// Its version.
    pub version: u32,
    /// Maximum payable in a draw.
    pub cap_cents: i64,
    /// Prizes below it are paid in full when the maximum bites.
    pub full_below_cents: i64,
    /// From here on a payment takes two people.
    pub second_person_cents: i64,
    /// From here on only the cage pays.
    pub cage_cents: i64,
    /// Up to it one person cancels.
    pub cancel_alone_cents: i64,
    /// Up to it one person pays on typed signs.
    pub typed_alone_cents: i64,
    /// So many of them by one badge in a day.
    pub typed_per_day: u64,
    /// Up to it a paper that was read is paid at once.
    pub at_once_cents: i64,
    /// So many of them by one badge in a day.
    pub per_day: u64,
    /// Hours that a file waits.
    pub wait_hours: i64,
    /// From here on three judge a file.
    pub third_person_cents: i64,
    /// Days to claim.
    pub claim_days: u64,
    /// Whether a king plays alone.
    pub king_alone: bool,
    /// Most that the house risks on one identical selection, if it limits it.
    pub liability_cents: Option<i64>,
    tables: [usize; TABLES.len()],
    set: Option<usize>,
}

impl Book {
    /// A random lawful version. `names` chooses the named set of the game and what it pays: without
    /// it there is none. `keeps_the_draws` leaves maximum and threshold as it has them.
    pub fn random(
        dice: &mut Dice,
        names: Option<&mut Dice>,
        version: u32,
        keeps_the_draws: Option<&Self>,
    ) -> Self {
        let (set, pays) = names.map_or((SETS.len(), 0), |names| {
            (names.below(SETS.len() + 1), names.below(TABLES[3].1.len()))
        });
        let caps = [
            (10_000, 500),
            (20_000, 1_000),
            (5_000_000, 100_000),
            // Nearly every prize is a small one, and the small ones alone exceed it.
            (8_500, 8_450),
        ];
        let (cap, below) = match keeps_the_draws {
            Some(before) => (before.cap_cents, before.full_below_cents),
            None => caps[dice.below(caps.len())],
        };
        Self {
            version,
            cap_cents: cap,
            full_below_cents: below,
            second_person_cents: 4_000,
            cage_cents: 9_000,
            cancel_alone_cents: CANCEL_ALONE_CENTS,
            typed_alone_cents: 1_500,
            typed_per_day: 2,
            at_once_cents: 2_000,
            per_day: 3,
            wait_hours: 1,
            third_person_cents: 3_000,
            claim_days: [1, 2, 365][dice.below(3)],
            king_alone: dice.below(2) == 0,
            liability_cents: (dice.below(4) == 0).then_some(30_000),
            tables: [
                dice.below(TABLES[0].1.len()),
                dice.below(TABLES[1].1.len()),
                dice.below(TABLES[2].1.len()),
                pays,
            ],
            set: (set < SETS.len()).then_some(set),
        }
    }

    /// What a way of so many numbers pays for so many catches, in hundredths for one.
    pub fn pays_hundredths(&self, spots: usize, catch: usize) -> i64 {
        let mut tables = TABLES.iter().zip(self.tables);
        let Some(((_, tables), chosen)) = tables.find(|((of, _), _)| *of == spots) else {
            return 0;
        };
        tables
            .get(chosen)
            .and_then(|pays| pays.iter().find(|(of, _)| usize::from(*of) == catch))
            .map_or(0, |(_, pays)| *pays)
    }

    /// The numbers of the game's named set, ascending, if it has one.
    pub fn set(&self) -> Option<Vec<u8>> {
        let runs = SETS.get(self.set?)?;
        Some(
            runs.iter()
                .flat_map(|(first, last)| *first..=*last)
                .collect(),
        )
    }

    /// The set as a rule book says it: `1-40`, `7 12-13`.
    fn set_text(&self) -> Option<String> {
        let runs = SETS.get(self.set?)?.iter().map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        });
        Some(runs.collect::<Vec<_>>().join(" "))
    }

    /// The text that is published.
    pub fn text(&self) -> String {
        let money = |cents: i64| format!("\"{}.{:02}\"", cents / 100, cents % 100);
        let mut text = String::from("format = 3\n");
        let mut line = |words: String| {
            text.push_str(&words);
            text.push('\n');
        };
        line(format!("version = {}", self.version));
        line("[name]\nfr = \"Essai\"\nen = \"Trial\"".to_owned());
        line("[pool]\nsize = 80\ndrawn = 20".to_owned());
        line(format!(
            "[cap]\nper_draw = {}\nfull_below = {}",
            money(self.cap_cents),
            money(self.full_below_cents)
        ));
        line(
            "[limits]\nselections = 4\ndraws = 8\ndraws_ahead = 100\nways = 2000\ncopies = 4"
                .to_owned(),
        );
        if let Some(cents) = self.liability_cents {
            line(format!("liability = {}", money(cents)));
        }
        line("[confirm]\nsecond_key = \"25.00\"\ntype_total = \"100.00\"\ndraws = 10".to_owned());
        line(format!(
            "[payout]\nsecond_person = {}\ncage = {}\nfederal_report = \"10000.00\"\n\
             cancel_alone = {}\ntyped_alone = {}\ntyped_per_day = {}",
            money(self.second_person_cents),
            money(self.cage_cents),
            money(self.cancel_alone_cents),
            money(self.typed_alone_cents),
            self.typed_per_day
        ));
        line(format!(
            "[claim]\ndays = {}\nplace.fr = \"Comptoir\"\nplace.en = \"Counter\"\n\
             cage.fr = \"Caisse\"\ncage.en = \"Cage\"",
            self.claim_days
        ));
        line(format!(
            "[damaged]\nat_once = {}\nper_day = {}\nwait_hours = {}\nthird_person = {}\n\
             answer_days = 30\ncomplaints.fr = \"Ici\"\ncomplaints.en = \"Here\"",
            money(self.at_once_cents),
            self.per_day,
            self.wait_hours,
            money(self.third_person_cents)
        ));
        line("[tenders]\naccepted = [\"cash\", \"coupon\", \"chip\"]".to_owned());
        line(
            "[texts]\nrules_place.fr = \"Comptoir\"\nrules_place.en = \"Counter\"\n\
             notice.fr = \"Essai\"\nnotice.en = \"Trial\""
                .to_owned(),
        );
        line("[interrupted]\nmachine_draw = \"void\"".to_owned());
        line(format!(
            "[[game]]\ncode = \"keno\"\nname.fr = \"Keno\"\nname.en = \"Keno\"\n\
             straight = {{ min = 1, max = 3 }}\nway = {{ min = 1, max = 3 }}\n\
             king = {{ min = 1, max = 3 }}\nking_alone = {}",
            self.king_alone
        ));
        if let Some(set) = self.set_text() {
            line(format!("set = \"{set}\""));
        }
        line(
            "[game.wager]\nstep = \"0.50\"\nmin = \"0.50\"\nmax = \"2.00\"\n\
             same_numbers = \"2.00\"\n[game.pays]"
                .to_owned(),
        );
        let most = self.set().map_or(0, |numbers| numbers.len()).max(3);
        let tables = TABLES.iter().zip(self.tables);
        for ((spots, tables), chosen) in tables.filter(|((spots, _), _)| *spots <= most) {
            let mut pays = String::new();
            for (catch, hundredths) in tables.get(chosen).copied().unwrap_or_default() {
                let comma = if pays.is_empty() { "" } else { "," };
                let (units, parts) = (hundredths / 100, hundredths % 100);
                // Writing to a string does not fail.
                let _ = write!(pays, "{comma} {catch} = \"{units}.{parts:02}\"");
            }
            line(format!("{spots} = {{{pays} }}"));
        }
        text
    }
}
