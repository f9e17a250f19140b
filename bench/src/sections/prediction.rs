//! Compares the planner's predictions with measurements.

use moduli::{FixedBase, MemorySize, Modulus, Planner, Secrecy};

use super::{fixed_base::random_exponents, operations::operands};
use crate::{
    bench::{Bench, Section, Table},
    clock::processor_time,
    contest::Contest,
    numbers::to_uint,
    residues::Residues,
};

/// Predicted and measured times.
pub const SECTION: Section = Section {
    name: "prediction",
    title: "The planner's predictions",
    about: "Each of twenty points has a modulus, a budget, and secret or public exponents. From the costs of \
            single operations, the planner predicts the time of an exponentiation: alone on the machine, and \
            with other programs that crowd the shared cache. The error is the distance of the measured time from \
            this range. The speed of the core may change after the costs have been measured. So both times are \
            expressed in single products and squarings, which are measured again for each point.",
    baseline: "reference",
    run,
};

/// How far a measured time may be outside the predicted range.
pub const BOUND: f64 = 0.15;

/// The number of products, and of squarings, in a run of the reference.
const REFERENCE: u32 = 16;

const POINTS: [(u32, u32); 5] = [(1024, 160), (2048, 224), (3072, 256), (4096, 256), (7680, 384)];

/// The name of the figure for the share of predictions within the bound.
pub fn figure(kernel: &str) -> String {
    format!("prediction {kernel}")
}

fn run(bench: &mut Bench) {
    let (kib, mib) = (MemorySize::kib, MemorySize::mib);
    let (secret, public) = (Secrecy::Secret, Secrecy::Public);
    let even = [(kib(64), secret), (mib(1), public), (mib(4), secret), (mib(64), public)];
    let odd = [(kib(64), public), (mib(1), secret), (mib(4), public), (mib(16), secret)];
    let mut rows = Vec::new();
    let sizes = if bench.quick { &POINTS[2..3] } else { &POINTS[..] };
    for kernel in bench.kernels.clone() {
        let (mut within, mut all) = (0, 0);
        for (place, &(bits, exponent_bits)) in sizes.iter().enumerate() {
            let (modulus, x, b) = operands(bits);
            let Ok(own) = Modulus::with_kernel(&to_uint(&modulus), kernel) else { continue };
            let residues = || Residues::new(&own, &x, &b, 1);
            for (budget, secrecy) in if place % 2 == 0 { even } else { odd } {
                let point = Point { own: &own, exponent_bits, budget, secrecy };
                let (error, row) = point.measure(bench, residues());
                within += usize::from(error.abs() <= BOUND);
                all += 1;
                rows.push(row);
            }
        }
        if all > 0 {
            bench.figures.insert(figure(kernel.name()), f64::from(within as u32) / f64::from(all as u32));
        }
    }
    let columns = [
        "modulus",
        "exponent",
        "budget",
        "exponents are",
        "kernel",
        "plan",
        "predicted, µs",
        "measured, µs",
        "error",
        "build predicted, ms",
        "build measured, ms",
    ];
    let columns = columns.map(String::from).to_vec();
    bench.table(Table { title: "Predicted and measured".to_string(), columns, rows });
}

struct Point<'a> {
    own: &'a Modulus,
    exponent_bits: u32,
    budget: MemorySize,
    secrecy: Secrecy,
}

impl Point<'_> {
    fn measure(&self, bench: &mut Bench, residues: Residues) -> (f64, Vec<String>) {
        let &Self { own, exponent_bits, budget, secrecy } = self;
        let base = to_uint(&operands(own.bits()).2);
        let planner = Planner::new(own).exponent_bits(exponent_bits).budget(budget).secrecy(secrecy);
        let costs = own.measured_costs();
        let plan = planner.costs(&costs).plan().expect("the budget has room for a table");
        let start = processor_time();
        let builder = FixedBase::builder(own, &base).exponent_bits(exponent_bits);
        let table = builder.method(plan.shape.method()).split(plan.shape.split()).build();
        let table = table.expect("the plan can be built");
        let built = processor_time() - start;
        let exponents: Vec<_> =
            random_exponents(exponent_bits, 4096).iter().map(|limbs| to_uint(limbs)).collect();
        let word = if secrecy == Secrecy::Secret { "secret" } else { "public" };
        let name = format!("{exponent_bits}/{}, {budget}, {word}, {}", own.bits(), own.kernel_name());
        let mut contest = Contest::new(name).warm(0.5);
        // The candidates do different work, so there is nothing to compare.
        contest.enter(
            "reference",
            "products and squarings",
            residues,
            |residues, _| {
                // Enough operations to make the contest's own overhead negligible.
                for _ in 0..REFERENCE {
                    residues.multiply();
                    residues.square();
                }
            },
            |_| Vec::new(),
        );
        contest.enter(
            "plan",
            plan.shape.to_string(),
            table,
            |table, i| {
                let e = &exponents[i % exponents.len()];
                let power = match secrecy {
                    Secrecy::Secret => table.pow(e),
                    Secrecy::Public => table.pow_vartime(e),
                };
                std::hint::black_box(power.expect("the exponent is as long as was said"));
            },
            |_| Vec::new(),
        );
        let outcome = bench.contest(contest);
        let ratio = 1.0 / outcome.ratio("reference", "plan").expect("both are there");
        let measured = ratio * f64::from(REFERENCE) * (costs.product() + costs.squaring());
        let median = outcome.standing("plan").map_or(f64::NAN, |plan| plan.median);
        // The error of the end of the range that is closest to the measured time.
        let error = measured.clamp(plan.nanoseconds, plan.crowded_nanoseconds) / measured - 1.0;
        println!(
            "  predicted {:.3} to {:.3} us, measured {:.3} us: {:+.1} %",
            plan.nanoseconds / 1e3,
            plan.crowded_nanoseconds / 1e3,
            measured / 1e3,
            100.0 * error
        );
        let mark = if error.abs() > BOUND { " (!)" } else { "" };
        let row = vec![
            own.bits().to_string(),
            exponent_bits.to_string(),
            budget.to_string(),
            word.to_string(),
            own.kernel_name().to_string(),
            plan.shape.to_string(),
            range([plan.nanoseconds, plan.crowded_nanoseconds]),
            format!("{:.1}", median / 1e3),
            format!("{:+.1} %{mark}", 100.0 * error),
            format!("{:.2}", plan.build_nanoseconds / 1e6),
            format!("{:.2}", built / 1e6),
        ];
        (error, row)
    }
}

/// A range in microseconds: from an idle machine to a busy one, if these differ.
fn range(nanoseconds: [f64; 2]) -> String {
    let [alone, crowded] = nanoseconds.map(|time| format!("{:.1}", time / 1e3));
    if alone == crowded { alone } else { format!("{alone} to {crowded}") }
}
