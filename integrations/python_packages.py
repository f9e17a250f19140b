"""Tests and measures packages of PyPI, each in its own environment, without and with moduli."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass, field

from outcome import HERE, ROOT, Unavailable, compared, environment, last_line, ratios

# The environment into which `make python` installs the package moduli.
INSTALLED = ROOT / ".venv-python"


@dataclass
class Package:
    """A package: what pip installs, how its tests run, what is measured."""

    title: str
    requirements: list[str]
    # Arguments of pytest; {site} is the folder of installed packages, {source} that of the source distribution.
    tests: list[str]
    benchmarks: list[list[str]]
    baseline: str
    # The source distribution to download, if only it has the tests.
    source: str = ""
    # A program that fails unless the package would use moduli.
    under: str = "import gmpy2; assert gmpy2.__name__ == 'moduli.gmpy2'"
    # Packages to install without their own requirements, which no longer work.
    without_dependencies: list[str] = field(default_factory=list)

    def run(self, folder, measured):
        python = self.installed(folder)
        before, after = self.tested(python, folder, False), self.tested(python, folder, True)
        result = compared(before, after, self.baseline)
        if self.tests and not before[0]:
            result.wrong = f"no test passes as it is: {before}"
        if measured and not result.wrong:
            result.faster = self.measured(python)
        return result

    def installed(self, folder):
        """Returns the interpreter of the environment, which is created again if its requirements have changed."""
        wanted = json.dumps([self.requirements, self.without_dependencies, self.source, sys.version])
        stamp, python = folder / hashlib.sha256(wanted.encode()).hexdigest()[:16], folder / "venv/bin/python"
        if not stamp.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
            steps = [["install", *self.requirements]]
            if self.without_dependencies:
                steps.insert(0, ["install", "--no-deps", *self.without_dependencies])
            if self.source:
                steps.append(["download", "--no-deps", "--no-binary", ":all:", "-d", folder, self.source])
            for step in steps:
                pip = subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "-q", *step], capture_output=True, text=True)
                if pip.returncode:
                    raise Unavailable(last_line(pip.stderr))
            if self.source:
                with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
                    archive.extractall(folder / "source", filter="data")
            stamp.touch()
        # Links to moduli as it was last built.
        package = next(INSTALLED.glob("lib/python3*/site-packages/moduli"), None)
        if package is None:
            sys.exit("integrations: the package moduli is not installed: make python")
        site = next((folder / "venv/lib").glob("python3*")) / "site-packages"
        link = site / "moduli"
        if link.is_symlink():
            link.unlink()
        link.symlink_to(package)
        return python

    def tested(self, python, folder, after):
        """Runs the tests. Returns how many passed, and the names of those that failed."""
        if not self.tests:
            return 0, []
        site = next((folder / "venv/lib").glob("python3*")) / "site-packages"
        source = next((folder / "source").glob("*"), folder) if self.source else folder
        arguments = [each.format(site=site, source=source) for each in self.tests]
        variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
        if after:
            variables["PYTHONPATH"] = str(HERE / "under")
            # Otherwise two runs without moduli would be compared.
            subprocess.run([python, "-c", self.under], env=variables, check=True)
        command = [python, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", folder, "-p", "no:cacheprovider", "-rfE", *arguments]
        run = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
        passed = re.search(r"(\d+) passed", run.stdout)
        failed = sorted(re.findall(r"^(?:FAILED|ERROR) (\S+)", run.stdout, re.M))
        if not passed or run.returncode not in (0, 1):
            sys.stdout.write(run.stdout[-3000:] + run.stderr[-3000:])
        return int(passed[1]) if passed else 0, failed

    def measured(self, python):
        """Runs the benchmarks, and returns as text how many times faster each operation is."""
        texts = []
        for program, *arguments in self.benchmarks:
            variables = environment() | {"PYTHONPATH": f"{HERE / 'benchmarks'}"}
            if program == "pycryptodome_own.py":
                variables["PYTHONPATH"] += f":{HERE / 'under'}"
            command = [python, HERE / "benchmarks" / program, *arguments]
            run = subprocess.run(command, env=variables, capture_output=True, text=True)
            if run.returncode:
                sys.exit(run.stdout + run.stderr)
            texts.append(ratios(json.loads(run.stdout.splitlines()[-1])))
        return ", ".join(texts)


GMPY2 = "gmpy2==2.3.2"
PYTEST = "pytest==8.4.2"

PACKAGES = {
    "phe": Package(
        title="phe 1.5.0 (python-paillier)",
        requirements=["phe==1.5.0", GMPY2, "numpy==2.4.6", "click==8.5.1", PYTEST],
        tests=["--pyargs", "phe.tests"],
        benchmarks=[["phe_own.py"]],
        baseline="gmpy2 2.3.2",
    ),
    "electionguard": Package(
        title="electionguard 1.4.0",
        # Its pinned requirements need Python 3.9 or 3.10, and a web server.
        without_dependencies=["electionguard==1.4.0"],
        requirements=[GMPY2, "pydantic==1.10.26", "dacite==1.9.2", "psutil==7.2.2", "python-dateutil==2.9.0.post0"],
        tests=[],
        benchmarks=[["electionguard_own.py"], ["electionguard_own.py", "tables"]],
        baseline="gmpy2 2.3.2",
    ),
    "tno": Package(
        title="tno.mpc.encryption_schemes.paillier 4.1.0",
        requirements=["tno.mpc.encryption_schemes.paillier[gmpy,tests]==4.1.0", GMPY2, PYTEST],
        tests=["{site}/tno/mpc/encryption_schemes/paillier/test"],
        benchmarks=[["tno_own.py"]],
        baseline="gmpy2 2.3.2",
    ),
    "mpyc": Package(
        title="MPyC 0.11",
        requirements=["mpyc==0.11", GMPY2, "numpy==2.4.6", PYTEST],
        source="mpyc==0.11",
        tests=["{source}/tests"],
        benchmarks=[["mpyc_own.py"]],
        baseline="gmpy2 2.3.2",
    ),
    "pycryptodome": Package(
        title="pycryptodome 4.4.0 (RSA, DSA)",
        requirements=["pycryptodome==4.4.0", PYTEST],
        tests=[
            f"{{site}}/Crypto/SelfTest/{part}"
            for part in ("PublicKey", "Signature", "Math", "Cipher/test_pkcs1_15.py", "Cipher/test_pkcs1_oaep.py")
        ],
        under="from Crypto.Math.Numbers import Integer; Integer.pow_of_its_own",
        benchmarks=[["pycryptodome_own.py"]],
        baseline="its own C",
    ),
}
