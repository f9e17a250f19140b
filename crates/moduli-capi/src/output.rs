//! Outputs: memory of the caller, which is written once, and cleared if a call fails.
//!
//! This module never creates a reference to that memory, so an output may be the buffer from which an input
//! was read.

use crypto_bigint::BoxedUint;
use std::ptr;
use zeroize::Zeroizing;

use crate::{failure::Failure, status::Status};

/// Memory of the caller to which a call writes.
pub(crate) trait Output {
    /// Writes the contents for a call that fails with `status`.
    fn clear(&self, status: Status);
}

/// Some bytes.
pub(crate) struct Buffer {
    name: &'static str,
    start: *mut u8,
    length: usize,
}

impl Buffer {
    /// # Safety
    /// `start` is NULL or points to `length` bytes that can be written as long as this value exists.
    pub(crate) unsafe fn new(name: &'static str, start: *mut u8, length: usize) -> Self {
        Self { name, start, length }
    }

    /// Whether the caller gave NULL and 0.
    pub(crate) fn is_left_out(&self) -> bool {
        self.start.is_null() && self.length == 0
    }

    /// Whether this many bytes fit. Checked before the work.
    pub(crate) fn check(&self, needed: usize) -> Result<(), Failure> {
        if self.start.is_null() {
            return Err(Failure::null(self.name));
        }
        if self.length < needed {
            return Err(Failure::too_small(self.name, self.length, needed));
        }
        // All of it is written to, zeros included.
        if self.length > isize::MAX as usize {
            return Err(Failure::length(self.name, "more bytes than an address space has"));
        }
        Ok(())
    }

    /// Writes a number to the whole buffer, with zero bytes in front.
    pub(crate) fn write_number(&self, value: &BoxedUint) -> Result<(), Failure> {
        let bytes = Zeroizing::new(value.to_be_bytes());
        let (zeros, from) = match self.length.checked_sub(bytes.len()) {
            Some(zeros) => (zeros, 0),
            None => (0, bytes.len() - self.length),
        };
        let (excess, bytes) = bytes.split_at(from);
        // Results are below the modulus, which fits, so this cannot happen; but a truncated number would be
        // wrong.
        if excess.iter().fold(0, |all, byte| all | byte) != 0 {
            return Err(Failure::new(Status::Internal, "a result is longer than the modulus"));
        }
        self.check(zeros + bytes.len())?;
        // SAFETY: `new` was given `length` = zeros + bytes bytes that can be written.
        unsafe {
            ptr::write_bytes(self.start, 0, zeros);
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.add(zeros), bytes.len());
        }
        Ok(())
    }

    /// Writes bytes to the front of the buffer, and zeros behind them.
    pub(crate) fn write_front(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.check(bytes.len())?;
        // SAFETY: `new` was given `length` bytes that can be written, and `check` has seen that these are no
        // more.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.start, bytes.len());
            ptr::write_bytes(self.start.add(bytes.len()), 0, self.length - bytes.len());
        }
        Ok(())
    }
}

impl Output for Buffer {
    fn clear(&self, _: Status) {
        // A length that exceeds all memory is an error of the caller; clearing it would crash.
        if !self.start.is_null() && self.length <= isize::MAX as usize {
            // SAFETY: `new` was given so many bytes that can be written.
            unsafe { ptr::write_bytes(self.start, 0, self.length) };
        }
    }
}

/// `count` rows of `width` bytes.
pub(crate) struct Rows {
    start: *mut u8,
    width: usize,
    count: usize,
}

impl Rows {
    /// # Safety
    /// `start` is NULL or points to `width`·`count` bytes that can be written as long as this value exists.
    pub(crate) unsafe fn new(start: *mut u8, width: usize, count: usize) -> Self {
        Self { start, width, count }
    }

    /// Whether this many bytes fit in a row. Checked before the work.
    pub(crate) fn check(&self, needed: usize) -> Result<(), Failure> {
        let total = self.width.checked_mul(self.count).filter(|&total| total <= isize::MAX as usize);
        total.ok_or_else(|| Failure::length("out", "width times count overflows"))?;
        match self.count {
            0 => Ok(()),
            _ => self.row(0).check(needed),
        }
    }

    fn row(&self, index: usize) -> Buffer {
        // NULL stays NULL; otherwise `new` was given this many rows.
        let start =
            if self.start.is_null() { self.start } else { self.start.wrapping_add(index * self.width) };
        Buffer { name: "out", start, length: self.width }
    }
}

impl Output for Rows {
    fn clear(&self, status: Status) {
        if let Some(length) = self.width.checked_mul(self.count) {
            Buffer { name: "out", start: self.start, length }.clear(status);
        }
    }
}

/// An optional status for each row.
pub(crate) struct Statuses {
    start: *mut Status,
    count: usize,
}

impl Statuses {
    /// # Safety
    /// `start` is NULL or points to `count` statuses that can be written as long as this value exists.
    pub(crate) unsafe fn new(start: *mut Status, count: usize) -> Self {
        Self { start, count }
    }

    fn set(&self, index: usize, status: Status) {
        if !self.start.is_null() && index < self.count {
            // SAFETY: `new` was given `count` statuses that can be written.
            unsafe { self.start.add(index).write(status) };
        }
    }
}

impl Output for Statuses {
    /// Zero would mean that the rows are right.
    fn clear(&self, status: Status) {
        let has_memory = self.count <= isize::MAX as usize / size_of::<Status>();
        for index in 0..if has_memory { self.count } else { 0 } {
            self.set(index, status);
        }
    }
}

/// Writes the results of a batch and their statuses; the first failure among them is the status of the call.
pub(crate) fn deliver<E: Into<Failure>>(
    rows: &Rows,
    statuses: &Statuses,
    results: impl IntoIterator<Item = Result<BoxedUint, E>>,
) -> Result<(), Failure> {
    let mut first = None;
    for (index, result) in results.into_iter().enumerate() {
        let row = rows.row(index);
        let written = match result {
            Ok(value) => row.write_number(&Zeroizing::new(value)),
            Err(error) => Err(error.into()),
        };
        statuses.set(index, written.as_ref().map_or_else(|failure| failure.status, |()| Status::Ok));
        if let Err(failure) = written {
            row.clear(failure.status);
            first.get_or_insert_with(|| {
                let message = format!("row {index}: {}", failure.message);
                Failure { message, ..failure }.with_outputs()
            });
        }
    }
    first.map_or(Ok(()), Err)
}

/// A single value of the caller.
pub(crate) struct Slot<T: Copy> {
    name: &'static str,
    place: *mut T,
    cleared: T,
}

impl<T: Copy> Slot<T> {
    /// # Safety
    /// `place` is NULL or points to a T that can be written as long as this value exists.
    pub(crate) unsafe fn new(name: &'static str, place: *mut T, cleared: T) -> Self {
        Self { name, place, cleared }
    }

    /// Whether it is not NULL. Checked before the work.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.place.is_null() { Err(Failure::null(self.name)) } else { Ok(()) }
    }

    /// Writes the value, unless the pointer is NULL.
    pub(crate) fn write(&self, value: T) {
        if !self.place.is_null() {
            // SAFETY: `new` was given a place that can be written.
            unsafe { self.place.write(value) };
        }
    }
}

impl<T: Copy> Output for Slot<T> {
    fn clear(&self, _: Status) {
        self.write(self.cleared);
    }
}

impl<T> Slot<*mut T> {
    /// For a handle.
    ///
    /// # Safety
    /// As for [`Slot::new`].
    pub(crate) unsafe fn handle(place: *mut *mut T) -> Self {
        // SAFETY: as the caller says.
        unsafe { Self::new("out", place, ptr::null_mut()) }
    }

    /// Passes the handle to the caller, who frees it.
    pub(crate) fn put(&self, value: T) {
        if !self.place.is_null() {
            self.write(Box::into_raw(Box::new(value)));
        }
    }
}
