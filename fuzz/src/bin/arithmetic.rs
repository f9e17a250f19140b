//! Every kernel of this machine against num-bigint, at every length up to forty limbs.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| moduli_fuzz::arithmetic(data));
