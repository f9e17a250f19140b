//! What the command reads as text: numbers, lines of numbers, methods, amounts.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| moduli_fuzz::command(data));
