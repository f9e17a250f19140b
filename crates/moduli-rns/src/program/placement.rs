//! The placement of the issues of several operations, for a short total time.
//!
//! Operations consist of parts, which are uninterrupted rows of issues. Parts with the longest path to the
//! end are placed first. Each is placed as early as its dependencies, the free cycles and the ring allow;
//! this can be in free cycles between earlier parts. A fixed set of many orders is tried, and the shortest
//! result is used.

use alloc::{vec, vec::Vec};

use super::{
    issue::{Issue, Timing},
    operation::Operation,
    parts::{Part, parts},
    table::Table,
};

/// The number of orders that are tried.
const ORDERS: u64 = 200;

/// The placed issues of several operations.
pub(super) struct Placed {
    /// One slot per cycle; the last one has an issue.
    pub slots: Vec<Option<Issue>>,
    /// The cycle from which all results can be read.
    pub end: usize,
    /// The number of cycles after which the same operations can begin again.
    pub again: usize,
    /// The number of sets of temporary entries and quotients.
    pub sets: usize,
}

/// Places operations so that the results are those of the given order. If `looped`, minimises the number of
/// cycles until they can begin again.
pub(super) fn place(operations: &[Operation], timing: Timing, temporary: usize, looped: bool) -> Placed {
    let parts = parts(operations, timing);
    let ways = ways(&parts, timing);
    let mut best: Option<(usize, Table)> = None;
    for order in 0..ORDERS {
        let mut random = Sequence(order);
        // The first order uses only the path lengths; later orders differ from it more and more.
        let ranks: Vec<u64> =
            ways.iter().map(|&way| way as u64 * (1000 + random.next() % (1 + 3 * order))).collect();
        let table = in_order(&parts, &ranks, timing);
        let length = if looped { table.again(&parts) } else { table.end(&parts) };
        if best.as_ref().is_none_or(|(least, _)| length < *least) {
            best = Some((length, table));
        }
    }
    let table = best.map_or_else(|| Table::new(parts.len(), timing), |(_, table)| table);
    let (end, again) = (table.end(&parts), table.again(&parts));
    let (slots, sets) = table.issues(&parts, temporary);
    Placed { slots, end, again, sets }
}

/// For each part, the number of cycles from its first issue to the end, if there were no conflicts.
fn ways(parts: &[Part], timing: Timing) -> Vec<usize> {
    let mut ways: Vec<usize> = parts.iter().map(|part| part.length + timing.read).collect();
    for (later, part) in parts.iter().enumerate().rev() {
        for wait in &part.waits {
            let way = ways[later] as isize + wait.cycles;
            ways[wait.part] = ways[wait.part].max(way.max(0) as usize);
        }
    }
    ways
}

fn in_order(parts: &[Part], ranks: &[u64], timing: Timing) -> Table {
    let mut table = Table::new(parts.len(), timing);
    let mut missing: Vec<usize> = parts.iter().map(|part| part.waits.len()).collect();
    let mut followers = vec![Vec::new(); parts.len()];
    for (later, part) in parts.iter().enumerate() {
        part.waits.iter().for_each(|wait| followers[wait.part].push(later));
    }
    let mut ready: Vec<usize> = (0..parts.len()).filter(|&each| missing[each] == 0).collect();
    while let Some(at) = (0..ready.len()).max_by_key(|&at| (ranks[ready[at]], usize::MAX - ready[at])) {
        let next = ready.swap_remove(at);
        table.place(parts, next);
        for &follower in &followers[next] {
            missing[follower] -= 1;
            if missing[follower] == 0 {
                ready.push(follower);
            }
        }
    }
    table
}

/// A fixed sequence of pseudorandom numbers.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}
