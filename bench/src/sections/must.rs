//! Compares the measured ratios with the required ones.

use moduli::{Maker, MemorySize};

use super::{
    batch, commitment, exponentiation, fixed_base, fixed_batch, inversion, multi_power, prediction, prepared,
    rsa,
};
use crate::bench::{Bench, Section, Table};

/// The table at the end of the run.
pub const SECTION: Section = Section {
    name: "must",
    title: "What must be reached",
    about: "How many times faster than each rival, the worst of all sizes in a row (for fixed bases: at the best budget \
            within the bound). The goals are for `ifma52` on a quiet core, \
            some of them by the maker of the processor.",
    baseline: "",
    run,
};

/// The ratios of a kernel against each rival, as far as they were measured.
type Reached = Box<dyn Fn(&Bench, &str) -> Vec<Option<f64>>>;

/// A line of the table: the required ratio against each rival.
struct Line {
    what: &'static str,
    must: Vec<f64>,
    goal: Vec<f64>,
    reached: Reached,
}

const CLASSICAL: [&str; 3] = ["mpz_powm", "mpz_powm_sec", "OpenSSL"];

fn worst(ratios: impl Iterator<Item = f64>) -> Option<f64> {
    ratios.reduce(f64::min)
}

fn best(ratios: impl Iterator<Item = f64>) -> Option<f64> {
    ratios.reduce(f64::max)
}

fn powers(what: &'static str, contests: &'static [&'static str], must: [f64; 3], goal: [f64; 3]) -> Line {
    let reached = Box::new(move |bench: &Bench, kernel: &str| {
        let worst = |rival: &&str| {
            let ratio =
                |contest: &&str| bench.outcome(exponentiation::SECTION.name, contest)?.ratio(rival, kernel);
            worst(contests.iter().filter_map(ratio))
        };
        CLASSICAL.iter().map(worst).collect()
    });
    Line { what, must: must.to_vec(), goal: goal.to_vec(), reached }
}

fn one(what: &'static str, must: f64, goal: f64, reached: fn(&Bench, &str) -> Option<f64>) -> Line {
    let reached = Box::new(move |bench: &Bench, kernel: &str| vec![reached(bench, kernel)]);
    Line { what, must: vec![must], goal: vec![goal], reached }
}

fn fixed(bench: &Bench, bits: u32, budgets: &[MemorySize], rival: &str, name: &str) -> Option<f64> {
    let section = fixed_base::SECTION.name;
    let ratio =
        |&budget: &MemorySize| bench.outcome(section, &fixed_base::name(bits, budget))?.ratio(rival, name);
    best(budgets.iter().filter_map(ratio))
}

fn product(bench: &Bench, contest: &str, name: &str) -> Option<f64> {
    bench.outcome(multi_power::SECTION.name, contest)?.ratio("mpz_powm", name)
}

const UP_TO_1_MIB: [MemorySize; 3] = [MemorySize::kib(64), MemorySize::kib(256), MemorySize::mib(1)];
const UP_TO_4_MIB: [MemorySize; 4] =
    [MemorySize::kib(64), MemorySize::kib(256), MemorySize::mib(1), MemorySize::mib(4)];

/// The ratio that must be reached with `ifma52` on this machine: on Zen 4, or on Intel's processors, which
/// start two multiplications on 512 bits in a cycle.
fn by(amd: f64, intel: f64) -> f64 {
    if Maker::of_this_machine() == Maker::Amd { amd } else { intel }
}

fn lines() -> Vec<Line> {
    let mut lines = vec![
        powers("1024/1024", &["1024/1024"], [by(2.85, 2.5), 1.65, 1.5], [by(3.1, 2.8), 2.0, 1.9]),
        powers("2048/2048", &["2048/2048"], [by(3.4, 3.6), 2.0, 1.9], [by(3.6, 3.9), 2.75, 2.6]),
        powers("3072/3072", &["3072/3072"], [by(2.95, 3.84), 1.9, 1.85], [by(3.1, 4.0), 2.6, 2.5]),
        powers("4096/4096", &["4096/4096"], [by(3.3, 4.38), 1.9, 1.85], [by(3.4, 4.6), 2.6, 2.5]),
        powers("256 / 2048 … 4096", &["256/2048", "256/3072", "256/4096"], [1.65, 1.9, 1.9], [2.2, 2.5, 2.5]),
        powers("7680/7680", &["7680/7680"], [by(2.35, 2.61), 1.5, 1.7], [by(2.5, 2.9), 2.4, 2.8]),
        powers("8192/8192", &["8192/8192"], [by(2.4, 2.72), 1.5, 1.7], [by(2.5, 2.9), 2.4, 2.8]),
        powers("15360/15360", &["15360/15360"], [by(2.05, 2.28), 1.4, 1.6], [by(2.2, 2.6), 2.5, 2.8]),
    ];
    lines.push(one(
        "batch of 8 on one core, 1024, vs mpz_powm",
        by(4.3, 4.8),
        by(4.5, 5.4),
        |bench, kernel| bench.outcome(batch::SECTION.name, "1024/1024")?.ratio("mpz_powm", kernel),
    ));
    lines.push(one(
        "batch of 8 on one core, 2048–4096, vs mpz_powm",
        by(3.6, 4.58),
        by(3.8, 4.9),
        |bench, kernel| {
            let contests = ["2048/2048", "3072/3072", "4096/4096", "256/2048", "256/3072", "256/4096"];
            let ratio = |contest| bench.outcome(batch::SECTION.name, contest)?.ratio("mpz_powm", kernel);
            worst(contests.into_iter().filter_map(ratio))
        },
    ));
    lines.push(one(
        "product by a prepared operand vs GMP mul+redc, 2048–4096",
        4.5,
        5.5,
        |bench, kernel| {
            let ratio = |bits| bench.outcome(prepared::SECTION.name, bits)?.ratio("GMP mul+redc", kernel);
            worst(["2048", "3072", "4096"].into_iter().filter_map(ratio))
        },
    ));
    lines.push(one("fixed base 256/3072, public, ≤ 4 MiB, vs mpz_powm", 15.0, 20.0, |bench, kernel| {
        fixed(bench, 3072, &UP_TO_4_MIB, "mpz_powm", &format!("{kernel} public"))
    }));
    lines.push(one(
        "fixed base 256/3072, constant-time, ≤ 1 MiB, vs mpz_powm_sec",
        9.0,
        14.0,
        |bench, kernel| fixed(bench, 3072, &UP_TO_1_MIB, "mpz_powm_sec", &format!("{kernel} constant-time")),
    ));
    lines.push(one(
        "fixed base 256/4096, constant-time, 4 MiB, vs radix 2^8 over GMP",
        1.1,
        1.6,
        |bench, kernel| {
            fixed(
                bench,
                4096,
                &[MemorySize::mib(4)],
                "radix 2^8 over GMP",
                &format!("{kernel} constant-time"),
            )
        },
    ));
    lines.push(one("the same, public", 2.0, 3.0, |bench, kernel| {
        fixed(bench, 4096, &[MemorySize::mib(4)], "radix 2^8 over GMP", &format!("{kernel} public"))
    }));
    lines.push(one(
        "fixed base 256/3072, constant-time, batch of 64, 4 MiB, vs mpz_powm_sec",
        by(22.0, 28.0),
        by(26.0, 30.0),
        |bench, kernel| {
            let contest = fixed_batch::name(3072, MemorySize::mib(4));
            let outcome = bench.outcome(fixed_batch::SECTION.name, &contest)?;
            outcome.ratio("mpz_powm_sec", &format!("{kernel} constant-time"))
        },
    ));
    let commitment = |bench: &Bench, name: &str| {
        bench.outcome(commitment::SECTION.name, commitment::CONTEST)?.ratio("BGMW over GMP", name)
    };
    lines.push(Line {
        what: "s^x·t^y, 2022/3558 mod 3072, ≤ 1 MiB, public / constant-time, vs BGMW over GMP",
        must: vec![2.0, 1.2],
        goal: vec![3.0, 1.8],
        reached: Box::new(move |bench, kernel| {
            ["public", "constant-time"].map(|word| commitment(bench, &format!("{kernel} {word}"))).to_vec()
        }),
    });
    lines.push(one("product of 1000 powers 256/3072, public, vs mpz_powm", 12.0, 20.0, |bench, kernel| {
        product(bench, "1000 bases", &format!("{kernel} public"))
    }));
    lines.push(one("product of 8 powers 256/3072, constant-time, vs mpz_powm", 4.0, 6.0, |bench, kernel| {
        product(bench, "8 bases", &format!("{kernel} constant-time"))
    }));
    lines.push(Line {
        what: "RSA private operation, 2048–4096, one / eight at once, vs OpenSSL",
        must: vec![by(1.4, 1.99), by(1.6, 2.58)],
        goal: vec![by(1.5, 2.1), by(1.9, 2.7)],
        reached: Box::new(|bench, kernel| {
            let ratio =
                |contest: &String| bench.outcome(rsa::SECTION.name, contest)?.ratio("OpenSSL", kernel);
            let names = |name: fn(u32) -> String| [2048, 3072, 4096].map(name);
            [names(|bits| bits.to_string()), names(rsa::batch_of)]
                .map(|contests| worst(contests.iter().filter_map(ratio)))
                .to_vec()
        }),
    });
    lines.push(one("inversion of 1000 values of 2048 bits, vs mpz_invert", 7.0, 10.0, |bench, kernel| {
        bench.outcome(inversion::SECTION.name, inversion::BATCH)?.ratio("mpz_invert", kernel)
    }));
    lines.push(one("share of predictions within 15 %", 1.0, 1.0, |bench, kernel| {
        bench.figures.get(&prediction::figure(kernel)).copied()
    }));
    lines
}

fn joined(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value}")).collect::<Vec<_>>().join(" / ")
}

fn run(bench: &mut Bench) {
    let kernels: Vec<&str> = bench.kernels.iter().map(|kernel| kernel.name()).collect();
    let mut rows = Vec::new();
    for Line { what, must, goal, reached } in lines() {
        let mut row = vec![what.to_string(), joined(&must), joined(&goal)];
        for kernel in &kernels {
            let values = reached(bench, kernel);
            let text = |value: &Option<f64>| value.map_or("—".to_string(), |value| format!("{value:.2}"));
            let text = values.iter().map(text).collect::<Vec<_>>().join(" / ");
            let holds = |bounds: &[f64]| {
                let reaches =
                    |(value, bound): (&Option<f64>, &f64)| value.is_some_and(|value| value >= *bound);
                values.iter().zip(bounds).all(reaches)
            };
            let verdict = match values.iter().all(Option::is_some) {
                false => "not measured",
                true if holds(&goal) => "goal",
                true if holds(&must) => "met",
                true => "missed",
            };
            row.push(format!("{text}: {verdict}"));
        }
        rows.push(row);
    }
    let mut columns = ["", "must", "goal"].map(String::from).to_vec();
    columns.extend(kernels.iter().map(|kernel| kernel.to_string()));
    bench.table(Table { title: "Must, goal and reached".to_string(), columns, rows });
}
