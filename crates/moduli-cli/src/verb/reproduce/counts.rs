//! The counted results: the formulas, the storage, and the word operations.

use moduli_papers::{Choice, printed, table3};
use serde_json::{Value, json};

use super::{
    report::{Figure, Grid, Part, Series, rounded},
    wanted::Wanted,
};
use crate::{failure::Failure, io::progress::Bar};

/// The number of pairs of exponents for mean counts. The short form uses few.
fn pairs(wanted: &Wanted<'_>) -> u64 {
    if wanted.quick { 2_000 } else { 10_000 }
}

pub fn m0m1_table_1(wanted: &Wanted<'_>, bar: &Bar) -> Result<Part, Failure> {
    let table = printed::m0m1_table_1(pairs(wanted))?;
    bar.inc(1);
    Ok(Part::of(&[table]))
}

pub fn m0m1_table_2(_: &Wanted<'_>, bar: &Bar) -> Result<Part, Failure> {
    // A tolerance of 0.05 requires this many.
    let table = printed::m0m1_table_2(10_000)?;
    bar.inc(1);
    Ok(Part::of(&[table, printed::hamming_sums()]))
}

pub fn m0m1_table_3(_: &Wanted<'_>, bar: &Bar) -> Result<Part, Failure> {
    let mut part = Part::of(&[printed::m0m1_table_3(), printed::m0m1_claims()]);
    part.tables.push(beside_table_3());
    bar.inc(1);
    Ok(part)
}

/// The m0m1 cells, compared with methods outside the paper's comparison.
fn beside_table_3() -> Grid {
    let cost = |choice: &Choice| choice.complexity.products_in_all();
    let rows = table3().into_iter().filter_map(|row| {
        let found = row.comparison()?;
        let kilobytes = |choice: &Choice| row.kilobytes(choice.complexity.storage);
        let describe = |choice: &Choice| {
            json!(format!("{}: {:.0} kB, {:.1}", choice.method, kilobytes(choice), cost(choice)))
        };
        let less = |choice: &Choice| json!(rounded(100.0 * (1.0 - cost(choice) / cost(&found.published)), 1));
        Some(vec![
            json!(row.exponent_bits),
            describe(&found.published),
            describe(&found.lim_lee),
            less(&found.lim_lee),
            describe(&found.lim_lee_smallest),
            json!(rounded(kilobytes(&found.published) / kilobytes(&found.lim_lee_smallest), 1)),
            describe(&found.repaired),
            less(&found.repaired),
        ])
    });
    Grid {
        title: "m0m1, Table 3: what the paper does not compare with".to_owned(),
        about: "The paper's comb has one table. Lim and Lee's own has h teeth and v tables. Each m0m1 cell is \
                compared with the fastest of these that stores no more, the smallest that is no slower, and the \
                fastest corrected m0m1 that stores no more. Costs are in products, with 0.86 for a squaring, and \
                followed by the savings in per cent."
            .to_owned(),
        columns: vec![
            "t",
            "m0m1 as published",
            "Lim–Lee, h × v",
            "cost, % less",
            "Lim–Lee as fast",
            "times smaller",
            "m0m1 corrected",
            "cost, % less",
        ],
        rows: rows.collect(),
    }
}

pub fn m0m1_figure_1(_: &Wanted<'_>, bar: &Bar) -> Result<Part, Failure> {
    let fronts = printed::m0m1_figure_1();
    let mut part = Part::default();
    let series = fronts.iter().map(|(name, points)| Series {
        name: (*name).to_owned(),
        dashed: false,
        points: points.iter().map(|point| [point.kilobytes, point.products]).collect(),
    });
    part.figures.push(Figure {
        file: "m0m1-figure-1.svg",
        title: "Figure 1: exponents of 512 bits, fields of 15360 bits: cost over storage".to_owned(),
        description: "Products of an exponentiation over the size of the table, both logarithmic. Of the paper's \
                      three methods, the comb of one table is the cheapest for small tables, m0m1 for medium ones \
                      and radix-R for very large ones, as printed. Lim and Lee's combs of several tables are \
                      cheaper than all three; the corrected m0m1 is cheaper than the published one."
            .to_owned(),
        across: "table, kB of 1024 bytes",
        up: "products (squaring: 0.86)",
        logarithmic: [true, true],
        series: series.collect(),
    });
    // A line for each doubling of storage.
    let mut rows = Vec::new();
    for power in 10..=21 {
        let limit = 1u32 << power;
        let mut row = vec![json!(limit)];
        for (_, points) in &fronts {
            let best = points.iter().take_while(|point| point.kilobytes <= f64::from(limit)).last();
            row.push(best.map_or(Value::Null, |point| {
                json!(format!("{} ({})", rounded(point.products, 1), point.method))
            }));
        }
        rows.push(row);
    }
    let columns = vec![
        "at most, kB",
        "comb, one table",
        "radix-R",
        "m0m1 as published",
        "Lim–Lee, h × v",
        "m0m1 corrected",
    ];
    part.tables.push(Grid {
        title: "Least cost for a given storage, #MM".to_owned(),
        about: String::new(),
        columns,
        rows,
    });
    part.notes.push(
        "The paper's figure has no numbers; its cells at 512 bits are those of Table 3. Costs follow the formulas \
         of Tables 1 and 2; for the two methods that the paper does not show, they follow those of docs/m0m1.md, \
         which tests compare with counts."
            .to_owned(),
    );
    bar.inc(1);
    Ok(part)
}

pub fn common_operand(_: &Wanted<'_>, bar: &Bar) -> Result<Part, Failure> {
    let tables = printed::common_operand_tables()?;
    bar.inc(1);
    Ok(Part::of(&tables))
}

pub fn common_operand_claims(_: &Wanted<'_>, bar: &Bar) -> Result<Part, Failure> {
    let table = printed::common_operand_claims()?;
    bar.inc(1);
    Ok(Part::of(&[table]))
}
