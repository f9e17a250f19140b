//! How a core splits multiplicands into chunks, and the resulting constants.

use crypto_bigint::{BoxedUint, Resize};
use moduli::Error;
use moduli_rns::{base::Base, channels::Residues};

use super::{
    bits::Bits,
    core::{Core, Inverter},
};

/// The most bits of a chunk of a multiplicand, which a multiplier tile supports.
const MAX_CHUNK: u32 = 18;

/// The most reductions of a Rower after the first.
const MAX_EXTRA_FOLDS: u32 = 4;

/// How multiplicands are split, and how sums of products are reduced.
pub struct Chunks {
    pub count: u32,
    pub width: u32,
    pub extra_folds: u32,
}

impl Chunks {
    /// For multiplicands below 2^(w+1) in the bases of a core.
    pub fn new(core: &Core, first: &Base) -> Result<Self, Error> {
        let bits = core.shape.width + 1;
        let count = bits.div_ceil(MAX_CHUNK);
        let width = bits.div_ceil(count);
        let channels = core.shape.channels as u128;
        // The products of an extension; or those of an operand's digits and P, and the three of a
        // new cofactor.
        let products = match (&core.products, &core.inverter) {
            (Some(_), _) => channels + u128::from(count) + 1,
            (None, Inverter::DivisionSteps(_)) => (channels + 1).max(3),
            (None, _) => 1,
        };
        let r = complements(core, first).max().unwrap_or(0);
        let top = (1u128 << core.shape.width) - 1;
        let fold = |bound: u128| top + (bound >> core.shape.width) * u128::from(r);
        let mut bound = fold(products * u128::from(count) * ((1 << width) - 1) * top + top);
        for extra_folds in 0..=MAX_EXTRA_FOLDS {
            if bound <= top || (bound >> core.shape.width <= 1 && bound - (top + 1) + u128::from(r) <= top) {
                return Ok(Self { count, width, extra_folds });
            }
            bound = fold(bound);
        }
        let reason = format!(
            "{products} products of {bits} bits are not reduced by {MAX_EXTRA_FOLDS} folds; wider moduli are"
        );
        Err(Error::parameter("width", reason))
    }

    /// The constants of all chunks for a multiplier in every channel.
    pub fn expansions(&self, base: &Base, multiplier: &[u64]) -> Vec<Bits> {
        let chunks: Vec<Residues> = (0..self.count).map(|k| self.shifted(base, multiplier, k)).collect();
        let word = |i: usize| chunks.iter().fold(Bits::new(), |word, chunk| word.and(chunk[i], base.width()));
        (0..base.count()).map(word).collect()
    }

    /// A multiplier times 2^(k·chunk).
    pub fn shifted(&self, base: &Base, multiplier: &[u64], k: u32) -> Residues {
        let precision = (k * self.width + 1).next_multiple_of(64);
        let mut power = base.to_residues(&BoxedUint::one().resize(precision).shl(k * self.width));
        base.channels().multiply(&mut power, multiplier, &mut ());
        power
    }
}

/// The r_i of all bases of the core.
pub fn complements<'a>(core: &'a Core, first: &'a Base) -> impl Iterator<Item = u64> + 'a {
    let second = core.products.as_ref().map(|products| products.bases()[1]);
    std::iter::once(first).chain(second).flat_map(|base| base.channels().complements().iter().copied())
}
