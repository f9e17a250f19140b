//! Prints the tables of `docs/common-operand.md`: the operations of the paper's algorithms, counted
//! word by word.
//!
//! `cargo run --release -p moduli-papers --example common_operand_tables`

fn main() -> Result<(), moduli::Error> {
    print!("{}", moduli_papers::common_operand::common_operand_text()?);
    Ok(())
}
