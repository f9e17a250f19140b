//! Two powers modulo two numbers, computed side by side.

use super::{
    room::entries,
    windows::{Power, Table, copied, fill, run_windows, window_width},
};
use crate::{error::Error, exponent::Magnitude};
use moduli_kernel::{DualSession, Session, Words};

/// One power modulo each of two numbers.
struct OfTwo<'a, 's> {
    dual: DualSession<'s>,
    exponents: [&'a Magnitude; 2],
    width: u32,
    sizes: [usize; 2],
    tables: [Words; 2],
    /// The entries for two consecutive windows, and which of the two the current window uses.
    found: [Words; 2],
    place: usize,
    powers: [Words; 2],
}

impl OfTwo<'_, '_> {
    /// Copies entry `from` to the later entry `to` in both tables, and changes the copies.
    fn change(
        &mut self,
        from: usize,
        to: usize,
        change: impl FnOnce(&mut DualSession<'_>, [&mut [u64]; 2], [&[u64]; 2]),
    ) {
        let [first, second] = &mut self.tables;
        let (x, of_x) = copied(first, self.sizes[0], from, to);
        let (y, of_y) = copied(second, self.sizes[1], from, to);
        self.dual.begin([&mut *x, &mut *y]);
        change(&mut self.dual, [&mut *x, &mut *y], [of_x, of_y]);
        self.dual.end([x, y]);
    }
}

impl Table for OfTwo<'_, '_> {
    fn square_entry(&mut self, from: usize, to: usize) {
        self.change(from, to, |dual, x, _| dual.square(x, 1));
    }

    fn multiply_entry(&mut self, from: usize, to: usize) {
        self.change(from, to, |dual, x, bases| dual.mul(x, bases));
    }
}

impl Power for OfTwo<'_, '_> {
    fn select(&mut self, window: u32) {
        self.place = 1 - self.place;
        // Each look-up finds the entries of two windows.
        if self.place == 0 {
            for which in 0..2 {
                let out = self.found[which].split_at_mut(self.sizes[which]);
                let digit = |window: u32| self.exponents[which].digit(window, self.width);
                // There is no window below the lowest.
                let digits = [digit(window), digit(window.saturating_sub(1))];
                self.dual.select(which, out.into(), &self.tables[which], digits);
            }
        }
    }

    fn start(&mut self) {
        let [x, y] = &mut self.powers;
        x.copy_from_slice(&self.found[0][..self.sizes[0]]);
        y.copy_from_slice(&self.found[1][..self.sizes[1]]);
        self.dual.begin([x, y]);
    }

    fn square_and_select(&mut self, times: u32, window: u32) {
        self.select(window);
        let [x, y] = &mut self.powers;
        self.dual.square([x, y], times);
    }

    fn multiply(&mut self) {
        let factors = [0, 1].map(|i| &self.found[i][self.sizes[i] * self.place..][..self.sizes[i]]);
        let [x, y] = &mut self.powers;
        self.dual.mul([x, y], factors);
    }
}

/// The powers of two residues, each modulo its own modulus, with exponents of the same public
/// length. Fixed windows; the kernels may overlap the two computations in each step. Constant-time;
/// cost: for each power, as many squarings as the exponents have declared bits, and ⌈bits/t⌉ + 2^t
/// products.
///
/// # Errors
/// [`Error::Parameter`] if there is not enough memory for the tables.
pub(crate) fn pow_x2(
    sessions: [&Session<'_>; 2],
    bases: [&[u64]; 2],
    exponents: [&Magnitude; 2],
) -> Result<[Words; 2], Error> {
    let [first, second] = sessions;
    let (sizes, bits) = (bases.map(<[u64]>::len), exponents[0].bits());
    let ones = [first.one(), second.one()];
    if bits == 0 {
        return Ok(ones.map(Words::copy_of));
    }
    // Both use the same width, so that their steps coincide.
    let width = window_width(sizes[0], bits).min(window_width(sizes[1], bits));
    let mut tables = [entries(1 << width, sizes[0])?, entries(1 << width, sizes[1])?];
    for (i, table) in tables.iter_mut().enumerate() {
        table[..sizes[i]].copy_from_slice(ones[i]);
        table[sizes[i]..][..sizes[i]].copy_from_slice(bases[i]);
    }
    let found = sizes.map(|size| Words::zero(2 * size));
    let (dual, powers) = (DualSession::new(first, second), sizes.map(Words::zero));
    let mut both = OfTwo { dual, exponents, width, sizes, tables, found, place: 1, powers };
    fill(&mut both, 1 << width);
    run_windows(&mut both, bits, width);
    let [x, y] = &mut both.powers;
    both.dual.end([x, y]);
    Ok(both.powers)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use crypto_bigint::BoxedUint;
    use testing::Random;
    use zeroize::Zeroizing;

    use super::*;
    use crate::{KernelChoice, Modulus};

    /// A number of at most `bits` bits, exactly `bits` if `exact`.
    fn number(bits: u32, seed: u64, exact: bool) -> Vec<u64> {
        let mut random = Random(seed);
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64)).map(|_| random.word()).collect();
        if let Some(last) = limbs.last_mut() {
            let top = (bits - 1) % 64;
            *last = *last & (u64::MAX >> (63 - top)) | u64::from(exact) << top;
        }
        limbs
    }

    /// Checks two moduli of these lengths with random bases, and with random and extreme exponents.
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
            let entered = [0, 1].map(|i| moduli[i].to_montgomery(&moduli[i].reduce(&bases[i])));
            let sessions = [&moduli[0].session(), &moduli[1].session()];
            let magnitudes =
                exponents.clone().map(|limbs| Magnitude::new(Zeroizing::new(limbs), exponent_bits));
            let powers = pow_x2(sessions, [&entered[0], &entered[1]], magnitudes.each_ref()).unwrap();
            for i in 0..2 {
                let exponent = BoxedUint::from_words(exponents[i].clone());
                let expected = moduli[i].pow_vartime(&bases[i], &exponent).unwrap();
                assert_eq!(moduli[i].from_montgomery(&powers[i]), expected, "{choices:?} {bits:?} {i}");
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
