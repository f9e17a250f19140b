//! Two powers to two moduli, step by step beside each other.

use super::{
    left_to_right::{WindowTable, regular_width},
    look_up::LookUp,
};
use crate::{
    error::Error,
    kernel::{Kernel, Words},
};

/// The powers of two residues, each modulo its own modulus, with exponents of `bits` public bits: left-to-right with
/// regular windows, as [`Modulus::pow`](crate::Modulus::pow), where the kernels may overlap the two products of each
/// step. Uniform.
///
/// # Errors
/// [`Error::Parameter`] if there is not enough memory for the tables.
pub(crate) fn pow_beside(
    kernels: [&dyn Kernel; 2],
    bases: [&[u64]; 2],
    exponents: [&[u64]; 2],
    bits: u32,
) -> Result<[Words; 2], Error> {
    let [first, second] = kernels;
    // One width for both, for the sake of the steps.
    let width = regular_width(first, bits).min(regular_width(second, bits));
    let table =
        |i: usize| WindowTable::regular(kernels[i], bases[i], (exponents[i], bits), width, 1, LookUp::Masked);
    let tables = [table(0)?, table(1)?];
    let mut places = [tables[0].place(first), tables[1].place(second)];
    let mut scratch = Words::zero(first.scratch_words().max(second.scratch_words()));
    let mut powers = kernels.map(|kernel| Words::copy_of(kernel.one()));
    for digit in (0..bits.div_ceil(width)).rev() {
        let [x, y] = &mut powers;
        let [place, other_place] = &mut places;
        let position = digit * width;
        let factors =
            (tables[0].factor(first, position, place), tables[1].factor(second, position, other_place));
        let (Some(a), Some(b)) = factors else { continue };
        if position + width >= bits {
            x.copy_from_slice(a);
            y.copy_from_slice(b);
        } else {
            first.square_beside(x, second, y, width, &mut scratch);
            first.mul_beside(x, a, second, y, b, &mut scratch);
        }
    }
    Ok(powers)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use crypto_bigint::BoxedUint;

    use super::*;
    use crate::{KernelChoice, Modulus};

    /// A number of so many bits, the highest of them set if `exact`.
    fn number(bits: u32, seed: u64, exact: bool) -> Vec<u64> {
        let mut state = seed;
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64))
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                state.rotate_left(32) ^ state >> 7
            })
            .collect();
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
            let kernels = [moduli[0].kernel(), moduli[1].kernel()];
            let (bases_in, exponents_in) = ([&*entered[0], &*entered[1]], [&*exponents[0], &*exponents[1]]);
            let powers = pow_beside(kernels, bases_in, exponents_in, exponent_bits).unwrap();
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
            for bits in [2, 64, 200, 201, 512, 1024, 1028, 1029, 1536, 2048, 2500, 2900, 3072, 3500, 4096] {
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
