//! Inversion in residues: the paper's Table I, its average costs and Figure 2.

use moduli_papers::printed::{
    FIELDS, InversionAverages, InversionMethod, InversionSample, division_factors, inversion_statistics,
};
use moduli_rns::observe::ChannelCounts;
use rayon::prelude::*;

use super::report::{Figure, Part, Series};
use crate::{failure::Failure, io::progress::Bar};

/// The number of operands that a thread processes at a time.
const CHUNK: u32 = 500;

fn operands(long: bool) -> u32 {
    if long { 700_000 } else { 2_000 }
}

/// Steps of the bar.
pub fn steps(long: bool) -> u64 {
    (InversionMethod::ALL.len() * FIELDS.len()) as u64 * u64::from(operands(long) / CHUNK)
}

pub fn table_1(bar: &Bar) -> Result<Part, Failure> {
    let table = division_factors()?;
    bar.inc(1);
    Ok(Part::of(&[table]))
}

/// A method in a field, with its average costs.
type Found = (InversionMethod, &'static str, InversionAverages);

pub fn statistics(long: bool, bar: &Bar) -> Result<Part, Failure> {
    let operands = operands(long);
    let mut found: Vec<Found> = Vec::new();
    for method in InversionMethod::ALL {
        for field in FIELDS {
            let sample = InversionSample::new(method, field)?;
            let counts = (0..operands / CHUNK)
                .into_par_iter()
                .map(|chunk| {
                    let counts = sample.counted(CHUNK * chunk..CHUNK * (chunk + 1));
                    bar.inc(1);
                    counts
                })
                .try_reduce(ChannelCounts::default, |mut sum, counts| {
                    sum += counts;
                    Ok(sum)
                })?;
            found.push((method, field, sample.averages(&counts, operands)));
        }
    }
    let mut part = Part::of(&[inversion_statistics(&found)]);
    part.notes.push(format!("{operands} random operands in each field; the paper uses 700,000 (`--long`)."));
    part.figures = vec![by_bits(&found), by_channels(&found)];
    Ok(part)
}

const NAMES: [(usize, &str); 2] = [(2, "EMM"), (3, "EMA")];

/// Figure 2, left: for fixed n.
fn by_bits(found: &[Found]) -> Figure {
    let channels = 12.0;
    let mut series = Vec::new();
    for method in InversionMethod::ALL {
        for (i, name) in NAMES {
            let counted = found.iter().filter(|(other, ..)| *other == method);
            let points = counted.map(|(.., averages)| {
                let bits = f64::from(averages.bits);
                [bits, averages.costs[i] * channels * bits]
            });
            series.push(Series {
                name: format!("{}, {name}, counted", method.name()),
                dashed: false,
                points: points.collect(),
            });
            let slope = method.published()[i] * channels;
            let points = [192.0, 521.0].map(|bits| [bits, slope * bits]).to_vec();
            let name = format!("{}, {name}, published", method.name());
            series.push(Series { name, dashed: true, points });
        }
    }
    Figure {
        file: "inversion-figure-2-left.svg",
        title: "Figure 2, left: n = 12 channels".to_owned(),
        description: "Elementary multiplications and additions of an inversion over the bits of the field. All \
                      lines are straight. Those of BTMI are a third lower than those of BMI, and the counted ones \
                      coincide with the published ones."
            .to_owned(),
        across: "ℓ, bits of the field",
        up: "elementary operations",
        logarithmic: [false, false],
        series,
    }
}

/// Figure 2, right: for fixed ℓ.
fn by_channels(found: &[Found]) -> Figure {
    let bits = 256.0;
    let mut series = Vec::new();
    for (method, _, averages) in found.iter().filter(|(.., averages)| averages.bits == 256) {
        for (i, name) in NAMES {
            let line = |slope: f64| {
                (4..=24).step_by(4).map(|n| [f64::from(n), slope * bits * f64::from(n)]).collect()
            };
            let name = |how| format!("{}, {name}, {how}", method.name());
            series.push(Series { name: name("counted"), dashed: false, points: line(averages.costs[i]) });
            series.push(Series {
                name: name("published"),
                dashed: true,
                points: line(method.published()[i]),
            });
        }
    }
    Figure {
        file: "inversion-figure-2-right.svg",
        title: "Figure 2, right: ℓ = 256 bits".to_owned(),
        description: "Elementary multiplications and additions of an inversion over the number of channels: straight lines through the \
                      origin, those of BTMI a third below those of BMI."
            .to_owned(),
        across: "n, channels",
        up: "elementary operations",
        logarithmic: [false, false],
        series,
    }
}
