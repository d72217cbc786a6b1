ALTER TABLE person DROP COLUMN acting_leaf;
ALTER TABLE person DROP COLUMN named_leaf;
