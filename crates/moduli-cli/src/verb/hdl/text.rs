//! The files of a core: the package of parameters, the memories, and the header for C.

use std::fmt::Write;

use super::{
    bits::Bits,
    layout::{Layout, Vector},
    names::Prefix,
    sources,
};
use crate::io::directory::Named;

/// The package of parameters.
pub const PACKAGE: &str = "moduli_rns_params_pkg.sv";

/// The memories as tables.
pub const CASE: &str = "moduli_rns_rom_case.sv";

/// The parameters for C.
const HEADER: &str = "moduli_rns_params.h";

/// Whether a file with this name and prefix may be one of these, or a copy of the sources.
pub fn is_ours(name: &str, prefix: &Prefix) -> bool {
    let named = [PACKAGE, CASE, HEADER, sources::LIST].into_iter().chain(sources::SOURCES);
    named.into_iter().any(|ours| prefix.apply(ours) == name)
        || name.strip_suffix(".hex").is_some_and(super::rom::is_memory)
}

/// All files of a layout, with prefixed names. `title` describes the core in one line.
pub fn files(layout: &Layout, title: &str, prefix: &Prefix) -> Vec<Named> {
    let texts =
        [(PACKAGE, package(layout, title)), (CASE, cases(layout, title)), (HEADER, header(layout, title))];
    let mut files: Vec<Named> =
        texts.map(|(name, text)| (prefix.apply(name), prefix.apply(&text))).into_iter().collect();
    files.extend(layout.roms.iter().flat_map(super::rom::Rom::memory_files));
    files
}

fn package(layout: &Layout, title: &str) -> String {
    let mut text =
        format!("// {title}\n// Written by moduli hdl; do not edit.\n\npackage moduli_rns_params_pkg;\n");
    for (name, value) in &layout.scalars {
        let _ = writeln!(text, "  parameter int {name} = {value};");
    }
    layout.vectors.iter().for_each(|vector| declare(&mut text, vector));
    text.push_str("endpackage\n");
    text
}

/// A vector, its last element first.
fn declare(text: &mut String, vector: &Vector) {
    let bits: usize = vector.elements.iter().map(Bits::len).sum();
    let _ = write!(text, "\n  parameter logic [{}:0] {} = ", bits - 1, vector.name);
    match &vector.elements[..] {
        [element] => {
            let _ = writeln!(text, "{};", element.literal());
        }
        elements => {
            let literals: Vec<String> =
                elements.iter().rev().map(|element| format!("    {}", element.literal())).collect();
            let _ = writeln!(text, "{{\n{}\n  }};", literals.join(",\n"));
        }
    }
}

fn cases(layout: &Layout, title: &str) -> String {
    let modules: Vec<String> = layout.roms.iter().map(super::rom::Rom::case_module).collect();
    format!("// {title}: memories.\n// Written by moduli hdl; do not edit.\n\n{}", modules.join("\n"))
}

fn header(layout: &Layout, title: &str) -> String {
    let mut text = format!(
        "/* {title}\n * Written by moduli hdl; do not edit. */\n#ifndef MODULI_RNS_PARAMS_H\n#define MODULI_RNS_PARAMS_H\n\n"
    );
    for (name, value) in &layout.scalars {
        let _ = writeln!(text, "#define MODULI_RNS_PARAM_{name} {value}");
    }
    text.push_str("\n#endif\n");
    text
}
