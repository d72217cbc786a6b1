//! A ticket, a receipt, a slip as lines and marks; pure.
