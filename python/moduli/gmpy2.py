"""gmpy2 with this package's powers and inverses: use `from moduli import gmpy2` instead of `import gmpy2`.

moduli computes powmod, powmod_sec, powmod_exp_list, powmod_base_list and invert, with gmpy2's values, types and
exceptions. All other names are gmpy2's own. gmpy2 also computes what moduli does not support: long even moduli for
which gmpy2 is faster, and numbers of other types. If gmpy2 is not installed, these five functions take and return
Python's integers, as they do in `moduli`; mpz is int, and the other names are missing.

    >>> from moduli import gmpy2
    >>> gmpy2.powmod(gmpy2.mpz(3), 100, 1000003) == 189751
    True
    >>> gmpy2.mulmod(7, 8, 10) == 6
    True
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from . import _moduli
from ._moduli import gmpy2_invert as invert
from ._moduli import gmpy2_powmod as powmod
from ._moduli import gmpy2_powmod_sec as powmod_sec

_real: Any
try:
    import gmpy2 as _real  # type: ignore[import-untyped, unused-ignore, no-redef]
except ImportError:
    _real = None
else:
    _moduli.gmpy2_is(_real)

__all__ = ["invert", "mpz", "mulmod", "powmod", "powmod_base_list", "powmod_exp_list", "powmod_sec"]
# `from moduli.gmpy2 import *` gives what gmpy2 itself gives, too.
__all__ += [name for name in dir(_real) if not name.startswith("_") and name not in __all__] if _real else []

mpz: Any = _real.mpz if _real else int


def mulmod(x: Any, y: Any, m: Any) -> Any:
    """x·y modulo m, with the sign of m. gmpy2 has no function for it.

    Raises ZeroDivisionError for m = 0.
    """
    return _real.f_mod(_real.mul(x, y), m) if _real else index(x) * index(y) % index(m)


def powmod_exp_list(base: Any, exponents: Any, m: Any, /) -> Any:
    """[powmod(base, y, m) for y in exponents], as gmpy2's, but on all cores. Variable-time.

    Raises ValueError (gmpy2 2.3.2 ends the process) if an exponent is negative and the base has no inverse.
    """
    if _real is None:
        return _moduli.powmod_exp_list(base, exponents, m)
    items = _items(exponents)
    powers = None if items is None else _moduli.gmpy2_exp_list(base, items, m)
    if powers is None and items and m > 0 and any(y < 0 for y in items):
        return [powmod(base, y, m) for y in items]
    return _real.powmod_exp_list(base, exponents, m) if powers is None else powers


def powmod_base_list(bases: Any, exponent: Any, m: Any, /) -> Any:
    """[powmod(x, exponent, m) for x in bases], as gmpy2's, but on all cores. Variable-time.

    Raises ValueError (gmpy2 2.3.2 ends the process) if the exponent is negative and a base has no inverse.
    """
    if _real is None:
        return _moduli.powmod_base_list(bases, exponent, m)
    items = _items(bases)
    powers = None if items is None else _moduli.gmpy2_base_list(items, exponent, m)
    if powers is None and items and m > 0 and exponent < 0:
        return [powmod(x, exponent, m) for x in items]
    return _real.powmod_base_list(bases, exponent, m) if powers is None else powers


def _items(sequence: Any) -> list[Any] | None:
    """The items of a sequence, to be looked at before gmpy2 does; None for what it does not take, or refuses by its items."""
    is_array = getattr(getattr(sequence, "dtype", None), "kind", None) == "O" and sequence.ndim == 1
    return list(sequence) if is_array or isinstance(sequence, Sequence) else None


def __getattr__(name: str) -> Any:
    if _real is not None:
        return getattr(_real, name)
    raise AttributeError(f"moduli.gmpy2 has no {name!r} because gmpy2 is not installed; without it, there are {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(_real)})
