"""Runs Wycheproof's vectors on the core for programs: key exchanges (ECDH), and signatures (ECDSA), of which the core computes the two multiples. Scalars
are blinded, or split into random halves, and the program makes its checks. Vectors are repeated with weak random words: zeros, which are refused, ones, and always the same word.

    wycheproof.py        P-256 and secp256k1 over 8 x 33, one vector in 50 repeated: minutes
    wycheproof.py all    every vector repeated; checks that the results are those that are committed: make test-long
    wycheproof.py write [halves]  as all, but writes the results: hdl/report/wycheproof.json, the table of hdl/doc/leakage.md. With a word, runs scalars
                         in halves alone, and keeps the committed results of the other cores
    wycheproof.py kept [halves]   runs nothing, and writes the results so far
    wycheproof.py check  checks that the table agrees with the committed results: make hdl-lint

Results are kept in the build folder, so that a run that was stopped can be continued.

The vectors are those of the crate wycheproof, which the library's tests use. Vectors that do not concern the core are left out: points off the curve
or incomplete, and invalid signatures, most of which are malformed. The host parses, and adds the two multiples of a signature.
"""

import hashlib
import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "leak"))
import resident  # noqa: E402
from pages import filled, table, text_of  # noqa: E402
from signature import GENERATORS  # noqa: E402
from simulate import BUILD, HDL, ROOT, Failed, program, run, told  # noqa: E402

RESULTS, PAGE = HDL / "report/wycheproof.json", HDL / "doc/leakage.md"
SETS = {"P-256": ("ecdh_secp256r1_ecpoint_test", "ecdsa_secp256r1_sha256_test"), "secp256k1": ("ecdh_secp256k1_test", "ecdsa_secp256k1_sha256_test")}
# How the scalars of a core are hidden: by a multiple of the order, or in random halves.
BLINDED, HALVES = "blinded", "halves"
CORES = (("P-256", BLINDED), ("secp256k1", BLINDED), ("secp256k1", HALVES))


def data():
    """The folder of the crate's data."""
    packages = json.loads(run(["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", ROOT / "Cargo.toml"]))["packages"]
    found = [Path(package["manifest_path"]).parent / "src/data" for package in packages if package["name"] == "wycheproof"]
    return max(found, key=lambda path: path.parent.parent.name)


def tests(name):
    """(group, test) of each valid vector."""
    for group in json.loads((data() / f"{name}.json").read_text())["testGroups"]:
        yield from ((group, test) for test in group["tests"] if test["result"] == "valid")


def point(text, curve):
    """The point at the end of an uncompressed encoding; None if it is not on the curve."""
    p, a, b, _ = resident.CURVES[curve]
    encoded = bytes.fromhex(text)[-65:]
    x, y = int.from_bytes(encoded[1:33]), int.from_bytes(encoded[33:])
    return (x, y) if len(encoded) == 65 and encoded[0] == 4 and max(x, y) < p and (y * y - x**3 - a * x - b) % p == 0 else None


def exchanges(name, curve):
    """The operands and the expected x of each key exchange."""
    order = resident.CURVES[curve][3]
    for _, test in tests(name):
        public, secret = point(test["public"], curve), int(test["private"], 16)
        if public and secret < order:
            yield (*public, secret), int(test["shared"], 16)


def signatures(name, curve):
    """For each signature (r, s) of e by Q: the operands of e/s times the generator and of r/s times Q, and r."""
    order = resident.CURVES[curve][3]
    for group, test in tests(name):
        key = group.get("publicKey") or group["key"]
        public = point(key["uncompressed"], curve)
        r, s = integers(bytes.fromhex(test["sig"]))
        e = int.from_bytes(hashlib.sha256(bytes.fromhex(test["msg"])).digest())
        inverse = pow(s, -1, order)
        yield ((*GENERATORS[curve], e * inverse % order), (*public, r * inverse % order)), r


def integers(der):
    """r and s of a valid signature of less than 128 bytes."""
    body, found = der[2:], []
    while body:
        found.append(int.from_bytes(body[2 : 2 + body[1]]))
        body = body[2 + body[1] :]
    return found


# One in this many vectors is repeated with weak random words, unless all are.
AGAIN = 50
# Random words: zeros are refused.
KINDS = {"ordinary": "random", "ones": "all bits 1", "repeated": "always the same", "zeros": "0"}
# The number of lines in a run, after which results are kept.
TOGETHER = 40


def vectors(name):
    """For exchanges and for signatures: the number of vectors, and their multiples as operands and results. Python's integers confirm every vector,
    and give the results that the core must return."""
    p, a, _, order = resident.CURVES[name]
    times = lambda operands: resident.times(operands[2] % order, operands[:2], p, a)
    line = lambda operands, result: ((*operands[:2], operands[2] % order), result or (0, 0))
    exchange, signature = SETS[name]
    exchanged, signed, right = [], [], 0
    for operands, shared in exchanges(exchange, name):
        exchanged.append(line(operands, times(operands)))
        right += exchanged[-1][1][0] == shared
    for pair, r in signatures(signature, name):
        both = [times(operands) for operands in pair]
        signed += map(line, pair, both)
        total = resident.add(*both, p, a)
        right += total is not None and total[0] % order == r
    found = {"key exchanges": (len(exchanged), exchanged), "signatures": (len(signed) // 2, signed)}
    if right != sum(count for count, _ in found.values()) or len(exchanged) < 100 or len(signed) < 100:
        raise Failed(f"{name}: {right} vectors are right of {len(exchanged)} exchanges and {len(signed)} multiples of signatures")
    return found


class Kept:
    """The results of earlier runs on the same core."""

    def __init__(self, core):
        self.core, self.digest, self.results = core, "", None

    def begin(self, more):
        if not more and not (BUILD / self.core.name() / "driver").exists():
            self.results = {}
            return
        driver, _ = resident.build(self.core)
        self.digest = (driver.parent / "digest").read_text()
        self.path = driver.parent / "wycheproof.json"
        self.results = json.loads(self.path.read_text()) if self.path.exists() else {}

    def simulate(self, lines, words, more):
        """Runs lines with random words of this kind. Returns how many results are right and how many wrong. Without `more`, counts only earlier runs."""
        if self.results is None:
            self.begin(more)
        if words == "zeros":
            lines = [(operands, [resident.ERROR] * len(results)) for operands, results in lines]
        driver = () if words == "ordinary" else ("--words", words)
        passed = failed = 0
        for at in range(0, len(lines), TOGETHER):
            some = lines[at : at + TOGETHER]
            key = hashlib.sha256(repr((self.digest, some, words)).encode()).hexdigest()[:24]
            if key not in self.results and not more:
                continue
            if key not in self.results:
                good, bad, said = resident.simulate(self.core, some, 0, driver)
                print(said, flush=True)
                self.results[key] = good, bad
                self.path.write_text(json.dumps(self.results))
            good, bad = self.results[key]
            passed, failed = passed + good, failed + bad
        return passed, failed


def core_of(name, hidden):
    """A core, and the function that hides the scalars of its lines."""
    chooser = random.Random(11)
    if hidden == HALVES:
        core = resident.Core(name, 33, 8, ("endomorphism",), resident.splitting(name), check=True)
        return core, lambda lines: [((x, y, resident.split(k, name, chooser)), results) for (x, y, k), results in lines]
    order, bits = resident.CURVES[name][3], resident.BLINDING[name]
    core = resident.Core(name, 33, 8, ("weierstrass",), ("--curve", name, "--blinding", str(bits)), check=True)
    return core, lambda lines: resident.of_blinded(lines, order, bits, chooser)


def evaluate(again, more=True, only=None):
    """A row for each core and kind of vectors: how many multiples are right and how many wrong, by kind of random words."""
    asked = []
    for name, hidden in CORES:
        if only not in (None, hidden):
            continue
        core, hide = core_of(name, hidden)
        kept = Kept(core)
        for what, (count, lines) in vectors(name).items():
            lines = hide(lines)
            asked.append(({"curve": name, "scalars": hidden, "what": what, "vectors": count, "multiples": len(lines)}, kept, lines))
    # Ordinary words come first, so that a run that is stopped later has all vectors once.
    for words in KINDS:
        for row, kept, lines in asked:
            row[words] = kept.simulate(lines if words == "ordinary" else lines[::again], words, more)
            print(row, flush=True)
    return [row for row, *_ in asked]


SAID = {BLINDED: "blinded", HALVES: "in halves"}


def summary(rows):
    def cell(counts, multiples):
        run = sum(counts)
        return "not run" if not run else f"{counts[0]:,}, {counts[1]:,}" + f" of {run:,} run" * (run < multiples)

    lines = [[row["curve"], SAID[row["scalars"]], f"{row['vectors']} {row['what']}", f"{row['multiples']:,}", *(cell(row[words], row["multiples"]) for words in KINDS)] for row in rows]
    total = lambda key: sum(row[key] for row in rows)
    both = {words: [sum(counts) for counts in zip(*(row[words] for row in rows))] for words in KINDS}
    lines.append(["all", "", f"{total('vectors'):,}", f"{total('multiples'):,}", *(cell(both[words], total("multiples")) for words in KINDS)])
    return {"vectors": table(["curve", "scalars", "vectors", "multiples", *(
        f"words {said}: {'refused' if words == 'zeros' else 'right'}, wrong" for words, said in KINDS.items())], lines)}


def main():
    if sys.argv[1:] not in ([], ["all"], ["write"], ["kept"], ["check"], ["write", HALVES], ["kept", HALVES]):
        sys.exit(__doc__)
    if sys.argv[1:] == ["check"]:
        right = PAGE.read_text() == filled(PAGE, summary(json.loads(RESULTS.read_text())), "wycheproof.py")
        print(f"{'ok    ' if right else 'FAILED'} {PAGE.name} has the table of the committed vectors")
        return 0 if right else 1
    only = sys.argv[2] if sys.argv[2:] else None
    rows = evaluate(1 if sys.argv[1:] else AGAIN, sys.argv[1:2] != ["kept"], only)
    if only:
        rows = [row for row in json.loads(RESULTS.read_text()) if row["scalars"] != only] + rows
    passed, failed = (sum(row[words][which] for row in rows for words in KINDS) for which in (0, 1))
    if sys.argv[1:2] in (["write"], ["kept"]):
        RESULTS.write_text(text_of(rows))
        PAGE.write_text(filled(PAGE, summary(json.loads(text_of(rows))), "wycheproof.py"))
    elif sys.argv[1:]:
        # The committed results may be those of a run that was stopped.
        same = all(committed[key] == row[key] or key in KINDS and sum(committed[key]) < row["multiples"] and not committed[key][1]
                   for committed, row in zip(json.loads(RESULTS.read_text()), json.loads(text_of(rows)), strict=True) for key in row)
        print(f"{'ok    ' if same else 'FAILED'} what is committed is what came out")
        passed, failed = passed + same, failed + (not same)
    return told(passed, failed)


if __name__ == "__main__":
    program(main)
