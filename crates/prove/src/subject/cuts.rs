//! Finds where the parts of operations on words end: preparations of pieces, and pairs of long products.

use std::ops::Range;

use super::declared::Declared;
use crate::{
    failure::{Failure, Reason, Result},
    lift::{Cut, Symbol},
};

fn cut(step: usize, address: u64, highest: Vec<u64>) -> Cut {
    Cut { step, symbol: Symbol { address, words: Vec::new(), highest }, are_doubles: false }
}

impl Declared {
    /// The cuts between the parts of a preparation of pieces, the highest piece first: where the highest one,
    /// which is a product, was last copied to be reduced; and where a reduced piece is copied to the
    /// next. From there on it is any residue. The calls of functions of the system show where that is.
    pub(crate) fn cuts_of_pieces(
        &self,
        pieces: usize,
        calls: impl Iterator<Item = (usize, &'static str, [u64; 3])>,
    ) -> Result<Vec<Cut>> {
        let mut cuts: Vec<Cut> = Vec::new();
        // The piece that is copied next.
        let mut left = pieces - 1;
        for (step, name, [to, from, _]) in calls {
            if !matches!(name, "memcpy" | "memmove") || from != self.piece(left)? {
                continue;
            }
            let cut = cut(step, from, vec![u64::MAX; self.words]);
            if left > 0 && to == self.piece(left - 1)? {
                cuts.push(cut);
                left -= 1;
            } else if left + 1 == pieces {
                cuts = vec![cut];
            }
        }
        if cuts.len() != pieces {
            return Err(Failure::new(Reason::Unproven, "pieces that are not made one after the other"));
        }
        Ok(cuts)
    }

    /// The cuts between the parts of a long pair: where the common operand, at the beginning of the scratch
    /// space, has moved down by a part and is multiplied by the next part of the first operand; where
    /// each sum is complete; and where N was subtracted from it, or not. From there on these are any such
    /// numbers. The copies and the writes of instructions show where that is.
    pub(crate) fn cuts_of_pair(
        &self,
        mut calls: impl Iterator<Item = (usize, &'static str, [u64; 3])>,
        writes: impl Iterator<Item = (usize, Range<u64>)>,
    ) -> Result<Vec<Cut>> {
        let Self { words: n, part, .. } = *self;
        let address = |name: &str| Ok::<_, Failure>(self.symbols[self.find(name)?].1.address);
        let (scratch, common) = (address("scratch")?, address("y")?);
        // The common operand is copied there. A short pair is two products.
        let copied = calls.find(|(_, _, [to, from, _])| (*to, *from) == (scratch, common));
        let Some((copied, ..)) = copied else { return Ok(Vec::new()) };
        let parts = n.saturating_sub(part + 1) / part;
        let end = scratch + 8 * (n + 1 + part * parts) as u64;
        let length = 2 * n - part * parts;
        let sums = [0, 1].map(|i| end + 8 * i * (length as u64 + 1));
        let (mut moved, mut last, mut cuts) = (None, None, Vec::new());
        // Where each sum was last written before the other one was, and where it was first written to its end
        // after that.
        let (mut written, mut done, mut ends) = ([0; 2], [0; 2], [None; 2]);
        for (number, bytes) in writes.filter(|(number, _)| *number >= copied) {
            let to = |sum: &u64| (*sum..sum + 8 * (length as u64 + 1)).contains(&bytes.start);
            if (scratch..end).contains(&bytes.start) && last.is_some() {
                moved = Some(number + 1);
            } else if let Some(sum) = sums.iter().position(to) {
                if let Some(step) = moved.take() {
                    let address = scratch + 8 * (part * (cuts.len() + 1)) as u64;
                    cuts.push(cut(step, address, vec![u64::MAX; n]));
                }
                if last != Some(sum) {
                    (done[sum], ends[sum]) = (written[sum], None);
                }
                (last, written[sum]) = (Some(sum), number + 1);
                if bytes.contains(&(sums[sum] + 8 * (length as u64 - 1))) {
                    ends[sum].get_or_insert(number + 1);
                }
            }
        }
        let ([Some(first), Some(second)], true) = (ends, cuts.len() == parts) else {
            return Err(Failure::new(Reason::Unproven, "an operand that does not move part by part"));
        };
        let words = vec![u64::MAX; length];
        for (step, sum) in done.into_iter().zip(sums) {
            cuts.push(cut(step, sum, words.iter().copied().chain([1]).collect()));
        }
        for (step, sum) in [first, second].into_iter().zip(sums) {
            cuts.push(cut(step, sum, words.clone()));
        }
        Ok(cuts)
    }
}
