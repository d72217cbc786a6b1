//! The truth: every ticket on the same numbers, settled as the only winner of its draw. Written
//! from `RULES.md`, "Settlement", without a line of either program.

use crate::asked::{Asked, GameAsked};

/// The least return of all tickets on so many numbers: paid over wagered, in parts of all draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Least {
    /// Σ draws × paid.
    pub paid: u128,
    /// All draws × wagered.
    pub wagered: u128,
    /// Tickets that were settled.
    pub tickets: u64,
}

/// One kind of selection: game, wager, and its prize at each catch.
struct Kind<'a> {
    game: &'a GameAsked,
    wager: u64,
    prizes: Vec<u64>,
}

struct Search<'a> {
    asked: &'a Asked,
    kinds: Vec<Kind<'a>>,
    draws: Vec<u128>,
    tickets_max: u64,
    least: Option<Least>,
    tickets: u64,
}

fn choose(all: u8, taken: u8) -> u128 {
    if taken > all {
        return 0;
    }
    (0..u128::from(taken)).fold(1, |value, at| value * (u128::from(all) - at) / (at + 1))
}

/// Settles every ticket; `None` if there are more than `tickets_max`, or none.
#[must_use]
pub fn least(asked: &Asked, spots: u8, tickets_max: u64) -> Option<Least> {
    let catches = 0..=spots.min(20);
    let mut kinds = Vec::new();
    for game in &asked.games {
        let Some(pays) = game.tables.get(&spots) else {
            continue;
        };
        let mut wager = game.min;
        while wager <= game.max {
            let prize = |catch: u8| wager * pays.get(&catch).copied().unwrap_or(0) / 100;
            kinds.push(Kind {
                game,
                wager,
                prizes: catches.clone().map(prize).collect(),
            });
            wager += game.step;
        }
    }
    let mut search = Search {
        asked,
        kinds,
        draws: catches
            .map(|catch| choose(spots, catch) * choose(asked.pool - spots, 20 - catch))
            .collect(),
        tickets_max,
        least: None,
        tickets: 0,
    };
    let is_all = search.add(&mut Vec::new(), 0, u64::MAX);
    let all = choose(asked.pool, 20);
    search.least.filter(|_| is_all).map(|least| Least {
        wagered: least.wagered * all,
        tickets: search.tickets,
        ..least
    })
}

impl Search<'_> {
    /// Goes through every ticket that begins with these kinds; false once there are too many.
    fn add(&mut self, ticket: &mut Vec<usize>, total: u64, limit: u64) -> bool {
        if ticket.len() as u64 == self.asked.selections {
            return true;
        }
        for at in ticket.last().copied().unwrap_or(0)..self.kinds.len() {
            let Some(kind) = self.kinds.get(at) else {
                continue;
            };
            let limit = limit.min(kind.game.same_numbers);
            let total = total + kind.wager;
            if total > limit {
                continue;
            }
            ticket.push(at);
            self.tickets += 1;
            if self.tickets > self.tickets_max {
                return false;
            }
            self.settle(ticket, total);
            if !self.add(ticket, total, limit) {
                return false;
            }
            ticket.pop();
        }
        true
    }

    fn settle(&mut self, ticket: &[usize], total: u64) {
        let mut paid = 0_u128;
        for (catch, draws) in self.draws.iter().enumerate() {
            let prizes = ticket.iter().filter_map(|at| {
                let prizes = &self.kinds.get(*at)?.prizes;
                prizes.get(catch).map(|prize| u128::from(*prize))
            });
            paid += draws * paid_alone(self.asked, prizes);
        }
        let wagered = u128::from(total);
        let is_less = |least: &Least| paid * least.wagered < least.paid * wagered;
        if self.least.as_ref().is_none_or(is_less) {
            self.least = Some(Least {
                paid,
                wagered,
                tickets: 0,
            });
        }
    }
}

fn paid_alone(asked: &Asked, prizes: impl Iterator<Item = u128> + Clone) -> u128 {
    let (cap, threshold) = (u128::from(asked.cap), u128::from(asked.full_below));
    let small: u128 = prizes.clone().filter(|prize| *prize < threshold).sum();
    let all: u128 = prizes.clone().sum();
    if all <= cap {
        all
    } else if small <= cap {
        let large = prizes.filter(|prize| *prize >= threshold);
        small
            + large
                .map(|prize| prize * (cap - small) / (all - small))
                .sum::<u128>()
    } else {
        prizes.map(|prize| prize * cap / all).sum()
    }
}
