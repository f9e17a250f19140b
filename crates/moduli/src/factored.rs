//! Powers modulo N^k by whoever knows the factors of N = p·q.

use crypto_bigint::{BoxedUint, ConcatenatingMul, CtLt, CtSelect, Resize};
use zeroize::Zeroizing;

use crate::{
    element::Element,
    error::Error,
    exponent::{Exponent, Magnitude},
    modulus::{MAX_MODULUS_BITS, Modulus},
    power::pow_x2,
    primality::{is_probable_prime_vartime, recommended_rounds},
};
#[cfg(feature = "std")]
use moduli_kernel::Trace;
use moduli_kernel::{Words, limbs};

/// N^k = p^k·q^k with its factors known: exponentiation modulo p^k and q^k, recombined (Chinese remainder theorem).
///
/// For the owner of a Paillier key, whose moduli are N and N² (Damgård–Jurik: N^k). Three to four times as fast as
/// [`Modulus::pow`] modulo N^k where exponents are short, and more where they are longer than p^k.
///
/// The primes are secret: they are wiped on drop, there is no `Debug`, and their lengths alone are public. A result that the machine
/// got wrong modulo one of them alone would give them away to whoever knows the right one, and nothing here checks it: where that is to
/// be feared, compare with [`Modulus::pow`], or use [`scheme::rsa`](crate::scheme::rsa), whose keys do.
#[derive(Clone)]
pub struct Factored {
    modulus: Modulus,
    /// For p^k and for q^k.
    halves: [Half; 2],
    /// q^(−k) modulo p^k, and q^k modulo N^k.
    inverse: Element,
    factor: Element,
}

/// A power of a prime.
#[derive(Clone)]
struct Half {
    modulus: Modulus,
    /// p^(k−1)·(p − 1), the order of the group, with a bit more room than p^k needs.
    order: Zeroizing<BoxedUint>,
}

impl Factored {
    /// Of two different odd primes and k ≥ 1.
    ///
    /// Not claimed constant-time; cost: Miller–Rabin tests of p and q and two inversions, once.
    ///
    /// # Errors
    /// [`Error::Parameter`] if p or q is no odd prime, if both are equal, or if k is 0; [`Error::ModulusTooLarge`] for N^k of more than
    /// [`MAX_MODULUS_BITS`] bits.
    pub fn new(p: &BoxedUint, q: &BoxedUint, k: u32) -> Result<Self, Error> {
        if k == 0 {
            return Err(Error::parameter("power", "0; it must be at least 1"));
        }
        let bits = [p, q].map(BoxedUint::bits_vartime);
        let all = u64::from(k) * (u64::from(bits[0]) + u64::from(bits[1]));
        if all > u64::from(MAX_MODULUS_BITS) {
            let bits = u32::try_from(all).unwrap_or(u32::MAX);
            return Err(Error::ModulusTooLarge { bits, max: MAX_MODULUS_BITS });
        }
        for (name, prime, bits) in [("p", p, bits[0]), ("q", q, bits[1])] {
            if limbs::to_limbs(prime, 1)[0] & 1 == 0
                || !is_probable_prime_vartime(prime, recommended_rounds(bits))
            {
                return Err(Error::parameter(name, "is no odd prime"));
            }
        }
        let [p, q] = [(p, bits[0]), (q, bits[1])].map(|(x, bits)| Zeroizing::new(x.resize_unchecked(bits)));
        if *p == *q {
            return Err(Error::parameter("q", "is p again; the primes must differ"));
        }
        let halves = [Half::new(&p, k)?, Half::new(&q, k)?];
        let [of_p, of_q] = [&halves[0], &halves[1]].map(|half| half.modulus.value().as_ref());
        let modulus = Modulus::new(&Zeroizing::new(of_p.concatenating_mul(of_q)))?;
        let inverse = halves[0].modulus.element(of_q).invert()?;
        let factor = modulus.element(of_q);
        Ok(Self { modulus, halves, inverse, factor })
    }

    /// N^k, which is public, for everything else that is computed modulo it.
    pub fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    /// `x^e mod N^k`, for a secret base and a secret exponent; `0^0 = 1`, and x need not be coprime to N.
    ///
    /// Constant-time in x, e and the sign of e; what shows is the declared precision of e and whether it carries a sign. Cost: two
    /// exponentiations of half the length, side by side where the kernel can, with exponents of at most as many bits as p^k and q^k
    /// have, and one.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] for a signed exponent (whatever its sign) and an x that has a factor with N.
    pub fn pow<'e>(&self, x: &BoxedUint, e: impl Into<Exponent<'e>>) -> Result<BoxedUint, Error> {
        let e = e.into();
        let declared = e.declared()?;
        let longest = self.halves.iter().map(|half| half.modulus.bits()).max().unwrap_or_default() + 1;
        let [p, q] = &self.halves;
        let exponents = match e.bits() <= longest {
            true => [declared.clone(), declared],
            false => [p.reduced(declared.limbs(), longest)?, q.reduced(declared.limbs(), longest)?],
        };
        let bases = [p.base(x, &e)?, q.base(x, &e)?];
        let sessions = [p.modulus.session(), q.modulus.session()];
        let [of_p, of_q] = pow_x2(
            [&sessions[0], &sessions[1]],
            [bases[0].residue(), bases[1].residue()],
            [&exponents[0], &exponents[1]],
        )?;
        drop(sessions);
        self.recombined(of_p, of_q)
    }

    /// The value of two residues: m_q + q^k·((m_p − m_q)·q^(−k) mod p^k) (Garner).
    fn recombined(&self, of_p: Words, of_q: Words) -> Result<BoxedUint, Error> {
        let [p, q] = &self.halves;
        let low = Zeroizing::new(Element::from_residue(&q.modulus, of_q).to_uint());
        let difference = Element::from_residue(&p.modulus, of_p).sub(&p.modulus.element(&low))?;
        let high = Zeroizing::new(difference.mul(&self.inverse)?.to_uint());
        let sum = self.modulus.element(&high).mul(&self.factor)?.add(&self.modulus.element(&low))?;
        Ok(sum.to_uint())
    }

    /// The same, and the record of the operations and addresses of all that is computed modulo p^k: what the tests of constant
    /// time compare.
    #[doc(hidden)]
    #[cfg(feature = "std")]
    pub fn traced(&self) -> (Self, Trace) {
        let mut all = self.clone();
        let trace;
        (all.halves[0].modulus, trace) = self.halves[0].modulus.traced();
        (all, trace)
    }
}

impl Half {
    fn new(prime: &BoxedUint, k: u32) -> Result<Self, Error> {
        let mut below = Zeroizing::new(BoxedUint::one());
        for _ in 1..k {
            below = Zeroizing::new(below.concatenating_mul(prime));
        }
        let minus_one = Zeroizing::new(prime.wrapping_sub(BoxedUint::one()));
        let order = Zeroizing::new(below.concatenating_mul(&*minus_one));
        let modulus = Modulus::new(&Zeroizing::new(below.concatenating_mul(prime)))?;
        // A reduced exponent is below twice the order.
        let order = Zeroizing::new((&*order).resize_unchecked(modulus.bits() + 1));
        Ok(Self { modulus, order })
    }

    /// x, or its inverse if the exponent is negative.
    fn base(&self, x: &BoxedUint, e: &Exponent<'_>) -> Result<Element, Error> {
        self.modulus.element(x).signed(e)
    }

    /// An exponent of at most `bits` bits with the same powers: itself if it is below the order, else what is left of it modulo the
    /// order, and the order once more: a base that p divides has no power 0 of its own. Constant-time.
    fn reduced(&self, e: &[u64], bits: u32) -> Result<Magnitude, Error> {
        let e = Zeroizing::new(limbs::from_limbs(e));
        let order = self.order.as_nz_vartime().ok_or(Error::ModulusTooSmall)?;
        let precision = self.order.bits_precision();
        let rest = Zeroizing::new((&*limbs::remainder(&e, order)).resize_unchecked(precision));
        let more = Zeroizing::new(rest.wrapping_add(&*self.order));
        let longest = precision.max(e.bits_precision());
        let [long, order] = [&e, &self.order].map(|x| Zeroizing::new((&**x).resize_unchecked(longest)));
        let chosen = Zeroizing::new(more.ct_select(&rest, long.ct_lt(&order)));
        // Below twice the order, hence below 2^bits.
        let count = bits.div_ceil(64) as usize;
        let mut limbs = limbs::to_limbs(&chosen, count);
        limbs.truncate(count);
        Ok(Magnitude::new(limbs, bits))
    }
}
