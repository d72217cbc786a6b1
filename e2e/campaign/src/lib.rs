//! Campaigns against the real `keno-central`, through its public door as terminals use it.
//!
//! - [`crash`]: killed with SIGKILL at any moment of a mixed load, and started again.
//! - [`states`]: killed in each state of a draw.
//! - [`balls`]: killed with its ball machine and its draw desks, between the seal and the result.
//! - [`counter`]: the real agent of a counter beside it, at any instant of a money command.
//! - [`backups`]: backed up under load, given up, and restored.
//! - [`doors`]: with strangers on every socket that they can get, and with PINs guessed.
//! - [`timing`]: asked about wrong secrets and unknown numbers, which it must not tell apart.
//! - [`mod@line`]: behind a line that loses requests and answers and delivers some twice.
//!
//! What is judged: [`journal`] is what a device knows, [`seen`] what anyone saw of the draws,
//! [`record`] what central exports; [`judge`] holds them together without any of the server's
//! code, and [`audit`] adds the second computation.
//!
//! The rest makes the world: [`founded`] a house, [`central`] the process, [`hosts`] those of its draws, [`mod@device`] a counter,
//! [`office`] the people who decide about draws, [`door`] the way to central, [`proxy`] the line,
//! [`slips`] what is sold, [`chance`] choices by seed, [`clock`] time.

pub mod audit;
pub mod backups;
pub mod balls;
pub mod central;
pub mod chance;
pub mod clock;
pub mod counter;
pub mod crash;
pub mod device;
pub mod door;
pub mod doors;
pub mod founded;
pub mod hosts;
pub mod journal;
pub mod judge;
pub mod line;
pub mod office;
pub mod proxy;
pub mod record;
pub mod seen;
pub mod slips;
pub mod states;
pub mod timing;
