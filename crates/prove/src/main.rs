//! `prove [--kernel K] [--bits B | --words N] [--operation OP] [--long] [--threads T] [--in FILE]...
//! [--aarch64 PROGRAM]` proves operations of the kernels and prints a table. For a single operation it also
//! prints what its proof takes on trust. With a program for 64-bit ARM processors, it proves those operations
//! of the kernel `aarch64` in it.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod command {
    use checkmem::elf::Elf;
    use moduli_kernel::{KernelChoice, proofs::IFMA52_POWERS};
    use prove::{
        arm::program::Program,
        jobs,
        proof::{Job, Proved, memory},
        queue,
        shipped::{self, Code},
        specification::Operation,
        subject::can_be_made,
    };
    use std::{path::PathBuf, process::ExitCode, thread, time::Instant};

    /// The request.
    #[derive(Default)]
    struct Wanted {
        kernel: Option<KernelChoice>,
        bits: Option<usize>,
        operation: Option<String>,
        threads: Option<usize>,
        is_long: bool,
        files: Vec<PathBuf>,
        program: Option<PathBuf>,
    }

    const HEAD: &str =
        "kernel   operation        bits  executed symbolic  integers   found checked lemmas     bytes";

    fn arguments() -> Result<Wanted, String> {
        let mut wanted = Wanted::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            if name == "--long" {
                wanted.is_long = true;
                continue;
            }
            let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
            let number = || value.parse::<usize>().map_err(|_| format!("{value} is no number"));
            match name.as_str() {
                "--kernel" => {
                    let kernel = KernelChoice::ALL
                        .iter()
                        .chain([&IFMA52_POWERS])
                        .find(|kernel| kernel.name() == value);
                    wanted.kernel = Some(*kernel.ok_or_else(|| format!("there is no kernel {value}"))?);
                }
                "--bits" => wanted.bits = Some(length(number()?)?),
                "--words" => wanted.bits = Some(length(number()?.saturating_mul(64))?),
                "--in" => wanted.files.push(value.into()),
                "--aarch64" => wanted.program = Some(value.into()),
                "--threads" => wanted.threads = Some(number()?),
                "--operation" => wanted.operation = Some(value),
                _ => return Err(format!("{name} is not known")),
            }
        }
        Ok(wanted)
    }

    /// Bits of a modulus above 1.
    fn length(bits: usize) -> Result<usize, String> {
        if bits < 2 { Err(format!("a modulus above 1 has 2 bits or more, not {bits}")) } else { Ok(bits) }
    }

    /// An error for the first job that takes more memory than there is. The estimate of the memory may be
    /// twice too high for some jobs.
    fn too_large(jobs: &[Job], available: u64) -> Option<String> {
        let job = jobs.iter().find(|job| job.memory() / 2 > available)?;
        Some(format!("{} takes some {} MiB of memory; there are {available}", job.name(), job.memory() / 2))
    }

    /// The error in the requested names, if there is one.
    fn misnamed(wanted: &Wanted) -> Option<String> {
        if wanted.kernel == Some(KernelChoice::AARCH64) && wanted.program.is_none() {
            return Some("aarch64 is proved by `make prove-aarch64`".to_string());
        }
        let name = wanted.operation.as_deref()?;
        let others =
            [Operation::MulPair, Operation::MulPrepared(2), Operation::Prepare(2), Operation::Reduce];
        let all = Operation::ALL.into_iter().chain(others).chain(Operation::TWO).chain(Operation::ROWS);
        let names: Vec<_> =
            all.chain(Operation::LANES).chain(Operation::INVERSION).map(Operation::name).collect();
        let is_known = name.split('/').next().is_some_and(|name| names.contains(&name));
        (!is_known).then(|| format!("there is no operation {name}; there are {}", names.join(", ")))
    }

    /// The jobs, in the order of the table. Kernels that cannot be made on this processor are reported.
    fn jobs(wanted: &Wanted) -> Vec<Job> {
        let is_wanted = |kernel: &&KernelChoice| match wanted.kernel {
            _ if wanted.program.is_some() => **kernel == KernelChoice::AARCH64,
            Some(wanted) => wanted == **kernel,
            None => jobs::KERNELS.contains(kernel),
        };
        let mut all = Vec::new();
        for &kernel in KernelChoice::ALL.iter().chain([&IFMA52_POWERS]).filter(is_wanted) {
            let Wanted { bits, is_long, .. } = *wanted;
            let of_kernel =
                jobs::jobs(kernel, &jobs::Wanted { bits, operation: wanted.operation.as_deref(), is_long });
            if wanted.program.is_some() || can_be_made(kernel) {
                all.extend(of_kernel);
            } else if !of_kernel.is_empty() {
                println!("{:<8} skipped: it cannot be made on this processor", kernel.name());
            }
        }
        all
    }

    fn row(job: &Job, proved: &Proved) -> String {
        let Proved { executed, symbolic, integers, seconds: [found, checked], lemmas, bytes, .. } = proved;
        let (kernel, operation) = (job.kernel.name(), job.operation.to_string());
        format!(
            "{kernel:<8} {operation:<15} {:>5} {executed:>9} {symbolic:>8} {integers:>9} {found:>7.3} {checked:>7.3} \
             {lemmas:>6} {bytes:>9}",
            job.bits
        )
    }

    /// Prints what the proof of one operation takes on trust.
    fn print_trust(job: &Job, proved: &Proved) {
        let counted = |count: usize, name: &str| format!("{name} ({count})");
        let rules: Vec<_> = proved.rules.iter().map(|(name, &count)| counted(count, name)).collect();
        println!("taken on trust: the rules of {}", rules.join(", "));
        for (name, count) in &proved.calls {
            println!("taken on trust: what {name} does, called {count} times");
        }
        let constants = match job.kernel.name() {
            _ if matches!(job.operation, Operation::UpdateDe | Operation::Invert) => {
                "inverse·N ≡ 1 modulo 2^62"
            }
            _ if Operation::INVERSION.contains(&job.operation) => "nothing of constants",
            _ if job.operation == Operation::Reduce => "the reciprocal is ⌊2^(b + 63)/N⌋ for N of b bits",
            "fma50" => "the matrix, the sum of the products of its rows, K, Q, R modulo N and the reciprocal",
            "ifma52" | "ifma52-powers" => "H, S, the inverse modulo 2^52, E, 12·N, N and the reciprocal",
            _ => "inverse·N ≡ −1 modulo 2^64; E ≡ R² modulo N and E < N",
        };
        println!("taken on trust: {constants}; and what docs/proof.md lists");
    }

    /// Prints for each file whether all executed code was found in it; returns whether it was found in all of
    /// them.
    fn find_in(files: &[PathBuf], code: &Code) -> bool {
        let patterns = if files.is_empty() { Vec::new() } else { shipped::patterns(code) };
        let mut is_everywhere = true;
        for file in files {
            let name = file.display();
            let Some(elf) = Elf::read(file) else {
                println!("{name}: no such ELF file");
                is_everywhere = false;
                continue;
            };
            let found = shipped::find(&patterns, &elf);
            let count = found.iter().filter(|&&is_there| is_there).count();
            println!("{name} contains {count} of {} proved functions, byte for byte", patterns.len());
            for (pattern, _) in patterns.iter().zip(&found).filter(|(_, is_there)| !**is_there) {
                println!("{name}: {}, {} instructions, is not found", pattern.name, pattern.instructions);
            }
            is_everywhere &= count == patterns.len();
        }
        is_everywhere
    }

    pub fn run() -> ExitCode {
        let wanted = match arguments() {
            Ok(wanted) => wanted,
            Err(what) => {
                eprintln!("prove: {what}");
                return ExitCode::from(2);
            }
        };
        if let Some(what) = misnamed(&wanted) {
            eprintln!("prove: {what}");
            return ExitCode::from(2);
        }
        let program = match wanted.program.as_deref().map(Program::read).transpose() {
            Ok(program) => program,
            Err(failure) => {
                eprintln!("prove: {failure}");
                return ExitCode::FAILURE;
            }
        };
        let prove = |job: &Job| match &program {
            Some(program) => job.prove_in(program),
            None => job.prove(),
        };
        let jobs = jobs(&wanted);
        if jobs.is_empty() {
            eprintln!("prove: there is nothing to prove here");
            let is_skipped = wanted.kernel.is_some_and(|kernel| !can_be_made(kernel));
            return if is_skipped { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        let threads = wanted.threads.or_else(|| thread::available_parallelism().ok().map(usize::from));
        let (_, available) = memory();
        if let Some(what) = too_large(&jobs, available) {
            eprintln!("prove: {what}");
            return ExitCode::from(2);
        }
        // Proofs use half of the available memory.
        let limit = available / 2;
        println!("{HEAD}");
        let start = Instant::now();
        let (mut proved, mut failed, mut told) = (0, 0, 0);
        let mut code = Code::new();
        queue::work(
            &jobs,
            threads.unwrap_or(1),
            limit,
            Job::memory,
            prove,
            |place, result| match result {
                Ok(result) => {
                    proved += 1;
                    println!("{}", row(&jobs[place], &result));
                    if jobs.len() == 1 {
                        print_trust(&jobs[place], &result);
                    }
                    code.extend(result.code);
                }
                Err(failure) => {
                    failed += 1;
                    println!("{}: {failure}", jobs[place].name());
                    eprintln!("prove: {}: {failure}", jobs[place].name());
                }
            },
            // A row of the table waits for those before it. Until then, print the progress.
            |count| {
                let seconds = start.elapsed().as_secs();
                if seconds >= told + 5 {
                    told = seconds;
                    eprintln!("prove: {count} of {} after {seconds} s", jobs.len());
                }
            },
        );
        let (seconds, memory) = (start.elapsed().as_secs_f64(), memory().0);
        let unproven = if failed == 0 { String::new() } else { format!(", {failed} not") };
        println!("{proved} proved and checked{unproven} in {seconds:.1} s, {memory} MiB at most");
        let is_found = find_in(&wanted.files, &code);
        if failed == 0 && is_found { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn main() -> std::process::ExitCode {
    command::run()
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn main() {
    eprintln!("prove: Linux on x86-64 is required");
}
