//! Code that these tests share.

use moduli_kernel::KernelChoice;
use prove::{
    certificate::Certificate,
    checker, doubles,
    failure::{Reason, Result},
    integers::Integers,
    prover,
    specification::{Operation, Statement},
    subject::{Subject, can_be_made},
};

/// A kernel, if it can be made on this processor. Its instructions are interpreted, so the processor need not
/// have them.
pub fn made(choice: KernelChoice) -> Option<KernelChoice> {
    if !can_be_made(choice) {
        println!("skipped: {} cannot be made on this processor", choice.name());
        return None;
    }
    Some(choice)
}

pub struct Proof {
    pub integers: Integers,
    pub statement: Statement,
    pub certificate: Certificate,
}

impl Proof {
    /// Checks another certificate.
    pub fn check(&self, certificate: &Certificate) -> Result<()> {
        checker::check(&self.integers.system, &self.statement, certificate)
    }
}

/// Proves an operation, and checks the proof.
pub fn prove(choice: KernelChoice, bits: usize, operation: Operation) -> Proof {
    let what = format!("{} {operation} at {bits} bits", choice.name());
    let lifted = if choice == KernelChoice::FMA50 {
        doubles::record(choice, bits, operation, 7).expect(&what).lift()
    } else {
        Subject::new(choice, bits).unwrap().record(operation, 7).expect(&what).lift()
    };
    let (lifted, statement) = lifted.unwrap_or_else(|failure| panic!("{what}: {failure}"));
    let integers = lifted.integers;
    let certificate =
        prover::prove(&integers, &statement).unwrap_or_else(|failure| panic!("{what}: {failure}"));
    let proof = Proof { integers, statement, certificate };
    proof.check(&proof.certificate).unwrap_or_else(|failure| panic!("{what}: {failure}"));
    proof
}

/// Proofs of a kernel's operations, each of which is made once.
pub struct Proofs {
    choice: KernelChoice,
    made: Vec<(usize, Operation, Proof)>,
}

impl Proofs {
    pub fn new(choice: KernelChoice) -> Self {
        Self { choice, made: Vec::new() }
    }

    pub fn of(&mut self, bits: usize, operation: Operation) -> &Proof {
        let known = self.made.iter().position(|made| (made.0, made.1) == (bits, operation));
        let place = known.unwrap_or_else(|| {
            self.made.push((bits, operation, prove(self.choice, bits, operation)));
            self.made.len() - 1
        });
        &self.made[place].2
    }
}

/// Requires that a changed statement is neither shown by the certificate nor provable.
pub fn refuses_statement(proof: &Proof, what: &str, change: impl Fn(&mut Statement)) {
    let (system, mut statement) = (&proof.integers.system, proof.statement.clone());
    change(&mut statement);
    assert!(
        checker::check(system, &statement, &proof.certificate).is_err(),
        "{what}, by the same certificate"
    );
    let found = prover::prove(&proof.integers, &statement)
        .and_then(|certificate| checker::check(system, &statement, &certificate));
    assert!(found.is_err(), "{what}");
}

/// Requires that memory which is not declared is detected where it is read.
pub fn refuses_to_forget(choice: KernelChoice, bits: usize, operation: Operation, name: &str) {
    let mut recording = Subject::new(choice, bits).unwrap().record(operation, 3).unwrap();
    recording.forget(name);
    let failure = recording.lift().err().expect(name);
    assert_eq!(failure.reason, Reason::UndeclaredRead, "{name}: {failure}");
}
