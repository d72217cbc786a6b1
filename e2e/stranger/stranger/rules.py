"""Selections, ways, prizes and settlements.

RULES.md, "Selections, ways, kings, prices" and "Settlement".
"""

from . import tree
from .book import KING, KIND_NAMES, SET, STRAIGHT, WAY, factors

MOST_CENTS = (1 << 63) - 1


def _parts(selection):
    """The parts that a selection is played on: each group, and each king by itself."""
    return [(bytes(group), False) for group in selection.groups] + \
        [(bytes([king]), True) for king in selection.kings]


def count_ways(selection, king_alone, caught=frozenset()):
    """How many ways a selection has, by (spots, numbers caught), up to the
    largest number of spots that it wagers on.

    Parts have no number in common, so no way is listed: one part after the
    other is either in or out.
    """
    top = max((line.spots for line in selection.conditioning), default=0)
    counts = {(0, 0, False): 1}  # (spots, caught, some part is not a king)
    for numbers, king in _parts(selection):
        size = len(numbers)
        hits = sum(1 for one in numbers if one in caught)
        more = dict(counts)
        for (spots, hit, grouped), ways in counts.items():
            if spots + size > top:
                continue
            key = (spots + size, hit + hits, grouped or not king)
            more[key] = more.get(key, 0) + ways
        counts = more
    out = {}
    for (spots, hit, grouped), ways in counts.items():
        # The empty set is no way; kings without a group only where allowed.
        if spots and (grouped or king_alone):
            out[spots, hit] = out.get((spots, hit), 0) + ways
    return out


def list_ways(selection, spots, king_alone):
    """The number sets of the ways with ``spots`` spots, each as sorted bytes."""
    parts = _parts(selection)
    reach = [set() for _ in range(len(parts) + 1)]
    reach[-1].add(0)
    for place in range(len(parts) - 1, -1, -1):
        size = len(parts[place][0])
        reach[place] = reach[place + 1] | {total + size for total in reach[place + 1]}

    def walk(place, left, chosen, grouped):
        if left == 0:
            if grouped or king_alone:
                yield bytes(sorted(chosen))
            return
        if left < 0 or left not in reach[place]:
            return
        numbers, king = parts[place]
        yield from walk(place + 1, left - len(numbers), chosen + numbers, grouped or not king)
        yield from walk(place + 1, left, chosen, grouped)
    return walk(0, spots, b"", False)


def shape_fault(book, selection):
    """Words when game, kind, parts or sizes of a selection are wrong, or None."""
    game = book.games.get(selection.game)
    if game is None:
        return "game %r is not in the rule book" % selection.game
    if selection.kind not in game.spots:
        return "kind %d is not played" % selection.kind
    parts = list(selection.groups) + [selection.kings]
    numbers = b"".join(parts)
    if any(not 1 <= one <= book.pool for one in numbers):
        return "a number outside 1..%d" % book.pool
    if len(set(numbers)) != len(numbers) or any(list(part) != sorted(part) for part in parts):
        return "numbers twice or not ascending"
    if any(not group for group in selection.groups):
        return "an empty group"
    lines = selection.conditioning
    groups, kings = len(selection.groups), len(selection.kings)
    if not {STRAIGHT: groups == 1 and not kings and len(lines) == 1,
            WAY: groups >= 1 and not kings and bool(lines),
            KING: kings >= 1 and bool(lines),
            SET: groups == 1 and not kings and len(lines) == 1}[selection.kind]:
        return "groups, kings and lines do not make a %s" % KIND_NAMES[selection.kind]
    if selection.kind == SET and bytes(selection.groups[0]) != game.set:
        return "other numbers than the set has"
    if len({line.spots for line in lines}) != len(lines):
        return "a number of spots stands twice"
    low, high = game.spots[selection.kind]
    for line in lines:
        if not low <= line.spots <= high or line.spots not in game.pays:
            return "%d spots are not played" % line.spots
    return None


def ways_fault(book, selection):
    """Words when a line's number of ways, or their sum, is wrong, or None."""
    made = {}
    for (spots, _), ways in count_ways(selection, book.games[selection.game].king_alone).items():
        made[spots] = made.get(spots, 0) + ways
    for line in selection.conditioning:
        if line.ways == 0 or line.ways != made.get(line.spots, 0):
            return "%d ways of %d spots, the numbers make %d" % (
                line.ways, line.spots, made.get(line.spots, 0))
    if sum(line.ways for line in selection.conditioning) > book.max_ways:
        return "more than %d ways" % book.max_ways
    return None


def wager_fault(book, selection):
    game = book.games[selection.game]
    for line in selection.conditioning:
        if not game.min <= line.wager_cents <= game.max or line.wager_cents % game.step:
            return "a wager of %d cents" % line.wager_cents
    return None


def same_numbers_fault(book, selections):
    """Words when the wagers on one set of numbers pass the limit of a ticket, or None.

    Only for selections whose ways are right. Sets are listed only where the
    limit could be passed at all: within one selection every way is another set.
    """
    by_spots = {}
    for selection in selections:
        for line in selection.conditioning:
            by_spots.setdefault(line.spots, []).append((selection, line))
    for spots, pairs in by_spots.items():
        limit = min(book.games[selection.game].same_numbers for selection, _ in pairs)
        if sum(line.wager_cents for _, line in pairs) <= limit:
            continue
        on = {}
        for selection, line in pairs:
            game = book.games[selection.game]
            for numbers in list_ways(selection, spots, game.king_alone):
                before, most = on.get(numbers, (0, game.same_numbers))
                on[numbers] = (before + line.wager_cents, min(most, game.same_numbers))
        for numbers, (together, most) in on.items():
            if together > most:
                return "%d cents on %s" % (together, " ".join(map(str, numbers)))
    return None


def price(selections):
    """Price of selections for one draw."""
    return sum(line.ways * line.wager_cents for selection in selections
               for line in selection.conditioning)


def ticket_prizes(book, selections, drawn):
    """The prizes of a ticket's ways before the cap: pairs (prize, number of ways)."""
    prizes = []
    for selection in selections:
        game = book.games[selection.game]
        wagers = {line.spots: line.wager_cents for line in selection.conditioning}
        for (spots, caught), ways in count_ways(selection, game.king_alone, drawn).items():
            if spots in wagers:
                prize = game.prize(spots, caught, wagers[spots])
                if prize > 0:
                    prizes.append((prize, ways))
    return prizes


class Settlement:
    """What a draw owes (RULES.md, "Settlement"; FORMAT.md, "Prize list").

    ``tickets`` are pairs (index, prizes) ascending by index; tickets without a
    prize may be among them. Prizes are pairs (prize, number of ways).
    """

    def __init__(self, tickets, cap, full_below):
        tickets = [(index, prizes) for index, prizes in tickets if prizes]
        every = [pair for _, prizes in tickets for pair in prizes]
        self.winners = len(tickets)
        self.small = sum(prize * ways for prize, ways in every if prize < full_below)
        self.large = sum(prize * ways for prize, ways in every if prize >= full_below)
        total = self.small + self.large
        self.too_large = total > MOST_CENTS
        self.small_factor, self.large_factor = factors(self.small, self.large, cap)
        self.payable = 0
        self.by_ticket = {}
        records = []
        for index, prizes in tickets:
            computed = payable = 0
            for prize, ways in prizes:
                top, bottom = self.small_factor if prize < full_below else self.large_factor
                computed += prize * ways
                payable += prize * top // bottom * ways
            self.by_ticket[index] = payable
            self.payable += payable
            records.append(index.to_bytes(8, "big") + _i64(computed) + _i64(payable))
        self.breakage = min(cap, total) - self.payable
        self.root = tree.root_over(records)


def _i64(value):
    # What does not fit is too_large anyway.
    return (value & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "big")
