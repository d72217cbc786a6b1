//! The sheet of a draw.

mod read;

use keno_draw_machine::transcript::Assurance;
use keno_game::{DrawSource, DrawState};
use keno_log::event::{DrawSettled, DrawVoided};
use keno_words::{Say, report};
use read::At;

use super::sheet::{Section, Sheet, Value, said, words};
use super::{House, facts};

pub use read::{DrawFacts, read};

fn state_words(state: DrawState) -> super::sheet::Words {
    match state {
        DrawState::Scheduled => said(&report::Announced),
        DrawState::Open => said(&report::SalesOpen),
        DrawState::Closed => said(&report::SalesClosedSealed),
        DrawState::Drawing => said(&report::Drawing),
        DrawState::Drawn => said(&report::DrawnNotYetOfficial),
        DrawState::Official => said(&report::OfficialPrizesNotFixed),
        DrawState::Settled => said(&report::OfficialPrizesPayable),
        DrawState::Suspended => said(&report::Interrupted),
        DrawState::Void => said(&report::VoidWagersRefunded),
    }
}

fn moment<T>(at: &Option<At<T>>) -> Option<i64> {
    at.as_ref().map(|at| at.at_ms)
}

fn identity(facts: &DrawFacts) -> Section {
    let scheduled = &facts.scheduled.body;
    let mut section = Section::new("draw", &report::Draw);
    section.fact("number", &report::DrawNumber, Value::Draw(scheduled.draw));
    section.fact("state", &report::State, state_words(facts.state));
    section.fact(
        "source",
        &report::SourceOfNumbers,
        if scheduled.source == DrawSource::Balls {
            said(&report::DrawMachine)
        } else {
            said(&report::Computer)
        },
    );
    section.fact(
        "pool",
        &report::NumbersDrawn,
        said(&report::DrawnOfPool {
            drawn: &scheduled.drawn,
            pool_size: &scheduled.pool_size,
        }),
    );
    section.money("cap", &report::MaximumPayable, scheduled.cap_cents);
    section.money(
        "full_below",
        &report::PrizesPaidInFullBelow,
        scheduled.full_below_cents,
    );
    section.moment("announced_at", &report::AnnouncedAt, facts.scheduled.at_ms);
    section.moment(
        "closes_at",
        &report::SalesClosePlanned,
        scheduled.closes_at_ms,
    );
    section.moment(
        "closed_at",
        &report::SalesClosedAndSealed,
        moment(&facts.closed),
    );
    section.moment(
        "draws_at",
        &report::FirstNumberPlanned,
        scheduled.draws_at_ms,
    );
    section.moment(
        "recorded_at",
        &report::NumbersRecorded,
        moment(&facts.balls),
    );
    section.moment("official_at", &report::Official, moment(&facts.certified));
    section.moment("settled_at", &report::PrizesFixed, moment(&facts.settled));
    section
}

fn numbers(facts: &DrawFacts) -> Section {
    let mut section = Section::new("numbers", &report::WinningNumbers);
    match (&facts.balls, &facts.voided) {
        (Some(balls), _) => {
            let mut ascending = balls.body.balls.clone();
            ascending.sort_unstable();
            section.total(
                "in_order",
                &report::InOrderDrawn,
                Value::Numbers(balls.body.balls.clone()),
            );
            section.fact("ascending", &report::Ascending, Value::Numbers(ascending));
            section.count(
                "words_used",
                &report::RandomWordsRead,
                balls.body.words_used,
            );
            section.count(
                "words_rejected",
                &report::WordsRejected,
                balls.body.words_rejected,
            );
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
            Some(_) if by_guard => said(&report::AutomaticGuard).into(),
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
        &[
            ("holder", &report::Holder, &|(_, (name, _))| {
                Value::Text((*name).clone())
            }),
            ("leaf", &report::Leaf, &|(_, (_, at))| {
                at.as_ref().map(|at| Value::Leaf(at.leaf)).into()
            }),
            ("commitment", &report::Commitment, &|(_, (_, at))| {
                at.as_ref().map(|at| Value::Hash(at.body)).into()
            }),
            ("secret", &report::SecretPublished, &|(position, _)| {
                secret(*position).map(Value::Hash).into()
            }),
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
    section.leaf("leaf", &report::ClosingLeaf, closed.leaf);
    section.leaf("size", &report::LeavesUnderSeal, closed.leaf + 1);
    section.fact("root", &report::Root, facts.seal_root.map(Value::Hash));
    section.fact(
        "rule_book_hash",
        &report::RulesInForceHash,
        (facts.started.as_ref()).map(|at| Value::Hash(at.body.rule_book_hash)),
    );
    section.count("tickets", &report::TicketsSealed, closed.body.tickets);
    section.count("selections", &report::Selections, closed.body.selections);
    section.money("wagered", &report::WagersForDraw, closed.body.wagered_cents);
    section
}

/// What a void draw gives back.
fn refunds(section: &mut Section, voided: &At<DrawVoided>) {
    let body = &voided.body;
    section.moment("voided_at", &report::VoidedAt, voided.at_ms);
    section.text("void_reason", &report::Reason, &body.reason);
    section.text(
        "voided_by",
        &report::VoidedBy,
        &facts::badges(&body.by, &body.second),
    );
    section.count("refund_tickets", &report::TicketsToRefund, body.tickets);
    section.total("refund", &report::Refunds, Value::Money(body.refund_cents));
}

/// What the prizes come to, and what the cap leaves of them.
fn computed(section: &mut Section, body: &DrawSettled, cap_cents: i64) {
    let computed = body.small_cents.saturating_add(body.large_cents);
    section.count("winners", &report::WinningTickets, body.winners);
    section.money(
        "small",
        &report::PrizesBelowThresholdComputed,
        body.small_cents,
    );
    section.money("large", &report::OtherPrizesComputed, body.large_cents);
    section.money("computed", &report::TotalComputed, computed);
    section.fact(
        "cap_applied",
        &report::MaximumApplied,
        facts::yes_or_no(computed > cap_cents),
    );
    section.fact(
        "small_factor",
        &report::FactorPrizesBelow,
        Value::Fraction(body.small_numerator, body.small_denominator),
    );
    section.fact(
        "large_factor",
        &report::FactorOtherPrizes,
        Value::Fraction(body.large_numerator, body.large_denominator),
    );
}

/// What is paid, and what the house keeps.
fn payable(section: &mut Section, facts: &DrawFacts, body: &DrawSettled) {
    section.total(
        "payable",
        &"Total payable",
        Value::Money(body.payable_cents),
    );
    section.money("breakage", &report::Breakage, body.breakage_cents);
    if let Some(closed) = &facts.closed {
        let hold = closed.body.wagered_cents.saturating_sub(body.payable_cents);
        section.money("hold", &report::WagersLessPrizes, hold);
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
    let assurance = Assurance::of(facts.scheduled.body.holders.len());
    if facts.scheduled.body.source != DrawSource::Balls {
        section.note(&words(assurance.sentence_fr(), assurance.sentence_en()));
    }
    section.signatures(&[&report::VerifiedByBadge]);
    section
}

/// What the leaves say, as a sheet.
pub fn sheet(house: &House, facts: &DrawFacts) -> Sheet {
    let number = crate::pages::draw_number(facts.scheduled.body.draw);
    Sheet {
        title: said(&report::DrawSheet { number: &number }),
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
