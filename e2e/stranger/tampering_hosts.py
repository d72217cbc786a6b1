"""Hosts of draws (kinds 37 and 38); for tamper.py.

Nobody signs here, and few exports have hosts: they are put in, and what they are said to have signed
is not what they did.
"""

from tampering import Unfit, changed, exactly, put_in, small_order_key

LINE = "\u2014 nobody AAAAAAAAAAA="


def _last_commitments(day):
    """Draw without hosts -> the entry of its last commitment, where all that its holders make are there."""
    last, left = {}, {}
    for place in day.all_of(20) + day.all_of(21):
        body = day.bodies[place]
        if day.leaves[place].kind == 20:
            left[body.draw] = len(body.holders)
        else:
            left[body.draw] -= 1
            last[body.draw] = place
    named = {day.bodies[place].draw for place in day.all_of(37)}
    return {draw: place for draw, place in last.items() if left[draw] == 0 and draw not in named}


def _committed(day, chance):
    """A draw without hosts, the entry of its last commitment, and how many holders it has."""
    last = _last_commitments(day)
    if not last:
        raise Unfit()
    draw = chance.choice(sorted(last))
    holders = next(len(body.holders) for body in map(day.bodies.__getitem__, day.all_of(20)) if body.draw == draw)
    return draw, last[draw], holders


def _keys(day, chance, holders):
    """The house's own key for one part or more."""
    keys = [chance.choice(("", day.bodies[0].log_key)) for _ in range(holders + 1)]
    keys[chance.randrange(len(keys))] = day.bodies[0].log_key
    return keys


def named_put_in(day, other, chance):
    """Hosts are named as they may be: their signatures are missing then."""
    draw, place, holders = _committed(day, chance)
    others = [one for one in day.about(draw, place, (26,))
              if day.all_of(25, lambda _, body: body.draw == draw and body.machine == 1)]
    return put_in(day, place + 1, 37, others, "host_signature_missing", draw=draw, keys=_keys(day, chance, holders))


def named_wrongly(day, other, chance):
    """Keys that are none, or too many or too few."""
    draw, place, holders = _committed(day, chance)
    keys = _keys(day, chance, holders)
    body = day.bodies[0]
    bad = chance.choice((
        keys[1:], keys + [""], [""] * len(keys), [], [key and key + " " for key in keys],
        [key and small_order_key(chance, body, day).log_key for key in keys],
        [key and "nobody" for key in keys]))
    data, at, _ = put_in(day, place + 1, 37, [], draw=draw, keys=bad)
    return data, at, exactly(at, "hosts_misnamed")


def named_elsewhere(day, other, chance):
    """Hosts are named later or earlier, or of a draw that nobody announced."""
    draw, place, holders = _committed(day, chance)
    announced = next(at for at in day.all_of(20) if day.bodies[at].draw == draw)
    places = [at for at in range(announced + 1, len(day) + 1) if at != place + 1]
    index, what = chance.choice(places), "hosts_misnamed"
    if chance.random() < 0.2:
        draw, what = 1 << 40, "draw_unknown"
    data, at, _ = put_in(day, index, 37, [], draw=draw, keys=_keys(day, chance, holders))
    return data, at, exactly(at, what)


def signed_put_in(day, other, chance):
    """Something is signed of a draw without hosts."""
    index = day.pick(chance, 25)
    draw = day.bodies[index].draw
    lines = chance.choice(([], [""], [LINE, LINE]))
    data, at, _ = put_in(day, index + 1, 38, [], draw=draw, signatures=lines)
    return data, at, exactly(at, "host_signature_wrong")


def other_lines(chance, body, day):
    lines = list(body.signatures)
    place = chance.choice([place for place, line in enumerate(lines) if line])
    lines[place] = chance.choice(("", LINE, lines[place] + "\n", lines[place] + "\n" + lines[place]))
    return body._replace(signatures=chance.choice((lines, body.signatures + [""], body.signatures[1:])))


SORTS = {
    "hosts_put_in": named_put_in, "hosts_put_in_wrong": named_wrongly, "hosts_elsewhere": named_elsewhere,
    "hosts_signed_put_in": signed_put_in,
    "hosts_too_many": changed(37, lambda chance, body, day: body._replace(keys=body.keys + [""]), "hosts_misnamed"),
    "hosts_none": changed(37, lambda chance, body, day: body._replace(keys=[""] * len(body.keys)), "hosts_misnamed"),
    "hosts_lines": changed(38, other_lines, "host_signature_wrong"),
}
