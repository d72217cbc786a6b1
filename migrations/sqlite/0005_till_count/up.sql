-- Blind counts in the middle of a shift: they move nothing and close nothing.
CREATE TABLE till_count (
    leaf INTEGER PRIMARY KEY,
    shift INTEGER NOT NULL REFERENCES shift (number),
    device INTEGER NOT NULL REFERENCES device (number),
    counted_cents INTEGER NOT NULL CHECK (counted_cents >= 0),
    expected_cents INTEGER NOT NULL,
    reason TEXT NOT NULL,
    counted_by TEXT NOT NULL,
    second TEXT NOT NULL,
    -- Two people count.
    CHECK (counted_by <> second)
) STRICT;
