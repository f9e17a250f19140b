//! Does the time of a constant-time function depend on its secrets? Statistics over the release build, after dudect (Reparaz,
//! Balasch and Verbauwhede, 2017).
//!
//! `make timing`, or `cargo run --release -p moduli --example timing_leaks -- [--quick] [--filter TEXT] [--json FILE]`.
//!
//! Each function is called with secrets of four classes in random order: random ones, one fixed one, the lowest, and one
//! whose upper half is ones (signs vary too, where there are any). All are drawn before and copied into the same buffers. A
//! class differs from random secrets where Welch's |t| is above 10, on all samples or on the fastest ones alone. On a
//! machine that others share a first run may say so by accident: a function fails if the same test says so in three
//! independent runs, each to the same side. Variable-time functions are called the same way, and fail if they do not differ.
//!
//! DSA and RSA run by the kernel that `MODULI_KERNEL` names, else by the fastest.
//!
//! Prints function, kernel, samples, the largest |t| of the runs (a second and a third one are made only if there is need),
//! the t values of each run and class that are farthest from 0, and a verdict. `--json` writes all t values.

mod schemes;
mod secrets;
mod statistics;
mod subjects;

use std::{error::Error, fmt::Write, fs, process::ExitCode};

use moduli::KernelChoice;
use secrets::Pool;
use statistics::{CLASSES, CROPS, Clock, Run, differs, largest, now, t_values};
use subjects::Subject;
use testing::Random;

/// Runs that must agree.
const RUNS: u64 = 3;

/// Calls that warm up caches, and measure costs once.
const WARM_UP: usize = 12;

/// Calls below so many ticks are repeated within one time.
const SHORT: u64 = 2_000;

struct Options {
    quick: bool,
    filter: String,
    json: Option<String>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { quick: false, filter: String::new(), json: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} wants a value"));
        match argument.as_str() {
            "--quick" => options.quick = true,
            "--filter" => options.filter = value()?,
            "--json" => options.json = Some(value()?),
            _ => {
                return Err(
                    format!("{argument}: unknown; there are --quick, --filter TEXT, --json FILE").into()
                );
            }
        }
    }
    Ok(options)
}

/// What was found of a subject.
struct Outcome {
    samples: usize,
    runs: Vec<Run>,
    passed: bool,
    verdict: &'static str,
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

/// Measures all subjects that were asked for, and returns how many failed.
fn measure(options: &Options) -> Result<usize, Box<dyn Error>> {
    // Other threads would be timed too.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    if !KernelChoice::IFMA52.is_supported() {
        println!("ifma52: not on this processor; the interpreter of `make check-constant-time` stands in");
    }
    let mut subjects = subjects::all()?;
    subjects.retain(|subject| format!("{} {}", subject.name, subject.kernel).contains(&options.filter));
    if subjects.is_empty() {
        return Err(format!("--filter {:?}: no function is called so", options.filter).into());
    }
    let second = ticks_of_a_second();
    let (mut lines, mut failed) = (Vec::new(), 0);
    for subject in &subjects {
        let outcome = examine(subject, second * if options.quick { 0.2 } else { 2.0 })?;
        failed += usize::from(!outcome.passed);
        println!("{}", line(subject, &outcome));
        lines.push(json(subject, &outcome));
    }
    let passed = subjects.len() - failed;
    println!("timing: {passed} passed, {failed} failed");
    if let Some(path) = &options.json {
        let subjects = lines.join(",\n");
        let text =
            format!("{{\"functions\": [\n{subjects}\n], \"passed\": {passed}, \"failed\": {failed}}}\n");
        fs::write(path, text).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(failed)
}

fn ticks_of_a_second() -> f64 {
    let start = now();
    std::thread::sleep(std::time::Duration::from_millis(50));
    20.0 * now().wrapping_sub(start) as f64
}

/// One run, and more of them while the subject seems to leak. `ticks`: about what a run may take.
fn examine(subject: &Subject, ticks: f64) -> Result<Outcome, String> {
    let mut clock = Clock { repeat: 1, ticks: 0, error: None };
    let mut warm = Pool::new(&subject.slots, 1);
    let mut random = Random(2);
    let mut shortest = u64::MAX;
    for _ in 0..WARM_UP {
        (subject.call)(warm.draw(&mut random).1, &mut clock);
        shortest = shortest.min(clock.ticks.max(1));
    }
    clock.repeat = SHORT.div_ceil(shortest).clamp(1, 32) as u32;
    // As much again goes into what is not timed.
    let samples =
        (ticks / (2.0 * shortest as f64 * f64::from(clock.repeat))).clamp(1_000.0, 40_000.0) as usize;
    // Without any run it may differ.
    let mut runs = Vec::new();
    while runs.len() < RUNS as usize && differs(&runs) {
        runs.push(run(subject, &mut clock, samples, runs.len() as u64));
    }
    if let Some(error) = clock.error {
        return Err(format!("{} by {}: {error}", subject.name, subject.kernel));
    }
    let leaks = differs(&runs);
    let verdict = match (leaks, subject.planted) {
        (false, false) => "constant-time",
        (true, false) => "LEAKS",
        (true, true) => "leak seen, as it should be",
        (false, true) => "LEAK NOT SEEN",
    };
    Ok(Outcome { samples, runs, passed: leaks == subject.planted, verdict })
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
    t_values(&samples[WARM_UP..])
}

/// The largest |t| of all runs.
fn worst(runs: &[Run]) -> f64 {
    largest(runs.iter().flatten().flatten()).abs()
}

fn line(subject: &Subject, outcome: &Outcome) -> String {
    let mut text = format!(
        "{:<44} {:<9} {:>6} samples  |t| {:>6.1}  {}",
        subject.name,
        subject.kernel,
        outcome.samples,
        worst(&outcome.runs),
        outcome.verdict
    );
    for run in &outcome.runs {
        text.push_str("  (");
        for (class, values) in CLASSES[1..].iter().zip(run) {
            let comma = if *class == CLASSES[1] { "" } else { ", " };
            let _ = write!(text, "{comma}{class} {:+.1}", largest(values));
        }
        text.push(')');
    }
    text
}

fn json(subject: &Subject, outcome: &Outcome) -> String {
    let classes = |run: &Run| {
        let rows = CLASSES[1..].iter().zip(run).map(|(class, values)| {
            let values: Vec<String> = values.iter().map(|t| format!("{t:.2}")).collect();
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
        worst(&outcome.runs),
        runs.join(", "),
        outcome.verdict,
        outcome.passed
    )
}
