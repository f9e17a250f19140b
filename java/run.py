"""Builds and tests the packages for the JVM, or measures them.

    run.py find                  prints the folder of a JDK of 22 or later; ends with 1 if there is none, or no Maven
    run.py test LIBRARY          LIBRARY: where `cargo build --release -p moduli-capi` put libmoduli_capi.so
    run.py test LIBRARY MACHINE...
                                 also adds a library for Linux on these machines to the jar (crossed.py)
    run.py pack LIBRARY FOLDER   runs Maven's tests, and puts the jars to publish, with sources and documentation, into FOLDER
    run.py bench LIBRARY PAGE    measures beside BigInteger, and writes the table into PAGE
    run.py faults LIBRARY [WORD...]
                                 tries the seeded faults (faults.py), or those whose names contain a word

The native library is stripped and put into the folder from which Maven takes it as a resource.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import crossed

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
NATIVE = HERE / "moduli/native/org/moduli/native"
OLDEST = 22
ACCESS = "--enable-native-access=ALL-UNNAMED"


def jdk():
    """The folder of the first JDK that is new enough: $JAVA_HOME, that of `javac` on the path, or one in /usr/lib/jvm."""
    found = shutil.which("javac")
    places = [os.environ.get("JAVA_HOME"), found and str(Path(found).resolve().parents[1]), *sorted(map(str, Path("/usr/lib/jvm").glob("*")))]
    for place in filter(None, places):
        javac = Path(place) / "bin/javac"
        if not javac.is_file():
            continue
        said = subprocess.run([javac, "-version"], capture_output=True, text=True).stdout
        version = re.match(r"javac (\d+)", said)
        if version and int(version[1]) >= OLDEST:
            return Path(place)
    return None


def run(*command, **options):
    print("$", " ".join(str(part) for part in command), flush=True)
    return subprocess.run([str(part) for part in command], check=True, **options)


def package(home, libraries, *options, machines=()):
    """Runs Maven, which tests and packages. Returns the paths of the two jars."""
    machine = os.uname().machine
    # Maven does not remove resources that it copied earlier.
    for stale in (NATIVE, HERE / "moduli/target/classes/org/moduli/native"):
        shutil.rmtree(stale, ignore_errors=True)
    for other in machines:
        crossed.library(other, libraries / "libmoduli_capi.so", NATIVE / f"linux-{other}/libmoduli.so")
    folder = NATIVE / f"linux-{machine}"
    folder.mkdir(parents=True, exist_ok=True)
    run("strip", "--strip-unneeded", "-o", folder / "libmoduli.so", libraries / "libmoduli_capi.so")
    run("mvn", "--batch-mode", "--quiet", "--no-transfer-progress", *options, "verify", cwd=HERE, env=os.environ | {"JAVA_HOME": str(home)})
    version = re.search(r"<version>(.*?)</version>", (HERE / "pom.xml").read_text(encoding="utf-8"))[1]
    return HERE / f"moduli/target/moduli-{version}.jar", HERE / f"vmgj/target/moduli-vmgj-{version}.jar"


def run_page(java, jar, folder):
    """Checks that the first program of docs/java.md prints the output shown there."""
    page = (ROOT / "docs/java.md").read_text(encoding="utf-8")
    program = re.search(r"```java\n(.*?)```\n\n```text\n(.*?)```", page, flags=re.S)
    if not program:
        sys.exit("docs/java.md has no program with what it prints")
    (folder / "Begin.java").write_text(program[1], encoding="utf-8")
    command = [line for line in program[2].splitlines() if line.startswith("$ ")]
    if command != ["$ java --enable-native-access=ALL-UNNAMED -cp moduli.jar Begin.java"]:
        sys.exit(f"docs/java.md runs {command}")
    wanted = program[2].split("\n", 1)[1]
    printed = run(java, ACCESS, "-cp", jar, folder / "Begin.java", stdout=subprocess.PIPE, text=True).stdout
    if printed != wanted:
        sys.exit(f"docs/java.md says {wanted!r}; the program prints {printed!r}")


def kill(java, jar, folder):
    """Checks that a JVM that is killed while threads compute and build tables leaves no files behind."""
    (folder / "Busy.java").write_text(
        "import java.math.BigInteger;\nimport org.moduli.*;\n"
        "class Busy {\n    public static void main(String[] arguments) {\n"
        "        Modulus p = Modulus.of(BigInteger.TWO.pow(2203).subtract(BigInteger.ONE));\n"
        "        System.out.println(\"ready\");\n"
        "        for (int i = 0; i < 4; i++) new Thread(() -> { for (;;) try (FixedBase g = FixedBase.build(p, BigInteger.TEN, 2203, 1 << 20, "
        "Secrecy.SECRET)) { g.pow(p.value()); } }).start();\n    }\n}\n",
        encoding="utf-8",
    )
    temporary = folder / "temporary"
    temporary.mkdir()
    command = [java, ACCESS, f"-Djava.io.tmpdir={temporary}", "-XX:-UsePerfData", "-cp", jar, folder / "Busy.java"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout.readline() != "ready\n":
            sys.exit("the program to be killed does not begin")
        time.sleep(1)
        process.send_signal(signal.SIGKILL)
        if process.wait() != -signal.SIGKILL:
            sys.exit(f"killed, the JVM ended with {process.returncode}")
    if left := list(temporary.iterdir()):
        sys.exit(f"the killed JVM left {left}")
    print("a killed JVM leaves nothing behind")


def cannot_load(java, jars, folder):
    """Checks that programs that use VMGJ can ask whether the library loads, and learn why it does not and what to do."""
    (folder / "Ask.java").write_text(
        "import com.verificatum.vmgj.VMG;\nclass Ask {\n    public static void main(String[] arguments) {\n"
        "        System.out.println(VMG.checkLoaded() + \" \" + VMG.LOAD_ERROR.getMessage());\n    }\n}\n",
        encoding="utf-8",
    )
    bad = folder / f"bad/org/moduli/native/linux-{os.uname().machine}/libmoduli.so"
    bad.parent.mkdir(parents=True)
    bad.write_bytes(b"no library, and the first of the class path")
    for option, *wanted in (
        ("-Dmoduli.library=/no/such", "library /no/such, which the system property moduli.library names: ", "load library"),
        (f"-Djava.io.tmpdir={folder}", f"library {folder}/moduli-", "java.io.tmpdir", "moduli.library", "): ", "file too short"),
        ("-Djava.io.tmpdir=/no/such", "unpack its native library", "java.io.tmpdir", "moduli.library", "/no/such"),
    ):
        command = [java, ACCESS, option, "-cp", os.pathsep.join(map(str, [folder / "bad", *jars])), folder / "Ask.java"]
        said = run(*command, stdout=subprocess.PIPE, text=True).stdout
        if not said.startswith("false moduli cannot ") or not all(part in said for part in wanted):
            sys.exit(f"without a library VMG says {said!r}")


def test(home, libraries, machines):
    jar, vmgj = package(home, libraries, machines=machines)
    inside = {name for name in zipfile.ZipFile(jar).namelist() if name.endswith("libmoduli.so")}
    if inside != {f"org/moduli/native/linux-{machine}/libmoduli.so" for machine in (os.uname().machine, *machines)}:
        sys.exit(f"{jar} has the native libraries {sorted(inside)}")
    with tempfile.TemporaryDirectory() as name:
        run_page(home / "bin/java", jar, Path(name))
        kill(home / "bin/java", jar, Path(name))
        cannot_load(home / "bin/java", [jar, vmgj], Path(name))
        # The benchmark is not run here, but must compile.
        run(home / "bin/javac", "-Xlint:all", "-Werror", "-cp", jar, "-d", name, HERE / "bench/Bench.java")
    print(f"the packages for the JVM: all tests passed ({jar.name}, {vmgj.name})")


def pack(home, libraries, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for jar in package(home, libraries, "-Prelease"):
        for kind in ("", "-sources", "-javadoc"):
            made = jar.with_name(f"{jar.stem}{kind}.jar")
            names = zipfile.ZipFile(made).namelist()
            if not kind and "META-INF/LICENSE-MIT" not in names:
                sys.exit(f"{made} has no licence")
            shutil.copy(made, folder)
            print(f"{folder / made.name}: {len(names)} files, {made.stat().st_size} bytes")


def bench(home, libraries, page):
    jar, _ = package(home, libraries, "-DskipTests")
    # One thread, because BigInteger uses one. Products of many powers would use all cores.
    environment = os.environ | {"RAYON_NUM_THREADS": "1"}
    done = run(home / "bin/java", ACCESS, "-cp", jar, HERE / "bench/Bench.java", stdout=subprocess.PIPE, text=True, env=environment)
    print(done.stdout)
    text = page.read_text(encoding="utf-8")
    begin, end = "<!-- measured: begin -->\n", "<!-- measured: end -->"
    page.write_text(text[: text.index(begin) + len(begin)] + done.stdout + text[text.index(end):], encoding="utf-8")


def seeded(home, libraries, words):
    package(home, libraries, "-DskipTests")
    sys.path.append(str(ROOT / "scripts"))
    from faults import FAULTS
    from seeded import tried, update

    copy = ROOT / "target/java-faults"
    update(HERE, copy, ("",))
    command = lambda test: ["mvn", "--batch-mode", "--quiet", "--offline", "-pl", "moduli", f"-Dtest={test.replace(' ', '#')}", "test"]
    tried(FAULTS, words, copy, command, os.environ | {"JAVA_HOME": str(home)})


def main():
    home = jdk()
    if sys.argv[1:] == ["find"]:
        if not home or not shutil.which("mvn"):
            sys.exit(1)
        print(home)
    elif not home:
        sys.exit(f"no JDK of {OLDEST} or later: JAVA_HOME names one")
    elif sys.argv[1:2] == ["test"] and len(sys.argv) >= 3:
        test(home, Path(sys.argv[2]).resolve(), sys.argv[3:])
    elif sys.argv[1:2] == ["pack"] and len(sys.argv) == 4:
        pack(home, Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve())
    elif sys.argv[1:2] == ["bench"] and len(sys.argv) == 4:
        bench(home, Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve())
    elif sys.argv[1:2] == ["faults"] and len(sys.argv) >= 3:
        seeded(home, Path(sys.argv[2]).resolve(), sys.argv[3:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
