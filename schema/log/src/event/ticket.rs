//! Facts of tickets, payments and keys.

use super::{CommandKey, DamagedReading, PaidItem, SelectionRecord};
use crate::encode::record;
use crate::hash::Hash;

record! {
    /// A slip, paid for, is registered: this leaf is the ticket (ss. 80-84).
    TicketSold {
        /// The device's key for the sale.
        key: CommandKey,
        /// SHA-256 of the request, to tell a repetition from another sale.
        content_hash: Hash,
        /// Key id of the claim secret.
        secret_key: u16,
        /// Version of the rules it was sold under.
        rule_book: u32,
        /// First draw of the ticket (s. 82(3)).
        first_draw: u64,
        /// Last draw of the ticket.
        last_draw: u64,
        /// The selections and wagers (s. 82(1)-(2)).
        selections: Vec<SelectionRecord>,
        /// Wagers of all the selections for one draw.
        per_draw_cents: i64,
        /// Price of the ticket.
        total_cents: i64,
        /// Maximum payable per draw as printed (s. 82(5)).
        cap_cents: i64,
        /// Last business day to claim, yyyymmdd: the last draw's day, or that of the sale if later, and `claim.days` (s. 82(6)).
        claim_by: u32,
        /// 1 cash, 2 coupon, 3 chip (s. 5: never credit).
        tender: u8,
        /// What the patron handed over.
        received_cents: i64,
        /// Badge of the clerk.
        badge: String,
        /// Shift number of the till.
        shift: u64,
        /// 1 slip, 2 e-slip, 3 screen, 4 replay, 5 express slip.
        intake: u8,
        /// Index of the leaf of the ticket it repeats.
        replay_of: Option<u64>,
    }
    added {
        /// Change for a chip, given in cash out of the till. 0 in another tender, and in a record of
        /// before, which does not say it.
        chip_change_cents: i64,
    }
}

record! {
    /// The ticket is withdrawn before its first draw closed; the wager is given back.
    TicketCancelled {
        /// First draw of the ticket.
        first_draw: u64,
        /// Index of the ticket's leaf.
        ticket: u64,
        /// The device's key.
        key: CommandKey,
        /// SHA-256 of the request.
        content_hash: Hash,
        /// 1 patron changed mind, 2 keyed wrong, 3 printed badly, 4 not paid, 5 other.
        reason: u8,
        /// What is given back: the whole price.
        refund_cents: i64,
        /// In the tender of the sale.
        tender: u8,
        /// Badge of the clerk.
        badge: String,
        /// Shift number.
        shift: u64,
    }
    added {
        /// 1: the code of its paper was shown. 2: the print of its newest paper was never confirmed,
        /// and its pieces are kept. 0 in a record of before, which does not say it.
        on: u8,
        /// Badge of the second person: above the limit, and where `on` is 2.
        second: Option<String>,
    }
}

record! {
    /// The patron left without paying: void (s. 83), by two people before the first draw was ever
    /// started, who hold the paper, or of which no paper is known to have come out.
    TicketUnpaid {
        /// First draw of the ticket.
        first_draw: u64,
        /// Index of the ticket's leaf.
        ticket: u64,
        /// The whole price, which was never received.
        amount_cents: i64,
        /// 1: the code of its paper was shown. 2: the print of its newest paper was never confirmed.
        on: u8,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The printer, or the clerk, says that the paper came out whole.
    PrintConfirmed {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// Copy index; the first paper is 1.
        copy: u8,
        /// 1 printer's own confirmation, 2 printer status, 3 clerk's word.
        how: u8,
        /// Device number.
        device: u32,
    }
}

record! {
    /// A held ticket is released from every hold on evidence, by two people.
    TicketReleased {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// What was seen.
        evidence: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// A new copy is issued; the old copy index is dead.
    TicketDuplicated {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// The new copy index: one more than the last.
        copy: u8,
        /// 1: the code of the paper before was shown. 2: its print was never confirmed. 3: a file (56)
        /// was judged to be paid.
        on: u8,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The ticket was presented as a claim for some of its draws: they are in time by this moment (s. 86).
    ClaimPresented {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// Draws of the ticket that have numbers, or are void, and were still to be claimed.
        draws: Vec<u64>,
        /// 1 by the claim code, 2 read from a damaged paper (55), 3 with a file (56), 4 by the claim
        /// code and entered afterwards by two people, 5 by the number and the 20 signs, typed.
        path: u8,
        /// Device number.
        device: u32,
        /// Badge of the clerk.
        badge: String,
        /// When it was presented, if it is entered afterwards.
        presented_at_ms: Option<i64>,
        /// Badge of the second person, if it is entered afterwards.
        second: Option<String>,
    }
}

record! {
    /// Prizes and refunds of a ticket are paid, each (ticket, draw) once.
    PrizePaid {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// The device's key.
        key: CommandKey,
        /// SHA-256 of the request.
        content_hash: Hash,
        /// What is paid, by draw.
        items: Vec<PaidItem>,
        /// Sum of the items.
        total_cents: i64,
        /// 1 cash, 2 coupon, 3 chip: a prize in cash, a refund in the tender of the sale.
        tender: u8,
        /// Cash handed over minus total: to the nearest 5 cents in cash, from -2 to 2; 0 in another tender.
        rounding_cents: i64,
        /// 1: the whole claim code was shown; in a record of before, or its 20 signs were typed.
        /// 2: the paper was read by two people (55). 3: a file (56) was judged to be paid. 5: the
        /// number and the 20 signs were typed.
        path: u8,
        /// Badge of the clerk.
        badge: String,
        /// Badge of the second person: from the limit on.
        second: Option<String>,
        /// Shift number.
        shift: u64,
    }
}

record! {
    /// A payment that was not handed over is undone by two people in the same shift.
    PaymentReversed {
        /// Index of the payment's leaf.
        payment: u64,
        /// Index of the ticket's leaf.
        ticket: u64,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
        /// Shift number.
        shift: u64,
        /// Cash that returns to the till; 0 for another tender.
        cash_cents: i64,
    }
}

record! {
    /// Paper and record differ; the record prevails (s. 84).
    DiscrepancyNoted {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// Bit n-1 set: fact n of s. 82, 1 to 6, differs.
        facts: u8,
        /// What was seen on the paper.
        note: String,
        /// Badge code.
        badge: String,
    }
}

record! {
    /// A key that central did not know is closed: a late copy of its command is refused.
    KeyClosed {
        /// The device's key.
        key: CommandKey,
        /// Badge code.
        badge: String,
    }
}

record! {
    /// People must look before the ticket is paid; two of them release it.
    PaymentHeld {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// Draw number.
        draw: u64,
        /// 1 improbable win, 2 rare top prize won again by the same ticket, 3 a paper was shown that a
        /// duplicate has replaced.
        reason: u8,
        /// Badge code, or `guard`.
        by: String,
    }
}

record! {
    /// The wager of a ticket whose record a restore lost is given back by two people, once
    /// (`RULES.md`, "Lost tickets").
    LostTicketRefunded {
        /// The device's key.
        key: CommandKey,
        /// SHA-256 of the request.
        content_hash: Hash,
        /// Epoch in which the ticket was sold, by its control number; it has ended.
        sold_epoch: u32,
        /// Index that the leaf of the ticket had in the log of that epoch, by its control number.
        lost_leaf: u64,
        /// What is given back: the price on the paper, less what is known to be paid of it.
        amount_cents: i64,
        /// 1 cash, 2 coupon, 3 chip: the tender of the sale.
        tender: u8,
        /// How the two found out what was paid, in words.
        reason: String,
        /// Badge of the clerk.
        badge: String,
        /// Badge of the second person.
        second: String,
        /// Shift number.
        shift: u64,
    }
}

record! {
    /// The holder of a ticket is not paid: a minor, or somebody excluded. From here on two people
    /// pay it; who it was is not noted.
    ///
    /// It is no loss of the prize (s. 86): the house decides through a supervisor (`RULES.md`,
    /// "Payments"). Of another holder there may be another.
    PatronRefused {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// 1 minor or no proof of age, 2 excluded person, 3 other, for a supervisor to decide; 4 its price was given back when the terminal put its sale aside, and no paper came out: none is made any more.
        reason: u8,
        /// Device number.
        device: u32,
        /// Badge of the clerk.
        badge: String,
    }
}

record! {
    /// The code of a damaged paper cannot be read: what was typed from it agrees with the ticket
    /// of its control number, and a second person looked at it (s. 83).
    DamagedTicketRead {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// What was typed.
        reading: DamagedReading,
        /// Device number.
        device: u32,
        /// Badge of the clerk who typed.
        badge: String,
        /// Badge of the second person, who looked.
        second: String,
    }
}

record! {
    /// A damaged paper is kept, and people will judge whether it is paid (s. 83). The number of the
    /// file is the index of this leaf. No digit of a control number stands in it.
    FileOpened {
        /// Index of the leaf of the one sold ticket that what is legible leaves, if it is one.
        ticket: Option<u64>,
        /// Sold tickets that what is legible leaves; what is above 2 is 2.
        fits: u8,
        /// Digits of the control number that are legible, 0 to 16.
        digits: u8,
        /// Keyed hash of what is legible of the control number.
        trace: Hash,
        /// What else is legible.
        reading: DamagedReading,
        /// Who presents it, as told.
        presented_by: String,
        /// What was seen of the paper.
        note: String,
        /// Device number.
        device: u32,
        /// Badge of the clerk.
        badge: String,
    }
}

record! {
    /// Two people, or three, who did not open a file decide whether it is paid.
    FileJudged {
        /// Index of the file's leaf.
        file: u64,
        /// Index of the leaf of the ticket that the file names.
        ticket: Option<u64>,
        /// True if its ticket is paid without code from here on.
        is_paid: bool,
        /// Why not: 1 what is legible does not leave one ticket, 2 the paper is not genuine or was
        /// altered, 3 the ticket has no prize, 4 the ticket is withdrawn or was paid, 5 presented
        /// late, 6 other. 0 if it is paid.
        reason: u8,
        /// SHA-256 of the picture of the paper that they looked at.
        picture: Hash,
        /// What they saw, in words.
        note: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
        /// Badge of the third person: from the limit on.
        third: Option<String>,
    }
}

record! {
    /// The audit office remarks on a ticket, sold or withdrawn. Nothing follows from it.
    TicketRemarked {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// The remark, 1 to 500 characters.
        text: String,
        /// Badge of the auditor.
        badge: String,
    }
}
