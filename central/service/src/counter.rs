//! What is done at a counter: tickets sold, paid, taken back and looked at, and the till.

pub(crate) mod cancel;
pub(crate) mod check;
pub(crate) mod damaged;
pub(crate) mod deadline;
pub(crate) mod doubt;
pub(crate) mod ground;
pub(crate) mod guesses;
pub(crate) mod hand_over;
pub(crate) mod holder_refused;
pub(crate) mod inquiry;
pub(crate) mod key;
pub(crate) mod lost_refund;
pub(crate) mod owed;
pub(crate) mod paper;
pub(crate) mod papers;
pub(crate) mod pay;
pub(crate) mod presentation;
pub(crate) mod sell;
pub(crate) mod ticket;
pub(crate) mod till;

pub use cancel::CancelOrder;
pub use check::{DueKind, DueState, TicketDraw, TicketPicture, Verdict, shift_place};
pub use damaged::{FileDecision, FileOrder, FileView, Fragment};
pub use doubt::KeyAnswer;
pub use guesses::{Asker, LookUpLimits};
pub use hand_over::Taken;
pub use inquiry::{Answered, Found, Viewer};
pub use keno_game::TillMovementKind;
pub use key::{ContentHash, Recorded};
pub use lost_refund::LostRefundOrder;
pub use paper::{Named, Paper, TrueClaim};
pub use pay::PayOrder;
pub use presentation::Presented;
pub use sell::{Quote, SellOrder, SlipOrder, Sold};
pub use till::{CountOrder, TillContents, TillOrder};
