"""The stubs agree with the extension, and with code that uses it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def mypy(*arguments):
    return subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, timeout=300)


def test_stubs_and_extension_agree():
    # The other modules need no stubs.
    result = mypy("mypy.stubtest", "moduli._moduli", "--mypy-config-file", str(ROOT / "pyproject.toml"))
    assert result.returncode == 0, result.stdout + result.stderr


def test_types_of_results(tmp_path):
    (tmp_path / "use.py").write_text("""
import moduli
import numpy as np

a: int = moduli.powmod(np.int64(3), 5, 7)
b: list[int] = moduli.powmod_exp_list(3, [1, 2], 7)
c: bytes = moduli.powmod_exp_list(3, b"ab", 7, width=1)
d: np.ndarray = moduli.invert_batch(np.zeros((1, 1), np.uint8), 7)
e: int | None = moduli.plan(7).break_even
f: bytes = moduli.dsa.Signer(moduli.dsa.PrivateKey.generate(moduli.group("x"))).sign(b"")
moduli.powmod(3.0, 5, 7)  # type: ignore[arg-type]
""")
    result = mypy("mypy", "--strict", str(tmp_path / "use.py"))
    assert result.returncode == 0, result.stdout + result.stderr
