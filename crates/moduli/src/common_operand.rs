//! Products that share an operand: A·B_1 … A·B_ℓ (ARITH 2015, Section III).

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;

use crate::{
    element::Element,
    error::{Error, ModulusError},
    modulus::Modulus,
};
use moduli_kernel::{Words, limbs};

/// An operand that many products share, prepared once: cut into `split` shifted pieces, so that a product by
/// it needs less reduction.
///
/// With as many pieces as the modulus has words of n, this is the paper's MultByComOp: n² + 2n word products
/// in place of 2n² + n, and n residues to store. With s pieces it is n² + (n/s + 1)(n + 1), and s residues: a
/// few pieces bring most of the gain. [`CommonOperand::break_even`] returns the number of products from which
/// the preparation pays.
///
/// Constant-time in all operands; wiped on drop.
///
/// ```
/// use crypto_bigint::BoxedUint;
/// use moduli::{Modulus, common_operand::CommonOperand};
///
/// # fn main() -> Result<(), moduli::Error> {
/// let p = Modulus::new(&BoxedUint::from(1_000_003u64))?;
/// let a = CommonOperand::new(&p.element(&BoxedUint::from(5u64)), 1000);
/// let b = p.element(&BoxedUint::from(7u64));
/// assert_eq!(a.mul(&b)?.to_uint(), BoxedUint::from(35u64));
/// # Ok(())
/// # }
/// ```
pub struct CommonOperand {
    modulus: Modulus,
    split: usize,
    prepared: Words,
}

impl CommonOperand {
    /// Prepares `a` in the number of pieces that costs least, by the cost table of the kernel, for about
    /// `products` consecutive products. The cost does not include the cache that a prepared operand occupies.
    ///
    /// Cost: one to three products and up to half a product for each piece; the first call for a kernel and a
    /// size measures it, some milliseconds.
    pub fn new(a: &Element, products: u64) -> Self {
        Self::prepare(a, cheapest_split(a.modulus(), products))
    }

    /// Prepares `a` in `split` pieces.
    ///
    /// # Errors
    /// [`Error::Parameter`] if `split` is not from 1 to [`Modulus::max_split`].
    pub fn with_split(a: &Element, split: u32) -> Result<Self, Error> {
        Ok(Self::prepare(a, checked(a.modulus(), split)?))
    }

    fn prepare(a: &Element, split: usize) -> Self {
        let modulus = a.modulus().clone();
        let mut session = modulus.session();
        let mut prepared = Words::zero(session.prepared_words(split));
        session.prepare(&mut prepared, a.residue(), split);
        drop(session);
        Self { modulus, split, prepared }
    }

    /// The number of its pieces.
    pub fn split(&self) -> u32 {
        self.split as u32
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        8 * self.prepared.len() as u64
    }

    /// `A·b`. Cost: one product by a prepared operand.
    ///
    /// # Errors
    /// [`Error::Modulus`].
    pub fn mul(&self, b: &Element) -> Result<Element, Error> {
        if !self.modulus.is_same(b.modulus()) {
            return Err(Error::Modulus(ModulusError::Mismatch));
        }
        let mut product = Words::copy_of(b.residue());
        self.modulus.session().mul_prepared(&mut product, &self.prepared, self.split);
        Ok(Element::from_residue(&self.modulus, product))
    }

    /// The number of products from which an operand in `split` pieces is faster than an unprepared one, by
    /// the cost table of the kernel; `None` if it never is.
    ///
    /// # Errors
    /// [`Error::Parameter`] if `split` is not from 1 to [`Modulus::max_split`].
    pub fn break_even(modulus: &Modulus, split: u32) -> Result<Option<u64>, Error> {
        let split = checked(modulus, split)?;
        let costs = modulus.costs();
        let saved = costs.product() - costs.prepared(split);
        Ok((split > 1 && saved > 0.0).then(|| (costs.preparation(split) / saved) as u64 + 1))
    }
}

fn checked(modulus: &Modulus, split: u32) -> Result<usize, Error> {
    let max = modulus.max_split();
    if (1..=max).contains(&split) {
        return Ok(split as usize);
    }
    Err(Error::out_of_range("split", split, [1, max]))
}

/// The split with which `products` products cost least, including the preparation.
fn cheapest_split(modulus: &Modulus, products: u64) -> usize {
    let costs = modulus.costs();
    let time = |split: usize| {
        let preparation = if split == 1 { 0.0 } else { costs.preparation(split) };
        preparation + products as f64 * costs.prepared(split)
    };
    (1..=modulus.dimensions().max_split).min_by(|&a, &b| time(a).total_cmp(&time(b))).unwrap_or(1)
}

impl Element {
    /// `self·b` and `self·c`: the combined pair (ARITH 2015, Algorithm 5). Constant-time. Cost: up to two
    /// products; less where the kernel shares the reduction of the operand.
    ///
    /// # Errors
    /// [`Error::Modulus`].
    pub fn mul_pair(&self, b: &Self, c: &Self) -> Result<[Self; 2], Error> {
        let modulus = self.modulus();
        if !modulus.is_same(b.modulus()) || !modulus.is_same(c.modulus()) {
            return Err(Error::Modulus(ModulusError::Mismatch));
        }
        let [mut x, mut y] = [b, c].map(|factor| Words::copy_of(factor.residue()));
        modulus.session().mul_pair(&mut x, &mut y, self.residue());
        Ok([x, y].map(|product| Self::from_residue(modulus, product)))
    }
}

impl Modulus {
    /// `a·b mod p` for each `b`, in their order. Constant-time in all operands.
    ///
    /// `a` is prepared if that pays for this number of products; otherwise the products are computed in
    /// pairs. Cost: one product for each `b`, and the preparation. Only `a` is in Montgomery form; the other
    /// values go through [`Session::load`](moduli_kernel::Session::load).
    pub fn mul_by_common(&self, a: &BoxedUint, bs: &[BoxedUint]) -> Vec<BoxedUint> {
        let mut session = self.session();
        let load = |b| {
            let mut x = session.residue();
            session.load(&mut x, &self.reduced_limbs(b));
            x
        };
        let mut products: Vec<Words> = bs.iter().map(load).collect();
        let a = self.element(a);
        let split = if bs.len() < 3 { 1 } else { cheapest_split(self, bs.len() as u64) };
        if split > 1 {
            let a = CommonOperand::prepare(&a, split);
            for x in &mut products {
                session.mul_prepared(x, &a.prepared, split);
            }
        } else {
            for products in products.chunks_mut(2) {
                match products {
                    [x, y] => session.mul_pair(x, y, a.residue()),
                    rest => rest.iter_mut().for_each(|x| session.mul(x, a.residue())),
                }
            }
        }
        let mut value = session.value();
        let store = |product: &Words| {
            session.store(&mut value, product);
            limbs::from_limbs(&value)
        };
        products.iter().map(store).collect()
    }
}
