DROP TABLE damaged_file;
