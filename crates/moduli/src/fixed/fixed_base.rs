//! A fixed base with its table.

use core::{
    fmt,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use crypto_bigint::{BoxedUint, NonZero};

use super::{
    evaluate::{Evaluate, Evaluation, Table, Workspace},
    layout::Layout,
    memory_size::MemorySize,
    shape::Shape,
    storage::Storage,
};
use crate::{
    access::{Indexed, Masked},
    error::{Error, TableError},
    exponent::{Exponent, Magnitude, SignedExponent},
    modulus::Modulus,
    running::{Running, Work, walk},
};
#[cfg(all(test, feature = "dsa"))]
use moduli_kernel::Observer;
use moduli_kernel::{Counts, Session, Words, count, limbs};

/// A base with a table of its powers: computes `g^k mod p` for many exponents `k`.
///
/// Immutable, `Send + Sync`. The base is public (it has a table); exponents are secret, except in calls whose
/// names end in `_vartime`.
///
/// Anyone who chooses the entries of a table can compute secret exponents from its results. So a table
/// accepts secret exponents only if it was built here, or opened with a trusted digest, or if all its entries
/// were verified; otherwise calls fail with [`Error::Table`]. Opening verifies by default: see
/// [`super::Expected`].
pub struct FixedBase {
    modulus: Modulus,
    base: BoxedUint,
    shape: Shape,
    layout: Layout,
    table: Storage,
    order: Option<NonZero<BoxedUint>>,
    /// The residue 1, as a table entry.
    one: Words,
    /// base^−(2^t − 1), because a negative exponent −m is (2^t − 1 − m) − (2^t − 1). `None` if the
    /// base has no inverse.
    complement: Option<Words>,
    /// base^(2^t), which is raised to the bits of an exponent beyond the t of the table.
    beyond: BoxedUint,
    /// Whether the entries are known to be the powers of the base, or the caller vouches for them.
    trusted: AtomicBool,
}

/// Omits the entries.
impl fmt::Debug for FixedBase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shape, bytes) = (self.shape, self.table_bytes());
        f.debug_struct("FixedBase")
            .field("modulus", &self.modulus)
            .field("base", &self.base)
            .field("shape", &format_args!("{shape}"))
            .field("table_bytes", &format_args!("{bytes}"))
            .finish_non_exhaustive()
    }
}

impl FixedBase {
    /// Creates a fixed base from a table. `base` must be reduced and nonzero. `trusted` says that
    /// the entries are known to be its powers.
    pub(crate) fn assemble(
        modulus: &Modulus,
        base: BoxedUint,
        shape: Shape,
        table: Storage,
        order: Option<&BoxedUint>,
        trusted: bool,
    ) -> Result<Self, Error> {
        let mut session = modulus.session();
        let split = shape.split() as usize;
        let mut one = Words::zero(session.prepared_words(split));
        session.prepare(&mut one, session.one(), split);
        let layout = Layout::new(&shape);
        let mut fixed = Self {
            modulus: modulus.clone(),
            base,
            shape,
            layout,
            table,
            order: None,
            one,
            complement: None,
            beyond: BoxedUint::one(),
            trusted: AtomicBool::new(trusted),
        };
        let longest = fixed.pow_vartime(&Self::all_ones(shape.exponent_bits()))?;
        fixed.beyond = modulus.mul(&longest, &fixed.base);
        fixed.complement =
            modulus.invert_vartime(&longest).ok().map(|inverse| modulus.to_montgomery(&inverse));
        if let Some(order) = order {
            fixed.set_order(order)?;
        }
        Ok(fixed)
    }

    fn all_ones(bits: u32) -> BoxedUint {
        let mut limbs = alloc::vec![u64::MAX; bits.div_ceil(64) as usize];
        if !bits.is_multiple_of(64) {
            let top = limbs.len() - 1;
            limbs[top] >>= 64 - bits % 64;
        }
        limbs::from_limbs(&limbs)
    }

    fn set_order(&mut self, order: &BoxedUint) -> Result<(), Error> {
        let wrong = |reason: &'static str| Error::parameter("order", reason);
        // A number without limbs is zero, too.
        let order = (limbs::bit_length_vartime(order.as_words()) > 0).then(|| order.to_nz().into()).flatten();
        let order: NonZero<BoxedUint> = order.ok_or_else(|| wrong("is zero; it must be positive"))?;
        if limbs::bits_vartime(&(&*order - &BoxedUint::one())) > self.shape.exponent_bits() {
            return Err(wrong("is longer than the exponents of the table"));
        }
        if self.modulus.pow_vartime(&self.base, &*order)? != BoxedUint::one() {
            return Err(wrong("is not an order of the base: base^order is not 1"));
        }
        self.order = Some(order);
        Ok(())
    }

    /// The modulus.
    pub fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    /// The base, reduced.
    pub fn base(&self) -> &BoxedUint {
        &self.base
    }

    /// The method with its parameters, the split, and the length of exponents.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The order, if it is known.
    pub fn order(&self) -> Option<&BoxedUint> {
        self.order.as_deref()
    }

    /// Whether the table accepts secret exponents: it was built here, or opened with a trusted digest, or all
    /// its entries were verified, or [`FixedBase::trust_unverified_entries`] was called.
    pub fn serves_secret_exponents(&self) -> bool {
        self.trusted.load(Relaxed)
    }

    /// Trusts the entries without a check, at the caller's responsibility.
    ///
    /// The caller guarantees that nobody has written to the table except those who may know the secret
    /// exponents. Anyone who chooses the entries learns from a few results which of them were multiplied, and
    /// in DSA the key.
    #[must_use]
    pub fn trust_unverified_entries(self) -> Self {
        self.trust();
        self
    }

    pub(super) fn trust(&self) {
        self.trusted.store(true, Relaxed);
    }

    /// Rejects secret exponents if an attacker may have chosen the entries.
    pub(crate) fn check_trust<A: Evaluate>(&self) -> Result<(), Error> {
        if A::SECRET && !self.serves_secret_exponents() {
            return Err(Error::Table(TableError::Unverified));
        }
        Ok(())
    }

    /// Reports all operations over the table to the observer from now on.
    #[cfg(all(test, feature = "dsa"))]
    pub(crate) fn observe(&mut self, observer: alloc::sync::Arc<dyn Observer>) {
        self.modulus = self.modulus.observed(observer);
    }

    /// Whether the table is a file mapped into memory, whose pages processes share.
    pub fn is_mapped(&self) -> bool {
        #[cfg(feature = "mmap")]
        return matches!(self.table, Storage::Mapped(_));
        #[cfg(not(feature = "mmap"))]
        false
    }

    /// Whether the table was read from a file for another kernel's layout, and converted in memory.
    pub fn was_converted(&self) -> bool {
        #[cfg(feature = "std")]
        return matches!(self.table, Storage::Converted(_));
        #[cfg(not(feature = "std"))]
        false
    }

    /// The size of the table in bytes, in the kernel's layout.
    pub fn table_bytes(&self) -> MemorySize {
        MemorySize(8 * self.table.words().len() as u64)
    }

    /// The bytes that one exponentiation writes: running value, buckets, scratch.
    pub fn scratch_bytes(&self) -> MemorySize {
        self.shape.scratch_bytes(self.modulus.dimensions())
    }

    pub(crate) fn table(&self) -> Table<'_> {
        Table {
            layout: &self.layout,
            words: self.table.words(),
            split: self.shape.split() as usize,
            one: &self.one,
        }
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The words of the table.
    pub(super) fn words(&self) -> &[u64] {
        self.table.words()
    }

    /// The exponent for the methods: reduced by the order if it is too long, complemented if it is
    /// negative.
    ///
    /// Constant-time: the declared precision determines whether to reduce. For public exponents, an
    /// error reports the length.
    pub(crate) fn exponent<A: Evaluate>(&self, exponent: &SignedExponent<'_>) -> Result<Magnitude, Error> {
        let bits = self.shape.exponent_bits();
        let magnitude = match &self.order {
            Some(order) if exponent.bits() > bits => {
                moduli_kernel::fault!(
                    "a reduction by the order that first looks how long the exponent is",
                    "moduli checkmem::powers::powers_with_an_order",
                    {
                        core::hint::black_box(limbs::bits_vartime(exponent.magnitude()));
                    }
                );
                let reduced = limbs::remainder(exponent.magnitude(), order);
                Exponent::from(&*reduced).below(bits)?
            }
            _ => exponent.below(bits).map_err(|error| match error {
                Error::ExponentTooLong { max, .. } if !A::SECRET => {
                    Error::ExponentTooLong { bits: Some(limbs::bits_vartime(exponent.magnitude())), max }
                }
                error => error,
            })?,
        };
        Ok(if exponent.is_signed() { magnitude.complemented(exponent.negative_mask()) } else { magnitude })
    }

    /// base^(2^t), where exponents of the table are below 2^t.
    pub(super) fn beyond(&self) -> &BoxedUint {
        &self.beyond
    }

    /// base^−(2^t − 1), or an error if the base has no inverse.
    pub(crate) fn complement(&self) -> Result<&[u64], Error> {
        self.complement.as_deref().ok_or(Error::NotInvertible { gcd: None })
    }

    /// A session, and reusable buffers for [`FixedBase::run`].
    pub(crate) fn state(&self) -> State<'_> {
        self.state_of(self.modulus.session())
    }

    fn state_of<'a>(&self, session: Session<'a>) -> State<'a> {
        let workspace = self.workspace(&session);
        State { power: session.residue(), value: session.value(), workspace, session }
    }

    pub(crate) fn workspace(&self, session: &Session<'_>) -> Workspace {
        let limbs = self.shape.exponent_bits().div_ceil(64) as usize;
        Workspace::new(session, &self.layout, self.shape.split() as usize, limbs)
    }

    /// base^e.
    pub(crate) fn run<A: Evaluate>(
        &self,
        e: &SignedExponent<'_>,
        state: &mut State<'_>,
    ) -> Result<BoxedUint, Error> {
        self.check_trust::<A>()?;
        let exponent = self.exponent::<A>(e)?;
        let complement = if e.is_signed() { Some(self.complement()?) } else { None };
        let State { session, power, value, workspace } = state;
        let mut work = Work { session, product: Running::within(&mut power[..]) };
        let mut evaluation = Evaluation::<A>::new(self.table(), &exponent, workspace);
        walk(&mut work, &mut evaluation);
        evaluation.multiply_digits(&mut work);
        if let Some(complement) = complement {
            evaluation.multiply_if(&mut work, e.negative_mask(), complement);
        }
        let power = work.product.finish(work.session);
        work.session.from_montgomery(value, power);
        Ok(limbs::from_limbs(value))
    }

    /// `base^k mod p` for a secret exponent.
    ///
    /// Constant-time in `k` and its sign: the sequence of operations and the addresses depend only
    /// on the table's shape and on whether `k` carries a sign. Cost: see the plan, or
    /// [`FixedBase::pow_with_counts`].
    ///
    /// # Errors
    /// [`Error::ExponentTooLong`] if `k` does not fit the table and no order is known;
    /// [`Error::NotInvertible`] for a signed exponent if the base has no inverse; [`Error::Table`] if the
    /// entries are unverified.
    pub fn pow<'e>(&self, k: impl Into<SignedExponent<'e>>) -> Result<BoxedUint, Error> {
        self.run::<Masked>(&k.into(), &mut self.state())
    }

    /// `base^k mod p` for a public exponent: reads only the entries that it needs, and skips zero
    /// digits. Variable-time. Accepts unverified entries; if they are wrong, so are the results.
    ///
    /// # Errors
    /// As for [`FixedBase::pow`], except [`Error::Table`].
    pub fn pow_vartime<'e>(&self, k: impl Into<SignedExponent<'e>>) -> Result<BoxedUint, Error> {
        self.run::<Indexed>(&k.into(), &mut self.state())
    }

    /// [`FixedBase::pow`], which also counts the operations. Constant-time.
    ///
    /// # Errors
    /// As for [`FixedBase::pow`].
    pub fn pow_with_counts<'e>(
        &self,
        k: impl Into<SignedExponent<'e>>,
    ) -> Result<(BoxedUint, Counts), Error> {
        self.counted::<Masked>(&k.into())
    }

    /// [`FixedBase::pow_vartime`], which also counts the operations. Variable-time.
    ///
    /// # Errors
    /// As for [`FixedBase::pow_vartime`].
    pub fn pow_with_counts_vartime<'e>(
        &self,
        k: impl Into<SignedExponent<'e>>,
    ) -> Result<(BoxedUint, Counts), Error> {
        self.counted::<Indexed>(&k.into())
    }

    fn counted<A: Evaluate>(&self, k: &SignedExponent<'_>) -> Result<(BoxedUint, Counts), Error> {
        count(|observer| {
            let session = self.modulus.session().observed(Some(observer));
            self.run::<A>(k, &mut self.state_of(session))
        })
    }
}

/// A session and the buffers of an exponentiation, including the result.
pub(crate) struct State<'a> {
    session: Session<'a>,
    power: Words,
    value: Words,
    workspace: Workspace,
}
