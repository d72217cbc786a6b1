"""Makes vectors/meaning.json from RULES.md alone: ways, prizes, settlements, returns, tills, days.

It shares no code with the crates. Standard library only. Run: python3 make_meaning.py > meaning.json
"""
import hashlib
import itertools
import json
import math
import pathlib
import struct
import tomllib
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from zoneinfo import ZoneInfo

ROOT = pathlib.Path(__file__).resolve().parents[3]
BOOK_PATH = "samples/rules/demonstration.toml"
BOOK = tomllib.loads((ROOT / BOOK_PATH).read_text(encoding="utf-8"))
GAME = BOOK["game"][0]
DRAWN = [5, 7, 3, 80, 66, 14, 22, 9, 33, 41, 48, 52, 57, 60, 63, 70, 72, 75, 77, 29]


def cents(text):
    return int(Fraction(text) * 100)


def pays(spots, catch):
    return Fraction(GAME["pays"][str(spots)].get(str(catch), "0"))


def prize(spots, catch, wager_cents):
    return math.floor(wager_cents * pays(spots, catch))


def ways(groups, kings, king_alone):
    """Every way as (spots, numbers)."""
    parts = [(group, True) for group in groups] + [([king], False) for king in kings]
    found = []
    for count in range(1, len(parts) + 1):
        for chosen in itertools.combinations(parts, count):
            if king_alone or any(is_group for _, is_group in chosen):
                numbers = sorted(number for part, _ in chosen for number in part)
                found.append((len(numbers), numbers))
    return sorted(found)


def selection(kind, groups, kings, king_alone, wagers):
    """A selection with everything that follows from it; wagers are [spots, cents] lines."""
    every = ways(groups, kings, king_alone)
    sizes = sorted({spots for spots, _ in every})
    lines = []
    for spots, wager_cents in wagers:
        sets = [numbers for size, numbers in every if size == spots]
        prizes = []
        for numbers in sets:
            catch = len(set(numbers) & set(DRAWN))
            prizes.append({"numbers": numbers, "catch": catch,
                           "prize_cents": prize(spots, catch, wager_cents)})
        lines.append({"spots": spots, "ways": len(sets), "wager_cents": wager_cents,
                      "prizes": prizes})
    return {
        "kind": kind, "groups": groups, "kings": kings, "king_alone": king_alone,
        "generated": [[spots, sum(size == spots for size, _ in every)] for spots in sizes],
        "conditioning": lines,
        "per_draw_cents": sum(line["ways"] * line["wager_cents"] for line in lines),
        "won_cents": sum(it["prize_cents"] for line in lines for it in line["prizes"]),
    }


def root(leaves):
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\1" + root(leaves[:split]) + root(leaves[split:])).digest()


def factors(small, large, cap):
    if small + large <= cap:
        return (1, 1), (1, 1)
    if small <= cap:
        return (1, 1), (cap - small, large)
    both = (cap, small + large)
    return both, both if large else (1, 1)


def settlement(why, cap, threshold, tickets):
    """Tickets are [ticket, [prize of each way]]."""
    every = [each for _, prizes in tickets for each in prizes]
    small = sum(each for each in every if each < threshold)
    large = sum(each for each in every if each >= threshold)
    of_small, of_large = factors(small, large, cap)
    listed = []
    for ticket, prizes in sorted(tickets):
        payable = 0
        for each in prizes:
            numerator, denominator = of_small if each < threshold else of_large
            payable += each * numerator // denominator
        if sum(prizes) > 0:
            listed.append([ticket, sum(prizes), payable])
    paid = sum(payable for _, _, payable in listed)
    return {
        "why": why, "cap_cents": cap, "full_below_cents": threshold, "tickets": tickets,
        "small_cents": small, "large_cents": large,
        "small_factor": of_small, "large_factor": of_large,
        "winners": len(listed), "prize_list": listed, "payable_cents": paid,
        "breakage_cents": min(cap, small + large) - paid,
        "prize_root": root([struct.pack(">Qqq", *line) for line in listed]).hex(),
    }


def carried_return(spots, wagers):
    """Return of a ticket alone in its draw; wagers are [cents, how many] on the same numbers."""
    cap, threshold = cents(BOOK["cap"]["per_draw"]), cents(BOOK["cap"]["full_below"])
    size, drawn = BOOK["pool"]["size"], BOOK["pool"]["drawn"]
    paid = 0
    for catch in range(spots + 1):
        prizes = [prize(spots, catch, wager) for wager, times in wagers for _ in range(times)]
        payable = settlement("", cap, threshold, [[1, prizes]])["payable_cents"]
        paid += payable * math.comb(spots, catch) * math.comb(size - spots, drawn - catch)
    cost = sum(wager * times for wager, times in wagers)
    rate = Fraction(paid, math.comb(size, drawn) * cost)
    return {"spots": spots, "wagers": wagers, "return": f"{rate.numerator}/{rate.denominator}"}


def judged(why, cap, full_below, selections, spots, games):
    """The lines of "Return (s. 85)" of one number of spots: game, wager, how, least return."""
    size, drawn = BOOK["pool"]["size"], BOOK["pool"]["drawn"]
    draws = [math.comb(spots, k) * math.comb(size - spots, drawn - k) for k in range(spots + 1)]
    cap_cents, threshold = cents(cap), cents(full_below)
    choices = []
    for at, game in enumerate(games):
        step, least, most, same = (cents(game["wager"][key])
                                   for key in ("step", "min", "max", "same_numbers"))
        paid_for_one = [Fraction(game["pays"].get(str(catch), "0")) for catch in range(spots + 1)]
        for wager in range(least, most + 1, step):
            choices.append({"at": at, "w": wager, "limit": same, "step": step, "max": most, "min": least,
                            "p": [math.floor(wager * pays) for pays in paid_for_one]})
    unit = math.gcd(*(choice["step"] for choice in choices))
    least, most = min(it["min"] for it in choices), max(it["max"] for it in choices)
    for it in choices:
        room = it["limit"] - it["w"]
        it["j"] = min(selections - 1, room // least)
        it["c"] = it["w"] + min(it["j"] * most, room // unit * unit)
    bitten = [any(it["p"][catch] * it["c"] > cap_cents * it["w"] for it in choices)
              for catch in range(spots + 1)]
    tickets = [] if any(bitten) else None
    for count in range(1, selections + 1) if tickets is not None else []:
        for ticket in itertools.combinations_with_replacement(range(len(choices)), count):
            if sum(choices[at]["w"] for at in ticket) <= min(choices[at]["limit"] for at in ticket):
                tickets.append(ticket)
        if len(tickets) > 10_000:
            break
    every = math.comb(size, drawn)
    lines = []
    if tickets is None:
        how = "alone"
        rates = [Fraction(sum(d * p for d, p in zip(draws, it["p"])), every * it["w"]) for it in choices]
    elif len(choices) <= 200 and len(tickets) <= 10_000:
        how = "ticket"
        rates = [None] * len(choices)
        for ticket in tickets:
            paid = sum(d * settlement("", cap_cents, threshold,
                                      [[1, [choices[at]["p"][catch] for at in ticket]]])["payable_cents"]
                       for catch, d in enumerate(draws))
            rate = Fraction(paid, every * sum(choices[at]["w"] for at in ticket))
            for at in ticket:
                rates[at] = rate if rates[at] is None else min(rate, rates[at])
    else:
        how = "bound"
        rates = [sum(Fraction(d, every) * (min(Fraction(p, it["w"]), Fraction(max(cap_cents - it["j"], 0), it["c"]))
                                           if bites else Fraction(p, it["w"]))
                     for d, p, bites in zip(draws, it["p"], bitten)) for it in choices]
    for it, rate in zip(choices, rates):
        lines.append([it["at"], it["w"], f"{rate.numerator}/{rate.denominator}"])
    return {"why": why, "cap": cap, "full_below": full_below, "selections": selections, "spots": spots,
            "games": games, "how": how, "lines": lines}


def offered(step, least, most, same, pays):
    return {"wager": {"step": step, "min": least, "max": most, "same_numbers": same}, "pays": pays}


FIVE = {"1": "0.25", "3": "4.64", "4": "12.75", "5": "450"}
SEVEN = {"3": "1", "4": "3", "5": "15", "6": "125", "7": "4000"}


def returns_judged():
    return [
        judged("no cap bites: a wager alone, the smallest by its cut cents", "50000.00", "1000.00", 4, 3,
               [offered("0.25", "0.25", "1.25", "5.00", {"2": "1.15", "3": "42"})]),
        judged("few tickets: one of 1.50 and 2.50 returns less than any equal wagers", "50.00", "0", 2, 5,
               [offered("0.50", "0.50", "2.50", "4.00", FIVE)]),
        judged("the threshold between the prizes of one ticket", "50.00", "19.00", 2, 5,
               [offered("0.50", "0.50", "2.50", "4.00", FIVE)]),
        judged("two games on one ticket", "50000.00", "1000.00", 2, 7,
               [offered("0.50", "10.00", "10.00", "19.50", SEVEN),
                offered("0.50", "5.00", "5.00", "15.00", SEVEN)]),
        judged("many tickets: a bound, twelve selections", "20000.00", "1000.00", 12, 7,
               [offered("0.25", "0.25", "2.00", "12.10", SEVEN)]),
        judged("many tickets whose prizes are cut", "9.99", "2.00", 9, 5,
               [offered("0.15", "0.30", "1.35", "4.44", FIVE)]),
        judged("a cap below the cents that may be cut", "0.03", "0.02", 14, 2,
               [offered("0.01", "0.01", "0.09", "1.00", {"2": "12"})]),
    ]


def milliseconds(text):
    moment = datetime.fromisoformat(text)
    return int(moment.timestamp() * 1000)


def claim_by(zone, draws_at, days):
    at_ms = milliseconds(draws_at)
    local = datetime.fromtimestamp(at_ms / 1000, timezone.utc).astimezone(ZoneInfo(zone))
    last = local.date() + timedelta(days=days)
    return {"zone": zone, "draws_at": draws_at, "draws_at_ms": at_ms, "days": days,
            "business_day": int(local.strftime("%Y%m%d")), "claim_by": int(last.strftime("%Y%m%d"))}


def rounding(total):
    return {1: -1, 6: -1, 2: -2, 7: -2, 3: 2, 8: 2, 4: 1, 9: 1}.get(total % 10, 0)


# What changes the expected cash of a till, in its order: fact, cents, and whether in cash.
TILL = [
    ["float", 50_000, True], ["sale", 400, True], ["sale", 250, False], ["sale", 300, True],
    ["sale", 102, True], ["fill", 100_000, True], ["cancellation", 300, True],
    ["unpaid", 400, True], ["payment", 102, True], ["reversal", 102, True],
    ["payment", 102, True], ["refund", 250, False], ["drop", 20_000, True],
]


def till(facts):
    expected = 0
    for fact, amount, in_cash in facts:
        sign = 1 if fact in ("float", "sale", "fill", "reversal") else -1
        handed = amount + (rounding(amount) if fact in ("payment", "reversal") else 0)
        expected += sign * handed if in_cash else 0
    return {"facts": facts, "expected_cents": expected}


def most_of_a_ticket(draws, selections, ways_max, games):
    """Games are [has ways or kings, highest wager]; a text, for it may be beyond 64 bits."""
    dearest = max((ways_max if has_ways else 1) * wager_cents for has_ways, wager_cents in games)
    return str(draws * selections * dearest)


def lost_ticket():
    limits = BOOK["limits"]
    draws, selections = limits["draws"], limits["selections"]
    highest = [(("way" in game or "king" in game), cents(game["wager"]["max"]))
               for game in BOOK["game"]]
    without = [(False, wager_cents) for _, wager_cents in highest]
    return {
        "most_cents": most_of_a_ticket(draws, selections, limits["ways"], highest),
        "without_ways_cents": most_of_a_ticket(draws, selections, limits["ways"], without),
        "widest_cents": most_of_a_ticket(65_535, 255, 2_000, [(True, 0xffff_ffff)]),
    }


def counter(wager, *picks):
    """The text of a `[counter]`; a pick is the text of its table."""
    return "\n".join(["[counter]", *wager] + ["[[counter.express]]\n" + pick for pick in picks]) + "\n"


def counters():
    """Whether the book holds with each of these texts where its own `[counter]` stands: each
    verdict is what "The rule book" says of a book whose one game has straight selections of 1 to
    10 spots and wagers of 0.50 to 20.00 by steps of 0.50."""
    one, pick = ['wager = "1.00"'], 'spots = 3\nwager = "1.00"'
    holds = {
        "no table": "",
        "a wager alone": counter(one),
        "no picks": counter(one + ["express = []"]),
        "eight picks": counter(one, *[pick] * 8),
        "the game by its code": counter(one, pick + '\ngame = "keno"'),
        "the least of everything": counter(['wager = "0.50"'], 'spots = 1\nwager = "0.5"'),
        "the most of everything": counter(['wager = "20"'], 'spots = 10\nwager = "20.00"'),
    }
    faults = {
        "picks without a wager": counter([], pick),
        "a wager below the least": counter(['wager = "0.00"']),
        "a wager above the most": counter(['wager = "20.50"']),
        "a wager between steps": counter(['wager = "1.25"']),
        "a wager that is no amount": counter(['wager = "1,00"']),
        "a wager that is a number": counter(["wager = 1"]),
        "an unknown key": counter(one + ["odds = 3"]),
        "a list of tables": "[" + counter(one).replace("]", "]]", 1),
        "a list of values": 'counter = ["1.00"]\n',
        "nine picks": counter(one, *[pick] * 9),
        "picks that are a table": counter(one) + '[counter.express]\nspots = 3\nwager = "1.00"\n',
        "a pick that is a list": counter(one + ['express = [[3, "1.00"]]']),
        "a pick without spots": counter(one, 'wager = "1.00"'),
        "a pick without a wager": counter(one, "spots = 3"),
        "a pick with an unknown key": counter(one, pick + "\ndraws = 1"),
        "a pick of an unknown game": counter(one, pick + '\ngame = "super"'),
        "a pick whose game is a number": counter(one, pick + "\ngame = 1"),
        "a pick of no spots": counter(one, pick.replace("3", "0")),
        "a pick of too many spots": counter(one, pick.replace("3", "11")),
        "a pick of spots as text": counter(one, pick.replace("3", '"3"')),
        "a pick below the least wager": counter(one, pick.replace("1.00", "0.00")),
        "a pick above the most wager": counter(one, pick.replace("1.00", "20.50")),
        "a pick between steps": counter(one, pick, pick.replace("1.00", "0.75")),
    }
    return [{"of": of, "text": text, "holds": verdict}
            for verdict, texts in ((True, holds), (False, faults)) for of, text in texts.items()]


def main():
    three, two = [[6, 7], [8]], [[3, 4]]
    made = {
        "about": "Made from RULES.md by make_meaning.py; amounts in cents.",
        "book": BOOK_PATH,
        "drawn": DRAWN,
        "selections": [
            selection(1, [[3, 5, 7, 10, 14]], [], True, [[5, 250]]),
            selection(2, [[3, 14, 22, 29], [40, 51, 66, 80], [7]], [], True,
                      [[5, 50], [4, 100], [8, 50], [1, 200]]),
            selection(3, three, [5], True, [[1, 50], [2, 50], [3, 100], [4, 50]]),
            selection(3, three, [5], False, [[1, 50], [2, 50], [3, 100], [4, 50]]),
            selection(3, two, [1, 2], True, [[1, 50], [2, 50], [4, 150]]),
            selection(3, two, [1, 2], False, [[2, 50], [4, 150]]),
        ],
        "settlements": [
            settlement("nothing bites", 100_000, 10_000, [[17, [90_000, 3_000]], [40, [50]]]),
            settlement("the large share what is left", 100_000, 10_000,
                       [[17, [90_000, 3_000]], [21, [60_000]], [40, [9_999]]]),
            settlement("a prize at the threshold is large", 100_000, 10_000,
                       [[1, [10_000]], [2, [9_999, 95_000]]]),
            settlement("small alone exceed the cap: all shrink alike", 1_000, 500,
                       [[3, [400, 400, 400, 400]], [9, [900]]]),
            settlement("and no large: its factor stays 1/1", 1_000, 500,
                       [[3, [400, 400]], [9, [400, 400]]]),
            settlement("a winner who is paid nothing stands in the list", 100, 0,
                       [[5, [1]], [6, [300]]]),
            settlement("nobody wins", 1_000, 500, []),
        ],
        "returns": [
            carried_return(1, [[50, 1]]),
            carried_return(10, [[2_000, 1]]),
            carried_return(10, [[1_150, 1], [850, 1]]),
            carried_return(9, [[500, 4]]),
        ],
        "judged": returns_judged(),
        "counters": counters(),
        "till": till(TILL),
        "lost_ticket": lost_ticket(),
        "cash_rounding": [[total, rounding(total)] for total in range(100, 111)],
        "days": [
            claim_by("America/Toronto", "2026-03-08T01:59:00-05:00", 1),
            claim_by("America/Toronto", "2026-03-08T03:00:00-04:00", 365),
            claim_by("America/Toronto", "2026-03-07T23:55:00-05:00", 1),
            claim_by("America/Toronto", "2026-11-01T01:30:00-04:00", 30),
            claim_by("America/Toronto", "2026-11-01T01:30:00-05:00", 30),
            claim_by("America/Toronto", "2026-10-31T23:59:59-04:00", 1),
            claim_by("America/Toronto", "2026-11-02T00:00:00-05:00", 365),
            claim_by("America/Toronto", "2028-02-28T22:00:00-05:00", 1),
        ],
    }
    print(render(made))


def render(value, indent=0):
    """JSON with short things on one line."""
    short = json.dumps(value, ensure_ascii=False)
    if len(short) + indent <= 110 or isinstance(value, str):
        return short
    pad, end = " " * (indent + 2), " " * indent
    if isinstance(value, dict):
        inner = [f"{pad}{json.dumps(key)}: {render(it, indent + 2)}" for key, it in value.items()]
        return "{\n" + ",\n".join(inner) + f"\n{end}}}"
    inner = [pad + render(it, indent + 2) for it in value]
    return "[\n" + ",\n".join(inner) + f"\n{end}]"


if __name__ == "__main__":
    main()
