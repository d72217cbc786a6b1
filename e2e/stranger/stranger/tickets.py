"""Kinds 40 to 46, 49 and 50: sales, withdrawals, copies, claims and closed keys.

RULES.md, "Times and days", "Selections, ways, kings, prices", "Withdrawn
tickets", "Tills", "Command keys", and the lists "Tickets" and "Withdrawals and
copies".
"""

from . import damaged, rules
from .damaged import ON_CODE, ON_FILE, ON_UNCONFIRMED
from .state import CASH, Ticket, claim_until, day_plus

CHIP = 3
CANCEL_ALONE = CHIP_CHANGE = 10_000  # cents, where a book does not say it


def _draws(record, body):
    """Every draw of the range is open; the draws of the range that were announced."""
    count = body.last_draw - body.first_draw + 1
    # A broken record may name 2^64 draws: look only at those that exist.
    if count > len(record.draws):
        record.bad("ticket_draw_not_open", "draws %d to %d were not all announced"
                   % (body.first_draw, body.last_draw))
        numbers = [one for one in sorted(record.draws) if body.first_draw <= one <= body.last_draw]
    else:
        numbers = range(body.first_draw, body.last_draw + 1)
    draws = []
    for number in numbers:
        draw = record.draws.get(number)
        if draw is None:
            record.bad("ticket_draw_not_open", "draw %d was not announced" % number)
            continue
        draws.append(draw)
        if draw.step in ("scheduled", "void"):
            record.bad("ticket_draw_not_open", "draw %d is %s" % (number, draw.step))
        elif draw.step != "open":
            record.bad("ticket_after_close", "draw %d is %s" % (number, draw.step))
    return draws


def _selections(record, body, book):
    """The selections under the rule book; True when they can be understood."""
    sound = counted = True
    for place, selection in enumerate(body.selections):
        words = rules.shape_fault(book, selection)
        if words:
            record.bad("ticket_selection", "selection %d: %s" % (place + 1, words))
            sound = False
            continue
        words = rules.ways_fault(book, selection)
        if words:
            record.bad("ticket_ways", "selection %d: %s" % (place + 1, words))
            counted = False
        words = rules.wager_fault(book, selection)
        if words:
            record.bad("ticket_wager", "selection %d: %s" % (place + 1, words))
    if sound and counted:
        words = rules.same_numbers_fault(book, body.selections)
        record.check(words is None, "ticket_wager", words)
    return sound


def _claim_by(record, leaf, body, book):
    """RULES.md, "Times and days"."""
    last = record.draws.get(body.last_draw)
    if last is None or record.zone is None:
        return
    # The later of the two moments first, then its day.
    day = record.day_of(max(last.announced.draws_at_ms, leaf.time_ms))
    wanted = None if day is None else day_plus(day, book.claim_days)
    record.check(body.claim_by == wanted, "ticket_claim_by", "claim_by is %d, %d days give %s"
                 % (body.claim_by, book.claim_days, wanted))


def _change(record, body, book):
    """Change for a chip: RULES.md, "Tills"."""
    limit = None if book is None else book.chip_change
    change = body.received_cents - body.total_cents
    if body.tender != CHIP:
        holds = body.chip_change_cents == 0
    elif body.chip_change_cents == 0 and limit is None:
        holds = True
    else:
        holds = body.chip_change_cents == change <= (CHIP_CHANGE if limit is None else limit)
    record.check(holds, "ticket_change", "%d of %d" % (body.chip_change_cents, change))


def sold(record, leaf, body):
    record.use_key(body.key)
    shift = record.till(body.shift, body.key)
    record.check(not record.sales_stopped, "ticket_while_suspended", "a sale while sales are stopped")
    draws = _draws(record, body)
    first = record.draws.get(body.first_draw)
    if first is not None:
        record.of_this_epoch(first)
    record.check(body.first_draw <= body.last_draw, "ticket_limits",
                 "draws %d to %d" % (body.first_draw, body.last_draw))

    governing = record.book_for(body.first_draw)
    record.equal("ticket_rule_book", "rule_book", body.rule_book,
                 governing[0].version if governing is not None else None)
    book = record.books.get(body.rule_book, (None, None))[1]
    sound = False
    if book is not None:
        record.check(1 <= len(body.selections) <= book.max_selections, "ticket_limits",
                     "%d selections" % len(body.selections))
        record.check(body.last_draw - body.first_draw < book.max_draws, "ticket_limits",
                     "more than %d draws" % book.max_draws)
        if record.open_draws:
            record.check(body.first_draw <= min(record.open_draws) + book.max_ahead, "ticket_limits",
                         "more than %d draws ahead" % book.max_ahead)
        sound = _selections(record, body, book)
        record.check(body.tender in book.tenders, "ticket_unpaid_for",
                     "tender %d is not accepted" % body.tender)
        _claim_by(record, leaf, body, book)
    record.check(all(draw.announced.cap_cents == body.cap_cents for draw in draws), "ticket_cap",
                 "cap_cents is %d" % body.cap_cents)
    record.equal("ticket_price", "per_draw_cents", body.per_draw_cents, rules.price(body.selections))
    record.equal("ticket_price", "total_cents", body.total_cents,
                 body.per_draw_cents * (body.last_draw - body.first_draw + 1))
    record.check(body.received_cents >= body.total_cents, "ticket_unpaid_for",
                 "%d cents received for %d" % (body.received_cents, body.total_cents))

    _change(record, body, book)

    if body.replay_of is not None:
        record.ticket(body.replay_of)

    ticket = Ticket(record.entry, body, book, sound)
    record.tickets[record.entry] = ticket
    for draw in draws:
        if draw.step in ("scheduled", "open"):
            draw.tickets.append(ticket)
    if shift is not None:
        shift.expected += (body.total_cents if body.tender == CASH else 0) - body.chip_change_cents
    record.totals["tickets_sold"] += 1
    record.totals["sold_cents"] += body.total_cents


def _withdrawn(record, body):
    """Common to kinds 41 and 42: the ticket, when it stands."""
    ticket = record.ticket(body.ticket)
    if ticket is None:
        return None
    record.check(body.first_draw == ticket.body.first_draw, "ticket_unknown",
                 "first_draw is %d, that of the ticket is %d" % (body.first_draw, ticket.body.first_draw))
    if ticket.withdrawn is not None:
        record.bad("ticket_withdrawn", "ticket %d was withdrawn in entry %d"
                   % (ticket.index, ticket.withdrawn))
        return None
    record.check(not ticket.paid, "withdrawn_paid", "ticket %d was paid for draws %s"
                 % (ticket.index, ", ".join(map(str, sorted(ticket.paid)))))
    ticket.withdrawn = record.entry
    return ticket


def cancelled(record, leaf, body):
    record.use_key(body.key)
    shift = record.till(body.shift, body.key)
    if shift is not None and body.tender == CASH:
        shift.expected -= body.refund_cents
    ticket = record.tickets.get(body.ticket)
    if shift is not None and ticket is not None:
        shift.expected += ticket.body.chip_change_cents
    ticket = _withdrawn(record, body)
    if ticket is None:
        return
    first = record.draws.get(ticket.body.first_draw)
    record.check(first is not None and first.step == "open", "cancel_after_close",
                 "draw %d is not open" % ticket.body.first_draw)
    record.equal("cancel_amount", "refund_cents", body.refund_cents, ticket.body.total_cents)
    record.equal("cancel_amount", "tender", body.tender, ticket.body.tender)
    _cancelled_by(record, body, ticket)
    record.totals["tickets_cancelled"] += 1


def _cancelled_by(record, body, ticket):
    """On what a ticket is cancelled, and by how many: RULES.md, "Withdrawn tickets"."""
    limit = None if ticket.book is None else ticket.book.cancel_alone
    before = body.on == 0 and limit is None and body.second is None
    record.check(before or not ticket.given_back and (
                     body.on == ON_CODE or (body.on == ON_UNCONFIRMED and ticket.confirmed != ticket.copy)),
                 "cancel_without_paper", "on %d of copy %d" % (body.on, ticket.copy))
    most = CANCEL_ALONE if limit is None else limit
    record.check(before or body.second is not None
                 or (ticket.body.total_cents <= most and body.on != ON_UNCONFIRMED),
                 "cancel_alone", "%d cents by %r" % (ticket.body.total_cents, body.badge))


def unpaid(record, leaf, body):
    ticket = _withdrawn(record, body)
    if ticket is None:
        return
    first = record.draws.get(ticket.body.first_draw)
    started = [draw.number for draw in record.draws.values()
               if draw.started is not None and ticket.covers(draw.number)]
    record.check(first is not None and first.step in ("open", "closed") and not started,
                 "unpaid_after_ball", "draw %d is %s, started: %s" % (
                     ticket.body.first_draw, first.step if first else "unknown", started))
    record.equal("unpaid_amount", "amount_cents", body.amount_cents, ticket.body.total_cents)
    record.check(body.on == ON_CODE or (body.on == ON_UNCONFIRMED and ticket.confirmed != ticket.copy),
                 "unpaid_without_paper", "on %d of copy %d" % (body.on, ticket.copy))
    shift = record.shifts.get(ticket.body.shift)
    if shift is not None and shift.open:
        shift.expected += ticket.body.chip_change_cents
        if ticket.body.tender == CASH:
            shift.expected -= body.amount_cents
    record.totals["tickets_unpaid"] += 1


def print_confirmed(record, leaf, body):
    ticket = record.ticket(body.ticket)
    if ticket is not None:
        if record.equal("copy_wrong", "copy", body.copy, ticket.copy):
            ticket.confirmed = body.copy


def released(record, leaf, body):
    ticket = record.ticket(body.ticket)
    if ticket is not None:
        ticket.held = False


def duplicated(record, leaf, body):
    ticket = record.ticket(body.ticket)
    if ticket is not None:
        record.equal("copy_wrong", "copy", body.copy, ticket.copy + 1)
        record.check(ticket.book is None or body.copy <= ticket.book.max_copies, "copy_wrong",
                     "copy %d" % body.copy)
        record.check(body.on == ON_CODE or not ticket.given_back and (
                         (body.on == ON_UNCONFIRMED and ticket.confirmed != ticket.copy)
                         or (body.on == ON_FILE and ticket.granted)),
                     "duplicate_without_paper", "on %d of copy %d" % (body.on, ticket.copy))
        ticket.copy = body.copy


def claim_presented(record, leaf, body):
    """RULES.md, "Payments", "Presented"."""
    ticket = record.ticket(body.ticket)
    if ticket is None:
        return
    day = damaged.presented(record, leaf, body, ticket)
    record.check(body.draws, "presentation_wrong", "no draw is presented")
    for number in body.draws:
        draw = record.draws.get(number)
        record.check(ticket.covers(number) and draw is not None
                     and (draw.drawn is not None or draw.step == "void"), "presentation_wrong",
                     "draw %d of ticket %d has no numbers" % (number, ticket.index))
        if body.presented_at_ms is not None:
            record.check(draw is not None and draw.decided_ms is not None
                         and draw.decided_ms <= body.presented_at_ms, "presentation_wrong",
                         "draw %d had no outcome at that hour" % number)
        record.check(number not in ticket.presented, "presentation_wrong",
                     "draw %d of ticket %d was presented before" % (number, ticket.index))
        until = claim_until(record, ticket, number)
        record.check(day is not None and day <= until, "presentation_wrong",
                     "draw %d of ticket %d was to be presented by %d" % (number, ticket.index, until))
        ticket.presented.add(number)


def noted(record, leaf, body):
    record.ticket(body.ticket)


def key_closed(record, leaf, body):
    record.check(body.key not in record.keys and body.key not in record.closed_keys, "key_repeated",
                 "the key had its outcome, or was closed")
    record.closed_keys.add(body.key)


HANDLERS = {
    40: sold, 41: cancelled, 42: unpaid, 43: print_confirmed, 44: released, 45: duplicated,
    46: claim_presented, 49: noted, 50: key_closed, 58: noted,
}
