//! Montgomery products of residues, with base extension by the Cox (Kawamura, Koike, Sano, Shimbo, EUROCRYPT
//! 2000).
//!
//! A product X·Y·M^(−1) modulo P uses two bases with the products M and M'. Q̂ = −X·Y·P^(−1) mod M is
//! computed in the first base and extended to the second. There, the result R = (X·Y + Q̂·P)/M is computed,
//! and extended back to the first base. The first extension needs no exact quotient. It yields Q̂ or Q̂ + M,
//! so R < X·Y/M + 2P. If X, Y < 3P and M ≥ 9P, R < 3P, too. The second extension must be exact. With the
//! offset α = 1/2, it is exact for M' > 6P.
//!
//! Residues in the second base are stored times T'^(−1), so that a product gives the digits for the extension
//! back without a further multiplication. A product costs 2n² + 6n elementary multiplications (EMM): 4n for
//! the two products and their two constants, n² for each extension, and n for each multiple of M or M' that a
//! Cox determines. Published counts are 2n² + 4n, because they add these multiples bit by bit.

use alloc::{format, vec::Vec};
use crypto_bigint::{BoxedUint, Resize};
use zeroize::Zeroizing;

use super::{
    base::{Base, BaseShape, Family},
    channels::{Instructions, Residues},
    cox::{Alpha, Cox},
    observe::ChannelObserver,
    word,
};
use moduli::{Error, error::ModulusError};
use moduli_kernel::limbs;

pub use super::schedule::Schedule;

/// A residue modulo P in Montgomery form, X·M modulo P, stored as residues in both bases. The value is below
/// 3P, so it is not unique.
#[derive(Clone)]
pub struct RnsElement {
    /// In the first base.
    pub(super) first: Residues,
    /// In the second base, times T'^(−1).
    pub(super) second: Residues,
}

impl RnsElement {
    /// Returns the residues in the first base.
    pub fn first(&self) -> &[u64] {
        &self.first
    }

    /// Returns the residues in the second base, times T'^(−1).
    pub fn second(&self) -> &[u64] {
        &self.second
    }
}

/// The minimum of M for operands below 3P, in multiples of P.
pub(super) const LEAST_ROOM: u64 = 9;

/// The maximum that can be requested. This multiple of P has at most 8 bits more than P.
const MAX_ROOM: u64 = 255;

/// Montgomery arithmetic modulo an odd P over two bases.
#[derive(Clone)]
pub struct RnsMontgomery {
    prime: BoxedUint,
    first: Base,
    second: Base,
    short: Cox,
    exact: Cox,
    /// −P^(−1)·T^(−1) in the first base.
    reduce_first: Vec<u64>,
    /// T'·M^(−1) in the second base, which converts a product of two scaled residues into one scaled
    /// residue.
    reduce_second: Vec<u64>,
    /// M_i·P·M^(−1)·T'^(−1) in the second base, one row for every modulus of the first.
    forth: Vec<Residues>,
    /// −P·T'^(−1) in the second base.
    forth_excess: Residues,
    /// M'_j in the first base, one row for every modulus of the second.
    back: Vec<Residues>,
    /// −M' in the first base.
    back_excess: Residues,
    /// 1 and M² modulo P.
    one: RnsElement,
    square: RnsElement,
}

impl RnsMontgomery {
    /// Makes the arithmetic for an odd `p` > 1, prime or not, over two bases of the given shape.
    ///
    /// # Errors
    /// [`Error::Modulus`] if `p` is not suitable. [`Error::Parameter`] if there are no two bases of this
    /// shape, with 2n moduli that are coprime to each other and to `p`, and products of at least 9·P. The
    /// error names shapes that are suitable.
    pub fn new(p: &BoxedUint, shape: BaseShape) -> Result<Self, Error> {
        Self::with_family(p, shape, &Family::default(), LEAST_ROOM)
    }

    /// Makes the arithmetic over bases that a plus-minus inversion by divisors of `q` can share.
    ///
    /// The first base can be given to [`super::inverse::Wide::over`] and to the functions of the same name of
    /// the other methods. Moduli are coprime to `q`, and ≡ 1 modulo `q` if there are enough. Products are
    /// above `room`·P.
    ///
    /// # Errors
    /// As for [`RnsMontgomery::new`], with `room` in place of 9. [`Error::Parameter`] if `q` is 0, or if
    /// `room` is below 9 or above 255.
    pub fn for_residues_modulo(p: &BoxedUint, shape: BaseShape, q: u64, room: u64) -> Result<Self, Error> {
        if q == 0 {
            return Err(Error::parameter("Q", "0; the minimum is 1"));
        }
        Self::with_family(p, shape, &Family::for_residues_modulo(q), room)
    }

    /// Makes the arithmetic over moduli of a family, with products above `room`·P. Moduli are coprime to `p`,
    /// whatever the `value` of the family is.
    ///
    /// # Errors
    /// As for [`RnsMontgomery::new`], with `room` in place of 9. [`Error::Parameter`] if `room` is below 9 or
    /// above 255.
    pub fn with_family(
        p: &BoxedUint,
        shape: BaseShape,
        family: &Family<'_>,
        room: u64,
    ) -> Result<Self, Error> {
        if !(LEAST_ROOM..=MAX_ROOM).contains(&room) {
            return Err(Error::parameter(
                "room",
                format!("{room} times P; {LEAST_ROOM} to {MAX_ROOM} are supported"),
            ));
        }
        let bits = p.bits_vartime();
        let prime = p.resize(bits);
        if !prime.bit_vartime(0) {
            return Err(Error::Modulus(ModulusError::Even));
        }
        if bits < 2 {
            return Err(Error::Modulus(ModulusError::TooSmall));
        }
        let wide = prime.clone().resize(bits + 8);
        let room = wide.wrapping_mul(BoxedUint::from(room));
        let (first, second) = Base::pair(shape, &Family { value: Some(p), ..*family }, &room)?;
        let high = wide.wrapping_add(wide.shl(1));
        let low = BoxedUint::zero();
        let bits = Cox::least_bits(&second, Alpha::HALF, &low, &high).unwrap_or(1);
        let exact = Cox::exact(&second, bits, Alpha::HALF, &low, &high)?;
        let bits = (1..=first.width()).find(|&bits| Cox::one_short(&first, bits).is_ok()).unwrap_or(1);
        let short = Cox::one_short(&first, bits)?;
        let (in_first, in_second) = (first.channels(), second.channels());
        let p_limbs = limbs::to_limbs(&prime, 1);
        // All inverses exist, because moduli are coprime to P and to each other.
        let inverses = |base: &Base, value: &[u64]| -> Vec<u64> {
            base.moduli().iter().map(|&m| word::inverse(word::remainder(value, m), m).unwrap_or(0)).collect()
        };
        let mut reduce_first = in_first.zeros();
        let mut factor = Residues::new(inverses(&first, &p_limbs));
        in_first.multiply(&mut factor, first.cofactor_inverses(), &mut ());
        in_first.subtract(&mut reduce_first, &factor, &mut ());
        let over_m = inverses(&second, &limbs::to_limbs(first.product(), 1));
        let mut reduce_second = second.cofactors().to_vec();
        in_second.multiply(&mut reduce_second, &over_m, &mut ());
        let scaled_prime = second.to_scaled_residues(&prime);
        let mut forth_excess = in_second.zeros();
        in_second.subtract(&mut forth_excess, &scaled_prime, &mut ());
        // M_i·M^(−1) is m_i^(−1).
        let forth = first.moduli().iter().map(|&m| {
            let mut row = Residues::new(inverses(&second, &[m]));
            in_second.multiply(&mut row, &scaled_prime, &mut ());
            row
        });
        let mut back_excess = in_first.zeros();
        in_first.subtract(&mut back_excess, &first.to_residues(second.product()), &mut ());
        let columns: Vec<Vec<u64>> = first.moduli().iter().map(|&m| second.weights(Some(m))).collect();
        let back = (0..second.count())
            .map(|j| Residues::new(columns.iter().filter_map(|column| column.get(j).copied()).collect()));
        let (forth, back) = (forth.collect(), back.collect());
        let empty = RnsElement { first: in_first.zeros(), second: in_second.zeros() };
        let mut this = Self {
            prime,
            short,
            exact,
            reduce_first: reduce_first.to_vec(),
            reduce_second,
            forth,
            forth_excess,
            back,
            back_excess,
            one: empty.clone(),
            square: empty,
            first,
            second,
        };
        if let Some(p) = this.prime.as_nz_vartime() {
            let residue = this.first.product().rem_vartime(p);
            this.square = this.split(&residue.square_mod_vartime(p), &mut ());
            this.one = this.split(&residue, &mut ());
        }
        Ok(this)
    }

    /// Returns the same arithmetic with this choice of instructions for its channels.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        let (first, second) = (self.first, self.second);
        let [first, second] = [first, second].map(|base| base.with_instructions(instructions));
        let (short, exact) = (self.short.on(first.channels()), self.exact.on(second.channels()));
        Self { first, second, short, exact, ..self }
    }

    /// Returns P.
    pub fn modulus(&self) -> &BoxedUint {
        &self.prime
    }

    /// Returns the two bases.
    pub fn bases(&self) -> [&Base; 2] {
        [&self.first, &self.second]
    }

    /// Returns the Cox of the first extension, over the first base. Its quotient is q or q − 1, so Q̂ or Q̂ +
    /// M is extended.
    pub fn short_cox(&self) -> &Cox {
        &self.short
    }

    /// Returns the Cox of the extension back, over the second base. It is exact for values below 3P.
    pub fn exact_cox(&self) -> &Cox {
        &self.exact
    }

    /// Returns −P^(−1)·T^(−1) in the first base, which converts a product X·Y into the digits of Q̂.
    pub fn reduce_first(&self) -> &[u64] {
        &self.reduce_first
    }

    /// Returns T'·M^(−1) in the second base, which converts the product of two residues times T'^(−1) into
    /// the product divided by M, times T'^(−1).
    pub fn reduce_second(&self) -> &[u64] {
        &self.reduce_second
    }

    /// Returns M_i·P·M^(−1)·T'^(−1) in the second base, one row for every modulus m_i of the first, with M_i
    /// = M/m_i.
    pub fn forth(&self) -> &[Residues] {
        &self.forth
    }

    /// Returns −P·T'^(−1) in the second base, by which the quotient of the first extension is multiplied.
    pub fn forth_excess(&self) -> &[u64] {
        &self.forth_excess
    }

    /// Returns M'_j = M'/m'_j in the first base, one row for every modulus m'_j of the second.
    pub fn back(&self) -> &[Residues] {
        &self.back
    }

    /// Returns −M' in the first base, by which the quotient of the extension back is multiplied.
    pub fn back_excess(&self) -> &[u64] {
        &self.back_excess
    }

    /// Returns M² modulo P. A product by it converts into Montgomery form.
    pub fn square_of_product(&self) -> &RnsElement {
        &self.square
    }

    /// Returns M³ modulo P. A product by it converts the inverse of an element into the element of the
    /// inverse.
    pub fn cube_of_product(&self) -> RnsElement {
        let cube = self.prime.as_nz_vartime().map(|p| {
            let residue = self.first.product().rem_vartime(p);
            residue.square_mod_vartime(p).mul_mod(&residue, p)
        });
        self.split(&cube.unwrap_or_else(BoxedUint::zero), &mut ())
    }

    /// Returns the Montgomery form of 1, which is M modulo P.
    pub fn one(&self) -> &RnsElement {
        &self.one
    }

    /// Converts `x` modulo P into Montgomery form. Constant-time; the cost depends on the precision of `x`.
    /// Cost: one product, and the reduction of `x`.
    pub fn to_montgomery(&self, x: &BoxedUint, observer: &mut impl ChannelObserver) -> RnsElement {
        let reduced = match self.prime.as_nz_vartime() {
            Some(p) => limbs::remainder(x, p),
            None => Zeroizing::new(BoxedUint::zero()),
        };
        let mut element = self.split(&reduced, observer);
        self.multiply(&mut element, &self.square, observer);
        element
    }

    /// Converts an element out of Montgomery form, into a number below P. Constant-time. Cost: one product,
    /// and the reduction of a value below 3P.
    ///
    /// # Errors
    /// [`Error::Modulus`] for an element of another shape.
    pub fn from_montgomery(
        &self,
        x: &RnsElement,
        observer: &mut impl ChannelObserver,
    ) -> Result<BoxedUint, Error> {
        let mut plain = x.clone();
        self.multiply(&mut plain, &self.split(&BoxedUint::one(), observer), observer);
        self.join(&plain)
    }

    /// The value of an element below P, without a conversion out of Montgomery form.
    pub(super) fn join(&self, x: &RnsElement) -> Result<BoxedUint, Error> {
        let value = self.first.from_residues(&x.first).map_err(|_| Error::Modulus(ModulusError::Mismatch))?;
        match self.prime.as_nz_vartime() {
            Some(p) => {
                Ok((&*limbs::remainder(&Zeroizing::new(value), p)).resize(self.prime.bits_precision()))
            }
            None => Err(Error::Modulus(ModulusError::TooSmall)),
        }
    }

    /// The element with this value below 3P, without a conversion into Montgomery form.
    pub(super) fn split(&self, x: &BoxedUint, observer: &mut impl ChannelObserver) -> RnsElement {
        let mut second = self.second.to_residues(x);
        self.second.channels().multiply(&mut second, self.second.cofactor_inverses(), observer);
        RnsElement { first: self.first.to_residues(x), second }
    }

    /// Computes `x ← x·y` in Montgomery form. Constant-time. Cost: 2n² + 6n elementary multiplications (EMM).
    pub fn multiply(&self, x: &mut RnsElement, y: &RnsElement, observer: &mut impl ChannelObserver) {
        self.first.channels().multiply(&mut x.first, &y.first, observer);
        self.second.channels().multiply(&mut x.second, &y.second, observer);
        self.reduce(x, observer);
    }

    /// Computes `x ← x²` in Montgomery form. Constant-time. Cost: 2n² + 6n elementary multiplications (EMM).
    pub fn square(&self, x: &mut RnsElement, observer: &mut impl ChannelObserver) {
        let y = x.clone();
        self.multiply(x, &y, observer);
    }

    /// Converts the residues of S = X·Y into those of R ≡ S·M^(−1) modulo P. Those of S in the second base
    /// are S·T'^(−2).
    fn reduce(&self, s: &mut RnsElement, observer: &mut impl ChannelObserver) {
        let (in_first, in_second) = (self.first.channels(), self.second.channels());
        let (digits, result) = (&mut s.first, &mut s.second);
        in_first.multiply(digits, &self.reduce_first, observer);
        let quotient = self.short.quotient(digits, observer);
        in_second.multiply(result, &self.reduce_second, observer);
        for (&digit, row) in digits.iter().zip(&self.forth) {
            in_second.add_scaled(result, digit, row, observer);
        }
        in_second.add_scaled(result, quotient, &self.forth_excess, observer);
        // In the second base, R·T'^(−1) are the digits of R.
        let quotient = self.exact.quotient(result, observer);
        digits.fill(0);
        for (&digit, row) in result.iter().zip(&self.back) {
            in_first.add_scaled(digits, digit, row, observer);
        }
        in_first.add_scaled(digits, quotient, &self.back_excess, observer);
    }

    /// Raises `x` to the power of a schedule. Constant-time in `x`; the exponent is public.
    pub fn pow(
        &self,
        x: &RnsElement,
        schedule: &Schedule,
        observer: &mut impl ChannelObserver,
    ) -> RnsElement {
        let mut powers = Vec::with_capacity(schedule.odd_powers);
        powers.push(x.clone());
        if schedule.odd_powers > 1 {
            let mut double = x.clone();
            self.square(&mut double, observer);
            while let Some(last) = powers.last().filter(|_| powers.len() < schedule.odd_powers) {
                let mut next = last.clone();
                self.multiply(&mut next, &double, observer);
                powers.push(next);
            }
        }
        let Some(mut result) = schedule.first.and_then(|index| powers.get(index)).cloned() else {
            return self.one.clone();
        };
        for &(squares, index) in &schedule.turns {
            for _ in 0..squares {
                self.square(&mut result, observer);
            }
            if let Some(factor) = index.and_then(|index| powers.get(index)) {
                self.multiply(&mut result, factor, observer);
            }
        }
        result
    }
}
