//! Products of up to eight words, reduced word by word, with the whole sum in registers.
//!
//! Registers: rdi points to the word of x, rcx to p, r8 … r15 are the sum, rbp the word above it, rsi the bit
//! above that, rdx the word of x or the quotient; rax and rbx are temporary. On the stack are b, at rsp, and
//! then −p^(−1) and the end of x.

use core::arch::naked_asm;

use super::rows::{BLOCK, Mulx};

/// Sum += rdx·b. The chain in the carry flag adds the low halves, the chain in the overflow flag the high
/// halves.
macro_rules! add_row {
    ([$($offset:literal $low:literal)*], [$first:literal $($high:literal)*]) => { add_row!(@ [$($offset $low)*], [$($high)*]) };
    (@ [$($offset:literal $low:literal)*], [$($high:literal)*]) => {
        concat!(
            "xor eax, eax\n", // clears both flags
            $(
                "mulx rbx, rax, [rsp + ", $offset, "]\n",
                "adcx ", $low, ", rax\n",
                "adox ", $high, ", rbx\n",
            )*
            "mov eax, 0\n",
            "mov esi, 0\n",
            "adox rsi, rax\n",
            "adcx rbp, rax\n",
            "adcx rsi, rax\n",
        )
    };
}

/// Sum ← (sum + rdx·p) / 2^64: as in `rows.rs`, except for the words on top.
macro_rules! clear_row {
    ([$offset:literal $low:literal $($rest:tt)*]) => {
        concat!(
            "mov rbx, ", $low, "\n",
            "xor eax, eax\n", // clears both flags
            "mulx ", $low, ", rax, [rcx + ", $offset, "]\n",
            "adox rbx, rax\n",
            clear_row!(@ $low $($rest)*),
        )
    };
    (@ $low:literal $offset:literal $next:literal $($rest:tt)*) => {
        concat!(
            "adcx ", $low, ", ", $next, "\n",
            "mulx ", $next, ", rax, [rcx + ", $offset, "]\n",
            "adox ", $low, ", rax\n",
            clear_row!(@ $next $($rest)*),
        )
    };
    (@ $top:literal) => {
        concat!(
            "mov eax, 0\n",
            "adcx ", $top, ", rbp\n",
            "adox ", $top, ", rax\n",
            "mov rbp, rax\n",
            "adcx rbp, rsi\n",
            "adox rbp, rax\n",
        )
    };
}

macro_rules! multiply {
    ($name:ident, $bytes:literal, $list:tt) => { multiply!(@ $name, $bytes, $list, $list); };
    (@ $name:ident, $bytes:literal, $list:tt, [$($offset:literal $register:literal)*]) => {
        /// `x ← x·b / 2^(64·words) mod p`, for x·b below p·2^(64·words). x and b may be the same.
        ///
        /// # Safety
        /// The processor has BMI2 and ADX. All operands have as many words as the name says.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(x: *mut u64, b: *const u64, p: *const u64, negative_inverse: u64) {
            naked_asm!(
                "push rbx", "push rbp", "push r12", "push r13", "push r14", "push r15",
                "sub rsp, 88",
                "mov [rsp + 64], rcx",
                concat!("lea rax, [rdi + ", $bytes, "]"),
                "mov [rsp + 72], rax", // the end of x
                "mov rcx, rdx",
                $(
                    concat!("mov rax, [rsi + ", $offset, "]"),
                    concat!("mov [rsp + ", $offset, "], rax"),
                    concat!("xor ", $register, ", ", $register),
                )*
                "xor ebp, ebp",
                "2:",
                "mov rdx, [rdi]",
                add_row!($list, [$($register)* "rbp"]),
                "mov rdx, r8",
                "imul rdx, [rsp + 64]",
                clear_row!($list),
                "add rdi, 8",
                "cmp rdi, [rsp + 72]",
                "jne 2b",
                concat!("sub rdi, ", $bytes),
                $(concat!("mov [rdi + ", $offset, "], ", $register),)*
                "clc",
                $(concat!("sbb ", $register, ", [rcx + ", $offset, "]"),)*
                "sbb rbp, 0", // the carry flag tells whether the sum is kept
                $(
                    concat!("cmovc ", $register, ", [rdi + ", $offset, "]"),
                    concat!("mov [rdi + ", $offset, "], ", $register),
                )*
                "add rsp, 88",
                "pop r15", "pop r14", "pop r13", "pop r12", "pop rbp", "pop rbx",
                "ret",
            )
        }
    };
}

multiply!(multiply_1, 8, [0 "r8"]);
multiply!(multiply_2, 16, [0 "r8" 8 "r9"]);
multiply!(multiply_3, 24, [0 "r8" 8 "r9" 16 "r10"]);
multiply!(multiply_4, 32, [0 "r8" 8 "r9" 16 "r10" 24 "r11"]);
multiply!(multiply_5, 40, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12"]);
multiply!(multiply_6, 48, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12" 40 "r13"]);
multiply!(multiply_7, 56, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12" 40 "r13" 48 "r14"]);
multiply!(multiply_8, 64, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12" 40 "r13" 48 "r14" 56 "r15"]);

const MULTIPLY: [unsafe extern "sysv64" fn(*mut u64, *const u64, *const u64, u64); BLOCK] =
    [multiply_1, multiply_2, multiply_3, multiply_4, multiply_5, multiply_6, multiply_7, multiply_8];

impl Mulx {
    /// `x ← x·b / 2^(64·words) mod p` for at most [`BLOCK`] words and x·b below p·2^(64·words).
    pub(super) fn multiply_short(self, x: &mut [u64], b: &[u64], p: &[u64], negative_inverse: u64) {
        assert!(x.len() == b.len() && x.len() == p.len());
        let multiply = MULTIPLY[x.len() - 1];
        // SAFETY: `self` guarantees the instructions, the index for the width, the assertion for equal
        // lengths.
        unsafe { multiply(x.as_mut_ptr(), b.as_ptr(), p.as_ptr(), negative_inverse) }
    }

    /// `x ← x² / 2^(64·words) mod p` for at most [`BLOCK`] words and x below p.
    pub(super) fn square_short(self, x: &mut [u64], p: &[u64], negative_inverse: u64) {
        assert!(x.len() == p.len());
        let (multiply, x) = (MULTIPLY[x.len() - 1], x.as_mut_ptr());
        // SAFETY: as above; the function copies its second operand before it writes the first.
        unsafe { multiply(x, x, p.as_ptr(), negative_inverse) }
    }
}
