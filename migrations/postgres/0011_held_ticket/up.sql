-- Tickets that somebody holds and nobody has released: few, and looked for often.
CREATE INDEX ticket_held ON ticket (number) WHERE held_leaf IS NOT NULL AND released_leaf IS NULL;
