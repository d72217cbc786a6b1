"""A rule book read from its text, and what its tables return (RULES.md, "The rule book")."""

import re
import unicodedata
from fractions import Fraction
from math import comb, gcd

from . import toml

STRAIGHT, WAY, KING, SET = 1, 2, 3, 4
KIND_NAMES = {STRAIGHT: "straight", WAY: "way", KING: "king", SET: "set"}
TENDERS = {"cash": 1, "coupon": 2, "chip": 3}

MOST_WAGER = 4294967295      # cents
MOST_PAYS = 4294967295       # hundredths
MOST_CATCH = 20
MOST_BYTES = 1024 * 1024
MOST_EXPRESS = 8
LEAST_RETURN = Fraction(65, 100)
MOST_LINES = 200000
MOST_CHOICES = 200
MOST_TICKETS = 10000

_AMOUNT = re.compile(r"(0|[1-9][0-9]*)(?:\.([0-9]{1,2}))?")
_PAYS = re.compile(r"([0-9]+)(?:\.([0-9]{1,2}))?")
_CODE = re.compile(r"[a-z0-9-]{1,16}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,3}")


class BadBook(Exception):
    """A text that is not a rule book."""


def _hundredths(form, text, most, what):
    """A decimal text as whole hundredths."""
    found = form.fullmatch(text) if isinstance(text, str) else None
    if not found:
        raise BadBook("%s is not an amount" % what)
    whole = found.group(1).lstrip("0") or "0"
    value = most + 1 if len(whole) > 20 else int(whole) * 100 + int((found.group(2) or "").ljust(2, "0"))
    if value > most:
        raise BadBook("%s is too large" % what)
    return value


class _Keys:
    """The keys of one table, taken one by one; what is left at the end is refused."""

    def __init__(self, table, where=""):
        if not isinstance(table, dict):
            raise BadBook("%s is not a table" % (where or "the text"))
        self.left = dict(table)
        self.where = where + "." if where else ""

    def take(self, key, optional=False):
        if key in self.left:
            return self.left.pop(key)
        if optional:
            return None
        raise BadBook("%s%s is missing" % (self.where, key))

    def done(self):
        for key in self.left:
            raise BadBook("%s%s is no key of a rule book" % (self.where, key))

    def table(self, key):
        return _Keys(self.take(key), self.where + key)

    def number(self, key, low, high, optional=False, unsaid=None):
        value = self.take(key, optional or unsaid is not None)
        if value is None:
            return unsaid
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadBook("%s%s is not a number from %d to %d" % (self.where, key, low, high))
        return value

    def amount(self, key, low=1, high=(1 << 63) - 1, optional=False, unsaid=None):
        text = self.take(key, optional or unsaid is not None)
        if text is None:
            return unsaid
        value = _hundredths(_AMOUNT, text, high, self.where + key)
        if value < low:
            raise BadBook("%s%s is too small" % (self.where, key))
        return value

    def words(self, *keys):
        """Tables of ``fr`` and ``en``; nothing is judged by what they say."""
        for key in keys:
            table = self.table(key)
            for language in ("fr", "en"):
                text = table.take(language)
                if not isinstance(text, str) or not text.strip() or any(
                        unicodedata.category(one) == "Cc" for one in text):
                    raise BadBook("%s%s are no words" % (table.where, language))
            table.done()

    def choice(self, key, choices):
        value = self.take(key)
        if not isinstance(value, str) or value not in choices:
            raise BadBook("%s%s is none of %s" % (self.where, key, ", ".join(choices)))
        return value


def _set(text, pool):
    """The numbers of a named set: numbers and runs of them, ascending, one space between."""
    numbers = []
    for part in text.split(" ") if isinstance(text, str) else [""]:
        ends = part.split("-")
        if len(ends) > 2 or not all(_NUMBER.fullmatch(end) for end in ends):
            raise BadBook("game.set: %r" % text)
        first, last = int(ends[0]), int(ends[-1])
        if len(ends) == 2 and first >= last or first <= (numbers[-1] if numbers else 0) or last > pool:
            raise BadBook("game.set: %r" % text)
        numbers.extend(range(first, last + 1))
    return bytes(numbers)


class Game:
    """One ``[[game]]`` of a rule book."""

    def __init__(self, keys, pool):
        self.code = keys.take("code")
        if not isinstance(self.code, str) or not _CODE.fullmatch(self.code):
            raise BadBook("game.code")
        keys.words("name")
        self.spots = {}
        self.set = None
        if KIND_NAMES[SET] in keys.left:
            self.set = _set(keys.take(KIND_NAMES[SET]), pool)
            self.spots[SET] = (len(self.set), len(self.set))
        for kind, name in KIND_NAMES.items():
            if kind != SET and name in keys.left:
                limits = keys.table(name)
                low = limits.number("min", 1, pool)
                self.spots[kind] = (low, limits.number("max", low, pool))
                limits.done()
        if not self.spots:
            raise BadBook("a game without straight, way, king and set")
        self.king_alone = keys.take("king_alone")
        if not isinstance(self.king_alone, bool):
            raise BadBook("game.king_alone is neither true nor false")
        wager = keys.table("wager")
        self.step = wager.amount("step")
        self.min = wager.amount("min")
        self.max = wager.amount("max", self.min, MOST_WAGER)
        self.same_numbers = wager.amount("same_numbers", self.max)
        wager.done()
        if self.min % self.step or self.max % self.step or (self.max - self.min) // self.step >= 10000:
            raise BadBook("game.wager.step does not fit min and max")
        self.pays = self._pays(keys.take("pays"), pool)
        keys.done()

    @staticmethod
    def _pays(table, pool):
        """pays[spots][catch] in hundredths for one hundredth wagered times 100."""
        if not isinstance(table, dict):
            raise BadBook("game.pays is not a table")
        pays = {}
        for key, line in table.items():
            if not _NUMBER.fullmatch(key) or not 1 <= int(key) <= pool or not isinstance(line, dict):
                raise BadBook("game.pays.%s" % key)
            spots = int(key)
            pays[spots] = {}
            for caught, text in line.items():
                if not _NUMBER.fullmatch(caught) or int(caught) > min(spots, MOST_CATCH):
                    raise BadBook("game.pays.%s.%s" % (key, caught))
                pays[spots][int(caught)] = _hundredths(_PAYS, text, MOST_PAYS, "game.pays")
        return pays

    def prize(self, spots, caught, wager):
        """Prize of one way in cents (RULES.md, "Settlement")."""
        return wager * self.pays.get(spots, {}).get(caught, 0) // 100

    def has_ways(self):
        """Whether it is played in other ways than straight."""
        return WAY in self.spots or KING in self.spots

    def missing_tables(self):
        """Numbers of spots that may be played without a table of what they pay."""
        return sorted({spots for low, high in self.spots.values() for spots in range(low, high + 1)
                       if spots not in self.pays})


class RuleBook:
    """A version of the rules; raises BadBook for a text that is none."""

    def __init__(self, text):
        if len(text.encode("utf-8")) > MOST_BYTES:
            raise BadBook("the text is longer than %d bytes" % MOST_BYTES)
        try:
            keys = _Keys(toml.loads(text))
        except toml.TomlError as error:
            raise BadBook("not TOML: %s" % error)
        keys.number("format", 3, 3)
        self.version = keys.number("version", 1, (1 << 32) - 1)
        keys.words("name")

        pool = keys.table("pool")
        self.pool, self.drawn = pool.number("size", 70, 80), pool.number("drawn", 20, 20)
        if self.pool not in (70, 80):
            raise BadBook("pool.size is neither 80 nor 70")
        cap = keys.table("cap")
        self.cap = cap.amount("per_draw")
        self.full_below = cap.amount("full_below", 0, self.cap)
        limits = keys.table("limits")
        self.max_selections = limits.number("selections", 1, 255)
        self.max_draws = limits.number("draws", 1, 65535)
        self.max_ahead = limits.number("draws_ahead", 0, 65535)
        self.max_ways = limits.number("ways", 1, 2000)
        self.max_copies = limits.number("copies", 1, 8)
        limits.amount("liability", optional=True)
        confirm = keys.table("confirm")
        confirm.amount("type_total", confirm.amount("second_key"))
        confirm.number("draws", 1, 65535)
        payout = keys.table("payout")
        self.second_person = payout.amount("second_person")
        self.cancel_alone = payout.amount("cancel_alone", 0, optional=True)
        self.typed_alone = payout.amount("typed_alone", 0, unsaid=5_000)
        self.typed_per_day = payout.number("typed_per_day", 0, 65535, unsaid=5)
        self.second_computation = payout.number("second_computation", 1, 10080, optional=True)
        self.cage = payout.amount("cage")
        payout.amount("federal_report", high=1000000)
        claim = keys.table("claim")
        self.claim_days = claim.number("days", 1, 65535)
        claim.words("place", "cage")
        damaged = keys.table("damaged")
        self.at_once = damaged.amount("at_once", 0)
        self.damaged_per_day = damaged.number("per_day", 0, 65535)
        self.wait_hours = damaged.number("wait_hours", 1, 720)
        self.third_person = damaged.amount("third_person")
        if damaged.number("answer_days", 1, 90) * 24 < self.wait_hours:
            raise BadBook("damaged.answer_days is over before the wait")
        damaged.words("complaints")
        tenders = keys.table("tenders")
        self.tenders = self._tenders(tenders.take("accepted"))
        self.chip_change = tenders.amount("chip_change", 0, optional=True)
        texts = keys.table("texts")
        texts.words("rules_place", "notice")
        interrupted = keys.table("interrupted")
        self.completes = interrupted.choice("machine_draw", ("void", "complete")) == "complete"
        for table in (pool, cap, limits, confirm, payout, claim, damaged, tenders, texts, interrupted):
            table.done()

        counter = keys.take("counter", optional=True)
        games = keys.take("game")
        if not isinstance(games, list) or not games:
            raise BadBook("game is not a list of tables")
        keys.done()
        self.games = {}
        for one in games:
            game = Game(_Keys(one, "game"), self.pool)
            if game.code in self.games:
                raise BadBook("game %r stands twice" % game.code)
            self.games[game.code] = game
        if counter is not None:
            self._counter(_Keys(counter, "counter"))

    def _counter(self, keys):
        """What a counter offers at one key must be what the games sell."""
        first = next(iter(self.games.values()))
        self._sold(keys, first)
        express = keys.take("express", optional=True)
        keys.done()
        if express is None:
            express = []
        if not isinstance(express, list) or len(express) > MOST_EXPRESS:
            raise BadBook("counter.express is not a list of at most %d tables" % MOST_EXPRESS)
        for one in express:
            pick = _Keys(one, "counter.express")
            code = pick.take("game", optional=True)
            if code is not None and not (isinstance(code, str) and code in self.games):
                raise BadBook("counter.express.game is no game of the book")
            game = first if code is None else self.games[code]
            if STRAIGHT not in game.spots:
                raise BadBook("counter.express: game %s has no straight selection" % game.code)
            pick.number("spots", *game.spots[STRAIGHT])
            self._sold(pick, game)
            pick.done()

    @staticmethod
    def _sold(keys, game):
        """A wager of the game."""
        if keys.amount("wager", game.min, game.max) % game.step:
            raise BadBook("%swager is not a multiple of the step" % keys.where)

    @staticmethod
    def _tenders(accepted):
        if not isinstance(accepted, list) or not accepted or not all(
                isinstance(one, str) and one in TENDERS for one in accepted):
            raise BadBook("tenders.accepted")
        if len(set(accepted)) != len(accepted):
            raise BadBook("a tender stands twice")
        return {TENDERS[one] for one in accepted}

    def most_cost(self):
        """What a ticket can cost at most, in cents (RULES.md, "Lost tickets")."""
        return self.max_draws * self.max_selections * max(
            (self.max_ways if game.has_ways() else 1) * game.max for game in self.games.values())

    def return_faults(self):
        """What is against "Return (s. 85)", in words; the first fault of each table is enough."""
        for game in self.games.values():
            for spots in game.missing_tables():
                yield "%s: no table for %d spots" % (game.code, spots)
        lines = sum(((game.max - game.min) // game.step + 1) * len(game.pays)
                    for game in self.games.values())
        if lines > MOST_LINES:
            yield "%d lines of returns" % lines
            return
        for spots in sorted({spots for game in self.games.values() for spots in game.pays}):
            said = set()
            try:
                judged = self.judge(spots)
            except BadBook as fault:
                yield str(fault)
                continue
            for game, wager, how, returned in judged:
                if returned < LEAST_RETURN and game.code not in said:
                    said.add(game.code)
                    yield "%s, %d spots, wager %s, %s: %.4f" % (
                        game.code, spots, wager, how, returned)

    def judge(self, spots):
        """The lines of a number of spots: game, wager, how it is judged, and the least return."""
        lines = [Line(self, game, spots, wager)
                 for game in self.games.values() if spots in game.pays
                 for wager in range(game.min, game.max + 1, game.step)]
        smallest = min(line.game.min for line in lines)
        largest = max(line.game.max for line in lines)
        step = gcd(*(line.game.step for line in lines))
        for line in lines:
            room = line.game.same_numbers - line.wager
            line.others = min(self.max_selections - 1, room // smallest)
            line.most = line.wager + min(line.others * largest, room // step * step)
        bitten = {caught for line in lines for caught, prize in line.prizes.items()
                  if prize * line.most > self.cap * line.wager}
        if not bitten:
            return [(line.game, line.wager, "alone", line.alone()) for line in lines]
        tickets = self._tickets(lines)
        if tickets is None:
            return [(line.game, line.wager, "up to %d" % line.most, line.bound(bitten))
                    for line in lines]
        least = {}
        for ticket in tickets:
            returned = self._settled(spots, [lines[at] for at in ticket])
            for at in set(ticket):
                if at not in least or returned < least[at]:
                    least[at] = returned
        return [(line.game, line.wager, "with others", least[at]) for at, line in enumerate(lines)]

    def _tickets(self, lines):
        """Every ticket as places in the lines, ascending; None where they are too many."""
        if len(lines) > MOST_CHOICES:
            return None
        found = []
        # What is begun: places, sum, lowest limit.
        begun = [((), 0, None)]
        while begun:
            places, total, limit = begun.pop()
            if places:
                found.append(places)
                if len(found) > MOST_TICKETS:
                    return None
            if len(places) == self.max_selections:
                continue
            for at in range(places[-1] if places else 0, len(lines)):
                game = lines[at].game
                lower = game.same_numbers if limit is None else min(limit, game.same_numbers)
                if total + lines[at].wager <= lower:
                    begun.append((places + (at,), total + lines[at].wager, lower))
        return found

    def _settled(self, spots, lines):
        """Return of one ticket alone in its draw, of the lines that it carries."""
        paid = 0
        for caught in {caught for line in lines for caught in line.prizes}:
            prizes = [(line.prizes.get(caught, 0), 1) for line in lines]
            paid += self._paid(prizes) * self.draws_with(spots, caught)
        return Fraction(paid, comb(self.pool, self.drawn) * sum(line.wager for line in lines))

    def draws_with(self, spots, caught):
        """How many of all draws catch so many of these spots."""
        return comb(spots, caught) * comb(self.pool - spots, self.drawn - caught)

    def paid_alone(self, pays, wagers):
        """What a ticket alone in its draw is paid when all its ways are paid ``pays`` for one."""
        return self._paid([(wager * pays // 100, times) for wager, times in wagers])

    def _paid(self, prizes):
        """What these prizes, each so many times, come to when nobody else wins."""
        small = sum(prize * times for prize, times in prizes if prize < self.full_below)
        large = sum(prize * times for prize, times in prizes if prize >= self.full_below)
        of_small, of_large = factors(small, large, self.cap)
        paid = 0
        for prize, times in prizes:
            top, bottom = of_small if prize < self.full_below else of_large
            paid += prize * top // bottom * times
        return paid

    def return_rate(self, game, spots, wagers):
        """Return of one ticket alone in its draw, as a fraction."""
        paid = sum(self.paid_alone(pays, wagers) * comb(spots, caught)
                   * comb(self.pool - spots, self.drawn - caught)
                   for caught, pays in game.pays[spots].items())
        return Fraction(paid, comb(self.pool, self.drawn) * sum(cents * times for cents, times in wagers))


class Line:
    """A wager of a game on a number of spots, and how far a ticket with it can be filled."""

    def __init__(self, book, game, spots, wager):
        self.book, self.game, self.spots, self.wager = book, game, spots, wager
        self.prizes = {caught: wager * pays // 100
                       for caught, pays in game.pays[spots].items() if wager * pays >= 100}
        self.others, self.most = 0, wager
        if max(self.prizes.values(), default=0) * book.max_selections >= 1 << 63:
            raise BadBook("%s, %d spots: prizes beyond 63 bits" % (game.code, spots))

    def alone(self):
        """Return of this wager alone, uncapped."""
        won = sum(prize * self.book.draws_with(self.spots, caught)
                  for caught, prize in self.prizes.items())
        return Fraction(won, comb(self.book.pool, self.book.drawn) * self.wager)

    def bound(self, bitten):
        """What no ticket with this wager, nor one of such tickets, returns less than."""
        left = max(0, self.book.cap - self.others) * self.wager
        won = 0
        for caught, prize in self.prizes.items():
            of_most = prize * self.most
            won += (min(of_most, left) if caught in bitten else of_most) * self.book.draws_with(
                self.spots, caught)
        wagered = comb(self.book.pool, self.book.drawn) * self.wager * self.most
        if max(won, wagered) >= 1 << 128:
            raise BadBook("%s, %d spots: beyond 128 bits" % (self.game.code, self.spots))
        return Fraction(won, wagered)


def factors(small, large, cap):
    """The factors of small and large prizes, not reduced (RULES.md, "Settlement")."""
    if small + large <= cap:
        return (1, 1), (1, 1)
    if small <= cap:
        return (1, 1), (cap - small, large)
    return (cap, small + large), (cap, small + large) if large else (1, 1)
