"""Tampering with hand-overs of devices (kind 16), and the first bad entry of each; for tamper.py."""

from stranger import writing

from tampering import (
    COUNTED, KEYED, NOBODYS, Floor, Unfit, administrators, changed, covered, exactly, first_of, key_at, new, of_shift,
    renumbered, reversals, uses_of_device)

# Kinds by which a till is known to be elsewhere than they say.
OF_TILL = KEYED + (16, 17)


def _with(day, index, added, right):
    order = list(range(index)) + added + list(range(index, len(day)))
    return writing.export(renumbered(day, order), day.note), index + len(added) - 1, right


def _left(device, to, shift, **fields):
    return new(16, **dict(dict(device=device, to=to, shift=shift, reason="test", by="A1", second="A2"), **fields))


def _closed_alone(day, index, shift):
    """Entries from ``index`` on that close a till alone which A1 has taken over."""
    return [place for place in range(index, len(day)) if day.leaves[place].kind == 8
            and day.bodies[place].shift == shift and day.bodies[place].second is None
            and day.bodies[place].by != "A1"]


def _of_left_device(day, index, device, shift):
    """Entries from ``index`` on that contradict when a device was handed over just before."""
    return uses_of_device(day, index - 1, device) + (
        [] if shift is None else of_shift(day, index - 1, shift, OF_TILL) + _closed_alone(day, index, shift))


def other_shift(chance, body, day):
    """A till is forgotten, or one moves that is not there."""
    return body._replace(shift=None if body.shift is not None else 1 << 40)


def to_a_till(chance, body, day):
    """To a device that has a till of its own."""
    tills = [one for one in Floor(day, day.at).tills if one != body.device]
    if body.shift is None or not tills:
        raise Unfit()
    return body._replace(to=chance.choice(tills))


def at_locked(field="device"):
    """Names a device that was left and not let in again."""
    def change(chance, body, day):
        locked = Floor(day, day.at).locked
        if not locked:
            raise Unfit()
        return body._replace(**{field: chance.choice(sorted(locked))})
    return change


def to_elsewhere(day, index):
    """The till is where nobody uses it."""
    body = day.bodies[index]
    return first_of(day, index, [] if body.shift is None else of_shift(day, index, body.shift, OF_TILL))


def from_elsewhere(day, index):
    """A device that has nothing is left in place of the right one."""
    return covered(day, index) if day.bodies[index].shift is None else exactly(index, "hand_over_wrong")


def not_let_in(day, index):
    """A device that is recorded as not active stays locked, if it was; nobody signs on there."""
    body = day.bodies[index]
    if not body.active:
        return first_of(day, index)
    uses = uses_of_device(day, index, body.device)
    if body.device not in Floor(day, index).locked:
        uses = [place for place in uses if day.leaves[place].kind == 5]
    return first_of(day, index, uses)


def put_in_wrong(day, other, chance):
    """A hand-over that does not hold as the floor stands."""
    index = chance.randrange(1, len(day) + 1)
    floor = Floor(day, index)
    till = floor.tills.get
    choices = [("hand_over_wrong", _left(device, NOBODYS, till(device)))
               for device in sorted(set(floor.sessions.values()))]
    choices += [("hand_over_wrong", _left(device, NOBODYS, chance.choice((None, till(device) + 1))))
                for device in sorted(floor.tills)]
    choices += [("hand_over_wrong", _left(device, NOBODYS, None)) for device in sorted(floor.locked)]
    choices += [("device_locked", _left(NOBODYS, device, None)) for device in sorted(floor.locked)]
    choices += [("hand_over_wrong", _left(NOBODYS, NOBODYS, None)),
                ("hand_over_wrong", _left(NOBODYS, NOBODYS + 1, 1 << 40)),
                ("same_person", _left(NOBODYS, NOBODYS + 1, None, second=chance.choice(("A1", ""))))]
    what, added = chance.choice(choices)
    return _with(day, index, [added], exactly(index, what))


def put_in_sound(day, other, chance):
    """A device without a session is left: only who goes on using it, or its till, contradicts."""
    index = chance.randrange(1, len(day) + 1)
    floor = Floor(day, index)
    devices = {day.bodies[place].device for place in day.all_of(4, lambda place, body: place < index)}
    devices -= set(floor.sessions.values()) | floor.locked | {NOBODYS + 1}
    device = chance.choice(sorted(devices) + [NOBODYS])
    shift = floor.tills.get(device)
    others = _of_left_device(day, index, device, shift)
    return _with(day, index, [_left(device, NOBODYS + 1, shift)], first_of(day, index, others, 1))


def put_in_and_gone_on(day, other, chance):
    """A device with a session is left as it must be; then somebody goes on, here or there."""
    index = chance.randrange(1, len(day) + 1)
    floor = Floor(day, index)
    devices = sorted(device for device in set(floor.sessions.values()) if device in floor.tills)
    if not devices:
        raise Unfit()
    device = chance.choice(devices)
    shift, number = floor.tills[device], 1 << 41
    sessions = [one for one, at in floor.sessions.items() if at == device]
    added = [new(6, session=one, reason=5, by="A1") for one in sessions]
    added.append(_left(device, NOBODYS, shift))

    def session(at):
        return new(5, session=number, device=at, badge="A1", token_hash=bytes(32))

    def recorded(active):
        by, second = administrators(day, index)
        return new(4, device=device, name="T", role=1, key_hash=bytes(32), active=active, by=by,
                   second=second if active else "")

    def filled(at):
        return new(9, shift=shift, key=key_at((at, number), 1), content_hash=bytes(32), kind=1,
                   amount_cents=500, by="A1", second="A2")

    def till(at):
        return new(7, shift=number, device=at, badge="A1", float_cents=0)

    what, since = chance.choice((
        (None, [session(NOBODYS), filled(NOBODYS)]),
        (None, [session(NOBODYS), filled(NOBODYS), recorded(True)]),
        (None, [recorded(True), session(device)]), (None, [recorded(True), till(device)]),
        ("till_wrong", [recorded(True), session(device), filled(device)]),
        ("till_wrong", [till(NOBODYS)]),
        ("device_locked", [session(device)]), ("device_locked", [till(device)]),
        ("device_locked", [recorded(False), session(device)]),
        ("hand_over_wrong", [_left(device, NOBODYS + 1, None)]),
        ("device_locked", [_left(NOBODYS, device, shift)]),
        (None, [_left(NOBODYS, NOBODYS + 1, shift)]), (None, [recorded(True), _left(NOBODYS, device, shift)]),
        ("hand_over_wrong", [session(NOBODYS), _left(NOBODYS, NOBODYS + 1, shift)])))
    added += since
    if what is not None:
        return _with(day, index, added, exactly(index + len(added) - 1, what))
    let_in = any(kind == 4 for kind, body in since)
    back = since[-1][0] == 16 and since[-1][1].to == device
    filled_up = any(kind == 9 for kind, body in since)
    # What used the sessions that have ended, the till that has moved, and the device.
    others = [place for place in range(index, day.epoch_end(index))
              if day.leaves[place].kind in KEYED and day.bodies[place].key.session in sessions
              or day.leaves[place].kind == 6 and day.bodies[place].session in sessions]
    # It is the taker's by then: nobody else closes it alone, and whoever was there is not.
    others += _closed_alone(day, index, shift)
    others += reversals(day, index - 1, device, shift)
    if not back:
        others += of_shift(day, index - 1, shift, OF_TILL)
    if filled_up:
        others += of_shift(day, index - 1, shift, COUNTED)
    if not let_in:
        others += uses_of_device(day, index - 1, device)
    elif not back:
        if since[-1][0] == 7:
            others += _second_till(day, index, device)
        if any(kind == 5 and body.device == device for kind, body in since):
            others += day.all_of(16, lambda place, body: index <= place < day.epoch_end(index)
                                 and body.device == device)
    return _with(day, index, added, first_of(day, index, others, len(added)))


def _second_till(day, index, device):
    """Entries from ``index`` on that contradict a till of another number at a device."""
    return [place for place in range(index, len(day))
            if day.leaves[place].kind == 7 and day.bodies[place].device == device
            or day.leaves[place].kind == 16 and (
                day.bodies[place].device == device
                or day.bodies[place].to == device and day.bodies[place].shift is not None)]


SORTS = {
    "hand_over_itself": changed(16, lambda chance, body, day: body._replace(to=body.device), "hand_over_wrong"),
    "hand_over_shift": changed(16, other_shift, "hand_over_wrong"),
    "hand_over_to_a_till": changed(16, to_a_till, "hand_over_wrong"),
    "hand_over_to_locked": changed(16, at_locked("to"), "device_locked"),
    "hand_over_again": changed(16, at_locked(), "hand_over_wrong"),
    "hand_over_to_elsewhere": changed(
        16, lambda chance, body, day: body._replace(to=NOBODYS), to_elsewhere),
    "hand_over_from_elsewhere": changed(
        16, lambda chance, body, day: body._replace(device=NOBODYS), from_elsewhere),
    "hand_over_reason": changed(16, lambda chance, body, day: body._replace(reason="another"), covered),
    "hand_over_person": changed(16, lambda chance, body, day: body._replace(
        second=chance.choice((body.by, ""))), "same_person"),
    "hand_over_put_in_wrong": put_in_wrong, "hand_over_put_in": put_in_sound,
    "hand_over_and_on": put_in_and_gone_on, "hand_over_and_on_too": put_in_and_gone_on,
    "session_at_locked": changed(5, at_locked(), "device_locked"),
    "till_at_locked": changed(7, at_locked(), "device_locked"),
    "device_not_let_in": changed(4, lambda chance, body, day: body._replace(
        active=False, second=""), not_let_in),
}
