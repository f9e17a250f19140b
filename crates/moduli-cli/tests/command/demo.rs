//! `moduli demo` with small numbers.

use crate::support::{command, finish, moduli};

#[test]
fn everything_is_done_and_checked() {
    let run = moduli([
        "demo",
        "--budget",
        "128KiB",
        "--documents",
        "20",
        "--ballots",
        "10",
        "--rounds",
        "1",
        "--json",
    ])
    .ok();
    let json = run.json();
    let tables = json["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 3);
    for table in tables {
        assert!(table["table_bytes"].as_u64().unwrap() <= 128 * 1024, "{table}");
        assert!(table["ratio"].as_f64().unwrap() > 1.0, "{table}");
    }
    assert_eq!((json["work"][0]["count"].as_u64(), json["work"][1]["count"].as_u64()), (Some(20), Some(10)));
    if cfg!(target_os = "linux") {
        let (first, second) = (&json["sharing"]["first"], &json["sharing"]["second"]);
        for sizes in [first, second] {
            let (rss, pss) = (sizes["rss_kib"].as_u64().unwrap(), sizes["pss_kib"].as_u64().unwrap());
            assert!(pss < rss, "{json}");
        }
    }
}

#[test]
fn the_demonstration_leaves_nothing_behind() {
    let directory = crate::support::Directory::new();
    let mut demo = command();
    demo.args(["demo", "--budget", "32KiB", "--documents", "1", "--ballots", "1", "--rounds", "1"])
        .env("TMPDIR", directory.path());
    let run = finish(&mut demo, b"").ok();
    assert!(run.first().contains("method") && run.first().contains("build"), "{}", run.first());
    assert!(run.stdout.contains("none wrong"));
    assert!(directory.names().is_empty());
}

#[test]
fn a_budget_that_is_too_small_is_an_error() {
    moduli(["demo", "--budget", "12"]).fails(1, &["12 bytes", "smallest"]);
    moduli(["demo", "--documents", "many"]).fails(2, &["--documents"]);
    moduli(["demo", "--rounds", "0"]).fails(2, &["--rounds"]);
}
