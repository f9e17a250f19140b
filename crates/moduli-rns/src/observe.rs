//! Counting where things happen: an observer is handed down to the word level, and every operation is reported to it.

/// Which part of an inversion is running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// From residues of the operand to the inner form.
    Enter,
    /// The loop: what the published figures count.
    #[default]
    Loop,
    /// From the inner form to residues of the result.
    Leave,
}

/// What a step of an inversion did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The start: nothing is divided yet.
    Load,
    /// V3 and V1 were divided.
    Divide {
        /// By what.
        divisor: u64,
    },
    /// V3 ± U3 and V1 ± U1 replaced V3 and V1, divided; before that, V became U if the counters said so.
    PlusMinus {
        /// The sign was minus.
        minus: bool,
        /// Divided by what.
        divisor: u64,
        /// The old V3 and V1 became U3 and U1, and the counters changed places.
        swapped: bool,
    },
}

/// The complete state of a plus-minus inversion after a step.
#[derive(Clone, Copy, Debug)]
pub struct InversionStep<'a> {
    /// What was done.
    pub action: Action,
    /// Inner form of U1, a residue a channel.
    pub u1: &'a [u64],
    /// Inner form of V1.
    pub v1: &'a [u64],
    /// Inner form of U3.
    pub u3: &'a [u64],
    /// Inner form of V3.
    pub v3: &'a [u64],
    /// U1, V1, U3, V3 modulo Q (4 for binary, 12 for binary-ternary), as the control holds them. b is a value modulo
    /// 4, t a value modulo 3.
    pub small: [u64; 4],
    /// The counters u and v in half bits.
    pub counters: [u32; 2],
}

/// Hears of every operation. All methods do nothing by default: an observer implements what it wants to know.
///
/// Operations are reported by the code that performs them, never computed from a formula.
pub trait ChannelObserver {
    /// `count` elementary modular multiplications (EMM), one a channel.
    fn multiplications(&mut self, count: usize) {
        let _ = count;
    }
    /// `count` elementary modular additions or subtractions (EMA).
    fn additions(&mut self, count: usize) {
        let _ = count;
    }
    /// `count` small multiply-accumulates (MAC): a residue by a weight modulo a small Q or 2^k. Weights that are all 1
    /// cost none.
    fn small_products(&mut self, count: usize) {
        let _ = count;
    }
    /// One evaluation of the Cox: the quotient of one value.
    fn cox(&mut self) {}
    /// One turn of the outer loop: a plus-minus step, a jump.
    fn outer(&mut self) {}
    /// One turn of the inner loop: a division.
    fn inner(&mut self) {}
    /// Another phase begins.
    fn phase(&mut self, phase: Phase) {
        let _ = phase;
    }
    /// A step is done.
    fn step(&mut self, step: &InversionStep<'_>) {
        let _ = step;
    }
    /// A jump of division steps is done, or its operand has entered: f, g, d and e, a residue a channel, as ξ.
    fn jump(&mut self, vectors: [&[u64]; 4]) {
        let _ = vectors;
    }
}

/// Nobody listens: costs nothing.
impl ChannelObserver for () {}

/// Operation counts of one part, or sums of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelCounts {
    /// Elementary modular multiplications.
    pub multiplications: u64,
    /// Elementary modular additions and subtractions.
    pub additions: u64,
    /// Small multiply-accumulates.
    pub small_products: u64,
    /// Evaluations of the Cox.
    pub cox: u64,
    /// Turns of the outer loop.
    pub outer: u64,
    /// Turns of the inner loop.
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

/// Counts operations, apart for each phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counter {
    phase: Phase,
    enter: ChannelCounts,
    looped: ChannelCounts,
    leave: ChannelCounts,
}

impl Counter {
    /// The counts of a phase.
    pub fn of(&self, phase: Phase) -> ChannelCounts {
        match phase {
            Phase::Enter => self.enter,
            Phase::Loop => self.looped,
            Phase::Leave => self.leave,
        }
    }

    /// The counts of all phases.
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
