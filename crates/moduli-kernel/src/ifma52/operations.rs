//! The code for each size. It is compiled for every number of digits that fits in the registers.

use core::arch::x86_64::{__m256i, __m512i};

use super::{
    look_up::{self, select},
    product::{self, Task},
    products_x2,
};
use crate::dimensions::{SPARE, Strips};

/// The code for strips of one size.
pub(super) struct Operations {
    pub(super) multiply: unsafe fn(Task<'_>),
    pub(super) square: unsafe fn(Task<'_>),
    pub(super) multiply_pieces: unsafe fn(Task<'_>, usize, usize),
    /// Two at a time, if that is faster than one after the other.
    pub(super) two: Option<Two>,
}

/// The function that looks up entries.
pub(super) type Select = unsafe fn(&mut [u64], &[u64], &[u64], u64);

/// Two products at a time, between a beginning and an end: meanwhile, values may exist only in the scratch
/// space.
#[derive(Clone, Copy)]
pub(super) struct Two {
    pub(super) begin: unsafe fn([Task<'_>; 2], *mut u64),
    pub(super) multiply: unsafe fn([Task<'_>; 2], *mut u64),
    pub(super) square: unsafe fn([Task<'_>; 2], u32, *mut u64),
    pub(super) end: unsafe fn([Task<'_>; 2], *mut u64),
    /// The number of words of scratch space that they need.
    pub(super) scratch: usize,
    /// Looks up two residues in one table.
    pub(super) select: unsafe fn([*mut u64; 2], &[u64], [u64; 2]),
}

/// Functions compiled for the instructions; the generic functions are inlined into them.
macro_rules! compiled {
    ($($name:ident($($argument:ident: $kind:ty),*) = $inner:expr;)*) => {
        $(
            #[target_feature(enable = "avx512f,avx512vl,avx512ifma,bmi2")]
            unsafe fn $name($($argument: $kind),*) {
                // SAFETY: as the caller guarantees.
                unsafe { $inner($($argument),*) }
            }
        )*
    };
}

compiled! {
    select_four(out: &mut [u64], first: &[u64], others: &[u64], index: u64) = select::<__m256i>;
    select_eight(out: &mut [u64], first: &[u64], others: &[u64], index: u64) = select::<__m512i>;
}

pub(super) const SELECT: [Select; 2] = [select_four, select_eight];

/// The code for one size, with or without spare bits in the strips.
macro_rules! sized {
    ($spare:expr, __m256i, $digits:literal) => {
        sized!(
            @ $spare, __m256i, 4, $digits, $digits, true, products_x2::pair_scratch($digits),
            [
                products_x2::begin_pair::<$digits>,
                products_x2::multiply_pair::<$digits, { $spare }>,
                products_x2::square_pair::<$digits, { $spare }>,
                products_x2::end_pair::<$digits>
            ]
        )
    };
    // With at most this many digits in the highest lane.
    ($spare:expr, __m512i, $digits:literal, $highest:literal, $split:literal) => {
        sized!(
            @ $spare, __m512i, 8, $digits, $highest, $split, 4 * 8 * $digits,
            [
                products_x2::begin_two::<$digits>,
                products_x2::multiply_two::<$digits, $highest, { $spare }>,
                products_x2::square_two::<$digits, $highest, { $spare }>,
                products_x2::end_two::<$digits>
            ]
        )
    };
    // For sizes at which a single product uses the multipliers as well.
    ($spare:expr, __m512i, $digits:literal, $highest:literal, $split:literal, alone) => {
        sized!(@ $spare, __m512i, 8, $digits, $highest, $split, None)
    };
    (
        @ $spare:expr, $vector:ty, $lanes:literal, $digits:literal, $highest:literal, $split:literal,
        $scratch:expr, [$begin:expr, $multiply:expr, $square:expr, $end:expr]
    ) => {{
        compiled! {
            begin(tasks: [Task<'_>; 2], scratch: *mut u64) = $begin;
            end(tasks: [Task<'_>; 2], scratch: *mut u64) = $end;
            multiply_two(tasks: [Task<'_>; 2], scratch: *mut u64) = $multiply;
            square_two(tasks: [Task<'_>; 2], times: u32, scratch: *mut u64) = $square;
            select_two(out: [*mut u64; 2], row: &[u64], indices: [u64; 2]) =
                look_up::select_two::<$vector, $digits>;
        }
        const TWO: Two = Two {
            begin,
            multiply: multiply_two,
            square: square_two,
            end,
            select: select_two,
            scratch: $scratch,
        };
        sized!(@ $spare, $vector, $lanes, $digits, $highest, $split, Some(TWO))
    }};
    (
        @ $spare:expr, $vector:ty, $lanes:literal, $digits:literal, $highest:literal, $split:literal, $two:expr
    ) => {{
        compiled! {
            multiply(task: Task<'_>) =
                product::multiply::<$vector, $digits, $highest, $split, { $spare }>;
            // With more digits, the number of instructions limits squares, not the latency of a chain.
            square(task: Task<'_>) = product::square::<
                $vector, $digits, $highest, { $split && $lanes * $digits <= 24 }, { $spare }
            >;
            multiply_pieces(task: Task<'_>, split: usize, blocks: usize) =
                product::multiply_pieces::<$vector, $digits, $split>;
        }
        static OPERATIONS: Operations = Operations { multiply, square, multiply_pieces, two: $two };
        &OPERATIONS
    }};
}

/// Strips of 52-bit digits alone.
macro_rules! short {
    ($($size:tt)*) => { sized!(0, $($size)*) };
}

/// Strips with spare bits.
macro_rules! spaced {
    // Two moduli at a time are faster without spare bits: there, the products of one hide the carries of the
    // other.
    (__m512i, 4, $highest:literal, $split:literal) => { spaced!(__m512i, 4, $highest, $split, alone) };
    (__m512i, 5, $highest:literal, $split:literal) => { spaced!(__m512i, 5, $highest, $split, alone) };
    // Carries take too little of the time.
    (__m512i, 9, $($more:tt)*) => { return None };
    (__m512i, 10, $($more:tt)*) => { return None };
    ($($size:tt)*) => { sized!(SPARE as u32, $($size)*) };
}

/// The code for strips of every size, by `short` or `spaced`.
macro_rules! of_size {
    ($strips:expr, $code:ident) => {{
        let Strips { blocks, digits, reduced } = $strips;
        Some(match (blocks, digits) {
            (4, ..=1) => $code!(__m256i, 1),
            (4, 2) => $code!(__m256i, 2),
            (4, 3) => $code!(__m256i, 3),
            (4, 4) => $code!(__m256i, 4),
            (4, 5) => $code!(__m256i, 5),
            (8, 3) => $code!(__m512i, 3, 3, true),
            (8, 4) if reduced < 32 => $code!(__m512i, 4, 2, true),
            (8, 4) => $code!(__m512i, 4, 4, true),
            (8, 5) => $code!(__m512i, 5, 5, true),
            (8, 6) => $code!(__m512i, 6, 6, true, alone),
            (8, 7) => $code!(__m512i, 7, 7, false, alone),
            (8, 8) if reduced < 64 => $code!(__m512i, 8, 4, true, alone),
            (8, 8) => $code!(__m512i, 8, 8, false, alone),
            (8, 9) => $code!(__m512i, 9, 9, false, alone),
            (8, 10) => $code!(__m512i, 10, 10, false, alone),
            _ => return None,
        })
    }};
}

/// The code for these strips, with or without spare bits; `None` if they are too long for the registers.
pub(super) fn operations(strips: Strips, are_spaced: bool) -> Option<&'static Operations> {
    if are_spaced { with_spare_bits(strips) } else { of_size!(strips, short) }
}

fn with_spare_bits(strips: Strips) -> Option<&'static Operations> {
    match strips.reduced {
        22 => Some(spaced!(__m512i, 3, 1, true)),
        43 => Some(spaced!(__m512i, 6, 1, true, alone)),
        _ => of_size!(strips, spaced),
    }
}
