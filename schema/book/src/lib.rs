//! The files that a house writes by hand: the rule book that is published, hashed and put in the
//! log, and how faults of a TOML file are found, all of them at once and each with its line.
//!
//! What a supervisor may change of a book at the wall is a closed set (`amendment`); it gives the
//! text of the next version, with all the rest as it stands.
//!
//! Central publishes a rule book; a terminal prices a slip by the same text. There is no I/O
//! here: who asks brings the text.

pub mod amendment;
pub mod rules_file;
pub mod signs;
pub mod slip_sentence;
pub mod toml_faults;
