//! The money of a shift: random days through the public door, each beside a drawer that only
//! knows what was told to hand over and to take in. Sheet, paper and figures agree with it to the
//! cent, cash apart from coupons and chips.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test's failure is its own report"
)]

use crate::common::{FLOAT_CENTS, House, Person, RULES, blocking, second};
use keno_central::pages::{Lang, money};
use keno_service::draw::Draw;
use keno_testing::pages_of_paper;
use keno_wire::reply::{PayReply, SellReply, ShiftLine, ShiftSheetReply, TillCountReply};
use serde_json::{Value, json};

/// A cent more or less, so that a prize need not end in 0 or 5.
fn rules() -> String {
    let rules = RULES.replace("step = \"0.50\"", "step = \"0.01\"");
    let rules = rules.replace("max = \"20.00\"", "max = \"2.00\"");
    // Express picks are wagers of the game, too.
    let rules = rules.replace("wager = \"5.00\"", "wager = \"2.00\"");
    let rules = rules.replace("second_person = \"1000.00\"", "second_person = \"50.00\"");
    assert_ne!(rules, RULES);
    rules
}

/// A linear congruence (Knuth's): a day from a seed, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn between(&mut self, least: u64, most: u64) -> i64 {
        i64::try_from(least + self.below(most - least + 1)).unwrap()
    }
}

const TENDERS: [&str; 3] = ["cash", "coupon", "chip"];

fn place(tender: &str) -> usize {
    TENDERS.iter().position(|name| *name == tender).unwrap()
}

/// What one kind of movement came to: how many, and how much in each tender.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sum {
    count: u64,
    cents: [i64; 3],
}

impl Sum {
    fn add(&mut self, tender: &str, cents: i64) {
        self.count += 1;
        self.cents[place(tender)] += cents;
    }

    fn of(line: &ShiftLine) -> Self {
        assert_eq!(
            line.amount_cents,
            line.cash_cents + line.coupon_cents + line.chip_cents
        );
        Self {
            count: line.count,
            cents: [line.cash_cents, line.coupon_cents, line.chip_cents],
        }
    }
}

/// What was handed over and taken in, as the person at the till saw it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Drawer {
    sales: Sum,
    cancels: Sum,
    unpaid: Sum,
    payouts: Sum,
    refunds: Sum,
    reversals: Sum,
    fills: Sum,
    drops: Sum,
    rounding_cents: i64,
    chip_change_cents: i64,
    counts: Vec<(i64, i64)>,
    /// Cash that is really in it: counted note by note, not added up from the sums above.
    cash_cents: i64,
}

impl Drawer {
    fn of(sheet: &ShiftSheetReply) -> Self {
        Self {
            sales: Sum::of(&sheet.sales),
            cancels: Sum::of(&sheet.cancels),
            unpaid: Sum::of(&sheet.unpaid),
            payouts: Sum::of(&sheet.payouts),
            refunds: Sum::of(&sheet.refunds),
            reversals: Sum::of(&sheet.reversals),
            fills: Sum::of(&sheet.fills),
            drops: Sum::of(&sheet.drops),
            rounding_cents: sheet.rounding_cents,
            chip_change_cents: sheet.chip_change_cents,
            counts: sheet
                .counts
                .iter()
                .map(|count| (count.counted_cents, count.expected_cents))
                .collect(),
            cash_cents: sheet.expected_cents,
        }
    }

    fn lines(&self) -> [(&'static str, &'static str, Sum); 8] {
        [
            ("sales", "Mises", self.sales),
            ("cancels", "Annulations", self.cancels),
            ("unpaid", "Mises non payées (art. 83)", self.unpaid),
            ("payouts", "Lots payés", self.payouts),
            ("refunds", "Remboursements de tirages annulés", self.refunds),
            ("reversals", "Paiements renversés", self.reversals),
            ("fills", "Approvisionnements", self.fills),
            ("drops", "Dépôts", self.drops),
        ]
    }
}

/// To the nearest 5 cents, half of nothing: 1 and 2 go down, 3 and 4 go up.
fn in_coins(cents: i64) -> i64 {
    match cents % 5 {
        1 => cents - 1,
        2 => cents - 2,
        3 => cents + 2,
        4 => cents + 1,
        _ => cents,
    }
}

/// A ticket in a patron's hand.
struct Held {
    ticket: u64,
    code: String,
    tender: &'static str,
    total_cents: i64,
    /// Change for a chip.
    chip_change_cents: i64,
    first: u64,
}

struct Shift {
    house: House,
    clerk: Person,
    drawer: Drawer,
    held: Vec<Held>,
    paid: Vec<(PayReply, bool)>,
    /// Payments that needed a second person.
    by_two: u32,
}

impl Shift {
    async fn new(database: Option<&str>) -> Self {
        let house = House::with_rules(database, &rules());
        let clerk = house.sign_on(1, "C1").await;
        Self {
            house,
            clerk,
            drawer: Drawer {
                cash_cents: FLOAT_CENTS,
                ..Drawer::default()
            },
            held: Vec::new(),
            paid: Vec::new(),
            by_two: 0,
        }
    }

    async fn ask(&self, path: &str, body: Value) -> crate::common::Answer {
        self.house.post(&self.clerk, path, body).await
    }

    async fn sell(&mut self, dice: &mut Dice) {
        let wager_cents = dice.between(50, 200);
        let draws = u32::try_from(dice.between(1, 3)).unwrap();
        // Singles, so that nearly every ticket wins an odd amount; of all 80, a large one.
        let many = if dice.below(6) == 0 {
            80
        } else {
            dice.between(3, 30)
        };
        let groups: Vec<[i64; 1]> = (1..=many).map(|number| [number]).collect();
        let slip = json!({
            "selections": [{
                "type": "way", "groups": groups,
                "ways": [{"ways": many, "spots": 1, "wager_cents": wager_cents}],
            }],
            "draws": draws,
        });
        let tender = TENDERS[usize::try_from(dice.below(3)).unwrap()];
        let mut order = self.house.order(&self.clerk, &slip).await;
        order["tender"] = json!(tender);
        // A patron may hand over more; the change is given at once.
        let price = order["total_cents"].as_i64().unwrap();
        order["received_cents"] = json!(price + 5 * dice.between(0, 100));
        let sold: SellReply = self.ask("/sales", order).await.ok();
        let view = sold.ticket;
        assert_eq!(view.total_cents, many * wager_cents * i64::from(draws));
        let body = json!({"ticket": view.ticket, "copy": 1, "how": "printer"});
        assert_eq!(self.ask("/prints", body).await.status, 200);
        self.drawer.sales.add(tender, view.total_cents);
        if tender == "cash" {
            self.drawer.cash_cents += view.total_cents;
        }
        // A coupon gives no change; a chip gives cash.
        let left = view.received_cents - view.total_cents;
        let change = if tender == "coupon" { 0 } else { left };
        assert_eq!(view.change_cents, change);
        if tender == "chip" {
            self.drawer.cash_cents -= change;
            self.drawer.chip_change_cents += change;
        }
        self.held.push(Held {
            ticket: view.ticket,
            code: view.claim_code.unwrap(),
            tender,
            total_cents: view.total_cents,
            chip_change_cents: if tender == "chip" { change } else { 0 },
            first: view.first.draw,
        });
    }

    /// A cancellation or, where two people say that nobody paid, a void ticket.
    async fn withdraw(&mut self, dice: &mut Dice) {
        let next = self.house.next_draw();
        let Some(at) = self.held.iter().position(|held| held.first == next) else {
            return;
        };
        let held = self.held.remove(at);
        let is_unpaid = dice.below(3) == 0;
        let (answer, sum) = if is_unpaid {
            let body = json!({"code": held.code, "second": second("S1")});
            (self.ask("/unpaid", body).await, &mut self.drawer.unpaid)
        } else {
            let body = json!({
                "key": self.house.key(&self.clerk), "code": held.code, "reason": "changed_mind",
                "second": (held.total_cents > 10_000).then(|| second("S1")),
            });
            let answer = self.ask("/cancellations", body).await;
            (answer, &mut self.drawer.cancels)
        };
        assert_eq!(answer.status, 200, "{} {}", held.ticket, answer.text());
        sum.add(held.tender, held.total_cents);
        if held.tender == "cash" {
            self.drawer.cash_cents -= held.total_cents;
        }
        // A chip goes back whole and its change comes back; what was never received had none.
        self.drawer.cash_cents += held.chip_change_cents;
        self.drawer.chip_change_cents -= held.chip_change_cents;
    }

    /// Everything that can be paid of a ticket: prizes and refunds apart, in their tenders.
    async fn pay(&mut self, dice: &mut Dice) {
        if self.held.is_empty() {
            return;
        }
        let at = usize::try_from(dice.below(self.held.len() as u64)).unwrap();
        let code = self.held[at].code.clone();
        let payable = self.house.check(&self.clerk, &code).await.payable;
        let Some(first) = payable.first() else {
            return;
        };
        // One draw at a time, or all that are given back in the same way.
        let mut order = json!({"key": self.house.key(&self.clerk), "code": code});
        order["items"] = json!([first]);
        if dice.below(2) == 0 && payable.len() > 1 {
            order["items"] = json!(payable);
        }
        let mut answer = self.ask("/payments", order.clone()).await;
        if answer.status != 200 && answer.problem().name() == "mixed_tenders" {
            order["items"] = json!([first]);
            answer = self.ask("/payments", order.clone()).await;
        }
        let mut with_second = false;
        if answer.status != 200 {
            assert_eq!(answer.problem().name(), "second_person_needed");
            order["second"] = second("S2");
            with_second = true;
            answer = self.ask("/payments", order).await;
        }
        let paid: PayReply = answer.ok();
        // What the whole ticket comes to decides, paid before and paid now.
        let owed: i64 = payable.iter().map(|item| item.amount_cents).sum();
        let before: i64 = self
            .paid
            .iter()
            .filter(|(other, reversed)| !reversed && other.control_number == paid.control_number)
            .map(|(other, _)| other.total_cents)
            .sum();
        assert_eq!(with_second, owed + before >= 5_000);
        self.by_two += u32::from(with_second);
        for item in &paid.items {
            let sum = match item.kind.as_str() {
                "refund" => &mut self.drawer.refunds,
                _ => &mut self.drawer.payouts,
            };
            sum.add(paid.tender.as_str(), item.amount_cents);
        }
        if paid.tender == "cash" {
            assert_eq!(paid.cash_cents, in_coins(paid.total_cents));
            self.drawer.rounding_cents += paid.cash_cents - paid.total_cents;
            self.drawer.cash_cents -= paid.cash_cents;
        }
        self.paid.push((paid, false));
    }

    async fn reverse(&mut self, dice: &mut Dice) {
        if self.paid.is_empty() {
            return;
        }
        let at = usize::try_from(dice.below(self.paid.len() as u64)).unwrap();
        if std::mem::replace(&mut self.paid[at].1, true) {
            return;
        }
        let paid = self.paid[at].0.clone();
        let body = json!({"payment": paid.payment, "reason": "parti", "second": second("S1")});
        assert_eq!(self.ask("/reversals", body).await.status, 200);
        self.drawer
            .reversals
            .add(paid.tender.as_str(), paid.total_cents);
        if paid.tender == "cash" {
            self.drawer.rounding_cents -= paid.cash_cents - paid.total_cents;
            self.drawer.cash_cents += paid.cash_cents;
        }
    }

    async fn move_cash(&mut self, dice: &mut Dice) {
        let kind = if dice.below(2) == 0 { "fill" } else { "drop" };
        let cents = 5 * dice.between(1, 20_000);
        let body = json!({
            "key": self.house.key(&self.clerk), "kind": kind, "amount_cents": cents,
            "second": second("S1"),
        });
        assert_eq!(self.ask("/shifts/movements", body).await.status, 200);
        if kind == "fill" {
            self.drawer.fills.add("cash", cents);
            self.drawer.cash_cents += cents;
        } else {
            self.drawer.drops.add("cash", cents);
            self.drawer.cash_cents -= cents;
        }
    }

    async fn count(&mut self, dice: &mut Dice) {
        let counted = (self.drawer.cash_cents + 5 * dice.between(0, 2) - 5).max(0);
        let body = json!({"counted_cents": counted, "reason": "litige", "second": second("S2")});
        let reply: TillCountReply = self.ask("/shifts/counts", body).await.ok();
        assert_eq!(reply.expected_cents, self.drawer.cash_cents);
        assert_eq!(reply.difference_cents, counted - self.drawer.cash_cents);
        self.drawer.counts.push((counted, self.drawer.cash_cents));
    }

    fn next_draw_passes(&self, dice: &mut Dice) {
        let draw = self.house.next_draw();
        if dice.below(3) != 0 {
            self.house.until_settled(draw);
            return;
        }
        self.house.until_closed(draw);
        blocking(|| {
            let central = &self.house.central;
            Draw(draw).suspend(central, "panne", "S1").unwrap();
            Draw(draw).void(central, "panne", "S1", "S2").unwrap();
        });
    }

    async fn hour(&mut self, dice: &mut Dice) {
        for _ in 0..12 {
            match dice.below(20) {
                0..8 => self.sell(dice).await,
                8..10 => self.withdraw(dice).await,
                10..15 => self.pay(dice).await,
                15..17 => self.reverse(dice).await,
                17..19 => self.move_cash(dice).await,
                _ => self.count(dice).await,
            }
        }
        self.next_draw_passes(dice);
    }
}

/// Says what of the sheet is not what the drawer saw.
fn judge(drawer: &Drawer, sheet: &ShiftSheetReply) -> Result<(), String> {
    let said = Drawer::of(sheet);
    if said != *drawer {
        return Err(format!(
            "the sheet says {said:?}\nand the drawer {drawer:?}"
        ));
    }
    if sheet.added_up_cents != sheet.expected_cents || sheet.float_cents != FLOAT_CENTS {
        return Err(format!("{} or the float", sheet.added_up_cents));
    }
    Ok(())
}

fn dollars(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}

/// Paper and CSV say what the drawer saw, each in its own way of writing an amount.
fn judge_report(drawer: &Drawer, csv: &str, paper: &str) -> Result<(), String> {
    let has = |line: String| {
        if csv.lines().any(|of| of.starts_with(&line)) {
            Ok(())
        } else {
            Err(format!("no line {line:?} in\n{csv}"))
        }
    };
    let fr = |cents| money(cents, Lang::Fr).replace('\u{a0}', " ");
    let cash: Vec<String> = csv
        .lines()
        .filter(|line| line.starts_with("cash,0,"))
        .map(str::to_owned)
        .collect();
    let figure = |name: &str| {
        let start = format!("cash,0,{name},");
        let line = cash.iter().find(|line| line.starts_with(&start));
        let line = line.ok_or_else(|| format!("no {name} in\n{csv}"))?;
        let cells: Vec<&str> = line.rsplitn(3, ',').collect();
        Ok::<String, String>(cells[1].trim_matches('"').to_owned())
    };
    for (name, label, sum) in drawer.lines() {
        if figure(name)? != dollars(sum.cents[0]) {
            return Err(format!(
                "{name} is {} and not {}",
                figure(name)?,
                sum.cents[0]
            ));
        }
        let all = sum.cents.iter().sum();
        let row = [all, sum.cents[0], sum.cents[1], sum.cents[2]].map(fr);
        let found = paper.lines().any(|line| {
            let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
            let wanted = format!("{label} {} {}", sum.count, row.join(" "));
            words == wanted
        });
        if !found {
            return Err(format!("{label} {} {row:?} is not on\n{paper}", sum.count));
        }
    }
    if figure("chip_change")? != dollars(drawer.chip_change_cents) {
        return Err(format!("chip_change is {}", figure("chip_change")?));
    }
    if figure("rounding")? != dollars(drawer.rounding_cents) {
        return Err(format!("rounding is {}", figure("rounding")?));
    }
    if figure("expected")? != dollars(drawer.cash_cents) {
        return Err(format!("expected is {}", figure("expected")?));
    }
    for (at, _) in drawer.counts.iter().enumerate() {
        has(format!("counts,{},leaf,", at + 1))?;
    }
    Ok(())
}

async fn day(seed: u64, database: Option<&str>) -> (Drawer, u32) {
    let mut dice = Dice(seed);
    let mut shift = Shift::new(database).await;
    for _ in 0..5 {
        shift.hour(&mut dice).await;
    }
    // Everything that is left to be paid.
    for _ in 0..30 {
        shift.pay(&mut dice).await;
    }
    let counted_cents = (shift.drawer.cash_cents - 35).max(0);
    let body = json!({"counted_cents": counted_cents});
    let closed = shift.ask("/shifts/close", body).await.value();
    assert_eq!(
        closed["expected_cents"],
        json!(shift.drawer.cash_cents),
        "seed {seed}"
    );
    let path = "/api/v1/shifts/1/sheet";
    let sheet: ShiftSheetReply = shift.house.get_as(&shift.clerk, path).await.ok();
    assert_eq!(judge(&shift.drawer, &sheet), Ok(()), "seed {seed}");
    assert_eq!(sheet.counted_cents, counted_cents);
    assert_eq!(
        (sheet.holder.as_str(), sheet.outgoing.as_str()),
        ("C1", "C1")
    );
    let path = "/api/v1/reports/shifts/1?format=";
    let csv = shift
        .house
        .get_as(&shift.clerk, &format!("{path}csv"))
        .await;
    let pdf = shift
        .house
        .get_as(&shift.clerk, &format!("{path}pdf"))
        .await;
    let (csv, paper) = (
        csv.text().to_owned(),
        pages_of_paper(&pdf.body).unwrap().concat(),
    );
    assert_eq!(
        judge_report(&shift.drawer, &csv, &paper),
        Ok(()),
        "seed {seed}"
    );
    // What judges would also see a cent.
    let mut wrong = shift.drawer.clone();
    wrong.refunds.cents[1] += 1;
    assert!(judge_report(&wrong, &csv, &paper).is_err() && judge(&wrong, &sheet).is_err());
    (shift.drawer, shift.by_two)
}

#[actix_web::test]
async fn the_sheet_of_a_random_shift_is_what_went_through_the_drawer() {
    let mut seen = Drawer::default();
    let mut over_the_limit = 0;
    for seed in 1..=6 {
        let (drawer, by_two) = day(seed, None).await;
        over_the_limit += by_two;
        for (all, one) in [
            (&mut seen.sales, drawer.sales),
            (&mut seen.cancels, drawer.cancels),
            (&mut seen.unpaid, drawer.unpaid),
            (&mut seen.payouts, drawer.payouts),
            (&mut seen.refunds, drawer.refunds),
            (&mut seen.reversals, drawer.reversals),
            (&mut seen.fills, drawer.fills),
            (&mut seen.drops, drawer.drops),
        ] {
            all.count += one.count;
            for (all, one) in all.cents.iter_mut().zip(one.cents) {
                *all += one;
            }
        }
        seen.rounding_cents += drawer.rounding_cents.abs();
        seen.counts.extend(drawer.counts);
    }
    // The days have everything in them, in every tender that it can be in.
    for sum in [seen.sales, seen.cancels, seen.refunds] {
        assert!(sum.cents.iter().all(|cents| *cents > 0), "{seen:?}");
    }
    assert!(
        seen.reversals.cents[0] > 0 && seen.unpaid.count > 0,
        "{seen:?}"
    );
    assert!(
        seen.payouts.cents[0] > 0 && seen.rounding_cents > 0,
        "{seen:?}"
    );
    assert!(seen.fills.count > 0 && seen.drops.count > 0 && seen.counts.len() > 3);
    assert!(over_the_limit > 0);
}

#[actix_web::test]
async fn on_postgresql_too() {
    let database = blocking(|| keno_testing::empty_postgres_database().unwrap());
    day(7, Some(database.address())).await;
}
