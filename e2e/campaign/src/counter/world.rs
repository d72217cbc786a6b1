//! A house with the counter that is watched and its neighbour: what is sold ahead to be paid, and
//! how each part of it is broken and brought back.

use std::path::PathBuf;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::agent::{Agent, Pages};
use super::clerk::Given;
use super::steps::{Kind, Steps};
use super::tray::Tray;
use super::wire::Wire;
use super::{COUNTER, Fault, Money, NEIGHBOUR, Plan, REST_AT_MOST, TILL_CENTS, enrolled, files};
use crate::central::Running;
use crate::chance::Chance;
use crate::door::{Answer, Door};
use crate::founded::{FLOAT_CENTS, Founded, OFFICE, clerk_of, pin_of};
use crate::office::Office;
use crate::slips;

/// What is sold and cancelled at the counter is for draws so far ahead: a draw is every minute.
const AHEAD: u64 = 10;
/// Tickets for one draw that are sold ahead, to be paid.
const STOCK: usize = 150;

/// The house of a lane.
pub(super) struct World {
    pub(super) founded: Founded,
    plan: Plan,
    pub(super) chance: Chance,
    pub(super) central: Option<Running>,
    pub(super) agent: Option<Agent>,
    pub(super) steps: Steps,
    pub(super) wire: Wire,
    pub(super) settings: PathBuf,
    pub(super) neighbour: Door,
    office: Office,
    /// What happened last, for whoever looks for a cause.
    pub(super) last: String,
    /// The newest row of the journal, as far as it was read.
    journaled: i64,
    /// Key of the neighbour's next command.
    counter: u64,
    session: u64,
    /// Claim codes that can be paid: prizes, refunds.
    prizes: Vec<String>,
    refunds: Vec<String>,
    /// Sold, and not yet drawn.
    growing: Option<Vec<String>>,
}

impl World {
    /// A house of its own for a lane, with everybody signed on.
    pub(super) fn new(plan: &Plan, lane: u64) -> anyhow::Result<(Self, Tray)> {
        let more = if plan.tls { enrolled::HOUSE } else { "" };
        let founded = Founded::with(plan.database, plan.durability, &plan.program, 2, 0, more)?;
        let central = Running::start(&founded.program, &founded.data())?;
        let steps = Steps::default();
        let wire = Wire::to_central(way_in(&central), &steps)?;
        let tray = Tray::new(founded.beside("papers"), &steps)?;
        let settings = founded.beside("terminal.toml");
        let journal = founded.beside("journal");
        let (device, scheme) = if plan.tls {
            (String::new(), "https")
        } else {
            let key = founded.keys.get(&COUNTER).context("no key")?;
            (
                format!("device = {COUNTER}\ndevice_key = \"{key}\"\n"),
                "http",
            )
        };
        std::fs::write(
            &settings,
            format!(
                "central = \"{scheme}://{}\"\nlisten = \"127.0.0.1:0\"\n{device}\
                 printer = \"network\"\nprinter_address = \"{}\"\njournal = {:?}\ntrust = {:?}\n",
                wire.address,
                tray.printer(),
                journal.display().to_string(),
                founded.beside("trust").display().to_string(),
            ),
        )?;
        if let Some(address) = central.public {
            enrolled::enrol(&plan.terminal, &settings, address, &founded)?;
        }
        let key = |device: u32| founded.keys.get(&device).cloned().unwrap_or_default();
        let neighbour = Door::of_device(central.address, NEIGHBOUR, &key(NEIGHBOUR));
        let office = Office::new(
            Door::of_device(central.address, OFFICE, &key(OFFICE)),
            Chance::new(plan.seed, 9 + 2 * lane),
        );
        let agent = Agent::start(&plan.terminal, &settings)?;
        files::watch(&journal, "journal.sqlite-wal", Kind::Journal, &steps)?;
        let (folder, name_end) = founded.written_first();
        files::watch(&folder, name_end, Kind::Record, &steps)?;
        let mut world = Self {
            chance: Chance::new(plan.seed, 10 + 2 * lane),
            plan: plan.clone(),
            founded,
            central: Some(central),
            agent: Some(agent),
            steps,
            wire,
            settings,
            neighbour,
            office,
            last: String::new(),
            journaled: 0,
            counter: 0,
            session: 0,
            prizes: Vec::new(),
            refunds: Vec::new(),
            growing: None,
        };
        world.sign_on_neighbour()?;
        if !world.office.sign_on() {
            bail!("the office cannot sign on");
        }
        world.sign_on()?;
        Ok((world, tray))
    }

    /// What is to be done here.
    pub(super) const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The number of the newest row of the journal.
    pub(super) fn journaled(&mut self) -> anyhow::Result<i64> {
        if let Some((row, _)) = files::records(&self.journal(), self.journaled)?.last() {
            self.journaled = *row;
        }
        Ok(self.journaled)
    }

    /// The agent's journal.
    pub(super) fn journal(&self) -> PathBuf {
        self.founded.beside("journal")
    }

    /// A fault happens.
    pub(super) fn breaks(&mut self, fault: Fault) {
        match fault {
            Fault::AgentKilled => self.agent.take().into_iter().for_each(Agent::kill),
            Fault::CentralKilled => self.central.take().into_iter().for_each(Running::kill),
            Fault::CentralFrozen => self.central.iter().for_each(Running::freeze),
            Fault::WireCut => self.wire.cut(),
        }
    }

    /// And is over: what was killed starts again on what it left.
    pub(super) fn mends(&mut self, fault: Fault) -> anyhow::Result<()> {
        match fault {
            Fault::AgentKilled => {
                self.agent = Some(Agent::start(&self.plan.terminal, &self.settings)?);
            }
            Fault::CentralKilled => {
                let central = Running::start(&self.founded.program, &self.founded.data())?;
                self.wire.mend(way_in(&central));
                self.neighbour.moved(central.address);
                self.office.moved(central.address);
                self.central = Some(central);
            }
            Fault::CentralFrozen => self.central.iter().for_each(Running::thaw),
            Fault::WireCut => {
                let central = self.central.as_ref().context("there is no central")?;
                self.wire.mend(way_in(central));
            }
        }
        Ok(())
    }

    /// The neighbour cancels a ticket.
    pub(super) fn cancelled_next_door(&mut self, code: &str) {
        self.counter += 1;
        let body = json!({
            "key": {"session": self.session, "counter": self.counter}, "code": code,
            "reason": "changed_mind",
        });
        self.neighbour.post("/cancellations", &body);
    }

    /// The clerk signs on at the counter.
    pub(super) fn sign_on(&self) -> anyhow::Result<()> {
        let pages = self.pages()?;
        pages.until(REST_AT_MOST, |state| state["central"]["state"] == "trusted")?;
        let badge = clerk_of(COUNTER);
        let body = json!({"badge": badge, "pin": pin_of(&badge), "float_cents": TILL_CENTS});
        let signed_on = pages.does("sign-on", &body);
        if signed_on
            .as_ref()
            .is_none_or(|reply| reply["exit"] != "done")
        {
            bail!("the clerk cannot sign on: {signed_on:?}");
        }
        Ok(())
    }

    fn sign_on_neighbour(&mut self) -> anyhow::Result<()> {
        let badge = clerk_of(NEIGHBOUR);
        let body = json!({"badge": badge, "pin": pin_of(&badge), "float_cents": FLOAT_CENTS});
        match self.neighbour.post("/sessions", &body) {
            Answer::Done(reply) => {
                self.session = reply["session"].as_u64().unwrap_or(0);
                let token = reply["token"].as_str().unwrap_or("");
                self.neighbour.session = Some(format!("{}.{token}", self.session));
                Ok(())
            }
            other => bail!("the neighbour cannot sign on: {other:?}"),
        }
    }

    pub(super) fn pages(&self) -> anyhow::Result<Pages> {
        let agent = self.agent.as_ref().context("there is no agent")?;
        Ok(agent.pages())
    }

    /// The neighbour sells; the claim code. None when the draw has closed meanwhile.
    fn sold_next_door(&mut self, slip: &Value, total_cents: i64) -> anyhow::Result<Option<String>> {
        self.counter += 1;
        let body = json!({
            "key": {"session": self.session, "counter": self.counter}, "slip": slip,
            "tender": "cash", "received_cents": total_cents, "total_cents": total_cents,
            "intake": "slip",
        });
        match self.neighbour.post("/sales", &body) {
            Answer::Done(reply) => {
                let ticket = &reply["ticket"];
                // Its paper came out, or it would be held.
                let print = json!({"ticket": ticket["ticket"], "copy": 1, "how": "printer"});
                self.neighbour.post("/prints", &print);
                Ok(ticket["claim_code"].as_str().map(str::to_owned))
            }
            Answer::Refused(name) if name == "draw_closed" => Ok(None),
            other => bail!("the neighbour cannot sell: {other:?}"),
        }
    }

    fn next_draw(&self) -> anyhow::Result<u64> {
        match self.neighbour.get("/draws/next") {
            Answer::Done(next) => next["draw"]["draw"].as_u64().context("no next draw"),
            other => bail!("there is no next draw: {other:?}"),
        }
    }

    /// Sells ahead what is to be paid: for a draw that is drawn, and for one that is made void.
    pub(super) fn stock(&mut self) -> anyhow::Result<()> {
        if let Some(codes) = &self.growing {
            let code = codes.first().cloned().unwrap_or_default();
            let can_be_paid = match self.neighbour.post("/checks", &json!({"code": code})) {
                Answer::Done(check) => check["payable"].as_array().is_some_and(|it| !it.is_empty()),
                _ => false,
            };
            if !can_be_paid {
                return Ok(());
            }
            self.prizes
                .extend(self.growing.take().into_iter().flatten());
        }
        let pays = |money: Money| self.plan.commands.contains(&money);
        let (pays_prizes, pays_refunds) = (pays(Money::Payment), pays(Money::Refund));
        if pays_prizes && self.prizes.len() < STOCK / 2 {
            let draw = self.next_draw()?;
            let codes = self.sold_for(draw + 1, STOCK)?;
            // None were sold when the draw closed before the first.
            self.growing = (!codes.is_empty()).then_some(codes);
        }
        if pays_refunds && self.refunds.len() < STOCK / 4 {
            let draw = self.next_draw()? + 4;
            self.refunds = self.sold_for(draw, STOCK)?;
            if !matches!(self.office.step(draw, "void"), Answer::Done(_)) {
                bail!("the office cannot make a draw void");
            }
        }
        Ok(())
    }

    fn sold_for(&mut self, draw: u64, count: usize) -> anyhow::Result<Vec<String>> {
        // Each number alone: twenty of the eighty win, whatever is drawn.
        let groups: Vec<[u8; 1]> = (1..=80).map(|number| [number]).collect();
        let slip = json!({
            "selections": [{"type": "way", "groups": groups,
                "ways": [{"ways": 80, "spots": 1, "wager_cents": 50}]}],
            "draws": 1, "first_draw": draw,
        });
        let mut codes = Vec::new();
        while codes.len() < count {
            match self.sold_next_door(&slip, 4_000)? {
                Some(code) => codes.push(code),
                // A slow machine: what was sold until now will do.
                None => break,
            }
        }
        Ok(codes)
    }

    /// The command that a clerk gives next, when there is what it needs.
    pub(super) fn order(&mut self, money: Money) -> anyhow::Result<Option<Given>> {
        Ok(match money {
            Money::Sale => {
                let next = self.next_draw()?;
                let mut order = slips::any(&mut self.chance, 0);
                // Far enough ahead: once its draw has closed, a torn ticket needs two people.
                order.slip["first_draw"] = json!(next + AHEAD);
                Some(Given::sale(&order))
            }
            Money::Cancellation => {
                let draw = self.next_draw()? + AHEAD;
                let order = slips::sure(&mut self.chance, draw);
                let code = self.sold_next_door(&order.slip, order.total_cents)?;
                code.map(|code| Given::cancellation(code, order.total_cents))
            }
            Money::Payment => self.prizes.pop().map(|code| Given::payment(code, 3_000)),
            Money::Refund => self.refunds.pop().map(|code| Given::payment(code, 4_000)),
        })
    }
}

/// Where devices of other machines reach central; on its own machine, where it has no TLS.
fn way_in(central: &Running) -> std::net::SocketAddr {
    central.tls.unwrap_or(central.address)
}
