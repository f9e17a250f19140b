//! The contents of read-only memories, for `$readmemh` and as tables.

use std::{collections::BTreeSet, fmt::Write};

use serde::Serialize;

use super::bits::Bits;

/// When the data for an address appear.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// In the same cycle.
    Asynchronous,
    /// After the next clock edge.
    Synchronous,
}

/// A memory, with one content for the core or one per channel.
pub struct Rom {
    pub name: &'static str,
    /// The prefix of its parameters.
    pub prefix: &'static str,
    pub read: Read,
    pub width: u32,
    pub contents: Contents,
}

/// The contents from address 0. Missing words, up to the depth, are 0.
pub enum Contents {
    /// The memory does not exist. Two words, each a single 0 bit, replace it.
    Absent,
    Core(Vec<Bits>),
    Channels(Vec<Vec<Bits>>),
}

/// The size of a memory.
#[derive(Serialize)]
pub struct Size {
    name: &'static str,
    /// 1, or the number of channels.
    copies: usize,
    width: u32,
    depth: usize,
    /// The words of one copy, up to the last that is used.
    used: usize,
    /// The number of different nonzero words in the first copy.
    distinct: usize,
}

impl Size {
    /// The bits of all copies.
    pub fn bits(&self) -> u64 {
        self.copies as u64 * self.depth as u64 * u64::from(self.width)
    }
}

/// Whether a file with this name, without its suffix, may contain a memory of the core or of one of
/// its channels.
pub fn is_memory(stem: &str) -> bool {
    match stem.split_once('_') {
        Some((name, channel)) => {
            matches!(name, "mul" | "add" | "ext")
                && channel.len() == 4
                && channel.bytes().all(|digit| digit.is_ascii_digit())
        }
        None => matches!(stem, "out" | "program" | "words"),
    }
}

impl Rom {
    fn copies(&self) -> &[Vec<Bits>] {
        match &self.contents {
            Contents::Absent => &[],
            Contents::Core(words) => std::slice::from_ref(words),
            Contents::Channels(channels) => channels,
        }
    }

    /// The number of words: a power of two and at least 2. For microcode, which is long, a multiple
    /// of 256.
    pub fn depth(&self) -> usize {
        let depth = self.used().next_power_of_two().max(2);
        if self.name == "words" { depth.min(self.used().next_multiple_of(256).max(2)) } else { depth }
    }

    fn used(&self) -> usize {
        self.copies().iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The length of an address in bits.
    pub fn address_width(&self) -> u32 {
        self.depth().next_power_of_two().ilog2()
    }

    /// The size of this memory.
    pub fn size(&self) -> Size {
        let words: BTreeSet<&Bits> = self.copies().first().into_iter().flatten().collect();
        let distinct = words.into_iter().filter(|word| !word.is_zero()).count();
        let (copies, used) = (self.copies().len(), self.used());
        Size { name: self.name, copies, width: self.width, depth: self.depth(), used, distinct }
    }

    /// The names and texts of the files for `$readmemh`.
    pub fn memory_files(&self) -> Vec<(String, String)> {
        let text = |words: &Vec<Bits>| {
            let zero = Bits::of(0, self.width);
            let padded = words.iter().chain(std::iter::repeat_n(&zero, self.depth() - words.len()));
            padded.fold(String::new(), |text, word| text + &word.hex() + "\n")
        };
        match &self.contents {
            Contents::Absent => Vec::new(),
            Contents::Core(words) => vec![(format!("{}.hex", self.name), text(words))],
            Contents::Channels(channels) => {
                let named = channels.iter().enumerate();
                named.map(|(i, words)| (format!("{}_{i:04}.hex", self.name), text(words))).collect()
            }
        }
    }

    /// The module with its contents as tables. An absent memory returns 0.
    pub fn case_module(&self) -> String {
        let width = match self.contents {
            Contents::Absent => 1,
            _ => self.width,
        };
        let address = self.address_width();
        let parameter = match self.contents {
            Contents::Core(_) => "",
            _ => " #(parameter int Channel = 0)",
        };
        let parameter = if matches!(self.name, "out" | "program" | "words") { "" } else { parameter };
        let clock = if self.read == Read::Synchronous { "  input  logic clk_i,\n" } else { "" };
        let mut text = format!(
            "module moduli_rns_rom_{}{parameter} (\n{clock}  input  logic [{}:0] addr_i,\n  output logic [{}:0] data_o\n);\n",
            self.name,
            address - 1,
            width - 1
        );
        if self.copies().is_empty() {
            text.push_str("  // Not part of this core.\n  logic unused;\n");
            let inputs = if self.read == Read::Synchronous { "{clk_i, addr_i}" } else { "addr_i" };
            let _ = writeln!(text, "  assign unused = ^{inputs};\n  assign data_o = '0;");
        } else {
            let (target, table) = match self.read {
                Read::Synchronous => ("data", case_table as Table),
                Read::Asynchronous => ("data_o", array_table as Table),
            };
            if self.read == Read::Synchronous {
                let _ = writeln!(
                    text,
                    "  logic [{}:0] data;\n  always_ff @(posedge clk_i) data_o <= data;",
                    width - 1
                );
            }
            match &self.contents {
                Contents::Channels(channels) => {
                    for (i, words) in channels.iter().enumerate() {
                        let start = if i == 0 { "  if" } else { " else if" };
                        let _ = writeln!(text, "{start} (Channel == {i}) begin : gen_channel_{i}");
                        table(&mut text, words, address, width);
                        text.push_str("  end");
                    }
                    let _ = writeln!(text, " else begin : gen_none\n    assign {target} = '0;\n  end");
                }
                _ => self.copies().iter().for_each(|words| table(&mut text, words, address, width)),
            }
        }
        text.push_str("endmodule\n");
        text
    }
}

/// Writes a table of words, given the lengths of an address and of a word in bits.
type Table = fn(&mut String, &[Bits], u32, u32);

/// A table followed by a register. Zero words are left to the default.
fn case_table(text: &mut String, words: &[Bits], address: u32, width: u32) {
    text.push_str("    always_comb begin\n      case (addr_i)\n");
    for (i, word) in words.iter().enumerate().filter(|(_, word)| !word.is_zero()) {
        let _ = writeln!(text, "        {address}'d{i}: data = {};", word.literal());
    }
    let _ = writeln!(text, "        default: data = {width}'h0;\n      endcase\n    end");
}

/// A table that is read within a cycle, selected word by word. From a `case` or an index, Yosys
/// would infer a memory and move the address register behind it, so the previous cycle would have
/// to wait for it.
fn array_table(text: &mut String, words: &[Bits], address: u32, width: u32) {
    let _ = writeln!(text, "    localparam logic [{}:0][{}:0] Words = {{", words.len() - 1, width - 1);
    let literals: Vec<String> = words.iter().rev().map(|word| format!("      {}", word.literal())).collect();
    let _ = writeln!(text, "{}\n    }};\n    always_comb begin\n      data_o = '0;", literals.join(",\n"));
    let _ = writeln!(
        text,
        "      for (int i = 0; i < {}; i++) if (addr_i == {address}'(i)) data_o = Words[i];\n    end",
        words.len()
    );
}
