//! Computes the entries of a table, in independent chunks.

use alloc::{format, vec::Vec};

use super::layout::Layout;
use crate::parallel;
use crate::{error::Error, modulus::Modulus, power};
use moduli_kernel::{Session, Words};

/// Entries of a chunk, the unit of parallel work. A power of two, so that the subsets of a chunk
/// share their high teeth.
const CHUNK: usize = 256;

/// A run of entries, in table order.
enum Run {
    /// start·step^j for j = 0, 1, …
    Progression { start: Words, step: Words, entries: usize },
    /// Products of all non-empty subsets: entry I − 1 has the teeth in I.
    Subsets { teeth: Vec<Words>, entries: usize },
}

impl Run {
    fn entries(&self) -> usize {
        match *self {
            Self::Progression { entries, .. } | Self::Subsets { entries, .. } => entries,
        }
    }
}

/// The data that determine the entries of a table.
pub(crate) struct Recipe<'a> {
    modulus: &'a Modulus,
    split: usize,
    runs: Vec<Run>,
}

/// A chunk of a recipe: `count` entries of run `run` from its entry `first` on.
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    run: usize,
    first: usize,
    pub(crate) count: usize,
}

fn power_of(session: &mut Session<'_>, x: &Words, exponent: u64) -> Words {
    let mut power = x.clone();
    power::sliding_window_vartime(session, &mut power, &[exponent]);
    power
}

impl<'a> Recipe<'a> {
    /// The recipe for `base`, a residue of `modulus`. Variable-time: a base is public.
    pub(crate) fn new(
        modulus: &'a Modulus,
        base: &Words,
        layout: &Layout,
        split: u32,
    ) -> Result<Self, Error> {
        let session = &mut modulus.session();
        let mut runs = Vec::new();
        match layout {
            Layout::Radix { digits, row } => {
                let mut generator = base.clone();
                for _ in 0..digits.count() {
                    let next = power_of(session, &generator, *row as u64 + 1);
                    runs.push(Run::Progression { start: generator.clone(), step: generator, entries: *row });
                    generator = next;
                }
            }
            Layout::Comb { blocks, .. } => {
                let mut generator = base.clone();
                for block in blocks {
                    let mut teeth = Vec::new();
                    for _ in 0..block.teeth {
                        teeth.push(generator.clone());
                        for _ in 0..block.columns {
                            session.square(&mut generator);
                        }
                    }
                    runs.push(Run::Subsets { teeth, entries: block.entries() });
                }
            }
            Layout::M0m1 { recoder, m0, m1 } | Layout::ResidueDigits { recoder, m0, m1 } => {
                let inverse = modulus.to_montgomery(&modulus.invert_vartime(&modulus.from_montgomery(base))?);
                let (mut generator, mut inverse_generator) = (base.clone(), inverse);
                let mut inverses = Vec::new();
                let radix = (m0 * m1) as u64;
                for _ in 0..recoder.count() {
                    let step = power_of(session, &generator, *m1 as u64);
                    let next = power_of(session, &generator, radix);
                    let inverse_next = power_of(session, &inverse_generator, radix);
                    runs.push(Run::Progression { start: generator, step, entries: *m0 });
                    inverses.push(inverse_generator);
                    (generator, inverse_generator) = (next, inverse_next);
                }
                if matches!(layout, Layout::ResidueDigits { .. }) {
                    inverses.clear();
                }
                inverses.push(inverse_generator);
                let single = |start: Words| Run::Progression { step: start.clone(), start, entries: 1 };
                runs.extend(inverses.into_iter().map(single));
            }
        }
        Ok(Self { modulus, split: split as usize, runs })
    }

    /// Words of an entry.
    pub(crate) fn entry_words(&self) -> usize {
        self.modulus.dimensions().prepared_words(self.split)
    }

    /// All chunks, in table order.
    pub(crate) fn chunks(&self) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        for (run, entries) in self.runs.iter().map(Run::entries).enumerate() {
            // The subsets I = entry + 1 of a chunk share their high teeth, so chunks begin at
            // multiples of CHUNK.
            let mut first = 0;
            while first < entries {
                let count = (CHUNK - (first + 1) % CHUNK).min(entries - first);
                chunks.push(Chunk { run, first, count });
                first += count;
            }
        }
        chunks
    }

    /// Computes the `chunk.count` entries of a chunk into `out`.
    pub(crate) fn fill(&self, chunk: Chunk, out: &mut [u64]) {
        let mut session = self.modulus.session();
        let size = session.residue_words();
        let entries = out.chunks_exact_mut(self.entry_words());
        match &self.runs[chunk.run] {
            Run::Progression { start, step, .. } => {
                let mut value = power_of(&mut session, step, chunk.first as u64);
                session.mul(&mut value, start);
                for (i, entry) in entries.enumerate() {
                    if i > 0 {
                        session.mul(&mut value, step);
                    }
                    session.prepare(entry, &value, self.split);
                }
            }
            Run::Subsets { teeth, .. } => {
                let mut products = Words::zero(size * CHUNK);
                let first = chunk.first + 1;
                for (subset, entry) in (first..first + chunk.count).zip(entries) {
                    let place = subset % CHUNK;
                    // Without its lowest tooth, a subset is an earlier one of this chunk, unless it
                    // is the first.
                    let low = subset.trailing_zeros() as usize;
                    let rest = subset & (subset - 1);
                    let value = if place == 0 {
                        let mut product = teeth[low].clone();
                        for (i, tooth) in teeth.iter().enumerate().skip(low + 1) {
                            if subset >> i & 1 == 1 {
                                session.mul(&mut product, tooth);
                            }
                        }
                        product
                    } else if rest == 0 {
                        teeth[low].clone()
                    } else {
                        let mut product = Words::copy_of(&products[size * (rest % CHUNK)..][..size]);
                        session.mul(&mut product, &teeth[low]);
                        product
                    };
                    products[size * place..][..size].copy_from_slice(&value);
                    session.prepare(entry, &value, self.split);
                }
            }
        }
    }

    /// The whole table, on all cores with the feature `rayon`. Calls `progress` with the number of
    /// entries done.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is not enough memory.
    pub(crate) fn table(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<Words, Error> {
        let total = self.runs.iter().map(Run::entries).sum::<usize>();
        let words = total.checked_mul(self.entry_words());
        let table = words.and_then(Words::try_zero);
        let mut table = table.ok_or_else(|| {
            Error::memory("table", format!("{total} entries of {} words", self.entry_words()))
        })?;
        let chunks = self.chunks();
        let mut work = Vec::with_capacity(chunks.len());
        let mut rest = &mut table[..];
        for chunk in chunks {
            let (part, after) = rest.split_at_mut(chunk.count * self.entry_words());
            work.push((chunk, part));
            rest = after;
        }
        let done = core::sync::atomic::AtomicU64::new(0);
        parallel::for_each(work, |(chunk, part)| {
            self.fill(chunk, part);
            let count = chunk.count as u64;
            progress(done.fetch_add(count, core::sync::atomic::Ordering::Relaxed) + count);
        });
        Ok(table)
    }
}
