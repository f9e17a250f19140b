//! `prove [--kernel K] [--bits B | --words N] [--operation OP]`: proves operations of the kernels and prints a table.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod command {
    use moduli_kernel::KernelChoice;
    use prove::{
        checker,
        failure::{Failure, Reason, Result},
        prover,
        specification::Operation,
        subject::Subject,
    };
    use std::{process::ExitCode, time::Instant};

    /// What is asked for.
    #[derive(Default)]
    struct Wanted {
        kernel: Option<String>,
        bits: Option<usize>,
        operation: Option<String>,
    }

    /// The longest modulus of the kernel whose operations are proved at every length, in words.
    const LONGEST: usize = 39;

    fn arguments() -> std::result::Result<Wanted, String> {
        let mut wanted = Wanted::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{name} wants a value"))?;
            let number = || value.parse::<usize>().map_err(|_| format!("{value} is no number"));
            match name.as_str() {
                "--kernel" => wanted.kernel = Some(value),
                "--bits" => wanted.bits = Some(number()?),
                "--words" => wanted.bits = Some(64 * number()?),
                "--operation" => wanted.operation = Some(value),
                _ => return Err(format!("{name} is not known")),
            }
        }
        Ok(wanted)
    }

    fn prove(choice: KernelChoice, bits: usize, operation: Operation) -> Result<String> {
        let start = Instant::now();
        let recording = Subject::new(choice, bits)?.record(operation, 1)?;
        let (lifted, statement) = recording.lift()?;
        let certificate = prover::prove(&lifted.integers, &statement)?;
        let found = start.elapsed();
        checker::check(&lifted.integers.system, &statement, &certificate)?;
        let checked = start.elapsed() - found;
        Ok(format!(
            "{:>8} {:>8} {:>9} {:>7.3} {:>7.3} {:>6} {:>9}",
            lifted.instructions,
            lifted.symbolic,
            lifted.integers.system.definitions.len(),
            found.as_secs_f64(),
            checked.as_secs_f64(),
            certificate.zeros.len(),
            certificate.to_bytes().len(),
        ))
    }

    pub fn run() -> ExitCode {
        let wanted = match arguments() {
            Ok(wanted) => wanted,
            Err(what) => {
                eprintln!("prove: {what}");
                return ExitCode::from(2);
            }
        };
        let kernel = wanted.kernel.as_deref().unwrap_or("adx");
        let Some(&choice) = KernelChoice::ALL.iter().find(|choice| choice.name() == kernel) else {
            eprintln!("prove: there is no kernel {kernel}");
            return ExitCode::from(2);
        };
        let operations: Vec<_> = Operation::ALL
            .into_iter()
            .filter(|operation| wanted.operation.as_ref().is_none_or(|name| name == operation.name()))
            .collect();
        if operations.is_empty() {
            eprintln!("prove: there is no operation {}", wanted.operation.unwrap_or_default());
            return ExitCode::from(2);
        }
        let sizes = match wanted.bits {
            Some(bits) => vec![bits],
            None => (1..=LONGEST).map(|words| 64 * words).collect(),
        };
        println!(
            "kernel   operation        bits  executed symbolic  integers   found checked  zeros     bytes"
        );
        let (start, mut proved) = (Instant::now(), 0);
        for operation in operations {
            for &bits in &sizes {
                let result = if bits < 2 {
                    Err(Failure::new(Reason::NoTrace, "a modulus above 1 has two bits at least"))
                } else {
                    prove(choice, bits, operation)
                };
                match result {
                    Ok(row) => println!("{kernel:<8} {:<15} {bits:>5} {row}", operation.name()),
                    Err(failure) => {
                        eprintln!("prove: {kernel} {} at {bits} bits: {failure}", operation.name());
                        return ExitCode::FAILURE;
                    }
                }
                proved += 1;
            }
        }
        println!("{proved} proved and checked in {:.1} s", start.elapsed().as_secs_f64());
        ExitCode::SUCCESS
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn main() -> std::process::ExitCode {
    command::run()
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn main() {
    eprintln!("prove: Linux on x86-64 is wanted");
}
