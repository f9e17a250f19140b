//! Table files with anything in them, under a right checksum.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| moduli_fuzz::table(data));
