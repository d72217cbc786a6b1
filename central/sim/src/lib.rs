//! Days of a whole house, played from a seed: the real service and store, in memory and without a
//! thread of their own, under devices, patrons, draws, rule books, lost requests and replies,
//! doubled and late commands, crashes between any two steps, unknown commits and a moving clock.
//!
//! After every step a small model that shares nothing with what it judges says whether the record
//! can be so, and whether memory, rows, boards and verdicts say the same. A seed plays the same
//! day, byte for byte, whenever it is played.

pub mod book;
pub mod command;
pub mod counter;
pub mod day;
pub mod dice;
pub mod judge;
pub mod model;
pub mod prizes;
pub mod world;
