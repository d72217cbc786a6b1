//! The counters: devices with a drawer, a journal of what they sent, and the papers that patrons
//! hold. What they know comes from answers alone, as it does at a real counter.

use keno_game::{Cents, ConditioningAsked, Pick, SelectionType, Slip, SlipSelection};
use keno_log::CommandKey;
use keno_log::event::{DamagedReading, TicketSold};
use keno_record::paper_code::Shown;
use keno_record::roles::{DeviceRole, Role};
use keno_service::Central;
use keno_service::authority::identity::{Caller, DeviceCaller};
use keno_service::counter::{CancelOrder, Named, Paper};
use keno_service::staff::Recognised;

use crate::command::Order;
use crate::dice::Dice;
use crate::model::Model;

/// A command that was sent and whose outcome the device does not know.
#[derive(Debug, Clone)]
pub struct Doubt {
    /// What was sent.
    pub order: Order,
    /// Its key.
    pub key: CommandKey,
}

/// A device at a counter.
#[derive(Debug)]
pub struct Device {
    /// Who is signed on, as the device knows.
    pub caller: Caller,
    /// The cash in the drawer: counted by what was handed over.
    pub drawer_cents: i64,
    /// Next counter of its keys.
    pub next_counter: u64,
    /// What it does not know.
    pub doubt: Option<Doubt>,
    /// Waits for an answer.
    pub is_busy: bool,
    /// The number of the terminal that was left, until this one has taken it over.
    pub taking: Option<u32>,
}

impl Device {
    /// The person goes to another terminal, with drawer and journal.
    pub fn go_to(&mut self, number: u32) {
        self.taking = Some(self.caller.device.device);
        self.caller.device.device = number;
        self.caller.device.role = role_of(number);
        self.caller.device.name = format!("T{number:02}");
        self.caller.session = 0;
    }

    /// The device that its doubt was left at, when that is another.
    pub fn left_at(&self) -> Option<u32> {
        let doubt = self.doubt.as_ref()?;
        (doubt.key.device != self.caller.device.device).then_some(doubt.key.device)
    }

    /// What is left to do until the terminal that was left is taken over.
    pub fn next_of_taking(&self, model: &Model) -> Option<Order> {
        let left = self.taking?;
        Some(if model.sessions.contains_key(&self.caller.session) {
            Order::TakeOver(left)
        } else {
            self.sign_on()
        })
    }

    /// Signing on again as whoever was signed on.
    pub fn sign_on(&self) -> Order {
        Order::SignOn(Recognised {
            badge: self.caller.badge.clone(),
            roles: self.caller.roles.clone(),
            credential: None,
        })
    }
}

/// A paper that a patron holds.
#[derive(Debug, Clone)]
pub struct Held {
    /// Leaf of its ticket.
    pub ticket: u64,
    /// Key of the claim secret.
    pub secret_key: u16,
    /// Copy.
    pub copy: u8,
}

/// Who works here: badge and roles, by device.
pub const PEOPLE: [(&str, &[Role]); 4] = [
    ("C1", &[Role::Clerk]),
    ("C2", &[Role::Clerk]),
    ("S1", &[Role::Supervisor]),
    ("S2", &[Role::Clerk, Role::Supervisor, Role::Cage]),
];

/// What a terminal is: the fourth and the last are counters of the main cage.
pub const fn role_of(number: u32) -> DeviceRole {
    match number {
        4 | 7 => DeviceRole::Cage,
        _ => DeviceRole::Counter,
    }
}

/// The counters of a house.
#[derive(Debug)]
pub struct Counters {
    /// Devices 1, 2, 3…
    pub devices: Vec<Device>,
    /// Papers in patrons' hands.
    pub papers: Vec<Held>,
    /// Tickets that may be owed something.
    pub owed: Vec<u64>,
    /// The ticket that was last asked about.
    pub hot: Option<u64>,
    /// Commands once sent, for late copies: place, number of the device then, and order.
    pub sent: Vec<(usize, u32, Order)>,
    /// For named sets, of rule books and of slips; of its own, so that a day without them is as it
    /// ever was. Without it there are none.
    pub names: Option<Dice>,
}

impl Counters {
    /// A device for each of the people; `names` sells named sets.
    pub fn new(names: Option<Dice>) -> Self {
        let devices = (1..)
            .zip(PEOPLE)
            .map(|(number, (badge, roles))| Device {
                caller: Caller {
                    device: DeviceCaller {
                        device: number,
                        role: role_of(number),
                        name: format!("T{number:02}"),
                    },
                    session: 0,
                    badge: badge.to_owned(),
                    roles: roles.iter().map(|role| role.number()).collect(),
                },
                drawer_cents: 0,
                next_counter: 1,
                doubt: None,
                is_busy: false,
                taking: None,
            })
            .collect();
        Self {
            devices,
            papers: Vec::new(),
            owed: Vec::new(),
            hot: None,
            sent: Vec::new(),
            names,
        }
    }

    /// The device whose number is in the record.
    pub fn at(&mut self, device: u32) -> Option<&mut Device> {
        let of =
            |one: &&mut Device| one.caller.device.device == device || one.taking == Some(device);
        self.devices.iter_mut().find(of)
    }

    /// What an idle device does next; nothing, when nothing comes to mind.
    pub fn next(
        &mut self,
        place: usize,
        dice: &mut Dice,
        model: &Model,
        central: &Central,
    ) -> Option<Order> {
        let device = self.devices.get(place)?;
        let number = device.caller.device.device;
        let session = device.caller.session;
        if !model.sessions.contains_key(&session) {
            return Some(device.sign_on());
        }
        let till = model.tills.values().find(|till| till.device == number);
        if till.is_none() {
            return Some(Order::OpenTill(100 * dice.between(0, 500)));
        }
        let cash = device.drawer_cents;
        match dice.below(1_000) {
            0..600 => self.sale(place, dice, model, central),
            600..640 => {
                let paper = self.paper(dice, central)?;
                let counter = self.counter(place)?;
                // One in eight is alone, whatever the ticket cost.
                let second = (counter % 8 != 0).then(crate::command::beside);
                Some(Order::Cancel(cancelling((counter, session), paper, second)))
            }
            640..860 => self.payment(place, dice, model, central),
            860..884 => self.movement(place, dice),
            884..890 => Some(Order::CountTill(cash.max(0) + dice.between(0, 3))),
            890..902 => Some(Order::Unpaid(self.paper(dice, central)?)),
            902..920 => Some(Order::Release(self.paper(dice, central)?)),
            920..932 => Some(Order::Duplicate(self.paper(dice, central)?)),
            932..943 => Some(Order::Present(self.paper(dice, central)?)),
            946..949 => self.refusal(dice, central),
            943..944 => self.reading(dice, model, central),
            944..945 => self.file(dice, model, central),
            945..946 => {
                let waiting = model.files.iter().filter(|(_, file)| file.judged.is_none());
                let files: Vec<u64> = waiting.map(|(leaf, _)| *leaf).collect();
                let (is_paid, by_three) = (dice.below(4) != 0, dice.below(3) == 0);
                Some(Order::JudgeFile(*dice.one(&files)?, is_paid, by_three))
            }
            949..952 => Some(Order::Discrepancy(self.paper(dice, central)?)),
            952..980 => {
                let recent: Vec<u64> = model.payments.keys().rev().take(6).copied().collect();
                Some(Order::Reverse(*dice.one(&recent)?))
            }
            980..990 => Some(Order::CloseTill(cash.max(0))),
            990..994 => Some(Order::SignOff),
            994..997 => Some(device.sign_on()),
            _ => {
                let held = dice.one(&self.papers)?;
                Some(Order::Print(held.ticket, held.copy))
            }
        }
    }

    fn counter(&mut self, place: usize) -> Option<u64> {
        let device = self.devices.get_mut(place)?;
        device.next_counter += 1;
        Some(device.next_counter)
    }

    pub(crate) fn sale(
        &mut self,
        place: usize,
        dice: &mut Dice,
        model: &Model,
        central: &Central,
    ) -> Option<Order> {
        use keno_service::counter::{SellOrder, SlipOrder};
        let mut selections: Vec<_> = (0..dice.between(1, 3)).map(|_| selection(dice)).collect();
        let draws = u16::try_from([1, 1, 1, 2, 3, 5][dice.below(6)]).unwrap_or(1);
        let next = model
            .draws
            .iter()
            .find(|(_, draw)| draw.stage == crate::model::Stage::Open);
        let ahead = u64::try_from(dice.between(0, 4)).unwrap_or(0);
        let first_draw = next
            .map(|(number, _)| number + ahead)
            .filter(|_| dice.below(4) == 0);
        if let Some(names) = &mut self.names
            && names.below(5) == 0
        {
            let draw = first_draw.or(next.map(|(number, _)| *number));
            let book = draw.and_then(|draw| model.book_for(draw));
            if let Some(numbers) = book.and_then(|book| book.set()) {
                selections[0] = named_set(numbers, names);
            }
        }
        let order = SlipOrder {
            slip: Slip { selections, draws },
            first_draw,
        };
        let total = order.quote(central).ok()?.priced.total.get();
        let replay_of = dice.one(&self.papers).map(|held| held.ticket);
        let counter = self.counter(place)?;
        let device = self.devices.get(place)?;
        Some(Order::Sell(SellOrder {
            counter,
            session: device.caller.session,
            order,
            tender: ["cash", "cash", "cash", "coupon", "chip"][dice.below(5)].to_owned(),
            received_cents: total + dice.between(0, 3) * 500,
            total_cents: if dice.in_thousand(5) {
                total + 50
            } else {
                total
            },
            intake: "slip".to_owned(),
            replay_of: replay_of.filter(|_| dice.below(20) == 0),
        }))
    }

    fn payment(
        &mut self,
        place: usize,
        dice: &mut Dice,
        model: &Model,
        central: &Central,
    ) -> Option<Order> {
        use keno_service::counter::PayOrder;
        let ticket = match dice.below(8) {
            0 => dice.one(&self.papers)?.ticket,
            1 => self.hot?,
            _ => *dice.one(&self.owed)?,
        };
        self.hot = Some(ticket);
        let held = self.papers.iter().find(|held| held.ticket == ticket)?;
        let mut paper = paper_of(central, held)?;
        let found = model.tickets.get(&ticket)?;
        let mut items: Vec<(u64, i64)> = (found.sold.first_draw..=found.sold.last_draw)
            .filter_map(|draw| match model.due(ticket, found, draw) {
                crate::model::Due::Prize(cents) | crate::model::Due::Refund(cents) => {
                    Some((draw, cents))
                }
                crate::model::Due::Nothing => None,
            })
            .filter(|(draw, _)| !found.paid.contains_key(draw) || dice.in_thousand(100))
            .collect();
        if dice.below(4) == 0 {
            items.truncate(1);
        }
        if dice.in_thousand(20)
            && let Some((_, cents)) = items.first_mut()
        {
            *cents += 5;
        }
        if dice.in_thousand(50) {
            paper = Paper::number_alone(paper.number);
        }
        let counter = self.counter(place)?;
        if counter % 3 == 0 && paper.true_claim().is_some() {
            let held = self.papers.iter().find(|held| held.ticket == ticket)?;
            paper = typed(central, held)?;
        }
        let device = self.devices.get(place)?;
        // Where two have read it, or a file was opened, the paper may not be there.
        let by = (ticket, device.caller.badge.clone());
        let of = |(_, file): &(&u64, &crate::model::File)| file.opened.ticket == Some(ticket);
        let file = model.files.iter().find(of).map(|(leaf, _)| *leaf);
        let read = model.readings.get(&by).copied().map(Named::Reference);
        let without = read.or(file.map(Named::File));
        let without = without.filter(|_| dice.below(4) != 0);
        let paper = without.unwrap_or_else(|| paper.into());
        Some(Order::Pay(PayOrder {
            counter,
            session: device.caller.session,
            paper,
            items,
            second: (dice.below(10) != 0).then(crate::command::beside),
        }))
    }

    /// A holder is not paid: mostly of a ticket that is owed something, and now and then without its code.
    fn refusal(&mut self, dice: &mut Dice, central: &Central) -> Option<Order> {
        let mut paper = if dice.below(4) == 0 {
            self.paper(dice, central)?
        } else {
            let ticket = *dice.one(&self.owed)?;
            self.hot = Some(ticket);
            let held = self.papers.iter().find(|held| held.ticket == ticket)?;
            paper_of(central, held)?
        };
        if dice.below(5) == 0 {
            paper = Paper::number_alone(paper.number);
        }
        Some(Order::RefusePatron(paper, dice.below(3)))
    }

    /// What stands on the paper of a ticket that is owed something, or now and then something else.
    fn reading(&mut self, dice: &mut Dice, model: &Model, central: &Central) -> Option<Order> {
        let ticket = *dice.one(&self.owed)?;
        self.hot = Some(ticket);
        let held = self.papers.iter().find(|held| held.ticket == ticket)?;
        let paper = Paper::number_alone(paper_of(central, held)?.number);
        let mut reading = read_of(&model.tickets.get(&ticket)?.sold);
        if dice.below(6) == 0 {
            reading.total_cents = reading.total_cents.map(|cents| cents + 50);
        }
        Some(Order::Read(paper, reading))
    }

    /// A damaged paper: some digits are gone, and some of the rest.
    fn file(&mut self, dice: &mut Dice, model: &Model, central: &Central) -> Option<Order> {
        let ticket = *dice.one(&self.owed)?;
        self.hot = Some(ticket);
        let held = self.papers.iter().find(|held| held.ticket == ticket)?;
        let mut number = paper_of(central, held)?.number.digits();
        let mut reading = read_of(&model.tickets.get(&ticket)?.sold);
        let legible = [16, 12, 6, 0][dice.below(4)];
        number.truncate(legible);
        let number = format!("{number:?<16}");
        if dice.below(2) == 0 {
            reading.numbers.clear();
            reading.total_cents = None;
        }
        Some(Order::OpenFile(number, reading))
    }

    fn movement(&mut self, place: usize, dice: &mut Dice) -> Option<Order> {
        use keno_service::counter::{TillMovementKind, TillOrder};
        let counter = self.counter(place)?;
        let device = self.devices.get(place)?;
        let kind = if dice.below(2) == 0 {
            TillMovementKind::Fill
        } else {
            TillMovementKind::Drop
        };
        Some(Order::Till(TillOrder {
            counter,
            session: device.caller.session,
            kind,
            amount_cents: 5 * dice.between(1, 2_000),
            second: crate::command::beside(),
        }))
    }

    /// Some patron's paper, of late more often than of old.
    fn paper(&mut self, dice: &mut Dice, central: &Central) -> Option<Paper> {
        // Two counters with the same ticket at the same time: races are looked for, not awaited.
        let again = self.hot.filter(|_| dice.below(3) == 0);
        if let Some(ticket) = again {
            let held = self.papers.iter().find(|held| held.ticket == ticket);
            return paper_of(central, held?);
        }
        let newest = self.papers.len().saturating_sub(12);
        let held = if dice.below(4) == 0 {
            dice.one(&self.papers)
        } else {
            dice.one(self.papers.get(newest..)?)
        }?;
        self.hot = Some(held.ticket);
        paper_of(central, held)
    }

    /// The device learns that a command of its was recorded: cash and paper change hands.
    pub fn learn(&mut self, place: usize, order: &Order, leaf: u64, model: &Model) {
        let tickets = &model.tickets;
        let cash = match order {
            Order::Sell(_) => tickets.get(&leaf).map_or(0, |ticket| {
                self.papers.push(Held {
                    ticket: leaf,
                    secret_key: ticket.sold.secret_key,
                    copy: 1,
                });
                let is_cash = ticket.sold.tender == 1;
                let price = if is_cash { ticket.sold.total_cents } else { 0 };
                price - ticket.sold.chip_change_cents
            }),
            Order::Cancel(..) => model.given_back.get(&leaf).map_or(0, |cents| -cents),
            Order::Pay(_) => model
                .payments
                .get(&leaf)
                .map_or(0, |payment| -payment.cash_cents),
            Order::Till(order) => match order.kind {
                keno_service::counter::TillMovementKind::Fill => order.amount_cents,
                keno_service::counter::TillMovementKind::Drop => -order.amount_cents,
            },
            _ => 0,
        };
        if let Some(device) = self.devices.get_mut(place) {
            device.drawer_cents += cash;
        }
    }
}

/// What a paper says, when it is scanned.
pub fn paper_of(central: &Central, held: &Held) -> Option<Paper> {
    let number = Paper::control_number(central, held.ticket);
    let code = Paper::whole_code(central, held.secret_key, &number, held.copy)?;
    Some(Paper::shown(central, number, &Shown::Whole(code)))
}

/// The order of a cancellation: counter and session of its key.
pub(crate) fn cancelling(
    (counter, session): (u64, u64),
    paper: Paper,
    second: Option<Recognised>,
) -> CancelOrder {
    CancelOrder {
        counter,
        session,
        named: paper.into(),
        reason: "changed_mind".to_owned(),
        second,
    }
}

/// The paper of a ticket as its number and signs are typed.
pub(crate) fn typed(central: &Central, held: &Held) -> Option<Paper> {
    let number = Paper::control_number(central, held.ticket);
    let code = Paper::whole_code(central, held.secret_key, &number, held.copy)?;
    Some(Paper::shown(central, number, &Shown::Secret(code.secret)))
}

/// All that the paper of a ticket says but its code.
pub(crate) fn read_of(sold: &TicketSold) -> DamagedReading {
    let selection = sold.selections.first();
    let mut numbers: Vec<u8> = selection.map_or_else(Vec::new, |one| one.groups.concat());
    numbers.extend(selection.iter().flat_map(|one| &one.kings));
    numbers.sort_unstable();
    DamagedReading {
        first_draw: Some(sold.first_draw),
        last_draw: Some(sold.last_draw),
        total_cents: Some(sold.total_cents),
        sold_at: Some(sold.key.device),
        numbers,
    }
}

/// A selection on a named set of these numbers: by its name alone, or with the numbers beside it.
fn named_set(numbers: Vec<u8>, names: &mut Dice) -> SlipSelection {
    let groups = if names.below(3) == 0 {
        vec![numbers]
    } else {
        Vec::new()
    };
    SlipSelection {
        game: "keno".to_owned(),
        kind: SelectionType::NamedSet,
        pick: Pick::Numbers {
            groups,
            kings: Vec::new(),
        },
        conditioning: Vec::new(),
        wager: Some(Cents::new(50 * names.between(1, 4))),
    }
}

/// A selection of any kind but a named set.
fn selection(dice: &mut Dice) -> SlipSelection {
    let wager = Cents::new(50 * dice.between(1, 4));
    let plain = |pick| SlipSelection {
        game: "keno".to_owned(),
        kind: SelectionType::Straight,
        pick,
        conditioning: Vec::new(),
        wager: Some(wager),
    };
    let spots = usize::try_from(dice.between(1, 3)).unwrap_or(1);
    let is_king = match dice.below(6) {
        0 | 1 => {
            return plain(Pick::Numbers {
                groups: vec![dice.numbers(spots)],
                kings: Vec::new(),
            });
        }
        2 => {
            return plain(Pick::Quick {
                spots: u8::try_from(spots).unwrap_or(1),
            });
        }
        3 | 4 => false,
        _ => true,
    };
    let numbers = dice.numbers(7);
    let (groups, kings) = if is_king {
        (
            vec![numbers[..2].to_vec(), numbers[2..4].to_vec()],
            vec![numbers[5]],
        )
    } else {
        let one = vec![numbers[0]];
        (
            vec![one, vec![numbers[1]], numbers[2..4].to_vec()],
            Vec::new(),
        )
    };
    let sizes: &[u8] = if is_king { &[2, 3] } else { &[1, 2, 3] };
    let sizes = &sizes[dice.below(sizes.len() - 1)..];
    SlipSelection {
        game: "keno".to_owned(),
        kind: if is_king {
            SelectionType::King
        } else {
            SelectionType::Way
        },
        pick: Pick::Numbers { groups, kings },
        conditioning: sizes
            .iter()
            .map(|spots| ConditioningAsked {
                ways: None,
                spots: *spots,
                wager: Cents::new(wager.get().min(100)),
            })
            .collect(),
        wager: None,
    }
}
