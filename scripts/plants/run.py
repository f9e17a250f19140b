"""Plants each seeded defect into a copy of the library, and sees that the check that is there for it fails.

    run.py [NUMBER...]     all, or those with these numbers; some minutes, most of them for the build

One build holds all of them; an environment variable says which one is planted. Without any, every check passes: that is
tried first. The copy is target/plants.
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from seeded import PLANTS, SUPPORT

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "target" / "plants"
# Of these every check is a part.
BINARIES = ("suite", "wiped")
TIMEOUT = 900


def copied():
    """Copies what the build needs; a file that is the same keeps its date, so that a second build is short."""
    names = subprocess.run(["git", "ls-files", "crates", "Cargo.toml", "Cargo.lock"], cwd=ROOT, check=True, capture_output=True, text=True)
    texts = {name: (ROOT / name).read_bytes() for name in names.stdout.splitlines() if (ROOT / name).exists()}
    source = "crates/moduli/src/"

    def text_of(name):
        return texts[source + name].decode()

    library = text_of("lib.rs")
    at = library.index("mod batch_inverse;")
    texts[source + "lib.rs"] = (library[:at] + SUPPORT + library[at:]).encode()
    for number, plant in enumerate(PLANTS, 1):
        old = text_of(plant.file)
        if plant.found not in old:
            sys.exit(f"plant {number} ({plant.what}): {plant.file} has changed; what it looks for is not there:\n{plant.found}")
        texts[source + plant.file] = old.replace(plant.found, plant.planted.replace("(N)", f"({number})"), 1).encode()
    for name, text in texts.items():
        path = COPY / name
        if not path.exists() or path.read_bytes() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
    kept = {COPY / name for name in texts}
    for path in (COPY / "crates").rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()


def built():
    """The test binaries, by name."""
    # Optimised as what is shipped, without the checks that branch on secrets.
    command = ["cargo", "test", "--release", "--no-run", "--message-format=json", "-p", "moduli", "--lib"]
    command += [word for name in BINARIES for word in ("--test", name)]
    # Lines of warnings about what is planted are of no interest.
    flags = {**os.environ, "RUSTFLAGS": "-Awarnings", "CARGO_TARGET_DIR": str(COPY / "target")}
    out = subprocess.run(command, cwd=COPY, stdout=subprocess.PIPE, text=True, env=flags)
    if out.returncode:
        sys.exit("the copy does not build")
    binaries = {}
    for line in out.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message.get("profile", {}).get("test"):
            binaries["lib" if "lib" in message["target"]["kind"] else message["target"]["name"]] = message["executable"]
    return binaries


def passes(binary, filter_, number):
    """Whether the tests pass, and how many there were; None if they came to no end."""
    command = [binary, "--test-threads", "1", *([filter_] if filter_ else [])]
    environment = {**os.environ, "PLANT": str(number), "RUST_BACKTRACE": "0"}
    try:
        done = subprocess.run(command, cwd=COPY / "crates/moduli", capture_output=True, text=True, env=environment, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return None, 1
    ran = sum(int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("running "))
    if done.returncode == 0:
        return True, ran
    # A test has to fail: a crash before it, or no test at all, catches nothing.
    failed = re.search(r"test result: FAILED\. \d+ passed; ([1-9]\d*) failed", done.stdout)
    return (False if failed else None), ran


def main():
    chosen = [int(word) for word in sys.argv[1:]] or range(1, len(PLANTS) + 1)
    copied()
    binaries = built()
    checks = sorted({PLANTS[number - 1].check for number in chosen})
    failed = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for (binary, filter_), (good, ran) in zip(checks, pool.map(lambda check: passes(binaries[check[0]], check[1], 0), checks)):
            if not good or not ran:
                failed += 1
                print(f"FAILED  nothing planted: {binary} {filter_}: {'no such test' if good else 'does not pass'}", flush=True)

        def caught(number):
            binary, filter_ = PLANTS[number - 1].check
            return passes(binaries[binary], filter_, number)[0] is False

        for number, good in zip(chosen, pool.map(caught, chosen)):
            plant = PLANTS[number - 1]
            failed += not good
            print(f"{'caught' if good else 'SURVIVED'}  {number:2}  {plant.what}: {' '.join(plant.check)}", flush=True)
    survived = f"{failed} failed" if failed else "0 failed"
    print(f"plants: {len(list(chosen)) - failed} passed, {survived}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
