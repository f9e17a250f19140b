//! An inverse that is computed in residues, and what it costs. `cargo run --release -p moduli-rns --example
//! inverse`
//!
//! The same without Rust: `moduli inv --algorithm jump --count`; in hardware: `moduli hdl` and the folder
//! `hdl`.

use crypto_bigint::BoxedUint;
use moduli::{Error, Modulus};
use moduli_rns::{
    base::BaseShape,
    fields::Field,
    inverse::{BinaryTernary, Jump, Options},
    observe::Counter,
};

fn main() -> Result<(), Error> {
    let p = Field::named("P-256")?.prime();
    let a = BoxedUint::from(123_456_789u64);
    let expected = Modulus::new(&p)?.invert_vartime(&a)?;

    // Nine moduli of 32 bits; constant-time.
    let jump = Jump::new(&p, BaseShape::new(9, 32), 31)?;
    assert_eq!(jump.invert(&a)?, expected);

    // What FPGAs do, and how many operations on channels that takes: eight moduli of 33 bits, variable-time.
    let plus_minus = BinaryTernary::new(&p, BaseShape::new(8, 33), &Options::default())?;
    let mut counter = Counter::default();
    assert_eq!(plus_minus.invert_observed_vartime(&a, &mut counter)?, expected);
    println!("{:?}", counter.total());
    Ok(())
}
