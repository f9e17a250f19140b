//! Does the time of a constant-time function depend on its secrets? This program measures the
//! release build and applies statistics, after dudect (Reparaz, Balasch and Verbauwhede, 2017).
//!
//! `make timing`, or `cargo run --release -p moduli --example timing_leaks -- [--quick] [--filter
//! TEXT] [--json FILE]`.
//!
//! The program calls each function with secrets of four classes in random order: random ones, one
//! fixed one, the lowest, and one whose upper half is ones (signs vary, too, if the function takes
//! any). All secrets are drawn beforehand and copied into the same buffers. A class differs from
//! random secrets if Welch's |t| is above 10, on all samples or only on the fastest ones. On a
//! machine that others use, a run may show a difference by accident, and in some processes the
//! positions of stack and heap cause one. So a function fails only if the same class differs in
//! three of five runs in the same direction, each run in a separate process. The program calls
//! variable-time functions in the same way, and also a function that takes a thousandth longer for
//! one exponent: these fail if they do not differ. Runs with too much scatter to show a thousandth
//! are repeated. If the machine is too noisy for a verdict, or the difference is one that
//! docs/secrecy.md explains, the program says so, and the function neither passes nor fails.
//!
//! DSA and RSA use the kernel that `MODULI_KERNEL` names, otherwise the fastest.
//!
//! Prints the function, the kernel, the number of samples, the largest |t| of the runs (there is
//! more than one only if necessary) with its difference in ticks of a call and in per cent, a
//! verdict, and the extreme t values of each run and class. `--json` writes all values.

mod fresh;
mod schemes;
mod secrets;
mod statistics;
mod subjects;

use std::{error::Error, fmt::Write, fs, process::ExitCode};

use moduli::KernelChoice;
use moduli_kernel::Maker;
use secrets::Pool;
use statistics::{
    CLASSES, CROPS, Clock, Difference, Run, THRESHOLD, agreeing, differences, largest, least_shown, now,
};
use subjects::Subject;
use testing::Random;

/// A function fails if this many runs agree, and makes at most this many runs.
const AGREE: usize = 3;
const RUNS: usize = 5;

/// The least relative difference of functions that differ by design. A run that would not have
/// shown it is repeated, up to this number of runs in total.
const PLANTED: f64 = 0.001;
const TRIES: usize = 20;

/// If the times of the same work scatter by more than this share, the machine is too noisy for a
/// failure.
const NOISY: f64 = 0.02;

/// Calls that fill the caches, and that measure the costs once.
const WARM_UP: usize = 12;

/// Calls of fewer ticks are repeated within one measured time.
const SHORT: u64 = 2_000;

struct Options {
    quick: bool,
    filter: String,
    json: Option<String>,
    /// The run that another process requests.
    asked: Option<fresh::Asked>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { quick: false, filter: String::new(), json: None, asked: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--quick" => options.quick = true,
            "--filter" => options.filter = value()?,
            "--json" => options.json = Some(value()?),
            fresh::OPTION => options.asked = Some(fresh::Asked::read(&value()?)?),
            _ => {
                return Err(
                    format!("{argument}: unknown; there are --quick, --filter TEXT, --json FILE").into()
                );
            }
        }
    }
    Ok(options)
}

/// The results for a subject.
struct Outcome {
    samples: usize,
    runs: Vec<Run>,
    verdict: Verdict,
}

/// The verdict on a subject.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Passed(&'static str),
    Failed(&'static str),
    /// The machine is too noisy: neither passed nor failed.
    TooNoisy,
    /// The difference is no larger than docs/secrecy.md says: neither passed nor failed.
    Known,
}

impl Verdict {
    fn text(self) -> &'static str {
        match self {
            Self::Passed(text) | Self::Failed(text) => text,
            Self::TooNoisy => "TOO NOISY",
            Self::Known => "known, see docs/secrecy.md",
        }
    }
}

fn main() -> ExitCode {
    match options().and_then(|options| measure(&options)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("timing: {error}");
            ExitCode::from(2)
        }
    }
}

/// Measures all selected subjects, and returns how many failed.
fn measure(options: &Options) -> Result<usize, Box<dyn Error>> {
    // More threads would disturb the measurement.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    if let Some(asked) = &options.asked {
        return Ok(asked.answer(&subjects::all()?)?).map(|()| 0);
    }
    if !KernelChoice::IFMA52.is_supported() {
        println!("ifma52: not on this processor; the interpreter of `make check-constant-time` stands in");
    }
    let mut subjects: Vec<_> = subjects::all()?.into_iter().enumerate().collect();
    subjects.retain(|(_, subject)| format!("{} {}", subject.name, subject.kernel).contains(&options.filter));
    if subjects.is_empty() {
        return Err(format!("--filter {:?}: no function is called so", options.filter).into());
    }
    let second = ticks_of_a_second();
    let (mut lines, mut failed, mut noisy, mut known) = (Vec::new(), 0, 0, 0);
    for (place, subject) in &subjects {
        let outcome = examine(*place, subject, second * if options.quick { 0.2 } else { 2.0 })?;
        failed += usize::from(matches!(outcome.verdict, Verdict::Failed(_)));
        noisy += usize::from(outcome.verdict == Verdict::TooNoisy);
        known += usize::from(outcome.verdict == Verdict::Known);
        println!("{}", line(subject, &outcome));
        lines.push(json(subject, &outcome));
    }
    let passed = subjects.len() - failed - noisy - known;
    println!("timing: {passed} passed, {failed} failed, {noisy} too noisy, {known} known");
    if let Some(path) = &options.json {
        let subjects = lines.join(",\n");
        let text = format!(
            "{{\"functions\": [\n{subjects}\n], \"passed\": {passed}, \"failed\": {failed}, \"too_noisy\": {noisy}, \"known\": {known}}}\n"
        );
        fs::write(path, text).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(failed)
}

fn ticks_of_a_second() -> f64 {
    let start = now();
    std::thread::sleep(std::time::Duration::from_millis(50));
    20.0 * now().wrapping_sub(start) as f64
}

/// Performs one run, and further ones in separate processes while the subject seems to leak. A run
/// may take about `ticks`.
fn examine(place: usize, subject: &Subject, ticks: f64) -> Result<Outcome, Box<dyn Error>> {
    let mut clock = Clock { repeat: 1, ticks: 0, error: None };
    let mut warm = Pool::new(&subject.slots, 1);
    let mut random = Random(2);
    let mut shortest = u64::MAX;
    for _ in 0..WARM_UP {
        (subject.call)(warm.draw(&mut random).1, &mut clock);
        shortest = shortest.min(clock.ticks.max(1));
    }
    clock.repeat = SHORT.div_ceil(shortest).clamp(1, 32) as u32;
    // The parts that are not timed take about as long again.
    let samples =
        (ticks / (2.0 * shortest as f64 * f64::from(clock.repeat))).clamp(1_000.0, 40_000.0) as usize;
    let mut runs = vec![run(subject, &mut clock, samples, 0)];
    let may_differ = agreeing(&runs) > 0 || subject.planted;
    let is_open = |runs: &[Run]| {
        let blind = runs.iter().filter(|run| subject.planted && least_shown(run) > PLANTED).count();
        agreeing(runs) < AGREE && agreeing(runs) + RUNS + blind >= AGREE + runs.len()
    };
    while may_differ && is_open(&runs) && runs.len() < TRIES {
        let (seed, repeat) = (runs.len() as u64, clock.repeat);
        runs.push(fresh::Asked { place, seed, samples, repeat }.ask()?);
    }
    if let Some(error) = clock.error {
        return Err(format!("{} by {}: {error}", subject.name, subject.kernel).into());
    }
    let verdict = match (agreeing(&runs) >= AGREE, subject.planted) {
        (false, false) => Verdict::Passed("constant-time"),
        (true, true) => Verdict::Passed("leak seen, as it should be"),
        (false, true) if is_open(&runs) => Verdict::TooNoisy,
        (false, true) => Verdict::Failed("LEAK NOT SEEN"),
        (true, false) if is_known(subject, &runs) => Verdict::Known,
        (true, false) if spread_of_a_second() > NOISY => Verdict::TooNoisy,
        (true, false) => Verdict::Failed("LEAKS"),
    };
    Ok(Outcome { samples, runs, verdict })
}

/// Whether this is what docs/secrecy.md says of products on Zen 4, and of the conversion into Montgomery
/// form, which is a product: in some processes, those of `portable` take a few ticks less if an operand is 0.
/// A larger difference, or one of other operands, is a leak.
fn is_known(subject: &Subject, runs: &[Run]) -> bool {
    let is_small = |each: &Difference| (-20.0..0.0).contains(&each.ticks) && each.share > -0.01;
    let is_of_zeros = |run: &Run| {
        CLASSES[1..].iter().zip(run).all(|(class, values)| {
            values.iter().all(|each| each.t.abs() <= THRESHOLD || *class == "low" && is_small(each))
        })
    };
    let is_product = ["Modulus::mul", "Element::from_be_bytes"].contains(&subject.name.as_str());
    let is_subject = is_product && subject.kernel == "portable";
    is_subject && Maker::of_this_machine() == Maker::Amd && runs.iter().all(is_of_zeros)
}

/// The current scatter of the times of the same work: the range of the middle half, as a share of
/// the median.
fn spread_of_a_second() -> f64 {
    let mut times: Vec<u64> = (0..2_000)
        .map(|_| {
            let start = now();
            let mut x = 1u64;
            for _ in 0..20_000 {
                x = std::hint::black_box(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
            }
            now().wrapping_sub(start)
        })
        .collect();
    times.sort_unstable();
    let [low, middle, high] = [1, 2, 3].map(|quarter| times[times.len() * quarter / 4] as f64);
    (high - low) / middle
}

fn run(subject: &Subject, clock: &mut Clock, count: usize, seed: u64) -> Run {
    let mut pool = Pool::new(&subject.slots, 1000 + seed);
    let mut random = Random(2000 + seed);
    let mut sample = || {
        let (class, secret) = pool.draw(&mut random);
        (subject.call)(secret, clock);
        (class, clock.ticks)
    };
    let samples: Vec<_> = (0..WARM_UP + count).map(|_| sample()).collect();
    differences(&samples[WARM_UP..], clock.repeat)
}

/// The difference with the largest |t| of all runs.
fn worst(runs: &[Run]) -> Difference {
    largest(runs.iter().flatten().flatten())
}

fn line(subject: &Subject, outcome: &Outcome) -> String {
    let worst = worst(&outcome.runs);
    let mut text = format!(
        "{:<44} {:<9} {:>6} samples  |t| {:>6.1}, {:+.0} ticks, {:+.2} %  {}",
        subject.name,
        subject.kernel,
        outcome.samples,
        worst.t.abs(),
        worst.ticks,
        100.0 * worst.share,
        outcome.verdict.text()
    );
    for run in &outcome.runs {
        text.push_str("  (");
        for (class, values) in CLASSES[1..].iter().zip(run) {
            let comma = if *class == CLASSES[1] { "" } else { ", " };
            let _ = write!(text, "{comma}{class} {:+.1}", largest(values).t);
        }
        text.push(')');
    }
    text
}

fn json(subject: &Subject, outcome: &Outcome) -> String {
    let classes = |run: &Run| {
        let rows = CLASSES[1..].iter().zip(run).map(|(class, values)| {
            let values: Vec<String> = values
                .iter()
                .map(|each| format!("[{:.2}, {:.1}, {:.6}]", each.t, each.ticks, each.share))
                .collect();
            format!("\"{class}\": [{}]", values.join(", "))
        });
        format!("{{{}}}", rows.collect::<Vec<_>>().join(", "))
    };
    let runs: Vec<String> = outcome.runs.iter().map(classes).collect();
    format!(
        "{{\"name\": {:?}, \"kernel\": {:?}, \"samples\": {}, \"t\": {:.2}, \"crops\": {CROPS:?}, \"runs\": [{}], \
         \"verdict\": {:?}, \"passed\": {}}}",
        subject.name,
        subject.kernel,
        outcome.samples,
        worst(&outcome.runs).t.abs(),
        runs.join(", "),
        outcome.verdict.text(),
        matches!(outcome.verdict, Verdict::Passed(_))
    )
}
