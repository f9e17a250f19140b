//! Prefetching memory before it is needed.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};

/// The maximum number of cache lines to prefetch. More lines could evict each other, or data in use, from the
/// first-level cache.
pub(super) const MOST_LINES: usize = 16;

/// Prefetches words that a product will soon read. The cache reveals which words were prefetched, so use it
/// only for public operands. Does nothing on processors other than x86-64.
#[inline]
pub fn prefetch_vartime(words: &[u64]) {
    #[cfg(target_arch = "x86_64")]
    words.chunks(8).take(MOST_LINES).for_each(line::<_MM_HINT_T0>);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = words;
}

/// Prefetches words that a look-up will soon read all of, into the second-level cache. Constant-time in the
/// words: their place and number are public. Does nothing on processors other than x86-64.
#[inline]
pub fn prefetch_all(words: &[u64]) {
    #[cfg(target_arch = "x86_64")]
    words.chunks(8).for_each(line::<_MM_HINT_T1>);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = words;
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn line<const HINT: i32>(words: &[u64]) {
    // SAFETY: a hint; it reads nothing, and every x86-64 processor has it.
    #[allow(unsafe_code)]
    unsafe {
        _mm_prefetch::<HINT>(words.as_ptr() as *const i8);
    }
}
