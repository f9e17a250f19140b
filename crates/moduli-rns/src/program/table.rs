//! The cycles of several operations, and the assignment of parts to them.

use alloc::{vec, vec::Vec};

use super::{
    issue::{Constant, Issue, Left, Right, Timing},
    parts::{Part, TEMPORARY},
};

/// The use of a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Free,
    /// The issue does not read its first operand from the register files, so the digits of the ring can be
    /// fetched in this cycle.
    Beside,
    Taken,
}

/// The cycles in which parts begin, and in which the digits of the ring are fetched.
pub(super) struct Table {
    timing: Timing,
    uses: Vec<Use>,
    starts: Vec<usize>,
    fetches: Vec<usize>,
    /// The first and the last cycle in which the ring holds digits that are needed.
    ring: Vec<[usize; 2]>,
}

impl Table {
    pub fn new(parts: usize, timing: Timing) -> Self {
        Self { timing, uses: Vec::new(), starts: vec![0; parts], fetches: vec![0; parts], ring: Vec::new() }
    }

    fn used(&self, slot: usize) -> Use {
        self.uses.get(slot).copied().unwrap_or(Use::Free)
    }

    fn take(&mut self, slot: usize, how: Use) {
        if self.uses.len() <= slot {
            self.uses.resize(slot + 1, Use::Free);
        }
        self.uses[slot] = how;
    }

    /// Places a part in the first cycles with enough room.
    pub fn place(&mut self, parts: &[Part], number: usize) {
        let part = &parts[number];
        let waited = part.waits.iter().map(|wait| self.starts[wait.part] as isize + wait.cycles);
        let mut start = waited.max().unwrap_or(0).max(0) as usize;
        loop {
            if (start..start + part.length).all(|slot| self.used(slot) == Use::Free) {
                let Some(ring) = part.ring else { break };
                let ready = self.starts[ring.maker] + parts[ring.maker].length - 1 + self.timing.read;
                if let Some(fetch) = self.fetch_for(ready, start, ring.first) {
                    self.take(fetch, Use::Taken);
                    self.fetches[number] = fetch;
                    let first = start + ring.first;
                    self.ring.push([fetch + 2, first + self.timing.channels - 1]);
                    break;
                }
            }
            start += 1;
        }
        self.starts[number] = start;
        for (k, issue) in part.issues.iter().enumerate() {
            self.take(start + k, if issue.left == Left::Nothing { Use::Beside } else { Use::Taken });
        }
    }

    /// The last cycle, not before `ready`, in which digits can be fetched for a part that begins at `start`
    /// and reads them from its issue `first` on.
    fn fetch_for(&self, ready: usize, start: usize, first: usize) -> Option<usize> {
        let last = start + first + self.timing.channels - 1;
        let latest = (start + first).checked_sub(2)?.min(start.checked_sub(1)?);
        (ready..=latest).rev().find(|&slot| {
            self.used(slot) != Use::Taken && self.ring.iter().all(|&[from, to]| last < from || to < slot + 2)
        })
    }

    /// The cycle from which all results can be read.
    pub fn end(&self, parts: &[Part]) -> usize {
        let written = parts.iter().zip(&self.starts).filter_map(|(part, start)| {
            part.writes.iter().map(|write| start + write.at + self.timing.read).max()
        });
        written.max().unwrap_or(0).max(self.uses.len())
    }

    /// The smallest number of cycles after which the same operations can begin again, with their results as
    /// inputs.
    pub fn again(&self, parts: &[Part]) -> usize {
        let mut again = self.uses.len();
        for (writer, from) in parts.iter().zip(&self.starts) {
            for (reader, to) in parts.iter().zip(&self.starts) {
                for write in &writer.writes {
                    // A later read of the same iteration reads the new value, so it does not depend on the
                    // previous iteration.
                    let later = reader.operation > writer.operation;
                    let reads = reader.reads.iter().filter(|read| read.may_concern(write));
                    for read in reads.filter(|read| !(later && read.concerns(write))) {
                        again = again.max((from + write.at + self.timing.read).saturating_sub(to + read.at));
                    }
                }
            }
        }
        again
    }

    /// Moves chunk products to the latest cycles that their sums allow, so that they occupy entries only
    /// briefly.
    fn delay(&mut self, parts: &[Part]) {
        let mut movable: Vec<usize> = (0..parts.len()).filter(|&each| parts[each].movable).collect();
        movable.sort_by_key(|&each| core::cmp::Reverse(self.starts[each]));
        for number in movable {
            let waits = parts.iter().zip(&self.starts).flat_map(|(later, &start)| {
                let mine = later.waits.iter().filter(|wait| wait.part == number);
                mine.map(move |wait| start as isize - wait.cycles)
            });
            let latest = waits.min().unwrap_or(0).max(0) as usize;
            let from = self.starts[number];
            if let Some(slot) = (from + 1..=latest).rev().find(|&slot| self.used(slot) == Use::Free) {
                self.take(from, Use::Free);
                self.take(slot, Use::Taken);
                self.starts[number] = slot;
            }
        }
    }

    /// The issues, and the number of sets of temporary entries and quotients that they use.
    pub fn issues(mut self, parts: &[Part], temporary: usize) -> (Vec<Option<Issue>>, usize) {
        let again = self.again(parts);
        self.delay(parts);
        debug_assert!(self.again(parts) <= again);
        let (sets, count) = self.sets(parts);
        let mut slots: Vec<Option<Issue>> = vec![None; self.uses.len()];
        for (part, &start) in parts.iter().zip(&self.starts) {
            for (k, &issue) in part.issues.iter().enumerate() {
                slots[start + k] = Some(issue);
            }
        }
        for (part, &fetch) in parts.iter().zip(&self.fetches) {
            if let Some(ring) = part.ring {
                let beside = slots[fetch].unwrap_or(Issue::of_constant(false, Constant::One));
                slots[fetch] = Some(Issue { left: Left::Fetch(ring.from), ..beside });
            }
        }
        while slots.last().is_some_and(Option::is_none) {
            slots.pop();
        }
        let chunks = self.timing.chunks;
        for issue in slots.iter_mut().flatten() {
            let place = |number: &mut usize| {
                if let Some(own) = number.checked_sub(TEMPORARY) {
                    *number = temporary + 2 * chunks * sets[own >> 8] + (own & 255);
                }
            };
            if let Left::Entry(entry) | Left::Fetch(entry) = &mut issue.left {
                place(&mut entry.number);
            }
            if let Some(entry) = &mut issue.to {
                place(&mut entry.number);
            }
            if let Right::Quotient(operation) = &mut issue.right {
                *operation = sets[*operation];
            }
            issue.quotient = issue.quotient.map(|operation| sets[operation]);
        }
        (slots, count)
    }

    /// Assigns a set to every operation: the first one that is free during the use. Also returns the number
    /// of sets.
    fn sets(&self, parts: &[Part]) -> (Vec<usize>, usize) {
        let operations = parts.last().map_or(0, |part| part.operation + 1);
        let mut uses: Vec<Option<[usize; 2]>> = vec![None; operations];
        for (part, &start) in parts.iter().zip(&self.starts) {
            if part.movable || part.ring.is_some() || part.issues.iter().any(|issue| issue.quotient.is_some())
            {
                // From the first cycle in which the entry can be read to the last issue.
                let span = [start + self.timing.read, start + part.length];
                let use_ = uses[part.operation].get_or_insert(span);
                *use_ = [use_[0].min(span[0]), use_[1].max(span[1])];
            }
        }
        let mut order: Vec<usize> = (0..operations).filter(|&each| uses[each].is_some()).collect();
        order.sort_by_key(|&each| uses[each]);
        let (mut sets, mut ends) = (vec![0; operations], Vec::new());
        for operation in order {
            let Some([from, to]) = uses[operation] else { continue };
            let set = ends.iter().position(|&end| end < from).unwrap_or_else(|| {
                ends.push(0);
                ends.len() - 1
            });
            (sets[operation], ends[set]) = (set, to);
        }
        (sets, ends.len())
    }
}
