#!/usr/bin/env python3
"""Recomputes the frozen vectors from DRAW.md alone, with nothing but the standard library.

It shares no code with the Rust crate: HKDF is written on hmac, ChaCha20 by hand from RFC 8439.
Usage: recompute.py vectors.json | recompute.py --transcript TRANSCRIPT.json
Prints one line per draw; exits 1 at the first difference.
"""
import hashlib
import hmac
import json
import struct
import sys


def field(data):
    return struct.pack(">I", len(data)) + data


def number(value):
    return field(struct.pack(">Q", value))


def beacon_commitment(house, draw, text):
    return hashlib.sha256(
        field(b"boulier/beacon/v1") + field(house.encode()) + number(draw) + field(text.encode())
    ).digest()


def round_secret(house, draw, text, signature):
    return hashlib.sha256(
        field(b"boulier/round/v1") + field(house.encode()) + number(draw) + field(text.encode()) + field(signature)
    ).digest()


def commitment(house, draw, secret):
    return hashlib.sha256(
        field(b"boulier/commitment/v1") + field(house.encode()) + number(draw) + field(secret)
    ).digest()


def hkdf_sha256(salt, ikm, info, length):
    pseudo_random_key = hmac.new(salt, ikm, hashlib.sha256).digest()
    output, block, counter = b"", b"", 1
    while len(output) < length:
        block = hmac.new(
            pseudo_random_key, block + info + bytes([counter]), hashlib.sha256
        ).digest()
        output += block
        counter += 1
    return output[:length]


MASK = 0xFFFFFFFF


def chacha20_block(key, counter, nonce):
    state = list(struct.unpack("<4I", b"expand 32-byte k"))
    state += struct.unpack("<8I", key)
    state += [counter] + list(struct.unpack("<3I", nonce))
    work = list(state)

    def quarter(a, b, c, d):
        for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            work[x] = (work[x] + work[y]) & MASK
            mixed = work[z] ^ work[x]
            work[z] = ((mixed << turn) | (mixed >> (32 - turn))) & MASK

    for _ in range(10):
        quarter(0, 4, 8, 12)
        quarter(1, 5, 9, 13)
        quarter(2, 6, 10, 14)
        quarter(3, 7, 11, 15)
        quarter(0, 5, 10, 15)
        quarter(1, 6, 11, 12)
        quarter(2, 7, 8, 13)
        quarter(3, 4, 9, 14)
    return [(a + b) & MASK for a, b in zip(work, state)]


def words(key):
    counter = 0
    while True:
        yield from chacha20_block(key, counter, bytes(12))
        counter += 1


def balls(draw):
    ikm = b"".join(field(bytes.fromhex(secret)) for secret in draw["secrets"])
    info = (
        field(b"boulier/draw/v1")
        + field(draw["house"].encode())
        + number(draw["draw"])
        + number(draw["log_size"])
        + field(bytes.fromhex(draw["rule_book_hash"]))
        + field(bytes([draw["pool_size"]]))
        + field(bytes([draw["drawn"]]))
    )
    key = hkdf_sha256(bytes.fromhex(draw["seal_root"]), ikm, info, 32)
    stream = words(key)
    order = list(range(1, draw["pool_size"] + 1))
    used = rejected = 0
    for place in range(draw["drawn"]):
        candidates = draw["pool_size"] - place
        zone = 2**32 // candidates * candidates
        while True:
            word = next(stream)
            used += 1
            if word < zone:
                break
            rejected += 1
        other = place + word % candidates
        order[place], order[other] = order[other], order[place]
    return order[: draw["drawn"]], used, rejected


def check_known_answers():
    """RFC 8439 2.3.2 and RFC 5869 A.1, so that this program does not rest on itself."""
    block = chacha20_block(bytes(range(32)), 1, bytes.fromhex("000000090000004a00000000"))
    assert block[:4] == [0xE4E7F110, 0x15593BD1, 0x1FDD0F50, 0xC47120A3], "RFC 8439 2.3.2"
    output = hkdf_sha256(bytes(range(13)), b"\x0b" * 22, bytes(range(0xF0, 0xFA)), 42)
    assert output.hex().startswith("3cb25f25faacd57a90434f64d0362f2a"), "RFC 5869 A.1"


def check(draw):
    beacons = draw.get("beacons") or [""] * len(draw["secrets"])
    rounds = draw.get("rounds") or beacons
    of_holders = zip(draw["secrets"], draw["commitments"], beacons, rounds, strict=True)
    for secret, expected, beacon, line in of_holders:
        if beacon:
            found = beacon_commitment(draw["house"], draw["draw"], beacon).hex()
            signature = bytes.fromhex(line.split(" ")[1])
            if secret != round_secret(draw["house"], draw["draw"], beacon, signature).hex():
                sys.exit(f"{draw['name']}: the secret is not that of round {line}")
            print("not computed here: whether the network signed round", line.split(" ")[0])
        else:
            found = commitment(draw["house"], draw["draw"], bytes.fromhex(secret)).hex()
        if found != expected:
            sys.exit(f"{draw['name']}: commitment {found}, not {expected}")
    found = balls(draw)
    expected = (draw["balls"], draw["words_used"], draw["rejected"])
    if found != expected:
        sys.exit(f"{draw['name']}: {found}, not {expected}")
    print("ok", draw["name"], found[0])


def from_transcript(transcript):
    draw = dict(transcript, name=f"draw {transcript['draw']}")
    draw["secrets"] = [holder["secret"] for holder in transcript["holders"]]
    keys = [host["key"] for host in transcript.get("hosts", [])][1:]
    # A beacon's text has blanks, and no key of a host.
    draw["beacons"] = [key if " " in key else "" for key in keys]
    draw["rounds"] = [host["signature"] for host in transcript.get("hosts", [])][1:]
    draw["commitments"] = [holder["commitment"] for holder in transcript["holders"]]
    return draw


def main():
    check_known_answers()
    with open(sys.argv[-1], encoding="utf-8") as file:
        content = json.load(file)
    for draw in [from_transcript(content)] if "--transcript" in sys.argv else content:
        check(draw)


if __name__ == "__main__":
    main()
