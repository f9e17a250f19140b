//! Private keys, checked when they are made, and the private operation.

use alloc::format;
use crypto_bigint::{BoxedUint, ConcatenatingMul, CtEq, Resize};
use signature::rand_core::TryCryptoRng;
use std::sync::{Mutex, MutexGuard, PoisonError};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::{
    blinding::{Blinding, Pair, raise_before_last},
    half::{Half, pow_both, reduced_exponent},
    public_key::PublicKey,
};
use crate::{
    error::Error,
    kernel::{Kernel, Step, Words, mask, trace},
    limbs,
    scheme::{
        encoding::{key_error, modulus},
        random::fill,
    },
};

/// A private key with two primes, ready to compute. Wiped on drop; has no `Debug` and no `Clone`; `Send + Sync`.
///
/// Read by [`from_pkcs8_der`](Self::from_pkcs8_der), [`from_pkcs1_der`](Self::from_pkcs1_der) and
/// [`from_pem`](Self::from_pem).
///
/// It keeps a blinding pair behind a lock, so that many threads may share a key: the lock is held for two squarings,
/// and once in 32 operations for the inversion that draws a new pair.
pub struct PrivateKey {
    pub(super) public: PublicKey,
    /// For p and for q.
    pub(super) halves: [Half; 2],
    /// q^(−1) modulo p, loaded, so that a product by it can be stored; and q modulo n, entered.
    pub(super) q_inverse: Words,
    pub(super) q: Words,
    blinding: Mutex<Blinding>,
    blind_exponents: bool,
    #[cfg(feature = "rayon")]
    parallel: bool,
}

/// The kernels of one operation: those of the moduli, or wrappers of them.
#[derive(Clone, Copy)]
pub(super) struct Kernels<'a> {
    pub(super) n: &'a dyn Kernel,
    pub(super) p: &'a dyn Kernel,
    pub(super) q: &'a dyn Kernel,
}

/// What is random about one operation.
pub(super) struct Randomness {
    pair: Pair,
    pub(super) exponents: [Option<u64>; 2],
}

impl PrivateKey {
    /// The key of these numbers: n = p·q for odd p ≠ q, each with a quarter of the bits of n at least;
    /// d·e = 1 modulo p − 1 and q − 1; the conditions of [`PublicKey::new`].
    ///
    /// That p and q are prime is taken on trust: if they are not, every operation ends in [`Error::Fault`].
    /// Not claimed constant-time; cost: two divisions and an inversion, once per key.
    ///
    /// # Errors
    /// [`Error::Key`] saying which condition fails.
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
            let bits = prime.bits_vartime();
            if bits < least {
                return Err(key_error(format!("{name} has {bits} bits; for this n it needs {least}")));
            }
        }
        if !equal(&Zeroizing::new(p.concatenating_mul(q)), n) {
            return Err(key_error("n is not the product of p and q"));
        }
        if equal(p, q) {
            return Err(key_error("p and q are equal"));
        }
        if d >= n {
            return Err(key_error("d is not below n"));
        }
        let bits = public.n().bits();
        let [p_half, q_half] = [half("p", p, d, e, bits)?, half("q", q, d, e, bits)?];
        let p = &p_half.prime;
        let inverse = p.invert(q).map_err(|_| key_error("p and q have a common factor"))?;
        let q_inverse = loaded(p.kernel(), &Zeroizing::new(inverse));
        Ok(Self {
            q: public.n().enter(q),
            q_inverse,
            public,
            halves: [p_half, q_half],
            blinding: Mutex::default(),
            blind_exponents: false,
            #[cfg(feature = "rayon")]
            parallel: false,
        })
    }

    /// [`from_components`](Self::from_components) for a key that says what its CRT values are: d modulo p − 1 and
    /// q − 1, and q^(−1) modulo p.
    pub(super) fn from_all(
        [n, e, d, p, q]: [&BoxedUint; 5],
        exponents: [&BoxedUint; 2],
        coefficient: &BoxedUint,
    ) -> Result<Self, Error> {
        let key = Self::from_components(n, e, d, p, q)?;
        let [p, q] = &key.halves;
        if !equal(&p.exponent, exponents[0]) {
            return Err(key_error("dp is not d modulo p − 1"));
        }
        if !equal(&q.exponent, exponents[1]) {
            return Err(key_error("dq is not d modulo q − 1"));
        }
        let kernel = p.prime.kernel();
        let mut inverse = Words::zero(kernel.limbs());
        kernel.store(&mut inverse, &key.q_inverse, &mut Words::zero(kernel.scratch_words()));
        let inverse = Zeroizing::new(limbs::from_limbs(&inverse));
        if !equal(&inverse, coefficient) {
            return Err(key_error("qinv is not the inverse of q modulo p"));
        }
        Ok(key)
    }

    /// Whether the exponents are blinded too: each becomes itself plus a multiple of p − 1 (or q − 1) by 64 random
    /// bits, drawn anew for every operation. Off by default: constant time does not need it; it hinders whoever averages
    /// many measurements of power or radiation. Cost: 64 squarings and a sixth of that in products for each prime.
    #[must_use]
    pub fn with_exponent_blinding(mut self, blind: bool) -> Self {
        self.blind_exponents = blind;
        self
    }

    /// Whether the exponentiations modulo p and q run on two threads (of rayon's pool, where there is one). Off by
    /// default: it halves the time of one operation, and many operations keep all cores busy without it.
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
    /// Constant-time in the key and in c but for their lengths; blinded with randomness from `rng`, which is drawn once in
    /// 32 operations (and always with [`with_exponent_blinding`](Self::with_exponent_blinding)); the result is
    /// checked against e before it is released. Cost: an exponentiation modulo p and one modulo q, the check (as many
    /// squarings modulo n as e has bits) and some eight products modulo n.
    ///
    /// The result is the padded message itself: whoever removes a padding must do that without telling anyone whether
    /// it was right.
    ///
    /// # Errors
    /// [`Error::Parameter`] if c is not below n, or if the generator fails; [`Error::Fault`] if the result is wrong.
    pub fn decrypt_raw<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        c: &BoxedUint,
    ) -> Result<BoxedUint, Error> {
        self.public.check_below_n(c)?;
        let randomness = self.randomness(rng)?;
        self.compute(self.kernels(), c, &randomness)
    }

    /// m^d mod n: RSASP1 of RFC 8017 (5.2.1), the same function as [`decrypt_raw`](Self::decrypt_raw) under the name
    /// it has for signatures. [`Signer`](super::Signer) pads and signs messages.
    ///
    /// # Errors
    /// As for [`decrypt_raw`](Self::decrypt_raw).
    pub fn sign_raw<R: TryCryptoRng + ?Sized>(&self, rng: &mut R, m: &BoxedUint) -> Result<BoxedUint, Error> {
        self.decrypt_raw(rng, m)
    }

    /// The operations and addresses of [`decrypt_raw`](Self::decrypt_raw), for the tests of constant time: those modulo
    /// n, then those modulo p, then those modulo q.
    #[doc(hidden)]
    pub fn trace_raw<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        c: &BoxedUint,
    ) -> Result<alloc::vec::Vec<Step>, Error> {
        let randomness = self.randomness(rng)?;
        let kernels = self.kernels();
        let (mut of_p, mut of_q) = (alloc::vec::Vec::new(), alloc::vec::Vec::new());
        let mut steps = Vec::new();
        steps.append(&mut trace(kernels.n, |n| {
            of_p = trace(kernels.p, |p| {
                of_q = trace(kernels.q, |q| self.compute(Kernels { n, p, q }, c, &randomness))?;
                Ok::<(), Error>(())
            })?;
            Ok::<(), Error>(())
        })?);
        steps.append(&mut of_p);
        steps.append(&mut of_q);
        Ok(steps)
    }

    pub(super) fn kernels(&self) -> Kernels<'_> {
        let [p, q] = &self.halves;
        Kernels { n: self.public.n().kernel(), p: p.prime.kernel(), q: q.prime.kernel() }
    }

    pub(super) fn blinding(&self) -> MutexGuard<'_, Blinding> {
        // A panic of another thread leaves a pair or none: both serve.
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
        Ok(Randomness { pair, exponents })
    }

    /// c^d mod n for c below n, checked.
    ///
    /// Values are loaded rather than entered where a product by a residue follows: the product can be stored, which
    /// spares the products that entering and leaving cost.
    pub(super) fn compute(
        &self,
        kernels: Kernels<'_>,
        c: &BoxedUint,
        random: &Randomness,
    ) -> Result<BoxedUint, Error> {
        let Kernels { n, p, q } = kernels;
        let mut scratch = Words::zero(n.scratch_words().max(p.scratch_words()).max(q.scratch_words()));
        let c = limbs::to_limbs(c, n.limbs());
        let c = &c[..n.limbs()];

        let mut power = Words::zero(n.residue_words());
        n.load(&mut power, c, &mut scratch);
        n.mul(&mut power, &random.pair.blinder, &mut scratch);
        let mut value = Words::zero(n.limbs());
        n.store(&mut value, &power, &mut scratch);

        let halves = self.half_powers(kernels, &value, random)?;
        self.recombine(kernels, &mut power, halves, &mut scratch);
        n.mul(&mut power, &random.pair.unblinder, &mut scratch);

        let mut released = Words::zero(n.limbs());
        n.store(&mut released, &power, &mut scratch);
        // What is checked is what is released: the value that was stored, read anew.
        n.enter(&mut power, &released, &mut scratch);
        raise_before_last(&self.public, n, &mut power, &mut scratch);
        let mut last = Words::zero(n.residue_words());
        n.load(&mut last, &released, &mut scratch);
        n.mul(&mut last, &power, &mut scratch);
        n.store(&mut value, &last, &mut scratch);
        let difference = value.iter().zip(c).fold(0, |difference, (a, b)| difference | (a ^ b));
        if mask::equal(difference, 0) == 0 {
            self.blinding().forget();
            return Err(Error::Fault);
        }
        Ok(limbs::from_limbs(&released))
    }

    /// The powers modulo p and modulo q, as residues.
    fn half_powers(
        &self,
        kernels: Kernels<'_>,
        value: &[u64],
        random: &Randomness,
    ) -> Result<[Words; 2], Error> {
        let bits = self.public.n().bits();
        #[cfg(feature = "rayon")]
        if self.parallel {
            let [p, q] = &self.halves;
            let (of_p, of_q) = crate::parallel::join(
                || p.pow(kernels.p, value, bits, random.exponents[0]),
                || q.pow(kernels.q, value, bits, random.exponents[1]),
            );
            return Ok([of_p?, of_q?]);
        }
        pow_both(&self.halves, [kernels.p, kernels.q], value, bits, random.exponents)
    }

    /// `power` ← the value modulo n, loaded, of the residues modulo p and q: m_q + q·((m_p − m_q)·q^(−1) mod p) (Garner; RFC
    /// 8017, 5.1.2).
    fn recombine(
        &self,
        kernels: Kernels<'_>,
        power: &mut [u64],
        [mut of_p, of_q]: [Words; 2],
        scratch: &mut [u64],
    ) {
        let Kernels { n, p, q } = kernels;
        let [half_p, half_q] = &self.halves;
        let mut low = Words::zero(n.limbs());
        let q_limbs = q.limbs();
        q.leave(&mut low[..q_limbs], &of_q, scratch);

        let low_modulo_p = half_p.reduce(p, &low[..q_limbs], half_q.prime.bits(), scratch);
        p.sub(&mut of_p, &low_modulo_p, scratch);
        p.mul(&mut of_p, &self.q_inverse, scratch);
        let mut high = Words::zero(n.limbs());
        p.store(&mut high[..p.limbs()], &of_p, scratch);

        n.load(power, &high, scratch);
        n.mul(power, &self.q, scratch);
        let mut loaded = Words::zero(n.residue_words());
        n.load(&mut loaded, &low, scratch);
        n.add(power, &loaded, scratch);
    }
}

impl ZeroizeOnDrop for PrivateKey {}

impl Drop for Randomness {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.exponents);
    }
}

/// Whether two numbers are equal, whatever their precisions.
fn equal(a: &BoxedUint, b: &BoxedUint) -> bool {
    let precision = a.bits_precision().max(b.bits_precision());
    let [a, b] = [a, b].map(|x| Zeroizing::new(x.resize_unchecked(precision)));
    a.ct_eq(&*b).to_bool()
}

/// A prime with its exponent, if d·e = 1 modulo prime − 1, for values of at most `longest` bits.
fn half(
    name: &'static str,
    prime: &BoxedUint,
    d: &BoxedUint,
    e: &BoxedUint,
    longest: u32,
) -> Result<Half, Error> {
    let modulus = modulus(name, prime)?;
    let wrong = || key_error(format!("d·e is not 1 modulo {name} − 1"));
    let exponent = reduced_exponent(d, prime).ok_or_else(wrong)?;
    let product = Zeroizing::new(exponent.concatenating_mul(e));
    let one = reduced_exponent(&product, prime).ok_or_else(wrong)?;
    if !equal(&one, &BoxedUint::one()) {
        return Err(wrong());
    }
    Ok(Half::new(modulus, &exponent, longest))
}

/// A value below the modulus, loaded.
fn loaded(kernel: &dyn Kernel, value: &BoxedUint) -> Words {
    let value = limbs::to_limbs(value, kernel.limbs());
    let mut residue = Words::zero(kernel.residue_words());
    kernel.load(&mut residue, &value[..kernel.limbs()], &mut Words::zero(kernel.scratch_words()));
    residue
}
