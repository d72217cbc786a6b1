//! The sheet of a draw.

mod read;

use keno_draw_machine::transcript::Assurance;
use keno_game::{DrawSource, DrawState};
use keno_log::event::{DrawSettled, DrawVoided};
use keno_words::report;
use read::At;

use super::sheet::{Block, Section, Sheet, Value, column, said, words};
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

fn moment<T>(at: Option<&At<T>>) -> Value {
    at.map_or(Value::Absent, |at| Value::Moment(at.at_ms))
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
    section.fact(
        "cap",
        &report::MaximumPayable,
        Value::Money(scheduled.cap_cents),
    );
    section.fact(
        "full_below",
        &report::PrizesPaidInFullBelow,
        Value::Money(scheduled.full_below_cents),
    );
    section.fact(
        "announced_at",
        &report::AnnouncedAt,
        Value::Moment(facts.scheduled.at_ms),
    );
    section.fact(
        "closes_at",
        &report::SalesClosePlanned,
        Value::Moment(scheduled.closes_at_ms),
    );
    section.fact(
        "closed_at",
        &report::SalesClosedAndSealed,
        moment(facts.closed.as_ref()),
    );
    section.fact(
        "draws_at",
        &report::FirstNumberPlanned,
        Value::Moment(scheduled.draws_at_ms),
    );
    section.fact(
        "recorded_at",
        &report::NumbersRecorded,
        moment(facts.balls.as_ref()),
    );
    section.fact(
        "official_at",
        &report::Official,
        moment(facts.certified.as_ref()),
    );
    section.fact(
        "settled_at",
        &report::PrizesFixed,
        moment(facts.settled.as_ref()),
    );
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
            section.fact(
                "words_used",
                &report::RandomWordsRead,
                Value::Count(balls.body.words_used),
            );
            section.fact(
                "words_rejected",
                &report::WordsRejected,
                Value::Count(balls.body.words_rejected),
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
    let rows = facts
        .scheduled
        .body
        .holders
        .iter()
        .zip(&facts.commitments)
        .enumerate()
        .map(|(position, (name, commitment))| {
            let secret = facts
                .revealed
                .as_ref()
                .and_then(|at| at.body.secrets.get(position));
            vec![
                Value::Text(name.clone()),
                commitment
                    .as_ref()
                    .map_or(Value::Absent, |at| Value::Leaf(at.leaf)),
                commitment
                    .as_ref()
                    .map_or(Value::Absent, |at| Value::Hash(at.body)),
                secret.map_or(Value::Absent, |secret| Value::Hash(*secret)),
            ]
        })
        .collect();
    section.table(
        vec![
            column("holder", &report::Holder),
            column("leaf", &report::Leaf),
            column("commitment", &report::Commitment),
            column("secret", &report::SecretPublished),
        ],
        rows,
        said(&report::NoHolder),
    );
    section
}

fn seal(facts: &DrawFacts) -> Section {
    let mut section = Section::new("seal", &report::Seal);
    let Some(closed) = &facts.closed else {
        section.note(&report::SalesAreNotClosed);
        return section;
    };
    section.fact("leaf", &report::ClosingLeaf, Value::Leaf(closed.leaf));
    section.fact(
        "size",
        &report::LeavesUnderSeal,
        Value::Leaf(closed.leaf + 1),
    );
    section.fact(
        "root",
        &report::Root,
        facts.seal_root.map_or(Value::Absent, Value::Hash),
    );
    section.fact(
        "rule_book_hash",
        &report::RulesInForceHash,
        facts
            .started
            .as_ref()
            .map_or(Value::Absent, |at| Value::Hash(at.body.rule_book_hash)),
    );
    section.fact(
        "tickets",
        &report::TicketsSealed,
        Value::Count(closed.body.tickets),
    );
    section.fact(
        "selections",
        &report::Selections,
        Value::Count(closed.body.selections),
    );
    section.fact(
        "wagered",
        &report::WagersForDraw,
        Value::Money(closed.body.wagered_cents),
    );
    section
}

/// What a void draw gives back.
fn refunds(section: &mut Section, voided: &At<DrawVoided>) {
    let body = &voided.body;
    section.fact("voided_at", &report::VoidedAt, Value::Moment(voided.at_ms));
    section.fact(
        "void_reason",
        &report::Reason,
        Value::Text(body.reason.clone()),
    );
    section.fact(
        "voided_by",
        &report::VoidedBy,
        Value::Text(facts::badges(&body.by, &body.second)),
    );
    section.fact(
        "refund_tickets",
        &report::TicketsToRefund,
        Value::Count(body.tickets),
    );
    section.total("refund", &report::Refunds, Value::Money(body.refund_cents));
}

/// What the prizes come to, and what the cap leaves of them.
fn computed(section: &mut Section, body: &DrawSettled, cap_cents: i64) {
    let computed = body.small_cents.saturating_add(body.large_cents);
    section.fact(
        "winners",
        &report::WinningTickets,
        Value::Count(body.winners),
    );
    section.fact(
        "small",
        &report::PrizesBelowThresholdComputed,
        Value::Money(body.small_cents),
    );
    section.fact(
        "large",
        &report::OtherPrizesComputed,
        Value::Money(body.large_cents),
    );
    section.fact("computed", &report::TotalComputed, Value::Money(computed));
    section.fact(
        "cap_applied",
        &report::MaximumApplied,
        if computed > cap_cents {
            said(&report::Yes)
        } else {
            said(&report::No)
        },
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
    let rows = facts
        .incidents
        .iter()
        .map(|fact| {
            vec![
                Value::Moment(fact.at_ms),
                facts::kind(fact.event.kind()).into(),
                Value::text_or_absent(facts::by(&fact.event)),
                facts::detail(&fact.event).into(),
            ]
        })
        .collect();
    section.table(
        vec![
            column("at", &report::When),
            column("kind", &report::What),
            column("by", &report::By),
            column("detail", &report::Reason),
        ],
        rows,
        said(&report::None),
    );
    section
}

fn leaves(facts: &DrawFacts) -> Section {
    let mut section = Section::new("leaves", &report::LeavesOfRecord);
    let rows = facts
        .leaves
        .iter()
        .map(|fact| {
            vec![
                Value::Leaf(fact.leaf),
                facts::kind(fact.event.kind()).into(),
                Value::Moment(fact.at_ms),
                Value::Hash(fact.leaf_hash),
            ]
        })
        .collect();
    section.table(
        vec![
            column("leaf", &report::Leaf),
            column("kind", &report::What),
            column("at", &report::When),
            column("leaf_hash", &report::Hash),
        ],
        rows,
        said(&report::None),
    );
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
    section
        .blocks
        .push(Block::Signatures(vec![said(&report::VerifiedByBadge)]));
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
