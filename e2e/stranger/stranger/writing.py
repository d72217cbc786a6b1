"""From fields to bytes: the way back of ``encoding``, for making broken exports.

FORMAT.md, "Fields", "Leaf" and "Export".
"""

from . import encoding

_WIDTH = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "i64": 8}


def _value(type_name, value):
    if type_name in _WIDTH:
        return value.to_bytes(_WIDTH[type_name], "big", signed=type_name == "i64")
    if type_name == "bool":
        return bytes([value])
    if type_name == "Hash":
        return value
    if type_name == "String":
        value = value.encode("utf-8")
    if type_name in ("String", "Vec<u8>"):
        return len(value).to_bytes(4, "big") + value
    if type_name.startswith("Vec<"):
        return len(value).to_bytes(4, "big") + b"".join(_value(type_name[4:-1], one) for one in value)
    if type_name.startswith("Option<"):
        return b"\x00" if value is None else b"\x01" + _value(type_name[7:-1], value)
    return record(type_name, value)


def record(name, value):
    said, added = ([(kind, getattr(value, field)) for field, kind in listed]
                   for listed in (encoding.FIELDS[name], encoding.ADDED[name]))
    if all(one == encoding.empty(kind) for kind, one in added):
        added = []
    return b"".join(_value(kind, one) for kind, one in said + added)


def body(kind, value):
    return record(encoding.KINDS[kind][0], value)


def leaf(value):
    return (bytes([value.version, value.kind]) + value.index.to_bytes(8, "big")
            + value.time_ms.to_bytes(8, "big", signed=True) + value.day.to_bytes(4, "big")
            + value.draw.to_bytes(8, "big") + value.commitment)


def entry(value):
    return (b"\x01" + value.leaf + value.hash + value.nonce
            + len(value.body).to_bytes(4, "big") + value.body)


def export(entries, note):
    """A whole export; ``note`` None leaves the end out."""
    end = b"" if note is None else b"\x00" + len(note.encode("utf-8")).to_bytes(4, "big") + note.encode("utf-8")
    return encoding.MAGIC + b"".join(map(entry, entries)) + end


def sealed(leaf_fields, nonce, raw):
    """An entry with commitment and leaf hash made anew for a body."""
    bytes_of = leaf(leaf_fields._replace(commitment=encoding.commitment_of(nonce, raw)))
    return encoding.Entry(bytes_of, encoding.leaf_hash_of(bytes_of), nonce, raw)
