//! Whether a computation may show an index: a type, so that the code for secrets has no variable-time arm.

use moduli_kernel::{LaneSession, Session, prefetch_vartime};

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Masked {}
    impl Sealed for super::Indexed {}
}

/// How entries are found in a row, and what a digit of 0 costs. What takes [`Indexed`] says `_vartime`.
pub(crate) trait Access: sealed::Sealed {
    /// Whether a factor of 1 is left out.
    fn skips(index: u64) -> bool;

    /// Asks for entry `index − 1` of `row`, entries of `size` words, which a product will read soon.
    fn ask(row: &[u64], size: usize, index: u64);

    /// Entry `index`: entry 0 is `first`, entry i the i-th of `row`. In `place` where it is read under a mask.
    fn entry<'a>(
        session: &Session<'_>,
        place: &'a mut [u64],
        first: &'a [u64],
        row: &'a [u64],
        index: u64,
    ) -> &'a [u64];

    /// Each lane of each row of `out` ← the entry that its index names, as [`entry`](Self::entry). With `skipping` rows of which all
    /// lanes are [`skipped`](Self::skips) may be left as they are.
    fn look_up(
        lanes: &LaneSession<'_>,
        out: &mut [u64],
        first: &[u64],
        entries: &[u64],
        indices: &[u64],
        skipping: bool,
    );

    /// Changes entry `index` of `row`, by way of `place` where all entries are read and written under a mask.
    fn update(
        session: &mut Session<'_>,
        place: &mut [u64],
        row: &mut [u64],
        index: u64,
        change: impl FnOnce(&mut Session<'_>, &mut [u64]),
    );
}

/// Every entry is read under a mask, and 0 is an index like any other: constant-time.
pub(crate) enum Masked {}

/// The entry is read where it lies, and factors of 1 are left out: variable-time.
pub(crate) enum Indexed {}

impl Access for Masked {
    #[inline(always)]
    fn skips(_: u64) -> bool {
        false
    }

    #[inline(always)]
    fn ask(_: &[u64], _: usize, _: u64) {}

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
