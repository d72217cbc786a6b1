//! The edge agent of a counter: sale, check, payment, paper.
//!
//! - [`printer`]: a paper becomes bytes, goes to a printer, and the outcome has a name.
//! - [`virtual_printer`]: an independent reading of those bytes, as an image in a window.

pub mod printer;
pub mod virtual_printer;
