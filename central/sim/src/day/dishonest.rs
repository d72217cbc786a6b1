//! People and kiosks that try what they may not: each act is refused, whenever it is tried. An act
//! that is accepted ends the day: the second computation or the model names what is wrong in the
//! record, or else this does.

use std::sync::Arc;

use keno_log::event::DamagedReading;
use keno_record::fault::Fault;
use keno_record::paper_code::Shown;
use keno_record::roles::DeviceRole;
use keno_service::authority::identity::{Caller, DeviceCaller};
use keno_service::counter::{Named, Paper, PayOrder, TillContents, TillMovementKind, TillOrder};
use keno_service::draw::Draw;
use keno_service::staff::{Badge, Recognised};
use keno_service::{Central, Stop, draw};

use super::Day;
use crate::book::CANCEL_ALONE_CENTS;
use crate::command::{Answer, Order, Reply, ask, beside, look};
use crate::counter::{Held, cancelling, paper_of, read_of, typed};
use crate::judge::Failure;
use crate::model::{Due, Stage, Standing, Ticket};

/// Who is dishonest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Villain {
    /// A clerk, alone.
    Clerk,
    /// A supervisor, alone.
    Supervisor,
    /// A clerk and a supervisor together.
    ClerkAndSupervisor,
    /// A technician.
    Technician,
    /// An auditor.
    Auditor,
    /// A kiosk, or whoever holds its key.
    Kiosk,
}

impl Villain {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Clerk,
        Self::Supervisor,
        Self::ClerkAndSupervisor,
        Self::Technician,
        Self::Auditor,
        Self::Kiosk,
    ];

    /// A stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clerk => "clerk",
            Self::Supervisor => "supervisor",
            Self::ClerkAndSupervisor => "clerk_and_supervisor",
            Self::Technician => "technician",
            Self::Auditor => "auditor",
            Self::Kiosk => "kiosk",
        }
    }
}

macro_rules! acts {
    ($($act:ident $villain:ident $name:literal;)*) => {
        /// What is tried.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum Act {
            $(#[doc = $name] $act),*
        }

        impl Act {
            const ALL: &'static [(Self, Villain, &'static str)] =
                &[$((Self::$act, Villain::$villain, $name)),*];
        }

        /// Everything that is tried, in words.
        pub const TEMPTATIONS: &[&str] = &[$($name),*];
    };
}

acts! {
    KioskSignsOn Kiosk "a clerk is signed on at a kiosk";
    KioskSells Kiosk "a kiosk sells in a clerk's session";
    AuditorSignsOn Auditor "an auditor signs on at a counter";
    AuditorSells Auditor "an auditor sells";
    AuditorPays Auditor "an auditor pays";
    TechnicianOpensTill Technician "a technician opens a till";
    WithdrawnActs Clerk "somebody who was withdrawn goes on in an old session";
    FillsWithClerk Clerk "two clerks move the cash of a till";
    FillsAlone Supervisor "one supervisor moves cash as two people";
    ClosesAnothers Clerk "a clerk counts and closes another's till alone";
    AnothersSession Clerk "a command names another device's session";
    ReversesElsewhere Supervisor "a payment is reversed at another till";
    ReversesTwice ClerkAndSupervisor "a payment is reversed twice";
    VoidsShown Supervisor "a draw with numbers is void";
    SellersVoid Supervisor "who sold for a draw declares it void after its seal";
    PaysInParts Clerk "a prize is paid in parts below the limit, by one";
    PaysCagePrize ClerkAndSupervisor "a prize of the cage is paid at a counter";
    PresentsEarly ClerkAndSupervisor "a ticket is presented before its draw";
    CancelsLate ClerkAndSupervisor "a ticket is cancelled after its draw closed";
    CancelsAlone Clerk "a clerk alone cancels what takes two";
    TypesAlone Clerk "a clerk alone pays on typed signs what takes two";
    CancelsTwice Clerk "a ticket is cancelled twice";
    UnpaidLate ClerkAndSupervisor "a ticket is marked unpaid after its draw began";
    SellsWhileStopped Clerk "a ticket is sold while sales are stopped";
    OldCopy Clerk "a copy that was replaced is taken back";
    GuessedCode Clerk "a ticket is taken back with another's code";
    NumberAlone Clerk "a ticket is taken back by its number alone";
    PaysByNumber ClerkAndSupervisor "a prize is paid by a number alone";
    DuplicatesByNumber ClerkAndSupervisor "a duplicate is made by a number alone, of a ticket whose paper came out";
    UnpaidByNumber ClerkAndSupervisor "a wager is called unpaid by a number alone, of a ticket whose paper came out";
    PaysUnread ClerkAndSupervisor "a prize is paid by a leaf, of a ticket whose paper nobody read";
    PaysAnothersReading Clerk "a prize is paid on what another person read";
    JudgesTooSoon Supervisor "a file is judged before its time";
    JudgesOwnFile ClerkAndSupervisor "who opened a file judges it";
}

/// Devices of a house with dishonest people, beside its terminals.
pub(super) const KIOSK: u32 = 8;
/// A counter that nobody else uses.
pub(super) const SPARE: u32 = 10;

/// Longer than any file waits in these houses.
const FILE_WAITS_MS: i64 = 2 * 3_600_000;

fn place(device: u32, role: DeviceRole) -> DeviceCaller {
    DeviceCaller {
        device,
        role,
        name: format!("T{device:02}"),
    }
}

fn person(badge: &str, roles: &[u8]) -> Recognised {
    Recognised {
        badge: badge.to_owned(),
        roles: roles.to_vec(),
        credential: None,
    }
}

impl Day {
    /// Somebody tries something, now and then.
    pub(super) fn tempt(&mut self) -> Result<(), Failure> {
        if self.settings.villains.is_empty() || !self.evil.in_thousand(400) {
            return Ok(());
        }
        self.absorb()?;
        // For most there is nothing to try it on most of the time.
        for _ in 0..8 {
            let Some((act, villain, words)) = self.evil.one(Act::ALL).copied() else {
                continue;
            };
            if self.settings.villains.contains(&villain)
                && let Some(answer) = self.tried(act)?
            {
                return self.must_be_refused(words, answer);
            }
        }
        Ok(())
    }

    fn must_be_refused(&mut self, words: &'static str, answer: Answer) -> Result<(), Failure> {
        let failed = self.failed();
        match self.waited(answer)? {
            // After a commit whose outcome nobody knows central believes itself no more.
            Some(Err(Stop::Broke(Fault::HeadMoved) | Stop::Undone(Fault::HeadMoved))) => Ok(()),
            Some(Err(Stop::Broke(fault) | Stop::Undone(fault))) if self.failed() == failed => {
                Err(Failure::Wrong(format!("{words}: {fault}")))
            }
            Some(Ok(_)) => {
                self.absorb()?;
                Err(Failure::Wrong(format!("accepted: {words}")))
            }
            Some(Err(Stop::Refused(_))) => {
                *self.report.temptations.entry(words).or_default() += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The answer once it is there; none where the house lost its power meanwhile.
    fn waited(&mut self, mut answer: Answer) -> Result<Option<Result<Reply, Stop>>, Failure> {
        for _ in 0..64 {
            if let Some(answer) = look(&mut answer) {
                return Ok(Some(answer));
            }
            if self.world.faults.is_crashed() {
                return Ok(None);
            }
            self.world.central()?.sequencer.step();
        }
        Ok(None)
    }

    /// The person of a place who is signed on with a till of his own, and has nothing in hand.
    fn at_till(&self, place: usize) -> Option<Caller> {
        let device = self.counters.devices.get(place)?;
        let caller = &device.caller;
        let number = caller.device.device;
        let is_free = !device.is_busy && device.taking.is_none() && device.doubt.is_none();
        let is_on = self.model.sessions.get(&caller.session) == Some(&number);
        let mut tills = self.model.tills.values();
        let is_holder = tills.any(|till| till.device == number && till.holder == caller.badge);
        (is_free && is_on && is_holder).then(|| caller.clone())
    }

    fn next_counter(&mut self, place: usize) -> u64 {
        self.counters.devices.get_mut(place).map_or(0, |device| {
            device.next_counter += 1;
            device.next_counter
        })
    }

    /// A paper that fits, as it is scanned.
    fn paper_that(
        &mut self,
        fits: impl Fn(&Self, &Held) -> bool,
    ) -> Result<Option<(Held, Paper)>, Failure> {
        let papers = self.counters.papers.iter();
        let fitting: Vec<Held> = papers.filter(|held| fits(self, held)).cloned().collect();
        let central = Arc::clone(self.world.central()?);
        Ok(self.evil.one(&fitting).and_then(|held| {
            let paper = paper_of(&central, held)?;
            Some((held.clone(), paper))
        }))
    }

    fn cancels(&mut self, fits: impl Fn(&Self, &Held) -> bool) -> Result<Option<Answer>, Failure> {
        match self.paper_that(fits)? {
            Some((_, paper)) => self.cancels_with(paper),
            None => Ok(None),
        }
    }

    fn cancels_with(&mut self, paper: Paper) -> Result<Option<Answer>, Failure> {
        let Some(caller) = self.at_till(0) else {
            return Ok(None);
        };
        let counter = self.next_counter(0);
        let key = (counter, caller.session);
        let order = Order::Cancel(cancelling(key, paper, None));
        let central = Arc::clone(self.world.central()?);
        Ok(Some(ask(central, caller, order)))
    }

    fn stage(&self, draw: u64) -> Option<Stage> {
        self.model.draws.get(&draw).map(|draw| draw.stage)
    }

    /// A ticket that could be given back now.
    fn is_open(&self, held: &Held) -> bool {
        let Some(ticket) = self.model.tickets.get(&held.ticket) else {
            return false;
        };
        ticket.standing == Standing::Sold && self.stage(ticket.sold.first_draw) == Some(Stage::Open)
    }

    /// A ticket that owes as much as that in all, and the draws that are still to be paid.
    fn owing(
        &mut self,
        least: impl Fn(&crate::book::Book) -> i64,
    ) -> Option<(Held, Vec<(u64, i64)>)> {
        let mut found = Vec::new();
        for held in &self.counters.papers {
            let Some(ticket) = self.model.tickets.get(&held.ticket) else {
                continue;
            };
            let Some((_, book)) = self.model.books.get(&ticket.sold.rule_book) else {
                continue;
            };
            if self.model.tier(held.ticket, ticket) < least(book) {
                continue;
            }
            let items: Vec<(u64, i64)> = (ticket.sold.first_draw..=ticket.sold.last_draw)
                .filter(|draw| !ticket.paid.contains_key(draw))
                .filter_map(|draw| match self.model.due(held.ticket, ticket, draw) {
                    Due::Prize(cents) | Due::Refund(cents) => Some((draw, cents)),
                    Due::Nothing => None,
                })
                .collect();
            if !items.is_empty() {
                found.push((held.clone(), items));
            }
        }
        self.evil.one(&found).cloned()
    }

    fn pays(
        &mut self,
        caller: Caller,
        held: &Held,
        items: Vec<(u64, i64)>,
        second: Option<Recognised>,
    ) -> Result<Option<Answer>, Failure> {
        let central = Arc::clone(self.world.central()?);
        let paper = paper_of(&central, held);
        Ok(paper.map(|paper| self.pays_on(central, caller, paper.into(), items, second)))
    }

    /// A payment on what is named: a paper, or a leaf.
    fn pays_on(
        &mut self,
        central: Arc<Central>,
        caller: Caller,
        paper: Named,
        items: Vec<(u64, i64)>,
        second: Option<Recognised>,
    ) -> Answer {
        let order = Order::Pay(PayOrder {
            counter: self.next_counter(0),
            session: caller.session,
            paper,
            items,
            second,
        });
        ask(central, caller, order)
    }

    /// A damaged paper is lawfully kept: the number of its file.
    fn opens_file(&mut self, caller: Caller) -> Result<Option<u64>, Failure> {
        let nothing = DamagedReading {
            first_draw: None,
            last_draw: None,
            total_cents: None,
            sold_at: None,
            numbers: Vec::new(),
        };
        let open = Order::OpenFile("?".repeat(16), nothing);
        let central = Arc::clone(self.world.central()?);
        let answer = self.waited(ask(central, caller, open))?;
        self.absorb()?;
        Ok(match answer {
            Some(Ok(Reply::Leaf(leaf))) => Some(leaf),
            _ => None,
        })
    }

    fn moves(&mut self, place: usize, second: Recognised) -> Result<Option<Answer>, Failure> {
        let Some(caller) = self.at_till(place) else {
            return Ok(None);
        };
        let order = Order::Till(TillOrder {
            counter: self.next_counter(place),
            session: caller.session,
            kind: TillMovementKind::Drop,
            amount_cents: 500,
            second,
        });
        let central = Arc::clone(self.world.central()?);
        Ok(Some(ask(central, caller, order)))
    }

    /// Somebody signs on lawfully, to go on from there.
    fn signs_on(&mut self, at: DeviceCaller, who: Recognised) -> Result<Option<Caller>, Failure> {
        let central = Arc::clone(self.world.central()?);
        let caller = Caller {
            device: at,
            session: 0,
            badge: who.badge.clone(),
            roles: who.roles.clone(),
        };
        let answer = ask(central, caller.clone(), Order::SignOn(who));
        let answer = self.waited(answer)?;
        self.absorb()?;
        Ok(match answer {
            Some(Ok(Reply::Session(session))) => Some(Caller { session, ..caller }),
            _ => None,
        })
    }

    fn voids(&self, draw: Option<u64>) -> Result<Option<Answer>, Failure> {
        let Some(draw) = draw else {
            return Ok(None);
        };
        let central = Arc::clone(self.world.central()?);
        Ok(Some(Box::pin(async move {
            Draw(draw).void(&central, "essai", "S1", "S2")?;
            Ok(Reply::Leaf(0))
        })))
    }

    /// A suspended draw that fits; or one of this stage, which a supervisor suspends for it.
    fn stopped(
        &mut self,
        stage: Stage,
        fits: impl Fn(&crate::model::Draw) -> bool,
    ) -> Result<Option<u64>, Failure> {
        let mut draws = self.model.draws.iter();
        let stages = [stage, Stage::Suspended];
        let found = draws.find(|(_, draw)| stages.contains(&draw.stage) && fits(draw));
        let Some((&number, draw)) = found else {
            return Ok(None);
        };
        if draw.stage == stage {
            let _ = Draw(number).suspend(self.world.central()?, "essai", "S1");
            self.absorb()?;
        }
        Ok((self.stage(number) == Some(Stage::Suspended)).then_some(number))
    }

    /// A reversal of a payment by whoever is signed on at a place, at that payment's till or not.
    fn reverses(&mut self, at_its_till: bool, reversed: bool) -> Result<Option<Answer>, Failure> {
        let Some(caller) = self.at_till(2) else {
            return Ok(None);
        };
        let here = caller.device.device;
        let payments: Vec<u64> = self
            .model
            .payments
            .iter()
            .filter(|(_, payment)| payment.reversed.is_some() == reversed)
            .filter(|(_, payment)| {
                let till = self.model.tills.get(&payment.shift);
                till.is_some_and(|till| (till.device == here) == at_its_till)
            })
            .map(|(leaf, _)| *leaf)
            .collect();
        let Some(payment) = self.evil.one(&payments).copied() else {
            return Ok(None);
        };
        let central = Arc::clone(self.world.central()?);
        Ok(Some(ask(central, caller, Order::Reverse(payment))))
    }

    fn sells(
        &mut self,
        change: impl FnOnce(&mut Caller, &mut Order),
    ) -> Result<Option<Answer>, Failure> {
        let Some(mut caller) = self.at_till(0) else {
            return Ok(None);
        };
        let central = Arc::clone(self.world.central()?);
        let order = self.counters.sale(0, &mut self.evil, &self.model, &central);
        let Some(mut order) = order else {
            return Ok(None);
        };
        change(&mut caller, &mut order);
        Ok(Some(ask(central, caller, order)))
    }

    /// What is tried; none where there is nothing to try it on.
    fn tried(&mut self, act: Act) -> Result<Option<Answer>, Failure> {
        let central = Arc::clone(self.world.central()?);
        let clerk = || person("C1", &[1]);
        match act {
            Act::KioskSignsOn => {
                let caller = Caller {
                    device: place(KIOSK, DeviceRole::Kiosk),
                    session: 0,
                    badge: "C1".to_owned(),
                    roles: vec![1],
                };
                Ok(Some(ask(central, caller, Order::SignOn(clerk()))))
            }
            Act::KioskSells => {
                self.sells(|caller, _| caller.device = place(KIOSK, DeviceRole::Kiosk))
            }
            Act::AuditorSignsOn => {
                let caller = Caller {
                    device: place(SPARE, DeviceRole::Counter),
                    session: 0,
                    badge: "A1".to_owned(),
                    roles: vec![6],
                };
                Ok(Some(ask(
                    central,
                    caller,
                    Order::SignOn(person("A1", &[6])),
                )))
            }
            Act::AuditorSells => self.sells(|caller, _| {
                caller.badge = "A1".to_owned();
                caller.roles = vec![6];
            }),
            Act::AuditorPays => {
                let Some(mut caller) = self.at_till(0) else {
                    return Ok(None);
                };
                caller.badge = "A1".to_owned();
                caller.roles = vec![6];
                let Some((held, items)) = self.owing(|_| 1) else {
                    return Ok(None);
                };
                self.pays(caller, &held, items, Some(beside()))
            }
            Act::TechnicianOpensTill => {
                let at = place(SPARE, DeviceRole::Counter);
                let Some(caller) = self.signs_on(at, person("T1", &[7]))? else {
                    return Ok(None);
                };
                Ok(Some(ask(central, caller, Order::OpenTill(0))))
            }
            Act::WithdrawnActs => {
                if self.has_withdrawn {
                    return Ok(None);
                }
                let at = place(SPARE, DeviceRole::Counter);
                let Some(caller) = self.signs_on(at, person("W1", &[1]))? else {
                    return Ok(None);
                };
                if Badge("W1").withdraw(&central, "X1", "X2").is_err() {
                    return Ok(None);
                }
                self.has_withdrawn = true;
                Ok(Some(ask(central, caller, Order::OpenTill(0))))
            }
            Act::FillsWithClerk => self.moves(0, person("C2", &[1])),
            Act::FillsAlone => self.moves(2, person("S1", &[2])),
            Act::ClosesAnothers => {
                let Some(theirs) = self.at_till(0) else {
                    return Ok(None);
                };
                let Some(caller) = self.signs_on(theirs.device, person("C2", &[1]))? else {
                    return Ok(None);
                };
                Ok(Some(Box::pin(async move {
                    let closed = caller
                        .close_shift(&central, TillContents::cash(0), None)
                        .await?;
                    Ok(Reply::Counted(closed.expected_cents))
                })))
            }
            Act::AnothersSession => {
                let Some(other) = self.at_till(1) else {
                    return Ok(None);
                };
                self.sells(|_, order| {
                    if let Order::Sell(order) = order {
                        order.session = other.session;
                    }
                })
            }
            Act::ReversesElsewhere => self.reverses(false, false),
            Act::ReversesTwice => self.reverses(true, true),
            Act::VoidsShown => {
                let over = [
                    Stage::Drawn,
                    Stage::Suspended,
                    Stage::Official,
                    Stage::Settled,
                ];
                let mut draws = self.model.draws.iter().rev();
                let shown =
                    draws.find(|(_, draw)| draw.balls.is_some() && over.contains(&draw.stage));
                self.voids(shown.map(|(number, _)| *number))
            }
            Act::SellersVoid => {
                let tickets = self.model.tickets.clone();
                let sold = self.stopped(Stage::Drawing, |draw| {
                    let mut of = draw.tickets.iter().filter_map(|it| tickets.get(it));
                    draw.started
                        && draw.balls.is_none()
                        && of.any(|it| matches!(it.sold.badge.as_str(), "S1" | "S2"))
                })?;
                self.voids(sold)
            }
            Act::PaysInParts => {
                let Some(caller) = self.at_till(0) else {
                    return Ok(None);
                };
                let Some((held, items)) = self.owing(|book| book.second_person_cents) else {
                    return Ok(None);
                };
                let least = items.into_iter().min_by_key(|(_, cents)| *cents);
                self.pays(caller, &held, least.into_iter().collect(), None)
            }
            Act::PaysCagePrize => {
                let caller = self
                    .at_till(0)
                    .filter(|caller| caller.device.role == DeviceRole::Counter);
                let Some(caller) = caller else {
                    return Ok(None);
                };
                let Some((held, items)) = self.owing(|book| book.cage_cents) else {
                    return Ok(None);
                };
                self.pays(caller, &held, items, Some(beside()))
            }
            Act::PresentsEarly => {
                let to_come = |day: &Self, held: &Held| {
                    day.model.tickets.get(&held.ticket).is_some_and(|ticket| {
                        let range = ticket.sold.first_draw..=ticket.sold.last_draw;
                        let mut draws = day.model.draws.range(range);
                        let waits = |stage| matches!(stage, Stage::Open | Stage::Scheduled);
                        ticket.standing == Standing::Sold && draws.all(|(_, it)| waits(it.stage))
                    })
                };
                let (Some(caller), Some((_, paper))) = (self.at_till(0), self.paper_that(to_come)?)
                else {
                    return Ok(None);
                };
                Ok(Some(ask(central, caller, Order::Present(paper))))
            }
            Act::CancelsLate => self.cancels(|day, held| {
                let ticket = day.model.tickets.get(&held.ticket);
                ticket.is_some_and(|ticket| {
                    let stage = day.stage(ticket.sold.first_draw);
                    ticket.standing == Standing::Sold
                        && ticket.paid.is_empty()
                        && stage != Some(Stage::Open)
                })
            }),
            Act::CancelsAlone => self.cancels(|day, held| {
                let ticket = day.model.tickets.get(&held.ticket);
                let is_dear = |it: &Ticket| it.sold.total_cents > CANCEL_ALONE_CENTS;
                day.is_open(held) && ticket.is_some_and(is_dear)
            }),
            Act::TypesAlone => {
                let owing = self.owing(|book| book.typed_alone_cents + 1);
                let (Some(caller), Some((held, items))) = (self.at_till(0), owing) else {
                    return Ok(None);
                };
                let paper = typed(&central, &held);
                Ok(paper.map(|paper| self.pays_on(central, caller, paper.into(), items, None)))
            }
            Act::CancelsTwice => self.cancels(|day, held| {
                let ticket = day.model.tickets.get(&held.ticket);
                ticket.is_some_and(|ticket| {
                    ticket.standing == Standing::Cancelled
                        && day.stage(ticket.sold.first_draw) == Some(Stage::Open)
                })
            }),
            Act::UnpaidLate => {
                let begun = |day: &Self, held: &Held| {
                    day.model.tickets.get(&held.ticket).is_some_and(|ticket| {
                        let first = day.model.draws.get(&ticket.sold.first_draw);
                        ticket.standing == Standing::Sold
                            && ticket.paid.is_empty()
                            && first.is_some_and(|draw| draw.started)
                    })
                };
                let (Some(caller), Some((_, paper))) = (self.at_till(0), self.paper_that(begun)?)
                else {
                    return Ok(None);
                };
                Ok(Some(ask(central, caller, Order::Unpaid(paper))))
            }
            Act::SellsWhileStopped => {
                // Priced while it could be sold.
                let answer = self.sells(|_, _| {})?;
                let _ = draw::suspend_sales(&central, "essai", "S1");
                self.absorb()?;
                Ok(answer.filter(|_| self.model.sales_suspended))
            }
            Act::OldCopy => {
                let open = |day: &Self, held: &Held| day.is_open(held);
                let Some((held, paper)) = self.paper_that(open)? else {
                    return Ok(None);
                };
                let Some(caller) = self.at_till(0) else {
                    return Ok(None);
                };
                // A lawful duplicate first.
                let duplicate = Order::Duplicate(paper.clone());
                let answer = self.waited(ask(central, caller, duplicate))?;
                self.absorb()?;
                let ticket = self.model.tickets.get(&held.ticket);
                let is_replaced = ticket.is_some_and(|ticket| ticket.copy > held.copy);
                match answer {
                    Some(Ok(_)) if is_replaced => self.cancels_with(paper),
                    _ => Ok(None),
                }
            }
            Act::NumberAlone => match self.paper_that(Self::is_open)? {
                Some((_, paper)) => self.cancels_with(Paper::number_alone(paper.number)),
                None => Ok(None),
            },
            Act::PaysByNumber => {
                let (Some(caller), Some((held, items))) = (self.at_till(0), self.owing(|_| 1))
                else {
                    return Ok(None);
                };
                Ok(paper_of(&central, &held).map(|paper| {
                    let alone = Paper::number_alone(paper.number).into();
                    self.pays_on(central, caller, alone, items, Some(beside()))
                }))
            }
            Act::DuplicatesByNumber => {
                let came_out = |day: &Self, held: &Held| {
                    let ticket = day.model.tickets.get(&held.ticket);
                    ticket.is_some_and(|ticket| ticket.confirmed_copy == ticket.copy)
                };
                let (Some(caller), Some((_, paper))) =
                    (self.at_till(0), self.paper_that(came_out)?)
                else {
                    return Ok(None);
                };
                let paper = Paper::number_alone(paper.number);
                Ok(Some(ask(central, caller, Order::Duplicate(paper))))
            }
            Act::UnpaidByNumber => {
                let came_out = |day: &Self, held: &Held| {
                    let ticket = day.model.tickets.get(&held.ticket);
                    day.is_open(held)
                        && ticket.is_some_and(|ticket| ticket.confirmed_copy == ticket.copy)
                };
                let (Some(caller), Some((_, paper))) =
                    (self.at_till(0), self.paper_that(came_out)?)
                else {
                    return Ok(None);
                };
                let paper = Paper::number_alone(paper.number);
                Ok(Some(ask(central, caller, Order::Unpaid(paper))))
            }
            Act::PaysUnread => {
                let (Some(caller), Some((held, items))) = (self.at_till(0), self.owing(|_| 1))
                else {
                    return Ok(None);
                };
                let paper = Named::Reference(held.ticket);
                Ok(Some(self.pays_on(
                    central,
                    caller,
                    paper,
                    items,
                    Some(beside()),
                )))
            }
            Act::PaysAnothersReading => {
                let (Some(other), Some(caller), Some((held, items))) =
                    (self.at_till(1), self.at_till(0), self.owing(|_| 1))
                else {
                    return Ok(None);
                };
                let sold = self.model.tickets.get(&held.ticket).map(|it| &it.sold);
                let (Some(paper), Some(reading)) = (paper_of(&central, &held), sold.map(read_of))
                else {
                    return Ok(None);
                };
                let read = Order::Read(Paper::number_alone(paper.number), reading);
                let answer = self.waited(ask(Arc::clone(&central), other, read))?;
                self.absorb()?;
                Ok(match answer {
                    Some(Ok(Reply::Leaf(leaf))) => {
                        let paper = Named::Reference(leaf);
                        Some(self.pays_on(central, caller, paper, items, Some(beside())))
                    }
                    _ => None,
                })
            }
            Act::JudgesTooSoon => {
                let (Some(opener), Some(caller)) = (self.at_till(0), self.at_till(1)) else {
                    return Ok(None);
                };
                let file = self.opens_file(opener)?;
                // The same asked again is the file that there was.
                let is_new = |file: &u64| {
                    let opened = self.model.files.get(file).map(|it| it.opened_at_ms);
                    opened.is_some_and(|at| central.clock.now_ms() - at < FILE_WAITS_MS / 4)
                };
                let judge = |file| Order::JudgeFile(file, false, false);
                let judge = file.filter(is_new).map(judge);
                Ok(judge.map(|judge| ask(central.clone(), caller, judge)))
            }
            Act::JudgesOwnFile => {
                let Some(caller) = self.at_till(0) else {
                    return Ok(None);
                };
                let now_ms = central.clock.now_ms();
                let waited = self.model.files.iter().find(|(_, file)| {
                    file.opened.badge == caller.badge
                        && file.judged.is_none()
                        && now_ms - file.opened_at_ms > FILE_WAITS_MS
                });
                match waited.map(|(leaf, _)| *leaf) {
                    Some(file) => {
                        let judge = Order::JudgeFile(file, false, false);
                        Ok(Some(ask(central, caller, judge)))
                    }
                    None => {
                        self.opens_file(caller)?;
                        Ok(None)
                    }
                }
            }
            Act::GuessedCode => {
                let one = self.paper_that(Self::is_open)?;
                let other = self.paper_that(|_, _| true)?;
                let (Some((one, paper)), Some((_, other))) = (one, other) else {
                    return Ok(None);
                };
                if other.number == paper.number {
                    return Ok(None);
                }
                let code = Paper::whole_code(&central, one.secret_key, &other.number, one.copy);
                match code {
                    Some(code) => {
                        self.cancels_with(Paper::shown(&central, paper.number, &Shown::Whole(code)))
                    }
                    None => Ok(None),
                }
            }
        }
    }
}
