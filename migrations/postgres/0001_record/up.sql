-- The record and its projections. Every rule that guards money is also a constraint here, with its reason.

-- Whose record this is; one row.
CREATE TABLE house (
    id SMALLINT PRIMARY KEY CHECK (id = 1),
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    zone TEXT NOT NULL,
    log_key TEXT NOT NULL,
    first_draw BIGINT NOT NULL CHECK (first_draw > 0),
    sales_suspended_leaf BIGINT,
    schedule_halted_leaf BIGINT,
    fence BIGINT NOT NULL,
    instance TEXT NOT NULL
);

-- The record itself: every fact as a leaf with its nonce and body. Rows are inserted once and never changed; all other tables can be rebuilt from this one.
CREATE TABLE log_entry (
    leaf_index BIGINT PRIMARY KEY CHECK (leaf_index >= 0),
    leaf BYTEA NOT NULL CHECK (octet_length(leaf) = 62),
    leaf_hash BYTEA NOT NULL CHECK (octet_length(leaf_hash) = 32),
    nonce BYTEA NOT NULL CHECK (octet_length(nonce) = 32),
    body BYTEA NOT NULL
);

-- The right edge of the tree; advanced by compare-and-swap on size, so that two writers cannot both append.
CREATE TABLE log_head (
    id SMALLINT PRIMARY KEY CHECK (id = 1),
    size BIGINT NOT NULL CHECK (size >= 0),
    edge BYTEA NOT NULL,
    root BYTEA NOT NULL CHECK (octet_length(root) = 32),
    at_ms BIGINT NOT NULL
);

-- Credentials of PINs, by their SHA-256, which the record holds. Kept beside it: no leaf gives one back, and no export has one.
CREATE TABLE credential (
    hash BYTEA PRIMARY KEY CHECK (length(hash) = 32),
    phc TEXT NOT NULL
);

-- Versions of the rules (ss. 2, 76).
CREATE TABLE rule_book (
    version BIGINT PRIMARY KEY CHECK (version > 0),
    effective_from BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    text TEXT NOT NULL,
    published_by TEXT NOT NULL,
    second TEXT NOT NULL,
    leaf BIGINT NOT NULL UNIQUE,
    CHECK (published_by <> second) /* publishing takes two people */
);

-- People with badges and roles, as they now stand.
CREATE TABLE person (
    badge TEXT PRIMARY KEY,
    staff TEXT NOT NULL,
    name TEXT NOT NULL,
    roles BYTEA NOT NULL,
    credential BYTEA NOT NULL CHECK (length(credential) = 32),
    must_change BOOLEAN NOT NULL,
    active BOOLEAN NOT NULL,
    leaf BIGINT NOT NULL
);

-- Devices and the hash of their keys, as they now stand.
CREATE TABLE device (
    number BIGINT PRIMARY KEY CHECK (number > 0),
    name TEXT NOT NULL,
    role SMALLINT NOT NULL CHECK (role BETWEEN 1 AND 7),
    key_hash BYTEA NOT NULL CHECK (octet_length(key_hash) = 32),
    active BOOLEAN NOT NULL,
    leaf BIGINT NOT NULL
);

-- Sign-ons. An ended session's unknown keys are dead.
CREATE TABLE session (
    number BIGINT PRIMARY KEY CHECK (number > 0),
    device BIGINT NOT NULL REFERENCES device (number),
    badge TEXT NOT NULL REFERENCES person (badge),
    token_hash BYTEA NOT NULL CHECK (octet_length(token_hash) = 32),
    opened_leaf BIGINT NOT NULL,
    ended_leaf BIGINT
);

-- Tills: opened with a float, counted blind, closed once.
CREATE TABLE shift (
    number BIGINT PRIMARY KEY CHECK (number > 0),
    device BIGINT NOT NULL REFERENCES device (number),
    badge TEXT NOT NULL REFERENCES person (badge),
    float_cents BIGINT NOT NULL CHECK (float_cents >= 0),
    opened_leaf BIGINT NOT NULL,
    closed_leaf BIGINT,
    counted_cents BIGINT,
    expected_cents BIGINT,
    CHECK ((closed_leaf IS NULL) = (counted_cents IS NULL))
);

-- Fills and drops, by two people.
CREATE TABLE till_movement (
    leaf BIGINT PRIMARY KEY,
    shift BIGINT NOT NULL REFERENCES shift (number),
    kind SMALLINT NOT NULL CHECK (kind IN (1, 2)),
    amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
    moved_by TEXT NOT NULL,
    second TEXT NOT NULL,
    CHECK (moved_by <> second)
);

-- Draws: times, pool, cap and seal. Numbers are never reused.
CREATE TABLE draw (
    number BIGINT PRIMARY KEY CHECK (number > 0),
    state SMALLINT NOT NULL CHECK (state BETWEEN 1 AND 9),
    closes_at_ms BIGINT NOT NULL,
    draws_at_ms BIGINT NOT NULL,
    source SMALLINT NOT NULL CHECK (source IN (1, 2)) /* s. 75 */,
    pool_size SMALLINT NOT NULL,
    drawn SMALLINT NOT NULL,
    cap_cents BIGINT NOT NULL CHECK (cap_cents > 0),
    full_below_cents BIGINT NOT NULL,
    scheduled_leaf BIGINT NOT NULL UNIQUE,
    opened_leaf BIGINT,
    closed_leaf BIGINT,
    seal_root BYTEA,
    tickets BIGINT NOT NULL,
    selections BIGINT NOT NULL,
    wagered_cents BIGINT NOT NULL,
    started_leaf BIGINT,
    voided_leaf BIGINT,
    void_reason TEXT,
    CHECK (closes_at_ms < draws_at_ms),
    CHECK ((closed_leaf IS NULL) = (seal_root IS NULL)) /* closing is sealing */,
    CHECK (started_leaf IS NULL OR closed_leaf IS NOT NULL) /* no ball before the seal */,
    CHECK (state <> 9 OR voided_leaf IS NOT NULL)
);

-- Holders of a draw's secrets, in the order of the derivation.
CREATE TABLE draw_holder (
    draw BIGINT NOT NULL REFERENCES draw (number),
    position SMALLINT NOT NULL,
    holder TEXT NOT NULL,
    commitment BYTEA,
    commitment_leaf BIGINT,
    secret BYTEA,
    PRIMARY KEY (draw, position),
    CHECK (secret IS NULL OR commitment IS NOT NULL)
);

-- Winning numbers in order. A row is written once, with all the numbers.
CREATE TABLE draw_result (
    draw BIGINT PRIMARY KEY REFERENCES draw (number),
    machine SMALLINT NOT NULL,
    balls BYTEA NOT NULL,
    words_used BIGINT NOT NULL,
    words_rejected BIGINT NOT NULL,
    secrets_hash BYTEA NOT NULL,
    recorded_leaf BIGINT NOT NULL,
    recorded_at_ms BIGINT NOT NULL,
    certified_leaf BIGINT,
    certifiers TEXT,
    revealed_leaf BIGINT
);

-- What a settled draw came to.
CREATE TABLE draw_settlement (
    draw BIGINT PRIMARY KEY REFERENCES draw (number),
    leaf BIGINT NOT NULL,
    winners BIGINT NOT NULL,
    small_cents BIGINT NOT NULL,
    large_cents BIGINT NOT NULL,
    payable_cents BIGINT NOT NULL,
    small_numerator BIGINT NOT NULL,
    small_denominator BIGINT NOT NULL CHECK (small_denominator > 0),
    large_numerator BIGINT NOT NULL,
    large_denominator BIGINT NOT NULL CHECK (large_denominator > 0),
    breakage_cents BIGINT NOT NULL CHECK (breakage_cents >= 0),
    prize_root BYTEA NOT NULL,
    CHECK (payable_cents <= small_cents + large_cents)
);

-- Tickets: what somebody looks them up by, and what became of them. What was registered (ss. 81, 82, 84) stands in the leaf of the sale.
CREATE TABLE ticket (
    number BIGINT PRIMARY KEY,
    device BIGINT NOT NULL,
    session BIGINT NOT NULL,
    first_draw BIGINT NOT NULL,
    last_draw BIGINT NOT NULL,
    badge TEXT NOT NULL,
    shift BIGINT NOT NULL,
    state SMALLINT NOT NULL CHECK (state BETWEEN 1 AND 3),
    copy SMALLINT NOT NULL CHECK (copy >= 1),
    confirmed_copy SMALLINT NOT NULL,
    held_leaf BIGINT,
    released_leaf BIGINT,
    CHECK (last_draw >= first_draw)
);

-- What happened to a ticket after its sale, for its life line.
CREATE TABLE ticket_fact (
    leaf BIGINT PRIMARY KEY,
    ticket BIGINT NOT NULL REFERENCES ticket (number),
    kind SMALLINT NOT NULL
);

-- Payments of prizes and refunds.
CREATE TABLE payment (
    number BIGINT PRIMARY KEY,
    ticket BIGINT NOT NULL REFERENCES ticket (number),
    total_cents BIGINT NOT NULL CHECK (total_cents > 0),
    tender SMALLINT NOT NULL,
    rounding_cents BIGINT NOT NULL CHECK (rounding_cents BETWEEN -2 AND 2),
    path SMALLINT NOT NULL,
    badge TEXT NOT NULL,
    second TEXT,
    shift BIGINT NOT NULL,
    paid_at_ms BIGINT NOT NULL,
    reversed_leaf BIGINT,
    CHECK (second IS NULL OR second <> badge)
);

-- What a payment paid, by draw. `reversed` is the payment's leaf once undone, else 0: a (ticket, draw) is paid at most once.
CREATE TABLE payment_item (
    payment BIGINT NOT NULL REFERENCES payment (number),
    draw BIGINT NOT NULL REFERENCES draw (number),
    ticket BIGINT NOT NULL,
    kind SMALLINT NOT NULL CHECK (kind IN (1, 2)),
    amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
    reversed BIGINT NOT NULL,
    PRIMARY KEY (payment, draw),
    UNIQUE (ticket, draw, reversed) /* paid once */
);

-- Keys of the sessions that have ended, some thousand a row: the lower part of the counter (two bytes) and the leaf that answered it (eight) of each. What an open session was answered is in memory.
CREATE TABLE key_page (
    device BIGINT NOT NULL,
    session BIGINT NOT NULL,
    page BIGINT NOT NULL,
    keys BYTEA NOT NULL,
    PRIMARY KEY (device, session, page)
);

-- What a device asked for beside sales: its commands with a key.
CREATE TABLE command (
    leaf BIGINT PRIMARY KEY,
    device BIGINT NOT NULL
);

CREATE INDEX ticket_fact_by_ticket ON ticket_fact (ticket, leaf);
CREATE INDEX payment_by_ticket ON payment (ticket);
CREATE INDEX session_open ON session (ended_leaf);
CREATE INDEX ticket_by_last_draw ON ticket (last_draw);

-- The record is insert-only.
CREATE FUNCTION log_entry_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the record is insert-only'; END $$;
CREATE TRIGGER log_entry_never_changes BEFORE UPDATE OR DELETE ON log_entry FOR EACH ROW EXECUTE FUNCTION log_entry_refuse();
CREATE TRIGGER log_entry_never_emptied BEFORE TRUNCATE ON log_entry FOR EACH STATEMENT EXECUTE FUNCTION log_entry_refuse();
