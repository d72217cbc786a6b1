-- Devices that were left, and which device went on with what they left open.
CREATE TABLE hand_over (
    leaf INTEGER PRIMARY KEY,
    device INTEGER NOT NULL REFERENCES device (number),
    to_device INTEGER NOT NULL,
    shift INTEGER REFERENCES shift (number),
    reason TEXT NOT NULL,
    handed_by TEXT NOT NULL,
    second TEXT NOT NULL,
    -- Leaf by which the device serves again.
    returned_leaf INTEGER,
    CHECK (device <> to_device),
    -- Two people leave a device.
    CHECK (handed_by <> second)
) STRICT;
