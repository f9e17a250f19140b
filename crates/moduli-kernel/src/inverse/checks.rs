//! Tests of the inversion for secret values: each jump is checked alone, and the whole inversion follows.
//!
//! `holds` is the invariant of the jumps: the initial state satisfies it, and so does the state after each
//! jump. The tests also use states at the ends of all ranges that no inversion reaches, and compare a jump
//! with single division steps on whole numbers. After the last jump, g is 0 and f = ±gcd. This follows from a
//! theorem on the number of steps, which the inverter cites. The tests check the conclusion from g = 0 for
//! both signs of f.

use alloc::{vec, vec::Vec};
use num_bigint::{BigInt, BigUint};

use super::{
    constant_time::ZETA,
    digits::{self, BITS, DIGIT, Digits},
    inverter::Inverter,
    transition::Matrix,
    update::modular,
};

fn number(x: &[i64]) -> BigInt {
    x.iter().rev().fold(BigInt::ZERO, |number, &digit| (number << BITS) + digit)
}

fn number_of_limbs(x: &[u64]) -> BigInt {
    x.iter().rev().fold(BigInt::ZERO, |number, &limb| (number << 64u32) + limb)
}

fn digits_of(x: &BigInt, count: usize) -> Digits {
    let mut digits = digits::zero(count);
    for (i, digit) in digits.iter_mut().enumerate() {
        let part: BigInt = x >> (BITS as usize * i);
        let part = if i + 1 < count { part & BigInt::from(DIGIT) } else { part };
        *digit = i64::try_from(part).unwrap();
    }
    digits
}

/// x modulo m, in [0, m).
fn modulo(x: &BigInt, m: &BigInt) -> BigInt {
    ((x % m) + m) % m
}

/// Moduli of various lengths, whose top digit is full or not, among them the least and the greatest.
fn moduli() -> Vec<Vec<u64>> {
    let mut all = vec![vec![3], vec![u64::MAX], vec![(1 << 62) + 1], vec![(1 << 62) - 1]];
    for limbs in [2, 4, 16, 31, 32, 64] {
        all.push(vec![u64::MAX; limbs]);
        let mut least = vec![0; limbs];
        (least[0], least[limbs - 1]) = (5, 1);
        all.push(least);
        let mixed = (0..limbs as u64).map(|i| (i + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        all.push(mixed.collect());
    }
    all
}

/// Values below m: both ends of the range, and numbers with many ones or zeros.
fn values(m: &BigInt) -> Vec<BigInt> {
    let one = BigInt::from(1);
    let half = m >> 1u32;
    let mut all =
        vec![BigInt::ZERO, one.clone(), m - 1, half.clone(), half + 1, one << (m.bits() - 1), m * 5 / 7];
    all.retain(|value| value < m);
    all.dedup();
    all
}

fn limbs_of(x: &BigInt, count: usize) -> Vec<u64> {
    let mut limbs = x.to_biguint().unwrap().to_u64_digits();
    limbs.resize(count, 0);
    limbs
}

/// The state of an inversion.
struct State {
    zeta: i64,
    f: Digits,
    g: Digits,
    d: Digits,
    e: Digits,
}

/// Checks the invariant before and after a jump, for this value.
fn holds(state: &State, inverter: &Inverter, value: &BigInt) -> Result<(), &'static str> {
    let m = number(&inverter.modulus);
    let [f, g, d, e] = [&state.f, &state.g, &state.d, &state.e].map(|x| number(x));
    let bound = BigInt::from(1) << (64 * inverter.limbs);
    let is_small = |x: &BigInt| -&bound < *x && *x < bound;
    let is_in_range = |x: &BigInt| -2 * &m < *x && *x < m;
    let is_congruent = |x: &BigInt, y: &BigInt| ((x * value - y) % &m) == BigInt::ZERO;
    let is_in_digits = |x: &Digits| x[..x.len() - 1].iter().all(|digit| (0..1 << BITS).contains(digit));
    let conditions = [
        (f.bit(0), "f is even"),
        (is_small(&f) && is_small(&g), "f or g is too long"),
        (is_in_range(&d) && is_in_range(&e), "d or e is out of its range"),
        (is_congruent(&d, &f), "d times the value is not f"),
        (is_congruent(&e, &g), "e times the value is not g"),
        ([&state.f, &state.g, &state.d, &state.e].into_iter().all(is_in_digits), "a digit is too long"),
    ];
    conditions.into_iter().try_for_each(|(holds, what)| if holds { Ok(()) } else { Err(what) })
}

/// 62 single division steps on ζ, f and g, with δ = −ζ − 1/2.
fn steps(mut zeta: i64, mut f: BigInt, mut g: BigInt) -> (i64, BigInt, BigInt) {
    for _ in 0..BITS {
        (zeta, f, g) = match (zeta < 0, g.bit(0)) {
            (true, true) => (-2 - zeta, g.clone(), (g - f) >> 1u32),
            (false, true) => (zeta - 1, f.clone(), (g + f) >> 1u32),
            (_, false) => (zeta - 1, f, g >> 1u32),
        };
    }
    (zeta, f, g)
}

/// One jump from a state that satisfies the invariant.
fn jump(inverter: &Inverter, state: &mut State, value: &BigInt, what: &str) {
    assert_eq!(holds(state, inverter, value), Ok(()), "{what}, before");
    let expected = steps(state.zeta, number(&state.f), number(&state.g));
    let State { zeta, f, g, d, e } = state;
    *zeta = inverter.jump(*zeta, [f, g, d, e]);
    assert_eq!((state.zeta, number(&state.f), number(&state.g)), expected, "{what}");
    assert_eq!(holds(state, inverter, value), Ok(()), "{what}, after");
}

/// Every jump of an inversion preserves the invariant. After as many jumps as the theorem requires, g is 0.
pub fn inversions_are_their_jumps() {
    for modulus in moduli() {
        let inverter = Inverter::new(&modulus);
        let m = number_of_limbs(&modulus);
        for value in values(&m) {
            let limbs = limbs_of(&value, modulus.len());
            let [f, g, d, e] = inverter.begin(&limbs);
            let mut state = State { zeta: ZETA, f, g, d, e };
            for i in 0..inverter.batches() {
                jump(&inverter, &mut state, &value, &alloc::format!("{value} modulo {m}, jump {i}"));
            }
            assert_eq!(number(&state.g), BigInt::ZERO);
            let expected = value.modinv(&m).map(|inverse| modulo(&inverse, &m));
            let results = [inverter.finish(&mut state.f, &mut state.d), inverter.invert(&limbs)];
            for (inverse, exists) in &results {
                assert_eq!(*exists, if expected.is_some() { u64::MAX } else { 0 }, "{value} modulo {m}");
                assert!(
                    expected.iter().all(|expected| number_of_limbs(inverse) == *expected),
                    "{value} modulo {m}"
                );
            }
            assert_eq!(results[0], results[1]);
        }
    }
}

/// One jump from states that satisfy the invariant but that inversions need not reach: f and g of any size
/// and sign, every representative of d and e, and ζ of either sign and far from 0.
pub fn jumps_from_any_state() {
    for modulus in moduli() {
        let inverter = Inverter::new(&modulus);
        let (m, count) = (number_of_limbs(&modulus), inverter.modulus.len());
        let bound = BigInt::from(1) << (64 * modulus.len());
        let has_inverse = |value: &BigInt| value.modinv(&m).is_some();
        let value = (0..).map(|i| modulo(&(&m * 5 / 7 + i), &m)).find(has_inverse).unwrap();
        let inverse = value.modinv(&m).unwrap();
        let ends =
            [BigInt::from(1), BigInt::from(-1), &bound - 1, 1 - &bound, m.clone(), -&m, &bound / 3 * 2 + 1];
        let odd: Vec<_> = ends.iter().filter(|x| x.bit(0)).collect();
        let mut turn = 0usize;
        for &f in &odd {
            for g in ends.iter().chain([&BigInt::ZERO, &(&bound - 2), &(2 - &bound)]) {
                for zeta in [-1, 0, 1, -2, 30, -31, 1000, -1000] {
                    // The range ]−2m, m[ has three members of each residue class, and two of the class of 0.
                    let mut member = |x: &BigInt| {
                        turn += 1;
                        let least = modulo(&(x * &inverse), &m);
                        match turn % 3 {
                            0 => least,
                            1 => least - &m,
                            _ if least == BigInt::ZERO => least,
                            _ => least - 2 * &m,
                        }
                    };
                    let [d, e] = [member(f), member(g)];
                    let [f, g, d, e] = [f, g, &d, &e].map(|x| digits_of(x, count));
                    let mut state = State { zeta, f, g, d, e };
                    jump(&inverter, &mut state, &value, &alloc::format!("modulo {m}, ζ = {zeta}"));
                }
            }
        }
    }
}

/// If g is 0: the inverse of the value for f = ±1 and any d in its range, and no inverse for another f.
pub fn what_is_made_of_the_last_state() {
    for modulus in moduli() {
        let inverter = Inverter::new(&modulus);
        let (m, count) = (number_of_limbs(&modulus), inverter.modulus.len());
        let ends = [
            1 - 2 * &m,
            -&m - 1,
            -&m,
            1 - &m,
            BigInt::from(-1),
            BigInt::ZERO,
            BigInt::from(1),
            &m / 2,
            &m - 1,
        ];
        for d in &ends {
            for f in [1, -1, 3, -3, i64::MAX >> 2, 1 - (1 << 62)] {
                let [mut f_digits, mut d_digits] = [digits_of(&f.into(), count), digits_of(d, count)];
                let (inverse, exists) = inverter.finish(&mut f_digits, &mut d_digits);
                assert_eq!(exists, if f.abs() == 1 { u64::MAX } else { 0 });
                let expected = if f == -1 { modulo(&-d, &m) } else { modulo(d, &m) };
                assert!(f.abs() != 1 || number_of_limbs(&inverse) == expected, "{d} modulo {m}, f = {f}");
            }
        }
    }
}

/// ⌊(45907·b + 30179)/19929⌋ steps make g zero for f and g below 2^b, if δ is 1/2 at the beginning (P.
/// Wuille, "safegcd-bounds"). Here b is the number of bits in the limbs, and the number of steps is rounded
/// up to whole jumps.
pub fn as_many_jumps_as_the_theorem_says() {
    // Twice δ.
    assert_eq!(-2 * ZETA - 1, 1);
    for limbs in 1..=1024 {
        let mut modulus = vec![1; limbs];
        modulus[0] = 3;
        let steps = (BigUint::from(45_907u32) * (64 * limbs) + 30_179u32) / 19_929u32;
        let made = BigUint::from(Inverter::new(&modulus).batches()) * BITS;
        assert!(made >= steps && made < steps + BITS, "{limbs} limbs");
    }
}

/// Uses rows with the largest coefficients and values at the ends of the range, which inversions of random
/// values never reach. The congruence holds, and the results stay in the range.
pub fn modular_updates_keep_their_range() {
    const ONE: i64 = 1 << BITS;
    const HALF: i64 = ONE / 2;
    let rows = [(ONE, 0), (0, ONE), (HALF, HALF), (-HALF, HALF), (HALF, -HALF), (-HALF, -HALF)];
    let rows = rows.into_iter().chain([(ONE - 1, 1), (1 - ONE, 1), (1, 1 - ONE), (-1, 1 - ONE), (1, 0)]);
    for limbs in [&[3][..], &[u64::MAX], &[(1 << 62) + 1], &[1, 1 << 63], &[u64::MAX; 4], &[5, 0, 0, 1]] {
        let count = digits::count(64 * limbs.len() as u32);
        let modulus = digits::of_limbs(limbs, count);
        let inverse = crate::limbs::inverse_of_word(limbs[0]) & DIGIT;
        let m = number(&modulus);
        let ends = [1 - 2 * &m, -&m - 1, -&m, 1 - &m, BigInt::from(-1), BigInt::ZERO, &m / 2, &m - 1];
        for ((u, v), (q, r)) in rows.clone().zip(rows.clone().skip(1)) {
            let matrix = Matrix { u, v, q, r };
            for d in &ends {
                for e in &ends {
                    let (mut new_d, mut new_e) = (digits_of(d, count), digits_of(e, count));
                    modular(&mut new_d, &mut new_e, &matrix, &modulus, inverse);
                    for (new, sum) in [(new_d, d * u + e * v), (new_e, d * q + e * r)] {
                        let new = number(&new);
                        assert_eq!(((&new << BITS) - sum) % &m, BigInt::ZERO, "{m}: {u}, {v}, {q}, {r}");
                        assert!(-2 * &m < new && new < m, "{m}: {new} from {d}, {e}");
                    }
                }
            }
        }
    }
}
