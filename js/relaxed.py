#!/usr/bin/env python3
"""Rust's compiler with relaxed SIMD, for cargo's RUSTC_WORKSPACE_WRAPPER: the crates of the workspace have it, their dependencies do not.

Loops stay as they are written: without strength reduction, whose addresses do not fit the offsets of loads, and in the order of the
source, in which the sums of a strip need the fewest registers.
"""

import os
import sys

command = sys.argv[1:]
if "wasm32-unknown-unknown" in command:
    command += ["-Ctarget-feature=+simd128,+relaxed-simd", "-Cllvm-args=-disable-lsr -pre-RA-sched=source"]
os.execvp(command[0], command)
