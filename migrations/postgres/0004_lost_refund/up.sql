-- Refunds of tickets whose record a restore lost: each control number once.
CREATE TABLE lost_refund (
    leaf BIGINT PRIMARY KEY,
    control_hash BYTEA NOT NULL UNIQUE CHECK (octet_length(control_hash) = 32),
    sold_epoch BIGINT NOT NULL CHECK (sold_epoch > 0),
    paper_size BIGINT NOT NULL CHECK (paper_size >= 0),
    amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
    tender SMALLINT NOT NULL CHECK (tender BETWEEN 1 AND 3),
    reason TEXT NOT NULL,
    badge TEXT NOT NULL,
    second TEXT NOT NULL,
    shift BIGINT NOT NULL REFERENCES shift (number),
    refunded_at_ms BIGINT NOT NULL,
    -- Two people refund it.
    CHECK (badge <> second)
);

-- A key may end in such a refund: kind 6.
ALTER TABLE command_key DROP CONSTRAINT command_key_kind_check;
ALTER TABLE command_key ADD CONSTRAINT command_key_kind_check CHECK (kind BETWEEN 1 AND 6);
