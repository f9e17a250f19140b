//! Curves y² = x³ + b with an endomorphism, and scalars that are split into two random halves.
//!
//! Let λ² + λ + 1 ≡ 0 modulo the order n. The map (x, y) ↦ (β·x, y) multiplies points by λ, for one of the
//! cube roots of unity β modulo P. A scalar k is split into halves k1 + λ·k2 ≡ k modulo n (Gallant, Lambert
//! and Vanstone, CRYPTO 2001). All halves of 0 form a lattice with a basis of two short vectors (a1, −b1) and
//! (a2, b2), whose coordinates have about half as many bits as n, with a1·b2 + a2·b1 = n.
//!
//! The halves of k are randomised by s1·(a1, −b1) + s2·(a2, b2), where s1 and s2 have b random bits each. A
//! constant vector of the lattice makes the highest bit of both halves 1. The program
//! `hdl/programs/endomorphism.rns` multiplies a point by such a scalar.

use crypto_bigint::{BoxedUint, CtLt, NonZero, Resize};
use zeroize::Zeroizing;

use moduli::Error;

/// The largest sum of the first or of the second coordinates of both vectors.
fn spread(coordinates: &[[BoxedUint; 2]; 2]) -> BoxedUint {
    let [a, b] = coordinates.each_ref().map(|[first, second]| first.wrapping_add(second));
    a.max(b)
}

/// The multiplication by λ on a group of order n, and the lattice that splits scalars.
#[derive(Clone, Debug)]
pub struct Endomorphism {
    order: BoxedUint,
    lambda: BoxedUint,
    /// a1, a2.
    a: [BoxedUint; 2],
    /// b1, b2.
    b: [BoxedUint; 2],
}

impl Endomorphism {
    /// Finds the lattice for an order n and λ, which are public.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless λ < n and λ² + λ + 1 ≡ 0 modulo n.
    pub fn new(order: &BoxedUint, lambda: &BoxedUint) -> Result<Self, Error> {
        let wrong = || Error::parameter("lambda", "must be a root of X² + X + 1 modulo the order");
        let bits = 2 * order.bits_vartime().max(lambda.bits_vartime()) + 64;
        let [order, lambda] = [order, lambda].map(|value| value.resize(bits));
        let n = NonZero::new(order.clone()).into_option().ok_or_else(wrong)?;
        let sum = lambda.wrapping_mul(&lambda).wrapping_add(&lambda).wrapping_add(BoxedUint::one());
        if lambda >= order || !bool::from(sum.rem_vartime(&n).is_zero()) {
            return Err(wrong());
        }
        // Remainders r of Euclid's algorithm on n and λ are t·λ modulo n, with alternating signs of t.
        let zero = BoxedUint::zero().resize(bits);
        let (mut last, mut next) =
            ([order.clone(), zero.clone()], [lambda.clone(), zero.wrapping_add(BoxedUint::one())]);
        let mut is_negative = true; // the second coordinate of `next`, which is −t
        let mut best: Option<[[BoxedUint; 2]; 2]> = None;
        while let Some(divisor) = NonZero::new(next[0].clone()).into_option() {
            let (first, second) = if is_negative { (&next, &last) } else { (&last, &next) };
            let found = [0, 1].map(|at| [first[at].clone(), second[at].clone()]);
            // Any two that follow each other are a basis; the shortest is one of these.
            if best.as_ref().is_none_or(|best| spread(&found) < spread(best)) {
                best = Some(found);
            }
            let (quotient, remainder) = last[0].div_rem_vartime(&divisor);
            let factor = last[1].wrapping_add(quotient.wrapping_mul(&next[1]));
            last = core::mem::replace(&mut next, [remainder, factor]);
            is_negative = !is_negative;
        }
        let [a, b] = best.ok_or_else(wrong)?;
        Ok(Self { order, lambda, a, b })
    }

    /// Returns the order n.
    pub fn order(&self) -> &BoxedUint {
        &self.order
    }

    /// Returns λ.
    pub fn lambda(&self) -> &BoxedUint {
        &self.lambda
    }

    /// Returns b, the number of bits of s1 and of s2, for halves of `bits` bits, or `None` if halves cannot
    /// have this many bits. They need a few more than half as many as n, and must have two fewer than n.
    pub fn random_bits(&self, bits: u32) -> Option<u32> {
        let spread = spread(&[self.a.clone(), self.b.clone()]);
        let fits = |random: &u32| {
            let most = BoxedUint::one().resize(spread.bits_precision() + 64).shl(*random);
            most.wrapping_add(BoxedUint::one()).wrapping_mul(&spread).bits_vartime() < bits
        };
        let most = self.order.bits_vartime().saturating_sub(2);
        (0..bits).take_while(fits).last().filter(|_| bits <= most)
    }

    /// Splits k into two halves of `bits` bits, randomised by s1 and s2, and returns k1·2^bits + k2.
    ///
    /// s1 and s2 must be random numbers of [`random_bits`](Self::random_bits) bits, and used once.
    /// Constant-time.
    ///
    /// # Errors
    /// [`Error::Parameter`] if k is not below n, a random number has too many bits, or halves cannot have
    /// this many bits.
    pub fn split(&self, k: &BoxedUint, random: [&BoxedUint; 2], bits: u32) -> Result<BoxedUint, Error> {
        let most =
            self.random_bits(bits).ok_or_else(|| Error::parameter("halves", "wrong number of bits"))?;
        let precision = 2 * self.order.bits_precision().max(bits).max(k.bits_precision()) + 64;
        let wide = |value: &BoxedUint| Zeroizing::new(value.resize(precision));
        let scalar = wide(k);
        if !bool::from(scalar.ct_lt(&wide(&self.order))) {
            return Err(Error::parameter("scalar", "must be below the order"));
        }
        if random.iter().any(|factor| factor.bits() > most) {
            return Err(Error::parameter("random factor", alloc::format!("must have at most {most} bits")));
        }
        // The constant vector is near (x, y): the least coordinates for which both halves have that many
        // bits.
        let highest = BoxedUint::one().resize(precision).shl(bits - 1);
        let [a, b] =
            [&self.a, &self.b].map(|pair| [(&pair[0]).resize(precision), (&pair[1]).resize(precision)]);
        let x = highest.wrapping_add(&a[0]).wrapping_add(&a[1]);
        let y = highest.wrapping_add(b[0].shl(most)).wrapping_add(&b[1]);
        let near = x.wrapping_add(y.wrapping_mul((&self.lambda).resize(precision)));
        let [least, above] = self.short(&near.rem_vartime(&self.divisor(precision)?), precision)?;
        let (x, y) = (x.wrapping_sub(&*least), y.wrapping_sub(&*above));
        let [first, second] = self.short(&scalar, precision)?;
        let [s1, s2] = random.map(wide);
        let product = |s: &BoxedUint, by: &BoxedUint| Zeroizing::new(s.wrapping_mul(by));
        let first = Zeroizing::new(first.wrapping_add(&x).wrapping_add(&*product(&s1, &a[0])));
        let first = Zeroizing::new(first.wrapping_add(&*product(&s2, &a[1])));
        let second = Zeroizing::new(second.wrapping_add(&y).wrapping_add(&*product(&s2, &b[1])));
        let second = Zeroizing::new(second.wrapping_sub(&*product(&s1, &b[0])));
        Ok(Zeroizing::new(first.shl(bits)).wrapping_add(&*second))
    }

    fn divisor(&self, precision: u32) -> Result<NonZero<BoxedUint>, Error> {
        let order = NonZero::new((&self.order).resize(precision)).into_option();
        order.ok_or_else(|| Error::parameter("order", "must not be 0"))
    }

    /// The short halves of k < n: from 0 to a1 + a2, and from −b1 to b2, modulo 2^precision.
    fn short(&self, k: &BoxedUint, precision: u32) -> Result<[Zeroizing<BoxedUint>; 2], Error> {
        let divisor = self.divisor(precision)?;
        let scalar = Zeroizing::new(k.resize(precision));
        let times = |x: &BoxedUint, y: &BoxedUint| Zeroizing::new(x.wrapping_mul(y.resize(precision)));
        let nearest = |by: &BoxedUint| Zeroizing::new(times(&scalar, by).wrapping_div(&divisor));
        let [c1, c2] = [nearest(&self.b[1]), nearest(&self.b[0])];
        let first = Zeroizing::new(scalar.wrapping_sub(&*times(&c1, &self.a[0])));
        let first = Zeroizing::new(first.wrapping_sub(&*times(&c2, &self.a[1])));
        let second = Zeroizing::new(times(&c1, &self.b[0]).wrapping_sub(&*times(&c2, &self.b[1])));
        Ok([first, second])
    }
}
