//! The Cox, which computes the quotient of a vector of digits from a few top bits, and its value modulo a
//! small number.
//!
//! The digits ξ_i of X fulfil X = Σ ξ_i·M_i − q·M with the quotient q = ⌊Σ ξ_i/m_i⌋ ([`Base`]). Let
//! trunc_t(ξ) be ξ with all but its t top bits set to 0. The Cox adds the t top bits of each ξ_i and an
//! offset α: q' = ⌊α + Σ trunc_t(ξ_i)/2^w⌋. Let E be the largest error of the truncated sum, as compared with
//! Σ ξ_i/m_i. The sum before the floor lies between q + X/M + α − E and q + X/M + α. So q' = q for all X in
//! an interval \[low, high\] if
//!
//! E ≤ α + low/M  and  α + high/M < 1.
//!
//! [`Cox::exact`] checks these conditions in integers, with all roundings to the safe side. So a Cox that it
//! returns is exact for every X in its interval. A Cox that [`Cox::one_short`] returns is not exact: its
//! quotient may be too small by 1.

use alloc::{format, string::String, vec::Vec};
use crypto_bigint::{BoxedUint, Resize};

use super::{
    base::Base,
    channels::{Channels, Sums},
    observe::ChannelObserver,
    word,
};
use moduli::Error;
use moduli_kernel::{limbs, mask};

/// The number of fractional bits in which errors are compared.
const SCALE: u32 = 62;

/// The offset α, a fraction that is added to the truncated sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alpha {
    /// The numerator α·2^`bits`, below 2^`bits`.
    pub numerator: u32,
    /// The number of bits of the fraction, at most t and at most 16.
    pub bits: u32,
}

impl Alpha {
    /// No offset: the quotient is exact only for values that are not small compared with M.
    pub const ZERO: Self = Self { numerator: 0, bits: 0 };
    /// The offset 1/2: the quotient is exact for values that are small compared with M.
    pub const HALF: Self = Self { numerator: 1, bits: 1 };
}

/// The maximum number of top bits that a Cox reads, 48. No base needs more than nine.
pub const MAX_TOP_BITS: u32 = 48;

/// The unit that computes quotients for one base, one number of top bits t and one offset α.
#[derive(Clone, Debug)]
pub struct Cox {
    /// w − t.
    shift: u32,
    /// t.
    bits: u32,
    /// α·2^t.
    offset: u64,
    sums: Sums,
}

impl Cox {
    /// Makes a Cox that is exact, q' = q, for every value from `low` to `high` inclusive.
    ///
    /// # Errors
    /// [`Error::Parameter`] if t is too small. The error gives the smallest suitable t, or says that there is
    /// none.
    pub fn exact(
        base: &Base,
        bits: u32,
        alpha: Alpha,
        low: &BoxedUint,
        high: &BoxedUint,
    ) -> Result<Self, Error> {
        let cox = Self::shaped(base, bits, alpha)?;
        if holds(base, bits, alpha, low, high) {
            return Ok(cox);
        }
        let advice = match Self::least_bits(base, alpha, low, high) {
            Some(least) => format!("{least} would do"),
            None => String::from("nor is any other: the base is too small for such values"),
        };
        Err(Error::parameter(
            "t",
            format!(
                "a Cox of {bits} top bits with α = {}/{} is not exact for {} channels of {} bits; {advice}",
                alpha.numerator,
                1u32 << alpha.bits,
                base.count(),
                base.width()
            ),
        ))
    }

    /// Returns the smallest t for which a Cox is exact from `low` to `high`, or `None` if there is none.
    pub fn least_bits(base: &Base, alpha: Alpha, low: &BoxedUint, high: &BoxedUint) -> Option<u32> {
        (alpha.bits.max(1)..=base.width().min(MAX_TOP_BITS)).find(|&bits| holds(base, bits, alpha, low, high))
    }

    /// Makes a Cox without offset for all values below M. Its quotient q' is q or q − 1, so a base extension
    /// with it yields X or X + M.
    ///
    /// # Errors
    /// [`Error::Parameter`] if t is so small that q' can be q − 2.
    pub fn one_short(base: &Base, bits: u32) -> Result<Self, Error> {
        let cox = Self::shaped(base, bits, Alpha::ZERO)?;
        if worst_error(base, bits) <= 1 << SCALE {
            return Ok(cox);
        }
        Err(Error::parameter("t", format!("{bits} top bits of {} channels are too few", base.count())))
    }

    /// Returns the smallest t for which a Cox is exact from `low` to `high` for digits that are not reduced,
    /// or `None` if there is none.
    ///
    /// Such a digit is congruent to ξ_i and below 2^(w+1), so the Cox reads one more bit. The error of a
    /// channel is then below (2^(w−t) + 2·r_i)/m_i.
    pub fn least_bits_unreduced(base: &Base, alpha: Alpha, low: &BoxedUint, high: &BoxedUint) -> Option<u32> {
        (alpha.bits.max(1)..=base.width().min(MAX_TOP_BITS))
            .find(|&bits| bounded(unreduced_error(base, bits), base, alpha, low, high))
    }

    /// Returns the smallest t for which a Cox without offset yields q or q − 1, as in [`Cox::one_short`], for
    /// digits that are not reduced.
    pub fn least_bits_short_unreduced(base: &Base) -> Option<u32> {
        (1..=base.width().min(MAX_TOP_BITS)).find(|&bits| unreduced_error(base, bits) <= 1 << SCALE)
    }

    fn shaped(base: &Base, bits: u32, alpha: Alpha) -> Result<Self, Error> {
        let most = base.width().min(MAX_TOP_BITS);
        if bits == 0 || bits > most {
            return Err(Error::out_of_range("t", bits, [1, most]));
        }
        if alpha.bits > bits.min(16) || alpha.numerator >= 1 << alpha.bits {
            return Err(Error::parameter("α", "a fraction below 1 with at most t bits, and at most 16"));
        }
        let offset = u64::from(alpha.numerator) << (bits - alpha.bits);
        Ok(Self { shift: base.width() - bits, bits, offset, sums: base.channels().sums() })
    }

    /// The same with the instructions of these channels.
    pub(super) fn on(self, channels: &Channels) -> Self {
        Self { sums: channels.sums(), ..self }
    }

    /// Returns t, the number of top bits that the Cox reads.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns α·2^t, the initial value of the sum.
    pub fn start(&self) -> u64 {
        self.offset
    }

    /// Returns the quotient q' of the digits ξ_i. Constant-time. Cost: n additions of t bits, which are
    /// reported as one evaluation of the Cox.
    pub fn quotient(&self, scaled: &[u64], observer: &mut impl ChannelObserver) -> u64 {
        observer.cox();
        // The sum has at most 2^10 terms of at most 48 bits.
        (self.offset + self.sums.shifted(scaled, self.shift)) >> self.bits
    }
}

/// Whether E ≤ α + low/M and α + high/M < 1.
fn holds(base: &Base, bits: u32, alpha: Alpha, low: &BoxedUint, high: &BoxedUint) -> bool {
    bounded(worst_error(base, bits), base, alpha, low, high)
}

/// The same for a given E·2^62.
fn bounded(error: u128, base: &Base, alpha: Alpha, low: &BoxedUint, high: &BoxedUint) -> bool {
    let offset = u128::from(alpha.numerator) << (SCALE - alpha.bits);
    low <= high && error <= offset + fraction(base, low) && offset + fraction(base, high) + 1 < 1 << SCALE
}

/// The sum over the channels of (2^(w−t) + 2·r_i)/m_i, times 2^62, rounded up. The difference x/m − x/2^w is
/// x·r/(m·2^w), and truncation adds less than 2^(−t).
fn unreduced_error(base: &Base, bits: u32) -> u128 {
    let terms = base.moduli().iter().zip(base.channels().complements());
    terms
        .map(|(&m, &r)| {
            let numerator = (1u128 << (base.width() - bits)) + 2 * u128::from(r);
            (numerator << SCALE).div_ceil(u128::from(m))
        })
        .sum()
}

/// ⌊2^62·value/M⌋, or a large number if M is 0.
fn fraction(base: &Base, value: &BoxedUint) -> u128 {
    let precision = value.bits_precision().max(base.product().bits_precision()) + 64;
    let Some(product) = base.product().as_nz_vartime() else { return u128::MAX >> 1 };
    let quotient = value.resize(precision).shl(SCALE).div_rem_vartime(product).0;
    if quotient.bits_vartime() > 100 {
        return u128::MAX >> 1;
    }
    let limbs = limbs::to_limbs(&quotient, 2);
    u128::from(limbs[0]) | u128::from(limbs[1]) << 64
}

/// E·2^62, rounded up: the sum over the channels of the maximum of x/m − ⌊x/2^(w−t)⌋/2^t.
fn worst_error(base: &Base, bits: u32) -> u128 {
    base.moduli().iter().map(|&m| worst_error_of_channel(m, base.width() - bits, bits)).sum()
}

/// Among x with equal top bits k, the error grows with x. The error at the end of such a block grows with k,
/// since 2^(w−t)/m > 2^−t. So the maximum is at the end of the last complete block or at m − 1.
fn worst_error_of_channel(m: u64, shift: u32, bits: u32) -> u128 {
    let last = (m - 1) >> shift;
    let width = shift + bits;
    let at = |x: u64| {
        // x/m − k/2^t = (x·2^w − k·2^(w−t)·m)/(m·2^w).
        let cut = u128::from((x >> shift) << shift);
        let numerator = (u128::from(x) << width) - cut * u128::from(m);
        let scaled =
            if width <= SCALE { numerator << (SCALE - width) } else { (numerator >> (width - SCALE)) + 1 };
        scaled.div_ceil(u128::from(m))
    };
    let before = if last == 0 { 0 } else { at((last << shift) - 1) };
    before.max(at(m - 1))
}

/// How values modulo the small number are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reduction {
    /// Q with ⌊(2^64 − 1)/Q⌋ and 2^64 mod Q, for a reduction without division.
    Number { q: u64, reciprocal: u64, wrap: u64 },
    /// 2^k − 1.
    PowerOfTwo { mask: u64 },
}

/// The computation of X modulo a small number Q from the digits ξ_i of X + C0 and their quotient q.
///
/// It is (Σ ξ_i·|M_i|_Q − q·|M|_Q − |C0|_Q) mod Q, where |x|_Q is x modulo Q, and C0 is a constant offset
/// that makes values positive.
#[derive(Clone, Debug)]
pub struct SmallResidue {
    reduction: Reduction,
    /// |M_i|_Q.
    weights: Vec<u64>,
    /// Whether all weights are 1, so that no products are needed.
    plain: bool,
    /// Whether the weighted sum fits a word.
    narrow: bool,
    /// |−M|_Q.
    product: u64,
    /// |−C0|_Q.
    offset: u64,
    sums: Sums,
}

/// The largest Q of [`SmallResidue::modulo`], 2^16.
pub const MAX_SMALL_MODULUS: u64 = 1 << 16;

impl SmallResidue {
    /// Makes the computation modulo Q, from 2 to [`MAX_SMALL_MODULUS`], of values X that are stored as the
    /// digits of X + `offset`.
    ///
    /// # Errors
    /// [`Error::Parameter`] for any other Q.
    pub fn modulo(base: &Base, q: u64, offset: &BoxedUint) -> Result<Self, Error> {
        if !(2..=MAX_SMALL_MODULUS).contains(&q) {
            return Err(Error::out_of_range("Q", q, [2, MAX_SMALL_MODULUS]));
        }
        let wrap = ((1u128 << 64) % u128::from(q)) as u64;
        let reduction = Reduction::Number { q, reciprocal: u64::MAX / q, wrap };
        let weights = base.weights(Some(q));
        // There are n + 2 terms below 2^w·(the largest weight, or Q), because quotients are below n + 1.
        let largest = weights.iter().copied().max().unwrap_or(0);
        let terms = (base.count() as u128 * u128::from(largest)) << base.width();
        let narrow = terms + (base.count() as u128 + 2) * u128::from(q) < 1 << 64;
        let negative = |value: u64| if value == 0 { 0 } else { q - value };
        Ok(Self {
            reduction,
            plain: weights.iter().all(|&weight| weight == 1),
            narrow,
            weights,
            product: negative(base.product_modulo(q)),
            offset: negative(word::remainder(&limbs::to_limbs(offset, 1), q)),
            sums: base.channels().sums(),
        })
    }

    /// Makes the computation of the k low bits of X, 1 ≤ k ≤ 64, so Q = 2^k.
    ///
    /// # Errors
    /// [`Error::Parameter`] for any other k.
    pub fn low_bits(base: &Base, k: u32, offset: &BoxedUint) -> Result<Self, Error> {
        if !(1..=64).contains(&k) {
            return Err(Error::out_of_range("k", k, [1u32, 64]));
        }
        let mask = u64::MAX >> (64 - k);
        let weights: Vec<u64> = base.weights(None).iter().map(|weight| weight & mask).collect();
        Ok(Self {
            reduction: Reduction::PowerOfTwo { mask },
            plain: weights.iter().all(|&weight| weight == 1),
            narrow: true,
            weights,
            product: limbs::to_limbs(base.product(), 1)[0].wrapping_neg() & mask,
            offset: limbs::to_limbs(offset, 1)[0].wrapping_neg() & mask,
            sums: base.channels().sums(),
        })
    }

    /// The same with the instructions of these channels.
    pub(super) fn on(self, channels: &Channels) -> Self {
        Self { sums: channels.sums(), ..self }
    }

    /// Returns the weights |M_i|_Q.
    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    /// Returns |−M|_Q, which is added q times.
    pub fn product(&self) -> u64 {
        self.product
    }

    /// Returns |−C0|_Q, the initial value of the sum.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns X mod Q from the digits of X + C0 and their exact quotient. Constant-time, without division.
    /// Cost: n small multiply-accumulates (MAC), or none if all weights are 1.
    pub fn of(&self, scaled: &[u64], quotient: u64, observer: &mut impl ChannelObserver) -> u64 {
        if !self.plain {
            observer.small_products(scaled.len());
        }
        match self.reduction {
            Reduction::PowerOfTwo { mask } => {
                let start = quotient.wrapping_mul(self.product).wrapping_add(self.offset);
                let terms = scaled.iter().zip(&self.weights);
                terms.fold(start, |sum, (&digit, &weight)| sum.wrapping_add(digit.wrapping_mul(weight)))
                    & mask
            }
            Reduction::Number { q, reciprocal, wrap } => {
                if self.narrow {
                    let start = quotient * self.product + self.offset;
                    let sum = if self.plain {
                        self.sums.plain(scaled)
                    } else {
                        self.sums.weighted(scaled, &self.weights)
                    };
                    return reduce(start + sum, q, reciprocal);
                }
                // The value is below 2^10·2^64·2^16, so the upper half is below 2^27 and its product below
                // 2^44.
                let start = u128::from(quotient) * u128::from(self.product) + u128::from(self.offset);
                let sum = scaled
                    .iter()
                    .zip(&self.weights)
                    .fold(start, |sum, (&digit, &weight)| sum + u128::from(digit) * u128::from(weight));
                let low = reduce(sum as u64, q, reciprocal);
                reduce((sum >> 64) as u64 * wrap + low, q, reciprocal)
            }
        }
    }
}

/// x mod q, from the reciprocal ⌊(2^64 − 1)/q⌋. The quotient is correct or one too small.
fn reduce(x: u64, q: u64, reciprocal: u64) -> u64 {
    let quotient = ((u128::from(x) * u128::from(reciprocal)) >> 64) as u64;
    let rest = x - quotient * q;
    let (difference, borrow) = rest.overflowing_sub(q);
    difference.wrapping_add(q & mask::of(borrow))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_reduce_every_word() {
        for q in (2..2000).chain([MAX_SMALL_MODULUS - 1, MAX_SMALL_MODULUS]) {
            let near = |x: u64| [x.saturating_sub(1), x, x.saturating_add(1)];
            let multiples = [1, 2, u64::MAX / q / 2, u64::MAX / q].map(|factor| near(factor * q));
            for x in multiples.into_iter().flatten().chain([0, u64::MAX]) {
                assert_eq!(reduce(x, q, u64::MAX / q), x % q, "{x} modulo {q}");
            }
        }
    }

    /// The bound on the error is correct and tight: compared with all words of a small channel.
    #[test]
    fn the_worst_error_of_a_channel_is_the_worst() {
        for width in [8u32, 9, 10] {
            for r in (1..1u64 << (width / 2)).step_by(2) {
                let m = (1u64 << width) - r;
                for bits in 1..=width {
                    let shift = width - bits;
                    // The maximum of (x/m − k/2^t)·m·2^t.
                    let worst = (0..m).map(|x| (x << bits) as i64 - ((x >> shift) * m) as i64).max().unwrap();
                    let exact = (worst as u128) << SCALE;
                    let bound = (worst_error_of_channel(m, shift, bits) * u128::from(m)) << bits;
                    assert!(bound >= exact, "width {width}, r {r}, t {bits}");
                    assert!(bound - exact <= u128::from(m) << (bits + 1), "width {width}, r {r}, t {bits}");
                }
            }
        }
    }
}
