-- Refunds of tickets whose record a restore lost: each once.
CREATE TABLE lost_refund (
    leaf BIGINT PRIMARY KEY,
    sold_epoch BIGINT NOT NULL CHECK (sold_epoch > 0),
    lost_leaf BIGINT NOT NULL CHECK (lost_leaf >= 0),
    amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
    tender SMALLINT NOT NULL CHECK (tender BETWEEN 1 AND 3),
    reason TEXT NOT NULL,
    badge TEXT NOT NULL,
    second TEXT NOT NULL,
    shift BIGINT NOT NULL REFERENCES shift (number),
    refunded_at_ms BIGINT NOT NULL,
    UNIQUE (lost_leaf, sold_epoch),
    -- Two people refund it.
    CHECK (badge <> second)
);
