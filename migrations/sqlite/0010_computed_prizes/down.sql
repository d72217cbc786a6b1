-- Prizes of settled draws.
CREATE TABLE prize (
    draw INTEGER NOT NULL REFERENCES draw (number),
    ticket INTEGER NOT NULL REFERENCES ticket (number),
    computed_cents INTEGER NOT NULL CHECK (computed_cents > 0),
    payable_cents INTEGER NOT NULL CHECK (payable_cents >= 0),
    expired_leaf INTEGER,
    PRIMARY KEY (draw, ticket),
    CHECK (payable_cents <= computed_cents)
) STRICT, WITHOUT ROWID;
