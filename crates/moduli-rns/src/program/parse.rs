//! The parser for the text of a program.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use super::{
    fault::{Fault, Reason},
    instruction::{Instruction, Named, Program, Register, Rest, Scalar},
};

/// A register as written in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written<'a> {
    Single(&'a str),
    Indexed(&'a str, usize),
    Chosen(&'a str, bool),
}

impl<'a> Written<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (name, index) = match text.split_once('[') {
            Some((name, index)) => (name, Some(index.strip_suffix(']')?)),
            None => (text, None),
        };
        let letter = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !letter
            || !name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
            || KEYWORDS.contains(&name)
        {
            return None;
        }
        Some(match index {
            None => Self::Single(name),
            Some("0") => Self::Indexed(name, 0),
            Some("1") => Self::Indexed(name, 1),
            Some("bit") => Self::Chosen(name, false),
            Some("~bit") => Self::Chosen(name, true),
            Some(_) => return None,
        })
    }

    fn name(self) -> &'a str {
        match self {
            Self::Single(name) | Self::Indexed(name, _) | Self::Chosen(name, _) => name,
        }
    }

    fn is_pair(self) -> bool {
        !matches!(self, Self::Single(_))
    }
}

const KEYWORDS: [&str; 11] =
    ["load", "random", "pairs", "store", "check", "constant", "scalar", "next", "loop", "end", "prime"];

/// The names found so far, of pairs and of single registers.
#[derive(Default)]
struct Names {
    pairs: Vec<String>,
    singles: Vec<String>,
    constants: Vec<Named>,
}

fn number(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

impl Names {
    /// The registers of pair k get the numbers 2k and 2k + 1. Single registers are numbered after all pairs,
    /// once these are known.
    fn register(&mut self, text: &str) -> Result<Register, Reason> {
        let unreadable = || Reason::Unreadable(format!("{text:?} is not a register"));
        let written = Written::read(text).ok_or_else(unreadable)?;
        let (mine, others) = match written.is_pair() {
            true => (&mut self.pairs, &self.singles),
            false => (&mut self.singles, &self.pairs),
        };
        if others.iter().any(|other| other == written.name()) {
            return Err(Reason::Ambiguous(written.name().to_owned()));
        }
        let at = number(mine, written.name());
        Ok(match written {
            Written::Single(_) => Register::Fixed(SINGLES + at),
            Written::Indexed(_, index) => Register::Fixed(2 * at + index),
            Written::Chosen(_, other) => Register::Chosen { first: 2 * at, other },
        })
    }

    fn constant(&mut self, text: &str) -> Result<usize, Reason> {
        let number = text.starts_with(|c: char| c.is_ascii_digit());
        let named = if number {
            if !text.bytes().all(|c| c.is_ascii_hexdigit()) {
                return Err(Reason::Unreadable(format!("{text:?} is not a hexadecimal number")));
            }
            Named::Number(text.to_owned())
        } else {
            if !matches!(Written::read(text), Some(Written::Single(_))) {
                return Err(Reason::Unreadable(format!("{text:?} is neither a number nor a name")));
            }
            Named::Given(text.to_owned())
        };
        Ok(self.constants.iter().position(|known| *known == named).unwrap_or_else(|| {
            self.constants.push(named);
            self.constants.len() - 1
        }))
    }
}

/// The numbers of single registers begin here until all pairs are known.
const SINGLES: usize = 1 << 16;

impl Program {
    /// Parses a program and ignores its checks.
    ///
    /// # Errors
    /// A [`Fault`] for the first line that is not an instruction, exceeds the maximum number of instructions,
    /// reads a register that has not been written, or leaves a loop open.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        Self::read(text, false)
    }

    /// Parses a program with its checks, which are the lines that begin with `check`.
    ///
    /// # Errors
    /// As for [`Program::parse`], and if a check follows a result.
    pub fn parse_with_checks(text: &str) -> Result<Self, Fault> {
        Self::read(text, true)
    }

    fn read(text: &str, checks: bool) -> Result<Self, Fault> {
        let mut names = Names::default();
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() || (!checks && line.starts_with("check ")) {
                continue;
            }
            if lines.len() == Self::MOST {
                return Err(Fault { line: index + 1, reason: Reason::Long { most: Self::MOST } });
            }
            let instruction =
                instruction(line, &mut names).map_err(|reason| Fault { line: index + 1, reason })?;
            lines.push((index + 1, instruction));
        }
        let pairs = 2 * names.pairs.len();
        let place = |register: Register| match register {
            Register::Fixed(number) if number >= SINGLES => Register::Fixed(number - SINGLES + pairs),
            other => other,
        };
        for (_, instruction) in &mut lines {
            *instruction = instruction.with_registers(place);
        }
        let of_pairs = names.pairs.iter().flat_map(|name| [format!("{name}[0]"), format!("{name}[1]")]);
        let registers: Vec<String> = of_pairs.chain(names.singles).collect();
        let this = Self { lines, registers, pairs: pairs / 2, constants: names.constants };
        this.check()?;
        Ok(this)
    }

    /// Checks that loops are closed and contain only allowed instructions, and that registers are written
    /// before they are read.
    fn check(&self) -> Result<(), Fault> {
        let mut written = alloc::vec![false; self.registers.len()];
        let (mut open, mut placed, mut stored) = (None, false, false);
        for &(line, instruction) in &self.lines {
            let fault = |reason| Err(Fault { line, reason });
            match (instruction, open) {
                (Instruction::Loop(_), Some(_)) | (Instruction::End, None) => return fault(Reason::Nesting),
                (Instruction::Loop(_), None) => open = Some(line),
                (Instruction::End, Some(_)) => open = None,
                (Instruction::Load(_), Some(_)) => return fault(Reason::InLoop("load")),
                (Instruction::Random(_), Some(_)) => return fault(Reason::InLoop("random")),
                (Instruction::Places, _) if placed || written[..2 * self.pairs].contains(&true) => {
                    return fault(Reason::Placed);
                }
                (Instruction::Places, _) => placed = true,
                (Instruction::Store(_), Some(_)) => return fault(Reason::InLoop("store")),
                (Instruction::Store(_), None) => stored = true,
                (Instruction::Check(_), Some(_)) => return fault(Reason::InLoop("check")),
                (Instruction::Check(_), None) if stored => return fault(Reason::Late),
                (Instruction::Scalar(_), Some(_)) => return fault(Reason::InLoop("a new scalar")),
                (Instruction::Next, Some(_)) => return fault(Reason::InLoop("next")),
                _ => {}
            }
            let chosen = instruction.target().filter(|target| matches!(target, Register::Chosen { .. }));
            for register in instruction.sources().into_iter().flatten().chain(chosen) {
                if let Some(number) = register.candidates().find(|&number| !written[number]) {
                    return fault(Reason::Unwritten(self.registers[number].clone()));
                }
            }
            if let Some(Register::Fixed(number)) = instruction.target() {
                written[number] = true;
            }
        }
        open.map_or(Ok(()), |line| Err(Fault { line, reason: Reason::Nesting }))
    }
}

fn instruction(line: &str, names: &mut Names) -> Result<Instruction, Reason> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Ok(match words[..] {
        ["next"] => Instruction::Next,
        ["end"] => Instruction::End,
        ["loop"] => Instruction::Loop(Rest::Bits(0)),
        ["loop", "but", "half"] => Instruction::Loop(Rest::Half),
        ["loop", "but", count] => {
            let wrong = |_| Reason::Unreadable(format!("{count:?} is not a number of bits"));
            Instruction::Loop(Rest::Bits(count.parse().map_err(wrong)?))
        }
        ["store", from] => Instruction::Store(names.register(from)?),
        ["check", from] => Instruction::Check(names.register(from)?),
        ["check", ..] => instruction(line.trim_start_matches("check").trim_start(), names)?,
        ["pairs", "=", "random"] => Instruction::Places,
        ["scalar", "=", "load"] => Instruction::Scalar(Scalar::Operand),
        ["scalar", "=", "load", "+", "order"] => Instruction::Scalar(Scalar::Completed),
        ["scalar", "=", "prime", "-", "2"] => Instruction::Scalar(Scalar::Inverse),
        _ => {
            let Some((to, value)) = line.split_once('=') else {
                return Err(Reason::Unreadable(format!("{line:?} is not an instruction")));
            };
            // Sources are named before the target, so that the names are in the order of the text.
            assignment(to.trim(), value.trim(), names)?
        }
    })
}

fn assignment(to: &str, value: &str, names: &mut Names) -> Result<Instruction, Reason> {
    let to = names.register(to)?;
    if value == "load" {
        return Ok(Instruction::Load(to));
    }
    if value == "random" {
        return Ok(Instruction::Random(to));
    }
    if let Some(constant) = value.strip_prefix("constant ") {
        return Ok(Instruction::Constant(to, names.constant(constant.trim())?));
    }
    let twice = value.strip_prefix("2(").and_then(|rest| rest.strip_suffix(')'));
    let expression = twice.unwrap_or(value);
    let (twice, words) = (twice.is_some(), expression.split_whitespace().collect::<Vec<&str>>());
    match words[..] {
        [a, operator, b] => {
            let all = [to, names.register(a)?, names.register(b)?];
            match operator {
                "*" if !twice => Ok(Instruction::Multiply(all)),
                "+" => Ok(Instruction::Add(all, twice)),
                "-" => Ok(Instruction::Subtract(all, twice)),
                _ => Err(Reason::Unreadable(format!("{value} is not an operation"))),
            }
        }
        [a] if !twice => Ok(Instruction::Copy([to, names.register(a)?])),
        _ => Err(Reason::Unreadable(format!("{value:?} is not an operation"))),
    }
}
