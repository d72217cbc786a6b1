-- Refused while a key has ended in such a refund: its row would fit nowhere.
ALTER TABLE command_key DROP CONSTRAINT command_key_kind_check;
ALTER TABLE command_key ADD CONSTRAINT command_key_kind_check CHECK (kind BETWEEN 1 AND 5);
DROP TABLE lost_refund;
