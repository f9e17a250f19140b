//! The channel arithmetic with AVX2, four channels at a time, for moduli of at most 32 bits. The operations
//! and their order are those of the scalar code, and so are the results. Constant-time.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi64_si128, _mm256_add_epi64, _mm256_and_si256, _mm256_cmpgt_epi64,
    _mm256_maskload_epi64, _mm256_maskstore_epi64, _mm256_mul_epu32, _mm256_set_epi64x, _mm256_set1_epi64x,
    _mm256_srl_epi64, _mm256_sub_epi64,
};

/// Proof that this machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

/// The constants of the channels: w, m_i and r_i.
#[derive(Clone, Copy)]
pub(super) struct ChannelConstants<'a> {
    pub width: u32,
    pub moduli: &'a [u64],
    pub complements: &'a [u64],
}

/// The constants of four channels.
struct Fold {
    width: __m128i,
    mask: __m256i,
    m: __m256i,
    r: __m256i,
}

#[target_feature(enable = "avx2")]
fn vector(words: [u64; 4]) -> __m256i {
    // SAFETY: both are 32 bytes without invalid values.
    unsafe { core::mem::transmute(words) }
}

#[target_feature(enable = "avx2")]
fn words(vector: __m256i) -> [u64; 4] {
    // SAFETY: both are 32 bytes without invalid values.
    unsafe { core::mem::transmute(vector) }
}

/// All ones in the first `count` lanes.
#[target_feature(enable = "avx2")]
fn first_lanes(count: usize) -> __m256i {
    _mm256_cmpgt_epi64(_mm256_set1_epi64x(count as i64), _mm256_set_epi64x(3, 2, 1, 0))
}

/// The words of a slice of fewer than four words in the lanes of the mask, and zeros elsewhere.
#[target_feature(enable = "avx2")]
fn masked(words: &[u64], lanes: __m256i) -> __m256i {
    debug_assert!(words.len() < 4);
    // SAFETY: lanes that are not named are not read; the callers name as many as the slice has words.
    unsafe { _mm256_maskload_epi64(words.as_ptr().cast(), lanes) }
}

/// p modulo m for p ≤ 2^w·(2^w − 1), with two folds and one masked subtraction.
#[target_feature(enable = "avx2")]
fn reduce(p: __m256i, fold: &Fold) -> __m256i {
    let once = |p| {
        let upper = _mm256_mul_epu32(_mm256_srl_epi64(p, fold.width), fold.r);
        _mm256_add_epi64(upper, _mm256_and_si256(p, fold.mask))
    };
    correct(_mm256_sub_epi64(once(once(p)), fold.m), fold.m)
}

/// `x + m` if x is negative, else x, for −m ≤ x < m and absolute values below 2^34.
#[target_feature(enable = "avx2")]
fn correct(x: __m256i, m: __m256i) -> __m256i {
    let negative = _mm256_cmpgt_epi64(_mm256_set1_epi64x(0), x);
    _mm256_add_epi64(x, _mm256_and_si256(m, negative))
}

/// Defines a method that applies an expression of vectors to all channels, and uses a mask for the last ones.
macro_rules! operation {
    ($name:ident, [$($other:ident),*], |$x:ident, $fold:ident $(, $word:ident)?| $value:expr) => {
        impl Avx2 {
            pub(super) fn $name(self, constants: ChannelConstants<'_>, x: &mut [u64] $(, $other: &[u64])* $(, $word: u64)?) {
                #[target_feature(enable = "avx2")]
                fn run(constants: ChannelConstants<'_>, x: &mut [u64] $(, $other: &[u64])* $(, $word: u64)?) {
                    let ChannelConstants { width, moduli, complements } = constants;
                    let mask = _mm256_set1_epi64x((u64::MAX >> (64 - width)) as i64);
                    let shift = _mm_cvtsi64_si128(i64::from(width));
                    $(let $word = _mm256_set1_epi64x($word as i64);)?
                    let count = x.len().min(moduli.len()).min(complements.len()) $(.min($other.len()))*;
                    let (blocks, rest) = x[..count].as_chunks_mut::<4>();
                    let (moduli, last_moduli) = moduli[..count].as_chunks::<4>();
                    let (complements, last_complements) = complements[..count].as_chunks::<4>();
                    $(let $other = $other[..count].as_chunks::<4>();)*
                    for (i, block) in blocks.iter_mut().enumerate() {
                        let $fold = Fold { width: shift, mask, m: vector(moduli[i]), r: vector(complements[i]) };
                        $(let $other = vector($other.0[i]);)*
                        let $x = vector(*block);
                        *block = words($value);
                    }
                    if !rest.is_empty() {
                        let lanes = first_lanes(rest.len());
                        let (m, r) = (masked(last_moduli, lanes), masked(last_complements, lanes));
                        let $fold = Fold { width: shift, mask, m, r };
                        $(let $other = masked($other.1, lanes);)*
                        let $x = masked(rest, lanes);
                        let value = $value;
                        // SAFETY: as for the loads, only the words of the slice are written.
                        unsafe { _mm256_maskstore_epi64(rest.as_mut_ptr().cast(), lanes, value) };
                    }
                }
                // SAFETY: a value of this type exists only where AVX2 was detected.
                unsafe { run(constants, x $(, $other)* $(, $word)?) }
            }
        }
    };
}

operation!(multiply, [y], |x, fold| reduce(_mm256_mul_epu32(x, y), &fold));
operation!(multiply_add, [y, z], |x, fold| reduce(_mm256_add_epi64(_mm256_mul_epu32(x, y), z), &fold));
operation!(add_scaled, [y], |x, fold, word| reduce(_mm256_add_epi64(_mm256_mul_epu32(word, y), x), &fold));
operation!(append, [], |x, fold, word| reduce(_mm256_add_epi64(_mm256_mul_epu32(x, fold.r), word), &fold));
operation!(add, [y], |x, fold| correct(_mm256_sub_epi64(_mm256_add_epi64(x, y), fold.m), fold.m));
operation!(subtract, [y], |x, fold| correct(_mm256_sub_epi64(x, y), fold.m));
operation!(subtract_from, [y], |x, fold| correct(_mm256_sub_epi64(y, x), fold.m));

/// Defines a method that sums an expression of vectors over all words, modulo 2^64.
macro_rules! sum {
    ($name:ident, [$($other:ident),*], |$x:ident $(, $shift:ident)?| $value:expr) => {
        impl Avx2 {
            pub(super) fn $name(self, x: &[u64] $(, $other: &[u64])* $(, $shift: u32)?) -> u64 {
                #[target_feature(enable = "avx2")]
                fn run(x: &[u64] $(, $other: &[u64])* $(, $shift: u32)?) -> u64 {
                    $(let $shift = _mm_cvtsi64_si128(i64::from($shift));)?
                    let count = x.len() $(.min($other.len()))*;
                    let (blocks, rest) = x[..count].as_chunks::<4>();
                    $(let $other = $other[..count].as_chunks::<4>();)*
                    let mut sum = _mm256_set1_epi64x(0);
                    for (i, block) in blocks.iter().enumerate() {
                        $(let $other = vector($other.0[i]);)*
                        let _ = i;
                        let $x = vector(*block);
                        sum = _mm256_add_epi64(sum, $value);
                    }
                    let lanes = first_lanes(rest.len());
                    $(let $other = masked($other.1, lanes);)*
                    let $x = masked(rest, lanes);
                    words(_mm256_add_epi64(sum, $value)).into_iter().fold(0, u64::wrapping_add)
                }
                // SAFETY: a value of this type exists only where AVX2 was detected.
                unsafe { run(x $(, $other)* $(, $shift)?) }
            }
        }
    };
}

sum!(sum, [], |x| x);
sum!(sum_shifted, [], |x, shift| _mm256_srl_epi64(x, shift));
sum!(sum_weighted, [y], |x| _mm256_mul_epu32(x, y));
