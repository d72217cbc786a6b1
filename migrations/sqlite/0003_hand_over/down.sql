DROP TABLE hand_over;
