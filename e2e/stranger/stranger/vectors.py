"""The golden vectors, checked with this verifier's own code.

    python3 -m stranger.vectors PATH...

Each PATH is a vector or a folder with vectors: leaves.txt, meaning.json,
house-checkpoint.txt, epochs.json, the draw vectors (draw_vectors.json or vectors.json), and
the rule book that meaning.json names (demonstration.toml).
"""

import base64
import json
import os
import re
import sys

from . import book as books
from . import draw, encoding, house, payments, replay, rules, state, tree, writing

LEAVES, MEANING, CHECKPOINT, BOOK = "leaves.txt", "meaning.json", "house-checkpoint.txt", "demonstration.toml"
EPOCHS = "epochs.json"
DRAWS = ("draw_vectors.json", "vectors.json")


class Checks:
    """Counts what fits, and tells what does not."""

    def __init__(self):
        self.right = self.wrong = 0

    def equal(self, what, said, computed):
        if said == computed:
            self.right += 1
        else:
            self.wrong += 1
            print("  %s: the vector has %r, computed %r" % (what, said, computed))


def leaves(checks, text):
    """FORMAT.md, "Leaf" and "Kinds": every line both ways."""
    seen = set()
    for line in text.splitlines():
        kind, name, raw, nonce, leaf, leaf_hash = line.split(" ")
        kind, raw, nonce, leaf = int(kind), bytes.fromhex(raw), bytes.fromhex(nonce), bytes.fromhex(leaf)
        seen.add(kind)
        known, field, _ = encoding.KINDS[kind]
        checks.equal("kind %d" % kind, name, known)
        body = encoding.decode_body(kind, raw)
        checks.equal("%s, body" % name, raw, writing.body(kind, body))
        header = encoding.parse_leaf(leaf)
        checks.equal("%s, leaf" % name, leaf, writing.leaf(header))
        checks.equal("%s, header" % name, (encoding.FORMAT_VERSION, kind), header[:2])
        checks.equal("%s, draw" % name, header.draw, getattr(body, field) if field else 0)
        checks.equal("%s, commitment" % name, header.commitment, encoding.commitment_of(nonce, raw))
        checks.equal("%s, leaf hash" % name, leaf_hash, encoding.leaf_hash_of(leaf).hex())
    checks.equal("kinds of leaves.txt", seen, set(encoding.KINDS))


def checkpoint(checks, text, of_leaves):
    """FORMAT.md, "Checkpoint": a key, then what it signed over the first three leaves."""
    first, _, note = text.partition("\n")
    key = tree.VerifierKey(first)
    found = tree.Checkpoint(note)
    checks.equal("checkpoint, signature", True, found.signed_by(key))
    if of_leaves is not None:
        grown = tree.Tree()
        for line in of_leaves.splitlines()[:found.size]:
            grown.append(bytes.fromhex(line.split(" ")[5]))
        checks.equal("checkpoint, root", found.root, grown.root())
    for place in range(len(note)):
        for bent in (note[:place] + note[place + 1:], note[:place] + "\x01" + note[place + 1:]):
            try:
                holds = tree.Checkpoint(bent).signed_by(key)
            except tree.BadNote:
                holds = False
            checks.equal("checkpoint bent at %d" % place, False, holds)


def _selections(checks, book, vectors):
    game = next(iter(book.games.values()))
    drawn = frozenset(vectors["drawn"])
    for place, said in enumerate(vectors["selections"]):
        name = "selection %d" % place
        game.king_alone = said["king_alone"]
        lines = [encoding.RECORDS["ConditioningRecord"](line["ways"], line["spots"], line["wager_cents"])
                 for line in said["conditioning"]]
        played = encoding.RECORDS["SelectionRecord"](
            game.code, said["kind"], False, [bytes(group) for group in said["groups"]],
            bytes(said["kings"]), lines)
        checks.equal(name + ", shape", None, rules.shape_fault(book, played))
        checks.equal(name + ", ways", None, rules.ways_fault(book, played))
        checks.equal(name + ", wagers", None, rules.wager_fault(book, played))
        everything = played._replace(conditioning=[lines[0]._replace(spots=255)])
        made = {}
        for (spots, _), ways in rules.count_ways(everything, game.king_alone).items():
            made[spots] = made.get(spots, 0) + ways
        checks.equal(name + ", generated", said["generated"], [list(pair) for pair in sorted(made.items())])
        checks.equal(name + ", price", said["per_draw_cents"], rules.price([played]))
        for line in said["conditioning"]:
            listed = [{"numbers": list(numbers), "catch": len(drawn & set(numbers)),
                       "prize_cents": game.prize(line["spots"], len(drawn & set(numbers)),
                                                 line["wager_cents"])}
                      for numbers in rules.list_ways(played, line["spots"], game.king_alone)]
            checks.equal("%s, %d spots" % (name, line["spots"]), line["prizes"],
                         sorted(listed, key=lambda one: one["numbers"]))
        checks.equal(name + ", won", said["won_cents"],
                     sum(prize * ways for prize, ways in rules.ticket_prizes(book, [played], drawn)))


def _settlements(checks, vectors):
    for said in vectors["settlements"]:
        found = rules.Settlement(
            [(index, [(prize, 1) for prize in prizes]) for index, prizes in said["tickets"]],
            said["cap_cents"], said["full_below_cents"])
        for field, value in (
                ("small_cents", found.small), ("large_cents", found.large),
                ("small_factor", list(found.small_factor)), ("large_factor", list(found.large_factor)),
                ("winners", found.winners), ("payable_cents", found.payable),
                ("breakage_cents", found.breakage), ("prize_root", found.root.hex())):
            checks.equal("%s, %s" % (said["why"], field), said[field], value)
        checks.equal("%s, payable of each" % said["why"],
                     {line[0]: line[2] for line in said["prize_list"]}, found.by_ticket)


def _till(checks, said):
    expected = 0
    for fact, cents, in_cash in said["facts"]:
        if in_cash:
            if fact in ("payment", "reversal"):
                cents += payments.rounding(cents)
            expected += cents if fact in ("float", "sale", "fill", "reversal") else -cents
    checks.equal("till", said["expected_cents"], expected)


def _counters(checks, vectors, book_text):
    """Each text in place of the book's own [counter]; a key of the root goes before every table."""
    without = book_text[:book_text.index("[counter]")] + book_text[book_text.index("[[game]]"):]
    for said in vectors["counters"]:
        before = "format = 3" if said["text"].startswith("counter = ") else "[[game]]"
        try:
            books.RuleBook(without.replace(before, said["text"] + before, 1))
            holds = True
        except books.BadBook:
            holds = False
        checks.equal("counter, %s" % said["of"], said["holds"], holds)


HOWS = {"alone": "alone", "with others": "ticket", "up to": "bound"}


def _judged(checks, vectors, book_text):
    """Least returns, line by line, of the tables of other books."""
    head = book_text[:book_text.index("[[game]]")]
    for said in vectors["judged"]:
        text = re.sub(r'(?m)^per_draw = .*$', 'per_draw = "%s"' % said["cap"], head)
        text = re.sub(r'(?m)^full_below = .*$', 'full_below = "%s"' % said["full_below"], text)
        text = re.sub(r'(?m)^selections = .*$', "selections = %d" % said["selections"], text)
        text = text[:text.index("[counter]")]
        for at, game in enumerate(said["games"]):
            lines = ['[[game]]', 'code = "game-%d"' % at, 'name = { fr = "Jeu", en = "Game" }',
                     "straight = { min = %d, max = %d }" % (said["spots"], said["spots"]),
                     "king_alone = false", "[game.wager]"]
            lines += ['%s = "%s"' % pair for pair in game["wager"].items()]
            pays = ", ".join('%s = "%s"' % pair for pair in game["pays"].items())
            lines += ["[game.pays]", "%d = { %s }" % (said["spots"], pays)]
            text += "\n".join(lines) + "\n"
        book = books.RuleBook(text)
        codes = list(book.games)
        judged = book.judge(said["spots"])
        checks.equal("how returns are judged, %s" % said["why"], {said["how"]},
                     {HOWS[re.sub(r" \d+$", "", how)] for _, _, how, _ in judged})
        checks.equal("least returns, %s" % said["why"], said["lines"],
                     [[codes.index(game.code), wager, "%d/%d" % (rate.numerator, rate.denominator)]
                      for game, wager, _, rate in judged])


def meaning(checks, vectors, book_text):
    """RULES.md: ways, prizes, settlements, returns, a till, rounding and days."""
    book = books.RuleBook(book_text)
    checks.equal("return of the book", [], list(book.return_faults()))
    for said in vectors["returns"]:
        game = next(iter(book.games.values()))
        rate = book.return_rate(game, said["spots"], said["wagers"])
        checks.equal("return of %d spots" % said["spots"], said["return"],
                     "%d/%d" % (rate.numerator, rate.denominator))
    _judged(checks, vectors, book_text)
    _counters(checks, vectors, book_text)
    _selections(checks, book, vectors)
    _settlements(checks, vectors)
    _till(checks, vectors["till"])
    for total, cents in vectors["cash_rounding"]:
        checks.equal("rounding of %d" % total, cents, payments.rounding(total))
    for said in vectors["days"]:
        record = state.Record()
        record.zone = house.load_zone(said["zone"])
        if record.zone is None:
            print("  no zone data on this machine: days were not checked")
            break
        day = record.day_of(said["draws_at_ms"])
        checks.equal("day of %s" % said["draws_at"], said["business_day"], day)
        checks.equal("claim_by of %s" % said["draws_at"], said["claim_by"], state.day_plus(day, said["days"]))


def _found(report, place):
    return {one.what for one in report.findings if one.entry == place}


def _proofs(checks, vectors, hashes):
    """FORMAT.md, "Epochs": the proofs of the leaf that opens an epoch, and from what was kept."""
    proofs, size = vectors["proofs"], vectors["proofs"]["size"]
    root = bytes.fromhex(vectors["root"])
    said = proofs["inclusion"]
    path = [bytes.fromhex(one) for one in said["path"]]
    checks.equal("proof of inclusion", root,
                 tree.root_by_inclusion(hashes[said["index"]], said["index"], size, path))
    for place in range(size):
        if place != said["index"]:
            checks.equal("inclusion of entry %d by the proof of another" % place, False,
                         tree.root_by_inclusion(hashes[place], place, size, path) == root)
    for said in proofs["consistency"]:
        path = [bytes.fromhex(one) for one in said["path"]]
        grown = tree.Tree()
        for one in hashes[:said["from"]]:
            grown.append(one)
        old = bytes.fromhex(said["root"])
        checks.equal("root of %d leaves" % said["from"], old, grown.root())
        checks.equal("proof of consistency from %d" % said["from"], (old, root),
                     tree.roots_by_consistency(said["from"], old, size, path))
        for bent in [path[:-1], path[1:], path + path[:1]] if path else []:
            checks.equal("a bent proof from %d" % said["from"], False,
                         tree.roots_by_consistency(said["from"], old, size, bent) == (old, root))


def _expired(checks, entries, own):
    """RULES.md, "Payments", "In time": what nobody can claim any more, by the day of the last entry.

    Without its payment the ticket is owed 3.00 of draw 1 until 2027-11-20, and 1.00 of draw 2, which
    was void on 2026-11-21, until a year after that. A lease that is taken on that last day tells of a
    silence of a year, and both can be claimed for a week more.
    """
    leaves = [encoding.parse_leaf(entry.leaf) for entry in entries]
    payment, last = [leaf.kind for leaf in leaves].index(47), len(entries) - 1
    paid = encoding.decode_body(47, entries[payment].body)
    device = paid.key.device
    claim = encoding.KINDS[46][2](ticket=paid.ticket, draws=[1], path=1, device=device, badge=paid.badge,
                                  presented_at_ms=None, second=None)
    seen = encoding.KINDS[43][2](ticket=paid.ticket, copy=1, how=1, device=device)
    lease = encoding.KINDS[10][2](instance="another", fence=1)

    def put(bent, place, kind, body, days=0):
        leaf = leaves[place]._replace(kind=kind, day=state.day_plus(leaves[place].day, days),
                                      time_ms=leaves[place].time_ms + days * 86400000)
        bent[place] = writing.sealed(leaf, entries[place].nonce, writing.body(kind, body))

    for why, kind, body, days, silent, cents in (
            ("on the last day of draw 1", 43, seen, 364, False, 0),
            ("on the day after it", 43, seen, 365, False, 300),
            ("on the day after that of draw 2", 43, seen, 366, False, 400),
            ("where draw 1 was presented", 46, claim, 366, False, 100),
            ("where it was paid", 47, paid, 366, False, 0),
            ("a week after a silence", 43, seen, 365 + 7, True, 0),
            ("more than a week after a silence", 43, seen, 365 + 8, True, 400)):
        bent = list(entries)
        put(bent, payment, kind, body)
        if silent:
            put(bent, last - 1, 10, lease, 365)
        put(bent, last, leaves[last].kind, encoding.decode_body(leaves[last].kind, entries[last].body), days)
        report = replay.verify(writing.export(bent, own))
        checks.equal("expired, %s" % why, cents, report.totals["expired_cents"])


def epochs(checks, vectors):
    """RULES.md, "Epochs", "Lost tickets" and "Tills": a signed log of two epochs, and what is wrong."""
    data = base64.b64decode(vectors["export"])
    report = replay.verify(data, vectors["key"])
    checks.equal("epochs, findings", [], report.findings)
    checks.equal("epochs, root", vectors["root"], report.totals["root"])
    *entries, own = encoding.read_export(data)
    checks.equal("epochs, written again", True, writing.export(entries, own) == data)
    _proofs(checks, vectors, [entry.hash for entry in entries])
    _expired(checks, entries, own)
    for said in vectors["outside"]:
        report = replay.verify(data, None, said["note"])
        checks.equal("outside, %s" % said["why"], set() if said["finding"] is None else {said["finding"]},
                     {one.what for one in report.findings})
        checks.equal("outside, %s, first bad entry" % said["why"], None, report.first_bad)
    for said in vectors["own"]:
        report = replay.verify(writing.export(entries, said["note"]))
        checks.equal("own, %s" % said["why"], ({said["finding"]}, None),
                     ({one.what for one in report.findings}, report.first_bad))
    for said in vectors["changes"]:
        bent = list(entries)
        for one in said["entries"]:
            place, kind, raw = one["entry"], one["kind"], bytes.fromhex(one["body"])
            field = encoding.KINDS[kind][1]
            body = encoding.decode_body(kind, raw)
            leaf = encoding.parse_leaf(entries[place].leaf)._replace(
                kind=kind, draw=getattr(body, field) if field else 0)
            bent[place] = writing.sealed(leaf, entries[place].nonce, raw)
        report = replay.verify(writing.export(bent, own))
        checks.equal("%s, first bad entry" % said["why"], said["first_bad"], report.first_bad)
        checks.equal("%s, %s" % (said["why"], said["finding"]), True,
                     said["finding"] in _found(report, said["first_bad"]))


def draws(checks, vectors):
    """DRAW.md, 1 and 3 to 5."""
    for said in vectors:
        secrets = [bytes.fromhex(one) for one in said["secrets"]]
        checks.equal("%s, commitments" % said["name"], said["commitments"],
                     [draw.commitment(said["house"], said["draw"], one).hex() for one in secrets])
        key = draw.derive_key(said["house"], said["draw"], said["log_size"],
                              bytes.fromhex(said["seal_root"]), bytes.fromhex(said["rule_book_hash"]),
                              said["pool_size"], said["drawn"], secrets)
        numbers, used, rejected = draw.balls(key, said["pool_size"], said["drawn"])
        checks.equal("%s, numbers" % said["name"], said["balls"], list(numbers))
        checks.equal("%s, words" % said["name"], (said["words_used"], said["rejected"]), (used, rejected))


def _texts(paths):
    """File name -> text, of the files named and of those in the folders named."""
    found = {}
    for path in paths:
        names = [path]
        if os.path.isdir(path):
            names = [os.path.join(path, one) for one in (LEAVES, MEANING, CHECKPOINT, EPOCHS, BOOK) + DRAWS]
        for name in names:
            if os.path.isfile(name):
                with open(name, encoding="utf-8", newline="") as file:
                    found[os.path.basename(name)] = file.read()
    return found


def main(paths):
    texts = _texts(paths)
    of_draws = next((one for one in DRAWS if one in texts), DRAWS[0])
    status = 0
    for name, needs, run in (
            (LEAVES, (), lambda checks: leaves(checks, texts[LEAVES])),
            (CHECKPOINT, (), lambda checks: checkpoint(checks, texts[CHECKPOINT], texts.get(LEAVES))),
            (MEANING, (BOOK,), lambda checks: meaning(checks, json.loads(texts[MEANING]), texts[BOOK])),
            (EPOCHS, (), lambda checks: epochs(checks, json.loads(texts[EPOCHS]))),
            (of_draws, (), lambda checks: draws(checks, json.loads(texts[of_draws])))):
        missing = [one for one in (name,) + needs if one not in texts]
        if missing:
            print("%s: not checked, %s was not found" % (name, ", ".join(missing)))
            status = 1
            continue
        checks = Checks()
        run(checks)
        print("%s: %d right, %d wrong" % (name, checks.right, checks.wrong))
        status |= bool(checks.wrong)
    return status


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
