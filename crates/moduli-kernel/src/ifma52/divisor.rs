//! The numbers from which the constants of a modulus are computed, as digits and in the layout of a residue.

use crypto_bigint::{BoxedUint, NonZero, Resize};
use zeroize::Zeroizing;

use super::digits::digit;
use crate::{limbs, words::Words};

/// An odd modulus that constants are computed from.
pub(super) struct Divisor {
    n: Zeroizing<BoxedUint>,
    nonzero: Zeroizing<NonZero<BoxedUint>>,
}

impl Divisor {
    /// `None` for 0.
    pub(super) fn new(n: Zeroizing<BoxedUint>) -> Option<Self> {
        let nonzero: Option<NonZero<BoxedUint>> = n.to_nz().into();
        Some(Self { nonzero: Zeroizing::new(nonzero?), n })
    }

    /// 2^exponent mod N.
    pub(super) fn power_of_two(&self, exponent: usize) -> Zeroizing<BoxedUint> {
        let power = BoxedUint::one_with_precision(exponent as u32 + 1).shl(exponent as u32);
        // Not by `rem_vartime`, which leaves a copy of the remainder behind.
        let (quotient, remainder) = power.div_rem_vartime(&self.nonzero);
        drop(Zeroizing::new(quotient));
        Zeroizing::new(remainder)
    }

    /// k = −1/N mod 2^bits and (k·N + 1)/2^bits, by Newton's iteration, which starts from one word.
    pub(super) fn block(&self, bits: usize) -> [Zeroizing<BoxedUint>; 2] {
        let limbs = self.n.nlimbs() + bits.div_ceil(64) + 1;
        let wide = |x: &BoxedUint| Zeroizing::new(x.resize(64 * limbs as u32));
        let product = |x: &BoxedUint, y: &BoxedUint| Zeroizing::new(x.wrapping_mul(y));
        let (one, two) = (wide(&BoxedUint::one()), wide(&BoxedUint::from(2u64)));
        let n = wide(&self.n);
        let power = Zeroizing::new(one.shl(bits as u32));
        let block = Zeroizing::new(power.wrapping_sub(&*one));
        let mut inverse = wide(&BoxedUint::from(limbs::inverse_of_word(limbs::to_limbs(&self.n, 1)[0])));
        let mut known = 64;
        while known < bits {
            let correction = Zeroizing::new(two.wrapping_sub(&*product(&n, &inverse)));
            inverse = Zeroizing::new(&*product(&inverse, &correction) & &*block);
            known *= 2;
        }
        let inverse = Zeroizing::new(&*inverse & &*block);
        let negative = Zeroizing::new(power.wrapping_sub(&*inverse));
        let high = Zeroizing::new(product(&n, &negative).wrapping_add(&*one).shr(bits as u32));
        [negative, high]
    }

    /// `factor`·N.
    pub(super) fn multiple(&self, factor: u64) -> Zeroizing<BoxedUint> {
        let wide = Zeroizing::new((&*self.n).resize(self.n.bits_precision() + 64));
        Zeroizing::new(wide.wrapping_mul(BoxedUint::from(factor)))
    }
}

/// The first `count` digits of a number.
pub(super) fn digits_of(x: &BoxedUint, count: usize) -> Words {
    let limbs = Zeroizing::new(limbs::to_limbs(x, 1).to_vec());
    let mut digits = Words::zero(count);
    for (i, out) in digits.iter_mut().enumerate() {
        *out = digit(&limbs, i);
    }
    digits
}

/// Words in the order of digits: digit v of strip l is word G·v + l; without strips, digit v is word v.
pub(super) fn places(blocks: usize, digits: usize, in_strips: bool) -> impl Iterator<Item = usize> {
    let [block, digit] = if in_strips { [1, blocks] } else { [digits, 1] };
    (0..blocks).flat_map(move |l| (0..digits).map(move |v| block * l + digit * v))
}
