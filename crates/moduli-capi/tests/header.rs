//! The committed headers are what cbindgen makes of the sources, and say of each function what a caller has to know.

use std::{env, fs, path::Path};

/// The headers that are generated, each with the headers that it needs and the files of `src/` whose items it has, in order.
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

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn generated(name: &str, needs: &[&str], files: &[&str]) -> String {
    let mut config = cbindgen::Config::from_file(crate_folder().join("cbindgen.toml")).unwrap();
    config.include_guard = Some(format!("MODULI_{}_H", name.to_uppercase()));
    // Not mentioned by the functions beside it, and still wanted.
    config.export.include = ["Status", "SecrecyChoice", "FaultCheck"].map(String::from).into();
    config.includes = ["attributes"].iter().chain(needs).map(|needed| format!("{needed}.h")).collect();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in files {
        builder = builder.with_src(crate_folder().join("src").join(file).with_extension("rs"));
    }
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

/// The version of the crate as macros. From 1.0.0 on a program may compare `MODULI_VERSION_NUMBER`.
fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let parts: Vec<u32> = version.split(['.', '-', '+']).take(3).map(|part| part.parse().unwrap()).collect();
    assert!(parts.len() == 3 && parts[1..].iter().all(|&part| part < 1000), "{version} has no such number");
    let number = (parts[0] * 1000 + parts[1]) * 1000 + parts[2];
    format!(
        "#ifndef MODULI_VERSION_H\n\
         #define MODULI_VERSION_H\n\n\
         /* Made by a test of crates/moduli-capi from its version: do not edit. */\n\n\
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

/// All of them, one after the other.
fn headers() -> String {
    HEADERS.map(|(name, needs, files)| generated(name, needs, files)).concat()
}

#[test]
fn the_committed_headers_are_up_to_date() {
    let front = fs::read_to_string(crate_folder().join("include/moduli.h")).unwrap();
    let all = HEADERS.map(|(name, needs, files)| (name, generated(name, needs, files)));
    for (name, generated) in all.into_iter().chain([("version", version())]) {
        let path = crate_folder().join("include/moduli").join(name).with_extension("h");
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

/// The functions of the headers: what stands before the name, the name, the arguments, and what follows them.
fn declarations() -> Vec<[String; 4]> {
    let mut text = String::new();
    for part in headers().split("/*").map(|part| part.rsplit("*/").next().unwrap_or_default().to_owned()) {
        text += &part;
    }
    let declarations = text.split("MODULI_API").skip(1).map(|part| {
        let declaration = part.split(';').next().unwrap();
        let (before, rest) = declaration.split_once('(').unwrap();
        let (arguments, after) = rest.split_once(')').unwrap();
        let name = before.split(['\n', ' ', '*']).next_back().unwrap();
        [before.strip_suffix(name).unwrap(), name, arguments, after].map(|text| text.trim().to_owned())
    });
    declarations.collect()
}

#[test]
fn every_status_must_be_used_and_every_handle_be_there() {
    let declarations = declarations();
    assert!(declarations.len() > 40);
    for [before, name, arguments, after] in declarations {
        let is_status = before.ends_with("moduli_status");
        assert_eq!(is_status, before.contains("MODULI_MUST_USE"), "{name}");
        let none_is_null = after.strip_prefix("MODULI_NONNULL(").unwrap_or_default().replace(')', "");
        let not_null: Vec<usize> = none_is_null
            .split(", ")
            .filter(|index| !index.is_empty())
            .map(|index| index.parse().unwrap())
            .collect();
        assert!(is_status || not_null.is_empty(), "{name} says what NULL gives");
        for (i, argument) in (1..).zip(arguments.split(',').map(str::trim)) {
            // A handle, or the place for one, but a table of a signer, which may be left out.
            let is_handle = argument.contains("moduli_") && argument.contains('*');
            let is_handle = is_handle && !argument.contains("*statuses") && !argument.contains("*table");
            assert!(!is_status || !is_handle || not_null.contains(&i), "{name}: {argument} may not be NULL");
            assert!(!not_null.contains(&i) || argument.contains('*'), "{name}: {argument} is no pointer");
        }
    }
}

#[test]
fn lengths_follow_their_pointers_and_counts_come_last() {
    let mut lengths = 0;
    for [_, name, arguments, _] in declarations() {
        let arguments: Vec<&str> = arguments
            .split(',')
            .filter_map(|argument| argument.split([' ', '*', '\n']).next_back())
            .collect();
        for (i, argument) in arguments.iter().enumerate() {
            if let Some(of) = argument.strip_suffix("_len").or(argument.strip_suffix("_width")) {
                assert!(i > 0 && arguments[i - 1] == of, "{name}: {argument} is not right after {of}");
                lengths += 1;
            }
            assert!(*argument != "count" || i + 1 == arguments.len(), "{name}: count is not last");
        }
    }
    assert!(lengths > 60, "{lengths} lengths found");
}
