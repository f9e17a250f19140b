//! m0m1, Table 4: the printed cycles and storage of implementations, and their ratios.

use alloc::{format, vec::Vec};

use super::cell::{Compared, Precision, PrintedTable};
use crate::complexity::Complexity;
use moduli::fixed::Method;

/// A row of Table 4: cycles on a Xeon E5-2650 and kB for the three methods, and the two printed
/// ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table4Row {
    /// t, the length of an exponent in bits.
    pub exponent_bits: u32,
    /// Bits of the field.
    pub field_bits: u32,
    /// w of the comb, cycles, kB.
    pub comb: (u32, u64, f64),
    /// R, cycles, kB.
    pub radix: (u32, u64, f64),
    /// m0 and m1, cycles, kB.
    pub m0m1: ((u32, u32), u64, f64),
    /// The cycles of m0m1 over the least of the others, as printed.
    pub time_ratio: f64,
    /// The same for kB.
    pub storage_ratio: f64,
}

impl Table4Row {
    /// The methods, in the order of the columns.
    pub fn methods(&self) -> [Method; 3] {
        let (m0, m1) = self.m0m1.0;
        [
            Method::Comb { teeth: self.comb.0, tables: 1, short_tables: 0 },
            Method::Radix { radix: self.radix.0 },
            Method::M0m1 { m0, m1 },
        ]
    }

    /// The R of the table whose bytes and cycles are printed. It differs from the printed R if that
    /// is a misprint.
    pub fn radix_of_bytes(&self) -> u32 {
        if (self.exponent_bits, self.radix.0) == (512, 163) { 283 } else { self.radix.0 }
    }

    /// The printed cycles of the methods.
    pub fn cycles(&self) -> [u64; 3] {
        [self.comb.1, self.radix.1, self.m0m1.1]
    }

    /// The printed kB of the methods.
    pub fn kilobytes(&self) -> [f64; 3] {
        [self.comb.2, self.radix.2, self.m0m1.2]
    }
}

/// Comb, radix-R, m0m1, and the ratios.
type Printed = ((u32, u64, f64), (u32, u64, f64), ((u32, u32), u64, f64), (f64, f64));

const fn row(t: u32, field: u32, printed: Printed) -> Table4Row {
    let (comb, radix, m0m1, (time_ratio, storage_ratio)) = printed;
    Table4Row { exponent_bits: t, field_bits: field, comb, radix, m0m1, time_ratio, storage_ratio }
}

/// Table 4.
#[rustfmt::skip]
pub const TABLE_4: [Table4Row; 12] = [
    row(224, 2048, ((12, 221_108, 1023.5), (91, 227_838, 829.0), ((89, 6), 219_864, 580.0), (0.994, 0.700))),
    row(224, 2048, ((13, 210_074, 2047.5), (163, 206_888, 1324.0), ((127, 7), 207_072, 766.0), (0.985, 0.579))),
    row(224, 2048, ((18, 149_690, 65535.0), (1223, 147_877, 7289.0), ((5417, 6), 146_156, 21599.0), (0.988, 2.96))),
    row(256, 3072, ((12, 524_539, 1535.0), (91, 502_981, 1411.0), ((79, 6), 501_466, 897.0), (0.997, 0.636))),
    row(256, 3072, ((14, 449_397, 6143.0), (163, 445_871, 2251.0), ((211, 6), 446_444, 2056.0), (1.001, 0.913))),
    row(256, 3072, ((18, 356_892, 98303.0), (571, 354_640, 6414.0), ((1721, 7), 354_071, 12843.0), (0.998, 2.002))),
    row(384, 7680, ((11, 4_442_590, 1918.0), (53, 4_492_191, 3430.0), ((23, 10), 4_409_584, 1134.0), (0.993, 0.467))),
    row(384, 7680, ((14, 3_554_339, 15358.0), (163, 3_524_896, 8290.0), ((113, 10), 3_551_437, 4164.0), (1.008, 0.502))),
    row(384, 7680, ((18, 2_736_341, 245_758.0), (1223, 2_543_480, 45221.0), ((1031, 7), 2_743_399, 29961.0), (1.079, 0.662))),
    row(512, 15360, ((13, 18_632_429, 15536.0), (91, 19_260_731, 13765.0), ((41, 10), 18_550_238, 4745.0), (0.996, 0.345))),
    row(512, 15360, ((16, 14_848_261, 122_876.0), (163, 15_401_002, 34418.0), ((257, 11), 14_813_453, 22109.0), (0.998, 0.642))),
    row(512, 15360, ((19, 12_477_816, 983_036.0), (1223, 12_193_232, 119_061.0), ((1381, 7), 12_499_600, 102_820.0), (1.025, 0.863))),
];

/// The logarithm to base 2 of a number from 1 on, computed bit by bit.
fn log2(mut x: f64) -> f64 {
    let mut log = 0.0;
    while x >= 2.0 {
        (x, log) = (x / 2.0, log + 1.0);
    }
    let mut weight = 0.5;
    for _ in 0..50 {
        x *= x;
        if x >= 2.0 {
            (x, log) = (x / 2.0, log + weight);
        }
        weight /= 2.0;
    }
    log
}

/// The number of values that a cell counts, where the number of digits is not rounded up.
fn unrounded(method: Method, t: u32) -> f64 {
    let digits = |radix: u32| f64::from(t) / log2(radix.into());
    match method {
        Method::Radix { radix } => (digits(radix) + 2.0) * f64::from(radix),
        Method::M0m1 { m0, m1 } => f64::from(m0 + 1) * (digits(m0 * m1) + 1.0) + f64::from(m1 + 1),
        _ => 0.0,
    }
}

fn least(values: [f64; 2]) -> f64 {
    values[0].min(values[1])
}

/// Table 4's storage compared with the values that its methods store, and its ratios compared with
/// those of its own columns.
pub fn m0m1_table_4_printed() -> PrintedTable {
    let mut cells = Vec::new();
    for row in &TABLE_4 {
        let name = format!("t = {}, {}", row.exponent_bits, row.methods()[2]);
        let columns = ["comb, kB", "radix-R, kB", "m0m1, kB"];
        for ((column, method), printed) in columns.into_iter().zip(row.methods()).zip(row.kilobytes()) {
            let stored = Complexity::of(method, row.exponent_bits).storage;
            let kilobytes = |values: f64| values * f64::from(row.field_bits) / 8192.0;
            let whole = (printed - printed as u64 as f64).abs() < 1e-9;
            let unit = Precision::Unit(if whole { 1.0 } else { 0.5 });
            let cell = Compared::new(&name, column, printed, unit, kilobytes(stored as f64));
            cells.push(match method {
                Method::Comb { teeth: 13, .. } if row.exponent_bits == 512 => {
                    cell.because("a misprint: the digits 5 and 3 are exchanged, Table 3 has 15356 kB", None)
                }
                Method::Comb { .. } => cell.because(
                    "the cell counts 2^w − 2 values; the method stores 2^w − 1, as the text says",
                    kilobytes((stored - 1) as f64),
                ),
                Method::Radix { radix: 163 } if row.exponent_bits == 512 => cell.because(
                    "R is a misprint: the printed value is (t/log2 R + 2)·R for R = 283, and the printed cycles \
                     are those of its 63 digits, not of the 70 of R = 163",
                    kilobytes(unrounded(Method::Radix { radix: row.radix_of_bytes() }, 512)),
                ),
                Method::Radix { .. } => cell.because(
                    "the cell counts (t/log2 R + 2)·R values, with digits that are not rounded up; the method \
                     stores ℓ·(R − 1), as the text says",
                    kilobytes(unrounded(method, row.exponent_bits)),
                ),
                _ => cell.because(
                    "the cell counts (m0 + 1)(t/log2 R + 1) + m1 + 1 values, with digits that are not rounded up; the \
                     method stores (m0 + 1)·ℓ + 1, as the text says",
                    kilobytes(unrounded(method, row.exponent_bits)),
                ),
            });
        }
        let [comb, radix, m0m1] = row.cycles().map(|cycles| cycles as f64);
        let time = Compared::new(
            &name,
            "cycles, ratio",
            row.time_ratio,
            Precision::Unit(1e-3),
            m0m1 / least([comb, radix]),
        );
        cells.push(time.because(
            "the printed ratio is to the comb, but radix-R is the faster of the two: by the printed cycles, the ratio to it is 1.001",
            m0m1 / comb,
        ));
        let [comb, radix, m0m1] = row.kilobytes();
        // 2.96 has two decimal places.
        let unit = Precision::Unit(if row.storage_ratio > 2.5 { 1e-2 } else { 1e-3 });
        let storage = Compared::new(&name, "kB, ratio", row.storage_ratio, unit, m0m1 / least([comb, radix]));
        cells.push(storage.because("a slip: no two of the row's printed kB have this ratio", None));
    }
    PrintedTable {
        name: "m0m1, Table 4 in itself",
        about: "The printed storage, compared with what the methods need by the text's formulas; and the printed \
                ratios of m0m1 to the better of the other two, compared with those that the printed cycles and kB \
                give.",
        cells,
    }
}
