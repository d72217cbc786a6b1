"""Kinds 55 to 57: papers whose code cannot be read.

RULES.md, "Without a code", and the list of the same name.
"""

ON_CODE, ON_UNCONFIRMED, ON_FILE = 1, 2, 3  # on what a paper is replaced, or called unpaid
BY_CODE, BY_READING, BY_FILE, AFTERWARDS, BY_TYPING = 1, 2, 3, 4, 5  # paths of payments and presentations
HOUR_MS = 3600000
AFTERWARDS_MS = 7 * 24 * HOUR_MS


class File:
    """A file (kind 56)."""

    def __init__(self, body, opened_ms, ticket, book):
        self.body = body
        self.opened_ms = opened_ms
        self.ticket = ticket
        self.wait_ms = 0 if book is None else book.wait_hours * HOUR_MS
        self.judged = False


def _agrees(reading, sale):
    said = (reading.first_draw, reading.last_draw, reading.total_cents, reading.sold_at)
    of_sale = (sale.first_draw, sale.last_draw, sale.total_cents, sale.key.device)
    return all(one is None or one == other for one, other in zip(said, of_sale))


def read(record, leaf, body):
    ticket = record.ticket(body.ticket)
    if ticket is None:
        return
    record.check(ticket.withdrawn is None, "ticket_withdrawn",
                 "ticket %d was withdrawn in entry %s" % (ticket.index, ticket.withdrawn))
    reading = body.reading
    whole = None not in (reading.first_draw, reading.last_draw, reading.total_cents, reading.sold_at)
    record.check(whole and reading.numbers and _agrees(reading, ticket.body), "reading_wrong",
                 "what was read is not ticket %d" % ticket.index)
    ticket.read[body.badge] = record.entry


def opened(record, leaf, body):
    record.check((body.ticket is not None) == (body.fits == 1) and body.fits <= 2 and body.digits <= 16,
                 "file_wrong", "%d tickets fit %d digits" % (body.fits, body.digits))
    ticket = None if body.ticket is None else record.ticket(body.ticket)
    if ticket is not None:
        record.check(_agrees(body.reading, ticket.body), "reading_wrong",
                     "what was read is not ticket %d" % ticket.index)
        ticket.filed = True
        book = ticket.book
    else:
        book = record.books[max(record.books)][1] if record.books else None
    record.files[record.entry] = File(body, leaf.time_ms, ticket, book)


def judged(record, leaf, body):
    file = record.files.get(body.file)
    if file is None:
        record.bad("file_unknown", "entry %d is no file" % body.file)
        return
    people = [file.body.badge, body.by, body.second] + ([] if body.third is None else [body.third])
    for place, one in enumerate(people):
        for other in people[place + 1:]:
            record.two_people(one, other)
    ticket = file.ticket
    again = (body.is_paid and body.third is not None and ticket is not None
             and ticket.granted == 2)
    right = (body.reason == 0 and ticket is not None) if body.is_paid else 1 <= body.reason <= 6
    record.check(right and (not file.judged or again), "file_wrong",
                 "file %d, reason %d" % (body.file, body.reason))
    record.equal("file_wrong", "ticket", body.ticket, file.body.ticket)
    record.check(leaf.time_ms - file.opened_ms >= file.wait_ms, "file_early",
                 "file %d after %d ms" % (body.file, leaf.time_ms - file.opened_ms))
    if body.is_paid and ticket is not None:
        count = 2 if body.third is None else 3
        by_limit(record, ticket, count)
        ticket.granted = max(ticket.granted, count)
    file.judged = True


def by_limit(record, ticket, count):
    """Three judge a file from the limit on."""
    from .payments import tier
    if ticket.book is not None:
        sum_of_all = tier(record, ticket)
        record.check(sum_of_all < ticket.book.third_person or count == 3, "file_third",
                     "%d cents by %d" % (sum_of_all, count))


def paid(record, leaf, body, ticket):
    """On what a payment is made."""
    if body.path == BY_READING:
        shift = record.shifts.get(body.shift)
        entry = ticket.read.get(body.badge)
        holds = shift is not None and entry is not None and entry > shift.opened
    else:
        holds = body.path in (BY_CODE, BY_TYPING) or (body.path == BY_FILE and ticket.granted > 0)
    record.check(holds, "payment_without_code", "path %d" % body.path)
    if body.path == BY_FILE:
        by_limit(record, ticket, ticket.granted)
    alone = body.path == BY_TYPING and body.second is None
    if body.path != BY_READING and not alone:
        return
    from .payments import tier
    person = record.people.get(body.badge)
    human = ("badge", body.badge) if person is None else ("staff", person.staff)
    day, count = record.of_day.get((body.path, human), (None, 0))
    count = count + 1 if day == leaf.day else 1
    record.of_day[body.path, human] = leaf.day, count
    if ticket.book is not None:
        most, times = ((ticket.book.typed_alone, ticket.book.typed_per_day) if alone
                       else (ticket.book.at_once, ticket.book.damaged_per_day))
        sum_of_all = tier(record, ticket)
        record.check(sum_of_all <= most and count <= times,
                     "payment_typed" if alone else "payment_at_once",
                     "%d cents, payment %d of that day" % (sum_of_all, count))


def presented(record, leaf, body, ticket):
    """Whether the path of a presentation was open to it; the day that counts."""
    now = body.presented_at_ms is None and body.second is None
    if body.path == AFTERWARDS:
        holds = (body.presented_at_ms is not None and body.second is not None
                 and leaf.time_ms - AFTERWARDS_MS <= body.presented_at_ms <= leaf.time_ms)
    else:
        holds = now and (body.path in (BY_CODE, BY_TYPING) or (body.path == BY_READING and ticket.read)
                         or (body.path == BY_FILE and ticket.filed))
    record.check(holds, "presentation_wrong", "path %d of ticket %d" % (body.path, ticket.index))
    return leaf.day if body.presented_at_ms is None else record.day_of(body.presented_at_ms)


HANDLERS = {55: read, 56: opened, 57: judged}
