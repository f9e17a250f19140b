//! Compares every method of exponentiation with num-bigint, in the constant-time and the regular
//! form, on every kernel.

use crypto_bigint::{BoxedUint, Resize};
use moduli::{
    Costs, Error, Exponent, KernelChoice, Maker, Modulus, SignedExponent,
    error::ParameterError,
    power::{Algorithm, MAX_WINDOW, PowerMethod, PowerPlanner},
};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};
use num_bigint::BigUint;
use rayon::prelude::*;
use testing::{Random, big, boxed, extremes, ones};

fn kernels() -> impl Iterator<Item = KernelChoice> {
    let tiny = [PORTABLE8, PORTABLE4];
    KernelChoice::ALL.iter().copied().chain(tiny).filter(|kernel| kernel.is_supported())
}

fn is_tiny(kernel: KernelChoice) -> bool {
    [PORTABLE8, PORTABLE4].contains(&kernel)
}

/// All algorithms in both forms, with these windows and some splits.
fn methods(p: &Modulus, windows: &[u32]) -> Vec<PowerMethod> {
    let mut methods: Vec<_> =
        [false, true].map(|common_operand| PowerMethod::Ladder { common_operand }).to_vec();
    for &window in windows {
        for common_operand in [false, true] {
            methods.push(PowerMethod::RightToLeft { window, common_operand });
        }
        let mut splits = vec![1, 2, 4, p.max_split().div_ceil(8), p.max_split()];
        splits.retain(|&split| split <= p.max_split());
        splits.sort_unstable();
        splits.dedup();
        methods.extend(splits.iter().map(|&split| PowerMethod::LeftToRight { window, split }));
    }
    methods
}

/// Compares both forms of these methods with the expected power.
#[track_caller]
fn check(p: &Modulus, x: &BigUint, e: &BigUint, declared: u32, methods: &[PowerMethod]) {
    let expected = x.modpow(e, &big(p.value().as_ref()));
    let (base, exponent) = (boxed(x), boxed(e).resize(declared));
    let exponent = Exponent::from(&exponent).with_bits(declared).unwrap();
    for &method in methods {
        let what = || format!("{method}, {declared} bits, {x:x}^{e:x}, {p:?}");
        let constant_time = p.pow_with(&base, exponent, method).unwrap();
        assert_eq!(big(&constant_time), expected, "constant-time {}", what());
        let regular = p.element(&base).pow_regular_vartime(exponent, method).unwrap().to_uint();
        assert_eq!(big(&regular), expected, "regular {}", what());
    }
}

#[test]
fn extremes_of_base_and_exponent_agree() {
    let mut random = Random(1);
    for kernel in kernels() {
        for bits in [3, 12, 64, 65, 192] {
            // With 8 to 48 words, the tiny kernels would take most of the time, and they run the
            // same code as with 2 and 3.
            if is_tiny(kernel) && bits > 12 {
                continue;
            }
            for modulus in [random.odd(bits), ones(bits)] {
                let p = Modulus::with_kernel(&boxed(&modulus), kernel).unwrap();
                let one = BigUint::from(1u32);
                let bases = [BigUint::ZERO, one, &modulus - 1u32, &modulus + 2u32, ones(bits + 70)];
                let methods = methods(&p, &[1, 3, 6]);
                for bits in [1, 7, 70] {
                    for (e, x) in extremes(bits).iter().zip(bases.iter().cycle()) {
                        check(&p, x, e, bits, &methods);
                        // Leading zeros, also more of them than digits.
                        check(&p, x, e, bits + 1, &methods);
                        check(&p, x, e, 2 * bits + 65, &methods);
                    }
                }
                check(&p, &bases[2], &BigUint::ZERO, 0, &methods);
            }
        }
    }
}

#[test]
fn powers_agree_at_real_sizes() {
    let mut random = Random(2);
    for kernel in kernels().filter(|&kernel| !is_tiny(kernel)) {
        for (bits, exponent_bits) in [
            (512, 512),
            (1023, 160),
            (1024, 1024),
            (1536, 200),
            (2048, 300),
            (3072, 256),
            (4096, 130),
            (8192, 70),
        ] {
            // Moduli of exactly 64n bits, of all ones, and with a clear top bit.
            for modulus in [random.odd(bits), ones(bits), random.odd(bits - 1)] {
                let p = Modulus::with_kernel(&boxed(&modulus), kernel).unwrap();
                let methods = methods(&p, &[2, 5]);
                check(&p, &random.below(bits), &random.below(exponent_bits), exponent_bits, &methods);
            }
        }
    }
}

#[test]
#[ignore = "minutes"]
fn powers_agree_with_exponents_as_long_as_the_modulus() {
    let mut random = Random(3);
    for kernel in kernels().filter(|&kernel| !is_tiny(kernel)) {
        for bits in [512, 1024, 2048, 3072, 4096, 8192] {
            for modulus in [random.odd(bits), ones(bits)] {
                let p = Modulus::with_kernel(&boxed(&modulus), kernel).unwrap();
                let methods = methods(&p, &[1, 4, 6, 8]);
                check(&p, &random.below(bits + 1), &random.below(bits), bits, &methods);
            }
        }
    }
}

/// Every power over moduli of up to eight bits with exponents below 2^9, but only one case in
/// `step`: each method and kernel gets a share of all moduli, bases and exponents.
fn check_tiny_moduli(step: usize) {
    let exponents: Vec<BoxedUint> = (0..512u64).map(|e| BoxedUint::from(e).resize(10)).collect();
    let declared: Vec<Exponent<'_>> = exponents
        .iter()
        .enumerate()
        .map(|(i, e)| Exponent::from(e).with_bits(9 + i as u32 % 2).unwrap())
        .collect();
    (1..128).into_par_iter().for_each(|half: u64| {
        let modulus = 2 * half + 1;
        let mut case = half as usize;
        for kernel in [PORTABLE8, PORTABLE4] {
            let p = Modulus::with_kernel(&BoxedUint::from(modulus), kernel).unwrap();
            let methods = methods(&p, &[1, 2, 3, 4]);
            for base in 0..modulus {
                let x = p.element(&BoxedUint::from(base));
                let mut expected = 1;
                for (e, &exponent) in declared.iter().enumerate() {
                    for &method in &methods {
                        for constant_time in [true, false] {
                            case += 1;
                            if !case.is_multiple_of(step) {
                                continue;
                            }
                            let power = match constant_time {
                                true => x.pow_with(exponent, method),
                                false => x.pow_regular_vartime(exponent, method),
                            };
                            let power = power.unwrap().to_uint();
                            assert_eq!(
                                power,
                                BoxedUint::from(expected),
                                "{method}, constant-time {constant_time}: {base}^{e} mod {modulus}, {kernel:?}"
                            );
                        }
                    }
                    expected = expected * base % modulus;
                }
            }
        }
    });
}

#[test]
fn tiny_moduli_by_turns() {
    // A prime, so that the share covers methods, exponents and bases evenly.
    check_tiny_moduli(601);
}

#[test]
#[ignore = "ten minutes"]
fn tiny_moduli_exhaustively() {
    check_tiny_moduli(1);
}

#[test]
fn negative_exponents_invert() {
    let p = Modulus::new(&BoxedUint::from(101u64)).unwrap();
    let (x, e) = (BoxedUint::from(7u64), BoxedUint::from(5u64));
    for method in methods(&p, &[1, 3]) {
        let powers =
            [false, true].map(|negative| p.pow_with(&x, SignedExponent::new(negative, &e), method).unwrap());
        assert_eq!(p.mul(&powers[0], &powers[1]), BoxedUint::one());
        let regular =
            p.element(&x).pow_regular_vartime(SignedExponent::new(true, &e), method).unwrap().to_uint();
        assert_eq!(regular, powers[1]);
        let zero = p.pow_with(&BoxedUint::zero(), SignedExponent::new(true, &e), method);
        assert_eq!(zero, Err(Error::NotInvertible { gcd: None }));
    }
}

#[test]
fn parameters_out_of_range_are_named() {
    let p = Modulus::new(&boxed(&ones(2048))).unwrap();
    let (x, e) = (BoxedUint::from(7u64), BoxedUint::from(5u64));
    let refused = |method: PowerMethod, name: &str| {
        let expected = |error: Error| matches!(error, Error::Parameter(ParameterError { name: found, .. }) if found == name);
        assert!(expected(p.pow_with(&x, &e, method).unwrap_err()), "{method}");
        assert!(expected(p.element(&x).pow_regular_vartime(&e, method).err().unwrap()), "{method}");
        assert!(expected(method.table_bytes(&p).unwrap_err()), "{method}");
    };
    for window in [0, MAX_WINDOW + 1, 31, 32, 64, u32::MAX] {
        refused(PowerMethod::RightToLeft { window, common_operand: true }, "window");
        refused(PowerMethod::LeftToRight { window, split: 1 }, "window");
    }
    for split in [0, p.max_split() + 1, u32::MAX] {
        refused(PowerMethod::LeftToRight { window: 4, split }, "split");
    }
    // Each is in range, but together they are too large.
    let long = Modulus::with_kernel(&boxed(&ones(65_536)), KernelChoice::PORTABLE).unwrap();
    let method = PowerMethod::LeftToRight { window: MAX_WINDOW, split: long.max_split() };
    let error = long.pow_with(&x, &e, method).unwrap_err();
    assert!(matches!(error, Error::Parameter(ParameterError { name: "window", .. })), "{error}");
    // The limit causes this error, before any memory is allocated.
    assert!(error.to_string().contains("at most 1073741824 are allowed"), "{error}");
    assert_eq!(method.table_bytes(&long), Err(error));
}

#[test]
fn tables_take_what_the_paper_says() {
    // Section V: 256 KB for 2048 bits and 1 MB for 4096, with windows of five bits and as many
    // pieces as words.
    for (bits, entry_words) in [(2048u64, 32u64), (4096, 64)] {
        let p = Modulus::with_kernel(&boxed(&ones(bits as u32)), KernelChoice::PORTABLE).unwrap();
        let method = PowerMethod::LeftToRight { window: 5, split: entry_words as u32 };
        assert_eq!(method.table_bytes(&p).unwrap(), 33 * entry_words * bits / 8);
        assert_eq!(
            PowerMethod::RightToLeft { window: 5, common_operand: true }.table_bytes(&p),
            Ok(33 * bits / 8)
        );
        assert_eq!(PowerMethod::Ladder { common_operand: true }.table_bytes(&p), Ok(0));
    }
}

#[test]
fn plans_keep_to_the_choice() {
    let p = Modulus::with_kernel(&boxed(&ones(1024)), KernelChoice::PORTABLE).unwrap();
    let costs = Costs::built_in(&KernelChoice::PORTABLE.foreseen(1024).unwrap(), Maker::Intel);
    let planner = PowerPlanner::new(&p).costs(&costs).exponent_bits(1024);
    for algorithm in Algorithm::ALL {
        for common_operand in [false, true] {
            let planner = planner.clone().algorithm(algorithm).common_operand(common_operand);
            let method = planner.plan().unwrap();
            assert_eq!((method.algorithm(), method.common_operand()), (algorithm, common_operand));
            let with_window = planner.window(3).plan();
            if algorithm == Algorithm::Ladder {
                assert!(matches!(with_window, Err(Error::Parameter(ParameterError { name: "window", .. }))));
            } else {
                assert_eq!(with_window.unwrap().window(), Some(3));
            }
        }
    }
    let split = planner.clone().split(4).plan().unwrap();
    assert!(matches!(split, PowerMethod::LeftToRight { split: 4, .. }));
    // Without restrictions, this is the fastest method. Masks may only increase the time.
    let fastest = planner.plan().unwrap();
    assert_eq!(fastest.algorithm(), Algorithm::LeftToRight);
    assert_eq!(planner.clone().regular().plan().unwrap().algorithm(), Algorithm::LeftToRight);
    assert_eq!(planner.clone().exponent_bits(0).plan().unwrap().algorithm(), Algorithm::Ladder);

    let contradictions = [
        (planner.clone().algorithm(Algorithm::Ladder).split(2), "split"),
        (planner.clone().algorithm(Algorithm::RightToLeft).split(2), "split"),
        (planner.clone().algorithm(Algorithm::LeftToRight).common_operand(true).split(1), "common operand"),
        (planner.clone().common_operand(false).split(2), "common operand"),
        (planner.clone().window(0), "window"),
        (planner.clone().window(17), "window"),
        (planner.clone().split(0), "split"),
        (planner.clone().split(17), "split"),
    ];
    for (planner, expected) in contradictions {
        let error = planner.plan().unwrap_err();
        assert!(
            matches!(error, Error::Parameter(ParameterError { name, .. }) if name == expected),
            "{error}"
        );
    }
}
