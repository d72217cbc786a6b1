"""RULES.md, "People and places": who did what, and where."""

from . import people

CLERK, SUPERVISOR, CAGE, MARKER, VERIFIER, AUDITOR, TECHNICIAN, ADMINISTRATOR = range(1, 9)
EVERY = frozenset(range(1, 9))

SELLERS = {CLERK, SUPERVISOR}
TELLERS = {CLERK, SUPERVISOR, CAGE}
CASH = {SUPERVISOR, CAGE}
DECIDERS = {SUPERVISOR, ADMINISTRATOR}
ROOM = {SUPERVISOR, MARKER, VERIFIER}
RESTORERS = {SUPERVISOR, TECHNICIAN, ADMINISTRATOR}
ENTERERS = {MARKER, VERIFIER}
JUDGES = {SUPERVISOR, VERIFIER, ADMINISTRATOR}
THIRDS = {SUPERVISOR, CAGE, ADMINISTRATOR}
OFFICE = {VERIFIER, AUDITOR, ADMINISTRATOR}

TILLS = {1, 7}
DESKS = {5}
STAFFED = {1, 4, 5, 6, 7}

# Kind: roles, names that are no badges, roles of the second, roles of one of the two, places.
ROWS = {
    2: (DECIDERS, (), DECIDERS, None, None),
    5: (EVERY, (), None, None, STAFFED),
    6: (EVERY, ("console", "central"), None, None, None),
    7: (TELLERS, (), None, None, TILLS),
    8: (TELLERS, (), TELLERS, {SUPERVISOR}, None),
    9: (TELLERS, (), TELLERS, CASH, TILLS),
    12: (DECIDERS, (), DECIDERS, None, None),
    13: (DECIDERS, ("guard",), None, None, None),
    14: (DECIDERS, (), DECIDERS, None, None),
    15: (RESTORERS, (), RESTORERS, None, None),
    16: (TELLERS, (), TELLERS, CASH, TILLS),
    17: (TELLERS, (), TELLERS, CASH, TILLS),
    29: ({SUPERVISOR, MARKER, VERIFIER, ADMINISTRATOR}, ("guard",), None, None, None),
    30: (JUDGES, (), JUDGES, DECIDERS, None),
    31: (JUDGES, (), JUDGES, DECIDERS, None),
    32: (ENTERERS, (), None, None, DESKS),
    34: (ENTERERS, (), ENTERERS | {SUPERVISOR}, {SUPERVISOR}, None),
    35: (ENTERERS | JUDGES, (), ENTERERS | JUDGES, None, None),
    36: (JUDGES, (), JUDGES, DECIDERS, None),
    39: ({SUPERVISOR, VERIFIER}, (), {SUPERVISOR, VERIFIER}, {SUPERVISOR}, None),
    40: (SELLERS, (), None, None, TILLS),
    41: (SELLERS, (), CASH, None, TILLS),
    42: (SELLERS, (), SELLERS, {SUPERVISOR}, None),
    44: (SELLERS, (), SELLERS, {SUPERVISOR}, None),
    45: (SELLERS, (), SELLERS, {SUPERVISOR}, None),
    46: (TELLERS, (), TELLERS, CASH, TILLS),
    47: (TELLERS, (), CASH, None, TILLS),
    48: (TELLERS, (), {SUPERVISOR}, None, None),
    49: (TELLERS, (), None, None, None),
    50: (TELLERS, (), None, None, None),
    52: (TELLERS, ("guard",), None, None, None),
    53: (TELLERS, (), TELLERS, CASH, TILLS),
    54: (TELLERS, (), None, None, TILLS),
    55: (TELLERS, (), TELLERS, CASH, TILLS),
    56: (TELLERS, (), None, None, TILLS),
    57: (CASH, (), TELLERS, None, None),
    58: ({AUDITOR}, (), None, None, None),
    60: (ROOM, (), ROOM, None, None),
    61: (ROOM, (), ROOM, None, None),
    62: (ROOM, (), ROOM, None, None),
    63: (ROOM, (), ROOM, None, None),
    64: (ROOM, (), None, None, DESKS),
    65: (OFFICE | {SUPERVISOR}, (), OFFICE | {SUPERVISOR}, OFFICE, None),
    67: (OFFICE | {SUPERVISOR}, (), OFFICE | {SUPERVISOR}, OFFICE, None),
}


def _place(record, device, roles):
    stands = record.devices.get(device)
    record.check(stands is not None and stands.role in roles, "place_wrong",
                 "device %d is %s" % (device, "unknown" if stands is None else "of role %d" % stands.role))


def _ticket_of_two(record, leaf, body):
    """The ticket about which two act (RULES.md, "Acting supervisors"), or None."""
    if leaf.kind == 57:
        file = record.files.get(body.file)
        return None if file is None else file.ticket
    if leaf.kind in (42, 44, 45, 48, 55) or (leaf.kind in (41, 46, 47) and body.second is not None):
        return record.tickets.get(body.ticket)
    return None


def _roles(record, badge, now):
    """The roles of a badge that stands, with that of an acting supervisor."""
    person = record.people.get(badge)
    if person is None or not person.active:
        return None
    return set(person.roles) | ({SUPERVISOR} if people.acts(record, badge, *now) else set())


def _must_have(record, badge, roles, now):
    """Whether the badge stands with one of the roles."""
    found = _roles(record, badge, now)
    return (record.check(found is not None, "badge_unknown", "%r is not recorded and active" % badge)
            and record.check(found & roles, "role_wrong", "%r has the roles %s" % (badge, sorted(found))))


def judge(record, leaf, body):
    """Before the entry changes anything."""
    now = leaf.day, _ticket_of_two(record, leaf, body)
    if leaf.kind == 43:
        _place(record, body.device, TILLS)
    if leaf.kind == 26:
        for badge in body.certifiers:
            if badge != "guard":
                record.chosen(badge)
                _must_have(record, badge, {SUPERVISOR, MARKER, VERIFIER}, now)
    if leaf.kind == 57 and body.third is not None:
        record.chosen(body.third)
        _must_have(record, body.third, THIRDS, now)
    row = ROWS.get(leaf.kind)
    if row is None:
        return
    roles, names, second_roles, answering, places = row
    by = next(getattr(body, name) for name in ("by", "badge", "arriving") if hasattr(body, name))
    second = getattr(body, "second", None)
    record.chosen(by, second)
    if second is None:
        if by not in names:
            _must_have(record, by, roles, now)
    elif record.two_people(by, second):
        theirs = [_must_have(record, by, roles, now), _must_have(record, second, second_roles, now)]
        if all(theirs) and answering is not None:
            record.check((_roles(record, by, now) | _roles(record, second, now)) & answering, "role_wrong",
                         "neither %r nor %r answers for it" % (by, second))
    # Of a 65 it is no command's key.
    key = getattr(body, "key", None) if leaf.kind != 65 else None
    if places is not None:
        # A hand-over is judged by the device that goes on.
        device = body.to if leaf.kind == 16 else getattr(body, "device", None)
        _place(record, key.device if device is None else device, places)
    if leaf.kind == 5:
        stands = record.devices.get(body.device)
        record.check(stands is None or stands.active, "place_wrong",
                     "device %d is revoked" % body.device)
    till = record.shifts.get(body.shift) if leaf.kind == 48 else None
    if till is not None and till.open:
        there = [number for number, session in record.sessions.items()
                 if session.open and session.body.device == till.device]
        record.check(there and record.sessions[max(there)].body.badge == by, "session_badge",
                     "%r is not signed on at device %d" % (by, till.device))
    if key is not None and leaf.kind != 50:
        session = record.sessions.get(key.session)
        record.check(session is None or session.body.badge == by, "session_badge",
                     "%r in session %d" % (by, key.session))

