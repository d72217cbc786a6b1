"""Kinds 3, 4, 18 and 19: who recorded a person or a device (RULES.md, "People"), and who acts."""

CLERK, SUPERVISOR, CAGE, MARKER, VERIFIER, AUDITOR, TECHNICIAN, ADMINISTRATOR = range(1, 9)

EXCLUDED = (
    (AUDITOR, {CLERK, SUPERVISOR, CAGE, MARKER, VERIFIER, TECHNICIAN, ADMINISTRATOR}),
    (ADMINISTRATOR, {CLERK, SUPERVISOR, CAGE, MARKER, VERIFIER}),
    (TECHNICIAN, {CLERK, SUPERVISOR, CAGE}),
)


def _has(record, badge, *roles):
    """Whether a badge stands with one of these roles."""
    person = record.people.get(badge)
    return person is not None and person.active and any(role in person.roles for role in roles)


def _administrators(record):
    """How many humans are administrators."""
    return len({person.staff for person in record.people.values()
                if person.active and ADMINISTRATOR in person.roles})


def acts(record, badge, day, ticket=None):
    """RULES.md, "Acting supervisors": whether a badge stands with 2 that its roles do not say.

    ``ticket`` is the one about which two act, if they do.
    """
    person = record.people.get(badge)
    return (person is not None and person.active and record.acting.get(badge) == day
            and (ticket is None or not record.one_human(badge, ticket.body.badge)))


def _can_act(record, badge):
    person = record.people.get(badge)
    if person is None or not person.active or not person.roles or SUPERVISOR in person.roles:
        return False
    return not any(role in other.roles for other in record.people.values()
                   if other.active and other.staff == person.staff
                   for role in (AUDITOR, TECHNICIAN, ADMINISTRATOR))


def acting_named(record, leaf, body):
    record.chosen(body.by, body.second)
    record.two_people(body.by, body.second)
    record.check(_has(record, body.by, ADMINISTRATOR) and _has(record, body.second, ADMINISTRATOR)
                 and (not body.may_act or _can_act(record, body.badge)), "acting_wrong",
                 "%r is named by %r and %r" % (body.badge, body.by, body.second))
    if body.may_act:
        record.named.add(body.badge)
    else:
        record.named.discard(body.badge)
        record.acting.pop(body.badge, None)


def acting_made(record, leaf, body):
    record.chosen(body.by, body.second)
    if body.second is None:
        agreed = _has(record, body.by, SUPERVISOR)
    else:
        record.two_people(body.by, body.second)
        agreed = (_has(record, body.by, CAGE) and _has(record, body.second, CLERK, SUPERVISOR, CAGE)
                  and not record.one_human(body.second, body.badge))
    record.check(agreed and body.badge in record.named and _can_act(record, body.badge)
                 and not record.one_human(body.by, body.badge), "acting_wrong",
                 "%r is made by %r and %r" % (body.badge, body.by, body.second))
    record.acting[body.badge] = leaf.day


def _recorded_well(record, body, day):
    before = record.people.get(body.badge)
    if not body.badge or not body.staff or (before is not None and before.staff != body.staff):
        return False
    if body.badge == "recovery":
        return _code_recorded_well(record, body, before)
    if body.second == "recovery":
        return _recovered_well(record, body, before)
    only_the_pin = (before is not None and before.active and body.active
                    and (before.name, list(before.roles), before.card) == (body.name, list(body.roles), body.card))
    if not body.second:
        if body.by == "console" and list(body.roles) == [ADMINISTRATOR] and body.active and body.card == 0:
            if _administrators(record) < 2:
                return True
        return body.by == body.badge and only_the_pin and not body.must_change
    if _has(record, body.by, ADMINISTRATOR) and _has(record, body.second, ADMINISTRATOR):
        card = 0 if before is None else before.card
        return body.card >= card and (body.active or body.badge not in (body.by, body.second))
    return ((_has(record, body.by, SUPERVISOR) or acts(record, body.by, day))
            and _has(record, body.second, CLERK, SUPERVISOR, CAGE)
            and _has(record, body.badge, CLERK)
            and not _has(record, body.badge, SUPERVISOR, AUDITOR, ADMINISTRATOR)
            and not record.one_human(body.by, body.badge)
            and not record.one_human(body.second, body.badge)
            and only_the_pin and body.must_change)


def _code_recorded_well(record, body, before):
    if (body.staff != "recovery" or list(body.roles) or not body.active or body.card
            or (before is not None and before.credential == body.credential)):
        return False
    if body.must_change:
        return not body.second and record.recovery_used_by == body.by
    if not body.second:
        return before is None and body.by == "console"
    return _has(record, body.by, ADMINISTRATOR) and _has(record, body.second, ADMINISTRATOR)


def _recovered_well(record, body, before):
    left = record.people.get(body.by)
    return ("recovery" in record.people and record.recovery_used_by is None and before is None
            and _has(record, body.by, ADMINISTRATOR) and left.staff != body.staff
            and list(body.roles) == [ADMINISTRATOR] and body.active and not body.card
            and body.must_change)


def person_recorded(record, leaf, body):
    if body.second or body.by != body.badge:
        record.chosen(body.by, body.second)
    if body.second:
        record.two_people(body.by, body.second)
    record.check(_recorded_well(record, body, leaf.day), "person_wrong",
                 "%r is recorded by %r and %r" % (body.badge, body.by, body.second))
    open_ones = [number for number, session in record.sessions.items()
                 if session.open and session.body.badge == body.badge]
    record.check(not open_ones, "person_session", "sessions %s of %r are open"
                 % (", ".join(map(str, open_ones)), body.badge))
    before = _administrators(record)
    if body.badge == "recovery":
        record.recovery_used_by = None
    elif body.second == "recovery":
        record.recovery_used_by = body.by
    if body.second or body.by != body.badge:
        record.named.discard(body.badge)
    record.acting.pop(body.badge, None)
    record.people[body.badge] = body
    after = _administrators(record)
    record.check(after >= min(before, 2), "administrators_few",
                 "%d administrators are left" % after)
    if not body.active:
        return
    held = {role for person in record.people.values()
            if person.active and person.staff == body.staff for role in person.roles}
    for one, others in EXCLUDED:
        if one in held and others & held:
            record.bad("roles_excluded", "%r has roles %s" % (body.staff, sorted(held)))
            return


def device_recorded(record, leaf, body):
    """One that is active is not locked from here on."""
    record.chosen(body.by, body.second)
    if body.second:
        record.two_people(body.by, body.second)
        well = (body.active and _has(record, body.by, TECHNICIAN, ADMINISTRATOR)
                and _has(record, body.second, TECHNICIAN, ADMINISTRATOR)
                and (_has(record, body.by, ADMINISTRATOR)
                     or _has(record, body.second, ADMINISTRATOR)))
    elif not body.active:
        well = _has(record, body.by, TECHNICIAN, ADMINISTRATOR)
    else:
        before = record.devices.get(body.device)
        well = (body.by == "device" and body.device not in record.locked and before is not None
                and before.active and (before.name, before.role) == (body.name, body.role))
    record.check(well, "device_wrong", "device %d is recorded by %r and %r"
                 % (body.device, body.by, body.second))
    record.devices[body.device] = body
    if body.active:
        record.locked.discard(body.device)


HANDLERS = {3: person_recorded, 4: device_recorded, 18: acting_named, 19: acting_made}
