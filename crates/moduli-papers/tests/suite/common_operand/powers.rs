//! The exponentiations of the paper.

use moduli_papers::common_operand::{CountedMontgomery, Exponentiation, Form, Meter};
use num_bigint::BigUint;
use rayon::prelude::*;
use testing::{Random, big, boxed, extremes, ones};

use Exponentiation::{Ladder, LeftToRight, RightToLeft};

use crate::common_operand::{METHODS, modpow, small};

#[test]
fn all_exponents_of_6_bits_modulo_up_to_8_bits_in_words_of_4() {
    check_all_exponents(6, 5);
}

#[test]
#[ignore = "a minute: make test-long"]
fn all_exponents_of_9_bits_modulo_up_to_8_bits_in_words_of_4() {
    check_all_exponents(9, 1);
}

/// Modulo one in `every` odd numbers.
fn check_all_exponents(bits: u32, every: u32) {
    (1..128 / every).into_par_iter().with_max_len(1).for_each(|i| {
        let half = 1 + (i - 1) * every;
        let n = u64::from(2 * half + 1);
        let montgomery = CountedMontgomery::<4>::new(&small(n)).unwrap();
        for base in [0, 1, 2, n - 1, n, 5 * n + 3] {
            for exponent in 0..1 << bits {
                let expected = small(modpow(base, exponent, n));
                for (method, form) in
                    METHODS.iter().flat_map(|&m| [(m, Form::Plain), (m, Form::CommonOperand)])
                {
                    let (base, exponent) = (small(base), small(exponent));
                    let power =
                        montgomery.exponentiate(&mut Meter::new(), method, form, &base, &exponent, bits);
                    assert_eq!(power.unwrap(), expected, "{base}^{exponent} mod {n}, {method:?}, {form:?}");
                }
            }
        }
    });
}

/// Exponents 0 and 1, all ones, single bits and leading zeros; bases 0, 1, N − 1, N and more.
fn check_powers<const W: u32>(bits: u32, exponent_bits: u32, methods: &[Exponentiation], seed: u64) {
    let mut random = Random(seed);
    let mut moduli = vec![random.odd(bits), ones(bits)];
    moduli.push((BigUint::from(1u32) << (bits - 1)) + 1u32);
    for n in moduli {
        let montgomery = CountedMontgomery::<W>::new(&boxed(&n)).unwrap();
        assert_eq!(montgomery.words(), (bits as usize + 2).div_ceil(W as usize));
        let mut bases = vec![BigUint::ZERO, BigUint::from(1u32), &n - 1u32, n.clone(), &n * 3u32 + 2u32];
        bases.push(random.below(bits) % &n);
        let mut exponents = extremes(exponent_bits);
        exponents.push(random.below(exponent_bits));
        exponents.push(random.below(exponent_bits / 2));
        // Every exponent with one base, every base with one exponent.
        let last = (bases.len() - 1, exponents.len() - 1);
        let pairs = (0..bases.len()).map(|i| (i, last.1)).chain((0..exponents.len()).map(|i| (last.0, i)));
        for (base, exponent) in pairs.map(|(i, j)| (&bases[i], &exponents[j])) {
            let expected = base.modpow(exponent, &n);
            for (&method, form) in methods.iter().flat_map(|m| [(m, Form::Plain), (m, Form::CommonOperand)]) {
                let (base, exponent) = (boxed(base), boxed(exponent));
                let power = montgomery
                    .exponentiate(&mut Meter::new(), method, form, &base, &exponent, exponent_bits)
                    .unwrap();
                assert_eq!(big(&power), expected, "{base}^{exponent} mod {n}, {method:?}, {form:?}");
            }
        }
    }
}

#[test]
fn powers_modulo_512_to_4096_bits_in_words_of_64() {
    let windows = [Ladder, RightToLeft { t: 5 }, LeftToRight { t: 5 }];
    check_powers::<64>(512, 512, &windows, 1);
    check_powers::<64>(510, 64, &windows, 2);
    let windows = [Ladder, RightToLeft { t: 2 }, LeftToRight { t: 2 }];
    for bits in [511, 1024, 4096] {
        check_powers::<64>(bits, 24, &windows, bits.into());
    }
}

#[test]
#[ignore = "slow"]
fn powers_of_full_length_in_words_of_64() {
    check_powers::<64>(8192, 24, &[Ladder, RightToLeft { t: 2 }, LeftToRight { t: 2 }], 8192);
    for bits in [1024, 1536, 2048] {
        check_powers::<64>(bits, bits, &[Ladder, RightToLeft { t: 5 }, LeftToRight { t: 5 }], bits.into());
    }
}

#[test]
#[ignore = "slow"]
fn powers_in_words_of_16_and_32() {
    check_powers::<16>(512, 64, &METHODS, 7);
    check_powers::<32>(512, 64, &METHODS, 8);
    check_powers::<63>(512, 64, &METHODS, 9);
}

#[test]
fn powers_in_words_of_other_lengths() {
    check_powers::<8>(380, 64, &METHODS, 3);
    check_powers::<8>(64, 64, &[RightToLeft { t: 8 }, LeftToRight { t: 8 }], 4);
    check_powers::<13>(300, 40, &METHODS, 5);
    check_powers::<63>(512, 24, &METHODS, 6);
}
