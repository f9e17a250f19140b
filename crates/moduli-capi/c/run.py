"""Tests the C library as its users meet it: staged under a prefix as an installation has it, found by pkg-config, compiled with gcc
and g++ without a warning, linked dynamically and statically, run beside OpenSSL, under valgrind and by several threads.

    run.py TARGET COMMAND    TARGET: where `cargo build --release -p moduli-capi` put the libraries; COMMAND: the command moduli,
                             which makes the keys
    run.py faults [WORD...]  tries the seeded faults (faults.py), or those whose names contain a word

Also: the examples, the programs of README.md and docs/c.md, and whether every function of the headers is called.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

CRATE = Path(__file__).resolve().parents[1]
ROOT = CRATE.parents[1]
WARNINGS = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pedantic"]
C = ["gcc", "-std=c11", *WARNINGS]
CPP = ["g++", "-std=c++11", *WARNINGS]
# What rustc links its own libraries with: `rustc --print native-static-libs`.
PRIVATE = "-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc"
MEMCHECK = ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite,indirect,possible",
            "--errors-for-leak-kinds=definite,indirect,possible"]


def run(*command, **options):
    print("$", " ".join(str(part) for part in command), flush=True)
    return subprocess.run([str(part) for part in command], check=True, **options)


def stage(libraries, prefix):
    """What an installation has under its prefix."""
    (prefix / "lib/pkgconfig").mkdir(parents=True)
    shutil.copytree(CRATE / "include", prefix / "include")
    for suffix in ("so", "a"):
        shutil.copy(libraries / f"libmoduli_capi.{suffix}", prefix / f"lib/libmoduli.{suffix}")
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    (prefix / "lib/pkgconfig/moduli.pc").write_text(
        f"prefix={prefix}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\nName: moduli\nDescription: the C library moduli\n"
        f"Version: {version}\nLibs: -L${{libdir}} -lmoduli\nLibs.private: {PRIVATE}\nCflags: -I${{includedir}}\n",
        encoding="utf-8",
    )
    return version


def flags(*options):
    return subprocess.run(["pkg-config", *options, "moduli"], check=True, capture_output=True, text=True).stdout.split()


def check_every_function_is_called():
    headers = "".join(file.read_text(encoding="utf-8") for file in CRATE.glob("include/moduli/*.h"))
    declared = set(re.findall(r"\b(moduli_\w+)\(", re.sub(r"/\*.*?\*/", "", headers, flags=re.S)))
    called = set()
    for file in CRATE.glob("c/*.c"):
        called |= set(re.findall(r"\b(moduli_\w+)\(", file.read_text(encoding="utf-8")))
    if not declared or declared - called:
        sys.exit(f"not called by any test in C: {sorted(declared - called)}")
    print(f"{len(declared)} functions, all called")


def check_exports(library):
    """Nothing but what has the prefix may be seen by a linker."""
    names = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], check=True, capture_output=True, text=True).stdout
    strange = [line.split()[0] for line in names.splitlines() if not line.startswith("moduli_")]
    if strange:
        sys.exit(f"{library} exports {strange}")


def check_warnings(folder, options):
    """What the attributes of the headers make compilers say, of C and of C++: and nothing is said of a program that is right."""
    start = "#include <moduli.h>\nint main(void) { moduli_modulus *p; uint8_t x[1] = {3}; "
    end = " return (int)status; }\n"
    right = "moduli_status status = moduli_modulus_new(&p, x, sizeof x);"
    programs = {
        None: right,
        "unused-result": right + " moduli_pow(p, x, 1, x, 1, x, 1);",
        "nonnull": right + " status = moduli_pow(NULL, x, 1, x, 1, x, 1);",
        "conversion": right + " status = moduli_fixed_base_plan(p, NULL, NULL, NULL, 0, 16, 4096, 2);",
    }
    for compiler, suffix in ((C, "c"), (CPP, "cpp"), (["clang", "-std=c11", *WARNINGS], "c")):
        if not shutil.which(compiler[0]):
            continue
        for warning, body in programs.items():
            if warning == "conversion" and suffix == "c":
                continue  # C takes any integer for an enumeration.
            file = folder / f"warnings.{suffix}"
            file.write_text(start + body + end, encoding="utf-8")
            done = subprocess.run([*compiler, "-c", "-o", folder / "warnings.o", file, *options], capture_output=True, text=True)
            if (done.returncode == 0) != (warning is None) or (warning or "") not in done.stderr:
                sys.exit(f"{compiler[0]}, {warning}: {done.stderr or 'no warning'}")
    print("ignored statuses, NULL and numbers for enumerations: compilers warn")


def check_version(folder, options, version):
    """The macros are the version, and are good for comparisons in the preprocessor."""
    file = folder / "version.c"
    major, minor, patch = version.split("-")[0].split(".")
    file.write_text(
        f"#include <moduli.h>\n#if MODULI_VERSION_MAJOR != {major} || MODULI_VERSION_MINOR != {minor} || MODULI_VERSION_PATCH != {patch} \\\n"
        f"    || MODULI_VERSION_NUMBER != 1000000 * {major} + 1000 * {minor} + {patch}\n#error version\n#endif\n"
        "#include <string.h>\nint main(void) { return strcmp(MODULI_VERSION_STRING, moduli_version()); }\n",
        encoding="utf-8",
    )
    run(*C, "-o", folder / "version", file, *options)


def make_keys(command, folder):
    """Keys as their owners have them; the test program reads them."""
    openssl = lambda *options: run("openssl", *options, stderr=subprocess.DEVNULL)
    run(command, "dsa", "keygen", "--group", "dsa-2048-256", "-o", folder / "dsa.pem", "--public-key", folder / "dsa-public.pem")
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", folder / "rsa.pem")
    openssl("pkey", "-in", folder / "rsa.pem", "-pubout", "-out", folder / "rsa-public.pem")


def diffie_hellman(program, folder, environment):
    """The example and the openssl command come to the same secret."""
    theirs, public, ours, secret, expected = (folder / f"dh-{name}" for name in ("theirs.pem", "theirs.der", "ours.der", "secret", "expected"))
    run("openssl", "genpkey", "-algorithm", "DH", "-pkeyopt", "group:ffdhe3072", "-out", theirs)
    run("openssl", "pkey", "-in", theirs, "-pubout", "-outform", "DER", "-out", public)
    for _ in range(3):
        run(program, public, ours, secret, env=environment)
        run("openssl", "pkeyutl", "-derive", "-inkey", theirs, "-peerkey", ours, "-peerform", "DER", "-pkeyopt", "pad:1", "-out", expected)
        if secret.read_bytes() != expected.read_bytes() or len(secret.read_bytes()) != 384:
            sys.exit("the example and openssl derive different secrets")
    # A key that is cut short, one with a byte more, and one in another group.
    other = folder / "dh-other.der"
    run("openssl", "genpkey", "-algorithm", "DH", "-pkeyopt", "group:ffdhe2048", "-out", folder / "dh-other.pem")
    run("openssl", "pkey", "-in", folder / "dh-other.pem", "-pubout", "-outform", "DER", "-out", other)
    good = public.read_bytes()
    for bad in (good[:-1], good + b"\0", good[:100], b"", other.read_bytes(), good[:-384] + bytes(383) + b"\1"):
        (folder / "dh-bad.der").write_bytes(bad)
        if subprocess.run([program, folder / "dh-bad.der", ours, secret], env=environment, stderr=subprocess.DEVNULL).returncode != 1:
            sys.exit("the example takes a key that is none")
    print("Diffie-Hellman: the same secret as openssl's")


def kernels(command):
    """The names of the kernels: the command tells them when it is given none of them."""
    command = [str(command), "plan", "--bits", "64", "--exponent-bits", "64", "--kernel", "none"]
    names = subprocess.run(command, capture_output=True, text=True).stderr.strip().rpartition(": ")[2].split(", ")
    if "portable" not in names:
        sys.exit(f"the command names no kernels: {names}")
    return names


def gmp(folder, options, environment):
    """moduli_gmp.h, beside GMP, as C and C++ and under valgrind."""
    header = subprocess.run(["gcc", "-E", "-include", "gmp.h", "-x", "c", "/dev/null"], capture_output=True)
    if header.returncode != 0:
        print("moduli_gmp.h is not tested: gmp.h (libgmp-dev) is missing")
        if os.environ.get("CI"):
            sys.exit(1)
        return
    source = CRATE / "c/gmp/main.c"
    run(*C, "-o", folder / "gmp", source, *options, "-lgmp")
    run(*CPP, "-x", "c++", "-o", folder / "gmp-cpp", source, *options, "-lgmp")
    run(folder / "gmp", env=environment)
    run(folder / "gmp-cpp", "quick", env=environment)
    run(*MEMCHECK, folder / "gmp", "quick", env=environment | {"RAYON_NUM_THREADS": "1"})


def wiped(folder, options, environment):
    """What is made of secrets, by moduli_gmp.h too if there is GMP, is wiped before its memory is freed."""
    with_gmp = ["-DWITH_GMP", "-lgmp"] if (folder / "gmp").is_file() else []
    run(*C, "-o", folder / "wiped", *sorted(CRATE.glob("c/wiped/*.c")), *options, *with_gmp)
    run(folder / "wiped", env=environment)


def faults(words):
    """In a copy of the tree, whose library is compiled again for each fault in Rust."""
    sys.path.append(str(ROOT / "scripts"))
    import seeded
    from faults import FAULTS

    seeded.update_crates()
    command = lambda test: [sys.executable, "crates/moduli-capi/c/one.py", "target/release", test.partition(" ")[0]]
    seeded.tried(FAULTS, words, seeded.CRATES, command, build=seeded.cargo("moduli-capi"))


def main():
    if sys.argv[1:2] == ["faults"]:
        faults(sys.argv[2:])
    libraries, command = (Path(argument).resolve() for argument in sys.argv[1:3])
    folder = libraries.parent / "capi"
    prefix = folder / "prefix"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    version = stage(libraries, prefix)
    os.environ["PKG_CONFIG_PATH"] = str(prefix / "lib/pkgconfig")
    environment = os.environ | {"LD_LIBRARY_PATH": str(prefix / "lib")}
    check_every_function_is_called()
    check_exports(prefix / "lib/libmoduli.so")

    dynamic = flags("--cflags", "--libs")
    # The archive by its name: -lmoduli would find the shared library beside it.
    static = [str(prefix / "lib/libmoduli.a") if flag == "-lmoduli" else flag for flag in flags("--static", "--cflags", "--libs")]
    sources = sorted(CRATE.glob("c/*.c"))
    for name, libs in (("dynamic", dynamic), ("static", static)):
        run(*C, "-D_POSIX_C_SOURCE=200809L", "-o", folder / name, *sources, *libs, "-lcrypto", "-lpthread")
        run(*CPP, "-o", folder / f"{name}-cpp", CRATE / "c/header.cpp", *libs)
    check_warnings(folder, dynamic)
    check_version(folder, dynamic, version)
    run(folder / "version", env=environment)
    page = (ROOT / "docs/c.md").read_text(encoding="utf-8")
    snippets = re.findall(r"```c\n(#include.*?)```", page, flags=re.S)
    if not snippets:
        sys.exit("docs/c.md has no program")
    (folder / "page.c").write_text(snippets[0], encoding="utf-8")
    readme = re.findall(r"^```c\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M | re.S)
    (folder / "readme.c").write_text("\n".join(readme), encoding="utf-8")
    run(*C, "-o", folder / "readme", folder / "readme.c", *dynamic)
    run(*C, "-o", folder / "page", folder / "page.c", *dynamic)
    # As the page says for who has no cargo-c: from the source tree, in place of its target/release the folder that was named.
    lines = re.findall(r"^\$ cc power\.c (-I.*)$|^\$ (LD_LIBRARY_PATH)=target/release \./a\.out$", page, flags=re.M)
    if [name for _, name in lines] != ["", "LD_LIBRARY_PATH"]:
        sys.exit("docs/c.md does not say how to do without cargo-c")
    options = lines[0][0].replace("target/release", str(libraries)).split()
    run("cc", "-o", folder / "page-alone", folder / "page.c", *options, cwd=ROOT)
    run(folder / "page-alone", env=os.environ | {"LD_LIBRARY_PATH": str(libraries)})
    run(*C, "-D_DEFAULT_SOURCE", "-o", folder / "dh", CRATE / "examples/dh.c", *dynamic)

    make_keys(command, folder)
    run(folder / "dynamic", folder, env=environment)
    run(folder / "static", folder, "quick")
    for kernel in kernels(command):
        if kernel == "portable" or subprocess.run([folder / "dynamic-cpp"], env=environment | {"MODULI_KERNEL": kernel}, capture_output=True).returncode == 0:
            run(folder / "dynamic", folder, "quick", env=environment | {"MODULI_KERNEL": kernel})
    for name in ("dynamic-cpp", "static-cpp", "page"):
        run(folder / name, env=environment)
    said = run(folder / "readme", env=environment, capture_output=True, text=True).stdout
    if said != f"{pow(5, 0x1234, 1000003):#08x}\n":
        sys.exit(f"the program of README.md says {said}")
    # One thread: those of a pool never end, and valgrind would take what they hold for lost.
    run(*MEMCHECK, folder / "dynamic", folder, "quick", env=environment | {"RAYON_NUM_THREADS": "1"})
    gmp(folder, dynamic, environment)
    wiped(folder, dynamic, environment)
    diffie_hellman(folder / "dh", folder, environment)

    run("cmake", "-S", CRATE / "examples/cmake", "-B", folder / "cmake", stdout=subprocess.DEVNULL)
    run("cmake", "--build", folder / "cmake", stdout=subprocess.DEVNULL)
    found = run(folder / "cmake/power", stdout=subprocess.PIPE, text=True).stdout
    if version not in found:
        sys.exit(f"the example for CMake prints {found!r}")
    print("the C library: all tests passed")


if __name__ == "__main__":
    main()
