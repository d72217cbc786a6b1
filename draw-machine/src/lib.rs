//! Commitments, secrets, balls and transcript of a draw.
//!
//! Holders of secrets commit to them before the first wager, reveal them after the seal, and
//! the balls follow from the secrets and the seal by a computation that anyone can repeat
//! (`DRAW.md` beside this crate says it byte by byte).
//!
//! | Module | Subject | Touches the world |
//! |---|---|---|
//! | [`context`] | what defines a draw | no |
//! | [`expand`] | commitment, key, balls | no |
//! | [`transcript`] | what is published of a draw, and its check | no |
//! | [`published`] | the transcript as JSON | no |
//! | [`vectors`] | the frozen vectors | no |
//! | [`health`] | entropy and its health tests | operating system's entropy |
//! | [`journal`], [`medium`] | append-only records that survive a power cut | files |
//! | [`holder`] | who keeps a secret | through the journal |
//! | [`ball_line`], [`ball_reader`] | a machine that reads its own balls | no |
//! | [`adapter`], [`rng_machine`] | machines that give balls | through the journal |
//!
//! What this crate does not do: it reads no clock, opens no network connection, knows no
//! ticket and no wager. Nothing but secrets and seal can move a ball.

pub mod adapter;
pub mod ball_line;
pub mod ball_reader;
mod bytes;
pub mod context;
pub mod expand;
pub mod health;
pub mod holder;
pub mod journal;
pub mod medium;
pub mod published;
#[cfg(test)]
mod replay_machine;
pub mod rng_machine;
pub mod transcript;
pub mod vectors;

pub use adapter::{
    Collected, DrawEvent, DrawMachine, DrawOrder, MachineFault, MachineKind, collect,
};
pub use context::DrawContext;
pub use expand::{Expansion, balls, beacon_commitment, commitment, round_secret};
pub use health::{EntropyFault, EntropySource, HealthChecked, OsEntropy};
pub use holder::{FileHolder, HolderFault, Revealed, Seal, SealProof, SecretHolder};
pub use journal::JournalFault;
pub use rng_machine::RngMachine;
pub use transcript::{Assurance, HolderRecord, HostRecord, Transcript, TranscriptFault};
