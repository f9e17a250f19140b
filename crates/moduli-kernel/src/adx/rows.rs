//! Passes over rows of words in assembly: `mulx` with two carry chains, one in the carry flag and one in the
//! overflow flag.
//!
//! A pass multiplies a *block* of up to eight words by a row, one word of the row at a time. The running sum
//! of the last words stays in registers, with its lowest word in r8, so besides its products a word of the
//! row needs only one load and one store. The code is in assembly because compilers keep at most one carry
//! chain in a flag.
//!
//! Registers: rdi points to the sum in memory, rsi to the row, rbp is the number of words of the row left, r8
//! … r15 the running sum, rdx the word of the row, rcx zero; rax and rbx are temporary. The block is on the
//! stack, at rsp. Branches and addresses depend on lengths alone.

use core::arch::naked_asm;

/// Words of the longest block.
pub(super) const BLOCK: usize = 8;

/// One row: computes rbx + running sum + rdx·block. Puts its lowest word into rbx; the other words become the
/// new running sum. The chain in the carry flag moves the running sum down by a word, and the chain in the
/// overflow flag adds the low halves of the products. The high half of each product goes to the register that
/// the sum has just left.
///
/// For each word of the block, `list` has its offset from `base` and its register; brackets in the list are
/// skipped.
macro_rules! row {
    (@next $base:literal $low:literal [$($skipped:tt)*] $($rest:tt)*) => { row!(@next $base $low $($rest)*) };
    (@next $base:literal $low:literal $offset:literal $next:literal $($rest:tt)*) => {
        concat!(
            "adcx ", $low, ", ", $next, "\n",
            "mulx ", $next, ", rax, [", $base, " + ", $offset, "]\n",
            "adox ", $low, ", rax\n",
            row!(@next $base $next $($rest)*),
        )
    };
    (@next $base:literal $top:literal) => {
        concat!("adcx ", $top, ", rcx\n", "adox ", $top, ", rcx\n")
    };
    ($base:literal, [$offset:literal $low:literal $($rest:tt)*]) => {
        concat!(
            "xor eax, eax\n", // clears both flags
            "adcx rbx, ", $low, "\n",
            "mulx ", $low, ", rax, [", $base, " + ", $offset, "]\n",
            "adox rbx, rax\n",
            row!(@next $base $low $($rest)*),
        )
    };
}

/// Adds one row to the sum at rdi + `at`, for the word of the row at rsi + `at`.
#[rustfmt::skip]
macro_rules! row_at {
    ($at:literal, $list:tt) => {
        concat!(
            "mov rdx, [rsi + ", $at, "]\n",
            "mov rbx, [rdi + ", $at, "]\n",
            row!("rsp", $list),
            "mov [rdi + ", $at, "], rbx\n",
        )
    };
}

/// All remaining rows: eight at a time, then four, then one by one.
macro_rules! rows {
    ($list:tt) => {
        concat!(
            "sub rbp, 8\n",
            "jb 3f\n",
            ".p2align 5\n",
            "2:\n",
            row_at!(0, $list),
            row_at!(8, $list),
            row_at!(16, $list),
            row_at!(24, $list),
            row_at!(32, $list),
            row_at!(40, $list),
            row_at!(48, $list),
            row_at!(56, $list),
            "add rdi, 64\n",
            "add rsi, 64\n",
            "sub rbp, 8\n",
            "jae 2b\n",
            "3:\n",
            "add rbp, 4\n",
            "jnc 7f\n",
            row_at!(0, $list),
            row_at!(8, $list),
            row_at!(16, $list),
            row_at!(24, $list),
            "add rdi, 32\n",
            "add rsi, 32\n",
            "sub rbp, 4\n",
            "7:\n",
            "add rbp, 4\n",
            "jz 5f\n",
            "4:\n",
            row_at!(0, $list),
            "add rdi, 8\n",
            "add rsi, 8\n",
            "dec rbp\n",
            "jnz 4b\n",
            "5:\n",
        )
    };
}

/// Adds the rows of p, one for each word of a block. Each is multiplied by the quotient that clears a word of
/// the sum at rdi. The quotients become the block at rsp. rdx is the quotient of a row, rbp the word that it
/// clears.
///
/// The quotient of the next row is computed as soon as the current row has completed its word, before the
/// rest of the row, because all else waits for the quotients.
macro_rules! quotient_rows {
    ([0 $low:literal]) => {
        concat!(
            "mov rbp, [rdi]\n",
            first_quotient!($low),
            "mov rbx, rbp\n",
            row!("rsi", [0 $low]),
        )
    };
    ($list:tt) => { concat!("mov rbp, [rdi]\n", first_quotient!("r8"), quotient_rows!(@ $list, $list)) };
    (@ [$at:literal $register:literal], $list:tt) => {
        concat!("mov rbx, rbp\n", row!("rsi", $list))
    };
    (@ [$at:literal $register:literal $next:literal $($rest:tt)*], $list:tt) => {
        concat!(quotient_row!($at $next, $list), quotient_rows!(@ [$next $($rest)*], $list))
    };
}

/// The quotient of the first row, for the word rbp + `low`.
macro_rules! first_quotient {
    ($low:literal) => {
        concat!("lea rdx, [rbp + ", $low, "]\n", "imul rdx, [rsp + 72]\n", "mov [rsp], rdx\n")
    };
}

/// A row with the quotient for the word at rdi + `at`, and the quotient for the word at rdi + `next`.
macro_rules! quotient_row {
    ($at:literal $next:literal, [$p0:literal $low:literal $p1:literal $second:literal $($rest:tt)*]) => {
        concat!(
            "xor eax, eax\n", // clears both flags
            "adcx rbp, ", $low, "\n",
            "mulx ", $low, ", rax, [rsi + ", $p0, "]\n",
            "adox rbp, rax\n",
            "adcx ", $low, ", ", $second, "\n",
            "mulx ", $second, ", rax, [rsi + ", $p1, "]\n",
            "adox ", $low, ", rax\n",
            "mov rbp, [rdi + ", $next, "]\n",
            "lea rdx, [rbp + ", $low, "]\n",
            "mulx rax, rbx, [rsp + 72]\n", // does not change the flags
            "mov rdx, [rsp + ", $at, "]\n",
            "mov [rsp + ", $next, "], rbx\n",
            row!(@next "rsi" $second $($rest)*),
            "mov rdx, rbx\n",
        )
    };
}

/// Copies a block to the stack.
macro_rules! copy_block {
    ($from:literal, [$($at:literal $register:literal)*]) => {
        concat!($("mov rax, [", $from, " + ", $at, "]\n", "mov [rsp + ", $at, "], rax\n",)*)
    };
}

/// Saves registers and, above the block, all arguments except the first two: at rsp + 64 the length of the
/// row, at rsp + 72 the fourth argument, at rsp + 80 the carry, at rsp + 88 the number of blocks. Each block
/// begins at label 6.
macro_rules! begin {
    () => {
        concat!(
            "push rbx\n",
            "push rbp\n",
            "push r12\n",
            "push r13\n",
            "push r14\n",
            "push r15\n",
            "sub rsp, 104\n",
            "mov [rsp + 64], rdx\n",
            "mov [rsp + 72], rcx\n",
            "mov [rsp + 80], r8\n",
            "mov [rsp + 88], r9\n",
            "6:\n",
        )
    };
}

/// Adds the running sum and the carry to the words at rdi, where the rows ended. Then goes on with the next
/// block: the sum a block further up, the row from its start. Returns the carry out of the last block.
macro_rules! finish {
    ($words:literal, [$($at:literal $register:literal)*]) => {
        concat!(
            "xor eax, eax\n",
            "cmp rax, [rsp + 80]\n", // moves the carry to the carry flag
            $("adc ", $register, ", [rdi + ", $at, "]\n", "mov [rdi + ", $at, "], ", $register, "\n",)*
            "setc al\n",
            "mov [rsp + 80], rax\n",
            "mov rdx, [rsp + 64]\n",
            "shl rdx, 3\n",
            "sub rsi, rdx\n",
            "sub rdi, rdx\n",
            "add rdi, 8*", $words, "\n",
            "dec qword ptr [rsp + 88]\n",
            "jnz 6b\n",
            "add rsp, 104\n",
            "pop r15\n", "pop r14\n", "pop r13\n", "pop r12\n", "pop rbp\n", "pop rbx\n",
            "ret\n",
        )
    };
}

/// Clears the running sum.
macro_rules! zero {
    ([$($at:literal $register:literal)*]) => {
        concat!($("xor ", $register, ", ", $register, "\n",)*)
    };
}

type AddBlocks = unsafe extern "sysv64" fn(*mut u64, *const u64, usize, *const u64, u64, usize) -> u64;
type ClearBlocks = unsafe extern "sysv64" fn(*mut u64, *const u64, usize, u64, u64, usize) -> u64;

macro_rules! add_blocks {
    ($name:ident, $words:literal, $list:tt) => {
        /// `t += blocks·row + carry·2^(64·count)`, for `number` blocks of as many words as the name says. The
        /// carry is 0 or 1, and so is the carry out of the top, which is returned.
        ///
        /// # Safety
        /// The processor has BMI2 and ADX. `number` is not zero, there are `count` words at `row`, the words
        /// of the blocks at `blocks`, and the sum of both at `t`.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(
            t: *mut u64,
            row: *const u64,
            count: usize,
            blocks: *const u64,
            carry: u64,
            number: usize,
        ) -> u64 {
            naked_asm!(
                begin!(),
                "mov rbp, [rsp + 64]",
                "mov rcx, [rsp + 72]",
                copy_block!("rcx", $list),
                concat!("add rcx, 8*", $words),
                "mov [rsp + 72], rcx",
                zero!($list),
                "xor ecx, ecx",
                rows!($list),
                finish!($words, $list),
            )
        }
    };
}

macro_rules! clear_blocks {
    ($name:ident, $words:literal, $list:tt) => {
        /// Adds to `t` the multiple of the `count` words at `p` that clears `number` blocks of as many words
        /// as the name says, and `carry·2^(64·count)`. Does not overwrite these blocks. Returns the carry out
        /// of the top.
        ///
        /// # Safety
        /// The processor has BMI2 and ADX. `number` is not zero, `count` no less than the words of a block,
        /// and there is room at `t` for `count` words and those of the blocks.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(
            t: *mut u64,
            p: *const u64,
            count: usize,
            negative_inverse: u64,
            carry: u64,
            number: usize,
        ) -> u64 {
            naked_asm!(
                begin!(),
                zero!($list),
                "xor ecx, ecx",
                // Here the low words of p are the block, and the quotients the row.
                quotient_rows!($list),
                // Here the other words of p are the row, and the quotients the block.
                "mov rbp, [rsp + 64]",
                concat!("sub rbp, ", $words),
                concat!("add rdi, 8*", $words),
                concat!("add rsi, 8*", $words),
                rows!($list),
                finish!($words, $list),
            )
        }
    };
}

add_blocks!(add_2, 2, [0 "r8" 8 "r9"]);
add_blocks!(add_3, 3, [0 "r8" 8 "r9" 16 "r10"]);
add_blocks!(add_4, 4, [0 "r8" 8 "r9" 16 "r10" 24 "r11"]);
add_blocks!(add_5, 5, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12"]);
add_blocks!(add_6, 6, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12" 40 "r13"]);
add_blocks!(add_7, 7, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12" 40 "r13" 48 "r14"]);
add_blocks!(add_8, 8, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12" 40 "r13" 48 "r14" 56 "r15"]);
clear_blocks!(clear_1, 1, [0 "r8"]);
clear_blocks!(clear_2, 2, [0 "r8" 8 "r9"]);
clear_blocks!(clear_3, 3, [0 "r8" 8 "r9" 16 "r10"]);
clear_blocks!(clear_4, 4, [0 "r8" 8 "r9" 16 "r10" 24 "r11"]);
clear_blocks!(clear_5, 5, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12"]);
clear_blocks!(clear_6, 6, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12" 40 "r13"]);
clear_blocks!(clear_7, 7, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12" 40 "r13" 48 "r14"]);
clear_blocks!(clear_8, 8, [0 "r8" 8 "r9" 16 "r10" 24 "r11" 32 "r12" 40 "r13" 48 "r14" 56 "r15"]);

/// One word in `add_1`. The carry flag adds the high half of the previous product.
macro_rules! add_1_at {
    ($at:literal $high:literal $before:literal) => {
        concat!(
            "mulx ",
            $high,
            ", rax, [rsi + ",
            $at,
            "]\n",
            "adcx rax, ",
            $before,
            "\n",
            "adox rax, [rdi + ",
            $at,
            "]\n",
            "mov [rdi + ",
            $at,
            "], rax\n",
        )
    };
}

/// Like the other passes, for one block of one word. It multiplies the whole row, with one carry chain for
/// the sum and one for the high halves. Nothing between the steps changes the flags.
///
/// # Safety
/// As the others; `number` is 1.
#[unsafe(naked)]
unsafe extern "sysv64" fn add_1(
    t: *mut u64,
    row: *const u64,
    count: usize,
    block: *const u64,
    carry: u64,
    number: usize,
) -> u64 {
    naked_asm!(
        "mov r11, rdx",
        "mov rdx, [rcx]",
        "mov rcx, r11",
        "and r11d, 3",
        "shr rcx, 2",
        "xor r10d, r10d", // clears both flags
        "jrcxz 3f",
        ".p2align 5",
        "2:",
        add_1_at!(0 "r9" "r10"),
        add_1_at!(8 "r10" "r9"),
        add_1_at!(16 "r9" "r10"),
        add_1_at!(24 "r10" "r9"),
        "lea rsi, [rsi + 32]",
        "lea rdi, [rdi + 32]",
        "lea rcx, [rcx - 1]",
        "jrcxz 3f",
        "jmp 2b",
        "3:",
        "mov rcx, r11",
        "jrcxz 5f",
        "4:",
        add_1_at!(0 "r9" "r10"),
        "mov r10, r9",
        "lea rsi, [rsi + 8]",
        "lea rdi, [rdi + 8]",
        "lea rcx, [rcx - 1]",
        "jrcxz 5f",
        "jmp 4b",
        "5:",
        "mov eax, 0",
        "adcx r10, rax",
        "adox r10, rax",
        "xor eax, eax",
        "cmp rax, r8", // moves the carry to the carry flag
        "adc [rdi], r10",
        "setc al",
        "ret",
    )
}

/// By the length of a block; the first is for one word.
const ADD: [AddBlocks; BLOCK - 1] = [add_1, add_2, add_3, add_4, add_5, add_6, add_7];
const CLEAR: [ClearBlocks; BLOCK - 1] = [clear_1, clear_2, clear_3, clear_4, clear_5, clear_6, clear_7];

/// Proof that this processor has the instructions.
#[derive(Clone, Copy)]
pub struct Mulx(());

impl Mulx {
    pub(super) fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        let supported = std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("adx")
            && std::is_x86_feature_detected!("avx2");
        #[cfg(not(feature = "std"))]
        let supported = cfg!(all(target_feature = "bmi2", target_feature = "adx", target_feature = "avx2"));
        supported.then_some(Self(()))
    }

    /// `t += words·row + carry·2^(64·row words)`, where t is as long as both operands together. The carry is
    /// 0 or 1, and so is the carry out of the top, which is returned.
    pub(super) fn add_words(self, t: &mut [u64], row: &[u64], words: &[u64], mut carry: u64) -> u64 {
        assert!(t.len() == row.len() + words.len());
        let (blocks, rest) = words.split_at(words.len() - words.len() % BLOCK);
        let (t, count) = (t.as_mut_ptr(), row.len());
        // SAFETY: `self` guarantees the instructions, the assertion for the lengths, the index for the width
        // of the rest, which begins where the blocks end.
        unsafe {
            if !blocks.is_empty() {
                carry = add_8(t, row.as_ptr(), count, blocks.as_ptr(), carry, blocks.len() / BLOCK);
            }
            if !rest.is_empty() {
                let add = ADD[rest.len() - 1];
                carry = add(t.add(blocks.len()), row.as_ptr(), count, rest.as_ptr(), carry, 1);
            }
        }
        carry
    }

    /// Adds to `t` the multiple of `p` that clears the low words of t, and `carry·2^(64·p words)`. These low
    /// words are as many as t has more than p, at most as many as p has; they are not overwritten. Returns
    /// the carry out of the top.
    pub(super) fn clear_words(self, t: &mut [u64], p: &[u64], negative_inverse: u64, mut carry: u64) -> u64 {
        let words = t.len() - p.len();
        assert!(words <= p.len());
        let rest = words % BLOCK;
        let (t, count) = (t.as_mut_ptr(), p.len());
        // SAFETY: `self` guarantees the instructions, the assertion for the lengths, the index for the width
        // of the rest, which begins where the blocks end.
        unsafe {
            if words >= BLOCK {
                carry = clear_8(t, p.as_ptr(), count, negative_inverse, carry, words / BLOCK);
            }
            if rest != 0 {
                carry = CLEAR[rest - 1](t.add(words - rest), p.as_ptr(), count, negative_inverse, carry, 1);
            }
        }
        carry
    }
}
