//! Products by a prepared operand.

use super::operations::operands;
use crate::{
    bench::{Bench, Section, Table},
    contest::Contest,
    residues::Residues,
    rivals::gmp::Montgomery,
};

/// A product by an operand that was prepared in advance.
pub const SECTION: Section = Section {
    name: "prepared",
    title: "Product by a prepared operand",
    about: "`x ← x·b`, where b was prepared in as many pieces as make the product fastest. The plain product is \
            shown for comparison. The preparation is not part of this time; its own time is in the rows \
            \"preparation\". The break-even is the number of products after which the preparation has paid for \
            itself.",
    baseline: "GMP mul+redc",
    run,
};

fn run(bench: &mut Bench) {
    let sizes: &[u32] = match bench.quick {
        true => &[2048],
        false => &[1024, 2048, 3072, 4096, 7680],
    };
    let mut rows = Vec::new();
    for &bits in sizes {
        let (modulus, x, b) = operands(bits);
        let mut contest = Contest::new(format!("{bits}"));
        let montgomery = Montgomery::new(&modulus);
        let state = (montgomery.to_montgomery(&x), montgomery.to_montgomery(&b), montgomery.clone());
        contest.enter(
            "GMP mul+redc",
            montgomery.reduction(),
            state,
            move |(x, b, montgomery), _| montgomery.multiply(x, b),
            |(x, _, montgomery)| montgomery.from_montgomery(x),
        );
        let mut preparations = Contest::new(format!("preparation, {bits}"));
        let mut splits = Vec::new();
        for own in bench.moduli(&modulus) {
            let name = own.kernel_name();
            contest.enter(
                format!("{name} plain"),
                "",
                Residues::new(&own, &x, &b, 1),
                |residues, _| residues.multiply(),
                Residues::value,
            );
            let costs = own.measured_costs();
            let splits_of_kernel = 2..=own.max_split() as usize;
            let best = splits_of_kernel.min_by(|&a, &b| costs.prepared(a).total_cmp(&costs.prepared(b)));
            let Some(split) = best else { continue };
            contest.enter(
                name,
                format!("{split} pieces"),
                Residues::new(&own, &x, &b, split),
                |residues, _| residues.multiply_prepared(),
                Residues::value,
            );
            // The preparation is right if a product by it is.
            let start = Residues::new(&own, &x, &b, split);
            let first = start.x.to_vec();
            preparations.enter(
                name,
                format!("{split} pieces"),
                start,
                |residues, _| residues.prepare(),
                move |residues| {
                    residues.x.copy_from_slice(&first);
                    residues.multiply_prepared();
                    residues.value()
                },
            );
            splits.push((name, split));
        }
        let products = bench.contest(contest);
        let median = |name: &str| products.standing(name).map_or(f64::NAN, |standing| standing.median);
        let saved: Vec<f64> =
            splits.iter().map(|(name, _)| median(&format!("{name} plain")) - median(name)).collect();
        let preparations = bench.contest(preparations);
        for ((name, split), saved) in splits.into_iter().zip(saved) {
            let preparation = preparations.standing(name).map_or(f64::NAN, |standing| standing.median);
            let break_even = match saved > 0.0 {
                true => format!("{:.0}", (preparation / saved).ceil()),
                false => "never".to_string(),
            };
            let preparation = format!("{:.2}", preparation / 1e3);
            rows.push(vec![bits.to_string(), name.to_string(), split.to_string(), preparation, break_even]);
        }
    }
    let columns = ["bits", "kernel", "pieces", "preparation, µs", "break-even, products"].map(String::from);
    bench.table(Table { title: "Break-even".to_string(), columns: columns.to_vec(), rows });
}
