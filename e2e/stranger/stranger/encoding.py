"""Bytes of the log: fields, bodies, leaves and exports.

FORMAT.md, sections "Fields", "Leaf", "Export", "Bodies" and "Kinds". The
lists of fields below repeat the tables of that document in its order.
"""

import hashlib
from collections import namedtuple

MAGIC = b"boulier-log/3\n"
FORMAT_VERSION = 3
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


# Name of a record or kind -> its fields as (name, type), for writers.
FIELDS = {}
# Name of a record that stands inside bodies -> its named tuple.
RECORDS = {}


def _record(name, fields, records):
    parts = [field.split(":") for field in fields.split()]
    FIELDS[name] = [tuple(part) for part in parts]
    made = namedtuple(name, [part[0] for part in parts])
    readers = [_reader_of(part[1], records) for part in parts]

    def read(reader):
        return made._make([one(reader) for one in readers])
    return made, read


# FORMAT.md, "Bodies".
_RECORDS = {}
for _name, _fields in (
    ("CommandKey", "device:u32 session:u64 counter:u64"),
    ("ConditioningRecord", "ways:u32 spots:u8 wager_cents:i64"),
    ("SelectionRecord", "game:String kind:u8 quick_pick:bool groups:Vec<Vec<u8>> kings:Vec<u8>"
                        " conditioning:Vec<ConditioningRecord>"),
    ("PaidItem", "draw:u64 kind:u8 amount_cents:i64"),
    ("ExpiredItem", "ticket:u64 draw:u64 amount_cents:i64"),
    ("DamagedReading", "first_draw:Option<u64> last_draw:Option<u64> total_cents:Option<i64>"
                       " sold_at:Option<u32> numbers:Vec<u8>"),
):
    RECORDS[_name], _RECORDS[_name] = _record(_name, _fields, _RECORDS)

# FORMAT.md, "Kinds": number, name, the field that the header repeats as its
# draw (None: the header says 0), fields.
KINDS = {}
_READ_BODY = {}
for _number, _name, _draw, _fields in (
    (1, "HouseOpened", None, "house:String name:String zone:String log_key:String first_draw:u64"),
    (2, "RuleBookPublished", None,
     "version:u32 effective_from:u64 hash:Hash text:String by:String second:String"),
    (3, "PersonRecorded", None,
     "badge:String staff:String name:String roles:Vec<u8> credential:Hash must_change:bool card:u32 active:bool "
     "by:String second:String"),
    (4, "DeviceRecorded", None,
     "device:u32 name:String role:u8 key_hash:Hash active:bool by:String second:String"),
    (5, "SessionOpened", None, "session:u64 device:u32 badge:String token_hash:Hash"),
    (6, "SessionEnded", None, "session:u64 reason:u8 by:String"),
    (7, "ShiftOpened", None, "shift:u64 device:u32 badge:String float_cents:i64"),
    (8, "ShiftClosed", None,
     "shift:u64 counted_cents:i64 expected_cents:i64 by:String second:Option<String>"),
    (9, "TillMoved", None,
     "shift:u64 key:CommandKey content_hash:Hash kind:u8 amount_cents:i64 by:String second:String"),
    (10, "LeaseTaken", None, "instance:String fence:u64"),
    (11, "ScheduleHalted", None, "reason:u8 seen_ms:i64 expected_ms:i64"),
    (12, "ScheduleConfirmed", None, "by:String second:String"),
    (13, "SalesSuspended", None, "reason:String by:String"),
    (14, "SalesResumed", None, "by:String second:String"),
    (15, "EpochOpened", None,
     "epoch:u32 continues_size:u64 continues_root:Hash lost_size:u64 lost_root:Hash next_draw:u64"
     " next_session:u64 next_shift:u64 reason:String by:String second:String"),
    (16, "DeviceHandedOver", None,
     "device:u32 to:u32 shift:Option<u64> reason:String by:String second:String"),
    (17, "TillCounted", None,
     "shift:u64 device:u32 counted_cents:i64 expected_cents:i64 reason:String by:String second:String"),
    (18, "ActingNamed", None, "badge:String may_act:bool by:String second:String"),
    (19, "ActingMade", None, "badge:String by:String second:Option<String>"),
    (20, "DrawScheduled", "draw",
     "draw:u64 closes_at_ms:i64 draws_at_ms:i64 source:u8 holders:Vec<String> pool_size:u8"
     " drawn:u8 cap_cents:i64 full_below_cents:i64"),
    (21, "CommitmentRecorded", "draw", "draw:u64 position:u8 commitment:Hash"),
    (22, "DrawOpened", "draw", "draw:u64"),
    (23, "DrawClosed", "draw", "draw:u64 tickets:u64 selections:u64 wagered_cents:i64"),
    (24, "DrawStarted", "draw", "draw:u64 seal_size:u64 seal_root:Hash rule_book_hash:Hash"),
    (25, "BallsRecorded", "draw",
     "draw:u64 machine:u8 balls:Vec<u8> words_used:u64 words_rejected:u64 secrets_hash:Hash"),
    (26, "DrawCertified", "draw", "draw:u64 certifiers:Vec<String>"),
    (27, "SecretsRevealed", "draw", "draw:u64 secrets:Vec<Hash>"),
    (28, "DrawSettled", "draw",
     "draw:u64 winners:u64 small_cents:i64 large_cents:i64 payable_cents:i64 small_numerator:u64"
     " small_denominator:u64 large_numerator:u64 large_denominator:u64 breakage_cents:i64"
     " prize_root:Hash"),
    (29, "DrawSuspended", "draw", "draw:u64 reason:String by:String"),
    (30, "DrawResumed", "draw", "draw:u64 by:String second:String"),
    (31, "DrawVoided", "draw",
     "draw:u64 reason:String by:String second:String tickets:u64 refund_cents:i64"),
    (40, "TicketSold", "first_draw",
     "key:CommandKey content_hash:Hash control_hash:Hash control_attempt:u8 secret_key:u16"
     " rule_book:u32 first_draw:u64 last_draw:u64 selections:Vec<SelectionRecord>"
     " per_draw_cents:i64 total_cents:i64 cap_cents:i64 claim_by:u32 tender:u8"
     " received_cents:i64 badge:String shift:u64 intake:u8 replay_of:Option<u64>"),
    (41, "TicketCancelled", "first_draw",
     "first_draw:u64 ticket:u64 key:CommandKey content_hash:Hash reason:u8 refund_cents:i64"
     " tender:u8 badge:String shift:u64"),
    (42, "TicketUnpaid", "first_draw",
     "first_draw:u64 ticket:u64 amount_cents:i64 on:u8 by:String second:String"),
    (43, "PrintConfirmed", None, "ticket:u64 copy:u8 how:u8 device:u32"),
    (44, "TicketReleased", None, "ticket:u64 evidence:String by:String second:String"),
    (45, "TicketDuplicated", None, "ticket:u64 copy:u8 on:u8 reason:String by:String second:String"),
    (46, "ClaimPresented", None,
     "ticket:u64 draws:Vec<u64> path:u8 device:u32 badge:String presented_at_ms:Option<i64>"
     " second:Option<String>"),
    (47, "PrizePaid", None,
     "ticket:u64 key:CommandKey content_hash:Hash items:Vec<PaidItem> total_cents:i64 tender:u8"
     " rounding_cents:i64 path:u8 badge:String second:Option<String> shift:u64"),
    (48, "PaymentReversed", None,
     "payment:u64 ticket:u64 reason:String by:String second:String shift:u64 cash_cents:i64"),
    (49, "DiscrepancyNoted", None, "ticket:u64 facts:u8 note:String badge:String"),
    (50, "KeyClosed", None, "key:CommandKey badge:String"),
    (51, "PrizesExpired", None, "through_day:u32 items:Vec<ExpiredItem>"),
    (52, "PaymentHeld", None, "ticket:u64 draw:u64 reason:u8 by:String"),
    (53, "LostTicketRefunded", None,
     "key:CommandKey content_hash:Hash control_hash:Hash sold_epoch:u32 paper_size:u64"
     " amount_cents:i64 tender:u8 reason:String badge:String second:String shift:u64"),
    (54, "PatronRefused", None, "ticket:u64 reason:u8 device:u32 badge:String"),
    (55, "DamagedTicketRead", None,
     "ticket:u64 reading:DamagedReading device:u32 badge:String second:String"),
    (56, "FileOpened", None,
     "ticket:Option<u64> fits:u8 digits:u8 trace:Hash reading:DamagedReading presented_by:String note:String"
     " device:u32 badge:String"),
    (57, "FileJudged", None,
     "file:u64 is_paid:bool reason:u8 picture:Hash note:String by:String second:String"
     " third:Option<String>"),
):
    _made, _READ_BODY[_number] = _record(_name, _fields, _RECORDS)
    KINDS[_number] = (_name, _draw, _made)

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
        raise NotAnExport("the export does not begin with boulier-log/3")
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
