DROP TABLE lost_refund;
