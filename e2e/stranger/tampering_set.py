"""Selections on a named set (kind 4 of a selection), and the books that name it; for tamper.py."""

import re

from stranger.book import SET, STRAIGHT
from tampering import Unfit, changed, covered, first_of, other_text

# More numbers than a straight may have in any of the days' books.
MANY = 10


def sold_on(kind):
    """Whether a ticket has a selection of a kind."""
    return lambda index, body: any(one.kind == kind for one in body.selections)


def selection(kind, change, least=1):
    """Changes one selection of a kind that has so many numbers or more."""
    def make(chance, body, day):
        places = [place for place, one in enumerate(body.selections)
                  if one.kind == kind and len(b"".join(one.groups)) >= least]
        if not places:
            raise Unfit()
        selections = list(body.selections)
        place = chance.choice(places)
        selections[place] = change(chance, selections[place])
        return body._replace(selections=selections)
    return make


def other_number(chance, one):
    numbers = list(one.groups[0])
    numbers[chance.randrange(len(numbers))] = chance.choice(
        [number for number in range(1, 81) if number not in numbers])
    return one._replace(groups=[bytes(sorted(numbers))])


def fewer(chance, one):
    place = chance.randrange(len(one.groups[0]))
    return one._replace(groups=[one.groups[0][:place] + one.groups[0][place + 1:]])


def in_two(chance, one):
    place = chance.randrange(1, len(one.groups[0]))
    return one._replace(groups=[one.groups[0][:place], one.groups[0][place:]])


def with_king(chance, one):
    place = chance.randrange(len(one.groups[0]))
    return one._replace(groups=[one.groups[0][:place] + one.groups[0][place + 1:]],
                        kings=one.groups[0][place:place + 1])


def line(**fields):
    """A change of the one line of a selection."""
    return lambda chance, one: one._replace(conditioning=[one.conditioning[0]._replace(**fields)])


def line_twice(chance, one):
    return one._replace(conditioning=one.conditioning * 2)


def sold(change, what, kind=SET, least=1):
    return changed(40, selection(kind, change, least), what, sold_on(kind))


def other_set(new):
    """A book whose set is another; ``new(numbers)`` gives the text of it."""
    def change(chance, body, day):
        found = re.search(r'^set = "([^"]*)"$', body.text, re.MULTILINE)
        if not found:
            raise Unfit()
        return other_text(found.group(0), 'set = "%s"' % new(found.group(1)))(chance, body, day)
    return change


def moved(text):
    """As many other numbers, if the first or the last of the pool is not among them."""
    ends = [int(end) for part in text.split(" ") for end in part.split("-")]
    by = 1 if ends[-1] < 80 else -1
    if ends[0] + by < 1:
        raise Unfit()
    return re.sub(r"[0-9]+", lambda number: str(int(number.group(0)) + by), text)


def sold_under(day, index):
    """The first set that was sold under a book, and the draws that start under it."""
    body = day.bodies[index]
    return first_of(day, index, day.all_of(
        40, lambda place, one: one.rule_book == body.version and sold_on(SET)(place, one)) + day.all_of(
            24, lambda place, one: place > index and one.rule_book_hash == body.hash))


SORTS = {
    "set_number": sold(other_number, "ticket_selection"),
    "set_fewer": sold(fewer, "ticket_selection"),
    "set_in_two": sold(in_two, "ticket_selection"),
    "set_king": sold(with_king, "ticket_selection"),
    "set_line_twice": sold(line_twice, "ticket_selection"),
    "set_spots": sold(line(spots=3), "ticket_selection", least=MANY),
    "set_ways": sold(line(ways=2), "ticket_ways"),
    "set_as_straight": sold(lambda chance, one: one._replace(kind=STRAIGHT), "ticket_selection", least=MANY),
    "set_of_straight": sold(lambda chance, one: one._replace(kind=SET), "ticket_selection", STRAIGHT),
    "set_quick": sold(lambda chance, one: one._replace(quick_pick=not one.quick_pick), covered),
    "book_set": changed(2, other_set(moved), sold_under),
    "book_set_spelling": changed(2, other_set(lambda text: "0" + text), "rule_book_unreadable"),
    "book_set_spaces": changed(2, other_set(lambda text: text + " "), "rule_book_unreadable"),
    "book_set_outside": changed(2, other_set(lambda text: "1-81"), "rule_book_unreadable"),
    "book_set_backwards": changed(2, other_set(lambda text: "2-1"), "rule_book_unreadable"),
    "book_set_untold": changed(2, other_set(lambda text: "1-39"), "rule_book_return"),
    "book_set_none": changed(2, other_set(lambda text: ""), "rule_book_unreadable"),
}
