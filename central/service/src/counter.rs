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

pub use cancel::cancel;
pub use check::{
    DueKind, DueState, TicketDraw, TicketPicture, Verdict, draw_range, shift_place, ticket_picture,
    verdict,
};
pub use damaged::{
    FILE_REASONS, FileDecision, FileOrder, FileView, Fragment, present_afterwards, read_damaged,
};
pub use doubt::{KeyAnswer, ask_key, close_key};
pub use guesses::{Asker, LookUpLimits};
pub use hand_over::{Taken, has_taken, return_device, take_over, taken_from};
pub use holder_refused::{REFUSAL_REASONS, note_given_back, reason_name, refuse_patron};
pub use inquiry::{Answered, Found, Viewer, answer, look_up};
pub use keno_game::TillMovementKind;
pub use key::{ContentHash, Recorded};
pub use lost_refund::LostRefundOrder;
pub use paper::{Named, Paper, TrueClaim, control_number, receipt_secret, whole_code};
pub use papers::{confirm_print, duplicate, mark_unpaid, note_discrepancy, release, remark};
pub use pay::{PayOrder, reverse_payment};
pub use presentation::{Presented, present};
pub use sell::{Quote, SellOrder, SlipOrder, Sold, selection_record};
pub use ticket::REPLACED_SHOWN;
pub use till::{CountOrder, TillOrder, close_shift, may_open_shift, may_read_sheet, open_shift};
