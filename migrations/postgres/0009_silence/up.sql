-- Times of more than a day without an entry, each ended by the leaf of a start or of a restore.
CREATE TABLE silence (
    leaf BIGINT PRIMARY KEY,
    from_ms BIGINT NOT NULL,
    until_ms BIGINT NOT NULL CHECK (until_ms > from_ms)
);
