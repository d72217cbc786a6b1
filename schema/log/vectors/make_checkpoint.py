"""Makes vectors/house-checkpoint.txt: a checkpoint over the first three leaves of leaves.txt.

The signing is that of make_epochs.py, under another key, which signs nothing else. Standard
library only. Run after make_leaves.py: python3 make_checkpoint.py > house-checkpoint.txt
"""
import base64
import hashlib
import pathlib

import make_epochs as ed

NAME = "boulier/essai"
SEED = bytes([5] * 32)
LEAVES = (pathlib.Path(__file__).parent / "leaves.txt").read_text(encoding="utf-8").splitlines()


def main():
    expanded = hashlib.sha512(SEED).digest()
    secret = ed.number_of(expanded[:32]) & ~7 & (1 << 254) - 1 | 1 << 254
    public = ed.packed(ed.times(secret, ed.BASE))
    key_id = hashlib.sha256(NAME.encode() + b"\n\1" + public).digest()[:4]
    hashes = [bytes.fromhex(line.split()[-1]) for line in LEAVES[:3]]
    text = "%s\n3\n%s\n" % (NAME, base64.b64encode(ed.root(hashes)).decode())
    nonce = ed.number_of(hashlib.sha512(expanded[32:] + text.encode()).digest()) % ed.L
    point = ed.packed(ed.times(nonce, ed.BASE))
    challenge = ed.number_of(hashlib.sha512(point + public + text.encode()).digest()) % ed.L
    signature = point + ((nonce + challenge * secret) % ed.L).to_bytes(32, "little")
    print("%s+%s+%s" % (NAME, key_id.hex(), base64.b64encode(b"\1" + public).decode()))
    print("%s\n\u2014 %s %s" % (text, NAME, base64.b64encode(key_id + signature).decode()))


if __name__ == "__main__":
    main()
