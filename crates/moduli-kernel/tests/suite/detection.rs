//! Which kernel detection selects, by the length of the modulus and by what the processor supports.

use moduli_kernel::{Arithmetic, KernelChoice, internals::detected_of};

/// The lengths in bits from which detection selects another kernel.
fn changes(supported: &[KernelChoice]) -> Vec<(u32, &'static str)> {
    let mut changes: Vec<(u32, &str)> = vec![];
    for bits in 2..=65_536 {
        let selected = detected_of(supported, bits).name();
        if changes.last().is_none_or(|last| last.1 != selected) {
            changes.push((bits, selected));
        }
    }
    changes
}

// If this changes, change docs/limits.md, too.
#[test]
fn the_kernels_are_those_of_the_manual() {
    use KernelChoice as K;
    let all = [K::IFMA52, K::FMA50, K::ADX, K::PORTABLE];
    assert_eq!(changes(&all), [(2, "adx"), (321, "ifma52"), (51_993, "fma50")]);
    assert_eq!(changes(&all[1..]), [(2, "adx"), (449, "fma50")]);
    assert_eq!(changes(&all[2..]), [(2, "adx")]);
    assert_eq!(changes(&[K::FMA50, K::PORTABLE]), [(2, "portable"), (193, "fma50")]);
    assert_eq!(changes(&[K::PORTABLE]), [(2, "portable")]);
    assert_eq!(changes(&[K::AARCH64, K::PORTABLE]), [(2, "aarch64")]);
    assert_eq!(changes(&[K::WASM, K::PORTABLE]), [(2, "wasm")]);
}

#[test]
fn this_machine_gets_its_kernel() {
    if std::env::var_os("MODULI_KERNEL").is_some_and(|name| !name.is_empty()) {
        return;
    }
    let supported: Vec<_> =
        KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported()).collect();
    for bits in [2, 64, 65, 256, 320, 321, 448, 449, 2048, 30_000, 52_000] {
        let mut modulus = vec![u64::MAX; bits as usize / 64];
        if bits % 64 > 0 {
            modulus.push((1 << (bits % 64)) - 1);
        }
        let selected = Arithmetic::new(&modulus, KernelChoice::DETECT).unwrap().choice();
        assert_eq!(selected, detected_of(&supported, bits), "{bits} bits");
    }
}
