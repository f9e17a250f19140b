//! What the inversion of secret values has to do (`moduli-kernel/src/inverse`), in formulas.
//!
//! N is the modulus, odd, of n limbs: N < B = 2^(64·n). Numbers have c + 1 digits, where c = ⌊64·n/62⌋: the lowest c of 62 bits, and above
//! them one with a sign. ζ is an integer with a sign; it stands for δ = −ζ − 1/2.
//!
//! A *division step* (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion", 2019; δ begins with 1/2) maps
//!
//! - (δ, f, g) to (1 − δ, g, (g − f)/2) if δ > 0 and g is odd, that is (ζ, f, g) to (−2 − ζ, g, (g − f)/2) if ζ < 0 and g is odd;
//! - (δ, f, g) to (1 + δ, f, (g + f)/2) else, if g is odd, and to (1 + δ, f, g/2) if it is even: ζ becomes ζ − 1.
//!
//! A row (u, v) says that 2^i times a number is u·f + v·g after i steps from (f, g). A step maps the rows of f and g, which begin with
//! (1, 0) and (0, 1), to 2·(row of g) and (row of g) − (row of f), or to 2·(row of f) and (row of g) + (row of f) or (row of g). So the sum
//! of the absolute values in a row is 2^i at most, and all that stands in it lies in ]−2^i, 2^i].
//!
//! | operation   | before                                   | afterwards                                          |
//! | ----------- | ---------------------------------------- | --------------------------------------------------- |
//! | `jump`      | f odd, g: any words; ζ any               | ζ' as 62 division steps leave it; (u, v), (q, r):   |
//! |             |                                          | the rows after them                                 |
//! | `update_fg` | −B < F, G < B                            | 2^62·F' = u·F + v·G, 2^62·G' = q·F + r·G,           |
//! |             |                                          | −B < F', G' < B                                     |
//! | `update_de` | −2·N < D, E < N                          | 2^62·D' ≡ u·D + v·E, 2^62·E' ≡ q·D + r·E modulo N,  |
//! |             |                                          | −2·N < D', E' < N                                   |
//! | `invert`    | V < B                                    | V' < N and all ones, V'·V ≡ 1 modulo N, if V has an |
//! |             |                                          | inverse; else a number of n limbs and zero          |
//!
//! Both updates want |u| + |v| ≤ 2^62 and |q| + |r| ≤ 2^62; `update_fg` besides that u·F + v·G and q·F + r·G are multiples of 2^62. That is
//! what a jump leaves, if its words are the lowest digits of F and G, and the rows are those of 62 division steps from (ζ, F, G) itself. By
//! induction: words f_i and g_i after i steps are made so that 2^i·f_i ≡ u·f + v·g and 2^i·g_i ≡ q·f + r·g modulo 2^64, as 2·g_(i+1) is
//! g_i, or g_i ± f_i, modulo 2^64. F ≡ f and G ≡ g modulo 2^62, so that words and numbers are the same modulo 2^(62−i) after i steps: in
//! each of the 62 steps the words have the lowest bit that the numbers have, and the step is the same. Code may begin with rows anew after
//! some of the steps and multiply both matrices.
//!
//! ζ changes by 1 at most in absolute value with each step, but for its sign: 2^62 steps could not take it out of a word.
//!
//! Of the constant it is assumed that `inverse`·N ≡ 1 modulo 2^62, and that it is below 2^62. `update_de` never uses that d or e are
//! inverses: with it d·value ≡ f and e·value ≡ g hold after each jump if they do before.
//!
//! `invert` is all of it: its beginning, jumps and updates in turn, and its end. It begins with ζ = −1, F = N, G = V, D = 0 and E = 1, so that
//! D·V ≡ F and E·V ≡ G modulo N. Each jump is given ζ and the lowest digits of F and G as they were left, both updates are given the
//! numbers as they were left, and the words of the matrix. They are those that are proved above: the same instructions, with addresses in
//! the same registers. By linearity D·V ≡ F and E·V ≡ G hold after both updates of a jump if they hold before, as 2^62 and N have no common
//! divisor. After the last one G is 0, by the theorem below, and F is the greatest common divisor of N and V or less that, as steps leave
//! the divisors of F and G that are odd. What is proved of the end is, of any such F and D,
//!
//! - V' = ±D, with N added where D < 0, and again where what that gives is negative; the sign is that of F. So 0 ≤ V' < N, and V'·V ≡ |F|;
//! - the mask is all ones if |F| = 1, and zero if not.
//!
//! That enough jumps are made is taken from a theorem, and not proved here: for numbers below 2^b, g is zero after
//! ⌊(45907·b + 30179)/19929⌋ division steps that begin with δ = 1/2 (P. Wuille, "safegcd-bounds", by convex hulls of what steps can reach).

use crate::system::{Id, Skipped, Value};

/// Bits of a digit.
pub const DIGIT: u32 = 62;

/// Steps of a jump, which the code makes in two halves of as many.
pub const STEPS: usize = 62;

/// Steps whose rows share two words.
pub const HALF: usize = STEPS / 2;

/// Digits below the highest one, for a modulus of so many limbs.
pub fn lower_digits(limbs: usize) -> usize {
    64 * limbs / DIGIT as usize
}

/// Bits of a number without its sign above the lower digits.
pub fn bits_above(limbs: usize) -> u32 {
    (64 * limbs - DIGIT as usize * lower_digits(limbs)) as u32
}

/// A row of an update: what becomes of the first number, or of the second one.
#[derive(Clone, Debug)]
pub struct Row {
    /// u and v, or q and r.
    pub factors: [Id; 2],
    /// Both numbers, lowest digit first, the highest with its sign.
    pub numbers: [Vec<Id>; 2],
    /// N and its inverse, where the result is one modulo N. A highest digit that can only be 0 is left out.
    pub modulus: Option<(Vec<Id>, Id)>,
    /// The words of the result, as many as each number has.
    pub result: Vec<Value>,
    /// Limbs of the modulus.
    pub limbs: usize,
}

/// What a row of a matrix says of a word: two numbers in ]−2^i, 2^i], the second 2^32 times.
pub type Pair = [Id; 2];

/// What the steps of a jump go from, or leave.
#[derive(Clone, Debug)]
pub struct State {
    /// Its lower 63 bits, and its sign.
    pub zeta: (Value, Option<[Id; 2]>),
    /// One, and twice this, where it was declared to be odd.
    pub f: (Value, Option<Id>),
    /// Its lowest bit, and what is above.
    pub g: (Value, Option<[Id; 2]>),
    /// The row of f in one word, or half of it: then it counts twice.
    pub row_of_f: (Value, bool),
    /// The row of g.
    pub row_of_g: Value,
    /// What the words of both rows are made of, where that is declared.
    pub pairs: Option<[Pair; 2]>,
}

/// A jump: what each step goes from and what it leaves, and the words of the matrix.
#[derive(Clone, Debug)]
pub struct Jump {
    /// Step by step, before and after; what comes after one is what comes before the next, but for what is known of it by then.
    pub steps: Vec<(State, State)>,
    /// At the end of each half: the rows as they are declared to be.
    pub halves: [State; 2],
    /// u, v, q and r.
    pub matrix: [Value; 4],
}

/// A whole inversion, whose jumps and updates are proved apart.
#[derive(Clone, Debug)]
pub struct Whole {
    /// Limbs of the modulus.
    pub limbs: usize,
    /// V, in limbs.
    pub value: Vec<Id>,
    /// N in digits.
    pub modulus: Vec<Value>,
    /// Its inverse modulo 2^62.
    pub inverse: Value,
    /// One after the other.
    pub jumps: Vec<Jumped>,
    /// V', in limbs.
    pub result: Vec<Value>,
    /// The mask.
    pub exists: Value,
}

/// A jump with both updates.
#[derive(Clone, Debug)]
pub struct Jumped {
    /// Read: the lowest words of F and G, and ζ in a register. Left: u, v, q and r, and ζ.
    pub jump: Skipped,
    /// Read: u, v, q and r, D, E, N, its inverse, and how many digits there are. Left: D and E.
    pub update_de: Skipped,
    /// Read: u, v, q and r, F and G. Left: F and G.
    pub update_fg: Skipped,
}

/// Steps that make g zero for numbers below 2^(64·limbs), rounded up to whole jumps.
pub fn jumps(limbs: usize) -> usize {
    ((45_907 * 64 * limbs + 30_179) / 19_929).div_ceil(STEPS)
}
