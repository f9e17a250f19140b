//! The command's parsers of text: numbers, lines of numbers, methods, amounts.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| moduli_fuzz::command(data));
