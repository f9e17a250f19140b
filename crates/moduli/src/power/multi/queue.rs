//! Numbers in the order of their size, the largest first.

use alloc::{vec, vec::Vec};
use core::cmp::Ordering;
use zeroize::Zeroizing;

use moduli_kernel::limbs;

/// Numbers of which the largest is replaced by a smaller one again and again: a heap by 64 of their bits, which are the same for
/// all, and are taken further down when the largest number has become much shorter.
///
/// Numbers that do not differ in those bits stand in any order. Variable-time.
pub(super) struct Queue {
    /// `words` for each number, of which the lowest `active` may differ from 0.
    numbers: Vec<u64>,
    words: usize,
    active: usize,
    /// The lowest of the 64 bits.
    shift: u32,
    /// None is as long as `shift` + 64 bits, none is 0.
    heap: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// 64 bits of the number.
    key: u64,
    index: usize,
}

/// A key below this is taken anew, unless it has all bits of the number.
const SHORT: u64 = 1 << 32;

impl Queue {
    /// Numbers other than 0.
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

    /// The number of that index.
    pub(super) fn number(&self, index: usize) -> &[u64] {
        &self.numbers[index * self.words..][..self.active]
    }

    /// The index of the largest number.
    pub(super) fn first(&self) -> Option<usize> {
        self.heap.first().map(|entry| entry.index)
    }

    /// The place in the heap of the second number, if there is one.
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

    /// The indices of the largest and the second number, if there are two, and whether the largest is about four times as large
    /// or larger.
    pub(super) fn two(&mut self) -> Option<(usize, usize, bool)> {
        if self.shift > 0 && self.heap.first()?.key < SHORT {
            self.take_keys();
        }
        let place = self.second_place()?;
        let (first, second) = (self.heap[0], self.heap[place]);
        // Of equal keys either may stand first.
        if first.key == second.key && self.compare(first.index, second.index) == Ordering::Less {
            self.heap.swap(0, place);
            return Some((second.index, first.index, false));
        }
        Some((first.index, second.index, first.key >> 2 > second.key))
    }

    fn compare(&self, first: usize, second: usize) -> Ordering {
        self.number(first).iter().rev().cmp(self.number(second).iter().rev())
    }

    /// The largest number, less the number of index `second`, which is not larger.
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

    /// Half of the largest number, rounded down; whether it was odd.
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

    /// The 64 bits of a number that count.
    fn key(&self, index: usize) -> u64 {
        let (word, bit) = (self.shift as usize / 64, self.shift % 64);
        let number = self.number(index);
        let low = number.get(word).copied().unwrap_or(0);
        let high = number.get(word + 1).copied().unwrap_or(0);
        low >> bit | high << 1 << (63 - bit)
    }

    /// Takes all keys from the longest number on.
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

    /// Brings the first number, which has become smaller, where it belongs; out of the heap if it is 0.
    fn settle(&mut self) {
        let Some(first) = self.first() else { return };
        self.heap[0].key = self.key(first);
        if self.heap[0].key == 0 && self.number(first).iter().all(|&word| word == 0) {
            self.heap.swap_remove(0);
        }
        self.sink(0);
    }

    /// Brings the entry of a place below those that are larger: down to the end along the larger ones, and up again, which is
    /// shorter for what is small as a rule.
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
