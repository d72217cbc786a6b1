"""Bytes of the log: fields, bodies, leaves and exports.

FORMAT.md, sections "Fields", "Leaf", "Export", "Bodies" and "Kinds". The
lists of fields are those of that document, in its order (`fields.py`).
"""

import hashlib
from collections import namedtuple

from . import fields

MAGIC = b"boulier-log/4\n"
FORMAT_VERSION = 4
LEAF_BYTES = 62
BODY_TAG = b"boulier/body/v1"

# FORMAT.md, "Export": a length above this is refused.
MOST_BYTES = 64 << 20

# A length may not be larger than what is left of the bytes; Reader checks it,
# so that a broken count never makes the program ask for gigabytes.


class Malformed(Exception):
    """Bytes that are not an encoding of what they should be."""


class NotAnExport(Malformed):
    """The magic is missing: no entry is at fault (RULES.md, "The first bad entry", 1)."""


class OtherFormat(Malformed):
    """An export of another format: nothing in it is judged."""


class Reader:
    """Reads fields from the front of a byte string (FORMAT.md, "Fields")."""

    __slots__ = ("data", "at", "end")

    def __init__(self, data):
        self.data = data
        self.at = 0
        self.end = len(data)

    def take(self, count):
        start = self.at
        if count > self.end - start:
            raise Malformed("%d bytes wanted at %d, %d left" % (count, start, self.end - start))
        self.at = start + count
        return self.data[start:self.at]

    def u8(self):
        return self.take(1)[0]

    def u16(self):
        return int.from_bytes(self.take(2), "big")

    def u32(self):
        return int.from_bytes(self.take(4), "big")

    def u64(self):
        return int.from_bytes(self.take(8), "big")

    def i64(self):
        return int.from_bytes(self.take(8), "big", signed=True)

    def bool(self):
        byte = self.take(1)[0]
        if byte > 1:
            raise Malformed("a bool is %d" % byte)
        return byte == 1

    def hash(self):
        return self.take(32)

    def string(self):
        raw = self.take(self.u32())
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise Malformed("a text is not UTF-8")

    def bytes_vec(self):
        """``Vec<u8>``, kept as bytes."""
        return self.take(self.u32())


_PLAIN = {
    "u8": Reader.u8, "u16": Reader.u16, "u32": Reader.u32, "u64": Reader.u64,
    "i64": Reader.i64, "bool": Reader.bool, "Hash": Reader.hash,
    "String": Reader.string, "Vec<u8>": Reader.bytes_vec,
}


def _vec(item):
    def read(reader):
        count = reader.u32()
        # Every item takes at least one byte.
        if count > reader.end - reader.at:
            raise Malformed("a list claims %d items" % count)
        return [item(reader) for _ in range(count)]
    return read


def _option(item):
    def read(reader):
        return item(reader) if reader.bool() else None
    return read


def _reader_of(type_name, records):
    if type_name in _PLAIN:
        return _PLAIN[type_name]
    if type_name in records:
        return records[type_name]
    for prefix, wrap in (("Vec<", _vec), ("Option<", _option)):
        if type_name.startswith(prefix):
            return wrap(_reader_of(type_name[len(prefix):-1], records))
    raise ValueError(type_name)


# Name of a record or kind -> its fields as (name, type), and those that were added to it.
FIELDS = {}
ADDED = {}
# Name of a record that stands inside bodies -> its named tuple.
RECORDS = {}


def empty(type_name):
    """What an added field is where a body says nothing of it: 0, absent or empty."""
    if type_name.startswith("Option<"):
        return None
    return [] if type_name.startswith("Vec<") else "" if type_name == "String" else 0


def _record(name, listed, records):
    parts = [field.split(":") for field in listed.split()]
    added = [part for part in parts if part[0].startswith("+")]
    ADDED[name] = [(part[0][1:], part[1]) for part in added]
    parts = parts[:len(parts) - len(added)]
    FIELDS[name] = [tuple(part) for part in parts]
    nothing = [empty(kind) for _, kind in ADDED[name]]
    made = namedtuple(name, [part[0] for part in FIELDS[name] + ADDED[name]],
                      defaults=nothing or None)
    readers = [_reader_of(part[1], records) for part in parts]
    later = [_reader_of(kind, records) for _, kind in ADDED[name]]

    def read(reader):
        said = [one(reader) for one in readers]
        if not later or reader.at == reader.end:
            return made._make(said + nothing)
        beside = [one(reader) for one in later]
        if beside == nothing:
            raise Malformed("added fields that say nothing")
        return made._make(said + beside)
    return made, read


# FORMAT.md, "Bodies".
_RECORDS = {}
for _name, _fields in fields.RECORDS:
    RECORDS[_name], _RECORDS[_name] = _record(_name, _fields, _RECORDS)

# FORMAT.md, "Kinds": number, name, the field that the header repeats as its
# draw (None: the header says 0), fields.
KINDS = {}
_READ_BODY = {}
for _number, _name, _draw, _fields in fields.KINDS:
    _made, _READ_BODY[_number] = _record(_name, _fields, _RECORDS)
    KINDS[_number] = (_name, _draw, _made)
# Number of a kind that an earlier version recorded -> its name.
RETIRED = dict(fields.RETIRED)


def draw_of(kind, body):
    """The draw that the header has: that of the body; 0 where the kind names none, or the body does not."""
    field = KINDS[kind][1]
    return 0 if field is None else getattr(body, field) or 0


Leaf = namedtuple("Leaf", "version kind index time_ms day draw commitment")


def parse_leaf(raw):
    """The fields of a leaf's 62 bytes (FORMAT.md, "Leaf")."""
    return Leaf(raw[0], raw[1], int.from_bytes(raw[2:10], "big"),
                int.from_bytes(raw[10:18], "big", signed=True),
                int.from_bytes(raw[18:22], "big"), int.from_bytes(raw[22:30], "big"), raw[30:62])


def commitment_of(nonce, body):
    """The commitment to a body (FORMAT.md, "Leaf")."""
    return hashlib.sha256(len(BODY_TAG).to_bytes(4, "big") + BODY_TAG + nonce + body).digest()


def leaf_hash_of(leaf):
    """RFC 6962 hash of a leaf (FORMAT.md, "Tree")."""
    return hashlib.sha256(b"\x00" + leaf).digest()


def decode_body(kind, raw):
    """The body as a named tuple; raises Malformed unless ``raw`` is exactly its encoding."""
    reader = Reader(raw)
    body = _READ_BODY[kind](reader)
    if reader.at != reader.end:
        raise Malformed("%d bytes left over after the last field" % (reader.end - reader.at))
    return body


Entry = namedtuple("Entry", "leaf hash nonce body")


def _record_bytes(reader):
    """A length and as many bytes, at most 64 MiB."""
    count = reader.u32()
    if count > MOST_BYTES:
        raise Malformed("a length of %d bytes, above 64 MiB" % count)
    return reader.take(count)


def read_export(data):
    """Yields the entries of an export, then its checkpoint as ``str``.

    FORMAT.md, "Export". Raises Malformed where a record cannot be read; the
    entries received so far tell the caller which entry that is (RULES.md, "The
    first bad entry", 2). The checkpoint is yielded only when nothing follows it.
    """
    begins, digit = data[:len(MAGIC) - 2], data[len(MAGIC) - 2:len(MAGIC) - 1]
    if begins == MAGIC[:-2] and digit.isdigit() and digit != MAGIC[-2:-1]:
        raise OtherFormat("the export is of format %s; this verifier reads format %d"
                          % (digit.decode(), FORMAT_VERSION))
    if data[:len(MAGIC)] != MAGIC:
        raise NotAnExport("the export does not begin with boulier-log/4")
    reader = Reader(data)
    reader.at = len(MAGIC)
    while True:
        mark = reader.u8()
        if mark == 0:
            raw = _record_bytes(reader)
            try:
                note = raw.decode("utf-8")
            except UnicodeDecodeError:
                raise Malformed("the checkpoint is not UTF-8")
            if reader.at != reader.end:
                raise Malformed("%d bytes after the end" % (reader.end - reader.at))
            yield note
            return
        if mark != 1:
            raise Malformed("a record's mark is %d" % mark)
        yield Entry(reader.take(LEAF_BYTES), reader.take(32), reader.take(32), _record_bytes(reader))
