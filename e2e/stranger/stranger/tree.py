"""RFC 6962 roots and signed checkpoints (FORMAT.md, "Tree" and "Checkpoint")."""

import base64
import binascii
import hashlib
import unicodedata

from . import ed25519

EMPTY_ROOT = hashlib.sha256(b"").digest()

# FORMAT.md, "Checkpoint".
MOST_NOTE_BYTES = 256 << 10
MOST_SIGNATURES = 100


def _node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that grows leaf by leaf and knows its root at each size."""

    def __init__(self):
        self.size = 0
        # Roots of the full subtrees, largest first: the binary digits of size.
        self._peaks = []

    def append(self, leaf_hash):
        """Adds a leaf, given its leaf hash."""
        self._peaks.append(leaf_hash)
        self.size += 1
        size = self.size
        while size % 2 == 0:
            right = self._peaks.pop()
            self._peaks.append(_node(self._peaks.pop(), right))
            size //= 2

    def root(self):
        if not self._peaks:
            return EMPTY_ROOT
        root = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            root = _node(peak, root)
        return root


def root_over(records):
    """RFC 6962 root over a list of byte strings."""
    tree = Tree()
    for record in records:
        tree.append(hashlib.sha256(b"\x00" + record).digest())
    return tree.root()


def root_by_inclusion(leaf_hash, index, size, path):
    """The root that a proof of inclusion leads to, or None for one that does not fit (RFC 9162, 2.1.3.2)."""
    if index >= size:
        return None
    node, last, root = index, size - 1, leaf_hash
    for one in path:
        if last == 0:
            return None
        if node % 2 or node == last:
            root = _node(one, root)
            while not node % 2 and node:
                node, last = node >> 1, last >> 1
        else:
            root = _node(root, one)
        node, last = node >> 1, last >> 1
    return root if last == 0 else None


def roots_by_consistency(old, old_root, size, path):
    """(old root, new root) that a proof of consistency leads to, or None (RFC 9162, 2.1.4.2)."""
    if not 0 < old <= size:
        return None
    if old == size:
        return None if path else (old_root, old_root)
    path = list(path) if old & (old - 1) else [old_root] + list(path)
    if not path:
        return None
    node, last = old - 1, size - 1
    while node % 2:
        node, last = node >> 1, last >> 1
    before = after = path[0]
    for one in path[1:]:
        if last == 0:
            return None
        if node % 2 or node == last:
            before, after = _node(one, before), _node(one, after)
            while not node % 2 and node:
                node, last = node >> 1, last >> 1
        else:
            after = _node(after, one)
        node, last = node >> 1, last >> 1
    return (before, after) if last == 0 else None


class BadNote(Exception):
    """A text that is not a key or not a checkpoint."""


def _decode(text, what):
    """Standard base64 with padding, in its one spelling: stray bits are refused too."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadNote("%s is not base64" % what)
    if base64.b64encode(raw).decode("ascii") != text:
        raise BadNote("%s is not base64 in its one spelling" % what)
    return raw


def _is_name(text):
    """A key's name in the C2SP text form: not empty, without blanks and plus signs."""
    return bool(text) and "+" not in text and not any(
        one.isspace() or unicodedata.category(one) == "Cc" for one in text)


class VerifierKey:
    """A verifier key ``name+id+key`` (FORMAT.md, "Checkpoint")."""

    def __init__(self, text):
        # The base64 may hold "+" itself: only the first two separate.
        parts = text.split("+", 2)
        if len(parts) != 3 or not _is_name(parts[0]):
            raise BadNote("the verifier key is not name+id+key")
        self.name = parts[0]
        raw = _decode(parts[2], "the verifier key")
        if len(raw) != 33 or raw[0] != 1:
            raise BadNote("the verifier key is not an Ed25519 key (type 1)")
        self.public = raw[1:]
        self.id = hashlib.sha256(self.name.encode("utf-8") + b"\n" + raw).digest()[:4]
        if parts[1] != self.id.hex():
            raise BadNote("the id of the verifier key is wrong")
        if not ed25519.is_key(self.public):
            raise BadNote("the 32 bytes of the verifier key are no public key")

    def is_of(self, signature):
        """Whether a signature line has this key's name and id."""
        name, raw = signature
        return name == self.name and raw[:4] == self.id

    def has_signed(self, text, signature):
        """Whether a signature line verifies under a text."""
        return ed25519.verify(self.public, text.encode("utf-8"), signature[1][4:])


def signature_line(line):
    """(name, id and signature) of a signature line, without its line feed."""
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != "\u2014" or not _is_name(parts[1]):
        raise BadNote("a signature line is malformed")
    raw = _decode(parts[2], "a signature")
    if len(raw) < 5:
        raise BadNote("a signature is too short")
    return parts[1], raw


class Checkpoint:
    """A signed checkpoint, taken apart (FORMAT.md, "Checkpoint")."""

    def __init__(self, note):
        if len(note.encode("utf-8")) > MOST_NOTE_BYTES:
            raise BadNote("the checkpoint is longer than 256 KiB")
        if any(unicodedata.category(one) == "Cc" and one != "\n" for one in note):
            raise BadNote("a control character in the checkpoint")
        head, blank, tail = note.partition("\n\n")
        if not blank:
            raise BadNote("no empty line before the signatures")
        self.text = head + "\n"
        lines = head.split("\n")
        # Lines after the root are let be; none is empty, or the text would end there.
        if len(lines) < 3 or not lines[0]:
            raise BadNote("origin, size and root expected before the signatures")
        self.origin = lines[0]
        if not (lines[1].isascii() and lines[1].isdigit()) or len(lines[1]) > 20 \
                or str(int(lines[1])) != lines[1] or int(lines[1]) >> 64:
            raise BadNote("the size is not a decimal number")
        self.size = int(lines[1])
        self.root = _decode(lines[2], "the root")
        if len(self.root) != 32:
            raise BadNote("the root has %d bytes" % len(self.root))
        if not tail.endswith("\n"):
            raise BadNote("no line feed at the end")
        lines = tail[:-1].split("\n")
        if len(lines) > MOST_SIGNATURES:
            raise BadNote("%d signature lines" % len(lines))
        self.signatures = [signature_line(line) for line in lines]

    def signed_by(self, key):
        """True when a line has the key's name and id, and every such line verifies."""
        mine = [signature for signature in self.signatures if key.is_of(signature)]
        return bool(mine) and all(key.has_signed(self.text, signature) for signature in mine)
