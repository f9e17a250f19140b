//! The additions of Karatsuba's method: the difference of two halves, and the sum of the three products of
//! halves.

use core::arch::naked_asm;

use super::rows::Mulx;

/// `out ← |a − b|`; returns all ones if a < b, else zero.
///
/// # Safety
/// There are `count` words at each of `out`, `a` and `b`; `count` is a multiple of 4, and not zero.
#[unsafe(naked)]
unsafe extern "sysv64" fn difference(out: *mut u64, a: *const u64, b: *const u64, count: usize) -> u64 {
    naked_asm!(
        "push rdi",
        "push rcx",
        "xor r8d, r8d",
        chain!(subtract_at, ["rdi" "rsi" "rdx"]),
        // −x is the complement plus one.
        "mov r9d, 0",
        "setc r9b",
        "mov rax, -1",
        "cmovc r8, rax",
        "pop rcx",
        "pop rdi",
        "5:",
        "mov rax, [rdi]",
        "mov rdx, [rdi + 8]",
        "mov rsi, [rdi + 16]",
        "mov r10, [rdi + 24]",
        "xor rax, r8",
        "xor rdx, r8",
        "xor rsi, r8",
        "xor r10, r8",
        "bt r9, 0", // moves the carry to the carry flag
        "adc rax, 0",
        "adc rdx, 0",
        "adc rsi, 0",
        "adc r10, 0",
        "setc r9b",
        "mov [rdi], rax",
        "mov [rdi + 8], rdx",
        "mov [rdi + 16], rsi",
        "mov [rdi + 24], r10",
        "add rdi, 32",
        "sub rcx, 4",
        "jnz 5b",
        "mov rax, r8",
        "ret",
    )
}

/// Adds the four words at `from` and the carry to r8 … r11. The carry is kept in `carry`, whose low byte is
/// `byte`.
macro_rules! add_four {
    ($carry:literal $byte:literal, $from:literal) => {
        concat!(
            "bt ",
            $carry,
            ", 0\n",
            "adc r8, [",
            $from,
            "]\n",
            "adc r9, [",
            $from,
            " + 8]\n",
            "adc r10, [",
            $from,
            " + 16]\n",
            "adc r11, [",
            $from,
            " + 24]\n",
            "setc ",
            $byte,
            "\n",
            "lea ",
            $from,
            ", [",
            $from,
            " + 32]\n",
        )
    };
}

/// r8 … r11 ← four words at rax.
macro_rules! load_four {
    () => {
        "mov r8, [rax]\n\
         mov r9, [rax + 8]\n\
         mov r10, [rax + 16]\n\
         mov r11, [rax + 24]\n"
    };
}

/// Stores r8 … r11 at rax, and moves rax past them.
macro_rules! store_four {
    () => {
        "mov [rax], r8\n\
         mov [rax + 8], r9\n\
         mov [rax + 16], r10\n\
         mov [rax + 24], r11\n\
         lea rax, [rax + 32]\n"
    };
}

/// Let l0, l1 and h0, h1 be the halves of the low and of the high product in t, and m0, m1 those of `middle`.
/// The words from l0 on become l0, l1 + h0 + l0 + m0, l1 + h0 + h1 + m1, h1, with carries. `minus` is 1 if
/// the middle is the complement of a number to be subtracted, else 0.
///
/// Registers: rdi points into l0, rsi into m0 and m1; rax into l1, then into h0 and h1; rdx into h0, then
/// into h1. rbx is the carry of l1 + h0, rbp that of the addition of l0 or h1, and r12 that of the middle.
/// rdi later keeps the first value of rbx. r8 … r11 hold four words of the sum.
///
/// # Safety
/// There are 4·`half` words at `t` and 2·`half` at `middle`; `half` is a multiple of 4, and not zero.
#[unsafe(naked)]
unsafe extern "sysv64" fn combine(t: *mut u64, middle: *const u64, half: usize, minus: u64) {
    naked_asm!(
        "push rbx",
        "push rbp",
        "push r12",
        "push r13",
        "push r14",
        "mov r13, rdx",
        "lea rax, [rdi + 8*r13]",
        "lea rdx, [rax + 8*r13]",
        "shr r13, 2",
        "mov r14, r13",
        "xor ebx, ebx",
        "xor ebp, ebp",
        "mov r12, rcx", // −x is the complement plus one
        "2:",
        load_four!(),
        add_four!("rbx" "bl", "rdx"),
        "mov [rdx - 32], r8",
        "mov [rdx - 24], r9",
        "mov [rdx - 16], r10",
        "mov [rdx - 8], r11",
        add_four!("rbp" "bpl", "rdi"),
        add_four!("r12" "r12b", "rsi"),
        store_four!(),
        "dec r14",
        "jnz 2b",
        "mov rdi, rbx",
        "mov r14, r13",
        "3:",
        load_four!(),
        add_four!("rbp" "bpl", "rdx"),
        add_four!("r12" "r12b", "rsi"),
        "bt rbx, 0",
        "adc r8, 0",
        "adc r9, 0",
        "adc r10, 0",
        "adc r11, 0",
        "setc bl",
        store_four!(),
        "dec r14",
        "jnz 3b",
        // The carry out of the middle, minus the power of two by which the complement is too large.
        "add rbx, rbp",
        "add rbx, r12",
        "add rbx, rdi",
        "sub rbx, rcx",
        "xor ebp, ebp", // clears the carry flag
        "4:",
        load_four!(),
        "adc r8, rbx",
        "adc r9, 0",
        "adc r10, 0",
        "adc r11, 0",
        store_four!(),
        "mov ebx, 0",
        "dec r13",
        "jnz 4b",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbp",
        "pop rbx",
        "ret",
    )
}

impl Mulx {
    /// `out ← |a − b|` for operands of equal length, a multiple of 4 words. Returns all ones if a < b, else
    /// zero.
    pub(super) fn difference(self, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
        assert!(
            out.len() == a.len() && out.len() == b.len() && !out.is_empty() && out.len().is_multiple_of(4)
        );
        // SAFETY: the assertion guarantees the lengths.
        unsafe { difference(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), out.len()) }
    }

    /// t holds the products of the low and of the high halves, one after the other. Adds their sum and
    /// `middle` in the middle of t. If `minus` is 1, not 0, `middle` is the complement of a number to be
    /// subtracted. The lengths are multiples of 16 and 8 words.
    pub(super) fn combine(self, t: &mut [u64], middle: &[u64], minus: u64) {
        let half = middle.len() / 2;
        assert!(half > 0 && half.is_multiple_of(4) && middle.len() == 2 * half && t.len() == 4 * half);
        // SAFETY: the assertion guarantees the lengths.
        unsafe { combine(t.as_mut_ptr(), middle.as_ptr(), half, minus) }
    }
}
