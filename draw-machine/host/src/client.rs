//! Central's end of the line: a holder and a machine that are elsewhere.

use std::collections::VecDeque;
use std::fmt;

use keno_draw::adapter::{DrawEvent, DrawMachine, DrawOrder, MachineFault, MachineKind};
use keno_draw::commitment;
use keno_draw::holder::{HolderFault, Revealed, Seal, SealProof, SecretHolder};
use keno_line::frame::Hex32;
use keno_line::server::Refused;
use keno_line::{Answers, Host};

use crate::line::{Answer, Ask, Given, Order, Proof};
use crate::statement::{Sealed, is_signed};

const NOT_AN_ANSWER: &str = "what it answers is not an answer to this";
const NOT_SIGNED: &str = "its signature does not hold";

/// A holder on a host of its own.
#[derive(Debug)]
pub struct RemoteHolder {
    name: String,
    host: Host,
}

impl RemoteHolder {
    /// The holder `name` on `host`.
    #[must_use]
    pub fn new(name: &str, host: Host) -> Self {
        Self {
            name: name.to_owned(),
            host,
        }
    }

    fn ask(&self, ask: &Ask) -> Result<Answer, HolderFault> {
        match self.host.answer(ask) {
            Ok(Answer::Refused(Refused { name, words })) => {
                Err(HolderFault::ByHost { name, words })
            }
            Ok(answer) => Ok(answer),
            Err(fault) => Err(self.away(&fault)),
        }
    }

    fn away(&self, what: &dyn fmt::Display) -> HolderFault {
        HolderFault::Away(format!("{}: {what}", self.host.name()))
    }
}

impl SecretHolder for RemoteHolder {
    fn name(&self) -> &str {
        &self.name
    }

    fn host(&self) -> String {
        self.host.key().to_string()
    }

    fn commit(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        match self.ask(&Ask::Commit { draw })? {
            Answer::Commitment(Hex32(commitment)) => Ok(commitment),
            _ => Err(self.away(&NOT_AN_ANSWER)),
        }
    }

    fn reveal(
        &mut self,
        draw: u64,
        seal: &Seal,
        proof: &SealProof,
    ) -> Result<Revealed, HolderFault> {
        let proof = Proof::from(proof);
        let Answer::Secret { secret, signature } = self.ask(&Ask::Reveal { draw, proof })? else {
            return Err(self.away(&NOT_AN_ANSWER));
        };
        let house = self.host.house();
        let sealed = Sealed {
            house,
            draw,
            seal: *seal,
        };
        let text = sealed.secret(&commitment(house, draw, &secret.0));
        if !is_signed(&text, &signature, self.host.key()) {
            return Err(self.away(&NOT_SIGNED));
        }
        Ok(Revealed {
            secret: secret.0,
            signature,
        })
    }

    fn publish_void(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        match self.ask(&Ask::PublishVoid { draw })? {
            Answer::VoidSecret(Hex32(secret)) => Ok(secret),
            _ => Err(self.away(&NOT_AN_ANSWER)),
        }
    }
}

/// The draw that a machine elsewhere is giving.
struct UnderWay {
    line: Answers,
    /// Answers that were read and not yet given out.
    read: VecDeque<Answer>,
    order: DrawOrder,
    balls: Vec<u8>,
    signature: Option<String>,
}

/// A computer that draws, on a host of its own.
pub struct RemoteMachine {
    host: Host,
    under_way: Option<UnderWay>,
}

impl fmt::Debug for RemoteMachine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.host.fmt(formatter)
    }
}

impl RemoteMachine {
    /// The machine on `host`.
    #[must_use]
    pub fn new(host: Host) -> Self {
        Self {
            host,
            under_way: None,
        }
    }

    fn away(&self, what: &dyn fmt::Display) -> MachineFault {
        MachineFault::Away(format!("{}: {what}", self.host.name()))
    }
}

/// An order as it goes over the line.
#[must_use]
pub fn order_of(order: &DrawOrder) -> Order {
    let given = order.holders.iter().zip(&order.signatures);
    Order {
        draw: order.ctx.draw,
        proof: Proof::from(&order.proof),
        rule_book_hash: Hex32(order.ctx.rule_book_hash),
        pool_size: order.ctx.pool_size,
        drawn: order.ctx.drawn,
        holders: given
            .map(|(holder, signature)| Given {
                name: holder.name.clone(),
                commitment: Hex32(holder.commitment),
                secret: Hex32(holder.secret),
                signature: signature.clone(),
            })
            .collect(),
    }
}

impl DrawMachine for RemoteMachine {
    fn kind(&self) -> MachineKind {
        MachineKind::Rng
    }

    fn host(&self) -> String {
        self.host.key().to_string()
    }

    fn begin(&mut self, order: &DrawOrder) -> Result<(), MachineFault> {
        self.under_way = None;
        let asked = self.host.ask(&Ask::Draw(order_of(order)));
        let mut line = asked.map_err(|fault| self.away(&fault))?;
        let first = line.next().map_err(|fault| self.away(&fault))?;
        if let Answer::Refused(Refused { name, words }) = first {
            return Err(MachineFault::ByHost { name, words });
        }
        self.under_way = Some(UnderWay {
            line,
            read: VecDeque::from([first]),
            order: order.clone(),
            balls: Vec::new(),
            signature: None,
        });
        Ok(())
    }

    fn next(&mut self) -> Result<DrawEvent, MachineFault> {
        let Some(under_way) = &mut self.under_way else {
            return Err(MachineFault::NotBegun);
        };
        if under_way.signature.is_some() {
            return Ok(DrawEvent::Complete);
        }
        let answer = match under_way.read.pop_front() {
            Some(answer) => Ok(answer),
            None => under_way.line.next(),
        };
        match answer {
            Ok(Answer::Ball { position, number })
                if usize::from(position) == under_way.balls.len() + 1 =>
            {
                under_way.balls.push(number);
                Ok(DrawEvent::Ball {
                    position,
                    number,
                    at_ms: None,
                })
            }
            Ok(Answer::Drawn { signature }) => {
                let context = &under_way.order.ctx;
                let sealed = Sealed {
                    house: &context.house,
                    draw: context.draw,
                    seal: Seal {
                        size: context.log_size,
                        root: context.seal_root,
                    },
                };
                let text = sealed.balls(&context.rule_book_hash, &under_way.balls);
                if !is_signed(&text, &signature, self.host.key()) {
                    return Err(self.away(&NOT_SIGNED));
                }
                under_way.signature = Some(signature);
                Ok(DrawEvent::Complete)
            }
            Ok(_) => Err(self.away(&NOT_AN_ANSWER)),
            Err(fault) => Err(self.away(&fault)),
        }
    }

    fn signature(&self) -> String {
        let under_way = self.under_way.as_ref();
        let signature = under_way.and_then(|under_way| under_way.signature.clone());
        signature.unwrap_or_default()
    }
}
