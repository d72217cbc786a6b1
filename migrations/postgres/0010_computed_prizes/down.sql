-- Prizes of settled draws.
CREATE TABLE prize (
    draw BIGINT NOT NULL REFERENCES draw (number),
    ticket BIGINT NOT NULL REFERENCES ticket (number),
    computed_cents BIGINT NOT NULL CHECK (computed_cents > 0),
    payable_cents BIGINT NOT NULL CHECK (payable_cents >= 0),
    expired_leaf BIGINT,
    PRIMARY KEY (draw, ticket),
    CHECK (payable_cents <= computed_cents)
);
