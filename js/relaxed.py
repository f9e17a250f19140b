#!/usr/bin/env python3
"""Runs rustc with relaxed SIMD. Cargo calls it through RUSTC_WORKSPACE_WRAPPER, so only the crates of the workspace get this option.

It also keeps loops as they are written. Strength reduction is off, because the addresses that it makes do not fit the offsets of loads.
Instructions keep the order of the source, in which the sums of a strip need the fewest registers.
"""

import os
import sys

command = sys.argv[1:]
if "wasm32-unknown-unknown" in command:
    command += ["-Ctarget-feature=+simd128,+relaxed-simd", "-Cllvm-args=-disable-lsr -pre-RA-sched=source"]
os.execvp(command[0], command)
