//! Performs functions of the system, which are not interpreted.

use super::{
    machine::{Machine, Stop, missing},
    trace::{Access, Call},
};

/// The alignment of allocated memory.
const ALIGNED: u64 = 64;

impl Machine<'_> {
    /// Performs a function. Returns the call, with as many arguments as the function has.
    pub(super) fn call_library(&mut self, name: &'static str) -> Result<Call, Stop> {
        let arguments: [u64; 3] = [0, 1, 2].map(|place| self.get(place, 64));
        let [a, b, c] = arguments;
        let returned = match name {
            "memcpy" | "memmove" => {
                let bytes = self.memory.bytes(b, c as usize).ok_or_else(|| missing(name, b))?;
                self.memory.write(a, &bytes).ok_or_else(|| missing(name, a))?;
                for (address, writes) in [(b, false), (a, true)] {
                    self.note_words(address, c, writes);
                }
                a
            }
            "memset" => {
                self.memory.write(a, &vec![b as u8; c as usize]).ok_or_else(|| missing(name, a))?;
                self.note_words(a, c, true);
                a
            }
            "memcmp" | "bcmp" => {
                let [x, y] = [a, b].map(|address| self.memory.bytes(address, c as usize));
                x.zip(y).ok_or_else(|| missing(name, a)).map(|(x, y)| x.cmp(&y) as i32 as u32 as u64)?
            }
            "malloc" => self.allocate(a, ALIGNED),
            "calloc" => self.allocate(a.saturating_mul(b), ALIGNED),
            "realloc" => {
                let new = self.allocate(b, ALIGNED);
                let count = self.allocated.get(&a).copied().unwrap_or_default().min(b);
                let bytes = self.memory.bytes(a, count as usize).ok_or_else(|| missing(name, a))?;
                self.memory.write(new, &bytes).ok_or_else(|| missing(name, new))?;
                new
            }
            "posix_memalign" => {
                let new = self.allocate(c, b);
                self.memory.write_words(a, &[new]).ok_or_else(|| missing(name, a))?;
                0
            }
            _ => 0,
        };
        self.put(0, returned);
        Ok(Call { name, arguments, returned })
    }

    /// Records accesses to aligned words with their present values.
    fn note_words(&mut self, address: u64, count: u64, writes: bool) {
        for at in (address..address + count).step_by(8) {
            let size = (address + count - at).min(8) as usize;
            if let Some(word) = self.memory.read(at, size) {
                self.note(Access { address: at, size, writes, word });
            }
        }
    }

    /// Allocates new memory, filled with zeros.
    pub fn allocate(&mut self, size: u64, aligned: u64) -> u64 {
        let start = self.heap.next_multiple_of(aligned.max(1));
        self.heap = start + size.max(1);
        self.memory.map(start..self.heap);
        self.allocated.insert(start, size);
        start
    }
}
