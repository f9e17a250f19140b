//! The constants that bases, products and inverters show, each against its definition; inverters over the
//! first base of a pair for products.

use moduli::{Error, error::ParameterError};
use moduli_rns::{
    base::{Base, BaseShape},
    cox::{Alpha, Cox},
    fields::{FIELDS, Field},
    inverse::{
        Binary, BinaryTernary, Options, Wide,
        constants::{Combination, multiple},
        plus_minus::{PlusMinus, Rules, half_bits},
    },
    montgomery::{RnsMontgomery, Schedule},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

/// What a plus-minus inversion wants of M in multiples of P.
const ROOM: u64 = 26;

fn modulo(x: &BigUint, m: u64) -> u64 {
    u64::try_from(x % m).unwrap()
}

fn inverse(x: &BigUint, m: u64) -> BigUint {
    x.modinv(&BigUint::from(m)).unwrap()
}

/// x·y modulo m.
fn product(x: u64, y: u64, m: u64) -> u64 {
    (u128::from(x) * u128::from(y) % u128::from(m)) as u64
}

/// −x modulo m.
fn negative(x: u64, m: u64) -> u64 {
    (m - x % m) % m
}

#[test]
fn bases_show_how_numbers_enter_and_leave() {
    let mut random = Random(20);
    for shape in [BaseShape::new(3, 8), BaseShape::new(2, 17), BaseShape::new(8, 33), BaseShape::new(5, 64)] {
        let base = Base::new(shape, &Default::default()).unwrap();
        let quotients: Vec<BigUint> = base.quotients().map(|quotient| big(&quotient)).collect();
        assert_eq!(quotients.len(), shape.channels);
        for (quotient, &m) in quotients.iter().zip(base.moduli()) {
            assert_eq!(quotient * m, big(base.product()));
        }
        let count = shape.channels + 3;
        let powers = base.radix_powers(count);
        assert_eq!(powers.len(), count);
        for (k, power) in powers.iter().enumerate() {
            for (&residue, &m) in power.iter().zip(base.moduli()) {
                assert_eq!(residue, modulo(&(BigUint::from(1u32) << (k * shape.width as usize)), m));
            }
        }
        for bits in [1, shape.width, shape.width * shape.channels as u32 - 1] {
            let value = random.below(bits);
            let digits = base.digits(&boxed(&value), count);
            assert_eq!(digits.len(), count);
            let sum: BigUint =
                digits.iter().rev().fold(BigUint::ZERO, |sum, digit| (sum << shape.width) + digit);
            assert_eq!(sum, value);
            assert!(digits.iter().all(|digit| u128::from(*digit) < 1 << shape.width));
        }
        assert_eq!(base.digits(&boxed(&testing::ones(200)), 1), [u64::MAX >> (64 - shape.width)]);
        assert!(base.radix_powers(0).is_empty() && base.digits(&boxed(&testing::ones(200)), 0).is_empty());
    }
}

#[test]
fn products_show_their_constants() {
    for (name, shape) in [
        ("P-256", BaseShape::new(8, 33)),
        ("P-224", BaseShape::new(12, 22)),
        ("P-521", BaseShape::new(9, 64)),
    ] {
        let p = Field::named(name).unwrap().prime();
        let field = RnsMontgomery::for_residues_modulo(&p, shape, 12, ROOM).unwrap();
        let p = big(&p);
        let [first, second] = field.bases();
        for base in [first, second] {
            assert!(big(base.product()) > &p * ROOM);
            assert!(base.moduli().iter().all(|m| m % 2 == 1 && m % 3 != 0));
        }
        let (m_all, m_second_all) = (big(first.product()), big(second.product()));
        for (i, &m) in first.moduli().iter().enumerate() {
            // −1 = reduce_first·P·T.
            let one = product(field.reduce_first()[i], modulo(&p, m), m);
            assert_eq!(product(one, first.cofactors()[i], m), m - 1);
            assert_eq!(field.back_excess()[i], negative(modulo(&m_second_all, m), m));
            for (row, &other) in field.back().iter().zip(second.moduli()) {
                assert_eq!(row[i], modulo(&(&m_second_all / other), m));
            }
            assert_eq!(field.square_of_product().first()[i], modulo(&(&m_all * &m_all % &p), m));
            assert_eq!(field.cube_of_product().first()[i], modulo(&(m_all.pow(3) % &p), m));
            assert_eq!(field.one().first()[i], modulo(&(&m_all % &p), m));
        }
        for (j, &m) in second.moduli().iter().enumerate() {
            let scale = second.cofactor_inverses()[j];
            assert_eq!(product(field.reduce_second()[j], modulo(&m_all, m), m), second.cofactors()[j]);
            assert_eq!(field.forth_excess()[j], negative(product(modulo(&p, m), scale, m), m));
            for (row, &other) in field.forth().iter().zip(first.moduli()) {
                let quotient = modulo(&((&m_all / other) * &p * inverse(&m_all, m)), m);
                assert_eq!(row[j], product(quotient, scale, m));
            }
            assert_eq!(
                field.square_of_product().second()[j],
                product(modulo(&(&m_all * &m_all % &p), m), scale, m)
            );
            assert_eq!(field.one().second()[j], product(modulo(&(&m_all % &p), m), scale, m));
        }
        // The quotient of the first extension starts from 0, that of the extension back from one half.
        let [short, exact] =
            [field.short_cox(), field.exact_cox()].map(|cox: &Cox| (cox.start(), cox.bits()));
        assert_eq!(short.0, 0);
        assert_eq!(exact.0, 1 << (exact.1 - 1));
    }
}

/// The constants of an inverter by their definitions, and inverses over the first base of a pair.
fn check_inverter<R: Rules>(inverter: &PlusMinus<R>, field: &RnsMontgomery, random: &mut Random) {
    let p = big(field.modulus());
    let q = inverter.rules().modulus();
    let [first, _] = field.bases();
    assert_eq!(inverter.base().moduli(), first.moduli());
    let offset = big(inverter.offset());
    assert_eq!(offset, &p * 12u32);
    assert_eq!(u64::from(inverter.limit()), 2 * p.bits());
    assert_eq!(inverter.modulus_small(), modulo(&p, q));
    let small = inverter.small_residue();
    assert_eq!(small.product(), negative(modulo(&big(first.product()), q), q));
    assert_eq!(small.offset(), negative(modulo(&offset, q), q));
    for (i, &m) in first.moduli().iter().enumerate() {
        let scale = first.cofactor_inverses()[i];
        let scaled = |x: &BigUint| product(modulo(x, m), scale, m);
        assert_eq!(inverter.shift()[i], scaled(&offset));
        let inner = if inverter.rules().affine() { inverter.shift()[i] } else { 0 };
        assert_eq!(inverter.zero()[i], inner);
        assert_eq!(inverter.one()[i], (inner + scale) % m);
        assert_eq!(inverter.minus_one()[i], (inner + m - scale) % m);
        assert_eq!(inverter.inner_modulus()[i], (inner + scaled(&p)) % m);
    }
    // Division of X + C0, whatever the inverter itself keeps.
    let constants = inverter.affine_constants();
    for divisor in constants.divisors() {
        for (combination, share) in [
            (Combination::Alone, divisor - 1),
            (Combination::Plus, divisor - 2),
            (Combination::Minus, divisor),
        ] {
            for x in 0..divisor {
                let addend = constants.addend(combination, divisor, x).unwrap();
                let f = multiple(x, modulo(&p, q), divisor);
                for (i, &m) in first.moduli().iter().enumerate() {
                    let scaled = product(modulo(&p, m), first.cofactor_inverses()[i], m);
                    let term = product(f.rem_euclid(m as i64) as u64, scaled, m);
                    let carried = product(share, inverter.shift()[i], m);
                    assert_eq!(product(addend[i], divisor, m), (term + carried) % m);
                }
            }
        }
    }
    let bits = p.bits() as u32;
    for _ in 0..20 {
        let a = random.below(bits) % &p;
        let inverse = inverter.invert_vartime(&boxed(&a)).ok().map(|inverse| big(&inverse));
        assert_eq!(inverse, a.modinv(&p));
    }
}

#[test]
fn inverters_share_the_first_base_of_a_pair() {
    let mut random = Random(21);
    let options = Options::default();
    for field in FIELDS {
        let p = field.prime();
        let shape = BaseShape::new((p.bits_vartime() + 6).div_ceil(32) as usize, 33);
        for q in [4, 12, 144] {
            let arithmetic = RnsMontgomery::for_residues_modulo(&p, shape, q, ROOM).unwrap();
            let base = arithmetic.bases()[0];
            match q {
                4 => check_inverter(&Binary::over(base, &p, &options).unwrap(), &arithmetic, &mut random),
                12 => check_inverter(
                    &BinaryTernary::over(base, &p, &options).unwrap(),
                    &arithmetic,
                    &mut random,
                ),
                _ => check_inverter(&Wide::over(base, &p, q, &options).unwrap(), &arithmetic, &mut random),
            }
        }
    }
}

/// Every operand of tiny moduli over the base of a pair, beside the inverter that picks its own base.
#[test]
fn every_operand_of_tiny_moduli_over_a_pair() {
    let options = Options::default();
    for (p, shape) in
        [(1009u32, BaseShape::new(3, 10)), (1225, BaseShape::new(2, 17)), (251, BaseShape::new(1, 17))]
    {
        let p = boxed(&BigUint::from(p));
        let field = RnsMontgomery::for_residues_modulo(&p, shape, 12, ROOM).unwrap();
        let shared = BinaryTernary::over(field.bases()[0], &p, &options).unwrap();
        let own = BinaryTernary::new(&p, shape, &options).unwrap();
        for a in 0..1300u32 {
            let a = boxed(&BigUint::from(a));
            assert_eq!(shared.invert_vartime(&a), own.invert_vartime(&a));
        }
    }
}

#[test]
fn bases_that_cannot_be_used_are_refused() {
    let p = Field::named("P-256").unwrap().prime();
    let options = Options::default();
    // Multiples of 3 among the moduli; too few; too small for Q.
    let three = Base::from_moduli(33, &[(1 << 33) - 5, (1 << 33) - 9]).unwrap();
    assert!(three.moduli().iter().any(|m| m % 3 == 0));
    let named = |result: Result<(), Error>, expected: &'static str, part: &str| match result {
        Err(Error::Parameter(ParameterError { name, reason, .. })) => {
            assert_eq!(name, expected);
            assert!(reason.to_string().contains(part), "{reason}");
        }
        other => panic!("{other:?}"),
    };
    named(BinaryTernary::over(&three, &p, &options).map(drop), "modulus", "coprime");
    named(Wide::over(&three, &p, 144, &options).map(drop), "modulus", "coprime");
    named(Wide::over(&three, &p, 6, &options).map(drop), "Q", "multiple of 4");
    named(Binary::over(&three, &p, &options).map(drop), "t", "too small");
    let narrow = Base::new(BaseShape::new(3, 8), &Default::default()).unwrap();
    named(Wide::over(&narrow, &boxed(&BigUint::from(1009u32)), 720, &options).map(drop), "modulus", "720");
    let shape = BaseShape::new(8, 33);
    named(RnsMontgomery::for_residues_modulo(&p, shape, 0, ROOM).map(drop), "Q", "0");
    named(RnsMontgomery::for_residues_modulo(&p, shape, 12, 8).map(drop), "room", "9");
    named(RnsMontgomery::for_residues_modulo(&p, shape, 12, 256).map(drop), "room", "255");
    named(
        RnsMontgomery::for_residues_modulo(&p, BaseShape::new(8, 32), 12, ROOM).map(drop),
        "channels",
        "at least 9",
    );
}

/// The turns of a schedule lead to its exponent, and their number is what is said.
#[test]
fn schedules_can_be_read() {
    let mut random = Random(22);
    for bits in [1u32, 2, 8, 64, 256, 521] {
        let exponent = random.odd(bits.max(2));
        for schedule in [Schedule::binary(&boxed(&exponent)), Schedule::best_window(&boxed(&exponent))] {
            let power = |index: usize| {
                assert!(index < schedule.odd_powers());
                BigUint::from(2 * index + 1)
            };
            let mut reached = power(schedule.first().unwrap());
            let mut products = if schedule.odd_powers() > 1 { schedule.odd_powers() } else { 0 };
            for &(squares, index) in schedule.turns() {
                reached = (reached << squares) + index.map_or(BigUint::ZERO, power);
                products += squares as usize + usize::from(index.is_some());
            }
            assert_eq!(reached, exponent);
            assert_eq!(products, schedule.products());
        }
    }
    assert_eq!(Schedule::best_window(&boxed(&BigUint::ZERO)).first(), None);
}

#[test]
fn counters_grow_by_whole_half_bits() {
    let expected = [(1, 0), (2, 2), (3, 3), (4, 4), (6, 5), (12, 7), (144, 14)];
    assert!(expected.iter().all(|&(divisor, half)| half_bits(divisor) == half));
    assert_eq!(half_bits(0), 0);
}

/// Quotients of digits that are not reduced, against their definition: right in the interval for the least t
/// that is said to do, wrong somewhere below it.
#[test]
fn unreduced_digits_need_little_more() {
    let mut random = Random(23);
    for shape in [BaseShape::new(3, 8), BaseShape::new(2, 17), BaseShape::new(8, 22), BaseShape::new(8, 33)] {
        let base = Base::new(shape, &Default::default()).unwrap();
        let m = big(base.product());
        let (low, high) = (&m / 16u32, &m / 8u32);
        let bounds = (boxed(&low), boxed(&high));
        let least = Cox::least_bits_unreduced(&base, Alpha::HALF, &bounds.0, &bounds.1).unwrap();
        assert!(least >= Cox::least_bits(&base, Alpha::HALF, &bounds.0, &bounds.1).unwrap());
        let short = Cox::least_bits_short_unreduced(&base).unwrap();
        let mut failed = 0;
        for turn in 0..4000 {
            let value = match turn % 4 {
                0 => low.clone() + random.below(8),
                1 => high.clone() - random.below(8),
                _ => &low + random.below(m.bits() as u32) % (&high - &low),
            };
            let mut digits = base.to_scaled_residues(&boxed(&value)).to_vec();
            for (digit, &m) in digits.iter_mut().zip(base.moduli()) {
                // The largest or another that is congruent and below 2^(w+1).
                let room = ((2u64 << shape.width) - 1 - *digit) / m;
                *digit += m * if turn % 2 == 0 { room } else { random.word() % (room + 1) };
            }
            let sum = base
                .quotients()
                .zip(&digits)
                .map(|(quotient, &digit)| big(&quotient) * digit)
                .sum::<BigUint>();
            let quotient = modulo(&(&sum / &m), u64::MAX);
            let estimate = |bits: u32, start: u64| {
                let sum: u64 = digits.iter().map(|digit| digit >> (shape.width - bits)).sum();
                (start + sum) >> bits
            };
            assert_eq!(estimate(least, 1 << (least - 1)), quotient, "{shape:?}");
            failed += u32::from(estimate(1, 1) != quotient);
            assert!((quotient.saturating_sub(1)..=quotient).contains(&estimate(short, 0)), "{shape:?}");
        }
        assert!(failed > 0 || shape.channels < 8, "{shape:?}");
    }
    let base = Base::new(BaseShape::new(3, 8), &Default::default()).unwrap();
    let beyond = boxed(&(big(base.product()) / 2u32 + 1u32));
    assert_eq!(Cox::least_bits_unreduced(&base, Alpha::HALF, &beyond, &beyond), None);
}
