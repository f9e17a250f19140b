//! Squares: the products above the diagonal, then the diagonal.

use core::arch::naked_asm;

use super::rows::{BLOCK, Mulx};

/// The products of each word of a block with all words above it, row by row. For each word but the first,
/// `list` has its offset and its register. Brackets before them hold the offset of the previous word, and
/// those of the two words of the sum that the row of this word completes.
macro_rules! triangle {
    () => { "" };
    ([$word:literal $even:literal $odd:literal] $offset:literal $register:literal $($rest:tt)*) => {
        concat!(
            "mov rdx, [rsi + ", $word, "]\n",
            "xor ebx, ebx\n",
            row!("rsi", [$offset $register $($rest)*]),
            "mov [rdi + ", $even, "], rbx\n",
            "mov [rdi + ", $odd, "], ", $register, "\n",
            triangle!($($rest)*),
        )
    };
}

macro_rules! triangles {
    ($name:ident, $last:literal, [$($register:literal)*], $($list:tt)*) => {
        /// `t ← Σ a_i·a_j·2^(64·(i + j))` over all i < j in a block `a`.
        ///
        /// # Safety
        /// The processor has BMI2 and ADX. There is a block at `a` and two at `t`.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(t: *mut u64, a: *const u64) {
            naked_asm!(
                "push rbx", "push r12", "push r13", "push r14",
                "xor ecx, ecx",
                "mov [rdi], rcx",
                concat!("mov [rdi + ", $last, "], rcx"),
                $(concat!("xor ", $register, ", ", $register),)*
                triangle!($($list)*),
                "pop r14", "pop r13", "pop r12", "pop rbx",
                "ret",
            )
        }
    };
}

triangles!(triangle_1, 8, [],);
triangles!(triangle_2, 24, ["r8"], [0 8 16] 8 "r8");
triangles!(triangle_3, 40, ["r8" "r9"], [0 8 16] 8 "r8" [8 24 32] 16 "r9");
triangles!(triangle_4, 56, ["r8" "r9" "r10"], [0 8 16] 8 "r8" [8 24 32] 16 "r9" [16 40 48] 24 "r10");
triangles!(
    triangle_5, 72, ["r8" "r9" "r10" "r11"],
    [0 8 16] 8 "r8" [8 24 32] 16 "r9" [16 40 48] 24 "r10" [24 56 64] 32 "r11"
);
triangles!(
    triangle_6, 88, ["r8" "r9" "r10" "r11" "r12"],
    [0 8 16] 8 "r8" [8 24 32] 16 "r9" [16 40 48] 24 "r10" [24 56 64] 32 "r11" [32 72 80] 40 "r12"
);
triangles!(
    triangle_7, 104, ["r8" "r9" "r10" "r11" "r12" "r13"],
    [0 8 16] 8 "r8" [8 24 32] 16 "r9" [16 40 48] 24 "r10" [24 56 64] 32 "r11" [32 72 80] 40 "r12" [40 88 96] 48 "r13"
);
triangles!(
    triangle_8, 120, ["r8" "r9" "r10" "r11" "r12" "r13" "r14"],
    [0 8 16] 8 "r8" [8 24 32] 16 "r9" [16 40 48] 24 "r10" [24 56 64] 32 "r11" [32 72 80] 40 "r12" [40 88 96] 48 "r13"
    [48 104 112] 56 "r14"
);

const TRIANGLE: [unsafe extern "sysv64" fn(*mut u64, *const u64); BLOCK] =
    [triangle_1, triangle_2, triangle_3, triangle_4, triangle_5, triangle_6, triangle_7, triangle_8];

/// One word in `double_and_square`: two words of the sum.
macro_rules! double_and_square_at {
    ($word:literal $even:literal $odd:literal) => {
        concat!(
            "mov rdx, [rsi + ",
            $word,
            "]\n",
            "mov rax, [rdi + ",
            $even,
            "]\n",
            "mov r10, [rdi + ",
            $odd,
            "]\n",
            "mulx r9, r8, rdx\n",
            "adcx rax, rax\n",
            "adox rax, r8\n",
            "adcx r10, r10\n",
            "adox r10, r9\n",
            "mov [rdi + ",
            $even,
            "], rax\n",
            "mov [rdi + ",
            $odd,
            "], r10\n",
        )
    };
}

/// `t ← 2·t + Σ a_i²·2^(128·i)`. The chain in the carry flag doubles, the chain in the overflow flag adds;
/// nothing between the steps changes the flags.
///
/// # Safety
/// The processor has BMI2 and ADX. There are `count` words at `a`, and twice as many at `t`.
#[unsafe(naked)]
unsafe extern "sysv64" fn double_and_square(t: *mut u64, a: *const u64, count: usize) {
    naked_asm!(
        "mov r11, rdx",
        "mov rcx, rdx",
        "and r11, 1",
        "shr rcx",
        "xor eax, eax", // clears both flags
        "jrcxz 3f",
        "2:",
        double_and_square_at!(0 0 8),
        double_and_square_at!(8 16 24),
        "lea rsi, [rsi + 16]",
        "lea rdi, [rdi + 32]",
        "lea rcx, [rcx - 1]",
        "jrcxz 3f",
        "jmp 2b",
        "3:",
        "mov rcx, r11",
        "jrcxz 5f",
        double_and_square_at!(0 0 8),
        "5:",
        "ret",
    )
}

impl Mulx {
    /// `t ← Σ a_i·a_j·2^(64·(i + j))` over all i < j in a block `a` of at most [`BLOCK`] words.
    pub(super) fn triangle(self, t: &mut [u64], a: &[u64]) {
        assert!(t.len() == 2 * a.len());
        // SAFETY: `self` guarantees the instructions, the index for the width, the assertion for the sum.
        unsafe { TRIANGLE[a.len() - 1](t.as_mut_ptr(), a.as_ptr()) }
    }

    /// `t ← 2·t + Σ a_i²·2^(128·i)`.
    pub(super) fn double_and_square(self, t: &mut [u64], a: &[u64]) {
        assert!(t.len() == 2 * a.len() && !a.is_empty());
        // SAFETY: `self` guarantees the instructions, the assertion for the lengths.
        unsafe { double_and_square(t.as_mut_ptr(), a.as_ptr(), a.len()) }
    }
}
