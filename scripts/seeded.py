"""Seeded faults in the packages for other languages. Each fault is put into a copy of a package, and a test must fail.

    seeded.py    runs none; requires that each fault fits: that its file contains the text it replaces exactly once,
                 and that its test exists

A package lists its FAULTS in a file faults.py. File names in it are relative to the folder FILES, and TESTS is a
pattern of the names of test files there. `run.py faults` in the same folder tries all faults, or those whose names
contain one of its arguments.
"""

import fcntl
import importlib.util
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
# A copy of the crates, for faults in them and in packages that are compiled with them.
CRATES = REPOSITORY / "target/seeded"
LISTS = ("crates/moduli-capi/c/faults.py", "go/faults.py", "java/faults.py", "js/faults.py", "python/faults.py")


@dataclass(frozen=True)
class Fault:
    """A fault: `right` occurs once in the file, `wrong` replaces it, and `test` must then fail. `test` is the test's
    name, after the name of its file or class and a blank if there are several of these."""

    name: str
    file: str
    right: str
    wrong: str
    test: str

    @property
    def test_name(self):
        return self.test.partition(" ")[2] or self.test


def misfit(fault, text):
    """Why the fault cannot be put into the text of its file, or None."""
    count = text.count(fault.right)
    return None if count == 1 and fault.wrong != fault.right else f"{fault.name}: {fault.file} has {count} times {fault.right!r}"


def alone(copy):
    """Locks the copy. Ends this program if another one is trying faults in the same copy."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    held.append(open(copy.with_name(f"{copy.name}.lock"), "w"))
    try:
        fcntl.flock(held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"another process is trying faults in {copy}")


# The open lock files, which stay locked until this program ends.
held = []


def update(source, copy, parts, without=()):
    """Makes `copy` a copy of parts of `source`, without some folders. Files that are equal keep their times, so that only
    changed files are compiled again. Faults that an interrupted run has left are removed."""
    alone(copy)
    wanted = {}
    for part in parts:
        whole = source / part
        for path in whole.rglob("*") if whole.is_dir() else [whole]:
            place = path.relative_to(source)
            if path.is_file() and not any(place.is_relative_to(folder) for folder in without):
                wanted[copy / place] = path
        for path in (copy / part).rglob("*"):
            if (path.is_file() or path.is_symlink()) and path not in wanted:
                path.unlink()
    for path, original in wanted.items():
        if not path.is_file() or path.read_bytes() != original.read_bytes():
            path.parent.mkdir(parents=True, exist_ok=True)
            # Does not copy the file's time, with which the compiler would take its output from the faulty file for newer.
            shutil.copy(original, path)


def update_crates():
    """Makes CRATES a copy of the crates and of the Python package."""
    update(REPOSITORY, CRATES, ("Cargo.toml", "Cargo.lock", "pyproject.toml", "crates", "python", "scripts"))


def cargo(package):
    """The command that compiles a package in the copy. Its dependencies are optimised as they ship; the package itself
    is hardly optimised, so that it compiles in a second."""
    options = {"opt-level": 1, "codegen-units": 16, "incremental": "true"}
    settings = [word for name, value in options.items() for word in ("--config", f"profile.release.package.{package}.{name}={value}")]
    return ["cargo", "build", "--release", "--locked", "-p", package, *settings]


def tried(faults, words, copy, command, environment=None, build=None):
    """Tries the faults in the folder `copy`, and ends with 1 if one is not caught. `command` returns the command of a
    test. The command `build` compiles the code that the tests run; it runs again for each fault in Rust."""
    compiled = lambda fault: build is not None and fault.file.endswith(".rs")
    # Faults that need no build of their own are tried first.
    chosen = sorted((fault for fault in faults if not words or any(word in fault.name for word in words)), key=compiled)
    if not chosen:
        sys.exit(f"no fault has a name with {' or '.join(words)}")
    if wrong := [reason for fault in chosen if (reason := misfit(fault, (copy / fault.file).read_text(encoding="utf-8")))]:
        sys.exit("\n".join(wrong))
    run = lambda what: subprocess.run([str(part) for part in what], cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      errors="replace", env=environment)  # fmt: skip
    if build and (ended := run(build)).returncode:
        sys.exit(f"{ended.stdout}\ndoes not compile without a fault")
    for test in sorted({fault.test for fault in chosen}):
        if (ended := run(command(test))).returncode:
            sys.exit(f"{ended.stdout}\n{test} fails without a fault")
    missed = 0
    for fault in chosen:
        path = copy / fault.file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
        ended = run(build) if compiled(fault) else None
        built = ended is None or ended.returncode == 0
        if built:
            ended = run(command(fault.test))
        path.write_text(text, encoding="utf-8")
        # A fault that does not compile, or ends the program before the test, does not count as caught.
        caught = built and ended.returncode != 0 and fault.test_name in ended.stdout
        missed += not caught
        print(f"{'caught' if caught else 'MISSED'}  {fault.name}: {fault.test}", flush=True)
        if not caught:
            print(ended.stdout[-2000:])
    print(f"{len(chosen) - missed} caught, {missed} missed")
    sys.exit(1 if missed else 0)


def check():
    """Checks that the faults of all packages fit, and ends with 1 if one does not."""
    count, wrong = 0, []
    for place in LISTS:
        specification = importlib.util.spec_from_file_location("faults", REPOSITORY / place)
        package = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(package)
        tests = "".join(path.read_text(encoding="utf-8") for path in package.FILES.glob(package.TESTS))
        names = [fault.name for fault in package.FAULTS]
        wrong += [f"{place}: two faults are called {name!r}" for name in sorted(set(names)) if names.count(name) > 1]
        for fault in package.FAULTS:
            count += 1
            reason = misfit(fault, (package.FILES / fault.file).read_text(encoding="utf-8"))
            if not reason and fault.test_name not in tests:
                reason = f"{fault.name}: there is no test {fault.test}"
            wrong += [f"{place}: {reason}"] if reason else []
    print("".join(f"{each}\n" for each in wrong) + f"seeded faults of {len(LISTS)} packages: {count - len(wrong)} fit, {len(wrong)} do not")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    check()
