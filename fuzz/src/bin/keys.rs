//! Keys and signatures of DSA and RSA, as DER and as PEM.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| moduli_fuzz::keys(data));
