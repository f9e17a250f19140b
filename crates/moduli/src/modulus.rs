//! An odd modulus and its precomputed constants.

use alloc::{sync::Arc, vec::Vec};
use core::fmt;
use crypto_bigint::{BoxedUint, NonZero, Odd};
use zeroize::Zeroizing;

use moduli_kernel::{
    Arithmetic, Costs, Dimensions, KernelChoice, LaneSession, Maker, Observer, Session, Words, limbs,
};

use crate::error::{Error, ModulusError};

/// An observer of operations on residues, shared by several objects.
pub(crate) type SharedObserver = Arc<dyn Observer>;

/// The longest modulus in bits: enough for the N² of the largest Paillier keys. It also bounds what
/// the header of a file may claim.
pub const MAX_MODULUS_BITS: u32 = 65_536;

/// An odd modulus greater than one, prime or composite, of any length up to [`MAX_MODULUS_BITS`].
///
/// Cloning is cheap: clones share the constants. `Send + Sync`.
#[derive(Clone)]
pub struct Modulus {
    inner: Arc<Inner>,
    observer: Option<SharedObserver>,
}

struct Inner {
    value: Odd<BoxedUint>,
    arithmetic: Arithmetic,
}

impl Drop for Inner {
    /// Wipes the value: the primes of an RSA key are moduli, too.
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.value);
    }
}

impl Modulus {
    /// Prepares `value` for the fastest kernel of this machine (or the one that `MODULI_KERNEL` names).
    ///
    /// Variable-time in the modulus, which is public. Cost: about a hundred products.
    ///
    /// # Errors
    /// [`Error::Modulus`]; [`Error::Kernel`] if `MODULI_KERNEL` names an unknown kernel.
    pub fn new(value: &BoxedUint) -> Result<Self, Error> {
        Self::with_kernel(value, KernelChoice::DETECT)
    }

    /// Like [`Modulus::new`], with the given kernel.
    ///
    /// # Errors
    /// As for [`Modulus::new`].
    pub fn with_kernel(value: &BoxedUint, choice: KernelChoice) -> Result<Self, Error> {
        let all = limbs::to_limbs(value, 1);
        let bits = limbs::bit_length_vartime(&all);
        if bits < 2 {
            return Err(Error::Modulus(ModulusError::TooSmall));
        }
        if all[0] & 1 == 0 {
            return Err(Error::Modulus(ModulusError::Even));
        }
        if bits > MAX_MODULUS_BITS {
            return Err(Error::Modulus(ModulusError::TooLarge { bits, max: MAX_MODULUS_BITS }));
        }
        let trimmed = &all[..bits.div_ceil(64) as usize];
        // `into_odd` would leave a copy behind, and the modulus may be a prime of an RSA key.
        let value =
            Option::from(Odd::new(limbs::from_limbs(trimmed))).ok_or(Error::Modulus(ModulusError::Even))?;
        let inner = Inner { value, arithmetic: Arithmetic::new(trimmed, choice)? };
        Ok(Self { inner: Arc::new(inner), observer: None })
    }

    /// The modulus, at the precision of its length rounded up to whole limbs.
    pub fn value(&self) -> &Odd<BoxedUint> {
        &self.inner.value
    }

    /// Its length in bits.
    pub fn bits(&self) -> u32 {
        limbs::bits_vartime(&self.inner.value)
    }

    /// The name of the kernel that computes.
    pub fn kernel_name(&self) -> &'static str {
        self.kernel().name()
    }

    /// The kernel that computes.
    pub fn kernel(&self) -> KernelChoice {
        self.arithmetic().choice()
    }

    /// The most pieces into which the kernel can split the entries of a table at this length.
    pub fn max_split(&self) -> u32 {
        self.dimensions().max_split as u32
    }

    /// How many residues the kernel computes with side by side, or 1 if it has no lanes. A batch of
    /// powers is fastest if its length is a multiple of this.
    pub fn lanes(&self) -> usize {
        self.arithmetic().lanes()
    }

    /// The number of 64-bit words of a residue in the kernel's form, and of a table entry that is
    /// not split.
    pub fn residue_words(&self) -> usize {
        self.dimensions().residue_words
    }

    /// The arithmetic on words.
    pub(crate) fn arithmetic(&self) -> &Arithmetic {
        &self.inner.arithmetic
    }

    /// The lengths of residues and of prepared operands.
    pub(crate) fn dimensions(&self) -> &Dimensions {
        self.arithmetic().dimensions()
    }

    /// The built-in costs of operations for the kernel at this length, on processors of this machine's maker.
    /// They are the same on every such machine, in nanoseconds of the machine on which they were measured.
    pub fn costs(&self) -> Costs {
        self.costs_by(Maker::of_this_machine())
    }

    /// The built-in costs of operations for the kernel at this length, on processors of a maker. They are the
    /// same on every machine.
    pub fn costs_by(&self, maker: Maker) -> Costs {
        Costs::built_in(self.dimensions(), maker)
    }

    /// The costs of operations on this machine at this moment. Each call measures them: some
    /// milliseconds at 3072 bits, some tens at 15360. The first call also measures the memory,
    /// which takes up to a second and 128 MiB.
    #[cfg(feature = "std")]
    pub fn measured_costs(&self) -> Costs {
        Costs::measured(self.arithmetic())
    }

    /// Checks whether these can be the costs of the kernel at this length.
    ///
    /// # Errors
    /// [`Error::Parameter`] names the cost that does not fit.
    pub fn check_costs(&self, costs: &Costs) -> Result<(), Error> {
        Ok(costs.check(self.dimensions())?)
    }

    /// The same modulus, which reports its operations on Montgomery residues to an observer,
    /// including those of its elements and tables. Where several bases or moduli work together, the
    /// observer of the first receives the operations that they share.
    #[cfg(feature = "internals")]
    pub(crate) fn observed(&self, observer: SharedObserver) -> Self {
        Self { inner: self.inner.clone(), observer: Some(observer) }
    }

    /// A session of the kernel.
    pub(crate) fn session(&self) -> Session<'_> {
        self.arithmetic().session(self.observer.as_deref())
    }

    /// A session for a power of a single residue to an exponent of so many bits, whose residues
    /// have another form than those of [`session`](Self::session); None if that is not faster.
    pub(crate) fn power_session(&self, bits: u32) -> Option<Session<'_>> {
        // For shorter exponents, conversions between the forms take longer than the form saves.
        if bits < 128 {
            return None;
        }
        self.arithmetic().power_session(bits, self.observer.as_deref())
    }

    /// The same for two moduli at a time.
    pub(crate) fn power_session_of_two(&self, bits: u32) -> Option<Session<'_>> {
        self.power_session(bits).filter(|session| session.dimensions().is_faster_for_two())
    }

    /// Computes the constants of [`power_session`](Self::power_session) now. Variable-time in the modulus.
    pub(crate) fn prepare_powers(&self) {
        self.arithmetic().prepare_powers();
    }

    /// A session of the kernel's lanes, if it has lanes.
    pub(crate) fn lane_session(&self) -> Option<LaneSession<'_>> {
        self.arithmetic().lane_session(self.observer.as_deref())
    }

    /// Whether both are the same number on the same kernel, so that their residues are compatible.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
            || (self.inner.value == other.inner.value && self.kernel() == other.kernel())
    }

    /// `x mod p`, at the precision of the modulus. Constant-time in `x`. Cost: negligible if `x` is declared
    /// no longer than the modulus in whole limbs, otherwise a division of the declared lengths.
    pub fn reduce(&self, x: &BoxedUint) -> BoxedUint {
        limbs::from_limbs(&self.reduced_limbs(x))
    }

    /// The limbs of `x mod p`; there are as many as the modulus has. Constant-time.
    pub(crate) fn reduced_limbs(&self, x: &BoxedUint) -> Zeroizing<Vec<u64>> {
        let count = self.dimensions().limbs;
        let mut limbs;
        if x.bits_precision() as usize <= 64 * count {
            limbs = limbs::to_limbs(x, count + 1);
            self.arithmetic().reduce(&mut limbs);
        } else {
            let p: &NonZero<BoxedUint> = self.inner.value.as_nz_ref();
            limbs = limbs::to_limbs(&limbs::remainder(x, p), count);
        }
        limbs.truncate(count);
        limbs
    }

    /// The Montgomery form of `x mod p`. Constant-time.
    pub(crate) fn to_montgomery(&self, x: &BoxedUint) -> Words {
        let mut session = self.session();
        let mut residue = session.residue();
        session.to_montgomery(&mut residue, &self.reduced_limbs(x));
        residue
    }

    /// The value of a Montgomery residue, below p. Constant-time.
    pub(crate) fn from_montgomery(&self, residue: &[u64]) -> BoxedUint {
        let mut session = self.session();
        let mut value = session.value();
        session.from_montgomery(&mut value, residue);
        limbs::from_limbs(&value)
    }

    /// `x·y mod p`. Constant-time. Cost: four products (two of them convert).
    pub fn mul(&self, x: &BoxedUint, y: &BoxedUint) -> BoxedUint {
        let mut product = self.to_montgomery(x);
        self.session().mul(&mut product, &self.to_montgomery(y));
        self.from_montgomery(&product)
    }

    /// `x^(−1) mod p`. Constant-time: division steps (Bernstein and Yang 2019), whose number depends only on
    /// the length of the modulus. Cost: fifty to a hundred products at the lengths of RSA;
    /// `docs/inversion.md` has a table. For many values at once, [`Modulus::invert_batch`] costs three
    /// products each.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] if `gcd(x, p) ≠ 1`; the factor is not reported, because `x` may be secret.
    pub fn invert(&self, x: &BoxedUint) -> Result<BoxedUint, Error> {
        Ok(limbs::from_limbs(&self.inverted_limbs(&self.reduced_limbs(x))?))
    }

    /// [`Modulus::invert`] of a value below p, in as many limbs as p has.
    pub(crate) fn inverted_limbs(&self, value: &[u64]) -> Result<Zeroizing<Vec<u64>>, Error> {
        let (inverse, exists) = self.arithmetic().invert(value);
        if exists == 0 {
            return Err(Error::NotInvertible { gcd: None });
        }
        Ok(inverse)
    }

    /// `x^(−1) mod p` for public `x`. Variable-time. Cost: a half (256 bits) to a third (4096 bits) of
    /// [`Modulus::invert`]'s; Euclid's algorithm on leading bits (Lehmer 1938).
    ///
    /// # Errors
    /// [`Error::NotInvertible`] with the common factor.
    pub fn invert_vartime(&self, x: &BoxedUint) -> Result<BoxedUint, Error> {
        match self.arithmetic().invert_vartime(&self.reduced_limbs(x)) {
            Ok(inverse) => Ok(limbs::from_limbs(&inverse)),
            Err(gcd) => {
                let gcd = limbs::from_limbs(&gcd).to_string_radix_vartime(16);
                Err(Error::NotInvertible { gcd: Some(gcd) })
            }
        }
    }
}

/// Omits the value: the primes of a key are moduli, too.
impl fmt::Debug for Modulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Modulus({} bits, {})", self.bits(), self.kernel_name())
    }
}
