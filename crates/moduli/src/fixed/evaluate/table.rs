//! A table and its entries.

use crate::fixed::layout::Layout;

/// A table in the form in which the methods read it.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) words: &'a [u64],
    pub(crate) split: usize,
    /// The prepared entry 1.
    pub(crate) one: &'a [u64],
}

impl<'a> Table<'a> {
    /// Entries `first .. first + count`, consecutive in memory.
    pub(super) fn entries(&self, first: usize, count: usize) -> &'a [u64] {
        let size = self.one.len();
        &self.words[first * size..(first + count) * size]
    }
}
