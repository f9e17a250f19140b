//! The paper on products by a common operand (ARITH 2015): compares every algorithm with plain
//! integers and num-bigint.

mod powers;

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    error::{ModulusError, ParameterError},
};
use moduli_papers::common_operand::{CountedMontgomery, Exponentiation, Form, Meter, Number, regular_digits};
use num_bigint::BigUint;
use rayon::prelude::*;
use testing::{Random, big, boxed, extremes, ones};

use Exponentiation::{Ladder, LeftToRight, RightToLeft};

const METHODS: [Exponentiation; 7] = [
    Ladder,
    RightToLeft { t: 1 },
    RightToLeft { t: 2 },
    RightToLeft { t: 3 },
    LeftToRight { t: 1 },
    LeftToRight { t: 2 },
    LeftToRight { t: 4 },
];

fn small(value: u64) -> BoxedUint {
    BoxedUint::from(value)
}

fn modpow(base: u64, mut exponent: u64, n: u64) -> u64 {
    let (mut power, mut base) = (1 % n, base % n);
    while exponent != 0 {
        if exponent & 1 == 1 {
            power = power * base % n;
        }
        (base, exponent) = (base * base % n, exponent >> 1);
    }
    power
}

/// 2^(−bits) mod n.
fn inverse_power(bits: u32, n: u64) -> u64 {
    modpow(n.div_ceil(2), bits.into(), n)
}

/// A modulus with few bits, and every operand below 2N as a number.
struct Tiny<const W: u32> {
    n: u64,
    montgomery: CountedMontgomery<W>,
    operands: Vec<Number<W>>,
    /// 2^(−wn) and 2^(−w(n+1)).
    inverse: [u64; 2],
}

impl<const W: u32> Tiny<W> {
    fn new(n: u64) -> Self {
        let montgomery = CountedMontgomery::new(&small(n)).unwrap();
        let words = montgomery.words();
        let operands = (0..2 * n).map(|x| Number::new(&small(x), words).unwrap()).collect();
        let bits = W * words as u32;
        Self { n, montgomery, operands, inverse: [bits, bits + W].map(|bits| inverse_power(bits, n)) }
    }

    #[track_caller]
    fn assert_reduced(&self, found: &Number<W>, expected: u64) {
        assert_eq!(*found, self.operands[(expected % self.n) as usize], "modulo {}", self.n);
    }

    /// The result must be the residue, or the residue plus N.
    #[track_caller]
    fn assert_residue(&self, found: &Number<W>, expected: u64) {
        let residue = (expected % self.n) as usize;
        let more = residue + self.n as usize;
        assert!(*found == self.operands[residue] || *found == self.operands[more], "modulo {}", self.n);
    }

    /// Checks the products of `a` by each b of `others`, and by 2N − 1 − b.
    fn check_products(&self, a: u64, others: impl Iterator<Item = u64>) {
        let meter = &mut Meter::new();
        let [plain, extended] = self.inverse;
        let number = |x: u64| &self.operands[x as usize];
        // Algorithm 4 requires 2A + N ≤ 2^(wn).
        let square = self.montgomery.square(meter, number(a));
        assert_eq!(square.is_ok(), 2 * a + self.n <= 1 << (W as usize * self.montgomery.words()));
        square.iter().for_each(|square| self.assert_reduced(square, a * a % self.n * plain));
        let prepared = self.montgomery.prepare(meter, number(a)).unwrap();
        for (row, back) in prepared.rows().zip((0..self.montgomery.words() as u32).rev()) {
            self.assert_residue(&row, a * inverse_power(W * back, self.n));
        }
        for b in others {
            let c = 2 * self.n - 1 - b;
            let product = self.montgomery.multiply(meter, number(a), number(b)).unwrap();
            self.assert_reduced(&product, a * b % self.n * plain);
            let [y, z] = self.montgomery.combined(meter, number(a), number(b), number(c)).unwrap();
            self.assert_residue(&y, a * b % self.n * extended);
            self.assert_residue(&z, a * c % self.n * extended);
            let product = self.montgomery.multiply_prepared(meter, number(b), &prepared).unwrap();
            self.assert_residue(&product, a * b % self.n * extended);
        }
    }
}

fn check_all_products(moduli: Vec<u64>) {
    // The largest first, because a single one at the end takes as long as many small ones.
    moduli.into_par_iter().rev().with_max_len(1).for_each(|n| {
        let tiny = Tiny::<4>::new(n);
        (0..2 * tiny.n).for_each(|a| tiny.check_products(a, 0..2 * tiny.n));
    });
}

/// All short moduli, and the shortest and longest ones of two whole words.
#[test]
fn all_products_modulo_up_to_6_bits_and_some_of_8_in_words_of_4() {
    check_all_products((3..64).step_by(2).chain([127, 129, 131, 251, 253, 255]).collect());
}

#[test]
#[ignore = "half a minute: make test-long"]
fn all_products_modulo_up_to_8_bits_in_words_of_4() {
    check_all_products((3..256).step_by(2).collect());
}

/// SmallRed of every number of up to n + 1 words that it accepts.
#[test]
fn all_small_reductions_modulo_up_to_8_bits_in_words_of_4() {
    (3..256).step_by(2).for_each(|n| {
        let montgomery = CountedMontgomery::<4>::new(&small(n)).unwrap();
        for words in 1..=montgomery.words() + 1 {
            let bits = 4 * words as u32 - u32::from(words > montgomery.words());
            for x in 0..1u64 << bits {
                let number = Number::new(&small(x), words).unwrap();
                let y = montgomery.small_reduction(&mut Meter::new(), &number).unwrap();
                let value = u64::try_from(&big(&y.value())).unwrap();
                assert_eq!(value * 16 % n, x % n);
                assert!(16 * value < x + 16 * n);
            }
        }
    });
}

fn check_12_bits<const W: u32>(pairs: u64) {
    let moduli = [2049, 2051, 2731, 3001, 4091, 4093, 4095];
    moduli.into_par_iter().for_each(|n| {
        let tiny = Tiny::<W>::new(n);
        let edges = [0, 1, 2, 15, 16, 255, 256, n - 1, n, n + 1, 4095.min(2 * n - 1), 2 * n - 2, 2 * n - 1];
        edges.iter().for_each(|&a| tiny.check_products(a, edges.into_iter()));
        let mut random = Random(n);
        for _ in 0..pairs.div_ceil(8 * moduli.len() as u64) {
            let a = random.word() % (2 * n);
            tiny.check_products(a, (0..8).map(|_| random.word() % (2 * n)));
        }
    });
}

#[test]
fn products_modulo_12_bits() {
    check_12_bits::<4>(200_000);
    check_12_bits::<8>(200_000);
}

#[test]
#[ignore = "a quarter of a minute: make test-long"]
fn a_million_products_modulo_12_bits() {
    check_12_bits::<4>(1_000_000);
    check_12_bits::<8>(1_000_000);
}

/// Algorithms 2 to 7 with operands below 2N, where N is as long as its words allow, or one bit
/// longer.
#[test]
fn products_modulo_510_to_8192_bits_in_words_of_64() {
    let mut random = Random(11);
    for bits in [510, 512, 1022, 1024, 2046, 2048, 4094, 4096, 8190, 8192] {
        for n in [random.odd(bits), ones(bits)] {
            let montgomery = CountedMontgomery::<64>::new(&boxed(&n)).unwrap();
            let (words, meter) = (montgomery.words(), &mut Meter::new());
            let r = [words, words + 1].map(|words| BigUint::from(1u32) << (64 * words));
            let room = &r[0] - &n;
            let twice = &n * 2u32;
            let mut operands = vec![BigUint::ZERO, BigUint::from(1u32), &n - 1u32, n.clone(), &twice - 1u32];
            operands.extend((0..3).map(|_| random.below(bits + 1) % &twice));
            let number = |x: &BigUint| Number::new(&boxed(x), words).unwrap();
            for a in &operands {
                let square = montgomery.square(meter, &number(a));
                assert_eq!(square.is_ok(), a * 2u32 <= room);
                if let Ok(square) = square.map(|square| big(&square.value())) {
                    assert!(square < n && square * &r[0] % &n == a * a % &n);
                }
                let prepared = montgomery.prepare(meter, &number(a)).unwrap();
                for (i, b) in operands.iter().enumerate() {
                    let c = &operands[operands.len() - 1 - i];
                    let (ab, ac) = (a * b % &n, a * c % &n);
                    let product = montgomery.multiply(meter, &number(a), &number(b)).unwrap();
                    assert!(big(&product.value()) < n && big(&product.value()) * &r[0] % &n == ab);
                    let [y, z] = montgomery.combined(meter, &number(a), &number(b), &number(c)).unwrap();
                    let x = montgomery.multiply_prepared(meter, &number(b), &prepared).unwrap();
                    for (found, expected) in [(y, &ab), (z, &ac), (x, &ab)] {
                        let found = big(&found.value());
                        assert!(found < twice && found * &r[1] % &n == *expected, "{a}·{b}, {c} mod {n}");
                    }
                }
            }
        }
    }
}

/// Algorithm 8 accepts N up to 2^(wn−1), one bit more than everything else.
#[test]
fn algorithm_8_needs_one_spare_bit_and_everything_else_two() {
    let others = [Form::Plain, Form::CommonOperand]
        .into_iter()
        .flat_map(|form| [RightToLeft { t: 2 }, LeftToRight { t: 2 }].map(|method| (method, form)));
    let others: Vec<_> = others.chain([(Ladder, Form::Plain)]).collect();
    let mut random = Random(9);
    for n in [random.odd(255), ones(255), (BigUint::from(1u32) << 254u32) + 1u32] {
        let montgomery = CountedMontgomery::<64>::with_words(&boxed(&n), 4).unwrap();
        for exponent in extremes(20) {
            let base = random.below(255);
            let power = |method, form| {
                let (base, exponent) = (boxed(&base), boxed(&exponent));
                montgomery.exponentiate(&mut Meter::new(), method, form, &base, &exponent, 20)
            };
            let found = big(&power(Ladder, Form::CommonOperand).unwrap());
            assert_eq!(found, base.modpow(&exponent, &n));
            for &(method, form) in &others {
                assert!(matches!(
                    power(method, form),
                    Err(Error::Parameter(ParameterError { name: "words", .. }))
                ));
            }
        }
        let operand = Number::new(&small(1), 4).unwrap();
        assert!(montgomery.multiply(&mut Meter::new(), &operand, &operand).is_err());
        assert!(montgomery.square(&mut Meter::new(), &operand).is_err());
    }
    for n in (3..128).step_by(2) {
        let montgomery = CountedMontgomery::<4>::with_words(&small(n), 2).unwrap();
        for (base, exponent) in (0..n).flat_map(|base| (0..16).map(move |exponent| (base, exponent))) {
            let (b, e) = (small(base), small(exponent));
            let power =
                montgomery.exponentiate(&mut Meter::new(), Ladder, Form::CommonOperand, &b, &e, 4).unwrap();
            assert_eq!(power, small(modpow(base, exponent, n)), "{base}^{exponent} mod {n}");
        }
    }
}

/// As few spare bits as possible: N just below 2^(wn−2), with up to the greatest number of 4-bit
/// words.
#[test]
fn moduli_that_fill_their_words_but_for_two_bits() {
    for n in [33, 59, 61, 63, 513, 1019, 1021, 1023, 8193, 16377, 16381, 16383] {
        let montgomery = CountedMontgomery::<4>::new(&small(n)).unwrap();
        assert_eq!(4 * montgomery.words() as u32, n.ilog2() + 3);
        let mut random = Random(n);
        for _ in 0..200 {
            let (base, exponent) = (random.word() % (2 * n), random.word() % 512);
            for (method, form) in METHODS.iter().flat_map(|&m| [(m, Form::Plain), (m, Form::CommonOperand)]) {
                let (b, e) = (small(base), small(exponent));
                let power = montgomery.exponentiate(&mut Meter::new(), method, form, &b, &e, 9).unwrap();
                assert_eq!(power, small(modpow(base, exponent, n)), "{base}^{exponent} mod {n}, {method:?}");
            }
        }
        if n < 4096 {
            let tiny = Tiny::<4>::new(n);
            for _ in 0..500 {
                tiny.check_products(random.word() % (2 * n), (0..8).map(|_| random.word() % (2 * n)));
            }
            tiny.check_products(2 * n - 1, 0..2 * n);
        }
    }
}

#[test]
fn digits_run_from_1_to_2_to_the_t_and_rebuild_the_exponent() {
    let mut random = Random(10);
    for t in [1, 2, 3, 5, 8, 31, 32] {
        for bits in [0, 1, 2, 9, 63, 64, 65, 130] {
            let mut exponents = if bits == 0 { vec![BigUint::ZERO] } else { extremes(bits) };
            exponents.extend((0..50).map(|_| {
                let length = random.word() as u32 % (bits + 1);
                random.below(length)
            }));
            if bits <= 9 {
                exponents = (0..1u32 << bits).map(BigUint::from).collect();
            }
            let k = bits.div_ceil(t);
            // The least exponent that needs k digits: all of them are 1.
            let all_ones = (0..k).fold(BigUint::ZERO, |sum, _| (sum << t) + 1u32);
            for exponent in exponents {
                let digits = regular_digits(&boxed(&exponent), bits, t).unwrap();
                assert_eq!(digits.len() as u32, k);
                let missing = digits.iter().rev().take_while(|&&digit| digit == 0).count();
                let present = &digits[..digits.len() - missing];
                assert!(present.iter().all(|digit| (1..=1 << t).contains(digit)), "{exponent}: {digits:?}");
                assert_eq!(missing > 0, exponent < all_ones, "{exponent}: {digits:?}");
                let sum = digits.iter().rev().fold(BigUint::ZERO, |sum, digit| (sum << t) + digit);
                assert_eq!(sum, exponent);
            }
        }
    }
}

#[test]
fn bad_input_is_an_error() {
    let new = |n| CountedMontgomery::<4>::new(&small(n)).map(|_| ());
    assert_eq!(new(0), Err(Error::Modulus(ModulusError::TooSmall)));
    assert_eq!(new(1), Err(Error::Modulus(ModulusError::TooSmall)));
    assert_eq!(new(6), Err(Error::Modulus(ModulusError::Even)));
    // At most four words of 4 bits.
    assert_eq!(new((1 << 14) - 1), Ok(()));
    assert!(matches!(new((1 << 14) + 1), Err(Error::Parameter(ParameterError { name: "words", .. }))));
    assert!(CountedMontgomery::<4>::with_words(&small(255), 2).is_err());
    assert!(CountedMontgomery::<4>::with_words(&small(255), usize::MAX).is_err());
    assert!(CountedMontgomery::<64>::with_words(&small(255), usize::MAX).is_err());
    let long = boxed(&ones(moduli::MAX_MODULUS_BITS + 1));
    assert!(matches!(
        CountedMontgomery::<64>::new(&long),
        Err(Error::Modulus(ModulusError::TooLarge { .. }))
    ));
    assert!(Number::<4>::new(&small(16), 1).is_err());
    assert!(Number::<4>::new(&small(16), usize::MAX).is_err());

    let montgomery = CountedMontgomery::<4>::new(&small(200 + 1)).unwrap();
    let meter = &mut Meter::new();
    let number = |x, words| Number::new(&small(x), words).unwrap();
    let good = number(401, 3);
    for bad in [number(402, 3), number(1, 2), number(1, 4)] {
        assert!(montgomery.multiply(meter, &good, &bad).is_err());
        assert!(montgomery.multiply(meter, &bad, &good).is_err());
        assert!(montgomery.square(meter, &bad).is_err());
        assert!(montgomery.combined(meter, &bad, &good, &good).is_err());
        assert!(montgomery.combined(meter, &good, &bad, &good).is_err());
        assert!(montgomery.combined(meter, &good, &good, &bad).is_err());
        assert!(montgomery.prepare(meter, &bad).is_err());
        let prepared = montgomery.prepare(meter, &good).unwrap();
        assert!(montgomery.multiply_prepared(meter, &bad, &prepared).is_err());
    }
    let smaller = CountedMontgomery::<4>::new(&small(11)).unwrap();
    let prepared = smaller.prepare(meter, &number(5, 2)).unwrap();
    assert_eq!(
        montgomery.multiply_prepared(meter, &good, &prepared),
        Err(Error::Modulus(ModulusError::Mismatch))
    );
    assert!(montgomery.small_reduction(meter, &number(0x8000, 4)).is_err());
    assert!(montgomery.small_reduction(meter, &number(0, 0)).is_err());

    let power = |method, exponent, bits| {
        let (base, exponent) = (small(3), small(exponent));
        montgomery.exponentiate(&mut Meter::new(), method, Form::CommonOperand, &base, &exponent, bits)
    };
    assert_eq!(power(Ladder, 0, 0), Ok(small(1)));
    assert_eq!(power(LeftToRight { t: 3 }, 0, 0), Ok(small(1)));
    for method in [Ladder, RightToLeft { t: 3 }, LeftToRight { t: 3 }] {
        assert!(matches!(power(method, 512, 9), Err(Error::ExponentTooLong { max: 9, .. })));
    }
    for t in [0, 9] {
        assert!(matches!(
            power(RightToLeft { t }, 5, 9),
            Err(Error::Parameter(ParameterError { name: "t", .. }))
        ));
        assert!(matches!(
            power(LeftToRight { t }, 5, 9),
            Err(Error::Parameter(ParameterError { name: "t", .. }))
        ));
    }
    assert!(regular_digits(&small(1), 8, 0).is_err() && regular_digits(&small(1), 8, 33).is_err());
}
