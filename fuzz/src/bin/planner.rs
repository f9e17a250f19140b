//! Plans for any modulus, exponent length, budget and choice of the caller, and the small tables among them.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| moduli_fuzz::planner(data));
