//! Every function that names `Indexed` ends in `_vartime`. So no path for secrets contains a
//! variable-time branch.

use std::{fs, path::Path};

/// The functions of a file: the name, and the text from its signature to the next one.
fn functions(text: &str) -> Vec<(&str, &str)> {
    let starts: Vec<usize> = text.match_indices("fn ").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let function = |(&start, end): (&usize, usize)| {
        let rest = &text[start + 3..end];
        let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').map_or(rest, |at| &rest[..at]);
        (name, rest)
    };
    starts.iter().zip(ends).map(function).collect()
}

fn without_comments_and_tests(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

fn check(path: &Path, wrong: &mut Vec<String>, seen: &mut usize) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            check(&entry.unwrap().path(), wrong, seen);
        }
        return;
    }
    let text = without_comments_and_tests(&fs::read_to_string(path).unwrap());
    for (name, body) in functions(&text) {
        // Without the text that follows it: imports, and the implementation of the trait for the
        // type.
        let body = body.split("\nimpl").next().unwrap_or_default();
        if body.contains("<Indexed") {
            *seen += 1;
            if !name.ends_with("_vartime") {
                wrong.push(format!("{}: {name} names Indexed", path.display()));
            }
        }
    }
}

#[test]
fn what_may_show_an_index_says_vartime() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for folder in ["fixed", "power", "scheme"] {
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder), &mut wrong, &mut seen);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 7, "{seen} functions: the test no longer sees them");
}

#[test]
fn the_test_sees_a_function_that_does_not_say_so() {
    let text = "use crate::access::Indexed;\nfn pow() {\n    run::<Indexed>()\n}\nfn other_vartime() { run::<Indexed>() }\n";
    let found: Vec<_> = functions(text)
        .into_iter()
        .filter(|(_, body)| body.contains("<Indexed"))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(found, ["pow", "other_vartime"]);
}
