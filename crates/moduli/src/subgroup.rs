//! Membership in subgroups: one value, many values at once, and untrusted public values.
//!
//! A subgroup is given by its exponent q: its members are the x with x^q = 1 modulo an odd modulus, prime or
//! composite. For prime q and modulus that is the group of order q.

use alloc::{vec, vec::Vec};
use crypto_bigint::{BoxedUint, Choice, CtEq, JacobiSymbol, rand_core::TryCryptoRng};
use zeroize::Zeroizing;

use crate::{
    error::{Error, MembershipError},
    modulus::Modulus,
};
use moduli_kernel::{Session, Words, limbs};

/// Whether 0 < x < p and x^order = 1 modulo p. Constant-time in `x`.
///
/// Cost: one exponentiation by the declared precision of `order`.
pub fn is_member(modulus: &Modulus, order: &BoxedUint, x: &BoxedUint) -> Choice {
    let in_range = Zeroizing::new(modulus.reduce(x)).ct_eq(x) & x.is_nonzero();
    in_range & modulus.element(x).pow(order).ct_eq(&modulus.element(&BoxedUint::one()))
}

/// Whether 0 < x < p and x^order = 1 modulo p, for public `x`. Variable-time.
///
/// Cost: one exponentiation by the length of `order`. Modulo a safe prime [`jacobi_vartime`] is far cheaper,
/// and [`validate_public_value_vartime`] uses it.
pub fn is_member_vartime(modulus: &Modulus, order: &BoxedUint, x: &BoxedUint) -> bool {
    is_in_range(modulus, x) && modulus.pow_vartime(x, order).is_ok_and(|power| power == BoxedUint::one())
}

/// Whether all `elements` are members, as by [`is_member_vartime`]. If all are members, the result
/// is true. If some are not, the result is true with a probability of at most 2^−`rounds`.
/// Variable-time.
///
/// Each round multiplies a random subset of the elements and raises the product to `order`.
/// Consider one element that is not a member, and fix the random choices of all others. The powers
/// with and without this element differ by a factor other than 1, or one that has no inverse, so at
/// most one of the two is 1. Each round therefore misses with a probability of at most 1/2, modulo
/// any odd number, whatever `order` and the cofactor are. The rounds are independent. (Random
/// *exponents* instead of subsets would need fewer rounds only if the cofactor has no small factor,
/// which this function does not know.)
///
/// Cost: n elements take n·⌈rounds/w⌉ products and `rounds` exponentiations by `order`; one by one
/// they take n exponentiations. So it pays for n well above `rounds`: at 128 rounds, an order of
/// 256 bits and n = 10 000, an element takes about 22 products instead of 300, and a tenth of the
/// time. One product covers w rounds: it multiplies the element into the bucket of its w random
/// bits. At the end, 2^(w+1) products turn 2^w buckets into w subsets. The number of elements
/// determines w, which is at most 8.
///
/// The creator of the elements must not be able to predict the random bits. Each element needs one
/// random byte for every w rounds.
///
/// # Errors
/// [`Error::Parameter`] for 0 rounds, and when `rng` fails.
pub fn are_members_vartime<R: TryCryptoRng + ?Sized>(
    modulus: &Modulus,
    order: &BoxedUint,
    elements: &[BoxedUint],
    rounds: u32,
    rng: &mut R,
) -> Result<bool, Error> {
    if rounds == 0 {
        return Err(Error::parameter("rounds", "0 given; each round halves the risk, 128 is usual"));
    }
    if !elements.iter().all(|x| is_in_range(modulus, x)) {
        return Ok(false);
    }
    let width = bucket_bits(elements.len(), rounds);
    let mut groups: Vec<SubsetBuckets> = (0..rounds)
        .step_by(width as usize)
        .map(|done| SubsetBuckets::new(modulus, width.min(rounds - done)))
        .collect();
    let mut random = vec![0u8; groups.len()];
    for x in elements {
        rng.try_fill_bytes(&mut random).map_err(Error::random)?;
        let x = modulus.to_montgomery(x);
        for (buckets, &bits) in groups.iter_mut().zip(&random) {
            buckets.multiply(bits, &x);
        }
    }
    Ok(groups.into_iter().flat_map(SubsetBuckets::subsets).all(|subset| {
        modulus
            .pow_vartime(&modulus.from_montgomery(&subset), order)
            .is_ok_and(|power| power == BoxedUint::one())
    }))
}

/// The number w of rounds that share buckets, chosen for the fewest products in total.
fn bucket_bits(elements: usize, rounds: u32) -> u32 {
    let products = |width: u32| u64::from(rounds.div_ceil(width)) * (elements as u64 + (2 << width));
    (1..=8).min_by_key(|&width| products(width)).unwrap_or(1)
}

/// Products of the elements that drew the same random bits. `None` means 1; the elements that drew
/// only zeros are dropped.
struct SubsetBuckets<'a> {
    session: Session<'a>,
    width: u32,
    products: Vec<Option<Words>>,
}

impl<'a> SubsetBuckets<'a> {
    fn new(modulus: &'a Modulus, width: u32) -> Self {
        Self { session: modulus.session(), width, products: vec![None; 1 << width] }
    }

    /// Records that the element `x` drew the low bits of `bits`.
    fn multiply(&mut self, bits: u8, x: &Words) {
        let bucket = usize::from(bits) & (self.products.len() - 1);
        if bucket != 0 {
            let mut product = self.products[bucket].take();
            self.times(&mut product, x);
            self.products[bucket] = product;
        }
    }

    fn times(&mut self, product: &mut Option<Words>, x: &Words) {
        match product {
            Some(product) => self.session.mul(product, x),
            None => *product = Some(x.clone()),
        }
    }

    /// Returns for each bit, from the highest down, the product of the elements that drew it. The
    /// upper half of the buckets has this bit set. It is then merged into the lower half, which
    /// holds the lower bits.
    fn subsets(mut self) -> Vec<Words> {
        let mut subsets = Vec::new();
        for _ in 0..self.width {
            let upper = self.products.split_off(self.products.len() / 2);
            let mut subset = Some(Words::copy_of(self.session.one()));
            for (bucket, product) in upper.into_iter().enumerate() {
                let Some(product) = product else { continue };
                self.times(&mut subset, &product);
                if bucket != 0 {
                    let mut lower = self.products[bucket].take();
                    self.times(&mut lower, &product);
                    self.products[bucket] = lower;
                }
            }
            subsets.extend(subset);
        }
        subsets
    }
}

/// Validates an untrusted public value `y` (Diffie–Hellman, DSA, ElGamal): 1 < y < p − 1 and y^order = 1
/// modulo the prime p. NIST SP 800-56A, 5.6.2.3.1. Variable-time.
///
/// p must be prime. If p = 2·order + 1, the Jacobi symbol decides (milliseconds at 8192 bits); otherwise one
/// exponentiation by the length of `order`.
///
/// # Errors
/// [`Error::NotInGroup`].
pub fn validate_public_value_vartime(
    modulus: &Modulus,
    order: &BoxedUint,
    y: &BoxedUint,
) -> Result<(), Error> {
    let p = modulus.value().as_ref();
    if limbs::bit_length_vartime(order.as_words()) == 0 {
        return Err(Error::NotInGroup(MembershipError::OrderZero));
    }
    if *y <= BoxedUint::one() {
        return Err(Error::NotInGroup(MembershipError::Trivial));
    }
    if *y >= p.wrapping_sub(BoxedUint::one()) {
        return Err(Error::NotInGroup(MembershipError::TooLarge));
    }
    let member = if *order == p.unbounded_shr_vartime(1) {
        jacobi_vartime(modulus, y).is_one().to_bool()
    } else {
        is_member_vartime(modulus, order, y)
    };
    match member {
        true => Ok(()),
        false => Err(Error::NotInGroup(MembershipError::Outside)),
    }
}

/// The Jacobi symbol (x/p): for prime p, 1 for squares, −1 for others and 0 for multiples of p.
/// Variable-time.
///
/// The binary algorithm, quadratic in the length of p: about 0.7 shifts and subtractions of it for each of
/// its bits.
pub fn jacobi_vartime(modulus: &Modulus, x: &BoxedUint) -> JacobiSymbol {
    let mut n = limbs::to_limbs(modulus.value(), 1);
    let mut x = limbs::to_limbs(&modulus.reduce(x), n.len());
    x.truncate(n.len());
    let mut negative = false;
    while let Some(twos) = strip_twos(&mut x) {
        // (2/n) = −1 for n ≡ ±3 mod 8
        negative ^= twos % 2 == 1 && matches!(n[0] % 8, 3 | 5);
        while x.len() > 1 && x.last() == Some(&0) && n.last() == Some(&0) {
            x.pop();
            n.pop();
        }
        if x.iter().rev().lt(n.iter().rev()) {
            // Reciprocity: both are odd.
            core::mem::swap(&mut x, &mut n);
            negative ^= x[0] % 4 == 3 && n[0] % 4 == 3;
        }
        let mut borrow = false;
        for (x, &n) in x.iter_mut().zip(n.iter()) {
            let (difference, first) = x.overflowing_sub(n);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            (*x, borrow) = (difference, first | second);
        }
    }
    match (limbs::bit_length_vartime(&n) == 1, negative) {
        (false, _) => JacobiSymbol::Zero,
        (true, false) => JacobiSymbol::One,
        (true, true) => JacobiSymbol::MinusOne,
    }
}

/// Shifts out the trailing zeros and returns their number, or `None` for zero.
fn strip_twos(x: &mut [u64]) -> Option<u32> {
    let zero_limbs = x.iter().position(|&limb| limb != 0)?;
    let bits = x[zero_limbs].trailing_zeros();
    for i in 0..x.len() {
        let low = x.get(i + zero_limbs).copied().unwrap_or(0);
        let high = x.get(i + zero_limbs + 1).copied().unwrap_or(0);
        x[i] = ((u128::from(high) << 64 | u128::from(low)) >> bits) as u64;
    }
    Some(64 * zero_limbs as u32 + bits)
}

fn is_in_range(modulus: &Modulus, x: &BoxedUint) -> bool {
    x < modulus.value().as_ref() && x.is_nonzero().to_bool()
}
