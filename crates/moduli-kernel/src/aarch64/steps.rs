//! The steps of passes over rows of words in assembly: `mul` and `umulh` with `adcs` chains.
//!
//! A pass multiplies a *block* of up to eight words by a row, one word of the row at a time. The block and
//! the running sum stay in registers, so besides its products a word of the row needs only one load and one
//! store. There is only one carry flag. Therefore a row adds the low halves of its products first, and then
//! the high halves; adding these moves the sum down by a word.
//!
//! Registers: x0 points to the sum in memory, x1 to the row, x2 is the number of its words, x3 the address of
//! the blocks or −p^(−1), x4 the carry, x5 the number of blocks left, x6 … x13 the block, x14, x15, x19 … x24
//! the running sum (lowest word first), x25 and x26 words of the row, x27 and x28 words of the sum in memory,
//! x30 a loop counter; x16 and x17 are temporary. x18 and x29 belong to the platform. Branches and addresses
//! depend on lengths alone.

/// One row: computes `joins` + running sum + word·block. Puts its lowest word into `lowest`; the other words
/// become the new running sum, which never overflows. Takes 4 instructions per word of the block, and 2 more.
///
/// For each word of the block, `list` has its offset, its register and the register of the sum.
macro_rules! row {
    ($word:literal, $lowest:literal, $joins:literal, [$at:literal $a:literal $s:literal $($rest:tt)*]) => {
        concat!(
            "mul x16, ", $a, ", ", $word, "\n",
            "adds ", $s, ", ", $s, ", x16\n",
            row!(@low $word [$($rest)*]),
            "cset x17, cs\n",
            "adds ", $lowest, ", ", $joins, ", ", $s, "\n",
            row!(@high $word $a $s [$($rest)*]),
        )
    };
    (@low $word:literal [$($at:literal $a:literal $s:literal)*]) => {
        concat!($("mul x16, ", $a, ", ", $word, "\n", "adcs ", $s, ", ", $s, ", x16\n",)*)
    };
    (@high $word:literal $a:literal $s:literal [$at:literal $next:literal $sum:literal $($rest:tt)*]) => {
        concat!(
            "umulh x16, ", $a, ", ", $word, "\n",
            "adcs ", $s, ", ", $sum, ", x16\n",
            row!(@high $word $next $sum [$($rest)*]),
        )
    };
    (@high $word:literal $a:literal $s:literal []) => {
        concat!("umulh x16, ", $a, ", ", $word, "\n", "adc ", $s, ", x17, x16\n")
    };
}

/// Like `row`, without `joins`.
macro_rules! fresh_row {
    ($word:literal, $lowest:literal, [
        $at:literal $a:literal $s:literal $above:literal $next:literal $sum:literal $($rest:tt)*
    ]) => {
        concat!(
            "mul x16, ", $a, ", ", $word, "\n",
            "adds ", $lowest, ", ", $s, ", x16\n",
            row!(@low $word [$above $next $sum $($rest)*]),
            "cset x17, cs\n",
            "umulh x16, ", $a, ", ", $word, "\n",
            "adds ", $s, ", ", $sum, ", x16\n",
            row!(@high $word $next $sum [$($rest)*]),
        )
    };
}

/// Running sum ← word·block without its lowest word, plus the carry flag: the first row of all.
macro_rules! first_row {
    ($word:literal, [$at:literal $a:literal $s:literal]) => {
        concat!("umulh x16, ", $a, ", ", $word, "\n", "adc ", $s, ", x16, xzr\n")
    };
    ($word:literal, [$at:literal $a:literal $s:literal $above:literal $next:literal $($rest:tt)*]) => {
        concat!(
            "umulh x16, ", $a, ", ", $word, "\n",
            "mul x17, ", $next, ", ", $word, "\n",
            "adcs ", $s, ", x16, x17\n",
            first_row!($word, [$above $next $($rest)*]),
        )
    };
}

/// Adds two rows to the sum, and advances the pointers.
macro_rules! two_rows {
    ($list:tt) => {
        concat!(
            "ldp x25, x26, [x1], #16\n",
            "ldp x27, x28, [x0]\n",
            row!("x25", "x27", "x27", $list),
            row!("x26", "x28", "x28", $list),
            "stp x27, x28, [x0], #16\n",
        )
    };
}

/// Adds one row.
macro_rules! one_row {
    ($list:tt) => {
        concat!(
            "ldr x25, [x1], #8\n",
            "ldr x27, [x0]\n",
            row!("x25", "x27", "x27", $list),
            "str x27, [x0], #8\n",
        )
    };
}

/// Like `two_rows`, where the sum in memory is not yet set.
macro_rules! two_fresh_rows {
    ($list:tt) => {
        concat!(
            "ldp x25, x26, [x1], #16\n",
            fresh_row!("x25", "x27", $list),
            fresh_row!("x26", "x28", $list),
            "stp x27, x28, [x0], #16\n",
        )
    };
}

/// Like `one_row`, where the sum in memory is not yet set.
macro_rules! one_fresh_row {
    ($list:tt) => {
        concat!("ldr x25, [x1], #8\n", fresh_row!("x25", "x27", $list), "str x27, [x0], #8\n")
    };
}

/// All rows except the last `but`, four at a time.
macro_rules! rows {
    ($two:ident, $one:ident, $but:literal, $list:tt) => {
        concat!(
            "sub x16, x2, #",
            $but,
            "\n",
            "lsr x30, x16, #2\n",
            "cbz x30, 3f\n",
            ".p2align 4\n",
            "2:\n",
            $two!($list),
            $two!($list),
            "sub x30, x30, #1\n",
            "cbnz x30, 2b\n",
            "3:\n",
            "sub x16, x2, #",
            $but,
            "\n",
            "and x30, x16, #3\n",
            "cbz x30, 5f\n",
            "4:\n",
            $one!($list),
            "sub x30, x30, #1\n",
            "cbnz x30, 4b\n",
            "5:\n",
        )
    };
}

/// Adds the rows of p, one for each word of a block. Each is multiplied by the quotient that clears a word of
/// the sum at x0, and the quotient replaces this word. Of the lowest word only the carries matter: one from
/// adding the word in memory to the running sum, and one if the sum of both is not zero, because adding the
/// product then clears it with a carry.
macro_rules! quotient_rows {
    ($list:tt) => { quotient_rows!(@ $list, $list) };
    (@ [$zero:literal $first:literal $sum:literal $($at:literal $a:literal $s:literal)*], $list:tt) => {
        concat!(
            "ldr x27, [x0]\n",
            "mul x25, x27, x3\n",
            "str x25, [x0]\n",
            "cmp x27, #1\n",
            first_row!("x25", $list),
            $(quotient_rows!(@row $at, $list),)*
        )
    };
    (@row $at:literal, [$first:literal $a:literal $s:literal $($rest:tt)*]) => {
        concat!(
            "ldr x27, [x0, #", $at, "]\n",
            "add x16, x27, ", $s, "\n",
            "mul x25, x16, x3\n",
            "str x25, [x0, #", $at, "]\n",
            "cmp x16, #1\n",
            row!(@low "x25" [$($rest)*]),
            "cset x17, cs\n",
            "cmn x27, ", $s, "\n",
            row!(@high "x25" $a $s [$($rest)*]),
        )
    };
}

/// Loads a block, two words at a time.
macro_rules! load_block {
    ($from:literal, []) => { "" };
    ($from:literal, [$at:literal $a:literal $s:literal]) => {
        concat!("ldr ", $a, ", [", $from, ", #", $at, "]\n")
    };
    ($from:literal, [$at:literal $a:literal $s:literal $above:literal $b:literal $t:literal $($rest:tt)*]) => {
        concat!("ldp ", $a, ", ", $b, ", [", $from, ", #", $at, "]\n", load_block!($from, [$($rest)*]))
    };
}

/// Adds the running sum and the carry flag to the words at x0.
macro_rules! add_sum {
    ([]) => { "" };
    ([$at:literal $a:literal $s:literal]) => {
        concat!("ldr x16, [x0, #", $at, "]\n", "adcs x16, x16, ", $s, "\n", "str x16, [x0, #", $at, "]\n")
    };
    ([$at:literal $a:literal $s:literal $above:literal $b:literal $t:literal $($rest:tt)*]) => {
        concat!(
            "ldp x16, x17, [x0, #", $at, "]\n",
            "adcs x16, x16, ", $s, "\n",
            "adcs x17, x17, ", $t, "\n",
            "stp x16, x17, [x0, #", $at, "]\n",
            add_sum!([$($rest)*]),
        )
    };
}

/// Stores the running sum at x0.
macro_rules! store_sum {
    ([]) => { "" };
    ([$at:literal $a:literal $s:literal $above:literal $b:literal $t:literal $($rest:tt)*]) => {
        concat!("stp ", $s, ", ", $t, ", [x0, #", $at, "]\n", store_sum!([$($rest)*]))
    };
}

/// Saves registers.
macro_rules! save {
    () => {
        concat!(
            "stp x19, x20, [sp, #-96]!\n",
            "stp x21, x22, [sp, #16]\n",
            "stp x23, x24, [sp, #32]\n",
            "stp x25, x26, [sp, #48]\n",
            "stp x27, x28, [sp, #64]\n",
            "str x30, [sp, #80]\n",
        )
    };
}

/// Moves to the next block: the sum a block further up, the row from its start. x5 counts down.
macro_rules! next_block {
    ($bytes:literal) => {
        concat!(
            "sub x1, x1, x2, lsl #3\n",
            "sub x0, x0, x2, lsl #3\n",
            "add x0, x0, #",
            $bytes,
            "\n",
            "sub x5, x5, #1\n",
        )
    };
}

/// Adds the running sum and the carry to the words where the rows ended, and goes on with the next block, at
/// label 6. Returns the carry out of the last block.
macro_rules! finish {
    ($bytes:literal, $list:tt) => {
        concat!(
            "cmp x4, #1\n", // moves the carry to the carry flag
            add_sum!($list),
            "cset x4, cs\n",
            next_block!($bytes),
            "cbnz x5, 6b\n",
            "mov x0, x4\n",
            restore!(),
        )
    };
}

/// Restores the registers and returns.
macro_rules! restore {
    () => {
        concat!(
            "ldr x30, [sp, #80]\n",
            "ldp x27, x28, [sp, #64]\n",
            "ldp x25, x26, [sp, #48]\n",
            "ldp x23, x24, [sp, #32]\n",
            "ldp x21, x22, [sp, #16]\n",
            "ldp x19, x20, [sp], #96\n",
            "ret\n",
        )
    };
}

/// Clears the running sum.
macro_rules! zero {
    ([$($at:literal $a:literal $s:literal)*]) => {
        concat!($("mov ", $s, ", xzr\n",)*)
    };
}
