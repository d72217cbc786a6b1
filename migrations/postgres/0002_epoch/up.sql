-- Epochs: each says from where the log went on after a restore, and which numbers may not be used again.
CREATE TABLE epoch (
    number BIGINT PRIMARY KEY CHECK (number > 1),
    leaf BIGINT NOT NULL UNIQUE,
    continues_size BIGINT NOT NULL CHECK (continues_size > 0),
    continues_root BYTEA NOT NULL CHECK (octet_length(continues_root) = 32),
    lost_size BIGINT NOT NULL,
    lost_root BYTEA NOT NULL CHECK (octet_length(lost_root) = 32),
    next_draw BIGINT NOT NULL CHECK (next_draw > 0),
    next_session BIGINT NOT NULL CHECK (next_session > 0),
    next_shift BIGINT NOT NULL CHECK (next_shift > 0),
    reason TEXT NOT NULL,
    opened_by TEXT NOT NULL,
    second TEXT NOT NULL,
    -- Two people open an epoch.
    CHECK (opened_by <> second),
    -- What was lost came after what it goes on from.
    CHECK (lost_size >= continues_size)
);
