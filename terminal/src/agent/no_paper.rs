//! Sales that are recorded and have no paper: named by reference until two people have decided,
//! here, at another counter, or at the wall. The full number stands on paper alone.

use keno_wire::reply::{RecordedReply, SellReply, TicketReference};
use keno_wire::request::CommandKey;
use keno_wire::request::PatronRefusalRequest;
use keno_words::{Money, Say, agent as words};

use super::Agent;
use super::recorded::Recorded;
use super::session::ASK_AGAIN;
use crate::exit::{Exit, Stop};
use crate::journal::{Item, PaperState, ParkedMoney, Record, Stage};

/// Tickets by reference at the command line: what to do, by what was said of the money.
const fn decide(money: Option<ParkedMoney>) -> &'static dyn Say {
    match money {
        None => &words::TwoPeopleDecide,
        Some(ParkedMoney::Kept) => &words::TwoPeopleMakeDuplicate,
        Some(ParkedMoney::GivenBack) => &words::TwoPeopleDeclareUnpaid,
    }
}

/// What two people may decide about a ticket that is named by reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// Its duplicate.
    Duplicate,
    /// A wager that was not paid.
    Unpaid,
    /// A paper that turned up whole.
    Release,
    /// A paper of which there are pieces, while it can still be cancelled.
    Cancel,
}

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
        let money = self.journal.item(key).and_then(|item| item.money);
        if money == Some(ParkedMoney::GivenBack) {
            self.say_given_back(reference.ticket)?;
        }
        self.tell_without_paper(reference, money);
        match money {
            Some(ParkedMoney::GivenBack) => self.told.tell(&words::MoneyGivenBackNoTicket),
            _ if is_torn => {}
            _ => self.told.tell(&words::KeepMoneyUntilDecided),
        }
        self.told(key)
    }

    fn tell_without_paper(&mut self, reference: &TicketReference, money: Option<ParkedMoney>) {
        let TicketReference {
            ticket,
            number,
            terminal,
            sold_at_local,
        } = reference;
        self.told.tell(&words::SaleRecordedWithoutTicket {
            number: &number,
            sold_at_local: &sold_at_local,
            terminal: &terminal,
            ticket: &ticket,
        });
        if !self.acknowledges_by_hand {
            self.told.note(decide(money));
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
        self.told.note(&words::NothingToPrint);
        Ok(())
    }

    /// The clerk reads that a sale has no paper; or central is asked whether two people have
    /// decided meanwhile.
    pub(super) fn look_after(&mut self, item: &Item) -> Result<(), Stop> {
        let Some(reference) = item.reference() else {
            return Ok(());
        };
        if item.stage() == Stage::NoPaper {
            self.tell_without_paper(&reference, item.money);
            return self.told(item.key);
        }
        self.ensure_session()?;
        match self.settle(item)?.as_ref() {
            Some(Recorded::Sale(reply)) if reply.without_paper.is_some() => {
                if item.is_given_back() {
                    self.say_given_back(reference.ticket)?;
                }
                if !self.acknowledges_by_hand {
                    self.tell_without_paper(&reference, item.money);
                }
                Ok(())
            }
            _ => self.decided(reference.ticket),
        }
    }

    /// Central hears that the price was given back when the sale was put aside: from then on nobody
    /// makes a paper of that ticket, here or elsewhere, whatever becomes of its task.
    fn say_given_back(&mut self, ticket: u64) -> Result<(), Stop> {
        let request = PatronRefusalRequest {
            code: format!("#{ticket}"),
            reason: "money_given_back".to_owned(),
        };
        let _: RecordedReply = self.command_without_key("/patron-refusals", &request, ASK_AGAIN)?;
        Ok(())
    }

    /// The key of the sale of a ticket that has no paper.
    pub(super) fn sale_without_paper(&self, ticket: u64) -> Option<CommandKey> {
        let is_it = |item: &Item| item.reference().is_some_and(|one| one.ticket == ticket);
        let items = self.journal.open_items();
        items.into_iter().find(is_it).map(|item| item.key)
    }

    /// What was said of the money of a sale that this terminal put aside; none of any other ticket.
    fn money_of(&self, ticket: u64) -> Option<ParkedMoney> {
        let is_it = |item: &Item| item.reference().is_some_and(|one| one.ticket == ticket);
        let items = self.journal.open_items();
        items.into_iter().find(is_it).and_then(|item| item.money)
    }

    /// What becomes of the money was said when the sale was put aside, before anybody could know
    /// what is drawn: two people decide nothing else afterwards.
    ///
    /// # Errors
    /// [`Exit::Refused`], told; nothing was sent.
    pub(super) fn must_follow_money(
        &mut self,
        ticket: Option<u64>,
        decision: Decision,
    ) -> Result<(), Stop> {
        match (ticket.and_then(|ticket| self.money_of(ticket)), decision) {
            (None, _)
            | (Some(ParkedMoney::Kept), Decision::Duplicate)
            | (Some(ParkedMoney::GivenBack), Decision::Unpaid) => return Ok(()),
            (Some(ParkedMoney::Kept), _) => self.told.note(&words::MoneyKeptDuplicateOnly),
            (Some(ParkedMoney::GivenBack), _) => self.told.note(&words::MoneyGivenBackUnpaidOnly),
        }
        Err(Stop::End(Exit::Refused))
    }

    /// The wager of a sale whose money was given back can no longer be declared unpaid: the ticket
    /// stays held at central, without a paper that anybody could present, and its task here ends.
    pub(super) fn too_late_for_unpaid(&mut self, ticket: u64) -> Result<(), Stop> {
        if self.money_of(ticket) != Some(ParkedMoney::GivenBack) {
            return Ok(());
        }
        self.say_given_back(ticket)?;
        self.told.tell(&words::NoPaperAndNoneMade);
        self.decided(ticket)
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
        if item.is_given_back() {
            self.told.tell(&words::PlayerHasMoneyBack);
        } else if is_unpaid {
            self.told.tell(&words::GiveKeptMoneyBack {
                amount: &Money(item.received_cents),
            });
        } else {
            self.told.tell(&words::HandDuplicateOver {
                amount: &Money(item.received_cents.saturating_sub(item.total_cents)),
            });
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
