"""Holders of tickets who are not paid (kind 54); for tamper.py."""

from stranger import writing

from tampering import Unfit, changed, covered, first_of, new, put, put_in, renumbered


def refused_before(day, index):
    """Whether the ticket of a payment was refused to a holder before it."""
    ticket = day.bodies[index].ticket
    return bool(day.all_of(54, lambda place, one: place < index and one.ticket == ticket))


def paid_alone(day, other, chance):
    """A payment of a ticket that was refused, by one person."""
    return changed(47, put(second=None), "payment_alone",
                   lambda index, body: body.second is not None and refused_before(day, index))(
                       day, other, chance)


def refused_and_paid_alone(day, other, chance):
    """A refusal, and a payment after it that two people had made, by one."""
    payment = day.pick(chance, 47, lambda index, body: body.second is not None)
    body = day.bodies[payment]
    index = chance.randrange(body.ticket + 1, payment + 1)
    alone = [payment] + day.all_of(47, lambda place, one: place >= index and one.ticket == body.ticket
                                   and one.second is None)
    added = new(54, ticket=body.ticket, reason=chance.choice((1, 2, 3)), device=7, badge="A1")
    order = list(range(index)) + [added] + list(range(index, len(day)))
    right = first_of(day, index, alone, 1)
    if right["exact"] == min(alone) + 1:
        right["what"] = "payment_alone"
    bodies = {payment + 1: body._replace(second=None)}
    return writing.export(renumbered(day, order, bodies), day.note), index, right


def refused_then_paid_alone(day, other, chance):
    """A refusal some time before the payments of a ticket: those by one person are wrong."""
    payment = day.pick(chance, 47, lambda index, body: body.second is None)
    ticket = day.bodies[payment].ticket
    index = chance.randrange(ticket + 1, payment + 1)
    alone = day.all_of(47, lambda place, one: place >= index and one.ticket == ticket
                       and one.second is None)
    return put_in(day, index, 54, alone, "payment_alone", ticket=ticket, reason=chance.choice((1, 2, 3)),
                  device=7, badge="A1")


def refused_then_paid_by_two(day, other, chance):
    """A refusal before payments that two people make, or before none: nothing contradicts."""
    ticket = day.pick(chance, 40)
    gone = [place for kind in (41, 42) for place in day.all_of(kind)
            if day.bodies[place].ticket == ticket]
    alone = day.all_of(47, lambda place, one: one.ticket == ticket and one.second is None)
    first = max([ticket] + alone) + 1
    last = min(gone + [len(day) - 1])
    if first > last:
        raise Unfit()
    return put_in(day, chance.randrange(first, last + 1), 54, [], ticket=ticket, reason=3, device=7,
                  badge="A1")


def refused_when_withdrawn(day, other, chance):
    """A refusal of a ticket that is nothing any more."""
    gone = [place for kind in (41, 42) for place in day.all_of(kind)]
    if not gone:
        raise Unfit()
    place = chance.choice(gone)
    index = chance.randrange(place + 1, len(day) + 1)
    data, at, _ = put_in(day, index, 54, [], ticket=day.bodies[place].ticket, reason=1, device=7,
                         badge="A1")
    return data, at, {"exact": at, "what": "ticket_withdrawn"}


SORTS = {
    "refused_ticket": changed(54, put(ticket=0), "ticket_unknown"),
    "refused_reason": changed(54, put(reason=9), covered),
    "refused_device": changed(54, put(device=1 << 20), "place_wrong"),
    "refused_paid_alone": paid_alone, "refused_and_paid_alone": refused_and_paid_alone,
    "refused_then_paid_alone": refused_then_paid_alone,
    "refused_then_paid_by_two": refused_then_paid_by_two, "refused_when_withdrawn": refused_when_withdrawn,
}
