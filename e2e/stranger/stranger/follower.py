"""Kinds 65 to 67: somebody follows the log and computes finished draws again, and what waits for that.

RULES.md, "The follower" and the lists "Draws", "Closing, numbers, certification"
and "Payments".
"""

import re

from . import hosts

BEGAN, FOLLOWED = "boulier/follower/v1", "boulier/followed/v1"
MINUTE_MS = 60 * 1000

_FINDING = re.compile(r"[a-z_]{1,64}")


class Waiting:
    """A draw from its DrawSettled or DrawVoided on, until it is released."""

    def __init__(self, size, root, time_ms, minutes):
        self.size = size            # of the tree just after that entry
        self.root = root
        self.since_ms = time_ms
        self.minutes = minutes      # payout.second_computation of its book then, or None
        self.differs_at = None      # entry of the last DrawFollowed that said so
        self.said = 0               # how many said so


class Follower:
    def __init__(self):
        self.key = None             # of the last FollowerBegan; None: nobody follows
        self.began = None
        self.began_at = -1          # its entry
        self.beginnings = set()     # every began
        self.waiting = {}           # draw -> Waiting

    def may_say_more(self, waiting):
        """Of a draw that differs: whether somebody began since it did."""
        return waiting.differs_at is None or self.began_at > waiting.differs_at


def _text(record, *lines):
    """What is signed; None where there is no house."""
    if record.house is None:
        return None
    return "".join(line + "\n" for line in (lines[0], record.house.house) + lines[1:])


def began(record, leaf, body):
    follower = record.follower
    # Nothing is signed by a key that is none.
    record.check(body.began not in follower.beginnings
                 and hosts.has_signed(body.key, _text(record, BEGAN, body.began.hex()), body.signature),
                 "follower_wrong", "%r begins" % body.key)
    # Taken whatever is wrong with it.
    follower.key, follower.began, follower.began_at = body.key, body.began, record.entry
    follower.beginnings.add(body.began)


def finished(record, leaf, draw):
    """Of a 28 or 31: whether the draw waits from here on."""
    book = record.book_for(draw.number)
    minutes = book[1].second_computation if book is not None and book[1] is not None else None
    if minutes is None and record.follower.key is None:
        return
    # replay has put this leaf into the tree already.
    record.follower.waiting[draw.number] = Waiting(record.tree.size, record.tree.root(), leaf.time_ms, minutes)


def _found(body):
    """The last line that is signed; None where the finding or its entry is none."""
    if body.finding == "":
        return "agrees" if body.entry is None else None
    if not _FINDING.fullmatch(body.finding):
        return None
    words = ["differs", body.finding] + ([] if body.entry is None else ["%d" % body.entry])
    return " ".join(words)


def _known(record, number):
    return record.check(number in record.draws, "draw_unknown", "draw %d was never announced" % number)


def followed(record, leaf, body):
    if not _known(record, body.draw):
        return
    follower, found = record.follower, _found(body)
    waiting = follower.waiting.get(body.draw)
    right = waiting is not None and follower.key is not None and found is not None \
        and follower.may_say_more(waiting)
    if right:
        text = _text(record, FOLLOWED, "%d" % body.draw, "%d" % waiting.size, waiting.root.hex(),
                     follower.began.hex(), found)
        right = hosts.has_signed(follower.key, text, body.signature)
    record.check(right, "followed_wrong", "draw %d, %r" % (body.draw, body.finding))
    if body.finding == "":
        follower.waiting.pop(body.draw, None)
    elif waiting is not None:
        waiting.differs_at = record.entry
        waiting.said += 1


def opened(record, leaf, body):
    if not _known(record, body.draw):
        return
    follower = record.follower
    waiting = follower.waiting.pop(body.draw, None)
    if waiting is None:
        right = False
    elif waiting.differs_at is not None:
        right = waiting.said > 1
    else:
        right = waiting.minutes is not None and leaf.time_ms - waiting.since_ms >= waiting.minutes * MINUTE_MS
    record.check(right, "payouts_opened_wrong", "draw %d" % body.draw)


def paid(record, body, large):
    """Of a 47; ``large`` says whether the ticket comes to what needs a second person."""
    for item in body.items:
        waiting = record.follower.waiting.get(item.draw)
        if waiting is None:
            continue
        record.check(waiting.differs_at is None, "payment_frozen", "draw %d differs" % item.draw)
        record.check(not large or waiting.minutes is None, "payment_unfollowed",
                     "draw %d waits for the follower" % item.draw)


HANDLERS = {65: began, 66: followed, 67: opened}
