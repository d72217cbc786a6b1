#!/usr/bin/env python3
"""Makes tampered exports, and judges whether the verifier reports them rightly.

    tamper.py --seed N --count K EXPORT OUTDIR            makes them
    tamper.py --seed N --count K --judge EXPORT OUTDIR    and verifies each one

OUTDIR gets K exports and manifest.jsonl, a JSON object a line: file, sort,
entry (the tampered one), and the first bad entry that is right: "exact" (a
number, or null for no entry), or "from" and "to" (null: the end of the log)
with "none" telling whether no entry at all is right as well. "what" is the name
of a finding of that entry, where it is known. RULES.md says what is right:

- Bytes: the entry that cannot be read or whose bytes do not fit, or the place
  where the index does not fit. No entry when only the end suffers.
- One body changed, with commitment, leaf hash and header made anew: the entry
  itself when the body contradicts a rule there ("contradicts"); or the first
  later entry that the change contradicts.
- Whatever the change, the first DrawStarted whose seal covers the entry, or the
  first EpochOpened after it, can no longer be right ("covered"). When no such entry follows, no entry is named:
  only the checkpoint's size or root contradicts.
- Entries left out, put in or moved, with indices and references made anew: the
  same, by the places in the new export.
"""

import argparse
import glob
import json
import os
import random
import sys
from collections import Counter

import tampering_follower
import tampering_hand_over
import tampering_hands
import tampering_hosts
import tampering_lost_ticket
import tampering_people
import tampering_refusal
import tampering_remark
import tampering_room
import tampering_set
from stranger import replay
from tampering import (
    KEYED, Day, Unfit, any_field, between, book_starts, changed, commitments_opened, covered, cut_between,
    cut_in_end, cut_inside, cut_with_end, doubled, epoch_again, epoch_at_end, epoch_put_in,
    epoch_unsound, exactly, field_by, field_hash, flip, flip_length, flip_magic, flip_note,
    flip_part, foreign_inserted, foreign_replaced, halt_put_in, hold_elsewhere, hold_put_in, items,
    key_closed_put_in, key_of_before, lease_put_in, leaf_changed, left_out, more_after_end, numbers,
    other_ball, other_first_draw, other_last_draw, other_mark, other_number, other_payment,
    other_secret, other_text, other_ticket, other_wager, payment_doubled, put, release_put_in, removed,
    repeated, sale_after_close, same_person, seller, session_end_put_in, shift_end, small_order_key,
    stop_put_in, swapped, time_back, unpaid_after_later_start, void_by_seller, with_mark,
    withdrawn_refunded, withdrawn_reversed, used_as)

BYTES = {
    "flip_leaf": flip_part("leaf", "leaf_hash_wrong"), "flip_leaf_hash": flip_part("hash", "leaf_hash_wrong"),
    "flip_nonce": flip_part("nonce", "body_not_committed"),
    "flip_body": flip_part("body", "body_not_committed"), "flip_length": flip_length,
    "flip_magic": flip_magic, "flip_note": flip_note, "other_mark": other_mark,
    "more_after_end": more_after_end, "removed": removed, "doubled": doubled, "swapped": swapped,
    "cut_inside": cut_inside, "cut_between": cut_between, "cut_in_end": cut_in_end,
    "cut_with_end": cut_with_end, "foreign_inserted": foreign_inserted,
}

LEAVES = {
    "leaf_version": leaf_changed("leaf_unreadable", lambda day, index, chance: {
        "version": chance.choice((1, 3, 5))}),
    "leaf_kind": leaf_changed("leaf_unreadable", lambda day, index, chance: {
        "kind": chance.choice((0, 51, 59, 99, 255))}),
    "leaf_index": leaf_changed("index_wrong", lambda day, index, chance: {"index": index + 1}),
    "leaf_time": leaf_changed("time_decreases", time_back, 1),
    "leaf_day": leaf_changed("business_day_wrong", lambda day, index, chance: {
        "day": day.leaves[index].day + chance.choice((-1, 1))}),
    "leaf_draw": leaf_changed("header_draw_wrong", lambda day, index, chance: {
        "draw": day.leaves[index].draw + 1}),
    "body_longer": leaf_changed("body_unreadable", lambda day, index, chance: {
        "raw": day.entries[index].body + b"\0"}),
    "body_shorter": leaf_changed("body_unreadable", lambda day, index, chance: {
        "raw": day.entries[index].body[:-1]}),
}

CLEVER = {
    "foreign_replaced": foreign_replaced,
    "left_out": left_out, "repeated": repeated, "left_out_too": left_out, "repeated_too": repeated,
    # The house.
    "zone": changed(1, put(zone="Nowhere/Land"), "zone_unknown"),
    "log_key": changed(1, put(log_key="boulier/demo+00000000+AAAA"), "log_key_unreadable"),
    "log_key_small": changed(1, small_order_key, "log_key_unreadable"),
    "zone_of_machine": changed(1, lambda chance, body, day: body._replace(
        zone=chance.choice(("localtime", "posix/" + body.zone, "right/" + body.zone))), "zone_unknown"),
    "zone_case": changed(1, lambda chance, body, day: body._replace(zone=body.zone.lower()), "zone_unknown"),
    "first_draw_of_house": changed(1, field_by("first_draw", 1), lambda day, index: exactly(
        day.all_of(20)[0], "draw_number_wrong")),
    "short_name": changed(1, put(house="elsewhere"), commitments_opened),
    "book_hash": changed(2, field_hash("hash"), "rule_book_hash"),
    "book_version": changed(2, field_by("version", 1), "rule_book_version"),
    "book_text": changed(2, other_text("format = 3", "format = 1"), "rule_book_unreadable"),
    "book_counter": changed(2, other_text("[claim]", '[counter]\nwager = "0.00"\n[claim]'), "rule_book_unreadable"),
    "book_text_version": changed(2, other_text("version = ", "version = 9"), "rule_book_version"),
    "book_return": changed(2, other_text('5 = "450"', '5 = "45"'), "rule_book_return"),
    "book_comment": changed(2, other_text("\n", "\n# another\n"), book_starts),
    "book_mark": changed(2, with_mark, book_starts),
    "book_from": changed(2, put(effective_from=0), "rule_book_late"),
    "book_person": changed(2, same_person(), "same_person"),
    "person_name": changed(3, put(name="Somebody"), covered),
    "person_alone": changed(3, put(second=""), "person_wrong", lambda index, body: body.second),
    "person_twice": changed(3, lambda chance, body, day: body._replace(second=body.by), "same_person", lambda index, body: body.second),
    "person_by_nobody": changed(3, put(by="Nobody"), "person_wrong"),
    "person_roles": changed(3, put(roles=bytes([1, 7])), "roles_excluded", lambda index, body: body.second),
    "person_staff": changed(3, put(staff=""), "person_wrong"),
    "device_role": changed(4, put(role=9), used_as),
    "device_alone": changed(4, put(second=""), "device_wrong", lambda index, body: body.second and body.active),
    "device_twice": changed(4, lambda chance, body, day: body._replace(second=body.by), "same_person", lambda index, body: body.second),
    "device_by_nobody": changed(4, put(by="Nobody"), "device_wrong"),
    "session_again": changed(5, lambda chance, body, day: body._replace(
        session=day.bodies[day.all_of(5)[0]].session), "number_reused",
        lambda index, body: body.session > 1),
    "session_unknown": changed(6, put(session=1 << 40), "session_wrong"),
    "shift_float": changed(7, put(float_cents=-1), "till_wrong"),
    "till_float": changed(7, field_by("float_cents", 500), shift_end),
    "till_expected": changed(8, field_by("expected_cents", 5, -5), "till_expected"),
    "till_counted": changed(8, field_by("counted_cents", 5, -5), covered),
    "till_unknown": changed(8, put(shift=1 << 40), "till_wrong"),
    "till_amount": changed(9, field_by("amount_cents", 5), shift_end),
    "till_amount_none": changed(9, put(amount_cents=0), "till_wrong"),
    "till_kind": changed(9, put(kind=3), "till_wrong"),
    "till_person": changed(9, same_person(), "same_person"),
    "count_expected": changed(17, field_by("expected_cents", 5, -5), "till_expected"),
    "count_counted": changed(17, field_by("counted_cents", 5, -5), covered),
    "count_reason": changed(17, put(reason="another"), covered),
    "count_unknown": changed(17, put(shift=1 << 40), "till_wrong"),
    "count_elsewhere": changed(17, field_by("device", 1 << 20), "till_wrong"),
    "count_person": changed(17, same_person(), "same_person"),
    "fence": changed(10, field_by("fence", 1, -1), "fence_wrong"),
    "halt_figures": changed(11, field_by("seen_ms", 1000), covered),
    "halt_person": changed(12, same_person(), "same_person"),
    "stop_reason": changed(13, put(reason="another"), covered),
    "sales_person": changed(14, same_person(), "same_person"),
    "halt_put_in": halt_put_in, "stop_put_in": stop_put_in, "session_end_put_in": session_end_put_in,
    "lease_put_in": lease_put_in,
    # Epochs: most exports have none, so they are put in.
    "epoch_put_in": epoch_put_in, "epoch_at_end": epoch_at_end, "epoch_at_end_too": epoch_at_end,
    "epoch_again": epoch_again,
    "epoch_number": epoch_unsound("epoch_number", lambda past, chance: {
        "epoch": chance.choice((past.epoch, past.epoch - 1))}),
    "epoch_past": epoch_unsound("epoch_past", any_field({
        "continues_size": lambda past, chance: past.size + chance.choice((-1, 1)),
        "continues_root": lambda past, chance: flip(chance, past.root),
        "lost_size": lambda past, chance: chance.randrange(past.size),
        "lost_root": lambda past, chance: flip(chance, past.root)})),
    "epoch_numbers": epoch_unsound("epoch_numbers", any_field({
        "next_draw": lambda past, chance: past.draw - 1,
        "next_session": lambda past, chance: past.session - 1,
        "next_shift": lambda past, chance: past.shift - 1})),
    "epoch_person": epoch_unsound("same_person", lambda past, chance: {"second": chance.choice(("A1", ""))}),
    "epoch_reason": changed(15, put(reason="another"), covered),
    "epoch_of_export": changed(15, put(epoch=1), "epoch_number"),
    # Draws.
    "draw_number": changed(20, field_by("draw", 1), "draw_number_wrong"),
    "draw_source": changed(20, put(source=3), "draw_terms_wrong"),
    "draw_holders": changed(20, lambda chance, body, day: body._replace(
        holders=body.holders + body.holders[:1]), "draw_terms_wrong"),
    "draw_no_holders": changed(20, put(holders=[]), "draw_terms_wrong", lambda index, body: body.source == 1),
    "draw_times": changed(20, lambda chance, body, day: body._replace(
        closes_at_ms=body.draws_at_ms + 1), "draw_terms_wrong"),
    "draw_closes": changed(20, field_by("closes_at_ms", -1000), covered),
    "draw_cap": changed(20, field_by("cap_cents", 1), "draw_terms_wrong"),
    "commitment": changed(21, field_hash("commitment"), commitments_opened),
    "commitment_place": changed(21, put(position=200), "commitment_repeated"),
    "open_unknown": changed(22, put(draw=1 << 40), "draw_unknown"),
    "closing_tickets": changed(23, field_by("tickets", 1, -1), "close_totals"),
    "closing_selections": changed(23, field_by("selections", 1, -1), "close_totals"),
    "closing_wagered": changed(23, field_by("wagered_cents", 50, -50), "close_totals"),
    "seal_root": changed(24, field_hash("seal_root"), "seal_wrong"),
    "seal_size": changed(24, field_by("seal_size", 1, -1), "seal_wrong"),
    "draw_rule_book": changed(24, field_hash("rule_book_hash"), "draw_rule_book"),
    "ball": numbers(other_ball, "balls_differ"),
    "words_used": numbers(field_by("words_used", 1), "words_differ"),
    "secrets_hash": numbers(field_hash("secrets_hash"), "secrets_hash"),
    "ball_missing": changed(25, lambda chance, body, day: body._replace(balls=body.balls[:-1]), "balls_invalid"),
    "ball_outside": changed(25, lambda chance, body, day: body._replace(
        balls=body.balls[:-1] + b"\xff"), "balls_invalid"),
    "machine": changed(25, lambda chance, body, day: body._replace(
        machine=chance.choice((0, 2, 3, 4))), "source_wrong"),
    "certifier_none": changed(26, put(certifiers=[]), "certifier_wrong"),
    "certifier_one": changed(26, put(certifiers=["A1"]), "certifier_wrong"),
    "certifier_guard": changed(26, put(certifiers=["guard", "nobody-1"]), "certifier_wrong"),
    "certifier_seller": changed(26, seller, "certifier_wrong"),
    "certifier_others": changed(26, put(certifiers=["A1", "A2"]), covered),
    "secret": changed(27, other_secret, "secret_not_committed"),
    "secret_missing": changed(27, lambda chance, body, day: body._replace(
        secrets=body.secrets[1:]), "secret_not_committed"),
    "winners": changed(28, field_by("winners", 1, -1), "settlement_winners"),
    "small": changed(28, field_by("small_cents", 25, -25), "settlement_sums"),
    "large": changed(28, field_by("large_cents", 25, -25), "settlement_sums"),
    "payable": changed(28, field_by("payable_cents", 1, -1), "settlement_payable"),
    "factor": changed(28, field_by("large_numerator", 1), "settlement_factors"),
    "factor_scaled": changed(28, lambda chance, body, day: body._replace(
        small_numerator=2 * body.small_numerator, small_denominator=2 * body.small_denominator),
        "settlement_factors"),
    "breakage": changed(28, field_by("breakage_cents", 1), "settlement_payable"),
    "prize_root": changed(28, field_hash("prize_root"), "settlement_root"),
    "suspension_reason": changed(29, put(reason="another"), covered),
    "suspension_draw": changed(29, put(draw=1 << 40), "draw_unknown"),
    "resume_person": changed(30, same_person(), "same_person"),
    "void_person": changed(31, same_person(), "same_person"),
    "void_by_seller": void_by_seller,
    "void_tickets": changed(31, field_by("tickets", 1, -1), "void_totals"),
    "void_refund": changed(31, field_by("refund_cents", 50, -50), "void_totals"),
    # Tickets.
    "wager": changed(40, other_wager(False), between),
    "wager_with_price": changed(40, other_wager(True), between),
    "number": changed(40, other_number, between),
    "last_draw": changed(40, other_last_draw(False), "ticket_price"),
    "last_draw_with_price": changed(40, other_last_draw(True), between),
    "first_draw_with_price": changed(40, other_first_draw, between,
                                     lambda index, body: body.last_draw > body.first_draw),
    "price": changed(40, field_by("total_cents", 50, -50), "ticket_price"),
    "received_less": changed(40, lambda chance, body, day: body._replace(
        received_cents=body.total_cents - 1), "ticket_unpaid_for"),
    "received_more": changed(40, field_by("received_cents", 500), covered, lambda index, body: body.chip_change_cents == 0),
    "chip_more": changed(40, field_by("received_cents", 500), "ticket_change", lambda index, body: body.chip_change_cents),
    "chip_change": changed(40, field_by("chip_change_cents", 5, -5), "ticket_change"),
    "tender_unknown": changed(40, put(tender=4), "ticket_unpaid_for"),
    "claim_by": changed(40, field_by("claim_by", 1, -1), "ticket_claim_by"),
    "ticket_cap": changed(40, field_by("cap_cents", 100), "ticket_cap"),
    "ticket_rules": changed(40, field_by("rule_book", 1), "ticket_rule_book"),
    "ticket_no_selection": changed(40, put(selections=[]), "ticket_limits"),
    "ticket_game": changed(40, lambda chance, body, day: body._replace(
        selections=[body.selections[0]._replace(game="bingo")] + body.selections[1:]), "ticket_selection"),
    "secret_key": changed(40, field_by("secret_key", 1), covered),
    "sale_request": changed(40, field_hash("content_hash"), covered),
    "replay_of_later": changed(40, lambda chance, body, day: body._replace(replay_of=day.at),
                               "ticket_unknown"),
    "sale_after_close": sale_after_close,
    "key_again": changed(40, key_of_before(KEYED), "key_repeated"),
    "key_closed": changed(40, key_of_before((50,)), "key_closed"),
    "clerk": changed(40, put(badge="X9"), "badge_unknown"),
    "clerk_another": changed(40, put(badge="A1"), "session_badge"),
    "clerk_alone": changed(41, put(badge="X1"), "role_wrong"),
    "payer": changed(47, put(badge="A1"), "session_badge"),
    "sale_elsewhere": changed(43, put(device=1 << 30), "place_wrong"),
    "unpaid_by_clerk": changed(42, put(second="X1"), "role_wrong"),
    "till_of_sale": changed(40, put(shift=1 << 40), "till_wrong"),
    "cancel_refund": changed(41, field_by("refund_cents", 50, -50), "cancel_amount"),
    "cancel_tender": changed(41, lambda chance, body, day: body._replace(
        tender=body.tender % 3 + 1), "cancel_amount"),
    "cancel_on": changed(41, put(on=3), "cancel_without_paper"),
    "cancel_unsaid": changed(41, put(on=0), "cancel_without_paper"),
    "cancel_alone": changed(41, put(second=None), "cancel_alone", lambda index, body: body.second is not None
                            and body.refund_cents > 1_000),
    "typed_alone": changed(47, put(second=None), "payment_typed", lambda index, body: body.path == 5
                           and body.second is not None and 1_500 < body.total_cents < 4_000),
    "cancel_first_draw": changed(41, field_by("first_draw", 1), "ticket_unknown"),
    "key": changed(41, lambda chance, body, day: body._replace(
        key=day.bodies[body.ticket].key), "key_repeated"),
    "withdrawn_refunded": withdrawn_refunded, "withdrawn_reversed": withdrawn_reversed,
    "unpaid_after_later_start": unpaid_after_later_start,
    "unpaid_amount": changed(42, field_by("amount_cents", 50, -50), "unpaid_amount"),
    "unpaid_person": changed(42, same_person(), "same_person"),
    "unpaid_on": changed(42, put(on=3), "unpaid_without_paper"),
    "presented_how": changed(46, put(path=6), "presentation_wrong"),
    "paid_how": changed(47, put(path=4), "payment_without_code"),
    "read_total": changed(55, lambda chance, body, day: body._replace(
        reading=body.reading._replace(total_cents=body.reading.total_cents + 50)), "reading_wrong"),
    "read_alone": changed(55, same_person("badge"), "same_person"),
    "read_ticket": changed(55, put(ticket=0), "ticket_unknown"),
    "file_fits": changed(56, put(fits=3), "file_wrong"),
    "file_digits": changed(56, put(digits=17), "file_wrong"),
    "judged_file": changed(57, put(file=0), "file_unknown"),
    "judged_reason": changed(57, lambda chance, body, day: body._replace(
        reason=1 if body.is_paid else 0), "file_wrong"),
    "judged_ticket": changed(57, other_ticket, "file_wrong"),
    "judged_alone": changed(57, same_person(), "same_person"),
    "print_copy": changed(43, field_by("copy", 1, -1), "copy_wrong"),
    "print_how": changed(43, put(how=9), covered),
    "release_person": changed(44, same_person(), "same_person"),
    "release_ticket": changed(44, put(ticket=0), "ticket_unknown"),
    "release_put_in": release_put_in,
    "duplicate_on": changed(45, put(on=3), "duplicate_without_paper"),
    "duplicate_copy": changed(45, field_by("copy", 1, -1), "copy_wrong"),
    "duplicate_person": changed(45, same_person(), "same_person"),
    "claim_ticket": changed(46, put(ticket=0), "ticket_unknown"),
    "claim_of_nothing": changed(46, put(draws=[]), "presentation_wrong"),
    "claim_draw_twice": changed(46, lambda chance, body, day: body._replace(
        draws=body.draws + body.draws[:1]), "presentation_wrong"),
    "claim_draw_unknown": changed(46, lambda chance, body, day: body._replace(
        draws=body.draws + [0]), "presentation_wrong"),
    "note_ticket": changed(49, put(ticket=0), "ticket_unknown"),
    "note_facts": changed(49, put(facts=255), covered),
    "closed_key_used": changed(50, key_of_before(KEYED), "key_repeated"),
    "closed_key_again": changed(50, key_of_before((50,)), "key_repeated"),
    "key_closed_put_in": key_closed_put_in,
    # Payments.
    "payment_amount": changed(47, other_payment, "payment_amount"),
    "payment_rounding": changed(47, field_by("rounding_cents", 1, -1), "payment_total"),
    "payment_kind": changed(47, items(lambda old: [old[0]._replace(kind=3 - old[0].kind)] + old[1:]),
                            "payment_not_due"),
    "payment_item_twice": changed(47, items(lambda old: old + old[:1]), "payment_twice"),
    "payment_empty": changed(47, items(lambda old: []), "payment_total"),
    "payment_doubled": payment_doubled,
    "payment_second": changed(47, same_person("badge"), "same_person"),
    "payment_path": changed(47, put(path=2), "payment_without_code"),
    "payment_tender": changed(47, put(tender=2, rounding_cents=0), "payment_total",
                              lambda index, body: any(item.kind == 1 for item in body.items)),
    "payment_ticket": changed(47, put(ticket=0), "ticket_unknown"),
    "reversal_cash": changed(48, field_by("cash_cents", 5), "reversal_amount"),
    "reversal_person": changed(48, same_person(), "same_person"),
    "reversal_shift": changed(48, field_by("shift", 1), "reversal_wrong"),
    "reversal_payment": changed(48, lambda chance, body, day: body._replace(payment=body.ticket),
                                "reversal_wrong"),
    "hold_put_in": hold_put_in, "hold_elsewhere": hold_elsewhere,
    "hold_ticket": changed(52, put(ticket=0), "ticket_unknown"),
}
CLEVER.update(tampering_follower.SORTS)
CLEVER.update(tampering_hand_over.SORTS)
CLEVER.update(tampering_hands.SORTS)
CLEVER.update(tampering_hosts.SORTS)
CLEVER.update(tampering_lost_ticket.SORTS)
CLEVER.update(tampering_refusal.SORTS)
CLEVER.update(tampering_people.SORTS)
CLEVER.update(tampering_remark.SORTS)
CLEVER.update(tampering_room.SORTS)
CLEVER.update(tampering_set.SORTS)


def make(day, other, chance, count):
    """Yields (sort, bytes, entry, right), every sort in turn."""
    sorts = list(BYTES.items()) + list(LEAVES.items()) + list(CLEVER.items())
    made = tried = 0
    while made < count:
        if tried % len(sorts) == 0:
            chance.shuffle(sorts)
        name, sort = sorts[tried % len(sorts)]
        tried += 1
        if tried > 100 * (count + len(sorts)):
            raise SystemExit("tamper.py: the export has too little in it")
        try:
            data, entry, right = sort(day, other, chance)
        except (Unfit, OverflowError):  # a changed number need not fit its field
            continue
        # What is put in is said by people, and of devices, that are on record by then.
        if name in CLEVER and entry is not None and entry <= day.staffed:
            continue
        made += 1
        yield name, data, entry, right


def is_right(right, report):
    if report.holds:
        return False
    found = report.first_bad
    if "what" in right and right["what"] not in {one.what for one in report.findings
                                                 if one.entry == found}:
        return False
    if "exact" in right:
        return found == right["exact"]
    if found is None:
        return right["none"]
    return right["from"] <= found and (right["to"] is None or found <= right["to"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--other", help="another export to take entries from; default: one beside EXPORT")
    parser.add_argument("--judge", action="store_true", help="verify each tampered export, too")
    parser.add_argument("export", metavar="EXPORT")
    parser.add_argument("outdir", metavar="OUTDIR")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    day = Day(options.export)
    other = options.other
    if other is None:
        beside = sorted(glob.glob(os.path.join(os.path.dirname(options.export) or ".", "*.log")))
        beside = [path for path in beside if not os.path.samefile(path, options.export)]
        if not beside:
            parser.error("no other export beside EXPORT: name one with --other")
        other = chance.choice(beside)
    other = Day(other)
    os.makedirs(options.outdir, exist_ok=True)
    judged = Counter()
    with open(os.path.join(options.outdir, "manifest.jsonl"), "w", encoding="utf-8") as manifest:
        for number, (name, data, entry, right) in enumerate(make(day, other, chance, options.count)):
            file = "%04d-%s.log" % (number, name)
            with open(os.path.join(options.outdir, file), "wb") as out:
                out.write(data)
            line = dict({"file": file, "sort": name, "entry": entry}, **right)
            if options.judge:
                report = replay.verify(data)
                line.update(holds=report.holds, first_bad=report.first_bad,
                            whats=sorted({one.what for one in report.findings
                                          if one.entry == report.first_bad}),
                            right=is_right(right, report))
                judged["reported" if not report.holds else "missed"] += 1
                judged["right" if line["right"] else "wrong"] += 1
                if not line["right"]:
                    print("WRONG %s" % json.dumps(line))
            manifest.write(json.dumps(line) + "\n")
    if options.judge:
        print("%s: %d tampered, %d reported, %d with the right first bad entry"
              % (options.export, options.count, judged["reported"], judged["right"]))
        return 1 if judged["wrong"] else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
