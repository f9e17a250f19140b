"""Runs the stages of `make test`, two at a time, each as `make STAGE`, and prints how long each took.

    stages.py [STAGE...]    all stages, or only these, in the order of the list

The output of a stage is in target/stages/STAGE.log, and is shown if the stage fails. Stages that need a failed
stage do not run; the others do.
"""

import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "target/stages"
AT_ONCE = 2
# Options of maturin, so that the Python package links the libraries that were compiled for the tests.
AS_TESTED = "--features as-tested"
# Two stages that write to the same folder never run at once: the second would wait for the first, or read what the
# first is writing. The output of `build` is only read.
RELEASE, HDL = "target/release", "hdl/build"


@dataclass(frozen=True)
class Stage:
    """A target of the Makefile."""

    name: str
    after: tuple = ()  # the stages that must have passed before
    writes: str = ""  # a folder that no other stage may write to meanwhile


# Each stage starts as soon as it can, in the order of this list: first the stages that others need, then the library's
# suite, then the long ones, so that only short ones are left at the end.
STAGES = (
    Stage("build-tested", writes=RELEASE),
    Stage("hdl-tools"),
    Stage("vectors"),
    Stage("python-tools"),
    Stage("suite", ("build-tested",)),
    Stage("hdl-simulate", ("build-tested", "hdl-tools"), HDL),
    Stage("hdl-bus", ("build-tested", "hdl-tools"), HDL),
    Stage("hdl-leak", ("build-tested", "hdl-tools"), HDL),
    Stage("hdl-flips", ("build-tested", "hdl-tools"), HDL),
    Stage("python", ("build-tested", "python-tools"), RELEASE),
    Stage("hdl-prove", ("build-tested", "hdl-tools"), HDL),
    Stage("suite-vectors", ("build-tested", "vectors")),
    Stage("suite-kernels", ("build-tested",)),
    Stage("capi", ("build-tested",)),
    Stage("jvm", ("build-tested",)),
    Stage("js"),
    Stage("go", ("build-tested",)),
    Stage("report-test", ("build-tested", "python", "js")),
    Stage("integration", ("python",)),
    Stage("hdl-lint", ("build-tested", "hdl-tools"), HDL),
    Stage("faults-match", ("build-tested",)),
    Stage("forged", ("build-tested",)),
)


@dataclass
class Running:
    """A stage that is running."""

    stage: Stage
    process: subprocess.Popen
    begun: float


@dataclass
class Result:
    """How a stage ended. `status` is that of make: 0 if the stage passed, None if it did not run."""

    status: int | None
    wall: float = 0.0
    cpu: float = 0.0


def log(stage):
    return LOGS / f"{stage.name}.log"


def begin(stage):
    # The options of an enclosing make, such as its number of jobs, are not for the make of a stage.
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BUILT")}
    environment["MATURIN_PEP517_ARGS"] = AS_TESTED
    # With BUILT=1, make uses the release build of an earlier stage without checking it. Cargo would wait for any stage
    # that compiles before it checks.
    if "build-tested" in stage.after:
        environment["BUILT"] = "1"
    with open(log(stage), "wb") as output:
        process = subprocess.Popen(["make", "--no-print-directory", stage.name], cwd=ROOT, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
    return Running(stage, process, time.monotonic())


def wait(running):
    """Waits until a stage ends; returns it and its result. Its processor time includes all processes it waited for."""
    process, status, used = os.wait4(-1, 0)
    ended = next(each for each in running if each.process.pid == process)
    ended.process.returncode = os.waitstatus_to_exitcode(status)
    return ended, Result(ended.process.returncode, time.monotonic() - ended.begun, used.ru_utime + used.ru_stime)


def next_stage(waiting, running, results):
    """The first waiting stage that may begin, or None."""
    busy = {each.stage.writes for each in running} - {""}
    ready = lambda stage: all(name in results for name in stage.after) and stage.writes not in busy
    return next((stage for stage in waiting if ready(stage)), None)


def tell(ended, result):
    if result.status == 0:
        print(f"passed  {ended.stage.name}: {result.wall:.0f} s, {result.cpu:.0f} s of processors", flush=True)
        return
    sys.stdout.write(log(ended.stage).read_text(encoding="utf-8", errors="replace"))
    print(f"FAILED  {ended.stage.name}: make {ended.stage.name} ended with {result.status}", flush=True)


def run(stages):
    """Runs the stages and returns their results by name."""
    waiting, running, results = list(stages), [], {}
    try:
        while waiting or running:
            for stage in [stage for stage in waiting if any(name in results and results[name].status != 0 for name in stage.after)]:
                waiting.remove(stage)
                results[stage.name] = Result(None)
                print(f"NOT RUN {stage.name}: what it needs has failed", flush=True)
            stage = next_stage(waiting, running, results) if len(running) < AT_ONCE else None
            if stage:
                waiting.remove(stage)
                running.append(begin(stage))
            elif running:
                ended, result = wait(running)
                running.remove(ended)
                results[ended.stage.name] = result
                tell(ended, result)
    finally:
        # Each stage leads a process group, which is ended with it.
        for each in running:
            os.killpg(each.process.pid, signal.SIGTERM)
    return results


def table(results, wall):
    """Prints the wall and processor seconds of each stage."""
    print(f"\n{'stage':20}{'wall s':>8}{'CPU s':>8}")
    for stage in STAGES:
        if stage.name in results:
            result = results[stage.name]
            said = {0: "", None: "  not run"}.get(result.status, "  failed")
            print(f"{stage.name:20}{result.wall:8.0f}{result.cpu:8.0f}{said}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    print(f"{'all':20}{wall:8.0f}{cpu:8.0f}  {wall / 60:.1f} and {cpu / 60:.1f} minutes")


def main():
    asked = sys.argv[1:]
    if unknown := set(asked) - {stage.name for stage in STAGES}:
        sys.exit(f"stages: {', '.join(sorted(unknown))}: unknown; there are: {', '.join(stage.name for stage in STAGES)}")
    chosen = [stage for stage in STAGES if not asked or stage.name in asked]
    names = {stage.name for stage in chosen}
    chosen = [replace(stage, after=tuple(name for name in stage.after if name in names)) for stage in chosen]
    # Earlier versions wrote a table to a file of this name.
    if LOGS.is_file():
        LOGS.unlink()
    LOGS.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    results = run(chosen)
    table(results, time.monotonic() - begun)
    failed = [name for name, result in results.items() if result.status != 0]
    if failed:
        print(f"test fails in {', '.join(failed)}: see {LOGS.relative_to(ROOT)}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    # On SIGTERM, exit by an exception, so that run() ends the stages that still run.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
