//! Whether a computation may reveal an index. This is a type, so the code for secrets contains no
//! variable-time branch.

use moduli_kernel::{LaneSession, Session, prefetch_all, prefetch_vartime};

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Masked {}
    impl Sealed for super::Indexed {}
}

/// How to look up entries in a row, and whether a digit of 0 costs a product. Functions that use
/// [`Indexed`] have `_vartime` in their names.
pub(crate) trait Access: sealed::Sealed {
    /// Whether to skip the entry of this index, because it is 1.
    fn skips(index: u64) -> bool;

    /// Prefetches entry `index − 1` of `row`, for a product that will soon read it. Entries have
    /// `size` words.
    fn ask(row: &[u64], size: usize, index: u64);

    /// Prefetches words that a later look-up reads whatever its index.
    fn ask_all(words: &[u64]);

    /// Returns entry `index`: entry 0 is `first`, entry i the i-th of `row`. A masked look-up
    /// writes it to `place`.
    fn entry<'a>(
        session: &Session<'_>,
        place: &'a mut [u64],
        first: &'a [u64],
        row: &'a [u64],
        index: u64,
    ) -> &'a [u64];

    /// Sets each lane of each row of `out` to the entry of its index, as [`entry`](Self::entry)
    /// does. If `skipping` is true, it may leave a row unchanged whose lanes are all
    /// [skipped](Self::skips).
    fn look_up(
        lanes: &LaneSession<'_>,
        out: &mut [u64],
        first: &[u64],
        entries: &[u64],
        indices: &[u64],
        skipping: bool,
    );

    /// Changes entry `index` of `row`. A masked update reads and writes all entries and computes
    /// the change in `place`.
    fn update(
        session: &mut Session<'_>,
        place: &mut [u64],
        row: &mut [u64],
        index: u64,
        change: impl FnOnce(&mut Session<'_>, &mut [u64]),
    );
}

/// Constant-time: reads every entry under a mask, and treats 0 like any other index.
pub(crate) enum Masked {}

/// Variable-time: reads the entry at its address, and skips factors of 1.
pub(crate) enum Indexed {}

impl Access for Masked {
    #[inline(always)]
    fn skips(_: u64) -> bool {
        false
    }

    #[inline(always)]
    fn ask(_: &[u64], _: usize, _: u64) {}

    #[inline(always)]
    fn ask_all(words: &[u64]) {
        prefetch_all(words);
    }

    #[inline(always)]
    fn entry<'a>(
        session: &Session<'_>,
        place: &'a mut [u64],
        first: &'a [u64],
        row: &'a [u64],
        index: u64,
    ) -> &'a [u64] {
        moduli_kernel::fault!(
            "a branch on a digit of an exponent",
            "moduli checkmem::powers::powers_of_fixed_bases",
            {
                if moduli_kernel::faults::branch_on(index) {
                    place.copy_from_slice(first);
                    return place;
                }
            }
        );
        session.select(place, first, row, index);
        place
    }

    fn look_up(
        lanes: &LaneSession<'_>,
        out: &mut [u64],
        first: &[u64],
        entries: &[u64],
        indices: &[u64],
        _: bool,
    ) {
        lanes.look_up(out, first, entries, indices);
    }

    fn update(
        session: &mut Session<'_>,
        place: &mut [u64],
        row: &mut [u64],
        index: u64,
        change: impl FnOnce(&mut Session<'_>, &mut [u64]),
    ) {
        let (first, rest) = row.split_at(place.len());
        session.select(place, first, rest, index);
        change(session, place);
        session.replace(row, place, index);
    }
}

impl Access for Indexed {
    #[inline(always)]
    fn skips(index: u64) -> bool {
        index == 0
    }

    #[inline(always)]
    fn ask(row: &[u64], size: usize, index: u64) {
        if index > 0 {
            prefetch_vartime(&row[(index as usize - 1) * size..][..size]);
        }
    }

    #[inline(always)]
    fn ask_all(_: &[u64]) {}

    #[inline(always)]
    fn entry<'a>(
        _: &Session<'_>,
        _: &'a mut [u64],
        first: &'a [u64],
        row: &'a [u64],
        index: u64,
    ) -> &'a [u64] {
        match index {
            0 => first,
            _ => &row[(index as usize - 1) * first.len()..][..first.len()],
        }
    }

    fn look_up(
        lanes: &LaneSession<'_>,
        out: &mut [u64],
        first: &[u64],
        entries: &[u64],
        indices: &[u64],
        skipping: bool,
    ) {
        let (length, count, size) = (lanes.row_words(), lanes.lanes(), first.len());
        for (row, indices) in out.chunks_exact_mut(length).zip(indices.chunks_exact(count)) {
            if skipping && indices.iter().all(|&index| index == 0) {
                continue;
            }
            for (lane, &index) in indices.iter().enumerate() {
                let entry = match index {
                    0 => first,
                    _ => &entries[(index as usize - 1) * size..][..size],
                };
                lanes.put(row, lane, entry);
            }
        }
    }

    fn update(
        session: &mut Session<'_>,
        place: &mut [u64],
        row: &mut [u64],
        index: u64,
        change: impl FnOnce(&mut Session<'_>, &mut [u64]),
    ) {
        let size = place.len();
        change(session, &mut row[index as usize * size..][..size]);
    }
}
