"""Kinds 32 to 36: balls that two people enter, and draws of them that are interrupted.

RULES.md, "Balls" and the list "Closing, numbers, certification".
"""

COMPUTER, BALLS = 1, 2
IN_TUBES, UNFINISHED, FINDINGS = 1, 5, (1, 2, 3, 4, 5)


class Hands:
    """What the two entered, and the balls that count."""

    def __init__(self):
        self.lists = {}     # badge -> numbers by position; 0: asked again; in the order of arrival
        self.counted = []
        self.attested = None    # (entry, body) of the last TubesAttested

    def alike(self, place):
        """The number that both have there, or None."""
        lists = list(self.lists.values())
        if len(lists) != 2 or any(place >= len(one) for one in lists):
            return None
        return lists[0][place] if lists[0][place] == lists[1][place] != 0 else None

    def whole(self, drawn):
        return len(self.counted) == drawn

    def entered(self, drawn):
        return self.whole(drawn) and all(self.alike(place) == number
                                         for place, number in enumerate(self.counted))


def ball_entered(record, leaf, body, draw):
    hands, announced = draw.hands, draw.announced
    mine = hands.lists.get(body.by, [])
    has_place = body.by in hands.lists or (
        len(hands.lists) < 2 and not any(record.one_human(one, body.by) for one in hands.lists))
    in_turn = 1 <= body.position <= min(len(mine) + (body.number != 0), announced.drawn)
    place = body.position - 1
    elsewhere = body.number != 0 and any(one == body.number for at, one in enumerate(mine) if at != place)
    record.check(draw.source == BALLS and has_place and in_turn and not elsewhere
                 and body.number <= announced.pool_size and not record.sold_by(draw, (body.by,)),
                 "ball_entry_wrong", "ball %d by %r" % (body.position, body.by))
    if not has_place or not in_turn:
        return
    mine = hands.lists.setdefault(body.by, [])
    if place == len(mine):
        mine.append(0)
    mine[place] = body.number
    others = [one[place] for badge, one in hands.lists.items() if badge != body.by and place < len(one)]
    if body.number == 0 or any(other not in (0, body.number) for other in others):
        for one in hands.lists.values():
            if place < len(one):
                one[place] = 0


def ball_drawn(record, leaf, body, draw):
    hands = draw.hands
    place = body.position - 1
    right = record.check(list(hands.lists) == [body.by, body.second] and 0 <= place <= len(hands.counted)
                         and hands.alike(place) == body.number, "ball_drawn_wrong",
                         "ball %d, %d" % (body.position, body.number))
    if right or 0 <= place < len(hands.counted):
        hands.counted[place:place + 1] = [body.number]
    elif place == len(hands.counted):
        hands.counted.append(body.number)


def enterer_replaced(record, leaf, body, draw):
    hands = draw.hands
    record.check(body.leaving in hands.lists
                 and not any(record.one_human(one, body.arriving) for one in hands.lists)
                 and not record.one_human(body.leaving, body.second)
                 and not record.sold_by(draw, (body.arriving,)), "enterer_wrong",
                 "%r for %r" % (body.arriving, body.leaving))
    if body.leaving in hands.lists:
        hands.lists = {(body.arriving if one == body.leaving else one): ([] if one == body.leaving else numbers)
                       for one, numbers in hands.lists.items()}


def tubes_attested(record, leaf, body, draw):
    record.check(draw.hands.lists and list(body.balls) == draw.hands.counted and body.finding in FINDINGS,
                 "tubes_wrong", "draw %d, finding %d" % (body.draw, body.finding))
    draw.hands.attested = (record.entry, body)


def stood_in(record, leaf, body, draw):
    record.check(draw.source == BALLS and not draw.hands.lists and draw.announced.holders
                 and draw.all_committed() and not record.sold_by(draw, (body.by, body.second)),
                 "stand_in_wrong", "draw %d" % body.draw)
    draw.source = COMPUTER


def suspended(record, leaf, body, draw):
    hands = draw.hands
    if not hands.lists:
        return
    said = hands.attested[1] if hands.attested is not None and hands.attested[0] == record.entry - 1 else None
    record.check(said is not None and said.finding == UNFINISHED and said.by == body.by
                 and not hands.whole(draw.announced.drawn)
                 and not record.sold_by(draw, (said.by, said.second)), "interrupted_wrong",
                 "draw %d, interrupted" % draw.number)


def interrupted(record, body, draw, goes_on):
    """A 30 or 31, before its step: RULES.md, "Interrupted"."""
    hands = draw.hands
    if not hands.lists:
        return
    attested = hands.attested
    finding = None
    right = True
    if attested is not None and attested[0] == record.entry - 1:
        finding = attested[1].finding
        right = (attested[1].by, attested[1].second) == (body.by, body.second)
    book = record.book_for(draw.number)
    if book is None or book[1] is None:
        right = False
    elif book[1].completes:
        right = right and finding is not None and finding != UNFINISHED \
            and (finding == IN_TUBES) == goes_on
    else:
        right = right and finding is None and not goes_on
    right = right and draw.step == "suspended" and not hands.whole(draw.announced.drawn) \
        and not record.sold_by(draw, (body.by, body.second))
    record.check(right, "interrupted_wrong", "draw %d" % draw.number)


def resumed(record, leaf, body, draw):
    interrupted(record, body, draw, True)
