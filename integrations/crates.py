"""Tests and measures packages of crates.io, unchanged and with moduli for their arithmetic."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

from outcome import HERE, ROOT, Unavailable, change, compared, environment, last_line, ratios

CARGO = os.environ.get("CARGO", "cargo")


@dataclass
class Crate:
    """A package: where its tests are, what is changed for them, and what makes it use moduli."""

    title: str
    name: str
    version: str
    sha256: str
    # The folder here with the workspace to which the package belongs.
    workspace: str
    # Texts of its files to replace: `own` in the copy without moduli, `under` in the copy on moduli, `changes` in both.
    own: dict[str, list] = field(default_factory=dict)
    under: dict[str, list] = field(default_factory=dict)
    changes: dict[str, list] = field(default_factory=dict)
    # Files of the workspace to add to the package.
    files: dict[str, str] = field(default_factory=dict)
    features: str = ""
    # Programs that its build needs, and the feature of the benchmark that includes it.
    tools: tuple = ()
    measured_with: str = ""
    baseline: str = "num-bigint 0.4.8"
    tests: bool = True

    def run(self, folder, measured):
        if missing := [tool for tool in self.tools if not shutil.which(tool)]:
            raise Unavailable(f"{', '.join(missing)} missing")
        workspace = folder.parent / self.workspace
        lay_out(workspace)
        before, after = self.tested(workspace, self.name), self.tested(workspace, f"{self.name}-on-moduli")
        result = compared(before, after, self.baseline)
        if not before[0]:
            result.wrong = f"no test passes as it is: {before}"
        if measured and not result.wrong:
            result.faster = self.measured(workspace)
        return result

    def tested(self, workspace, package):
        """Runs the tests. Returns how many passed, and the names of those that failed, without the workspace's folders."""
        run = cargo(workspace, "test", "--release", "--locked", "--no-fail-fast", "--package", package, "--features", self.features)
        found = re.findall(r"^test (.+?)(?: - should panic)? \.\.\. (\w+)", run.stdout, re.M)
        strip = lambda name: re.sub(r"^(own|moduli)/[^/]+/", "", name)
        failed = sorted(strip(name) for name, outcome in found if outcome not in ("ok", "ignored"))
        if not found or (run.returncode and not failed):
            sys.exit(run.stdout[-3000:] + run.stderr[-3000:])
        return sum(outcome == "ok" for _, outcome in found), failed

    def measured(self, workspace):
        """Runs the benchmark, and returns as text how many times faster each operation is."""
        run = cargo(workspace, "run", "--quiet", "--release", "--locked", "--package", "benchmark", "--bin", self.name,
                    "--features", self.measured_with)
        if run.returncode:
            sys.exit(run.stdout + run.stderr)
        return ratios(json.loads(run.stdout.splitlines()[-1]))

    def archive(self):
        """The path of the package from the registry, fetched if necessary and checked by its digest."""
        home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
        pattern = f"registry/cache/*/{self.name}-{self.version}.crate"
        matches = lambda file: hashlib.sha256(file.read_bytes()).hexdigest() == self.sha256
        if not any(map(matches, home.glob(pattern))):
            run = cargo(HERE, "info", "--quiet", f"{self.name}@{self.version}")
            if run.returncode:
                raise Unavailable(last_line(run.stderr))
        file = next(filter(matches, home.glob(pattern)), None)
        if file is None:
            sys.exit(f"integrations: {self.name} {self.version} is not what it was")
        return file

    def unpack(self, archive, folder, under):
        """Unpacks the source and changes it for the tests, and, with `under`, to use moduli."""
        with tarfile.open(archive) as packed:
            packed.extractall(folder.parent, filter="data")
        (folder.parent / f"{self.name}-{self.version}").rename(folder)
        # The workspace does not use the package's original manifest and its lock file.
        for name in ("Cargo.toml.orig", "Cargo.lock"):
            (folder / name).unlink(missing_ok=True)
        for part in (self.changes, self.under if under else self.own):
            for name, pairs in part.items():
                change(folder / name, pairs)
        if under:
            for name, file in self.files.items():
                (folder / name).parent.mkdir(exist_ok=True)
                shutil.copy(HERE / self.workspace / file, folder / name)


def cargo(folder, *arguments):
    try:
        # The workspaces share a target folder, so that common dependencies are compiled once.
        variables = environment() | {"CARGO_TARGET_DIR": str(ROOT / "target/integrations/crates")}
        return subprocess.run([CARGO, *arguments], cwd=folder, env=variables, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise Unavailable("cargo is missing") from error


def lay_out(workspace):
    """Sets up the workspace with all its packages. Compiled files stay, and equal files keep their times."""
    fresh = workspace.with_name(f"{workspace.name}-fresh")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(HERE / workspace.name, fresh)
    for crate in CRATES.values():
        if crate.workspace == workspace.name:
            archive = crate.archive()
            for kind in ("own", "moduli"):
                (fresh / kind).mkdir(exist_ok=True)
                crate.unpack(archive, fresh / kind / crate.name, kind == "moduli")
    for file in fresh.rglob("*"):
        there = workspace / file.relative_to(fresh)
        if file.is_file() and not (there.is_file() and there.read_bytes() == file.read_bytes()):
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, there)
    for file in [file for kind in ("own", "moduli", "benchmark") for file in (workspace / kind).rglob("*") if file.is_file()]:
        if not (fresh / file.relative_to(workspace)).exists():
            file.unlink()
    shutil.rmtree(fresh)


# Changes to fast-paillier for the tests with num-bigint: leave out dependencies for GMP and for benchmarks.
FAST_PAILLIER_TESTS = {
    "src/lib.rs": [("        use rug as _;\n", "\n"), ("        use criterion as _;\n        use libpaillier as _;\n", "\n\n")],
    "Cargo.toml": [
        ('[dev-dependencies.criterion]\nversion = "0.5"\nfeatures = ["html_reports"]\n', ""),
        ('[dev-dependencies.libpaillier]\nversion = "0.5"\nfeatures = ["gmp"]\ndefault-features = false\n', ""),
        ('[dev-dependencies.rug]\nversion = "1.24"\nfeatures = [\n    "std",\n    "integer",\n    "rand",\n    "serde",\n]\n'
         "default-features = false\n", ""),
    ],
}
# Changes that make moduli compute its powers and inverses. No line moves, because the names of documentation tests have line
# numbers.
FAST_PAILLIER_UNDER = {
    "src/backend/num_bigint.rs": [
        ("use super::IsPrime;\n", "use super::IsPrime; mod on_moduli;\n"),
        ("    pub fn pow_mod_ref(&self, exponent: &Self, modulo: &Self) -> Option<Self> {\n",
         "    pub fn pow_mod_ref(&self, exponent: &Self, modulo: &Self) -> Option<Self> {"
         " if let Some(power) = on_moduli::power(&self.0, &exponent.0, &modulo.0) { return power.map(Integer); }\n"),
        ("    pub fn invert_ref(&self, modulo: &Self) -> Option<Self> {\n",
         "    pub fn invert_ref(&self, modulo: &Self) -> Option<Self> {"
         " if let Some(inverse) = on_moduli::inverse(&self.0, &modulo.0) { return inverse.map(Integer); }\n"),
    ],
    "Cargo.toml": [
        ('name = "fast-paillier"\n', 'name = "fast-paillier-on-moduli"\n'),
        ("[dependencies.num-bigint]\n",
         '[dependencies.moduli]\npath = "../../../../../crates/moduli"\ndefault-features = false\nfeatures = ["std", "num-bigint-04"]\n\n'
         "[dependencies.num-bigint]\n"),
    ],
}

# Changes to packages on GMP: compile GMP without its own tests, and leave out the benchmarks.
GMP_CHANGES = {
    "Cargo.toml": [
        ('[dev-dependencies.criterion]\nversion = "0.8"\n', ""),
        ('[dependencies.rug]\nversion = "1"\n',
         '[dependencies.gmp-mpfr-sys]\nversion = "1.7"\nfeatures = ["c-no-tests"]\n\n[dependencies.rug]\nversion = "1"\n'),
    ],
}
# Changes that make moduli compute its powers and products of powers.
RUST_EV_UNDER = {
    "src/integer.rs": [
        ("use thiserror::Error;\n", "use thiserror::Error; mod on_moduli;\n"),
        ("            false => self\n                .pow_mod_mut(exp, modulus)\n", "            false =>\n                on_moduli::power(self, exp, modulus)\n"),
        ("        match OP_OPTIMIZATION.is_optimized() {\n",
         "        let (bases, exponents): (Vec<_>, Vec<_>) = bases_iter.cloned().zip(exponents_iter.cloned()).unzip();"
         " if let Some(product) = on_moduli::product(&bases, &exponents, modulus) { return Ok(product); }"
         " let (bases_iter, exponents_iter) = (&mut bases.iter(), &mut exponents.iter()); match OP_OPTIMIZATION.is_optimized() {\n"),
    ],
    "Cargo.toml": [
        ('name = "rust_ev_crypto_primitives"\nversion', 'name = "rust_ev_crypto_primitives-on-moduli"\nversion'),
        ("[dependencies.num-traits]\n",
         '[dependencies.moduli]\npath = "../../../../../crates/moduli"\ndefault-features = false\nfeatures = ["std"]\n\n'
         "[dependencies.num-traits]\n"),
        ("[dependencies.rug-gmpmee]\n", '[dependencies.rug-gmpmee]\npackage = "rug-gmpmee-on-moduli"\npath = "../rug-gmpmee"\n'),
    ],
}
# Changes that make moduli compute its products of powers and its tables. GMPMEE still tests primality.
RUG_GMPMEE_UNDER = {
    "src/lib.rs": [("pub mod spown;\n", "pub mod spown; mod on_moduli; mod table;\n")],
    "src/spown.rs": [
        ("    let bases_raw = ",
         "    if let Some(product) = crate::on_moduli::product(bases, exponents, modulus) { return Ok(product); }\n    let bases_raw = "),
    ],
    "src/fpowm.rs": [
        ("    inner: gmpmee_fpowm_tab,\n", "    inner: crate::table::Table,\n"),
        ("""        unsafe {
            let mut tab = get_empty_gmpmee_fpowm_tab();
            let t_ptr = &mut tab;
            gmpmee_fpowm_init(
                t_ptr,
                modulus.as_raw(),
                block_width_i64,
                exponent_bitlen_i64,
            );
            Ok(Self { inner: *t_ptr })
        }
""", "        Ok(Self { inner: crate::table::Table::new(modulus, block_width_i64, exponent_bitlen_i64) })\n"),
        ("""        unsafe {
            let mut tab = get_empty_gmpmee_fpowm_tab();
            let t_ptr = &mut tab;
            gmpmee_fpowm_init_precomp(
                t_ptr,
                base.as_raw(),
                modulus.as_raw(),
                block_width_i64,
                exponent_bitlen_i64,
            );
            Ok(Self { inner: *t_ptr })
        }
""", """        let mut inner = crate::table::Table::new(modulus, block_width_i64, exponent_bitlen_i64);
        inner.precompute(base);
        Ok(Self { inner })
"""),
        ("        unsafe { gmpmee_fpowm_precomp(&mut self.inner, base.as_raw()) }\n", "        self.inner.precompute(base)\n"),
        ("""        let mut res = Integer::new();
        unsafe {
            let z_ptr = res.as_raw_mut();
            gmpmee_fpowm(z_ptr, &self.inner, exponent.as_raw());
        }
        res
""", "        self.inner.power(exponent)\n"),
        ("""impl Drop for FPowmTable {
    fn drop(&mut self) {
        unsafe { gmpmee_fpowm_clear(&mut self.inner) }
    }
}
""", ""),
    ],
    "Cargo.toml": [
        ('name = "rug-gmpmee"\n', 'name = "rug-gmpmee-on-moduli"\n'),
        ("[dependencies.thiserror]\n",
         '[dependencies.moduli]\npath = "../../../../../crates/moduli"\ndefault-features = false\nfeatures = ["std"]\n\n'
         "[dependencies.thiserror]\n"),
    ],
}

CRATES = {
    "fast-paillier": Crate(
        title="fast-paillier 0.3.2",
        name="fast-paillier",
        version="0.3.2",
        sha256="72f31977dae80ca360f5224c4073b0797851a11f4ea1635bdc86d08a3be87b3a",
        workspace="paillier",
        changes=FAST_PAILLIER_TESTS,
        under=FAST_PAILLIER_UNDER,
        files={"src/backend/num_bigint/on_moduli.rs": "on_moduli.rs"},
        features="serde",
    ),
    "paillier-zk": Crate(
        title="paillier-zk 0.7.0-alpha.4, on fast-paillier",
        name="paillier-zk",
        version="0.7.0-alpha.4",
        sha256="a53221e47915281c7d6a744ad033e19455995c56983478564c234e4209e91dda",
        workspace="paillier",
        own={"Cargo.toml": [('[dependencies.fast-paillier]\n', '[dependencies.fast-paillier]\npath = "../fast-paillier"\n')]},
        under={
            "Cargo.toml": [
                ('name = "paillier-zk"\n', 'name = "paillier-zk-on-moduli"\n'),
                ('[dependencies.fast-paillier]\n',
                 '[dependencies.fast-paillier]\npackage = "fast-paillier-on-moduli"\npath = "../fast-paillier"\n'),
            ],
        },
        features="__internal_doctest",
    ),
    "rust-ev": Crate(
        title="rust_ev_crypto_primitives 0.8.5 (verifying Swiss Post's e-voting)",
        name="rust_ev_crypto_primitives",
        version="0.8.5",
        sha256="c07875449443510954a6d5ab2fbfa5ad4bd438a398fe951c0767133e894ea8d7",
        workspace="voting",
        changes=GMP_CHANGES,
        own={"Cargo.toml": [("[dependencies.rug-gmpmee]\n", '[dependencies.rug-gmpmee]\npath = "../rug-gmpmee"\n')]},
        under=RUST_EV_UNDER,
        files={"src/integer/on_moduli.rs": "on_moduli.rs"},
        baseline="GMP 6.3.0, as rug 1.30 builds it",
    ),
    "rug-gmpmee": Crate(
        title="rug-gmpmee 0.2.3 (GMPMEE for rug)",
        name="rug-gmpmee",
        version="0.2.3",
        sha256="c152284a8438ab496e5f7217ae99fd5e6f65c470b4106de2e66a28040af3ee50",
        workspace="voting",
        changes=GMP_CHANGES,
        under=RUG_GMPMEE_UNDER,
        files={"src/on_moduli.rs": "on_moduli.rs", "src/table.rs": "table.rs"},
        tools=("autoconf", "automake", "libtoolize"),
        measured_with="rug-gmpmee",
        baseline="GMPMEE 2.1.0 on GMP 6.3.0, as rug 1.30 builds it",
    ),
}
