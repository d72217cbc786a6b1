//! Judges the draw by numbers.
//!
//! | Module | Question |
//! |---|---|
//! | [`draws`], [`judge`] | are a million draws, made the way that central makes them, those of a fair machine? |
//! | [`ball_line`] | are those of a ball machine, as central reads them? |
//! | [`quick_picks`] | are ten million quick picks? |
//! | [`cold_starts`] | does the same disk image at the same frozen clock give the same secrets? It must not. |
//! | [`instants`] | does the same recorded entropy at another hour give other balls? It must not. |
//! | [`plant`], [`tampering`] | would a fault have been seen? |
//!
//! [`design`] and [`probability`] hold the exact moments and distributions, and how they are
//! known. Floats are right here: this package judges, and decides no money.

pub mod ball_line;
pub mod cold_starts;
pub mod design;
pub mod draws;
pub mod instants;
pub mod judge;
pub mod plant;
pub mod probability;
pub mod process;
pub mod quick_picks;
pub mod sealed_house;
pub mod tampering;
