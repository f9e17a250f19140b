"""Computes powers and products of powers, and verifies equations, on all cores of one or many machines, with
Dask. A job that was killed continues at its next start.

docs/distributed.md in the source has recipes and figures. This module needs optional packages: pip install
'.[distributed]' in a clone of moduli.
"""

try:
    import distributed as _distributed
    import numpy as _numpy
    import pyarrow as _pyarrow
except ImportError as _missing:
    raise ImportError(f"moduli.distributed needs more packages ({_missing}): pip install '.[distributed]' in a clone of moduli") from _missing

from .errors import BadRow, BadRowError, BadRowsWarning, JobError, MismatchError
from .fixed import pow_batch
from .job import Report
from .powmod import powmod_batch
from .product import multi_pow
from .verification import verify

__all__ = [
    "BadRow", "BadRowError", "BadRowsWarning", "JobError", "MismatchError", "Report", "multi_pow", "pow_batch", "powmod_batch", "verify",
]  # fmt: skip
