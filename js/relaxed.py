#!/usr/bin/env python3
"""Rust's compiler with relaxed SIMD, for cargo's RUSTC_WORKSPACE_WRAPPER: the crates of the workspace have it, their dependencies do not."""

import os
import sys

command = sys.argv[1:]
if "wasm32-unknown-unknown" in command:
    command.append("-Ctarget-feature=+simd128,+relaxed-simd")
os.execvp(command[0], command)
