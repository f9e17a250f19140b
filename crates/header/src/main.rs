//! The headers of the C library (`crates/moduli-capi/include/moduli`), which cbindgen generates from its
//! sources.
//!
//! `moduli-header --check` compares the committed headers with the generated ones, and
//! `moduli-header --write` writes them.

use std::{env, fs, path::Path, path::PathBuf, process::ExitCode};

/// The generated headers, each with the headers that it includes and the files of `src/` whose items it
/// declares, in order.
const HEADERS: [(&str, &[&str], &[&str]); 8] = [
    ("status", &[], &["status", "last_error", "input"]),
    ("modulus", &["status"], &["modulus", "power", "multi_power", "inverse", "divisor"]),
    ("even", &["status"], &["even"]),
    ("crt", &["modulus"], &["crt"]),
    ("fixed_base", &["modulus"], &["fixed_base", "fixed_power", "product", "table_file"]),
    ("group", &["modulus"], &["group"]),
    ("dsa", &["fixed_base"], &["dsa"]),
    ("rsa", &["status"], &["rsa"]),
];

/// The crate of the C library.
fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../moduli-capi")
}

fn generated(name: &str, needs: &[&str], files: &[&str]) -> String {
    let mut config = cbindgen::Config::from_file(library().join("cbindgen.toml")).unwrap();
    config.include_guard = Some(format!("MODULI_{}_H", name.to_uppercase()));
    // No function beside them mentions these types, so they are requested explicitly.
    config.export.include = ["Status", "SecrecyChoice", "FaultCheck"].map(String::from).into();
    config.includes = ["attributes"].iter().chain(needs).map(|needed| format!("{needed}.h")).collect();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in files {
        builder = builder.with_src(library().join("src").join(file).with_extension("rs"));
    }
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

/// The version of the library, which is that of the workspace, as macros. From 1.0.0 on, programs can compare
/// `MODULI_VERSION_NUMBER`.
fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let parts: Vec<u32> = version.split(['.', '-', '+']).take(3).map(|part| part.parse().unwrap()).collect();
    assert!(parts.len() == 3 && parts[1..].iter().all(|&part| part < 1000), "{version} has no such number");
    let number = (parts[0] * 1000 + parts[1]) * 1000 + parts[2];
    format!(
        "#ifndef MODULI_VERSION_H\n\
         #define MODULI_VERSION_H\n\n\
         /* Made by crates/header from the version of the library: do not edit. */\n\n\
         /* The version of these headers; moduli_version() is that of the library that runs. */\n\
         #define MODULI_VERSION_MAJOR {}\n\
         #define MODULI_VERSION_MINOR {}\n\
         #define MODULI_VERSION_PATCH {}\n\n\
         /* 1000000*major + 1000*minor + patch, to be compared. */\n\
         #define MODULI_VERSION_NUMBER {number}\n\n\
         #define MODULI_VERSION_STRING \"{version}\"\n\n\
         #endif /* MODULI_VERSION_H */\n",
        parts[0], parts[1], parts[2],
    )
}

fn main() -> ExitCode {
    let is_writing = match env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [option] if option == "--check" => false,
        [option] if option == "--write" => true,
        _ => {
            eprintln!("moduli-header: --check or --write");
            return ExitCode::FAILURE;
        }
    };
    let front = fs::read_to_string(library().join("include/moduli.h")).unwrap();
    let all = HEADERS.map(|(name, needs, files)| (name, generated(name, needs, files)));
    let mut status = ExitCode::SUCCESS;
    for (name, generated) in all.into_iter().chain([("version", version())]) {
        let path = library().join("include/moduli").join(name).with_extension("h");
        if is_writing {
            fs::write(&path, &generated).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != generated {
            eprintln!("moduli-header: {name}.h is stale: cargo run -p moduli-header -- --write");
            status = ExitCode::FAILURE;
        }
        if !front.contains(&format!("#include \"moduli/{name}.h\"")) {
            eprintln!("moduli-header: moduli.h leaves {name}.h out");
            status = ExitCode::FAILURE;
        }
    }
    status
}
