//! Prints the tables of `docs/common-operand.md`: what the paper's algorithms really do, counted word by word.
//!
//! `cargo run --release -p moduli-papers --example common_operand_tables`

fn main() -> Result<(), moduli::Error> {
    print!("{}", moduli_papers::common_operand::common_operand_text()?);
    Ok(())
}
