//! The headers say of each function what a caller has to know.

use std::{fs, path::Path};

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All that are generated, one after the other. Whether they are what the sources give, `make lint` asks.
fn headers() -> String {
    let folder = fs::read_dir(crate_folder().join("include/moduli")).unwrap();
    let headers = folder.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    headers.filter(|header| header.contains("Made by cbindgen")).collect()
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
            assert!(!not_null.contains(&i) || argument.contains('*'), "{name}: {argument} is not a pointer");
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
