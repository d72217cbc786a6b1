//! Inquiries: nothing moves.

use keno_slip::money::{draw_number, french};
use keno_wire::reply::CheckReply;
use keno_wire::request::CheckRequest;
use keno_words::Say;

use super::Agent;
use super::done::{Done, Fact};
use super::sale::slip_again;
use crate::exit::Exit;
use crate::printer::{Standing, condition};
use crate::witness::Mistrust;

impl Agent<'_> {
    /// Tells the verdict of a ticket and the state of its draws.
    pub fn check(&mut self, code: &str) -> Done {
        self.at_work(|agent| {
            let request = CheckRequest {
                code: code.to_owned(),
            };
            let reply: CheckReply = agent.inquire("/checks", &request)?;
            agent.tell_check(&reply);
            Ok(Exit::Done)
        })
    }

    /// Tells the verdict of a ticket as a patron sees it, in words, with nobody signed on.
    pub fn check_for_patron(&mut self, code: &str) -> Done {
        self.at_work(|agent| {
            let request = CheckRequest {
                code: code.to_owned(),
            };
            let reply: Result<CheckReply, _> = agent.central.post("/checks", &request);
            let reply = reply.map_err(|fault| agent.stop_for(fault))?;
            agent.tell_verdict(&reply);
            Ok(Exit::Done)
        })
    }

    /// The verdict, and its name for whoever reads programs.
    pub(super) fn tell_check(&mut self, reply: &CheckReply) {
        self.tell_verdict(reply);
        if reply.code_needed {
            self.note_code_needed();
        }
        self.told.tell_line(&format!("({})", reply.verdict.code));
    }

    fn tell_verdict(&mut self, reply: &CheckReply) {
        let ticket = reply.ticket.as_ref();
        let new_pick = ticket
            .filter(|ticket| ticket.selections.iter().any(|one| one.quick_pick))
            .map(|ticket| slip_again(ticket, 1, true));
        self.so_far.fact = Some(Fact::Check {
            check: Box::new(reply.clone()),
            again: ticket.map(|ticket| slip_again(ticket, 1, false)),
            new_pick,
        });
        self.told.tell_bilingual(&reply.verdict.sentence);
        if let Some(cents) = reply.payable_cents {
            let (fr, en) = if reply.for_the_cage {
                ("À la caisse principale : {}", "At the main cage: {}")
            } else {
                ("À payer maintenant : {}", "To pay now: {}")
            };
            self.told.tell_amount(fr, en, cents);
        }
        if reply.patron_refused.is_some() {
            self.told.tell(
                "Le paiement a été refusé à un porteur de ce billet : il se paie à deux.",
                "Payment was refused to a holder of this ticket: two people pay it.",
            );
        }
        for draw in &reply.draws {
            let balls: Vec<String> = draw.balls.iter().map(|ball| format!("{ball:02}")).collect();
            let state = match draw.state.as_str() {
                "to_come" => "à venir / to come",
                "being_verified" => "en vérification / being verified",
                "settled" => "officiel / official",
                "void" => "annulé / void",
                other => other,
            };
            let payment = match draw.payment.as_str() {
                "unpaid" => "non payé / unpaid",
                "paid" => "payé / paid",
                "expired" => "échu / expired",
                _ => "",
            };
            let line = format!(
                "{}  {}  {state}  {}  {}  {payment}",
                draw_number(draw.draw.draw),
                draw.draw.local,
                french(draw.payable_cents),
                balls.join(" "),
            );
            self.told.tell_line(line.trim_end());
        }
    }

    /// A number alone was typed: what to do.
    fn note_code_needed(&mut self) {
        self.told.note(
            "Aucun montant sans le code du papier : numérisez-le, ou tapez après le numéro les 20 \
             signes qui y sont imprimés.",
            "No amount without the paper's code: scan it, or type after the number the 20 signs \
             printed on it.",
        );
    }

    /// Tells how central, the printer and the journal are, after resolving what is open; a central
    /// whose log is refused is asked nothing.
    pub fn status(&mut self, mistrust: Option<Mistrust>) -> Done {
        self.at_work(|agent| {
            let is_alive = agent.central.is_alive().unwrap_or(false);
            if let (true, Some(mistrust)) = (is_alive, mistrust) {
                agent.told.tell(
                    "Central : répond, mais son journal est refusé",
                    "Central: answers, but its log is refused",
                );
                agent.told.tell_bilingual(&mistrust.sentence());
            } else if is_alive {
                agent.told.tell("Central : en ligne", "Central: online");
            } else {
                agent
                    .told
                    .tell("Central : hors d’atteinte", "Central: out of reach");
            }
            let condition = condition(&agent.driver, agent.timing);
            let (fr, en, is_ready) = match condition.standing {
                Standing::Ready => ("prête".to_owned(), "ready".to_owned(), true),
                Standing::Silent => (
                    "ne dit rien d’elle-même".to_owned(),
                    "says nothing of itself".to_owned(),
                    true,
                ),
                Standing::Trouble(fault) => (fault.fr(), fault.en(), false),
            };
            agent
                .told
                .tell(&format!("Imprimante : {fr}"), &format!("Printer: {en}"));
            if let Some((fr, en)) = condition.near_end_sentences(agent.equipment.near_end_tickets) {
                agent.told.note(&fr, &en);
            }
            let open = agent.journal.open_items().len();
            agent.told.tell(
                &format!(
                    "Journal : {} commandes, {open} en suspens",
                    agent.journal.len()
                ),
                &format!("Journal: {} commands, {open} open", agent.journal.len()),
            );
            if is_alive && mistrust.is_some() {
                return Ok(Exit::Refused);
            }
            if is_alive && is_ready {
                agent.resolve_all()?;
            }
            Ok(
                match (is_alive, is_ready, agent.journal.open_items().len()) {
                    (false, ..) => Exit::CentralUnreachable,
                    (_, false, _) => Exit::PrinterTrouble,
                    (_, _, 0) => Exit::Done,
                    _ => Exit::InDoubt,
                },
            )
        })
    }
}
