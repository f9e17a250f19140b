//! Finds the intervals of an index in which the result is always the same.

use super::search::{Prover, unproven};
use crate::{
    checker::ByIndex,
    failure::Result,
    specification::{Formula, Statement},
};

/// The largest number of intervals for each entry.
const INTERVALS: usize = 16;

impl Prover<'_> {
    /// Finds the intervals. Each entry has its own. Indices past the last are cut where a selector changes,
    /// until the result is known.
    pub(super) fn indices(&mut self) -> Result<()> {
        let checker = self.checker()?;
        let mut by_index = ByIndex::new(&checker);
        let Statement { specification, first, second, .. } = self.statement;
        let entries = 1 + second.len() / first.len().max(1);
        let mut begins: Vec<u64> = match specification.formula {
            Formula::Place(place) => {
                [Some(0), Some(place), place.checked_add(1)].into_iter().flatten().collect()
            }
            _ => (0..=entries as u64).collect(),
        };
        begins.dedup();
        let most = begins.len() + INTERVALS * (1 + entries);
        let mut place = 0;
        while let Some(&from) = begins.get(place) {
            let to = begins.get(place + 1).map_or(u64::MAX, |next| next - 1);
            by_index.enter(from, to);
            if by_index.is_right() {
                place += 1;
                continue;
            }
            let Some(cut) = by_index.open_selectors().find_map(|selector| by_index.change(selector)) else {
                return unproven(format!("for indices from {from} to {to} it is something else"));
            };
            begins.insert(place + 1, cut);
            if begins.len() > most {
                return unproven("too many intervals of an index");
            }
        }
        self.certificate.indices = begins;
        Ok(())
    }
}
