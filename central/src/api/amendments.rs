//! Express picks and limits: what can be changed, what a change would do, and the change by two
//! people. What the rules say of it is keno-service's (`amend`).

use keno_book::amendment::{Amended, AskedPick, Changes, GameChanges, Value};
use keno_book::rules_file;
use keno_book::rules_file::{RuleBookFault, RuleBookFile};
use keno_game::{Cents, Game};
use keno_record::fault::Fault;
use keno_service::authority::Operation;
use keno_service::house::AmendmentPlan;
use keno_service::refusal::Refusal;
use keno_service::{Central, Stop};
use keno_wire::amendment::{
    AmendRequest, AmendableReply, AmendedReply, ApprovalAmendment, EffectiveDraw, ExpressSetting,
    GameNow, PreviewReply, PreviewRequest, RuleDifference, RuleFaultView, RuleValue, RulesChanges,
    SettingsNow, SlipsFate,
};
use keno_wire::reply::Bilingual;
use keno_wire::wall::ApprovalContent;
use keno_words::malformed;

use super::handler::{ApiError, App, Body, Reply, SignedOn, blocking, look, web, write};
use crate::report::slips;
use crate::request::second::{Approvable, second_person};

fn changes_of(asked: &RulesChanges) -> Changes {
    let money = |cents: Option<i64>| cents.map(Cents::new);
    let pick = |pick: &ExpressSetting| AskedPick {
        game: pick.game.clone(),
        spots: pick.spots,
        wager: Cents::new(pick.wager_cents),
    };
    Changes {
        usual_wager: money(asked.usual_wager_cents),
        express: asked
            .express
            .as_ref()
            .map(|all| all.iter().map(pick).collect()),
        second_key: money(asked.second_key_cents),
        type_total: money(asked.type_total_cents),
        confirm_draws: asked.confirm_draws,
        second_person: money(asked.second_person_cents),
        cage: money(asked.cage_cents),
        draws: asked.draws,
        draws_ahead: asked.draws_ahead,
        selections: asked.selections,
        ways: asked.ways,
        games: asked
            .games
            .iter()
            .map(|game| GameChanges {
                code: game.code.clone(),
                wager_max: money(game.wager_max_cents),
                same_numbers: money(game.same_numbers_cents),
            })
            .collect(),
    }
}

fn name_of(game: &Game) -> Bilingual {
    Bilingual::new(&game.name_fr, &game.name_en)
}

/// The name of a game that is one of several: with one alone nobody asks which.
fn name_of_several(book: &RuleBookFile, is_it: impl Fn(usize, &Game) -> bool) -> Option<Bilingual> {
    let mut games = book.rules.games.iter().enumerate();
    if games.len() < 2 {
        return None;
    }
    let (_, game) = games.find(|(index, game)| is_it(*index, game))?;
    Some(name_of(game))
}

/// Of which game a place is: `game[1].wager.max` is of the second.
fn game_of_place(book: &RuleBookFile, place: &str) -> Option<Bilingual> {
    let (index, _) = place.strip_prefix("game[")?.split_once(']')?;
    let wanted: usize = index.parse().ok()?;
    name_of_several(book, |index, _| index == wanted)
}

fn settings_of(book: &RuleBookFile) -> SettingsNow {
    let rules = &book.rules;
    let counter = book.counter.as_ref();
    SettingsNow {
        usual_wager_cents: counter.map(|counter| counter.default_wager.get()),
        express: counter
            .iter()
            .flat_map(|counter| &counter.express)
            .map(|pick| ExpressSetting {
                game: Some(pick.game.clone()),
                spots: i64::from(pick.spots),
                wager_cents: pick.wager.get(),
            })
            .collect(),
        second_key_cents: rules.confirm.second_key.get(),
        type_total_cents: rules.confirm.type_total.get(),
        confirm_draws: i64::from(rules.confirm.draws),
        second_person_cents: rules.payout.second_person.get(),
        cage_cents: rules.payout.cage.get(),
        draws: i64::from(rules.limits.draws_max),
        draws_ahead: i64::from(rules.limits.draws_ahead_max),
        selections: i64::from(rules.limits.selections_max),
        ways: i64::from(rules.limits.ways_max),
        games: rules
            .games
            .iter()
            .map(|game| GameNow {
                code: game.code.clone(),
                name: name_of(game),
                wager_max_cents: game.wager.max.get(),
                same_numbers_cents: game.wager.same_numbers_max.get(),
            })
            .collect(),
    }
}

fn value_of(book: &RuleBookFile, value: &Value) -> RuleValue {
    match value {
        Value::Money(amount) => RuleValue::Money {
            cents: amount.get(),
        },
        Value::Number(number) => RuleValue::Number { number: *number },
        Value::Pick(pick) => RuleValue::Pick {
            game: pick.game.clone(),
            name: name_of_several(book, |_, game| game.code == pick.game),
            spots: pick.spots,
            wager_cents: pick.wager.get(),
        },
    }
}

fn differences_of(amended: &Amended) -> Vec<RuleDifference> {
    let Amended { before, after, .. } = amended;
    amended
        .differences
        .iter()
        .map(|one| RuleDifference {
            place: one.place.clone(),
            game: game_of_place(after, &one.place),
            old: one.old.as_ref().map(|value| value_of(before, value)),
            new: one.new.as_ref().map(|value| value_of(after, value)),
        })
        .collect()
}

fn draw_of(central: &Central, number: u64) -> EffectiveDraw {
    let view = central.view.get();
    let draw = view.draws.get(&number);
    EffectiveDraw {
        draw: number,
        local: draw.map(|draw| central.calendar.minute_text(draw.draws_at_ms())),
    }
}

fn fate_of(before: &RuleBookFile, after: &RuleBookFile) -> SlipsFate {
    let fate = slips::fate(before, after);
    SlipsFate {
        withdrawn: fate.withdrawn,
        print: fate.print,
    }
}

fn fault_view(fault: &RuleBookFault) -> RuleFaultView {
    RuleFaultView {
        name: fault.kind.name().to_owned(),
        place: fault.place.clone(),
        sentence: Bilingual {
            fr: sentence(&fault.detail.fr),
            en: sentence(&fault.detail.en),
        },
    }
}

/// The words of a fault by themselves, without the line and the key before them.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase);
    format!(
        "{}{}.",
        first.into_iter().flatten().collect::<String>(),
        letters.as_str()
    )
}

fn refused_view(refusal: &Refusal) -> RuleFaultView {
    RuleFaultView {
        name: refusal.name().to_owned(),
        place: refusal.field().unwrap_or_default().to_owned(),
        sentence: Bilingual::of(refusal),
    }
}

fn preview_of(central: &Central, plan: &AmendmentPlan) -> PreviewReply {
    let mut reply = PreviewReply {
        version: plan.version,
        effective: draw_of(central, plan.effective_from),
        earliest: draw_of(central, plan.first_draws.earliest),
        differences: Vec::new(),
        faults: Vec::new(),
        slips: SlipsFate::default(),
    };
    match &plan.outcome {
        Ok(amended) => {
            reply.differences = differences_of(amended);
            reply.slips = fate_of(&amended.before, &amended.after);
        }
        Err(faults) => reply.faults = faults.iter().map(fault_view).collect(),
    }
    let late_enough = plan.must_be_late_enough();
    reply
        .faults
        .extend(late_enough.err().iter().map(refused_view));
    reply
}

/// What supervisors see of a change that waits for its second person.
pub(super) fn waiting(
    central: &Central,
    base_version: u32,
    changes: &RulesChanges,
    effective_from: u64,
) -> Result<ApprovalAmendment, Stop> {
    let changes = changes_of(changes);
    let plan = AmendmentPlan::of(central, base_version, &changes, Some(effective_from))?;
    let amended = plan.amended()?;
    Ok(ApprovalAmendment {
        version: plan.version,
        effective: draw_of(central, plan.effective_from),
        differences: differences_of(amended),
        slips: fate_of(&amended.before, &amended.after),
    })
}

/// Express picks and limits as the newest version has them, and from which draw on a change of
/// them may hold.
#[utoipa::path(
    get, path = "/api/v1/rules/amendments", tag = "rules", operation_id = "amendable_rules",
    responses((status = 200, description = "What can be changed", body = AmendableReply))
)]
pub(super) async fn amendable(app: web::Data<App>) -> Reply<AmendableReply> {
    look(move || {
        let central = &app.central;
        let view = central.view.get();
        let newest = view.newest_rules().ok_or(Refusal::NoRules)?;
        let book = rules_file::read(&newest.text)
            .map_err(|_| Fault::Record("a rule book on record is faulty".to_owned()))?;
        let first_draws = AmendmentPlan::first_draws(central)?;
        Ok(AmendableReply {
            version: newest.rules.version,
            effective: draw_of(central, newest.effective_from),
            earliest: draw_of(central, first_draws.earliest),
            proposed: draw_of(central, first_draws.proposed),
            settings: settings_of(&book),
        })
    })
    .await
}

/// What a change of express picks and limits would do, value by value; every fault of it is told.
/// Nothing is recorded.
#[utoipa::path(
    post, path = "/api/v1/rules/amendments/preview", tag = "rules", operation_id = "preview_amendment",
    request_body(content = PreviewRequest, example = json!({
        "base_version": 1, "changes": {"second_key_cents": 3000}
    })),
    responses((status = 200, description = "What it would do", body = PreviewReply))
)]
pub(super) async fn preview(
    app: web::Data<App>,
    Body(asked): Body<PreviewRequest>,
) -> Reply<PreviewReply> {
    look(move || {
        let changes = changes_of(&asked.changes);
        let from = asked.effective_from;
        let plan = AmendmentPlan::of(&app.central, asked.base_version, &changes, from)?;
        Ok(preview_of(&app.central, &plan))
    })
    .await
}

/// Change express picks and limits, by two people: the next version of the rules, with everything
/// else as it stands.
#[utoipa::path(
    post, path = "/api/v1/rules/amendments", tag = "rules", operation_id = "amend_rules",
    request_body(content = AmendRequest, example = json!({
        "base_version": 1,
        "changes": {"express": [{"spots": 4, "wager_cents": 200}], "second_key_cents": 3000},
        "effective_from": 500,
        "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Published", body = AmendedReply))
)]
pub(super) async fn amend(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<AmendRequest>,
) -> Reply<AmendedReply> {
    let central = app.central.clone();
    let (plan, asked) = blocking(move || {
        let changes = changes_of(&asked.changes);
        let from = asked.effective_from;
        let plan = AmendmentPlan::of(&central, asked.base_version, &changes, from)?;
        plan.amended()?;
        Ok((plan, asked))
    })
    .await?;
    let changes_nothing = plan
        .outcome
        .as_ref()
        .is_ok_and(|amended| amended.differences.is_empty());
    if changes_nothing {
        return Err(ApiError::malformed(
            Some("changes"),
            &malformed::NothingChanges,
        ));
    }
    let what = Approvable::once(ApprovalContent::RulesAmendment {
        base_version: asked.base_version,
        changes: asked.changes,
        effective_from: plan.effective_from,
    });
    let second = second_person(&app, &caller, &asked.second, Operation::AmendRules, what).await?;
    write(move || {
        let (central, second_badge) = (&app.central, &second.person.badge);
        let amended = plan.amend(central, &caller.badge, second_badge);
        let leaf = second.after(amended)?;
        let amended = plan.amended()?;
        Ok(AmendedReply {
            leaf,
            version: plan.version,
            effective: draw_of(central, plan.effective_from),
            differences: differences_of(amended),
            slips: fate_of(&amended.before, &amended.after),
        })
    })
    .await
}
