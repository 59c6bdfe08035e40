#!/usr/bin/env python3
"""Runs every command that the documentation shows, and compares the output that it shows.

usage: check_commands.py CLEW [FILE.md...]   CLEW is the executable; all of the documentation by default
       check_commands.py --self-test         shows that the check can fail

What counts, in README.md, CONTRIBUTING.md, CHANGES.md, docs/ and the READMEs of the folders:

  ```sh        every line is a command (a leading "$ " and lines that begin with # are skipped)
  ```console   lines that begin with "$ " are commands; the lines after one are its output, exactly,
               stdout and stderr together; a line "..." stands for any lines
  ```console exit=10    the last command of the block exits with 10; without it, with 0
  ```ded from=protocols/x.ded    the lines are in that file, in this order; also ```cpp

A line that ends in a backslash goes on in the next one. The commands of one file run one after
another in a scratch folder that holds copies of protocols/, systems/ and docs/, `./clew` (the executable) and
`./test` (the script, which is only asked for its --help). Commands that set up or build are not run; the presets and
programs that they name must exist.
"""

import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN = ("./clew", "./test", "cat", "chmod", "cp", "diff", "echo", "g++", "head", "ls", "mkdir", "printf",
       "sed")
NOT_RUN = ("git", "cd", "cmake", "ctest", "clang-format", "tools/", "build/", "docker", "debootstrap")
TIMEOUT_SECONDS = 120


@dataclass
class Command:
    where: str
    text: str
    shown: list = field(default_factory=list)  # the output lines, or [] if none is shown
    exit_code: int = 0


def blocks_of(path):
    """(line number, info string, lines) of each fenced block."""
    fence, start, info, lines = None, 0, "", []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r"^\s*(`{3,}|~{3,})\s*(.*)$", line)
        if fence is None and match:
            fence, start, info, lines = match[1], number, match[2].strip(), []
        elif fence is not None and match and match[1].startswith(fence) and not match[2]:
            yield start, info, lines
            fence = None
        elif fence is not None:
            lines.append(line)


def join_continued(lines):
    """(index of the first, text) with lines that end in a backslash joined to their successors."""
    pending, first = None, 0
    for index, line in enumerate(lines):
        if pending is None:
            pending, first = line, index
        else:
            pending += " " + line.strip().removeprefix("> ")
        if pending.endswith("\\"):
            pending = pending[:-1].rstrip()
        else:
            yield first, pending
            pending = None
    if pending is not None:
        yield first, pending


def commands_of(path):
    commands = []
    for start, info, lines in blocks_of(path):
        language, *notes = info.split() or [""]
        if language not in ("sh", "console"):
            continue
        found = []
        for index, line in join_continued(lines):
            is_command = line.startswith("$ ") or language == "sh"
            if is_command and line.strip() and not line.startswith("#"):
                found.append(Command(f"{path}:{start + 1 + index}", line.removeprefix("$ ").strip()))
            elif found and language == "console":
                found[-1].shown.append(line)
        for note in notes:
            if found and note.startswith("exit="):
                found[-1].exit_code = int(note.removeprefix("exit="))
        commands += found
    return commands


def matches(shown, actual):
    """Whether the lines are the same, with "..." in `shown` standing for any number of lines."""
    if not shown:
        return not actual
    if shown[0] == "...":
        return any(matches(shown[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and shown[0] == actual[0] and matches(shown[1:], actual[1:])


def first_word(text):
    words = shlex.split(text, comments=True)
    while words and re.match(r"^\w+=", words[0]):
        words.pop(0)
    return words[0] if words else ""


def complaint_without_running(text):
    """For commands that are too heavy to run: does what they name exist?"""
    for preset in re.findall(r"--preset[ =](\S+)", text):
        if f'"name": "{preset}"' not in (ROOT / "CMakePresets.json").read_text(encoding="utf-8"):
            return f"there is no preset {preset}"
    word = first_word(text)
    if word.startswith("tools/") and not (ROOT / word).exists():
        return f"there is no {word}"
    return None


def run(command, scratch):
    """What is wrong with the command, or None."""
    word = first_word(command.text)
    if word.startswith(NOT_RUN):
        return complaint_without_running(command.text)
    if word not in RUN:
        return f"not a command that tools/check_commands.py knows how to run: {word}"
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(["bash", "-c", "set -o pipefail; " + command.text], cwd=scratch, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"did not end within {TIMEOUT_SECONDS} s"
    output = done.stdout.decode("utf-8", "replace")
    if done.returncode != command.exit_code:
        return f"exit code {done.returncode}, not {command.exit_code}; it printed:\n{output}"
    shown = [line.rstrip() for line in command.shown]
    while shown and not shown[-1]:
        shown.pop()
    actual = [line.rstrip() for line in output.rstrip("\n").split("\n")] if output else []
    if shown and not matches(shown, actual):
        return "the output differs; it printed:\n" + output
    return None


def make_scratch(scratch, clew):
    (scratch / "clew").symlink_to(clew)
    script = scratch / "test"
    script.write_text(f"#!/bin/sh\nexec {shlex.quote(str(ROOT / 'test'))} --help\n", encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    for folder in ("protocols", "systems", "docs"):
        if (ROOT / folder).is_dir():
            shutil.copytree(ROOT / folder, scratch / folder)


def wrong_excerpts(path):
    """Complaints about excerpts of programs that are not, or no longer, in the file they are from."""
    for start, info, lines in blocks_of(path):
        language, *notes = info.split() or [""]
        origin = next((note.removeprefix("from=") for note in notes if note.startswith("from=")), None)
        if language not in ("ded", "cpp") or origin is None:
            continue
        if not (ROOT / origin).is_file():
            yield f"{path}:{start}: there is no {origin}"
            continue
        rest = iter((ROOT / origin).read_text(encoding="utf-8").splitlines())
        for line in filter(str.strip, lines):
            if not any(line.strip() == other.strip() for other in rest):
                yield f"{path}:{start}: not in {origin}, or not in this order: {line.strip()}"
                break


def end_processes_in(scratch):
    """What was started there in the background, and goes on."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if Path(os.readlink(folder / "cwd")).is_relative_to(os.path.realpath(scratch)):
                os.kill(int(folder.name), signal.SIGKILL)
        except OSError:
            pass  # it has ended, or is somebody else's


def check_file(path, clew):
    """(number of commands, complaints)"""
    commands = commands_of(path)
    problems = list(wrong_excerpts(path))
    with tempfile.TemporaryDirectory() as scratch:
        make_scratch(Path(scratch), clew)
        for command in commands:
            reason = run(command, scratch)
            if reason:
                problems.append(f"{command.where}: $ {command.text}\n  {reason}")
        end_processes_in(scratch)
    return len(commands), problems


def documentation():
    files = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGES.md")]
    for folder in ("docs", "src", "protocols", "tests", "bench", "systems"):
        files += sorted((ROOT / folder).rglob("*.md"))
    return [path for path in files if path.is_file()]


# (text of the page, words of the expected complaint or None). ./clew is a shell script here.
SELF_TESTS = [
    ("```console\n$ ./clew hello\nyou said: hello\n```\n", None),
    ("```console\n$ ./clew hello\n```\n", None),
    ("```console\n$ ./clew a \\\n    b\nyou said: a b\n$ ./clew c\nyou said: c\n```\n", None),
    ("```console\n$ ./clew lines\none\n...\nthree\n```\n", None),
    ("```console exit=10\n$ ./clew fail\n...\n```\n", None),
    ("```sh\n# a comment\n./clew hello\n$ ./test\n```\n", None),
    ("```text\n$ ./clew fail\n```\n", None),
    ("```sh\ncmake --preset dev\n```\n", None),
    ("```console\n$ echo saved > file\n$ cat file\nsaved\n```\n", None),
    ("```console\n$ ./clew hello\nyou said: hallo\n```\n", "output differs"),
    ("```console\n$ ./clew lines\none\n...\nfour\n```\n", "output differs"),
    ("```console\n$ ./clew lines\none\n```\n", "output differs"),
    ("```console\n$ ./clew fail\n```\n", "exit code 10, not 0"),
    ("```sh\n./clew fail\n```\n", "exit code 10, not 0"),
    ("```console exit=10\n$ ./clew hello\n```\n", "exit code 0, not 10"),
    ("```console\n$ ./clew hello\n\n```\n```sh\n./clew fail | cat\n```\n", "exit code 10"),
    ("```sh\ncmake --preset nonsense\n```\n", "no preset nonsense"),
    ("```sh\ntools/nonsense.sh\n```\n", "no tools/nonsense.sh"),
    ("```sh\nfrobnicate\n```\n", "knows how to run: frobnicate"),
    ("```ded\nnonsense;\n```\n", None),
    ("```ded from=protocols/broadcast/group.ded\nnode(\"a\", \"b\")@1;\n\nbcast(\"a\", \"data\")@1;\n```\n", None),
    ("```ded from=protocols/broadcast/group.ded\nbcast(\"a\", \"data\")@1;\nnode(\"a\", \"b\")@1;\n```\n", "not in this order"),
    ("```ded from=protocols/broadcast/group.ded\nnonsense;\n```\n", "not in protocols/broadcast/group.ded"),
    ("```cpp from=systems/paxos/paxos.h\nnonsense;\n```\n", "not in systems/paxos/paxos.h"),
    ("```ded from=nowhere.ded\nnonsense;\n```\n", "there is no nowhere.ded"),
]
FAKE_CLEW = """#!/bin/sh
case $1 in
  fail) echo failed >&2; exit 10 ;;
  lines) printf 'one\\ntwo\\nthree\\n' ;;
  *) echo "you said: $*" ;;
esac
"""


def self_test():
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        clew = Path(scratch) / "clew"
        clew.write_text(FAKE_CLEW, encoding="utf-8")
        clew.chmod(0o755)
        page = Path(scratch) / "page.md"
        for text, expected in SELF_TESTS:
            page.write_text(text, encoding="utf-8")
            _, problems = check_file(page, clew)
            good = not problems if expected is None else len(problems) == 1 and expected in problems[0]
            if not good:
                failures += 1
                print(f"self-test: expected {expected} for\n{text}found {problems}")
    print(f"{len(SELF_TESTS)} self-tests, {failures} failed")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    clew = Path(sys.argv[1]).resolve()
    total, problems = 0, []
    for path in [Path(name) for name in sys.argv[2:]] or documentation():
        count, found = check_file(path, clew)
        total += count
        problems += found
    if total == 0:
        problems.append("there is not one command in the documentation")
    print("\n".join(problems))
    print(f"commands: {total} in the documentation, {len(problems)} with problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
