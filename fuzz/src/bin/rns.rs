//! Inversion in residues by every method against num-bigint.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| moduli_fuzz::rns(data));
