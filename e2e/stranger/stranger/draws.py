"""Kinds 20 to 39, 68 and 69: a draw from its announcement to its settlement.

RULES.md, "A draw, step by step", "Settlement" and the lists "Draws", "Closing,
numbers, certification" and "Settlement"; FORMAT.md, "Seal"; DRAW.md for the
numbers.
"""

from . import draw as machine
from . import follower
from . import hands
from . import hosts
from . import room
from . import rules
from .state import Draw

COMPUTER, BALLS, RECORDING = 1, 2, 3    # machines; the first two are sources, too
GUARD = "guard"

# Kind -> the steps that it may follow, and the one that it leads to (None: stays).
STEPS = {
    21: (("scheduled",), None),
    22: (("scheduled",), "open"),
    23: (("open",), "closed"),
    24: (("closed",), "drawing"),
    25: (("drawing",), "drawn"),
    26: (("drawn",), "official"),
    27: (("official", "void"), None),
    28: (("official",), "settled"),
    29: (("closed", "drawing"), "suspended"),
    30: (("suspended",), "closed"),
    31: (("scheduled", "open", "closed", "drawing", "drawn", "suspended"), "void"),
    32: (("drawing",), None),
    33: (("drawing",), None),
    34: (("drawing",), None),
    35: (("suspended",), None),
    36: (("closed", "drawing", "suspended"), "closed"),
    39: (("closed",), None),
    68: (("drawing",), None),
    69: (("drawing",), None),
}

# Kinds that say themselves what is wrong with them in another step (RULES.md, "Hosts").
IN_ANY_STEP = (37, 38)

# Kinds that are no more for a draw of an earlier epoch: it is finished, or void.
OF_ITS_EPOCH = (21, 22, 23, 24, 25, 26, 29, 30, 32, 33, 34, 35, 36, 37, 38, 39, 68, 69)


def scheduled(record, leaf, body):
    _not_halted(record)
    if record.next_draw is not None:
        record.equal("draw_number_wrong", "draw", body.draw, record.next_draw)
    elif record.house is not None:
        record.equal("draw_number_wrong", "draw", body.draw, record.house.first_draw)
    record.next_draw = body.draw + 1
    record.check(body.source in (COMPUTER, BALLS), "draw_terms_wrong", "source %d" % body.source)
    record.check(len(set(body.holders)) == len(body.holders), "draw_terms_wrong",
                 "a holder's name stands twice")
    record.check(body.holders or body.source != COMPUTER, "draw_terms_wrong",
                 "a computer draw without a holder")
    record.check(body.closes_at_ms <= body.draws_at_ms, "draw_terms_wrong",
                 "the draw is before the end of its sales")
    book = record.book_for(body.draw)
    if book is None:
        record.bad("draw_terms_wrong", "no rule book is in force for draw %d" % body.draw)
    elif book[1] is not None:
        for field, value in (("pool_size", book[1].pool), ("drawn", book[1].drawn),
                             ("cap_cents", book[1].cap), ("full_below_cents", book[1].full_below)):
            record.equal("draw_terms_wrong", field, getattr(body, field), value)
    if body.draw not in record.draws:
        record.draws[body.draw] = Draw(body, record.entry)
        record.totals["draws_scheduled"] += 1


def step(record, leaf, body):
    """Kinds 21 to 39, 68 and 69: the order of steps, then the rules of the kind, then the new step."""
    draw = record.draws.get(body.draw)
    if draw is None:
        record.bad("draw_unknown", "draw %d was never announced" % body.draw)
        return
    before, after = STEPS.get(leaf.kind, ((), None))
    if leaf.kind == 35 and body.finding == hands.UNFINISHED:
        before = ("closed", "drawing")
    right = draw.step in before or leaf.kind in IN_ANY_STEP
    if leaf.kind == 27:
        right = right and not draw.revealed
    elif leaf.kind == 28 and right and draw.drawn is not None and draw.drawn.machine == COMPUTER:
        right = draw.revealed
    if not right:
        # Nothing else of the entry is judged, and the draw stays where it was.
        record.bad("draw_step_out_of_order", "kind %d for draw %d, which is %s%s"
                   % (leaf.kind, draw.number, draw.step, ", secrets shown" if draw.revealed else ""))
        return
    if leaf.kind <= 28 or leaf.kind in IN_ANY_STEP:
        _not_halted(record)
    if leaf.kind in OF_ITS_EPOCH:
        record.of_this_epoch(draw)
    _RULES[leaf.kind](record, leaf, body, draw)
    if leaf.kind in (28, 31):
        follower.finished(record, leaf, draw)
    if after is not None:
        draw.step = after
        (record.open_draws.add if after == "open" else record.open_draws.discard)(draw.number)


def _not_halted(record):
    record.check(not record.halted, "step_while_halted", "the clock is not confirmed")


def commitment(record, leaf, body, draw):
    record.check(not draw.tickets, "commitment_after_wager", "draw %d has wagers" % body.draw)
    if record.check(body.position < len(draw.announced.holders)
                    and body.position not in draw.commitments,
                    "commitment_repeated", "position %d" % body.position):
        record.check(body.commitment not in draw.commitments.values(), "commitment_repeated",
                     "the commitment of another holder")
        draw.commitments[body.position] = body.commitment
        draw.committed_at = record.entry


def opened(record, leaf, body, draw):
    record.check(draw.all_committed(), "commitment_missing", "a holder has not committed")


def closed(record, leaf, body, draw):
    part = draw.standing()
    wagered = sum(ticket.body.per_draw_cents for ticket in part)
    record.equal("close_totals", "tickets", body.tickets, len(part))
    record.equal("close_totals", "selections", body.selections,
                 sum(len(ticket.body.selections) for ticket in part))
    record.equal("close_totals", "wagered_cents", body.wagered_cents, wagered)
    # replay has put this leaf into the tree already.
    draw.seal = (record.tree.size, record.tree.root())
    draw.closed_ms = leaf.time_ms
    record.totals["draws_closed"] += 1
    record.totals["wagered_cents"] += wagered


def started(record, leaf, body, draw):
    record.equal("seal_wrong", "seal_size", body.seal_size, draw.seal[0])
    record.equal("seal_wrong", "seal_root", body.seal_root, draw.seal[1])
    book = record.book_for(body.draw)
    record.equal("draw_rule_book", "rule_book_hash", body.rule_book_hash,
                 book[0].hash if book is not None else None)
    draw.started = body
    room.started(record, leaf, draw)


def numbers_recorded(record, leaf, body, draw):
    announced = draw.announced
    lawful = {COMPUTER: draw.source == COMPUTER and bool(announced.holders) and draw.all_committed(),
              BALLS: draw.source == BALLS, RECORDING: record.drill}
    record.check(lawful.get(body.machine, False), "source_wrong",
                 "machine %d for a draw of source %d" % (body.machine, draw.source))
    record.check(len(body.balls) == announced.drawn and len(set(body.balls)) == len(body.balls)
                 and all(1 <= one <= announced.pool_size for one in body.balls),
                 "balls_invalid", "not %d different numbers of %d"
                 % (announced.drawn, announced.pool_size))
    numbers = frozenset(body.balls)
    record.check(numbers not in record.number_sets, "balls_repeated",
                 "the same numbers as in an earlier draw")
    record.number_sets.add(numbers)
    if body.machine != COMPUTER:
        record.check(body.words_used == 0 and body.words_rejected == 0, "words_differ",
                     "words of machine %d" % body.machine)
    if body.machine == BALLS:
        done = draw.hands.entered(announced.drawn) or draw.hands.read(announced.drawn)
        record.check(done and list(body.balls) == draw.hands.counted,
                     "balls_not_entered", "not what two people entered, or the machine read")
    draw.drawn, draw.drawn_at = body, record.entry


def certified(record, leaf, body, draw):
    names = body.certifiers
    if len(names) == 1:
        right = names[0] == GUARD and draw.drawn.machine == COMPUTER
    else:
        right = len(names) >= 2 and GUARD not in names and "" not in names \
            and not any(record.one_human(one, other)
                        for place, one in enumerate(names) for other in names[:place])
    draw.decided_day = leaf.day
    draw.decided_ms = leaf.time_ms
    record.check(right, "certifier_wrong", "certified by %s" % ", ".join(map(repr, names)))
    record.check(not record.sold_by(draw, names), "certifier_wrong", "a certifier sold into the draw")
    hosts.certified(record, draw)


def revealed(record, leaf, body, draw):
    draw.revealed = True
    good = len(body.secrets) == len(draw.announced.holders)
    for place, secret in enumerate(body.secrets):
        wanted = draw.commitments.get(place)
        if wanted is None and draw.step == "void":
            continue  # a holder that had not committed may show any
        good = good and record.house is not None \
            and hosts.opens(record.house.house, draw, place, wanted, secret)
    if not record.check(good, "secret_not_committed", "the secrets do not open the commitments"):
        return
    for secret in body.secrets:
        record.check(secret not in record.secrets, "secret_reused", "a secret was revealed before")
        record.secrets.add(secret)
    room.revealed(record, draw, body.secrets)
    if draw.drawn is not None and draw.drawn.machine == COMPUTER:
        _recompute(record, body, draw)


def _recompute(record, body, draw):
    """The numbers from the secrets; what differs is named in the entry that recorded them."""
    drawn, announced, at = draw.drawn, draw.announced, draw.drawn_at
    record.equal("secrets_hash", "secrets_hash", drawn.secrets_hash,
                 machine.secrets_hash(body.secrets), at)
    if not 1 <= announced.drawn <= announced.pool_size:
        return
    key = machine.derive_key(record.house.house, body.draw, draw.seal[0], draw.seal[1],
                             draw.started.rule_book_hash, announced.pool_size,
                             announced.drawn, body.secrets)
    balls, used, rejected = machine.balls(key, announced.pool_size, announced.drawn)
    if drawn.balls != balls:
        record.bad("balls_differ", "the secrets give %s" % " ".join(map(str, balls)), at)
    if (drawn.words_used, drawn.words_rejected) != (used, rejected):
        record.bad("words_differ", "%d words used and %d rejected, the key stream gives %d and %d"
                   % (drawn.words_used, drawn.words_rejected, used, rejected), at)


def settled(record, leaf, body, draw):
    caught = frozenset(draw.drawn.balls)
    # Tickets stand in the order of their sale, which is that of their index.
    owed = rules.Settlement(
        [(ticket.index, rules.ticket_prizes(ticket.book, ticket.body.selections, caught))
         for ticket in draw.standing() if ticket.sound],
        draw.announced.cap_cents, draw.announced.full_below_cents)
    draw.prizes = owed.by_ticket
    record.totals["draws_settled"] += 1
    if not record.check(not owed.too_large, "too_large", "sums above 64 bits"):
        return
    for what, field, value in (
            ("settlement_winners", "winners", owed.winners),
            ("settlement_sums", "small_cents", owed.small),
            ("settlement_sums", "large_cents", owed.large),
            ("settlement_factors", "small_numerator", owed.small_factor[0]),
            ("settlement_factors", "small_denominator", owed.small_factor[1]),
            ("settlement_factors", "large_numerator", owed.large_factor[0]),
            ("settlement_factors", "large_denominator", owed.large_factor[1]),
            ("settlement_payable", "payable_cents", owed.payable),
            ("settlement_payable", "breakage_cents", owed.breakage),
            ("settlement_root", "prize_root", owed.root)):
        record.equal(what, field, getattr(body, field), value)


def voided(record, leaf, body, draw):
    part = draw.standing()
    record.equal("void_totals", "tickets", body.tickets, len(part))
    record.equal("void_totals", "refund_cents", body.refund_cents,
                 sum(ticket.body.per_draw_cents for ticket in part))
    record.totals["draws_void"] += 1
    draw.decided_day = leaf.day
    draw.decided_ms = leaf.time_ms
    if record.epochs and body.draw < record.epochs[-1][1].next_draw:
        return  # a restore ended it
    record.check(draw.drawn is None, "void_wrong", "its numbers are recorded")
    record.check(draw.started is None or not record.sold_by(draw, (body.by, body.second)), "void_wrong",
                 "one of the two sold into the draw, whose seal was handed out")
    hands.interrupted(record, body, draw, False)


_RULES = {
    21: commitment, 22: opened, 23: closed, 24: started, 25: numbers_recorded, 26: certified,
    27: revealed, 28: settled, 29: hands.suspended, 30: hands.resumed, 31: voided,
    32: hands.ball_entered, 33: hands.ball_drawn, 34: hands.enterer_replaced,
    35: hands.tubes_attested, 36: hands.stood_in, 37: hosts.named, 38: hosts.signed,
    39: room.postponed, 68: hands.ball_read, 69: hands.line_incident,
}

HANDLERS = {20: scheduled}
HANDLERS.update((kind, step) for kind in _RULES)
