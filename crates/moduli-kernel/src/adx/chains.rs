//! Sums and differences of rows, each with one carry chain.

use core::arch::naked_asm;

use super::rows::Mulx;

/// A carry chain through rcx words: first the remainder modulo four, one by one, then four words at a time.
/// `body` processes one word at an offset; then the pointers advance. `dec` and `lea` do not change the carry
/// flag.
macro_rules! chain {
    ($body:ident, [$($pointer:literal)*]) => {
        concat!(
            "mov r9, rcx\n",
            "shr rcx, 2\n",
            "and r9d, 3\n",
            "bt r8, 0\n", // moves the carry to the carry flag
            "2:\n",
            "dec r9\n",
            "js 3f\n",
            $body!(0),
            $("lea ", $pointer, ", [", $pointer, " + 8]\n",)*
            "jmp 2b\n",
            "3:\n",
            "dec rcx\n",
            "js 4f\n",
            $body!(0),
            $body!(8),
            $body!(16),
            $body!(24),
            $("lea ", $pointer, ", [", $pointer, " + 32]\n",)*
            "jmp 3b\n",
            "4:\n",
        )
    };
}

macro_rules! subtract_at {
    ($at:literal) => {
        concat!(
            "mov rax, [rsi + ",
            $at,
            "]\n",
            "sbb rax, [rdx + ",
            $at,
            "]\n",
            "mov [rdi + ",
            $at,
            "], rax\n"
        )
    };
}

macro_rules! choose_at {
    ($at:literal) => {
        concat!(
            "mov rax, [rdi + ",
            $at,
            "]\n",
            "cmovc rax, [rsi + ",
            $at,
            "]\n",
            "mov [rdi + ",
            $at,
            "], rax\n"
        )
    };
}

macro_rules! add_at {
    ($at:literal) => {
        concat!(
            "mov rax, [rsi + ",
            $at,
            "]\n",
            "adc rax, [rdi + ",
            $at,
            "]\n",
            "mov [rdi + ",
            $at,
            "], rax\n"
        )
    };
}

/// `out ← t − p` if t, with the carry word `high` on top, is at least p; otherwise `out ← t`.
///
/// # Safety
/// There are `count` words at each of `out`, `t` and `p`.
#[unsafe(naked)]
unsafe extern "sysv64" fn subtract(out: *mut u64, t: *const u64, p: *const u64, count: usize, high: u64) {
    naked_asm!(
        "push rdi",
        "push rsi",
        "push rcx",
        "mov r10, r8",
        "xor r8d, r8d",
        chain!(subtract_at, ["rdi" "rsi" "rdx"]),
        "pop rcx",
        "pop rsi",
        "pop rdi",
        "sbb r10, 0",
        "setc r8b", // whether t is kept
        chain!(choose_at, ["rdi" "rsi"]),
        "ret",
    )
}

/// `t += a + carry`; returns the carry.
///
/// # Safety
/// There are `count` words at `t` and at `a`.
#[unsafe(naked)]
unsafe extern "sysv64" fn add(t: *mut u64, a: *const u64, _: usize, count: usize, carry: u64) -> u64 {
    naked_asm!(chain!(add_at, ["rdi" "rsi"]), "setc al", "movzx eax, al", "ret",)
}

impl Mulx {
    /// `t += a + carry` for operands of equal length; returns the carry, which is 0 or 1, too.
    pub(super) fn add_chain(self, t: &mut [u64], a: &[u64], carry: u64) -> u64 {
        assert!(t.len() == a.len());
        // SAFETY: the assertion guarantees the lengths.
        unsafe { add(t.as_mut_ptr(), a.as_ptr(), 0, t.len(), carry) }
    }

    /// `out ← t − p` if t, with the carry word `high` on top, is at least p; otherwise `out ← t`.
    pub(super) fn subtract(self, out: &mut [u64], t: &[u64], p: &[u64], high: u64) {
        assert!(out.len() == t.len() && out.len() == p.len());
        // SAFETY: the assertion guarantees the lengths.
        unsafe { subtract(out.as_mut_ptr(), t.as_ptr(), p.as_ptr(), out.len(), high) }
    }
}
