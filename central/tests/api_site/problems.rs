//! Problems as RFC 9457 has them: an address that answers for each type, and a title in the language
//! that is asked for.

use actix_web::http::header;
use actix_web::test::TestRequest;
use keno_central::entrance::DoorRefusal;
use keno_central::problem::{Edge, meaning};
use keno_central::trust::TrustRefusal;
use keno_game::SlipRefusalCode;
use keno_service::refusal::Refusal;
use keno_wire::Problem;

use crate::common::House;

#[actix_web::test]
async fn every_type_is_an_address_that_says_what_it_means() {
    let house = House::new(None);
    let server = house.server().await;
    let mut names: Vec<&str> = Refusal::NAMES.to_vec();
    names.extend(SlipRefusalCode::ALL.map(SlipRefusalCode::name));
    names.extend(Edge::ALL.map(Edge::name));
    names.extend(TrustRefusal::ALL.map(TrustRefusal::name));
    names.extend(DoorRefusal::ALL.map(DoorRefusal::name));
    let mut all: Vec<&str> = meaning::names().collect();
    for list in [&mut names, &mut all] {
        list.sort_unstable();
        let several = list.len();
        list.dedup();
        assert_eq!(list.len(), several, "a name stands for two problems");
    }
    assert_eq!(names, all);
    for name in names {
        let problem = Problem::of(name, 400, &"");
        let answer = server(TestRequest::get().uri(&problem.kind)).await;
        assert_eq!(answer.status, 200, "{name}");
        assert!(
            answer.header("content-type").starts_with("text/plain"),
            "{name}"
        );
        let mut lines = answer.text().lines();
        let status = meaning::of(name).unwrap().status;
        assert_eq!(lines.next().unwrap(), format!("{name} ({status})"));
        let (mut fr, mut en) = (0, 0);
        while let (Some(""), Some(french), Some(english)) =
            (lines.next(), lines.next(), lines.next())
        {
            assert!(
                french.ends_with(['.', '…']) && english.ends_with(['.', '…']),
                "{name}: {french}"
            );
            assert!(
                !french.contains(['{', '}']) && french != english,
                "{name}: {french}"
            );
            fr += french.len();
            en += english.len();
        }
        assert!(fr > 10 && en > 10, "{name}: {}", answer.text());
    }
    let none = server(TestRequest::get().uri("/problems/nothing_of_the_kind")).await;
    assert_eq!(none.refusal(), (404, "path_unknown".to_owned()));
}

/// What a refused request is told in, when it asks for this.
async fn told_in(house: &House, wanted: Option<&str>) -> (String, String, String) {
    let mut request = TestRequest::get().uri("/api/v1/nothing");
    if let Some(wanted) = wanted {
        request = request.insert_header((header::ACCEPT_LANGUAGE, wanted));
    }
    let answer = house.call(request).await;
    let problem = answer.problem();
    let title = match &problem.title {
        title if *title == problem.sentence.fr => "fr",
        title if *title == problem.sentence.en => "en",
        other => other,
    };
    let of = |name: &str| answer.header(name).to_owned();
    (title.to_owned(), of("content-language"), of("vary"))
}

#[actix_web::test]
async fn a_title_is_in_the_language_that_is_asked_for_and_in_french_first() {
    let house = House::new(None);
    for (wanted, language) in [
        (None, "fr"),
        (Some(""), "fr"),
        (Some("en"), "en"),
        (Some("en-CA"), "en"),
        (Some("EN-ca"), "en"),
        (Some("fr, en"), "fr"),
        (Some("en, fr"), "fr"),
        (Some("en, fr;q=0.9"), "en"),
        (Some("fr;q=0.2, en;q=0.3"), "en"),
        (Some("fr-CA;q=0.8, en;q=0.8"), "fr"),
        (Some("de"), "fr"),
        (Some("de, en;q=0.1"), "en"),
        (Some("*"), "fr"),
        (Some("en;q=0, *"), "fr"),
        (Some("fr;q=0, *"), "en"),
        (Some("fr;q=0"), "fr"),
        (Some("nonsense;;;"), "fr"),
    ] {
        let expected = (
            language.to_owned(),
            language.to_owned(),
            "accept-language".to_owned(),
        );
        assert_eq!(told_in(&house, wanted).await, expected, "{wanted:?}");
    }
    // So is what a handler refuses, and what is refused before it is asked.
    let clerk = house.sign_on(1, "C1").await;
    let unread = TestRequest::post()
        .uri("/api/v1/sales")
        .insert_header((header::ACCEPT_LANGUAGE, "en"))
        .insert_header((header::CONTENT_TYPE, "application/json"))
        .set_payload("{");
    let unread = house.call(clerk.sign(unread)).await;
    assert_eq!(unread.status, 400);
    assert_eq!(unread.problem().title, unread.problem().sentence.en);
    let nobody = TestRequest::get().uri("/api/v1/wall");
    let nobody = nobody.insert_header((header::ACCEPT_LANGUAGE, "en"));
    let refused = house.call(nobody).await;
    assert_eq!(refused.problem().title, refused.problem().sentence.en);
}
