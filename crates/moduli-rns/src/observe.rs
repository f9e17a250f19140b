//! Observers of operations. Every operation on residues is reported to an observer by the code that performs
//! it.

/// A phase of an inversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// The conversion of the operand from residues to the form that the loop uses.
    Enter,
    /// The loop, to which published operation counts refer.
    #[default]
    Loop,
    /// The conversion of the result from the form that the loop uses to residues.
    Leave,
}

/// The action of a step of a plus-minus inversion. U3, V3, U1 and V1 are the values of its loop
/// ([`crate::inverse::plus_minus`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The initial state, before any division.
    Load,
    /// V3 and V1 were divided.
    Divide {
        /// The divisor.
        divisor: u64,
    },
    /// V3 and V1 were replaced by (V3 ± U3)/D and (V1 ± U1)/D for a divisor D.
    PlusMinus {
        /// Whether the sign was minus.
        minus: bool,
        /// The divisor D.
        divisor: u64,
        /// Whether U3 and U1 were replaced by the old V3 and V1, and the counters were exchanged.
        swapped: bool,
    },
}

/// The complete state of a plus-minus inversion after a step.
///
/// U1, V1, U3 and V3 are the values of its loop ([`crate::inverse::plus_minus`]). They are stored in *inner
/// form*, which is a vector with one word per channel: the residue times T_i^(−1), plus an offset in some
/// methods.
#[derive(Clone, Copy, Debug)]
pub struct InversionStep<'a> {
    /// The action of the step.
    pub action: Action,
    /// The inner form of U1.
    pub u1: &'a [u64],
    /// The inner form of V1.
    pub v1: &'a [u64],
    /// The inner form of U3.
    pub u3: &'a [u64],
    /// The inner form of V3.
    pub v3: &'a [u64],
    /// U1, V1, U3 and V3 modulo Q, as the control stores them. Q is the number whose divisors the method
    /// divides by: 4 for binary, 12 for binary-ternary inversion.
    pub small: [u64; 4],
    /// The counters u and v, which bound the sizes of U3 and V3, in half bits.
    pub counters: [u32; 2],
}

/// An observer, which receives a report of every operation. By default, all methods do nothing.
///
/// The code that performs an operation reports it. No count is computed from a formula.
pub trait ChannelObserver {
    /// Reports `count` elementary modular multiplications (EMM), one per channel.
    fn multiplications(&mut self, count: usize) {
        let _ = count;
    }
    /// Reports `count` elementary modular additions or subtractions (EMA).
    fn additions(&mut self, count: usize) {
        let _ = count;
    }
    /// Reports `count` small multiply-accumulates (MAC), which multiply a residue by a weight modulo a small
    /// Q or 2^k. If all weights are 1, there are none.
    fn small_products(&mut self, count: usize) {
        let _ = count;
    }
    /// Reports one evaluation of the Cox, which computes the quotient of one value.
    fn cox(&mut self) {}
    /// Reports one iteration of the outer loop: a plus-minus step or a jump.
    fn outer(&mut self) {}
    /// Reports one iteration of the inner loop: a division, or a step of the word arithmetic within a jump.
    fn inner(&mut self) {}
    /// Reports the start of a phase.
    fn phase(&mut self, phase: Phase) {
        let _ = phase;
    }
    /// Reports the state after a step of a plus-minus inversion.
    fn step(&mut self, step: &InversionStep<'_>) {
        let _ = step;
    }
    /// Reports the state of an inversion by division steps, at its start and after each jump: the digits of
    /// f, g, d and e, one word per channel.
    fn jump(&mut self, vectors: [&[u64]; 4]) {
        let _ = vectors;
    }
}

/// The observer that ignores all reports, at no cost.
impl ChannelObserver for () {}

/// The operation counts of a phase, or sums of such counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelCounts {
    /// The number of elementary modular multiplications (EMM).
    pub multiplications: u64,
    /// The number of elementary modular additions and subtractions (EMA).
    pub additions: u64,
    /// The number of small multiply-accumulates (MAC).
    pub small_products: u64,
    /// The number of evaluations of the Cox.
    pub cox: u64,
    /// The number of iterations of the outer loop.
    pub outer: u64,
    /// The number of iterations of the inner loop.
    pub inner: u64,
}

impl core::ops::AddAssign for ChannelCounts {
    fn add_assign(&mut self, other: Self) {
        self.multiplications += other.multiplications;
        self.additions += other.additions;
        self.small_products += other.small_products;
        self.cox += other.cox;
        self.outer += other.outer;
        self.inner += other.inner;
    }
}

/// An observer that counts operations separately for each phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counter {
    phase: Phase,
    enter: ChannelCounts,
    looped: ChannelCounts,
    leave: ChannelCounts,
}

impl Counter {
    /// Returns the counts of a phase.
    pub fn of(&self, phase: Phase) -> ChannelCounts {
        match phase {
            Phase::Enter => self.enter,
            Phase::Loop => self.looped,
            Phase::Leave => self.leave,
        }
    }

    /// Returns the sums over all phases.
    pub fn total(&self) -> ChannelCounts {
        let mut total = self.enter;
        total += self.looped;
        total += self.leave;
        total
    }

    fn current(&mut self) -> &mut ChannelCounts {
        match self.phase {
            Phase::Enter => &mut self.enter,
            Phase::Loop => &mut self.looped,
            Phase::Leave => &mut self.leave,
        }
    }
}

impl ChannelObserver for Counter {
    fn multiplications(&mut self, count: usize) {
        self.current().multiplications += count as u64;
    }
    fn additions(&mut self, count: usize) {
        self.current().additions += count as u64;
    }
    fn small_products(&mut self, count: usize) {
        self.current().small_products += count as u64;
    }
    fn cox(&mut self) {
        self.current().cox += 1;
    }
    fn outer(&mut self) {
        self.current().outer += 1;
    }
    fn inner(&mut self) {
        self.current().inner += 1;
    }
    fn phase(&mut self, phase: Phase) {
        self.phase = phase;
    }
}
