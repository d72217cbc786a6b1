"""Kinds 37 and 38: hosts that draw, and hold the secrets of a draw, outside central.

RULES.md, "Hosts" and the list "Closing, numbers, certification".
"""

from . import tree

COMPUTER = 1


def _are_keys(keys):
    """Whether each is empty or a verifier key, and one of them is a key."""
    try:
        return len([tree.VerifierKey(key) for key in keys if key]) > 0
    except tree.BadNote:
        return False


def _said(record, draw, place):
    """What the host of a place signs, 0 for the machine; None where the draw has not come so far."""
    if record.house is None or draw.seal is None or draw.started is None:
        return None
    if place == 0:
        tag, of = "boulier/balls/v1", draw.started.rule_book_hash
        more = [" ".join("%d" % ball for ball in draw.drawn.balls)]
    else:
        tag, of, more = "boulier/secret/v1", draw.commitments.get(place - 1), []
    if of is None:
        return None
    lines = [tag, record.house.house, "%d" % draw.number, "%d" % draw.seal[0], draw.seal[1].hex(), of.hex()]
    return "".join(line + "\n" for line in lines + more)


def has_signed(key, text, line):
    """Whether a line is the signature line of a key under a text."""
    # The whole note has an empty line between the two, and a line feed at its end.
    if text is None or len((text + line).encode("utf-8")) + 2 > tree.MOST_NOTE_BYTES \
            or any(one < " " and one != "\n" for one in text):
        return False
    try:
        key = tree.VerifierKey(key)
        signature = tree.signature_line(line)
    except tree.BadNote:
        return False
    return key.is_of(signature) and key.has_signed(text, signature)


def named(record, leaf, body, draw):
    right = draw.step == "scheduled" and draw.announced.holders and draw.all_committed() \
        and draw.committed_at == record.entry - 1 and draw.hosts is None \
        and len(body.keys) == len(draw.announced.holders) + 1 and _are_keys(body.keys)
    # Taken whatever is wrong with it.
    if draw.hosts is None:
        draw.hosts = body.keys
    record.check(right, "hosts_misnamed", "draw %d" % draw.number)


def _follows_numbers(draw, entry):
    return draw.drawn is not None and entry == draw.drawn_at + 1


def signed(record, leaf, body, draw):
    draw.signed_at = record.entry
    right = _follows_numbers(draw, record.entry) and draw.drawn.machine == COMPUTER \
        and draw.hosts is not None and len(body.signatures) == len(draw.hosts) \
        and all(has_signed(key, _said(record, draw, place), line) if key else line == ""
                for place, (key, line) in enumerate(zip(draw.hosts, body.signatures)))
    record.check(right, "host_signature_wrong", "draw %d" % draw.number)


def certified(record, draw):
    """Of a 26: whether nothing is missing of what the hosts sign."""
    record.check(draw.hosts is None or draw.drawn.machine != COMPUTER
                 or draw.signed_at is not None and _follows_numbers(draw, draw.signed_at),
                 "host_signature_missing", "draw %d" % draw.number)
