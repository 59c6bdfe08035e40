#!/usr/bin/env python3
"""Makes the mutants that mutate.py tries: src/ with one operator, condition, constant or statement changed.

usage: mutants.py --self-test       shows that they are made as they should be

  all = mutants_of(root, ["lineage"], ["src/lineage/graph.cc:30"])     # folders, places; [] is any
  all[0].show()                                                        # how it reads
  all[0].mutated                                                       # the text of all[0].file then

Sources are read as tokens, not as C++: clang-format puts spaces where they tell operators from brackets of
templates. What is made nonetheless and does not compile costs a moment.
"""

import hashlib
import re
import sys
from collections import namedtuple
from pathlib import Path

Token = namedtuple("Token", "kind text start end")  # kind: word, number, sign; the rest is left out

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
      | (?P<literal>(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"
                   |(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])*')
      | (?P<number>\d(?:'?[\w.])*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<sign><<=|>>=|<=>|\.\.\.|->|::|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)

# Operators that stand between two operands. clang-format puts spaces around them, and none around
# references, pointers and the brackets of templates, so that spaces tell them apart.
BINARY = {
    "==": ["!="], "!=": ["=="], "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["+"],
    "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="],
}
LARGEST_CONSTANT = 1000  # limits like a million are there to be about right
LOOKS_BOOLEAN = re.compile(r"^(?:(?:is|has|may|can)_\w+|contains|empty|any_of|all_of|none_of|equal|"
                           r"starts_with|ends_with)$")
# What no statement begins with that could be left out.
KEEP = {"return", "if", "for", "while", "switch", "do", "else", "case", "default", "using", "const",
        "auto", "static", "CHECK", "delete", "throw", "struct", "class", "namespace", "template",
        "static_assert", "constexpr", "typedef", "friend", "goto", "try", "catch", "new", "public",
        "private", "protected", "explicit", "enum", "operator"}


def tokens_of(text):
    result = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup != "mark" else "literal"
        if kind != "skip":
            result.append(Token(kind, match[0], match.start(), match.end()))
    return result


def closing(tokens, at):
    """The index of the bracket that closes the one at `at`, or len(tokens)."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i].kind == "sign":
            depth += (tokens[i].text in pairs) - (tokens[i].text in pairs.values())
            if depth == 0:
                return i
    return len(tokens)


def spaced(text, token):
    """Whether blanks are on both sides."""
    return text[token.start - 1].isspace() and text[token.end:token.end + 1].isspace()


def template_arguments(text, tokens):
    """The indices of the tokens between < and > that are brackets."""
    inside = set()
    for i, token in enumerate(tokens):
        opens = token.text == "<" and i > 0 and (
            tokens[i - 1].text in ("template", "operator") or not text[token.start - 1].isspace())
        if not opens or tokens[i - 1].kind == "literal":
            continue
        depth = 0
        for j in range(i, len(tokens)):
            if tokens[j].text in (";", "{", "&&") and spaced(text, tokens[j]):
                break
            depth += (tokens[j].text == "<") - (tokens[j].text == ">")
            if depth == 0:
                inside.update(range(i, j + 1))
                break
    return inside


def check_messages(tokens):
    """The indices of what a CHECK prints: everything after its condition."""
    inside = set()
    for i, token in enumerate(tokens):
        if token.text != "CHECK" or i + 1 == len(tokens) or tokens[i + 1].text != "(":
            continue
        end = closing(tokens, i + 1)
        j = i + 2
        while j < end and tokens[j].text != ",":
            j = closing(tokens, j) + 1 if tokens[j].text in ("(", "[", "{") else j + 1
        inside.update(range(j, end))
    return inside


def block_starts(tokens):
    """For each token, whether the innermost brace around it holds statements."""
    result, stack, since = [], [], 0
    for i, token in enumerate(tokens):
        if token.text == "{" and token.kind == "sign":
            head = {t.text for t in tokens[since:i]}
            before = tokens[i - 1].text if i else ""
            stack.append(not head & {"namespace", "class", "struct", "enum", "union"} and
                         before in (")", "const", "else", "do", "override", "noexcept", "mutable", ":",
                                    ";", "{", "}"))
        result.append(bool(stack) and stack[-1])
        if token.text == "}" and stack:
            stack.pop()
        if token.text in (";", "{", "}"):
            since = i + 1
    return result


def top_level(tokens, begin, end):
    """The tokens from begin to end that are in no brackets."""
    i, result = begin, []
    while i < end:
        result.append(tokens[i])
        i = closing(tokens, i) + 1 if tokens[i].text in ("(", "[", "{") else i + 1
    return result


def condition_changes(tokens, i):
    """`if (x)` with `!(x)`."""
    at = i + 2 if tokens[i + 1].text == "constexpr" else i + 1
    if at + 1 >= len(tokens) or tokens[at].text != "(":
        return
    end = closing(tokens, at)
    begin = at + 1
    for token in top_level(tokens, at + 1, end):
        if token.text == ";":
            begin = tokens.index(token, begin) + 1
    parts = top_level(tokens, begin, end)
    if tokens[i + 1].text == "constexpr" or any(t.text == "=" for t in parts):
        return  # a declaration
    yield tokens[begin].start, tokens[end - 1].end, "!({})", "condition"


def return_changes(tokens, i):
    """`return x;` with `!(x)`, where x looks like true or false."""
    end = i + 1
    while end < len(tokens) and tokens[end].text != ";":
        end = closing(tokens, end) + 1 if tokens[end].text in ("(", "[", "{") else end + 1
    parts = top_level(tokens, i + 1, end)
    words = {t.text for t in parts}
    boolean = words & {"==", "!=", "<=", ">=", "&&", "||", "!"} or any(
        LOOKS_BOOLEAN.match(t.text) for t in parts)
    if boolean and not words & {"?", "{", "<<"} and end < len(tokens):
        yield tokens[i + 1].start, tokens[end - 1].end, "!({})", "return"


def statement_changes(tokens, i):
    """A statement that begins at i, left out."""
    first = tokens[i]
    end = i
    while end < len(tokens) and tokens[end].text not in (";", "}"):
        end = closing(tokens, end) + 1 if tokens[end].text in ("(", "[", "{") else end + 1
    if end >= len(tokens) or tokens[end].text != ";" or end == i:
        return
    if first.text in ("continue", "break") or (first.text == "return" and end == i + 1):
        yield first.start, tokens[end - 1].end, "", "statement"
        return
    if first.kind != "word" or first.text in KEEP or tokens[i + 1].kind != "sign":
        return
    if tokens[i + 1].text not in (".", "->", "(", "[", "::", "=", "+=", "-=", "|=", "&="):
        return
    parts = top_level(tokens, i, end)
    signs = {t.text for t in parts}
    is_assignment = bool(signs & {"=", "+=", "-=", "|=", "&="})
    is_call = tokens[end - 1].text == ")" and not signs & {"?", "<<"}
    target = parts[:next(j for j, t in enumerate(parts + [tokens[end]]) if t.text in ("=", "(", ";"))]
    declares = any(b.kind == "word" and (a.kind == "word" or a.text in ("&", "*", ">"))
                   for a, b in zip(target, target[1:]))
    if (is_assignment or is_call) and not declares:
        yield first.start, tokens[end - 1].end, "", "statement"


def token_changes(text, tokens, i):
    token = tokens[i]
    if token.text in BINARY and spaced(text, token):
        for other in BINARY[token.text]:
            yield token.start, token.end, other, "operator"
    elif token.text in ("++", "--"):
        yield token.start, token.end, "--" if token.text == "++" else "++", "operator"
    elif token.text == "!" and i > 0 and tokens[i - 1].text != "operator":
        yield token.start, token.end, "", "not"
    elif token.text in ("true", "false") and tokens[max(0, i - 2)].text != "CHECK":
        yield token.start, token.end, "false" if token.text == "true" else "true", "constant"
    elif token.kind == "number" and re.fullmatch(r"[\d']+[uU]?", token.text):
        value = int(token.text.rstrip("uU").replace("'", ""))
        if value <= LARGEST_CONSTANT:
            yield token.start, token.end, str(value + 1), "constant"
            if value > 0:
                yield token.start, token.end, str(value - 1), "constant"


def changes_of(text):
    """All (start, end, replacement, kind) of a source; {} in a replacement is what was there."""
    tokens = tokens_of(text)
    leave = template_arguments(text, tokens) | check_messages(tokens)
    in_block = block_starts(tokens)
    for i, token in enumerate(tokens):
        if i in leave or (i > 0 and tokens[i - 1].text == "operator"):
            continue
        yield from token_changes(text, tokens, i)
        if token.text == "if" and i + 1 < len(tokens):
            yield from condition_changes(tokens, i)
        if token.text == "return":
            yield from return_changes(tokens, i)
        before = tokens[i - 1] if i else None
        if in_block[i] and before and before.text in (";", "{", "}", ")", "else", ":"):
            if begins_statement(tokens, i - 1):
                yield from statement_changes(tokens, i)


def begins_statement(tokens, before):
    """Whether a statement may follow this token: no for a colon unless it ends a label."""
    if tokens[before].text == ")":
        return follows_condition(tokens, before)
    if tokens[before].text != ":":
        return True
    first = before
    while first > 0 and tokens[first - 1].text not in (";", "{", "}"):
        first -= 1
    return tokens[first].text in ("case", "default")


def follows_condition(tokens, close):
    """Whether the bracket that closes here belongs to an if, a for or a while."""
    depth = 0
    for i in range(close, -1, -1):
        depth += (tokens[i].text == ")") - (tokens[i].text == "(")
        if depth == 0:
            return i > 0 and tokens[i - 1].text in ("if", "for", "while", "constexpr")
    return False


class Mutant:
    def __init__(self, file, text, start, end, replacement, kind):
        self.file, self.kind = file, kind
        self.folder = Path(file).parts[1]
        self.mutated = text[:start] + replacement.replace("{}", text[start:end]) + text[end:]
        self.start, self.end = start, end
        self.line = text.count("\n", 0, start) + 1
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        self.before = text[first:last if last >= 0 else len(text)]
        tail = len(text) - (last if last >= 0 else len(text))
        self.after = self.mutated[first:len(self.mutated) - tail]
        content = hashlib.sha256(text.encode()).hexdigest()
        key = f"{file}\0{content}\0{start}\0{end}\0{replacement}"
        self.id = hashlib.sha256(key.encode()).hexdigest()[:16]

    def lot(self, seed):
        """Those with the smallest ones are the sample: a change elsewhere leaves most of it the same."""
        key = f"{seed}\0{self.file}\0{self.before}\0{self.after}\0{self.kind}"
        return hashlib.sha256(key.encode()).hexdigest(), self.start

    def show(self):
        old = " / ".join(line.strip() for line in self.before.splitlines())
        new = " / ".join(line.strip() for line in self.after.splitlines())
        return f"{self.file}:{self.line}: {self.kind}\n  - {old}\n  + {new}"


def mutants_of(root, folders, places):
    result = []
    for path in sorted((root / "src").rglob("*")):
        name = str(path.relative_to(root))
        if path.suffix not in (".h", ".cc"):
            continue
        if folders and path.relative_to(root).parts[1] not in folders:
            continue
        text = path.read_text(encoding="utf-8")
        found = [Mutant(name, text, *change) for change in changes_of(text)]
        if places:
            found = [m for m in found if any(
                p == name or p == f"{name}:{m.line}" for p in places)]
        result += found
    return result


# (source, the mutants as they read; those of one statement in the order of their tokens)
MAKING = [
    ("bool f(int a) { return g(a < b); }", ["return g(a <= b)"]),
    ("int f() { return a + b; }", ["return a - b"]),
    ("bool f() { return a == b; }", ["return !(a == b)", "return a != b"]),
    ("bool f() { return is_it(a); }", ["return !(is_it(a))"]),
    ("void f() { if (a) return; }", ["if (!(a)) return;", "if (a) ;"]),
    ("void f() { if (auto x = g(); x) h(); }", ["if (auto x = g(); !(x)) h();", "if (auto x = g(); x) ;"]),
    ("void f() { if (auto x = g()) h(); }", ["if (auto x = g()) ;"]),
    ("void f() { for (T& t : ts) { if (!t) continue; } }",
     ["if (!(!t)) continue;", "if (t) continue;", "if (!t) ;"]),
    ("void f() { for (T t : g(x)) { } h(); }", ["{ } ; }"]),
    ("void f() { switch (x) { case kA: g(); break; } }", ["case kA: ; break;", "g(); ;"]),
    ("void f() { v.push_back(x); }", ["{ ; }"]),
    ("void f() { a = b; }", ["{ ; }"]),
    ("void f() { v[a] += b; }", ["{ ; }", "v[a] -= b;"]),
    ("void f(T&& a) { T* b(a); std::vector<T> c(a); }", []),
    ("struct S {\n  S(int a);\n  int x = 7;\n};", ["int x = 8;", "int x = 6;"]),
    ("std::array<int, 3> a;", []),
    ("template <int N = 3>\nvoid f();", []),
    ("bool operator<(S a, S b);", []),
    ("constexpr int kMost = 2'000'000;", []),
    ("constexpr int kNone = 0;", ["kNone = 1"]),
    ("auto s = \"1 + 2 == 3\"; // 1 < 2\n/* true */ auto r = R\"(a && b)\"; char c = '0';", []),
    ("#include <a>\n#define B 1 + \\\n  2\n", []),
    ("void f() { CHECK(a < b, \"{}\", c + 1); }", ["CHECK(a <= b, \"{}\", c + 1)"]),
    ("void f() { CHECK(false, \"never\"); }", []),
    ("bool b = true;", ["bool b = false;"]),
    ("void f() { for (int i = 0; i < n; ++i) {} }",
     ["int i = 1;", "i <= n", "--i"]),
]


def self_test():
    failures = 0
    for source, expected in MAKING:
        found = [Mutant("src/base/a.cc", source, *change) for change in changes_of(source)]
        good = len(found) == len(expected) and all(e in m.mutated for e, m in zip(expected, found))
        if not good:
            failures += 1
            print(f"self-test: {source}: expected {expected}, found {[m.mutated for m in found]}")
    print(f"{len(MAKING)} self-tests, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else __doc__)
