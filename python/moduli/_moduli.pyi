"""Types of the extension module. The docstrings of the module say what each function accepts, raises and costs."""

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any, NoReturn, Protocol, SupportsIndex, TypeVar, final, overload

__all__ = [
    "AutoTables",
    "CrtModulus",
    "DsaPrivateKey",
    "DsaPublicKey",
    "DsaSigner",
    "EvenModulus",
    "FixedBase",
    "Group",
    "InvalidSignature",
    "Modulus",
    "Plan",
    "RsaPrivateKey",
    "RsaPublicKey",
    "__version__",
    "are_members",
    "auto_tables",
    "auto_tables_info",
    "cache_clear",
    "gmpy2_base_list",
    "gmpy2_exp_list",
    "gmpy2_invert",
    "gmpy2_is",
    "gmpy2_powmod",
    "gmpy2_powmod_sec",
    "group",
    "groups",
    "invert",
    "invert_batch",
    "is_probable_prime",
    "multi_pow",
    "plan",
    "powmod",
    "powmod_base_list",
    "powmod_batch",
    "powmod_exp_list",
    "powmod_sec",
    "rns_invert",
]

__version__: str

class InvalidSignature(ValueError):
    """A signature is malformed, or is not a signature of this message under this key."""

class _Rows(Protocol):
    """The part of NumPy's arrays that type checkers need, because buffers are not declared for 3.11."""

    @property
    def shape(self) -> tuple[Any, ...]: ...
    def tobytes(self) -> bytes: ...

_Array = TypeVar("_Array", bound=_Rows)
_Bytes = bytes | bytearray | memoryview

def are_members(
    xs: _Rows | _Bytes | Sequence[SupportsIndex],
    order: SupportsIndex,
    modulus: SupportsIndex,
    /,
    *,
    rounds: SupportsIndex | None = None,
    width: SupportsIndex | None = None,
) -> bool:
    """Tests whether all of xs are members of the subgroup of an order. Public numbers only."""

def auto_tables(budget: SupportsIndex | str | None) -> AutoTables:
    """Builds tables automatically for bases that are used repeatedly."""

def auto_tables_info() -> dict[str, int]:
    """Returns the statistics of auto_tables."""

def cache_clear() -> None:
    """Forgets all prepared moduli and automatic tables."""

def is_probable_prime(n: SupportsIndex, /, *, rounds: SupportsIndex | None = None) -> bool:
    """Tests whether a public integer is prime."""

def powmod(x: SupportsIndex, y: SupportsIndex, m: SupportsIndex, /) -> int:
    """Computes x**y modulo m for public numbers."""

def powmod_sec(x: SupportsIndex, y: SupportsIndex, m: SupportsIndex, /) -> int:
    """Computes x**y modulo an odd m in constant time."""

def invert(x: SupportsIndex, m: SupportsIndex, /) -> int:
    """Computes the inverse of x modulo m for public numbers."""

@overload
def powmod_exp_list(base: SupportsIndex, exponents: _Bytes, m: SupportsIndex, /, *, width: SupportsIndex) -> bytes:
    """Computes powers of one base for many public exponents."""

@overload
def powmod_exp_list(base: SupportsIndex, exponents: _Array, m: SupportsIndex, /, *, width: None = None) -> _Array: ...
@overload
def powmod_exp_list(
    base: SupportsIndex, exponents: Sequence[SupportsIndex], m: SupportsIndex, /, *, width: None = None
) -> list[int]: ...
@overload
def powmod_base_list(bases: _Bytes, exponent: SupportsIndex, m: SupportsIndex, /, *, width: SupportsIndex) -> bytes:
    """Computes powers of many bases; constant-time if m is odd."""

@overload
def powmod_base_list(bases: _Array, exponent: SupportsIndex, m: SupportsIndex, /, *, width: None = None) -> _Array: ...
@overload
def powmod_base_list(
    bases: Sequence[SupportsIndex], exponent: SupportsIndex, m: SupportsIndex, /, *, width: None = None
) -> list[int]: ...
@overload
def powmod_batch(
    bases: _Bytes,
    exponents: _Rows | _Bytes | Sequence[SupportsIndex],
    m: SupportsIndex,
    /,
    *,
    width: SupportsIndex,
    exponent_width: SupportsIndex | None = None,
) -> bytes:
    """Computes a power for each pair of base and exponent; constant-time if m is odd."""

@overload
def powmod_batch(
    bases: _Array,
    exponents: _Rows | _Bytes | Sequence[SupportsIndex],
    m: SupportsIndex,
    /,
    *,
    width: None = None,
    exponent_width: SupportsIndex | None = None,
) -> _Array: ...
@overload
def powmod_batch(
    bases: Sequence[SupportsIndex],
    exponents: _Rows | _Bytes | Sequence[SupportsIndex],
    m: SupportsIndex,
    /,
    *,
    width: None = None,
    exponent_width: SupportsIndex | None = None,
) -> list[int]: ...
@overload
def invert_batch(xs: _Bytes, m: SupportsIndex, /, *, width: SupportsIndex) -> bytes:
    """Computes many inverses modulo m in constant time."""

@overload
def invert_batch(xs: _Array, m: SupportsIndex, /, *, width: None = None) -> _Array: ...
@overload
def invert_batch(xs: Sequence[SupportsIndex], m: SupportsIndex, /, *, width: None = None) -> list[int]: ...
def multi_pow(
    bases: Sequence[FixedBase] | Sequence[SupportsIndex],
    exponents: Sequence[SupportsIndex],
    modulus: SupportsIndex | None = None,
    *,
    secret: bool = False,
) -> int:
    """Computes a product of powers."""

def plan(
    modulus: SupportsIndex,
    *,
    exponent_bits: SupportsIndex | None = None,
    budget: SupportsIndex | str | None = None,
    secret: bool = True,
    count: SupportsIndex | None = None,
    batch: SupportsIndex | None = None,
) -> Plan:
    """Plans the fastest table within a memory budget, without building it."""

def gmpy2_is(module: Any) -> None:
    """Sets the module gmpy2, which moduli.gmpy2 calls for other arguments."""

def gmpy2_powmod(x: Any, y: Any, m: Any, /) -> Any:
    """moduli.gmpy2.powmod."""

def gmpy2_powmod_sec(x: Any, y: Any, m: Any, /) -> Any:
    """moduli.gmpy2.powmod_sec."""

def gmpy2_invert(x: Any, m: Any, /) -> Any:
    """moduli.gmpy2.invert."""

def gmpy2_exp_list(base: Any, exponents: list[Any], m: Any, /) -> list[Any] | None:
    """The powers of moduli.gmpy2.powmod_exp_list, or None if gmpy2 must compute them."""

def gmpy2_base_list(bases: list[Any], exponent: Any, m: Any, /) -> list[Any] | None:
    """The powers of moduli.gmpy2.powmod_base_list, or None if gmpy2 must compute them."""

def group(name: str) -> Group:
    """Returns the group with this name."""

def groups() -> list[str]:
    """Returns the names of all groups."""

def rns_invert(
    x: SupportsIndex, p: SupportsIndex, *, method: str = "binary-ternary", width: int = 32, channels: int | None = None
) -> int:
    """Computes an inverse in a residue number system: a model of the hardware core."""

@final
class AutoTables:
    """The result of auto_tables, for a `with` statement."""

    def __enter__(self) -> AutoTables: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class Modulus:
    """An odd modulus, prepared once for many powers, inverses and products."""

    def __new__(cls, modulus: SupportsIndex) -> Modulus: ...
    def pow(self, x: SupportsIndex, y: SupportsIndex, /) -> int: ...
    def pow_secret(self, x: SupportsIndex, y: SupportsIndex, /) -> int: ...
    def invert(self, x: SupportsIndex, /) -> int: ...
    def invert_secret(self, x: SupportsIndex, /) -> int: ...
    def mul(self, x: SupportsIndex, y: SupportsIndex, /) -> int: ...
    @overload
    def pow_batch(
        self,
        bases: _Bytes,
        exponents: _Rows | _Bytes | Sequence[SupportsIndex],
        /,
        *,
        width: SupportsIndex,
        exponent_width: SupportsIndex | None = None,
    ) -> bytes: ...
    @overload
    def pow_batch(
        self,
        bases: _Array,
        exponents: _Rows | _Bytes | Sequence[SupportsIndex],
        /,
        *,
        width: None = None,
        exponent_width: SupportsIndex | None = None,
    ) -> _Array: ...
    @overload
    def pow_batch(
        self,
        bases: Sequence[SupportsIndex],
        exponents: _Rows | _Bytes | Sequence[SupportsIndex],
        /,
        *,
        width: None = None,
        exponent_width: SupportsIndex | None = None,
    ) -> list[int]: ...
    @overload
    def invert_batch(self, xs: _Bytes, /, *, width: SupportsIndex) -> bytes: ...
    @overload
    def invert_batch(self, xs: _Array, /, *, width: None = None) -> _Array: ...
    @overload
    def invert_batch(self, xs: Sequence[SupportsIndex], /, *, width: None = None) -> list[int]: ...
    @property
    def value(self) -> int: ...
    @property
    def bits(self) -> int: ...
    @property
    def kernel(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class CrtModulus:
    """The modulus (p*q)**power, for whoever knows the factors."""

    def __new__(cls, p: SupportsIndex, q: SupportsIndex, power: SupportsIndex = 1) -> CrtModulus: ...
    def pow(self, x: SupportsIndex, e: SupportsIndex) -> int: ...
    @property
    def modulus(self) -> int: ...
    def __reduce__(self) -> NoReturn: ...

@final
class EvenModulus:
    """An even modulus, prepared once for many powers and inverses."""

    def __new__(cls, modulus: SupportsIndex, /) -> EvenModulus: ...
    def pow(self, x: SupportsIndex, y: SupportsIndex, /) -> int: ...
    def pow_secret(self, x: SupportsIndex, y: SupportsIndex, /) -> int: ...
    def invert(self, x: SupportsIndex, /) -> int: ...
    def invert_secret(self, x: SupportsIndex, /) -> int: ...
    @property
    def value(self) -> int: ...

@final
class FixedBase:
    """A base with a table of its powers."""

    def __new__(
        cls,
        base: SupportsIndex,
        modulus: SupportsIndex | Modulus,
        *,
        exponent_bits: SupportsIndex | None = None,
        budget: SupportsIndex | str | None = None,
        secret: bool = True,
        order: SupportsIndex | None = None,
        method: str | None = None,
        count: SupportsIndex | None = None,
        batch: SupportsIndex | None = None,
    ) -> FixedBase: ...
    @staticmethod
    def open(
        path: str | bytes | PathLike[str] | PathLike[bytes],
        base: SupportsIndex | None = None,
        modulus: SupportsIndex | None = None,
        *,
        secret: bool = True,
        verify: bool = True,
        mmap: bool = False,
        digest: bytes | None = None,
    ) -> FixedBase: ...
    def save(self, path: str | bytes | PathLike[str] | PathLike[bytes]) -> None: ...
    def pow(self, k: SupportsIndex) -> int: ...
    @overload
    def pow_batch(self, ks: _Bytes, *, width: SupportsIndex) -> bytes: ...
    @overload
    def pow_batch(self, ks: _Array, *, width: None = None) -> _Array: ...
    @overload
    def pow_batch(self, ks: Sequence[SupportsIndex], *, width: None = None) -> list[int]: ...
    @property
    def base(self) -> int: ...
    @property
    def modulus(self) -> int: ...
    @property
    def exponent_bits(self) -> int: ...
    @property
    def secret(self) -> bool: ...
    @property
    def table_bytes(self) -> int: ...
    @property
    def is_mapped(self) -> bool: ...
    @property
    def plan(self) -> Plan: ...
    def _repr_html_(self) -> str: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Plan:
    """A table that the planner chose, and its predicted cost."""

    @property
    def method(self) -> str: ...
    @property
    def split(self) -> int: ...
    @property
    def exponent_bits(self) -> int: ...
    @property
    def modulus(self) -> int: ...
    @property
    def secret(self) -> bool: ...
    @property
    def batch(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def scratch_bytes(self) -> int: ...
    @property
    def nanoseconds(self) -> float: ...
    @property
    def crowded_nanoseconds(self) -> float: ...
    @property
    def build_nanoseconds(self) -> float: ...
    @property
    def break_even(self) -> int | None: ...
    @property
    def counts(self) -> dict[str, float]: ...
    @property
    def runners_up(self) -> list[Plan]: ...
    def plot(self, ax: Any = None, *, budgets: Iterable[int] | None = None) -> Any: ...
    def _repr_html_(self) -> str: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Group:
    """A group of prime order q modulo a prime p, with a generator g."""

    @property
    def name(self) -> str: ...
    @property
    def p(self) -> int: ...
    @property
    def q(self) -> int: ...
    @property
    def g(self) -> int: ...
    @property
    def exponent_bits(self) -> int: ...
    @property
    def is_safe_prime(self) -> bool: ...
    def validate(self, y: SupportsIndex) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class DsaPublicKey:
    """A DSA public key."""

    @staticmethod
    def from_pem(text: str | _Bytes) -> DsaPublicKey: ...
    def to_pem(self) -> str: ...
    @property
    def p(self) -> int: ...
    @property
    def q(self) -> int: ...
    @property
    def g(self) -> int: ...
    @property
    def y(self) -> int: ...
    def validate(self) -> None: ...
    def verify(self, message: _Bytes, signature: _Bytes, *, hash: str = "sha256") -> None: ...
    def is_valid(self, message: _Bytes, signature: _Bytes, *, hash: str = "sha256") -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class DsaPrivateKey:
    """A DSA private key."""

    @staticmethod
    def generate(group: Group) -> DsaPrivateKey: ...
    @staticmethod
    def from_pem(text: str | _Bytes) -> DsaPrivateKey: ...
    def to_pem(self) -> str: ...
    def public_key(self) -> DsaPublicKey: ...
    def __reduce__(self) -> NoReturn: ...

@final
class DsaSigner:
    """Signs messages with one DSA key, by a table of powers of g."""

    def __new__(
        cls,
        key: DsaPrivateKey,
        *,
        hash: str = "sha256",
        budget: SupportsIndex | str | None = None,
        check: bool = False,
    ) -> DsaSigner: ...
    def sign(self, message: _Bytes) -> bytes: ...
    def sign_batch(self, messages: Sequence[_Bytes]) -> list[bytes]: ...
    def public_key(self) -> DsaPublicKey: ...
    def __reduce__(self) -> NoReturn: ...

@final
class RsaPublicKey:
    """An RSA public key."""

    @staticmethod
    def from_pem(text: str | _Bytes) -> RsaPublicKey: ...
    def to_pem(self) -> str: ...
    @property
    def n(self) -> int: ...
    @property
    def e(self) -> int: ...
    def verify(self, message: _Bytes, signature: _Bytes, *, padding: str = "pss", hash: str = "sha256", salt_bytes: int | None = None) -> None: ...
    def is_valid(self, message: _Bytes, signature: _Bytes, *, padding: str = "pss", hash: str = "sha256", salt_bytes: int | None = None) -> bool: ...
    def encrypt_raw(self, m: SupportsIndex) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RsaPrivateKey:
    """An RSA private key with two primes."""

    @staticmethod
    def from_pem(text: str | _Bytes) -> RsaPrivateKey: ...
    def public_key(self) -> RsaPublicKey: ...
    def sign(self, message: _Bytes, *, padding: str = "pss", hash: str = "sha256", salt_bytes: int | None = None) -> bytes: ...
    def sign_batch(self, messages: Sequence[_Bytes], *, padding: str = "pss", hash: str = "sha256", salt_bytes: int | None = None) -> list[bytes]: ...
    def decrypt_raw(self, c: SupportsIndex) -> int: ...
    def __reduce__(self) -> NoReturn: ...
