//! Sales and replays.

use keno_game::{Intake, Tender, selection_letter};
use keno_slip::aside::{Aside, What, aside};
use keno_slip::money::draw_number;
use keno_slip::{DoubtMoney, InDoubt, Issue, in_doubt};
use keno_wire::coded::Name;
use keno_wire::reply::{PriceReply, SelectionView, SellReply, TicketView};
use keno_wire::request::{CommandKey, Conditioning, PriceRequest, Selection, SellRequest, Slip};
use keno_words::{Language, Money, Say, agent as words};

use super::Agent;
use super::no_paper::{WITHOUT_PAPER, reference_of};
use super::recorded::Recorded;
use crate::central::CallFault;
use crate::clock::system_ms;
use crate::exit::{Exit, Stop};
use crate::journal::{CommandKind, Item, Outcome, ParkedMoney, Record, Stage};
use crate::printer::condition;
use crate::told::Choice;

/// The refusal of a sale at another price than the one that was told.
const TOTAL_CHANGED: &str = "total_changed";

/// How a slip is to be sold.
#[derive(Debug, Clone)]
pub struct SaleOptions {
    /// How the patron pays.
    pub tender: Name<Tender>,
    /// What the patron handed over in cents; the price when it is not said.
    pub received_cents: Option<i64>,
    /// The total that the clerk told, in cents: central sells at no other price, and is not asked
    /// for the price first.
    pub told_cents: Option<i64>,
    /// The clerk has told the total and taken the money: nothing is asked.
    pub is_confirmed: bool,
    /// Where the slip came from.
    pub intake: Name<Intake>,
    /// Ticket that is repeated: its leaf index.
    pub replay_of: Option<u64>,
}

impl Agent<'_> {
    /// Sells a slip.
    pub fn sell(&mut self, slip: &Slip, options: &SaleOptions) -> Result<Exit, Stop> {
        self.resolve_all()?;
        self.sell_now(slip, options)
    }

    /// Sells the selections of an earlier ticket again, for so many draws from the next one.
    pub fn replay(
        &mut self,
        code: &str,
        draws: u32,
        is_new_pick: bool,
        options: &SaleOptions,
    ) -> Result<Exit, Stop> {
        self.resolve_all()?;
        let reply = self.checked(code)?;
        let Some(ticket) = reply.ticket else {
            self.told.tell(&reply.verdict.sentence);
            self.told.note(&words::CannotReplay);
            return Ok(Exit::Refused);
        };
        let slip = slip_again(&ticket, draws, is_new_pick);
        let options = SaleOptions {
            intake: Intake::Replay.into(),
            replay_of: Some(ticket.ticket),
            ..options.clone()
        };
        self.sell_now(&slip, &options)
    }

    fn tell_price(&mut self, price: &PriceReply) {
        for (position, selection) in price.selections.iter().enumerate() {
            let letter = selection_letter(position);
            self.told.tell(&words::SelectionPrice {
                letter: &letter,
                numbers: &Numbers(selection),
                amount: &Money(selection.per_draw_cents),
            });
        }
        let (first, last) = (draw_number(price.first.draw), draw_number(price.last.draw));
        self.told.tell(&words::DrawsFirstToLast {
            draws: &price.draws,
            first: &first,
            last: &last,
        });
        self.told.tell(&words::TotalWager {
            amount: &Money(price.total_cents),
        });
    }

    /// A printer that names a trouble stops a sale before the money is taken, and a duplicate
    /// before the old paper is dead.
    /// `undone` says what was therefore not done.
    pub(super) fn check_printer(&mut self, undone: &dyn Say) -> Result<(), Stop> {
        let condition = condition(&self.driver, self.timing);
        if let Some(words) = condition.near_end(self.equipment.near_end_tickets) {
            self.told.note(&words);
        }
        match condition.trouble() {
            None => Ok(()),
            Some(fault) => {
                self.note_printer(fault);
                self.told.note(undone);
                Err(Stop::End(Exit::PrinterTrouble))
            }
        }
    }

    fn sell_now(&mut self, slip: &Slip, options: &SaleOptions) -> Result<Exit, Stop> {
        self.ensure_session()?;
        self.check_printer(&words::NothingWasSold)?;
        let total_cents = match options.told_cents {
            Some(told_cents) => told_cents,
            None => {
                let request = PriceRequest { slip: slip.clone() };
                let price: PriceReply = self.inquire("/prices", &request)?;
                self.tell_price(&price);
                price.total_cents
            }
        };
        let received_cents = options.received_cents.unwrap_or(total_cents);
        if received_cents < total_cents {
            self.told.note(&words::ReceivedBelowTotal);
            return Ok(Exit::Refused);
        }
        let is_confirmed =
            options.is_confirmed || self.told.decide(Choice::IssueTicket) == Some(true);
        if !is_confirmed {
            self.told.note(&words::NothingWasSold);
            return Ok(Exit::Refused);
        }
        let noted = serde_json::to_value(slip)?;
        let key = self.journal_sent(CommandKind::Sale, noted, total_cents, received_cents)?;
        self.so_far.sent = Some(key);
        let request = SellRequest {
            key,
            slip: slip.clone(),
            tender: options.tender.clone(),
            received_cents,
            total_cents,
            intake: options.intake.clone(),
            replay_of: options.replay_of,
        };
        match self.send_sale(&request, options)? {
            Some((fact, issue)) => self.finish_sale(key, &fact, issue),
            None => Ok(Exit::Refused),
        }
    }

    /// Sends a journaled sale and settles its key. None when it will never be recorded.
    fn send_sale(
        &mut self,
        request: &SellRequest,
        options: &SaleOptions,
    ) -> Result<Option<(Recorded, Issue)>, Stop> {
        let key = request.key;
        let is_told = options.told_cents.is_some();
        let reply: Result<SellReply, CallFault> = self.central.post("/sales", request);
        if matches!(&reply, Ok(_) | Err(CallFault::Lost(_))) {
            // A slip that was taken over is not offered again once something was sold.
            self.draft = None;
        }
        match reply {
            Ok(reply) => {
                let fact = Recorded::Sale(Box::new(reply));
                self.journal_recorded(key, fact).map(Some)
            }
            Err(CallFault::Lost(error)) => {
                tracing::warn!(%error, "sale in doubt");
                let settled = self.settle_sent(key);
                if settled.is_err() {
                    self.note_how_to_park(key);
                }
                Ok(settled?.map(|fact| (fact, Issue::First)))
            }
            Err(CallFault::Refused(problem)) if is_told && problem.name() == TOTAL_CHANGED => {
                let name = problem.name().to_owned();
                let outcome = Outcome::Refused { name };
                self.journal.write(&Record::Outcome { key, outcome })?;
                self.told.note(&words::TotalWagerDiffers);
                self.journal.write(&Record::Told { key })?;
                Ok(None)
            }
            Err(fault) => Err(self.close_refused(key, fault)?),
        }
    }

    /// What to do for the next player while a sale is in doubt.
    fn note_how_to_park(&mut self, key: CommandKey) {
        // A page offers it by itself. The paper comes with it, once it is journaled what becomes of
        // the money.
        let is_asking = |item: &Item| item.stage() == Stage::Asking;
        if !self.acknowledges_by_hand && self.journal.item(key).is_some_and(is_asking) {
            self.told.note(&words::ParkToServeNext);
        }
    }

    fn finish_sale(
        &mut self,
        key: CommandKey,
        fact: &Recorded,
        issue: Issue,
    ) -> Result<Exit, Stop> {
        let Recorded::Sale(reply) = fact else {
            return Err(anyhow::anyhow!("central answered a sale with another fact").into());
        };
        if let Some(reference) = &reply.without_paper {
            self.refer(key, reference)?;
            return Ok(WITHOUT_PAPER);
        }
        // The full number stands on the paper.
        let number = reference_of(reply).number;
        self.told.tell_line(&format!("N° {number}"));
        self.so_far.fact = Some(fact.shown());
        self.told.tell(&words::Change {
            amount: &Money(reply.ticket.change_cents),
        });
        if let Some(notice) = &reply.notice {
            self.told.tell(notice);
        }
        self.open_drawer_for(fact.tender());
        self.print_fact(key, fact, issue)?;
        Ok(Exit::Done)
    }

    /// The paper that goes into the envelope with the money; when it cannot be printed, the
    /// sentence on the screen stands for it.
    pub(super) fn print_in_doubt(&mut self, item: &Item) -> Result<(), Stop> {
        let badge = self
            .kept_session()
            .map_or_else(String::new, |session| session.badge);
        let paper = match item.kind {
            CommandKind::Sale => in_doubt(
                &InDoubt {
                    device: self.device,
                    session: item.key.session,
                    counter: item.key.counter,
                    badge: &badge,
                    total_cents: item.total_cents,
                    received_cents: item.received_cents,
                    draws: item.draws,
                    money: match item.money {
                        Some(ParkedMoney::GivenBack) => DoubtMoney::GivenBack,
                        Some(ParkedMoney::Kept) | None => DoubtMoney::Kept,
                    },
                    at: &utc_text(system_ms()),
                },
                self.width,
            ),
            kind => aside(
                &Aside {
                    device: self.device,
                    session: item.key.session,
                    counter: item.key.counter,
                    badge: &badge,
                    what: match kind {
                        CommandKind::Cancellation => What::Cancellation,
                        CommandKind::Payment => What::Payment,
                        CommandKind::LostRefund => What::LostRefund,
                        CommandKind::Sale | CommandKind::TillMovement => What::TillMovement,
                    },
                    amount_cents: item.total_cents,
                },
                self.width,
            ),
        };
        if let Err(failure) = self.print_paper(&paper)? {
            self.note_printer(failure.fault);
        }
        Ok(())
    }
}

/// A moment of this machine's clock, in UTC: without central nobody knows the house's zone here.
fn utc_text(at_ms: i64) -> String {
    let moment = chrono::DateTime::from_timestamp_millis(at_ms).unwrap_or_default();
    moment.format("%Y-%m-%d %H:%M UTC").to_string()
}

/// `07 18 33`, `(03 14)(40 51)`, or how many numbers the computer will pick.
struct Numbers<'a>(&'a SelectionView);

impl Say for Numbers<'_> {
    fn say(&self, language: Language, text: &mut String) {
        let selection = self.0;
        let numbers = |group: &Vec<u8>| {
            let texts: Vec<String> = group.iter().map(|number| format!("{number:02}")).collect();
            texts.join(" ")
        };
        if selection.quick_pick {
            words::QuickPick.say(language, text);
            text.push(' ');
            // Before the sale nothing is picked yet: how many will be is what the patron asked.
            if selection.groups.iter().all(Vec::is_empty)
                && let [line] = selection.conditioning.as_slice()
            {
                text.push_str(&line.spots.to_string());
            }
        }
        if !selection.kings.is_empty() {
            text.push_str(&format!("K {} ", numbers(&selection.kings)));
        }
        match selection.groups.as_slice() {
            [group] if selection.kings.is_empty() => text.push_str(&numbers(group)),
            groups => {
                for group in groups {
                    text.push_str(&format!("({})", numbers(group)));
                }
            }
        }
    }
}

/// The slip of a ticket, for so many draws from the next one.
pub(super) fn slip_again(ticket: &TicketView, draws: u32, is_new_pick: bool) -> Slip {
    Slip {
        selections: ticket
            .selections
            .iter()
            .map(|selection| selection_again(selection, is_new_pick))
            .collect(),
        draws,
        first_draw: None,
    }
}

/// The selection of a ticket as a patron would ask for it again.
fn selection_again(view: &SelectionView, is_new_pick: bool) -> Selection {
    let numbers = |group: &Vec<u8>| group.iter().copied().map(i64::from).collect::<Vec<i64>>();
    let mut selection = Selection {
        game: view.game.clone(),
        kind: view.kind.clone(),
        numbers: Vec::new(),
        groups: Vec::new(),
        kings: numbers(&view.kings),
        quick_pick: None,
        wager_cents: None,
        ways: Vec::new(),
    };
    if view.kind.known().is_some_and(|kind| !kind.has_ways()) {
        let group = view.groups.first().cloned().unwrap_or_default();
        selection.wager_cents = Some(view.per_draw_cents);
        if view.quick_pick && is_new_pick {
            selection.quick_pick = u8::try_from(group.len()).ok();
        } else {
            selection.numbers = numbers(&group);
        }
    } else {
        selection.groups = view.groups.iter().map(numbers).collect();
        selection.ways = view
            .conditioning
            .iter()
            .map(|line| Conditioning {
                ways: Some(line.ways),
                spots: line.spots,
                wager_cents: line.wager_cents,
            })
            .collect();
    }
    selection
}

#[cfg(test)]
mod tests {
    use super::utc_text;

    #[test]
    fn a_moment_is_told_in_utc() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_868_799, "2000-02-29 23:59 UTC"),
            (1_795_194_000, "2026-11-20 17:00 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(utc_text(seconds * 1_000), text);
        }
    }
}
