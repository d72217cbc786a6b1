"""From secrets and seal to balls (DRAW.md, sections 1 and 3 to 5)."""

import functools
import hashlib
import hmac
import struct


def field(raw):
    """DRAW.md, "Notation"."""
    return len(raw).to_bytes(4, "big") + raw


def number(value):
    return field(value.to_bytes(8, "big"))


def commitment(house, draw, secret):
    """DRAW.md, section 1."""
    return hashlib.sha256(field(b"boulier/commitment/v1") + field(house.encode("utf-8"))
                          + number(draw) + field(secret)).digest()


def beacon_commitment(house, draw, beacon):
    """DRAW.md, section 1, "A public beacon"."""
    return hashlib.sha256(field(b"boulier/beacon/v1") + field(house.encode("utf-8"))
                          + number(draw) + field(beacon.encode("utf-8"))).digest()


def round_secret(house, draw, beacon, signature):
    """DRAW.md, section 1: the secret that a round gives; of no bytes where there was none."""
    return hashlib.sha256(field(b"boulier/round/v1") + field(house.encode("utf-8"))
                          + number(draw) + field(beacon.encode("utf-8")) + field(signature)).digest()


def secrets_hash(secrets):
    """SHA-256 over the secrets in holder order (FORMAT.md, "BallsRecorded")."""
    return hashlib.sha256(b"".join(secrets)).digest()


def derive_key(house, draw, log_size, seal_root, rule_book_hash, pool_size, drawn, secrets):
    """DRAW.md, section 3: HKDF-SHA256, one block of output."""
    ikm = b"".join(field(secret) for secret in secrets)
    info = (field(b"boulier/draw/v1") + field(house.encode("utf-8")) + number(draw)
            + number(log_size) + field(rule_book_hash) + field(bytes([pool_size]))
            + field(bytes([drawn])))
    extracted = hmac.new(seal_root, ikm, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()


@functools.lru_cache(maxsize=1024)
def _chacha20_block(key_words, counter):
    """Sixteen words of the key stream (RFC 8439, section 2.3), nonce zero."""
    mask = 0xFFFFFFFF
    start = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574) + key_words + (counter, 0, 0, 0)
    x = list(start)
    for _ in range(10):
        for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                           (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            va, vb, vc, vd = x[a], x[b], x[c], x[d]
            va = (va + vb) & mask
            vd ^= va
            vd = (vd << 16 | vd >> 16) & mask
            vc = (vc + vd) & mask
            vb ^= vc
            vb = (vb << 12 | vb >> 20) & mask
            va = (va + vb) & mask
            vd ^= va
            vd = (vd << 8 | vd >> 24) & mask
            vc = (vc + vd) & mask
            vb ^= vc
            vb = (vb << 7 | vb >> 25) & mask
            x[a], x[b], x[c], x[d] = va, vb, vc, vd
    return [(one + two) & mask for one, two in zip(x, start)]


def _words(key):
    """DRAW.md, section 4."""
    key_words = struct.unpack("<8I", key)
    counter = 0
    while True:
        for word in _chacha20_block(key_words, counter):
            yield word
        counter += 1


def balls(key, pool_size, drawn):
    """DRAW.md, section 5: the balls in order, words used, words rejected."""
    order = list(range(1, pool_size + 1))
    words = _words(key)
    used = rejected = 0
    for i in range(drawn):
        n = pool_size - i
        zone = (1 << 32) // n * n
        while True:
            word = next(words)
            used += 1
            if word < zone:
                break
            rejected += 1
        j = i + word % n
        order[i], order[j] = order[j], order[i]
    return bytes(order[:drawn]), used, rejected
