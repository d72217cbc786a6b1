"""Kinds 1 to 17 but 3 and 4: the house, its rules, sessions, tills, leases, clock, epochs and hand-overs.

RULES.md, "Leaf and house", "House", "The rule book", "Keys and sessions",
"Tills" and "Epochs". ``people`` has "People", ``authority`` "People and places".
"""

import functools
import hashlib

from . import people, tree
from .book import BadBook, RuleBook
from .state import Session, Shift, day_plus

FILL, DROP = 1, 2


# Files beside the zones of a machine that are no names of the time zone database.
_OF_MACHINE = ("posix", "right", "localtime", "posixrules")


@functools.lru_cache(maxsize=None)
def _zone_names():
    """The names of the time zone database, in their own upper and lower case."""
    import zoneinfo
    return frozenset(name for name in zoneinfo.available_timezones()
                     if name.split("/")[0] not in _OF_MACHINE)


def load_zone(name):
    """The zone, or None when this machine has no zone data; ValueError for a bad name."""
    try:
        import zoneinfo
    except ImportError:
        return None
    names = _zone_names()
    if not names:
        return None
    if name not in names:
        raise ValueError(name)
    return zoneinfo.ZoneInfo(name)


def house_opened(record, leaf, body):
    if record.entry != 0:
        return  # a finding of replay: house_not_first
    record.house = body
    try:
        record.zone = load_zone(body.zone)
        if record.zone is None:
            record.notes.append("no zone data on this machine: business days were not checked")
    except ValueError:
        record.bad("zone_unknown", "zone %r" % body.zone)
    try:
        record.log_key = tree.VerifierKey(body.log_key)
    except tree.BadNote as error:
        record.bad("log_key_unreadable", str(error))


_BOOKS = {}  # text -> (RuleBook or None, why it cannot be read, faults of its returns)


def read_book(text):
    """A rule book with its faults; the same text is read once."""
    if text not in _BOOKS:
        try:
            book = RuleBook(text)
            found = book, None, list(book.return_faults())
        except BadBook as error:
            found = None, str(error), []
        if len(_BOOKS) >= 64:
            _BOOKS.clear()
        _BOOKS[text] = found
    return _BOOKS[text]


def rule_book_published(record, leaf, body):
    record.equal("rule_book_version", "version", body.version, max(record.books, default=0) + 1)
    record.equal("rule_book_hash", "hash", body.hash, hashlib.sha256(body.text.encode("utf-8")).digest())
    book, why, low = read_book(body.text)
    if book is None:
        record.bad("rule_book_unreadable", why)
    else:
        record.equal("rule_book_version", "version of the text", book.version, body.version)
        for words in low:
            record.bad("rule_book_return", words)
    _from_when(record, body, book)
    record.books[body.version] = (body, book)


def _from_when(record, body, book):
    """RULES.md, "From when"."""
    if record.open_draws:
        least = min(record.open_draws)
    else:
        least = max(record.draws, default=0) + 1
    record.check(body.effective_from >= least, "rule_book_late",
                 "in force from draw %d, %d is the first it may govern" % (body.effective_from, least))
    record.check(not any(number >= body.effective_from and draw.seal is not None
                         for number, draw in record.draws.items()), "rule_book_late",
                 "a draw from %d on is closed already" % body.effective_from)
    if book is None:
        return
    for number, draw in record.draws.items():
        said = draw.announced
        if number >= body.effective_from and (
                said.pool_size, said.drawn, said.cap_cents, said.full_below_cents) != (
                book.pool, book.drawn, book.cap, book.full_below):
            record.bad("rule_book_late", "draw %d is announced with another pool, cap or threshold"
                       % number)
            return


def session_opened(record, leaf, body):
    record.check(body.session not in record.sessions, "number_reused",
                 "session %d was opened before" % body.session)
    if record.epochs:
        least = record.epochs[-1][1].next_session
        record.check(body.session >= least, "number_reused",
                     "session %d, in this epoch they begin at %d" % (body.session, least))
    record.not_locked(body.device)
    record.sessions[body.session] = Session(body)


def session_ended(record, leaf, body):
    session = record.sessions.get(body.session)
    if record.check(session is not None and session.open, "session_wrong",
                    "session %d is not open" % body.session):
        session.open = False
        # 3: a supervisor and another person ended it.
        if body.reason == 3 and record.two_people(body.by, session.body.badge):
            person = record.people.get(body.by)
            stands = person is not None and person.active and 2 in person.roles
            record.check(stands or people.acts(record, body.by, leaf.day), "role_wrong",
                         "%r ended session %d" % (body.by, body.session))


def shift_opened(record, leaf, body):
    record.check(body.shift not in record.shifts, "number_reused",
                 "shift %d was opened before" % body.shift)
    if record.epochs:
        least = record.epochs[-1][1].next_shift
        record.check(body.shift >= least, "number_reused",
                     "shift %d, in this epoch they begin at %d" % (body.shift, least))
    record.not_locked(body.device)
    record.check(body.float_cents >= 0, "till_wrong", "a float of %d cents" % body.float_cents)
    record.check(body.device not in record.tills, "till_wrong",
                 "shift %s is open at device %d" % (record.tills.get(body.device), body.device))
    record.shifts[body.shift] = Shift(body, record.entry)
    record.tills[body.device] = body.shift


def shift_closed(record, leaf, body):
    shift = record.shifts.get(body.shift)
    if not record.check(shift is not None and shift.open, "till_wrong",
                        "shift %d is not open" % body.shift):
        return
    record.equal("till_expected", "expected_cents", body.expected_cents, shift.expected)
    record.check(body.second is not None or body.by == shift.holder, "till_wrong",
                 "shift %d is closed alone by %s, and is %s's" % (
                     body.shift, body.by, shift.holder))
    shift.open = False
    record.tills.pop(shift.device, None)


def till_moved(record, leaf, body):
    record.use_key(body.key)
    record.check(body.kind in (FILL, DROP), "till_wrong", "kind %d" % body.kind)
    record.check(body.amount_cents > 0, "till_wrong", "%d cents moved" % body.amount_cents)
    shift = record.till(body.shift, body.key)
    if shift is not None:
        shift.expected += body.amount_cents if body.kind == FILL else -body.amount_cents


def silence_ended(record, leaf):
    """RULES.md, "Payments", "Silence": of an entry by which the house may wake."""
    if record.served_ms is None or leaf.time_ms - record.served_ms <= 24 * 60 * 60 * 1000:
        return
    since, today = record.day_of(record.served_ms), record.day_of(leaf.time_ms)
    until = None if today is None else day_plus(today, 7)
    if since is not None and until is not None:
        record.silences.append((since, until))


def lease_taken(record, leaf, body):
    record.equal("fence_wrong", "fence", body.fence, record.fence + 1)
    record.fence = body.fence
    silence_ended(record, leaf)


def schedule_halted(record, leaf, body):
    record.halted = True
    silence_ended(record, leaf)


def schedule_confirmed(record, leaf, body):
    record.halted = False


def sales_suspended(record, leaf, body):
    record.sales_stopped = True


def sales_resumed(record, leaf, body):
    record.sales_stopped = False


def epoch_opened(record, leaf, body):
    """RULES.md, "Epochs"."""
    silence_ended(record, leaf)
    last = record.epochs[-1][1] if record.epochs else None
    record.check(body.epoch > record.epoch(), "epoch_number",
                 "epoch %d after epoch %d" % (body.epoch, record.epoch()))
    record.equal("epoch_past", "continues_size", body.continues_size, record.entry)
    record.equal("epoch_past", "continues_root", body.continues_root, record.root_before)
    record.check(body.lost_size > body.continues_size
                 or (body.lost_size, body.lost_root) == (body.continues_size, body.continues_root),
                 "epoch_past", "%d leaves are lost where it goes on from %d, or of another root"
                 % (body.lost_size, body.continues_size))
    first = record.house.first_draw if record.house is not None else 0
    for field, least in (
            ("next_draw", max(first, 1 + max(record.draws, default=-1))),
            ("next_session", 1 + max(record.sessions, default=-1)),
            ("next_shift", 1 + max(record.shifts, default=-1))):
        if last is not None:
            least = max(least, getattr(last, field))
        record.check(getattr(body, field) >= least, "epoch_numbers",
                     "%s is %d, the least is %d" % (field, getattr(body, field), least))
    # Taken whatever else is wrong with it. Tills and draws stay as they are.
    for session in record.sessions.values():
        session.open = False
    record.sales_stopped = True
    record.next_draw = body.next_draw
    record.epochs.append((record.entry, body))


def device_handed_over(record, leaf, body):
    """RULES.md, "Tills" and "House"."""
    record.check(body.device != body.to, "hand_over_wrong", "device %d to itself" % body.device)
    stood = [number for number, session in record.sessions.items()
             if session.open and session.body.device == body.device]
    record.check(not stood, "hand_over_wrong", "sessions %s are open at device %d"
                 % (", ".join(map(str, stood)), body.device))
    record.equal("hand_over_wrong", "shift", body.shift, record.tills.get(body.device))
    record.check(body.shift is None or body.to not in record.tills, "hand_over_wrong",
                 "shift %s is open at device %d" % (record.tills.get(body.to), body.to))
    record.check(body.device not in record.locked, "hand_over_wrong",
                 "device %d was left before" % body.device)
    record.not_locked(body.to)
    shift = record.shifts.get(body.shift)
    if shift is not None and shift.open:
        record.tills.pop(shift.device, None)
        shift.device = body.to
        shift.holder = body.by
        record.tills[body.to] = body.shift
    record.locked.add(body.device)


def till_counted(record, leaf, body):
    """RULES.md, "Tills": a figure that is judged, and nothing moves."""
    shift = record.shifts.get(body.shift)
    if not record.check(shift is not None and shift.open, "till_wrong",
                        "shift %d is not open" % body.shift):
        return
    record.check(shift.device == body.device, "till_wrong",
                 "shift %d is not of device %d" % (body.shift, body.device))
    record.equal("till_expected", "expected_cents", body.expected_cents, shift.expected)


HANDLERS = {
    1: house_opened, 2: rule_book_published,
    5: session_opened, 6: session_ended, 7: shift_opened, 8: shift_closed, 9: till_moved,
    10: lease_taken, 11: schedule_halted, 12: schedule_confirmed, 13: sales_suspended,
    14: sales_resumed, 15: epoch_opened, 16: device_handed_over, 17: till_counted,
}
