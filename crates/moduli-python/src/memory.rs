//! Reads and writes rows of bytes and words that Python objects export as buffers.
//!
//! Rows are read and written while this thread is attached to Python, a piece at a time and without Python
//! code in between. They are never borrowed as slices, because a thread that works without Python's lock
//! might write to them, as with every function of NumPy. Such a race gives wrong numbers, but only to the
//! program that caused it.

use pyo3::{
    buffer::{Element, PyBuffer},
    prelude::*,
};
use std::ptr;

/// Copies the items from place `start` on to `items`. If there are not enough, returns false and copies
/// nothing.
#[allow(unsafe_code)]
pub fn read<T: Element>(_py: Python<'_>, buffer: &PyBuffer<T>, start: usize, items: &mut [T]) -> bool {
    let Some(memory) = place(buffer, start, items.len()) else { return false };
    // SAFETY: `place` has checked that the buffer has this many items there. The buffer keeps the memory
    // alive, and there is no slice that could overlap. Bytes are copied, so the alignment does not
    // matter.
    unsafe { ptr::copy_nonoverlapping(memory, items.as_mut_ptr().cast::<u8>(), size_of_val(items)) };
    true
}

/// Copies `items` to place `start` and the places after it. If there are not enough places, or they may not
/// be written, returns false and copies nothing.
#[allow(unsafe_code)]
pub fn write<T: Element>(_py: Python<'_>, buffer: &PyBuffer<T>, start: usize, items: &[T]) -> bool {
    let Some(memory) = place(buffer, start, items.len()).filter(|_| !buffer.readonly()) else { return false };
    // SAFETY: as in `read`; and the owner of the memory has declared it writable.
    unsafe { ptr::copy_nonoverlapping(items.as_ptr().cast::<u8>(), memory, size_of_val(items)) };
    true
}

/// The address of items `start` to `start + count`, if the buffer has them and they are contiguous.
fn place<T: Element>(buffer: &PyBuffer<T>, start: usize, count: usize) -> Option<*mut u8> {
    let memory = buffer.as_slice_ptr()?;
    let end = start.checked_add(count)?;
    // The length in bytes does not overflow, because the memory exists.
    (end <= memory.len()).then(|| memory.as_ptr().cast::<u8>().wrapping_add(start * size_of::<T>()))
}
