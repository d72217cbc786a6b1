"""Kinds 37 and 38: hosts that draw, and hold the secrets of a draw, outside central.

RULES.md, "Hosts" and the list "Closing, numbers, certification".
"""

import re

from . import draw as machine
from . import tree

COMPUTER = 1

# RULES.md, "A public beacon".
BEACON = re.compile(r"bls-unchained-g1-rfc9380 ([A-Za-z0-9._-]{1,64}) (0|[1-9][0-9]{0,12}) "
                    r"([1-9][0-9]{0,3}) ([0-9a-f]{192})")
ROUND = re.compile(r"(0|[1-9][0-9]{0,19}) ([0-9a-f]{96})")
AHEAD_MS = 5000
NOT_COMPUTED = "rounds of public beacons: whether the network signed them was not computed"
QUICKNET = ("bls-unchained-g1-rfc9380 quicknet 1692803367 3 "
            "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d"
            "1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8"
            "991ef5ece45a")


def _beacon(key):
    """Moment of round 1 and period, in seconds; None for what is no beacon. Whether its key is a point
    of the curve is not looked at here."""
    found = BEACON.fullmatch(key)
    if found is None or int(found[2]) > 1 << 40 or int(found[3]) > 3600:
        return None
    if found[1] == "quicknet" and key != QUICKNET:
        return None
    return int(found[2]), int(found[3])


def _round(line):
    """Number and signature of a round; None for what is none."""
    found = ROUND.fullmatch(line)
    if found is None or int(found[1]) >= 1 << 64:
        return None
    return int(found[1]), bytes.fromhex(found[2])


def _round_of(beacon, closed_ms):
    """The first round whose moment comes late enough after the close."""
    first, period = beacon
    since = max(0, closed_ms + AHEAD_MS - first * 1000)
    return -(-since // (period * 1000)) + 1


def _is_key(key):
    try:
        return bool(tree.VerifierKey(key))
    except tree.BadNote:
        return False


def _are_keys(record, draw, keys):
    """Whether each is empty, a verifier key or a beacon to which the draw is bound, and one is not empty."""
    def right(place, key):
        if key == "" or _is_key(key):
            return True
        bound = record.house is not None and place > 0 and _beacon(key) is not None \
            and machine.beacon_commitment(record.house.house, draw.number, key)
        return bound and draw.commitments.get(place - 1) == bound
    return any(keys) and all(right(place, key) for place, key in enumerate(keys)) \
        and not all(" " in key for key in keys[1:])


def opens(house, draw, place, committed, secret):
    """Whether a secret is what the holder of a place, from 0, had committed to."""
    key = draw.hosts[place + 1] if draw.hosts and place + 1 < len(draw.hosts) else ""
    if " " not in key:
        return committed == machine.commitment(house, draw.number, secret)
    by_computer = draw.drawn is not None and draw.drawn.machine == COMPUTER
    line = draw.signatures[place + 1] if by_computer and place + 1 < len(draw.signatures) else ""
    found = _round(line)
    return committed == machine.beacon_commitment(house, draw.number, key) \
        and secret == machine.round_secret(house, draw.number, key, found[1] if found else b"")


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
        and len(body.keys) == len(draw.announced.holders) + 1 and _are_keys(record, draw, body.keys)
    # Taken whatever is wrong with it.
    if draw.hosts is None:
        draw.hosts = body.keys
    record.check(right, "hosts_misnamed", "draw %d" % draw.number)


def _follows_numbers(draw, entry):
    return draw.drawn is not None and entry == draw.drawn_at + 1


def signed(record, leaf, body, draw):
    draw.signed_at = record.entry
    draw.signatures = body.signatures

    def holds(place, key, line):
        beacon = _beacon(key)
        if beacon is None:
            return has_signed(key, _said(record, draw, place), line) if key else line == ""
        # That the beacon signed it is not looked at here (README.md).
        found = _round(line)
        if found is None or draw.closed_ms is None or found[0] != _round_of(beacon, draw.closed_ms):
            return False
        if NOT_COMPUTED not in record.notes:
            record.notes.append(NOT_COMPUTED)
        return (beacon[0] + (found[0] - 1) * beacon[1]) * 1000 <= leaf.time_ms

    right = _follows_numbers(draw, record.entry) and draw.drawn.machine == COMPUTER \
        and draw.hosts is not None and len(body.signatures) == len(draw.hosts) \
        and all(holds(place, key, line)
                for place, (key, line) in enumerate(zip(draw.hosts, body.signatures)))
    record.check(right, "host_signature_wrong", "draw %d" % draw.number)


def certified(record, draw):
    """Of a 26: whether nothing is missing of what the hosts sign."""
    record.check(draw.hosts is None or draw.drawn.machine != COMPUTER
                 or draw.signed_at is not None and _follows_numbers(draw, draw.signed_at),
                 "host_signature_missing", "draw %d" % draw.number)
