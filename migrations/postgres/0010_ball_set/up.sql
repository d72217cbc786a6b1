-- The set of balls with which a draw was started, where the house has a register of them.
ALTER TABLE draw ADD COLUMN ball_set TEXT;
