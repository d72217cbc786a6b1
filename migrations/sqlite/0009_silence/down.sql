DROP TABLE silence;
