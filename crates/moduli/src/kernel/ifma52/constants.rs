//! The modulus and what is precomputed for it.

use crypto_bigint::{BoxedUint, NonZero, Resize};
use zeroize::Zeroizing;

use super::{
    digits::digit,
    lanes::Rows,
    long::Long,
    operations::{Operations, operations},
};
use crate::{kernel::words::Words, limbs};

/// So that no sum of four parts for each digit overflows 64 bits.
const MAX_DIGITS: usize = 1000;

/// The multiple of N that a residue is below.
pub(super) const BOUND: u64 = 12;

/// The AVX-512 IFMA kernel for one odd modulus. What it holds of the modulus is wiped on drop.
pub struct Ifma52 {
    /// G and K: blocks of a product, and digits in each.
    pub(super) blocks: usize,
    pub(super) digits: usize,
    pub(super) code: Code,
    /// H, (M₁ + 1)/2^52 and N, laid out as a residue.
    pub(super) high: Words,
    pub(super) step: Words,
    pub(super) modulus: Words,
    /// −1/N mod 2^52.
    pub(super) inverse: Words,
    pub(super) one: Words,
    pub(super) one_entered: Words,
    /// 12·N and N, digit by digit.
    pub(super) bound: Words,
    pub(super) modulus_digits: Words,
    pub(super) top: Top,
    /// Residues side by side: only where they have eight strips, since four keep the multipliers as busy.
    pub(super) rows: Option<Rows>,
    pub(super) limbs: usize,
}

/// How residues are laid out and multiplied.
pub(super) enum Code {
    /// In G strips, one in each lane: digit v of all strips is vector v.
    Strips(&'static Operations),
    /// Digits in order, K = 8 of them in a vector.
    InOrder(Long),
}

/// What the multiple of N in a residue is told from: all its bits but those further down than 32 from the top of N.
pub(super) struct Top {
    /// Words of the two digits that they are in, and how many bits of those are below.
    words: [usize; 2],
    below: u32,
    /// 2^64 over these bits of N, rounded up.
    reciprocal: u64,
}

impl Top {
    /// For a modulus of `bits` bits, its digits, and the words that those of a residue lie in.
    fn new(bits: usize, digits: &[u64], mut places: impl Iterator<Item = usize>) -> Self {
        let below = bits.saturating_sub(32);
        let first = (below / 52).min(digits.len() - 2);
        let words = [places.nth(first), places.next()].map(Option::unwrap_or_default);
        let mut top = Self { words, below: (below - 52 * first) as u32, reciprocal: 0 };
        top.reciprocal = (u64::MAX / top.bits([digits[first], digits[first + 1]])).wrapping_add(1);
        top
    }

    fn bits(&self, [low, high]: [u64; 2]) -> u64 {
        ((u128::from(high) << 52 | u128::from(low)) >> self.below) as u64
    }

    /// ⌊x/N⌋ or one more, for x below 12·N. With t and d for what is seen of x and N, x/N lies between t/(d + 1) and
    /// (t + 1)/d, which are less than one apart because d is 2^31 at least; or x and N are seen whole. Constant-time.
    pub(super) fn quotient(&self, x: &[u64]) -> u64 {
        let top = self.bits(self.words.map(|at| x[at]));
        (((u128::from(top) + 1) * u128::from(self.reciprocal)) >> 64) as u64
    }
}

/// An odd modulus that constants are computed from.
pub(super) struct Divisor {
    n: Zeroizing<BoxedUint>,
    nonzero: Zeroizing<NonZero<BoxedUint>>,
}

impl Divisor {
    /// 2^exponent mod N.
    pub(super) fn power_of_two(&self, exponent: usize) -> Zeroizing<BoxedUint> {
        let power = BoxedUint::one_with_precision(exponent as u32 + 1).shl(exponent as u32);
        Zeroizing::new(power.rem_vartime(&self.nonzero))
    }

    /// k = −1/N mod 2^bits and (k·N + 1)/2^bits, by Newton's iteration from one word on.
    pub(super) fn block(&self, bits: usize) -> [Zeroizing<BoxedUint>; 2] {
        let limbs = self.n.nlimbs() + bits.div_ceil(64) + 1;
        let wide = |x: &BoxedUint| Zeroizing::new(x.resize(64 * limbs as u32));
        let product = |x: &BoxedUint, y: &BoxedUint| Zeroizing::new(x.wrapping_mul(y));
        let (one, two) = (wide(&BoxedUint::one()), wide(&BoxedUint::from(2u64)));
        let n = wide(&self.n);
        let power = Zeroizing::new(one.shl(bits as u32));
        let block = Zeroizing::new(power.wrapping_sub(&*one));
        let mut inverse = wide(&BoxedUint::from(limbs::inverse_of_word(limbs::to_limbs(&self.n, 1)[0])));
        let mut known = 64;
        while known < bits {
            let correction = Zeroizing::new(two.wrapping_sub(&*product(&n, &inverse)));
            inverse = Zeroizing::new(&*product(&inverse, &correction) & &*block);
            known *= 2;
        }
        let inverse = Zeroizing::new(&*inverse & &*block);
        let negative = Zeroizing::new(power.wrapping_sub(&*inverse));
        let high = Zeroizing::new(product(&n, &negative).wrapping_add(&*one).shr(bits as u32));
        [negative, high]
    }

    /// `factor`·N.
    pub(super) fn multiple(&self, factor: u64) -> Zeroizing<BoxedUint> {
        let wide = Zeroizing::new((&*self.n).resize(self.n.bits_precision() + 64));
        Zeroizing::new(wide.wrapping_mul(BoxedUint::from(factor)))
    }
}

/// The first `count` digits of a number.
pub(super) fn digits_of(x: &BoxedUint, count: usize) -> Words {
    let limbs = Zeroizing::new(limbs::to_limbs(x, 1).to_vec());
    let mut digits = Words::zero(count);
    for (i, out) in digits.iter_mut().enumerate() {
        *out = digit(&limbs, i);
    }
    digits
}

/// Words in the order of digits: digit v of strip l is word G·v + l, and without strips every digit its own word.
pub(super) fn places(blocks: usize, digits: usize, in_strips: bool) -> impl Iterator<Item = usize> {
    let [block, digit] = if in_strips { [1, blocks] } else { [digits, 1] };
    (0..blocks).flat_map(move |l| (0..digits).map(move |v| block * l + digit * v))
}

impl Ifma52 {
    /// Whether this machine has the instructions.
    pub fn is_supported() -> bool {
        // What interprets the code has the instructions.
        #[cfg(all(test, feature = "std", target_os = "linux"))]
        if crate::checkmem::is_interpreted() {
            return true;
        }
        #[cfg(feature = "std")]
        return std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512ifma")
            && std::is_x86_feature_detected!("bmi2");
        #[cfg(not(feature = "std"))]
        return cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512vl",
            target_feature = "avx512dq",
            target_feature = "avx512ifma",
            target_feature = "bmi2"
        ));
    }

    /// A kernel for the odd modulus `modulus > 1`, little-endian limbs without leading zero limbs: what
    /// [`Modulus::new`](crate::Modulus::new) has checked. None where the machine lacks the instructions, and for moduli
    /// longer than 51,000 bits or so. Variable-time in the modulus.
    ///
    /// # Panics
    /// If there are no limbs.
    pub fn new(modulus: &[u64]) -> Option<Self> {
        if !Self::is_supported() {
            return None;
        }
        let limbs = modulus.len();
        let n = Zeroizing::new(limbs::from_limbs(modulus));
        let bits = n.bits_vartime() as usize;
        let needed = (bits + 8).div_ceil(52);
        if needed > MAX_DIGITS {
            return None;
        }
        let nonzero: Option<NonZero<BoxedUint>> = n.to_nz().into();
        let divisor = Divisor { n, nonzero: Zeroizing::new(nonzero?) };

        let (blocks, digits, code) = match operations(needed) {
            Some((digits, operations)) => (operations.lanes, digits, Code::Strips(operations)),
            None => (needed.div_ceil(8), 8, Code::InOrder(Long::new(&divisor, needed))),
        };
        let all = blocks * digits;
        let reduced = if let Code::Strips(operations) = &code { operations.reduced } else { all };
        let in_strips = matches!(code, Code::Strips(_));
        let laid_out = |x: &BoxedUint| {
            let mut words = Words::zero(all);
            for (place, &digit) in places(blocks, digits, in_strips).zip(digits_of(x, all).iter()) {
                words[place] = digit;
            }
            words
        };
        let [_, high] = divisor.block(52 * digits);
        let [inverse, step] = divisor.block(52);
        let modulus_digits = digits_of(&divisor.multiple(1), all);
        Some(Self {
            blocks,
            digits,
            code,
            high: laid_out(&high),
            step: laid_out(&step),
            modulus: laid_out(&divisor.multiple(1)),
            inverse: digits_of(&inverse, 1),
            one: laid_out(&divisor.power_of_two(52 * reduced)),
            one_entered: laid_out(&divisor.power_of_two(104 * reduced)),
            bound: digits_of(&divisor.multiple(BOUND), all),
            top: Top::new(bits, &modulus_digits, places(blocks, digits, in_strips)),
            modulus_digits,
            rows: (blocks >= 8).then(|| Rows::new(&divisor, all / 8, all - reduced, in_strips)),
            limbs,
        })
    }

    /// Words of scratch space that one product takes.
    pub(super) fn product_scratch(&self) -> usize {
        match &self.code {
            Code::Strips(_) => self.blocks * self.digits,
            Code::InOrder(long) => long.scratch_words(),
        }
    }

    /// Blocks of a product by an operand prepared in `split` pieces: as many as a piece of the other factor has.
    pub(super) fn blocks_of_piece(&self, split: usize) -> usize {
        self.blocks.div_ceil(split)
    }
}
