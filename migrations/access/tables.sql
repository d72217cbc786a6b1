-- The file of the access log, `access.sqlite` beside the record, whichever database that is in. It
-- holds what is no fact of the record: who looked at what, messages, which terminals are stopped,
-- and counters of PINs. It is made as it is needed and has one writer.

-- Who looked. Lines are added and never changed; old ones may be taken out.
CREATE TABLE IF NOT EXISTS access (
    id INTEGER PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    kind TEXT NOT NULL,
    device BIGINT,
    badge TEXT NOT NULL,
    trace TEXT NOT NULL,
    purpose TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS access_trace ON access (trace);
CREATE TRIGGER IF NOT EXISTS access_no_update BEFORE UPDATE ON access
    BEGIN SELECT RAISE(ABORT, 'lines are added and never changed'); END;

-- Messages of the supervisors to the clerks, and who has read which: the first at a device.
CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    sender TEXT NOT NULL,
    device BIGINT,
    fr TEXT NOT NULL,
    en TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS acknowledgement (
    message BIGINT NOT NULL REFERENCES message (id),
    device BIGINT NOT NULL,
    badge TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (message, device));

-- Each time that a terminal was stopped (1), or let sell again (0).
CREATE TABLE IF NOT EXISTS terminal_stop (
    id INTEGER PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    device BIGINT NOT NULL,
    stopped SMALLINT NOT NULL CHECK (stopped IN (0, 1)),
    badge TEXT NOT NULL,
    reason TEXT NOT NULL);

-- How a badge stands at a device; 0 is the command line.
CREATE TABLE IF NOT EXISTS pin_count (
    badge TEXT NOT NULL,
    device BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    waits_until_ms BIGINT NOT NULL,
    has_succeeded BOOLEAN NOT NULL,
    PRIMARY KEY (badge, device));

-- The chain: the hash of each line, kept when its line is taken out, and the one row of the head.
CREATE TABLE IF NOT EXISTS access_leaf (id INTEGER PRIMARY KEY, hash BLOB NOT NULL);
CREATE TRIGGER IF NOT EXISTS access_leaf_no_update BEFORE UPDATE ON access_leaf
    BEGIN SELECT RAISE(ABORT, 'hashes are added and never changed'); END;
CREATE TRIGGER IF NOT EXISTS access_leaf_no_delete BEFORE DELETE ON access_leaf
    BEGIN SELECT RAISE(ABORT, 'hashes are added and never taken out'); END;
CREATE TABLE IF NOT EXISTS access_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch BIGINT NOT NULL,
    edge BLOB NOT NULL);
