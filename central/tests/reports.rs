//! Reports of a small day through the public door: the facts stand on paper in both languages,
//! and every figure is the record's, to the cent.
//!
//! Papers are read with `pdftotext` (poppler-utils).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

use std::collections::BTreeMap;
use std::process::Command;

use crate::common::{FLOAT_CENTS, House, Person, blocking, second, straight, sure_win};
use actix_web::test::TestRequest;
use keno_central::pages::{Lang, money};
use keno_service::draw::Draw;
use keno_service::house_file::HouseFile;
use keno_testing::pages_of_paper;
use keno_wire::reply::PayReply;
use serde_json::{Value, json};

/// French pages and English pages of a paper, each as one text.
fn halves(pdf: &[u8]) -> (String, String) {
    let (english, french): (Vec<String>, Vec<String>) =
        pages_of_paper(pdf).unwrap().into_iter().partition(|page| {
            page.lines()
                .any(|line| line.contains(" · Page ") && line.contains(" of "))
        });
    assert!(!english.is_empty() && !french.is_empty());
    (french.concat(), english.concat())
}

/// The values of a CSV by section, row and field.
fn figures(csv: &str) -> BTreeMap<(String, String, String), String> {
    let rows = parse_csv(csv);
    assert_eq!(
        rows[0],
        [
            "section", "row", "field", "label_fr", "label_en", "value", "unit"
        ]
    );
    rows[1..]
        .iter()
        .map(|row| {
            assert_eq!(row.len(), 7, "{row:?}");
            let key = (row[0].clone(), row[1].clone(), row[2].clone());
            (key, row[5].clone())
        })
        .collect()
}

/// RFC 4180, read strictly.
fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut signs = text.chars().peekable();
    let mut quoted = false;
    while let Some(sign) = signs.next() {
        let cell = rows.last_mut().unwrap().last_mut().unwrap();
        match (quoted, sign) {
            (true, '"') if signs.peek() == Some(&'"') => {
                signs.next();
                cell.push('"');
            }
            (true, '"') => quoted = false,
            (true, other) => cell.push(other),
            (false, '"') => {
                assert!(cell.is_empty(), "a quote within a cell");
                quoted = true;
            }
            (false, ',') => rows.last_mut().unwrap().push(String::new()),
            (false, '\r') => {
                assert_eq!(signs.next(), Some('\n'));
                rows.push(vec![String::new()]);
            }
            (false, '\n') => panic!("a line that ends without a return"),
            (false, other) => cell.push(other),
        }
    }
    assert_eq!(rows.pop().unwrap(), [""], "the last line is ended");
    rows
}

fn dollars(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}

fn amount(cents: i64, lang: Lang) -> String {
    money(cents, lang).replace('\u{a0}', " ")
}

/// What must stand on the line of a label.
type Line<'a> = (&'a str, String);

/// Every label with its value on its line; the first that is not so is named.
fn check_lines(text: &str, wanted: &[Line<'_>]) -> Result<(), String> {
    for (label, value) in wanted {
        let found = text
            .lines()
            .any(|line| line.trim_start().starts_with(label) && line.trim_end().ends_with(value));
        if !found {
            return Err(format!("{label}: {value}"));
        }
    }
    Ok(())
}

/// Every value of a CSV that must be so; the first that is not so is named.
fn check_figures(csv: &str, wanted: &[(&str, &str, String)]) -> Result<(), String> {
    let figures = figures(csv);
    for (section, field, value) in wanted {
        let key = ((*section).to_owned(), "0".to_owned(), (*field).to_owned());
        let found = figures.get(&key).cloned().unwrap_or_default();
        if found != *value {
            return Err(format!("{section}.{field} is {found} and not {value}"));
        }
    }
    Ok(())
}

impl Day {
    async fn report(&self, path: &str) -> (Vec<u8>, String) {
        let ask = |format: &'static str| {
            let request = match path.strip_prefix("tickets ") {
                Some(purpose) => TestRequest::post()
                    .uri("/api/v1/reports/tickets")
                    .set_json(json!({"code": self.number, "purpose": purpose, "format": format})),
                None => TestRequest::get().uri(&format!("/api/v1/reports/{path}?format={format}")),
            };
            self.house.call(self.auditor.sign(request))
        };
        let pdf = ask("pdf").await;
        assert_eq!(pdf.status, 200, "{}", String::from_utf8_lossy(&pdf.body));
        assert_eq!(pdf.header("content-type"), "application/pdf");
        assert!(pdf.body.starts_with(b"%PDF-"));
        let csv = ask("csv").await;
        assert!(
            csv.header("content-type")
                .starts_with("text/csv; charset=utf-8")
        );
        assert!(csv.header("content-disposition").ends_with(".csv\""));
        (pdf.body.clone(), csv.text().to_owned())
    }
}

/// A small day: a till with sales, a cancel, a payment made, undone and made again, a discrepancy,
/// a holder who is not paid for the rest, and a short count.
struct Day {
    house: House,
    auditor: Person,
    clerk: Person,
    ticket: u64,
    number: String,
    counted_cents: i64,
}

impl Day {
    async fn new() -> Self {
        let house = House::new(None);
        let clerk = house.sign_on(1, "C1").await;
        let auditor = house.sign_on(5, "A1").await;
        let sold = house.sell_printed(&clerk, &sure_win(50, 2)).await;
        let code = sold.ticket.claim_code.clone().unwrap();
        house
            .sell_printed(&clerk, &straight(&[7, 18, 33, 42, 71], 200, 1))
            .await;
        let wrong = house.sell_printed(&clerk, &straight(&[9], 150, 3)).await;
        let order = json!({
            "key": house.key(&clerk), "code": wrong.ticket.claim_code, "reason": "changed_mind",
        });
        assert_eq!(
            house.post(&clerk, "/cancellations", order).await.status,
            200
        );
        house.until_settled(1);
        let order = house.pay_order(&clerk, &code).await;
        let paid: PayReply = house.post(&clerk, "/payments", order).await.ok();
        let undo = json!({"payment": paid.payment, "reason": "=left", "second": second("S1")});
        assert_eq!(house.post(&clerk, "/reversals", undo).await.status, 200);
        let order = house.pay_order(&clerk, &code).await;
        assert_eq!(house.post(&clerk, "/payments", order).await.status, 200);
        let note = json!({"code": code, "facts": [2], "note": "wager smudged"});
        let noted = house.post(&clerk, "/discrepancies", note).await;
        assert_eq!(noted.status, 200, "{}", noted.text());
        let refusal = json!({"code": code, "reason": "minor"});
        let refused = house.post(&clerk, "/patron-refusals", refusal).await;
        assert_eq!(refused.status, 200, "{}", refused.text());
        house.until_settled(2);
        let counted_cents = FLOAT_CENTS + 8_000 + 200 - 3_000 - 25;
        let count = json!({"counted_cents": counted_cents});
        let closed: Value = house.post(&clerk, "/shifts/close", count).await.ok();
        assert_eq!(closed["difference_cents"], json!(-25));
        Self {
            auditor,
            clerk,
            ticket: sold.ticket.ticket,
            number: sold.ticket.control_number,
            counted_cents,
            house,
        }
    }
}

#[actix_web::test]
async fn the_sheet_of_a_draw_says_what_the_record_says() {
    let day = Day::new().await;
    let (pdf, csv) = day.report("draws/1").await;
    let view = day.house.get("/api/v1/draws/1").await.value();
    let transcript = day.house.get("/api/v1/draws/1/transcript").await.value();
    let balls: Vec<u8> = serde_json::from_value(view["balls"].clone()).unwrap();
    let in_order: Vec<String> = balls.iter().map(|ball| format!("{ball:02}")).collect();
    let payable = view["settlement"]["payable_cents"].as_i64().unwrap();
    let wagered = 4_000 + 200;
    let cap = view["cap_cents"].as_i64().unwrap();
    let figures = vec![
        ("draw", "number", "1".to_owned()),
        ("draw", "cap", dollars(cap)),
        ("numbers", "in_order", in_order.join(" ")),
        (
            "seal",
            "root",
            transcript["seal_root"].as_str().unwrap().to_owned(),
        ),
        ("seal", "size", transcript["log_size"].to_string()),
        ("seal", "tickets", "2".to_owned()),
        ("seal", "wagered", dollars(wagered)),
        (
            "totals",
            "winners",
            view["settlement"]["winners"].to_string(),
        ),
        (
            "totals",
            "computed",
            dollars(view["settlement"]["computed_cents"].as_i64().unwrap()),
        ),
        ("totals", "payable", dollars(payable)),
        (
            "totals",
            "breakage",
            dollars(view["settlement"]["breakage_cents"].as_i64().unwrap()),
        ),
        ("totals", "hold", dollars(wagered - payable)),
        ("totals", "large_factor", "1 / 1".to_owned()),
        (
            "totals",
            "prize_root",
            view["settlement"]["prize_root"]
                .as_str()
                .unwrap()
                .to_owned(),
        ),
    ];
    assert_eq!(check_figures(&csv, &figures), Ok(()));
    // The checker sees a cent.
    for (at, (_, field, value)) in figures.iter().enumerate() {
        let mut wrong = figures.clone();
        wrong[at].2 = if field.contains("pay") {
            dollars(payable + 1)
        } else {
            format!("{value}1")
        };
        assert!(check_figures(&csv, &wrong).is_err(), "{field}");
    }
    let (french, english) = halves(&pdf);
    for (text, lang, labels) in [
        (
            &french,
            Lang::Fr,
            [
                "Mises du tirage",
                "Total payable",
                "Résultat",
                "Dans l’ordre de sortie",
            ],
        ),
        (
            &english,
            Lang::En,
            [
                "Wagers for the draw",
                "Total payable",
                "Win",
                "In the order drawn",
            ],
        ),
    ] {
        let lines = vec![
            (labels[0], amount(wagered, lang)),
            (labels[1], amount(payable, lang)),
            (labels[2], amount(wagered - payable, lang)),
            (labels[3], in_order.join(" ")),
        ];
        assert_eq!(check_lines(text, &lines), Ok(()), "{text}");
        for at in 0..3 {
            let mut wrong = lines.clone();
            wrong[at].1 = amount(payable + 1, lang);
            assert!(check_lines(text, &wrong).is_err());
        }
    }
    assert!(french.contains("Feuille du tirage 000 001") && english.contains("Draw sheet 000 001"));
    assert!(french.contains("Engagements des détenteurs de secret"));
    for part in transcript["holders"].as_array().unwrap() {
        for field in ["commitment", "secret"] {
            // The paper breaks a hash over lines; its beginning stands on one.
            let start = &part[field].as_str().unwrap()[..16];
            assert!(french.contains(start) && english.contains(start), "{field}");
        }
    }
    // Dates of the document are those of the house's clock, not of 1970.
    assert!(String::from_utf8_lossy(&pdf).contains("D:202611"));
}

#[actix_web::test]
async fn no_sheet_tells_a_number_before_it_is_official() {
    let house = House::new(None);
    let auditor = house.sign_on(5, "A1").await;
    house.until(1, &[keno_game::DrawState::Drawn]);
    let path = "/api/v1/reports/draws/1?format=csv";
    let early = house.get_as(&auditor, path).await;
    assert_eq!(early.status, 200);
    let said = figures(early.text());
    let key = |field: &str| ("numbers".to_owned(), "0".to_owned(), field.to_owned());
    assert_eq!(said.get(&key("in_order")), None);
    assert!(
        !early.text().contains("BallsRecorded") && !early.text().contains("Numéros inscrits\",\"2")
    );
    house.until_settled(1);
    let late = house.get_as(&auditor, path).await;
    assert!(figures(late.text()).contains_key(&key("in_order")));
}

/// The report counts official draws alone, and from their leaves what memory counts as they come.
#[actix_web::test]
async fn the_report_of_the_numbers_counts_every_official_draw() {
    let house = House::new(None);
    let auditor = house.sign_on(5, "A1").await;
    let path = "/api/v1/reports/numbers?format=csv";
    let none = house.get_as(&auditor, path).await;
    assert_eq!(none.status, 200);
    assert!(!none.text().contains("z,"), "nothing is drawn yet");
    let draws = 6_u64;
    (1..=draws).for_each(|draw| house.until_settled(draw));
    // One that is drawn and not official tells nothing.
    house.until(draws + 1, &[keno_game::DrawState::Drawn]);
    let csv = house.get_as(&auditor, path).await;
    let said = figures(csv.text());
    let value = |row: &str, field: &str| {
        let key = ("numbers".to_owned(), row.to_owned(), field.to_owned());
        said.get(&key).cloned().unwrap_or_default()
    };
    assert_eq!(value("0", "draws"), draws.to_string());
    let mut times = vec![0_u64; 80];
    for draw in 1..=draws {
        let shown = house.get(&format!("/api/v1/draws/{draw}")).await;
        for ball in shown.value()["balls"].as_array().unwrap() {
            times[ball.as_u64().unwrap() as usize - 1] += 1;
        }
    }
    assert_eq!(times.iter().sum::<u64>(), 20 * draws);
    for (times, number) in times.iter().zip(1..) {
        let row = number.to_string();
        assert_eq!(value(&row, "number"), format!("{number:02}"));
        assert_eq!(value(&row, "times"), times.to_string());
        assert_eq!(value(&row, "uneven"), "");
    }
    let view = house.central.view.get();
    assert_eq!(view.frequencies.len(), 1);
    assert_eq!(view.frequencies[0].draws, draws);
    assert_eq!(view.frequencies[0].times, times);
    let pdf = house.get_as(&auditor, "/api/v1/reports/numbers").await;
    let (french, english) = halves(&pdf.body);
    assert!(french.contains("NUMÉROS TIRÉS") && english.contains("NUMBERS DRAWN"));
}

#[actix_web::test]
async fn a_void_draw_says_why_and_what_is_refunded() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let auditor = house.sign_on(5, "A1").await;
    house.sell_printed(&clerk, &straight(&[9], 150, 1)).await;
    house.until_closed(1);
    blocking(|| {
        Draw(1)
            .suspend(&house.central, "panne d’écran", "S1")
            .unwrap();
        Draw(1)
            .void(&house.central, "panne de courant", "S1", "S2")
            .unwrap();
    });
    let csv = house
        .get_as(&auditor, "/api/v1/reports/draws/1?format=csv")
        .await;
    let wanted = [
        ("totals", "void_reason", "panne de courant".to_owned()),
        ("totals", "voided_by", "S1 + S2".to_owned()),
        ("totals", "refund_tickets", "1".to_owned()),
        ("totals", "refund", "1.50".to_owned()),
    ];
    assert_eq!(check_figures(csv.text(), &wanted), Ok(()));
    let said = figures(csv.text());
    let detail = &said[&("incidents".to_owned(), "1".to_owned(), "detail".to_owned())];
    assert!(detail.contains("panne d’écran"), "{detail}");
}

#[actix_web::test]
async fn the_sheet_of_a_shift_adds_up_to_the_cent() {
    let day = Day::new().await;
    let (pdf, csv) = day.report("shifts/1").await;
    let expected = FLOAT_CENTS + 8_000 + 200 + 450 - 450 - 3_000 - 3_000 + 3_000;
    assert_eq!(expected - 25, day.counted_cents);
    let wanted = vec![
        ("shift", "terminal", "T01".to_owned()),
        ("shift", "badge", "C1".to_owned()),
        ("cash", "float", dollars(FLOAT_CENTS)),
        ("cash", "sales", dollars(8_650)),
        ("cash", "cancels", dollars(450)),
        ("cash", "payouts", dollars(6_000)),
        ("cash", "reversals", dollars(3_000)),
        ("cash", "rounding", dollars(0)),
        ("cash", "expected", dollars(expected)),
        ("cash", "counted", dollars(day.counted_cents)),
        ("cash", "difference", dollars(-25)),
        // Only where the leaves do not add up to what was recorded at the count.
        ("cash", "added_up", String::new()),
    ];
    assert_eq!(check_figures(&csv, &wanted), Ok(()));
    for at in 0..wanted.len() {
        let mut wrong = wanted.clone();
        wrong[at].2 = dollars(day.counted_cents + 1);
        assert!(check_figures(&csv, &wrong).is_err());
    }
    let said = figures(&csv);
    let row = |row: usize, field: &str| {
        said[&("activity".to_owned(), row.to_string(), field.to_owned())].clone()
    };
    assert_eq!(
        (row(1, "count"), row(1, "amount")),
        ("3".to_owned(), dollars(8_650))
    );
    assert_eq!(
        (row(4, "count"), row(4, "cash")),
        ("2".to_owned(), dollars(6_000))
    );
    let (french, english) = halves(&pdf);
    for (text, lang, labels) in [
        (
            &french,
            Lang::Fr,
            [
                "Fonds de caisse",
                "Attendu",
                "Compté (à l’aveugle)",
                "Manque",
            ],
        ),
        (
            &english,
            Lang::En,
            ["Opening float", "Expected", "Counted (blind)", "Short"],
        ),
    ] {
        let lines = [
            (labels[0], amount(FLOAT_CENTS, lang)),
            (labels[1], amount(expected, lang)),
            (labels[2], amount(day.counted_cents, lang)),
            (labels[3], amount(-25, lang)),
        ];
        assert_eq!(check_lines(text, &lines), Ok(()), "{text}");
    }
    for words in [
        "Billet annulé",
        "Paiement renversé",
        "Écart papier et registre",
        "Paiement refusé au détenteur",
        "mineur, ou âge non prouvé",
        "Préposé sortant",
    ] {
        assert!(french.contains(words), "{words}\n{french}");
    }
    for words in [
        "Ticket cancelled",
        "Payment reversed",
        "Paper and record differ",
        "Holder refused payment",
        "minor, or no proof of age",
    ] {
        assert!(english.contains(words), "{words}");
    }
}

#[actix_web::test]
async fn an_open_till_is_counted_blind() {
    let house = House::new(None);
    house.sign_on(1, "C1").await;
    let auditor = house.sign_on(5, "A1").await;
    // Who may have to count it reads nothing at all.
    let supervisor = house.sign_on(2, "S1").await;
    let path = "/api/v1/reports/shifts/1?format=csv";
    let refused = house.get_as(&supervisor, path).await;
    assert_eq!(refused.refusal(), (409, "till_still_open".to_owned()));
    let csv = house.get_as(&auditor, path).await;
    let said = figures(csv.text());
    for field in ["expected", "counted", "difference"] {
        let key = ("cash".to_owned(), "0".to_owned(), field.to_owned());
        assert_eq!(said.get(&key), None);
    }
}

#[actix_web::test]
async fn the_evidence_pack_proves_what_it_says() {
    let day = Day::new().await;
    let (pdf, csv) = day.report("tickets complaint").await;
    let grouped = format!(
        "{} {} {} {}",
        &day.number[..4],
        &day.number[4..8],
        &day.number[8..12],
        &day.number[12..]
    );
    let wanted = vec![
        ("facts", "control_number", grouped.clone()),
        ("facts", "per_draw", dollars(4_000)),
        ("facts", "total", dollars(8_000)),
        ("facts", "first_draw", "1".to_owned()),
        ("facts", "last_draw", "2".to_owned()),
        ("facts", "cap", dollars(5_000_000)),
        ("facts", "claim_by", "2027-11-20".to_owned()),
        ("sale", "ticket", day.ticket.to_string()),
        ("verdict", "asked_by", "A1".to_owned()),
    ];
    assert_eq!(check_figures(&csv, &wanted), Ok(()));
    let said = figures(&csv);
    let at = |section: &str, row: usize, field: &str| {
        said.get(&(section.to_owned(), row.to_string(), field.to_owned()))
            .cloned()
    };
    for draw in 1..=2 {
        assert_eq!(at("evaluation", draw, "payable").unwrap(), dollars(3_000));
        assert_eq!(
            at("evaluation", draw, "recomputed").unwrap(),
            dollars(3_000)
        );
        assert_eq!(at("evaluation", draw, "agrees").unwrap(), "oui | yes");
    }
    assert_eq!(at("evaluation", 1, "payment").unwrap(), "payé | paid");
    assert_eq!(at("payments", 1, "state").unwrap(), "renversé | reversed");
    assert_eq!(at("payments", 2, "state").unwrap(), "remis | handed over");
    assert_eq!(at("payments", 2, "amount").unwrap(), dollars(3_000));
    // What a person wrote is no formula.
    let life: Vec<String> = (1..10)
        .filter_map(|row| at("life", row, "detail"))
        .collect();
    assert!(
        life.iter().any(|detail| detail.contains("=left")),
        "{life:?}"
    );
    assert!(life.iter().all(|detail| !detail.starts_with('=')));

    prove(&csv).unwrap();
    let root = at("proofs", 0, "root").unwrap();
    let other = root.replace(|_: char| true, "a");
    assert!(
        prove(&csv.replace(&root, &other)).is_err(),
        "a planted root was not noticed"
    );

    let (french, english) = halves(&pdf);
    for (text, lang, labels) in [
        (
            &french,
            Lang::Fr,
            [
                "2° Mise totale",
                "4° Numéro de contrôle",
                "5° Maximum payable en lots par",
            ],
        ),
        (
            &english,
            Lang::En,
            [
                "(2) Total wager",
                "(4) Control number",
                "(5) Maximum payable per draw",
            ],
        ),
    ] {
        let lines = [
            (labels[0], amount(8_000, lang)),
            (labels[1], grouped.clone()),
            (labels[2], amount(5_000_000, lang)),
        ];
        assert_eq!(check_lines(text, &lines), Ok(()), "{text}");
    }
    assert!(french.contains("20 novembre 2027") && english.contains("November 20, 2027"));
    assert!(
        french.contains("Ce que ce dossier prouve") && english.contains("What this pack proves")
    );
    assert!(french.contains("mène à la racine") && !french.contains("NE MÈNE PAS"));
}

/// Recomputes every proof of a pack: RFC 6962 2.1.1, from the leaf hash to the root.
fn prove(csv: &str) -> Result<(), String> {
    use keno_log::proof::verify_inclusion;
    let said = figures(csv);
    let get = |row: usize, field: &str| {
        said.get(&("proofs".to_owned(), row.to_string(), field.to_owned()))
            .cloned()
    };
    let hash = |text: String| -> [u8; 32] { hex::decode(text).unwrap().try_into().unwrap() };
    let size: u64 = get(0, "size").unwrap().parse().unwrap();
    let root = hash(get(0, "root").unwrap());
    let mut proofs: Vec<(u64, [u8; 32], Vec<[u8; 32]>)> = Vec::new();
    for row in 1.. {
        let Some(what) = get(row, "what") else { break };
        let leaf = get(row, "leaf").unwrap().parse().unwrap();
        let bytes = hash(get(row, "hash").unwrap());
        if what.ends_with("leaf hash") {
            proofs.push((leaf, bytes, Vec::new()));
        } else {
            proofs.last_mut().unwrap().2.push(bytes);
        }
    }
    // Sale, print, payment, reversal, payment, discrepancy, refusal, and the presentations between.
    if proofs.len() < 7 {
        return Err(format!("{} proofs", proofs.len()));
    }
    for (leaf, leaf_hash, path) in &proofs {
        verify_inclusion(leaf_hash, *leaf, size, path, &root)
            .map_err(|fault| format!("leaf {leaf}: {fault}"))?;
    }
    Ok(())
}

#[actix_web::test]
async fn reports_are_for_auditors_and_supervisors_and_evidence_needs_a_purpose() {
    let day = Day::new().await;
    let house = &day.house;
    // Not at the device where the shift was counted.
    let clerk = house.sign_on(2, "C1").await;
    let number = &day.number;
    for path in ["draws/1".to_owned(), "shifts/1".to_owned()] {
        let path = format!("/api/v1/reports/{path}");
        let refused = house.get_as(&clerk, &path).await;
        assert_eq!(refused.refusal(), (403, "wrong_role".to_owned()));
        assert_eq!(house.get(&path).await.status, 401);
    }
    for (path, refusal) in [
        ("draws/999999".to_owned(), (404, "record_unknown")),
        ("shifts/999999".to_owned(), (404, "record_unknown")),
        ("draws/1?format=doc".to_owned(), (400, "malformed_request")),
    ] {
        let answer = house
            .get_as(&day.auditor, &format!("/api/v1/reports/{path}"))
            .await;
        assert_eq!(
            answer.refusal(),
            (refusal.0, refusal.1.to_owned()),
            "{path}"
        );
    }
    assert_eq!(day.clerk.badge, "C1");
    let evidence = "/reports/tickets";
    let asked = json!({"code": number, "purpose": "claim"});
    let refused = house.post(&clerk, evidence, asked).await;
    assert_eq!(refused.refusal(), (403, "wrong_place".to_owned()));
    for wrong in [
        json!({"code": number}),
        json!({"code": number, "purpose": "curiosity"}),
    ] {
        let refused = house.post(&day.auditor, evidence, wrong).await;
        assert_eq!(refused.refusal(), (400, "malformed_request".to_owned()));
    }

    // Who looked, and why, is on disk.
    day.report("tickets sampling").await;
    assert_eq!(
        looks(house, "sampling"),
        2,
        "once for the paper and once for the figures"
    );
    assert_eq!(looks(house, "curiosity"), 0);
}

/// Lines of the access log with a purpose.
fn looks(house: &House, purpose: &str) -> i64 {
    use diesel::prelude::*;
    #[derive(QueryableByName)]
    struct Count {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        count: i64,
    }
    let path = house.folder.path().join("access.sqlite");
    let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    let count: Count = diesel::sql_query(
        "SELECT count(*) AS count FROM access WHERE kind = 'audit_view' AND badge = 'A1' AND purpose = ?",
    )
    .bind::<diesel::sql_types::Text, _>(purpose)
    .get_result(&mut connection)
    .unwrap();
    count.count
}

/// The CSV without the moment when it was made.
fn but_for_its_time(csv: &str) -> Vec<&str> {
    csv.lines()
        .filter(|line| !line.starts_with("report,0,made_at,"))
        .collect()
}

#[actix_web::test]
async fn the_command_line_makes_the_same_sheets_while_central_runs() {
    let day = Day::new().await;
    let folder = day.house.folder.path();
    std::fs::write(folder.join("house.toml"), HouseFile::demonstration()).unwrap();
    for (what, path) in [("draw", "draws/1"), ("shift", "shifts/1")] {
        let (pdf, csv) = (folder.join("made.pdf"), folder.join("made.csv"));
        let output = Command::new(env!("CARGO_BIN_EXE_keno-central"))
            .args(["report", what, "1", "--data"])
            .arg(folder)
            .arg("--pdf")
            .arg(&pdf)
            .arg("--csv")
            .arg(&csv)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let (_, served) = day.report(path).await;
        let made = std::fs::read_to_string(&csv).unwrap();
        assert_eq!(but_for_its_time(&made), but_for_its_time(&served));
        assert!(std::fs::read(&pdf).unwrap().starts_with(b"%PDF-"));
    }
    let unknown = Command::new(env!("CARGO_BIN_EXE_keno-central"))
        .args(["report", "draw", "99", "--csv"])
        .arg(folder.join("none.csv"))
        .arg("--data")
        .arg(folder)
        .output()
        .unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    assert!(!folder.join("none.csv").exists());
}

/// Writes the papers of the small day where `BOULIER_REPORTS` says, to be looked at.
#[actix_web::test]
async fn papers_of_the_day_may_be_kept_to_be_looked_at() {
    let Some(folder) = std::env::var_os("BOULIER_REPORTS") else {
        return;
    };
    let folder = std::path::PathBuf::from(folder);
    let day = Day::new().await;
    for (name, path) in [
        ("draw", "draws/1".to_owned()),
        ("shift", "shifts/1".to_owned()),
        ("ticket", "tickets claim".to_owned()),
    ] {
        let (pdf, csv) = day.report(&path).await;
        std::fs::write(folder.join(format!("{name}.pdf")), pdf).unwrap();
        std::fs::write(folder.join(format!("{name}.csv")), csv).unwrap();
    }
}
