//! A queue of numbers, largest first.

use alloc::{vec, vec::Vec};
use core::cmp::Ordering;
use zeroize::Zeroizing;

use moduli_kernel::limbs;

/// A queue whose largest number is repeatedly replaced by a smaller one. It is a heap ordered by 64
/// bits of each number, at the same position in all numbers. When the largest number has become
/// much shorter, the position moves down.
///
/// Numbers with equal keys are in any order. Variable-time.
pub(super) struct Queue {
    /// `words` words for each number. Only the lowest `active` of them may be nonzero.
    numbers: Vec<u64>,
    words: usize,
    active: usize,
    /// The position of the lowest of the 64 bits.
    shift: u32,
    /// Entries of nonzero numbers of at most `shift` + 64 bits.
    heap: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The 64 bits of the number.
    key: u64,
    index: usize,
}

/// If the largest key is below this, all keys are recomputed, unless `shift` is 0.
const SHORT: u64 = 1 << 32;

impl Queue {
    /// Takes nonzero numbers.
    pub(super) fn new(numbers: &[Zeroizing<Vec<u64>>]) -> Self {
        let words = numbers.iter().map(|number| number.len()).max().unwrap_or(1);
        let mut all = vec![0; words * numbers.len()];
        for (place, number) in all.chunks_exact_mut(words).zip(numbers) {
            place[..number.len()].copy_from_slice(number);
        }
        let heap = (0..numbers.len()).map(|index| Entry { key: 0, index }).collect();
        let mut queue = Self { numbers: all, words, active: words, shift: 0, heap };
        queue.take_keys();
        queue
    }

    /// The number with this index.
    pub(super) fn number(&self, index: usize) -> &[u64] {
        &self.numbers[index * self.words..][..self.active]
    }

    /// The index of the largest number.
    pub(super) fn first(&self) -> Option<usize> {
        self.heap.first().map(|entry| entry.index)
    }

    /// The position in the heap of the second number, if there is one.
    fn second_place(&self) -> Option<usize> {
        match self.heap.len() {
            0 | 1 => None,
            2 => Some(1),
            _ => Some(if self.heap[2].key > self.heap[1].key { 2 } else { 1 }),
        }
    }

    /// The index of the second number, if there is one.
    pub(super) fn second(&self) -> Option<usize> {
        self.second_place().map(|place| self.heap[place].index)
    }

    /// The indices of the two largest numbers, if there are two, and whether the largest is at
    /// least about four times the second.
    pub(super) fn two(&mut self) -> Option<(usize, usize, bool)> {
        if self.shift > 0 && self.heap.first()?.key < SHORT {
            self.take_keys();
        }
        let place = self.second_place()?;
        let (first, second) = (self.heap[0], self.heap[place]);
        // Numbers with equal keys may be in the wrong order.
        if first.key == second.key && self.compare(first.index, second.index) == Ordering::Less {
            self.heap.swap(0, place);
            return Some((second.index, first.index, false));
        }
        Some((first.index, second.index, first.key >> 2 > second.key))
    }

    fn compare(&self, first: usize, second: usize) -> Ordering {
        self.number(first).iter().rev().cmp(self.number(second).iter().rev())
    }

    /// Subtracts the number with index `second` from the largest, which must not be smaller.
    pub(super) fn subtract(&mut self, second: usize) {
        let Some(first) = self.first() else { return };
        let mut borrow = false;
        for i in 0..self.active {
            let (difference, below) =
                self.numbers[first * self.words + i].overflowing_sub(self.numbers[second * self.words + i]);
            let (difference, under) = difference.overflowing_sub(u64::from(borrow));
            self.numbers[first * self.words + i] = difference;
            borrow = below | under;
        }
        debug_assert!(!borrow);
        self.settle();
    }

    /// Halves the largest number, rounded down, and returns whether it was odd.
    pub(super) fn halve(&mut self) -> bool {
        let Some(first) = self.first() else { return false };
        let number = &mut self.numbers[first * self.words..][..self.active];
        let is_odd = number[0] & 1 == 1;
        let mut above = 0;
        for word in number.iter_mut().rev() {
            let low = *word & 1;
            *word = *word >> 1 | above << 63;
            above = low;
        }
        self.settle();
        is_odd
    }

    /// The key of a number: 64 bits from `shift` on.
    fn key(&self, index: usize) -> u64 {
        let (word, bit) = (self.shift as usize / 64, self.shift % 64);
        let number = self.number(index);
        let low = number.get(word).copied().unwrap_or(0);
        let high = number.get(word + 1).copied().unwrap_or(0);
        low >> bit | high << 1 << (63 - bit)
    }

    /// Recomputes `shift` for the longest number, and all keys.
    fn take_keys(&mut self) {
        let length = |entry: &Entry| limbs::bit_length_vartime(self.number(entry.index));
        let longest = self.heap.iter().map(length).max().unwrap_or(0);
        self.shift = longest.saturating_sub(64);
        self.active = (longest.div_ceil(64) as usize).max(1);
        for place in 0..self.heap.len() {
            self.heap[place].key = self.key(self.heap[place].index);
        }
        for place in (0..self.heap.len() / 2).rev() {
            self.sink(place);
        }
    }

    /// Restores the order after the first number has become smaller, and removes it if it is 0.
    fn settle(&mut self) {
        let Some(first) = self.first() else { return };
        self.heap[0].key = self.key(first);
        if self.heap[0].key == 0 && self.number(first).iter().all(|&word| word == 0) {
            self.heap.swap_remove(0);
        }
        self.sink(0);
    }

    /// Moves the entry at position `top` below all larger ones. It first moves to the end, always
    /// past the larger child, and then up again. This takes fewer comparisons, because the entry is
    /// usually small.
    fn sink(&mut self, top: usize) {
        let Some(&entry) = self.heap.get(top) else { return };
        let mut place = top;
        loop {
            let mut below = 2 * place + 1;
            if below >= self.heap.len() {
                break;
            }
            if below + 1 < self.heap.len() {
                below += usize::from(self.heap[below + 1].key > self.heap[below].key);
            }
            self.heap[place] = self.heap[below];
            place = below;
        }
        while place > top {
            let above = (place - 1) / 2;
            if self.heap[above].key >= entry.key {
                break;
            }
            self.heap[place] = self.heap[above];
            place = above;
        }
        self.heap[place] = entry;
    }
}
