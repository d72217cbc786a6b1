//! What a ticket is, apart from its paper: its state.

use crate::numbered::numbered;

numbered! {
    /// The state of a ticket. *Issued* and *held* are facts about paper, not states.
    TicketState, code, from_code, name, from_name {
        /// Recorded and paid for.
        Sold = 1 "sold",
        /// Taken back before its first draw closed.
        Cancelled = 2 "cancelled",
        /// Of no effect: the patron left without paying (s. 83).
        VoidUnpaid = 3 "void_unpaid",
    }
}

impl TicketState {
    /// Whether the ticket takes part in its draws. Only a sold one does, and once
    /// it doesn't it never does again.
    #[must_use]
    pub const fn takes_part(self) -> bool {
        matches!(self, TicketState::Sold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_read_back() {
        for state in TicketState::ALL {
            assert_eq!(TicketState::from_code(state.code()), Some(state));
            assert_eq!(state.takes_part(), state == TicketState::Sold);
        }
        assert_eq!(TicketState::from_code(0), None);
        assert_eq!(TicketState::VoidUnpaid.name(), "void_unpaid");
    }
}
