"""Powers, products of powers and their verification on all cores of one machine or of many, by Dask: whoever is killed on the way,
nothing is lost.

docs/distributed.md of the source has recipes and figures. Wants the optional packages: pip install 'moduli[distributed]'.
"""

try:
    import distributed as _distributed
    import numpy as _numpy
    import pyarrow as _pyarrow
except ImportError as _missing:
    raise ImportError(f"moduli.distributed wants more packages ({_missing}): pip install 'moduli[distributed]'") from _missing

from .errors import BadRow, BadRowError, BadRowsWarning, JobError, MismatchError
from .fixed import pow_batch
from .job import Report
from .powmod import powmod_batch
from .product import multi_pow
from .verification import verify

__all__ = [
    "BadRow", "BadRowError", "BadRowsWarning", "JobError", "MismatchError", "Report", "multi_pow", "pow_batch", "powmod_batch", "verify",
]  # fmt: skip
