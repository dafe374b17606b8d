"""Words of a text. Lines end with LF, CRLF or a lone CR, as editors see them."""
import re

WORD = re.compile(r"""
    (?P<space>[ \t\r\n]+ | //[^\r\n]* )
  | (?P<string>"(?:\\"|[^"\r\n])*")
  | (?P<number>[0-9]+(?:bv[0-9]+|\.[0-9]+)?)
  | (?P<word>\\?[A-Za-z'~\#$^_.?`][A-Za-z0-9'~\#$^_.?`]*)
  | (?P<sign><==>|==>|<==|:=|::|==|!=|<=|>=|&&|\|\||->|\+\+|\*\*|[()\[\]{}<>,;:=!+\-*/|])
""", re.X)


class Unreadable(Exception):
    """The text uses something this reader does not know."""


def words(text):
    """Pairs (kind, word); comments and blanks are gone."""
    at, found = 0, []
    while at < len(text):
        if text.startswith("/*", at):
            at = after_comment(text, at)
            continue
        match = WORD.match(text, at)
        if not match:
            raise Unreadable(f"character {text[at]!r}")
        if match.lastgroup != "space":
            found.append((match.lastgroup, match.group()))
        at = match.end()
    return found + [("end", "")]


def after_comment(text, at):
    depth = 0
    while at < len(text):
        if text.startswith("/*", at):
            depth, at = depth + 1, at + 2
        elif text.startswith("*/", at):
            depth, at = depth - 1, at + 2
            if depth == 0:
                return at
        else:
            at += 1
    raise Unreadable("comment without end")


class Reader:
    """The words with a place in them."""

    def __init__(self, text):
        self.words, self.at = words(text), 0

    def peek(self, ahead=0):
        return self.words[min(self.at + ahead, len(self.words) - 1)][1]

    def kind(self, ahead=0):
        return self.words[min(self.at + ahead, len(self.words) - 1)][0]

    def next(self):
        word = self.peek()
        self.at += 1
        return word

    def take(self, word):
        """Is it the next word? Then it is read."""
        if self.peek() == word and self.kind() != "string":
            self.at += 1
            return True
        return False

    def want(self, word):
        if not self.take(word):
            raise Unreadable(f"{word!r} expected, {self.peek()!r} found")

    def name(self):
        if self.kind() != "word":
            raise Unreadable(f"name expected, {self.peek()!r} found")
        return self.next().lstrip("\\")

    def names(self):
        found = [self.name()]
        while self.take(","):
            found.append(self.name())
        return found
