"""Kinds 39 and 60 to 64: sets of balls, the draw room, and draws that are held later.

RULES.md, "The draw room" and the lists "Draws" and "Closing, numbers,
certification".
"""

import hashlib

COMPUTER, BALLS = 1, 2
ALL_PASS, NOT_ALL_PASS = 1, 2   # gauge
DAY_OVER, GOES_ON = 0, 1
MOST_MASSES = 255
DAY_MS = 24 * 60 * 60 * 1000

# Steps of a draw of balls that the room is not left in.
UNDER_WAY = ("closed", "drawing", "drawn", "suspended")


class Set:
    """A set of balls since its last BallSetMeasured."""

    def __init__(self, measured):
        self.measured = measured
        self.starts = 0
        self.aside = False

    def fit(self, time_ms):
        body = self.measured
        return (body.gauge == ALL_PASS
                and not any(mass < body.least_mg or mass > body.most_mg for mass in body.masses_mg)
                and self.starts < body.most_draws
                and not time_ms > body.good_until_ms)

    def usable(self, time_ms):
        return self.fit(time_ms) and not self.aside


class Choice:
    """A BallSetsOffered, until the room is opened or another one comes."""

    def __init__(self, body):
        self.sets = body.sets
        self.draw = body.draw
        self.known = None       # name of the set, once the secrets say it


class Room:
    def __init__(self):
        self.register = {}      # name -> Set
        self.choice = None      # the one that stands
        self.set = None         # name of the set with which the room is open; None: it is not

    def all_usable(self, time_ms):
        names = [name for name, one in self.register.items() if one.usable(time_ms)]
        return sorted(names, key=lambda name: name.encode("utf-8"))


def measured(record, leaf, body):
    record.check(body.set != "" and min(body.set) >= " "
                 and 0 < len(body.masses_mg) <= MOST_MASSES
                 and body.gauge in (ALL_PASS, NOT_ALL_PASS)
                 and not body.least_mg > body.most_mg
                 and body.good_until_ms > leaf.time_ms,
                 "measure_wrong", "the set %r" % body.set)
    record.room.register[body.set] = Set(body)


def _may_choose(record, number):
    """Whether nobody can know the secrets of a draw yet, and all of them are committed to."""
    draw = record.draws.get(number)
    return (draw is not None and record.is_of_this_epoch(draw) and draw.step == "open"
            and draw.source == COMPUTER and bool(draw.announced.holders) and draw.all_committed())


def _never_known(record, number):
    """Whether the secrets of a draw need not be shown any more."""
    draw = record.draws.get(number)
    return draw is not None and (draw.step == "void" or not record.is_of_this_epoch(draw))


def offered(record, leaf, body):
    room, before = record.room, record.room.choice
    if before is None:
        right = body.reason == ""
    else:
        right = body.reason != "" and (before.known is not None or _never_known(record, before.draw))
        # First of all: what was chosen is not among the sets that are offered now.
        if before.known in room.register:
            room.register[before.known].aside = True
    record.check(right and room.set is None and body.sets and body.sets == room.all_usable(leaf.time_ms)
                 and _may_choose(record, body.draw), "offer_wrong",
                 "%d sets, chosen by draw %d" % (len(body.sets), body.draw))
    room.choice = Choice(body)


def chosen(house, number, secrets, sets):
    """The set that the secrets of a draw choose."""
    lines = ["boulier/ball-set/v1", house, "%d" % number] + [secret.hex() for secret in secrets] + list(sets)
    digest = hashlib.sha256("".join(line + "\n" for line in lines).encode("utf-8")).digest()
    return sets[int.from_bytes(digest[:8], "big") % len(sets)]


def revealed(record, draw, secrets):
    """Of a 27 with the secrets that were committed to."""
    choice = record.room.choice
    if choice is not None and choice.draw == draw.number and choice.sets:
        choice.known = chosen(record.house.house, draw.number, secrets, choice.sets)


def opened(record, leaf, body):
    room = record.room
    one = room.register.get(body.set)
    record.check(room.set is None and room.choice is not None and room.choice.known is not None
                 and room.choice.known == body.set and room.choice.draw == body.draw
                 and one is not None and one.usable(leaf.time_ms)
                 and len(one.measured.masses_mg) == body.counted, "room_opened_wrong",
                 "the set %r, chosen by draw %d, %d balls" % (body.set, body.draw, body.counted))
    room.set, room.choice = body.set, None


def ended(record, leaf, body):
    room = record.room
    right = room.set is not None and body.goes_on in (DAY_OVER, GOES_ON)
    if right and body.goes_on == DAY_OVER:
        right = not any(draw.source == BALLS and draw.step in UNDER_WAY and record.is_of_this_epoch(draw)
                        for draw in record.draws.values())
    record.check(right, "room_ended_wrong", "goes_on %d" % body.goes_on)
    if body.goes_on != GOES_ON:
        room.set = None


def started(record, leaf, draw):
    """Of a 24: a draw of balls needs the room, once there is a register."""
    room = record.room
    draw.started_with = None
    if draw.source != BALLS or not room.register:
        return
    one = room.register.get(room.set)
    record.check(one is not None and one.usable(leaf.time_ms)
                 and len(one.measured.masses_mg) == draw.announced.pool_size, "room_not_ready",
                 "draw %d, the set %r" % (draw.number, room.set))
    if one is not None:
        one.starts += 1
        draw.started_with = room.set


def postponed(record, leaf, body, draw):
    """Kind 39: the seal stands, and how long can be claimed still follows from the announcement."""
    before = draw.announced.draws_at_ms if draw.postponed_ms is None else draw.postponed_ms
    latest = min(leaf.time_ms, draw.announced.closes_at_ms) + DAY_MS
    record.check(before < body.draws_at_ms <= latest, "postponed_wrong",
                 "draw %d, held at %d" % (draw.number, body.draws_at_ms))
    draw.postponed_ms = body.draws_at_ms


def incident(record, leaf, body):
    if body.draw is None:
        return
    draw = record.draws.get(body.draw)
    if record.check(draw is not None, "draw_unknown", "draw %d was never announced" % body.draw):
        record.of_this_epoch(draw)


HANDLERS = {60: measured, 61: offered, 62: opened, 63: ended, 64: incident}
