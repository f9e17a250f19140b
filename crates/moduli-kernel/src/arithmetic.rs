//! Arithmetic modulo one odd number, by one kernel.

use alloc::{boxed::Box, vec::Vec};
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

/// Arithmetic modulo one odd number: a kernel and what is precomputed for it, reduction and inversion. What it holds of the
/// modulus is wiped on drop.
pub struct Arithmetic {
    choice: KernelChoice,
    kernel: Box<dyn Kernel>,
    dimensions: Dimensions,
    inverter: Inverter,
    barrett: Barrett,
}

impl Arithmetic {
    /// For an odd modulus > 1 of little-endian limbs without leading zeros: the caller has checked it. Variable-time in the
    /// modulus. Cost: about a hundred products.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] if `MODULI_KERNEL` names none; [`Error::Unsupported`] if the kernel is not to be had.
    pub fn new(modulus: &[u64], choice: KernelChoice) -> Result<Self, Error> {
        let (choice, kernel) = choice.build(modulus)?;
        let dimensions = *kernel.dimensions();
        Ok(Self {
            choice,
            kernel,
            dimensions,
            inverter: Inverter::new(modulus),
            barrett: Barrett::new(modulus),
        })
    }

    /// The kernel.
    #[inline]
    pub fn choice(&self) -> KernelChoice {
        self.choice
    }

    /// How long residues and prepared operands are.
    #[inline]
    pub fn dimensions(&self) -> &Dimensions {
        &self.dimensions
    }

    /// The residue 1.
    #[inline]
    pub fn one(&self) -> &[u64] {
        self.kernel.one()
    }

    /// Whether `words`, read from a file, are (prepared) residues one after the other, as far as a look at each word tells:
    /// nothing that a product cannot take. Variable-time: tables are public.
    pub fn are_residues_vartime(&self, words: &[u64]) -> bool {
        self.kernel.are_residues_vartime(words)
    }

    /// Residues in a row, where the kernel has lanes, else 1.
    #[inline]
    pub fn lanes(&self) -> usize {
        self.dimensions.lanes.unwrap_or(1)
    }

    /// From how many residues on a row takes less time than they do one by one; None without lanes.
    pub fn enough_for_lanes(&self) -> Option<usize> {
        self.kernel.lanes().map(|lanes| lanes.enough())
    }

    /// The kernel at work, observed by this one if there is one. Cost: an allocation.
    #[inline]
    pub fn session<'a>(&'a self, observer: Option<&'a dyn Observer>) -> Session<'a> {
        Session::new(&*self.kernel, &self.dimensions, observer)
    }

    /// Its lanes at work, if there are any.
    #[inline]
    pub fn lane_session<'a>(&'a self, observer: Option<&'a dyn Observer>) -> Option<LaneSession<'a>> {
        Some(LaneSession::new(self.kernel.lanes()?, observer))
    }

    /// `x ← x mod modulus`, in its low limbs, for an `x` of one limb more than the modulus that is below 2^(bits + 63): all
    /// numbers that have as many limbs as the modulus. Constant-time. Cost: a row of a product.
    #[inline]
    pub fn reduce(&self, x: &mut [u64]) {
        self.barrett.reduce(x);
    }

    /// What reduces: for proofs.
    pub(crate) fn barrett(&self) -> &Barrett {
        &self.barrett
    }

    /// The inverse of a value below the modulus, in as many limbs as the modulus has, and all ones; anything and zero if there is
    /// none. Constant-time.
    pub fn invert(&self, value: &[u64]) -> (Zeroizing<Vec<u64>>, u64) {
        self.inverter.invert(value)
    }

    /// The inverse of a value below the modulus, or the common factor. Variable-time.
    ///
    /// # Errors
    /// The common factor, if it is not 1.
    pub fn invert_vartime(&self, value: &[u64]) -> Result<Zeroizing<Vec<u64>>, Zeroizing<Vec<u64>>> {
        self.inverter.invert_vartime(value)
    }

    /// The kernel itself: what costs are measured of.
    #[cfg(feature = "std")]
    pub(crate) fn kernel(&self) -> &dyn Kernel {
        &*self.kernel
    }
}
