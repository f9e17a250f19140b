//! Measures the costs that the planner uses, for every kernel that this machine can run, and writes them into
//! the source files of built-in costs for the maker of this processor: `make costs`, or, for one kernel,
//! `make costs KERNEL=adx`.
//! `js/run.py costs` measures the kernel `wasm` in Node.js; this program reads its costs from the standard
//! input.

use std::{error, fs, io, path::Path};

use moduli_kernel::{Costs, KernelChoice, Maker};

/// How many times everything is measured.
const PASSES: usize = 15;

fn main() -> Result<(), Box<dyn error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, machine, only @ ..] = &arguments[..] else {
        return Err("costs FOLDER MACHINE [KERNEL...]: where the files go, what to call this machine, and of which kernels; \
                    or costs FOLDER MACHINE read KERNEL: passes as printed elsewhere, a size a line, and an empty line after each"
            .into());
    };
    let write = |name: &str, maker: Option<Maker>, command: &str, passes: &[Vec<String>]| {
        let sizes: Vec<String> = (0..passes[0].len())
            .map(|size| middle(&passes.iter().map(|pass| pass[size].as_str()).collect::<Vec<_>>()))
            .collect();
        let folder = Path::new(folder).join(maker.map_or("", Maker::name));
        let path = folder.join(name).with_extension("rs");
        println!("{}: {} sizes", path.display(), sizes.len());
        let text = source(name, machine, command, &sizes);
        // `wasm` has one file for all makers.
        let above = if maker.is_some() { "super::super::super" } else { "super::super" };
        fs::write(&path, text.replace("ABOVE", above))
    };
    if let [read, name] = only
        && read == "read"
    {
        let printed = io::read_to_string(io::stdin())?;
        let passes = printed.trim_end().split("\n\n").map(|pass| pass.lines().map(String::from).collect());
        write(name, None, "python3 js/run.py costs", &passes.collect::<Vec<_>>())?;
        return Ok(());
    }
    if let Some(name) =
        only.iter().find(|name| KernelChoice::ALL.iter().all(|choice| choice.name() != **name))
    {
        return Err(format!("no kernel {name}").into());
    }
    let wanted = |choice: &&KernelChoice| only.is_empty() || only.iter().any(|name| name == choice.name());
    for &choice in KernelChoice::ALL.iter().filter(wanted) {
        // Each pass measures all sizes, so that a temporary disturbance of the machine affects only a few
        // passes.
        let pass =
            |_| Costs::measured_to_build_in(choice).iter().map(|costs| format!("{costs:.4?}")).collect();
        let passes: Vec<Vec<String>> = (0..PASSES).map(pass).collect();
        if passes[0].is_empty() {
            println!("{}: not on this machine", choice.name());
            continue;
        }
        write(choice.name(), Some(Maker::of_this_machine()), "make costs", &passes)?;
    }
    Ok(())
}

/// The median of every number in the `Debug` output of cost tables.
fn middle(printed: &[&str]) -> String {
    let words: Vec<Vec<&str>> = printed.iter().map(|costs| costs.split(' ').collect()).collect();
    let value = |word: &str| word.trim_matches(|c: char| !c.is_ascii_digit()).parse::<f64>().unwrap_or(0.0);
    let middle = |place: usize| {
        let mut all: Vec<&str> = words.iter().map(|words| words[place]).collect();
        all.sort_by(|a, b| value(a).total_cmp(&value(b)));
        all[all.len() / 2]
    };
    (0..words[0].len()).map(middle).collect::<Vec<_>>().join(" ")
}

/// The source file. The `Debug` output of a cost table is close to Rust syntax.
fn source(kernel: &str, machine: &str, command: &str, sizes: &[String]) -> String {
    let (mut rows, mut memory) = (String::new(), String::new());
    for (index, printed) in sizes.iter().enumerate() {
        let (row, levels) = printed.split_once(", levels: ").unwrap_or((printed, "[] }"));
        if index == 0 {
            memory = levels.trim_end_matches(" }").replace("Level {", "\n    Level {");
        }
        let row = row.replace("splits: [", "splits: Borrowed(&[").replace("], scan", "]), scan");
        rows += &format!("    {row}, levels: MEMORY }},\n");
    }
    let lanes = if rows.contains("LaneCosts {") { "LaneCosts, " } else { "" };
    format!(
        "//! Costs of the kernel {kernel} on {machine}, by `{command}`.\n\nuse alloc::borrow::Cow::Borrowed;\n\n\
         use ABOVE::{{Costs, LEVELS, {lanes}Level, PerByte, Split}};\n\n\
         const MEMORY: [Level; LEVELS.len()] = {memory};\n\npub const SIZES: &[Costs] = &[\n{rows}];\n"
    )
}
