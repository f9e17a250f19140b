//! Changes the code that is tested.

use std::sync::Mutex;

/// Held by the one test that changes code, as nothing else may run meanwhile.
pub static ALONE: Mutex<()> = Mutex::new(());

/// A change of one byte of an instruction.
#[derive(Clone)]
pub struct Mutant {
    pub what: &'static str,
    pub address: u64,
    pub old: u8,
    pub new: u8,
    /// The instruction.
    pub text: String,
}

/// Writes a byte of this program's code.
pub fn patch(address: u64, byte: u8) {
    let page = address & !4095;
    // SAFETY: these are pages of this program's code, none of which is executed meanwhile. They stay
    // executable.
    unsafe {
        let all = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        assert_eq!(libc::mprotect(page as *mut _, 4096, all), 0);
        (address as *mut u8).write_volatile(byte);
        assert_eq!(libc::mprotect(page as *mut _, 4096, libc::PROT_READ | libc::PROT_EXEC), 0);
    }
}
