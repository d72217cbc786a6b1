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

-- A key may end in such a refund: kind 6. SQLite cannot change a check, so the table is made anew.
CREATE TABLE command_key_of_six (
    device INTEGER NOT NULL,
    session INTEGER NOT NULL,
    counter INTEGER NOT NULL,
    kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 6),
    content_hash BLOB NOT NULL,
    leaf INTEGER NOT NULL,
    PRIMARY KEY (device, session, counter)
) STRICT, WITHOUT ROWID;
INSERT INTO command_key_of_six SELECT device, session, counter, kind, content_hash, leaf FROM command_key;
DROP TABLE command_key;
ALTER TABLE command_key_of_six RENAME TO command_key;
