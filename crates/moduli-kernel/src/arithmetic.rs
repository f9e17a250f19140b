//! Arithmetic modulo one odd number, with one kernel.

use alloc::{boxed::Box, vec::Vec};
#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
#[cfg(feature = "std")]
use std::sync::OnceLock;
use zeroize::Zeroizing;

use super::{
    barrett::Barrett,
    contract::Kernel,
    dimensions::Dimensions,
    error::Error,
    inverse::Inverter,
    observer::Observer,
    session::{LaneSession, Session},
    table::KernelChoice,
};

/// Arithmetic modulo one odd number: a kernel with its precomputed constants, reduction and inversion. All
/// data derived from the modulus is wiped on drop.
pub struct Arithmetic {
    choice: KernelChoice,
    kernel: Box<dyn Kernel>,
    dimensions: Dimensions,
    inverter: Inverter,
    barrett: Barrett,
    /// The kernel of [`power_session`](Self::power_session), once it was needed, if it is another one.
    #[cfg(feature = "std")]
    of_powers: OnceLock<Option<Box<dyn Kernel>>>,
    /// The bits of all exponents before.
    #[cfg(feature = "std")]
    raised: AtomicU32,
}

impl Arithmetic {
    /// Prepares an odd modulus > 1, given as little-endian limbs without leading zeros; the caller has
    /// checked it. Variable-time in the modulus. Cost: about a hundred products.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] if `MODULI_KERNEL` names no kernel; [`Error::Unsupported`] if this machine
    /// does not support the kernel.
    pub fn new(modulus: &[u64], choice: KernelChoice) -> Result<Self, Error> {
        let (choice, kernel) = choice.build(modulus)?;
        let dimensions = *kernel.dimensions();
        Ok(Self {
            choice,
            kernel,
            dimensions,
            inverter: Inverter::new(modulus),
            barrett: Barrett::new(modulus),
            #[cfg(feature = "std")]
            of_powers: OnceLock::new(),
            #[cfg(feature = "std")]
            raised: AtomicU32::new(0),
        })
    }

    /// The kernel that was chosen.
    #[inline]
    pub fn choice(&self) -> KernelChoice {
        self.choice
    }

    /// The sizes of residues and prepared operands.
    #[inline]
    pub fn dimensions(&self) -> &Dimensions {
        &self.dimensions
    }

    /// The residue 1.
    #[inline]
    pub fn one(&self) -> &[u64] {
        self.kernel.one()
    }

    /// Whether `words`, read from a file, are consecutive (prepared) residues, as far as single words can
    /// show: every word is one that a product accepts. Variable-time, because tables are public.
    pub fn are_residues_vartime(&self, words: &[u64]) -> bool {
        self.kernel.are_residues_vartime(words)
    }

    /// The number of residues in a row if the kernel has lanes, otherwise 1.
    #[inline]
    pub fn lanes(&self) -> usize {
        self.dimensions.lanes.unwrap_or(1)
    }

    /// The number of residues from which a row is faster than processing them one by one; None without lanes.
    pub fn enough_for_lanes(&self) -> Option<usize> {
        self.kernel.lanes().map(|lanes| lanes.enough())
    }

    /// Creates a session of the kernel, with an observer if one is given. Cost: an allocation.
    #[inline]
    pub fn session<'a>(&'a self, observer: Option<&'a dyn Observer>) -> Session<'a> {
        Session::new(&*self.kernel, &self.dimensions, observer)
    }

    /// Creates a session for a power of a single residue to an exponent of `bits` bits, in another form of
    /// residues; None if that is not faster. Residues of one form must not reach sessions of the other.
    ///
    /// The other form has constants of its own. They cost about as much as it saves in an exponentiation by
    /// half as many bits as the modulus has, so they are computed when the exponents have had as many
    /// bits in total. This is variable-time in the modulus. Otherwise, the cost is an allocation.
    pub fn power_session<'a>(&'a self, bits: u32, observer: Option<&'a dyn Observer>) -> Option<Session<'a>> {
        #[cfg(feature = "std")]
        {
            let half = 32 * self.barrett.modulus().len() as u32;
            let is_enough = || self.raised.fetch_add(bits, Relaxed).saturating_add(bits) >= half;
            if self.of_powers.get().is_some() || is_enough() {
                self.prepare_powers();
            }
            let kernel = self.of_powers.get()?.as_deref()?;
            Some(Session::new(kernel, kernel.dimensions(), observer))
        }
        #[cfg(not(feature = "std"))]
        {
            let _ = (bits, observer);
            None
        }
    }

    /// Computes the constants of [`power_session`](Self::power_session) now, for a secret modulus.
    /// Variable-time in the modulus. Cost: about what their form saves in an exponentiation by half as many
    /// bits as the modulus has.
    pub fn prepare_powers(&self) {
        #[cfg(feature = "std")]
        self.of_powers.get_or_init(|| self.choice.for_powers(self.barrett.modulus()));
    }

    /// Creates a session of the kernel's lanes, if it has lanes.
    #[inline]
    pub fn lane_session<'a>(&'a self, observer: Option<&'a dyn Observer>) -> Option<LaneSession<'a>> {
        Some(LaneSession::new(self.kernel.lanes()?, observer))
    }

    /// `x ← x mod modulus`, in the low limbs of x. `x` has one limb more than the modulus and is below
    /// 2^(bits + 63); all numbers with as many limbs as the modulus are. Constant-time. Cost: a row of a
    /// product.
    #[inline]
    pub fn reduce(&self, x: &mut [u64]) {
        self.barrett.reduce(x);
    }

    /// The reduction, for proofs.
    pub(crate) fn barrett(&self) -> &Barrett {
        &self.barrett
    }

    /// The inverse of a value below the modulus, with as many limbs as the modulus, and all ones. If there is
    /// no inverse, arbitrary limbs and zero. Constant-time.
    pub fn invert(&self, value: &[u64]) -> (Zeroizing<Vec<u64>>, u64) {
        self.inverter.invert(value)
    }

    /// The inverse of a value below the modulus, or their common factor. Variable-time.
    ///
    /// # Errors
    /// The common factor, if it is not 1.
    pub fn invert_vartime(&self, value: &[u64]) -> Result<Zeroizing<Vec<u64>>, Zeroizing<Vec<u64>>> {
        self.inverter.invert_vartime(value)
    }

    /// The kernel itself, to measure its costs.
    #[cfg(feature = "std")]
    pub(crate) fn kernel(&self) -> &dyn Kernel {
        &*self.kernel
    }
}
