//! Tables, rows, connections, write transactions and migrations of the record.
