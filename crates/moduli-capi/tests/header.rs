//! The committed headers are what cbindgen makes of the sources, and say of each function what a caller has to know.

use std::{env, fs, path::Path};

/// The headers that are generated, each with the headers that it needs and the files of `src/` whose items it has, in order.
const HEADERS: [(&str, &[&str], &[&str]); 6] = [
    ("status", &[], &["status", "last_error", "input"]),
    ("modulus", &["status"], &["modulus", "power", "inverse"]),
    ("fixed_base", &["modulus"], &["fixed_base", "fixed_power", "product", "table_file"]),
    ("group", &["modulus"], &["group"]),
    ("dsa", &["fixed_base"], &["dsa"]),
    ("rsa", &["status"], &["rsa"]),
];

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn generated(name: &str, needs: &[&str], files: &[&str]) -> String {
    let mut config = cbindgen::Config::from_file(crate_folder().join("cbindgen.toml")).unwrap();
    config.include_guard = Some(format!("MODULI_{}_H", name.to_uppercase()));
    // Not mentioned by the functions beside it, and still wanted.
    config.export.include = vec!["Status".into()];
    config.includes = needs.iter().map(|needed| format!("{needed}.h")).collect();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in files {
        builder = builder.with_src(crate_folder().join("src").join(file).with_extension("rs"));
    }
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

/// All of them, one after the other.
fn headers() -> String {
    HEADERS.map(|(name, needs, files)| generated(name, needs, files)).concat()
}

#[test]
fn the_committed_headers_are_up_to_date() {
    let front = fs::read_to_string(crate_folder().join("include/moduli.h")).unwrap();
    for (name, needs, files) in HEADERS {
        let path = crate_folder().join("include/moduli").join(name).with_extension("h");
        let generated = generated(name, needs, files);
        if env::var_os("MODULI_WRITE_HEADER").is_some() {
            fs::write(&path, &generated).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == generated,
            "{} is stale: MODULI_WRITE_HEADER=1 cargo test -p moduli-capi --test header",
            path.display()
        );
        assert!(front.contains(&format!("#include \"moduli/{name}.h\"")), "moduli.h leaves {name}.h out");
    }
}

#[test]
fn every_exported_function_is_in_one_header() {
    let headers = headers();
    let declarations: Vec<&str> =
        headers.lines().filter(|line| !line.trim_start().starts_with('*')).collect();
    let declarations = declarations.join("\n");
    let mut functions = 0;
    for entry in fs::read_dir(crate_folder().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for part in text.split("#[unsafe(no_mangle)]").skip(1) {
            let name = part.split("fn ").nth(1).and_then(|rest| rest.split('(').next()).unwrap();
            assert!(name.starts_with("moduli_"), "{name} has another prefix");
            let declared = declarations.matches(&format!("{name}(")).count();
            assert_eq!(declared, 1, "{name} of {}: declarations in the headers", path.display());
            functions += 1;
        }
    }
    assert!(functions > 40, "{functions} functions found");
}

#[test]
fn leaking_functions_say_so() {
    let headers = headers();
    for (comment, declaration) in headers.split("/**").skip(1).filter_map(|block| block.split_once("*/")) {
        let declaration = declaration.split(';').next().unwrap();
        let is_leaking = declaration.contains("_vartime(");
        assert!(
            !is_leaking || comment.contains("VARIABLE-TIME"),
            "the comment of a _vartime function has to say VARIABLE-TIME:{declaration}"
        );
    }
}
