"""What the record says so far, and the findings about it."""

from collections import namedtuple
from datetime import date, datetime, timedelta, timezone

from . import tree
from .follower import Follower
from .hands import Hands
from .room import Room

Finding = namedtuple("Finding", "entry what detail")

CASH = 1

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
# From here on a zone keeps the offset that it has just before.
_STEADY = datetime(2100, 1, 1, tzinfo=timezone.utc)


def day_number(day):
    return day.year * 10000 + day.month * 100 + day.day


def day_plus(day, count):
    """The business day ``count`` days later, or None for a number that is no day."""
    try:
        return day_number(date(day // 10000, day // 100 % 100, day % 100) + timedelta(days=count))
    except (ValueError, OverflowError):
        return None


def claim_until(record, ticket, number):
    """The last day to claim what a draw owes a ticket: RULES.md, "Payments", "In time"."""
    draw = record.draws.get(number)
    last = ticket.body.claim_by
    if draw is not None and draw.decided_day is not None and ticket.book is not None:
        last = max(last, day_plus(draw.decided_day, ticket.book.claim_days) or 0)
    return max([last] + [until for since, until in record.silences if since <= last])


class Draw:
    """A draw from its announcement on (RULES.md, "A draw, step by step")."""

    def __init__(self, announced, entry):
        self.number = announced.draw
        self.announced = announced  # body of DrawScheduled
        self.announced_at = entry   # its entry
        self.source = announced.source  # 1 from a ComputerStoodIn on
        self.hands = Hands()        # balls that two people entered, or a machine read
        self.postponed_ms = None    # draws_at_ms of the last DrawPostponed
        self.step = "scheduled"     # as the table of steps names it
        self.commitments = {}       # position -> commitment
        self.committed_at = None    # entry of the last one
        self.hosts = None           # keys of its hosts, the machine's first; empty texts: within central
        self.tickets = []           # every ticket sold into it, in the order of sale
        self.seal = None            # (size, root) just after DrawClosed
        self.closed_ms = None       # time of that entry
        self.started = None         # body of the last DrawStarted
        self.started_with = None    # name of the set of which that was a start, or None
        self.decided_ms = None      # when it was official, or void
        self.decided_day = None     # business day on which it was official, or void
        self.drawn = None           # body of BallsRecorded
        self.drawn_at = None        # its entry
        self.signed_at = None       # entry of the last HostsSigned
        self.signatures = []        # what it says, the machine's first
        self.revealed = False
        self.prizes = {}            # ticket index -> payable cents, once settled

    def standing(self):
        """Its tickets that are not withdrawn so far."""
        return [ticket for ticket in self.tickets if ticket.withdrawn is None]

    def all_committed(self):
        return all(place in self.commitments for place in range(len(self.announced.holders)))


class Ticket:
    """A sale (kind 40) and what happened to it."""

    def __init__(self, index, body, book, sound):
        self.index = index
        self.body = body
        self.book = book            # RuleBook, or None when there is none to be read
        self.sound = sound          # False: the selections cannot be understood
        self.withdrawn = None       # index of the leaf that withdrew it
        self.copy = 1               # the newest
        self.confirmed = 0          # the newest whose print was confirmed
        self.paid = {}              # draw -> index of the payment that stands
        self.held = False
        self.refused = False        # a holder was not paid: two people pay from then on
        self.given_back = False     # its price was given back: no paper of it is made without its code
        self.read = {}              # badge -> the last entry at which it read the paper
        self.filed = False          # a file names it
        self.granted = 0            # how many people judged that it is paid without code
        self.presented = set()      # draws that were presented as claims

    def covers(self, draw):
        return self.body.first_draw <= draw <= self.body.last_draw


class Payment:
    """A payment (kind 47)."""

    def __init__(self, body):
        self.body = body
        self.reversed = False

    def cash(self):
        """Cash that left the till: nothing in another tender than cash."""
        return self.body.total_cents + self.body.rounding_cents if self.body.tender == CASH else 0


class Shift:
    def __init__(self, body, opened):
        self.body = body
        self.opened = opened        # its entry
        self.device = body.device   # a hand-over makes it another's
        self.holder = body.badge    # and its taker's
        self.open = True
        self.expected = body.float_cents


class Session:
    def __init__(self, body):
        self.body = body
        self.open = True


class Record:
    """The whole state of the replay."""

    def __init__(self, drill=False):
        self.drill = drill          # machine 3 is lawful
        self.findings = []
        self.notes = []             # what could not be checked; no finding
        self.entry = None           # place that findings belong to
        self.tree = tree.Tree()
        self.root_before = None     # root before the entry under replay, where it is an EpochOpened

        self.house = None           # body of HouseOpened
        self.zone = None            # zoneinfo, when known
        self.log_key = None         # VerifierKey of leaf 0, when readable
        self.books = {}             # version -> (body, RuleBook or None)
        self.sessions = {}
        self.shifts = {}
        self.tills = {}             # device -> number of its open shift
        self.locked = set()         # devices that were left
        self.people = {}            # badge -> body of its last PersonRecorded
        self.named = set()          # badges that may be made acting supervisors
        self.acting = {}            # badge -> business day for which it was made one last
        self.recovery_used_by = None    # who used the recovery code, until another is recorded
        self.devices = {}           # device -> body of its last DeviceRecorded
        self.epochs = []            # (entry, body) of every EpochOpened
        self.fence = 0
        self.halted = False
        self.served_ms = None       # time of the last sign-on, sale or payment
        self.silences = []          # (day on which it began, seventh day after) of each silence
        self.sales_stopped = False

        self.draws = {}
        self.open_draws = set()
        self.next_draw = None       # number that the next draw has; None: the house's first
        self.number_sets = set()    # winning numbers, as frozen sets
        self.secrets = set()        # every secret revealed
        self.tickets = {}
        self.payments = {}
        self.keys = {}              # CommandKey -> entry of its outcome
        self.closed_keys = set()
        self.room = Room()          # sets of balls and the draw room
        self.follower = Follower()  # who follows the log, and the draws that wait
        self.files = {}             # entry -> File
        # Path and human -> day and number of their payments on a paper that was read, or on typed signs.
        self.of_day = {}
        self.lost = {}              # (sold_epoch, lost_leaf) of a ticket that a restore lost -> its refund
        self.totals = dict.fromkeys(
            ("draws_scheduled", "draws_closed", "draws_settled", "draws_void", "tickets_sold",
             "tickets_cancelled", "tickets_unpaid", "sold_cents", "wagered_cents", "prizes_cents",
             "refunds_cents", "paid_cents", "lost_tickets", "lost_tickets_cents"), 0)

    def bad(self, what, detail, entry=-1):
        """A finding, at the entry under replay unless said otherwise (None: at no entry)."""
        self.findings.append(Finding(self.entry if entry == -1 else entry, what, detail))

    def check(self, right, what, detail):
        if not right:
            self.bad(what, detail)
        return right

    def equal(self, what, field, said, computed, entry=-1):
        """A finding unless a figure of the body is what the record gives."""
        if said != computed:
            self.bad(what, "%s is %s, the record gives %s" % (field, show(said), show(computed)), entry)
        return said == computed

    def day_of(self, time_ms):
        """The calendar day of a moment in the house's zone (RULES.md, "Times and days").

        None when it cannot be told, or when the calendar does not have it.
        """
        if self.zone is None:
            return None
        try:
            moment = _EPOCH + timedelta(milliseconds=time_ms)
            if moment >= _STEADY:
                last = (_STEADY - timedelta(milliseconds=1)).astimezone(self.zone)
                return day_number(moment.replace(tzinfo=None) + last.utcoffset())
            return day_number(moment.astimezone(self.zone))
        except (OverflowError, ValueError):
            return None

    def epoch(self):
        """Number of the epoch that the last entry is in (RULES.md, "Epochs")."""
        return self.epochs[-1][1].epoch if self.epochs else 1

    def is_of_this_epoch(self, draw):
        """Whether a draw was not announced before the last EpochOpened."""
        return not self.epochs or draw.announced_at > self.epochs[-1][0]

    def of_this_epoch(self, draw):
        """A finding when it was."""
        self.check(self.is_of_this_epoch(draw), "epoch_draw",
                   "draw %d was announced in an earlier epoch" % draw.number)

    def book_for(self, draw):
        """(body, RuleBook) in force for a draw, or None (RULES.md, "In force")."""
        for version in sorted(self.books, reverse=True):
            if self.books[version][0].effective_from <= draw:
                return self.books[version]
        return None

    def one_human(self, first, second):
        """RULES.md, "People": the same badge, or the same staff number."""
        if first == second:
            return True
        one, other = self.people.get(first), self.people.get(second)
        return one is not None and other is not None and one.staff == other.staff

    def sold_by(self, draw, badges):
        """Whether one of these badges' humans sold a ticket that covers the draw."""
        sellers = {ticket.body.badge for ticket in draw.tickets}
        return any(self.one_human(seller, badge) for seller in sellers for badge in badges)

    def chosen(self, *badges):
        """RULES.md, "People": nobody acts with a PIN that others set."""
        known = [badge for badge in badges
                 if badge in self.people and badge != "recovery" and self.people[badge].must_change]
        self.check(not known, "pin_not_chosen", "%s" % ", ".join(map(repr, known)))

    def two_people(self, first, second):
        """RULES.md, "People"; whether they are two."""
        return self.check(first and second and not self.one_human(first, second), "same_person",
                          "%r and %r where two people are asked" % (first, second))

    def use_key(self, key):
        """A command's key gets its outcome (RULES.md, "Command keys")."""
        before = self.keys.setdefault(key, self.entry)
        self.check(before == self.entry, "key_repeated", "the key of entry %d again" % before)
        self.check(key not in self.closed_keys, "key_closed", "the key was closed")
        session = self.sessions.get(key.session)
        self.check(session is not None and session.open and session.body.device == key.device,
                   "session_wrong", "session %d is not open at device %d" % (key.session, key.device))

    def till(self, number, key):
        """An open shift of the key's device (RULES.md, "Tills"); None when there is none."""
        shift = self.shifts.get(number)
        if not self.check(shift is not None and shift.open and shift.device == key.device,
                          "till_wrong", "shift %d is not open at device %d" % (number, key.device)):
            return None
        return shift

    def not_locked(self, device):
        """RULES.md, "House", ``device_locked``."""
        self.check(device not in self.locked, "device_locked", "device %d was left" % device)

    def ticket(self, index):
        """An earlier ticket, or None with a finding."""
        ticket = self.tickets.get(index)
        if ticket is None:
            self.bad("ticket_unknown", "entry %d is no earlier ticket" % index)
        return ticket


def show(value):
    return value.hex() if isinstance(value, bytes) else str(value)
