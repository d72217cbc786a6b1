DROP TABLE epoch;
