#!/usr/bin/env python3
"""Makes the pictures of the documentation again, and compares them byte by byte.

usage: check_pictures.py CLEW           CLEW is the executable; exit code 1 if a picture differs
       check_pictures.py CLEW --write   replaces those that differ
       check_pictures.py --self-test    shows that the check can fail

Every picture comes from `clew check ... --svg`, by a row of PICTURES. A picture without a row, one that
no page shows, and an image in a page that is not there are problems too.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path("docs/tutorial/pictures")
TIMEOUT_SECONDS = 120

SIMPLE = "broadcast/simple_deliv.ded --eot 4 --eff 2 --crashes 0"
RETRY = "broadcast/retry_deliv.ded --eot 3 --eff 2 --crashes 0"
CRASH = "broadcast/retry_deliv.ded"
RELAY = "broadcast/redun_deliv.ded --eot 3 --eff 2 --crashes 1"
ACK = "broadcast/ack_deliv.ded --eot 6 --eff 5 --crashes 1"
CLASSIC = "broadcast/classic_deliv.ded --eot 5 --eff 3 --crashes 0 --all"
BLOCKED = "commit/two_phase.ded"
IMPATIENT = "commit/two_phase_timeout.ded --eot 6 --eff 0 --crashes 1 --all"
ASKING = "commit/two_phase_ctp.ded --eot 8 --eff 0 --crashes 1"
THREE_PHASE = "commit/three_phase.ded"
KAFKA = "queues/kafka.ded"

# picture, arguments of `clew check protocols/...`, the file that --svg writes
PICTURES = [
    ("1-lost.svg", SIMPLE, "counterexample_1_spacetime.svg"),
    ("1-why.svg", SIMPLE, "counterexample_1_lineage.svg"),
    ("2-roads.svg", RETRY, "run_0_lineage.svg"),
    ("3-crash.svg", CRASH, "counterexample_1_spacetime.svg"),
    ("4-roads.svg", RELAY, "run_0_lineage.svg"),
    ("5-ack.svg", ACK, "run_0_spacetime.svg"),
    ("6-classic.svg", CLASSIC, "counterexample_1_spacetime.svg"),
    ("7-blocked.svg", BLOCKED, "counterexample_1_spacetime.svg"),
    ("7-conflict.svg", IMPATIENT, "counterexample_3_spacetime.svg"),
    ("7-asking.svg", ASKING, "counterexample_1_spacetime.svg"),
    ("8-conflict.svg", THREE_PHASE, "counterexample_1_spacetime.svg"),
    ("8-why.svg", THREE_PHASE, "counterexample_1_lineage.svg"),
    ("9-kafka.svg", KAFKA, "counterexample_1_spacetime.svg"),
    ("9-why.svg", KAFKA, "counterexample_1_lineage.svg"),
]


def draw(clew, arguments, folder):
    """What went wrong, or None; the pictures are in `folder`."""
    command = [str(clew), "check", "protocols/" + arguments.split()[0], *shlex.split(arguments)[1:]]
    command += ["--svg", str(folder), "--save", str(folder / "counterexample.json")]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS, check=False)
    if done.returncode in (0, 10):
        return None
    return f"clew check protocols/{arguments}: exit code {done.returncode}\n" + done.stdout.decode("utf-8", "replace")


def compare(made, kept, write):
    """What is wrong with the picture `kept`, which should be the same as `made`, or None."""
    if not made.is_file():
        return f"clew does not write {made.name} any more"
    if kept.is_file() and kept.read_bytes() == made.read_bytes():
        return None
    if write:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(made.read_bytes())
        print(f"{kept.name}: written")
        return None
    return "differs from what clew draws now" if kept.is_file() else "missing"


def check_drawn(clew, root, pictures, write):
    problems = []
    for arguments in dict.fromkeys(row[1] for row in pictures):
        with tempfile.TemporaryDirectory() as scratch:
            trouble = draw(clew, arguments, Path(scratch))
            if trouble:
                problems.append(trouble)
                continue
            for name, _, drawn in (row for row in pictures if row[1] == arguments):
                reason = compare(Path(scratch) / drawn, root / FOLDER / name, write)
                if reason:
                    problems.append(f"{FOLDER / name}: {reason}; look at it, then "
                                    "run tools/check_pictures.py CLEW --write")
    return problems


def images_of(root):
    """(page, image) for every image that a page shows."""
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    for page in pages:
        if not page.is_file():
            continue
        for link in re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in link:
                yield page, (page.parent / link).resolve()


def check_shown(root, pictures):
    known = {(root / FOLDER / row[0]).resolve() for row in pictures}
    there = {path.resolve() for path in (root / FOLDER).glob("*")}
    shown = list(images_of(root))
    problems = [f"{path.name}: not in the table of tools/check_pictures.py" for path in sorted(there - known)]
    problems += [f"{path.name}: no page shows it" for path in sorted(known - {image for _, image in shown})]
    problems += [f"{page.relative_to(root)}: there is no {image.name}" for page, image in shown if not image.is_file()]
    return problems


def check(clew, root, pictures, write=False):
    return check_drawn(clew, root, pictures, write) + check_shown(root, pictures)


# A clew that draws "<svg>" and its second argument into the folder after --svg.
FAKE_CLEW = """#!/bin/sh
[ "$2" = protocols/fail.ded ] && { echo no such file; exit 2; }
while [ "$1" != --svg ]; do what="$what $1"; shift; done
echo "<svg>$what" > "$2/picture.svg"
exit 10
"""
DRAWN = "<svg> check protocols/good.ded --eot 4\n"
GOOD = ("1.svg", "good.ded --eot 4", "picture.svg")
SHOW = "![a picture](docs/tutorial/pictures/1.svg)\n"
# (table, picture as kept or None, README.md, words of the expected complaint or None)
SELF_TESTS = [
    ([GOOD], DRAWN, SHOW, None),
    ([GOOD], DRAWN + "x", SHOW, "1.svg: differs"),
    ([GOOD], None, "", "1.svg: missing"),
    ([GOOD], DRAWN, "no picture\n", "1.svg: no page shows it"),
    ([], DRAWN, SHOW, "1.svg: not in the table"),
    ([GOOD], DRAWN, SHOW + "![x](2.svg)\n", "README.md: there is no 2.svg"),
    ([("1.svg", "fail.ded", "picture.svg")], DRAWN, SHOW, "exit code 2\nno such file"),
    ([("1.svg", "good.ded", "other.svg")], DRAWN, SHOW, "clew does not write other.svg"),
]


def try_one(scratch, table, kept, readme, write=False):
    clew = scratch / "clew"
    clew.write_text(FAKE_CLEW, encoding="utf-8")
    clew.chmod(0o755)
    (scratch / FOLDER).mkdir(parents=True)
    if kept is not None:
        (scratch / FOLDER / "1.svg").write_text(kept, encoding="utf-8")
    (scratch / "README.md").write_text(readme, encoding="utf-8")
    return check(clew, scratch, table, write)


def self_test():
    failures = 0
    for table, kept, readme, expected in SELF_TESTS:
        with tempfile.TemporaryDirectory() as scratch:
            problems = try_one(Path(scratch), table, kept, readme)
        good = not problems if expected is None else any(expected in problem for problem in problems)
        if not good:
            failures += 1
            print(f"self-test: expected {expected} for {table} {kept!r} {readme!r}, found {problems}")
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        problems = try_one(root, [GOOD], "old", SHOW, write=True)
        if problems or (root / FOLDER / "1.svg").read_text(encoding="utf-8") != DRAWN:
            failures += 1
            print(f"self-test: --write left the picture wrong: {problems}")
    print(f"{len(SELF_TESTS) + 1} self-tests, {failures} failed")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--write"]):
        print(__doc__)
        return 2
    problems = check(Path(sys.argv[1]).resolve(), ROOT, PICTURES, write=sys.argv[2:] == ["--write"])
    print("\n".join(problems))
    print(f"pictures: {len(PICTURES)} in the documentation, {len(problems)} with problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
