"""Measures without and with moduli alternately, in one process. It uses processor time, which a busy machine disturbs less."""

import json
import statistics
import time


def compare(operations, use, rounds=15):
    """Prints a JSON object: for each operation how many times faster it is with moduli, and the distance of the quartiles.

    operations: functions by name. Each raises an exception if its result is wrong. use(False) selects the package's own arithmetic,
    use(True) moduli.
    """
    for after in (False, True):
        use(after)
        for operation in operations.values():
            operation()
    ratios = {name: [] for name in operations}
    for _ in range(rounds):
        times = []
        for after in (False, True):
            use(after)
            for operation in operations.values():
                begun = time.process_time()
                operation()
                times.append(time.process_time() - begun)
        for i, name in enumerate(operations):
            ratios[name].append(times[i] / times[i + len(operations)])
    result = {}
    for name, values in ratios.items():
        low, middle, high = statistics.quantiles(values, n=4)
        result[name] = [middle, high - low]
    print(json.dumps(result))
