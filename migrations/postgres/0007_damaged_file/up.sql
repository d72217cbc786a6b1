-- Files of damaged papers, and what was decided of each (s. 83).
CREATE TABLE damaged_file (
    leaf BIGINT PRIMARY KEY,
    ticket BIGINT REFERENCES ticket (number),
    device BIGINT NOT NULL,
    badge TEXT NOT NULL,
    opened_at_ms BIGINT NOT NULL,
    judged_leaf BIGINT,
    is_paid SMALLINT NOT NULL CHECK (is_paid IN (0, 1)),
    by_three SMALLINT NOT NULL CHECK (by_three IN (0, 1)),
    -- Nothing is paid of a file that names no ticket, or that nobody has judged.
    CHECK (is_paid = 0 OR (ticket IS NOT NULL AND judged_leaf IS NOT NULL))
);
CREATE INDEX damaged_file_by_ticket ON damaged_file (ticket);
