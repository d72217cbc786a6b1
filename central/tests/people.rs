//! People, devices and PINs at the server's own addresses: what takes two humans, which roles
//! exclude one another, and a PIN that its owner has chosen. On both databases.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::BTreeMap;

use crate::common::{Answer, House, Person, blocking, pin_of, second};
use diesel::prelude::*;
use keno_record::roles::Role;
use keno_record::store::people;
use keno_schema::tables::credential;
use keno_schema::{Database, on};
use keno_service::maintenance;
use keno_service::staff::Badge;
use keno_wire::badge_card::BadgeCard;
use serde_json::{Value, json};

/// The back office.
const OFFICE: u32 = 6;
/// A PIN that somebody sets.
const SET: &str = "471108";
/// A PIN that its owner chooses.
const CHOSEN: &str = "850274";

async fn on_both(test: impl AsyncFn(House)) {
    test(House::new(None)).await;
    let database = blocking(|| keno_testing::empty_postgres_database().unwrap());
    test(House::new(Some(database.address()))).await;
}

/// A person as two record them.
fn person(badge: &str, staff: &str, roles: &[&str], by: &str, other: &str) -> Value {
    json!({
        "badge": badge, "staff": staff, "roles": roles, "pin": SET,
        "by": second(by), "second": second(other),
    })
}

impl House {
    async fn records(&self, body: Value) -> Answer {
        self.post_device(OFFICE, "/people", body).await
    }

    async fn signs_on(&self, device: u32, badge: &str, pin: &str) -> Answer {
        let body = json!({"badge": badge, "pin": pin});
        self.post_device(device, "/sessions", body).await
    }
}

#[track_caller]
fn refused(answer: &Answer, name: &str) {
    assert_eq!(answer.refusal().1, name, "{}", answer.text());
}

#[track_caller]
fn done(answer: &Answer) {
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// One administrator alone, one human with two badges, or anybody else records nobody; and nobody is
/// given roles that exclude one another.
#[actix_web::test]
async fn two_humans_record_a_person_and_no_excluded_roles() {
    on_both(async |house| {
        let size = house.central.view.get().log_size;
        for (by, other, name) in [
            ("X1", "X1", "same_person_twice"),
            ("X1", "S1", "badge_or_pin_wrong"),
            ("S1", "X1", "badge_or_pin_wrong"),
        ] {
            let body = person("N1", "N1", &["clerk"], by, other);
            refused(&house.records(body).await, name);
        }
        let two = |badge, staff, roles: &[&str]| person(badge, staff, roles, "X1", "X2");
        for roles in [
            &["auditor", "clerk"][..],
            &["administrator", "auditor"],
            &["administrator", "clerk"],
            &["administrator", "supervisor"],
            &["administrator", "verifier"],
            &["technician", "cage"],
        ] {
            refused(
                &house.records(two("N1", "N1", roles)).await,
                "roles_exclude",
            );
        }
        // The same human under another badge.
        refused(
            &house.records(two("N1", "C1", &["technician"])).await,
            "roles_exclude",
        );
        refused(
            &house.records(two("C1", "other", &["clerk"])).await,
            "staff_number_kept",
        );
        refused(
            &house.records(two("", "N1", &["clerk"])).await,
            "name_needed",
        );
        // What people read as one is one: a badge, or the staff number of one human.
        for (badge, staff) in [("c1", "N1"), ("N1", "c1"), ("N1", "C-1"), ("N1", "00C1")] {
            let alike = house.records(two(badge, staff, &["clerk"])).await;
            refused(&alike, "looks_like_another");
        }
        assert_eq!(house.records(two("N1", "N1", &[])).await.status, 400);
        assert_eq!(
            house.central.view.get().log_size,
            size,
            "a refusal leaves no trace"
        );
        done(&house.records(two("N1", "N1", &["clerk", "marker"])).await);
        // A second badge of X1 is X1 wherever a second person is asked.
        done(&house.records(two("X3", "X1", &["administrator"])).await);
        let own = json!({"badge": "X3", "pin": SET, "new_pin": pin_of("X3")});
        done(&house.post_device(OFFICE, "/people/pin", own).await);
        let by_one = person("N2", "N2", &["clerk"], "X1", "X3");
        refused(&house.records(by_one).await, "same_person_twice");
        let administrator = house.sign_on(OFFICE, "X1").await;
        let text = crate::common::RULES.replace("version = 1", "version = 2");
        let rules = json!({"text": text, "effective_from": 50, "second": second("X3")});
        refused(
            &house.post(&administrator, "/rules", rules).await,
            "same_person_twice",
        );
    })
    .await;
}

/// A clerk with two badges is not two at the till either.
#[actix_web::test]
async fn two_badges_of_one_human_are_one_at_the_till() {
    on_both(async |house| {
        let again = person("S3", "C1", &["supervisor"], "X1", "X2");
        done(&house.records(again).await);
        let own = json!({"badge": "S3", "pin": SET, "new_pin": pin_of("S3")});
        done(&house.post_device(1, "/people/pin", own).await);
        let clerk = house.sign_on(1, "C1").await;
        let key = house.key(&clerk);
        let fill = |by: &str| {
            json!({"key": key, "kind": "fill", "amount_cents": 100, "second": second(by)})
        };
        refused(
            &house.post(&clerk, "/shifts/movements", fill("S3")).await,
            "same_person_twice",
        );
        // Nor at the wall, where the other badge is signed on.
        let content = json!({"what": "till_movement", "kind": "fill", "amount_cents": 100});
        let asked = house
            .post(&clerk, "/approvals", json!({"content": content}))
            .await;
        let id = asked.value()["id"].clone();
        let other = house.sign_on(2, "S3").await;
        let grant = json!({"pin": pin_of("S3")});
        refused(
            &house
                .post(&other, &format!("/approvals/{id}/grant"), grant)
                .await,
            "same_person_twice",
        );
        done(&house.post(&clerk, "/shifts/movements", fill("S1")).await);
    })
    .await;
}

#[actix_web::test]
async fn two_administrators_stay_and_sessions_end_with_a_change() {
    on_both(async |house| {
        let withdraw = |badge: &str, by: &str, other: &str| {
            let body = json!({"badge": badge, "by": second(by), "second": second(other)});
            let house = &house;
            async move { house.post_device(OFFICE, "/people/withdraw", body).await }
        };
        refused(&withdraw("X2", "X1", "X2").await, "own_badge");
        refused(&withdraw("nobody", "X1", "X2").await, "record_unknown");
        let demoted = person("X2", "X2", &["clerk"], "X1", "X2");
        refused(&house.records(demoted).await, "administrators_too_few");
        blocking(|| crate::common::record(&house.central, "X4", &[Role::Administrator]));
        done(&withdraw("X2", "X1", "X4").await);
        refused(&withdraw("C1", "X1", "X2").await, "badge_or_pin_wrong");
        let clerk = house.sign_on(1, "C1").await;
        let other = house.sign_on(2, "C2").await;
        let anew = person("C1", "C1", &["clerk", "supervisor"], "X1", "X4");
        done(&house.records(anew).await);
        done(&withdraw("C2", "X1", "X4").await);
        for person in [&clerk, &other] {
            let content = json!({"what": "till_movement", "kind": "fill", "amount_cents": 1});
            let asked = json!({"content": content});
            let answer = house.post(person, "/approvals", asked).await;
            refused(&answer, "session_ended");
        }
        // The till stays open, for whoever comes with the new PIN.
        assert_eq!(house.central.view.get().shifts.len(), 2);
    })
    .await;
}

#[actix_web::test]
async fn a_pin_that_others_set_is_good_for_nothing_but_another() {
    on_both(async |house| {
        done(
            &house
                .records(person("C9", "C9", &["clerk"], "X1", "X2"))
                .await,
        );
        refused(&house.signs_on(1, "C9", SET).await, "pin_must_change");
        let choose = |pin: &str, new: &str| {
            let body = json!({"badge": "C9", "pin": pin, "new_pin": new});
            let house = &house;
            async move { house.post_device(1, "/people/pin", body).await }
        };
        refused(&choose("582917", CHOSEN).await, "badge_or_pin_wrong");
        refused(&choose(SET, "123456").await, "pin_too_easy");
        refused(&choose(SET, SET).await, "pin_unchanged");
        done(&choose(SET, CHOSEN).await);
        refused(&house.signs_on(1, "C9", SET).await, "badge_or_pin_wrong");
        done(&house.signs_on(1, "C9", CHOSEN).await);
        // A supervisor and another give a PIN that is good once; never for whoever answers for
        // others, and nobody their own.
        let reset = |badge: &str, by: &str, other: &str| {
            let body = json!({"badge": badge, "by": second(by), "second": second(other)});
            let house = &house;
            async move { house.post_device(2, "/people/pin/reset", body).await }
        };
        for (badge, by, other, name) in [
            ("S2", "S1", "C1", "pin_not_reset"),
            ("A1", "S1", "C1", "pin_not_reset"),
            ("X1", "S1", "C1", "pin_not_reset"),
            ("C1", "S1", "C1", "pin_not_reset"),
            ("C9", "S1", "S1", "same_person_twice"),
            ("C9", "C1", "S1", "badge_or_pin_wrong"),
        ] {
            refused(&reset(badge, by, other).await, name);
        }
        let given = reset("C9", "S1", "C1").await.value();
        let given = given["pin"].as_str().unwrap().to_owned();
        refused(&house.signs_on(1, "C9", CHOSEN).await, "badge_or_pin_wrong");
        refused(&house.signs_on(1, "C9", &given).await, "pin_must_change");
        done(&choose(&given, CHOSEN).await);
        done(&house.signs_on(1, "C9", CHOSEN).await);
    })
    .await;
}

/// Whoever set somebody's PIN knows it until it is changed: they are nobody beside that badge, and
/// it is not changed where one of them is signed on, with whatever badge.
#[actix_web::test]
async fn who_reset_a_pin_is_nobody_beside_it() {
    on_both(async |house| {
        let staff = json!({
            "badge": "S3", "staff": "S1", "roles": ["supervisor"], "pin": SET,
            "by": second("X1"), "second": second("X2"),
        });
        done(&house.records(staff).await);
        let own = json!({"badge": "S3", "pin": SET, "new_pin": pin_of("S3")});
        done(&house.post_device(2, "/people/pin", own).await);
        let wall = house.sign_on(1, "S3").await;
        let body = json!({"badge": "C2", "by": second("S1"), "second": second("C1")});
        let given = house.post_device(2, "/people/pin/reset", body).await;
        done(&given);
        let given = given.value()["pin"].as_str().unwrap().to_owned();
        // With the one-time PIN of the clerk, who is another human.
        let key = house.key(&wall);
        let fill = |badge: &str, pin: &str| {
            json!({"key": key, "kind": "fill", "amount_cents": 100,
                "second": {"badge": badge, "pin": pin}})
        };
        refused(
            &house
                .post(&wall, "/shifts/movements", fill("C2", &given))
                .await,
            "pin_known_to_other",
        );
        let choose = |device: u32| {
            let body = json!({"badge": "C2", "pin": given, "new_pin": CHOSEN});
            let house = &house;
            async move { house.post_device(device, "/people/pin", body).await }
        };
        refused(&choose(1).await, "pin_chosen_elsewhere");
        done(&choose(2).await);
        // Chosen by its owner, it is another person's.
        done(
            &house
                .post(&wall, "/shifts/movements", fill("C2", CHOSEN))
                .await,
        );
    })
    .await;
}

/// Whoever has a card shows it as a second person: the badge and the PIN alone, which others may have
/// seen, are not enough; and whoever is signed on elsewhere is told of it.
#[actix_web::test]
async fn a_second_person_who_has_a_card_shows_it() {
    on_both(async |house| {
        let clerk = house.sign_on(1, "C1").await;
        let own = house.sign_on(2, "S1").await;
        let fill = async |card: &str| {
            let body = json!({"key": house.key(&clerk), "kind": "fill", "amount_cents": 100,
                "second": {"badge": "S1", "pin": pin_of("S1"), "card": card}});
            house.post(&clerk, "/shifts/movements", body).await
        };
        let make = async |by: &str, other: &str| {
            let body = json!({"badge": "S1", "by": second(by), "second": second(other)});
            house.post_device(OFFICE, "/people/card", body).await
        };
        done(&fill("").await);
        for (by, other, name) in [
            ("X1", "X1", "same_person_twice"),
            ("X1", "S1", "badge_or_pin_wrong"),
        ] {
            refused(&make(by, other).await, name);
        }
        let text = |made: &Answer| BadgeCard::read(made.value()["text"].as_str().unwrap()).unwrap();
        let first = make("X1", "X2").await;
        done(&first);
        let first = text(&first);
        assert_eq!(first.badge, "S1");
        // What somebody saw or remembers.
        refused(&fill("").await, "card_needed");
        refused(&fill("7KQ4M2PX0123ABCD").await, "badge_or_pin_wrong");
        // The sessions of its owner ended with the card.
        let answer = house.post(&own, "/sessions/unlock", second("S1")).await;
        refused(&answer, "session_ended");
        let own = house.sign_on(2, "S1").await;
        done(&fill(&first.secret).await);
        let told = house.get_as(&own, "/api/v1/counter").await;
        assert!(
            told.text().contains("The badge S1 was just used"),
            "{}",
            told.text()
        );
        let told = house.get_as(&clerk, "/api/v1/counter").await;
        done(&told);
        assert!(!told.text().contains("was just used"), "{}", told.text());
        // Nor is the badge typed enough of whoever gives a command at a screen that is not theirs.
        let reset = async |device: u32, card: &str| {
            let body = json!({"badge": "C2", "second": second("S2"),
                "by": {"badge": "S1", "pin": pin_of("S1"), "card": card}});
            house.post_device(device, "/people/pin/reset", body).await
        };
        refused(&reset(1, "").await, "card_needed");
        refused(&reset(1, "7KQ4M2PX0123ABCD").await, "badge_or_pin_wrong");
        done(&reset(1, &first.secret).await);
        done(&reset(2, "").await);
        // A card that was lost counts no more.
        let second_card = text(&make("X1", "X2").await);
        assert_ne!(second_card, first);
        refused(&fill(&first.secret).await, "badge_or_pin_wrong");
        done(&fill(&second_card.secret).await);
        // Another badge of the same human is no way around it.
        done(
            &house
                .records(person("S9", "S1", &["supervisor"], "X1", "X2"))
                .await,
        );
        let own = json!({"badge": "S9", "pin": SET, "new_pin": pin_of("S9")});
        done(&house.post_device(OFFICE, "/people/pin", own).await);
        let by_other = json!({"key": house.key(&clerk), "kind": "fill", "amount_cents": 100,
            "second": second("S9")});
        let answer = house.post(&clerk, "/shifts/movements", by_other).await;
        refused(&answer, "card_needed");
        // Another record of the person leaves the card as it is.
        let again = person("S1", "S1", &["supervisor"], "X1", "X2");
        done(&house.records(again).await);
        let chosen = async |card: &str| {
            let body = json!({"badge": "S1", "pin": SET, "new_pin": pin_of("S1"), "card": card});
            house.post_device(2, "/people/pin", body).await
        };
        // Those who set the PIN know it; the card is its owner's.
        refused(&chosen("").await, "card_needed");
        refused(&chosen(&first.secret).await, "badge_or_pin_wrong");
        done(&chosen(&second_card.secret).await);
        done(&fill(&second_card.secret).await);
    })
    .await;
}

/// Where the house says that cards are needed, nobody is a second person at another's screen without
/// one; at their own screen and at the console nothing is scanned.
#[actix_web::test]
async fn a_house_may_ask_for_cards_of_everybody() {
    let house = House::with_file(|said| said.staff.cards_needed = true);
    let clerk = house.sign_on(1, "C1").await;
    let fill = async |card: &str| {
        let body = json!({"key": house.key(&clerk), "kind": "fill", "amount_cents": 100,
            "second": {"badge": "S1", "pin": pin_of("S1"), "card": card}});
        house.post(&clerk, "/shifts/movements", body).await
    };
    refused(&fill("").await, "card_needed");
    // A card of nobody, where none was made.
    refused(&fill("7KQ4M2PX0123ABCD").await, "badge_or_pin_wrong");
    let made = blocking(|| Badge("S1").make_card(&house.central, "X1", "X2").unwrap());
    done(&fill(&made.1).await);
    house.sign_on(2, "S2").await;
}

/// A clerk who has a draw role too, under whatever badge, hears at a sale which draws others certify.
#[actix_web::test]
async fn a_seller_with_a_draw_role_is_told_which_draws_others_certify() {
    let house = House::new(None);
    let slip = |draws: u16| {
        json!({"selections": [{"type": "straight", "numbers": [3, 17, 42], "wager_cents": 100}],
            "draws": draws})
    };
    let clerk = house.sign_on(1, "C1").await;
    assert_eq!(house.sell(&clerk, &slip(1)).await.notice, None);
    done(
        &house
            .records(person("V1", "C2", &["verifier"], "X1", "X2"))
            .await,
    );
    let clerk = house.sign_on(2, "C2").await;
    let sold = house.sell(&clerk, &slip(3)).await;
    let notice = sold.notice.unwrap();
    let first = sold.ticket.first.draw;
    let expected = format!("You cannot certify draws {first} to {} any more", first + 2);
    assert!(notice.en.starts_with(&expected), "{notice:?}");
    let first = house.sell(&clerk, &slip(1)).await.notice.unwrap();
    assert!(first.fr.contains("certifier le tirage "), "{first:?}");
}

/// Rules that need more people than the house has at its smallest are not published; those with as
/// many are.
#[actix_web::test]
async fn rules_for_more_people_than_there_are_are_not_published() {
    let small =
        crate::common::RULES.replace("third_person = \"2000.00\"", "third_person = \"60000.00\"");
    assert_ne!(small, crate::common::RULES);
    let house = House::made(None, &small, |said| said.staff.fewest = Some(3));
    let administrator = house.sign_on(OFFICE, "X1").await;
    let publish = async |text: &str| {
        let text = text.replace("version = 1", "version = 2");
        let rules = json!({"text": text, "effective_from": 50, "second": second("X2")});
        house.post(&administrator, "/rules", rules).await
    };
    let size = house.central.view.get().log_size;
    let answer = publish(crate::common::RULES).await;
    refused(&answer, "staff_too_few");
    assert!(answer.text().contains("need 4 people"), "{}", answer.text());
    assert_eq!(house.central.view.get().log_size, size);
    done(&publish(&small).await);
}

/// A clerk who falls ill: a supervisor and another end the session at the same terminal, both PINs
/// right or nothing comes of it, and the till is counted and closed by two.
#[actix_web::test]
async fn two_people_go_on_where_a_clerk_fell_ill() {
    on_both(async |house| {
        let ill = house.sign_on(1, "C1").await;
        let relief = |staying: Value, other: Value| {
            let body = json!({"absent": "C1", "staying": staying, "second": other});
            let house = &house;
            async move { house.post_device(1, "/sessions/relief", body).await }
        };
        let size = house.central.view.get().log_size;
        let wrong = json!({"badge": "S1", "pin": "000000"});
        for (staying, other, name) in [
            (second("C2"), second("C2"), "same_person_twice"),
            (second("C1"), second("S1"), "same_person_twice"),
            (second("S1"), second("C1"), "same_person_twice"),
            (second("C2"), wrong.clone(), "badge_or_pin_wrong"),
            (wrong, second("C2"), "badge_or_pin_wrong"),
            (second("A1"), second("S1"), "badge_or_pin_wrong"),
        ] {
            refused(&relief(staying, other).await, name);
        }
        assert_eq!(house.central.view.get().log_size, size);
        let stays = relief(second("C2"), second("S1")).await.value();
        let asked =
            json!({"content": {"what": "till_movement", "kind": "fill", "amount_cents": 1}});
        let answer = house.post(&ill, "/approvals", asked).await;
        refused(&answer, "session_ended");
        let session = stays["session"].as_u64().unwrap();
        let staying = Person {
            badge: "C2".to_owned(),
            device: 1,
            device_header: ill.device_header.clone(),
            session,
            session_header: format!("{session}.{}", stays["token"].as_str().unwrap()),
            shift: stays["shift"].as_u64(),
        };
        assert_eq!(staying.shift, ill.shift, "the till stays open");
        let count = |other: Option<Value>| {
            let mut body = json!({"counted_cents": crate::common::FLOAT_CENTS});
            if let Some(other) = other {
                body["second"] = other;
            }
            body
        };
        let close = "/shifts/close";
        refused(
            &house.post(&staying, close, count(None)).await,
            "till_of_another",
        );
        done(&house.post(&staying, close, count(Some(second("S1")))).await);
        // The next one opens a till of their own.
        house.sign_on(1, "C2").await;
    })
    .await;
}

/// Who is on the staff is seen at the back office, as they stand: no badge that was withdrawn, and
/// what keeps somebody from serving.
#[actix_web::test]
async fn the_staff_is_seen_at_the_back_office() {
    on_both(async |house| {
        let administrator = house.sign_on(OFFICE, "X1").await;
        let people = || async {
            let answer = house.get_as(&administrator, "/api/v1/people").await;
            done(&answer);
            let mut all = answer.value()["people"].take();
            let all = std::mem::take(all.as_array_mut().unwrap());
            let of = |one: Value| (one["badge"].as_str().unwrap().to_owned(), one);
            all.into_iter().map(of).collect::<BTreeMap<_, _>>()
        };
        let before = people().await;
        assert!(!before.contains_key("recovery"));
        assert_eq!(before["C1"]["roles"], json!(["clerk"]));
        assert_eq!(before["X1"]["roles"], json!(["administrator"]));
        let flags = |one: &Value| {
            ["has_card", "must_change", "may_act", "acts", "is_locked"]
                .map(|name| one[name].as_bool().unwrap())
        };
        assert_eq!(flags(&before["C1"]), [false; 5]);
        let by_two = json!({"by": second("X1"), "second": second("X2")});
        let with = |badge: &str, more: Value| {
            let mut body = by_two.clone();
            body["badge"] = json!(badge);
            for (name, value) in more.as_object().unwrap() {
                body[name] = value.clone();
            }
            body
        };
        for (path, body) in [
            ("/people/card", with("C1", json!({}))),
            (
                "/people/pin/reset",
                with("C1", json!({"by": second("S1"), "second": second("C2")})),
            ),
            (
                "/people/acting/naming",
                with("C1", json!({"may_act": true})),
            ),
            ("/people/acting", json!({"badge": "C1", "by": second("S2")})),
            ("/people/withdraw", with("C2", json!({}))),
        ] {
            done(&house.post_device(OFFICE, path, body).await);
        }
        let after = people().await;
        assert_eq!(flags(&after["C1"]), [true, true, true, true, false]);
        assert!(!after.contains_key("C2"));
        assert_eq!(after.len(), before.len() - 1);
        // Nobody else reads it, and nowhere else.
        let elsewhere = house.sign_on(2, "S1").await;
        let answer = house.get_as(&elsewhere, "/api/v1/people").await;
        refused(&answer, "wrong_place");
        let supervisor = house.sign_on(OFFICE, "S1").await;
        done(&house.get_as(&supervisor, "/api/v1/people").await);
    })
    .await;
}

/// Named by two administrators at the back office, made by a supervisor or by the cage and another,
/// somebody counts as a supervisor at the doors and for the record until midnight, and not about a
/// ticket that they sold.
#[actix_web::test]
async fn an_acting_supervisor_serves_for_one_day() {
    on_both(async |house| {
        blocking(|| crate::common::record(&house.central, "G1", &[Role::Cage]));
        let name = |by: &str, other: &str, may_act: bool| {
            let body = json!({
                "badge": "C1", "may_act": may_act, "by": second(by), "second": second(other),
            });
            let house = &house;
            async move {
                house
                    .post_device(OFFICE, "/people/acting/naming", body)
                    .await
            }
        };
        let act = |device: u32, by: &str, other: Option<&str>| {
            let mut body = json!({"badge": "C1", "by": second(by)});
            if let Some(other) = other {
                body["second"] = second(other);
            }
            let house = &house;
            async move { house.post_device(device, "/people/acting", body).await }
        };
        refused(&act(2, "S1", None).await, "not_named_to_act");
        refused(&name("X1", "X1", true).await, "same_person_twice");
        refused(&name("S1", "X1", true).await, "badge_or_pin_wrong");
        done(&name("X1", "X2", true).await);
        let clerk = house.sign_on(1, "C1").await;
        let other = house.sign_on(2, "C2").await;
        let wall = |person: Person| {
            let house = &house;
            async move { house.get_as(&person, "/api/v1/wall").await }
        };
        refused(&wall(clerk.clone()).await, "wrong_role");
        refused(&act(3, "S1", None).await, "wrong_place");
        refused(&act(2, "C2", Some("S1")).await, "badge_or_pin_wrong");
        refused(&act(8, "G1", None).await, "second_person_needed");
        refused(&act(8, "G1", Some("X1")).await, "badge_or_pin_wrong");
        done(&act(8, "G1", Some("C2")).await);
        // The session that was open goes on, and sees the wall from now on.
        done(&wall(clerk.clone()).await);
        let fill = json!({
            "key": house.key(&other), "kind": "fill", "amount_cents": 100, "second": second("C1"),
        });
        done(&house.post(&other, "/shifts/movements", fill).await);
        // Granted at the wall, a duplicate of a ticket of their own is none of theirs.
        let slip = crate::common::straight(&[7], 100, 1);
        for (seller, name) in [(&clerk, Some("acting_own_sale")), (&other, None)] {
            let sold = house.sell_printed(seller, &slip).await;
            let code = &sold.ticket.claim_code;
            let content = json!({"what": "duplicate", "code": code, "reason": "taché"});
            let asked = json!({"content": content});
            let id = house.post(&other, "/approvals", asked).await.value()["id"].clone();
            let pin = json!({"pin": pin_of("C1")});
            let path = format!("/approvals/{id}/grant");
            let granted = house.post(&clerk, &path, pin).await;
            if let Some(name) = name {
                refused(&granted, name);
                continue;
            }
            done(&granted);
            let body = json!({"code": code, "reason": "taché", "second": {"approval": id}});
            done(&house.post(&other, "/duplicates", body).await);
        }
        // The next business day.
        house.clock.advance(12 * 3_600_000 + 60_000);
        let clerk = house.sign_on(1, "C1").await;
        refused(&wall(clerk.clone()).await, "wrong_role");
        done(&act(2, "S1", None).await);
        done(&wall(clerk.clone()).await);
        done(&name("X1", "X2", false).await);
        refused(&wall(clerk).await, "wrong_role");
    })
    .await;
}

/// No export has a credential; the tables made anew from the leaves keep what stands beside them, so
/// does a copy of the record, and a PIN whose credential is gone is set anew by two.
#[actix_web::test]
async fn credentials_stand_beside_the_record() {
    let house = House::new(None);
    let database = Database::Sqlite(house.folder.path().join("keno.sqlite"));
    let beside = house.folder.path().join("copy.sqlite");
    let hash = house.central.view.get().people["C1"].credential;
    let credentials = |database: &Database| {
        people::credentials(&mut database.open_reader().unwrap())
            .unwrap()
            .len()
    };
    let before = credentials(&database);
    assert_eq!(before, 7, "of each person");
    blocking(|| {
        let mut export = Vec::new();
        let note = house.central.checkpoint().unwrap();
        maintenance::export(&mut database.open_reader().unwrap(), &note, &mut export).unwrap();
        let text = String::from_utf8_lossy(&export);
        assert!(text.contains("X1") && !text.contains("argon2"));
        let copy = Database::Sqlite(beside.clone());
        let mut to = copy.open_writer().unwrap();
        keno_schema::migrate::migrate(&mut to).unwrap();
        maintenance::transfer(&mut database.open_reader().unwrap(), &mut to).unwrap();
        drop(to);
        assert_eq!(credentials(&copy), before);
        maintenance::rebuild(&mut database.open_writer().unwrap()).unwrap();
    });
    assert_eq!(credentials(&database), before);
    let house = house.restarted();
    done(&house.signs_on(1, "C1", &pin_of("C1")).await);
    blocking(|| {
        let mut connection = database.open_writer().unwrap();
        let gone = on!(&mut connection, c => diesel::delete(credential::table.find(hash.to_vec())).execute(c));
        assert_eq!(gone.unwrap(), 1);
    });
    let house = house.restarted();
    refused(
        &house.signs_on(1, "C1", &pin_of("C1")).await,
        "badge_or_pin_wrong",
    );
    done(
        &house
            .records(person("C1", "C1", &["clerk"], "X1", "X2"))
            .await,
    );
    refused(&house.signs_on(1, "C1", SET).await, "pin_must_change");
}
