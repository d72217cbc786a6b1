//! Facts in words: what happened, by whom, and what else a leaf says.

use keno_game::Tender;
use keno_log::{Event, EventKind};
use keno_service::counter;
use keno_service::counter::REPLACED_SHOWN;

use super::sheet::{Words, words};
use crate::pages::{Lang, fact_on_sheets, money};

/// What happened.
pub fn kind(kind: EventKind) -> Words {
    let [fr, en] = fact_on_sheets(kind).unwrap_or([kind.name(); 2]);
    words(fr, en)
}

/// An amount in both languages.
pub fn amount(cents: i64) -> Words {
    words(money(cents, Lang::Fr), money(cents, Lang::En))
}

/// The tender of a recorded number.
pub fn tender(number: u8) -> Words {
    match Tender::from_number(number) {
        Some(Tender::Cash) => words("comptant", "cash"),
        Some(Tender::Coupon) => words("coupon", "coupon"),
        Some(Tender::Chip) => words("jetons", "chips"),
        None => words("unknown", "unknown"),
    }
}

/// Two badges, or one.
pub fn badges(first: &str, second: &str) -> String {
    [first, second]
        .into_iter()
        .filter(|badge| !badge.is_empty())
        .collect::<Vec<_>>()
        .join(" + ")
}

/// Whose badges stand in a fact.
pub fn by(event: &Event) -> String {
    event.names().badges().collect::<Vec<_>>().join(" + ")
}

fn same(text: impl Into<String>) -> Words {
    let text = text.into();
    words(text.clone(), text)
}

/// An amount, and what is said of it.
fn with(cents: i64, fr: &str, en: &str) -> Words {
    let amount = amount(cents);
    words(format!("{} {fr}", amount.fr), format!("{} {en}", amount.en))
}

/// What else a fact about a ticket and its papers says.
fn of_a_ticket(event: &Event) -> Option<Words> {
    Some(match event {
        Event::TicketSold(body) => {
            let paid = tender(body.tender);
            with(body.total_cents, &paid.fr, &paid.en)
        }
        Event::TicketCancelled(body) => {
            let (fr, en) = match body.reason {
                1 => ("le joueur a changé d’avis", "patron changed mind"),
                2 => ("saisie erronée", "keyed wrong"),
                3 => ("mauvaise impression", "printed badly"),
                4 => ("non payé", "not paid"),
                _ => ("autre motif", "other reason"),
            };
            with(body.refund_cents, &format!("· {fr}"), &format!("· {en}"))
        }
        Event::TicketUnpaid(body) => amount(body.amount_cents),
        Event::PrintConfirmed(body) => {
            let (fr, en) = match body.how {
                1 => ("par l’imprimante", "by the printer"),
                2 => ("selon l’état de l’imprimante", "by printer status"),
                _ => ("par le préposé", "by the clerk"),
            };
            words(
                format!("exemplaire {} · {fr}", body.copy),
                format!("copy {} · {en}", body.copy),
            )
        }
        Event::TicketDuplicated(body) => words(
            format!("exemplaire {} · {}", body.copy, body.reason),
            format!("copy {} · {}", body.copy, body.reason),
        ),
        Event::DiscrepancyNoted(body) => {
            let facts: Vec<String> = (1..=6)
                .filter(|fact| body.facts & (1 << (fact - 1)) != 0)
                .map(|fact: u8| fact.to_string())
                .collect();
            words(
                format!("art. 82, fait {} · {}", facts.join(", "), body.note),
                format!("s. 82, fact {} · {}", facts.join(", "), body.note),
            )
        }
        _ => return None,
    })
}

/// What else a fact about a payment, or one that was refused, says.
fn of_a_payment(event: &Event) -> Option<Words> {
    Some(match event {
        Event::PrizePaid(body) => {
            let (fr, en) = if body.path == 2 {
                ("· par numéro de contrôle", "· by control number")
            } else {
                ("· par code de réclamation", "· by claim code")
            };
            with(body.total_cents, fr, en)
        }
        Event::PaymentReversed(body) => words(
            format!("paiement {} · {}", body.payment, body.reason),
            format!("payment {} · {}", body.payment, body.reason),
        ),
        Event::PaymentHeld(body) => {
            let (fr, en) = match body.reason {
                1 => ("gain improbable", "improbable win"),
                REPLACED_SHOWN => ("papier remplacé présenté", "replaced paper shown"),
                _ => ("lot rare gagné de nouveau", "rare prize won again"),
            };
            words(
                format!("tirage {} · {fr}", body.draw),
                format!("draw {} · {en}", body.draw),
            )
        }
        Event::PatronRefused(body) => {
            let (fr, en) = match counter::reason_name(body.reason.into()) {
                Some("minor") => ("mineur, ou âge non prouvé", "minor, or no proof of age"),
                Some("excluded") => ("personne exclue", "excluded person"),
                _ => ("autre motif", "other reason"),
            };
            words(fr, en)
        }
        Event::LostTicketRefunded(body) => {
            let paid = tender(body.tender);
            with(
                body.amount_cents,
                &format!("{} · {}", paid.fr, body.reason),
                &format!("{} · {}", paid.en, body.reason),
            )
        }
        _ => return None,
    })
}

/// What else a fact about tills, devices, draws and the record says.
fn of_the_house(event: &Event) -> Option<Words> {
    Some(match event {
        Event::TillMoved(body) => {
            if body.kind == 1 {
                with(body.amount_cents, "approvisionnement", "fill")
            } else {
                with(body.amount_cents, "dépôt", "drop")
            }
        }
        Event::TillCounted(body) => {
            let expected = amount(body.expected_cents);
            with(
                body.counted_cents,
                &format!("comptés, {} attendus · {}", expected.fr, body.reason),
                &format!("counted, {} expected · {}", expected.en, body.reason),
            )
        }
        Event::DeviceHandedOver(body) => words(
            format!("{} à {} · {}", body.device, body.to, body.reason),
            format!("{} to {} · {}", body.device, body.to, body.reason),
        ),
        Event::KeyClosed(body) => same(format!("{}/{}", body.key.session, body.key.counter)),
        Event::EpochOpened(body) => words(
            format!(
                "époque {}, depuis {} feuilles · {}",
                body.epoch, body.continues_size, body.reason
            ),
            format!(
                "epoch {}, from {} leaves · {}",
                body.epoch, body.continues_size, body.reason
            ),
        ),
        _ => return None,
    })
}

/// What else a fact says, with its amount.
pub fn detail(event: &Event) -> Words {
    of_a_ticket(event)
        .or_else(|| of_a_payment(event))
        .or_else(|| of_the_house(event))
        .unwrap_or_else(|| same(event.names().said.unwrap_or_default()))
}
