//! What the last failure said.

use std::cell::RefCell;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps a text for [`moduli_error`].
pub(crate) fn keep(text: String) {
    LAST.with_borrow_mut(|last| *last = text);
}

/// Where the last failure is told: its code, the end of a line, and a sentence, in UTF-8. It stays there
/// until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_error() -> *const u8 {
    LAST.with_borrow(|last| last.as_ptr())
}

/// Its length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_error_length() -> usize {
    LAST.with_borrow(|last| last.len())
}
