//! Measures the costs that the planner reckons with, of every kernel that this machine can run, and writes them where they are built
//! in: `make costs`, or of one of them: `make costs KERNEL=adx`.

use std::{error, fs, path::Path};

use moduli_kernel::{Arithmetic, Costs, KernelChoice};

/// Limbs of the moduli: where a kernel changes its ways, costs between these are a little off.
const LIMBS: [usize; 22] =
    [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 240, 384, 640, 1024];

/// How often everything is measured.
const PASSES: usize = 15;

fn main() -> Result<(), Box<dyn error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, machine, only @ ..] = &arguments[..] else {
        return Err("costs FOLDER MACHINE [KERNEL...]: where the files go, what to call this machine, and of which kernels".into());
    };
    if let Some(name) =
        only.iter().find(|name| KernelChoice::ALL.iter().all(|choice| choice.name() != **name))
    {
        return Err(format!("no kernel {name}").into());
    }
    let wanted = |choice: &&KernelChoice| only.is_empty() || only.iter().any(|name| name == choice.name());
    for &choice in KernelChoice::ALL.iter().filter(wanted) {
        let mut sizes: Vec<Arithmetic> = Vec::new();
        for limbs in LIMBS {
            let Ok(arithmetic) = Arithmetic::new(&vec![u64::MAX; limbs], choice) else { continue };
            let words = |arithmetic: &Arithmetic| arithmetic.dimensions().residue_words;
            if sizes.last().is_none_or(|last| words(last) < words(&arithmetic)) {
                sizes.push(arithmetic);
            }
        }
        if sizes.is_empty() {
            println!("{}: not on this machine", choice.name());
            continue;
        }
        // One pass after the other over all sizes: what disturbs the machine for a while is in few of them.
        let pass = |_| sizes.iter().map(|size| format!("{:.4?}", Costs::measured(size))).collect();
        let passes: Vec<Vec<String>> = (0..PASSES).map(pass).collect();
        let sizes: Vec<String> = (0..sizes.len())
            .map(|size| middle(&passes.iter().map(|pass| pass[size].as_str()).collect::<Vec<_>>()))
            .collect();
        let path = Path::new(folder).join(choice.name()).with_extension("rs");
        fs::write(&path, source(choice.name(), machine, &sizes))?;
        println!("{}: {} sizes", path.display(), sizes.len());
    }
    Ok(())
}

/// Of every number in what `Debug` prints of a cost table, the middle one.
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

/// The file: what `Debug` prints of a cost table is nearly Rust.
fn source(kernel: &str, machine: &str, sizes: &[String]) -> String {
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
        "//! Costs of the kernel {kernel} on {machine}, by `make costs`.\n\nuse alloc::borrow::Cow::Borrowed;\n\n\
         use super::super::{{Costs, LEVELS, {lanes}Level, PerByte, Split}};\n\n\
         const MEMORY: [Level; LEVELS.len()] = {memory};\n\npub const SIZES: &[Costs] = &[\n{rows}];\n"
    )
}
