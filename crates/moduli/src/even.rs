//! Powers modulo even numbers: modulo the odd part and the power of two, recombined by the Chinese remainder theorem.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, Resize};
use zeroize::Zeroizing;

use crate::{
    error::Error,
    exponent::{Exponent, Magnitude},
    modulus::{MAX_MODULUS_BITS, Modulus},
};
use moduli_kernel::{limbs, mask};

/// Bits of a window of the powers modulo 2^k.
const WIDTH: u32 = 4;

/// An even modulus N = m·2^k with m odd, of any length up to [`MAX_MODULUS_BITS`]: what [`Modulus`] does not take.
///
/// For programs that are handed any modulus, and protocols modulo 2^k. Cloning copies some numbers. `Send + Sync`.
///
/// ```
/// # use crypto_bigint::BoxedUint;
/// # use moduli::EvenModulus;
/// let n = EvenModulus::new(&BoxedUint::from(1_000u64))?;
/// assert_eq!(n.pow(&BoxedUint::from(7u64), &BoxedUint::from(3u64)), BoxedUint::from(343u64));
/// # Ok::<(), moduli::Error>(())
/// ```
#[derive(Clone)]
pub struct EvenModulus {
    value: BoxedUint,
    /// k, at least 1.
    twos: u32,
    /// None for a power of two.
    odd: Option<Odd>,
}

/// m, and m^(−1) modulo 2^k in ⌈k/64⌉ limbs.
#[derive(Clone)]
struct Odd {
    modulus: Modulus,
    inverse: BoxedUint,
}

impl EvenModulus {
    /// Prepares an even modulus of at least 2. Variable-time in the modulus, which is public. Cost: that of [`Modulus::new`] for the
    /// odd part, and some products of k bits.
    ///
    /// # Errors
    /// [`Error::ModulusOdd`], [`Error::ModulusTooSmall`] for 0, [`Error::ModulusTooLarge`]; [`Error::Kernel`] if `MODULI_KERNEL` names
    /// none.
    pub fn new(value: &BoxedUint) -> Result<Self, Error> {
        let all = limbs::to_limbs(value, 1);
        let bits = limbs::bit_length_vartime(&all);
        if all[0] & 1 == 1 {
            return Err(Error::ModulusOdd);
        }
        if bits == 0 {
            return Err(Error::ModulusTooSmall);
        }
        if bits > MAX_MODULUS_BITS {
            return Err(Error::ModulusTooLarge { bits, max: MAX_MODULUS_BITS });
        }
        let value = limbs::from_limbs(&all[..bits.div_ceil(64) as usize]);
        let twos = value.trailing_zeros_vartime();
        let odd = if bits == twos + 1 {
            None
        } else {
            let modulus = Modulus::new(&value.unbounded_shr_vartime(twos))?;
            let (inverse, _) = low_bits(modulus.value(), twos).invert_mod2k_vartime(twos);
            Some(Odd { modulus, inverse })
        };
        Ok(Self { value, twos, odd })
    }

    /// The modulus, at the precision of its own length rounded up to whole limbs.
    pub fn value(&self) -> &BoxedUint {
        &self.value
    }

    /// k, the number of times that 2 divides the modulus.
    pub fn twos(&self) -> u32 {
        self.twos
    }

    /// The odd part; none for a power of two.
    pub fn odd_part(&self) -> Option<&Modulus> {
        self.odd.as_ref().map(|odd| &odd.modulus)
    }

    /// `x^e mod N` for a secret base and a secret exponent, at the precision of [`value`](Self::value); `0^0 = 1`.
    ///
    /// Constant-time in `x` and in the exponent, as [`Modulus::pow`]; what shows is the declared precision of both. Cost: that of
    /// [`Modulus::pow`] for the odd part, and for an exponent of b bits ⌈5b/4⌉ + 16 products modulo 2^k without a kernel.
    pub fn pow<'e>(&self, x: &BoxedUint, e: impl Into<Exponent<'e>>) -> BoxedUint {
        let e = e.into();
        let power = self.pow_of_two(x, &e.declared());
        self.recombined(power, |modulus| modulus.pow(x, e))
    }

    /// `x^e mod N` for a public base and a public exponent; `0^0 = 1`. Variable-time: the lengths of `x` and `e` count, not their declared
    /// precision. Cost: that of [`Modulus::pow_vartime`] for the odd part, and at most ⌈5k/4⌉ + 16 products modulo 2^k.
    pub fn pow_vartime<'e>(&self, x: &BoxedUint, e: impl Into<Exponent<'e>>) -> BoxedUint {
        let e = e.into();
        let magnitude = limbs::to_limbs(e.magnitude(), 1);
        let bits = limbs::bit_length_vartime(&magnitude);
        let x_limbs = limbs::to_limbs(x, 1);
        // Odd numbers have orders that divide 2^k. An even one to a power of k or more is 0, as it is to the power 2^k.
        let is_odd = x_limbs[0] & 1 == 1;
        let zeroes = !is_odd && (bits > 32 || magnitude[0] >= u64::from(self.twos));
        let power = if zeroes {
            Zeroizing::new(BoxedUint::zero_with_precision(precision(self.twos)))
        } else {
            let kept = bits.min(self.twos).max(1);
            let mut low = limbs::to_limbs(&low_bits(&limbs::from_limbs(&magnitude), kept), 1);
            low.truncate(kept.div_ceil(64) as usize);
            self.pow_of_two(x, &Magnitude::new(low, kept))
        };
        // An exponent without a sign wants no inverse.
        self.recombined(power, |modulus| modulus.pow_vartime(x, e).unwrap_or_else(|_| modulus.pow(x, e)))
    }

    /// `x^e mod 2^k`: fixed windows, all entries read. Constant-time.
    fn pow_of_two(&self, x: &BoxedUint, e: &Magnitude) -> Zeroizing<BoxedUint> {
        let x = Zeroizing::new(low_bits(x, self.twos));
        let one = BoxedUint::one_with_precision(x.bits_precision());
        let size = precision(self.twos).div_ceil(64) as usize;
        let mut entries = Vec::with_capacity(1 << WIDTH);
        entries.push(Zeroizing::new(one.clone()));
        for i in 1..1 << WIDTH {
            entries.push(Zeroizing::new(entries[i - 1].wrapping_mul(&*x)));
        }
        let table: Zeroizing<Vec<u64>> =
            Zeroizing::new(entries.iter().flat_map(|entry| limbs::to_limbs(entry, size).to_vec()).collect());
        let (first, others) = table.split_at(size);
        let mut found = limbs::zeros(size);
        let mut power = Zeroizing::new(one);
        for window in (0..e.bits().div_ceil(WIDTH)).rev() {
            for _ in 0..WIDTH {
                power = Zeroizing::new(power.wrapping_mul(&*power));
            }
            mask::select(&mut found, first, others, e.digit(window, WIDTH));
            power = Zeroizing::new(power.wrapping_mul(&*Zeroizing::new(limbs::from_limbs(&found))));
        }
        Zeroizing::new(low_bits(&power, self.twos))
    }

    /// What is `power` modulo 2^k, and modulo m what `of_odd` says: a + m·((b − a)·m^(−1) mod 2^k). Constant-time.
    fn recombined(
        &self,
        power: Zeroizing<BoxedUint>,
        of_odd: impl FnOnce(&Modulus) -> BoxedUint,
    ) -> BoxedUint {
        let wide = self.value.bits_precision();
        let Some(Odd { modulus, inverse }) = &self.odd else { return (&*power).resize(wide) };
        let of_odd = Zeroizing::new(of_odd(modulus));
        let difference = Zeroizing::new(power.wrapping_sub(&*Zeroizing::new(low_bits(&of_odd, self.twos))));
        let factor = Zeroizing::new(low_bits(&Zeroizing::new(difference.wrapping_mul(inverse)), self.twos));
        let factor = Zeroizing::new((&*factor).resize(wide));
        let multiple = Zeroizing::new(factor.wrapping_mul(modulus.value().as_ref().resize(wide)));
        multiple.wrapping_add(&*Zeroizing::new((&*of_odd).resize(wide)))
    }
}

/// Bits of the whole limbs that hold k bits.
fn precision(bits: u32) -> u32 {
    bits.next_multiple_of(64)
}

/// x mod 2^bits, in whole limbs. Constant-time.
fn low_bits(x: &BoxedUint, bits: u32) -> BoxedUint {
    let count = bits.div_ceil(64) as usize;
    let mut low = limbs::to_limbs(x, count);
    if !bits.is_multiple_of(64) {
        low[count - 1] &= u64::MAX >> (64 - bits % 64);
    }
    limbs::from_limbs(&low[..count])
}
