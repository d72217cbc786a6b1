"""Remarks of the audit office (kind 58); for tamper.py."""

from tampering import Unfit, changed, covered, put, put_in


def auditor(day):
    """A badge of the audit office."""
    badges = [day.bodies[place].badge for place in day.all_of(3)
              if day.bodies[place].active and list(day.bodies[place].roles) == [6]]
    if not badges:
        raise Unfit()
    return badges[0]


def remarked(day, index, ticket, **fields):
    body = dict({"ticket": ticket, "text": "A remark.", "badge": auditor(day)}, **fields)
    return put_in(day, index, 58, [], **body)


def remark_put_in(day, other, chance):
    """A remark on a ticket, withdrawn or not: nothing contradicts it."""
    ticket = day.pick(chance, 40)
    return remarked(day, chance.randrange(ticket + 1, len(day)), ticket)


def remark_on_withdrawn(day, other, chance):
    """A remark on a ticket that is nothing any more: nothing contradicts it either."""
    gone = [place for kind in (41, 42) for place in day.all_of(kind)]
    if not gone:
        raise Unfit()
    place = chance.choice(gone)
    return remarked(day, chance.randrange(place + 1, len(day) + 1), day.bodies[place].ticket)


def remark_early(day, other, chance):
    """A remark on a ticket before its sale: no such ticket yet."""
    ticket = day.pick(chance, 40)
    data, at, _ = remarked(day, chance.randrange(day.staffed + 1, ticket + 1), ticket)
    return data, at, {"exact": at, "what": "ticket_unknown"}


SORTS = {
    "remark_ticket": changed(58, put(ticket=0), "ticket_unknown"),
    "remark_on_print": changed(58, lambda chance, body, day: body._replace(ticket=day.pick(chance, 43)),
                               "ticket_unknown"),
    "remark_text": changed(58, put(text="Another remark."), covered),
    "remark_by_clerk": changed(58, put(badge="A1"), "role_wrong"),
    "remark_by_nobody": changed(58, put(badge="Nobody"), "badge_unknown"),
    "remark_put_in": remark_put_in, "remark_on_withdrawn": remark_on_withdrawn,
    "remark_early": remark_early,
}
