"""An export followed from the first byte to the signed checkpoint.

RULES.md, "The first bad entry". Two layers look at every entry: its bytes,
after a fault of which reading ends, then its meaning (the modules
``authority``, ``people``, ``house``, ``draws``, ``room``, ``follower``, ``tickets``,
``payments`` and ``damaged``). Findings carry the place of the entry in the export, from 0.
"""

from . import authority, damaged, draws, encoding, follower, house, payments, people, room, state, tickets, tree

HANDLERS = {}
for _module in (people, house, draws, room, follower, tickets, payments, damaged):
    HANDLERS.update(_module.HANDLERS)

# A broken export can have a fault in every entry: the first ones tell enough.
MOST_FINDINGS = 200


class Replay(state.Record):
    """Takes entries one by one and the checkpoint at the end."""

    def __init__(self, key=None, checkpoint=None, drill=False):
        state.Record.__init__(self, drill)
        self.key = key                      # text of a verifier key from outside, or None
        self.outside = checkpoint           # text of a checkpoint from outside, or None
        self.outside_root = None            # root at the size of that checkpoint
        self.outside_note = None            # the same, taken apart
        self.entries = 0
        self.last = None                    # the leaf before
        if checkpoint is not None:
            try:
                self.outside_note = tree.Checkpoint(checkpoint)
                if self.outside_note.size == 0:
                    self.outside_root = tree.EMPTY_ROOT
            except tree.BadNote:
                pass  # told in finish

    def take(self, entry):
        """One entry; False when reading ends with it."""
        self.entry = self.entries
        leaf, body = self._bytes(entry)
        if leaf is None:
            return False
        self.entries += 1
        self.root_before = self.tree.root() if leaf.kind == 15 else None
        self.tree.append(entry.hash)
        if self.outside_note is not None and self.outside_note.size == self.tree.size:
            self.outside_root = self.tree.root()
        self._leaf(leaf)
        try:
            authority.judge(self, leaf, body)
            HANDLERS[leaf.kind](self, leaf, body)
        except Exception as error:  # whatever a broken record holds, go on
            self.bad("not_understood", "kind %d: %r" % (leaf.kind, error))
        if self.entry == 0 and self.key is not None:
            self.check(self.house is not None and self.house.log_key == self.key.strip(),
                       "key_differs", "leaf 0 names another key than the one given")
        # After the handler: leaf 0 gives the zone for its own day, too.
        if self.zone is not None:
            self.equal("business_day_wrong", "day", leaf.day, self.day_of(leaf.time_ms))
        if leaf.kind in (5, 40, 47):
            self.served_ms = leaf.time_ms
        self.last = leaf
        return True

    def _bytes(self, entry):
        """Leaf and body; (None, None) and a finding when the bytes are wrong."""
        wrong = None, None
        if encoding.leaf_hash_of(entry.leaf) != entry.hash:
            self.bad("leaf_hash_wrong", "the leaf hash is not that of the leaf")
            return wrong
        leaf = encoding.parse_leaf(entry.leaf)
        if leaf.version == encoding.FORMAT_VERSION and leaf.kind in encoding.RETIRED:
            self.bad("kind_retired", "kind %d, %s, is of an older version: take the verifier of the version that wrote it"
                     % (leaf.kind, encoding.RETIRED[leaf.kind]))
            return wrong
        if leaf.version != encoding.FORMAT_VERSION or leaf.kind not in encoding.KINDS:
            self.bad("leaf_unreadable", "format version %d, kind %d" % (leaf.version, leaf.kind))
            return wrong
        if encoding.commitment_of(entry.nonce, entry.body) != leaf.commitment:
            self.bad("body_not_committed", "nonce and body do not give the commitment")
            return wrong
        name = encoding.KINDS[leaf.kind][0]
        try:
            body = encoding.decode_body(leaf.kind, entry.body)
        except encoding.Malformed as error:
            self.bad("body_unreadable", "not the body of a %s: %s" % (name, error))
            return wrong
        if leaf.draw != encoding.draw_of(leaf.kind, body):
            self.bad("header_draw_wrong", "the header's draw is %d" % leaf.draw)
            return wrong
        return leaf, body

    def _leaf(self, leaf):
        """RULES.md, "Leaf and house"."""
        self.check(leaf.index == self.entry, "index_wrong", "the leaf's index is %d" % leaf.index)
        if self.last is not None:
            self.check(leaf.time_ms >= self.last.time_ms, "time_decreases", "earlier than the leaf before")
            self.check(leaf.day >= self.last.day, "business_day_decreases", "a day before that of the leaf before")
        self.check((leaf.kind == 1) == (self.entry == 0), "house_not_first",
                   "kind %d in entry %d" % (leaf.kind, self.entry))

    def finish(self, note):
        """What is judged at the end record (RULES.md, "Checkpoint")."""
        self.entry = None
        if self.entries == 0:
            self.bad("house_not_first", "no entries", 0)
        if self.log_key is None:
            return
        ours = self._checkpoint(note, "the checkpoint")
        if ours is not None:
            self.check(self._epoch_of(ours) == self.epoch(), "checkpoint_origin",
                       "origin of the checkpoint is %s, the export ends in epoch %d"
                       % (ours.origin, self.epoch()))
            if self.equal("checkpoint_size", "size", ours.size, self.entries):
                self.equal("checkpoint_root", "root", ours.root, self.tree.root())
        if self.outside is None:
            return
        other = self._checkpoint(self.outside, "the outside checkpoint")
        if other is None:
            return
        epoch = self._epoch_of(other)
        self.check(epoch is not None and epoch <= self.epoch(), "checkpoint_origin",
                   "origin of the outside checkpoint is %s, the export ends in epoch %d"
                   % (other.origin, self.epoch()))
        end = next((body for _, body in self.epochs if epoch is not None and body.epoch > epoch), None)
        if end is not None and other.size > end.continues_size:
            self.check(end.lost_size > other.size
                       or (end.lost_size, end.lost_root) == (other.size, other.root), "outside_lost",
                       "epoch %d tells of %d lost leaves, the outside checkpoint has %d, or another root"
                       % (end.epoch, end.lost_size, other.size))
        elif self.check(self.outside_root is not None, "export_short",
                      "the outside checkpoint has %d leaves, the export %d" % (other.size, self.entries)):
            self.equal("outside_root", "root of the outside checkpoint", other.root, self.outside_root)

    def _checkpoint(self, note, words):
        """Text and signature; None for a text that is no checkpoint."""
        try:
            checkpoint = tree.Checkpoint(note)
        except tree.BadNote as error:
            self.bad("checkpoint_unsigned", "%s: %s" % (words, error))
            return None
        self.check(checkpoint.signed_by(self.log_key), "checkpoint_unsigned",
                   "%s is not signed by %s" % (words, self.log_key.name))
        return checkpoint

    def _epoch_of(self, checkpoint):
        """Epoch of which a checkpoint has the origin (RULES.md, "Epochs"); None: of none."""
        own = "boulier/" + self.house.house
        if checkpoint.origin == own:
            return 1
        digits = checkpoint.origin[len(own) + 1:]
        # The longest number of an epoch has ten digits.
        if not checkpoint.origin.startswith(own + "/") or len(digits) > 10 \
                or not (digits.isascii() and digits.isdigit()) or digits[0] == "0":
            return None
        return int(digits) if 2 <= int(digits) < 1 << 32 else None


class Report:
    """What verify.py prints of an export."""

    def __init__(self, replay):
        # Entries in order; what belongs to no entry last. The sort is stable.
        every = sorted(replay.findings, key=lambda one: (one.entry is None, one.entry or 0))
        self.holds = not every
        self.first_bad = every[0].entry if every else None
        self.findings = every[:MOST_FINDINGS]
        self.left_out = len(every) - len(self.findings)
        self.notes = replay.notes
        self.house = replay.house
        last_day = 0 if replay.last is None else replay.last.day
        self.totals = dict(replay.totals, expired_cents=payments.expired_cents(replay, last_day),
                           entries=replay.entries, epoch=replay.epoch(), root=replay.tree.root().hex())


def verify(data, key=None, checkpoint=None, drill=False):
    """The report on an export's bytes; ``checkpoint`` is the text of one kept outside."""
    replay = Replay(key, checkpoint, drill)
    try:
        for item in encoding.read_export(data):
            if isinstance(item, str):
                replay.finish(item)
            elif not replay.take(item):
                break
    except encoding.OtherFormat as error:
        replay.bad("export_format", str(error), None)
    except encoding.NotAnExport as error:
        replay.bad("framing", str(error), None)
    except encoding.Malformed as error:
        # The entry that begins, or would begin, where the record cannot be read.
        replay.bad("framing", str(error), replay.entries)
    return Report(replay)
