//! The hardware in the paper on inversion in residues, compared with results that are committed
//! with the sources: cycles from simulation, cells and clocks from synthesis and placement.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::report::{Figure, Grid, Part, Series, rounded};
use crate::{failure::Failure, io::progress::Bar};

/// The files of results in the folder hdl.
const CYCLES: &str = "report/cycles.json";
const MEMORIES: &str = "report/memories.json";
const MOD3: &str = "syn/results/mod3.json";
const AREA: &str = "syn/results/area.json";

/// Table II: w, slices and MHz on a Virtex-5.
const TABLE_2: [(u64, u64, u64); 7] =
    [(17, 6, 275), (20, 6, 230), (22, 6, 221), (24, 6, 218), (29, 10, 162), (33, 10, 161), (36, 11, 170)];
/// Table IV: ℓ, and the least and the greatest overhead in per cent of slices.
const TABLE_4: [(u32, f64, f64); 4] = [(192, 2.9, 3.6), (256, 3.1, 3.4), (384, 2.9, 3.1), (521, 2.1, 2.5)];
const METHODS: [(&str, &str); 5] = [
    ("fermat", "FLT, best window"),
    ("fermat-binary", "FLT, square and multiply"),
    ("binary", "BMI"),
    ("binary-ternary", "BTMI"),
    ("wide", "wide, Q = 144"),
];

fn load(folder: &Path, name: &str) -> Result<Value, Failure> {
    let path = folder.join(name);
    let text = fs::read_to_string(&path).map_err(|error| Failure::file(&path, &error))?;
    serde_json::from_str(&text).map_err(|error| Failure::about(&path, error.to_string()))
}

/// Rejects a folder in which one of the files is missing.
pub fn check(folder: &Path) -> Result<(), Failure> {
    [CYCLES, MEMORIES, MOD3, AREA].iter().try_for_each(|name| load(folder, name).map(drop))
}

/// All results.
pub fn run(folder: &Path, bar: &Bar) -> Result<Part, Failure> {
    let (cycles, memories) = (load(folder, CYCLES)?, load(folder, MEMORIES)?);
    let (mod3, area) = (load(folder, MOD3)?, load(folder, AREA)?);
    let mut part = Part::default();
    part.notes.push(format!(
        "These figures are computed from committed results, without simulation: the units modulo 3 of {}, the areas of {}. The \
         paper gives slices and MHz of a Virtex-5. We give LUT, which Yosys counts for the same family without \
         packing slices, and MHz of an ECP5 of speed grade 8, because there is no free timing model of a Virtex-5. \
         So only ratios can be compared. `make hdl-report` writes more results.",
        mod3["commit"].as_str().unwrap_or("an unknown commit"),
        area["commit"].as_str().unwrap_or("an unknown commit"),
    ));
    part.tables = vec![table_2(&mod3), table_3(&memories), table_4(&area), speed_up(&cycles), whole(&cycles)];
    part.figures = vec![figure_1(&cycles), figure_5(&cycles)];
    bar.inc(1);
    Ok(part)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn table_2(mod3: &Value) -> Grid {
    let rows = TABLE_2.map(|(width, slices, mhz)| {
        let ours = list(&mod3["results"]).iter().find(|row| row["w"] == json!(width));
        let field = |family: &str, name: &str| ours.map_or(Value::Null, |row| row[family][name].clone());
        vec![
            json!(width),
            json!(slices),
            json!(mhz),
            field("xc5v", "lut"),
            field("ecp5", "comb"),
            field("ecp5", "median_mhz"),
        ]
    });
    Grid {
        title: "Table II: the unit modulo 3".to_owned(),
        about: "A slice of a Virtex-5 holds four LUT of six inputs.".to_owned(),
        columns: vec![
            "w",
            "printed: slices",
            "printed: MHz",
            "ours: LUT, Virtex-5",
            "ours: COMB, ECP5",
            "ours: MHz, ECP5",
        ],
        rows: rows.to_vec(),
    }
}

/// The words of a Rower's memories. The paper counts addends and multipliers, the latter including
/// those of base extensions.
fn table_3(memories: &Value) -> Grid {
    let printed = [("binary", "BMI", 17, 20), ("binary-ternary", "BTMI", 38, 23)];
    let rows = printed.map(|(key, name, addends, multipliers)| {
        let words = |which: &str| {
            let memory = list(&memories[key]).iter().find(|memory| memory["name"] == which);
            memory.map_or(Value::Null, |memory| memory["distinct"].clone())
        };
        vec![json!(name), json!(addends), words("add"), json!(multipliers), words("mul"), words("ext")]
    });
    Grid {
        title: "Table III: words of a Rower's memories, n = 8, w = 33".to_owned(),
        about: "The paper's addends go up to those for ⌈D/2⌉ − 1, and both signs share a word. Ours contain the \
                offset, and are addressed directly by the operation and the value modulo 4 and 3, so the memory \
                needs no logic before it. The paper counts the constants of \
                base extensions among the multipliers; ours have a memory of their own. hdl/report/results.md \
                compares its block RAM, control states and values of 2 bits with ours."
.to_owned(),
        columns: vec![
            "method",
            "printed: addends",
            "ours, distinct",
            "printed: multipliers, 2n + 4 or 7",
            "ours, distinct",
            "ours, extensions",
        ],
        rows: rows.to_vec(),
    }
}

/// By how many per cent BTMI needs more LUTs than BMI: the least and the greatest value over the
/// synthesised shapes for a field.
fn overheads(area: &Value, bits: u32, family: &str) -> Option<(f64, f64)> {
    let rows = list(&area["results"]);
    let shape = |row: &Value| ["prime", "channels", "width", "multiply"].map(|name| row[name].clone());
    let lut = |row: &Value| row[family]["total"]["lut"].as_f64();
    let of = |method: &'static str| rows.iter().filter(move |row| row["method"] == method);
    let prime = json!(format!("P-{bits}"));
    of("binary-ternary")
        .filter(|ours| ours["prime"] == prime && ours["multiply"] == true)
        .filter_map(|ours| {
            let base = of("binary").find(|base| shape(base) == shape(ours))?;
            Some(100.0 * (lut(ours)? / lut(base)? - 1.0))
        })
        .map(|percent| (percent, percent))
        .reduce(|(least, most), (percent, _)| (least.min(percent), most.max(percent)))
}

fn table_4(area: &Value) -> Grid {
    let rows = TABLE_4.map(|(bits, least, most)| {
        let ours = |family| match overheads(area, bits, family) {
            None => Value::Null,
            Some((least, most)) if least == most => json!(rounded(least, 1)),
            Some((least, most)) => json!(format!("{least:.1} to {most:.1}")),
        };
        vec![json!(bits), json!(least), json!(most), ours("xc5v"), ours("xc7"), ours("ecp5")]
    });
    Grid {
        title: "Table IV: area of BTMI over BMI in percent, least to most over shapes; ours LUT of whole cores".to_owned(),
        about: "Ours are whole cores with multiplication, in LUT, of the shapes in hdl/report/results.md; the \
                paper does not name its shapes. The two methods use different bases: moduli ≡ 1 modulo 12 are farther from 2^w than those ≡ 1 modulo 4, which costs LUT in the reductions."
.to_owned(),
        columns: vec![
            "ℓ",
            "printed: least",
            "printed: most",
            "ours: Virtex-5",
            "ours: 7 series",
            "ours: ECP5",
        ],
        rows: rows.to_vec(),
    }
}

/// The cycles of an inversion without interleaving.
fn cycles_of(cycles: &Value, bits: u64, shape: (u64, u64), method: &str) -> Option<f64> {
    let wanted = |entry: &&Value| {
        entry["bits"] == json!(bits)
            && entry["channels"] == json!(shape.0)
            && entry["width"] == json!(shape.1)
            && entry["method"] == method
            && entry["contexts"] == json!(1)
    };
    list(cycles).iter().find(wanted)?["cycles"].as_f64()
}

/// The shapes of cores at 384 bits, by channels.
fn shapes(cycles: &Value) -> Vec<(u64, u64)> {
    let at_384 = list(cycles).iter().filter(|entry| entry["bits"] == json!(384));
    let mut shapes: Vec<_> =
        at_384.filter_map(|entry| Some((entry["channels"].as_u64()?, entry["width"].as_u64()?))).collect();
    shapes.sort_unstable();
    shapes.dedup();
    shapes
}

fn ratio(cycles: &Value, shape: (u64, u64), slow: &str, fast: &str) -> Option<f64> {
    Some(cycles_of(cycles, 384, shape, slow)? / cycles_of(cycles, 384, shape, fast)?)
}

const FASTER: [(&str, &str, &str); 3] = [
    ("BMI over FLT by square and multiply", "fermat-binary", "binary"),
    ("BMI over FLT, best window", "fermat", "binary"),
    ("BTMI over FLT, best window", "fermat", "binary-ternary"),
];

fn speed_up(cycles: &Value) -> Grid {
    let rows = shapes(cycles).into_iter().map(|shape| {
        let mut row = vec![json!(format!("{} × {}", shape.0, shape.1)), json!("6 to 12")];
        row.extend(FASTER.map(|(_, slow, fast)| {
            ratio(cycles, shape, slow, fast).map_or(Value::Null, |ratio| json!(rounded(ratio, 2)))
        }));
        row
    });
    Grid {
        title: "Figure 1: speed-up over FLT at 384 bits, in cycles".to_owned(),
        about: "The paper's figure has no numbers; its text has \"6 to 12 times\".".to_owned(),
        columns: vec!["n × w", "printed in the text, BMI", FASTER[0].0, FASTER[1].0, FASTER[2].0],
        rows: rows.collect(),
    }
}

fn figure_1(cycles: &Value) -> Figure {
    let series = FASTER.map(|(name, slow, fast)| {
        let points = shapes(cycles)
            .into_iter()
            .filter_map(|shape| ratio(cycles, shape, slow, fast).map(|ratio| [shape.0 as f64, ratio]));
        Series {
            dashed: false,
            name: name.replace(" over FLT", "").replace(" by square and multiply", " (binary FLT)"),
            points: points.collect(),
        }
    });
    Figure {
        file: "inversion-figure-1.svg",
        title: "Figure 1: speed-up over FLT, 384 bits".to_owned(),
        description: "Cycles of Fermat's method divided by those of a plus-minus inversion, by the number of \
                      channels. The speed-up grows with the number of channels, as in the paper's figure, which \
                      has no numbers."
            .to_owned(),
        across: "n, channels",
        up: "cycles of FLT over cycles",
        logarithmic: [false, false],
        series: series.into_iter().filter(|series| !series.points.is_empty()).collect(),
    }
}

/// The core with 33-bit channels for each field.
fn by_size<'a>(cycles: &'a Value, method: &'a str) -> impl Iterator<Item = (u64, f64)> + 'a {
    [192, 256, 384, 521].into_iter().filter_map(move |bits| {
        let entry = list(cycles).iter().find(|entry| {
            entry["bits"] == json!(bits)
                && entry["width"] == json!(33)
                && entry["method"] == method
                && entry["contexts"] == json!(1)
        })?;
        Some((bits, entry["cycles"].as_f64()?))
    })
}

fn whole(cycles: &Value) -> Grid {
    let of = |method| by_size(cycles, method).collect::<Vec<_>>();
    let columns: Vec<Vec<(u64, f64)>> = METHODS.iter().map(|&(method, _)| of(method)).collect();
    let rows = [192, 256, 384, 521].map(|bits| {
        let at = |column: &[(u64, f64)]| {
            column.iter().find(|(other, _)| *other == bits).map(|&(_, cycles)| cycles)
        };
        let mut row = vec![json!(bits)];
        row.extend(
            columns.iter().map(|column| at(column).map_or(Value::Null, |cycles| json!(rounded(cycles, 0)))),
        );
        let saved = at(&columns[3]).zip(at(&columns[2])).map(|(ours, base)| 100.0 * (1.0 - ours / base));
        row.push(json!("30"));
        row.push(saved.map_or(Value::Null, |saved| json!(rounded(saved, 1))));
        row
    });
    let mut names = vec!["ℓ"];
    names.extend(METHODS.iter().map(|(_, name)| *name));
    names.extend(["printed: BTMI below BMI, %", "ours, %"]);
    Grid {
        title: "Figure 5: cycles of an inversion".to_owned(),
        about: "From request to response for ordinary integers, including the conversions into residues and back. \
                Means over 2,000 operands; for FLT over 20, because its cycles hardly depend on the operand. The \
                paper's 30 % refer to time, at the same clock."
.to_owned(),
        columns: names, rows: rows.to_vec() }
}

fn figure_5(cycles: &Value) -> Figure {
    let series = METHODS.map(|(method, name)| Series {
        name: name.to_owned(),
        dashed: false,
        points: by_size(cycles, method).map(|(bits, cycles)| [bits as f64, cycles]).collect(),
    });
    Figure {
        file: "inversion-figure-5.svg",
        title: "Figure 5: cycles of an inversion, channels of 33 bits".to_owned(),
        description: "Cycles from request to response over the bits of the field, logarithmic. Fermat's method \
                      takes far more cycles than the plus-minus methods. BTMI takes three tenths fewer than BMI, \
                      and wide plus-minus fewer than both."
            .to_owned(),
        across: "ℓ, bits of the field",
        up: "cycles",
        logarithmic: [false, true],
        series: series.into_iter().filter(|series| !series.points.is_empty()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overheads_pair_cores_of_one_shape() {
        let row = |prime: &str, channels: u32, method: &str, multiply: bool, lut: u32| {
            json!({"prime": prime, "channels": channels, "width": 33, "method": method, "multiply": multiply,
                "xc5v": {"total": {"lut": lut}}})
        };
        let rows = [
            row("P-192", 6, "binary", true, 1000),
            row("P-192", 7, "binary-ternary", true, 2100),
            row("P-192", 6, "binary-ternary", true, 1030),
            row("P-192", 7, "binary", true, 2000),
            row("P-192", 6, "binary-ternary", false, 1900),
            row("P-192", 8, "binary-ternary", true, 9000),
            row("P-256", 6, "binary-ternary", true, 8000),
        ];
        let area = json!({ "results": rows });
        let (least, most) = overheads(&area, 192, "xc5v").unwrap();
        assert!((least - 3.0).abs() < 1e-9 && (most - 5.0).abs() < 1e-9, "{least} {most}");
        assert!(overheads(&area, 192, "ecp5").is_none() && overheads(&area, 256, "xc5v").is_none());
    }
}
