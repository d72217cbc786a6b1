//! Cosignatures of witnesses, through the public door: taken from whoever hands them in, shown to
//! everybody, and kept.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use crate::common::{Answer, House, RULES, straight};
use actix_web::test::TestRequest;
use keno_log::checkpoint::cosignature::{cosign, cosigned_at};
use keno_log::checkpoint::{Checkpoint, Note, SigningKey, sign};
use keno_record::keys::signing_key;
use keno_record::record::origin_of;
use keno_service::central::Options;
use serde_json::json;

const NOON: u64 = 1_790_000_000;

fn key(name: &str, seed: u8) -> SigningKey {
    SigningKey::from_seed(name, &[seed; 32]).unwrap()
}

fn witnesses() -> [SigningKey; 2] {
    [key("records.example/éa", 1), key("university", 2)]
}

fn house(database: Option<&str>) -> House {
    House::opened(database, RULES, name)
}

fn name(options: &mut Options) {
    let keys = witnesses().map(|witness| witness.verifying_key().clone());
    options.house.witnesses = keys.to_vec();
}

/// The newest checkpoint, cosigned by these.
async fn cosigned(house: &House, by: &[&SigningKey], seconds: u64) -> Note {
    house.published();
    let newest = house.get("/log/checkpoint").await;
    with(newest.text(), by, seconds)
}

fn with(checkpoint: &str, by: &[&SigningKey], seconds: u64) -> Note {
    let mut note = Note::parse(checkpoint).unwrap();
    for key in by {
        note.add(cosign(note.text(), seconds, key).unwrap())
            .unwrap();
    }
    note
}

async fn hand_in(house: &House, note: &str) -> Answer {
    let request = TestRequest::post().uri("/log/cosigned");
    house.call(request.set_json(json!({"note": note}))).await
}

/// Who is shown on the home page.
async fn shown(house: &House) -> Vec<String> {
    let page = house.get("/").await;
    let rows = page.text().split("<div>");
    let rows = rows.filter(|row| row.contains("/log/cosigned?by="));
    rows.map(str::to_owned).collect()
}

async fn the_whole_way(house: House) {
    let [records, university] = witnesses();
    assert_eq!(house.get("/log/cosigned").await.status, 404);
    assert!(shown(&house).await.is_empty());

    let first = cosigned(&house, &[&records], NOON).await;
    let taken = hand_in(&house, &first.to_string()).await;
    assert_eq!(taken.value(), json!({"by": ["records.example/éa"]}));
    let note = Note::parse(house.get("/log/cosigned").await.text()).unwrap();
    assert_eq!(cosigned_at(&note, records.verifying_key()), Ok(NOON));
    assert_eq!(shown(&house).await.len(), 1);
    let page = house.get("/").await;
    assert!(page.text().contains("Pas encore cosigné par university"));
    // By the name as the page writes it in its address.
    let rows = shown(&house).await;
    let by = rows[0]
        .split("href=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    assert_eq!(house.get(by.unwrap()).await.text(), note.to_string());
    let other = house.get("/log/cosigned?by=university").await;
    assert_eq!(other.status, 404);

    // The log goes on; the other cosigns what it is now, and the first what it was.
    let clerk = house.sign_on(1, "C1").await;
    house
        .sell_printed(&clerk, &straight(&[1, 2, 3], 100, 1))
        .await;
    let second = cosigned(&house, &[&university], NOON + 60).await;
    assert_eq!(hand_in(&house, &second.to_string()).await.status, 200);
    assert_eq!(house.get("/log/cosigned").await.text(), second.to_string());
    // Both of the same: one note.
    let both = cosigned(&house, &[&records], NOON + 120).await;
    assert_eq!(hand_in(&house, &both.to_string()).await.status, 200);
    let note = Note::parse(house.get("/log/cosigned").await.text()).unwrap();
    assert!(cosigned_at(&note, records.verifying_key()).is_ok());
    // An older one changes nothing.
    assert_eq!(hand_in(&house, &first.to_string()).await.status, 200);
    let kept = house.get("/log/cosigned").await.text().to_owned();
    assert_eq!(kept, note.to_string());

    refused(&house, &note.to_string()).await;
}

/// What is not taken, and changes nothing.
async fn refused(house: &House, taken: &str) {
    let [records, university] = witnesses();
    let kept = house.get("/log/cosigned").await.text().to_owned();
    let newest = house.get("/log/checkpoint").await.text().to_owned();
    let cosigned = |text: &str| with(text, &[&records], NOON + 500).to_string();
    let own = |checkpoint: &Checkpoint| {
        let log = signing_key(&house.central.keys, &origin_of(&house.central.house_code));
        cosigned(&sign(checkpoint, &log.unwrap()).unwrap())
    };
    let body = newest.split("\n\n").next().unwrap().to_owned() + "\n";
    let known = Checkpoint::from_body(&body).unwrap();
    let other_root = Checkpoint::new(&known.origin, known.size, [7; 32]);
    let ahead = Checkpoint::new(&known.origin, known.size + 1, known.root);
    let other_log = Checkpoint::new("boulier/ailleurs", known.size, known.root);
    let impostor = key(university.verifying_key().name(), 9);
    let unsigned = format!("{body}\n{}", cosigned(&newest).lines().last().unwrap()) + "\n";
    let changed = cosigned(&newest).replacen(&format!("\n{}\n", known.size), "\n1\n", 1);
    for (note, refusal) in [
        (String::new(), (422, "not_cosigned")),
        ("é\0 no note".to_owned(), (422, "not_cosigned")),
        // Nobody cosigned, or nobody whom the house names.
        (newest.clone(), (422, "not_cosigned")),
        (
            with(&newest, &[&impostor], NOON + 500).to_string(),
            (422, "not_cosigned"),
        ),
        // The log did not sign it, or signed something else.
        (unsigned, (422, "not_cosigned")),
        (changed, (422, "not_cosigned")),
        (own(&other_log), (422, "not_cosigned")),
        // Under the log's own key, and none of this log.
        (own(&other_root), (409, "cosigned_otherwise")),
        (own(&ahead), (409, "cosigned_otherwise")),
    ] {
        let answer = hand_in(house, &note).await;
        assert_eq!(
            answer.refusal(),
            (refusal.0, refusal.1.to_owned()),
            "{note}"
        );
        assert_eq!(house.get("/log/cosigned").await.text(), kept, "{note}");
    }
    assert_eq!(
        hand_in(house, taken).await.status,
        200,
        "once more is no fault"
    );
}

#[actix_web::test]
async fn cosignatures_are_taken_and_shown() {
    the_whole_way(house(None)).await;
    let database = keno_testing::empty_postgres_database().unwrap();
    the_whole_way(house(Some(database.address()))).await;
}

#[actix_web::test]
async fn a_start_forgets_none_and_shows_nobody_who_is_not_named() {
    let house = house(None);
    let [records, university] = witnesses();
    let note = cosigned(&house, &[&records, &university], NOON).await;
    let by = hand_in(&house, &note.to_string()).await.value();
    assert_eq!(by, json!({"by": ["records.example/éa", "university"]}));
    let kept = house.get("/log/cosigned").await.text().to_owned();
    let house = house.restarted_with(name);
    house.published();
    assert_eq!(house.get("/log/cosigned").await.text(), kept);
    assert_eq!(shown(&house).await.len(), 2);
    let house = house.restarted_with(|options| {
        options.house.witnesses = vec![university.verifying_key().clone()];
    });
    house.published();
    assert_eq!(shown(&house).await.len(), 1);
    let left = Note::parse(house.get("/log/cosigned").await.text()).unwrap();
    assert!(cosigned_at(&left, records.verifying_key()).is_err());
    assert_eq!(house.restarted().get("/log/cosigned").await.status, 404);
}
