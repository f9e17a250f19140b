//! A program as it is understood: every line with the bound of its result.

use alloc::{format, string::String};
use core::fmt::Write;

use super::{
    assembled::Assembled,
    fault::UNIT,
    instruction::{Instruction, Register},
};

/// A line for every instruction: its line in the text, what it does, and below which multiple of P its result stays.
pub fn listing(program: &Assembled) -> String {
    let names = program.program().registers();
    let name = |register: Register| match register {
        Register::Fixed(number) => names[number].clone(),
        Register::Chosen { first, other } => {
            let pair = names[first].trim_end_matches("[0]");
            format!("{pair}[{}bit]", if other { "~" } else { "" })
        }
    };
    let mut text = String::new();
    for (index, &(line, instruction)) in program.program().lines().iter().enumerate() {
        let bound = program.bounds()[index];
        let Some(target) = instruction.target() else { continue };
        let hundredths = (u128::from(bound.below) * 100).div_ceil(u128::from(UNIT));
        let _ =
            write!(text, "line {line}: {} < {}.{:02}·P", name(target), hundredths / 100, hundredths % 100);
        if let Instruction::Subtract(..) = instruction {
            let _ = write!(text, ", {}·P added", bound.multiple);
        }
        text.push('\n');
    }
    text
}
