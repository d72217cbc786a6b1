#!/usr/bin/env python3
"""Verifies exports of a game log from the documents of its format alone.

Python 3.9 or later, standard library only. For every export: a report in
words, or with --json one JSON object on a line. Exit status 0 when all hold, 1
when some does not, 2 on misuse.

What holds, and which entry is named as the first bad one, is said in RULES.md;
entries are counted from 0 by their place in the export. There is no first bad
entry when only the export as a whole is at fault.
"""

import argparse
import json
import os
import sys

from stranger import replay, vectors


def read_key(text):
    """The text of a verifier key, from a file or as it was given."""
    if os.path.isfile(text):
        with open(text, encoding="utf-8") as file:
            text = file.read()
    return text


def money(cents):
    return "%s%d.%02d" % ("-" if cents < 0 else "", abs(cents) // 100, abs(cents) % 100)


def as_json(path, report):
    return json.dumps({
        "file": path, "holds": report.holds, "first_bad": report.first_bad,
        "findings": [one._asdict() for one in report.findings],
        "findings_left_out": report.left_out, "notes": report.notes, "totals": report.totals})


def as_words(path, report):
    totals = report.totals
    lines = [path]
    if report.house is not None:
        lines.append("  house    %s (%s)" % (report.house.name, report.house.house))
    lines.append("  entries  %d" % totals["entries"])
    if totals["epoch"] != 1:
        lines.append("  epoch    %d" % totals["epoch"])
    lines.append("  draws    %d closed, %d settled, %d void"
                 % (totals["draws_closed"], totals["draws_settled"], totals["draws_void"]))
    lines.append("  tickets  %d sold, %d cancelled, %d unpaid"
                 % (totals["tickets_sold"], totals["tickets_cancelled"], totals["tickets_unpaid"]))
    lines.append("  wagered  %s in closed draws" % money(totals["wagered_cents"]))
    lines.append("  paid     %s in prizes, %s in refunds"
                 % (money(totals["prizes_cents"]), money(totals["refunds_cents"])))
    if totals["lost_tickets"]:
        lines.append("  lost     %d tickets refunded, %s"
                     % (totals["lost_tickets"], money(totals["lost_tickets_cents"])))
    lines.append("  root     %s" % totals["root"])
    lines += ["  note     %s" % note for note in report.notes]
    if report.holds:
        lines.append("  holds")
    else:
        lines.append("  does not hold: %s" % (
            "no entry is at fault" if report.first_bad is None
            else "first bad entry %d" % report.first_bad))
    for one in report.findings:
        lines.append("  %8s  %s: %s" % ("-" if one.entry is None else one.entry, one.what, one.detail))
    if report.left_out:
        lines.append("  and %d more" % report.left_out)
    return "\n".join(lines)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--key", help="the house's verifier key, as a file or as text")
    parser.add_argument("--checkpoint", help="a file with a signed checkpoint kept outside")
    parser.add_argument("--json", action="store_true", help="one JSON object a line per export")
    parser.add_argument("--drill", action="store_true",
                        help="the log is a drill: numbers may be played back (machine 3)")
    parser.add_argument("--self-test", action="store_true",
                        help="check the golden vectors in the folders or files named instead")
    parser.add_argument("exports", nargs="+", metavar="EXPORT")
    options = parser.parse_args(arguments)
    if options.self_test:
        return vectors.main(options.exports)
    try:
        key = read_key(options.key) if options.key is not None else None
        checkpoint = None
        if options.checkpoint:
            with open(options.checkpoint, encoding="utf-8", newline="") as file:
                checkpoint = file.read()
    except (OSError, ValueError) as error:
        print("verify.py: %s" % error, file=sys.stderr)
        return 2
    status = 0
    for path in options.exports:
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            # The other exports are verified all the same.
            print("verify.py: %s" % error, file=sys.stderr)
            status = 2
            continue
        report = replay.verify(data, key, checkpoint, options.drill)
        if not report.holds:
            status = max(status, 1)
        out = (as_json if options.json else as_words)(path, report) + "\n"
        # Names and texts of a broken record may not fit the terminal's encoding.
        sys.stdout.buffer.write(out.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    return status


if __name__ == "__main__":
    sys.exit(main())
