//! `moduli reproduce`: single sections, and valid destinations.

use serde_json::Value;

use crate::support::{Directory, moduli};

fn report(directory: &Directory, name: &str) -> Value {
    let text = std::fs::read_to_string(directory.join(name) + "/report.json").unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_section_alone_is_computed_and_written() {
    let directory = Directory::new();
    let out = directory.join("out");
    let run = moduli(["reproduce", "m0m1-table-3", "m0m1-figure-1", "--quick", "-o", &out, "--json"]).ok();
    let summary = run.json();
    assert_eq!(summary["sections"], serde_json::json!(["m0m1-table-3", "m0m1-figure-1"]));
    assert_eq!(summary["unexplained"], 0);

    let report = report(&directory, "out");
    assert_eq!(report["sections"].as_array().unwrap().len(), 2);
    let table = &report["sections"][0]["comparisons"][0];
    assert_eq!(table["name"], "m0m1, Table 3");
    let cells = table["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 143);
    for cell in cells {
        assert_eq!(cell["equal"].as_bool().unwrap(), cell["reason"].is_null(), "{cell}");
        assert_eq!(cell["explained"], true, "{cell}");
        let [printed, computed, difference] =
            ["printed", "computed", "difference"].map(|name| cell[name].as_f64().unwrap());
        assert!((computed - printed - difference).abs() < 1e-6 * computed.abs(), "{cell}");
    }
    let comb = cells
        .iter()
        .find(|cell| {
            cell["row"].as_str().unwrap().starts_with("t = 224, 45 MM: w = 9,")
                && cell["column"] == "comb, kB"
        })
        .unwrap();
    assert_eq!((comb["printed"].as_f64(), comb["computed"].as_f64()), (Some(127.5), Some(127.75)));

    for name in ["processor", "version", "date"] {
        assert!(report["machine"][name].as_str().is_some_and(|text| !text.is_empty()), "{name}");
    }
    let page = std::fs::read_to_string(directory.join("out/report.md")).unwrap();
    assert!(page.contains("## m0m1, Table 3") && page.contains("](m0m1-figure-1.svg)"));
    assert!(page.contains("127.5 → 127.75"), "{page}");
    let chart = std::fs::read_to_string(directory.join("out/m0m1-figure-1.svg")).unwrap();
    assert!(chart.starts_with("<svg") && chart.contains("<desc") && chart.contains("Lim–Lee"));
    assert_eq!(report["sections"][1]["figures"][0]["series"].as_array().unwrap().len(), 5);
}

/// The sections without timings: every number, the page, and the figures.
#[test]
fn the_committed_report_is_what_is_computed() {
    let directory = Directory::new();
    let (out, root) = (directory.join("out"), concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let counted = [
        "m0m1-table-1",
        "m0m1-table-2",
        "m0m1-table-3",
        "m0m1-figure-1",
        "common-operand-tables",
        "common-operand-claims",
        "inversion",
        "hardware",
    ];
    let hardware = format!("{root}/hdl");
    moduli([&["reproduce", "-o", &out, "--hardware", &hardware][..], &counted].concat()).ok();
    let committed = format!("{root}/docs/reproduction");
    let read = |folder: &str, name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
    let sections = |folder: &str| -> Vec<Value> {
        let report: Value = serde_json::from_str(&read(folder, "report.json")).unwrap();
        report["sections"].as_array().unwrap().clone()
    };
    // From one heading to the next.
    let text = |folder: &str, title: &Value| {
        let page = read(folder, "report.md");
        let (_, rest) = page.split_once(&format!("\n## {}\n", title.as_str().unwrap())).unwrap();
        rest.split("\n## ").next().unwrap().trim_end().to_owned()
    };
    let (found, known) = (sections(&out), sections(&committed));
    let all = known.iter().flat_map(|section| section["comparisons"].as_array().unwrap());
    let cells: Vec<&Value> = all.flat_map(|table| table["cells"].as_array().unwrap()).collect();
    let equal = cells.iter().filter(|cell| cell["equal"] == true).count();
    let tally = format!(
        "{} printed cells: {equal} equal, {} different with a reason, 0 without",
        cells.len(),
        cells.len() - equal
    );
    assert!(read(&committed, "report.md").contains(&tally), "{tally}");
    assert_eq!((found.len(), known.len()), (9, 11));
    for section in &found {
        let name = &section["section"];
        let same = known.iter().find(|known| known["section"] == *name).unwrap();
        assert!(section == same, "{name} is not what docs/reproduction/report.json has");
        assert_eq!(text(&out, &section["title"]), text(&committed, &section["title"]), "report.md");
        for figure in section["figures"].as_array().unwrap() {
            let file = figure["file"].as_str().unwrap();
            assert!(read(&out, file) == read(&committed, file), "{file} is not the one of docs/reproduction");
        }
    }
}

#[test]
fn timings_are_taken_and_results_compared() {
    let directory = Directory::new();
    let out = directory.join("out");
    moduli(["reproduce", "common-operand-table-10", "inversion-table-1", "--quick", "-o", &out]).ok();
    let report = report(&directory, "out");
    let rows = report["sections"][0]["tables"][0]["rows"].as_array().unwrap().clone();
    // Six exponentiations of two sizes, on one or two kernels for each size.
    assert!([12, 18, 24].contains(&rows.len()), "{}", rows.len());
    assert!(rows.iter().all(|row| row[4].as_f64().unwrap() > 0.0));
    assert_eq!(report["sections"][1]["comparisons"][0]["cells"].as_array().unwrap().len(), 24);
}

#[test]
fn hardware_comes_from_committed_results() {
    let directory = Directory::new();
    let (out, here) = (directory.join("out"), concat!(env!("CARGO_MANIFEST_DIR"), "/../../hdl"));
    moduli(["reproduce", "hardware", "--hardware", here, "-o", &out]).ok();
    let report = report(&directory, "out");
    let tables = report["sections"][0]["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 5);
    assert!(tables.iter().all(|table| table["rows"].as_array().unwrap().len() > 1), "{tables:?}");
    assert_eq!(tables[0]["rows"][0][1], 6);
    let nowhere = directory.join("nowhere");
    let refused = ["reproduce", "hardware", "--hardware", &nowhere, "-o", &directory.join("other")];
    moduli(refused).fails(1, &["cycles.json", "No such file"]);
}

#[test]
fn names_that_no_section_has_are_refused() {
    let directory = Directory::new();
    let out = directory.join("out");
    for name in ["m0m1-table-9", "m0m", "", "tables"] {
        moduli(["reproduce", name, "-o", &out]).fails(2, &["no section has this name", "m0m1-table-1"]);
    }
    moduli(["reproduce", "m0m1-table-3"]).fails(2, &["--output"]);
    moduli(["reproduce", "--quick", "--long", "-o", &out]).fails(2, &["--long"]);
    assert!(directory.names().is_empty());
}

/// Rejected before the work, which would take minutes for these sections.
#[test]
fn places_that_cannot_be_written_are_refused_at_once() {
    let directory = Directory::new();
    let file = directory.file("file", "text");
    for (place, reason) in
        [(directory.join("none/out"), "No such file or directory"), (file + "/out", "Not a directory")]
    {
        moduli(["reproduce", "--long", "-o", &place]).fails(1, &[reason]);
    }
    assert_eq!(directory.names(), ["file"]);
}

#[test]
fn a_folder_that_exists_is_replaced_only_by_force_and_only_if_it_is_ours() {
    let directory = Directory::new();
    let out = directory.join("out");
    let run = |force: &[&str]| moduli([&["reproduce", "m0m1-table-3", "-o", &out], force].concat());
    run(&[]).ok();
    run(&[]).fails(1, &["exists already", "--force"]);
    run(&["--force"]).ok();
    for name in ["notes", "drawing.svg"] {
        let mine = directory.join("out/") + name;
        std::fs::write(&mine, "mine").unwrap();
        run(&["--force"]).fails(1, &[&format!("holds {name}")]);
        assert_eq!(std::fs::read_to_string(&mine).unwrap(), "mine");
        std::fs::remove_file(&mine).unwrap();
    }
    // The next run may replace every figure that a run writes.
    let figures = || moduli(["reproduce", "m0m1-figure-1", "inversion-statistics", "--force", "-o", &out]);
    figures().ok();
    figures().ok();
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 5);
    let file = directory.file("file", "text");
    moduli(["reproduce", "m0m1-table-3", "--force", "-o", &file]).fails(1, &["not a directory"]);
    assert_eq!(directory.names(), ["file", "out"]);
}
