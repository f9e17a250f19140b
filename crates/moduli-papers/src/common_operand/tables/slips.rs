//! Where the paper's counts differ from those of its algorithms, and by how much.

use super::sample::{Size, Table};

/// The ADD and MUL that a printed line counts too many and too few, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slip {
    /// ADD and MUL that are printed but not performed.
    pub too_much: (u64, u64),
    /// ADD and MUL that are performed but not printed.
    pub left_out: (u64, u64),
    /// The reason.
    pub reason: &'static str,
}

const SQUARING: &str = "n − 1 MUL of a squaring are added twice (the remark on line 10 of Algorithm 4), and there are n − 1 words \
                        |2a_(i+1)|, not n: one ADD less";
const FIRST: &str = "line 1 of Algorithm 6 reduces A, which takes n ADD that are not counted";
const BOTH: &str = "n − 1 MUL and one ADD of each squaring too much, as in Table II; n ADD of each PrecompMultByComOp left out";
const DOUBLED: &str = "there are n − 1 words |2a_(i+1)|, not n: one ADD less";
const NONE: (u64, u64) = (0, 0);

/// The slip in a line of one of the tables I to VIII, or `None` if the paper is right.
pub fn slip(table: &Table, line: &str, size: Size) -> Option<Slip> {
    let (n, t, k) = (size.n, u64::from(size.t), size.digits());
    let squares = |count: u64| (count, count * (n - 1));
    let entries = 1 << size.t;
    let too_much = |too_much, reason| Some(Slip { too_much, left_out: NONE, reason });
    let left_out = |additions| Some(Slip { too_much: NONE, left_out: (additions, 0), reason: FIRST });
    let both = |too_much| Some(Slip { too_much, left_out: (entries * n, 0), reason: BOTH });
    match (table.name.split(':').next().unwrap_or_default(), line) {
        ("Algorithm 4, MontSqu, by its lines", "line 2: Ã_0") => too_much((u64::from(n == 1), 0), DOUBLED),
        ("Algorithm 4, MontSqu, by its lines", "line 7: Ã_i") => too_much((u64::from(n > 1), 0), DOUBLED),
        ("Algorithm 4, MontSqu, by its lines", "total") => too_much(squares(1), SQUARING),
        ("Table II", "MontSqu") => too_much(squares(1), SQUARING),
        ("Table V", "AB, A²: MontMul and MontSqu") => too_much(squares(1), SQUARING),
        ("Table V", line) if line.ends_with("PrecompMultByComOp") => left_out(n),
        ("Table VI", "line 8: (t − 1)k MontSqu" | "total") => too_much(squares((t - 1) * k), SQUARING),
        ("Table VII", "line 5: PrecompMultByComOp") => left_out(n),
        ("Table VII", "line 8: 2^t − 1 PrecompMultByComOp") => left_out((entries - 1) * n),
        ("Table VII", "line 12: tk MontSqu") => too_much(squares(t * k), SQUARING),
        ("Table VII", "total") => both(squares(t * k)),
        ("Table VIII", "Montgomery ladder") => too_much(squares(size.bits.into()), SQUARING),
        ("Table VIII", "right-to-left" | "left-to-right") => too_much(squares(t * k), SQUARING),
        ("Table VIII", "right-to-left with CombinedMontMul") => too_much(squares((t - 1) * k), SQUARING),
        ("Table VIII", "left-to-right with MultByComOp") => both(squares(t * k)),
        _ => None,
    }
}
