//! The specification of the inversion of secret values (`moduli-kernel/src/inverse`), in formulas.
//!
//! N is the modulus, odd, of n limbs: N < B = 2^(64·n). Numbers have c + 1 digits, where c = ⌊64·n/62⌋: the
//! lowest c digits have 62 bits each, and the highest one has a sign. ζ is a signed integer; it stands for
//! δ = −ζ − 1/2.
//!
//! A *division step* (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion", 2019; δ
//! begins with 1/2) maps
//!
//! - (δ, f, g) to (1 − δ, g, (g − f)/2) if δ > 0 and g is odd, that is (ζ, f, g) to (−2 − ζ, g, (g − f)/2) if
//!   ζ < 0 and g is odd;
//! - (δ, f, g) to (1 + δ, f, (g + f)/2) else, if g is odd, and to (1 + δ, f, g/2) if it is even: ζ becomes ζ
//!   − 1.
//!
//! A row (u, v) says that 2^i times a number is u·f + v·g, after i steps from (f, g). The rows of f and g
//! begin with (1, 0) and (0, 1). A step maps them to 2·(row of g) and (row of g) − (row of f), or to 2·(row
//! of f) and (row of g) + (row of f) or (row of g). So the sum of the absolute values in a row is at most
//! 2^i, and all numbers in it lie in ]−2^i, 2^i].
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
//! Both updates require |u| + |v| ≤ 2^62 and |q| + |r| ≤ 2^62. `update_fg` also requires that u·F + v·G and
//! q·F + r·G are multiples of 2^62. A jump ensures this if its words are the lowest digits of F and G, and
//! the rows are those of 62 division steps from (ζ, F, G) itself. The proof is by induction. Words f_i and
//! g_i after i steps are made so that 2^i·f_i ≡ u·f + v·g and 2^i·g_i ≡ q·f + r·g modulo 2^64, as
//! 2·g_(i+1) is g_i, or g_i ± f_i, modulo 2^64. As F ≡ f and G ≡ g modulo 2^62, words and numbers are equal
//! modulo 2^(62−i) after i steps. So in each of the 62 steps the words have the lowest bit that the numbers
//! have, and the step is the same. Code may restart the rows after some of the steps and multiply both
//! matrices.
//!
//! In absolute value, ζ changes by at most 1 with each step, apart from its sign: even 2^62 steps could not
//! make it longer than a word.
//!
//! The constant is assumed to satisfy `inverse`·N ≡ 1 modulo 2^62, and to be below 2^62. `update_de` never
//! uses that d or e are inverses: with it, d·value ≡ f and e·value ≡ g hold after each jump if they hold
//! before.
//!
//! `invert` is the whole inversion: its beginning, jumps and updates in turn, and its end. It starts from ζ =
//! −1, F = N, G = V, D = 0 and E = 1, so that D·V ≡ F and E·V ≡ G modulo N. Each jump receives ζ and the
//! lowest digits of F and G as they were left; both updates receive the numbers as they were left, and the
//! words of the matrix. The jumps and updates are those that are proved above: the same instructions, with
//! addresses in the same registers. By linearity, D·V ≡ F and E·V ≡ G hold after both updates of a jump if
//! they hold before, as 2^62 and N have no common divisor. After the last update G is 0, by the theorem
//! below, and F is the greatest common divisor of N and V or its negative, as steps preserve the odd common
//! divisors of F and G. For any such F and D, the proof shows of the end that
//!
//! - V' = ±D, with N added if D < 0, and again if the result of that is negative; the sign is that of F. So 0
//!   ≤ V' < N, and V'·V ≡ |F|;
//! - the mask is all ones if |F| = 1, and zero if not.
//!
//! That there are enough jumps is taken from a theorem, and not proved here: for numbers below 2^b, g is zero
//! after ⌊(45907·b + 30179)/19929⌋ division steps that begin with δ = 1/2 (P. Wuille, "safegcd-bounds", by
//! convex hulls of what steps can reach).

use crate::system::{Id, Skipped, Value};

/// Bits of a digit.
pub const DIGIT: u32 = 62;

/// The steps of a jump, which the code makes in two halves.
pub const STEPS: usize = 62;

/// Steps whose rows share two words.
pub const HALF: usize = STEPS / 2;

/// The number of digits below the highest one, for a modulus of `limbs` limbs.
pub fn lower_digits(limbs: usize) -> usize {
    64 * limbs / DIGIT as usize
}

/// The bits of a number above the lower digits, without its sign.
pub fn bits_above(limbs: usize) -> u32 {
    (64 * limbs - DIGIT as usize * lower_digits(limbs)) as u32
}

/// A row of an update, which computes the new first number, or the second one.
#[derive(Clone, Debug)]
pub struct Row {
    /// u and v, or q and r.
    pub factors: [Id; 2],
    /// Both numbers, lowest digit first, the highest with its sign.
    pub numbers: [Vec<Id>; 2],
    /// N and its inverse, if the result is one modulo N. A highest digit that can only be 0 is left out.
    pub modulus: Option<(Vec<Id>, Id)>,
    /// The words of the result, as many as each number has.
    pub result: Vec<Value>,
    /// Limbs of the modulus.
    pub limbs: usize,
}

/// The two numbers of a row, in ]−2^i, 2^i], that one word holds: the second one is multiplied by 2^32.
pub type Pair = [Id; 2];

/// The state before or after a step of a jump.
#[derive(Clone, Debug)]
pub struct State {
    /// ζ; its lower 63 bits and its sign, where these are declared.
    pub zeta: (Value, Option<[Id; 2]>),
    /// f; the integer of which f is twice plus one, where f was declared to be odd.
    pub f: (Value, Option<Id>),
    /// g; its lowest bit and what is above it, where these are declared.
    pub g: (Value, Option<[Id; 2]>),
    /// The row of f in one word; or half of it, if the flag is set.
    pub row_of_f: (Value, bool),
    /// The row of g.
    pub row_of_g: Value,
    /// The numbers that the words of both rows consist of, where these are declared.
    pub pairs: Option<[Pair; 2]>,
}

/// A jump: the states before and after each step, and the words of the matrix.
#[derive(Clone, Debug)]
pub struct Jump {
    /// The states before and after each step. The state after a step is that before the next one, except for
    /// what is known of it by then.
    pub steps: Vec<(State, State)>,
    /// At the end of each half: the state with the rows as they are declared.
    pub halves: [State; 2],
    /// u, v, q and r.
    pub matrix: [Value; 4],
}

/// A whole inversion. Its jumps and updates are proved separately.
#[derive(Clone, Debug)]
pub struct Whole {
    /// Limbs of the modulus.
    pub limbs: usize,
    /// V, in limbs.
    pub value: Vec<Id>,
    /// N in digits.
    pub modulus: Vec<Value>,
    /// The inverse of N modulo 2^62.
    pub inverse: Value,
    /// The jumps, in their order.
    pub jumps: Vec<Jumped>,
    /// V', in limbs.
    pub result: Vec<Value>,
    /// The mask.
    pub exists: Value,
}

/// A jump with both updates.
#[derive(Clone, Debug)]
pub struct Jumped {
    /// The jump. It reads the lowest words of F and G, and ζ in a register. It leaves u, v, q and r, and ζ.
    pub jump: Skipped,
    /// The update of D and E. It reads u, v, q and r, D, E, N, the inverse of N, and the number of digits.
    /// It leaves D and E.
    pub update_de: Skipped,
    /// The update of F and G. It reads u, v, q and r, F and G. It leaves F and G.
    pub update_fg: Skipped,
}

/// The number of jumps that make g zero for numbers below 2^(64·limbs).
pub fn jumps(limbs: usize) -> usize {
    ((45_907 * 64 * limbs + 30_179) / 19_929).div_ceil(STEPS)
}
