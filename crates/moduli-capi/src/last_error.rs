//! The text of the last error of a thread.

use std::{cell::Cell, ffi::c_char};

/// The length of a message in bytes, with the zero at its end. Longer messages are truncated.
const BYTES: usize = 1024;

thread_local! {
    // Nothing is dropped: the text can be read until the thread ends.
    static TEXT: [Cell<u8>; BYTES] = const { [const { Cell::new(0) }; BYTES] };
}

pub(crate) fn set(message: &str) {
    let end = (0..BYTES).rev().find(|&end| message.is_char_boundary(end)).unwrap_or(0);
    let message = &message[..end.min(message.len())];
    TEXT.with(|text| {
        // A zero byte inside would end the text.
        for (cell, byte) in text.iter().zip(message.bytes().map(|byte| byte.max(1)).chain([0])) {
            cell.set(byte);
        }
    });
}

/// Describes the error of the last call of this thread that failed: one line of UTF-8 that names the argument
/// and its bound, at most 1023 bytes; "" if none has failed.
///
/// The text belongs to this thread. It does not change until another call of this thread fails. Never NULL;
/// never free it.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_last_error() -> *const c_char {
    TEXT.with(|text| text.as_ptr().cast())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{ffi::CStr, thread};

    fn last() -> String {
        // SAFETY: the text ends in a zero byte, and nothing else of this thread writes it now.
        unsafe { CStr::from_ptr(moduli_last_error()) }.to_str().unwrap().to_string()
    }

    #[test]
    fn texts_are_kept_by_thread_and_cut_between_characters() {
        assert_eq!(last(), "");
        set("first, and longer");
        set("second");
        assert_eq!(last(), "second");
        thread::spawn(|| assert_eq!(last(), "")).join().unwrap();
        for length in [BYTES - 2, BYTES - 1, BYTES, 2 * BYTES] {
            let long = format!("{}é", "x".repeat(length - 1));
            set(&long);
            assert!(
                long.starts_with(&last())
                    && last().len() < BYTES
                    && last().len() + 2 >= long.len().min(BYTES)
            );
        }
        set("a\0b");
        assert_eq!(last(), "a\u{1}b");
    }
}
