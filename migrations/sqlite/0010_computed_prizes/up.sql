-- A prize is computed from its ticket's leaf, the numbers and the settling leaf.
DROP TABLE prize;
