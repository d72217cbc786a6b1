//! The tables of the record and their rows, under the same names in SQLite and PostgreSQL: the record
//! first, then its projections in the order of their references.
//!
//! A test reads both databases back and holds them to these declarations.

crate::column::tables! {
    /// The record itself: every fact as a leaf with its nonce and body. Rows are inserted once and never changed; all other tables can be rebuilt from this one.
    log_entry (leaf_index) LogEntryRow {
        leaf_index: u64 as BigInt,
        leaf: Vec<u8> as Binary,
        leaf_hash: Vec<u8> as Binary,
        nonce: Vec<u8> as Binary,
        body: Vec<u8> as Binary,
    }

    /// Whose record this is; one row.
    house (id) HouseRow {
        id: i16 as SmallInt,
        code: String as Text,
        name: String as Text,
        zone: String as Text,
        log_key: String as Text,
        first_draw: u64 as BigInt,
        sales_suspended_leaf: Option<u64> as Nullable<BigInt>,
        schedule_halted_leaf: Option<u64> as Nullable<BigInt>,
        fence: u64 as BigInt,
        instance: String as Text,
    }

    /// The right edge of the tree; advanced by compare-and-swap on size, so that two writers cannot both append.
    log_head (id) LogHeadRow {
        id: i16 as SmallInt,
        size: u64 as BigInt,
        edge: Vec<u8> as Binary,
        root: Vec<u8> as Binary,
        at_ms: i64 as BigInt,
    }

    /// Credentials of PINs, by their SHA-256, which the record holds.
    credential (hash) CredentialRow hidden {
        hash: Hash as Binary,
        phc: String as Text,
    }

    /// Epochs: each says from where the log went on after a restore, and which numbers may not be used again.
    epoch (number) EpochRow {
        number: u32 as BigInt,
        leaf: u64 as BigInt,
        continues_size: u64 as BigInt,
        continues_root: Hash as Binary,
        lost_size: u64 as BigInt,
        lost_root: Hash as Binary,
        next_draw: u64 as BigInt,
        next_session: u64 as BigInt,
        next_shift: u64 as BigInt,
        reason: String as Text,
        opened_by: String as Text,
        second: String as Text,
    }

    /// Versions of the rules (ss. 2, 76).
    rule_book (version) RuleBookRow {
        version: u32 as BigInt,
        effective_from: u64 as BigInt,
        hash: Hash as Binary,
        text: String as Text,
        published_by: String as Text,
        second: String as Text,
        leaf: u64 as BigInt,
    }

    /// People with badges and roles, as they now stand.
    person (badge) PersonRow {
        badge: String as Text,
        staff: String as Text,
        name: String as Text,
        roles: Vec<u8> as Binary,
        credential: Hash as Binary,
        must_change: bool as Bool,
        active: bool as Bool,
        leaf: u64 as BigInt,
        named_leaf: Option<u64> as Nullable<BigInt>,
        acting_leaf: Option<u64> as Nullable<BigInt>,
    }

    /// Devices and the hash of their keys, as they now stand.
    device (number) DeviceRow {
        number: u32 as BigInt,
        name: String as Text,
        role: u8 as SmallInt,
        key_hash: Hash as Binary,
        active: bool as Bool,
        leaf: u64 as BigInt,
    }

    /// Sign-ons. An ended session's unknown keys are dead.
    session (number) SessionRow {
        number: u64 as BigInt,
        device: u32 as BigInt,
        badge: String as Text,
        token_hash: Hash as Binary,
        opened_leaf: u64 as BigInt,
        ended_leaf: Option<u64> as Nullable<BigInt>,
    }

    /// Tills: opened with a float, counted blind, closed once.
    shift (number) ShiftRow {
        number: u64 as BigInt,
        device: u32 as BigInt,
        badge: String as Text,
        float_cents: i64 as BigInt,
        opened_leaf: u64 as BigInt,
        closed_leaf: Option<u64> as Nullable<BigInt>,
        counted_cents: Option<i64> as Nullable<BigInt>,
        expected_cents: Option<i64> as Nullable<BigInt>,
    }

    /// Devices that were left, and which device went on with what they left open.
    hand_over (leaf) HandOverRow {
        leaf: u64 as BigInt,
        device: u32 as BigInt,
        to_device: u32 as BigInt,
        shift: Option<u64> as Nullable<BigInt>,
        reason: String as Text,
        handed_by: String as Text,
        second: String as Text,
        returned_leaf: Option<u64> as Nullable<BigInt>,
    }

    /// Fills and drops, by two people.
    till_movement (leaf) TillMovementRow {
        leaf: u64 as BigInt,
        shift: u64 as BigInt,
        kind: u8 as SmallInt,
        amount_cents: i64 as BigInt,
        moved_by: String as Text,
        second: String as Text,
    }

    /// Blind counts in the middle of a shift, by two people.
    till_count (leaf) TillCountRow {
        leaf: u64 as BigInt,
        shift: u64 as BigInt,
        device: u32 as BigInt,
        counted_cents: i64 as BigInt,
        expected_cents: i64 as BigInt,
        reason: String as Text,
        counted_by: String as Text,
        second: String as Text,
    }

    /// Draws: times, pool, cap and seal. BigInts are never reused.
    draw (number) DrawRow {
        number: u64 as BigInt,
        state: u8 as SmallInt,
        closes_at_ms: i64 as BigInt,
        draws_at_ms: i64 as BigInt,
        source: u8 as SmallInt,
        pool_size: u8 as SmallInt,
        drawn: u8 as SmallInt,
        cap_cents: i64 as BigInt,
        full_below_cents: i64 as BigInt,
        scheduled_leaf: u64 as BigInt,
        opened_leaf: Option<u64> as Nullable<BigInt>,
        closed_leaf: Option<u64> as Nullable<BigInt>,
        seal_root: Option<Hash> as Nullable<Binary>,
        tickets: u64 as BigInt,
        selections: u64 as BigInt,
        wagered_cents: i64 as BigInt,
        started_leaf: Option<u64> as Nullable<BigInt>,
        voided_leaf: Option<u64> as Nullable<BigInt>,
        void_reason: Option<String> as Nullable<Text>,
        ball_set: Option<String> as Nullable<Text>,
    }

    /// Holders of a draw's secrets, in the order of the derivation.
    draw_holder (draw, position) DrawHolderRow {
        draw: u64 as BigInt,
        position: u8 as SmallInt,
        holder: String as Text,
        commitment: Option<Hash> as Nullable<Binary>,
        commitment_leaf: Option<u64> as Nullable<BigInt>,
        secret: Option<Hash> as Nullable<Binary>,
    }

    /// Winning numbers in order. A row is written once, with all the numbers.
    draw_result (draw) DrawResultRow {
        draw: u64 as BigInt,
        machine: u8 as SmallInt,
        balls: Vec<u8> as Binary,
        words_used: u64 as BigInt,
        words_rejected: u64 as BigInt,
        secrets_hash: Hash as Binary,
        recorded_leaf: u64 as BigInt,
        recorded_at_ms: i64 as BigInt,
        certified_leaf: Option<u64> as Nullable<BigInt>,
        certifiers: Option<String> as Nullable<Text>,
        revealed_leaf: Option<u64> as Nullable<BigInt>,
    }

    /// What a settled draw came to.
    draw_settlement (draw) DrawSettlementRow {
        draw: u64 as BigInt,
        leaf: u64 as BigInt,
        winners: u64 as BigInt,
        small_cents: i64 as BigInt,
        large_cents: i64 as BigInt,
        payable_cents: i64 as BigInt,
        small_numerator: u64 as BigInt,
        small_denominator: u64 as BigInt,
        large_numerator: u64 as BigInt,
        large_denominator: u64 as BigInt,
        breakage_cents: i64 as BigInt,
        prize_root: Hash as Binary,
    }

    /// Tickets: what somebody looks them up by, and what became of them. What was registered (ss. 81, 82, 84) stands in the leaf of the sale.
    ticket (number) TicketRow {
        number: u64 as BigInt,
        device: u32 as BigInt,
        session: u64 as BigInt,
        first_draw: u64 as BigInt,
        last_draw: u64 as BigInt,
        badge: String as Text,
        shift: u64 as BigInt,
        state: u8 as SmallInt,
        copy: u8 as SmallInt,
        confirmed_copy: u8 as SmallInt,
        held_leaf: Option<u64> as Nullable<BigInt>,
        released_leaf: Option<u64> as Nullable<BigInt>,
    }

    /// What happened to a ticket after its sale, for its life line.
    ticket_fact (leaf) TicketFactRow {
        leaf: u64 as BigInt,
        ticket: u64 as BigInt,
        kind: u8 as SmallInt,
    }

    /// Payments of prizes and refunds.
    payment (number) PaymentRow {
        number: u64 as BigInt,
        ticket: u64 as BigInt,
        total_cents: i64 as BigInt,
        tender: u8 as SmallInt,
        rounding_cents: i64 as BigInt,
        path: u8 as SmallInt,
        badge: String as Text,
        second: Option<String> as Nullable<Text>,
        shift: u64 as BigInt,
        paid_at_ms: i64 as BigInt,
        reversed_leaf: Option<u64> as Nullable<BigInt>,
    }

    /// What a payment paid, by draw. `reversed` is the payment's leaf once undone, else 0: a (ticket, draw) is paid at most once.
    payment_item (payment, draw) PaymentItemRow {
        payment: u64 as BigInt,
        draw: u64 as BigInt,
        ticket: u64 as BigInt,
        kind: u8 as SmallInt,
        amount_cents: i64 as BigInt,
        reversed: u64 as BigInt,
    }

    /// Keys of the sessions that have ended, some thousand a row: the lower part of the counter (two bytes) and the leaf that answered it (eight) of each. What an open session was answered is in memory.
    key_page (device, session, page) KeyPageRow {
        device: u32 as BigInt,
        session: u64 as BigInt,
        page: u64 as BigInt,
        keys: Vec<u8> as Binary,
    }

    /// What a device asked for beside sales: its commands with a key.
    command (leaf) CommandRow {
        leaf: u64 as BigInt,
        device: u32 as BigInt,
    }

    /// Files of damaged papers, and what was decided of each (s. 83).
    damaged_file (leaf) DamagedFileRow {
        leaf: u64 as BigInt,
        ticket: Option<u64> as Nullable<BigInt>,
        device: u32 as BigInt,
        badge: String as Text,
        opened_at_ms: i64 as BigInt,
        judged_leaf: Option<u64> as Nullable<BigInt>,
        is_paid: u8 as SmallInt,
        by_three: u8 as SmallInt,
    }

    /// Times of more than a day in which nobody was served, by the leaf after and the last before.
    silence (leaf) SilenceRow {
        leaf: u64 as BigInt,
        served_leaf: u64 as BigInt,
    }
}

/// A credential is never printed.
impl std::fmt::Debug for rows::CredentialRow {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("CredentialRow")
    }
}

diesel::joinable!(draw_result -> draw (draw));
diesel::joinable!(draw_settlement -> draw (draw));
diesel::joinable!(payment_item -> payment (payment));
