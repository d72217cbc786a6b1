//! The tables of the record, under the same names in SQLite and PostgreSQL.
//!
//! A test reads both databases back and holds them to these declarations.

diesel::table! {
    /// Whose record this is; one row.
    house (id) {
        /// Column `id`.
        id -> SmallInt,
        /// Column `code`.
        code -> Text,
        /// Column `name`.
        name -> Text,
        /// Column `zone`.
        zone -> Text,
        /// Column `log_key`.
        log_key -> Text,
        /// Column `first_draw`.
        first_draw -> BigInt,
        /// Column `sales_suspended_leaf`.
        sales_suspended_leaf -> Nullable<BigInt>,
        /// Column `schedule_halted_leaf`.
        schedule_halted_leaf -> Nullable<BigInt>,
        /// Column `fence`.
        fence -> BigInt,
        /// Column `instance`.
        instance -> Text,
    }
}

diesel::table! {
    /// The record itself: every fact as a leaf with its nonce and body. Rows are inserted once and never changed; all other tables can be rebuilt from this one.
    log_entry (leaf_index) {
        /// Column `leaf_index`.
        leaf_index -> BigInt,
        /// Column `leaf`.
        leaf -> Binary,
        /// Column `leaf_hash`.
        leaf_hash -> Binary,
        /// Column `nonce`.
        nonce -> Binary,
        /// Column `body`.
        body -> Binary,
    }
}

diesel::table! {
    /// The right edge of the tree; advanced by compare-and-swap on size, so that two writers cannot both append.
    log_head (id) {
        /// Column `id`.
        id -> SmallInt,
        /// Column `size`.
        size -> BigInt,
        /// Column `edge`.
        edge -> Binary,
        /// Column `root`.
        root -> Binary,
        /// Column `at_ms`.
        at_ms -> BigInt,
    }
}

diesel::table! {
    /// Epochs: each says from where the log went on after a restore, and which numbers may not be used again.
    epoch (number) {
        /// Column `number`.
        number -> BigInt,
        /// Column `leaf`.
        leaf -> BigInt,
        /// Column `continues_size`.
        continues_size -> BigInt,
        /// Column `continues_root`.
        continues_root -> Binary,
        /// Column `lost_size`.
        lost_size -> BigInt,
        /// Column `lost_root`.
        lost_root -> Binary,
        /// Column `next_draw`.
        next_draw -> BigInt,
        /// Column `next_session`.
        next_session -> BigInt,
        /// Column `next_shift`.
        next_shift -> BigInt,
        /// Column `reason`.
        reason -> Text,
        /// Column `opened_by`.
        opened_by -> Text,
        /// Column `second`.
        second -> Text,
    }
}

diesel::table! {
    /// Devices that were left, and which device went on with what they left open.
    hand_over (leaf) {
        /// Column `leaf`.
        leaf -> BigInt,
        /// Column `device`.
        device -> BigInt,
        /// Column `to_device`.
        to_device -> BigInt,
        /// Column `shift`.
        shift -> Nullable<BigInt>,
        /// Column `reason`.
        reason -> Text,
        /// Column `handed_by`.
        handed_by -> Text,
        /// Column `second`.
        second -> Text,
        /// Column `returned_leaf`.
        returned_leaf -> Nullable<BigInt>,
    }
}

diesel::table! {
    /// Versions of the rules (ss. 2, 76).
    rule_book (version) {
        /// Column `version`.
        version -> BigInt,
        /// Column `effective_from`.
        effective_from -> BigInt,
        /// Column `hash`.
        hash -> Binary,
        /// Column `text`.
        text -> Text,
        /// Column `published_by`.
        published_by -> Text,
        /// Column `second`.
        second -> Text,
        /// Column `leaf`.
        leaf -> BigInt,
    }
}

diesel::table! {
    /// Credentials of PINs, by their SHA-256, which the record holds.
    credential (hash) {
        /// Column `hash`.
        hash -> Binary,
        /// Column `phc`.
        phc -> Text,
    }
}

diesel::table! {
    /// People with badges and roles, as they now stand.
    person (badge) {
        /// Column `badge`.
        badge -> Text,
        /// Column `staff`.
        staff -> Text,
        /// Column `name`.
        name -> Text,
        /// Column `roles`.
        roles -> Binary,
        /// Column `credential`.
        credential -> Binary,
        /// Column `must_change`.
        must_change -> Bool,
        /// Column `active`.
        active -> Bool,
        /// Column `leaf`.
        leaf -> BigInt,
        /// Column `named_leaf`.
        named_leaf -> Nullable<BigInt>,
        /// Column `acting_leaf`.
        acting_leaf -> Nullable<BigInt>,
    }
}

diesel::table! {
    /// Devices and the hash of their keys, as they now stand.
    device (number) {
        /// Column `number`.
        number -> BigInt,
        /// Column `name`.
        name -> Text,
        /// Column `role`.
        role -> SmallInt,
        /// Column `key_hash`.
        key_hash -> Binary,
        /// Column `active`.
        active -> Bool,
        /// Column `leaf`.
        leaf -> BigInt,
    }
}

diesel::table! {
    /// Sign-ons. An ended session's unknown keys are dead.
    session (number) {
        /// Column `number`.
        number -> BigInt,
        /// Column `device`.
        device -> BigInt,
        /// Column `badge`.
        badge -> Text,
        /// Column `token_hash`.
        token_hash -> Binary,
        /// Column `opened_leaf`.
        opened_leaf -> BigInt,
        /// Column `ended_leaf`.
        ended_leaf -> Nullable<BigInt>,
    }
}

diesel::table! {
    /// Tills: opened with a float, counted blind, closed once.
    shift (number) {
        /// Column `number`.
        number -> BigInt,
        /// Column `device`.
        device -> BigInt,
        /// Column `badge`.
        badge -> Text,
        /// Column `float_cents`.
        float_cents -> BigInt,
        /// Column `opened_leaf`.
        opened_leaf -> BigInt,
        /// Column `closed_leaf`.
        closed_leaf -> Nullable<BigInt>,
        /// Column `counted_cents`.
        counted_cents -> Nullable<BigInt>,
        /// Column `expected_cents`.
        expected_cents -> Nullable<BigInt>,
    }
}

diesel::table! {
    /// Fills and drops, by two people.
    till_movement (leaf) {
        /// Column `leaf`.
        leaf -> BigInt,
        /// Column `shift`.
        shift -> BigInt,
        /// Column `kind`.
        kind -> SmallInt,
        /// Column `amount_cents`.
        amount_cents -> BigInt,
        /// Column `moved_by`.
        moved_by -> Text,
        /// Column `second`.
        second -> Text,
    }
}

diesel::table! {
    /// Blind counts in the middle of a shift, by two people.
    till_count (leaf) {
        /// Column `leaf`.
        leaf -> BigInt,
        /// Column `shift`.
        shift -> BigInt,
        /// Column `device`.
        device -> BigInt,
        /// Column `counted_cents`.
        counted_cents -> BigInt,
        /// Column `expected_cents`.
        expected_cents -> BigInt,
        /// Column `reason`.
        reason -> Text,
        /// Column `counted_by`.
        counted_by -> Text,
        /// Column `second`.
        second -> Text,
    }
}

diesel::table! {
    /// Draws: times, pool, cap and seal. Numbers are never reused.
    draw (number) {
        /// Column `number`.
        number -> BigInt,
        /// Column `state`.
        state -> SmallInt,
        /// Column `closes_at_ms`.
        closes_at_ms -> BigInt,
        /// Column `draws_at_ms`.
        draws_at_ms -> BigInt,
        /// Column `source`.
        source -> SmallInt,
        /// Column `pool_size`.
        pool_size -> SmallInt,
        /// Column `drawn`.
        drawn -> SmallInt,
        /// Column `cap_cents`.
        cap_cents -> BigInt,
        /// Column `full_below_cents`.
        full_below_cents -> BigInt,
        /// Column `scheduled_leaf`.
        scheduled_leaf -> BigInt,
        /// Column `opened_leaf`.
        opened_leaf -> Nullable<BigInt>,
        /// Column `closed_leaf`.
        closed_leaf -> Nullable<BigInt>,
        /// Column `seal_root`.
        seal_root -> Nullable<Binary>,
        /// Column `tickets`.
        tickets -> BigInt,
        /// Column `selections`.
        selections -> BigInt,
        /// Column `wagered_cents`.
        wagered_cents -> BigInt,
        /// Column `started_leaf`.
        started_leaf -> Nullable<BigInt>,
        /// Column `voided_leaf`.
        voided_leaf -> Nullable<BigInt>,
        /// Column `void_reason`.
        void_reason -> Nullable<Text>,
    }
}

diesel::table! {
    /// Holders of a draw's secrets, in the order of the derivation.
    draw_holder (draw, position) {
        /// Column `draw`.
        draw -> BigInt,
        /// Column `position`.
        position -> SmallInt,
        /// Column `holder`.
        holder -> Text,
        /// Column `commitment`.
        commitment -> Nullable<Binary>,
        /// Column `commitment_leaf`.
        commitment_leaf -> Nullable<BigInt>,
        /// Column `secret`.
        secret -> Nullable<Binary>,
    }
}

diesel::table! {
    /// Winning numbers in order. A row is written once, with all the numbers.
    draw_result (draw) {
        /// Column `draw`.
        draw -> BigInt,
        /// Column `machine`.
        machine -> SmallInt,
        /// Column `balls`.
        balls -> Binary,
        /// Column `words_used`.
        words_used -> BigInt,
        /// Column `words_rejected`.
        words_rejected -> BigInt,
        /// Column `secrets_hash`.
        secrets_hash -> Binary,
        /// Column `recorded_leaf`.
        recorded_leaf -> BigInt,
        /// Column `recorded_at_ms`.
        recorded_at_ms -> BigInt,
        /// Column `certified_leaf`.
        certified_leaf -> Nullable<BigInt>,
        /// Column `certifiers`.
        certifiers -> Nullable<Text>,
        /// Column `revealed_leaf`.
        revealed_leaf -> Nullable<BigInt>,
    }
}

diesel::table! {
    /// What a settled draw came to.
    draw_settlement (draw) {
        /// Column `draw`.
        draw -> BigInt,
        /// Column `leaf`.
        leaf -> BigInt,
        /// Column `winners`.
        winners -> BigInt,
        /// Column `small_cents`.
        small_cents -> BigInt,
        /// Column `large_cents`.
        large_cents -> BigInt,
        /// Column `payable_cents`.
        payable_cents -> BigInt,
        /// Column `small_numerator`.
        small_numerator -> BigInt,
        /// Column `small_denominator`.
        small_denominator -> BigInt,
        /// Column `large_numerator`.
        large_numerator -> BigInt,
        /// Column `large_denominator`.
        large_denominator -> BigInt,
        /// Column `breakage_cents`.
        breakage_cents -> BigInt,
        /// Column `prize_root`.
        prize_root -> Binary,
    }
}

diesel::table! {
    /// Tickets: what was registered (ss. 81, 82, 84), and what became of them. The control number stands here only as a keyed hash.
    ticket (number) {
        /// Column `number`.
        number -> BigInt,
        /// Column `control_hash`.
        control_hash -> Binary,
        /// Column `device`.
        device -> BigInt,
        /// Column `session`.
        session -> BigInt,
        /// Column `counter`.
        counter -> BigInt,
        /// Column `control_attempt`.
        control_attempt -> SmallInt,
        /// Column `secret_key`.
        secret_key -> SmallInt,
        /// Column `rule_book`.
        rule_book -> BigInt,
        /// Column `first_draw`.
        first_draw -> BigInt,
        /// Column `last_draw`.
        last_draw -> BigInt,
        /// Column `selections`.
        selections -> Text,
        /// Column `per_draw_cents`.
        per_draw_cents -> BigInt,
        /// Column `total_cents`.
        total_cents -> BigInt,
        /// Column `cap_cents`.
        cap_cents -> BigInt,
        /// Column `claim_by`.
        claim_by -> BigInt,
        /// Column `tender`.
        tender -> SmallInt,
        /// Column `received_cents`.
        received_cents -> BigInt,
        /// Column `badge`.
        badge -> Text,
        /// Column `shift`.
        shift -> BigInt,
        /// Column `intake`.
        intake -> SmallInt,
        /// Column `replay_of`.
        replay_of -> Nullable<BigInt>,
        /// Column `sold_at_ms`.
        sold_at_ms -> BigInt,
        /// Column `state`.
        state -> SmallInt,
        /// Column `copy`.
        copy -> SmallInt,
        /// Column `confirmed_copy`.
        confirmed_copy -> SmallInt,
        /// Column `presented_at_ms`.
        presented_at_ms -> Nullable<BigInt>,
        /// Column `held_leaf`.
        held_leaf -> Nullable<BigInt>,
        /// Column `released_leaf`.
        released_leaf -> Nullable<BigInt>,
        /// Column `refused_reason`.
        refused_reason -> Nullable<SmallInt>,
    }
}

diesel::table! {
    /// What happened to a ticket after its sale, for its life line.
    ticket_fact (leaf) {
        /// Column `leaf`.
        leaf -> BigInt,
        /// Column `ticket`.
        ticket -> BigInt,
        /// Column `kind`.
        kind -> SmallInt,
    }
}

diesel::table! {
    /// Prizes of settled draws.
    prize (draw, ticket) {
        /// Column `draw`.
        draw -> BigInt,
        /// Column `ticket`.
        ticket -> BigInt,
        /// Column `computed_cents`.
        computed_cents -> BigInt,
        /// Column `payable_cents`.
        payable_cents -> BigInt,
        /// Column `expired_leaf`.
        expired_leaf -> Nullable<BigInt>,
    }
}

diesel::table! {
    /// Payments of prizes and refunds.
    payment (number) {
        /// Column `number`.
        number -> BigInt,
        /// Column `ticket`.
        ticket -> BigInt,
        /// Column `total_cents`.
        total_cents -> BigInt,
        /// Column `tender`.
        tender -> SmallInt,
        /// Column `rounding_cents`.
        rounding_cents -> BigInt,
        /// Column `path`.
        path -> SmallInt,
        /// Column `badge`.
        badge -> Text,
        /// Column `second`.
        second -> Nullable<Text>,
        /// Column `shift`.
        shift -> BigInt,
        /// Column `paid_at_ms`.
        paid_at_ms -> BigInt,
        /// Column `reversed_leaf`.
        reversed_leaf -> Nullable<BigInt>,
    }
}

diesel::table! {
    /// What a payment paid, by draw. `reversed` is the payment's leaf once undone, else 0: a (ticket, draw) is paid at most once.
    payment_item (payment, draw) {
        /// Column `payment`.
        payment -> BigInt,
        /// Column `draw`.
        draw -> BigInt,
        /// Column `ticket`.
        ticket -> BigInt,
        /// Column `kind`.
        kind -> SmallInt,
        /// Column `amount_cents`.
        amount_cents -> BigInt,
        /// Column `reversed`.
        reversed -> BigInt,
    }
}

diesel::table! {
    /// One outcome for each key of a device: sale, cancellation, payment, or closed.
    command_key (device, session, counter) {
        /// Column `device`.
        device -> BigInt,
        /// Column `session`.
        session -> BigInt,
        /// Column `counter`.
        counter -> BigInt,
        /// Column `kind`.
        kind -> SmallInt,
        /// Column `content_hash`.
        content_hash -> Binary,
        /// Column `leaf`.
        leaf -> BigInt,
    }
}

diesel::table! {
    /// Refunds of tickets whose record a restore lost: each control number once.
    lost_refund (leaf) {
        /// Column `leaf`.
        leaf -> BigInt,
        /// Column `control_hash`.
        control_hash -> Binary,
        /// Column `sold_epoch`.
        sold_epoch -> BigInt,
        /// Column `paper_size`.
        paper_size -> BigInt,
        /// Column `amount_cents`.
        amount_cents -> BigInt,
        /// Column `tender`.
        tender -> SmallInt,
        /// Column `reason`.
        reason -> Text,
        /// Column `badge`.
        badge -> Text,
        /// Column `second`.
        second -> Text,
        /// Column `shift`.
        shift -> BigInt,
        /// Column `refunded_at_ms`.
        refunded_at_ms -> BigInt,
    }
}

diesel::table! {
    /// Files of damaged papers, and what was decided of each (s. 83).
    damaged_file (leaf) {
        /// Column `leaf`.
        leaf -> BigInt,
        /// Column `ticket`.
        ticket -> Nullable<BigInt>,
        /// Column `device`.
        device -> BigInt,
        /// Column `badge`.
        badge -> Text,
        /// Column `opened_at_ms`.
        opened_at_ms -> BigInt,
        /// Column `judged_leaf`.
        judged_leaf -> Nullable<BigInt>,
        /// Column `is_paid`.
        is_paid -> SmallInt,
        /// Column `by_three`.
        by_three -> SmallInt,
    }
}

diesel::table! {
    /// Times of more than a day in which nobody was served, by the leaf after and the last before.
    silence (leaf) {
        /// Column `leaf`.
        leaf -> BigInt,
        /// Column `served_leaf`.
        served_leaf -> BigInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    house,
    log_entry,
    log_head,
    epoch,
    hand_over,
    rule_book,
    person,
    device,
    session,
    shift,
    till_movement,
    till_count,
    draw,
    draw_holder,
    draw_result,
    draw_settlement,
    ticket,
    ticket_fact,
    prize,
    payment,
    payment_item,
    command_key,
    lost_refund,
    damaged_file,
    silence
);

/// Names of all the tables, the record first, then its projections in the order of their references.
pub const TABLES: &[&str] = &[
    "log_entry",
    "house",
    "log_head",
    "credential",
    "epoch",
    "rule_book",
    "person",
    "device",
    "session",
    "shift",
    "hand_over",
    "till_movement",
    "till_count",
    "draw",
    "draw_holder",
    "draw_result",
    "draw_settlement",
    "ticket",
    "ticket_fact",
    "prize",
    "payment",
    "payment_item",
    "command_key",
    "lost_refund",
    "damaged_file",
    "silence",
];

diesel::joinable!(draw_result -> draw (draw));
diesel::joinable!(draw_settlement -> draw (draw));
diesel::joinable!(prize -> ticket (ticket));
diesel::joinable!(payment_item -> payment (payment));
