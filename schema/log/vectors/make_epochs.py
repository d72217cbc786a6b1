"""Makes vectors/epochs.json from FORMAT.md and RULES.md alone: a signed log of two epochs.

A log of a few entries is lost back to a backup and goes on in a second epoch: a till is handed over,
a lost ticket refunded, a draw of before voided and another settled. With it: checkpoints that were
kept outside, proofs, and bodies in other entries' places, each with the first bad entry.

It shares no code with the crates; the fields of the bodies are read from FORMAT.md. The key signs
nothing but this. Standard library only. Run: python3 make_epochs.py > epochs.json
"""
import base64
import hashlib
import json
import pathlib
import re
from datetime import datetime
from zoneinfo import ZoneInfo

DOCUMENT = (pathlib.Path(__file__).parent.parent / "FORMAT.md").read_text(encoding="utf-8")
ZONE, HOUSE, NAME = "America/Toronto", "essai", "boulier/essai"
WIDTHS = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "i64": 8}

BOOK = """format = 3
version = 1
name = { fr = "Essai", en = "Trial" }
pool = { size = 80, drawn = 20 }
cap = { per_draw = "1000.00", full_below = "100.00" }
limits = { selections = 2, draws = 5, draws_ahead = 10, ways = 10, copies = 4 }
confirm = { second_key = "100.00", type_total = "200.00", draws = 5 }
payout = { second_person = "1000.00", cage = "1000.00", federal_report = "10000.00" }
claim = { days = 365, place = { fr = "Caisse", en = "Cage" }, cage = { fr = "Caisse", en = "Cage" } }
damaged = { at_once = "100.00", per_day = 5, wait_hours = 24, third_person = "1000.00", answer_days = 30, complaints = { fr = "Ici", en = "Here" } }
tenders = { accepted = ["cash", "chip"] }
texts = { rules_place = { fr = "Au comptoir", en = "At the counter" }, notice = { fr = "Essai", en = "Trial" } }
interrupted = { machine_draw = "void" }

[[game]]
code = "keno"
name = { fr = "Keno", en = "Keno" }
straight = { min = 1, max = 2 }
king_alone = false
wager = { step = "1.00", min = "1.00", max = "5.00", same_numbers = "5.00" }
pays = { 1 = { 1 = "3" }, 2 = { 2 = "12" } }
"""
# Draws x selections x 1 way x the highest wager.
MOST = 5 * 2 * 1 * 500


# ---- bodies and leaves (FORMAT.md) ----------------------------------------------

def tables():
    """Kind -> (name, field of the draw, fields), and record -> fields, as the document lists them."""
    kinds, records = {}, {}
    pieces = re.split(r"\n### (\d+) `(\w+)`(?: \(public\))?\n", DOCUMENT)
    for number, name, text in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
        draw = re.search(r"Draw: `(\w+)`", text)
        kinds[int(number)] = (name, draw and draw.group(1),
                              re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", text, re.M))
    for name, text in re.findall(r"^\| `([A-Z]\w+)` \| (\w+ `.*) \|$", pieces[0], re.M):
        records[name] = re.findall(r"(\w+) `([^`]+)`", text)
    return kinds, records


KINDS, RECORDS = tables()


def encoded(kind, value):
    if kind in WIDTHS:
        return value.to_bytes(WIDTHS[kind], "big", signed=kind == "i64")
    if kind == "bool":
        return bytes([value])
    if kind == "Hash":
        return value
    if kind == "String":
        raw = value.encode()
        return len(raw).to_bytes(4, "big") + raw
    if kind.startswith("Vec<"):
        return len(value).to_bytes(4, "big") + b"".join(encoded(kind[4:-1], one) for one in value)
    if kind.startswith("Option<"):
        return b"\0" if value is None else b"\1" + encoded(kind[7:-1], value)
    return b"".join(encoded(of, one) for (_, of), one in zip(RECORDS[kind], value, strict=True))


def body(kind, fields):
    wanted = KINDS[kind][2]
    assert {name for name, _ in wanted} == set(fields), (kind, fields)
    return b"".join(encoded(of, fields[name]) for name, of in wanted)


def milliseconds(text):
    return int(datetime.fromisoformat(text).timestamp()) * 1000


def entry(place, time_ms, kind, fields):
    """(leaf, leaf hash, nonce, body) of one entry."""
    raw = body(kind, fields)
    nonce = hashlib.sha256(b"nonce %d" % place).digest()
    tag = b"boulier/body/v1"
    day = datetime.fromtimestamp(time_ms / 1000, ZoneInfo(ZONE))
    draw = fields[KINDS[kind][1]] if KINDS[kind][1] else 0
    leaf = (bytes([4, kind]) + place.to_bytes(8, "big") + time_ms.to_bytes(8, "big", signed=True)
            + int(day.strftime("%Y%m%d")).to_bytes(4, "big") + draw.to_bytes(8, "big")
            + hashlib.sha256(len(tag).to_bytes(4, "big") + tag + nonce + raw).digest())
    return leaf, hashlib.sha256(b"\0" + leaf).digest(), nonce, raw


def export(entries, note):
    records = b"".join(b"\1" + leaf + leaf_hash + nonce + len(raw).to_bytes(4, "big") + raw
                       for leaf, leaf_hash, nonce, raw in entries)
    return b"boulier-log/4\n" + records + b"\0" + len(note.encode()).to_bytes(4, "big") + note.encode()


# ---- tree (RFC 6962, 2.1) -------------------------------------------------------

def split(size):
    return 1 << (size - 1).bit_length() - 1


def root(hashes):
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    half = split(len(hashes))
    return hashlib.sha256(b"\1" + root(hashes[:half]) + root(hashes[half:])).digest()


def inclusion(index, hashes):
    if len(hashes) == 1:
        return []
    half = split(len(hashes))
    if index < half:
        return inclusion(index, hashes[:half]) + [root(hashes[half:])]
    return inclusion(index - half, hashes[half:]) + [root(hashes[:half])]


def consistency(old, hashes, whole=True):
    if old == len(hashes):
        return [] if whole else [root(hashes)]
    half = split(len(hashes))
    if old <= half:
        return consistency(old, hashes[:half], whole) + [root(hashes[half:])]
    return consistency(old - half, hashes[half:], False) + [root(hashes[:half])]


# ---- Ed25519 (RFC 8032, 5.1) ----------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE_Y = 4 * pow(5, -1, P) % P
BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
BASE = (BASE_X, BASE_Y)


def add(one, two):
    (a, b), (c, d) = one, two
    product = D * a * b * c * d % P
    return ((a * d + b * c) * pow(1 + product, -1, P) % P, (b * d + a * c) * pow(1 - product, -1, P) % P)


def times(number, point):
    result = (0, 1)
    while number:
        if number & 1:
            result = add(result, point)
        point, number = add(point, point), number >> 1
    return result


def packed(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def number_of(raw):
    return int.from_bytes(raw, "little")


SEED = hashlib.sha256(b"a key of a vector, of no house").digest()
EXPANDED = hashlib.sha512(SEED).digest()
SECRET = number_of(EXPANDED[:32]) & ~7 & (1 << 254) - 1 | 1 << 254
PUBLIC = packed(times(SECRET, BASE))


def signed(message):
    nonce = number_of(hashlib.sha512(EXPANDED[32:] + message).digest()) % L
    point = packed(times(nonce, BASE))
    challenge = number_of(hashlib.sha512(point + PUBLIC + message).digest()) % L
    return point + ((nonce + challenge * SECRET) % L).to_bytes(32, "little")


KEY_ID = hashlib.sha256(NAME.encode() + b"\n\1" + PUBLIC).digest()[:4]
LOG_KEY = "%s+%s+%s" % (NAME, KEY_ID.hex(), base64.b64encode(b"\1" + PUBLIC).decode())


def checkpoint(origin, size, root_of):
    text = "%s\n%d\n%s\n" % (origin, size, base64.b64encode(root_of).decode())
    signature = base64.b64encode(KEY_ID + signed(text.encode())).decode()
    return "%s\n\u2014 %s %s\n" % (text, NAME, signature)


# ---- the log ----------------------------------------------------------------------

def hashed(text):
    return hashlib.sha256(text.encode()).digest()


CLOSES = {draw: milliseconds("2026-11-20T12:%02d:00-05:00" % (10 * draw)) for draw in (1, 2, 3)}
CLOSES[4] = milliseconds("2026-11-21T12:10:00-05:00")


def scheduled(draw):
    return 20, dict(draw=draw, closes_at_ms=CLOSES[draw], draws_at_ms=CLOSES[draw] + 60000, source=2,
                    holders=[], pool_size=80, drawn=20, cap_cents=100000, full_below_cents=10000)


def sale(key, draws, number, shift, claim_by):
    per_draw = 100
    total = per_draw * (draws[1] - draws[0] + 1)
    played = ("keno", 1, False, [[number]], [], [(1, 1, 100)])
    return 40, dict(key=key, content_hash=hashed("sale"), secret_key=1, rule_book=1, first_draw=draws[0],
                    last_draw=draws[1], selections=[played], per_draw_cents=per_draw, total_cents=total,
                    cap_cents=100000, claim_by=claim_by, tender=1, received_cents=total, badge="C1",
                    shift=shift, intake=1, replay_of=None)


def device(number, active=True):
    return 4, dict(device=number, name="T%02d" % number, role=1, key_hash=hashed("device %d" % number),
                   active=active, by="A1", second="A2" if active else "")


def person(badge, roles, by="A1", second="A2", **fields):
    return 3, dict(dict(badge=badge, staff="staff of " + badge, name="", roles=roles, credential=hashed(badge),
                        must_change=False, card=0, active=True, by=by, second=second), **fields)


def founder(badge, roles):
    return person(badge, roles, "console", "")


def session(number, at):
    return 5, dict(session=number, device=at, badge="C1", token_hash=hashed("session %d" % number))


def shift(number, at):
    return 7, dict(shift=number, device=at, badge="C1", float_cents=10000)


def with_fields(step, **fields):
    assert set(fields) <= set(step[1])
    return step[0], dict(step[1], **fields)


BALLS = [7, 3, 80, 66, 14, 22, 9, 33, 41, 48, 52, 57, 60, 63, 70, 72, 75, 77, 29, 5]
# Badge -> roles: administrators, clerk, supervisors, marker and verifier.
PEOPLE = {"A1": [8], "A2": [8], "C1": [1], "S1": [2], "S2": [2], "V1": [4], "V2": [5]}
DEVICES = 3             # the last is a neighbour that sells nothing
DESK = 4                # where the balls of draw 1 are entered
STAFF = len(PEOPLE) + 2


def at(place):
    """The entry of a place that is counted as if nobody were recorded and no ball entered."""
    return place + STAFF + (3 * len(BALLS) if place > 12 else 0)


COMMON = at(15)         # entries that the backup has
TICKET = at(10)         # the ticket's

# Prize list of draw 1: the ticket won 3.00 (RULES.md, "Settlement"); one record, so its leaf hash is the root.
PRIZES = hashlib.sha256(b"\0" + TICKET.to_bytes(8, "big") + 2 * (300).to_bytes(8, "big")).digest()

def entered(draw):
    """Both enter every ball, and it counts."""
    steps = []
    for place, number in enumerate(BALLS):
        ball = dict(draw=draw, position=place + 1, number=number)
        steps += [(32, dict(ball, by="V1", device=DESK)), (32, dict(ball, by="V2", device=DESK)),
                  (33, dict(ball, by="V1", second="V2"))]
    return steps


def before(sealed):
    """The first epoch as far as the backup has it; ``sealed`` is size and root just after the closing."""
    return [
        (1, dict(house=HOUSE, name="Essai", zone=ZONE, log_key=LOG_KEY, first_draw=1)),
        *(founder(badge, roles) if roles == [8] else person(badge, roles) for badge, roles in PEOPLE.items()),
        with_fields(device(DESK), role=5), (2, dict(version=1, effective_from=1, hash=hashed(BOOK), text=BOOK, by="A1", second="A2")),
        *(device(number + 1) for number in range(DEVICES)), session(1, 1), shift(1, 1),
        scheduled(1), (22, dict(draw=1)), scheduled(2), (22, dict(draw=2)),
        sale((1, 1, 1), (1, 2), 7, 1, 20271120),
        (23, dict(draw=1, tickets=1, selections=1, wagered_cents=100)),
        (24, dict(draw=1, seal_size=sealed[0], seal_root=sealed[1], rule_book_hash=hashed(BOOK))),
        *entered(1),
        (25, dict(draw=1, machine=2, balls=BALLS, words_used=0, words_rejected=0, secrets_hash=bytes(32))),
        (26, dict(draw=1, certifiers=["V1", "V2"])),
    ]


# What came after the backup, and is lost: a ticket, a session, a shift, a draw.
GONE = [sale((1, 1, 2), (2, 2), 9, 1, 20271120), session(2, 2), shift(2, 2), scheduled(3)]


def settled():
    return 28, dict(draw=1, winners=1, small_cents=300, large_cents=0, payable_cents=300, small_numerator=1,
                    small_denominator=1, large_numerator=1, large_denominator=1, breakage_cents=0,
                    prize_root=PRIZES)


def refund(counter=1, **fields):
    return 53, dict(dict(key=(2, 3, counter), content_hash=hashed("refund"), sold_epoch=1, lost_leaf=COMMON,
                         amount_cents=100, tender=1, reason="reçu de carte", badge="C1", second="S1", shift=1),
                    **fields)


def opened_file(**fields):
    """A damaged paper of the ticket."""
    return 56, dict(dict(ticket=TICKET, fits=1, digits=9, trace=hashed("trace"), reading=(None, None, None, None, []),
                         presented_by="", note="déchiré", device=1, badge="C1"), **fields)


def judged_file(file, **fields):
    return 57, dict(dict(file=file, ticket=TICKET, is_paid=True, reason=0, picture=hashed("picture"), note="",
                         by="S1", second="S2", third=None), **fields)


def after(continues_root, lost_size, lost_root):
    """The second epoch."""
    return [
        (15, dict(epoch=2, continues_size=COMMON, continues_root=continues_root, lost_size=lost_size,
                  lost_root=lost_root, next_draw=4, next_session=3, next_shift=3, reason="disque",
                  by="A1", second="A2")),
        (31, dict(draw=2, reason="époque", by="A1", second="A2", tickets=1, refund_cents=100)),
        settled(), session(3, 2),
        (16, dict(device=1, to=2, shift=1, reason="en panne", by="S1", second="S2")),
        scheduled(4), (22, dict(draw=4)), refund(), (14, dict(by="A1", second="S1")),
        sale((2, 3, 2), (4, 4), 9, 1, 20271121),
        (47, dict(ticket=TICKET, key=(2, 3, 3), content_hash=hashed("payment"), items=[(1, 1, 300), (2, 2, 100)],
                  total_cents=400, tender=1, rounding_cents=0, path=1, badge="C1", second=None, shift=1)),
        device(1), session(4, 1), (6, dict(session=3, reason=1, by="C1")),
        # The float, two sales of 2.00 and 1.00, the refund of 1.00, the payment of 4.00.
        (8, dict(shift=1, counted_cents=9800, expected_cents=10000 + 200 + 100 - 100 - 400, by="C1", second="S1")),
    ]


def times_of(count):
    """The first epoch on one day, the second on the next, a second apart."""
    return [milliseconds("2026-11-2%dT12:%02d:%02d-05:00" % (place >= COMMON, *divmod(place, 60)))
            for place in range(count)]


def entries_of(steps):
    return [entry(place, time, *step) for place, (time, step) in enumerate(zip(times_of(len(steps)), steps))]


def main():
    hashes = [one[1] for one in entries_of(before((12 + STAFF, bytes(32))))[:12 + STAFF]]
    first = before((12 + STAFF, root(hashes)))
    kept = [one[1] for one in entries_of(first)]
    # The lost part was written on the first day.
    late = [entry(COMMON + place, milliseconds("2026-11-20T12:%02d:%02d-05:00" % divmod(COMMON + place, 60)), *step)
            for place, step in enumerate(GONE)]
    gone = kept + [one[1] for one in late]
    steps = first + after(root(kept), len(gone), root(gone))
    entries = entries_of(steps)
    hashes = [one[1] for one in entries]
    size = len(entries)
    own = checkpoint(NAME + "/2", size, root(hashes))
    other = hashed("another root")
    # Sizes before and after the second epoch began.
    KEPT, LATE = 11 + STAFF, at(20)

    def outside(why, finding, origin, count, root_of):
        return {"why": why, "note": checkpoint(origin, count, root_of), "finding": finding}

    checkpoints = [
        outside("of the first epoch, of what was kept", None, NAME, KEPT, root(hashes[:KEPT])),
        outside("all that the epoch goes on from", None, NAME, COMMON, root(kept)),
        outside("of the lost part, the newest that was known", None, NAME, len(gone), root(gone)),
        outside("of the lost part, older than that", None, NAME, COMMON + 2, root(gone[:COMMON + 2])),
        outside("of the lost part, of an unknown root of an older size", None, NAME, COMMON + 2, other),
        outside("of the second epoch", None, NAME + "/2", LATE, root(hashes[:LATE])),
        outside("of the second epoch, all of it", None, NAME + "/2", size, root(hashes)),
        outside("of what was kept, with another root", "outside_root", NAME, KEPT, other),
        outside("of all that the epoch goes on from, with another root", "outside_root", NAME, COMMON, other),
        outside("of the size that was known, with another root", "outside_lost", NAME, len(gone), other),
        outside("of more than was known to be lost", "outside_lost", NAME, len(gone) + 1, other),
        outside("of the new log under the origin of the first epoch", "outside_lost", NAME, size, root(hashes)),
        outside("of the second epoch, with another root", "outside_root", NAME + "/2", LATE, other),
        outside("of more than the export has", "export_short", NAME + "/2", size + 1, other),
        outside("of a later epoch", "checkpoint_origin", NAME + "/3", LATE, root(hashes[:LATE])),
        outside("the first epoch has no number", "checkpoint_origin", NAME + "/1", KEPT, root(hashes[:KEPT])),
        outside("a leading zero", "checkpoint_origin", NAME + "/02", LATE, root(hashes[:LATE])),
        outside("no number", "checkpoint_origin", NAME + "/", LATE, root(hashes[:LATE])),
        outside("of another house", "checkpoint_origin", NAME + "s", KEPT, root(hashes[:KEPT])),
    ]
    own_wrong = [
        outside("the export's under the origin of the first epoch", "checkpoint_origin", NAME, size, root(hashes)),
        outside("under that of a later one", "checkpoint_origin", NAME + "/3", size, root(hashes)),
        outside("with another root", "checkpoint_root", NAME + "/2", size, other),
        outside("of fewer entries", "checkpoint_size", NAME + "/2", size - 1, root(hashes[:-1])),
    ]

    changes = []

    # Places below are counted as if nobody were recorded and no ball entered.
    def step(place):
        return steps[at(place)]

    def change(why, places, first_bad, finding):
        bad = None if first_bad is None else at(first_bad)
        changes.append({"why": why, "first_bad": bad, "finding": finding, "entries": [
            {"entry": at(place), "kind": put[0], "body": body(*put).hex()} for place, put in places.items()]})

    def fields(why, place, finding, **put):
        change(why, {place: with_fields(step(place), **put)}, place, finding)

    nothing_known = with_fields(step(15), lost_size=COMMON, lost_root=root(kept))
    fields("an epoch that was", 15, "epoch_number", epoch=1)
    change("numbers of epochs are passed over", {15: with_fields(step(15), epoch=9)}, None, "checkpoint_origin")
    fields("not its place", 15, "epoch_past", continues_size=COMMON - 1)
    fields("not the root before it", 15, "epoch_past", continues_root=root(kept[:COMMON - 1]))
    fields("less is lost than is kept", 15, "epoch_past", lost_size=COMMON - 1)
    fields("nothing is lost, with another root", 15, "epoch_past", lost_size=COMMON)
    fields("a draw that was announced", 15, "epoch_numbers", next_draw=2)
    fields("a session that was opened", 15, "epoch_numbers", next_session=1)
    fields("a shift that was opened", 15, "epoch_numbers", next_shift=1)
    fields("one person", 15, "same_person", second="A1")
    change("nothing is known to be lost, the ticket shows it", {15: nothing_known}, None, "checkpoint_root")
    change("nothing is known to be lost, the ticket's leaf was kept",
           {15: nothing_known, 22: with_fields(step(22), lost_leaf=COMMON - 1)}, 22, "lost_ticket_epoch")
    change("a loss is known, the ticket shows a greater one",
           {22: with_fields(step(22), lost_leaf=len(gone))}, None, "checkpoint_root")
    change("the greatest index", {22: with_fields(step(22), lost_leaf=2**64 - 1)}, None, "checkpoint_root")
    change("a draw of an epoch that has ended is closed",
           {16: (23, dict(draw=2, tickets=1, selections=1, wagered_cents=100))}, 16, "epoch_draw")
    change("a draw of an epoch that has ended is sold",
           {16: session(3, 2), 17: sale((2, 3, 9), (2, 2), 9, 1, 20271121)}, 17, "epoch_draw")
    fields("a session's number of the lost part", 18, "number_reused", session=2)
    change("a shift's number of the lost part", {18: shift(2, 2)}, 18, "number_reused")
    change("a session of before is used",
           {18: (9, dict(shift=1, key=(1, 1, 7), content_hash=hashed("fill"), kind=1, amount_cents=100, by="C1",
                         second="S1"))}, 18, "session_wrong")
    change("a session of before is ended", {18: (6, dict(session=1, reason=1, by="C1"))}, 18, "session_wrong")
    fields("a till is forgotten", 19, "hand_over_wrong", shift=None)
    fields("a till that is not there", 19, "hand_over_wrong", shift=2)
    fields("a device to itself", 19, "hand_over_wrong", device=3, to=3, shift=None)
    change("a till where one moved to", {20: shift(3, 2)}, 20, "till_wrong")
    change("a till that moved is forgotten", {
        20: (6, dict(session=3, reason=5, by="C1")),
        21: (16, dict(device=2, to=3, shift=None, reason="", by="S1", second="S2"))}, 21, "hand_over_wrong")
    fields("of a device with a session", 19, "hand_over_wrong", device=2, to=1, shift=None)
    change("to a device that has a till", {18: shift(3, 2)}, 19, "hand_over_wrong")
    fields("one person leaves", 19, "same_person", second="")
    change("the till elsewhere", {19: with_fields(step(19), to=3)}, 22, "till_wrong")
    change("at the device that was left", {20: session(4, 1)}, 20, "device_locked")
    change("a till at the device that was left", {20: shift(3, 1)}, 20, "device_locked")
    change("left a second time", {20: (16, dict(device=1, to=3, shift=None, reason="", by="S1", second="S2"))},
           20, "hand_over_wrong")
    change("to a device that was left", {20: (16, dict(device=3, to=1, shift=None, reason="", by="S1", second="S2"))},
           20, "device_locked")
    fields("a draw's number of the lost part", 20, "draw_number_wrong", draw=3)
    text = BOOK.replace("version = 1", "version = 2", 1)
    book = (2, dict(version=2, effective_from=3, hash=hashed(text), text=text, by="A1", second="A2"))
    change("a book from the draw after the last announced, whatever next_draw says", {20: book}, 21, "draw_unknown")
    change("a book from a draw that was announced", {20: with_fields(book, effective_from=2)}, 20, "rule_book_late")
    change("a book from a draw of before that is still open", {16: with_fields(book, effective_from=2)},
           24, "ticket_rule_book")
    change("a book from before a draw that is still open", {16: with_fields(book, effective_from=1)},
           16, "rule_book_late")
    fields("of no epoch", 22, "lost_ticket_epoch", sold_epoch=0)
    fields("of the epoch that is", 22, "lost_ticket_epoch", sold_epoch=2)
    fields("no amount", 22, "lost_ticket_amount", amount_cents=0)
    fields("more than a ticket can cost", 22, "lost_ticket_amount", amount_cents=MOST + 1)
    passed = with_fields(step(15), epoch=9)
    change("of an epoch that was passed over", {15: passed, 22: with_fields(step(22), sold_epoch=8)},
           None, "checkpoint_origin")
    change("of the epoch that is, numbers passed over", {15: passed, 22: with_fields(step(22), sold_epoch=9)},
           22, "lost_ticket_epoch")
    wider = text.replace('"cash", "chip"', '"coupon"').replace("selections = 2", "selections = 3")
    later = (2, dict(book[1], effective_from=1000, text=wider, hash=hashed(wider)))
    coupon = with_fields(step(22), tender=2, amount_cents=MOST // 2 * 3)
    change("amount and tender of a book that is not in force yet", {16: later, 22: coupon}, 25, "payment_not_due")
    change("of a book that is published after it", {22: coupon, 29: later}, 22, "lost_ticket_amount")
    change("as much as a ticket can cost", {22: with_fields(step(22), amount_cents=MOST)}, 29, "till_expected")
    fields("a tender that no book accepts", 22, "lost_ticket_amount", tender=2)
    change("in another tender: not in the till's figure", {22: with_fields(step(22), tender=3)},
           29, "till_expected")
    fields("a ticket that is in the record", 22, "lost_ticket_epoch", lost_leaf=TICKET)
    fields("the last leaf that was kept", 22, "lost_ticket_epoch", lost_leaf=COMMON - 1)
    fields("the first leaf of all", 22, "lost_ticket_epoch", lost_leaf=0)
    fields("one person refunds", 22, "same_person", second="C1")
    fields("in a till of the lost part", 22, "till_wrong", shift=2)
    fields("with a session that has ended", 22, "session_wrong", key=(2, 1, 1))
    change("refunded twice", {24: refund(2, amount_cents=200, tender=3, reason="")}, 24, "lost_ticket_twice")
    # Without the sale of 1.00, and with another refund of 1.00.
    two_refunds = with_fields(step(29), expected_cents=10000 + 200 - 100 - 100 - 400)
    change("two tickets of the lost part", {24: refund(2, lost_leaf=COMMON + 1), 29: two_refunds},
           None, "checkpoint_root")
    change("the same leaf of an epoch that was passed over",
           {15: passed, 24: refund(2, sold_epoch=8), 29: two_refunds}, None, "checkpoint_origin")
    change("twice of an epoch that was passed over",
           {15: passed, 22: with_fields(step(22), sold_epoch=8), 24: refund(2, sold_epoch=8)},
           24, "lost_ticket_twice")
    # A third epoch begins in place of an entry: the leaf that ended the ticket's own epoch says what was lost.
    third = (15, dict(step(15)[1], epoch=3, continues_size=at(26), continues_root=root(hashes[:at(26)]),
                      lost_size=at(26), lost_root=root(hashes[:at(26)]), next_draw=5, next_session=4))
    for why, sold_epoch, lost_leaf, holds in (
            ("of the first of two epochs, below what the second had", 1, COMMON + 1, True),
            ("of the first of two epochs, what it goes on from", 1, COMMON - 1, False),
            ("of the second, what the third goes on from", 2, at(25), False),
            ("of the second, the first that the third does not have", 2, at(26), True),
            ("of the third, which has not ended", 3, at(26), False)):
        change(why, {26: third, 27: session(4, 2),
                     28: refund(1, key=(2, 4, 1), sold_epoch=sold_epoch, lost_leaf=lost_leaf),
                     29: with_fields(step(29), expected_cents=step(29)[1]["expected_cents"] - 100)},
               None if holds else 28, "checkpoint_origin" if holds else "lost_ticket_epoch")
    change("the key of the refund again", {24: with_fields(step(24), key=(2, 3, 1))}, 24, "key_repeated")
    change("a refund is undone", {24: (48, dict(payment=at(22), ticket=TICKET, reason="", by="C1", second="S1", shift=1,
                                                cash_cents=100))}, 24, "reversal_wrong")
    change("the device that was left is not let in", {26: device(1, False)}, 27, "device_locked")
    fields("a till's figure without the refund", 29, "till_expected", expected_cents=9900)

    # A file in place of the certification, and its judgement a day later in place of the void. What
    # holds is not found before the settlement of a draw that is not official.
    def judged(why, opened, put, finding=None):
        with_file = first[:-1] + [opened]
        roots = root([one[1] for one in entries_of(with_file)])
        change(why, {14: opened, 15: with_fields(step(15), continues_root=roots), 16: put},
               17 if finding is None else 16, finding or "draw_step_out_of_order")

    place = at(14)
    unnamed = opened_file(ticket=None, fits=2)
    refused = judged_file(place, ticket=None, is_paid=False, reason=1)
    judged("a file is judged to be paid", opened_file(), judged_file(place))
    judged("a file is not paid", opened_file(), judged_file(place, is_paid=False, reason=6))
    judged("a file that names no ticket is not paid", unnamed, refused)
    judged("a judgement names no ticket", opened_file(), judged_file(place, ticket=None), "file_wrong")
    judged("a judgement names another entry", opened_file(), judged_file(place, ticket=TICKET + 1), "file_wrong")
    judged("a judgement that is not paid names no ticket", opened_file(), refused, "file_wrong")
    judged("a judgement names a ticket that its file does not", unnamed, with_fields(refused, ticket=TICKET),
           "file_wrong")

    # People and devices: A2, C1 and the first device as they were recorded, and all at the end.
    a2, c1, first_device = 2 - STAFF, 3 - STAFF, 1
    fields("a founder who is more", a2, "person_wrong", roles=[7, 8])
    fields("a founder by somebody else", a2, "person_wrong", by="A1")
    fields("a badge of nobody", a2, "person_wrong", staff="")
    change("two badges of one human are one", {a2: with_fields(step(a2), staff="staff of A1")}, c1, "same_person")
    change("a third founder", {c1: founder("A3", [8])}, c1, "person_wrong")
    fields("a device by one", first_device, "device_wrong", second="")
    fields("a device by an administrator and nobody on record", first_device, "device_wrong", second="A3")
    fields("a device by one human", first_device, "same_person", second="A1")
    fields("a device's key by itself, and it was none", first_device, "device_wrong", by="device", second="")
    change("a device revoked by nobody on record", {26: with_fields(step(26), active=False, by="T1", second="")},
           26, "device_wrong")
    for why, finding, put in (
            ("a person by one", "person_wrong", person("T1", [7], second="")),
            ("a person by an administrator and another", "person_wrong", person("T1", [7], second="C1")),
            ("a person by one human", "same_person", person("T1", [7], second="A1")),
            ("a technician with a clerk's role", "roles_excluded", person("T1", [1, 7])),
            ("an auditor with any other", "roles_excluded", person("T1", [5, 6])),
            ("roles that exclude one another under two badges", "roles_excluded",
             person("T1", [1], staff="staff of A1")),
            ("a person whose session is open", "person_session", person("C1", [1])),
            ("an administrator who is none any more", "administrators_few", person("A2", [1])),
            ("a withdrawal of one's own badge", "person_wrong", person("A2", [8], active=False)),
            ("another staff number", "person_wrong", person("A2", [8], staff="9")),
            ("a name with a PIN of one's own", "person_wrong", person("A2", [8], by="A2", second="", name="A")),
            ("a PIN of one's own that must be changed", "person_wrong",
             person("A2", [8], by="A2", second="", must_change=True)),
            ("a card of one's own", "person_wrong", person("A2", [8], by="A2", second="", card=1)),
            ("an administrator's PIN is not reset so", "person_wrong",
             person("A2", [8], by="S1", second="C1", must_change=True)),
            ("an administrator with a recovery code that is none", "person_wrong",
             person("A3", [8], by="A1", second="recovery", must_change=True)),
            ("a recovery code by one", "person_wrong",
             person("recovery", [], by="A1", second="", staff="recovery", must_change=True)),
            ("a recovery code with a role", "person_wrong",
             person("recovery", [8], staff="recovery"))):
        change(why, {26: put}, 26, finding)
    change("a recovery code by two", {26: person("recovery", [], staff="recovery")}, 27, "device_locked")
    change("an administrator with a recovery code", {
        25: person("recovery", [], staff="recovery"),
        26: person("A3", [8], by="A1", second="recovery", must_change=True)}, 27, "device_locked")
    change("a card by two", {26: person("T1", [7], card=1)}, 27, "device_locked")
    change("a PIN of one's own", {26: person("A2", [8], by="A2", second="")}, 27, "device_locked")

    change("a clerk whose PIN others set signs on", {c1: with_fields(step(c1), must_change=True)}, 4,
           "pin_not_chosen")

    change("sold before two let sales go on", {23: (12, dict(by="A1", second="S1"))}, 24, "ticket_while_suspended")
    fields("sales go on by one", 23, "same_person", second="A1")

    # Who did it, and where.
    fields("a supervisor who is withdrawn hands over", 19, "badge_unknown", by="S9")
    fields("a restore by a clerk", 15, "role_wrong", second="C1")
    fields("a sale by a supervisor in a clerk's session", 24, "session_badge", badge="S1")
    fields("a refund that nobody answers for", 22, "role_wrong", second="V2")
    fields("a draw that a verifier alone may end with another", 16, "role_wrong", by="V1")
    change("the neighbour is a kiosk", {16: with_fields(device(2), role=2)}, 18, "place_wrong")

    made = {
        "about": "Made from FORMAT.md and RULES.md by make_epochs.py. `outside`: checkpoints kept outside. "
                 "`own`: others at the end of the export. `changes`: bodies in other entries' places, with "
                 "commitment, leaf hash and header's draw made anew, index, time, day and nonce as they were; "
                 "first_bad null: no entry. A finding is among those of that place.",
        "key": LOG_KEY,
        "export": base64.b64encode(export(entries, own)).decode(),
        "root": root(hashes).hex(),
        "proofs": {
            "size": size,
            "inclusion": {"index": COMMON, "path": [one.hex() for one in inclusion(COMMON, hashes)]},
            "consistency": [{"from": old, "root": root(hashes[:old]).hex(),
                             "path": [one.hex() for one in consistency(old, hashes)]}
                            for old in (KEPT, COMMON, COMMON + 1, size)],
        },
        "outside": checkpoints,
        "own": own_wrong,
        "changes": changes,
    }
    print(json.dumps(made, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
