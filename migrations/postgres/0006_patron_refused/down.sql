ALTER TABLE ticket DROP COLUMN refused_reason;
