//! One administrator who is left makes another with the house's recovery code: once, and with a
//! wrong code counted as a wrong PIN. On both databases, and judged by the second computation.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use crate::support::House;
use keno_audit::{Options, Outside, verify};
use keno_record::roles::Role;
use keno_service::Stop;
use keno_service::maintenance::export;
use keno_service::refusal::Refusal;
use keno_service::staff::RecoveryCode;
use keno_service::staff::RecoveryTried;
use keno_service::staff::{Badge, NewPerson, Recognised};

const PIN: &str = "471108";

fn refusal<T: std::fmt::Debug>(outcome: Result<T, Stop>) -> Refusal {
    match outcome {
        Err(Stop::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

fn administrator<'a>(badge: &'a str, staff: &'a str) -> NewPerson<'a> {
    NewPerson {
        staff,
        must_change: true,
        ..NewPerson::of(badge, &[Role::Administrator], PIN)
    }
}

fn on_both(test: impl Fn(House)) {
    test(House::new(None));
    let database = keno_testing::empty_postgres_database().unwrap();
    test(House::new(Some(database.address())));
}

#[test]
fn the_recovery_code_makes_one_administrator_once() {
    on_both(|mut house| {
        let code = RecoveryCode::first(&house.central).unwrap().printed();
        assert_eq!(
            refusal(RecoveryCode::first(&house.central)),
            Refusal::HouseHasRecoveryCode
        );
        assert!(!RecoveryCode::was_used(&house.central.view.get().people));
        // As it is typed: in small letters, without its hyphens.
        let typed = code.to_lowercase().replace('-', " ");
        let tried = RecoveryTried::recognise(&house.central, &typed).unwrap();
        let size = house.central.view.get().log_size;
        let recover = |person: &NewPerson<'_>, by: &str| {
            tried.recover_administrator(&house.central, person, by)
        };
        for (badge, staff, by, refused) in [
            ("X3", "X3", "S1", "wrong_role"),
            ("X3", "X1", "X1", "same_person_twice"),
            ("C1", "X3", "X1", "staff_number_kept"),
            ("X3", "C1", "X1", "roles_exclude"),
            ("recovery", "X3", "X1", "badge_signs"),
        ] {
            let outcome = recover(&administrator(badge, staff), by);
            assert_eq!(refusal(outcome).name(), refused, "{badge} {staff} {by}");
        }
        assert_eq!(house.central.view.get().log_size, size);
        let next = recover(&administrator("X3", "X3"), "X1").unwrap().printed();
        assert_ne!(next, code);
        // Used once: neither what was recognised before, nor the paper.
        assert_eq!(
            refusal(recover(&administrator("X4", "X4"), "X1")),
            Refusal::BadgeOrPinWrong
        );
        assert_eq!(
            refusal(RecoveryTried::recognise(&house.central, &code).map(|_| ())),
            Refusal::BadgeOrPinWrong
        );
        let people = house.central.view.get().people.clone();
        assert!(
            RecoveryCode::was_used(&people),
            "until two have made another"
        );
        assert!(people["X3"].must_change);
        // It is nobody's badge: no PIN is chosen for it, and nobody withdraws it.
        assert_eq!(
            refusal(Badge("recovery").withdraw(&house.central, "X1", "X2")),
            Refusal::RecordUnknown
        );
        let nobody = Recognised {
            badge: "recovery".to_owned(),
            roles: Vec::new(),
            credential: None,
        };
        let chosen = nobody.choose_pin(
            &house.central,
            &next,
            "850274",
            keno_service::staff::Origin::Console,
        );
        assert_eq!(refusal(chosen), Refusal::RecordUnknown);
        // Through a restart, and with the next code.
        house.restart();
        assert!(RecoveryCode::was_used(&house.central.view.get().people));
        let tried = RecoveryTried::recognise(&house.central, &next).unwrap();
        let last = tried
            .recover_administrator(&house.central, &administrator("X4", "X4"), "X2")
            .unwrap();
        // Two administrators make one that nobody read alone.
        assert_eq!(
            refusal(RecoveryCode::renew(&house.central, "X1", "X3").map(|_| ())),
            Refusal::PinKnownToOther
        );
        let renewed = RecoveryCode::renew(&house.central, "X1", "X2").unwrap();
        assert!(!RecoveryCode::was_used(&house.central.view.get().people));
        assert_eq!(
            refusal(RecoveryTried::recognise(&house.central, &last.printed()).map(|_| ())),
            Refusal::BadgeOrPinWrong
        );
        RecoveryTried::recognise(&house.central, &renewed.printed()).unwrap();
        // A wrong code counts as a wrong PIN.
        let wrong = || {
            refusal(RecoveryTried::recognise(&house.central, "01234-56789-ABCDE-FGHJK").map(|_| ()))
        };
        for _ in 0..5 {
            assert_eq!(wrong(), Refusal::BadgeOrPinWrong);
        }
        assert_eq!(wrong(), Refusal::LockedOut { seconds: 30 });
        assert!(matches!(
            refusal(RecoveryTried::recognise(&house.central, &renewed.printed()).map(|_| ())),
            Refusal::LockedOut { .. }
        ));
        let found = judged(&house);
        assert_eq!(found, Vec::<String>::new());
    });
}

/// What the second computation finds in the log.
fn judged(house: &House) -> Vec<String> {
    let note = house.central.checkpoint().unwrap();
    let mut bytes = Vec::new();
    let mut reader = house.record().open_reader().unwrap();
    export(&mut reader, &note, &mut bytes).unwrap();
    let outcome = verify(bytes.as_slice(), Outside::default(), Options::default()).unwrap();
    outcome.findings.iter().map(ToString::to_string).collect()
}
