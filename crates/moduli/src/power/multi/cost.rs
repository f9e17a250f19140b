//! Chooses the fastest method by counting the operations of each.

use crate::power::sliding::sliding_width;
use moduli_kernel::{Costs, Dimensions, Maker};

/// How to compute a product of public powers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// Interleaved sliding windows.
    Straus,
    /// Buckets, for digits of `width` bits.
    Buckets { width: u32 },
    /// Euclid's algorithm on the exponents.
    Euclid,
}

/// The widest digits for buckets.
const MAX_WIDTH: u32 = 16;

/// The units of time in a nanosecond. Times are whole numbers of units.
const NANOSECOND: u128 = 16;

/// The overhead of each product: a bucket, or the next two numbers of a queue. Measured at 256 to
/// 3072 bits, and fitted to the lengths at which the fastest method changes.
const BUCKETS: u128 = 15 * NANOSECOND;
const EUCLID: u128 = 60 * NANOSECOND;

/// The time to find an entry among the tables of many bases, on every kernel: a constant, and a
/// part for each word of the entry.
const ENTRY: u128 = 20 * NANOSECOND;
const ENTRY_WORD: u128 = 2 * NANOSECOND;

/// Times from the built-in costs, so that the choice is the same on every machine of one maker.
#[derive(Clone, Copy)]
pub(super) struct Times {
    /// A product.
    pub(super) product: u128,
    /// Finding an entry among the tables of many bases.
    pub(super) entry: u128,
}

impl Times {
    pub(super) fn of(kernel: &Dimensions) -> Self {
        let product = (Costs::built_in_product(kernel, Maker::of_this_machine()) * NANOSECOND as f64) as u128;
        Self { product, entry: ENTRY_WORD * kernel.residue_words as u128 + ENTRY }
    }
}

/// The cheapest method for exponents of these lengths in bits, none of them 0.
pub(super) fn cheapest(lengths: &[u32], times: Times) -> Method {
    let buckets = (1..=MAX_WIDTH).map(|width| Method::Buckets { width });
    let methods = [Method::Straus, Method::Euclid].into_iter().chain(buckets);
    methods.min_by_key(|&method| cost(method, lengths, times)).unwrap_or(Method::Straus)
}

/// The time of a method. Counts a squaring as a product.
fn cost(method: Method, lengths: &[u32], times: Times) -> u128 {
    let Times { product, entry } = times;
    let longest = u128::from(lengths.iter().max().copied().unwrap_or(0));
    let sum = |of: &dyn Fn(u32) -> u32| lengths.iter().map(|&bits| u128::from(of(bits))).sum::<u128>();
    match method {
        Method::Straus => {
            let powers = sum(&|bits| {
                let width = sliding_width(bits);
                bits / (width + 1) + (1 << (width - 1))
            });
            product * longest + (product + entry) * powers
        }
        Method::Buckets { width } => {
            // One of 2^width digits is 0.
            let digits = sum(&|bits| bits.div_ceil(width));
            let digits = digits - (digits >> width);
            let gathering = longest.div_ceil(u128::from(width)) << width;
            product * longest + (product + BUCKETS) * (digits + gathering)
        }
        Method::Euclid => euclid(lengths, product),
    }
}

/// Measured on random exponents of equal length: each product shortens the exponents by 0.3 +
/// 0.8·log2 n bits in total.
fn euclid(lengths: &[u32], product: u128) -> u128 {
    let count = lengths.len() as u128;
    let (mut longest, mut second) = (0, 0);
    for &bits in lengths {
        second = second.max(bits.min(longest));
        longest = longest.max(bits);
    }
    // 8·log2 n, interpolated linearly between powers of two.
    let logarithm = count.checked_ilog2().unwrap_or(0);
    let eighths = 8 * u128::from(logarithm) + ((8 * count) >> logarithm).saturating_sub(8);
    let bits = lengths.iter().map(|&bits| u128::from(bits)).sum::<u128>();
    // If the longest exponent is longer than all others, its excess is halved bit by bit.
    let alone = u128::from(longest - second);
    let steps = 10 * (bits - alone) / (3 + eighths);
    steps * (product + EUCLID) + (product * 3 / 2) * alone
}
