"""How tampered exports are made, and which first bad entry each must have; for tamper.py."""

import base64
import hashlib

from stranger import encoding, tree, writing


# Kinds that carry a command's key and name a shift.
KEYED = (9, 40, 41, 47, 53)
# Kinds that say what a till is expected to hold.
COUNTED = (8, 17)


class Unfit(Exception):
    """The export has no place for a sort of tampering."""


class Day:
    """An export taken apart."""

    def __init__(self, path):
        with open(path, "rb") as file:
            items = list(encoding.read_export(file.read()))
        self.note = items.pop()
        self.entries = items
        self.leaves = [encoding.parse_leaf(entry.leaf) for entry in items]
        self.bodies = [encoding.decode_body(leaf.kind, entry.body)
                       for leaf, entry in zip(self.leaves, items)]

        # The last of the records of people and devices at its beginning.
        self.staffed = max(self.all_of(4, lambda index, body: body.device > NOBODYS), default=0)

    def __len__(self):
        return len(self.entries)

    def all_of(self, kind, wanted=lambda index, body: True):
        return [index for index, leaf in enumerate(self.leaves)
                if leaf.kind == kind and wanted(index, self.bodies[index])]

    def pick(self, chance, kind, wanted=lambda index, body: True):
        places = self.all_of(kind, wanted)
        if not places:
            raise Unfit()
        return chance.choice(places)

    def latest(self, index):
        """The first DrawStarted or EpochOpened whose root covers an entry, or None."""
        for place, leaf in enumerate(self.leaves):
            if leaf.kind == 24 and self.bodies[place].seal_size > index or leaf.kind == 15 and place > index:
                return place
        return None

    def epoch_end(self, index):
        """The first EpochOpened from an entry on, or the end of the log."""
        return min(self.all_of(15, lambda place, body: place >= index) + [len(self)])

    def with_body(self, index, body):
        """All entries, one of them with another body and all its hashes made anew."""
        leaf = self.leaves[index]
        leaf = leaf._replace(draw=encoding.draw_of(leaf.kind, body))
        entries = list(self.entries)
        entries[index] = writing.sealed(leaf, entries[index].nonce, writing.body(leaf.kind, body))
        return entries

    def with_leaf(self, place, raw=None, **fields):
        """All entries, one of them with other leaf fields, or another body's bytes."""
        entries = list(self.entries)
        old = entries[place]
        entries[place] = writing.sealed(self.leaves[place]._replace(**fields), old.nonce,
                                        old.body if raw is None else raw)
        return entries

    def about(self, draw, after, kinds=range(20, 32)):
        """Entries after one that are about a draw."""
        return [place for place in range(after + 1, len(self))
                if self.leaves[place].kind in kinds and self.bodies[place].draw == draw]

    def keyed(self, after, wanted):
        """Entries after one that carry a command's key and fit."""
        return [place for place in range(after + 1, len(self))
                if self.leaves[place].kind in KEYED and wanted(self.bodies[place])]


class Floor:
    """Sessions, tills and locks of the devices as they stand before an entry."""

    def __init__(self, day, at):
        self.sessions = {}          # number -> device, of those that are open
        self.tills = {}             # device -> number of its open shift
        self.locked = set()
        for place in range(at):
            kind, body = day.leaves[place].kind, day.bodies[place]
            if kind == 4 and body.active:
                self.locked.discard(body.device)
            elif kind == 5:
                self.sessions[body.session] = body.device
            elif kind == 6:
                self.sessions.pop(body.session, None)
            elif kind == 7:
                self.tills[body.device] = body.shift
            elif kind == 8:
                self.tills.pop(self.holder(body.shift), None)
            elif kind == 15:
                self.sessions = {}
            elif kind == 16:
                self.locked.add(body.device)
                if body.shift is not None:
                    self.tills[body.to] = self.tills.pop(body.device)

    def holder(self, shift):
        """The device at which a shift is open."""
        return next((device for device, number in self.tills.items() if number == shift), None)


def exactly(index, what=None):
    right = {"exact": index}
    if what is not None:
        right["what"] = what
    return right


def first_of(day, index, others=(), shift=0):
    """The first of the entries that an unjudged change makes wrong, by its new place."""
    places = [place for place in list(others) + [day.latest(index)] if place is not None]
    if shift > 0 and index < len(day) and day.leaves[index].kind == 15:
        places.append(index)  # something new stands before it
    return exactly(min(places) + shift if places else None)


def covered(day, index):
    """Nothing but the seals and the root speaks against the change."""
    return first_of(day, index)


def between(day, index):
    """The entry or a later one, but no later than the seals allow."""
    latest = day.latest(index)
    return {"from": index, "to": latest, "none": latest is None}


# ---- bytes -------------------------------------------------------------------

def flip(chance, raw):
    bit = chance.randrange(len(raw) * 8)
    out = bytearray(raw)
    out[bit // 8] ^= 1 << bit % 8
    return bytes(out)


def flip_part(part, what):
    def make(day, other, chance):
        index = chance.randrange(len(day))
        entries = list(day.entries)
        entries[index] = entries[index]._replace(**{part: flip(chance, getattr(entries[index], part))})
        return writing.export(entries, day.note), index, exactly(index, what)
    return make


def flip_length(day, other, chance):
    index = chance.randrange(len(day))
    before = len(writing.export(day.entries[:index], None))
    at = before + 1 + encoding.LEAF_BYTES + 32 + 32
    data = writing.export(day.entries, day.note)
    return data[:at] + flip(chance, data[at:at + 4]) + data[at + 4:], index, exactly(index)


def flip_note(day, other, chance):
    data = writing.export(day.entries, day.note)
    size = len(day.note.encode("utf-8"))
    note = flip(chance, data[-size:])
    try:
        note.decode("utf-8")
        right = exactly(None, "checkpoint_unsigned")
    except UnicodeDecodeError:
        right = exactly(len(day), "framing")
    return data[:-size] + note, None, right


def flip_magic(day, other, chance):
    data = writing.export(day.entries, day.note)
    size = len(encoding.MAGIC)
    magic = flip(chance, data[:size])
    # Another digit; not the line feed after our own.
    is_other = magic[:-2] == encoding.MAGIC[:-2] and magic[-2:-1].isdigit() and magic[-2:-1] != encoding.MAGIC[-2:-1]
    return magic + data[size:], None, exactly(None, "export_format" if is_other else "framing")


def other_mark(day, other, chance):
    index = chance.randrange(len(day))
    at = len(writing.export(day.entries[:index], None))
    data = writing.export(day.entries, day.note)
    return data[:at] + bytes([chance.randrange(2, 256)]) + data[at + 1:], index, exactly(index, "framing")


def more_after_end(day, other, chance):
    return writing.export(day.entries, day.note) + b"\0", None, exactly(len(day), "framing")


def removed(day, other, chance):
    index = chance.randrange(len(day))
    entries = day.entries[:index] + day.entries[index + 1:]
    right = exactly(index, "index_wrong") if index < len(entries) else exactly(None, "checkpoint_size")
    return writing.export(entries, day.note), index, right


def doubled(day, other, chance):
    index = chance.randrange(len(day))
    entries = day.entries[:index + 1] + day.entries[index:]
    return writing.export(entries, day.note), index + 1, exactly(index + 1, "index_wrong")


def swapped(day, other, chance):
    index = chance.randrange(len(day) - 1)
    entries = list(day.entries)
    entries[index:index + 2] = entries[index + 1], entries[index]
    return writing.export(entries, day.note), index, exactly(index)


def cut_inside(day, other, chance):
    index = chance.randrange(len(day))
    start = len(writing.export(day.entries[:index], None))
    size = len(writing.entry(day.entries[index]))
    data = writing.export(day.entries, day.note)[:start + chance.randrange(1, size)]
    return data, index, exactly(index, "framing")


def cut_between(day, other, chance):
    index = chance.randrange(len(day) + 1)
    return writing.export(day.entries[:index], None), None, exactly(index, "framing")


def cut_in_end(day, other, chance):
    data = writing.export(day.entries, day.note)
    return data[:-chance.randrange(1, len(day.note) + 5)], None, exactly(len(day), "framing")


def cut_with_end(day, other, chance):
    """The tail is gone, the signed end is there."""
    index = chance.randrange(1, len(day))
    return writing.export(day.entries[:index], day.note), None, exactly(None, "checkpoint_size")


def foreign_inserted(day, other, chance):
    index = chance.randrange(1, len(day))
    place = chance.choice([one for one in range(len(other)) if one != index])
    entries = day.entries[:index] + [other.entries[place]] + day.entries[index:]
    return writing.export(entries, day.note), index, exactly(index)


def foreign_replaced(day, other, chance):
    """Same index, sound bytes: only the tree and the meaning are wrong."""
    index = chance.randrange(1, min(len(day), len(other)))
    entries = list(day.entries)
    entries[index] = other.entries[index]
    if entries[index] == day.entries[index]:
        raise Unfit()
    return writing.export(entries, day.note), index, between(day, index)


# ---- leaves, with commitment and hash made anew ------------------------------

def leaf_changed(what, change, first=0):
    def make(day, other, chance):
        index = chance.randrange(first, len(day))
        return (writing.export(day.with_leaf(index, **change(day, index, chance)), day.note), index,
                exactly(index, what))
    return make


def time_back(day, index, chance):
    return {"time_ms": day.leaves[index - 1].time_ms - chance.choice((1, 1000))}


# ---- clever ------------------------------------------------------------------

def changed(kind, change, right, wanted=lambda index, body: True):
    """A sort that changes one body of a kind; ``change(chance, body, day)`` gives the new one.

    ``right`` is the name of the finding in that entry, or gives what is right.
    """
    def make(day, other, chance):
        index = day.pick(chance, kind, wanted)
        day.at = index
        body = change(chance, day.bodies[index], day)
        fits = exactly(index, right) if isinstance(right, str) else right(day, index)
        return writing.export(day.with_body(index, body), day.note), index, fits
    return make


def void_by_seller(day, other, chance):
    """A draw that was started, voided by somebody who sold for it."""
    index = day.pick(chance, 31, lambda index, body: any(
        place < index for place in day.all_of(24, lambda place, one: one.draw == body.draw)))
    body = day.bodies[index]
    sold = day.all_of(40, lambda place, one: place < index and one.first_draw <= body.draw <= one.last_draw
                      and one.badge != body.second)
    if not sold or day.all_of(15):
        raise Unfit()
    day.at = index
    seller = day.bodies[chance.choice(sold)].badge
    return (writing.export(day.with_body(index, body._replace(by=seller)), day.note), index,
            exactly(index, "void_wrong"))


def put(**fields):
    """A change that sets fields."""
    return lambda chance, body, day: body._replace(**fields)


def same_person(first="by", second="second"):
    """A change that leaves one person, or an empty badge, where two are asked."""
    def change(chance, body, day):
        return body._replace(**{second: chance.choice((getattr(body, first), ""))})
    return change


def field_by(field, *steps):
    """Changes a number by one of a few steps."""
    def change(chance, body, day):
        return body._replace(**{field: getattr(body, field) + chance.choice(steps)})
    return change


def field_hash(field):
    def change(chance, body, day):
        return body._replace(**{field: flip(chance, getattr(body, field))})
    return change


def other_wager(priced):
    """A line's wager by one step; with ``priced``, the price of the ticket follows."""
    def change(chance, body, day):
        selections = list(body.selections)
        place = chance.randrange(len(selections))
        lines = list(selections[place].conditioning)
        spot = chance.randrange(len(lines))
        more = 50 if lines[spot].wager_cents <= 100 else -50
        lines[spot] = lines[spot]._replace(wager_cents=lines[spot].wager_cents + more)
        selections[place] = selections[place]._replace(conditioning=lines)
        body = body._replace(selections=selections)
        if priced:
            body = priced_for(body, body.per_draw_cents + more * lines[spot].ways)
        return body
    return change


def priced_for(body, per_draw):
    total = per_draw * (body.last_draw - body.first_draw + 1)
    return body._replace(per_draw_cents=per_draw, total_cents=total, received_cents=total)


def other_number(chance, body, day):
    selections = list(body.selections)
    place = chance.randrange(len(selections))
    one = selections[place]
    taken = set(b"".join(one.groups) + one.kings)
    groups = list(one.groups)
    spot = chance.randrange(len(groups))
    numbers = list(groups[spot])
    numbers[chance.randrange(len(numbers))] = chance.choice(
        [number for number in range(1, 81) if number not in taken])
    groups[spot] = bytes(sorted(numbers))
    selections[place] = one._replace(groups=groups)
    return body._replace(selections=selections)


def other_last_draw(priced):
    def change(chance, body, day):
        last = body.last_draw + 1 if body.last_draw == body.first_draw else \
            body.last_draw + chance.choice((-1, 1))
        body = body._replace(last_draw=last)
        return priced_for(body, body.per_draw_cents) if priced else body
    return change


def other_first_draw(chance, body, day):
    body = body._replace(first_draw=body.first_draw + 1)
    return priced_for(body, body.per_draw_cents)


def other_ball(chance, body, day):
    balls = list(body.balls)
    if chance.random() < 0.5:
        one, two = chance.sample(range(len(balls)), 2)
        balls[one], balls[two] = balls[two], balls[one]
    else:
        balls[chance.randrange(len(balls))] = chance.choice(
            [number for number in range(1, 81) if number not in balls])
    return body._replace(balls=bytes(balls))


def other_secret(chance, body, day):
    secrets = list(body.secrets)
    place = chance.randrange(len(secrets))
    secrets[place] = flip(chance, secrets[place])
    return body._replace(secrets=secrets)


def other_payment(chance, body, day):
    """Another amount, with the sum and the rounding that go with it."""
    items = list(body.items)
    place = chance.randrange(len(items))
    items[place] = items[place]._replace(amount_cents=items[place].amount_cents + chance.choice((5, 25, 100)))
    return body._replace(items=items, total_cents=sum(item.amount_cents for item in items))


def renumbered(day, order, bodies=()):
    """Entries in a new order, all made anew.

    ``order`` holds old indices (a repeated one is a copy) and new entries as
    pairs (kind, body). References to entries follow them to their new places,
    but for the payment that a new reversal names: that is a new place already.
    """
    bodies = dict(bodies)
    place_of = {}
    for place, index in enumerate(order):
        place_of.setdefault(index, place) if isinstance(index, int) else None
    entries, last = [], None
    for place, index in enumerate(order):
        if isinstance(index, int):
            leaf, nonce = day.leaves[index], day.entries[index].nonce
            body = bodies.get(place, day.bodies[index])
        else:
            kind, body = index
            leaf = last._replace(kind=kind, draw=encoding.draw_of(kind, body))
            nonce = bytes([place % 256]) * 32
        for field in ("ticket", "payment", "replay_of", "file"):
            if getattr(body, field, None) is not None and (field != "payment" or isinstance(index, int)):
                body = body._replace(**{field: place_of.get(getattr(body, field), getattr(body, field))})
        if last is not None and leaf.time_ms < last.time_ms:
            leaf = leaf._replace(time_ms=last.time_ms, day=last.day)
        last = leaf._replace(index=place)
        entries.append(writing.sealed(last, nonce, writing.body(leaf.kind, body)))
    return entries


# ---- entries left out, put in or repeated, with all indices made anew ----------

def of_shift(day, index, shift, kinds=(8, 16, 17, 48) + KEYED):
    return [place for place in range(index + 1, len(day))
            if day.leaves[place].kind in kinds and day.bodies[place].shift == shift]


def until(day, index, kinds, end):
    """The next entry of some kinds, unless one of kind ``end`` comes before it."""
    for place in range(index + 1, len(day)):
        if day.leaves[place].kind == end:
            return []
        if day.leaves[place].kind in kinds:
            return [place]
    return []


def stands(day, index, on, off):
    """Whether ``on`` came after the last ``off`` before an entry."""
    for place in range(index - 1, -1, -1):
        if day.leaves[place].kind in (on, off):
            return day.leaves[place].kind == on
    return False


def pays(day, index, ticket, draws):
    """Later payments of a ticket (None: any) for some draws."""
    return [place for place in range(index + 1, len(day))
            if day.leaves[place].kind == 47 and ticket in (None, day.bodies[place].ticket)
            and any(item.draw in draws for item in day.bodies[place].items)]


def uses_of_device(day, index, device):
    """Later entries that a lock of the device forbids, until it is let in again."""
    places = []
    for place in range(index + 1, len(day)):
        kind, body = day.leaves[place].kind, day.bodies[place]
        if kind == 4 and body.device == device and body.active:
            break
        if kind in (5, 7) and body.device == device or kind == 16 and device in (body.device, body.to):
            places.append(place)
    return places


def reversals(day, index, device, shift):
    """Later entries that undo payments of a till at a device, until somebody signs on there."""
    places = []
    for place in range(index + 1, len(day)):
        kind, body = day.leaves[place].kind, day.bodies[place]
        if kind == 5 and body.device == device:
            break
        if kind == 48 and body.shift == shift:
            places.append(place)
    return places


def places_of(day, index, device):
    """Later entries that need a role of the device, until it is recorded again."""
    places = []
    for place in range(index + 1, len(day)):
        kind, body = day.leaves[place].kind, day.bodies[place]
        if kind == 4 and body.device == device:
            break
        at = body.to if kind == 16 else getattr(body, "device", None)
        if kind in KEYED:
            at = body.key.device
        if kind in (5, 7, 16, 17, 32, 43, 46, 54, 64) + KEYED and at == device:
            places.append(place)
    return places


def used_as(day, index):
    """A device whose role is none: whatever needs one contradicts."""
    return first_of(day, index, places_of(day, index, day.bodies[index].device))


def device_left_out(day, index, body):
    """It was never recorded, or it stays locked."""
    if not day.all_of(4, lambda place, one: place < index and one.device == body.device):
        return places_of(day, index, body.device)
    locked = body.active and body.device in Floor(day, index).locked
    return uses_of_device(day, index, body.device) if locked else []


def till_of_device(day, index, device, shift):
    """Later entries that contradict when a shift is open at a device, until it is closed."""
    places = []
    for place in range(index + 1, len(day)):
        kind, body = day.leaves[place].kind, day.bodies[place]
        if kind == 8 and body.shift == shift:
            break
        if kind == 7 and body.device == device or kind == 16 and (
                body.device == device and body.shift != shift
                or body.to == device and body.shift is not None):
            places.append(place)
    return places


def session_left_open(day, index, body):
    """Hand-overs of a device at which a session did not end."""
    device = Floor(day, index).sessions.get(body.session)
    return day.all_of(16, lambda place, one: index < place < day.epoch_end(index) and one.device == device)


def not_handed_over(day, index, body):
    """What contradicts when a till stays where it was."""
    if body.shift is None:
        return []
    return of_shift(day, index, body.shift, KEYED + (16, 17)) \
        + till_of_device(day, index, body.device, body.shift)


def administrators(day, index):
    """The first two administrators before an entry."""
    found = [day.bodies[place].badge for place in day.all_of(3, lambda place, body: place < index)
             if 8 in day.bodies[place].roles]
    if len(found) < 2:
        raise Unfit()
    return found[:2]


def acts_of(day, index, body):
    """What contradicts when a badge has no record: all that it did later."""
    def named(place):
        one = day.bodies[place]
        if day.leaves[place].kind in (3, 4):
            return body.badge in (one.by, one.second)
        return body.badge in (getattr(one, "by", None), getattr(one, "badge", None),
                              getattr(one, "second", None)) or body.badge in getattr(one, "certifiers", ())
    return [place for place in range(index + 1, len(day)) if named(place)]


def totals_of(day, index, ticket):
    """Later closings and voids of the draws of a ticket."""
    sale = day.bodies[ticket]
    return [place for draw in range(sale.first_draw, sale.last_draw + 1)
            for place in day.about(draw, index, (23, 31))]


DRAW_STEPS = range(20, 29)

# Kind -> the later entries that contradict when an entry of it is left out.
LEFT_OUT = {
    3: acts_of,
    4: device_left_out,
    5: lambda day, index, body: day.keyed(index, lambda one: one.key.session == body.session)
       + day.all_of(6, lambda place, one: place > index and one.session == body.session),
    6: session_left_open,
    7: lambda day, index, body: of_shift(day, index, body.shift),
    8: lambda day, index, body: till_of_device(
        day, index, Floor(day, index).holder(body.shift), body.shift),
    9: lambda day, index, body: of_shift(day, index, body.shift, COUNTED),
    10: lambda day, index, body: day.all_of(10, lambda place, one: place > index),
    11: lambda day, index, body: [],
    12: lambda day, index, body: until(day, index, DRAW_STEPS, 12) if stands(day, index, 11, 12) else [],
    13: lambda day, index, body: [],
    14: lambda day, index, body: until(day, index, (40,), 14) if stands(day, index, 13, 14) else [],
    15: lambda day, index, body: (day.all_of(20, lambda place, one: place > index)
                                  if body.next_draw != Past(day, index).draw else [])
        + day.all_of(53, lambda place, one: place > index and one.sold_epoch >= Past(day, index).epoch),
    16: not_handed_over,
    17: lambda day, index, body: [],
    20: lambda day, index, body: day.all_of(20, lambda place, one: place > index)
        + day.about(body.draw, index) + day.about(body.draw, index, (61, 64)),
    21: lambda day, index, body: day.about(body.draw, index, (22,)),
    23: lambda day, index, body: day.about(body.draw, index, (24, 29, 39)),
    24: lambda day, index, body: [place for place in day.about(body.draw, index, (24, 25))[:1]
                                  if day.leaves[place].kind == 25],
    25: lambda day, index, body: day.about(body.draw, index, (26,)),
    26: lambda day, index, body: day.about(body.draw, index, (27, 28)),
    27: lambda day, index, body: day.about(body.draw, index, (28,)),
    28: lambda day, index, body: pays(day, index, None, (body.draw,)),
    29: lambda day, index, body: day.about(body.draw, index, (30,))[:1],
    30: lambda day, index, body: [place for place in day.about(body.draw, index, (*range(20, 32), 39))[:1]
                                  if day.leaves[place].kind != 31],
    31: lambda day, index, body: day.about(body.draw, index, (27,)) + pays(day, index, None, (body.draw,))
        + day.all_of(46, lambda place, one: place > index and body.draw in one.draws),
    39: lambda day, index, body: [],
    41: lambda day, index, body: totals_of(day, index, body.ticket)
        + (of_shift(day, index, body.shift, COUNTED) if body.tender == 1 else []),
    43: lambda day, index, body: [],
    45: lambda day, index, body: [place for place in range(index + 1, len(day))
                                  if day.leaves[place].kind in (43, 45)
                                  and day.bodies[place].ticket == body.ticket],
    47: lambda day, index, body: day.all_of(48, lambda place, one: one.payment == index)
        + (of_shift(day, index, body.shift, COUNTED) if body.tender == 1 else []),
    48: lambda day, index, body: pays(day, index, body.ticket,
                                      [item.draw for item in day.bodies[body.payment].items])
        + (of_shift(day, index, body.shift, COUNTED) if body.cash_cents else []),
    49: lambda day, index, body: [],
    50: lambda day, index, body: [],
    52: lambda day, index, body: [],
    53: lambda day, index, body: of_shift(day, index, body.shift, COUNTED) if body.tender == 1 else [],
    54: lambda day, index, body: [],
    58: lambda day, index, body: [],
    64: lambda day, index, body: [],
}


def left_out(day, other, chance):
    kind = chance.choice(sorted({leaf.kind for leaf in day.leaves} & set(LEFT_OUT)))
    index = day.pick(chance, kind)
    order = [place for place in range(len(day)) if place != index]
    return (writing.export(renumbered(day, order), day.note), index,
            first_of(day, index, LEFT_OUT[kind](day, index, day.bodies[index]), -1))


# Repeated, entries of these kinds change nothing.
REPEATABLE = (3, 4, 11, 12, 13, 14, 17, 43, 44, 49, 52, 54, 58, 60, 64)


def repeated(day, other, chance):
    kind = chance.choice(sorted({leaf.kind for leaf in day.leaves}))
    index = day.pick(chance, kind)
    order = list(range(index + 1)) + list(range(index, len(day)))
    # A founder may be recorded again until there are two administrators.
    is_founder = kind == 3 and not day.bodies[index].second
    once = is_founder and len([place for place in day.all_of(3, lambda place, body: place <= index)
                               if 8 in day.bodies[place].roles]) >= 2
    # A room that passes to others may pass on at once.
    stays = kind in REPEATABLE or kind == 63 and day.bodies[index].goes_on == 1
    right = exactly(index + 1) if once or not stays else first_of(day, index, (), 1)
    return writing.export(renumbered(day, order), day.note), index + 1, right


def put_in(day, index, kind, others, what=None, **fields):
    """A new entry before ``index``; ``others`` are the entries that it makes wrong."""
    new = encoding.KINDS[kind][2](**fields)
    order = list(range(index)) + [(kind, new)] + list(range(index, len(day)))
    right = first_of(day, index, others, 1)
    if what is not None and others and right["exact"] == min(others) + 1:
        right["what"] = what
    return writing.export(renumbered(day, order), day.note), index, right


def hold_put_in(day, other, chance):
    index = day.pick(chance, 47)
    body = day.bodies[index]
    return put_in(day, index, 52, [index], "payment_while_held", ticket=body.ticket,
                  draw=body.items[0].draw, reason=1, by="guard")


def hold_elsewhere(day, other, chance):
    """A hold a while before the payment; nothing releases it in between."""
    payment = day.pick(chance, 47, lambda index, body: not day.all_of(
        44, lambda place, one: one.ticket == body.ticket))
    ticket = day.bodies[payment].ticket
    first = day.all_of(47, lambda place, one: one.ticket == ticket)[0]
    index = chance.randrange(ticket + 1, first + 1)
    return put_in(day, index, 52, [first], "payment_while_held", ticket=ticket, draw=0, reason=2, by="guard")


def release_put_in(day, other, chance):
    ticket = day.pick(chance, 40)
    index = chance.randrange(ticket + 1, len(day))
    return put_in(day, index, 44, [], ticket=ticket, evidence="seen", by="A1", second="A2")


def halt_put_in(day, other, chance):
    index = chance.randrange(1, len(day))
    return put_in(day, index, 11, until(day, index - 1, DRAW_STEPS, 12), "step_while_halted",
                  reason=1, seen_ms=0, expected_ms=1)


def stop_put_in(day, other, chance):
    index = chance.randrange(1, len(day))
    return put_in(day, index, 13, until(day, index - 1, (40,), 14), "ticket_while_suspended",
                  reason="test", by="guard")


def key_closed_put_in(day, other, chance):
    places = day.keyed(0, lambda body: True) + day.all_of(50)
    if not places:
        raise Unfit()
    used = chance.choice(places)
    index = chance.randrange(1, used + 1)
    return put_in(day, index, 50, [used], "key_repeated" if day.leaves[used].kind == 50 else "key_closed",
                  key=day.bodies[used].key, badge="A1")


def session_end_put_in(day, other, chance):
    opened = day.pick(chance, 5)
    session = day.bodies[opened].session
    uses = LEFT_OUT[5](day, opened, day.bodies[opened])
    index = chance.randrange(opened + 1, min(uses + [day.epoch_end(opened)]) + 1)
    device = day.bodies[opened].device
    uses = uses + reversals(day, index - 1, device, Floor(day, index).tills.get(device))
    return put_in(day, index, 6, uses, "session_wrong", session=session, reason=3, by="A1")


def lease_put_in(day, other, chance):
    index = day.pick(chance, 10)
    return put_in(day, index + 1, 10, LEFT_OUT[10](day, index, None), "fence_wrong",
                  instance="another", fence=day.bodies[index].fence + 1)


# ---- epochs ------------------------------------------------------------------

class Past:
    """What an epoch that is opened before an entry must know of the entries before it."""

    def __init__(self, day, index):
        self.size = index
        grown = tree.Tree()
        for entry in day.entries[:index]:
            grown.append(entry.hash)
        self.root = grown.root()
        self.epoch, self.draw, self.session, self.shift = 1, 0, 0, 0
        self.announced = []         # places of the DrawScheduled of the last epoch
        for place in range(index):
            kind, body = day.leaves[place].kind, day.bodies[place]
            if kind == 1:
                self.draw = body.first_draw
            elif kind == 5:
                self.session = max(self.session, body.session + 1)
            elif kind == 7:
                self.shift = max(self.shift, body.shift + 1)
            elif kind == 15:
                self.epoch, self.draw, self.announced = body.epoch, body.next_draw, []
                self.session = max(self.session, body.next_session)
                self.shift = max(self.shift, body.next_shift)
            elif kind == 20:
                self.draw = body.draw + 1
                self.announced.append(place)

    def opened(self, **fields):
        """An EpochOpened that holds, but for the fields named."""
        right = dict(epoch=self.epoch + 1, continues_size=self.size, continues_root=self.root,
                     lost_size=self.size, lost_root=self.root, next_draw=self.draw,
                     next_session=self.session, next_shift=self.shift, reason="test", by="A1", second="A2")
        return new(15, **dict(right, **fields))


def epoch_put_in(day, other, chance):
    """A sound epoch in the middle: what comes after speaks of what has ended, or reuses numbers."""
    index = chance.randrange(1, len(day) + 1)
    past = Past(day, index)
    passed = [chance.choice((0, 0, 1, 1000)) for _ in range(3)]
    opened = past.opened(epoch=past.epoch + chance.choice((1, 2, 40)), next_draw=past.draw + passed[0],
                         next_session=past.session + passed[1], next_shift=past.shift + passed[2],
                         lost_size=index + 7, lost_root=flip(chance, past.root))
    before = {day.bodies[place].draw for place in past.announced}
    sessions = {day.bodies[place].session for place in day.all_of(5, lambda place, body: place < index)}
    others, resumed = [], False
    for place in range(index, day.epoch_end(index)):
        kind, body = day.leaves[place].kind, day.bodies[place]
        resumed = resumed or kind == 14
        if kind == 40 and not resumed \
                or (kind in range(21, 40) and kind not in (27, 28, 31) or kind in (61, 64)) and body.draw in before \
                or kind == 40 and body.first_draw in before \
                or kind in KEYED and body.key.session in sessions \
                or kind == 6 and body.session in sessions \
                or kind == 5 and body.session < opened[1].next_session \
                or kind == 7 and body.shift < opened[1].next_shift \
                or kind == 20 and passed[0]:
            others.append(place)
            break
    order = list(range(index)) + [opened] + list(range(index, len(day)))
    right = first_of(day, index, others, 1)
    if right["exact"] is None:
        right["what"] = "checkpoint_origin"
    return writing.export(renumbered(day, order), day.note), index, right


def epoch_unsound(what, change):
    """An epoch that does not hold; ``change(past, chance)`` gives the fields that are wrong."""
    def make(day, other, chance):
        index = chance.randrange(1, len(day) + 1)
        past = Past(day, index)
        order = list(range(index)) + [past.opened(**change(past, chance))] + list(range(index, len(day)))
        return writing.export(renumbered(day, order), day.note), index, exactly(index, what)
    return make


def any_field(fields):
    """One of a few fields, given by a function of the past, is wrong."""
    def change(past, chance):
        name = chance.choice(sorted(fields))
        return {name: fields[name](past, chance)}
    return change


def epoch_again(day, other, chance):
    """Two epochs one after the other; the second does not go beyond the first."""
    index = chance.randrange(1, len(day) + 1)
    past = Past(day, index)
    first = past.opened(epoch=past.epoch + 3, next_draw=past.draw + 5, next_session=past.session + 5,
                        next_shift=past.shift + 5)
    grown = tree.Tree()
    for entry in renumbered(day, list(range(index)) + [first]):
        grown.append(entry.hash)
    field = chance.choice(("epoch", "next_draw", "next_session", "next_shift", None))
    fields = dict(first[1]._asdict(), epoch=first[1].epoch + 1, continues_size=grown.size,
                  continues_root=grown.root(), lost_size=grown.size, lost_root=grown.root())
    right = exactly(index + 1, "epoch_numbers")
    if field == "epoch":
        fields[field] = first[1].epoch - chance.choice((0, 1))
        right["what"] = "epoch_number"
    elif field is not None:
        fields[field] -= 1
    else:
        right = exactly(None, "checkpoint_origin")
    order = list(range(index)) + [first, new(15, **fields)]
    return writing.export(renumbered(day, order), day.note), index + 1, right


# A device, and the one after it, that no export uses. An export to be tampered with has them on
# record, counters of the main cage, and two people who do nothing, A1 and A2, with the roles 1, 2, 3.
NOBODYS = 1 << 31

# Steps after which a draw is neither official nor settled nor void.
UNFINISHED = (20, 22, 23, 24, 25, 29, 30)


def last_steps(day):
    """Draw -> the kind of its last step."""
    return {day.bodies[place].draw: leaf.kind for place, leaf in enumerate(day.leaves)
            if 20 <= leaf.kind <= 31 and leaf.kind not in (21, 27)}


def voided(day, draw):
    """The DrawVoided that is right after the last entry."""
    gone = {day.bodies[place].ticket for kind in (41, 42) for place in day.all_of(kind)}
    closed = min(day.about(draw, 0, (23,)) + [len(day)])
    part = [day.bodies[place] for place in day.all_of(
        40, lambda place, body: body.first_draw <= draw <= body.last_draw)
        if place not in gone and place < closed]
    return new(31, draw=draw, reason="test", by="A1", second="A2", tickets=len(part),
               refund_cents=sum(sale.per_draw_cents for sale in part))


def epoch_at_end(day, other, chance):
    """An epoch after the last entry, then one entry that is right in it, or one that is not."""
    index = len(day)
    past = Past(day, index)
    opened = past.opened(next_draw=past.draw + 3, next_session=past.session + 3, next_shift=past.shift + 3)
    last = last_steps(day)
    stood = list(Floor(day, index).sessions)
    numbered = [day.bodies[place] for place in past.announced]

    def in_step(*kinds):
        return [body.draw for body in numbered if last[body.draw] in kinds]

    def session(number):
        return new(5, session=number, device=NOBODYS, badge="A1", token_hash=bytes(32))

    def shift(number):
        return new(7, shift=number, device=NOBODYS, badge="A1", float_cents=0)

    def numbered_as(number):
        return new(20, **dict(numbered[-1]._asdict(), draw=number)) if numbered else None

    # Finding or None -> the entries that may follow.
    choices = [(None, session(opened[1].next_session)), (None, shift(opened[1].next_shift)),
               (None, session(opened[1].next_session + 9)),
               ("number_reused", session(opened[1].next_session - 1)),
               ("number_reused", shift(opened[1].next_shift - 1))]
    choices += [("session_wrong", new(6, session=one, reason=1, by="A1")) for one in stood[:1]]
    choices += [(None, voided(day, draw)) for draw in in_step(*UNFINISHED)[:2]]
    if not stands(day, index, 11, 12):
        choices += [("epoch_draw", new(22, draw=draw)) for draw in in_step(20)[:1]]
        choices += [("epoch_draw", new(23, draw=draw, tickets=0, selections=0, wagered_cents=0))
                    for draw in in_step(22)[:1]]
        if numbered:
            choices += [(None, numbered_as(opened[1].next_draw)),
                        ("draw_number_wrong", numbered_as(opened[1].next_draw - 3))]
    choices += [("epoch_draw", new(29, draw=draw, reason="test", by="A1")) for draw in in_step(23, 24)[:1]]
    choices += [("epoch_draw", new(30, draw=draw, by="A1", second="A2")) for draw in in_step(29)[:1]]
    what, added = chance.choice(choices)
    right = exactly(None, "checkpoint_origin") if what is None else exactly(index + 1, what)
    return (writing.export(renumbered(day, list(range(index)) + [opened, added]), day.note), index + 1, right)


# ---- withdrawals of tickets with draws that are over, before their first draw closes ----

class Moment:
    """A place between a sale and whatever comes next of its draws and of itself."""

    def __init__(self, day, chance):
        self.day = day
        self.ticket = day.pick(chance, 40, lambda index, body: body.first_draw < body.last_draw)
        sale = self.sale = day.bodies[self.ticket]
        self.range = range(sale.first_draw, sale.last_draw + 1)
        ends = [place for draw in self.range for place in day.about(draw, self.ticket)]
        ends += [place for place in range(self.ticket + 1, len(day))
                 if day.leaves[place].kind in (41, 42, 47, 52) and day.bodies[place].ticket == self.ticket]
        self.at = chance.randrange(self.ticket + 1, min(ends + [day.epoch_end(self.ticket)]) + 1)
        self.draw = chance.choice(self.range[1:])

    def before(self, kind, wanted=lambda body: True):
        return self.day.all_of(kind, lambda index, body: index < self.at and wanted(body))

    def part(self):
        """The sales of the tickets that are in the draw."""
        gone = {self.day.bodies[place].ticket for kind in (41, 42) for place in self.before(kind)}
        return [self.day.bodies[place] for place in self.before(
            40, lambda body: body.first_draw <= self.draw <= body.last_draw) if place not in gone]

    def desk(self, chance):
        """(device, session, shift) where one can pay."""
        floor = Floor(self.day, self.at)
        desks = [(device, session, floor.tills[device])
                 for session, device in floor.sessions.items() if device in floor.tills]
        if not desks:
            raise Unfit()
        return chance.choice(desks)

    def teller(self, desk):
        """Who is signed on there."""
        return self.day.bodies[self.day.all_of(5, lambda place, body: body.session == desk[1])[0]].badge

    def void(self):
        part = self.part()
        return new(31, draw=self.draw, reason="test", by="A1", second="A2", tickets=len(part),
                   refund_cents=sum(sale.per_draw_cents for sale in part))

    def unpaid(self):
        return new(42, first_draw=self.sale.first_draw, ticket=self.ticket,
                   amount_cents=self.sale.total_cents, on=1, by="A1", second="A2")

    def cancelled(self, desk, counter):
        return new(41, first_draw=self.sale.first_draw, ticket=self.ticket, key=key_at(desk, counter),
                   content_hash=bytes(32), reason=1, refund_cents=self.sale.total_cents,
                   tender=self.sale.tender, badge=self.teller(desk), shift=desk[2], on=1, second="A2")

    def refunded(self, desk, counter):
        cents, cash = self.sale.per_draw_cents, self.sale.tender == 1
        item = encoding.RECORDS["PaidItem"](self.draw, 2, cents)
        return new(47, ticket=self.ticket, key=key_at(desk, counter), content_hash=bytes(32), items=[item],
                   total_cents=cents, tender=self.sale.tender,
                   rounding_cents=(0, -1, -2, 2, 1)[cents % 5] if cash else 0,
                   path=1, badge=self.teller(desk), second="A2", shift=desk[2])

    def export(self, added):
        order = list(range(self.at)) + added + list(range(self.at, len(self.day)))
        return writing.export(renumbered(self.day, order), self.day.note)


def new(kind, /, **fields):
    return kind, encoding.KINDS[kind][2](**fields)


def key_at(desk, counter):
    return encoding.RECORDS["CommandKey"](desk[0], desk[1], 1000000 + counter)


def withdrawn_refunded(day, other, chance):
    """A later draw is void and refunded; then the ticket is withdrawn for its whole price."""
    moment = Moment(day, chance)
    desk = moment.desk(chance)
    last = moment.unpaid() if chance.random() < 0.5 else moment.cancelled(desk, 2)
    added = [moment.void(), moment.refunded(desk, 1), last]
    place = moment.at + len(added) - 1
    return moment.export(added), place, exactly(place, "withdrawn_paid")


def withdrawn_reversed(day, other, chance):
    """The same with the refund reversed before: now only what comes later contradicts."""
    moment = Moment(day, chance)
    desk = moment.desk(chance)
    refund = moment.refunded(desk, 1)
    cash = refund[1].total_cents + refund[1].rounding_cents if moment.sale.tender == 1 else 0
    undone = new(48, payment=moment.at + 1, ticket=moment.ticket, reason="test", by=moment.teller(desk),
                 second="A2", shift=desk[2], cash_cents=cash)
    last = moment.unpaid() if chance.random() < 0.5 else moment.cancelled(desk, 2)
    added = [moment.void(), refund, undone, last]
    at, after = moment.at, moment.at - 1
    others = [place for draw in moment.range for place in day.about(draw, after, (23, 31))]
    others += day.about(moment.draw, after)
    others += day.all_of(40, lambda place, body: place >= at
                         and body.first_draw <= moment.draw <= body.last_draw)
    others += [place for place in range(at, len(day)) if day.leaves[place].kind in (41, 42, 47, 54)
               and day.bodies[place].ticket == moment.ticket]
    if moment.sale.tender == 1:
        others += of_shift(day, after, moment.sale.shift if last[0] == 42 else desk[2], COUNTED)
    return moment.export(added), at, first_of(day, at, others, len(added))


def unpaid_after_later_start(day, other, chance):
    """A later draw of the range is started (then perhaps interrupted, or void); then unpaid."""
    moment = Moment(day, chance)
    if stands(day, moment.at, 11, 12):
        raise Unfit()
    part, draw = moment.part(), moment.draw
    closing = new(23, draw=draw, tickets=len(part), selections=sum(len(sale.selections) for sale in part),
                  wagered_cents=sum(sale.per_draw_cents for sale in part))
    sealed = tree.Tree()
    for entry in renumbered(day, list(range(moment.at)) + [closing]):
        sealed.append(entry.hash)
    books = [day.bodies[place] for place in moment.before(2, lambda body: body.effective_from <= draw)]
    starting = new(24, draw=draw, seal_size=sealed.size, seal_root=sealed.root(),
                   rule_book_hash=max(books, key=lambda body: body.version).hash)
    since = chance.choice(([], [moment.void()], [
        new(29, draw=draw, reason="test", by="guard"), new(30, draw=draw, by="A1", second="A2")]))
    added = [closing, starting] + since + [moment.unpaid()]
    place = moment.at + len(added) - 1
    return moment.export(added), place, exactly(place, "unpaid_after_ball")


def small_order_key(chance, body, day):
    """A verifier key in its right form whose 32 bytes are a point of small order."""
    name = body.log_key.split("+")[0]
    raw = b"\x01" + chance.choice((1, 0, 2 ** 255 - 20)).to_bytes(32, "little")
    number = hashlib.sha256(name.encode("utf-8") + b"\n" + raw).digest()[:4].hex()
    return body._replace(log_key="%s+%s+%s" % (name, number, base64.b64encode(raw).decode("ascii")))


def with_mark(chance, body, day):
    """The rule book behind a byte-order mark."""
    text = "\ufeff" + body.text
    return body._replace(text=text, hash=hashlib.sha256(text.encode("utf-8")).digest())


def other_text(old, new):
    """A rule book with another text and its hash."""
    def change(chance, body, day):
        if old not in body.text:
            raise Unfit()
        text = body.text.replace(old, new, 1)
        return body._replace(text=text, hash=hashlib.sha256(text.encode("utf-8")).digest())
    return change


def book_starts(day, index):
    """Draws that start under a book, or any that the seals make wrong."""
    said = day.bodies[index].hash
    return first_of(day, index, day.all_of(24, lambda place, one: place > index and one.rule_book_hash == said))


def seller(chance, body, day):
    badges = [day.bodies[place].badge for place in day.all_of(40)
              if place < day.at and day.bodies[place].first_draw <= body.draw <= day.bodies[place].last_draw]
    if not badges:
        raise Unfit()
    return body._replace(certifiers=["nobody-1", chance.choice(badges)])


def key_of_before(kinds):
    """Gives a body the key of an earlier entry."""
    def change(chance, body, day):
        places = [place for place in range(day.at) if day.leaves[place].kind in kinds]
        if not places:
            raise Unfit()
        return body._replace(key=day.bodies[chance.choice(places)].key)
    return change


def other_ticket(chance, body, day):
    """Names no ticket, or another one, where a body may name one."""
    places = [place for place in day.all_of(40) if place != body.ticket]
    if body.ticket is not None:
        places += [None, body.ticket + 1]
    if not places:
        raise Unfit()
    return body._replace(ticket=chance.choice(places))


def items(change):
    """Changes the list of items of a payment."""
    return lambda chance, body, day: body._replace(items=change(body.items))


def shift_end(day, index):
    """Cash of a shift that is wrong shows when it is closed, or in the seals."""
    return first_of(day, index, of_shift(day, index, day.bodies[index].shift, COUNTED))


def commitments_opened(day, index):
    """A commitment that is not the secret's shows when the secrets are revealed, or in the seals."""
    draw = getattr(day.bodies[index], "draw", None)
    return first_of(day, index, day.all_of(27, lambda place, body: place > index and draw in (None, body.draw)))


def has_secrets(day):
    return {day.bodies[place].draw for place in day.all_of(27)}


def payment_doubled(day, other, chance):
    index = day.pick(chance, 47)
    body = day.bodies[index]
    again = body._replace(key=body.key._replace(counter=body.key.counter + 1000000))
    order = list(range(index + 1)) + list(range(index, len(day)))
    return (writing.export(renumbered(day, order, {index + 1: again}), day.note),
            index + 1, exactly(index + 1, "payment_twice"))


def sale_after_close(day, other, chance):
    """A sale, with its print, moved behind the close of its first draw.

    The closing totals are made to fit. Before the sale only a till that was
    counted in between, or another leaf about the ticket, can contradict.
    """
    closes = {day.bodies[index].draw: index for index in day.all_of(23)}
    index = day.pick(chance, 40, lambda index, body: body.first_draw in closes)
    sale, close = day.bodies[index], closes[day.bodies[index].first_draw]
    moved = [index] + [one for one in range(index + 1, close)
                       if day.leaves[one].kind == 43 and day.bodies[one].ticket == index]
    order = [one for one in range(close + 1) if one not in moved]
    place = len(order)
    order += moved + list(range(close + 1, len(day)))
    totals = day.bodies[close]
    gone = any(day.leaves[one].kind in (41, 42) and day.bodies[one].ticket == index
               for one in range(close))
    if not gone:
        totals = totals._replace(tickets=totals.tickets - 1,
                                 selections=totals.selections - len(sale.selections),
                                 wagered_cents=totals.wagered_cents - sale.per_draw_cents)
    entries = renumbered(day, order, {place - 1: totals})
    return writing.export(entries, day.note), place, {"from": index, "to": place, "none": False}


def numbers(change, what):
    """A change of recorded numbers; it shows when the secrets are revealed, or by the seals."""
    def make(day, other, chance):
        shown = has_secrets(day)
        return changed(25, change, what, lambda index, body: body.draw in shown)(day, other, chance)
    return make
