"""Shared by the tests of verification: Schnorr signatures, as rows of equations."""

import moduli
import pyarrow as pa
import pyarrow.parquet as pq
from numbers_of_tests import below

# p - 1 has other factors than q: 2 and more.
GROUP = moduli.group("dsa-1024-160")
P, Q, G = GROUP.p, GROUP.q, GROUP.g
EQUATION = "g^s = R * y^c"
WIDTHS = {"R": 128, "y": 128, "s": 20, "c": 20}


def proofs(count):
    """Columns for which the equations hold."""
    columns = {name: [] for name in WIDTHS}
    for _ in range(count):
        x, k, c = below(Q), below(Q), below(Q)
        for name, value in (("R", pow(G, k, P)), ("y", pow(G, x, P)), ("s", (k + c * x) % Q), ("c", c)):
            columns[name].append(value)
    return columns


def write_columns(path, columns, widths, group_rows):
    arrays = {
        name: pa.array([None if value is None else value.to_bytes(widths[name], "big") for value in values], pa.binary(widths[name]))
        for name, values in columns.items()
    }
    pq.write_table(pa.table(arrays), path, row_group_size=group_rows)
    return str(path)


def by_python(columns):
    """Whether the equation holds, for each row, computed by Python."""
    rows = zip(*(columns[name] for name in "Rysc"))
    return [
        None not in row and all(0 < x < P and pow(x, Q, P) == 1 for x in row[:2]) and pow(G, row[2], P) == row[0] * pow(row[1], row[3], P) % P
        for row in rows
    ]
