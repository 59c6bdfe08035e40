#!/usr/bin/env python3
"""Instructions per execution, counted by callgrind: the same on every run of the same binary.

    python3 bench/instructions.py [build/release]

Each protocol is executed 10 and 110 times; the difference leaves out set-up and warming.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

PROTOCOLS = ["simple_deliv", "retry_deliv", "redun_deliv", "ack_deliv", "classic_deliv"]
EOT = 4
FEW, MANY = 10, 110


def instructions(repeat, protocol, mode, times):
    """The instructions of a whole process, and what it printed."""
    with tempfile.NamedTemporaryFile() as out:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", repeat,
                   f"protocols/broadcast/{protocol}.ded", str(EOT), mode, str(times)]
        result = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", result.stderr).group(1)), result.stdout.strip()


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release")
    repeat = build / "bench" / "repeat"
    print(f"{'protocol':15} {'lineage':>9} {'plain':>9} {'ratio':>6} {'firings':>8} {'per firing':>11}")
    for protocol in PROTOCOLS:
        counts = {}
        for mode in ("lineage", "plain"):
            many, _ = instructions(repeat, protocol, mode, MANY)
            few, _ = instructions(repeat, protocol, mode, FEW)
            counts[mode] = (many - few) // (MANY - FEW)
        _, firings = instructions(repeat, protocol, "lineage", 1)
        with_lineage, plain = counts["lineage"], counts["plain"]
        print(f"{protocol:15} {with_lineage:9} {plain:9} {with_lineage / plain:6.2f} "
              f"{firings:>8} {with_lineage / int(firings):11.0f}")


if __name__ == "__main__":
    main()
