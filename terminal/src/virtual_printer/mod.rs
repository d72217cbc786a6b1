//! A printer that is a window: it takes the bytes of a real one, answers as it does, and shows
//! the paper as an image.
//!
//! It is written from the layout of Epson's commands and shares no code with
//! [`crate::printer`], so that a mistake of the printing path is not repeated here: what it
//! shows is what the bytes say.

pub mod command;
pub mod decoder;
pub mod fault;
pub mod folder;
pub mod picture;
pub mod server;
pub mod sheet;
pub mod web;

pub use decoder::{DecodeFault, Decoder, decode, decode_torn};
pub use fault::Fault;
pub use sheet::{Cell, Row, Sheet};
