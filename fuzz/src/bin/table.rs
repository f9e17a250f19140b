//! Table files with arbitrary contents and a right checksum.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| moduli_fuzz::table(data));
