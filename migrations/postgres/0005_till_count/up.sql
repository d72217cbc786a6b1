-- Blind counts in the middle of a shift: they move nothing and close nothing.
CREATE TABLE till_count (
    leaf BIGINT PRIMARY KEY,
    shift BIGINT NOT NULL REFERENCES shift (number),
    device BIGINT NOT NULL REFERENCES device (number),
    counted_cents BIGINT NOT NULL CHECK (counted_cents >= 0),
    expected_cents BIGINT NOT NULL,
    reason TEXT NOT NULL,
    counted_by TEXT NOT NULL,
    second TEXT NOT NULL,
    -- Two people count.
    CHECK (counted_by <> second)
);
