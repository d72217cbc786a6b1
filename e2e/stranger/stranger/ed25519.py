"""Ed25519 signature check in plain Python (RFC 8032, section 5.1.7).

Only verification: a reader of the log never signs. Points are kept in
extended coordinates (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z.

Whoever verifies many logs of one house meets the same keys, and often the same
signatures: what follows from bytes alone is remembered.
"""

import functools
import hashlib

_P = 2 ** 255 - 19
_L = 2 ** 252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_SQRT_M1 = pow(2, (_P - 1) // 4, _P)


def _add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % _P
    b = (p[1] + p[0]) * (q[1] + q[0]) % _P
    c = 2 * p[3] * q[3] * _D % _P
    d = 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


@functools.lru_cache(maxsize=64)
def _doubled(point):
    """A point, twice that, and so on: as many as a scalar has bits."""
    points = [point]
    while len(points) < _L.bit_length():
        points.append(_add(points[-1], points[-1]))
    return points


def _times(scalar, point):
    """``scalar`` below the order of the base point."""
    result = (0, 1, 1, 0)
    for doubled in _doubled(point):
        if scalar & 1:
            result = _add(result, doubled)
        scalar >>= 1
    return result


@functools.lru_cache(maxsize=1024)
def _recover(encoded):
    """The point that 32 bytes encode, or None."""
    y = int.from_bytes(encoded, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _SQRT_M1 % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


_BASE = _recover((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))


def _is_small(point):
    """True for a point of small order: 8 times it is the neutral point."""
    for _ in range(3):
        point = _add(point, point)
    x, y, z, _ = point
    return x % _P == 0 and (y - z) % _P == 0


@functools.lru_cache(maxsize=1024)
def is_key(public):
    """True when 32 bytes are a public key: a point of the curve, not of small order."""
    point = _recover(public) if len(public) == 32 else None
    return point is not None and not _is_small(point)


@functools.lru_cache(maxsize=1024)
def verify(public, message, signature):
    """True when ``signature`` (64 bytes) over ``message`` is by ``public`` (32 bytes)."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key = _recover(public)
    nonce_point = _recover(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or nonce_point is None or scalar >= _L or _is_small(key) or _is_small(nonce_point):
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    left = _times(scalar, _BASE)
    right = _add(nonce_point, _times(int.from_bytes(digest, "little") % _L, key))
    return ((left[0] * right[2] - right[0] * left[2]) % _P == 0
            and (left[1] * right[2] - right[1] * left[2]) % _P == 0)
