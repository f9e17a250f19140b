"""Tests and measures Go modules, unchanged and with the package in go/ for their arithmetic."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

from outcome import HERE, ROOT, Unavailable, compared, environment, last_line, ratios

LIBRARY = ROOT / "target/release/libmoduli_capi.so"


@dataclass
class Module:
    """A module: which of its tests run, and what makes it use moduli."""

    title: str
    path: str
    version: str
    # Its hash in go.sum.
    sum: str
    # The folder here with the files to add to the module.
    ours: str
    files: dict[str, str]
    # For each file: expressions to replace, their replacements, and how often each must occur.
    under: dict[str, list]
    packages: list[str]
    baseline: str = "math/big"
    tests: bool = True

    def run(self, folder, measured):
        variables = staged()
        own, changed = folder / "own", folder / "moduli"
        source = self.downloaded(folder, variables)
        for copy in (own, changed):
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(source, copy, copy_function=shutil.copyfile)
            for each in [copy, *copy.rglob("*")]:
                if each.is_dir():
                    each.chmod(0o755)
        self.put_under(changed)
        for copy, name in ((own, "own"), (changed, "moduli")):
            uses = [f"./{name}", *([str(ROOT / "go")] if copy is changed else [])]
            (folder / f"{name}.work").write_text("go 1.24\n\n" + "".join(f"use {use}\n" for use in uses), encoding="utf-8")
        before, after = (self.tested(folder, name, variables) for name in ("own", "moduli"))
        result = compared(before, after, f"{self.baseline} of {go(folder, variables, 'env', 'GOVERSION').stdout.strip()}")
        if not before[0]:
            result.wrong = f"no test passes as it is: {before}"
        if measured and not result.wrong:
            run = go(changed, variables | {"GOWORK": str(folder / "moduli.work")}, "run", "./benchmark")
            if run.returncode:
                sys.exit(run.stdout + run.stderr)
            result.faster = ratios(json.loads(run.stdout.splitlines()[-1]))
        return result

    def downloaded(self, folder, variables):
        """Downloads the module, checks its hash, and returns the folder of its source."""
        folder.mkdir(parents=True, exist_ok=True)
        run = go(folder, variables | {"GOWORK": "off"}, "mod", "download", "-json", f"{self.path}@{self.version}")
        if run.returncode:
            raise Unavailable(last_line(run.stdout + run.stderr))
        said = json.loads(run.stdout)
        if said["Sum"] != self.sum:
            sys.exit(f"integrations: {self.path} {self.version} is not what it was")
        return said["Dir"]

    def put_under(self, folder):
        for name, pairs in self.under.items():
            file = folder / name
            text = file.read_text(encoding="utf-8")
            for expression, replacement, times in pairs:
                text, found = re.subn(expression, replacement, text)
                if found != times:
                    sys.exit(f"integrations: {name} has {found} times: {expression}")
            file.write_text(text, encoding="utf-8")
        for name, file in self.files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(HERE / self.ours / file, folder / name)

    def tested(self, folder, name, variables):
        """Runs the tests. Returns how many passed, and the names of those that failed."""
        variables = variables | {"GOWORK": str(folder / f"{name}.work")}
        run = go(folder / name, variables, "test", "-json", "-count=1", "-p=1", *self.packages)
        outcomes = {}
        for line in run.stdout.splitlines():
            said = json.loads(line)
            if "Test" in said and said["Action"] in ("pass", "fail"):
                outcomes[said["Package"] + " " + said["Test"]] = said["Action"]
        failed = sorted(test for test, outcome in outcomes.items() if outcome == "fail")
        if not outcomes or (run.returncode and not failed):
            sys.exit(run.stdout[-3000:] + run.stderr[-3000:])
        return len(outcomes) - len(failed), failed


def staged():
    """The environment in which Go finds the C library, as in `make go`."""
    specification = importlib.util.spec_from_file_location("run_of_go", ROOT / "go/run.py")
    package = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(package)
    if not package.found():
        raise Unavailable(f"Go {'.'.join(map(str, package.OLDEST))} or later, gcc or pkg-config is missing")
    if not LIBRARY.is_file():
        sys.exit("integrations: the C library is not built: make capi")
    # The versions of its dependencies are those that the module names: its requirements are not changed.
    return environment() | package.staged(LIBRARY.parent) | {"GOFLAGS": "-buildvcs=false"}


def go(folder, variables, *arguments):
    return subprocess.run(["go", *arguments], cwd=folder, env=variables, capture_output=True, text=True)


MODULES = {
    "tss-lib": Module(
        title="tss-lib 2.0.2 of bnb-chain (Paillier, MtA, proofs of factors)",
        path="github.com/bnb-chain/tss-lib/v2",
        version="v2.0.2",
        sum="h1:dL2GJFCSYsYQ0bHkGll+hNM2JWsC1rxDmJJJQEmUy9g=",
        ours="tss_lib",
        files={"common/on_moduli.go": "on_moduli.go", "benchmark/main.go": "benchmark/main.go"},
        under={
            "common/int.go": [
                (r"new\(big\.Int\)\.Exp\(x, y, mi\.i\(\)\)", "Power(x, y, mi.i())", 1),
                (r"new\(big\.Int\)\.ModInverse\(g, mi\.i\(\)\)", "Inverse(g, mi.i())", 1),
            ],
            "crypto/paillier/paillier.go": [
                (r"new\(big\.Int\)\.Exp\(", "common.Power(", 6),
                (r"new\(big\.Int\)\.ModInverse\(", "common.Inverse(", 2),
            ],
        },
        packages=["./crypto/paillier", "./crypto/mta", "./crypto/facproof"],
    ),
}
