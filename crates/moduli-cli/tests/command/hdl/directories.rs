//! The written files: summaries, prefixes, and directories that are complete or not written.

use std::fs;

use super::{P256, hdl};
use crate::support::Directory;

#[test]
fn summaries_and_headers_agree_with_the_package() {
    let directory = Directory::new();
    let path = directory.join("core");
    let json = hdl(["P-256", "33", "8", "wide"], &["--json", "-o", &path]).ok().json();
    let read = |name: &str| fs::read_to_string(format!("{path}/{name}")).unwrap();
    let (package, header) = (read("moduli_rns_params_pkg.sv"), read("moduli_rns_params.h"));
    for (name, value) in json["parameters"].as_object().unwrap() {
        assert!(package.contains(&format!("parameter int {name} = {value};")), "{name}");
        assert!(header.contains(&format!("#define MODULI_RNS_PARAM_{name} {value}\n")), "{name}");
    }
    assert_eq!((&json["prime"], &json["inversion"]), (&P256.into(), &"wide".into()));
    assert_eq!(json["moduli"][1].as_array().unwrap().len(), 8);
    let files = fs::read_dir(&path).unwrap().count();
    assert_eq!(files, 3 + 3 * 8 + 1);
}

/// A prefix changes every name that a core declares, and no reference to the plain names remains.
#[test]
fn prefixed_cores_share_no_name() {
    let directory = Directory::new();
    let rtl = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hdl/rtl");
    let shape = ["P-192", "33", "6", "binary"];
    let plain = directory.join("plain");
    hdl(shape, &["-o", &plain, "--rtl", rtl]).ok();
    let path = directory.join("core");
    hdl(shape, &["-o", &path, "--rtl", rtl, "--prefix", "order"]).ok();
    let names = |path: &str| -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.ends_with(".hex"))
            .collect();
        names.sort();
        names
    };
    // All of hdl/rtl is copied unchanged. The other files are the same as without --rtl.
    for file in fs::read_dir(rtl).unwrap() {
        let file = file.unwrap();
        let copy = format!("{plain}/{}", file.file_name().display());
        assert_eq!(fs::read(file.path()).unwrap(), fs::read(copy).unwrap());
    }
    let listed = fs::read_to_string(format!("{plain}/moduli_rns.f")).unwrap();
    let mut listed: Vec<&str> = listed.lines().collect();
    assert_eq!(listed[..2], ["moduli_rns_params_pkg.sv", "moduli_rns_pkg.sv"]);
    listed.extend(["moduli_rns.f", "moduli_rns_params.h", "moduli_rns_rom_mem.sv"]);
    listed.sort_unstable();
    assert_eq!(names(&plain), listed);
    // Each name in file names and texts is replaced by its prefixed form.
    assert_eq!(names(&path), names(&plain).iter().map(|name| format!("order_{name}")).collect::<Vec<_>>());
    for name in names(&plain) {
        let text = fs::read_to_string(format!("{path}/order_{name}")).unwrap();
        let roots = text.matches("moduli_rns").count() + text.matches("MODULI_RNS").count();
        let prefixed = text.matches("order_moduli_rns").count() + text.matches("ORDER_MODULI_RNS").count();
        assert!(roots == prefixed && roots > 0, "{name}");
        let back = text.replace("order_moduli_rns", "moduli_rns").replace("ORDER_MODULI_RNS", "MODULI_RNS");
        assert_eq!(back, fs::read_to_string(format!("{plain}/{name}")).unwrap());
    }
    // The same prefix may replace the directory, another prefix may not.
    hdl(shape, &["-o", &path, "--rtl", rtl, "--prefix", "order", "--force"]).ok();
    hdl(shape, &["-o", &path, "--rtl", rtl, "--force"]).fails(1, &["order_moduli_rns", "not replaced"]);
    hdl(shape, &["-o", &path, "--prefix", "order", "--force"]).fails(2, &["--rtl"]);
    hdl(shape, &["-o", &path, "--rtl", rtl, "--prefix", "a-b", "--force"]).fails(2, &["--prefix"]);
    hdl(shape, &["-o", &path, "--rtl", &plain[1..], "--force"]).fails(1, &["No such file"]);
}

#[test]
fn directories_appear_whole() {
    let directory = Directory::new();
    let shape = ["P-192", "33", "6", "binary"];
    let path = directory.join("core");
    hdl(shape, &["-o", &path]).ok();
    hdl(shape, &["-o", &path]).fails(1, &["core", "exists already", "--force"]);
    hdl(["P-192", "33", "7", "binary"], &["-o", &path, "--force"]).ok();
    assert!(fs::exists(format!("{path}/add_0006.hex")).unwrap());
    hdl(shape, &["-o", &path, "--force"]).ok();
    assert!(!fs::exists(format!("{path}/add_0006.hex")).unwrap());
    for name in ["notes.txt", "mine.hex", "add_6.hex", "out_0001.hex"] {
        let foreign = directory.file(&format!("core/{name}"), "mine");
        hdl(shape, &["-o", &path, "--force"]).fails(1, &[name, "not replaced"]);
        fs::remove_file(foreign).unwrap();
    }
    let file = directory.file("file", "mine");
    hdl(shape, &["-o", &file, "--force"]).fails(1, &["file", "not a directory"]);
    hdl(shape, &["-o", &directory.join("no/such")]).fails(1, &["No such file"]);
    hdl(["P-192", "16", "6", "binary"], &["-o", &directory.join("refused")]).fails(1, &["channels"]);
    assert_eq!(directory.names(), ["core", "file"]);
}
