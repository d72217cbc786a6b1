-- Refunds of tickets whose record a restore lost: each once.
CREATE TABLE lost_refund (
    leaf INTEGER PRIMARY KEY,
    sold_epoch INTEGER NOT NULL CHECK (sold_epoch > 0),
    lost_leaf INTEGER NOT NULL CHECK (lost_leaf >= 0),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    tender INTEGER NOT NULL CHECK (tender BETWEEN 1 AND 3),
    reason TEXT NOT NULL,
    badge TEXT NOT NULL,
    second TEXT NOT NULL,
    shift INTEGER NOT NULL REFERENCES shift (number),
    refunded_at_ms INTEGER NOT NULL,
    UNIQUE (lost_leaf, sold_epoch),
    -- Two people refund it.
    CHECK (badge <> second)
) STRICT;
