//! The code for each size: it is compiled for every number of digits that the registers hold.

use core::arch::x86_64::{__m256i, __m512i};

use super::{
    look_up::{self, select},
    product::{self, Task},
};

/// Digits in a lane and lanes, and the code for them.
pub(super) struct Operations {
    pub(super) lanes: usize,
    pub(super) multiply: unsafe fn(Task<'_>),
    pub(super) square: unsafe fn(Task<'_>),
    pub(super) multiply_pieces: unsafe fn(Task<'_>, usize, usize),
    /// Two at a time, where that is more than one after the other.
    pub(super) two: Option<Two>,
}

/// How entries are looked up.
pub(super) type Select = unsafe fn(&mut [u64], &[u64], u64);

/// Two products at a time.
#[derive(Clone, Copy)]
pub(super) struct Two {
    pub(super) multiply: unsafe fn([Task<'_>; 2]),
    pub(super) square: unsafe fn([Task<'_>; 2], u32),
    /// Looks up two residues in one table.
    pub(super) select: unsafe fn([*mut u64; 2], &[u64], [u64; 2]),
}

/// Functions compiled for the instructions, around those that are inlined into them.
macro_rules! compiled {
    ($($name:ident($($argument:ident: $kind:ty),*) = $inner:expr;)*) => {
        $(
            #[target_feature(enable = "avx512f,avx512vl,avx512ifma,bmi2")]
            unsafe fn $name($($argument: $kind),*) {
                // SAFETY: as the caller vouches.
                unsafe { $inner($($argument),*) }
            }
        )*
    };
}

compiled! {
    select_four(out: &mut [u64], row: &[u64], index: u64) = select::<__m256i>;
    select_eight(out: &mut [u64], row: &[u64], index: u64) = select::<__m512i>;
}

pub(super) const SELECT: [Select; 2] = [select_four, select_eight];

macro_rules! short {
    ($vector:ty, $lanes:literal, $digits:literal, $split:literal) => {{
        compiled! {
            multiply_two(tasks: [Task<'_>; 2]) = product::multiply_two::<$vector, $digits>;
            square_two(tasks: [Task<'_>; 2], times: u32) = product::square_two::<$vector, $digits>;
            select_two(out: [*mut u64; 2], row: &[u64], indices: [u64; 2]) =
                look_up::select_two::<$vector, $digits>;
        }
        const TWO: Two = Two { multiply: multiply_two, square: square_two, select: select_two };
        short!(@ $vector, $lanes, $digits, $split, Some(TWO))
    }};
    // Where one product alone keeps the multipliers as busy.
    ($vector:ty, $lanes:literal, $digits:literal) => {
        short!(@ $vector, $lanes, $digits, false, None)
    };
    (@ $vector:ty, $lanes:literal, $digits:literal, $split:literal, $two:expr) => {{
        compiled! {
            multiply(task: Task<'_>) = product::multiply::<$vector, $digits, $split>;
            square(task: Task<'_>) = product::square::<$vector, $digits, $split>;
            multiply_pieces(task: Task<'_>, split: usize, blocks: usize) =
                product::multiply_pieces::<$vector, $digits, $split>;
        }
        static OPERATIONS: Operations = Operations {
            lanes: $lanes,
            multiply,
            square,
            multiply_pieces,
            two: $two,
        };
        &OPERATIONS
    }};
}

/// Digits in a lane and the code for a modulus of so many digits; none if strips would be too long for the registers.
pub(super) fn operations(digits: usize) -> Option<(usize, &'static Operations)> {
    // Four lanes as long as a half of the longer vectors would lie idle.
    let in_four = digits.div_ceil(4);
    match in_four {
        0 | 1 => return Some((1, short!(__m256i, 4, 1, true))),
        2 => return Some((2, short!(__m256i, 4, 2, true))),
        3 => return Some((3, short!(__m256i, 4, 3, true))),
        4 => return Some((4, short!(__m256i, 4, 4, true))),
        5 => return Some((5, short!(__m256i, 4, 5, true))),
        _ => {}
    }
    let in_eight = digits.div_ceil(8);
    Some(match in_eight {
        ..=3 => (3, short!(__m512i, 8, 3, true)),
        4 => (4, short!(__m512i, 8, 4, true)),
        5 => (5, short!(__m512i, 8, 5, false)),
        6 => (6, short!(__m512i, 8, 6)),
        7 => (7, short!(__m512i, 8, 7)),
        8 => (8, short!(__m512i, 8, 8)),
        9 => (9, short!(__m512i, 8, 9)),
        10 => (10, short!(__m512i, 8, 10)),
        _ => return None,
    })
}
