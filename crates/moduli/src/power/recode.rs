//! Regular recoding of exponents (Joye and Tunstall, *Exponent Recoding and Regular Exponentiation
//! Algorithms*, AFRICACRYPT 2009). No digit is zero, so every digit requires the same operations.

use alloc::vec::Vec;
use zeroize::Zeroizing;

use crate::exponent::Magnitude;
use moduli_kernel::mask;

/// The digits of an exponent of `bits` public bits in base m = 2^`window`, lowest first: e = Σ
/// d_i·m^i with 1 ≤ d_i ≤ m, and ⌈bits/window⌉ of them for every exponent.
///
/// Exponents below Σ m^i have no such digits. They get those of a shorter exponent, below leading
/// zeros. The correction that does this runs for all exponents, under a mask. A zero means a
/// product by 1, or into a bucket that is not used. Constant-time.
pub(crate) fn regular_digits(exponent: &Magnitude, window: u32) -> Zeroizing<Vec<u64>> {
    let (base, bits) = (1u64 << window, exponent.bits());
    let mut digits = Zeroizing::new(Vec::with_capacity(bits.div_ceil(window) as usize));
    // A digit that would be 0 or −1 borrows from the next one.
    let mut borrow = 0;
    for index in 0..bits.div_ceil(window) {
        let digit = exponent.digit(index, window) + base - borrow;
        let borrows = mask::less(digit, base + 1);
        digits.push(digit - (base & !borrows));
        borrow = borrows & 1;
    }
    // If the top digit borrows, the borrowed power does not exist. The digits below it are m − 1,
    // down to the first that is m: together with it they amount to 0.
    let mut owed = mask::equal(borrow, 1);
    for digit in digits.iter_mut().rev() {
        let settles = mask::equal(*digit, base);
        *digit &= !owed;
        owed &= !settles;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_make_up_every_exponent() {
        for window in 1..=6 {
            for bits in 0..=13u32 {
                for exponent in 0..1u64 << bits {
                    let digits = regular_digits(
                        &Magnitude::new(
                            Zeroizing::new(alloc::vec![exponent; bits.div_ceil(64) as usize]),
                            bits,
                        ),
                        window,
                    );
                    assert_eq!(digits.len() as u32, bits.div_ceil(window));
                    let value = digits.iter().rev().fold(0, |value, digit| (value << window) + digit);
                    assert_eq!(value, exponent, "window {window}, {bits} bits");
                    let leading = digits.iter().rev().take_while(|&&digit| digit == 0).count();
                    let rest = &digits[..digits.len() - leading];
                    assert!(rest.iter().all(|digit| (1..=1 << window).contains(digit)), "{digits:?}");
                    let least = (0..bits.div_ceil(window)).fold(0, |sum, i| sum + (1u64 << (window * i)));
                    assert_eq!(leading > 0, exponent < least, "{exponent} {digits:?}");
                }
            }
        }
    }

    #[test]
    fn long_exponents_borrow_across_limbs() {
        let exponents =
            [[0; 3], [0, 0, 1], [1, 0, 0], [u64::MAX; 3], [0, u64::MAX, 0], [1 << 63, 0, 1 << 63]];
        for exponent in exponents {
            for window in [1, 3, 5, 7, 16] {
                let digits = regular_digits(&Magnitude::new(Zeroizing::new(exponent.to_vec()), 192), window);
                let mut value = [0u128; 4];
                for &digit in digits.iter().rev() {
                    let mut carry = u128::from(digit);
                    for limb in &mut value {
                        let sum = (*limb << window) + carry;
                        (*limb, carry) = (sum & u128::from(u64::MAX), sum >> 64);
                    }
                }
                let expected = [exponent[0], exponent[1], exponent[2], 0].map(u128::from);
                assert_eq!(value, expected, "window {window}");
            }
        }
    }
}
