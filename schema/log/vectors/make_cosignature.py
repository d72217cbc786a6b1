"""Makes vectors/cosignature.txt from C2SP tlog-cosignature: a cosigner's key in the text form of signed
notes, and a checkpoint that it cosigned.

The signing is that of make_epochs.py. Standard library only. Run: python3 make_cosignature.py >
cosignature.txt
"""
import base64
import hashlib
import struct

import make_epochs as ed

NAME = "audit-office"
SEED = bytes([2] * 32)
MOMENT = 1679315147
# The note of the specification's own example: its text, and the line of its log.
TEXT = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
LINE = ("\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5"
        "/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=")


def main():
    expanded = hashlib.sha512(SEED).digest()
    secret = ed.number_of(expanded[:32]) & ~7 & (1 << 254) - 1 | 1 << 254
    public = ed.packed(ed.times(secret, ed.BASE))

    def key_id(kind):
        return hashlib.sha256(NAME.encode() + b"\n" + kind + public).digest()[:4]

    message = ("cosignature/v1\ntime %d\n%s" % (MOMENT, TEXT)).encode()
    nonce = ed.number_of(hashlib.sha512(expanded[32:] + message).digest()) % ed.L
    point = ed.packed(ed.times(nonce, ed.BASE))
    challenge = ed.number_of(hashlib.sha512(point + public + message).digest()) % ed.L
    signature = point + ((nonce + challenge * secret) % ed.L).to_bytes(32, "little")
    print("%s+%s+%s" % (NAME, key_id(b"\1").hex(), base64.b64encode(b"\1" + public).decode()))
    cosigned = key_id(b"\4") + struct.pack(">Q", MOMENT) + signature
    print("%s\n%s\n\u2014 %s %s" % (TEXT, LINE, NAME, base64.b64encode(cosigned).decode()))


if __name__ == "__main__":
    main()
