//! Uniformity, watched by valgrind: secrets are marked as undefined memory, and memcheck, which follows that through all
//! arithmetic, complains wherever a branch or an address depends on it.
//!
//! `make check-uniform` runs these tests so, in a release build (in others, checks for overflow branch on secrets).
//! Without valgrind the marks do nothing, and only the results are checked. valgrind knows AVX2 and FMA, not AVX-512.

use alloc::{format, vec::Vec};
use core::{arch::asm, hint::black_box};
use crypto_bigint::{BoxedUint, Resize};

use crate::{
    CommonOperand, Element, Error, Exponent, FixedBase, KernelChoice, Modulus, PowerMethod, Product,
    kernel::Words,
    rns::{
        base::Shape,
        inverse::{Fermat, Jump, fermat},
    },
    subgroup,
};

// Of valgrind.h and memcheck.h.
const COUNT_ERRORS: usize = 0x1201;
const RUNNING_ON_VALGRIND: usize = 0x1001;
const MAKE_UNDEFINED: usize = 0x4d43_0001;
const MAKE_DEFINED: usize = 0x4d43_0002;

/// Asks valgrind. Without it: 0.
fn request(code: usize, address: usize, length: usize) -> usize {
    let arguments = [code, address, length, 0, 0, 0];
    let mut answer = 0;
    // SAFETY: rotations of rdi by 128 bits in all and an exchange of rbx with itself change nothing but flags. valgrind
    // knows the sequence and reads the arguments that rax points to; it marks memory and writes none but rdx.
    unsafe {
        asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") arguments.as_ptr(), inout("rdx") answer, options(nostack)
        );
    }
    answer
}

/// From here on these are secrets.
pub(crate) fn hide<T>(words: &[T]) {
    request(MAKE_UNDEFINED, black_box(words).as_ptr() as usize, size_of_val(words));
}

/// From here on these are public.
pub(crate) fn reveal<T>(words: &[T]) {
    request(MAKE_DEFINED, black_box(words).as_ptr() as usize, size_of_val(words));
}

/// How many branches and addresses depended on secrets.
fn leaks(run: impl FnOnce()) -> usize {
    let before = request(COUNT_ERRORS, 0, 0);
    run();
    request(COUNT_ERRORS, 0, 0) - before
}

/// That so many did: the outcomes that are public, each a branch.
#[track_caller]
pub(crate) fn assert_public(outcomes: usize, what: &str, run: impl FnOnce()) {
    let found = leaks(run);
    let expected = if request(RUNNING_ON_VALGRIND, 0, 0) == 0 { 0 } else { outcomes };
    assert_eq!(found, expected, "{what}: branches and addresses that depend on secrets");
}

#[track_caller]
fn assert_uniform(what: &str, run: impl FnOnce()) {
    assert_public(0, what, run);
}

/// Numbers below 2^bits, at that precision.
fn number(seed: u64, bits: u32) -> BoxedUint {
    let mut x = BoxedUint::one_with_precision(bits);
    let factor = BoxedUint::from(0x9e37_79b9_7f4a_7c15 ^ (seed << 20 | seed)).resize(bits);
    for _ in 0..5 {
        x = x.wrapping_mul(&factor).wrapping_add(&factor);
    }
    let spare = x.bits_precision() - bits;
    (x.shl(spare)).shr(spare)
}

/// The same, secret.
fn secret(seed: u64, bits: u32) -> BoxedUint {
    let x = number(seed, bits);
    hide(x.as_words());
    x
}

fn secret_element(p: &Modulus, seed: u64) -> Element {
    p.element(&secret(seed, p.bits() - 1))
}

/// 2^521 − 1 and 2^1279 − 1, primes, for every kernel that runs here.
fn moduli() -> impl Iterator<Item = Modulus> {
    let choices = KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported());
    choices.flat_map(|choice| {
        [521, 1279].map(|bits| {
            let prime = BoxedUint::max(bits).shr(BoxedUint::max(bits).bits() - bits);
            Modulus::with_kernel(&prime, choice).unwrap()
        })
    })
}

#[test]
fn a_leak_is_seen() {
    if request(RUNNING_ON_VALGRIND, 0, 0) == 0 {
        return;
    }
    for p in moduli() {
        let (x, e) = (BoxedUint::from(3u64), secret(1, 64));
        // A masked table is no leak, the same table read where the digit says is one for every digit.
        let method = PowerMethod::LeftToRight { window: 4, split: 1 };
        assert_uniform("masked", || drop(black_box(p.pow_with(&x, &e, method))));
        assert!(leaks(|| drop(black_box(p.pow_regular_with(&x, &e, method)))) >= 16);
        let ladder = PowerMethod::Ladder { common_operand: true };
        assert_uniform("ladder", || drop(black_box(p.pow_regular_with(&x, &e, ladder))));
    }
}

/// Kernels change their ways with the length: all operations at some lengths of each way.
#[test]
fn operations_of_every_kernel() {
    let choices = KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported());
    for (choice, limbs) in choices.flat_map(|choice| [1, 4, 8, 11, 41, 97].map(|limbs| (choice, limbs))) {
        let p = Modulus::with_kernel(&BoxedUint::max(64 * limbs), choice).unwrap();
        let kernel = p.kernel();
        let mut scratch = Words::zero(kernel.scratch_words());
        let [mut x, mut y, mut z] = [(); 3].map(|()| Words::copy_of(kernel.one()));
        let mut value = Words::zero(kernel.limbs());
        for words in [&mut x, &mut y, &mut z] {
            kernel.add(words, kernel.one(), &mut scratch);
            hide(words);
        }
        assert_uniform(&format!("{} at {limbs} limbs", kernel.name()), || {
            for split in [1, 2, kernel.max_split()].map(|split| split.min(kernel.max_split())) {
                let mut prepared = Words::zero(kernel.prepared_words(split));
                kernel.prepare(&mut prepared, &z, split, &mut scratch);
                kernel.mul_prepared(&mut x, &prepared, split, &mut scratch);
            }
            kernel.mul(&mut x, &y, &mut scratch);
            kernel.square(&mut x, &mut scratch);
            kernel.mul_pair(&mut x, &mut y, &z, &mut scratch);
            kernel.sub(&mut x, &y, &mut scratch);
            kernel.leave(&mut value, &x, &mut scratch);
        });
        reveal(&value);
        // 2 doubled four times, squared, doubled; less 2·2.
        assert!(value[0] == 2044 && value[1..].iter().all(|&word| word == 0));
    }
}

/// The result, public again, is the expected one.
#[track_caller]
fn assert_power(what: &str, found: Result<BoxedUint, Error>, expected: &BoxedUint) {
    let found = found.unwrap();
    reveal(found.as_words());
    assert_eq!(found, *expected, "{what}");
}

#[test]
fn powers_of_a_variable_base() {
    for p in moduli() {
        let (x, e) = (number(1, p.bits() - 1), number(2, 160));
        let (secret_x, secret_e, short) = (secret(1, p.bits() - 1), secret(2, 160), secret(3, 159));
        let expected = p.pow_vartime(&x, &e).unwrap();
        let mut methods = [false, true].map(|common_operand| PowerMethod::Ladder { common_operand }).to_vec();
        methods.extend(
            [false, true].map(|common_operand| PowerMethod::RightToLeft { window: 3, common_operand }),
        );
        methods.extend([1, p.max_split()].map(|split| PowerMethod::LeftToRight { window: 4, split }));
        for method in methods {
            let what = format!("{} {method}", p.kernel_name());
            let mut power = Ok(BoxedUint::one());
            assert_uniform(&what, || power = p.pow_with(&secret_x, &secret_e, method));
            assert_power(&what, power, &expected);
        }
        let mut power = Ok(BoxedUint::one());
        assert_uniform(p.kernel_name(), || power = p.pow(&secret_x, &secret_e));
        assert_power(p.kernel_name(), power, &expected);
        // That a base has an inverse, as a signed exponent asks, is public; so is that the exponent is in range.
        assert_public(1, p.kernel_name(), || {
            let negative = [true];
            hide(&negative);
            drop(black_box(p.pow(&secret_x, Exponent::signed(negative[0], &secret_e))));
        });
        assert_public(2, p.kernel_name(), || {
            drop(black_box(p.pow(&secret_x, Exponent::from(&short).with_bits(159).unwrap())));
        });
    }
}

#[test]
fn batches_of_powers() {
    for p in moduli() {
        let bases: Vec<_> = (0..9).map(|i| secret(i, p.bits() - 1)).collect();
        let exponents: Vec<_> = (0..9).map(|i| secret(i + 20, 128)).collect();
        let mut powers = Vec::new();
        assert_uniform(p.kernel_name(), || powers = p.pow_batch(bases.iter().zip(&exponents)).unwrap());
        for (i, power) in (0..9).zip(powers) {
            let expected = p.pow_vartime(&number(i, p.bits() - 1), &number(i + 20, 128));
            assert_power(p.kernel_name(), Ok(power), &expected.unwrap());
        }
    }
}

#[test]
fn powers_of_fixed_bases() {
    const METHODS: &[(&str, u32)] = &[
        ("radix:16", 1),
        ("radix:91", 2),
        ("comb:5,3", 1),
        ("comb:6,1", 2),
        ("comb:5,4,2", 3),
        ("m0m1:31,7", 1),
        ("residue-digits:11,8", 1),
        ("residue-digits:13,12", 2),
    ];
    for p in moduli() {
        let (g, x) = (BoxedUint::from(3u64), secret(5, p.bits() - 1));
        let (a, b) = (secret(3, 128), secret(4, 128));
        let expected = p.pow_vartime(&g, &number(3, 128)).unwrap();
        for &(method, split) in METHODS.iter().filter(|(_, split)| *split <= p.max_split()) {
            let what = format!("{} {method} split {split}", p.kernel_name());
            let builder = FixedBase::builder(&p, &g).exponent_bits(128).split(split);
            let table = builder.method(method.parse().unwrap()).build().unwrap();
            let mut power = Ok(BoxedUint::one());
            assert_uniform(&what, || power = table.pow(&a));
            assert_power(&what, power, &expected);
            assert_uniform(&what, || {
                let negative = [true];
                hide(&negative);
                drop(black_box(table.pow(Exponent::signed(negative[0], &a))));
                // More than half a row of lanes for each of a few threads.
                drop(black_box(table.pow_batch([&a, &b].into_iter().cycle().take(40))));
                drop(black_box(table.pow_times(&a, &x, &b)));
                drop(black_box(Product::new([&table, &table]).unwrap().pow([&a, &b])));
            });
        }
    }
}

#[test]
fn residues() {
    for p in moduli() {
        let [x, y, z] = [1, 2, 3].map(|seed| secret(seed, p.bits() - 1));
        let wide = secret(4, 3 * p.bits());
        let [a, b, c] = [1, 2, 3].map(|seed| secret_element(&p, seed));
        assert_uniform(p.kernel_name(), || {
            drop(black_box((
                p.mul(&x, &y),
                p.reduce(&wide),
                p.mul_by_common(&x, &[y.clone(), z.clone(), x.clone()]),
            )));
            drop(black_box((a.add(&b), a.sub(&b), a.mul(&b), a.square(), a.neg(), a.equals(&b))));
            drop(black_box((a.to_be_bytes(), a.mul_pair(&b, &c))));
            for split in [1, p.max_split()] {
                drop(black_box(CommonOperand::with_split(&a, split).unwrap().mul(&b)));
            }
            black_box(subgroup::is_member(&p, &BoxedUint::from(3u64), &x));
        });
        // Whether there is an inverse.
        assert_public(1, p.kernel_name(), || drop(black_box(p.invert(&x))));
        assert_public(1, p.kernel_name(), || drop(black_box(p.invert_batch(&[&x, &y, &z]))));
        // Whether the value is below the modulus.
        let bytes = x.to_be_bytes();
        assert_public(1, p.kernel_name(), || drop(black_box(Element::from_be_bytes(&p, &bytes))));
    }
}

#[test]
fn inversion_in_residue_numbers() {
    let p = BoxedUint::max(128).wrapping_sub(BoxedUint::from(158u64)); // 2^128 − 159, a prime
    let a = secret(1, 127);
    let expected = Modulus::new(&p).unwrap().invert_vartime(&number(1, 127)).unwrap();
    // Words of up to 32 bits and longer ones; enough channels for vectors.
    for shape in [Shape::new(5, 32), Shape::new(5, 33), Shape::new(4, 64), Shape::new(9, 24)] {
        let what = format!("{shape:?}");
        let jump = Jump::new(&p, shape, 24).unwrap();
        let fermat = Fermat::new(&p, shape, fermat::Ladder::BestWindow).unwrap();
        let mut inverses = Vec::new();
        // That there is an inverse; that residues are below their moduli when they leave, as they always are: once, twice.
        assert_public(2, &what, || inverses.push(jump.invert(&a)));
        assert_public(3, &what, || inverses.push(fermat.invert(&a)));
        inverses.into_iter().for_each(|inverse| assert_power(&what, inverse, &expected));
    }
}
