//! Private keys, which are checked on creation, and the private operation.

use alloc::format;
use crypto_bigint::{BoxedUint, ConcatenatingMul, CtEq, Resize};
use signature::rand_core::TryCryptoRng;
use std::sync::{Mutex, MutexGuard, PoisonError};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::{
    blinding::{Blinding, Pair, raise_before_last},
    half::{Half, exponent_bits, reduced_exponent},
    public_key::PublicKey,
};
use crate::{
    crt::{Factor, Recombination, Sessions, pow_both},
    error::Error,
    scheme::{
        encoding::{invalid, modulus},
        random::fill,
    },
};
use moduli_kernel::{Session, Words, limbs, mask};

/// A private key with two primes, ready to compute. Wiped on drop; has no `Debug` and no `Clone`; `Send +
/// Sync`.
///
/// Read by [`from_pkcs8_der`](Self::from_pkcs8_der), [`from_pkcs1_der`](Self::from_pkcs1_der) and
/// [`from_pem`](Self::from_pem).
///
/// It keeps a blinding pair behind a lock, so many threads may share a key. The lock is held for two
/// squarings, and once in 32 operations for the inversion that a new pair needs.
pub struct PrivateKey {
    pub(super) public: PublicKey,
    /// For p and for q.
    pub(super) halves: [Half; 2],
    pub(super) recombination: Recombination,
    blinding: Mutex<Blinding>,
    blind_exponents: bool,
    #[cfg(feature = "rayon")]
    parallel: bool,
}

/// The randomness for one operation.
pub(super) struct Randomness {
    pub(super) pair: Pair,
    pub(super) exponents: [Option<u64>; 2],
}

impl PrivateKey {
    /// Creates the key with these numbers: n = p·q for odd p ≠ q, each with at least a quarter of the bits of
    /// n; d·e = 1 modulo p − 1 and q − 1; the conditions of [`PublicKey::new`].
    ///
    /// It assumes that p and q are prime: if they are not, every operation gives [`Error::Fault`].
    /// Not claimed constant-time; cost: two divisions and an inversion, once per key.
    ///
    /// # Errors
    /// [`Error::Key`], which says which condition fails.
    pub fn from_components(
        n: &BoxedUint,
        e: &BoxedUint,
        d: &BoxedUint,
        p: &BoxedUint,
        q: &BoxedUint,
    ) -> Result<Self, Error> {
        let public = PublicKey::new(n, e)?;
        let least = public.n().bits() / 4;
        for (name, prime) in [("p", p), ("q", q)] {
            let bits = limbs::bit_length_vartime(prime.as_words());
            if bits < least {
                return Err(invalid(format!("{name} has {bits} bits; for this n it needs {least}")));
            }
        }
        if !equal(&Zeroizing::new(p.concatenating_mul(q)), n) {
            return Err(invalid("n is not the product of p and q"));
        }
        if equal(p, q) {
            return Err(invalid("p and q are equal"));
        }
        if d >= n {
            return Err(invalid("d is not below n"));
        }
        let bits = public.n().bits();
        let [p_half, q_half] = [half("p", p, d, e, bits)?, half("q", q, d, e, bits)?];
        let recombination = Recombination::new(public.n(), [&p_half.factor, &q_half.factor], q)
            .map_err(|_| invalid("p and q have a common factor"))?;
        Ok(Self {
            recombination,
            public,
            halves: [p_half, q_half],
            blinding: Mutex::default(),
            blind_exponents: false,
            #[cfg(feature = "rayon")]
            parallel: false,
        })
    }

    /// [`from_components`](Self::from_components) for a key that includes its CRT values: d modulo
    /// p − 1 and q − 1, and q^(−1) modulo p.
    pub(super) fn from_all(
        [n, e, d, p, q]: [&BoxedUint; 5],
        exponents: [&BoxedUint; 2],
        coefficient: &BoxedUint,
    ) -> Result<Self, Error> {
        let key = Self::from_components(n, e, d, p, q)?;
        let [p, q] = &key.halves;
        if !equal(&p.exponent, exponents[0]) {
            return Err(invalid("dp is not d modulo p − 1"));
        }
        if !equal(&q.exponent, exponents[1]) {
            return Err(invalid("dq is not d modulo q − 1"));
        }
        let mut session = p.factor.modulus.session();
        let mut inverse = session.value();
        session.store(&mut inverse, &key.recombination.inverse);
        drop(session);
        let inverse = Zeroizing::new(limbs::from_limbs(&inverse));
        if !equal(&inverse, coefficient) {
            return Err(invalid("qinv is not the inverse of q modulo p"));
        }
        Ok(key)
    }

    /// Sets whether exponents are blinded, too: p − 1 (or q − 1), times 64 bits that are random for every
    /// operation, is added to each. Off by default. Constant time does not need it; it hinders attackers who
    /// average many measurements of power or radiation. Cost: 64 squarings and a sixth of that in products
    /// for each prime.
    #[must_use]
    pub fn with_exponent_blinding(mut self, blind: bool) -> Self {
        self.blind_exponents = blind;
        self
    }

    /// Sets whether the exponentiations modulo p and q run on two threads (of rayon's pool, if
    /// there is one). This halves the time of one operation. Off by default, because many
    /// operations keep all cores busy without it.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn with_parallel_halves(mut self, parallel: bool) -> Self {
        self.parallel = parallel;
        self
    }

    /// The public half.
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// c^d mod n: RSADP of RFC 8017 (5.1.2), by the Chinese remainder theorem.
    ///
    /// Constant-time in the key and in c except for their lengths; blinded with randomness from `rng`, which
    /// is drawn once in 32 operations (and always with
    /// [`with_exponent_blinding`](Self::with_exponent_blinding)); the result is checked against e before it
    /// is released. Cost: an exponentiation modulo p and one modulo q, the check (as many squarings modulo n
    /// as e has bits) and about eight products modulo n.
    ///
    /// The result is the padded message. If you remove the padding, reveal to nobody whether it was valid.
    ///
    /// # Errors
    /// [`Error::Parameter`] if c is not below n, or if the generator fails; [`Error::Fault`] if the result is
    /// wrong.
    pub fn decrypt_raw<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        c: &BoxedUint,
    ) -> Result<BoxedUint, Error> {
        self.public.check_below_n(c)?;
        let randomness = self.randomness(rng)?;
        self.compute(c, &randomness)
    }

    /// m^d mod n: RSASP1 of RFC 8017 (5.2.1), the same function as [`decrypt_raw`](Self::decrypt_raw), under
    /// its name for signatures. [`Signer`](super::Signer) pads and signs messages.
    ///
    /// # Errors
    /// As for [`decrypt_raw`](Self::decrypt_raw).
    pub fn sign_raw<R: TryCryptoRng + ?Sized>(&self, rng: &mut R, m: &BoxedUint) -> Result<BoxedUint, Error> {
        self.decrypt_raw(rng, m)
    }

    /// Reports the operations modulo n, p and q to these observers from now on. If two powers are
    /// computed side by side, the observer of p receives both.
    #[cfg(feature = "internals")]
    pub(crate) fn observe(&mut self, [of_n, of_p, of_q]: [crate::modulus::SharedObserver; 3]) {
        self.public = self.public.observed(of_n);
        for (half, observer) in self.halves.iter_mut().zip([of_p, of_q]) {
            half.factor.modulus = half.factor.modulus.observed(observer);
        }
    }

    pub(super) fn blinding(&self) -> MutexGuard<'_, Blinding> {
        // After a panic in another thread there is a pair or none, and both are valid states.
        self.blinding.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn randomness<R: TryCryptoRng + ?Sized>(&self, rng: &mut R) -> Result<Randomness, Error> {
        let pair = self.blinding().next(&self.public, rng)?;
        let mut exponents = [None; 2];
        if self.blind_exponents {
            for exponent in &mut exponents {
                let mut bytes = Zeroizing::new([0; 8]);
                fill(rng, &mut *bytes)?;
                *exponent = Some(u64::from_le_bytes(*bytes));
            }
        }
        moduli_kernel::fault!("no blinding of exponents where it was asked for", "moduli scheme::rsa", {
            exponents = [None; 2];
        });
        moduli_kernel::fault!("no blinding of the value", "moduli scheme::rsa", {
            let one = || Words::copy_of(self.public.n().arithmetic().one());
            return Ok(Randomness { pair: Pair { blinder: one(), unblinder: one() }, exponents });
        });
        Ok(Randomness { pair, exponents })
    }

    /// c^d mod n for c below n, checked.
    pub(super) fn compute(&self, c: &BoxedUint, random: &Randomness) -> Result<BoxedUint, Error> {
        let mut sessions = self.sessions();
        let c = limbs::to_limbs(c, sessions.n.limbs());
        let value = blinded(&mut sessions.n, &c, random);
        let halves = self.half_powers(&mut sessions, &value, random)?;
        self.released(&mut sessions, &c, random, halves)
    }

    fn factors(&self) -> [&Factor; 2] {
        [&self.halves[0].factor, &self.halves[1].factor]
    }

    pub(super) fn sessions(&self) -> Sessions<'_> {
        Sessions::new(self.public.n(), self.factors())
    }

    /// The result, if its e-th power is c. The arguments are the residues modulo p and q of the
    /// power of the blinded value.
    pub(super) fn released(
        &self,
        sessions: &mut Sessions<'_>,
        c: &[u64],
        random: &Randomness,
        [of_p, of_q]: [Words; 2],
    ) -> Result<BoxedUint, Error> {
        let mut power = self.recombination.number(sessions, self.factors(), [&of_p, &of_q]);
        let n = &mut sessions.n;
        n.mul(&mut power, &random.pair.unblinder);

        let mut released = n.value();
        n.store(&mut released, &power);
        // Checks exactly what is released: the stored value, which is read again.
        n.to_montgomery(&mut power, &released);
        raise_before_last(&self.public, n, &mut power);
        let mut last = n.residue();
        n.load(&mut last, &released);
        n.mul(&mut last, &power);
        let mut value = n.value();
        n.store(&mut value, &last);
        let difference = value.iter().zip(c).fold(0, |difference, (a, b)| difference | (a ^ b));
        moduli_kernel::fault!("results of RSA released without a check", "moduli scheme::rsa::faults", {
            return Ok(limbs::from_limbs(&released));
        });
        if mask::equal(difference, 0) == 0 {
            self.blinding().forget();
            return Err(Error::Fault);
        }
        Ok(limbs::from_limbs(&released))
    }

    /// The powers modulo p and modulo q, as residues.
    fn half_powers(
        &self,
        sessions: &mut Sessions<'_>,
        value: &[u64],
        random: &Randomness,
    ) -> Result<[Words; 2], Error> {
        let bits = self.public.n().bits();
        #[cfg(feature = "rayon")]
        if self.parallel {
            let [p, q] = &self.halves;
            let (of_p, of_q) = crate::parallel::join(
                || p.pow(value, bits, random.exponents[0]),
                || q.pow(value, bits, random.exponents[1]),
            );
            return Ok([of_p?, of_q?]);
        }
        let (longest, [p, q]) = (exponent_bits(&self.halves, random.exponents), &self.halves);
        let exponents =
            [p.exponent(random.exponents[0], longest)?, q.exponent(random.exponents[1], longest)?];
        pow_both(self.factors(), sessions, (value, bits), [&exponents[0], &exponents[1]])
    }
}

impl ZeroizeOnDrop for PrivateKey {}

impl Drop for Randomness {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.exponents);
    }
}

/// c times the blinder, for c below n.
///
/// c is loaded, not converted. A product of a loaded value by a residue can be stored directly,
/// which saves the products for both conversions.
pub(super) fn blinded(n: &mut Session<'_>, c: &[u64], random: &Randomness) -> Words {
    let (mut residue, mut value) = (n.residue(), n.value());
    n.load(&mut residue, &c[..n.limbs()]);
    n.mul(&mut residue, &random.pair.blinder);
    n.store(&mut value, &residue);
    value
}

/// Whether two numbers are equal, whatever their precisions.
fn equal(a: &BoxedUint, b: &BoxedUint) -> bool {
    let precision = a.bits_precision().max(b.bits_precision());
    let [a, b] = [a, b].map(|x| Zeroizing::new(x.resize_unchecked(precision)));
    a.ct_eq(&*b).to_bool()
}

/// A prime with its exponent, for values of at most `longest` bits. Checks d·e = 1 modulo prime −
/// 1.
fn half(
    name: &'static str,
    prime: &BoxedUint,
    d: &BoxedUint,
    e: &BoxedUint,
    longest: u32,
) -> Result<Half, Error> {
    let modulus = modulus(name, prime)?;
    let wrong = || invalid(format!("d·e is not 1 modulo {name} − 1"));
    let exponent = reduced_exponent(d, prime).ok_or_else(wrong)?;
    let product = Zeroizing::new(exponent.concatenating_mul(e));
    let one = reduced_exponent(&product, prime).ok_or_else(wrong)?;
    if !equal(&one, &BoxedUint::one()) {
        return Err(wrong());
    }
    Ok(Half::new(modulus, &exponent, longest))
}
