-- Times of more than a day in which nobody was served: the last leaf of a sign-on, a sale or a payment
-- before, and that of a start, a halt or a restore after.
CREATE TABLE silence (
    leaf INTEGER PRIMARY KEY,
    served_leaf INTEGER NOT NULL CHECK (served_leaf < leaf)
) STRICT;
