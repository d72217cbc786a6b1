-- Devices that were left, and which device went on with what they left open.
CREATE TABLE hand_over (
    leaf BIGINT PRIMARY KEY,
    device BIGINT NOT NULL REFERENCES device (number),
    to_device BIGINT NOT NULL,
    shift BIGINT REFERENCES shift (number),
    reason TEXT NOT NULL,
    handed_by TEXT NOT NULL,
    second TEXT NOT NULL,
    -- Leaf by which the device serves again.
    returned_leaf BIGINT,
    CHECK (device <> to_device),
    -- Two people leave a device.
    CHECK (handed_by <> second)
);
