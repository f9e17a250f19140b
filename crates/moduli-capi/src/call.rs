//! The frame of every call: no panic crosses into C, and outputs of a call that failed are cleared.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crypto_bigint::BoxedUint;
use moduli::Error;
use zeroize::Zeroizing;

use crate::{
    failure::Failure,
    last_error,
    output::{Buffer, Output, Rows, Statuses, deliver},
    status::Status,
};

/// A moduli_secrecy as it comes from C: a number that may be none of its values. Here, because the header has
/// the name of the enumeration where a function takes it.
pub(crate) type AnySecrecy = u32;

/// A moduli_fault_check as it comes from C.
pub(crate) type AnyFaultCheck = u32;

/// Does the work of a call. If it fails, the outputs are cleared, unless it has set them itself, and the
/// message is kept for the thread.
pub(crate) fn call<const N: usize>(
    outputs: [&dyn Output; N],
    work: impl FnOnce() -> Result<(), Failure>,
) -> Status {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(failure)) => failure,
        Err(payload) => {
            // Whatever it is, dropping it may panic once more.
            mem::forget(payload);
            Failure::new(Status::Internal, "the library panicked; this is an error in it")
        }
    };
    if !failure.outputs_are_set {
        for output in outputs {
            output.clear(failure.status);
        }
    }
    last_error::set(&failure.message);
    failure.status
}

/// A call whose result is one number, which fills the whole of `out`: `prepare` says how many bytes that
/// takes, and what computes it once they are there.
///
/// # Safety
/// `out` is NULL or leads to `out_len` bytes that can be written.
pub(crate) unsafe fn call_for_number<W: FnOnce() -> Result<BoxedUint, Failure>>(
    (out, out_len): (*mut u8, usize),
    prepare: impl FnOnce() -> Result<(usize, W), Failure>,
) -> Status {
    // SAFETY: as the caller says.
    let out = unsafe { Buffer::new("out", out, out_len) };
    call([&out], || {
        let (size, work) = prepare()?;
        out.check(size)?;
        out.write_number(&Zeroizing::new(work()?))
    })
}

/// A call whose results are `count` numbers, one for each row of `out`, and a status each for those who want
/// it: `prepare` says how many bytes a row takes, and what computes them once there are as many.
///
/// # Safety
/// `out` is NULL or leads to `count` rows of `width` bytes, `statuses` is NULL or leads to as many; all can
/// be written.
pub(crate) unsafe fn call_for_rows<W: FnOnce() -> Result<Vec<Result<BoxedUint, Error>>, Failure>>(
    (out, width): (*mut u8, usize),
    statuses: *mut Status,
    count: usize,
    prepare: impl FnOnce() -> Result<(usize, W), Failure>,
) -> Status {
    // SAFETY: as the caller says.
    let (rows, statuses) = unsafe { (Rows::new(out, width, count), Statuses::new(statuses, count)) };
    call([&rows, &statuses], || {
        let (size, work) = prepare()?;
        rows.check(size)?;
        deliver(&rows, &statuses, work()?)
    })
}

/// What a question about a handle answers, or `otherwise` if it panics.
pub(crate) fn ask<T>(otherwise: T, answer: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|payload| {
        mem::forget(payload);
        otherwise
    })
}

/// Frees a handle that [`Slot::put`](crate::output::Slot::put) gave out; NULL is nothing.
///
/// # Safety
/// `handle` is NULL or came from there, and is not used again.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller says that it came out of a box, and that it is the only one to have it.
        ask((), || drop(unsafe { Box::from_raw(handle) }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn panics_and_failures_clear_the_outputs() {
        type Work = fn() -> Result<(), Failure>;
        let works: [(Work, Status, [u8; 2]); 4] = [
            (|| Ok(()), Status::Ok, [7; 2]),
            (|| panic!("planted"), Status::Internal, [0; 2]),
            (|| Err(Failure::null("x")), Status::NullPointer, [0; 2]),
            (|| Err(Failure::null("x").with_outputs()), Status::NullPointer, [7; 2]),
        ];
        for (work, status, left) in works {
            let mut bytes = [7; 2];
            // SAFETY: two bytes that live longer than the buffer.
            let out = unsafe { Buffer::new("out", bytes.as_mut_ptr(), 2) };
            assert_eq!(call([&out], work), status);
            assert_eq!(bytes, left);
        }
    }

    #[test]
    fn handles_are_dropped_once_even_if_that_panics() {
        struct Dropped<'a>(&'a Cell<u32>);
        impl Drop for Dropped<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() + 1);
                panic!("planted");
            }
        }
        let count = Cell::new(0);
        // SAFETY: one comes out of a box, the other is NULL; neither is used again.
        unsafe {
            free(Box::into_raw(Box::new(Dropped(&count))));
            free(std::ptr::null_mut::<Dropped<'_>>());
        }
        assert_eq!(count.get(), 1);
    }
}
