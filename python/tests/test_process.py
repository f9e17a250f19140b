"""Threads, signals and forks."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import moduli
import pytest
from numbers_of_tests import below, odd


def run(code, **keywords):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120, **keywords)


def test_many_threads_share_the_cache():
    work = [(below(m), below(1 << 128), m) for m in (odd(256 + 8 * i) for i in range(40))]
    expected = [pow(*each) for each in work]
    wrong = []

    def all_of_it():
        for _ in range(20):
            if [moduli.powmod(*each) for each in work] != expected:
                wrong.append("powmod")
            if moduli.powmod_base_list([3] * 100, 5, work[0][2]) != [243] * 100:
                wrong.append("list")
            moduli.cache_clear()

    threads = [threading.Thread(target=all_of_it) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_many_threads_share_a_table():
    m = odd(512)
    table = moduli.FixedBase(3, m, exponent_bits=256, budget="64KiB")
    results = [None] * 8

    def powers(index):
        results[index] = table.pow_batch([index + 2**200] * 500)

    threads = [threading.Thread(target=powers, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[pow(3, i + 2**200, m)] * 500 for i in range(8)]


@pytest.mark.parametrize("call", [
    lambda m, y: moduli.powmod(3, y, m),
    lambda m, y: moduli.powmod_sec(3, y, m),
    lambda m, y: moduli.powmod_base_list([3] * 8, y, m),
    lambda m, y: moduli.powmod_exp_list(3, [y] * 8, m),
    lambda m, y: moduli.multi_pow([3, 5], [y, y], m),
])
def test_long_work_lets_other_threads_run(call):
    m, ticks, done = odd(8192), [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    y = (1 << 8192) - 1
    before = len(ticks)
    begun = time.perf_counter()
    while time.perf_counter() - begun < 0.2:
        call(m, y)
    after = len(ticks)
    done.set()
    thread.join()
    assert after - before > 20


@pytest.mark.parametrize("call", [
    "moduli.powmod_exp_list(3, [2**3000 + i for i in range(200_000)], m)",
    "moduli.powmod_base_list(range(10**6), 2**2000, m)",
    "moduli.powmod_batch(range(10**6), range(2**2000, 2**2000 + 10**6), m)",
    "moduli.FixedBase(3, m, budget='64KiB').pow_batch([2**3000 + i for i in range(200_000)])",
    "moduli.powmod_base_list(range(10**7), 2**200, m + 1)",
])
def test_ctrl_c_interrupts_a_batch(call):
    # If the process that starts the tests ignores Ctrl-C, as shells do for background jobs, Python would too.
    code = f"""
        import signal
        import moduli
        signal.signal(signal.SIGINT, signal.default_int_handler)
        m = 2**3072 + 1
        moduli.powmod_base_list([3] * 100, 2**100, m)
        print("begun", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("interrupted")
        print(moduli.powmod_base_list([3] * 300, 5, m) == [243] * 300)
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    begun = time.perf_counter()
    try:
        rest, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert rest == "interrupted\nTrue\n"
    assert time.perf_counter() - begun < 5


def test_long_rows_come_in_small_pieces():
    # The handler of a timer runs between two pieces, and no more often. There are three pieces, of at most
    # eight rows.
    result = run("""
        import signal, moduli
        calls = []
        signal.signal(signal.SIGALRM, lambda *_: calls.append(0))
        m, y = 2**12288 + 1, 2**7000 - 1
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        powers = moduli.powmod_base_list([3] * 17, y, m)
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(len(calls), powers == [moduli.powmod(3, y, m)] * 17)
    """, env={**os.environ, "RAYON_NUM_THREADS": "2"})
    assert result.stdout in ("2 True\n", "3 True\n"), result


@pytest.mark.parametrize("environment", [{}, {"RAYON_NUM_THREADS": "1"}])
def test_a_forked_process_has_threads_of_its_own(environment):
    result = run("""
        import os, moduli
        m = 2**1024 + 1
        xs = [3] * 2000
        work = lambda: (moduli.powmod_base_list(xs, 65537, m), moduli.invert_batch(xs, m), moduli.invert_batch(xs, m - 1))
        expected = work()
        pids = []
        for _ in range(3):
            pid = os.fork()
            if pid == 0:
                os._exit(work() != expected)
            pids.append(pid)
        print([os.waitpid(pid, 0)[1] for pid in pids], work() == expected)
    """, env={**os.environ, **environment})
    assert result.stdout == "[0, 0, 0] True\n", result


def test_without_threads():
    result = run("""
        import os, resource, moduli
        if os.getuid() == 0:
            os.setuid(65534)
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        m = 2**1024 + 1
        xs = [3] * 2000
        print(len(moduli.powmod_base_list(xs, 5, m)), len(moduli.invert_batch(xs, m)), len(moduli.invert_batch(xs, m - 1)))
    """)
    assert result.stdout == "2000 2000 2000\n", result


@pytest.mark.parametrize("environment", [{"RAYON_NUM_THREADS": "1"}, {"MODULI_KERNEL": "portable"}])
def test_settings_of_the_library(environment):
    code = """
        import moduli
        m = 2**1024 + 1
        assert moduli.powmod(3, 65537, m) == pow(3, 65537, m)
        assert moduli.powmod_base_list([3] * 1000, 65537, m) == [pow(3, 65537, m)] * 1000
        assert moduli.FixedBase(3, m).pow_batch([5] * 100) == [243] * 100
    """
    assert run(code, env={**os.environ, **environment}).returncode == 0
    result = run("import moduli; moduli.powmod(3, 5, 2**1024 + 1)", env={**os.environ, "MODULI_KERNEL": "abacus"})
    assert "RuntimeError" in result.stderr and "abacus" in result.stderr


def test_strided_bytes_want_no_numpy():
    result = run("""
        import sys, moduli
        sys.modules["numpy"] = None
        view = memoryview(bytes(range(64)))
        print(moduli.powmod_base_list(view[::2], 3, 251, width=1) == bytes(pow(x, 3, 251) for x in range(0, 64, 2)))
    """)
    assert result.stdout == "True\n", result


def test_nothing_but_the_extension_is_imported():
    result = run("import sys, moduli; print([name for name in ('numpy', 'matplotlib') if name in sys.modules])")
    assert result.stdout == "[]\n"
