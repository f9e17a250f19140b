//! `prove [--kernel K] [--bits B | --words N] [--operation OP]`: proves operations of the kernels and prints a table.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod command {
    use moduli_kernel::KernelChoice;
    use prove::{
        certificate::Certificate,
        checker, doubles,
        failure::{Failure, Reason, Result},
        prover,
        specification::Operation,
        subject::Subject,
        two,
    };
    use std::{process::ExitCode, time::Instant};

    /// What is asked for.
    #[derive(Default)]
    struct Wanted {
        kernel: Option<String>,
        bits: Option<usize>,
        operation: Option<String>,
    }

    /// Bits of a modulus at which all is proved that is proved of a kernel. Of kernels of whole words: every length up to where products
    /// are taken in halves, and the lengths of 3072 and 4096 bits. Of digits in doubles: the longest for each number of digits, or whole
    /// words. Of strips of digits: the longest of each kind, and whole words but for
    /// products by pieces.
    fn lengths(choice: KernelChoice, operation: Operation) -> Vec<usize> {
        if choice == KernelChoice::FMA50 {
            use Operation::{Add, Mul, MulPrepared, Square, Sub, ToMontgomery};
            let longest = |digits: usize| 50 * digits - 55 - digits.ilog2() as usize;
            if let MulPrepared(split) = operation {
                // As many pieces as vectors, or one more: then it is a matrix.
                let digits = (2..=44).step_by(2).chain([84]);
                return digits
                    .filter(|digits: &usize| digits.div_ceil(4) + 1 >= split.into())
                    .map(longest)
                    .collect();
            }
            let long = match operation {
                Mul | Square | ToMontgomery => &[7680, 8192][..],
                _ => &[7680, 8192, 15360, 16384],
            };
            // What works on residues alone is one program for all moduli of as many digits: the longest of each.
            let lengths: Vec<_> = if matches!(operation, Mul | Square | Add | Sub) {
                (2..=84).step_by(2).map(longest).collect()
            } else {
                (1..=64).map(|words| 64 * words).collect()
            };
            return lengths.into_iter().chain(long.iter().copied()).collect();
        }
        if choice != KernelChoice::IFMA52 {
            return (1..=39).chain([48, 64]).map(|words| 64 * words).collect();
        }
        let strips = [4, 8, 12, 16, 20, 24, 30, 32, 40, 48, 56, 60, 64, 72, 80];
        let longest = |digits: usize| 52 * digits - 8;
        if let Operation::MulPrepared(split) = operation {
            // As many pieces as strips at most: of up to 20 digits there are four.
            return strips.into_iter().filter(|&digits| split <= 4 || digits > 20).map(longest).collect();
        }
        if matches!(operation, Operation::MulTwo | Operation::SquareTwo) {
            // Longer ones are taken one after the other.
            return strips.into_iter().filter(|&digits| digits <= 40).map(longest).collect();
        }
        let mut lengths: Vec<_> = (1..=64).map(|words| 64 * words).chain(strips.map(longest)).collect();
        // Longer residues have their digits in order: products of these are not proved yet.
        if matches!(operation, Operation::Add | Operation::Sub | Operation::Load | Operation::Store) {
            lengths.extend([7680, 8192, 15360, 16384]);
        }
        lengths.sort_unstable();
        lengths
    }

    /// Whether an operation is there at a length, and proved: there are as many pieces as strips at most, two moduli at a time up to 40
    /// digits, and no products of longer residues than strips hold.
    fn is_there(choice: KernelChoice, operation: Operation, bits: usize) -> bool {
        use Operation::{Add, Load, MulPrepared, MulTwo, SquareTwo, Store, Sub, Swap};
        if let MulPrepared(split) = operation
            && choice == KernelChoice::FMA50
        {
            let is_enough = |digits: &usize| 50 * digits >= bits + 55 + digits.ilog2() as usize;
            let digits = (2..).step_by(2).find(is_enough).unwrap_or(2);
            return digits.div_ceil(4) + 1 >= split.into();
        }
        let digits = (bits + 8).div_ceil(52);
        choice != KernelChoice::IFMA52
            || match operation {
                Add | Sub | Load | Store | Swap => true,
                MulPrepared(split) => digits <= 80 && split <= if digits <= 20 { 4 } else { 8 },
                MulTwo | SquareTwo => digits <= 40,
                _ => digits <= 80,
            }
    }

    /// The kernels of which something is proved, and what.
    fn subjects() -> Vec<(KernelChoice, Vec<Operation>)> {
        use Operation::{Add, Load, Mul, Square, Store, Sub, Swap, ToMontgomery};
        vec![
            (KernelChoice::ADX, [&Operation::ALL[..], &[Swap]].concat()),
            (KernelChoice::PORTABLE, vec![Add, Sub, Load, Store, Swap]),
            (
                KernelChoice::FMA50,
                [&[Mul, Square, Add, Sub, ToMontgomery, Load, Swap][..], &Operation::PREPARED].concat(),
            ),
            (
                KernelChoice::IFMA52,
                [&Operation::ALL[..], &[Operation::Swap], &Operation::PREPARED, &Operation::TWO].concat(),
            ),
        ]
    }

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
        let (lifted, statements) = match operation {
            Operation::MulTwo | Operation::SquareTwo => two::record(choice, bits, operation, 1)?.lift()?,
            _ if choice == KernelChoice::FMA50 && operation != Operation::Swap => {
                let (lifted, statement) = doubles::record(choice, bits, operation, 1)?.lift()?;
                (lifted, vec![statement])
            }
            _ => {
                let (lifted, statement) = Subject::new(choice, bits)?.record(operation, 1)?.lift()?;
                (lifted, vec![statement])
            }
        };
        let prove = |statement| prover::prove(&lifted.integers, statement);
        let certificates: Vec<_> = statements.iter().map(prove).collect::<Result<_>>()?;
        let found = start.elapsed();
        for (statement, certificate) in statements.iter().zip(&certificates) {
            checker::check(&lifted.integers.system, statement, certificate)?;
        }
        let checked = start.elapsed() - found;
        Ok(format!(
            "{:>8} {:>8} {:>9} {:>7.3} {:>7.3} {:>6} {:>9}",
            lifted.instructions,
            lifted.symbolic,
            lifted.integers.system.definitions.len(),
            found.as_secs_f64(),
            checked.as_secs_f64(),
            certificates.iter().map(Certificate::lemmas).sum::<usize>(),
            certificates.iter().map(|certificate| certificate.to_bytes().len()).sum::<usize>(),
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
        let named = |choice: &KernelChoice| wanted.kernel.as_ref().is_none_or(|name| name == choice.name());
        if !KernelChoice::ALL.iter().any(named) {
            eprintln!("prove: there is no kernel {}", wanted.kernel.unwrap_or_default());
            return ExitCode::from(2);
        }
        let mut subjects: Vec<_> = subjects().into_iter().filter(|(choice, _)| named(choice)).collect();
        // What is asked for by name is tried, whether it is known to be proved or not.
        if let Some(name) = &wanted.operation {
            let all =
                [&Operation::ALL[..], &[Operation::Swap], &Operation::PREPARED, &Operation::TWO].concat();
            let Some(&operation) = all.iter().find(|operation| operation.name() == name) else {
                eprintln!("prove: there is no operation {name}");
                return ExitCode::from(2);
            };
            match &wanted.kernel {
                Some(_) => {
                    let choices = KernelChoice::ALL.iter().filter(|choice| named(choice));
                    subjects = choices.map(|&choice| (choice, vec![operation])).collect();
                }
                None => subjects.iter_mut().for_each(|(_, all)| all.retain(|&other| other == operation)),
            }
        }
        if subjects.is_empty() {
            eprintln!("prove: nothing is proved of this kernel yet");
            return ExitCode::FAILURE;
        }
        for (choice, _) in subjects.iter().filter(|(choice, _)| !choice.is_supported()) {
            println!("{:<8} skipped: this processor lacks its instructions", choice.name());
        }
        subjects.retain(|(choice, _)| choice.is_supported());
        if subjects.is_empty() {
            return ExitCode::SUCCESS;
        }
        println!(
            "kernel   operation        bits  executed symbolic  integers   found checked lemmas     bytes"
        );
        let (start, mut proved) = (Instant::now(), 0);
        for (choice, operation) in
            subjects.iter().flat_map(|(choice, all)| all.iter().map(|&operation| (*choice, operation)))
        {
            let kernel = choice.name();
            // What is asked for by its own name is tried all the same.
            if wanted.operation.is_none()
                && wanted.bits.is_some_and(|bits| !is_there(choice, operation, bits))
            {
                continue;
            }
            for bits in wanted.bits.map_or_else(|| lengths(choice, operation), |bits| vec![bits]) {
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
