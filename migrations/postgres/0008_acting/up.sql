-- Who may be made an acting supervisor, and was last: the leaves that say so.
ALTER TABLE person ADD COLUMN named_leaf BIGINT;
ALTER TABLE person ADD COLUMN acting_leaf BIGINT;
