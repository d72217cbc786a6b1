-- Epochs: each says from where the log went on after a restore, and which numbers may not be used again.
CREATE TABLE epoch (
    number INTEGER PRIMARY KEY CHECK (number > 1),
    leaf INTEGER NOT NULL UNIQUE,
    continues_size INTEGER NOT NULL CHECK (continues_size > 0),
    continues_root BLOB NOT NULL CHECK (length(continues_root) = 32),
    lost_size INTEGER NOT NULL,
    lost_root BLOB NOT NULL CHECK (length(lost_root) = 32),
    next_draw INTEGER NOT NULL CHECK (next_draw > 0),
    next_session INTEGER NOT NULL CHECK (next_session > 0),
    next_shift INTEGER NOT NULL CHECK (next_shift > 0),
    reason TEXT NOT NULL,
    opened_by TEXT NOT NULL,
    second TEXT NOT NULL,
    -- Two people open an epoch.
    CHECK (opened_by <> second),
    -- What was lost came after what it goes on from.
    CHECK (lost_size >= continues_size)
) STRICT;
