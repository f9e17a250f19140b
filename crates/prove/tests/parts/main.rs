//! Tests parts of the prover separately.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod halfplanes;
mod index;
mod queue;
