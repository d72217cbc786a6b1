"""The text of a rule book as tables (RULES.md, "The rule book").

A reader of TOML 1.1, and so of 1.0, but for floats, dates and times: no key of
a rule book may hold one, so a text with one is refused here already.
"""

import re


class TomlError(ValueError):
    """A text that is not TOML, or holds a value that no rule book has."""


_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WHOLE = re.compile(r"0x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*"
                    r"|[+-]?(?:0|[1-9](?:_?[0-9])*)")
_AFTER_VALUE = re.compile(r"[ \t]*(?:[,\]}#\n]|\Z)")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b", '"': '"', "\\": "\\"}
_HEX = {"x": 2, "u": 4, "U": 8}
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_DEPTH = 64


class _Table(dict):
    """A table and how it came to be.

    ``header``: opened by a header; ``dotted``: made by a dotted key, in the
    table with this identity; ``closed``: written inline, nothing may be added.
    """

    header = False
    dotted = None
    closed = False


class _Tables(list):
    """An array of tables, as headers make them."""


def loads(text):
    """The document as dictionaries, lists, texts, whole numbers and booleans.

    A byte-order mark before it is let be.
    """
    if text.startswith("\ufeff"):
        text = text[1:]
    try:
        return _Reader(text).document()
    except RecursionError:
        raise TomlError("nested too deep")


class _Reader:
    def __init__(self, text):
        self.text = text.replace("\r\n", "\n")
        self.at = 0
        found = _CONTROL.search(self.text)
        if found:
            self.at = found.start()
            self.fail("a control character")

    def fail(self, what):
        raise TomlError("%s (line %d)" % (what, self.text.count("\n", 0, self.at) + 1))

    def peek(self):
        return self.text[self.at:self.at + 1]

    def blank(self, lines=False):
        """Skips blanks; with ``lines``, line feeds and comments too."""
        while True:
            one = self.peek()
            if one and (one in " \t" or (lines and one == "\n")):
                self.at += 1
            elif lines and one == "#":
                self.comment()
            else:
                return

    def comment(self):
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def want(self, mark):
        if not self.text.startswith(mark, self.at):
            self.fail("%r expected" % mark)
        self.at += len(mark)

    def end_of_line(self):
        self.blank()
        if self.peek() == "#":
            self.comment()
        if self.peek() not in ("", "\n"):
            self.fail("something after the value")

    def document(self):
        root = _Table()
        table = root
        while True:
            self.blank(lines=True)
            if not self.peek():
                return root
            if self.peek() == "[":
                table = self.header(root)
            else:
                self.pair(table)
            self.end_of_line()

    def header(self, root):
        array = self.text.startswith("[[", self.at)
        self.want("[[" if array else "[")
        keys = self.key()
        self.want("]]" if array else "]")
        table = root
        for key in keys[:-1]:
            inner = table.setdefault(key, _Table())
            if isinstance(inner, _Tables):
                inner = inner[-1]
            if not isinstance(inner, _Table) or inner.closed:
                self.fail("%r is not a table that can be added to" % key)
            table = inner
        last = keys[-1]
        if array:
            items = table.setdefault(last, _Tables())
            if not isinstance(items, _Tables):
                self.fail("%r is not an array of tables" % last)
            items.append(_Table())
            items[-1].header = True
            return items[-1]
        inner = table.setdefault(last, _Table())
        if not isinstance(inner, _Table) or inner.closed or inner.header or inner.dotted is not None:
            self.fail("%r stands twice" % last)
        inner.header = True
        return inner

    def key(self):
        keys = []
        while True:
            self.blank()
            if self.peek() and self.peek() in "\"'":
                if self.text.startswith(self.peek() * 3, self.at):
                    self.fail("a key over several lines")
                keys.append(self.string())
            else:
                found = _BARE.match(self.text, self.at)
                if not found:
                    self.fail("a key expected")
                keys.append(found.group())
                self.at = found.end()
            self.blank()
            if self.peek() != ".":
                return keys
            if len(keys) > _DEPTH:
                self.fail("nested too deep")
            self.at += 1

    def pair(self, home, depth=0):
        """A key and its value, into ``home``."""
        keys = self.key()
        self.want("=")
        table = home
        for key in keys[:-1]:
            if key not in table:
                table[key] = _Table()
                table[key].dotted = id(home)
            table = table[key]
            # Only tables that dotted keys of the same table made may be added to.
            if not isinstance(table, _Table) or table.dotted != id(home):
                self.fail("%r stands already" % key)
        if keys[-1] in table:
            self.fail("%r stands twice" % keys[-1])
        self.blank()
        table[keys[-1]] = self.value(depth)

    def string(self):
        quote = self.peek()
        if self.text.startswith(quote * 3, self.at):
            return self.long_string(quote)
        self.at += 1
        out = []
        while True:
            one = self.peek()
            if one in ("", "\n"):
                self.fail("a text without an end")
            self.at += 1
            if one == quote:
                return "".join(out)
            out.append(self.escape() if one == "\\" and quote == '"' else one)

    def long_string(self, quote):
        self.at += 3
        if self.peek() == "\n":
            self.at += 1
        out = []
        while True:
            one = self.peek()
            if not one:
                self.fail("a text without an end")
            if self.text.startswith(quote * 3, self.at):
                count = 3
                while count < 5 and self.text[self.at + count:self.at + count + 1] == quote:
                    count += 1
                self.at += count
                return "".join(out) + quote * (count - 3)
            self.at += 1
            if one == "\\" and quote == '"':
                folded = re.compile(r"[ \t]*\n[ \t\n]*").match(self.text, self.at)
                if folded:
                    self.at = folded.end()
                else:
                    out.append(self.escape())
            else:
                out.append(one)

    def escape(self):
        one = self.peek()
        self.at += 1
        if one in _HEX:
            digits = self.text[self.at:self.at + _HEX[one]]
            if not re.fullmatch("[0-9A-Fa-f]{%d}" % _HEX[one], digits):
                self.fail("a bad escape")
            code = int(digits, 16)
            if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
                self.fail("an escape that is no character")
            self.at += _HEX[one]
            return chr(code)
        if one not in _ESCAPES:
            self.fail("a bad escape")
        return _ESCAPES[one]

    def value(self, depth):
        if depth > _DEPTH:
            self.fail("nested too deep")
        one = self.peek()
        if one and one in "\"'":
            return self.string()
        if one == "[":
            return self.array(depth)
        if one == "{":
            return self.inline(depth)
        for word, meaning in (("true", True), ("false", False)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return meaning
        found = _WHOLE.match(self.text, self.at)
        if not found or not _AFTER_VALUE.match(self.text, found.end()):
            self.fail("a value of a sort that rule books do not use")
        self.at = found.end()
        digits = found.group().replace("_", "")
        if len(digits) > 70:
            self.fail("a number out of range")
        number = int(digits, 0 if digits[1:2] in ("x", "o", "b") else 10)
        if not -1 << 63 <= number < 1 << 63:
            self.fail("a number out of range")
        return number

    def array(self, depth):
        self.at += 1
        items = []
        while True:
            self.blank(lines=True)
            if self.peek() == "]":
                break
            items.append(self.value(depth + 1))
            self.blank(lines=True)
            if self.peek() != ",":
                break
            self.at += 1
        self.want("]")
        return items

    def inline(self, depth):
        self.at += 1
        table = _Table()
        while True:
            self.blank(lines=True)
            if self.peek() == "}":
                break
            self.pair(table, depth + 1)
            self.blank(lines=True)
            if self.peek() != ",":
                break
            self.at += 1
        self.want("}")
        self._close(table)
        return table

    def _close(self, table):
        table.closed = True
        for inner in table.values():
            if isinstance(inner, _Table) and not inner.closed:
                self._close(inner)
