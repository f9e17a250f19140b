//! Takes the times that make up a cost table, on this machine and now.
//!
//! Everything is timed in short runs, interleaved, and in terms of the squarings of the same round: the median of
//! these ratios counts. So a core that changes its speed, or has other work for a moment, changes the costs of all
//! operations alike or of none.

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

/// A run lasts about this long, in nanoseconds, if it holds more than one operation.
const RUN: f64 = 10_000.0;

/// Nanoseconds of a squaring from which on look-ups are timed alone: they are a small part of the products they feed.
const LONG: f64 = 1_000.0;

/// Nanoseconds of work before the first run.
const WARM: u128 = 500_000;

/// Limbs of the moduli for which costs are built in: where a kernel changes its ways, costs between these are a little off.
const LIMBS: [usize; 22] =
    [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 240, 384, 640, 1024];

impl Costs {
    /// The costs of the kernel on this machine as it runs now: each call measures, some milliseconds at 3072 bits and some tens at
    /// 15360. How the memory behaves is taken once for all, which takes up to a second and 128 MiB.
    pub fn measured(arithmetic: &Arithmetic) -> Self {
        measure(arithmetic.kernel())
    }

    /// What is built in of a kernel, measured on this machine as it runs now: the costs at some sizes, ascending, and none if it
    /// lacks the instructions. `examples/costs.rs` and the npm package's `run.py costs` write them down.
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

/// Nanoseconds of one `operation`, in the mean of `count`.
fn time(count: usize, mut operation: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        operation();
    }
    start.elapsed().as_nanos() as f64 / count as f64
}

/// The time that one part in `parts` of all times stays below.
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
    // A core takes its time to clock as it will for long vectors.
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
        // Long vectors start slowly after other work: the first run does not count.
        time(2 * count, || kernel.square(&mut x, &mut scratch));
        let squaring = time(count, || kernel.square(&mut x, &mut scratch)).max(1.0);
        squarings.push(squaring);
        // In squarings of this round.
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

/// What lanes take: the middle of some rounds.
fn measure_lanes(kernel: &dyn Kernel, lanes: &dyn Lanes) -> LaneCosts {
    const ROUNDS: usize = 9;
    // Rows that are looked up in one call.
    const TOGETHER: usize = 8;
    let size = kernel.dimensions().residue_words;
    let (mut x, mut scratch) = (Words::zero(lanes.row_words()), Words::zero(lanes.scratch_words()));
    let mut residue = Words::copy_of(kernel.one());
    (0..lanes.lanes()).for_each(|lane| lanes.put(&mut x, lane, &residue));
    let (b, mut out) = (x.clone(), Words::zero(TOGETHER * lanes.row_words()));
    let product = time(2, || lanes.mul(&mut x, &b, &mut scratch)).max(1.0);
    let count = (RUN / product).ceil() as usize;
    let rows = [3, ((1 << 12) / size).max(8)].map(|entries| Words::zero(size * entries));
    let indices = black_box(vec![1u64; TOGETHER * lanes.lanes()]);
    let mut times: [Vec<f64>; 8] = Default::default();
    for round in 0..=ROUNDS {
        let look_up = |row: &Words, together: usize, out: &mut Words| {
            let count = (40 * RUN as usize / (64 * row.len())).clamp(2, 200);
            let (out, indices) =
                (&mut out[..together * lanes.row_words()], &indices[..together * lanes.lanes()]);
            time(count, || lanes.look_up(out, kernel.one(), row, indices))
        };
        // Long vectors start slowly after other work: the first run does not count.
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
        // The first round only warms up.
        if round > 0 {
            times.iter_mut().zip(now).for_each(|(times, now)| times.push(now));
        }
    }
    let [product, squaring, put, take, alone @ .., short, long] =
        times.each_mut().map(|times| quantile(times, 2));
    let [few, many] = rows.map(|row| 8.0 * row.len() as f64);
    // Of one row and of all together, for each byte; what a further row costs; and what is left of the first.
    let rate = |short: f64, long: f64| (long - short) / (many - few);
    let (first, all) = (rate(alone[0], alone[1]), rate(short, long));
    let byte = ((all - first) / (TOGETHER - 1) as f64).max(0.001);
    let once = (all - byte * TOGETHER as f64).max(0.0);
    let fixed = (short - all * few) / TOGETHER as f64;
    let look_up = PerByte { fixed: fixed.max(0.0), byte };
    LaneCosts { lanes: lanes.lanes(), product, squaring, put, take, look_up, once }
}

/// Masked look-ups and updates in a short row and in a long one: what a call costs, and what a byte. Times are in
/// squarings. What is looked up is multiplied by: a look-up costs what it takes beyond the product, which need not wait for
/// the one before.
struct Looking {
    entry: Words,
    rows: [Words; 2],
    scans: [Vec<f64>; 2],
    updates: [Vec<f64>; 2],
}

impl Looking {
    fn new(size: usize) -> Self {
        // The long row has about the size of a first-level cache: rows of tables in reach of the second one cost
        // no more, for they arrive ahead of their use.
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

/// Nanoseconds per byte of masked look-ups in row after row of tables of the first few levels, each with a product by what
/// it finds; a look-up itself takes `fixed`. Zero where a table of a level has no room for a row.
fn scan_near(
    kernel: &dyn Kernel,
    x: &mut [u64],
    scratch: &mut [u64],
    squaring: f64,
    fixed: f64,
) -> [f64; NEAR] {
    const ROW: usize = 63;
    // Words of a run: some microseconds, so that the clock does not count.
    const RUN: usize = 1 << 15;
    let row = ROW * kernel.dimensions().residue_words;
    // Written, so that every page is there.
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
        // The first round only moves the table to where it stays.
        (0..runs).for_each(|_| {
            run();
        });
        let times: Vec<[f64; 3]> = (0..2 * runs).map(|_| run()).collect();
        let quartile = |i: usize| lower_quartile(&mut times.iter().map(|times| times[i]).collect::<Vec<_>>());
        let [alone, both, product] = [0, 1, 2].map(quartile);
        (alone.min(both - product) - fixed).max(0.0) / (8 * row) as f64
    })
}

/// How the memory serves the working sets of `LEVELS`, measured at the first call.
fn levels() -> &'static [Level; LEVELS.len()] {
    static KNOWN: OnceLock<[Level; LEVELS.len()]> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut smaller = Level { scan: 0.0, entry: [0.0; LINES.len()] };
        LEVELS.map(|bytes| {
            let now = measure_level(bytes as usize / 8);
            // No larger working set is served faster: a moment of the machine that says so is not believed.
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
    // Multiplications of words, one after the other.
    const PRODUCT: usize = 100;
    // An entry of 3072 bits, a row of a comb with six teeth.
    const ENTRY: usize = 48;
    const ROW: usize = 63 * ENTRY;
    // Written, so that every page is there.
    let table = black_box(vec![1u64; words]);
    let mut out = [0; ENTRY];
    let mut scans = Vec::new();
    for _ in 0..((1 << 23) / words).clamp(2, 9) {
        // A row at a time: a pause of the process spoils some of them alone.
        for row in table.chunks_exact(ROW) {
            let all = time(1, || mask::select(&mut out, &table[..ENTRY], row, black_box(1)));
            scans.push(all / (8 * ROW) as f64);
        }
    }
    // Goes on from run to run: places seen before are in the cache.
    let mut state = 1u64;
    let entry = LINES.map(|lines| {
        let lines = lines as usize;
        let mut times = Vec::new();
        // The first runs leave the caches as reading at random does.
        for run in 0..15 {
            let now = time(256 / lines + 16, || {
                // Between two entries there is a product: memory that is asked seldom answers later. All levels
                // include this, and what counts is the difference between them.
                for _ in 0..PRODUCT {
                    state =
                        black_box(state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
                }
                let place = (state >> 33) as usize % (words / LINE - lines) * LINE;
                let entry = &table[place..place + lines * LINE];
                prefetch_vartime(entry);
                // A product waits for its operand, and the next place depends on what is read.
                state = state.wrapping_add(entry.iter().step_by(LINE).sum());
            });
            if run >= 4 {
                times.push(now);
            }
        }
        quantile(&mut times, 2)
    });
    // Rows differ among themselves, so their middle counts.
    Level { scan: quantile(&mut scans, 2), entry }
}
