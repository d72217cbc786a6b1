-- Refused while a key has ended in such a refund: its row would fit nowhere.
CREATE TABLE command_key_of_five (
    device INTEGER NOT NULL,
    session INTEGER NOT NULL,
    counter INTEGER NOT NULL,
    kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 5),
    content_hash BLOB NOT NULL,
    leaf INTEGER NOT NULL,
    PRIMARY KEY (device, session, counter)
) STRICT, WITHOUT ROWID;
INSERT INTO command_key_of_five SELECT device, session, counter, kind, content_hash, leaf FROM command_key;
DROP TABLE command_key;
ALTER TABLE command_key_of_five RENAME TO command_key;
DROP TABLE lost_refund;
