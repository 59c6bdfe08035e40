#!/usr/bin/env python3
"""Measures how long one waits for `clew` after a change of one source, for each folder of src/.

usage: measure_rebuild.py [--build build/dev] [--every] [--repeat N] [FOLDER ...]

Adds a comment line to a source (the largest of the folder, or with --every each one), builds clew, and
puts the source back. Prints seconds of the clock, and of the processor (the work that the build did, which
other processes do not change much); of several repetitions the least. Build once before: it measures what
a change costs, not what was left to do.
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 6  # seconds: what nobody should have to wait longer for


def build(folder):
    """Builds clew; (seconds of the clock, seconds of the processor)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(["cmake", "--build", folder, "--target", "clew"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - start, used


def measure(source, folder, repeat):
    """The least of `repeat` rebuilds after a change of `source`."""
    text = source.read_text(encoding="utf-8")
    times = source.stat()
    results = []
    try:
        for number in range(repeat):
            source.write_text(f"{text}// measure {time.time_ns()} {number}\n", encoding="utf-8")
            results.append(build(folder))
    finally:
        source.write_text(text, encoding="utf-8")
        # What was built is good for the old text, too: a comment at the end changes nothing.
        os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
    return min(clock for clock, _ in results), min(used for _, used in results)


def sources_of(folder, every):
    sources = sorted(folder.rglob("*.cc"), key=lambda path: (path.stat().st_size, path.name))
    return sources if every else sources[-1:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(ROOT / "build/dev"))
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("folders", nargs="*")
    args = parser.parse_args()
    build(args.build)
    worst = 0
    for folder in sorted(path for path in (ROOT / "src").iterdir() if path.is_dir()):
        if args.folders and folder.name not in args.folders:
            continue
        for source in sources_of(folder, args.every):
            clock, used = measure(source, args.build, args.repeat)
            worst = max(worst, clock)
            print(f"{clock:6.1f} s  {used:6.1f} s of the processor  {source.relative_to(ROOT)}", flush=True)
    build(args.build)
    print(f"{worst:6.1f} s  at most; {LIMIT} s is what we want")
    return 0 if worst <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
