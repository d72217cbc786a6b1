"""Logs that go on in a new epoch and refund lost tickets (kind 53); for tamper.py.

Most exports have no epoch: each sort puts one behind the last entry, and what follows it.
"""

import hashlib

from stranger import house, state, tree, writing
from stranger.book import RuleBook

from tampering import (
    NOBODYS, UNFINISHED, Floor, Past, Unfit, exactly, flip, key_at, last_steps, new, renumbered, stands,
    voided)

FLOAT = 50000


class After:
    """An epoch behind the last entry, with a session and an open till in it."""

    def __init__(self, day, chance, known=True, **fields):
        self.day, self.chance = day, chance
        self.past = past = Past(day, len(day))
        self.books = [RuleBook(day.bodies[place].text) for place in day.all_of(2)]
        floor = Floor(day, len(day))
        lost = {"lost_size": past.size + 40, "lost_root": flip(chance, past.root)} if known else {}
        opened = past.opened(**dict(lost, next_draw=past.draw + 3, epoch=past.epoch + 2, **fields))
        self.epoch = opened[1]
        self.session = self.epoch.next_session
        tills = sorted(set(floor.tills) - floor.locked)
        if tills and chance.random() < 0.5:     # tills stay open
            self.device = chance.choice(tills)
            self.shift, till = floor.tills[self.device], []
        else:
            self.device, self.shift = NOBODYS, self.epoch.next_shift
            till = [new(7, shift=self.shift, device=NOBODYS, badge="A1", float_cents=FLOAT)]
        self.fresh = bool(till)
        self.added = [opened, self.opened_session(self.session, self.device)] + till
        self.counter = 0
        # Leaves that were lost, each for one refund.
        self.leaves = chance.sample(range(past.size, past.size + 40), 40)

    @staticmethod
    def opened_session(number, device):
        return new(5, session=number, device=device, badge="A1", token_hash=bytes(32))

    def key(self):
        self.counter += 1
        return key_at((self.device, self.session), self.counter)

    def most(self, book):
        """What a ticket can cost by a book (RULES.md, "Lost tickets")."""
        ways = {code: book.max_ways if len(game.spots) > 1 or 1 not in game.spots else 1
                for code, game in book.games.items()}
        return book.max_draws * book.max_selections * max(
            ways[code] * game.max for code, game in book.games.items())

    def refund(self, **fields):
        """A refund that holds, but for the fields named."""
        chance = self.chance
        right = dict(key=self.key(), content_hash=bytes(32),
                     sold_epoch=chance.choice((self.past.epoch, self.past.epoch + 1)),
                     lost_leaf=self.leaves.pop(),
                     amount_cents=chance.choice((1, 100, 2050, max(map(self.most, self.books)))),
                     tender=chance.choice(sorted(set().union(*(book.tenders for book in self.books)))),
                     reason="test", badge="A1", second="A2", shift=self.shift)
        return new(53, **dict(right, **fields))

    def open_again(self):
        """Another epoch right behind; gives how much it goes on from. The till stays open."""
        grown = tree.Tree()
        for entry in renumbered(self.day, list(range(len(self.day))) + self.added):
            grown.append(entry.hash)
        self.session += 1
        self.epoch = self.epoch._replace(
            epoch=self.epoch.epoch + 2, continues_size=grown.size, continues_root=grown.root(),
            lost_size=grown.size, lost_root=grown.root(), next_session=self.session,
            next_shift=self.epoch.next_shift + 1)
        self.added += [(15, self.epoch), self.opened_session(self.session, self.device)]
        return grown.size

    def counted(self, *refunds, wrong=0):
        """The till is closed after some refunds."""
        paid = sum(body.amount_cents for _, body in refunds if body.tender == 1)
        return new(8, shift=self.shift, counted_cents=0, expected_cents=FLOAT - paid + wrong, by="A1",
                   second=None)

    def draw_open(self):
        """A draw of balls is announced and opened, and two let sales go on; what was before the epoch
        is void."""
        if stands(self.day, len(self.day), 11, 12):
            raise Unfit()
        last = self.day.leaves[-1].time_ms
        book = self.governing()[1]
        self.announced = new(20, draw=self.epoch.next_draw, closes_at_ms=last + 1000, draws_at_ms=last + 2000,
                             source=2, holders=[], pool_size=book.pool, drawn=book.drawn,
                             cap_cents=book.cap, full_below_cents=book.full_below)
        over = [voided(self.day, draw) for draw, step in sorted(last_steps(self.day).items())
                if step in UNFINISHED]
        return over + [self.announced, new(22, draw=self.epoch.next_draw), new(14, by="A1", second="A2")]

    def governing(self):
        fitting = [(self.day.bodies[place], book) for place, book in zip(self.day.all_of(2), self.books)
                   if self.day.bodies[place].effective_from <= self.epoch.next_draw]
        return max(fitting, key=lambda pair: pair[0].version)

    def sale(self, **fields):
        """A sale for the draw that ``draw_open`` opens."""
        version, book = self.governing()
        before = [self.day.bodies[place] for place in self.day.all_of(
            40, lambda place, body: body.rule_book == version.version)]
        if not before:
            raise Unfit()
        said = self.chance.choice(before)
        record = state.Record()
        record.zone = house.load_zone(self.day.bodies[0].zone)
        draw, cents = self.epoch.next_draw, said.per_draw_cents
        right = dict(said._asdict(), key=self.key(), first_draw=draw, last_draw=draw, total_cents=cents,
                     received_cents=cents, chip_change_cents=0, shift=self.shift, cap_cents=book.cap,
                     replay_of=None,
                     badge="A1", claim_by=state.day_plus(
                         record.day_of(self.announced[1].draws_at_ms), book.claim_days))
        return new(40, **dict(right, **fields))

    def export(self, added, right):
        every = self.added + added
        order = list(range(len(self.day))) + every
        place = len(order) - 1
        right = exactly(None, "checkpoint_origin") if right is None else exactly(place, right)
        return writing.export(renumbered(self.day, order), self.day.note), place, right


def refunded(day, other, chance):
    """Refunds that hold, and tills counted after them."""
    after = After(day, chance, known=chance.random() < 0.7)
    added = [after.refund() for _ in range(chance.randrange(1, 4))]
    if after.fresh:
        added.append(after.counted(*added))
    return after.export(added, None)


def refund_wrong(what, change, known=True):
    """One refund that does not hold; ``change(after, chance)`` gives the fields that are wrong."""
    def make(day, other, chance):
        after = After(day, chance, known=chance.random() < 0.5 if known is None else known)
        return after.export([after.refund(**change(after, chance))], what)
    return make


def of_no_loss(after, chance):
    """An epoch that has not ended, or is none."""
    return {"sold_epoch": chance.choice((0, after.epoch.epoch, after.epoch.epoch + 1, (1 << 32) - 1))}


def of_what_was_kept(after, chance):
    """The leaf is one that the epoch goes on from, whether or not a loss was known."""
    return {"lost_leaf": chance.choice((0, after.past.size // 2, after.past.size - 1))}


def of_the_record(after, chance):
    """The leaf is that of a ticket in the record."""
    return {"lost_leaf": after.day.pick(chance, 40)}


def other_amount(after, chance):
    return {"amount_cents": chance.choice((0, -1, 1 + max(map(after.most, after.books)), (1 << 63) - 1,
                                           -(1 << 63)))}


def other_tender(after, chance):
    taken = set().union(*(book.tenders for book in after.books))
    return {"tender": chance.choice([one for one in (0, 1, 2, 3, 4, 255) if one not in taken])}


def old_session(after, chance):
    old = after.day.pick(chance, 5)
    body = after.day.bodies[old]
    return {"key": key_at((after.device, body.session), 1)}


def nothing_asked(day, other, chance):
    """What is not asked of a refund: how much was known to be lost, the request and words."""
    after = After(day, chance, known=chance.random() < 0.5)
    return after.export([after.refund(**chance.choice((
        {"lost_leaf": after.epoch.lost_size}, {"lost_leaf": after.epoch.lost_size + 1},
        {"lost_leaf": (1 << 64) - 1}, {"sold_epoch": 1, "lost_leaf": (1 << 64) - 2}, {"reason": ""},
        {"content_hash": chance.randbytes(32)})))], None)


def refund_of_first(day, other, chance):
    """The leaf is the first that the epoch did not go on from."""
    after = After(day, chance, known=chance.random() < 0.5)
    return after.export([after.refund(lost_leaf=after.past.size)], None)


def refund_again(day, other, chance):
    """The same ticket twice, whatever else is said; or another leaf, or a leaf of another epoch."""
    after = After(day, chance)
    first = after.refund()
    epoch, leaf = first[1].sold_epoch, first[1].lost_leaf
    if chance.random() < 0.6:
        return after.export([first, after.refund(sold_epoch=epoch, lost_leaf=leaf)], "lost_ticket_twice")
    if chance.random() < 0.5:
        return after.export([first, after.refund(sold_epoch=epoch)], None)
    # The number that was passed over counts as the one before it, and is another number.
    return after.export([first, after.refund(sold_epoch=2 * after.past.epoch + 1 - epoch, lost_leaf=leaf)], None)


def refund_after_two(day, other, chance):
    """Two epochs ended: the one that ended the ticket's own says what was kept, not the last one."""
    after = After(day, chance, known=chance.random() < 0.5)
    first, ended = after.past.size, after.epoch.epoch
    size = after.open_again()
    between = chance.randrange(first, size)
    what, leaf, sold_epoch = chance.choice((
        (None, between, ended - chance.choice((1, 2))),
        ("lost_ticket_epoch", first - 1, ended - chance.choice((1, 2))),
        ("lost_ticket_epoch", between, ended + chance.choice((0, 1))),
        (None, size, ended + chance.choice((0, 1))),
        ("lost_ticket_epoch", size, after.epoch.epoch)))
    return after.export([after.refund(sold_epoch=sold_epoch, lost_leaf=leaf)], what)


def refund_key(day, other, chance):
    """A key that has its outcome, or was closed."""
    after = After(day, chance)
    first = after.refund()
    if chance.random() < 0.4:
        return after.export([new(50, key=first[1].key, badge="A1"), first], "key_closed")
    if chance.random() < 0.5:
        return after.export([first, new(50, key=first[1].key, badge="A1")], "key_repeated")
    return after.export([first, after.refund(key=first[1].key)], "key_repeated")


def refund_of_till(day, other, chance):
    """The cash of the refund is in the till's figure, and other tenders are not."""
    after = After(day, chance)
    if not after.fresh:
        raise Unfit()
    first = after.refund()
    wrong = first[1].amount_cents if chance.random() < 0.5 else 5
    if first[1].tender != 1:
        wrong = -wrong
    return after.export([first, after.counted(first, wrong=wrong)], "till_expected")


def refund_elsewhere(day, other, chance):
    """A shift that is closed, of another device, or handed over."""
    after = After(day, chance)
    if not after.fresh:
        raise Unfit()
    away = [new(6, session=after.session, reason=5, by="A1"),
            new(16, device=after.device, to=NOBODYS + 1, shift=after.shift, reason="test", by="A1",
                second="A2")]
    there = after.opened_session(after.session + 1, NOBODYS + 1)
    choice = chance.randrange(5)
    if choice == 0:
        return after.export([after.counted(), after.refund()], "till_wrong")
    if choice == 1:
        return after.export([there, after.refund(key=key_at((NOBODYS + 1, after.session + 1), 1))], "till_wrong")
    if choice == 2:
        return after.export(away + [there, after.refund()], "till_wrong")
    if choice == 3:
        return after.export(away + [after.opened_session(after.session + 1, after.device)], "device_locked")
    last = after.refund(key=key_at((NOBODYS + 1, after.session + 1), 1))
    return after.export(away + [there, last, after.counted(last)], None)


def refund_reversed(day, other, chance):
    """A refund of a lost ticket is no payment."""
    after = After(day, chance)
    refund = after.refund(tender=1)
    place = len(day) + len(after.added)
    ticket = day.pick(chance, 40)
    return after.export([refund, new(48, payment=place, ticket=ticket, reason="test", by="A1", second="A2",
                                     shift=after.shift, cash_cents=refund[1].amount_cents)], "reversal_wrong")


def refund_and_sale(day, other, chance):
    """A refund before a sale or after it, of a lost ticket whose leaf had the index of that sale."""
    after = After(day, chance)
    added = after.draw_open()
    place = len(day) + len(after.added) + len(added)
    choice = chance.randrange(5)
    if choice == 0:
        return after.export(added + [after.sale(), after.refund(lost_leaf=place)], None)
    if choice == 1:
        return after.export([after.refund(lost_leaf=place + 1)] + added + [after.sale()], None)
    if choice == 2:
        return after.export(added + [after.sale(), after.refund()], None)
    if choice == 3:     # it is that sale, whose epoch has not ended
        return after.export(added + [after.sale(), after.refund(
            sold_epoch=after.epoch.epoch, lost_leaf=place)], "lost_ticket_epoch")
    return after.export(added[:-1] + [after.sale()], "ticket_while_suspended")


def book_after_epoch(day, other, chance):
    """RULES.md, "From when", of a new book where an epoch has passed numbers over."""
    after = After(day, chance)
    last = max([day.bodies[place].draw for place in day.all_of(20)], default=0)
    steps = last_steps(day)
    if not steps:
        raise Unfit()
    version = max(day.bodies[place].version for place in day.all_of(2))
    text = day.bodies[day.all_of(2)[-1]].text
    text = text.replace("version = %d\n" % version, "version = %d\n" % (version + 1), 1)
    book = RuleBook(text)
    if book.version != version + 1 or any(
            (one.pool_size, one.drawn, one.cap_cents, one.full_below_cents)
            != (book.pool, book.drawn, book.cap, book.full_below)
            for one in (day.bodies[place] for place in day.all_of(20))):
        raise Unfit()
    opened = sorted(draw for draw, step in steps.items() if step == 22)
    over = [voided(day, draw) for draw in opened]
    # Draws of an epoch that has ended are open until their 31.
    if opened and chance.random() < 0.5:
        over, least = [], opened[0]
    else:
        least = last + 1
    start, what = chance.choice(((least, None), (least - 1, "rule_book_late"),
                                 (after.epoch.next_draw, None)))
    return after.export(over + [new(2, version=version + 1, effective_from=start,
                                    hash=hashlib.sha256(text.encode("utf-8")).digest(), text=text,
                                    by="A1", second="A2")], what)


SORTS = {
    "lost_ticket": refunded, "lost_ticket_not_asked": nothing_asked,
    "lost_ticket_epoch": refund_wrong("lost_ticket_epoch", of_no_loss, None),
    "lost_ticket_kept": refund_wrong("lost_ticket_epoch", of_what_was_kept, None),
    "lost_ticket_of_record": refund_wrong("lost_ticket_epoch", of_the_record, None),
    "lost_ticket_first": refund_of_first, "lost_ticket_after_two": refund_after_two,
    "lost_ticket_amount": refund_wrong("lost_ticket_amount", other_amount, None),
    "lost_ticket_tender": refund_wrong("lost_ticket_amount", other_tender, None),
    "lost_ticket_person": refund_wrong("same_person", lambda after, chance: {
        "second": chance.choice(("A1", ""))}),
    "lost_ticket_shift": refund_wrong("till_wrong", lambda after, chance: {"shift": 1 << 40}),
    "lost_ticket_session": refund_wrong("session_wrong", old_session),
    "lost_ticket_again": refund_again, "lost_ticket_key": refund_key, "lost_ticket_till": refund_of_till,
    "lost_ticket_elsewhere": refund_elsewhere, "lost_ticket_reversed": refund_reversed,
    "lost_ticket_and_sale": refund_and_sale, "lost_ticket_and_sale_too": refund_and_sale,
    "book_after_epoch": book_after_epoch,
}
