"""Modular arithmetic for large moduli: powers, tables within a memory budget, inversion, DSA and RSA.

Functions take and return integers. Batches are lists of integers, bytes or NumPy arrays. See docs/python.md in
the source for recipes.

    >>> import moduli
    >>> moduli.powmod(3, 1000, 2**127 - 1) == pow(3, 1000, 2**127 - 1)
    True
"""

from . import dsa, rns, rsa
from ._moduli import (
    AutoTables,
    CrtModulus,
    EvenModulus,
    FixedBase,
    Group,
    InvalidSignature,
    Modulus,
    Plan,
    __version__,
    are_members,
    auto_tables,
    auto_tables_info,
    cache_clear,
    group,
    groups,
    invert,
    invert_batch,
    is_probable_prime,
    multi_pow,
    plan,
    powmod,
    powmod_base_list,
    powmod_batch,
    powmod_exp_list,
    powmod_sec,
)

__all__ = [
    "AutoTables",
    "CrtModulus",
    "EvenModulus",
    "FixedBase",
    "Group",
    "InvalidSignature",
    "Modulus",
    "Plan",
    "__version__",
    "are_members",
    "auto_tables",
    "auto_tables_info",
    "cache_clear",
    "dsa",
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
    "rns",
    "rsa",
]
