"""A follower of the log and what waits for it (kinds 65 to 67); for tamper.py.

Nobody signs here, and few exports are followed: what is put in is never what a follower signed.
"""

from tampering import Unfit, book_starts, changed, exactly, other_text, put, put_in, same_person
from tampering_remark import auditor

NOWHERE = 1 << 40
LINE = "\u2014 nobody AAAAAAAAAAA="


def _after_staff(day, chance):
    return chance.randrange(day.staffed + 1, len(day) + 1)


def began_put_in(day, other, chance):
    """A key that is none, or the house's own, which has not signed."""
    key = chance.choice(("", "nobody", day.bodies[0].log_key))
    data, at, _ = put_in(day, _after_staff(day, chance), 65, [], key=key, began=bytes(32),
                         signature=chance.choice(("", LINE)), by="A1", second=auditor(day))
    return data, at, exactly(at, "follower_wrong")


def _draw(day, index, chance):
    """A draw that was announced before an entry, as nobody follows; or one that never was."""
    if day.all_of(65) or any("second_computation" in day.bodies[place].text for place in day.all_of(2)):
        raise Unfit()
    draws = [day.bodies[place].draw for place in day.all_of(20, lambda place, body: place < index)]
    return chance.choice(draws + [NOWHERE])


def followed_put_in(day, other, chance):
    index = _after_staff(day, chance)
    draw = _draw(day, index, chance)
    finding, entry = chance.choice((("", None), ("", 1), ("settlement_root", None), ("void_totals", 1), ("A", 1)))
    data, at, _ = put_in(day, index, 66, [], draw=draw, finding=finding, entry=entry, signature=LINE)
    return data, at, exactly(at, "draw_unknown" if draw == NOWHERE else "followed_wrong")


def opened_put_in(day, other, chance):
    index = _after_staff(day, chance)
    draw = _draw(day, index, chance)
    data, at, _ = put_in(day, index, 67, [], draw=draw, reason="test", by="A1", second=auditor(day))
    return data, at, exactly(at, "draw_unknown" if draw == NOWHERE else "payouts_opened_wrong")


def opened_by_others(day, other, chance):
    """By two of the counter, by one alone, or by somebody who is nobody."""
    by, second, what = chance.choice((
        ("A1", "A2", "role_wrong"), ("A1", "A1", "same_person"), ("A1", "", "same_person"),
        ("Nobody", auditor(day), "badge_unknown"), (auditor(day), "Nobody", "badge_unknown")))
    index = _after_staff(day, chance)
    data, at, _ = put_in(day, index, 67, [], draw=_draw(day, index, chance), reason="test", by=by, second=second)
    return data, at, exactly(at, what)


def _waits(text):
    return other_text("[claim]", "second_computation = %s\n[claim]" % text)


SORTS = {
    "follower_put_in": began_put_in, "followed_put_in": followed_put_in, "payouts_put_in": opened_put_in,
    "payouts_by_others": opened_by_others,
    "follower_began": changed(65, put(began=bytes(32)), "follower_wrong"),
    "follower_key": changed(65, put(key="nobody"), "follower_wrong"),
    "follower_signature": changed(65, put(signature=LINE), "follower_wrong"),
    "followed_finding": changed(66, lambda chance, body, day: body._replace(finding=body.finding + "a"),
                                "followed_wrong"),
    "followed_draw": changed(66, put(draw=NOWHERE), "draw_unknown"),
    "followed_signature": changed(66, put(signature=LINE), "followed_wrong"),
    "follower_person": changed(65, same_person(), "same_person"),
    "payouts_draw": changed(67, put(draw=NOWHERE), "draw_unknown"),
    "payouts_person": changed(67, same_person(), "same_person"),
    "book_waits": changed(2, _waits("60"), book_starts, lambda index, body: "second_computation" not in body.text),
    "book_waits_never": changed(2, _waits("0"), "rule_book_unreadable"),
    "book_waits_long": changed(2, _waits("10081"), "rule_book_unreadable"),
    "book_waits_text": changed(2, _waits('"60"'), "rule_book_unreadable"),
}
