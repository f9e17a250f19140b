//! Two powers to two moduli, step by step side by side.

use alloc::vec::Vec;
use zeroize::Zeroizing;

use super::{left_to_right::regular_width, look_up::entries};
use crate::error::Error;
use moduli_kernel::{DualSession, Session, Words, limbs};

/// The powers of two residues, each modulo its own modulus, with exponents of `bits` public bits: left-to-right 2^t-ary,
/// where the kernels may overlap what the two do in each step. A digit of 0 calls for a product by the entry 1 as any other
/// does for one by its own. Constant-time; cost: `bits` squarings and ⌈bits/t⌉ + 2^t products for each.
///
/// # Errors
/// [`Error::Parameter`] if there is not enough memory for the tables.
pub(crate) fn pow_x2(
    sessions: [&Session<'_>; 2],
    bases: [&[u64]; 2],
    exponents: [&[u64]; 2],
    bits: u32,
) -> Result<[Words; 2], Error> {
    let [first, second] = sessions;
    let sizes = bases.map(<[u64]>::len);
    // One width for both, for the sake of the steps.
    let width = regular_width(sizes[0], bits).min(regular_width(sizes[1], bits));
    let mut dual = DualSession::new(first, second);
    let tables = powers(&mut dual, [first.one(), second.one()], bases, 1 << width)?;
    let count = bits.div_ceil(width) as usize;
    let digits = exponents.map(|exponent| {
        let digits = (0..count as u32).rev().map(|i| limbs::bit_field(exponent, i * width, width));
        Zeroizing::new(digits.collect::<Vec<u64>>())
    });
    let [mut x, mut y] = sizes.map(Words::zero);
    let mut found = sizes.map(|size| Words::zero(2 * size));
    for i in 0..count {
        // Of two windows at a time.
        if i % 2 == 0 {
            for which in 0..2 {
                let out = found[which].split_at_mut(sizes[which]);
                let digit = |i: usize| digits[which].get(i).copied().unwrap_or_default();
                dual.select(which, out.into(), &tables[which], [digit(i), digit(i + 1)]);
            }
        }
        let [a, b] = [0, 1].map(|which| &found[which][sizes[which] * (i % 2)..][..sizes[which]]);
        if i == 0 {
            x.copy_from_slice(a);
            y.copy_from_slice(b);
            dual.begin([&mut x, &mut y]);
        } else {
            dual.square([&mut x, &mut y], width);
            dual.mul([&mut x, &mut y], [a, b]);
        }
    }
    if count > 0 {
        dual.end([&mut x, &mut y]);
    }
    Ok([x, y])
}

/// The powers x^0, x^1, x^2 … of both, `count` of them.
fn powers(
    dual: &mut DualSession<'_>,
    ones: [&[u64]; 2],
    bases: [&[u64]; 2],
    count: usize,
) -> Result<[Words; 2], Error> {
    let sizes = bases.map(<[u64]>::len);
    let mut tables = [entries(count, sizes[0])?, entries(count, sizes[1])?];
    for i in 0..2 {
        tables[i][..sizes[i]].copy_from_slice(ones[i]);
        tables[i][sizes[i]..][..sizes[i]].copy_from_slice(bases[i]);
    }
    let [table, other_table] = &mut tables;
    for i in 2..count {
        // An even power is a square, which is cheaper.
        let known = if i % 2 == 0 { i / 2 } else { i - 1 };
        let x = copied(table, sizes[0], known, i);
        let y = copied(other_table, sizes[1], known, i);
        dual.begin([&mut *x, &mut *y]);
        if i % 2 == 0 {
            dual.square([&mut *x, &mut *y], 1);
        } else {
            dual.mul([&mut *x, &mut *y], bases);
        }
        dual.end([x, y]);
    }
    Ok(tables)
}

/// Entry `to` of a table, a copy of entry `from` that comes before it.
fn copied(table: &mut [u64], size: usize, from: usize, to: usize) -> &mut [u64] {
    let (known, new) = table.split_at_mut(size * to);
    new[..size].copy_from_slice(&known[size * from..][..size]);
    &mut new[..size]
}

#[cfg(test)]
mod tests {
    use crypto_bigint::BoxedUint;
    use testing::Random;

    use super::*;
    use crate::{KernelChoice, Modulus};

    /// A number of so many bits, the highest of them set if `exact`.
    fn number(bits: u32, seed: u64, exact: bool) -> Vec<u64> {
        let mut random = Random(seed);
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64)).map(|_| random.word()).collect();
        if let Some(last) = limbs.last_mut() {
            let top = (bits - 1) % 64;
            *last = *last & (u64::MAX >> (63 - top)) | u64::from(exact) << top;
        }
        limbs
    }

    /// Two moduli of these bits, random bases and exponents, and exponents that are extreme.
    fn check(choices: [KernelChoice; 2], bits: [u32; 2], exponent_bits: u32) {
        let moduli = [0, 1].map(|i| {
            let mut limbs = number(bits[i], u64::from(bits[i]) + i as u64, true);
            limbs[0] |= 1;
            Modulus::with_kernel(&BoxedUint::from_words(limbs), choices[i]).unwrap()
        });
        let bases = [3, 4].map(|seed| BoxedUint::from_words(number(bits[0].max(bits[1]), seed, true)));
        let random = [5, 6].map(|seed| number(exponent_bits, seed, false));
        let ones = BoxedUint::one_with_precision(exponent_bits + 1).shl(exponent_bits);
        let ones = ones.wrapping_sub(BoxedUint::one()).to_words()[..random[0].len()].to_vec();
        let extreme = [alloc::vec![0; ones.len()], ones];
        for exponents in [random, extreme] {
            let entered = [0, 1].map(|i| moduli[i].enter(&moduli[i].reduce(&bases[i])));
            let sessions = [&moduli[0].session(), &moduli[1].session()];
            let (bases_in, exponents_in) = ([&*entered[0], &*entered[1]], [&*exponents[0], &*exponents[1]]);
            let powers = pow_x2(sessions, bases_in, exponents_in, exponent_bits).unwrap();
            for i in 0..2 {
                let exponent = BoxedUint::from_words(exponents[i].clone());
                let expected = moduli[i].pow_vartime(&bases[i], &exponent).unwrap();
                assert_eq!(moduli[i].leave(&powers[i]), expected, "{choices:?} {bits:?} {i}");
            }
        }
    }

    #[test]
    fn both_powers_are_right_for_all_kernels_and_sizes() {
        let choices: Vec<KernelChoice> =
            KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported()).collect();
        for &choice in &choices {
            for bits in
                [2, 64, 200, 201, 512, 1024, 1028, 1029, 1536, 1552, 1553, 2048, 2500, 2900, 3072, 3500, 4096]
            {
                check([choice; 2], [bits, bits], 64);
                check([choice; 2], [bits, (bits + 90) / 2], 31);
            }
            check([choice; 2], [1024, 1023], 1030);
            check([choice; 2], [5000, 5000], 64);
            for &other in &choices {
                check([choice, other], [1024, 1024], 128);
            }
        }
    }
}
