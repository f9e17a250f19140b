//! Rows of bytes and words that Python objects lend by their buffers.
//!
//! They are read and written while this thread is attached to Python, a piece at a time and without Python code in between, and are
//! never borrowed as slices: another thread that works without Python's lock might write to them, as with every function of
//! NumPy. Such a race gives wrong numbers, and to nobody else than who made it.

use pyo3::{
    buffer::{Element, PyBuffer},
    prelude::*,
};
use std::ptr;

/// Copies the items from place `start` on to `items`. False, and nothing copied, if there are not as many.
#[allow(unsafe_code)]
pub fn read<T: Element>(_py: Python<'_>, buffer: &PyBuffer<T>, start: usize, items: &mut [T]) -> bool {
    let Some(memory) = place(buffer, start, items.len()) else { return false };
    // SAFETY: `place` has checked that so many items lie there; the buffer keeps the memory alive, and no slice of it
    // exists that could overlap. Bytes are copied, so that nothing is asked of the alignment.
    unsafe { ptr::copy_nonoverlapping(memory, items.as_mut_ptr().cast::<u8>(), size_of_val(items)) };
    true
}

/// Copies `items` to place `start` and those after it. False, and nothing copied, if there are not as many or they may not be
/// written.
#[allow(unsafe_code)]
pub fn write<T: Element>(_py: Python<'_>, buffer: &PyBuffer<T>, start: usize, items: &[T]) -> bool {
    let Some(memory) = place(buffer, start, items.len()).filter(|_| !buffer.readonly()) else { return false };
    // SAFETY: as in `read`, and the owner of the memory has said that it may be written.
    unsafe { ptr::copy_nonoverlapping(items.as_ptr().cast::<u8>(), memory, size_of_val(items)) };
    true
}

/// Where items `start` to `start + count` lie, if the buffer has them, one after the other.
fn place<T: Element>(buffer: &PyBuffer<T>, start: usize, count: usize) -> Option<*mut u8> {
    let memory = buffer.as_slice_ptr()?;
    let end = start.checked_add(count)?;
    // A length in bytes that fits, for the memory is there.
    (end <= memory.len()).then(|| memory.as_ptr().cast::<u8>().wrapping_add(start * size_of::<T>()))
}
