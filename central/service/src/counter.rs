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

pub use cancel::{Cancelled, cancel, cancelled_before};
pub use check::{
    DueKind, DueState, TicketDraw, TicketPicture, Verdict, draw_range, shift_place, ticket_picture,
    verdict,
};
pub use damaged::{
    FILE_REASONS, FileDecision, FileOrder, FileView, Fragment, file, files, judge_file, open_file,
    present_afterwards, read_damaged, without_code,
};
pub use doubt::{KeyAnswer, ask_key, close_key};
pub use guesses::{Asker, LookUpLimits, counted, counted_by_key, is_guess};
pub use hand_over::{Taken, has_taken, return_device, take_over, taken_from};
pub use holder_refused::{REFUSAL_REASONS, note_given_back, reason_name, refuse_patron};
pub use inquiry::{Answered, Found, Viewer, answer, look_up};
pub use keno_game::TillMovementKind;
pub use key::ContentHash;
pub use lost_refund::{
    LostRefund, LostRefundOrder, lost_refund_before, lost_refund_of, refund_lost, why_unknown,
};
pub use paper::{
    Named, Paper, TrueClaim, control_number, find_named, find_ticket, lost_in_restore,
    number_refusal, paper, receipt, receipt_secret, whole_code,
};
pub use papers::{confirm_print, duplicate, mark_unpaid, note_discrepancy, release, remark};
pub use pay::{Paid, PayOrder, paid_before, pay, reverse_payment};
pub use presentation::{Presented, present};
pub use sell::{Quote, SellOrder, SlipOrder, Sold, quote, selection_record, sell, sold_before};
pub use ticket::REPLACED_SHOWN;
pub use till::{
    CountOrder, TillCount, TillMovement, TillOrder, close_shift, count_till, may_open_shift,
    may_read_sheet, move_till, open_shift, till_movement_before,
};
