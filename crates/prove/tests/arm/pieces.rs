//! Interprets pieces of code on six words.

use prove::{
    arm::{
        library::Library,
        machine::{Machine, Stop},
        memory::Memory,
        trace::Trace,
    },
    lift::Territory,
};
use testing::Random;

/// The number of words that are read, and of words that are written.
pub const WORDS: usize = 6;

pub const CODE: u64 = 0x1_0000;
pub const DATA: u64 = 0x2_0000;
pub const STACK: u64 = 0x3_0000;

/// Instructions, and their text.
pub struct Piece {
    pub text: String,
    pub code: Vec<u32>,
}

/// All pieces, each with the code before and after it.
pub fn pieces() -> Vec<Piece> {
    let all = include_str!("snippets.txt");
    let blocks = all.split("\n\n").map(|block| {
        let lines =
            block.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_once(' ').unwrap());
        let (code, text): (Vec<_>, Vec<_>) =
            lines.map(|(code, text)| (u32::from_str_radix(code, 16).unwrap(), text)).unzip();
        Piece { text: text.join("; "), code }
    });
    let mut blocks = blocks.filter(|piece| !piece.code.is_empty());
    let (before, after) = (blocks.next().unwrap(), blocks.next().unwrap());
    let whole = |piece: Piece| Piece {
        code: [before.code.clone(), piece.code, after.code.clone()].concat(),
        ..piece
    };
    blocks.map(whole).collect()
}

/// Runs code on words. Returns the results, and the trace if it is requested.
pub fn run(code: &[u32], inputs: &[u64], is_recorded: bool) -> Result<(Vec<u64>, Option<Trace>), Stop> {
    let library = Library::default();
    let mut memory = Memory::default();
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    memory.map(CODE..CODE + bytes.len() as u64);
    memory.map(DATA..DATA + 16 * WORDS as u64);
    memory.map(STACK - 4096..STACK);
    memory.write(CODE, &bytes).unwrap();
    memory.write_words(DATA, inputs).unwrap();
    let mut machine = Machine::new(&library, memory, 0);
    machine.trace = is_recorded.then(Trace::default);
    machine.call(CODE, STACK, &[DATA], 1000)?;
    Ok((machine.memory.words(DATA + 8 * WORDS as u64, WORDS).unwrap(), machine.trace))
}

pub fn territory() -> Territory {
    let writable = vec![DATA..DATA + 16 * WORDS as u64, STACK - 4096..STACK];
    Territory { public: Vec::new(), writable }
}

/// Words that cause carries, some of them equal.
pub fn words(random: &mut Random) -> Vec<u64> {
    let mut words: Vec<_> = (0..WORDS).map(|_| random.edge()).collect();
    if random.word().is_multiple_of(4) {
        words[1] = words[0];
    }
    words
}
