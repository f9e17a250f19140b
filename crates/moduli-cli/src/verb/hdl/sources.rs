//! Copies the core's own sources to its constants. With a prefix, their names change, too.

use std::{fs, path::Path};

use super::names::Prefix;
use crate::failure::Failure;
use crate::io::directory::Named;

/// The files of `hdl/rtl` in the order of compilation. Packages come first, after the generated
/// one.
pub const SOURCES: [&str; 41] = [
    "moduli_rns_pkg.sv",
    "moduli_rns_axi_pkg.sv",
    "moduli_rns_resident_axi_pkg.sv",
    "moduli_rns_mod3.sv",
    "moduli_rns_mod9.sv",
    "moduli_rns_tile.sv",
    "moduli_rns_times.sv",
    "moduli_rns_multiply.sv",
    "moduli_rns_reduce.sv",
    "moduli_rns_rower.sv",
    "moduli_rns_cox.sv",
    "moduli_rns_addend.sv",
    "moduli_rns_decide.sv",
    "moduli_rns_inverter.sv",
    "moduli_rns_matrix.sv",
    "moduli_rns_words.sv",
    "moduli_rns_division_steps.sv",
    "moduli_rns_product_issues.sv",
    "moduli_rns_products.sv",
    "moduli_rns_product_twin.sv",
    "moduli_rns_loader.sv",
    "moduli_rns_arrival.sv",
    "moduli_rns_requests.sv",
    "moduli_rns_digit_product.sv",
    "moduli_rns_unloader.sv",
    "moduli_rns_clear.sv",
    "moduli_rns_redundant.sv",
    "moduli_rns_release.sv",
    "moduli_rns_control.sv",
    "moduli_rns_responses.sv",
    "moduli_rns.sv",
    "moduli_rns_axi_port.sv",
    "moduli_rns_axi.sv",
    "moduli_rns_axis.sv",
    "moduli_rns_resident_pkg.sv",
    "moduli_rns_resident_scalar.sv",
    "moduli_rns_resident_sequencer.sv",
    "moduli_rns_resident_guard.sv",
    "moduli_rns_resident.sv",
    "moduli_rns_resident_axi.sv",
    MEMORY,
];

/// The number of packages among them.
const PACKAGES: usize = 3;

/// The memories from files, compiled instead of the generated tables.
const MEMORY: &str = "moduli_rns_rom_mem.sv";

/// The list of files for a compiler.
pub const LIST: &str = "moduli_rns.f";

/// The files of the directory with the prefix, and the list for compilers, in which memories are
/// tables.
pub fn files(directory: &Path, prefix: &Prefix, package: &str, tables: &str) -> Result<Vec<Named>, Failure> {
    let mut files = Vec::new();
    for name in SOURCES {
        let path = directory.join(name);
        let text = fs::read_to_string(&path).map_err(|error| Failure::file(&path, &error))?;
        files.push((prefix.apply(name), prefix.apply(&text)));
    }
    let own = SOURCES.iter().copied().filter(|name| *name != MEMORY);
    let listed = [package]
        .into_iter()
        .chain(SOURCES.iter().copied().take(PACKAGES))
        .chain([tables])
        .chain(own.skip(PACKAGES));
    let list = listed.fold(String::new(), |text, name| text + &prefix.apply(name) + "\n");
    files.push((prefix.apply(LIST), list));
    Ok(files)
}
