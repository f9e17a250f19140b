//! m0m1, Table 3 and Figure 1: storage and cost.

use alloc::{format, string::String, vec::Vec};

use super::cell::{Compared, Precision, PrintedTable};
use crate::{
    complexity::Complexity,
    table3::{Cell, Row, counted_values, least_radix, table3, two_moduli},
};
use moduli::fixed::Method;

/// The unit to which kilobytes are rounded or truncated. It is a half if halves are printed.
fn kilobytes(cell: &Cell) -> Precision {
    let is_whole = (cell.printed_kb - cell.printed_kb as u64 as f64).abs() < 1e-9;
    Precision::Unit(if is_whole { 1.0 } else { 0.5 })
}

/// The number of values that a cell of Table 3 counts, if it differs from the number that the
/// method stores.
fn convention(method: Method) -> &'static str {
    match method {
        Method::Comb { .. } => "the cell counts 2^w − 2 values; the method stores 2^w − 1, as the text says",
        Method::Radix { .. } => {
            "the cell counts (ℓ + 1)·R − 2 values; the method stores ℓ·(R − 1), as the text says"
        }
        _ => {
            "the cell counts (m0 + 1)(ℓ + 1) + m1 + 2 values, two more or less; the method stores (m0 + 1)·ℓ + 1, as the text says"
        }
    }
}

/// The size, label and parameters of a row.
fn describe(row: &Row) -> String {
    let parameters = |method| match method {
        Method::Comb { teeth, .. } => format!("w = {teeth}"),
        Method::Radix { radix } => format!("R = {radix}"),
        Method::M0m1 { m0, m1 } => format!("m0 = {m0}, m1 = {m1}"),
        _ => String::new(),
    };
    let cells = [Some(row.comb), Some(row.radix), row.m0m1];
    let parameters: Vec<_> = cells.iter().flatten().map(|cell| parameters(cell.method)).collect();
    format!("t = {}, {} MM: {}", row.exponent_bits, row.printed_products, parameters.join(", "))
}

fn compare(row: &Row, column: &str, cell: &Cell) -> [Compared; 2] {
    let name = describe(row);
    let complexity = Complexity::of(cell.method, row.exponent_bits);
    let computed = row.kilobytes(complexity.storage);
    let storage = Compared::new(&name, format!("{column}, kB"), cell.printed_kb, kilobytes(cell), computed)
        .because(convention(cell.method), row.kilobytes(cell.values))
        .within(2.0);
    let products = complexity.products_in_all();
    let label =
        Compared::new(&name, format!("{column}, #MM"), row.printed_products, Precision::Unit(1.0), products)
            .because("the row's label is nominal: this is what the method costs by Tables 1 and 2", None);
    [storage, label]
}

/// Table 3: the storage of every cell, and the cost of its method compared with the row's label.
pub fn m0m1_table_3() -> PrintedTable {
    let mut cells = Vec::new();
    for row in table3() {
        for (column, cell) in [("comb", Some(row.comb)), ("radix-R", Some(row.radix)), ("m0m1", row.m0m1)] {
            cells.extend(cell.iter().flat_map(|cell| compare(&row, column, cell)));
        }
        if (row.exponent_bits, row.radix.method) == (384, Method::Radix { radix: 211 }) {
            let kilobytes = |radix| row.kilobytes(counted_values(Method::Radix { radix }, 384));
            cells.push(Compared::count(describe(&row), "R", 191, 211).because(
                format!(
                    "a misprint: by the table's own convention R = 191 takes {:.0} kB, and R = 211 the printed {:.0}",
                    kilobytes(191),
                    kilobytes(211)
                ),
                None,
            ));
        }
    }
    PrintedTable {
        name: "m0m1, Table 3",
        about: "The printed storage in kB of 1024 bytes, compared with what the methods need by the text's own \
                formulas; and the label of each row, compared with the cost of each method in products, with 0.86 \
                for a squaring. The paper compares only with the comb of one table; Figure 1 adds Lim and Lee's \
                combs of several tables.",
        cells,
    }
}

/// A method with its cost and storage.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontPoint {
    /// The method, in the form that the command accepts.
    pub method: String,
    /// The cost in products, where a squaring counts 0.86.
    pub products: f64,
    /// The storage in kB of 1024 bytes.
    pub kilobytes: f64,
}

/// For each method its name, and its tables that are faster than all smaller tables of the same
/// method, smallest first.
pub type Fronts = Vec<(&'static str, Vec<FrontPoint>)>;

/// The range of Figure 1 in kB, which is that of Table 3.
const RANGE: (f64, f64) = (500.0, 3e6);

fn front(t: u32, field_bits: u32, methods: impl Iterator<Item = Method>) -> Vec<FrontPoint> {
    let points = methods.map(|method| {
        let complexity = Complexity::of(method, t);
        FrontPoint {
            method: format!("{method}"),
            products: complexity.products_in_all(),
            kilobytes: complexity.storage as f64 * f64::from(field_bits) / 8192.0,
        }
    });
    let mut points: Vec<_> = points.filter(|p| RANGE.0 <= p.kilobytes && p.kilobytes <= RANGE.1).collect();
    points.sort_by(|a, b| a.kilobytes.total_cmp(&b.kilobytes).then(a.products.total_cmp(&b.products)));
    let mut least = f64::INFINITY;
    points.retain(|point| {
        let is_cheaper = point.products < least;
        least = least.min(point.products);
        is_cheaper
    });
    points
}

/// Figure 1: cost over storage for exponents of 512 bits and fields of 15360 bits, for the paper's
/// three methods, and for two that the paper does not show: Lim and Lee's combs of several tables,
/// and the corrected m0m1.
pub fn m0m1_figure_1() -> Fronts {
    let (t, field) = (512, 15360);
    let comb = |teeth, tables| Method::Comb { teeth, tables, short_tables: 0 };
    let combs = (2..=24).map(|teeth| comb(teeth, 1));
    let several = (2..=20).flat_map(|teeth| (1..=64).map(move |tables| comb(teeth, tables)));
    let radices = (20..=512).map(|digits| Method::Radix { radix: least_radix(digits, t) as u32 });
    let published = two_moduli(t).map(|(m0, m1)| Method::M0m1 { m0, m1 });
    let corrected = two_moduli(t).map(|(m0, m1)| Method::ResidueDigits { m0, m1 });
    Vec::from([
        ("comb, one table", front(t, field, combs)),
        ("radix-R", front(t, field, radices)),
        ("m0m1 as published", front(t, field, published)),
        ("Lim–Lee, h × v", front(t, field, several)),
        ("m0m1 corrected", front(t, field, corrected)),
    ])
}
