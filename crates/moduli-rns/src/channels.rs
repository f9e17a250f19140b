//! The word arithmetic in the channels of a base. All additions and multiplications of residues use it.
//!
//! A vector of residues is a slice with one word per channel. Moduli are m = 2^w − r with r < 2^⌊w/2⌋, so a
//! product is reduced by two folds and one masked subtraction. All channels and operands use the same
//! operations, so the arithmetic is constant-time. If the processor has AVX2, four channels with moduli of up
//! to 32 bits are computed at a time.

use alloc::vec::Vec;
use zeroize::Zeroizing;

#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::avx2::{Avx2, ChannelConstants};
use super::observe::ChannelObserver;
use moduli_kernel::mask;

/// The residues of a value, one word per channel, wiped on drop.
pub type Residues = Zeroizing<Vec<u64>>;

/// The smallest number of channels for which detection selects vectors. With fewer, filling the vectors costs
/// more than they save.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
const FEWEST_VECTORISED: usize = 8;

/// The instructions that channel arithmetic may use. They do not affect the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instructions {
    /// Vector instructions if the processor has them and there are at least 8 channels.
    #[default]
    Detect,
    /// Vector instructions if the processor has them, for any number of channels.
    Vectors,
    /// No vector instructions.
    Scalar,
}

/// If there is a vector unit, performs an operation with it, and returns.
macro_rules! vectorised {
    ($channels:ident.$operation:ident($($argument:expr),*)) => {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if let Some(vectors) = $channels.vectors {
            return vectors.$operation($channels.constants(), $($argument),*);
        }
    };
}

/// The moduli m_i = 2^w − r_i of a base, and the arithmetic modulo each of them.
///
/// Operands are slices with one word per channel, each below 2^w. Results are reduced: each word is below
/// m_i. An operation uses as many channels as its shortest slice has words, starting with the first.
#[derive(Clone, Debug)]
pub struct Channels {
    width: u32,
    moduli: Vec<u64>,
    /// r_i.
    complements: Vec<u64>,
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    vectors: Option<Avx2>,
}

impl Channels {
    /// Takes moduli that are already checked: 2^w − r with r < 2^⌊w/2⌋.
    pub(super) fn new(width: u32, moduli: &[u64]) -> Self {
        let complements = moduli.iter().map(|&m| m.wrapping_neg() << (64 - width) >> (64 - width)).collect();
        let this = Self {
            width,
            moduli: moduli.to_vec(),
            complements,
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            vectors: None,
        };
        this.with_instructions(Instructions::Detect)
    }

    /// Returns the same channels with this choice of instructions.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        let wanted = match instructions {
            Instructions::Detect => self.count() >= FEWEST_VECTORISED,
            Instructions::Vectors => true,
            Instructions::Scalar => false,
        };
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        return Self { vectors: Avx2::detect().filter(|_| self.width <= 32 && wanted), ..self };
        #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
        {
            let _ = instructions;
            self
        }
    }

    /// Returns whether four channels are computed at a time.
    pub fn is_vectorised(&self) -> bool {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        return self.vectors.is_some();
        #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
        false
    }

    /// How sums over these channels are computed.
    pub(super) fn sums(&self) -> Sums {
        Sums {
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            vectors: self.vectors,
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn constants(&self) -> ChannelConstants<'_> {
        ChannelConstants { width: self.width, moduli: &self.moduli, complements: &self.complements }
    }

    /// Returns w, the number of bits of a modulus.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns n, the number of channels.
    pub fn count(&self) -> usize {
        self.moduli.len()
    }

    /// Returns the moduli m_i.
    pub fn moduli(&self) -> &[u64] {
        &self.moduli
    }

    /// Returns the complements r_i = 2^w − m_i.
    pub fn complements(&self) -> &[u64] {
        &self.complements
    }

    /// Returns a vector of zeros.
    pub fn zeros(&self) -> Residues {
        Zeroizing::new(alloc::vec![0; self.count()])
    }

    /// Computes `x ← x·y`. Cost: n elementary multiplications (EMM).
    pub fn multiply(&self, x: &mut [u64], y: &[u64], observer: &mut impl ChannelObserver) {
        observer.multiplications(x.len());
        vectorised!(self.multiply(x, y));
        match self.width {
            ..=32 => self.each(x, [y], |x, [y], m, r| reduce_narrow(x * y, self.width, m, r)),
            _ => self.each(x, [y], |x, [y], m, r| reduce_wide(wide(x, y), self.width, m, r)),
        }
    }

    /// Computes `x ← x·y + z`. Cost: n elementary multiplications (EMM) and n additions (EMA).
    pub fn multiply_add(&self, x: &mut [u64], y: &[u64], z: &[u64], observer: &mut impl ChannelObserver) {
        observer.multiplications(x.len());
        observer.additions(x.len());
        vectorised!(self.multiply_add(x, y, z));
        match self.width {
            ..=32 => self.each(x, [y, z], |x, [y, z], m, r| reduce_narrow(x * y + z, self.width, m, r)),
            _ => self
                .each(x, [y, z], |x, [y, z], m, r| reduce_wide(wide(x, y) + u128::from(z), self.width, m, r)),
        }
    }

    /// Computes `x ← x + word·y` for a word below 2^w. Cost: n elementary multiplications (EMM) and n
    /// additions (EMA).
    pub fn add_scaled(&self, x: &mut [u64], word: u64, y: &[u64], observer: &mut impl ChannelObserver) {
        observer.multiplications(x.len());
        observer.additions(x.len());
        vectorised!(self.add_scaled(x, y, word));
        match self.width {
            ..=32 => self.each(x, [y], |x, [y], m, r| reduce_narrow(word * y + x, self.width, m, r)),
            _ => {
                self.each(x, [y], |x, [y], m, r| reduce_wide(wide(word, y) + u128::from(x), self.width, m, r))
            }
        }
    }

    /// `x ← 2^w·x + digit` for a digit below 2^w, a step of the conversion from radix 2^w. No cost is
    /// reported.
    pub(super) fn append(&self, x: &mut [u64], digit: u64) {
        vectorised!(self.append(x, digit));
        match self.width {
            ..=32 => self.each(x, [], |x, [], m, r| reduce_narrow(x * r + digit, self.width, m, r)),
            _ => {
                self.each(x, [], |x, [], m, r| reduce_wide(wide(x, r) + u128::from(digit), self.width, m, r))
            }
        }
    }

    /// Computes `x ← x + y` for reduced operands. Cost: n elementary additions (EMA).
    pub fn add(&self, x: &mut [u64], y: &[u64], observer: &mut impl ChannelObserver) {
        observer.additions(x.len());
        vectorised!(self.add(x, y));
        self.each(x, [y], |x, [y], m, _| subtract_once(x, m.wrapping_sub(y), m));
    }

    /// Computes `x ← x − y` for reduced operands. Cost: n elementary additions (EMA).
    pub fn subtract(&self, x: &mut [u64], y: &[u64], observer: &mut impl ChannelObserver) {
        observer.additions(x.len());
        vectorised!(self.subtract(x, y));
        self.each(x, [y], |x, [y], m, _| subtract_once(x, y, m));
    }

    /// Computes `x ← y − x` for reduced operands. Cost: n elementary additions (EMA).
    pub fn subtract_from(&self, x: &mut [u64], y: &[u64], observer: &mut impl ChannelObserver) {
        observer.additions(x.len());
        vectorised!(self.subtract_from(x, y));
        self.each(x, [y], |x, [y], m, _| subtract_once(y, x, m));
    }

    /// Applies an operation to every channel: `(word, words of the others, m, r) → word`.
    #[inline(always)]
    fn each<const K: usize>(
        &self,
        x: &mut [u64],
        others: [&[u64]; K],
        operation: impl Fn(u64, [u64; K], u64, u64) -> u64,
    ) {
        // Equal lengths, known to the compiler, so that the loop has no bounds checks.
        let count = others.iter().fold(x.len().min(self.count()), |count, other| count.min(other.len()));
        let (x, moduli, complements) = (&mut x[..count], &self.moduli[..count], &self.complements[..count]);
        let others = others.map(|other| &other[..count]);
        for i in 0..count {
            x[i] = operation(x[i], others.map(|other| other[i]), moduli[i], complements[i]);
        }
    }
}

/// Sums over the channels, of words that are small enough for the sum to fit 64 bits. Constant-time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    vectors: Option<Avx2>,
}

impl Sums {
    /// Σ x.
    pub(super) fn plain(self, x: &[u64]) -> u64 {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if let Some(vectors) = self.vectors {
            return vectors.sum(x);
        }
        x.iter().sum()
    }

    /// Σ ⌊x/2^shift⌋.
    pub(super) fn shifted(self, x: &[u64], shift: u32) -> u64 {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if let Some(vectors) = self.vectors {
            return vectors.sum_shifted(x, shift);
        }
        x.iter().map(|x| x >> shift).sum()
    }

    /// Σ x·y, for y below 2^32.
    pub(super) fn weighted(self, x: &[u64], y: &[u64]) -> u64 {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if let Some(vectors) = self.vectors {
            return vectors.sum_weighted(x, y);
        }
        x.iter().zip(y).map(|(x, y)| x * y).sum()
    }
}

#[inline(always)]
fn wide(x: u64, y: u64) -> u128 {
    u128::from(x) * u128::from(y)
}

/// x − y modulo m for x < m and y ≤ m, for any width up to 64.
#[inline(always)]
fn subtract_once(x: u64, y: u64, m: u64) -> u64 {
    let (difference, borrow) = x.overflowing_sub(y);
    difference.wrapping_add(m & mask::of(borrow))
}

/// p modulo m = 2^w − r for p ≤ 2^w·(2^w − 1) and w ≤ 32.
///
/// Let r ≤ 2^h − 1, h = ⌊w/2⌋. The first fold leaves at most (2^w − 1)·2^h. The second leaves less than
/// 2^(w+1) − 2^(h+1), which is less than 2m, so one subtraction is enough.
#[inline(always)]
fn reduce_narrow(p: u64, width: u32, m: u64, r: u64) -> u64 {
    let mask = (1u64 << width) - 1;
    let p = (p >> width) * r + (p & mask);
    let p = (p >> width) * r + (p & mask);
    let (difference, borrow) = p.overflowing_sub(m);
    difference.wrapping_add(m & mask::of(borrow))
}

/// The same for w ≤ 64. After the first fold, the upper part has at most h bits, so its product by r fits a
/// word.
#[inline(always)]
fn reduce_wide(p: u128, width: u32, m: u64, r: u64) -> u64 {
    let mask = u64::MAX >> (64 - width);
    let p = wide((p >> width) as u64, r) + u128::from(p as u64 & mask);
    let (sum, carry) = ((p >> width) as u64 * r).overflowing_add(p as u64 & mask);
    // A carry, which occurs only with 64-bit moduli, cancels the borrow.
    let (difference, borrow) = sum.overflowing_sub(m);
    difference.wrapping_add(m & mask::of(borrow & !carry))
}

#[cfg(test)]
mod tests {
    use super::{super::observe::Counter, *};

    /// Compares with plain remainders, for extreme words and complements, at every width and with every
    /// choice of instructions. Seven channels are a whole vector and a part of one.
    #[test]
    fn every_operation_is_right_at_every_width() {
        for width in 8..=64u32 {
            let top = u64::MAX >> (64 - width);
            let half = (1u64 << (width / 2)) - 1;
            let complements = [1, 3, half - 2, half, 1, half, 3];
            let channels = Channels::new(width, &complements.map(|r| top - (r - 1)));
            assert_eq!(channels.complements(), complements);
            let words = [0, 1, 2, half, half + 1, top / 2, top / 2 + 1, top - half, top - 1, top];
            for instructions in [Instructions::Vectors, Instructions::Scalar] {
                let channels = channels.clone().with_instructions(instructions);
                let mut count = Counter::default();
                for x in words {
                    for y in words {
                        for z in words {
                            products_are_right(&channels, [x, y, z], &mut count);
                        }
                        sums_are_right(&channels, [x, y], &mut count);
                    }
                }
                let count = count.total();
                assert_eq!((count.multiplications, count.additions), (7 * 2100, 7 * 2300));
            }
        }
    }

    fn products_are_right(channels: &Channels, [x, y, z]: [u64; 3], count: &mut Counter) {
        let mut sum = [x; 7];
        channels.multiply_add(&mut sum, &[y; 7], &[z; 7], count);
        let mut scaled = [z; 7];
        channels.add_scaled(&mut scaled, x, &[y; 7], count);
        for (i, &m) in channels.moduli().iter().enumerate() {
            let right = (wide(x, y) + u128::from(z)) % u128::from(m);
            assert_eq!(u128::from(sum[i]), right, "{x}·{y} + {z} modulo {m}");
            assert_eq!(u128::from(scaled[i]), right);
        }
    }

    fn sums_are_right(channels: &Channels, [x, y]: [u64; 2], count: &mut Counter) {
        let reduced = |x: u64| -> Vec<u64> { channels.moduli().iter().map(|m| x % m).collect() };
        let (mut product, mut appended) = ([x; 7], [x; 7]);
        let (mut sum, mut difference, mut reverse) = (reduced(x), reduced(x), reduced(x));
        channels.multiply(&mut product, &[y; 7], count);
        channels.append(&mut appended, y);
        channels.add(&mut sum, &reduced(y), count);
        channels.subtract(&mut difference, &reduced(y), count);
        channels.subtract_from(&mut reverse, &reduced(y), count);
        for (i, &m) in channels.moduli().iter().enumerate() {
            let (x, y, m) = (u128::from(x), u128::from(y), u128::from(m));
            assert_eq!(u128::from(product[i]), x * y % m);
            assert_eq!(u128::from(appended[i]), (((x % m) << channels.width()) + y) % m);
            assert_eq!(u128::from(sum[i]), (x + y) % m);
            assert_eq!(u128::from(difference[i]), (x % m + m - y % m) % m);
            assert_eq!(u128::from(reverse[i]), (y % m + m - x % m) % m);
        }
    }
}
