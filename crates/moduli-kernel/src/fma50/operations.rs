//! Products and squares of residues: their columns, and the reduction.

use core::arch::x86_64::*;

use super::{
    columns::Columns,
    constants::Fma50,
    own::OwnSums,
    product::Pieces,
    task::{High, Low, Task},
    vector::known,
};

/// Calls the version of `$operation` that is compiled for the number of vectors, if there is one, and
/// otherwise the version for any number. For short moduli, loop counts and remainders of loops take a large
/// part of the time; 11 vectors are 2048 bits.
macro_rules! by_vectors {
    ($kernel:ident.$operation:ident($($argument:expr),*)) => {
        match $kernel.vectors {
            1 => $kernel.$operation::<1>($($argument),*),
            2 => $kernel.$operation::<2>($($argument),*),
            3 => $kernel.$operation::<3>($($argument),*),
            4 => $kernel.$operation::<4>($($argument),*),
            5 => $kernel.$operation::<5>($($argument),*),
            6 => $kernel.$operation::<6>($($argument),*),
            7 => $kernel.$operation::<7>($($argument),*),
            8 => $kernel.$operation::<8>($($argument),*),
            11 => $kernel.$operation::<11>($($argument),*),
            _ => $kernel.$operation::<0>($($argument),*),
        }
    };
}

/// All columns of a product, and the digits `t` of the low half. `$step` with `V`, `M` and m computes columns
/// 8·m to 8·m + 7.
///
/// If `V` is known, each step is compiled separately. The low columns become digits as soon as they are
/// complete, before the high ones, which need not wait for that.
macro_rules! columns_and_digits {
    ($kernel:ident, $columns:ident, $t:ident, $step:ident($($argument:expr),*)) => {{
        let digits = $kernel.digits;
        let mut low = None;
        macro_rules! step {
            ($m:literal) => {
                if $m < V {
                    if $m == V.div_ceil(2) {
                        low = Some($columns.low_digits::<V>($t, digits));
                    }
                    $kernel.$step::<V, $m>(&mut $columns, $($argument,)* $m);
                }
            };
        }
        step!(0);
        step!(1);
        step!(2);
        step!(3);
        step!(4);
        step!(5);
        step!(6);
        step!(7);
        step!(8);
        step!(9);
        step!(10);
        if V == 0 {
            for m in 0..$kernel.vectors {
                $kernel.$step::<0, 0>(&mut $columns, $($argument,)* m);
            }
        }
        match low {
            Some(low) => low,
            None => $columns.low_digits::<V>($t, digits),
        }
    }};
}

impl Fma50 {
    /// The groups of four digits in a part of the other factor, for an operand in `split` pieces.
    #[inline]
    pub(super) fn groups(&self, split: usize) -> usize {
        self.vectors.div_ceil(split)
    }

    /// `x` ← `x·b`, for b in `count` pieces.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; `x` is a residue, `pieces` are `count` of them, `scratch` is long
    /// enough.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn multiply_residue(
        &self,
        x: *mut u64,
        pieces: *const u64,
        count: usize,
        scratch: *mut u64,
    ) {
        // SAFETY: as the caller says.
        unsafe {
            if count == 1 {
                by_vectors!(self.multiply(x, pieces, scratch))
            } else {
                self.multiply_split(x, pieces, count, scratch)
            }
        }
    }

    /// `x` ← `x²`.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; `x` is a residue, `scratch` is long enough.
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn square_residue(&self, x: *mut u64, scratch: *mut u64) {
        // SAFETY: as the caller says.
        unsafe { by_vectors!(self.square(x, scratch)) }
    }

    /// x ← the value of its columns. The lowest `groups` groups of these have become the digits t and `low`.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; the columns are stored, `x` has room for a residue.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn reduce<const V: usize>(
        &self,
        x: *mut u64,
        columns: *const u64,
        t: *const u64,
        low: Low<__m256i>,
        groups: usize,
    ) {
        let rows = self.digits.min(4 * groups);
        // SAFETY: t is apart from x; the matrix and its corrections are as long as the modulus asks for.
        unsafe {
            self.multiply_matrix::<V, 0>(&Task {
                out: x,
                x: t,
                rows,
                own: low.own,
                matrix: self.fold.as_ptr(),
                correction: None,
                offsets: self.fold_offsets.as_ptr().add(self.words() * (groups - 1)),
                high: Some(High { columns: columns.add(rows), carry: low.carry }),
            });
        }
    }

    /// A product of residues of `V` vectors, or, if `V` is 0, of any number.
    ///
    /// # Safety
    /// As for [`Fma50::multiply_residue`].
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn multiply<const V: usize>(&self, x: *mut u64, b: *const u64, scratch: *mut u64) {
        // SAFETY: columns and t lie one after the other in the scratch space.
        unsafe {
            let t = scratch.add(Columns::words(self.vectors));
            let mut columns = Columns::new(scratch);
            let low = columns_and_digits!(self, columns, t, convolve(x, b));
            self.reduce::<V>(x, scratch, t, low, self.vectors);
        }
    }

    /// A product by an operand in several pieces.
    ///
    /// # Safety
    /// As for [`Fma50::multiply_residue`].
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn multiply_split(&self, x: *mut u64, pieces: *const u64, count: usize, scratch: *mut u64) {
        let groups = self.groups(count);
        let pieces = Pieces { words: pieces, groups, parts: self.vectors.div_ceil(groups) };
        // SAFETY: count·groups ≥ vectors; columns and t lie one after the other in the scratch space.
        unsafe {
            let t = scratch.add(Columns::words(self.vectors));
            let mut columns = Columns::new(scratch);
            for m in 0..(self.vectors + groups).div_ceil(2) {
                self.convolve_pieces(&mut columns, x, pieces, m);
            }
            let low = columns.low_digits::<0>(t, self.digits.min(4 * groups));
            self.reduce::<0>(x, scratch, t, low, groups);
        }
    }

    /// A square of a residue of `V` vectors, or, if `V` is 0, of any number.
    ///
    /// # Safety
    /// As for [`Fma50::square_residue`].
    #[target_feature(enable = "avx2,fma")]
    unsafe fn square<const V: usize>(&self, x: *mut u64, scratch: *mut u64) {
        // SAFETY: columns, t and x doubled lie one after the other in the scratch space.
        unsafe {
            let t = scratch.add(Columns::words(self.vectors));
            let doubled = t.add(self.words());
            let mut columns = Columns::new(scratch);
            self.double::<V>(doubled, x);
            let low = columns_and_digits!(self, columns, t, square_columns(x, doubled));
            self.reduce::<V>(x, scratch, t, low, self.vectors);
        }
    }

    /// `x` ← `x·matrix`.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; `x` is a residue, `matrix` is one, `scratch` is long enough.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn multiply_prepared(&self, x: *mut u64, matrix: *const u64, scratch: *mut u64) {
        // SAFETY: as the caller says.
        unsafe { by_vectors!(self.prepared_product(x, matrix, scratch)) }
    }

    /// The same for residues of `V` vectors, or, if `V` is 0, of any number.
    ///
    /// # Safety
    /// As for [`Fma50::multiply_prepared`].
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn prepared_product<const V: usize>(&self, x: *mut u64, matrix: *const u64, scratch: *mut u64) {
        let vectors = known::<V>(self.vectors);
        let mut own = OwnSums::new(vectors);
        // SAFETY: a residue fits the scratch space; the correction follows D rows.
        unsafe {
            for v in 0..vectors {
                let digits = _mm256_loadu_pd(x.add(4 * v) as *const f64);
                _mm256_storeu_pd(scratch.add(4 * v) as *mut f64, digits);
                own.add(digits);
            }
            self.multiply_matrix::<V, 1>(&Task {
                out: x,
                x: scratch,
                rows: self.digits,
                own: own.finish(),
                matrix,
                correction: Some(matrix.add(self.words() * self.digits)),
                offsets: self.offsets.as_ptr(),
                high: None,
            });
        }
    }

    /// `out` ← a·R^(−1), below D·2^51·N except for the multiple that is added to every result.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; `a` is a residue, and `out` has room for one.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn reduce_alone(&self, out: *mut u64, a: *const u64) {
        let mut own = OwnSums::new(self.vectors);
        for v in 0..self.vectors {
            // SAFETY: a has so many vectors.
            own.add(unsafe { _mm256_loadu_pd(a.add(4 * v) as *const f64) });
        }
        // SAFETY: the matrix and its corrections are as long as the modulus asks for.
        unsafe {
            self.multiply_matrix::<0, 2>(&Task {
                out,
                x: a,
                rows: self.digits,
                own: own.finish(),
                matrix: self.fold.as_ptr(),
                correction: None,
                offsets: self.fold_offsets.as_ptr().add(self.words() * (self.vectors - 1)),
                high: None,
            });
        }
    }
}
