"""Kinds 32 to 36, 68 and 69: balls that two people enter or a machine reads, and draws that are interrupted.

RULES.md, "Balls" and the list "Closing, numbers, certification".
"""

COMPUTER, BALLS = 1, 2
IN_TUBES, UNFINISHED, FINDINGS = 1, 5, (1, 2, 3, 4, 5)
STOPS = 20  # from this incident on the line has stopped
INCIDENTS = (*range(1, 9), *range(STOPS, 29))


class Hands:
    """What the two entered, what the machine read, and the balls that count."""

    def __init__(self):
        self.lists = {}     # badge -> numbers by position; 0: asked again; in the order of arrival
        self.counted = []
        self.attested = None    # (entry, body) of the last TubesAttested
        self.readers = set()    # (machine, ball_set) of each BallRead that was taken
        self.incidents = set()  # of each LineIncident
        self.stopped = False    # the line, for good: what is resumed after a 29 is entered by two

    def begun(self):
        """Whether a ball was entered or read."""
        return bool(self.lists or self.readers)

    def alike(self, place):
        """The number that both have there, or None."""
        lists = list(self.lists.values())
        if len(lists) != 2 or any(place >= len(one) for one in lists):
            return None
        return lists[0][place] if lists[0][place] == lists[1][place] != 0 else None

    def whole(self, drawn):
        return len(self.counted) == drawn

    def final(self, drawn):
        """Nobody interrupts it any more; of what a machine alone said two people may."""
        return self.whole(drawn) and (not self.readers or self.entered(drawn))

    def entered(self, drawn):
        return self.whole(drawn) and all(self.alike(place) == number
                                         for place, number in enumerate(self.counted))

    def read(self, drawn):
        return self.whole(drawn) and not self.lists and not self.stopped


def ball_entered(record, leaf, body, draw):
    hands, announced = draw.hands, draw.announced
    mine = hands.lists.get(body.by, [])
    has_place = body.by in hands.lists or (
        len(hands.lists) < 2 and not any(record.one_human(one, body.by) for one in hands.lists))
    in_turn = 1 <= body.position <= min(len(mine) + (body.number != 0), announced.drawn)
    place = body.position - 1
    elsewhere = body.number != 0 and any(one == body.number for at, one in enumerate(mine) if at != place)
    record.check(draw.source == BALLS and has_place and in_turn and not elsewhere
                 and body.number <= announced.pool_size and (not hands.readers or hands.stopped)
                 and not record.sold_by(draw, (body.by,)),
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


def ball_read(record, leaf, body, draw):
    hands, announced = draw.hands, draw.announced
    in_turn = body.position == len(hands.counted) + 1
    reader = body.machine, body.ball_set
    record.check(draw.source == BALLS and not hands.lists and not hands.stopped
                 and in_turn and body.position <= announced.drawn
                 and 1 <= body.number <= announced.pool_size and body.number not in hands.counted
                 and body.machine != "" and hands.readers <= {reader}
                 and draw.started_with in (None, body.ball_set), "ball_read_wrong",
                 "ball %d, %d, of the set %r by %r" % (body.position, body.number, body.ball_set, body.machine))
    # Taken whatever else is wrong with it.
    if in_turn:
        hands.counted.append(body.number)
        hands.readers.add(reader)


def line_incident(record, leaf, body, draw):
    hands = draw.hands
    record.check(draw.source == BALLS and body.incident in INCIDENTS and body.counted == len(hands.counted)
                 and not hands.stopped and body.incident not in hands.incidents, "line_incident_wrong",
                 "incident %d, %d balls count" % (body.incident, body.counted))
    # Taken whatever is wrong with it.
    hands.incidents.add(body.incident)
    hands.stopped = hands.stopped or body.incident >= STOPS


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
    record.check(draw.hands.begun() and list(body.balls) == draw.hands.counted and body.finding in FINDINGS,
                 "tubes_wrong", "draw %d, finding %d" % (body.draw, body.finding))
    draw.hands.attested = (record.entry, body)


def stood_in(record, leaf, body, draw):
    record.check(draw.source == BALLS and not draw.hands.begun() and draw.announced.holders
                 and draw.all_committed() and not record.sold_by(draw, (body.by, body.second)),
                 "stand_in_wrong", "draw %d" % body.draw)
    draw.source = COMPUTER


def suspended(record, leaf, body, draw):
    hands = draw.hands
    # Of any 29, also of one before the first ball.
    hands.stopped = True
    if not hands.begun():
        return
    said = hands.attested[1] if hands.attested is not None and hands.attested[0] == record.entry - 1 else None
    record.check(said is not None and said.finding == UNFINISHED and said.by == body.by
                 and not hands.final(draw.announced.drawn)
                 and not record.sold_by(draw, (said.by, said.second)), "interrupted_wrong",
                 "draw %d, interrupted" % draw.number)


def interrupted(record, body, draw, goes_on):
    """A 30 or 31, before its step: RULES.md, "Interrupted"."""
    hands = draw.hands
    if not hands.begun():
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
    right = right and draw.step == "suspended" and not hands.final(draw.announced.drawn) \
        and not record.sold_by(draw, (body.by, body.second))
    record.check(right, "interrupted_wrong", "draw %d" % draw.number)


def resumed(record, leaf, body, draw):
    interrupted(record, body, draw, True)
