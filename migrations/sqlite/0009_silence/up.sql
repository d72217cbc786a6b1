-- Times of more than a day without an entry, each ended by the leaf of a start or of a restore.
CREATE TABLE silence (
    leaf INTEGER PRIMARY KEY,
    from_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL CHECK (until_ms > from_ms)
) STRICT;
