//! Rule books near 65 %, judged three times: by central's rules, by the second computation, and by
//! settling every ticket that can be sold on the same numbers.
//!
//! - [`asked`]: rule books from a seed, and hostile ones.
//! - [`every_ticket`]: the truth, where a book is small enough to settle all its tickets.
//! - [`compare`]: whether both programs say the same fraction, and never more than the truth.

pub mod asked;
pub mod compare;
pub mod every_ticket;
