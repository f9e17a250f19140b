//! Measures the times of a cost table, on this machine as it runs now.
//!
//! Operations are timed in short, interleaved runs, relative to the squarings of the same round. The costs
//! are the medians of these ratios. If a core changes its speed or is interrupted, this affects the costs of
//! all operations alike, or of none.

use alloc::{vec, vec::Vec};
use core::hint::black_box;
use std::sync::OnceLock;

use super::{
    arithmetic::Arithmetic,
    clock::Instant,
    contract::Kernel,
    cost::{Costs, LEVELS, LINES, LaneCosts, Level, NEAR, PerByte, Split, known_splits},
    lanes::Lanes,
    mask,
    prefetch::prefetch_vartime,
    table::KernelChoice,
    words::Words,
};

/// The approximate duration of a run in nanoseconds, if it has more than one operation.
const RUN: f64 = 10_000.0;

/// If a squaring takes more nanoseconds than this, look-ups are timed alone, because they are a small part of
/// the products that use them.
const LONG: f64 = 1_000.0;

/// Nanoseconds of work before the first run.
const WARM: u128 = 500_000;

/// Limbs of the moduli with built-in costs. Where a kernel changes its method between two of these, the
/// interpolated costs are slightly wrong.
const LIMBS: [usize; 22] =
    [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 240, 384, 640, 1024];

impl Costs {
    /// The costs of the kernel on this machine as it runs now. Each call measures them, which takes some
    /// milliseconds at 3072 bits and some tens of milliseconds at 15360 bits. The behaviour of memory is
    /// measured only once, which takes up to a second and 128 MiB.
    pub fn measured(arithmetic: &Arithmetic) -> Self {
        measure(arithmetic.kernel())
    }

    /// The costs to build in for a kernel, measured on this machine as it runs now: at some sizes, in
    /// ascending order. Empty if the machine lacks the instructions. `examples/costs.rs` and the npm
    /// package's `run.py costs` write them to files.
    #[doc(hidden)]
    pub fn measured_to_build_in(choice: KernelChoice) -> Vec<Self> {
        let mut sizes: Vec<Self> = Vec::new();
        for limbs in LIMBS {
            let Ok(arithmetic) = Arithmetic::new(&vec![u64::MAX; limbs], choice) else { continue };
            if sizes.last().is_none_or(|last| last.words < arithmetic.dimensions().residue_words) {
                sizes.push(Self::measured(&arithmetic));
            }
        }
        sizes
    }
}

/// Nanoseconds of one `operation`, on average over `count` runs.
fn time(count: usize, mut operation: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        operation();
    }
    start.elapsed().as_nanos() as f64 / count as f64
}

/// The time that a fraction 1/`parts` of all times stays below.
fn quantile(times: &mut [f64], parts: usize) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / parts).copied().unwrap_or(0.0)
}

fn lower_quartile(times: &mut [f64]) -> f64 {
    quantile(times, 4)
}

fn measure(kernel: &dyn Kernel) -> Costs {
    let size = kernel.dimensions().residue_words;
    let mut scratch = Words::zero(kernel.dimensions().scratch_words);
    let mut x = Words::copy_of(kernel.one());
    kernel.add(&mut x, kernel.one(), &mut scratch);
    // A core needs some time to reach its clock rate for long vectors.
    let start = Instant::now();
    while start.elapsed().as_nanos() < WARM {
        (0..20).for_each(|_| kernel.square(&mut x, &mut scratch));
    }
    let operand = x.clone();

    let product = time(2, || kernel.mul(&mut x, &operand, &mut scratch)).max(1.0);
    let count = (RUN / product).ceil() as usize;
    let rounds = ((1e6 / product) as usize).clamp(3, 9);

    struct Operand {
        pieces: usize,
        words: Words,
        products: Vec<f64>,
        preparations: Vec<f64>,
    }
    let operand_in = |pieces: usize| Operand {
        pieces,
        words: Words::zero(kernel.dimensions().prepared_words(pieces)),
        products: Vec::new(),
        preparations: Vec::new(),
    };
    let mut operands: Vec<Operand> =
        known_splits(kernel.dimensions().max_split).into_iter().map(operand_in).collect();
    let (mut pairs, mut y) = (Vec::new(), operand.clone());
    let (mut squarings, mut enters, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
    let mut value = Words::zero(kernel.dimensions().limbs);
    kernel.from_montgomery(&mut value, &operand, &mut scratch);
    let mut looking = Looking::new(size);
    for round in 0..rounds {
        // Long vectors are slow at first after other work, so the first run does not count.
        time(2 * count, || kernel.square(&mut x, &mut scratch));
        let squaring = time(count, || kernel.square(&mut x, &mut scratch)).max(1.0);
        squarings.push(squaring);
        // Relative to a squaring of this round.
        let time = |count: usize, operation: &mut dyn FnMut()| time(count, operation) / squaring;
        pairs.push(time(count.div_ceil(2), &mut || kernel.mul_pair(&mut x, &mut y, &operand, &mut scratch)));
        if round < 3 {
            let (count, mut out) = (count.div_ceil(4), Words::zero(size));
            enters.push(time(count, &mut || kernel.to_montgomery(&mut out, &value, &mut scratch)));
            leaves.push(time(count, &mut || kernel.from_montgomery(&mut value, &operand, &mut scratch)));
        }
        for Operand { pieces, words, products, preparations } in &mut operands {
            if round < 3 {
                let count = count.div_ceil(4);
                preparations
                    .push(time(count, &mut || kernel.prepare(words, &operand, *pieces, &mut scratch)));
            }
            products.push(time(count, &mut || kernel.mul_prepared(&mut x, words, *pieces, &mut scratch)));
        }
        looking.run(kernel, &mut x, &mut scratch, squaring);
    }
    let squaring = lower_quartile(&mut squarings);
    let cost = |ratios: &mut [f64]| quantile(ratios, 2) * squaring;
    let splits = operands.iter_mut().map(|operand| Split {
        pieces: operand.pieces,
        product: cost(&mut operand.products),
        preparation: cost(&mut operand.preparations),
    });
    let splits = splits.collect();
    let (scan, update) = looking.finish(squaring);
    let now = time(count, || kernel.square(&mut x, &mut scratch)).max(1.0);
    let near =
        scan_near(kernel, &mut x, &mut scratch, squaring, scan.fixed).map(|rate| rate * squaring / now);
    let [pair, enter, leave] = [pairs, enters, leaves].map(|mut ratios| cost(&mut ratios));
    Costs {
        words: size,
        squaring,
        pair,
        enter,
        leave,
        splits,
        scan,
        near,
        update,
        levels: *levels(),
        lanes: kernel.lanes().map(|lanes| measure_lanes(kernel, lanes)),
    }
}

/// The costs of lanes: the median of some rounds.
fn measure_lanes(kernel: &dyn Kernel, lanes: &dyn Lanes) -> LaneCosts {
    const ROUNDS: usize = 9;
    // Rows that one call looks up.
    const TOGETHER: usize = 8;
    let size = kernel.dimensions().residue_words;
    let (mut x, mut scratch) = (Words::zero(lanes.row_words()), Words::zero(lanes.scratch_words()));
    let mut residue = Words::copy_of(kernel.one());
    (0..lanes.lanes()).for_each(|lane| lanes.put(&mut x, lane, &residue));
    let (b, mut out) = (x.clone(), Words::zero(TOGETHER * lanes.row_words()));
    let product = time(2, || lanes.mul(&mut x, &b, &mut scratch)).max(1.0);
    let count = (RUN / product).ceil() as usize;
    // The long row does not fit in the first-level cache, as rows of tables do not.
    let rows = [3, ((1 << 13) / size).max(8)].map(|entries| Words::zero(size * entries));
    let indices = black_box(vec![1u64; TOGETHER * lanes.lanes()]);
    let mut times: [Vec<f64>; 8] = Default::default();
    for round in 0..=ROUNDS {
        let look_up = |row: &Words, together: usize, out: &mut Words| {
            let count = (40 * RUN as usize / (64 * row.len())).clamp(2, 200);
            let (out, indices) =
                (&mut out[..together * lanes.row_words()], &indices[..together * lanes.lanes()]);
            time(count, || lanes.look_up(out, kernel.one(), row, indices))
        };
        // Long vectors are slow at first after other work, so the first run does not count.
        time(2 * count, || lanes.mul(&mut x, &b, &mut scratch));
        let now = [
            time(count, || lanes.mul(&mut x, &b, &mut scratch)),
            time(count, || lanes.square(&mut x, &mut scratch)),
            time(8 * count, || lanes.put(&mut out[..lanes.row_words()], black_box(3), &residue)),
            time(8 * count, || lanes.take(&mut residue, &x, black_box(3))),
            look_up(&rows[0], 1, &mut out),
            look_up(&rows[1], 1, &mut out),
            look_up(&rows[0], TOGETHER, &mut out),
            look_up(&rows[1], TOGETHER, &mut out),
        ];
        // The first round is a warm-up.
        if round > 0 {
            times.iter_mut().zip(now).for_each(|(times, now)| times.push(now));
        }
    }
    let [product, squaring, put, take, alone @ .., short, long] =
        times.each_mut().map(|times| quantile(times, 2));
    let [few, many] = rows.map(|row| 8.0 * row.len() as f64);
    // Per byte: the cost of one row and of all rows together. From these follow the cost of a further row and
    // the additional cost of the first.
    let rate = |short: f64, long: f64| (long - short) / (many - few);
    let (first, all) = (rate(alone[0], alone[1]), rate(short, long));
    let byte = ((all - first) / (TOGETHER - 1) as f64).max(0.001);
    let once = (all - byte * TOGETHER as f64).max(0.0);
    let fixed = (short - all * few) / TOGETHER as f64;
    let look_up = PerByte { fixed: fixed.max(0.0), byte };
    LaneCosts { lanes: lanes.lanes(), product, squaring, put, take, look_up, once }
}

/// Masked look-ups and updates in a short row and in a long one: the cost per call and per byte. Times are
/// relative to squarings. Each look-up is followed by a product with its result, which need not wait for the
/// product before. The cost of a look-up is the time that it adds to the product.
struct Looking {
    entry: Words,
    rows: [Words; 2],
    scans: [Vec<f64>; 2],
    updates: [Vec<f64>; 2],
}

impl Looking {
    fn new(size: usize) -> Self {
        // The long row is about as large as a first-level cache. Rows of tables in the second-level cache
        // cost no more, because they are prefetched.
        let long = (1 << 12) / size.min(1 << 8);
        Self {
            entry: Words::zero(size),
            rows: [3, long].map(|entries| Words::zero(size * entries)),
            scans: Default::default(),
            updates: Default::default(),
        }
    }

    fn run(&mut self, kernel: &dyn Kernel, x: &mut [u64], scratch: &mut [u64], squaring: f64) {
        let time = |count: usize, operation: &mut dyn FnMut()| time(count, operation) / squaring;
        for ((row, scans), updates) in self.rows.iter_mut().zip(&mut self.scans).zip(&mut self.updates) {
            let count = (40 * RUN as usize / (8 * row.len() + 1)).clamp(2, 200);
            let first = kernel.one();
            let mut scan = time(count, &mut || kernel.select(&mut self.entry, first, row, black_box(1)));
            if squaring <= LONG {
                let product = time(count, &mut || kernel.mul(x, &self.entry, scratch));
                let both = time(count, &mut || {
                    kernel.select(&mut self.entry, first, row, black_box(1));
                    kernel.mul(x, &self.entry, scratch);
                });
                scan = scan.min(both - product);
            }
            scans.push(scan);
            updates.push(time(count, &mut || kernel.replace(row, &self.entry, black_box(1))));
        }
    }

    fn finish(mut self, squaring: f64) -> (PerByte, PerByte) {
        let bytes = self.rows.each_ref().map(|row| 8.0 * row.len() as f64);
        let line = |times: &mut [Vec<f64>; 2], extra: f64| {
            let [short, long] = times.each_mut().map(|times| quantile(times, 2) * squaring);
            let byte = ((long - short) / (bytes[1] - bytes[0]).max(1.0)).max(0.001);
            PerByte { fixed: (short - byte * (bytes[0] + extra)).max(0.0), byte }
        };
        (line(&mut self.scans, 8.0 * self.entry.len() as f64), line(&mut self.updates, 0.0))
    }
}

/// Nanoseconds per byte of masked look-ups in consecutive rows of tables of the lowest levels, each followed
/// by a product with its result. `fixed` is the cost of a look-up itself. Zero for a level whose tables are
/// smaller than a row.
fn scan_near(
    kernel: &dyn Kernel,
    x: &mut [u64],
    scratch: &mut [u64],
    squaring: f64,
    fixed: f64,
) -> [f64; NEAR] {
    const ROW: usize = 63;
    // Words of a run, which takes some microseconds, so that the resolution of the clock does not matter.
    const RUN: usize = 1 << 15;
    let row = ROW * kernel.dimensions().residue_words;
    // Written, so that all pages are allocated.
    let one = kernel.one().iter().copied();
    let table: Vec<u64> = one.cycle().take(LEVELS[NEAR - 1] as usize / 8).collect();
    let mut entry = Words::zero(kernel.dimensions().residue_words);
    core::array::from_fn(|index| {
        let words = LEVELS[index] as usize / 8;
        if words < row {
            return 0.0;
        }
        let mut rows = table[..words].chunks_exact(row).cycle();
        let count = RUN.div_ceil(row);
        let runs = (words / (count * row)).max(4);
        let mut run = || {
            let mut next = |product: bool| {
                time(count, || {
                    if let Some(row) = rows.next() {
                        kernel.select(&mut entry, kernel.one(), row, black_box(1));
                        if product {
                            kernel.mul(x, &entry, scratch);
                        }
                    }
                })
            };
            let alone = next(false);
            if squaring > LONG {
                return [alone, f64::INFINITY, 0.0];
            }
            [alone, next(true), time(count, || kernel.mul(x, &entry, scratch))]
        };
        // The first round only brings the table into its level of the caches.
        (0..runs).for_each(|_| {
            run();
        });
        let times: Vec<[f64; 3]> = (0..2 * runs).map(|_| run()).collect();
        let quartile = |i: usize| lower_quartile(&mut times.iter().map(|times| times[i]).collect::<Vec<_>>());
        let [alone, both, product] = [0, 1, 2].map(quartile);
        (alone.min(both - product) - fixed).max(0.0) / (8 * row) as f64
    })
}

/// The behaviour of memory for the working sets of `LEVELS`, measured at the first call.
fn levels() -> &'static [Level; LEVELS.len()] {
    static KNOWN: OnceLock<[Level; LEVELS.len()]> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut smaller = Level { scan: 0.0, entry: [0.0; LINES.len()] };
        LEVELS.map(|bytes| {
            let now = measure_level(bytes as usize / 8);
            // A larger working set is never faster. If a measurement says so, it was disturbed and is not
            // used.
            smaller = Level {
                scan: now.scan.max(smaller.scan),
                entry: core::array::from_fn(|length| now.entry[length].max(smaller.entry[length])),
            };
            smaller
        })
    })
}

fn measure_level(words: usize) -> Level {
    const LINE: usize = 8;
    // The number of dependent multiplications of words.
    const PRODUCT: usize = 100;
    // An entry of 3072 bits, and a row of a comb with six teeth.
    const ENTRY: usize = 48;
    const ROW: usize = 63 * ENTRY;
    // Written, so that all pages are allocated.
    let table = black_box(vec![1u64; words]);
    let mut out = [0; ENTRY];
    let mut scans = Vec::new();
    for _ in 0..((1 << 23) / words).clamp(2, 9) {
        // One row at a time, so that an interruption of the process affects only some of the times.
        for row in table.chunks_exact(ROW) {
            let all = time(1, || mask::select(&mut out, &table[..ENTRY], row, black_box(1)));
            scans.push(all / (8 * ROW) as f64);
        }
    }
    // The state continues from run to run, because places that were read before are in the cache.
    let mut state = 1u64;
    let entry = LINES.map(|lines| {
        let lines = lines as usize;
        let mut times = Vec::new();
        // The first runs bring the caches into the state after random reads.
        for run in 0..15 {
            let now = time(256 / lines + 16, || {
                // Between two reads there is a product: memory that is accessed rarely responds later. All
                // levels include this time, and only the differences between them matter.
                for _ in 0..PRODUCT {
                    state =
                        black_box(state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
                }
                let place = (state >> 33) as usize % (words / LINE - lines) * LINE;
                let entry = &table[place..place + lines * LINE];
                prefetch_vartime(entry);
                // A product waits for its operand. To imitate this, the next place depends on the words that
                // were read.
                state = state.wrapping_add(entry.iter().step_by(LINE).sum());
            });
            if run >= 4 {
                times.push(now);
            }
        }
        quantile(&mut times, 2)
    });
    // The rows differ, so the median is used.
    Level { scan: quantile(&mut scans, 2), entry }
}
