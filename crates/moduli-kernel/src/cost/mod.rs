//! The costs of a kernel's operations in nanoseconds, built in or measured on this machine.
//!
//! Costs are known exactly only for a few splits and working sets. Between splits, the time per word product
//! is interpolated, and between working sets the time per byte, both over the logarithm. This module has no
//! policy: callers make the plans.

pub(crate) mod built_in;
#[cfg(feature = "internals")]
pub mod checks;
#[cfg(feature = "internals")]
mod formula;
pub(crate) mod maker;
mod text;

use alloc::{borrow::Cow, vec::Vec};

use super::{dimensions::Dimensions, error::Error, prefetch::MOST_LINES};

/// Working sets for which the behaviour of memory is known: one that fits the first-level cache, steps by a
/// factor of two around the second-level cache and its address translations, and wider steps elsewhere.
pub(super) const LEVELS: [u64; 9] =
    [1 << 14, 1 << 18, 1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24, 1 << 25, 1 << 27];

/// The number of lowest levels that tables for masked look-ups can reach. For these, the speed of the
/// kernel's own masked look-ups counts.
pub(super) const NEAR: usize = 5;

/// Working sets up to this size stay in a core's private caches, whatever other programs do. In all built-in
/// costs, this is the last level that is as fast as the one before it.
pub const PRIVATE: u64 = 1 << 20;

/// On a crowded machine, larger working sets cost as much as sets that are this many times as large: other
/// programs occupy three quarters of the shared cache. This is more than was observed. In repeated
/// measurements on shared machines, costs at 32 MiB differed as if the working set were up to 1.4 times as
/// large.
const CROWD: u64 = 4;

/// Lengths of entries, in cache lines, for which the time of a read from a random place is known.
pub(super) const LINES: [u64; 3] = [1, 8, 64];

/// How the memory serves a working set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    /// Nanoseconds per byte of a sequential read under a mask.
    pub scan: f64,
    /// Nanoseconds to read an entry from a random place in the working set, for each length in `LINES`. All
    /// its lines are requested at once.
    pub entry: [f64; LINES.len()],
}

impl Level {
    /// Nanoseconds to read an entry of `lines` lines.
    fn read(&self, lines: u64) -> f64 {
        let high = LINES.iter().position(|&known| lines <= known).unwrap_or(LINES.len() - 1).max(1);
        let (from, to) = (LINES[high - 1] as f64, LINES[high] as f64);
        let (low, high) = (self.entry[high - 1], self.entry[high]);
        low + (high - low).max(0.0) * (lines as f64 - from) / (to - from)
    }
}

/// A cost that is linear in the number of bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct PerByte {
    pub fixed: f64,
    pub byte: f64,
}

/// Products by an operand that is prepared in some number of pieces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split {
    pub pieces: usize,
    pub product: f64,
    pub preparation: f64,
}

/// Costs of rows of residues, if the kernel has lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct LaneCosts {
    pub lanes: usize,
    /// A product and a squaring in all lanes.
    pub product: f64,
    pub squaring: f64,
    /// Putting a residue into a lane, and taking it out.
    pub put: f64,
    pub take: f64,
    /// A masked look-up for all lanes of a row: a fixed cost, and a cost for each byte of the entries.
    pub look_up: PerByte,
    /// An additional cost for each byte, once for all rows that are looked up together.
    pub once: f64,
}

/// The cost table of one kernel at one size. All costs are in nanoseconds.
///
/// Its text is a line of names and numbers. Call [`Costs::check`] before you use a table that was read.
#[derive(Debug, Clone)]
pub struct Costs {
    pub(super) words: usize,
    pub(super) squaring: f64,
    pub(super) pair: f64,
    pub(super) enter: f64,
    pub(super) leave: f64,
    /// In ascending order; the first is the plain product.
    pub(super) splits: Cow<'static, [Split]>,
    pub(super) scan: PerByte,
    /// Nanoseconds per byte of masked look-ups in consecutive rows of a table, for the lowest levels.
    pub(super) near: [f64; NEAR],
    pub(super) update: PerByte,
    pub(super) lanes: Option<LaneCosts>,
    /// The behaviour of memory for the working sets of `LEVELS`.
    pub(super) levels: [Level; LEVELS.len()],
}

/// log2, linear between powers of two. This is exact enough to interpolate, and `core` has no logarithm.
fn logarithm(x: u64) -> f64 {
    let exponent = x.max(1).ilog2();
    f64::from(exponent) + x as f64 / (1u64 << exponent) as f64 - 1.0
}

/// The value between `low` and `high` at the position of `x` between `from` and `to` on a logarithmic scale.
fn interpolate(from: u64, to: u64, low: f64, high: f64, x: u64) -> f64 {
    let position = (logarithm(x) - logarithm(from)) / (logarithm(to) - logarithm(from));
    low + (high - low) * position.clamp(0.0, 1.0)
}

/// The word products in a product by an operand of n words in `split` pieces.
pub(super) fn product_words(n: usize, split: usize) -> f64 {
    let n = n as f64;
    if split == 1 { 2.0 * n * n + n } else { n * n + (piece_words(n, split) + 1.0) * (n + 1.0) }
}

/// The word products in a preparation: a product, a reduction to the highest piece, and a reduction from each
/// piece to the next.
fn preparation_words(n: usize, split: usize) -> f64 {
    let n = n as f64;
    if split == 1 { 1.0 } else { 2.0 * n * n + n + n * (2.0 * n - piece_words(n, split)) }
}

fn piece_words(n: f64, split: usize) -> f64 {
    (n as usize).div_ceil(split) as f64
}

impl Costs {
    /// Checks that these can be the costs of a kernel with these sizes, and that the numbers are times.
    ///
    /// # Errors
    /// [`Error::Costs`] with the reason.
    pub fn check(&self, kernel: &Dimensions) -> Result<(), Error> {
        let refuse = |reason: &str| Err(Error::costs(reason));
        if self.lanes.is_some_and(|known| kernel.lanes != Some(known.lanes)) {
            return refuse("are those of other lanes");
        }
        let most = self.splits.last().map_or(0, |last| last.pieces);
        if self.words != kernel.residue_words || most != kernel.max_split {
            return refuse("are those of another kernel or size");
        }
        if self.splits[0].pieces != 1 || self.splits.windows(2).any(|pair| pair[0].pieces >= pair[1].pieces) {
            return refuse("the splits do not ascend from 1");
        }
        let levels = self.levels.iter().flat_map(|level| level.entry.into_iter().chain([level.scan]));
        let splits = self.splits.iter().flat_map(|split| [split.product, split.preparation]);
        let lanes = self.lanes.iter().flat_map(|lanes| {
            let LaneCosts { product, squaring, put, take, look_up, once, .. } = lanes;
            [product, squaring, put, take, &look_up.fixed, &look_up.byte, once].map(|time| *time)
        });
        let looks = [self.scan.fixed, self.scan.byte, self.update.fixed, self.update.byte];
        let mut all = levels.chain(splits).chain(looks).chain(self.near).chain(lanes);
        if all.any(|time| !(0.0..1e12).contains(&time))
            || [self.squaring, self.pair, self.enter, self.leave, self.product()]
                .iter()
                .any(|time| !(1e-3..1e12).contains(time))
        {
            return refuse("a time is negative or no number of nanoseconds");
        }
        Ok(())
    }

    /// Words of a residue.
    pub fn words(&self) -> usize {
        self.words
    }

    /// One product of two residues.
    pub fn product(&self) -> f64 {
        self.prepared(1)
    }

    /// One squaring.
    pub fn squaring(&self) -> f64 {
        self.squaring
    }

    /// Two products that share an operand, by the combined pair.
    pub fn pair(&self) -> f64 {
        self.pair
    }

    /// One conversion into Montgomery form.
    pub fn to_montgomery(&self) -> f64 {
        self.enter
    }

    /// One conversion out of Montgomery form.
    pub fn from_montgomery(&self) -> f64 {
        self.leave
    }

    /// One product by an operand prepared in `split` pieces; for 1 the plain product.
    pub fn prepared(&self, split: usize) -> f64 {
        self.by_split(split, |known| known.product, product_words)
    }

    /// One preparation in `split` pieces.
    pub fn preparation(&self, split: usize) -> f64 {
        self.by_split(split, |known| known.preparation, preparation_words)
    }

    fn by_split(&self, split: usize, cost: fn(&Split) -> f64, words: fn(usize, usize) -> f64) -> f64 {
        self.rate_by_split(split, cost, words) * words(self.words, split.clamp(1, self.words))
    }

    /// The cost of one word product in an operation on an operand in `split` pieces.
    fn rate_by_split(&self, split: usize, cost: fn(&Split) -> f64, words: fn(usize, usize) -> f64) -> f64 {
        let rate = |known: &Split| cost(known) / words(self.words, known.pieces);
        let next = self.splits.partition_point(|known| known.pieces < split);
        let (Some(high), below) = (self.splits.get(next).or(self.splits.last()), next.saturating_sub(1))
        else {
            return 0.0;
        };
        let low = self.splits.get(below).unwrap_or(high);
        if split >= high.pieces || low.pieces == high.pieces {
            return rate(high);
        }
        interpolate(low.pieces as u64, high.pieces as u64, rate(low), rate(high), split as u64)
    }

    /// One masked look-up that reads `bytes` in a table of `table_bytes`. Each exponentiation reads the table
    /// once, row after row, so the level of the memory depends on the whole table.
    pub fn scan(&self, bytes: u64, table_bytes: u64) -> f64 {
        let rate = self.by_level(table_bytes, |index| self.look_up_rate(index).max(self.scan.byte));
        self.scan.fixed + rate * bytes as f64
    }

    /// Nanoseconds per byte of masked look-ups at a level.
    fn look_up_rate(&self, index: usize) -> f64 {
        match self.near.get(index) {
            Some(&rate) => rate,
            None => self.levels[index].scan.max(self.near[NEAR - 1]),
        }
    }

    /// The costs if other programs keep the shared cache busy. Each working set beyond [`PRIVATE`] then costs
    /// as much as a larger one: four times as large from 4 MiB on, and less below, because the private caches
    /// still hold a part of it.
    pub fn crowded(&self) -> Self {
        let served = |level: usize| LEVELS[level] * (LEVELS[level] / PRIVATE).clamp(1, CROWD);
        let worse =
            |level: usize, cost: &dyn Fn(usize) -> f64| cost(level).max(self.by_level(served(level), cost));
        Self {
            near: core::array::from_fn(|level| worse(level, &|index| self.look_up_rate(index))),
            levels: core::array::from_fn(|level| Level {
                scan: worse(level, &|index| self.levels[index].scan),
                entry: core::array::from_fn(|i| worse(level, &|index| self.levels[index].entry[i])),
            }),
            ..self.clone()
        }
    }

    /// The share of one exponent in a batch: of a product, of a squaring, and the cost of taking a result out
    /// of its lane.
    pub fn in_lanes(&self) -> Option<[f64; 3]> {
        let LaneCosts { lanes, product, squaring, take, .. } = self.lanes?;
        let share = lanes as f64;
        Some([product / share, squaring / share, take])
    }

    /// The share of one exponent in a masked look-up for all lanes that reads `bytes`, in a table of
    /// `table_bytes` as for [`Costs::scan`]. `rows` look-ups follow each other, so all but the first find
    /// these bytes in the cache.
    pub fn scan_in_lanes(&self, bytes: u64, table_bytes: u64, rows: u64) -> f64 {
        let Some(LaneCosts { lanes, look_up, once, .. }) = self.lanes else {
            return self.scan(bytes, table_bytes);
        };
        let [first, again] =
            [table_bytes, bytes].map(|all| self.by_level(all, |i| self.levels[i].scan.max(look_up.byte)));
        let wait = first - again;
        // If the first look-up does most of the work, the others do not read all bytes again.
        let again = if once > look_up.byte { look_up.byte } else { again };
        (look_up.fixed + (again + (wait + once) / rows as f64) * bytes as f64) / lanes as f64
    }

    /// [`Costs::fetch`] for one of several exponents side by side, with the result put into its lane.
    pub fn fetch_in_lanes(&self, entry_bytes: u64, table_bytes: u64, ahead: f64) -> f64 {
        let Some(LaneCosts { put, .. }) = self.lanes else {
            return self.fetch(entry_bytes, table_bytes, ahead);
        };
        put + self.fetch(entry_bytes, table_bytes, ahead)
    }

    /// One masked update of `bytes` bytes that stay in the cache.
    pub fn update(&self, bytes: u64) -> f64 {
        self.update.fixed + self.update.byte * bytes as f64
    }

    /// How much longer a product waits because its operand of `entry_bytes` is at a random place in
    /// `table_bytes` and not in the cache: the cost of an unmasked look-up. The operand is prefetched `ahead`
    /// nanoseconds before, up to the maximum number of lines that are prefetched.
    pub fn fetch(&self, entry_bytes: u64, table_bytes: u64, ahead: f64) -> f64 {
        let lines = entry_bytes.div_ceil(64).max(1);
        let asked = lines.min(MOST_LINES as u64);
        let wait = |lines: u64| {
            let cost = |index: usize| self.levels[index].read(lines);
            self.by_level(table_bytes, cost) - cost(0)
        };
        // According to measurements, at most half of a wait is hidden.
        let waited = wait(asked).max(0.0);
        let hidden = ahead.min(0.5 * waited);
        if lines == asked {
            return waited - hidden;
        }
        // The lines that were not prefetched arrive one after the other.
        waited - hidden + (lines - asked) as f64 * wait(1).max(0.0)
    }

    fn by_level(&self, table_bytes: u64, cost: impl Fn(usize) -> f64) -> f64 {
        let next = LEVELS.partition_point(|&bytes| bytes < table_bytes);
        if next == 0 || next == LEVELS.len() {
            return cost(next.saturating_sub(1));
        }
        let (low, high) = (cost(next - 1), cost(next));
        interpolate(LEVELS[next - 1], LEVELS[next], low, high, table_bytes)
    }

    /// Interpolates the costs for the sizes of a kernel. `sizes` are the known ones, at least one, in
    /// ascending order.
    pub(crate) fn interpolated(sizes: &[Self], kernel: &Dimensions) -> Self {
        let [low, high] = around(sizes, kernel.residue_words);
        let costs = Self::between(low, high, kernel.residue_words, kernel.max_split);
        Self { lanes: costs.lanes.filter(|_| kernel.lanes.is_some()), ..costs }
    }

    /// [`Costs::product`] of [`Costs::interpolated`], without computing the other costs.
    pub(crate) fn interpolated_product(sizes: &[Self], kernel: &Dimensions) -> f64 {
        let words = kernel.residue_words;
        let sizes = around(sizes, words);
        let rates = sizes.map(|size| size.product() / product_words(size.words, 1));
        by_length(sizes, rates, words) * product_words(words, 1)
    }

    /// Interpolates or extrapolates the costs of residues of `words` words from two sizes of the same kernel,
    /// by the cost of a word product.
    fn between(low: &Self, high: &Self, words: usize, max_split: usize) -> Self {
        let plain = |value: [f64; 2]| by_length([low, high], value, words);
        let by_words = |cost: fn(&Self) -> f64| {
            plain([low, high].map(|size| cost(size) / product_words(size.words, 1))) * product_words(words, 1)
        };
        let per_byte = |cost: fn(&Self) -> PerByte| {
            let [low, high] = [low, high].map(cost);
            PerByte { fixed: plain([low.fixed, high.fixed]), byte: plain([low.byte, high.byte]) }
        };
        let split = |pieces: usize| {
            // The two largest splits may be of another kind than the smaller ones.
            let like = |size: &Self| {
                let most = size.splits.last().map_or(1, |last| last.pieces);
                match max_split - pieces {
                    _ if pieces == 1 => 1,
                    below @ (0 | 1) => most.saturating_sub(below).max(1),
                    _ => pieces.min(most.saturating_sub(2)).max(1),
                }
            };
            let rate = |cost: fn(&Split) -> f64, words: fn(usize, usize) -> f64| {
                plain([low, high].map(|size| size.rate_by_split(like(size), cost, words)))
            };
            let product = rate(|known| known.product, product_words) * product_words(words, pieces);
            let preparation =
                rate(|known| known.preparation, preparation_words) * preparation_words(words, pieces);
            Split { pieces, product, preparation }
        };
        Self {
            words,
            squaring: by_words(|size| size.squaring),
            pair: by_words(|size| size.pair),
            enter: by_words(|size| size.enter),
            leave: by_words(|size| size.leave),
            splits: known_splits(max_split).into_iter().map(split).collect(),
            scan: per_byte(|size| size.scan),
            near: core::array::from_fn(|level| plain([low.near[level], high.near[level]])),
            update: per_byte(|size| size.update),
            levels: high.levels,
            lanes: low.lanes.zip(high.lanes).map(|(below, above)| {
                let by_words = |cost: fn(&LaneCosts) -> f64| {
                    let rates = [(low, below), (high, above)]
                        .map(|(size, lanes)| cost(&lanes) / product_words(size.words, 1));
                    plain(rates) * product_words(words, 1)
                };
                let by_length = |cost: fn(&LaneCosts) -> f64| {
                    plain([(low, below), (high, above)].map(|(size, lanes)| cost(&lanes) / size.words as f64))
                        * words as f64
                };
                LaneCosts {
                    lanes: above.lanes,
                    product: by_words(|lanes| lanes.product),
                    squaring: by_words(|lanes| lanes.squaring),
                    put: by_length(|lanes| lanes.put),
                    take: by_length(|lanes| lanes.take),
                    look_up: PerByte {
                        fixed: by_length(|lanes| lanes.look_up.fixed),
                        byte: plain([below, above].map(|lanes| lanes.look_up.byte)),
                    },
                    once: plain([below, above].map(|lanes| lanes.once)),
                }
            }),
        }
    }
}

/// The nearest sizes on both sides of a length, or the same size twice.
fn around(sizes: &[Costs], words: usize) -> [&Costs; 2] {
    let next = sizes.partition_point(|size| size.words < words).min(sizes.len() - 1);
    [&sizes[next.saturating_sub(1)], &sizes[next]]
}

/// Interpolates a value between two sizes, for residues of `words` words.
fn by_length([low, high]: [&Costs; 2], value: [f64; 2], words: usize) -> f64 {
    match low.words == high.words {
        true => value[1],
        false => interpolate(low.words as u64, high.words as u64, value[0], value[1], words as u64),
    }
}

/// The splits that are measured: all small ones, two or three per octave above them, and the two largest. The
/// last one may be another kind of operand.
pub(super) fn known_splits(max: usize) -> Vec<usize> {
    let octaves = (3..usize::BITS).flat_map(|bits| [1 << bits, 5 << (bits - 2), 3 << (bits - 1)]);
    let mut splits: Vec<usize> = (1..8).chain(octaves.take_while(|&split| split < max)).collect();
    splits.retain(|&split| split + 1 < max);
    splits.extend([max - 1, max].into_iter().filter(|&split| split > 0));
    splits
}
