//! The sheet of a draw.

mod read;

use keno_draw::transcript::Assurance;
use keno_game::{DrawSource, DrawState};
use keno_log::event::{DrawSettled, DrawVoided};
use keno_wire::reply::Bilingual;
use keno_words::{Say, report};
use read::At;

use super::sheet::{Section, Sheet, Value, columns, rows};
use super::{House, facts};

pub use read::{DrawFacts, read};

fn state_words(state: DrawState) -> Bilingual {
    let words: &dyn Say = match state {
        DrawState::Scheduled => &report::Announced,
        DrawState::Open => &report::SalesOpen,
        DrawState::Closed => &report::SalesClosedSealed,
        DrawState::Drawing => &report::Drawing,
        DrawState::Drawn => &report::DrawnNotYetOfficial,
        DrawState::Official => &report::OfficialPrizesNotFixed,
        DrawState::Settled => &report::OfficialPrizesPayable,
        DrawState::Suspended => &report::Interrupted,
        DrawState::Void => &report::VoidWagersRefunded,
    };
    Bilingual::of(words)
}

fn moment<T>(at: &Option<At<T>>) -> Value {
    Value::moment(at.as_ref().map(|at| at.at_ms))
}

fn identity(facts: &DrawFacts) -> Section {
    let scheduled = &facts.scheduled.body;
    let mut section = Section::new("draw", &report::Draw);
    let pool = report::DrawnOfPool {
        drawn: &scheduled.drawn,
        pool_size: &scheduled.pool_size,
    };
    rows! { section:
        "number" DrawNumber: Value::Draw(scheduled.draw),
        "state" State: state_words(facts.state),
        "source" SourceOfNumbers: facts::source(scheduled.source == DrawSource::Balls),
        "ball_set" BallSetUsed: Value::text_or_absent(facts.ball_set.clone().unwrap_or_default()),
        "pool" NumbersDrawn: Value::said(&pool),
        "cap" MaximumPayable: Value::Money(scheduled.cap_cents),
        "full_below" PrizesPaidInFullBelow: Value::Money(scheduled.full_below_cents),
        "announced_at" AnnouncedAt: Value::Moment(facts.scheduled.at_ms),
        "closes_at" SalesClosePlanned: Value::Moment(scheduled.closes_at_ms),
        "closed_at" SalesClosedAndSealed: moment(&facts.closed),
        "draws_at" FirstNumberPlanned: Value::Moment(scheduled.draws_at_ms),
        "recorded_at" NumbersRecorded: moment(&facts.balls),
        "official_at" Official: moment(&facts.certified),
        "settled_at" PrizesFixed: moment(&facts.settled),
    }
    section
}

fn numbers(facts: &DrawFacts) -> Section {
    let mut section = Section::new("numbers", &report::WinningNumbers);
    match (&facts.balls, &facts.voided) {
        (Some(balls), _) => {
            facts::winning_numbers(&mut section, &balls.body.balls);
            rows! { section:
                "words_used" RandomWordsRead: Value::Count(balls.body.words_used),
                "words_rejected" WordsRejected: Value::Count(balls.body.words_rejected),
            }
        }
        (None, Some(_)) => section.note(&report::VoidDrawNumbersHaveNoEffect),
        (None, None) => section.note(&report::NotOfficialYet),
    }
    let certifiers = facts
        .certified
        .as_ref()
        .map(|at| at.body.certifiers.join(", "));
    let by_guard = certifiers.as_deref() == Some("guard");
    section.fact(
        "certifiers",
        &report::CertifiedBy,
        match certifiers {
            None => Value::Absent,
            Some(_) if by_guard => Value::said(&report::AutomaticGuard),
            Some(badges) => Value::Text(badges),
        },
    );
    section
}

fn holders(facts: &DrawFacts) -> Section {
    let mut section = Section::new("commitments", &report::CommitmentsOfHolders);
    let names = &facts.scheduled.body.holders;
    let holders: Vec<_> = names.iter().zip(&facts.commitments).enumerate().collect();
    let secret = |position| facts.revealed.as_ref()?.body.secrets.get(position).copied();
    section.table(
        &holders,
        columns![
            "holder" Holder: |(_, (name, _))| Value::Text((*name).clone()),
            "leaf" Leaf: |(_, (_, at))| at.as_ref().map(|at| Value::Leaf(at.leaf)).into(),
            "commitment" Commitment: |(_, (_, at))| at.as_ref().map(|at| Value::Hash(at.body)).into(),
            "secret" SecretPublished: |(position, _)| secret(*position).map(Value::Hash).into(),
        ],
        &report::NoHolder,
    );
    section
}

fn seal(facts: &DrawFacts) -> Section {
    let mut section = Section::new("seal", &report::Seal);
    let Some(closed) = &facts.closed else {
        section.note(&report::SalesAreNotClosed);
        return section;
    };
    let rule_book_hash = (facts.started.as_ref()).map(|at| Value::Hash(at.body.rule_book_hash));
    rows! { section:
        "leaf" ClosingLeaf: Value::Leaf(closed.leaf),
        "size" LeavesUnderSeal: Value::Leaf(closed.leaf + 1),
        "root" Root: facts.seal_root.map(Value::Hash),
        "rule_book_hash" RulesInForceHash: rule_book_hash,
        "tickets" TicketsSealed: Value::Count(closed.body.tickets),
        "selections" Selections: Value::Count(closed.body.selections),
        "wagered" WagersForDraw: Value::Money(closed.body.wagered_cents),
    }
    section
}

/// What a void draw gives back.
fn refunds(section: &mut Section, voided: &At<DrawVoided>) {
    let body = &voided.body;
    let by = facts::badges(&body.by, &body.second);
    rows! { section:
        "voided_at" VoidedAt: Value::Moment(voided.at_ms),
        "void_reason" Reason: Value::Text(body.reason.clone()),
        "voided_by" VoidedBy: Value::Text(by),
        "refund_tickets" TicketsToRefund: Value::Count(body.tickets),
    }
    section.total("refund", &report::Refunds, Value::Money(body.refund_cents));
}

/// What the prizes come to, and what the cap leaves of them.
fn computed(section: &mut Section, body: &DrawSettled, cap_cents: i64) {
    let computed = body.small_cents.saturating_add(body.large_cents);
    rows! { section:
        "winners" WinningTickets: Value::Count(body.winners),
        "small" PrizesBelowThresholdComputed: Value::Money(body.small_cents),
        "large" OtherPrizesComputed: Value::Money(body.large_cents),
        "computed" TotalComputed: Value::Money(computed),
        "cap_applied" MaximumApplied: facts::yes_or_no(computed > cap_cents),
        "small_factor" FactorPrizesBelow: Value::Fraction(body.small_numerator, body.small_denominator),
        "large_factor" FactorOtherPrizes: Value::Fraction(body.large_numerator, body.large_denominator),
    }
}

/// What is paid, and what the house keeps.
fn payable(section: &mut Section, facts: &DrawFacts, body: &DrawSettled) {
    section.total(
        "payable",
        &"Total payable",
        Value::Money(body.payable_cents),
    );
    section.fact(
        "breakage",
        &report::Breakage,
        Value::Money(body.breakage_cents),
    );
    if let Some(closed) = &facts.closed {
        let hold = closed.body.wagered_cents.saturating_sub(body.payable_cents);
        section.fact("hold", &report::WagersLessPrizes, Value::Money(hold));
    }
    section.fact(
        "prize_root",
        &report::RootOfPrizeList,
        Value::Hash(body.prize_root),
    );
}

fn totals(facts: &DrawFacts) -> Section {
    let mut section = Section::new("totals", &report::Prizes);
    if let Some(voided) = &facts.voided {
        refunds(&mut section, voided);
        return section;
    }
    let Some(settled) = &facts.settled else {
        section.note(&report::PrizesAreNotFixed);
        return section;
    };
    computed(&mut section, &settled.body, facts.scheduled.body.cap_cents);
    payable(&mut section, facts, &settled.body);
    section
}

fn events(facts: &DrawFacts) -> Section {
    let mut section = Section::new("incidents", &"Interruptions");
    let reason = ("detail", &report::Reason as &dyn Say, facts::DETAIL.2);
    let columns = [facts::AT, facts::KIND, facts::BY, reason];
    section.table(&facts.incidents, &columns, &report::None);
    section
}

fn leaves(facts: &DrawFacts) -> Section {
    let mut section = Section::new("leaves", &report::LeavesOfRecord);
    let columns = [
        facts::LEAF,
        facts::KIND,
        facts::AT,
        ("leaf_hash", &report::Hash, &|fact| {
            Value::Hash(fact.leaf_hash)
        }),
    ];
    section.table(&facts.leaves, &columns, &report::None);
    section
}

fn verify(house: &House, facts: &DrawFacts) -> Section {
    let mut section = Section::new("verify", &report::HowToVerify);
    let draw = facts.scheduled.body.draw;
    section.note(&report::HowToVerifyNumbers {
        code: &house.code,
        draw: &draw,
    });
    section.note(&report::HowToVerifyCommitments);
    section.note(&report::HowToVerifyWinners);
    let assurance = Assurance::of(
        facts.scheduled.body.holders.len(),
        facts.hosts.iter().map(String::as_str),
    );
    let is_of_balls = match &facts.balls {
        Some(balls) => balls.body.machine == DrawSource::Balls,
        None => facts.scheduled.body.source == DrawSource::Balls,
    };
    if is_of_balls {
        section.note(&report::WhatBallsProve);
    } else {
        section.note(&facts::assurance(assurance));
    }
    section.signatures(&[&report::VerifiedByBadge]);
    section
}

/// What the leaves say, as a sheet.
pub fn sheet(house: &House, facts: &DrawFacts) -> Sheet {
    let number = crate::pages::draw_number(facts.scheduled.body.draw);
    Sheet {
        title: Bilingual::of(&report::DrawSheet { number: &number }),
        house: house.name.clone(),
        made_at_ms: house.now_ms,
        calendar: house.calendar,
        sections: vec![
            identity(facts),
            numbers(facts),
            totals(facts),
            seal(facts),
            holders(facts),
            events(facts),
            leaves(facts),
            verify(house, facts),
        ],
    }
}
