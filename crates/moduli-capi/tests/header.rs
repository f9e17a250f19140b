//! The committed header is what cbindgen makes of the sources, and says of each function what a caller has to know.

use std::{env, fs, path::Path};

/// The files with exported items, in the order in which the header has them.
const FILES: [&str; 13] = [
    "status",
    "last_error",
    "input",
    "modulus",
    "power",
    "inverse",
    "fixed_base",
    "fixed_power",
    "product",
    "table_file",
    "group",
    "dsa",
    "rsa",
];

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn generated() -> String {
    let config = cbindgen::Config::from_file(crate_folder().join("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in FILES {
        builder = builder.with_src(crate_folder().join("src").join(file).with_extension("rs"));
    }
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

#[test]
fn the_committed_header_is_up_to_date() {
    let path = crate_folder().join("include/moduli.h");
    let generated = generated();
    if env::var_os("MODULI_WRITE_HEADER").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == generated,
        "include/moduli.h is stale: MODULI_WRITE_HEADER=1 cargo test -p moduli-capi --test header"
    );
}

#[test]
fn every_exported_function_is_in_the_header() {
    let header = generated();
    let mut functions = 0;
    for entry in fs::read_dir(crate_folder().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for part in text.split("#[unsafe(no_mangle)]").skip(1) {
            let name = part.split("fn ").nth(1).and_then(|rest| rest.split('(').next()).unwrap();
            assert!(name.starts_with("moduli_"), "{name} has another prefix");
            assert!(
                header.contains(&format!("{name}(")),
                "{name} of {} is not in the header",
                path.display()
            );
            functions += 1;
        }
    }
    assert!(functions > 40, "{functions} functions found");
}

#[test]
fn leaking_functions_say_so() {
    let header = generated();
    for (comment, declaration) in header.split("/**").skip(1).filter_map(|block| block.split_once("*/")) {
        let declaration = declaration.split(';').next().unwrap();
        let is_leaking = declaration.contains("_vartime(");
        assert!(
            !is_leaking || comment.contains("VARIABLE-TIME"),
            "the comment of a _vartime function has to say VARIABLE-TIME:{declaration}"
        );
    }
}
