//! Powers modulo N^k for the owner of the factors of N = p·q.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, ConcatenatingMul, CtLt, CtSelect, Resize};
use zeroize::Zeroizing;

use super::{
    check::{self, Check, Claim, Reduced},
    factor::{Factor, Sessions, pow_both},
    recombination::Recombination,
};
use crate::{
    error::{Error, ModulusError},
    exponent::{Magnitude, SignedExponent},
    modulus::{MAX_MODULUS_BITS, Modulus},
    primality::{is_probable_prime_vartime, recommended_rounds},
};
use moduli_kernel::{Words, limbs, mask};

/// The longest exponent accepted. Exponents are divided as one number.
const MAX_EXPONENT_BITS: u32 = (1 << 28) - 1;

/// The modulus N^k = p^k·q^k, for the owner of its factors. Powers are computed modulo p^k and q^k, combined
/// by the Chinese remainder theorem, and checked.
///
/// For the owner of a Paillier key, whose moduli are N and N² (Damgård–Jurik: N^k). Three to four times as
/// fast as [`Modulus::pow`] modulo N^k for short exponents, and more for exponents longer than p^k.
///
/// The primes are secret: they are wiped on drop, and there is no `Debug`. Only their lengths and those of
/// p^k and p^k·r are public.
///
/// # Faults
/// A power that is wrong modulo only one of the primes reveals both to anyone who knows the right power. So
/// every power is checked before it is released. Both halves are also computed modulo another secret prime r
/// of 64 bits, where both must be x^e. The exponents of the halves must be e modulo r, up to multiples of the
/// orders. The result must agree with both halves. A wrong result of any single operation, including the
/// reductions and the recombination, passes with a probability of about 2^(−62), and otherwise gives
/// [`Error::Fault`]. The check does not detect a base, an exponent or primes that were wrong before the call,
/// a result that is corrupted after the check, faults that skip the check itself, and several faults that
/// match.
///
/// Sources: Shamir, rump session of EUROCRYPT 97; Aumüller, Bier, Fischer, Hofreiter and Seifert, CHES 2002.
/// Cost: moduli longer by 64 bits and about ten products; `docs/benchmarks.md` has measurements.
#[derive(Clone)]
pub struct CrtModulus {
    pub(super) modulus: Modulus,
    /// For p^k and for q^k.
    pub(super) halves: [Half; 2],
    pub(super) recombination: Recombination,
    pub(super) check: Check,
    /// N^k·r. Longer bases are reduced modulo this, which preserves them modulo r.
    pub(super) widest: Zeroizing<BoxedUint>,
}

/// A power of a prime.
#[derive(Clone)]
pub(super) struct Half {
    /// The modulus p^k·r and its constants.
    pub(super) factor: Factor,
    /// The length of p^k in bits.
    bits: u32,
    /// p^(k−1)·(p − 1), the order of the group modulo p^k, at a precision one bit larger than p^k
    /// needs.
    pub(super) order: Zeroizing<BoxedUint>,
}

/// A base and, if the exponent has a sign, its inverse. The one to be raised comes first.
pub(super) struct Base {
    pub(super) limbs: Zeroizing<Vec<u64>>,
    pub(super) inverse: Option<Zeroizing<Vec<u64>>>,
}

/// An exponent, and its reductions for both factors.
pub(super) struct Exponents {
    pub(super) whole: Magnitude,
    pub(super) reduced: [Reduced; 2],
}

impl CrtModulus {
    /// Prepares N^k for two different odd primes and k ≥ 1.
    ///
    /// Not claimed constant-time. Cost: Miller–Rabin tests of p and q, the search for r (a
    /// millisecond) and an inversion.
    ///
    /// # Errors
    /// [`Error::Parameter`] if p or q is not an odd prime, if both are equal, or if k is 0;
    /// [`Error::Modulus`] if N^k has more than [`MAX_MODULUS_BITS`] bits, or if p^k or q^k has more than
    /// [`MAX_MODULUS_BITS`] − 64 bits.
    pub fn new(p: &BoxedUint, q: &BoxedUint, k: u32) -> Result<Self, Error> {
        if k == 0 {
            return Err(Error::parameter("power", "0; it must be at least 1"));
        }
        let bits = [p, q].map(|prime| limbs::bit_length_vartime(prime.as_words()));
        // A lower bound. If it passes, the product is computed and its length checked again.
        let least = u64::from(k) * bits.map(|bits| u64::from(bits.saturating_sub(1))).iter().sum::<u64>() + 1;
        if least > u64::from(MAX_MODULUS_BITS) {
            let bits = u32::try_from(least).unwrap_or(u32::MAX);
            return Err(Error::Modulus(ModulusError::TooLarge { bits, max: MAX_MODULUS_BITS }));
        }
        for (name, prime, bits) in [("p", p, bits[0]), ("q", q, bits[1])] {
            if limbs::to_limbs(prime, 1)[0] & 1 == 0
                || !is_probable_prime_vartime(prime, recommended_rounds(bits))
            {
                return Err(Error::parameter(name, "is not an odd prime"));
            }
        }
        let [p, q] = [(p, bits[0]), (q, bits[1])].map(|(x, bits)| Zeroizing::new(x.resize_unchecked(bits)));
        if *p == *q {
            return Err(Error::parameter("q", "is p again; the primes must differ"));
        }
        let limbs = [&p, &q].map(|prime| limbs::to_limbs(prime, 1));
        Self::with(&p, &q, k, check::pick([&limbs[0], &limbs[1]]))
    }

    /// With a check modulo r. If r is 1, there is no check.
    pub(super) fn with(p: &BoxedUint, q: &BoxedUint, k: u32, r: u64) -> Result<Self, Error> {
        let limbs = [p, q].map(|prime| limbs::to_limbs(prime, 1));
        let [of_p, of_q] = [power(p, k), power(q, k)];
        let modulus = Modulus::new(&Zeroizing::new(of_p.concatenating_mul(&*of_q)))?;
        let r_wide = Zeroizing::new(BoxedUint::from(r));
        let all = Zeroizing::new(modulus.value().as_ref().concatenating_mul(&*r_wide));
        let widest = Zeroizing::new((&*all).resize_unchecked(limbs::bits_vartime(&all)));
        let longest = widest.bits_precision();
        let halves = [Half::new(p, k, &r_wide, longest)?, Half::new(q, k, &r_wide, longest)?];
        let factors = [&halves[0].factor, &halves[1].factor];
        let recombination = Recombination::new(&modulus, factors, &of_q)?;
        let check = Check::new(r, k, [&limbs[0], &limbs[1]], factors);
        Ok(Self { modulus, halves, recombination, check, widest })
    }

    /// N^k, which is public, for other computations.
    pub fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    /// `x^e mod N^k`, for a secret base and a secret exponent; `0^0 = 1`, and x need not be coprime to N.
    /// Checked before it is released.
    ///
    /// Constant-time in x, e and the sign of e; reveals the declared precision of e, whether it carries a
    /// sign, and whether the check failed. Cost: two exponentiations modulo numbers that are 64 bits longer
    /// than p^k and q^k, side by side if the kernel supports this, with exponents at most one bit longer than
    /// p^k and q^k. A signed exponent also costs an inversion modulo N^k.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] for a signed exponent (whatever its sign) if x and N have a common factor;
    /// [`Error::ExponentTooLong`] for one declared with 2^28 bits or more; [`Error::Fault`] if the result is
    /// wrong.
    pub fn pow<'e>(&self, x: &BoxedUint, e: impl Into<SignedExponent<'e>>) -> Result<BoxedUint, Error> {
        let e = e.into();
        let (base, exponents) = (self.base(x, &e)?, self.exponents(&e)?);
        self.checked(x, &e, &base, &exponents)
    }

    /// The power, checked against x and e.
    pub(super) fn checked(
        &self,
        x: &BoxedUint,
        e: &SignedExponent<'_>,
        base: &Base,
        exponents: &Exponents,
    ) -> Result<BoxedUint, Error> {
        let mut sessions = self.sessions();
        let residues = self.residues(&mut sessions, base, exponents)?;
        let number = self.number(&mut sessions, &residues);
        let claim = Claim {
            base: &base.limbs,
            exponent: exponents.whole.limbs(),
            reduced: &exponents.reduced,
            residues: [&residues[0], &residues[1]],
            number: &number,
        };
        let difference = self.check.difference(&mut sessions, self.factors(), &claim);
        moduli_kernel::fault!("powers by the factors released without a check", "moduli crt::faults", {
            return Ok(limbs::from_limbs(&number));
        });
        if mask::equal(difference | self.base_difference(x, e, base), 0) == 0 {
            return Err(Error::Fault);
        }
        Ok(limbs::from_limbs(&number))
    }

    pub(crate) fn factors(&self) -> [&Factor; 2] {
        [&self.halves[0].factor, &self.halves[1].factor]
    }

    pub(super) fn sessions(&self) -> Sessions<'_> {
        Sessions::new(&self.modulus, self.factors())
    }

    /// x, and its inverse if the exponent has a sign.
    pub(super) fn base(&self, x: &BoxedUint, e: &SignedExponent<'_>) -> Result<Base, Error> {
        let longest = self.widest.bits_precision();
        // A base and its inverse have the same length.
        let least = if e.is_signed() { longest.div_ceil(64) as usize } else { 1 };
        let mut limbs = match x.bits_precision() <= longest {
            true => limbs::to_limbs(x, least),
            false => {
                let widest = self.widest.as_nz_vartime().ok_or(Error::Modulus(ModulusError::TooSmall))?;
                limbs::to_limbs(&limbs::remainder(x, widest), least)
            }
        };
        if !e.is_signed() {
            return Ok(Base { limbs, inverse: None });
        }
        let inverse = Zeroizing::new(self.modulus.invert(&Zeroizing::new(limbs::from_limbs(&limbs)))?);
        let mut inverse = limbs::to_limbs(&inverse, limbs.len());
        mask::swap(&mut limbs, &mut inverse, e.negative_mask());
        Ok(Base { limbs, inverse: Some(inverse) })
    }

    /// Returns zero if the base is x, or its inverse. Constant-time.
    pub(super) fn base_difference(&self, x: &BoxedUint, e: &SignedExponent<'_>, base: &Base) -> u64 {
        let (word, expected) = (self.check.word(&base.limbs), self.check.word(&limbs::to_limbs(x, 1)));
        let Some(inverse) = &base.inverse else { return word ^ expected };
        let found = mask::choose(e.negative_mask(), self.check.word(inverse), word);
        let [base, inverse] = [&base.limbs, inverse].map(|limbs| Zeroizing::new(limbs::from_limbs(limbs)));
        let product = limbs::to_limbs(&Zeroizing::new(self.modulus.mul(&base, &inverse)), 1);
        let one = core::iter::once(1).chain(core::iter::repeat(0));
        product.iter().zip(one).fold(found ^ expected, |all, (&limb, one)| all | (limb ^ one))
    }

    /// The exponent for each factor: reduced if that is shorter, otherwise unchanged.
    pub(super) fn exponents(&self, e: &SignedExponent<'_>) -> Result<Exponents, Error> {
        if e.bits() > MAX_EXPONENT_BITS {
            return Err(Error::ExponentTooLong { bits: Some(e.bits()), max: MAX_EXPONENT_BITS });
        }
        let whole = e.declared();
        let longest = self.halves.iter().map(|half| half.bits).max().unwrap_or_default() + 1;
        let [p, q] = &self.halves;
        let reduced = match e.bits() <= longest {
            true => [(); 2].map(|()| Reduced { rest: whole.clone(), multiple: limbs::zeros(1) }),
            false => [p.reduced(whole.limbs(), longest)?, q.reduced(whole.limbs(), longest)?],
        };
        Ok(Exponents { whole, reduced })
    }

    /// The powers modulo p^k·r and q^k·r.
    pub(super) fn residues(
        &self,
        sessions: &mut Sessions<'_>,
        base: &Base,
        exponents: &Exponents,
    ) -> Result<[Words; 2], Error> {
        let value = (&base.limbs[..], 64 * base.limbs.len() as u32);
        let [p, q] = &exponents.reduced;
        pow_both(self.factors(), sessions, value, [&p.rest, &q.rest])
    }

    /// The number below N^k that has these residues modulo p^k and q^k.
    pub(super) fn number(&self, sessions: &mut Sessions<'_>, [of_p, of_q]: &[Words; 2]) -> Words {
        let loaded = self.recombination.number(sessions, self.factors(), [of_p, of_q]);
        let mut number = sessions.n.value();
        sessions.n.store(&mut number, &loaded);
        number
    }

    /// The secret constants, for a test that classifies them. Omits the kernels' constants of the
    /// factors, and the orders, which are divisors.
    #[cfg(test)]
    pub(crate) fn secrets(&mut self) -> Vec<&mut [u64]> {
        let of_factors = self.halves.iter_mut().flat_map(|half| half.factor.constants());
        let words = of_factors.chain(self.recombination.constants()).map(|words| &mut words[..]);
        words.chain(self.check.secrets()).collect()
    }

    /// Reports the operations modulo N^k and both halves to these observers. The powers are
    /// computed side by side; the observer of the first half receives their operations.
    #[cfg(feature = "internals")]
    pub(crate) fn observe(&mut self, [of_n, of_p, of_q]: [crate::modulus::SharedObserver; 3]) {
        self.modulus = self.modulus.observed(of_n);
        for (half, observer) in self.halves.iter_mut().zip([of_p, of_q]) {
            half.factor.modulus = half.factor.modulus.observed(observer);
        }
    }
}

/// prime^k. The precision is that of the result's public length, not a limb for each factor:
/// products of such widths would recurse deeply for a small prime.
fn power(prime: &BoxedUint, k: u32) -> Zeroizing<BoxedUint> {
    let bits = limbs::bits_vartime(prime);
    (1..=k).fold(Zeroizing::new(BoxedUint::one()), |power, i| {
        let product = Zeroizing::new(power.concatenating_mul(prime));
        Zeroizing::new((&*product).resize_unchecked(i * bits))
    })
}

impl Half {
    fn new(prime: &BoxedUint, k: u32, r: &BoxedUint, longest: u32) -> Result<Self, Error> {
        let (below, whole) = (power(prime, k - 1), power(prime, k));
        let minus_one = Zeroizing::new(prime.wrapping_sub(BoxedUint::one()));
        let order = Zeroizing::new(below.concatenating_mul(&*minus_one));
        let modulus = Modulus::new(&Zeroizing::new(whole.concatenating_mul(r)))?;
        let bits = limbs::bits_vartime(&whole);
        // A reduced exponent is below twice the order.
        let order = Zeroizing::new((&*order).resize_unchecked(bits + 1));
        Ok(Self { factor: Factor::new(modulus, longest), bits, order })
    }

    /// Returns an exponent of at most `bits` bits with the same powers. If e is below the order,
    /// that is e. Otherwise it is e modulo the order, plus the order: so the exponent stays
    /// positive, as a base that p divides requires. Constant-time.
    fn reduced(&self, e: &[u64], bits: u32) -> Result<Reduced, Error> {
        let e = Zeroizing::new(limbs::from_limbs(e));
        let order = self.order.as_nz_vartime().ok_or(Error::Modulus(ModulusError::TooSmall))?;
        let precision = self.order.bits_precision();
        let (quotient, rest) = e.div_rem(order);
        let [quotient, rest] = [quotient, rest].map(Zeroizing::new);
        let rest = Zeroizing::new((&*rest).resize_unchecked(precision));
        let more = Zeroizing::new(rest.wrapping_add(&*self.order));
        let fewer = Zeroizing::new(quotient.wrapping_sub(BoxedUint::one()));
        let longest = precision.max(e.bits_precision());
        let [long, order] = [&e, &self.order].map(|x| Zeroizing::new((&**x).resize_unchecked(longest)));
        let is_short = long.ct_lt(&order);
        let chosen = Zeroizing::new(more.ct_select(&rest, is_short));
        let multiple = Zeroizing::new(fewer.ct_select(&quotient, is_short));
        // Below twice the order, hence below 2^bits.
        let count = bits.div_ceil(64) as usize;
        let mut rest = limbs::to_limbs(&chosen, count);
        rest.truncate(count);
        Ok(Reduced { rest: Magnitude::new(rest, bits), multiple: limbs::to_limbs(&multiple, 1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prime_of_the_check_needs_room_too() {
        let max = MAX_MODULUS_BITS;
        let q = BoxedUint::from(5u64);
        for (p_bits, fits) in [(max - 64, true), (max - 63, false), (max - 3, false)] {
            // `with` does not check primality, so 2^bits − 3 will do. 5 does not divide it.
            let all = BoxedUint::max(p_bits);
            let p = all.shr(all.bits_precision() - p_bits).wrapping_sub(BoxedUint::from(2u64));
            // The largest prime below 2^64.
            let made = CrtModulus::with(&p, &q, 1, u64::MAX - 58);
            match made {
                Err(Error::Modulus(ModulusError::TooLarge { bits, max: most })) => {
                    assert!(!fits && (bits, most) == (p_bits + 64, max));
                }
                made => assert!(fits && made.is_ok()),
            }
        }
    }

    #[test]
    fn bases_that_the_prime_of_the_check_divides() {
        let [p, q] = [89, 107].map(BoxedUint::max);
        let [p, q] =
            [(p, 89), (q, 107)].map(|(x, bits)| x.shr(x.bits_precision() - bits).resize_unchecked(bits));
        let r = u64::MAX - 58;
        let owner = CrtModulus::with(&p, &q, 1, r).unwrap();
        let n = owner.modulus();
        for x in [BoxedUint::from(r), BoxedUint::from(u128::from(r) * 3)] {
            for e in [0, 1, r - 1, r].map(u128::from).into_iter().chain([2 * u128::from(r - 1)]) {
                let e = BoxedUint::from(e);
                assert_eq!(owner.pow(&x, &e).unwrap(), n.pow(&x, &e), "{x}^{e}");
            }
        }
    }
}
