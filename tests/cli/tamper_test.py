#!/usr/bin/env python3
"""Certificates as `clew check` writes them, whole and tampered with.

    python3 tests/cli/tamper_test.py build/dev/clew      (in the root of the repository)

What is tampered with falls into three kinds:
- forged: the claim is false, or a clause is. It must be refused, whatever was done.
- damaged: something is missing or cannot be read. It must be refused.
- harmless: what was changed is not needed, or still true. It may be accepted.
Nothing may ever end in another way than accepted (0) or refused (10) with a reason.
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

CLEW = None
ACCEPTED, REFUSED = 0, 10

# Protocol, EOT, EFF, crashes, crash model: all robust.
ROBUST = [
    ("broadcast/redun_deliv.ded", 6, 4, 1, "silent"),
    ("broadcast/redun_deliv.ded", 6, 4, 1, "stop"),
    ("broadcast/ack_deliv.ded", 4, 2, 1, "silent"),
    ("broadcast/ack_deliv.ded", 8, 7, 1, "silent"),
    ("broadcast/ack_deliv.ded", 6, 5, 1, "stop"),
    ("broadcast/retry_deliv.ded", 8, 7, 0, "silent"),
    ("commit/three_phase.ded", 8, 3, 1, "silent"),
    ("consensus/paxos_synod.ded", 9, 8, 2, "silent"),
]
# The same protocols within bounds that are too wide for them.
BROKEN = [
    ("broadcast/redun_deliv.ded", (6, 4, 1, "silent"), {"eff": 6}),
    ("broadcast/retry_deliv.ded", (4, 2, 0, "silent"), {"crashes": 1}),
    ("broadcast/classic_deliv.ded", (5, 0, 1, "silent"), {"eff": 3}),
    ("commit/three_phase.ded", (8, 3, 1, "silent"), {"crashes": 2}),
]


def run(*args):
    return subprocess.run([CLEW, *map(str, args)], capture_output=True, text=True, timeout=300,
                          errors="replace", check=False)


class Certificate:
    """A folder with a certificate, whose files can be read and rewritten."""

    def __init__(self, folder, protocol, eot, eff, crashes, model):
        self.folder = folder
        self.protocol = pathlib.Path("protocols") / protocol
        result = run("check", self.protocol, "--eot", eot, "--eff", eff, "--crashes", crashes,
                     "--crash-model", model, "--certificate", folder)
        assert result.returncode == 0, (protocol, result.stdout, result.stderr)
        self.original = {path.name: path.read_bytes() for path in folder.iterdir()}

    def restore(self):
        for name, data in self.original.items():
            (self.folder / name).write_bytes(data)

    def lines(self, name):
        return self.original[name].decode().splitlines()

    def write_lines(self, name, lines):
        (self.folder / name).write_text("".join(line + "\n" for line in lines))

    def write_clauses(self, lines):
        """With the numbers that certificate.json announces."""
        self.write_lines("clauses.txt", lines)
        self.change(clauses=sum(line.startswith("c") for line in lines),
                    variables=sum(not line.startswith("c") for line in lines))

    def change(self, bounds=None, **keys):
        path = self.folder / "certificate.json"
        root = json.loads(path.read_text())
        root.update(keys)
        root["bounds"].update(bounds or {})
        path.write_text(json.dumps(root))

    def verify(self):
        result = run("verify", self.folder)
        assert result.returncode in (ACCEPTED, REFUSED), (result.returncode, result.stdout,
                                                          result.stderr)
        expected = "accepted: " if result.returncode == ACCEPTED else "refused: "
        assert result.stdout.startswith(expected), result.stdout
        return result.returncode, result.stdout


def split_clause(line):
    """The literals of a `c` line, and what comes after its 0."""
    literals, _, reason = line[2:].partition("0 " if line.startswith("c 0 ") else " 0 ")
    return literals.split(), reason


def join_clause(literals, reason):
    return " ".join(["c", *literals, "0", reason])


class TamperTest(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch)
        self.random = random.Random(7)

    def certificate(self, *claim):
        return Certificate(self.scratch / "certificate", *claim)

    def refused(self, certificate, says=""):
        code, text = certificate.verify()
        self.assertEqual(code, REFUSED, text)
        self.assertIn(says, text)
        certificate.restore()

    def sample(self, items, count):
        items = list(items)
        return self.random.sample(items, min(count, len(items)))

    # ---- whole ----

    def test_whole_certificates_are_accepted(self):
        for claim in ROBUST:
            with self.subTest(claim):
                certificate = self.certificate(*claim)
                self.assertEqual(certificate.verify()[0], ACCEPTED)

    # ---- forged ----

    def test_wider_bounds(self):
        for protocol, claim, wider in BROKEN:
            with self.subTest(protocol):
                certificate = self.certificate(protocol, *claim)
                certificate.change(bounds=wider)
                self.refused(certificate)
                bounds = dict(zip(("eot", "eff", "crashes"), claim)) | wider
                flags = [word for key, value in bounds.items() for word in ("--" + key, value)]
                broken = run("check", certificate.protocol, *flags, "--save", self.scratch / "x")
                self.assertEqual(broken.returncode, 10, "the claim was meant to be false")

    def test_wider_bounds_and_anything_else(self):
        """A false claim is never accepted, whatever is done to its certificate."""
        for protocol, claim, wider in BROKEN:
            certificate = self.certificate(protocol, *claim)
            for _ in range(60):
                lines = certificate.lines("clauses.txt")
                for _ in range(self.random.randint(1, 4)):
                    self.mutate(lines)
                certificate.write_clauses(lines)
                proof = certificate.lines("proof.drat")
                if self.random.random() < 0.5 and proof:
                    self.mutate(proof)
                certificate.write_lines("proof.drat", proof)
                certificate.change(bounds=wider)
                self.refused(certificate)

    def mutate(self, lines):
        at = self.random.randrange(len(lines)) if lines else 0
        words = lines[at].split(" ") if lines else []
        choice = self.random.randrange(4)
        if choice == 0 and lines:
            del lines[at]
        elif choice == 1:
            lines.insert(at, self.random.choice(["c 0 goal", "c 1 0 true", "c -1 0 support", "0"]))
        elif choice == 2 and lines:
            other = self.random.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif lines:
            word = self.random.randrange(len(words))
            words[word] = self.random.choice(["1", "-1", "2", "0", "goal", words[word][1:],
                                              "-" + words[word]])
            lines[at] = " ".join(words)

    def test_another_program(self):
        folder = self.scratch / "program"
        shutil.copytree("protocols/broadcast", folder)
        certificate = self.certificate(folder.resolve() / "redun_deliv.ded", 6, 4, 1, "silent")
        program = folder / "redun_deliv.ded"
        text = program.read_text()
        program.write_text(text + "// a remark\n")
        self.refused(certificate, "has changed since")
        # Without the rule that makes it robust, and with the fingerprint of the new text.
        program.write_text('include "retry_deliv.ded";\n')
        root = json.loads((certificate.folder / "certificate.json").read_text())
        root["program"][0]["fingerprint"] = fingerprint(program.read_bytes())
        certificate.change(program=root["program"])
        self.refused(certificate)
        program.write_text(text)
        self.assertEqual(certificate.verify()[0], ACCEPTED)
        program.unlink()
        self.assertEqual(run("verify", certificate.folder).returncode, 2)

    def test_false_clauses(self):
        certificate = self.certificate(*ROBUST[0])
        lines = certificate.lines("clauses.txt")
        faults = [line.split(" ")[1] for line in lines if " omission " in line or " crash " in line]
        for false in ["c 0 support", *(f"c {n} 0 support" for n in faults),
                      *(f"c -{n} 0 fault-model" for n in faults)]:
            with self.subTest(false):
                certificate.write_clauses(lines + [false])
                self.refused(certificate, f"clauses.txt:{len(lines) + 1}: the clause does not")

    def test_flipped_literals(self):
        """Each makes a clause that is false in some run, or one that the proof cannot use."""
        for claim in (ROBUST[0], ROBUST[3]):
            certificate = self.certificate(*claim)
            lines = certificate.lines("clauses.txt")
            clauses = [i for i, line in enumerate(lines) if line.startswith("c ")]
            refused = 0
            for at in self.sample(clauses, 60):
                literals, reason = split_clause(lines[at])
                flipped = self.random.randrange(len(literals))
                literals[flipped] = str(-int(literals[flipped]))
                certificate.write_clauses(lines[:at] + [join_clause(literals, reason)] +
                                          lines[at + 1:])
                refused += certificate.verify()[0] == REFUSED
                certificate.restore()
            self.assertGreater(refused, 50, claim)

    def test_removed_literals(self):
        """A clause without one of its literals usually says more than is true."""
        for claim in (ROBUST[0], ROBUST[3]):
            certificate = self.certificate(*claim)
            lines = certificate.lines("clauses.txt")
            supports = [i for i, line in enumerate(lines)
                        if " 0 support " in line and len(split_clause(line)[0]) > 2]
            codes = []
            for at in self.sample(supports, 40):
                literals, reason = split_clause(lines[at])
                for left_out in range(1, len(literals)):
                    rest = literals[:left_out] + literals[left_out + 1:]
                    certificate.write_clauses(lines[:at] + [join_clause(rest, reason)] +
                                              lines[at + 1:])
                    codes.append(certificate.verify()[0])
                    certificate.restore()
            self.assertGreater(codes.count(REFUSED), len(codes) / 2, claim)

    def test_swapped_names(self):
        certificate = self.certificate(*ROBUST[0])
        lines = certificate.lines("clauses.txt")
        names = [i for i, line in enumerate(lines) if line.startswith("v ")]
        refused = 0
        for _ in range(40):
            a, b = self.random.sample(names, 2)
            swapped = list(lines)
            meanings = [" ".join(lines[i].split(" ")[2:]) for i in (a, b)]
            for place, meaning in ((a, meanings[1]), (b, meanings[0])):
                swapped[place] = " ".join(lines[place].split(" ")[:2] + [meaning])
            certificate.write_clauses(swapped)
            refused += certificate.verify()[0] == REFUSED
            certificate.restore()
        self.assertGreater(refused, 35)

    # ---- damaged ----

    def test_numbers_that_do_not_fit(self):
        certificate = self.certificate(*ROBUST[0])
        for keys in ({"variables": 0}, {"clauses": 1}, {"variables": 10**15}, {"clauses": -1},
                     {"inputs": 0}, {"inputs": 99}, {"nodes": []}, {"nodes": ["a", "b"]},
                     {"crash_model": "halt"}, {"format": "x"}, {"weather": "fine"},
                     {"bounds": {"eot": 0}}, {"bounds": {"eff": 10**30}}):
            with self.subTest(keys):
                certificate.change(**keys)
                self.refused(certificate)

    def test_truncated_files(self):
        certificate = self.certificate(*ROBUST[2])
        for name in ("certificate.json", "clauses.txt"):
            data = certificate.original[name]
            for at in self.sample(range(len(data) - 1), 40):
                (certificate.folder / name).write_bytes(data[:at])
                with self.subTest(name, at=at):
                    self.refused(certificate)

    def test_missing_files(self):
        certificate = self.certificate(*ROBUST[2])
        for name in certificate.original:
            (certificate.folder / name).unlink()
            self.assertEqual(run("verify", certificate.folder).returncode, 2)
            certificate.restore()
        self.assertEqual(run("verify", self.scratch / "nowhere").returncode, 2)
        self.assertEqual(run("verify").returncode, 2)

    def test_bytes_at_random(self):
        certificate = self.certificate(*ROBUST[2])
        for name, data in certificate.original.items():
            for _ in range(30):
                damaged = bytearray(data or b"0\n")
                for _ in range(self.random.randint(1, 3)):
                    damaged[self.random.randrange(len(damaged))] = self.random.randrange(256)
                (certificate.folder / name).write_bytes(bytes(damaged))
                if run("verify", certificate.folder).returncode not in (ACCEPTED, REFUSED, 2):
                    self.fail((name, bytes(damaged)))
                certificate.restore()

    def test_lemmas_that_do_not_follow(self):
        certificate = self.certificate(*ROBUST[3])
        proof = certificate.lines("proof.drat")
        certificate.write_lines("proof.drat", ["0"] + proof)
        self.refused(certificate, "proof.drat:1: this lemma")
        certificate.write_lines("proof.drat", [])
        self.refused(certificate, "proof.drat: the proof ends without a contradiction")
        certificate.write_lines("proof.drat", ["999999999 0"] + proof)
        self.refused(certificate, "proof.drat:1: ")

    # ---- harmless ----

    def test_more_definitions_and_true_clauses_do_no_harm(self):
        certificate = self.certificate(*ROBUST[0])
        lines = certificate.lines("clauses.txt")
        n = sum(not line.startswith("c") for line in lines)
        more = [f"d {n + 1} or 1 -1", f"d {n + 2} and {n + 1} 2", f"c {n + 1} 0 always",
                f"c -{n + 2} 2 0 because of its definition"]
        certificate.write_clauses(lines + more)
        self.assertEqual(certificate.verify()[0], ACCEPTED)

    def test_without_some_clauses_or_lemmas_the_rest_may_suffice(self):
        certificate = self.certificate(*ROBUST[0])
        lines = certificate.lines("clauses.txt")
        proof = certificate.lines("proof.drat")
        clauses = [i for i, line in enumerate(lines) if line.startswith("c ")]
        for at in self.sample(clauses, 30):
            certificate.write_clauses(lines[:at] + lines[at + 1:])
            certificate.verify()
            certificate.restore()
        for at in range(len(proof)):
            certificate.write_lines("proof.drat", proof[:at] + proof[at + 1:])
            certificate.verify()
            certificate.restore()
        goals = [line for line in lines if not line.endswith(" 0 goal")]
        certificate.write_clauses(goals)
        self.refused(certificate, "proof.drat")


def fingerprint(data):
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


if __name__ == "__main__":
    CLEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
