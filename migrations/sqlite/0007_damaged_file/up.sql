-- Files of damaged papers, and what was decided of each (s. 83).
CREATE TABLE damaged_file (
    leaf INTEGER PRIMARY KEY,
    ticket INTEGER REFERENCES ticket (number),
    device INTEGER NOT NULL,
    badge TEXT NOT NULL,
    opened_at_ms INTEGER NOT NULL,
    judged_leaf INTEGER,
    is_paid INTEGER NOT NULL CHECK (is_paid IN (0, 1)),
    by_three INTEGER NOT NULL CHECK (by_three IN (0, 1)),
    -- Nothing is paid of a file that names no ticket, or that nobody has judged.
    CHECK (is_paid = 0 OR (ticket IS NOT NULL AND judged_leaf IS NOT NULL))
) STRICT;
CREATE INDEX damaged_file_by_ticket ON damaged_file (ticket);
