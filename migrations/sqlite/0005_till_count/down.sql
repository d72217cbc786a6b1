DROP TABLE till_count;
