"""gmpy2 with the powers and inverses of this package: use `from moduli import gmpy2` instead of `import gmpy2`.

moduli computes powmod, powmod_sec, powmod_exp_list, powmod_base_list and invert, with the values, types and exceptions
of gmpy2. All other names are those of gmpy2. Calls that moduli does not support are passed on to gmpy2: long moduli,
long even moduli for which gmpy2 is faster, and numbers of other types. If gmpy2 is not installed, the five functions
take and return Python's integers, as they do in `moduli`. Then mpz is int, and the other names are missing.

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
# `from moduli.gmpy2 import *` also imports the names of gmpy2.
__all__ += [name for name in dir(_real) if not name.startswith("_") and name not in __all__] if _real else []

mpz: Any = _real.mpz if _real else int


def mulmod(x: Any, y: Any, m: Any) -> Any:
    """Computes x·y modulo m, with the sign of m. gmpy2 has no such function.

    Raises ZeroDivisionError for m = 0.
    """
    return _real.f_mod(_real.mul(x, y), m) if _real else index(x) * index(y) % index(m)


def powmod_exp_list(base: Any, exponents: Any, m: Any, /) -> Any:
    """Computes [powmod(base, y, m) for y in exponents], like the function of gmpy2. Variable-time.

    Runs on all cores if m is odd and has more than 128 bits.

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
    """Computes [powmod(x, exponent, m) for x in bases], like the function of gmpy2. Variable-time.

    Runs on all cores if m is odd and has more than 256 bits.

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
    """The items of a sequence, for a look before gmpy2 gets them; None for objects that gmpy2 does not accept."""
    is_array = getattr(getattr(sequence, "dtype", None), "kind", None) == "O" and sequence.ndim == 1
    return list(sequence) if is_array or isinstance(sequence, Sequence) else None


def __getattr__(name: str) -> Any:
    if _real is not None:
        return getattr(_real, name)
    raise AttributeError(f"moduli.gmpy2 has no {name!r} because gmpy2 is not installed; without it, there are {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(_real)})
