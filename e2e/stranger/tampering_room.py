"""The draw room, incidents in it and draws that are put off (kinds 39 and 60 to 64); for tamper.py.

Few exports have a room: its entries are put in, too.
"""

from tampering import NOBODYS, Unfit, changed, covered, exactly, field_by, put, put_in, same_person

NOWHERE = 1 << 40
DAY_MS = 24 * 60 * 60 * 1000


def _after_staff(day, chance):
    return chance.randrange(day.staffed + 1, len(day) + 1)


def _desk(day, index):
    """A device at the desk of the draws, as it is recorded before an entry."""
    roles = {day.bodies[place].device: day.bodies[place].role
             for place in day.all_of(4, lambda place, body: place < index)}
    desks = [device for device, role in roles.items() if role == 5]
    if not desks:
        raise Unfit()
    return desks[0]


def _measured(day, index, **fields):
    right = dict(set="Put in", masses_mg=[2700] * 80, gauge=1, instruments="test", least_mg=2600, most_mg=2800,
                 most_draws=100, good_until_ms=day.leaves[index - 1].time_ms + DAY_MS, by="A1", second="A2")
    return dict(right, **fields)


def register_put_in(day, other, chance):
    """A register begins: the draws of balls that are started later need an open room."""
    if day.all_of(60):
        raise Unfit()
    index = _after_staff(day, chance)
    balls = {day.bodies[place].draw for place in day.all_of(20, lambda place, body: body.source == 2)}
    balls -= {day.bodies[place].draw for place in day.all_of(36)}
    others = day.all_of(24, lambda place, body: place >= index and body.draw in balls)
    return put_in(day, index, 60, others, "room_not_ready", **_measured(day, index))


def measured_wrongly(day, other, chance):
    index = _after_staff(day, chance)
    fields = chance.choice((
        {"set": ""}, {"set": "A\nB"}, {"masses_mg": []}, {"masses_mg": [2700] * 256}, {"gauge": 0}, {"gauge": 3},
        {"least_mg": 2801}, {"good_until_ms": day.leaves[index - 1].time_ms}))
    data, at, _ = put_in(day, index, 60, [], **_measured(day, index, **fields))
    return data, at, exactly(at, "measure_wrong")


def offered_wrongly(day, other, chance):
    """A set that nobody measured, none, or by a draw that nobody announced."""
    draws = [day.bodies[place].draw for place in day.all_of(20)] + [NOWHERE]
    sets = chance.choice(([], ["Nobody's"], ["Nobody's", "Nobody's"]))
    data, at, _ = put_in(day, _after_staff(day, chance), 61, [], sets=sets, draw=chance.choice(draws),
                         reason=chance.choice(("", "test")), by="A1", second="A2")
    return data, at, exactly(at, "offer_wrong")


def opened_wrongly(day, other, chance):
    data, at, _ = put_in(day, _after_staff(day, chance), 62, [], set="Nobody's", draw=NOWHERE, counted=80,
                         camera="", by="A1", second="A2")
    return data, at, exactly(at, "room_opened_wrong")


def ended_wrongly(day, other, chance):
    data, at, _ = put_in(day, _after_staff(day, chance), 63, [], goes_on=chance.choice((2, 255)), by="A1",
                         second="A2")
    return data, at, exactly(at, "room_ended_wrong")


def incident_put_in(day, other, chance):
    """Nothing contradicts one, of a draw or of none."""
    index = _after_staff(day, chance)
    epochs = day.all_of(15, lambda place, body: place < index)
    since = epochs[-1] if epochs else 0
    draws = [day.bodies[place].draw for place in day.all_of(20, lambda place, body: since <= place < index)]
    return put_in(day, index, 64, [], draw=chance.choice(draws + [None]), text="test", camera="", by="A1",
                  device=_desk(day, index))


def incident_wrongly(day, other, chance):
    index = _after_staff(day, chance)
    desk = _desk(day, index)
    fields, what = chance.choice((
        ({"draw": NOWHERE}, "draw_unknown"), ({"device": NOBODYS}, "place_wrong"),
        ({"by": "Nobody"}, "badge_unknown")))
    body = dict(dict(draw=None, text="test", camera="", by="A1", device=desk), **fields)
    data, at, _ = put_in(day, index, 64, [], **body)
    return data, at, exactly(at, what)


def postponed_put_in(day, other, chance):
    """A draw that was closed is put off just before it is started: a little, not at all, or too long."""
    index = day.pick(chance, 24)
    draw = day.bodies[index].draw
    if day.all_of(39, lambda place, body: body.draw == draw):
        raise Unfit()
    announced = next(day.bodies[place] for place in day.all_of(20) if day.bodies[place].draw == draw)
    latest = min(day.leaves[index - 1].time_ms, announced.closes_at_ms) + DAY_MS
    if latest <= announced.draws_at_ms:
        raise Unfit()
    fields = dict(draw=draw, reason="test", by="A1", second="A2")
    if chance.random() < 0.4:
        at_ms = chance.choice((announced.draws_at_ms + 1, latest))
        return put_in(day, index, 39, [], draws_at_ms=at_ms, **fields)
    data, at, _ = put_in(day, index, 39, [], draws_at_ms=chance.choice((announced.draws_at_ms, latest + 1)), **fields)
    return data, at, exactly(at, "postponed_wrong")


def postponed_elsewhere(day, other, chance):
    """A draw that is drawn, or open, is not put off."""
    index = day.pick(chance, 22) if chance.random() < 0.5 else day.pick(chance, 25)
    data, at, _ = put_in(day, index + 1, 39, [], draw=day.bodies[index].draw, reason="test", by="A1", second="A2",
                         draws_at_ms=day.leaves[index].time_ms + DAY_MS)
    return data, at, exactly(at, "draw_step_out_of_order")


SORTS = {
    "room_register": register_put_in, "room_measured_put_in": measured_wrongly,
    "room_offered_put_in": offered_wrongly, "room_opened_put_in": opened_wrongly,
    "room_ended_put_in": ended_wrongly, "incident_put_in": incident_put_in, "incident_wrong": incident_wrongly,
    "postponed_put_in": postponed_put_in, "postponed_elsewhere": postponed_elsewhere,
    "postponed_before": changed(39, put(draws_at_ms=0), "postponed_wrong"),
    "postponed_person": changed(39, same_person(), "same_person"),
    "postponed_unknown": changed(39, put(draw=NOWHERE), "draw_unknown"),
    "measured_gauge": changed(60, put(gauge=9), "measure_wrong"),
    "measured_nothing": changed(60, put(masses_mg=[]), "measure_wrong"),
    "measured_person": changed(60, same_person(), "same_person"),
    "measured_with": changed(60, put(instruments="another"), covered),
    "offered_none": changed(61, put(sets=[]), "offer_wrong"),
    "offered_twice": changed(61, lambda chance, body, day: body._replace(sets=body.sets + body.sets[-1:]),
                             "offer_wrong"),
    "offered_draw": changed(61, put(draw=NOWHERE), "offer_wrong"),
    "offered_reason": changed(61, lambda chance, body, day: body._replace(reason="" if body.reason else "test"),
                              "offer_wrong"),
    "offered_person": changed(61, same_person(), "same_person"),
    "opened_counted": changed(62, field_by("counted", 1, -1), "room_opened_wrong"),
    "opened_set": changed(62, put(set="Nobody's"), "room_opened_wrong"),
    "opened_draw": changed(62, field_by("draw", 1, -1), "room_opened_wrong"),
    "opened_person": changed(62, same_person(), "same_person"),
    "ended_how": changed(63, put(goes_on=2), "room_ended_wrong"),
    "ended_person": changed(63, same_person(), "same_person"),
    "incident_draw": changed(64, put(draw=NOWHERE), "draw_unknown"),
    "incident_text": changed(64, put(text="Another."), covered),
    "incident_device": changed(64, put(device=NOBODYS), "place_wrong"),
}
