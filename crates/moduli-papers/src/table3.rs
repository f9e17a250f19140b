//! Table 3: the storage of the three methods at about equal cost, and methods known today.

use alloc::{format, string::String, vec::Vec};

use super::{classical::digit_count, complexity::Complexity};
use moduli::fixed::Method;

/// One cell of Table 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The method with the parameters printed below the cell.
    pub method: Method,
    /// The printed value, in kB of 1024 bytes.
    pub printed_kb: f64,
    /// The number of values that the cell counts: see [`table3`].
    pub values: u64,
}

/// One row of Table 3: methods of about equal cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// t, the length of an exponent in bits.
    pub exponent_bits: u32,
    /// Bits of the field.
    pub field_bits: u32,
    /// The label of the row, in products. It is nominal: the cells differ from it by up to 9 %.
    pub printed_products: f64,
    /// Fixed-base comb, one table.
    pub comb: Cell,
    /// Radix-R.
    pub radix: Cell,
    /// m0m1, if the paper has a value.
    pub m0m1: Option<Cell>,
}

impl Row {
    /// The size of `values` values of this field, in kilobytes of 1024 bytes.
    pub fn kilobytes(&self, values: u64) -> f64 {
        values as f64 * f64::from(self.field_bits) / 8192.0
    }
}

/// A method found by search, with its cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The method.
    pub method: Method,
    /// Its cost and storage.
    pub complexity: Complexity,
}

/// The methods with which to compare the m0m1 cell of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// m0m1 as published: the total of Table 2, and the number of values that it stores.
    pub published: Choice,
    /// The fastest comb of h teeth and v tables that stores no more.
    pub lim_lee: Choice,
    /// The smallest such comb that is no slower.
    pub lim_lee_smallest: Choice,
    /// The fastest repaired m0m1 that stores no more.
    pub repaired: Choice,
}

/// A row: label; w and kB; R and kB; m0, m1 and kB.
type Printed = (f64, (u32, f64), (u32, f64), Option<(u32, u32, f64)>);

const T224: &[Printed] = &[
    (45.0, (9, 127.5), (31, 345.0), Some((11, 9, 108.0))),
    (37.0, (11, 511.5), (61, 594.0), Some((31, 7, 242.0))),
    (30.0, (14, 4095.5), (179, 1386.0), Some((127, 7, 770.0))),
    (24.0, (17, 32767.5), (677, 4230.0), Some((877, 7, 4173.0))),
    (19.0, (21, 524_287.5), (5417, 27084.0), Some((13441, 5, 50409.0))),
];
const T256: &[Printed] = &[
    (46.0, (10, 383.0), (47, 845.0), Some((17, 11, 241.0))),
    (39.0, (12, 1535.0), (97, 1454.0), Some((47, 7, 579.0))),
    (32.0, (15, 12287.0), (257, 3179.0), Some((211, 6, 2070.0))),
    (26.0, (18, 98303.0), (937, 9486.0), Some((1223, 6, 9642.0))),
    (20.0, (22, 1_572_863.0), (8467, 66676.0), Some((37579, 5, 225_482.0))),
];
const T384: &[Printed] = &[
    (63.0, (11, 1918.0), (67, 4081.0), Some((19, 11, 969.0))),
    // R is printed as 191, whose table has 9140 kB. 211 gives the printed size.
    (50.0, (14, 15358.0), (211, 10087.0), Some((101, 11, 3742.0))),
    (41.0, (17, 122_878.0), (677, 26655.0), Some((541, 6, 17284.0))),
    (35.0, (20, 983_038.0), (2381, 80357.0), Some((2381, 6, 64768.0))),
    (30.0, (23, 7_864_318.0), (8467, 246_070.0), Some((13441, 5, 315_053.0))),
    (26.0, (26, 62_914_558.0), (37579, 951_217.0), Some((165_397, 5, 3_256_278.0))),
    (24.0, (29, 503_316_478.0), (74699, 1_750_756.0), None),
];
const T512: &[Printed] = &[
    (86.0, (11, 3836.0), (59, 9841.0), Some((13, 11, 1940.0))),
    (73.0, (13, 15356.0), (127, 17855.0), Some((41, 10, 4747.0))),
    (60.0, (16, 122_876.0), (409, 46775.0), Some((179, 11, 16224.0))),
    (52.0, (18, 491_516.0), (937, 93110.0), Some((677, 7, 54680.0))),
    (48.0, (19, 983_036.0), (1699, 156_091.0), Some((1489, 10, 106_185.0))),
    (41.0, (22, 7_864_316.0), (6211, 489_112.0), Some((5417, 7, 355_573.0))),
    (35.0, (25, 62_914_556.0), (30347, 2_048_419.0), Some((37579, 7, 2_113_890.0))),
];

/// Table 3, row by row, with the number of values that each cell counts.
///
/// The cells follow three conventions, none of which is the count that the text states: the comb
/// 2^w − 2 (text: 2^w − 1); radix-R (ℓ + 1)·R − 2, but ℓ·(R − 1) as in the text for R = 31; m0m1
/// (m0 + 1)·(ℓ + 1) + m1 + 2 (text: (m0 + 1)·ℓ + 1). With these conventions, every printed number
/// is right within 2 kB.
pub fn table3() -> Vec<Row> {
    let sizes = [(224, 2048, T224), (256, 3072, T256), (384, 7680, T384), (512, 15360, T512)];
    let mut rows = Vec::new();
    for (exponent_bits, field_bits, printed) in sizes {
        let cell =
            |method, printed_kb| Cell { method, printed_kb, values: counted_values(method, exponent_bits) };
        for &(printed_products, (teeth, comb_kb), (radix, radix_kb), m0m1) in printed {
            rows.push(Row {
                exponent_bits,
                field_bits,
                printed_products,
                comb: cell(Method::Comb { teeth, tables: 1, short_tables: 0 }, comb_kb),
                radix: cell(Method::Radix { radix }, radix_kb),
                m0m1: m0m1.map(|(m0, m1, printed_kb)| cell(Method::M0m1 { m0, m1 }, printed_kb)),
            });
        }
    }
    rows
}

/// The values that a cell of Table 3 counts for a method: see [`table3`].
pub(crate) fn counted_values(method: Method, t: u32) -> u64 {
    let digits = |radix: u64| digit_count(radix, t) as u64;
    match method {
        Method::Radix { radix: 31 } => digits(31) * 30,
        Method::Radix { radix } => (digits(radix.into()) + 1) * u64::from(radix) - 2,
        Method::M0m1 { m0, m1 } => {
            let (m0, m1) = (u64::from(m0), u64::from(m1));
            (m0 + 1) * (digits(m0 * m1) + 1) + m1 + 2
        }
        Method::Comb { teeth, .. } => (1 << teeth) - 2,
        _ => 0,
    }
}

impl Row {
    /// The m0m1 cell and the methods that beat it; `None` if the paper has no m0m1 cell.
    ///
    /// Cost: a search of a few milliseconds.
    pub fn comparison(&self) -> Option<Comparison> {
        let published = self.choice(self.m0m1?.method);
        let limit = published.complexity.storage;
        let combs = || {
            let shapes = (2..=24).flat_map(|teeth| (1..=64).map(move |tables| (teeth, tables)));
            shapes.map(|(teeth, tables)| self.choice(Method::Comb { teeth, tables, short_tables: 0 }))
        };
        let fits = |choice: &Choice| choice.complexity.storage <= limit;
        let cost = |choice: &Choice| choice.complexity.products_in_all();
        let by_cost = |a: &Choice, b: &Choice| {
            cost(a).total_cmp(&cost(b)).then(a.complexity.storage.cmp(&b.complexity.storage))
        };
        Some(Comparison {
            published,
            lim_lee: combs().filter(fits).min_by(by_cost)?,
            lim_lee_smallest: combs()
                .filter(|comb| cost(comb) <= cost(&published))
                .min_by_key(|comb| comb.complexity.storage)?,
            repaired: self.repaired().into_iter().filter(fits).min_by(by_cost)?,
        })
    }

    fn choice(&self, method: Method) -> Choice {
        Choice { method, complexity: Complexity::of(method, self.exponent_bits) }
    }

    /// The repaired m0m1 with the least storage for each number of digits and of buckets.
    fn repaired(&self) -> Vec<Choice> {
        let methods = two_moduli(self.exponent_bits);
        methods.map(|(m0, m1)| self.choice(Method::ResidueDigits { m0, m1 })).collect()
    }
}

/// The least R up to 2^32 with R^digits ≥ 2^t, by bisection.
pub(crate) fn least_radix(digits: usize, t: u32) -> u64 {
    let (mut low, mut high) = (1u64, 1 << 32);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if digit_count(middle, t) <= digits { high = middle } else { low = middle }
    }
    high
}

/// For each number of digits and each m1, the least valid m0 for m0m1, published or repaired.
pub(crate) fn two_moduli(t: u32) -> impl Iterator<Item = (u32, u32)> {
    (4..=t as usize / 4).flat_map(move |digits| {
        let radix = least_radix(digits, t);
        (2..=64).filter_map(move |m1| {
            let least = radix.div_ceil(m1).max(2);
            let m0 = (least..).find(|m0| (2..=m1).all(|u| m0 % u != 0))?;
            (m0 < 1 << 24).then_some((m0 as u32, m1 as u32))
        })
    })
}

/// Table 3 in Markdown, twice: every cell as printed (p) and as counted, with its #MM beside the
/// row's label; then the m0m1 cells beside Lim and Lee's combs and the repaired m0m1 with no more
/// storage.
pub fn table3_text() -> String {
    let mut text = String::from(
        "| t | #MM | comb | kB (p) | kB | #MM | radix | kB (p) | kB | #MM | m0m1 | kB (p) | kB | #MM |\n\
         |--:|--:|:--|--:|--:|--:|:--|--:|--:|--:|:--|--:|--:|--:|\n",
    );
    let rows = table3();
    for row in &rows {
        text += &format!("| {} | {} |", row.exponent_bits, row.printed_products);
        for cell in [Some(row.comb), Some(row.radix), row.m0m1] {
            text += &cell.map_or("  |  |  |  |".into(), |cell| {
                let cost = row.choice(cell.method).complexity.products_in_all();
                let kilobytes = row.kilobytes(cell.values);
                format!(" {} | {} | {kilobytes:.1} | {cost:.1} |", cell.method, cell.printed_kb)
            });
        }
        text += "\n";
    }
    text += "\n| t | as published | kB | #MM | best Lim–Lee | kB | #MM | gain | Lim–Lee as fast | kB | storage | \
             repaired | kB | #MM | gain |\n\
             |--:|:--|--:|--:|:--|--:|--:|--:|:--|--:|--:|:--|--:|--:|--:|\n";
    for row in &rows {
        let Some(found) = row.comparison() else { continue };
        let cost = |choice: &Choice| choice.complexity.products_in_all();
        let kilobytes = |choice: &Choice| row.kilobytes(choice.complexity.storage);
        let gain = |choice: &Choice| 100.0 * (1.0 - cost(choice) / cost(&found.published));
        let describe =
            |choice: &Choice| format!("{} | {:.0} | {:.1}", choice.method, kilobytes(choice), cost(choice));
        let smallest = &found.lim_lee_smallest;
        text += &format!(
            "| {} | {} | {} | {:.1} % | {} | {:.0} | 1/{:.1} | {} | {:.1} % |\n",
            row.exponent_bits,
            describe(&found.published),
            describe(&found.lim_lee),
            gain(&found.lim_lee),
            smallest.method,
            kilobytes(smallest),
            kilobytes(&found.published) / kilobytes(smallest),
            describe(&found.repaired),
            gain(&found.repaired),
        );
    }
    text
}
