"""Humans who act under another of their badges (kinds 3, 26 and 31); for tamper.py."""

from stranger import writing

from tampering import Unfit, exactly, new, renumbered


def under_another_badge(kind, role, finding, name):
    """Who sold for a draw gets another badge just before an entry of ``kind``, and acts with it."""
    def make(day, other, chance):
        index = day.pick(chance, kind, lambda index, body: any(
            place < index for place in day.all_of(24, lambda place, one: one.draw == body.draw)))
        body = day.bodies[index]
        sold = day.all_of(40, lambda place, one: place < index
                          and one.first_draw <= body.draw <= one.last_draw)
        people = {day.bodies[place].badge: day.bodies[place] for place in day.all_of(3) if place < index}
        two = [badge for badge, one in people.items() if one.active and list(one.roles) == [8]]
        if not sold or len(two) < 2 or day.all_of(15):
            raise Unfit()
        sellers = {people[day.bodies[place].badge].staff for place in sold}
        others = [badge for badge, one in people.items()
                  if one.active and 2 in one.roles and one.staff not in sellers]
        if not others:
            raise Unfit()
        staff = people[day.bodies[chance.choice(sold)].badge].staff
        badge = people[two[0]]._replace(badge="Z9", staff=staff, roles=bytes([role]), by=two[0], second=two[1])
        order = list(range(index)) + [new(3, **badge._asdict())] + list(range(index, len(day)))
        bodies = {index + 1: name(body, others[0])}
        return (writing.export(renumbered(day, order, bodies), day.note), index,
                exactly(index + 1, finding))
    return make


SORTS = {
    "certifier_other_badge": under_another_badge(
        26, 5, "certifier_wrong", lambda body, one: body._replace(certifiers=[one, "Z9"])),
    "void_other_badge": under_another_badge(31, 2, "void_wrong", lambda body, one: body._replace(by=one, second="Z9")),
}
