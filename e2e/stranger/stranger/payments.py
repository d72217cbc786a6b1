"""Kinds 47, 48 and 52 to 54: payments, reversals, holds, refunds of lost tickets and holders
who are not paid. And what nobody can claim any more, of which no entry tells.

RULES.md, "Payments", "Lost tickets", "Tills" and the lists "Payments" and "Lost tickets".
"""

from bisect import bisect_left, bisect_right

from . import damaged, follower
from .state import CASH, Payment, claim_until

PRIZE, REFUND = 1, 2
GIVEN_BACK = 4  # why a holder is not paid: the price was given back before, no paper is made any more
CAGE = 7  # role of a device


def owed_kind(record, ticket, number):
    """(kind, cents) that a draw owes a ticket that stands, or None."""
    draw = record.draws.get(number)
    if draw is None or not ticket.covers(number):
        return None
    if draw.step == "void":
        return REFUND, ticket.body.per_draw_cents
    if draw.step == "settled" and draw.prizes.get(ticket.index, 0) > 0:
        return PRIZE, draw.prizes[ticket.index]
    return None


def tier(record, ticket):
    """All that a ticket was paid and still owes: RULES.md, "Payments", "Tiers"."""
    owed = (owed_kind(record, ticket, number) for number in record.draws)
    return sum(one[1] for one in owed if one is not None)


def expired_cents(record, day):
    """All that is still owed and cannot be claimed any more on a day.

    It was not presented, and its last day is over: RULES.md, "Payments", "In time".
    """
    numbers, cents = sorted(record.draws), 0
    for ticket in record.tickets.values():
        if ticket.withdrawn is not None:
            continue
        for number in numbers[bisect_left(numbers, ticket.body.first_draw):
                              bisect_right(numbers, ticket.body.last_draw)]:
            owed = owed_kind(record, ticket, number)
            if owed is not None and number not in ticket.paid and number not in ticket.presented \
                    and day > claim_until(record, ticket, number):
                cents += owed[1]
    return cents


def rounding(total):
    """Cash handed over minus the total: to the nearest 5 cents."""
    return (0, -1, -2, 2, 1)[total % 5]


def paid(record, leaf, body):
    record.use_key(body.key)
    payment = Payment(body)
    record.payments[record.entry] = payment
    shift = record.till(body.shift, body.key)
    if shift is not None:
        shift.expected -= payment.cash()
    record.check(body.items, "payment_total", "nothing is paid")
    record.equal("payment_total", "total_cents", body.total_cents,
                 sum(item.amount_cents for item in body.items))
    record.equal("payment_total", "rounding_cents", body.rounding_cents,
                 rounding(body.total_cents) if body.tender == CASH else 0)
    record.totals["paid_cents"] += body.total_cents

    ticket = record.ticket(body.ticket)
    if ticket is None:
        return
    record.check(ticket.withdrawn is None, "ticket_withdrawn",
                 "ticket %d was withdrawn in entry %s" % (ticket.index, ticket.withdrawn))
    record.check(not ticket.held, "payment_while_held", "ticket %d is held" % ticket.index)
    alone = body.second is None
    damaged.paid(record, leaf, body, ticket)
    record.check(not (alone and ticket.refused), "payment_alone",
                 "ticket %d was refused to a holder, and nobody is the second person" % ticket.index)
    large = False
    if ticket.book is not None:
        sum_of_all = tier(record, ticket)
        large = sum_of_all >= ticket.book.second_person
        record.check(not (alone and large), "payment_alone",
                     "%d cents without a second person" % sum_of_all)
        stands = record.devices.get(body.key.device)
        record.check(stands is not None and stands.role == CAGE or sum_of_all < ticket.book.cage,
                     "payment_place", "%d cents at device %d" % (sum_of_all, body.key.device))
    follower.paid(record, body, large)
    for item in body.items:
        until = claim_until(record, ticket, item.draw)
        record.check(item.draw in ticket.presented or leaf.day <= until, "payment_late",
                     "draw %d was to be claimed by %d" % (item.draw, until))
        _paid_item(record, ticket, body, item)


def _paid_item(record, ticket, body, item):
    record.check(item.draw not in ticket.paid, "payment_twice",
                 "draw %d of ticket %d was paid" % (item.draw, ticket.index))
    ticket.paid.setdefault(item.draw, record.entry)
    record.totals["refunds_cents" if item.kind == REFUND else "prizes_cents"] += item.amount_cents
    owed = owed_kind(record, ticket, item.draw)
    if ticket.withdrawn is not None or owed is None or owed[0] != item.kind:
        record.bad("payment_not_due", "draw %d owes ticket %d nothing of kind %d"
                   % (item.draw, ticket.index, item.kind))
        return
    record.equal("payment_amount", "amount_cents for draw %d" % item.draw, item.amount_cents, owed[1])
    record.equal("payment_total", "tender", body.tender,
                 CASH if item.kind == PRIZE else ticket.body.tender)


def payment_reversed(record, leaf, body):
    payment = record.payments.get(body.payment)
    shift = record.shifts.get(body.shift)
    if shift is not None and shift.open:
        shift.expected += body.cash_cents
    if not record.check(payment is not None and not payment.reversed
                        and payment.body.ticket == body.ticket and payment.body.shift == body.shift
                        and shift is not None and shift.open, "reversal_wrong",
                        "payment %d cannot be reversed" % body.payment):
        return
    payment.reversed = True
    record.equal("reversal_amount", "cash_cents", body.cash_cents, payment.cash())
    record.totals["paid_cents"] -= payment.body.total_cents
    ticket = record.tickets.get(body.ticket)
    for item in payment.body.items:
        record.totals["refunds_cents" if item.kind == REFUND else "prizes_cents"] -= item.amount_cents
        if ticket is not None and ticket.paid.get(item.draw) == body.payment:
            del ticket.paid[item.draw]


def held(record, leaf, body):
    ticket = record.ticket(body.ticket)
    if ticket is not None:
        ticket.held = True


def patron_refused(record, leaf, body):
    """RULES.md, "Payments", "Patron refused"."""
    ticket = record.ticket(body.ticket)
    if ticket is None:
        return
    record.check(ticket.withdrawn is None, "ticket_withdrawn",
                 "ticket %d was withdrawn in entry %s" % (ticket.index, ticket.withdrawn))
    ticket.refused = True
    if body.reason == GIVEN_BACK:
        ticket.given_back = True


def _was_lost(record, body):
    """The epoch in which the ticket was sold has ended, and the leaf is none that was kept."""
    end = next((epoch for _, epoch in record.epochs if epoch.epoch > body.sold_epoch), None)
    return body.sold_epoch >= 1 and end is not None and body.lost_leaf >= end.continues_size


def lost_ticket_refunded(record, leaf, body):
    """RULES.md, "Lost tickets"."""
    record.use_key(body.key)
    shift = record.till(body.shift, body.key)
    if shift is not None and body.tender == CASH:
        shift.expected -= body.amount_cents
    record.check(_was_lost(record, body), "lost_ticket_epoch",
                 "leaf %d of epoch %d is not lost" % (body.lost_leaf, body.sold_epoch))
    before = record.lost.setdefault((body.sold_epoch, body.lost_leaf), record.entry)
    record.check(before == record.entry, "lost_ticket_twice", "the ticket that entry %d refunded" % before)
    books = [book for _, book in record.books.values() if book is not None]
    most = max((book.most_cost() for book in books), default=0)
    record.check(0 < body.amount_cents <= most, "lost_ticket_amount",
                 "%d cents, a ticket costs at most %d" % (body.amount_cents, most))
    record.check(any(body.tender in book.tenders for book in books), "lost_ticket_amount",
                 "tender %d was never accepted" % body.tender)
    record.totals["lost_tickets"] += 1
    record.totals["lost_tickets_cents"] += body.amount_cents


HANDLERS = {47: paid, 48: payment_reversed, 52: held, 53: lost_ticket_refunded, 54: patron_refused}
