//! What a kernel's operations cost, in nanoseconds: measured on this machine, or from a formula.
//!
//! Only a few splits and working sets are known exactly. Between splits the time per word product is interpolated,
//! between working sets the time per byte, both over the logarithm. No policy here: planning happens upstairs.

use alloc::vec::Vec;

use super::{contract::Kernel, prefetch::MOST_LINES};

/// Working sets for which the memory's behaviour is known: one in the first-level cache, a step of two around the
/// second-level cache and its address translations, wider steps elsewhere.
pub(super) const LEVELS: [u64; 9] =
    [1 << 14, 1 << 18, 1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24, 1 << 25, 1 << 27];

/// The lowest levels: what a table for masked look-ups reaches. How fast the kernel's own masks run over them counts.
pub(super) const NEAR: usize = 5;

/// Lengths of entries, in cache lines, for which reading one from anywhere is known.
pub(super) const LINES: [u64; 3] = [1, 8, 64];

/// How the memory serves a working set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    /// Nanoseconds per byte read in order, under a mask.
    pub scan: f64,
    /// Nanoseconds to read an entry of as many lines as `LINES` says, anywhere in the working set, that are all asked for
    /// at once.
    pub entry: [f64; LINES.len()],
}

impl Level {
    /// Nanoseconds to read an entry of so many lines.
    fn read(&self, lines: u64) -> f64 {
        let high = LINES.iter().position(|&known| lines <= known).unwrap_or(LINES.len() - 1).max(1);
        let (from, to) = (LINES[high - 1] as f64, LINES[high] as f64);
        let (low, high) = (self.entry[high - 1], self.entry[high]);
        low + (high - low).max(0.0) * (lines as f64 - from) / (to - from)
    }
}

/// A cost that grows linearly with the bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct PerByte {
    pub fixed: f64,
    pub byte: f64,
}

/// Products by an operand prepared in some number of pieces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split {
    pub pieces: usize,
    pub product: f64,
    pub preparation: f64,
}

/// The cost table of one kernel at one size. All costs are in nanoseconds.
#[derive(Debug, Clone)]
pub struct Costs {
    pub(super) words: usize,
    pub(super) squaring: f64,
    pub(super) pair: f64,
    pub(super) enter: f64,
    pub(super) leave: f64,
    /// Ascending; the first is the plain product.
    pub(super) splits: Vec<Split>,
    pub(super) scan: PerByte,
    /// Nanoseconds per byte of masked look-ups row after row, in tables of the first few levels.
    pub(super) near: [f64; NEAR],
    pub(super) update: PerByte,
    pub(super) level: fn(usize) -> Level,
}

/// log2, linear between powers of two: enough to interpolate, and there is none in `core`.
fn logarithm(x: u64) -> f64 {
    let exponent = x.max(1).ilog2();
    f64::from(exponent) + x as f64 / (1u64 << exponent) as f64 - 1.0
}

/// Between `low` and `high` as `x` lies between `from` and `to` on the logarithmic scale.
fn interpolate(from: u64, to: u64, low: f64, high: f64, x: u64) -> f64 {
    let position = (logarithm(x) - logarithm(from)) / (logarithm(to) - logarithm(from));
    low + (high - low) * position.clamp(0.0, 1.0)
}

/// Word products in a product by an operand of n words in `split` pieces.
pub(super) fn product_words(n: usize, split: usize) -> f64 {
    let n = n as f64;
    if split == 1 { 2.0 * n * n + n } else { n * n + (piece_words(n, split) + 1.0) * (n + 1.0) }
}

/// Word products in a preparation: a product, a reduction to the highest piece, and one from piece to piece.
fn preparation_words(n: usize, split: usize) -> f64 {
    let n = n as f64;
    if split == 1 { 1.0 } else { 2.0 * n * n + n + n * (2.0 * n - piece_words(n, split)) }
}

fn piece_words(n: f64, split: usize) -> f64 {
    (n as usize).div_ceil(split) as f64
}

impl Costs {
    /// The costs to plan with: measured where there is a clock, else built in.
    pub(crate) fn of(kernel: &dyn Kernel) -> Self {
        #[cfg(feature = "std")]
        return Self::measured(kernel);
        #[cfg(not(feature = "std"))]
        return Self::built_in(kernel);
    }

    /// One product of two residues.
    pub fn product(&self) -> f64 {
        self.prepared(1)
    }

    /// One squaring.
    pub fn squaring(&self) -> f64 {
        self.squaring
    }

    /// Two products that share an operand, by [`Kernel::mul_pair`].
    pub fn pair(&self) -> f64 {
        self.pair
    }

    /// One [`Kernel::enter`].
    pub fn enter(&self) -> f64 {
        self.enter
    }

    /// One [`Kernel::leave`].
    pub fn leave(&self) -> f64 {
        self.leave
    }

    /// One product by an operand prepared in `split` pieces; for 1 the plain product.
    pub fn prepared(&self, split: usize) -> f64 {
        self.by_split(split, |known| known.product, product_words)
    }

    /// One [`Kernel::prepare`] in `split` pieces.
    pub fn preparation(&self, split: usize) -> f64 {
        self.by_split(split, |known| known.preparation, preparation_words)
    }

    fn by_split(&self, split: usize, cost: fn(&Split) -> f64, words: fn(usize, usize) -> f64) -> f64 {
        let rate = |known: &Split| cost(known) / words(self.words, known.pieces);
        let next = self.splits.partition_point(|known| known.pieces < split);
        let (Some(high), below) = (self.splits.get(next).or(self.splits.last()), next.saturating_sub(1))
        else {
            return 0.0;
        };
        let low = self.splits.get(below).unwrap_or(high);
        if split >= high.pieces || low.pieces == high.pieces {
            return rate(high) * words(self.words, split.clamp(1, self.words));
        }
        let (from, to) = (low.pieces as u64, high.pieces as u64);
        interpolate(from, to, rate(low), rate(high), split as u64) * words(self.words, split)
    }

    /// One masked look-up that reads `bytes` in row order, in a table of `table_bytes` that is read once, row after
    /// row, in each exponentiation: the level of the memory depends on the whole table.
    pub fn scan(&self, bytes: u64, table_bytes: u64) -> f64 {
        let rate = |index: usize| match self.near.get(index) {
            Some(&rate) => rate,
            None => (self.level)(index).scan.max(self.near[NEAR - 1]),
        };
        let rate = self.by_level(table_bytes, |index| rate(index).max(self.scan.byte));
        self.scan.fixed + rate * bytes as f64
    }

    /// One masked [`Kernel::replace`] over `bytes` that stay in the cache.
    pub fn update(&self, bytes: u64) -> f64 {
        self.update.fixed + self.update.byte * bytes as f64
    }

    /// What a product waits longer because its operand of `entry_bytes` lies anywhere in `table_bytes`, not in the
    /// cache: the price of an unmasked look-up. The operand is asked for `ahead` nanoseconds before, up to
    /// as many cache lines as are asked for ahead at most.
    pub fn fetch(&self, entry_bytes: u64, table_bytes: u64, ahead: f64) -> f64 {
        let lines = entry_bytes.div_ceil(64).max(1);
        let asked = lines.min(MOST_LINES as u64);
        let wait = |lines: u64| {
            let cost = |index: usize| (self.level)(index).read(lines);
            self.by_level(table_bytes, cost) - cost(0)
        };
        // Measured: half of a wait at most is hidden.
        let waited = wait(asked).max(0.0);
        let hidden = ahead.min(0.5 * waited);
        // The lines that nobody asked for come one after the other.
        waited - hidden + (lines - asked) as f64 * wait(1).max(0.0)
    }

    /// Asks for no level that the table does not reach: measuring the large ones takes time.
    fn by_level(&self, table_bytes: u64, cost: impl Fn(usize) -> f64) -> f64 {
        let next = LEVELS.partition_point(|&bytes| bytes < table_bytes);
        if next == 0 || next == LEVELS.len() {
            return cost(next.saturating_sub(1));
        }
        let (low, high) = (cost(next - 1), cost(next));
        interpolate(LEVELS[next - 1], LEVELS[next], low, high, table_bytes)
    }

    /// Costs by a formula in the words of a residue: the same everywhere and always. Fitted to the kernels on a server
    /// processor of 2023 at 2.5 GHz, adx on one at 3.7 GHz; ifma52 is taken for portable.
    pub fn built_in(kernel: &dyn Kernel) -> Self {
        let words = kernel.residue_words();
        type BySplit = fn(usize, usize) -> Split;
        let (squaring, pair, split) = match kernel.name() {
            "fma50" => (fma50_squaring(words), 2.0 * fma50_split(words, 1).product, fma50_split as BySplit),
            "adx" => (adx_squaring(words), adx_pair(words), adx_split as BySplit),
            _ => (portable_squaring(words), portable_pair(words), portable_split as BySplit),
        };
        Self {
            words,
            squaring,
            pair,
            enter: split(words, 1).product + 5.0 * words as f64,
            leave: 0.6 * split(words, 1).product,
            splits: (1..=kernel.max_split()).map(|pieces| split(words, pieces)).collect(),
            scan: PerByte { fixed: 8.0, byte: 0.025 },
            near: [0.025, 0.025, 0.028, 0.05, 0.07],
            update: PerByte { fixed: 8.0, byte: 0.05 },
            level: |index| {
                let (scan, entry) = match index {
                    0 => (0.025, [3.0, 15.0, 120.0]),
                    1 => (0.025, [7.0, 40.0, 300.0]),
                    2 => (0.028, [15.0, 100.0, 350.0]),
                    3 => (0.05, [35.0, 200.0, 500.0]),
                    4 => (0.07, [55.0, 280.0, 600.0]),
                    5 => (0.08, [80.0, 370.0, 700.0]),
                    6 => (0.11, [110.0, 450.0, 900.0]),
                    7 => (0.13, [140.0, 550.0, 1100.0]),
                    _ => (0.15, [180.0, 650.0, 1300.0]),
                };
                Level { scan, entry }
            },
        }
    }
}

fn portable_squaring(words: usize) -> f64 {
    let n = words as f64;
    0.765 * 1.5 * n * n + 8.0 * n + 90.0
}

fn portable_pair(words: usize) -> f64 {
    let n = words as f64;
    (2.0 * portable_split(words, 1).product).min(0.725 * 3.0 * n * n + 22.0 * n + 200.0)
}

fn portable_split(words: usize, pieces: usize) -> Split {
    let n = words as f64;
    let (product, preparation) = match pieces {
        1 => (0.725 * product_words(words, 1) + 5.0 * n + 60.0, 5.0 + 0.1 * n),
        _ => (
            0.81 * product_words(words, pieces) + 6.0 * n + 100.0,
            0.75 * preparation_words(words, pieces) + pieces as f64 * (5.0 * n + 100.0),
        ),
    };
    Split { pieces, product, preparation }
}

fn adx_squaring(words: usize) -> f64 {
    let n = words as f64;
    0.375 * 1.5 * n * n + 4.0 * n + 5.0
}

fn adx_pair(words: usize) -> f64 {
    let n = words as f64;
    (2.0 * adx_split(words, 1).product).min(0.41 * 3.0 * n * n + 11.0 * n + 30.0)
}

fn adx_split(words: usize, pieces: usize) -> Split {
    let n = words as f64;
    let (product, preparation) = match pieces {
        1 => (0.375 * product_words(words, 1) + 2.5 * n + 5.0, 5.0 + 0.1 * n),
        _ => (
            // Each piece is multiplied on its own, in blocks of eight words.
            0.385 * product_words(words, pieces) + pieces as f64 * (5.0 + 0.1 * n) + 2.0 * n + 10.0,
            0.4 * preparation_words(words, pieces) + pieces as f64 * (2.0 * n + 10.0),
        ),
    };
    Split { pieces, product, preparation }
}

/// Nanoseconds of a vector operation of the kernel fma50, and of a vector of a residue.
const FMA50_OPERATION: f64 = 0.145;
const FMA50_VECTOR: f64 = 5.0;

/// Five operations for a digit and a vector, in half of a product; three and a half in the reduction.
fn fma50_squaring(words: usize) -> f64 {
    let n = words as f64;
    FMA50_OPERATION * (0.625 * n * (n + 4.0) + 0.875 * n * n) + FMA50_VECTOR * n / 4.0 + 20.0
}

fn fma50_split(words: usize, pieces: usize) -> Split {
    let (n, groups) = (words as f64, words / 4);
    // Digits of a part of the other factor, each a row of the reduction.
    let part = 4 * groups.div_ceil(pieces);
    let product = |part: usize| {
        FMA50_OPERATION * (1.25 * n * n + 0.875 * n * part as f64)
            + FMA50_VECTOR * (n + part as f64) / 4.0
            + 30.0
    };
    let canonical = product(words) + 10.0 * n;
    let (product, preparation) = match pieces {
        1 => (product(words), canonical),
        _ if pieces > groups => {
            (FMA50_OPERATION * 0.875 * n * n + FMA50_VECTOR * n / 4.0 + 10.0, canonical + 3.7 * n * n)
        }
        _ => {
            // From piece to piece, digit by digit, and down to the highest one.
            let down = (2 * words).saturating_sub(part * pieces) % words;
            (product(part), canonical + 1.5 * n * (part * (pieces - 1) + down) as f64)
        }
    };
    Split { pieces, product, preparation }
}

#[cfg(test)]
mod tests {
    use super::{super::portable::Portable, *};

    fn built_in(limbs: usize) -> Costs {
        Costs::built_in(&Portable::<64>::new(&alloc::vec![u64::MAX; limbs]))
    }

    #[test]
    fn the_formula_is_positive_and_grows() {
        for limbs in [1, 2, 16, 48, 120, 240] {
            let (costs, larger) = (built_in(limbs), built_in(limbs + 1));
            assert!(costs.squaring() > 0.0 && costs.squaring() < larger.squaring());
            assert!(costs.product() > 0.0 && costs.product() < larger.product());
            for split in 1..=limbs {
                assert!(costs.prepared(split) > 0.0 && costs.prepared(split) < larger.prepared(split));
                assert!(costs.preparation(split) > 0.0);
            }
        }
    }

    #[test]
    fn splits_between_known_ones_are_interpolated() {
        let exact = built_in(48);
        let mut sparse = exact.clone();
        sparse.splits.retain(|split| split.pieces.is_power_of_two() || split.pieces == 48);
        for split in 1..=48 {
            let (exact, guess) = (exact.prepared(split), sparse.prepared(split));
            assert!((exact - guess).abs() < 0.02 * exact, "split {split}: {exact} {guess}");
            if split.is_power_of_two() {
                assert!((exact - guess).abs() < 1e-6 * exact);
            }
        }
    }

    #[test]
    fn tables_cost_more_the_farther_they_reach() {
        let costs = built_in(48);
        assert_eq!(costs.fetch(384, 1000, 0.0), 0.0);
        assert_eq!(costs.fetch(384, LEVELS[0], 0.0), 0.0);
        let mut last = (0.0, 0.0);
        for bytes in (16..32).map(|bits| 1u64 << bits) {
            let now = (costs.scan(1 << 16, bytes), costs.fetch(384, bytes, 0.0));
            assert!(now.0 >= last.0 && now.1 >= last.1, "{bytes} bytes");
            last = now;
        }
        assert!(costs.scan(2000, 1 << 16) > costs.scan(1000, 1 << 16));
        assert!(costs.update(2000) > costs.update(1000));
    }
}
