-- The record and its projections. Every rule that guards money is also a constraint here, with its reason.

-- Whose record this is; one row.
CREATE TABLE house (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    zone TEXT NOT NULL,
    log_key TEXT NOT NULL,
    first_draw INTEGER NOT NULL CHECK (first_draw > 0),
    sales_suspended_leaf INTEGER,
    schedule_halted_leaf INTEGER,
    fence INTEGER NOT NULL,
    instance TEXT NOT NULL
) STRICT;

-- The record itself: every fact as a leaf with its nonce and body. Rows are inserted once and never changed; all other tables can be rebuilt from this one.
CREATE TABLE log_entry (
    leaf_index INTEGER PRIMARY KEY CHECK (leaf_index >= 0),
    leaf BLOB NOT NULL CHECK (length(leaf) = 62),
    leaf_hash BLOB NOT NULL CHECK (length(leaf_hash) = 32),
    nonce BLOB NOT NULL CHECK (length(nonce) = 32),
    body BLOB NOT NULL
) STRICT;

-- The right edge of the tree; advanced by compare-and-swap on size, so that two writers cannot both append.
CREATE TABLE log_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    size INTEGER NOT NULL CHECK (size >= 0),
    edge BLOB NOT NULL,
    root BLOB NOT NULL CHECK (length(root) = 32),
    at_ms INTEGER NOT NULL
) STRICT;

-- Credentials of PINs, by their SHA-256, which the record holds. Kept beside it: no leaf gives one back, and no export has one.
CREATE TABLE credential (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    phc TEXT NOT NULL
) STRICT;

-- Versions of the rules (ss. 2, 76).
CREATE TABLE rule_book (
    version INTEGER PRIMARY KEY CHECK (version > 0),
    effective_from INTEGER NOT NULL,
    hash BLOB NOT NULL,
    text TEXT NOT NULL,
    published_by TEXT NOT NULL,
    second TEXT NOT NULL,
    leaf INTEGER NOT NULL UNIQUE,
    CHECK (published_by <> second) /* publishing takes two people */
) STRICT;

-- People with badges and roles, as they now stand.
CREATE TABLE person (
    badge TEXT PRIMARY KEY,
    staff TEXT NOT NULL,
    name TEXT NOT NULL,
    roles BLOB NOT NULL,
    credential BLOB NOT NULL CHECK (length(credential) = 32),
    must_change INTEGER NOT NULL CHECK (must_change IN (0, 1)),
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    leaf INTEGER NOT NULL
) STRICT;

-- Devices and the hash of their keys, as they now stand.
CREATE TABLE device (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    name TEXT NOT NULL,
    role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 7),
    key_hash BLOB NOT NULL CHECK (length(key_hash) = 32),
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    leaf INTEGER NOT NULL
) STRICT;

-- Sign-ons. An ended session's unknown keys are dead.
CREATE TABLE session (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    device INTEGER NOT NULL REFERENCES device (number),
    badge TEXT NOT NULL REFERENCES person (badge),
    token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
    opened_leaf INTEGER NOT NULL,
    ended_leaf INTEGER
) STRICT;

-- Tills: opened with a float, counted blind, closed once.
CREATE TABLE shift (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    device INTEGER NOT NULL REFERENCES device (number),
    badge TEXT NOT NULL REFERENCES person (badge),
    float_cents INTEGER NOT NULL CHECK (float_cents >= 0),
    opened_leaf INTEGER NOT NULL,
    closed_leaf INTEGER,
    counted_cents INTEGER,
    expected_cents INTEGER,
    CHECK ((closed_leaf IS NULL) = (counted_cents IS NULL))
) STRICT;

-- Fills and drops, by two people.
CREATE TABLE till_movement (
    leaf INTEGER PRIMARY KEY,
    shift INTEGER NOT NULL REFERENCES shift (number),
    kind INTEGER NOT NULL CHECK (kind IN (1, 2)),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    moved_by TEXT NOT NULL,
    second TEXT NOT NULL,
    CHECK (moved_by <> second)
) STRICT;

-- Draws: times, pool, cap and seal. Numbers are never reused.
CREATE TABLE draw (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 9),
    closes_at_ms INTEGER NOT NULL,
    draws_at_ms INTEGER NOT NULL,
    source INTEGER NOT NULL CHECK (source IN (1, 2)) /* s. 75 */,
    pool_size INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    cap_cents INTEGER NOT NULL CHECK (cap_cents > 0),
    full_below_cents INTEGER NOT NULL,
    scheduled_leaf INTEGER NOT NULL UNIQUE,
    opened_leaf INTEGER,
    closed_leaf INTEGER,
    seal_root BLOB,
    tickets INTEGER NOT NULL,
    selections INTEGER NOT NULL,
    wagered_cents INTEGER NOT NULL,
    started_leaf INTEGER,
    voided_leaf INTEGER,
    void_reason TEXT,
    CHECK (closes_at_ms < draws_at_ms),
    CHECK ((closed_leaf IS NULL) = (seal_root IS NULL)) /* closing is sealing */,
    CHECK (started_leaf IS NULL OR closed_leaf IS NOT NULL) /* no ball before the seal */,
    CHECK (state <> 9 OR voided_leaf IS NOT NULL)
) STRICT;

-- Holders of a draw's secrets, in the order of the derivation.
CREATE TABLE draw_holder (
    draw INTEGER NOT NULL REFERENCES draw (number),
    position INTEGER NOT NULL,
    holder TEXT NOT NULL,
    commitment BLOB,
    commitment_leaf INTEGER,
    secret BLOB,
    PRIMARY KEY (draw, position),
    CHECK (secret IS NULL OR commitment IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- Winning numbers in order. A row is written once, with all the numbers.
CREATE TABLE draw_result (
    draw INTEGER PRIMARY KEY REFERENCES draw (number),
    machine INTEGER NOT NULL,
    balls BLOB NOT NULL,
    words_used INTEGER NOT NULL,
    words_rejected INTEGER NOT NULL,
    secrets_hash BLOB NOT NULL,
    recorded_leaf INTEGER NOT NULL,
    recorded_at_ms INTEGER NOT NULL,
    certified_leaf INTEGER,
    certifiers TEXT,
    revealed_leaf INTEGER
) STRICT;

-- What a settled draw came to.
CREATE TABLE draw_settlement (
    draw INTEGER PRIMARY KEY REFERENCES draw (number),
    leaf INTEGER NOT NULL,
    winners INTEGER NOT NULL,
    small_cents INTEGER NOT NULL,
    large_cents INTEGER NOT NULL,
    payable_cents INTEGER NOT NULL,
    small_numerator INTEGER NOT NULL,
    small_denominator INTEGER NOT NULL CHECK (small_denominator > 0),
    large_numerator INTEGER NOT NULL,
    large_denominator INTEGER NOT NULL CHECK (large_denominator > 0),
    breakage_cents INTEGER NOT NULL CHECK (breakage_cents >= 0),
    prize_root BLOB NOT NULL,
    CHECK (payable_cents <= small_cents + large_cents)
) STRICT;

-- Tickets: what somebody looks them up by, and what became of them. What was registered (ss. 81, 82, 84) stands in the leaf of the sale.
CREATE TABLE ticket (
    number INTEGER PRIMARY KEY,
    device INTEGER NOT NULL,
    session INTEGER NOT NULL,
    first_draw INTEGER NOT NULL,
    last_draw INTEGER NOT NULL,
    badge TEXT NOT NULL,
    shift INTEGER NOT NULL,
    state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 3),
    copy INTEGER NOT NULL CHECK (copy >= 1),
    confirmed_copy INTEGER NOT NULL,
    held_leaf INTEGER,
    released_leaf INTEGER,
    CHECK (last_draw >= first_draw)
) STRICT;

-- What happened to a ticket after its sale, for its life line.
CREATE TABLE ticket_fact (
    leaf INTEGER PRIMARY KEY,
    ticket INTEGER NOT NULL REFERENCES ticket (number),
    kind INTEGER NOT NULL
) STRICT;

-- Payments of prizes and refunds.
CREATE TABLE payment (
    number INTEGER PRIMARY KEY,
    ticket INTEGER NOT NULL REFERENCES ticket (number),
    total_cents INTEGER NOT NULL CHECK (total_cents > 0),
    tender INTEGER NOT NULL,
    rounding_cents INTEGER NOT NULL CHECK (rounding_cents BETWEEN -2 AND 2),
    path INTEGER NOT NULL,
    badge TEXT NOT NULL,
    second TEXT,
    shift INTEGER NOT NULL,
    paid_at_ms INTEGER NOT NULL,
    reversed_leaf INTEGER,
    CHECK (second IS NULL OR second <> badge)
) STRICT;

-- What a payment paid, by draw. `reversed` is the payment's leaf once undone, else 0: a (ticket, draw) is paid at most once.
CREATE TABLE payment_item (
    payment INTEGER NOT NULL REFERENCES payment (number),
    draw INTEGER NOT NULL REFERENCES draw (number),
    ticket INTEGER NOT NULL,
    kind INTEGER NOT NULL CHECK (kind IN (1, 2)),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    reversed INTEGER NOT NULL,
    PRIMARY KEY (payment, draw),
    UNIQUE (ticket, draw, reversed) /* paid once */
) STRICT, WITHOUT ROWID;

-- Keys of the sessions that have ended, some thousand a row: the lower part of the counter (two bytes) and the leaf that answered it (eight) of each. What an open session was answered is in memory.
CREATE TABLE key_page (
    device INTEGER NOT NULL,
    session INTEGER NOT NULL,
    page INTEGER NOT NULL,
    keys BLOB NOT NULL,
    PRIMARY KEY (device, session, page)
) STRICT, WITHOUT ROWID;

-- What a device asked for beside sales: its commands with a key.
CREATE TABLE command (
    leaf INTEGER PRIMARY KEY,
    device INTEGER NOT NULL
) STRICT;

CREATE INDEX ticket_fact_by_ticket ON ticket_fact (ticket, leaf);
CREATE INDEX payment_by_ticket ON payment (ticket);
CREATE INDEX session_open ON session (ended_leaf);
CREATE INDEX ticket_by_last_draw ON ticket (last_draw);

-- The record is insert-only.
CREATE TRIGGER log_entry_never_changes BEFORE UPDATE ON log_entry BEGIN SELECT RAISE(ABORT, 'the record is insert-only'); END;
CREATE TRIGGER log_entry_never_deleted BEFORE DELETE ON log_entry BEGIN SELECT RAISE(ABORT, 'the record is insert-only'); END;
CREATE TRIGGER log_entry_never_replaced BEFORE INSERT ON log_entry WHEN EXISTS (SELECT 1 FROM log_entry WHERE leaf_index = NEW.leaf_index) BEGIN SELECT RAISE(ABORT, 'the record is insert-only'); END;
