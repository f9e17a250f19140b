//! Which kernel detection selects, by the maker of the processor and by what it supports.

use moduli_kernel::{Arithmetic, Costs, KernelChoice, Maker, internals::fastest};

const X86: [KernelChoice; 4] =
    [KernelChoice::IFMA52, KernelChoice::FMA50, KernelChoice::ADX, KernelChoice::PORTABLE];

/// Nanoseconds of a window of five bits by the built-in costs.
fn window(choice: KernelChoice, bits: u32, maker: Maker) -> Option<f64> {
    let costs = Costs::built_in(&choice.foreseen(bits).ok()?, maker);
    Some(5.0 * costs.squaring() + costs.product())
}

fn lengths() -> impl Iterator<Item = u32> {
    (2..1100).chain((1100..20_000).step_by(63)).chain((20_000..70_000).step_by(997))
}

#[cfg(target_arch = "x86_64")]
#[test]
fn no_kernel_is_faster_by_the_costs() {
    for maker in Maker::ALL {
        // Of `fma50`, there are no costs on Intel's processors.
        let all = X86.into_iter().filter(|&choice| maker == Maker::Amd || choice != KernelChoice::FMA50);
        let all: Vec<_> = all.collect();
        for supported in (0..all.len()).map(|missing| &all[missing..]) {
            for bits in lengths() {
                let selected = fastest(supported, bits, maker);
                let least = window(selected, bits, maker).unwrap();
                for &other in supported {
                    let time = window(other, bits, maker).unwrap_or(f64::MAX);
                    assert!(time > least * 0.999_999, "{maker}, {bits} bits: {selected:?}, {other:?}");
                }
            }
        }
    }
}

/// The first lengths, in limbs, from which detection selects another kernel.
#[cfg(target_arch = "x86_64")]
fn changes(supported: &[KernelChoice], maker: Maker) -> Vec<(u32, &'static str)> {
    let mut changes: Vec<(u32, &str)> = vec![];
    for limbs in 1..800 {
        let selected = fastest(supported, 64 * limbs, maker).name();
        if changes.last().is_none_or(|last| last.1 != selected) {
            changes.push((limbs, selected));
        }
    }
    changes
}

// If new costs change this, change docs/limits.md, too.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_kernels_are_those_of_the_manual() {
    let with_ifma = |maker| changes(&X86, maker);
    let without = |maker| changes(&X86[1..], maker);
    assert_eq!(with_ifma(Maker::Amd), [(1, "adx"), (6, "ifma52")]);
    assert_eq!(with_ifma(Maker::Intel), [(1, "portable"), (2, "adx"), (6, "ifma52")]);
    // Where times are nearly equal, those of two kernels cross more than once.
    let between = without(Maker::Amd).split_off(4);
    assert_eq!(without(Maker::Amd)[..4], [(1, "adx"), (8, "fma50"), (9, "adx"), (10, "fma50")]);
    assert!(between[0].0 > 390 && between.last().is_some_and(|last| last.0 < 410 && last.1 == "adx"));
    let between = without(Maker::Intel).split_off(3);
    assert_eq!(without(Maker::Intel)[..3], [(1, "portable"), (2, "adx"), (7, "fma50")]);
    assert!(between[0].0 > 640 && between.last().is_some_and(|last| last.0 < 650 && last.1 == "adx"));
}

#[test]
fn this_machine_gets_its_kernel() {
    if std::env::var_os("MODULI_KERNEL").is_some_and(|name| !name.is_empty()) {
        return;
    }
    let supported: Vec<_> =
        KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported()).collect();
    for bits in [2, 64, 65, 256, 320, 384, 448, 512, 2048, 30_000, 52_000] {
        let mut modulus = vec![u64::MAX; bits as usize / 64];
        if bits % 64 > 0 {
            modulus.push((1 << (bits % 64)) - 1);
        }
        let selected = Arithmetic::new(&modulus, KernelChoice::DETECT).unwrap().choice();
        assert_eq!(selected, fastest(&supported, bits, Maker::of_this_machine()), "{bits} bits");
    }
}
