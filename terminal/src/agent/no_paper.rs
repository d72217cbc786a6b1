//! Sales that are recorded and have no paper: named by reference until two people have decided,
//! here, at another counter, or at the wall. The full number stands on paper alone.

use keno_wire::reply::{SellReply, TicketReference};
use keno_wire::request::CommandKey;

use super::doubt::Fact;
use super::{Agent, Stop};
use crate::exit::Exit;
use crate::journal::{Item, PaperState, Record, Stage};

/// Tickets by reference at the command line: what to do.
const DECIDE: (&str, &str) = (
    "Deux personnes décident, en tapant la référence comme billet : « duplicate », « unpaid » avant \
     le tirage, ou « release ».",
    "Two people decide, typing the reference as the ticket: \"duplicate\", \"unpaid\" before the \
     draw, or \"release\".",
);

impl Agent<'_> {
    /// A recorded sale becomes a task of two people: no paper of it comes out here.
    pub(super) fn refer(
        &mut self,
        key: CommandKey,
        reference: &TicketReference,
    ) -> Result<(), Stop> {
        // Where a paper was torn, money and change have changed hands as in any sale.
        let is_torn = self
            .journal
            .item(key)
            .is_some_and(|item| item.paper.is_some());
        self.journal.write(&Record::Paper {
            key,
            state: PaperState::Missing {
                ticket: reference.ticket,
                number: reference.number.clone(),
                terminal: reference.terminal.clone(),
                sold_at: reference.sold_at_local.clone(),
            },
        })?;
        self.tell_without_paper(reference);
        if !is_torn {
            self.desk.tell(
                "Gardez l’argent à part jusqu’à la décision.",
                "Keep the money apart until it is decided.",
            );
        }
        self.told(key)
    }

    fn tell_without_paper(&mut self, reference: &TicketReference) {
        let TicketReference {
            ticket,
            number,
            terminal,
            sold_at_local,
        } = reference;
        self.desk.tell(
            &format!(
                "Vente enregistrée SANS BILLET : #{ticket}, {number}, {terminal}, {sold_at_local}. Ne \
                 remettez rien."
            ),
            &format!(
                "Sale recorded WITHOUT A TICKET: #{ticket}, {number}, {terminal}, {sold_at_local}. \
                 Hand over nothing."
            ),
        );
        if !self.acknowledges_by_hand {
            self.desk.note(DECIDE.0, DECIDE.1);
        }
    }

    /// A ticket that can no longer be cancelled and whose paper is torn, or a sale that was told
    /// without its code: a task, or nothing when somebody has decided already.
    pub(super) fn refer_or_leave(
        &mut self,
        key: CommandKey,
        reference: Option<&TicketReference>,
    ) -> Result<(), Stop> {
        if let Some(reference) = reference {
            return self.refer(key, reference);
        }
        self.journal.write(&Record::Paper {
            key,
            state: PaperState::Given,
        })?;
        self.desk.note(
            "Rien ne s’imprime d’ici pour ce billet : il a déjà son papier, ou il ne vaut plus.",
            "Nothing is printed here for this ticket: it has its paper already, or no longer stands.",
        );
        Ok(())
    }

    /// The clerk reads that a sale has no paper; or central is asked whether two people have
    /// decided meanwhile.
    pub(super) fn look_after(&mut self, item: &Item) -> Result<(), Stop> {
        let Some(reference) = item.reference() else {
            return Ok(());
        };
        if item.stage() == Stage::NoPaper {
            self.tell_without_paper(&reference);
            return self.told(item.key);
        }
        self.ensure_session()?;
        match self.settle(item)?.as_ref() {
            Some(Fact::Sale(reply)) if reply.without_paper.is_some() => {
                if !self.acknowledges_by_hand {
                    self.tell_without_paper(&reference);
                }
                Ok(())
            }
            _ => self.decided(reference.ticket),
        }
    }

    /// Two people have decided what becomes of a ticket: its task here has ended.
    pub(super) fn decided(&mut self, ticket: u64) -> Result<(), Stop> {
        for item in self.journal.open_items() {
            let is_it = item.reference().is_some_and(|one| one.ticket == ticket);
            if is_it {
                let key = item.key;
                self.journal.write(&Record::Told { key })?;
                self.journal.write(&Record::Paper {
                    key,
                    state: PaperState::Given,
                })?;
            }
        }
        Ok(())
    }

    /// Tells what becomes of the money that was kept apart for a ticket without paper.
    pub(super) fn tell_envelope(&mut self, ticket: u64, is_unpaid: bool) {
        let is_it = |item: &Item| {
            item.is_parked && item.reference().is_some_and(|one| one.ticket == ticket)
        };
        let kept = self.journal.open_items().into_iter().find(is_it);
        let Some(item) = kept else {
            return;
        };
        if is_unpaid {
            self.desk.tell_amount(
                "L’argent gardé à part, {}, est au joueur : rendez-le.",
                "The money kept apart, {}, is the player's: give it back.",
                item.received_cents,
            );
        } else {
            self.desk.tell_amount(
                "L’argent gardé à part va dans la caisse ; monnaie {}.",
                "The money kept apart goes into the till; change {}.",
                item.received_cents.saturating_sub(item.total_cents),
            );
        }
    }
}

/// A ticket of a sale's answer, by reference.
pub(super) fn reference_of(reply: &SellReply) -> TicketReference {
    let number = keno_game::ControlNumber::parse(&reply.ticket.control_number);
    TicketReference {
        ticket: reply.ticket.ticket,
        number: number.map_or_else(
            |_| reply.ticket.control_number.clone(),
            |number| number.masked(),
        ),
        terminal: reply.ticket.terminal.clone(),
        sold_at_local: reply.ticket.sold_at_local.clone(),
    }
}

/// How a command ends that leaves a sale without its paper.
pub(super) const WITHOUT_PAPER: Exit = Exit::InDoubt;
