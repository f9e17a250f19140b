//! A part of a masked look-up, beside other work.

use core::arch::{asm, x86_64::*};

/// Entries that one square looks at: there are so many masks.
pub(super) const LOOKED_AT: usize = 7;

/// A part of a look-up: each lane of `out` ← that of the entry it wants, if it is among these. Beside
/// products they are read for nothing.
pub(super) struct Look {
    pub(super) out: *mut __m512i,
    /// Seven rows.
    pub(super) entries: *const __m512i,
    /// Which of them each lane wants.
    pub(super) wanted: __m512i,
}

impl Look {
    /// The lanes that want each of the entries.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn masks(&self) -> [__mmask8; LOOKED_AT] {
        core::array::from_fn(|n| _mm512_cmpeq_epi64_mask(self.wanted, _mm512_set1_epi64(n as i64)))
    }

    /// Vectors `j..j + count` of rows of `length` vectors, one at least. Entries are read without a mask:
    /// which lanes of memory are read would show them.
    ///
    /// In assembly, so that it stands among products and does not become a call, for which their sums would
    /// be stored; and so that masks are moved once.
    ///
    /// # Safety
    /// The processor has AVX-512; `out` and the entries are as long.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) unsafe fn take(
        &self,
        masks: &[__mmask8; LOOKED_AT],
        length: usize,
        (j, count): (usize, usize),
    ) {
        let (_found, _entry): (__m512i, __m512i);
        // SAFETY: as the caller guarantees.
        unsafe {
            let first = self.entries.add(j);
            asm!(
                "2:",
                "vmovdqu64 {found}, [{out}]",
                "vmovdqu64 {entry}, [{e0}]",
                "vpblendmq {found} {{{k0}}}, {found}, {entry}",
                "vmovdqu64 {entry}, [{e0} + {row}]",
                "vpblendmq {found} {{{k1}}}, {found}, {entry}",
                "vmovdqu64 {entry}, [{e0} + 2*{row}]",
                "vpblendmq {found} {{{k2}}}, {found}, {entry}",
                "vmovdqu64 {entry}, [{e3}]",
                "vpblendmq {found} {{{k3}}}, {found}, {entry}",
                "vmovdqu64 {entry}, [{e3} + {row}]",
                "vpblendmq {found} {{{k4}}}, {found}, {entry}",
                "vmovdqu64 {entry}, [{e3} + 2*{row}]",
                "vpblendmq {found} {{{k5}}}, {found}, {entry}",
                "vmovdqu64 {entry}, [{e3} + {three_rows}]",
                "vpblendmq {found} {{{k6}}}, {found}, {entry}",
                "vmovdqu64 [{out}], {found}",
                "add {out}, 64",
                "add {e0}, 64",
                "add {e3}, 64",
                "dec {count}",
                "jnz 2b",
                out = inout(reg) self.out.add(j) => _,
                e0 = inout(reg) first => _,
                e3 = inout(reg) first.add(3 * length) => _,
                row = in(reg) size_of::<__m512i>() * length,
                three_rows = in(reg) 3 * size_of::<__m512i>() * length,
                count = inout(reg) count => _,
                k0 = in(kreg) masks[0],
                k1 = in(kreg) masks[1],
                k2 = in(kreg) masks[2],
                k3 = in(kreg) masks[3],
                k4 = in(kreg) masks[4],
                k5 = in(kreg) masks[5],
                k6 = in(kreg) masks[6],
                found = out(zmm_reg) _found,
                entry = out(zmm_reg) _entry,
                options(nostack),
            );
        }
    }
}

/// What is done beside products, a part at a time. A trait and no closure: that would become a call.
pub(super) trait Beside {
    /// The next part.
    ///
    /// # Safety
    /// The processor has AVX-512.
    unsafe fn go_on(&mut self);
}

/// Nothing.
impl Beside for () {
    #[inline]
    unsafe fn go_on(&mut self) {}
}

/// A look-up that is done vector by vector.
pub(super) struct Looking<'a> {
    look: &'a Look,
    masks: [__mmask8; LOOKED_AT],
    /// Vectors of a row, how many were looked at, and how many are at a time.
    length: usize,
    next: usize,
    at_once: usize,
}

impl Look {
    /// Nothing is looked at yet, in rows of `length` vectors.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn begin(&self, length: usize, at_once: usize) -> Looking<'_> {
        Looking { look: self, masks: self.masks(), length, next: 0, at_once }
    }
}

impl Looking<'_> {
    /// All that is left.
    ///
    /// # Safety
    /// As for [`Look::take`].
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) unsafe fn finish(mut self) {
        self.at_once = self.length;
        // SAFETY: as the caller guarantees.
        unsafe { self.go_on() };
    }
}

impl Beside for Looking<'_> {
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn go_on(&mut self) {
        let count = self.at_once.min(self.length - self.next);
        if count > 0 {
            // SAFETY: as the caller guarantees.
            unsafe { self.look.take(&self.masks, self.length, (self.next, count)) };
            self.next += count;
        }
    }
}
