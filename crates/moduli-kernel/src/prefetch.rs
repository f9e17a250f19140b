//! Memory that is asked for before it is needed.

/// Lines of memory that are asked for: more of them would drive each other, and what is at work, out of the first-level
/// cache.
pub(super) const MOST_LINES: usize = 16;

/// Asks for words that a product will read soon, so that it need not wait. Which words are asked for shows in the cache:
/// for public operands alone. Does nothing where the processor is not known.
#[inline]
pub fn prefetch_vartime(words: &[u64]) {
    #[cfg(target_arch = "x86_64")]
    for line in words.chunks(8).take(MOST_LINES) {
        // SAFETY: a hint; it reads nothing, and every x86-64 processor has it.
        #[allow(unsafe_code)]
        unsafe {
            core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(
                line.as_ptr() as *const i8
            );
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = words;
}
