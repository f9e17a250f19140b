//! Tests of cost tables.

use super::{Costs, LEVELS, maker::Maker};
use crate::{dimensions::Dimensions, table::KernelChoice};

fn portable(limbs: u32) -> Dimensions {
    KernelChoice::PORTABLE.foreseen(64 * limbs).unwrap()
}

fn by_formula(limbs: u32) -> Costs {
    Costs::by_formula(&portable(limbs))
}

/// Checks every size with built-in costs, and sizes between them.
pub fn what_is_built_in_can_be_costs_of_its_kernel() {
    for limbs in (1..70).chain([95, 96, 97, 240, 255, 256, 257, 700, 1024]) {
        let kernel = portable(limbs);
        let costs = Costs::built_in(&kernel, Maker::Intel);
        costs.check(&kernel).unwrap();
        assert!(costs.prepared(1) == costs.product() && costs.squaring() < 1.3 * costs.product());
        let product = Costs::built_in_product(&kernel, Maker::Intel);
        assert!((product - costs.product()).abs() <= 1e-9 * product, "{limbs} limbs");
    }
    let of_makers = |kernel: &KernelChoice| Maker::ALL.map(|maker| (*kernel, kernel.known_costs(maker)));
    for (kernel, sizes) in KernelChoice::ALL.iter().flat_map(of_makers) {
        assert!(!sizes.is_empty() && sizes.is_sorted_by(|a, b| a.words < b.words), "{kernel:?}");
        for costs in sizes {
            let most = costs.splits.last().unwrap().pieces;
            let same = Costs::between(costs, costs, costs.words, most);
            let times = |costs: &Costs| {
                [costs.product(), costs.squaring, costs.prepared(most), costs.preparation(most)]
            };
            for (time, same) in times(costs).into_iter().zip(times(&same)) {
                assert!(
                    (time - same).abs() <= 1e-9 * time,
                    "{kernel:?}, {} words: {time} {same}",
                    costs.words
                );
            }
        }
    }
}

/// Plans for each kernel use its own costs, except for `aarch64`, which has not been measured.
pub fn every_kernel_has_costs_of_its_own() {
    let measured = || KernelChoice::ALL.iter().filter(|choice| choice.name() != "aarch64");
    for (i, a) in measured().enumerate() {
        for b in measured().skip(i + 1) {
            for maker in Maker::ALL {
                assert!(!core::ptr::eq(a.known_costs(maker), b.known_costs(maker)), "{a:?} and {b:?}");
            }
        }
    }
    // Vectors on WebAssembly are half as long as those of `fma50`.
    let [native, wasm] = [KernelChoice::FMA50, KernelChoice::WASM]
        .map(|choice| Costs::built_in(&choice.foreseen(2048).unwrap(), Maker::Amd));
    assert!(wasm.squaring() > 1.5 * native.squaring() && wasm.product() > 1.5 * native.product());
}

/// For the tests.
pub fn between_two_sizes_costs_grow_with_the_words() {
    let [low, high] = [16, 24].map(by_formula);
    for words in 17..24 {
        let (costs, exact) = (Costs::between(&low, &high, words, words), by_formula(words as u32));
        for split in [1, 2, 3, 5, words / 2, words - 1, words] {
            for (guess, exact) in [
                (costs.prepared(split), exact.prepared(split)),
                (costs.preparation(split), exact.preparation(split)),
                (costs.squaring(), exact.squaring()),
            ] {
                assert!((guess / exact - 1.0).abs() < 0.06, "{words} words, split {split}: {guess} {exact}");
            }
        }
    }
}

/// For the tests.
pub fn text_is_read_as_it_was_written_and_nonsense_refused() {
    let kernel = portable(48);
    let costs = Costs::built_in(&kernel, Maker::Intel);
    let text = alloc::string::ToString::to_string(&costs);
    let read: Costs = text.parse().unwrap();
    assert_eq!(alloc::format!("{read:?}"), alloc::format!("{costs:?}"));
    read.check(&kernel).unwrap();
    assert!(read.check(&portable(47)).is_err());
    for (from, to) in
        [("squaring ", "squaring -"), ("words 48", "words 47"), ("splits 1 ", "splits 2 "), ("near", "far")]
    {
        let bad = text.replacen(from, to, 1).parse::<Costs>();
        assert!(bad.is_err() || bad.unwrap().check(&kernel).is_err(), "{from:?} -> {to:?}");
    }
    for cut in 0..text.len() - 1 {
        let bad = text[..cut].parse::<Costs>();
        assert!(bad.is_err() || bad.unwrap().check(&kernel).is_err() || !text[cut..].contains(' '), "{cut}");
    }
    assert!((text + " 1").parse::<Costs>().is_err());
}

/// For the tests.
pub fn a_crowd_makes_working_sets_larger() {
    let alone = Costs::built_in(&portable(48), Maker::Intel);
    let crowded = alone.crowded();
    const MIB: u64 = 1 << 20;
    for (there, served) in [(1, 1), (2, 4), (4, 16), (8, 32), (32, 128), (128, 128)] {
        let (there, served) = (there * MIB, served * MIB);
        assert_eq!(crowded.scan(4096, there), alone.scan(4096, served), "{there}");
        assert_eq!(crowded.fetch(512, there, 0.0), alone.fetch(512, served, 0.0), "{there}");
        assert!(there == served || alone.fetch(512, there, 0.0) < alone.fetch(512, served, 0.0));
    }
}

/// For the tests.
pub fn the_formula_is_positive_and_grows() {
    for limbs in [1, 2, 16, 48, 120, 240] {
        let (costs, larger) = (by_formula(limbs), by_formula(limbs + 1));
        assert!(costs.squaring() > 0.0 && costs.squaring() < larger.squaring());
        assert!(costs.product() > 0.0 && costs.product() < larger.product());
        for split in 1..=limbs as usize {
            assert!(costs.prepared(split) > 0.0 && costs.prepared(split) < larger.prepared(split));
            assert!(costs.preparation(split) > 0.0);
        }
    }
}

/// For the tests.
pub fn splits_between_known_ones_are_interpolated() {
    let exact = by_formula(48);
    let mut sparse = exact.clone();
    sparse.splits.to_mut().retain(|split| split.pieces.is_power_of_two() || split.pieces == 48);
    for split in 1..=48 {
        let (exact, guess) = (exact.prepared(split), sparse.prepared(split));
        assert!((exact - guess).abs() < 0.02 * exact, "split {split}: {exact} {guess}");
        if split.is_power_of_two() {
            assert!((exact - guess).abs() < 1e-6 * exact);
        }
    }
}

/// For the tests.
pub fn tables_cost_more_the_farther_they_reach() {
    let costs = by_formula(48);
    assert_eq!(costs.fetch(384, 1000, 0.0), 0.0);
    assert_eq!(costs.fetch(384, LEVELS[0], 0.0), 0.0);
    let mut last = (0.0, 0.0);
    for bytes in (16..32).map(|bits| 1u64 << bits) {
        let now = (costs.scan(1 << 16, bytes), costs.fetch(384, bytes, 0.0));
        assert!(now.0 >= last.0 && now.1 >= last.1, "{bytes} bytes");
        last = now;
    }
    assert!(costs.scan(2000, 1 << 16) > costs.scan(1000, 1 << 16));
    assert!(costs.update(2000) > costs.update(1000));
}
