"""Makes vectors/leaves.txt from FORMAT.md alone: one leaf of each kind.

It shares no code with the crate: types, order of fields and the leaf are read from, or written
after, the document. Standard library only. Run: python3 make_leaves.py > leaves.txt
"""
import hashlib
import pathlib
import re
import struct

DOCUMENT = (pathlib.Path(__file__).parent.parent / "FORMAT.md").read_text(encoding="utf-8")

# Name of a record that stands inside bodies -> its fields in order.
RECORDS = {
    name: re.findall(r"(\w+) `([^`]+)`", fields)
    for name, fields in re.findall(r"^\| `(\w+)` \| (\w+ `[^|]+) \|$", DOCUMENT, re.M)
}


def sample(kind, field, position):
    """The bytes of a sample value of a type; different for each place."""
    number = 3 + 7 * position
    if kind == "u8":
        return struct.pack(">B", number % 250)
    if kind == "u16":
        return struct.pack(">H", 256 + number)
    if kind == "u32":
        return struct.pack(">I", 65536 + number)
    if kind == "u64":
        return struct.pack(">Q", 2**33 + number)
    if kind == "i64":
        return struct.pack(">q", -number if position % 3 == 0 else 2**34 + number)
    if kind == "bool":
        return struct.pack(">B", position % 2)
    if kind == "Hash":
        return hashlib.sha256(field.encode()).digest()
    if kind == "String":
        text = f"{field} é{position}".encode()
        return struct.pack(">I", len(text)) + text
    if kind.startswith("Vec<"):
        inner = kind[4:-1]
        items = [sample(inner, field, position + i) for i in range(1 + position % 3)]
        return struct.pack(">I", len(items)) + b"".join(items)
    if kind.startswith("Option<"):
        inner = kind[7:-1]
        return b"\0" if position % 2 else b"\1" + sample(inner, field, position)
    return b"".join(sample(t, n, position + i) for i, (n, t) in enumerate(RECORDS[kind]))


def main():
    pieces = re.split(r"\n### (\d+) `(\w+)`( \(public\))?\n", DOCUMENT)
    for index in range(1, len(pieces), 4):
        number, name, _, text = pieces[index:index + 4]
        fields = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", text, re.M)
        draw_field = re.search(r"Draw: `(\w+)`", text)
        body, draw = b"", 0
        for position, (field, kind) in enumerate(fields):
            value = sample(kind, field, position)
            if draw_field and field == draw_field.group(1):
                # An absent one is a single byte of 0.
                draw = struct.unpack(">Q", value[-8:].rjust(8, b"\0"))[0]
            body += value
        nonce = hashlib.sha256(b"nonce " + name.encode()).digest()
        tag = b"boulier/body/v1"
        commitment = hashlib.sha256(struct.pack(">I", len(tag)) + tag + nonce + body).digest()
        leaf = struct.pack(
            ">BBQqIQ", 4, int(number), 1000 + int(number), 1795194000000 + int(number), 20261120, draw
        ) + commitment
        leaf_hash = hashlib.sha256(b"\0" + leaf).hexdigest()
        print(number, name, body.hex(), nonce.hex(), leaf.hex(), leaf_hash)


main()
