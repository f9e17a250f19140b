//! Constant time: for all secrets, the same operations access the same addresses in the same order.
//!
//! The library records each step of its word-level arithmetic. So that addresses can be compared
//! between runs, a tracing thread allocates from a separate arena, which is reset for every run.

mod arena;
mod crt;
mod rsa;

use arena::repeatably;
use crypto_bigint::{BoxedUint, Resize};
use moduli::{
    Element, Error, Exponent, FixedBase, KernelChoice, Method, Modulus, MultiExponentiation, Secrecy,
    SignedExponent, power::PowerMethod,
};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};
use moduli_kernel::{Step, Trace};
use num_bigint::BigUint;
use rayon::prelude::*;
use testing::{Random, boxed, ones};

/// Magnitudes below 2^bits that have only their declared precision in common, which is public.
fn secrets(bits: u32) -> Vec<BoxedUint> {
    let mut random = Random(u64::from(bits));
    let one = BigUint::from(1u32);
    let mut secrets = vec![BigUint::ZERO, one.clone(), ones(bits), one << (bits - 1)];
    secrets.extend((0..8).map(|_| random.below(bits)));
    secrets.iter().map(|k| boxed(k).resize(bits)).collect()
}

fn exponents(secrets: &[BoxedUint], bits: u32) -> Vec<SignedExponent<'_>> {
    secrets.iter().map(|k| Exponent::from(k).with_bits(bits).unwrap().into()).collect()
}

fn signed(secrets: &[BoxedUint]) -> Vec<SignedExponent<'_>> {
    secrets.iter().enumerate().map(|(i, k)| SignedExponent::new(i % 2 == 0, k)).collect()
}

/// Every kernel that this machine supports, and the portable one with words of three sizes.
fn kernels() -> Vec<KernelChoice> {
    let supported = KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported());
    supported.chain([PORTABLE8, PORTABLE4]).collect()
}

/// A prime of several words of the kernel, and the record of the operations with it.
fn modulus(choice: KernelChoice) -> (Modulus, Trace) {
    let value = if [PORTABLE8, PORTABLE4].contains(&choice) {
        ones(31)
    } else if choice == KernelChoice::PORTABLE {
        (BigUint::from(1u32) << 255) - 19u32
    } else {
        ones(1279)
    };
    let modulus = Modulus::with_kernel(&boxed(&value), choice).unwrap();
    // The first long power makes constants, which stay in memory.
    modulus.pow(&boxed(&value), Exponent::from(&boxed(&value)));
    modulus.traced()
}

/// The record of one computation.
fn steps<T, E: std::fmt::Debug>(trace: &Trace, run: impl FnOnce() -> Result<T, E>) -> Vec<Step> {
    trace.take();
    repeatably(|| {
        run().unwrap();
        trace.take()
    })
}

/// Computes batches on this thread only, whose memory is an arena.
fn alone<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(run)
}

const METHODS: &[(&str, u32)] = &[
    ("radix:16", 1),
    ("radix:91", 2),
    ("radix:257", 3),
    ("comb:1,1", 1),
    ("comb:6,1", 2),
    ("comb:7,3", 1),
    ("comb:5,4,2", 3),
    ("m0m1:11,9", 1),
    ("m0m1:31,7", 1),
    ("residue-digits:11,8", 1),
    ("residue-digits:13,12", 2),
    ("residue-digits:43,6", 3),
];

fn table(p: &Modulus, base: u64, bits: u32, method: &str, split: u32) -> FixedBase {
    let base = BoxedUint::from(base);
    FixedBase::builder(p, &base)
        .exponent_bits(bits)
        .method(method.parse().unwrap())
        .split(split)
        .build()
        .unwrap()
}

/// Asserts that all records are equal and not empty.
#[track_caller]
fn assert_same(traces: &[Vec<Step>], what: &str) {
    assert!(traces[0].len() > 1, "{what}");
    for trace in &traces[1..] {
        assert_eq!(trace.len(), traces[0].len(), "{what}");
        for (i, (step, first)) in trace.iter().zip(&traces[0]).enumerate() {
            assert_eq!(step, first, "{what}, step {i}");
        }
    }
}

/// Asserts that the records differ between secrets: the comparison can fail.
#[track_caller]
fn assert_different(traces: &[Vec<Step>], what: &str) {
    let random = &traces[traces.len() - 8..];
    let pairs = (0..8).flat_map(|i| (0..i).map(move |j| (i, j)));
    let equal = pairs.filter(|&(i, j)| random[i] == random[j]).count();
    assert!(equal <= 1, "{what}: {equal} of 28 pairs look alike");
}

#[test]
fn powers_of_a_fixed_base() {
    assert_eq!(Method::missing_in(METHODS.iter().map(|&(method, _)| method)), []);
    kernels().into_par_iter().for_each(|choice| {
        for bits in [9, 20, 160, 256] {
            let secrets = secrets(bits);
            let (unsigned, signed) = (exponents(&secrets, bits), signed(&secrets));
            for &(method, split) in METHODS {
                let (p, trace) = modulus(choice);
                let table = table(&p, 3, bits, method, split);
                let what = format!("{choice:?} {method} split {split}, {bits} bits");
                let secret = |e: &[SignedExponent<'_>]| {
                    e.iter().map(|&e| steps(&trace, || table.pow(e))).collect::<Vec<_>>()
                };
                let public = |e: &[SignedExponent<'_>]| {
                    e.iter().map(|&e| steps(&trace, || table.pow_vartime(e))).collect::<Vec<_>>()
                };
                assert_same(&secret(&unsigned), &what);
                assert_same(&secret(&signed), &what);
                if bits >= 160 {
                    assert_different(&public(&unsigned), &what);
                    assert_different(&public(&signed), &what);
                }
            }
        }
    });
}

#[test]
fn batches_of_powers_of_a_fixed_base() {
    alone(|| kernels().into_iter().for_each(check_batches_of_powers_of_a_fixed_base));
}

fn check_batches_of_powers_of_a_fixed_base(choice: KernelChoice) {
    let (p, trace) = modulus(choice);
    let lanes = p.lanes();
    for bits in [9, 160] {
        let secrets = secrets(bits);
        for (method, split) in METHODS.iter().copied().filter(|&(_, split)| split == 1) {
            let table = table(&p, 3, bits, method, split);
            let what = format!("{choice:?} {method}, {bits} bits");
            for exponents in [exponents(&secrets, bits), signed(&secrets)] {
                let traces = (0..exponents.len()).map(|shift| {
                    let group: Vec<_> =
                        (0..lanes).map(|i| exponents[(5 * i + shift) % exponents.len()]).collect();
                    let powers = || table.pow_batch(group).into_iter().collect::<Result<Vec<_>, _>>();
                    steps(&trace, powers)
                });
                assert_same(&traces.collect::<Vec<_>>(), &what);
            }
        }
    }
}

#[test]
fn products_of_fixed_bases() {
    kernels().into_par_iter().for_each(|choice| {
        let (p, trace) = modulus(choice);
        let (long, short) = (secrets(256), secrets(160));
        for pair in METHODS.windows(2) {
            let first = table(&p, 3, 256, pair[0].0, pair[0].1);
            let second = table(&p, 7, 160, pair[1].0, pair[1].1);
            let product = MultiExponentiation::new([&first, &second]).unwrap();
            let what = format!("{choice:?} {pair:?}");
            for (a, b) in
                [(exponents(&long, 256), exponents(&short, 160)), (signed(&long), exponents(&short, 160))]
            {
                let traces = |secrecy| {
                    let pairs = a.iter().zip(b.iter().rev());
                    let power = |pair: [SignedExponent<'_>; 2]| match secrecy {
                        Secrecy::Secret => product.pow(pair),
                        Secrecy::Public => product.pow_vartime(pair),
                    };
                    pairs.map(|(&a, &b)| steps(&trace, || power([a, b]))).collect::<Vec<_>>()
                };
                assert_same(&traces(Secrecy::Secret), &what);
                assert_different(&traces(Secrecy::Public), &what);
            }
        }
    });
}

#[test]
fn a_fixed_and_a_variable_base() {
    kernels().into_par_iter().for_each(|choice| {
        let (p, trace) = modulus(choice);
        let (long, short) = (secrets(256), secrets(100));
        // 1 instead of 0, which has no inverse; reduced, because the length is public.
        let bases: Vec<_> = long
            .iter()
            .map(|x| if bool::from(x.is_zero()) { BoxedUint::one() } else { p.reduce(x) })
            .collect();
        let bases: Vec<_> = bases.iter().map(|x| x.clone().resize(256)).collect();
        for &(method, split) in METHODS {
            let table = table(&p, 3, 256, method, split);
            let what = format!("{choice:?} {method} split {split}");
            for b in [exponents(&short, 100), signed(&short)] {
                let a = exponents(&long, 256);
                let traces = |secrecy| {
                    let rotated =
                        (0..a.len()).map(|i| (&a[i], &bases[(i + 3) % a.len()], &b[(i + 5) % a.len()]));
                    let power = |(&a, x, &b): (&SignedExponent<'_>, _, &SignedExponent<'_>)| match secrecy {
                        Secrecy::Secret => table.pow_times(a, x, b),
                        Secrecy::Public => table.pow_times_vartime(a, x, b),
                    };
                    rotated.map(|factors| steps(&trace, || power(factors))).collect::<Vec<_>>()
                };
                assert_same(&traces(Secrecy::Secret), &what);
                assert_different(&traces(Secrecy::Public), &what);
            }
        }
    });
}

/// A power of an element.
type Power<'a> = &'a dyn Fn(&Element, SignedExponent<'_>) -> Result<Element, Error>;

/// The records of powers of different secret bases with different secret exponents.
fn traces_of_powers(
    (p, trace): (&Modulus, &Trace),
    secrets: &[BoxedUint],
    exponents: &[SignedExponent<'_>],
    power: Power<'_>,
) -> Vec<Vec<Step>> {
    let powers = exponents.iter().zip(secrets.iter().rev());
    let powers = powers.map(|(e, x)| {
        let x = if bool::from(p.reduce(x).is_zero()) { &BoxedUint::one() } else { x };
        let x = p.element(x);
        steps(trace, || power(&x, *e))
    });
    powers.collect()
}

#[test]
fn powers_of_a_variable_base() {
    for choice in kernels() {
        let (p, trace) = modulus(choice);
        for bits in [9, 20, 160, 256] {
            let secrets = secrets(bits);
            for exponents in [exponents(&secrets, bits), signed(&secrets)] {
                let traces = traces_of_powers((&p, &trace), &secrets, &exponents, &|x, e| x.pow_signed(e));
                assert_same(&traces, &format!("{choice:?}, {bits} bits"));
            }
        }
    }
}

#[test]
fn products_of_powers_of_variable_bases() {
    alone(|| kernels().into_iter().for_each(check_products_of_powers));
}

fn check_products_of_powers(choice: KernelChoice) {
    let (p, trace) = modulus(choice);
    for (bits, sign) in [(9, false), (160, false), (160, true)] {
        let secrets = secrets(bits);
        let exponents = if sign { signed(&secrets) } else { exponents(&secrets, bits) };
        // No base is a multiple of the modulus, so all have inverses.
        let bases: Vec<_> = secrets.iter().map(|x| x + BoxedUint::one()).collect();
        for count in [1, 2, 9, 40] {
            let what = format!("{choice:?}, {count} of {bits} bits");
            let traces = |secret: bool| {
                let traces = (0..exponents.len()).map(|shift| {
                    let pairs: Vec<_> = (0..count)
                        .map(|i| {
                            let (x, e) = (i + shift, 5 * i + 7 * shift);
                            (&bases[x % bases.len()], exponents[e % exponents.len()])
                        })
                        .collect();
                    let product = || if secret { p.multi_pow(pairs) } else { p.multi_pow_vartime(pairs) };
                    steps(&trace, product)
                });
                traces.collect::<Vec<_>>()
            };
            assert_same(&traces(true), &what);
            if bits >= 160 {
                assert_different(&traces(false), &what);
            }
        }
    }
}

#[test]
fn batches_of_inversions() {
    alone(|| kernels().into_iter().for_each(check_batches_of_inversions));
}

fn check_batches_of_inversions(choice: KernelChoice) {
    let (p, trace) = modulus(choice);
    // The modulus is prime and none of these is a multiple of it.
    let secrets: Vec<_> = secrets(28).into_iter().filter(|x| !bool::from(x.is_zero())).collect();
    // The same two values of each batch are zero and have no inverse, which is public.
    let batch = |shift: usize| {
        let mut batch: Vec<_> = (0..7).map(|i| secrets[(i + shift) % secrets.len()].clone()).collect();
        batch[2] = BoxedUint::zero_with_precision(28);
        batch[5] = batch[2].clone();
        batch
    };
    let traces = |from: usize| {
        let batches = (0..secrets.len()).map(|shift| batch(shift)[from..].to_vec());
        batches.map(|batch| steps(&trace, || Ok::<_, Error>(p.invert_batch(&batch)))).collect::<Vec<_>>()
    };
    for from in 0..7 {
        assert_same(&traces(from), &format!("{choice:?}, from {from}"));
    }
    assert_ne!(traces(0)[0].len(), traces(6)[0].len());
}

/// Ladder, right-to-left and left-to-right, each without and with a common operand.
fn power_methods(p: &Modulus) -> Vec<PowerMethod> {
    let mut methods = [false, true].map(|common_operand| PowerMethod::Ladder { common_operand }).to_vec();
    for window in [1, 2, 5] {
        methods
            .extend([false, true].map(|common_operand| PowerMethod::RightToLeft { window, common_operand }));
        methods.extend([1, 2, p.max_split()].map(|split| PowerMethod::LeftToRight { window, split }));
    }
    methods
}

#[test]
fn powers_by_every_method() {
    for choice in kernels() {
        let (p, trace) = modulus(choice);
        for bits in [9, 160] {
            let secrets = secrets(bits);
            for exponents in [exponents(&secrets, bits), signed(&secrets)] {
                for method in power_methods(&p) {
                    let what = format!("{choice:?}, {bits} bits, {method}");
                    let power: Power<'_> = &|x, e| x.pow_with(e, method);
                    let traces = traces_of_powers((&p, &trace), &secrets, &exponents, power);
                    assert_same(&traces, &what);
                    // An access outside the kernel leaves no record, so these counts show that all
                    // accesses use the masks.
                    let count =
                        |name| traces[0].iter().filter(|step| step.operation() == name).count() as u32;
                    let digits = method.window().map_or(0, |window| exponents[0].bits().div_ceil(window));
                    let has_buckets = matches!(method, PowerMethod::RightToLeft { .. });
                    let is_ladder = matches!(method, PowerMethod::Ladder { .. });
                    let swaps = if is_ladder { exponents[0].bits() + 1 } else { 0 };
                    // No squaring is wasted, neither before the first digit nor after the last.
                    let squarings = match method {
                        PowerMethod::Ladder { common_operand: true } => 0,
                        PowerMethod::Ladder { common_operand: false } => exponents[0].bits(),
                        PowerMethod::RightToLeft { window, common_operand } => {
                            (digits - 1) * (window - u32::from(common_operand))
                        }
                        PowerMethod::LeftToRight { window, split } => {
                            (digits - 1) * window + if split == 1 { 1 << (window - 1) } else { 0 }
                        }
                    };
                    let expected = [digits, if has_buckets { digits } else { 0 }, swaps, squarings];
                    assert_eq!(["select", "replace", "swap", "square"].map(count), expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn batches_of_powers() {
    alone(|| kernels().into_iter().for_each(check_batches_of_powers));
}

fn check_batches_of_powers(choice: KernelChoice) {
    let (p, trace) = modulus(choice);
    let (lanes, enough) = (p.lanes(), if p.lanes() == 1 { 2 } else { p.lanes() });
    for (bits, sign) in [(9, false), (160, false), (160, true)] {
        let secrets = secrets(bits);
        let exponents = if sign { signed(&secrets) } else { exponents(&secrets, bits) };
        // No base is a multiple of the modulus, so all have inverses.
        let bases: Vec<_> = secrets.iter().map(|x| x + BoxedUint::one()).collect();
        // A single power, an incomplete group, and a complete one.
        for count in [1, enough.min(lanes), lanes] {
            let traces = (0..exponents.len()).map(|shift| {
                let pairs: Vec<_> = (0..count)
                    .map(|i| {
                        let (x, e) = (i + shift, 5 * i + 7 * shift);
                        (&bases[x % bases.len()], exponents[e % exponents.len()])
                    })
                    .collect();
                steps(&trace, || p.pow_batch(pairs).into_iter().collect::<Result<Vec<_>, _>>())
            });
            let what = format!("{choice:?}, {count} of {bits} bits");
            let traces: Vec<_> = traces.collect();
            assert_same(&traces, &what);
            let count_of = |name| traces[0].iter().filter(|step| step.operation() == name).count();
            let side_by_side = count >= enough;
            assert_eq!(count_of("select") == 0, side_by_side, "{what}");
            assert_eq!(count_of("select_lanes") > 0, side_by_side, "{what}");
        }
    }
}

#[test]
fn regular_powers_differ_only_in_addresses() {
    for choice in kernels() {
        let (p, trace) = modulus(choice);
        for bits in [9, 160] {
            let secrets = secrets(bits);
            let exponents = exponents(&secrets, bits);
            for method in power_methods(&p) {
                let what = format!("{choice:?}, {bits} bits, {method}");
                let power: Power<'_> = &|x, e| x.pow_regular_vartime(e, method);
                let traces = traces_of_powers((&p, &trace), &secrets, &exponents, power);
                let names = |trace: &[Step]| trace.iter().map(Step::operation).collect::<Vec<_>>();
                assert!(names(&traces[0]).len() > 1, "{what}");
                for trace in &traces[1..] {
                    assert_eq!(names(trace), names(&traces[0]), "{what}");
                }
                match method {
                    PowerMethod::Ladder { .. } => assert_same(&traces, &what),
                    _ if bits > 100 => assert_different(&traces, &what),
                    _ => {}
                }
            }
        }
    }
}
