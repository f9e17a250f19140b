//! Powers and inverses modulo an even number, by the Chinese remainder theorem: a [`Modulus`]
//! computes modulo the odd part, and truncated products compute modulo the power of two.

use alloc::vec::Vec;
use core::fmt;
use crypto_bigint::BoxedUint;
use zeroize::Zeroizing;

use crate::{
    error::{Error, ModulusError},
    exponent::{Exponent, Magnitude},
    modulus::{MAX_MODULUS_BITS, Modulus},
};
use moduli_kernel::{limbs, mask};

/// The window in bits, modulo the power of two.
const WINDOW: u32 = 4;

/// An even modulus `m = 2^k·n`, with n odd, of at most [`MAX_MODULUS_BITS`] bits. `Send + Sync`.
///
/// Offers powers and inverses. If you can choose, use an odd modulus: it is faster and offers more.
#[derive(Clone)]
pub struct EvenModulus {
    value: BoxedUint,
    /// n, if it is not 1.
    odd: Option<Modulus>,
    twos: u32,
    /// n, in as many limbs as m has.
    odd_limbs: Vec<u64>,
    /// n^(−1) modulo 2^(64·⌈k/64⌉).
    inverse: Vec<u64>,
}

impl EvenModulus {
    /// Prepares `value`. Variable-time in the modulus, which is public. Cost: that of [`Modulus::new`] for n,
    /// and some products of k bits.
    ///
    /// # Errors
    /// [`Error::Modulus`] for 0 and 1 and for numbers that are too long; [`Error::Parameter`] for another odd
    /// number; [`Error::Kernel`] as [`Modulus::new`].
    pub fn new(value: &BoxedUint) -> Result<Self, Error> {
        let all = limbs::to_limbs(value, 1);
        let bits = limbs::bit_length_vartime(&all);
        if bits < 2 {
            return Err(Error::Modulus(ModulusError::TooSmall));
        }
        if bits > MAX_MODULUS_BITS {
            return Err(Error::Modulus(ModulusError::TooLarge { bits, max: MAX_MODULUS_BITS }));
        }
        let twos = value.trailing_zeros_vartime();
        if twos == 0 {
            return Err(Error::parameter("modulus", "is odd; use Modulus for it"));
        }
        let count = bits.div_ceil(64) as usize;
        let value = limbs::from_limbs(&all[..count]);
        let odd = value.shr_vartime(twos).unwrap_or_else(BoxedUint::one);
        let odd_limbs = limbs::to_limbs(&odd, count)[..count].to_vec();
        let low = twos.div_ceil(64) as usize;
        let inverse = inverse(&odd_limbs[..low]).to_vec();
        let odd = if bits == twos + 1 { None } else { Some(Modulus::new(&odd)?) };
        Ok(Self { value, odd, twos, odd_limbs, inverse })
    }

    /// The modulus itself, at the precision of its own length rounded up to whole limbs.
    pub fn value(&self) -> &BoxedUint {
        &self.value
    }

    /// Its length in bits.
    pub fn bits(&self) -> u32 {
        limbs::bits_vartime(&self.value)
    }

    /// `x^e mod m` for a secret base and a secret exponent; `0^0 = 1`.
    ///
    /// Constant-time in `x` and `e`; reveals their declared precision. Cost: that of [`Modulus::pow`] modulo
    /// n, and 1.25 truncated schoolbook products of k bits for each bit of the exponent, of which at most k +
    /// 1 count. That is negligible for small k, and for large k more than modulo an odd number of that
    /// length.
    ///
    /// ```
    /// # use crypto_bigint::BoxedUint;
    /// # use moduli::EvenModulus;
    /// let m = EvenModulus::new(&BoxedUint::from(1_000_000u64))?;
    /// assert_eq!(m.pow(&BoxedUint::from(3u64), &BoxedUint::from(20u64)), BoxedUint::from(784_401u64));
    /// # Ok::<(), moduli::Error>(())
    /// ```
    pub fn pow<'e>(&self, x: &BoxedUint, e: impl Into<Exponent<'e>>) -> BoxedUint {
        let e = e.into();
        let of_odd = self.odd.as_ref().map(|odd| odd.pow(x, e));
        self.joined(of_odd, &self.power_of_low(x, &e.declared()))
    }

    /// `x^e mod m` for a public base and a public exponent. Variable-time.
    pub fn pow_vartime<'e>(&self, x: &BoxedUint, e: impl Into<Exponent<'e>>) -> BoxedUint {
        let e = e.into();
        let length = limbs::bit_length_vartime(e.declared().limbs());
        // An unsigned exponent needs no inverse. If `pow_vartime` fails, `pow` does not.
        let of_odd = self.odd.as_ref().map(|odd| odd.pow_vartime(x, e).unwrap_or_else(|_| odd.pow(x, e)));
        let short = e.with_bits(length).map_or_else(|_| e.declared(), |e| e.declared());
        if self.vanishes_vartime(x, &short) {
            return self.joined(of_odd, &limbs::zeros(self.inverse.len()));
        }
        self.joined(of_odd, &self.power_of_low(x, &short))
    }

    /// `x^(−1) mod m`. Constant-time. Cost: that of [`Modulus::invert`] modulo n, and modulo 2^k two
    /// truncated schoolbook products of each length that doubling makes of 3 bits, up to k (Newton's
    /// iteration).
    ///
    /// ```
    /// # use crypto_bigint::BoxedUint;
    /// # use moduli::EvenModulus;
    /// let m = EvenModulus::new(&BoxedUint::from(1_000_000u64))?;
    /// assert_eq!(m.invert(&BoxedUint::from(3u64))?, BoxedUint::from(666_667u64));
    /// # Ok::<(), moduli::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotInvertible`] if `gcd(x, m) ≠ 1`; the factor is not reported, because `x` may be secret.
    pub fn invert(&self, x: &BoxedUint) -> Result<BoxedUint, Error> {
        let of_odd = self.odd.as_ref().map(|odd| odd.invert(x)).transpose();
        let (of_low, exists) = self.inverse_of_low(x);
        match of_odd {
            Ok(of_odd) if exists == 1 => Ok(self.joined(of_odd, &of_low)),
            _ => Err(Error::NotInvertible { gcd: None }),
        }
    }

    /// `x^(−1) mod m` for public `x`. Variable-time; Euclid's algorithm on leading bits, as
    /// [`Modulus::invert_vartime`].
    ///
    /// # Errors
    /// [`Error::NotInvertible`] with the common factor.
    pub fn invert_vartime(&self, x: &BoxedUint) -> Result<BoxedUint, Error> {
        crate::invert_vartime(x, &self.value)
    }

    /// x^(−1) modulo 2^k, in whole limbs, with 1; or an arbitrary number with 0 if x is even.
    /// Constant-time.
    fn inverse_of_low(&self, x: &BoxedUint) -> (Zeroizing<Vec<u64>>, u64) {
        let mut x = limbs::to_limbs(x, self.inverse.len());
        x.truncate(self.inverse.len());
        (inverse(&x), x[0] & 1)
    }

    /// Whether x^e is 0 modulo 2^k. Each factor x contributes its factors of two.
    fn vanishes_vartime(&self, x: &BoxedUint, e: &Magnitude) -> bool {
        let twos = match bool::from(x.is_zero()) {
            true => self.twos,
            false => x.trailing_zeros_vartime(),
        };
        let (low, high) = e.limbs().split_first().unwrap_or((&0, &[]));
        let least = if high.iter().any(|&limb| limb != 0) { u64::MAX } else { *low };
        least.saturating_mul(u64::from(twos)) >= u64::from(self.twos)
    }

    /// x^e modulo 2^k, in whole limbs, by fixed windows. Constant-time.
    fn power_of_low(&self, x: &BoxedUint, e: &Magnitude) -> Zeroizing<Vec<u64>> {
        let count = self.inverse.len();
        let e = self.shortened(e);
        let mut base = limbs::to_limbs(x, count);
        base.truncate(count);
        // x^0, x^1, …, consecutive in memory.
        let mut table = limbs::zeros(count << WINDOW);
        table[0] = 1;
        for i in 1..1 << WINDOW {
            let (before, entry) = table.split_at_mut(i * count);
            multiply(&mut entry[..count], &before[(i - 1) * count..], &base);
        }
        let [mut power, mut product, mut found] = [(); 3].map(|()| limbs::zeros(count));
        power[0] = 1;
        for window in (0..e.bits().div_ceil(WINDOW)).rev() {
            for _ in 0..WINDOW {
                multiply(&mut product, &power, &power);
                core::mem::swap(&mut power, &mut product);
            }
            let digit = e.digit(window, WINDOW);
            found.fill(0);
            for (i, entry) in (0..).zip(table.chunks_exact(count)) {
                mask::assign(&mut found, entry, mask::equal(i, digit));
            }
            multiply(&mut product, &power, &found);
            core::mem::swap(&mut power, &mut product);
        }
        power
    }

    /// An exponent of at most k + 1 bits that gives the same power modulo 2^k: bit k is the OR of
    /// all bits from the k-th on. The powers of odd numbers repeat after at most 2^k, and those of
    /// even numbers are 0 from the k-th on. Constant-time.
    fn shortened(&self, e: &Magnitude) -> Magnitude {
        let (bits, last) = (self.twos + 1, self.twos as usize / 64);
        if e.bits() <= bits {
            return e.clone();
        }
        let mut short = limbs::zeros(bits.div_ceil(64) as usize);
        let count = short.len();
        short.copy_from_slice(&e.limbs()[..count]);
        let place = self.twos % 64;
        let beyond = e.limbs()[last + 1..].iter().fold(e.limbs()[last] >> place, |all, limb| all | limb);
        short[last] &= (1 << place) - 1;
        short[last] |= (mask::equal(beyond, 0) & 1 ^ 1) << place;
        Magnitude::new(short, bits)
    }

    /// The number that has these remainders modulo n and modulo 2^k. Constant-time.
    fn joined(&self, of_odd: Option<BoxedUint>, of_low: &[u64]) -> BoxedUint {
        let (count, low) = (self.odd_limbs.len(), self.inverse.len());
        let of_odd = Zeroizing::new(of_odd.unwrap_or_else(BoxedUint::zero));
        let odd = limbs::to_limbs(&of_odd, count);
        let mut difference = Zeroizing::new(of_low.to_vec());
        let mut borrow = 0;
        for (limb, &odd) in difference.iter_mut().zip(odd.iter()) {
            let all = u128::from(*limb).wrapping_sub(u128::from(odd)).wrapping_sub(borrow);
            (*limb, borrow) = (all as u64, all >> 127);
        }
        let mut factor = limbs::zeros(count);
        multiply(&mut factor[..low], &difference, &self.inverse);
        if !self.twos.is_multiple_of(64) {
            factor[low - 1] &= (1 << (self.twos % 64)) - 1;
        }
        let mut number = limbs::zeros(count);
        multiply(&mut number, &self.odd_limbs, &factor);
        let mut carry = 0;
        for (limb, &odd) in number.iter_mut().zip(odd.iter()) {
            let all = u128::from(*limb) + u128::from(odd) + carry;
            (*limb, carry) = (all as u64, all >> 64);
        }
        limbs::from_limbs(&number)
    }
}

/// x^(−1) modulo 2^(64·n) for odd x of n limbs. Constant-time.
fn inverse(x: &[u64]) -> Zeroizing<Vec<u64>> {
    let [mut inverse, mut product, mut better] = [(); 3].map(|()| limbs::zeros(x.len()));
    // An odd number is its own inverse modulo 8, and each step doubles the number of correct bits.
    inverse[0] = x[0];
    let mut right = 3;
    while right < 64 * x.len() {
        right *= 2;
        let product = &mut product[..right.div_ceil(64).min(x.len())];
        multiply(product, x, &inverse);
        // 2 − x·y is ¬(x·y) + 3.
        let mut carry = 3u128;
        for limb in product.iter_mut() {
            carry += u128::from(!*limb);
            (*limb, carry) = (carry as u64, carry >> 64);
        }
        multiply(&mut better[..product.len()], &inverse, product);
        core::mem::swap(&mut inverse, &mut better);
    }
    inverse
}

/// The low limbs of a·b, as many as `out` has. a and b must have at least as many. Constant-time.
fn multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    out.fill(0);
    for (i, &a) in a[..out.len()].iter().enumerate() {
        let mut carry = 0;
        for (limb, &b) in out[i..].iter_mut().zip(b) {
            let all = u128::from(a) * u128::from(b) + u128::from(*limb) + carry;
            (*limb, carry) = (all as u64, all >> 64);
        }
    }
}

/// Omits the value, as for a [`Modulus`].
impl fmt::Debug for EvenModulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EvenModulus({} bits, {} of them twos)", self.bits(), self.twos)
    }
}
