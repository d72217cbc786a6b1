//! The draw machine and the holders of secrets as programs of their own, on hosts of their own, and
//! how central reaches them. `LINE.md` beside this crate says what goes over the line.
//!
//! | Module | Subject | Touches the world |
//! |---|---|---|
//! | [`seal`] | what proves that the sales of a draw are closed and sealed | no |
//! | [`statement`] | what a host signs of a draw | no |
//! | [`mod@line`] | asks and answers, a line of JSON each | no |
//! | [`part`] | machine and holder, as they answer | journals, the host's clock |
//! | [`settings`] | the settings file of a host | a file |
//! | [`client`] | central's end of the line | network |
//! | [`beacon`] | a public beacon as a holder | network |
//! | [`ball_link`] | the wire to a machine that reads its own balls | network, a device |
//! | [`simulator`] | such a machine that is none, healthy or with a fault | no |
//! | [`simulate`] | that machine on a wire | network, a pseudo-terminal |
//!
//! What no host does: it believes nothing that the log's key has not signed, it draws no draw
//! twice, and it keeps no key but its own.

pub mod ball_link;
pub mod beacon;
pub mod client;
pub mod line;
pub mod part;
pub mod seal;
pub mod settings;
pub mod simulate;
pub mod simulator;
pub mod statement;

pub use beacon::BeaconHolder;
pub use client::{RemoteHolder, RemoteMachine};
