//! The scalars of programs: their numbers of bits, the multiple of the order that is added, and blinding.
//!
//! Scalar multiplication requires a scalar whose highest bit is always the same. Let n be the order, with ℓ
//! bits. Without blinding, an operand k of ℓ bits becomes k + n or k + 2n. With blinding by r < 2^b, the
//! operand is k + r·n, and becomes k + s·n with s = c + r. The constant c is chosen so that the bit of weight
//! 2^(ℓ + b) is set for all k and r.
//!
//! A prefix j of the scalar is the number formed by its upper bits. The ladder fails if a prefix that lacks
//! more than two bits is 0 or −1 modulo n, or if 2j + 1 is 0 modulo n before a step. A prefix that lacks the
//! last i bits, t = (k + s·n) mod 2^i, is (k − t)/2^i modulo n:
//!
//! - it is 0 if t = k, so if s ≡ 0 modulo 2^i and k < 2^i;
//! - it is −1 if t = k + 2^i − n, so if s ≡ −1 modulo 2^i and n − k ≤ 2^i;
//! - 2j + 1 is 0 under similar conditions, if s or s + 1 is an odd multiple of 2^(i−1).
//!
//! So a failure requires that 2 divides s or s + 1 at least as often as k or n − k has bits. For b ≤ ℓ − 3,
//! 2^i ≤ n for every prefix that can be that large, and there are no other failures.

use crypto_bigint::{BoxedUint, CtLt, NonZero, Resize};
use zeroize::Zeroizing;

use moduli::Error;
use moduli_kernel::mask;

/// The remaining bits of a scalar.
pub(super) struct Bits {
    pub value: Zeroizing<BoxedUint>,
    pub left: u32,
}

impl Bits {
    /// The current bit, read without a branch.
    pub fn current(&self) -> bool {
        self.left > 0 && bool::from(self.value.bit(self.left - 1))
    }
}

/// The conversion of an operand into a scalar with one more bit.
#[derive(Clone)]
pub(super) struct Completion {
    order: BoxedUint,
    /// The number of bits of the random factor; 0 if scalars are not blinded.
    blinding: u32,
    /// c.
    factor: BoxedUint,
    /// c·n, or n without blinding.
    addend: BoxedUint,
}

/// The smallest and the largest number of blinding bits for an order. With fewer bits, those next to the
/// highest one are not hidden.
pub(super) fn limits(order: &BoxedUint) -> [u32; 2] {
    let bits = order.bits_vartime();
    let wide = order.resize(2 * bits + 64);
    let above = BoxedUint::one().resize(2 * bits + 64).shl(bits).wrapping_sub(&wide);
    // 4n ≤ 2^b·(2^ℓ − n).
    let enough = |blinding: &u32| above.shl(*blinding) >= wide.shl(2);
    [(1..bits).find(enough).unwrap_or(bits), bits.saturating_sub(3)]
}

impl Completion {
    /// Returns None if the order does not allow this number of blinding bits.
    pub fn new(order: &BoxedUint, blinding: u32) -> Option<Self> {
        let none = BoxedUint::zero();
        if blinding == 0 {
            return Some(Self { order: order.clone(), blinding, factor: none, addend: order.clone() });
        }
        let [least, most] = limits(order);
        if !(least..=most).contains(&blinding) {
            return None;
        }
        let bits = order.bits_vartime() + blinding;
        let wide = order.resize(bits + 64);
        let highest = BoxedUint::one().resize(bits + 64).shl(bits);
        let divisor = NonZero::new(wide.clone()).into_option()?;
        let below = highest.wrapping_sub(BoxedUint::one()).div_rem_vartime(&divisor).0;
        // With c ≡ 2 modulo 4, an r of zeros and an r of ones are suitable for every k.
        let mut factor = below.wrapping_add(BoxedUint::one());
        while factor.bit_vartime(0) || !factor.bit_vartime(1) {
            factor = factor.wrapping_add(BoxedUint::one());
        }
        let addend = factor.wrapping_mul(&wide);
        Some(Self { order: order.clone(), blinding, factor, addend })
    }

    /// The number to add; a scalar that is not blinded adds it once or twice.
    pub fn addend(&self) -> &BoxedUint {
        &self.addend
    }

    /// Converts an operand into a scalar.
    pub fn completed(&self, operand: &BoxedUint) -> Result<Bits, Error> {
        let most = self.order.bits_vartime() + self.blinding;
        let wide = |value: &BoxedUint| Zeroizing::new(value.resize(most + 64));
        let (value, addend) = (wide(operand), wide(&self.addend));
        if self.blinding > 0 && !bool::from(value.ct_lt(&wide(&self.order).shl(self.blinding))) {
            let reason = "must be below the order times 2^b, where b bits blind the scalar";
            return Err(Error::parameter("operand", reason));
        }
        let once = Zeroizing::new(value.wrapping_add(&*addend));
        let twice = Zeroizing::new(once.wrapping_add(&*addend));
        // Selects the first of the two sums that has the highest bit. With blinding, the first sum always has
        // it.
        let enough = mask::of(bool::from(once.bit(most)));
        let mut chosen = Zeroizing::new(moduli_kernel::limbs::to_limbs(&twice, 1));
        mask::assign(&mut chosen, &Zeroizing::new(moduli_kernel::limbs::to_limbs(&once, 1)), enough);
        Ok(Bits { value: Zeroizing::new(moduli_kernel::limbs::from_limbs(&chosen)), left: most + 1 })
    }

    /// k + r·n, if r is suitable for k.
    pub fn blinded(&self, k: &BoxedUint, r: &BoxedUint) -> Result<BoxedUint, Error> {
        let length = self.order.bits_vartime();
        let bits = length + self.blinding + 64;
        let bits = bits.max(k.bits_precision()).max(r.bits_precision());
        let wide = |value: &BoxedUint| Zeroizing::new(value.resize(bits));
        let (scalar, factor, order) = (wide(k), wide(r), wide(&self.order));
        if !bool::from(scalar.ct_lt(&order)) {
            return Err(Error::parameter("scalar", "must be below the order"));
        }
        if factor.bits() > self.blinding {
            let reason = alloc::format!("must have at most {} bits", self.blinding);
            return Err(Error::parameter("random factor", reason));
        }
        let multiple = Zeroizing::new(factor.wrapping_add(&*wide(&self.factor)));
        let apart = Zeroizing::new(order.wrapping_sub(&*scalar).wrapping_sub(BoxedUint::one()));
        let (zeros, ones) = (multiple.trailing_zeros(), multiple.trailing_ones());
        // Computes both conditions without a branch between them. Which k are rejected reveals almost nothing
        // about other k.
        let small = (zeros >= 2) & (scalar.bits() <= zeros);
        let large = (ones >= 2) & (apart.bits() <= ones);
        if small | large {
            return Err(Error::parameter("random factor", "it does not suit this scalar: draw another one"));
        }
        Ok(scalar.wrapping_add(&*Zeroizing::new(factor.wrapping_mul(&*order))))
    }
}
