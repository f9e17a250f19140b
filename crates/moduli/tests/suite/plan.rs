//! The planner through its public interface: its counts compared with real ones, its budgets, its
//! errors.

use crypto_bigint::BoxedUint;
use moduli::{
    Costs, Error, FixedBase, KernelChoice, Maker, MemorySize, Method, Modulus, Planner, Secrecy,
    fixed::ExpectedCounts,
};
use moduli_kernel::internals::PORTABLE8;
use rayon::prelude::*;
use testing::Random;

/// Uniform exponents below 2^bits.
fn exponents(bits: u32, count: usize) -> Vec<BoxedUint> {
    let mut random = Random(u64::from(bits) << 32 ^ count as u64);
    let words = bits.div_ceil(64) as usize;
    (0..count)
        .map(|_| {
            let mut limbs: Vec<u64> = (0..words).map(|_| random.word()).collect();
            limbs[words - 1] >>= 64 * words as u32 - bits;
            BoxedUint::from_words(limbs)
        })
        .collect()
}

/// A prime of 38 bits: five words of eight bits, so that entries can be split.
fn modulus() -> Modulus {
    let p = BoxedUint::from((1u64 << 38) - 45);
    Modulus::with_kernel(&p, PORTABLE8).unwrap()
}

const SHAPES: &[(&str, u32)] = &[
    ("radix:2", 1),
    ("radix:2", 3),
    ("radix:3", 1),
    ("radix:13", 2),
    ("radix:16", 1),
    ("radix:100", 5),
    ("radix:300", 1),
    ("radix:1000", 1),
    ("comb:1,1", 1),
    ("comb:1,1", 2),
    ("comb:1,5", 1),
    ("comb:2,1", 1),
    ("comb:3,2,1", 1),
    ("comb:4,3,2", 4),
    ("comb:5,2", 1),
    ("comb:6,1", 1),
    ("comb:6,5,4", 1),
    ("comb:8,2,1", 1),
    ("comb:9,1", 3),
    ("m0m1:3,2", 1),
    ("m0m1:7,6", 1),
    ("m0m1:13,8", 1),
    ("m0m1:101,4", 1),
    ("m0m1:257,16", 1),
    ("residue-digits:3,2", 1),
    ("residue-digits:3,2", 2),
    ("residue-digits:7,6", 1),
    ("residue-digits:11,8", 3),
    ("residue-digits:101,4", 1),
    ("residue-digits:257,16", 2),
    ("residue-digits:1009,3", 1),
    ("residue-digits:37,32", 1),
];

const LENGTHS: &[u32] = &[1, 3, 17, 64, 65, 160, 256];

fn for_each_shape(check: impl Fn(Method, u32, u32) + Sync) {
    assert_eq!(Method::missing_in(SHAPES.iter().map(|&(method, _)| method)), []);
    let cases: Vec<_> =
        SHAPES.iter().flat_map(|shape| LENGTHS.iter().map(move |&bits| (shape, bits))).collect();
    cases.into_par_iter().for_each(|(&(method, split), bits)| {
        let method = method.parse().unwrap();
        // Some combs are not valid for every length.
        let meaningless = matches!(method, Method::Comb { tables, .. } if tables > bits);
        if !meaningless {
            check(method, split, bits);
        }
    });
}

#[test]
fn constant_time_counts_are_exact() {
    let (p, g) = (modulus(), BoxedUint::from(5u64));
    for_each_shape(|method, split, bits| {
        let planner = Planner::new(&p).exponent_bits(bits).method(method).split(split);
        let plan = planner.plan().unwrap();
        let table =
            FixedBase::builder(&p, &g).exponent_bits(bits).method(method).split(split).build().unwrap();
        assert_eq!((plan.bytes, plan.scratch_bytes), (table.table_bytes(), table.scratch_bytes()));
        assert_eq!(plan.shape, *table.shape());
        let zero = BoxedUint::zero_with_precision(64);
        for exponent in exponents(bits, 5).iter().chain([&zero]) {
            let (_, counts) = table.pow_with_counts(exponent).unwrap();
            assert_eq!(plan.counts, ExpectedCounts::from(counts), "{method} split {split}, {bits} bits");
        }
    });
}

#[test]
fn public_counts_are_the_average() {
    check_averages(1000);
}

#[test]
#[ignore = "some seconds"]
fn public_counts_are_the_average_of_more_exponents() {
    check_averages(3000);
}

/// Short exponents all, and so many long ones.
fn check_averages(exponents_of_a_shape: usize) {
    let (p, g) = (modulus(), BoxedUint::from(5u64));
    for_each_shape(|method, split, bits| {
        let planner =
            Planner::new(&p).exponent_bits(bits).method(method).split(split).secrecy(Secrecy::Public);
        let expected = planner.plan().unwrap().counts;
        let table =
            FixedBase::builder(&p, &g).exponent_bits(bits).method(method).split(split).build().unwrap();
        let exponents = if bits < 12 {
            (0..1u64 << bits).map(BoxedUint::from).collect()
        } else {
            exponents(bits, exponents_of_a_shape)
        };
        let counts = |e| ExpectedCounts::from(table.pow_with_counts_vartime(e).unwrap().1);
        let counts: Vec<_> = exponents.iter().map(counts).collect();
        let compare = |name, expected: f64, of: fn(&ExpectedCounts) -> f64| {
            let n = counts.len() as f64;
            let mean = counts.iter().map(of).sum::<f64>() / n;
            let variance = counts.iter().map(|c| (of(c) - mean).powi(2)).sum::<f64>() / n;
            // At least four standard errors, because the counts of random exponents vary.
            let tolerance = if bits < 12 { 0.05 } else { (4.0 * (variance / n).sqrt()).max(0.05) };
            // In radix 6 and with a single digit, a recoding is less random than the averages
            // assume.
            let rough = method.needs_inverse() && (bits < 12 || method.to_string().ends_with(":3,2"));
            let tolerance = if rough { tolerance + 0.3 } else { tolerance };
            assert!(
                (mean - expected).abs() <= tolerance,
                "{method} split {split}, {bits} bits: {expected} {name} expected, {mean} found"
            );
        };
        compare("products", expected.products, |c| c.products);
        compare("prepared products", expected.prepared_products, |c| c.prepared_products);
        compare("squarings", expected.squarings, |c| c.squarings);
        assert_eq!(expected.masked_words, 0.0);
    });
}

#[test]
fn plans_keep_to_their_budget_and_are_built_as_planned() {
    let (p, g) = (modulus(), BoxedUint::from(5u64));
    for secrecy in [Secrecy::Secret, Secrecy::Public] {
        for bytes in [40, 41, 79, 80, 200, 1000, 5000, 40_000] {
            let builder =
                FixedBase::builder(&p, &g).exponent_bits(100).budget(MemorySize(bytes)).secrecy(secrecy);
            let plan = builder.plan().unwrap();
            let table = builder.build().unwrap();
            assert_eq!(*table.shape(), plan.shape);
            assert!(table.table_bytes() == plan.bytes && plan.bytes <= MemorySize(bytes));
            for runner_up in &plan.runners_up {
                assert!(runner_up.bytes <= MemorySize(bytes) && runner_up.shape != plan.shape);
            }
        }
    }
}

#[test]
fn budgets_too_small_name_the_smallest() {
    let p = modulus();
    let too_small = |planner: Planner<'_>, budget| {
        assert!(planner.plan().is_ok());
        let Err(Error::BudgetTooSmall { smallest, .. }) = planner.budget(MemorySize(budget)).plan() else {
            panic!("{budget} bytes are enough")
        };
        assert!(planner.budget(MemorySize(smallest)).plan().is_ok());
        smallest
    };
    let planner = Planner::new(&p).exponent_bits(100);
    assert_eq!(too_small(planner, 0), 40);
    assert_eq!(too_small(planner, 39), 40);
    for (budget, text) in [(1, "no method fits 1 byte; "), (39, "no method fits 39 bytes; ")] {
        assert!(planner.budget(MemorySize(budget)).plan().unwrap_err().to_string().starts_with(text));
    }
    assert_eq!(too_small(planner.split(3), 119), 120);
    assert_eq!(too_small(planner.method("comb:4,1".parse().unwrap()), 1), 15 * 40);
    assert!(matches!(planner.split(6).plan(), Err(Error::Parameter(_))));
    assert!(matches!(planner.split(0).plan(), Err(Error::Parameter(_))));
    assert!(matches!(planner.exponent_bits(0).plan(), Err(Error::Parameter(_))));
    for (planner, text) in [
        (planner.count(0), "count: 0; it must be at least 1"),
        (planner.batch(0), "batch: 0; it must be at least 1"),
    ] {
        assert_eq!(planner.plan().unwrap_err().to_string(), text);
        assert_eq!(planner.front().unwrap_err().to_string(), text);
    }
}

#[test]
fn bases_without_inverse_get_no_residue_method() {
    let p = Modulus::new(&(BoxedUint::one_with_precision(512).shl(511) + BoxedUint::one())).unwrap();
    let three = BoxedUint::from(3u64); // 3 divides 2^511 + 1
    for kib in [1, 4, 16, 64] {
        for secrecy in [Secrecy::Secret, Secrecy::Public] {
            let builder = FixedBase::builder(&p, &three)
                .exponent_bits(200)
                .budget(MemorySize::kib(kib))
                .secrecy(secrecy);
            let plan = builder.plan().unwrap();
            assert!(plan.runners_up.iter().chain([&plan]).all(|plan| !plan.shape.method().needs_inverse()));
            builder.build().unwrap();
        }
    }
}

#[test]
fn few_exponentiations_get_a_small_table() {
    let value = BoxedUint::one_with_precision(2048).shl(2047) - BoxedUint::one();
    let p = Modulus::with_kernel(&value, KernelChoice::PORTABLE).unwrap();
    let costs = Costs::built_in(&KernelChoice::PORTABLE.foreseen(p.bits()).unwrap(), Maker::Intel);
    let planner = Planner::new(&p).exponent_bits(256).budget(MemorySize::mib(16)).costs(&costs);
    let mut last = MemorySize(0);
    for count in [1, 100, 10_000, 1_000_000] {
        let plan = planner.count(count).plan().unwrap();
        assert!(plan.bytes >= last, "{count}: {}", plan.bytes);
        last = plan.bytes;
    }
    assert!(planner.count(1).plan().unwrap().bytes < MemorySize::kib(64));
}

/// A plan is by the costs of its maker, which is this machine's if none is named.
#[test]
fn makers_have_plans_of_their_own() {
    let p = Modulus::new(&BoxedUint::max(3072)).unwrap();
    let planner = Planner::new(&p).budget(MemorySize::mib(4)).kernel(KernelChoice::IFMA52);
    let [amd, intel] = Maker::ALL.map(|maker| planner.maker(maker).plan().unwrap());
    assert_ne!(amd.shape, intel.shape);
    let here = if Maker::of_this_machine() == Maker::Amd { amd } else { intel };
    assert_eq!(planner.plan().unwrap(), here);
    for maker in Maker::ALL {
        let costs = p.costs_by(maker);
        let [named, given] = [Planner::new(&p).maker(maker), Planner::new(&p).costs(&costs)];
        assert_eq!(named.plan().unwrap(), given.plan().unwrap());
        assert_eq!(
            FixedBase::builder(&p, &BoxedUint::from(2u32)).maker(maker).plan().unwrap(),
            named.plan().unwrap()
        );
    }
}

/// If the lanes share the look-ups, larger rows pay. A batch that cannot fill the lanes is planned
/// like single exponents.
#[test]
fn batches_get_a_table_of_their_own() {
    for &choice in KernelChoice::ALL {
        let Ok(p) = Modulus::with_kernel(&BoxedUint::max(1024), choice) else { continue };
        for secrecy in [Secrecy::Secret, Secrecy::Public] {
            let planner = Planner::new(&p).exponent_bits(256).budget(MemorySize::mib(4)).secrecy(secrecy);
            let alone = planner.plan().unwrap();
            assert_eq!(planner.batch(1).plan().unwrap(), alone);
            let batch = planner.batch(1 << 20).plan().unwrap();
            assert!(batch.bytes <= MemorySize::mib(4));
            if p.lanes() == 1 {
                assert_eq!(batch, alone);
            }
            // The shape is that for single exponents, the time that of a batch.
            let method = planner.method(alone.shape.method()).split(alone.shape.split());
            let same_table = method.batch(1 << 20).plan().unwrap();
            assert_eq!(same_table.shape, alone.shape);
            assert!(
                batch.nanoseconds * batch.crowded_nanoseconds
                    <= same_table.nanoseconds * same_table.crowded_nanoseconds,
                "{choice:?}, {secrecy:?}"
            );
            let g = BoxedUint::from(7u64);
            let table = FixedBase::builder(&p, &g).method(batch.shape.method()).split(batch.shape.split());
            let table = table.exponent_bits(256).build().unwrap();
            let exponents = exponents(256, 40);
            let powers = match secrecy {
                Secrecy::Secret => table.pow_batch(&exponents),
                Secrecy::Public => table.pow_batch_vartime(&exponents),
            };
            for (power, e) in powers.into_iter().zip(&exponents) {
                assert_eq!(power.unwrap(), p.pow(&g, e));
            }
        }
    }
}

/// Regression: rounding gave −10^(−16) products for an exponent of one bit.
#[test]
fn average_products_are_not_negative() {
    let p = Modulus::new(&BoxedUint::from(0x9c95_7b6d_ea53_b311_u64)).unwrap();
    let planner = Planner::new(&p).exponent_bits(1).secrecy(Secrecy::Public).budget(MemorySize::mib(64));
    for radix in [2, 3, 5, 1000, 36_634] {
        let plan = planner.method(Method::Radix { radix }).plan().unwrap();
        assert!(plan.counts.products >= 0.0, "{plan:?}");
    }
}

/// Two public functions must agree: for budgets at, just below and between the steps.
#[test]
fn the_front_is_what_the_planner_chooses() {
    let cases = [
        (1024, 160, Secrecy::Secret, 1, None),
        (3072, 256, Secrecy::Secret, 1, None),
        (3072, 256, Secrecy::Public, 1, None),
        (3072, 256, Secrecy::Secret, 1000, None),
        (2048, 2048, Secrecy::Public, 1, None),
        (2048, 225, Secrecy::Secret, 1, Some(1000)),
        (15_360, 512, Secrecy::Secret, 1, None),
        (107, 5, Secrecy::Public, 1, None),
    ];
    // Two kernels per case, among all kernels: the code is the same for all of them, and they
    // differ only in their costs.
    let kernels = |i: usize| [0, 1].map(|more| KernelChoice::ALL[(i + more) % KernelChoice::ALL.len()]);
    cases
        .into_par_iter()
        .enumerate()
        .flat_map_iter(|(i, case)| kernels(i).map(move |kernel| (case, kernel)))
        .for_each(|((modulus_bits, bits, secrecy, batch, count), kernel)| {
            let modulus = Modulus::new(&BoxedUint::max(modulus_bits)).unwrap();
            let most = 1 << 23;
            let mut planner =
                Planner::new(&modulus).exponent_bits(bits).secrecy(secrecy).batch(batch).kernel(kernel);
            if let Some(count) = count {
                planner = planner.count(count);
            }
            let front = planner.budget(MemorySize(most)).front().unwrap();
            let plan = |budget: u64| {
                let mut plan = planner.budget(MemorySize(budget)).plan()?;
                plan.runners_up.clear();
                Ok(plan)
            };
            let case = format!("{modulus_bits}/{bits}, {secrecy:?}, {batch}, {kernel:?}");
            let steps = &front.chosen;
            for (i, step) in steps.iter().enumerate() {
                let next = steps.get(i + 1).map_or(most + 1, |next| next.from.0);
                assert!(step.plan.bytes <= step.from, "{case}");
                for budget in [step.from.0, step.from.0.midpoint(next), next - 1] {
                    assert_eq!(plan(budget).as_ref(), Ok(&step.plan), "{case}: {budget} bytes");
                }
            }
            assert!(matches!(plan(steps[0].from.0 - 1), Err(Error::BudgetTooSmall { .. })), "{case}");
            // No single method is faster than the best of all in both conditions, and the best is
            // one of them.
            for alone in &front.of_methods {
                for step in alone {
                    let best = steps.iter().rfind(|best| best.from <= step.from).unwrap();
                    assert!(
                        count.is_some()
                            || best.plan.nanoseconds <= step.plan.nanoseconds
                            || best.plan.crowded_nanoseconds <= step.plan.crowded_nanoseconds,
                        "{case}: {} beats {}",
                        step.plan.shape,
                        best.plan.shape
                    );
                }
            }
            for step in steps {
                assert!(front.of_methods.iter().flatten().any(|alone| alone.plan == step.plan), "{case}");
            }
        });
}

/// The plans for a kernel are the same on machines with and without it.
#[test]
fn plans_of_a_kernel_by_name() {
    let value = BoxedUint::max(3072);
    for &kernel in KernelChoice::ALL.iter().filter(|kernel| kernel.is_supported()) {
        let its_own = Modulus::with_kernel(&value, kernel).unwrap();
        let portable = Modulus::with_kernel(&value, KernelChoice::PORTABLE).unwrap();
        let plan = |planner: Planner<'_>| planner.exponent_bits(256).budget(MemorySize::mib(1)).plan();
        assert_eq!(plan(Planner::new(&portable).kernel(kernel)), plan(Planner::new(&its_own)), "{kernel:?}");
    }
    let long = Modulus::new(&BoxedUint::max(60_000)).unwrap();
    let refused = Planner::new(&long).exponent_bits(8).kernel(KernelChoice::IFMA52).plan();
    assert!(matches!(refused, Err(Error::Kernel { .. })), "{refused:?}");
}

#[test]
fn a_front_of_one_step() {
    let p = modulus();
    let planner = Planner::new(&p).exponent_bits(32);
    let front = planner.method("comb:2,1".parse().unwrap()).front().unwrap();
    assert_eq!((front.chosen.len(), front.of_methods.len()), (1, 1));
    assert!(matches!(planner.budget(MemorySize(1)).front(), Err(Error::BudgetTooSmall { .. })));
}
