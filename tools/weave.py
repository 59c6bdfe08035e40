#!/usr/bin/env python3
"""Weaves many mutants into one source, where the environment chooses one: compiled once, tried often.

usage: weave.py --self-test       shows that they are woven as they should be

  text, left = weave(text, {7: mutant, 8: other})     # of one source

  if (a < b) f();       if ((clew_mutant == 7 ? (a <= b) : (a < b))) { if (clew_mutant == 8) { ; } else { f(); } }

Run with CLEW_MUTANT=7, the program is the mutant 7; without it, it is as it was. `left` are the numbers of those
that have no such place: what must be constant, mostly. What was woven and does not compile shows in errors
of its line, since all lines stay where they are; see suspects().
"""

import sys
from collections import namedtuple

from mutants import Mutant, block_starts, changes_of, template_arguments, tokens_of

CHOSEN = """#ifndef CLEW_MUTANT
#define CLEW_MUTANT
#include <cstdlib>
inline const int clew_mutant = std::getenv("CLEW_MUTANT") ? std::atoi(std::getenv("CLEW_MUTANT")) : 0;
#endif
#line 1
"""

# No warning stops the build, for example of a condition that the change makes always true: compilers
# have none for headers of the system, so that the source includes itself as one.
QUIET = """#if __INCLUDE_LEVEL__ == 0
#include "{name}"
#else
#pragma GCC system_header
#line 1
{text}
#endif
"""

# Characters from begin to end: an expression, or a statement with its semicolon.
Site = namedtuple("Site", "begin end is_statement")

OPENING = {"(": ")", "[": "]", "{": "}"}
DECLARES = {"const", "auto", "static", "constexpr", "constinit", "using", "typedef"}


class Source:
    """The tokens of a source, and which bracket is around each."""

    def __init__(self, text):
        self.text, self.tokens = text, tokens_of(text)
        self.template = template_arguments(text, self.tokens)
        self.around, self.partner, stack = [], {}, []
        for i, token in enumerate(self.tokens):
            sign = token.text if token.kind == "sign" else ""
            if sign in OPENING.values() and stack:
                self.partner[i] = stack.pop()
                self.partner[self.partner[i]] = i
            self.around.append(stack[-1] if stack else None)
            if sign in OPENING:
                stack.append(i)
        blocks = block_starts(self.tokens)
        self.blocks = {i for i, token in enumerate(self.tokens)
                       if token.text == "{" and (blocks[i] or self.begins_lambda(i))}

    def begins_lambda(self, brace):
        """Also with a type that it returns, or without arguments."""
        i = brace - 1
        while i > 0 and self.tokens[i].text not in (";", "{", "}", ")", "]", "->", "=", ","):
            i -= 1
        return self.tokens[i].text == "->" or (self.tokens[i].text == "]" and i == brace - 1)

    def sign(self, i):
        return self.tokens[i].text if self.tokens[i].kind == "sign" and i not in self.template else ""

    def back(self, i, stops):
        """The nearest token before i, in the same brackets, that is one of `stops`; else what opens them."""
        i -= 1
        while i >= 0 and self.sign(i) not in stops and self.sign(i) not in OPENING:
            if self.sign(i) == "}" and "}" in stops and self.partner[i] in self.blocks:
                return i
            i = self.partner[i] - 1 if self.sign(i) in OPENING.values() and i in self.partner else i - 1
        return i

    def ahead(self, i, stops):
        """The nearest token from i on, in the same brackets, that is one of `stops`, or what closes them."""
        while i < len(self.tokens) and self.sign(i) not in stops and self.sign(i) not in OPENING.values():
            i = self.partner[i] + 1 if self.sign(i) in OPENING and i in self.partner else i + 1
        return i

    def site_of(self, start, end):
        """Where the change of these characters is woven in, or None."""
        inside = [i for i, t in enumerate(self.tokens) if start <= t.start and t.end <= end]
        if not inside:
            return None
        first, last = inside[0], inside[-1]
        brace = self.around[first]
        if brace is not None and self.sign(brace) != "{":
            return self.expression(first, last, (",", ";", "=", ":") if self.is_range(brace, first) else (",", ";", "="))
        if brace in self.blocks:
            return self.statement(first, last)
        before = self.back(first, (";", ",", "=", "}"))
        is_list = brace is not None and self.tokens[brace - 1].text in ("=", ",", "(", "return", "{", ">") or (
            brace is not None and self.tokens[brace - 1].kind == "word" and before >= brace)
        if before >= 0 and self.sign(before) == "=":
            head = {t.text for t in self.tokens[self.back(before, (";", "}")) + 1:before]}
            return None if head & {"constexpr", "operator"} else self.expression(first, last, (",", ";", "="))
        return self.expression(first, last, (",", ";", "=")) if is_list else None

    def is_range(self, bracket, first):
        """Whether these are the brackets of `for (x : xs)`, and this is in xs."""
        if bracket == 0 or self.tokens[bracket - 1].text != "for":
            return False
        colon = self.back(first, (":", ";"))
        return self.sign(colon) == ":"

    def expression(self, first, last, stops):
        begin = self.back(first, stops) + 1
        end = self.ahead(last + 1 if last > first or self.sign(last) not in OPENING else last, (",", ";"))
        if end >= len(self.tokens) or begin >= end or self.sign(begin) == "{":
            return None
        return Site(self.tokens[begin].start, self.tokens[end - 1].end, False)

    def statement(self, first, last):
        begin = self.skip_heads(self.back(first, (";", "}")) + 1)
        end = self.ahead(first, (";",))
        if begin > first or end >= len(self.tokens) or self.sign(end) != ";":
            return None
        equals = self.ahead(begin, ("=", ";"))
        target = self.tokens[begin:equals]
        declares = self.sign(equals) == "=" and (target[0].text in DECLARES or any(
            b.kind == "word" and (a.kind == "word" or a.text in ("&", "*", ">")) and a.text not in ("return", "else")
            for a, b in zip(target, target[1:])))
        if not declares:
            return None if target[0].text in DECLARES else Site(self.tokens[begin].start, self.tokens[end].end, True)
        if any(t.text == "constexpr" for t in target) or first <= equals:
            return None
        return self.expression(first, last, ("=", ";"))

    def skip_heads(self, i):
        """The first token of the statement that does something, after `if (x)`, `else`, `case x:`, ..."""
        while i < len(self.tokens):
            word = self.tokens[i].text
            if word in ("if", "for", "while", "switch"):
                bracket = i + 2 if self.tokens[i + 1].text == "constexpr" else i + 1
                i = self.partner[bracket] + 1
            elif word in ("else", "do"):
                i += 1
            elif word in ("case", "default"):
                i = self.ahead(i, (":",)) + 1
            else:
                break
        return i

    def line(self, at):
        return self.text.count("\n", 0, at) + 1


def on_one_line(text):
    """Without comments and line breaks."""
    result, end = "", 0
    for token in tokens_of(text):
        result += (" " if token.start > end and result else "") + token.text
        end = token.end
    return result


def nested(sites):
    """Whether any two lie apart, or one in the other."""
    return all(a.end <= b.begin or b.end <= a.begin or a.begin <= b.begin and b.end <= a.end or
               b.begin <= a.begin and a.end <= b.end for a in sites for b in sites)


def changed(source, site, mutant):
    """What stands there in the mutant, on one line."""
    return on_one_line(mutant.mutated[site.begin:site.end + len(mutant.mutated) - len(source.text)])


def render(source, begin, end, chosen):
    """The characters from begin to end with the mutants of these {site: [(number, mutant)]} in them."""
    text, at = "", begin
    outer = [s for s in chosen if not any(o != s and o.begin <= s.begin and s.end <= o.end for o in chosen)]
    for site in sorted(outer):
        inner = {s: m for s, m in chosen.items() if s != site and site.begin <= s.begin and s.end <= site.end}
        whole = render(source, site.begin, site.end, inner)
        form = "if (clew_mutant == {}) {{ {} }} else " if site.is_statement else "clew_mutant == {} ? ({}) : "
        choices = "".join(form.format(number, changed(source, site, mutant)) for number, mutant in chosen[site])
        text += source.text[at:site.begin]
        text += f"{{ {choices}{{ {whole} }} }}" if site.is_statement else f"({choices}({whole}))"
        at = site.end
    return text + source.text[at:end]


def weave(text, mutants):
    """(the text with these {number: mutant} in it, the numbers of those that are not)"""
    source, chosen, left = Source(text), {}, []
    for number, mutant in mutants.items():
        site = source.site_of(mutant.start, mutant.end)
        if site is None or not nested([*chosen, site]):
            left.append(number)
        else:
            chosen.setdefault(site, []).append((number, mutant))
    return (CHOSEN + render(source, 0, len(text), chosen) if chosen else text), left


def without_warnings(file, text):
    """The text of this file, changed so that compilers warn of nothing in it."""
    return QUIET.format(name=file.rpartition("/")[2], text=text)


def suspects(text, mutants, lines):
    """The numbers of the mutants that are woven into one of these lines."""
    source = Source(text)
    sites = {number: source.site_of(m.start, m.end) for number, m in mutants.items()}
    return [n for n, s in sites.items() if s and any(source.line(s.begin) <= line <= source.line(s.end) for line in lines)]


# (source, the same with all its mutants; numbers are those of mutants.py)
WEAVING = [
    ("bool f() { return a == b; }",
     "bool f() { { if (clew_mutant == 1) { return !(a == b); } else "
     "if (clew_mutant == 2) { return a != b; } else { return a == b; } } }"),
    ("void f() { if (a) g(); }",
     "void f() { if ((clew_mutant == 1 ? (!(a)) : (a))) { if (clew_mutant == 2) { ; } else { g(); } } }"),
    ("void f() { a = b - 1; }",
     "void f() { { if (clew_mutant == 1) { ; } else if (clew_mutant == 2) { a = b + 1; } else "
     "if (clew_mutant == 3) { a = b - 2; } else if (clew_mutant == 4) { a = b - 0; } else { a = b - 1; } } }"),
    ("void f() { const int a = b * c; }", "void f() { const int a = (clew_mutant == 1 ? (b + c) : (b * c)); }"),
    ("void f() { a.b(c, d < e); }",
     "void f() { { if (clew_mutant == 1) { ; } else { a.b(c, (clew_mutant == 2 ? (d <= e) : (d < e))); } } }"),
    ("void f() { for (T i = g; i < n; ++i) {} }",
     "void f() { for (T i = g; (clew_mutant == 1 ? (i <= n) : (i < n)); (clew_mutant == 2 ? (--i) : (++i))) {} }"),
    ("void f() { for (T i : g(true)) h; }", "void f() { for (T i : g((clew_mutant == 1 ? (false) : (true)))) h; }"),
    ("void f() { switch (a) { case kB: g(); } }",
     "void f() { switch (a) { case kB: { if (clew_mutant == 1) { ; } else { g(); } } } }"),
    ("auto f = [&] { return a\n< b; };",
     "auto f = [&] { { if (clew_mutant == 1) { return a <= b; } else { return a\n< b; } } };"),
    ("struct S { bool a = true; };", "struct S { bool a = (clew_mutant == 1 ? (false) : (true)); };"),
    ("T a = {b, true};", "T a = {b, (clew_mutant == 1 ? (false) : (true))};"),
    ("constexpr bool kA = true;", "constexpr bool kA = true;"),
]


def self_test():
    failures = 0
    for text, expected in WEAVING:
        found, _ = weave(text, dict(enumerate((Mutant("src/base/a.cc", text, *c) for c in changes_of(text)), 1)))
        if found.removeprefix(CHOSEN) != expected:
            failures += 1
            print(f"self-test: {text}: expected\n{expected}\nfound\n{found.removeprefix(CHOSEN)}")
    print(f"{len(WEAVING)} self-tests, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else __doc__)
