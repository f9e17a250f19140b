//! Measures how powers and tables scale to the cores of this machine: which share of n cores n
//! threads use, as the median of some rounds, each with one thread and with n. 3072 bits; `cargo
//! run --release --features rayon --example scaling`.

use std::time::Instant;

use crypto_bigint::BoxedUint;
use moduli::{FixedBase, MemorySize, Modulus, Secrecy, groups::Group};

const ROUNDS: usize = 5;
/// Powers of variable bases and of the fixed base, per thread.
const BASES: usize = 64;
const POWERS: usize = 4096;

/// The work to be timed.
struct Work {
    modulus: Modulus,
    base: BoxedUint,
    table: FixedBase,
    budget: MemorySize,
    bases: Vec<BoxedUint>,
    exponents: Vec<BoxedUint>,
}

impl Work {
    fn new(budget: MemorySize, threads: usize) -> Result<Self, moduli::Error> {
        let group = Group::named("ffdhe3072")?;
        let (modulus, base) = (Modulus::new(group.modulus())?, group.generator().clone());
        let table = Self::build(&modulus, &base, budget)?;
        let number = |limbs: u64, i: u64| {
            BoxedUint::from_words((0..limbs).map(|l| (i * limbs + l + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        };
        let bases = (0..(BASES * threads) as u64).map(|i| number(48, i)).collect();
        let exponents = (0..(POWERS * threads) as u64).map(|i| number(4, i)).collect();
        Ok(Self { modulus, base, table, budget, bases, exponents })
    }

    fn build(modulus: &Modulus, base: &BoxedUint, budget: MemorySize) -> Result<FixedBase, moduli::Error> {
        FixedBase::builder(modulus, base).exponent_bits(256).budget(budget).secrecy(Secrecy::Public).build()
    }

    /// Seconds for powers of variable bases, for the table, and for powers of its base.
    fn time(&self) -> [f64; 3] {
        let mut times = [0.0; 3];
        let start = Instant::now();
        let powers = self.modulus.pow_batch(self.bases.iter().zip(&self.exponents));
        times[0] = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let table = Self::build(&self.modulus, &self.base, self.budget);
        times[1] = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let fixed = self.table.pow_batch_vartime(&self.exponents);
        times[2] = start.elapsed().as_secs_f64();
        assert!(powers.iter().chain(&fixed).all(Result::is_ok) && table.is_ok());
        times
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cores = std::thread::available_parallelism()?.get();
    let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let alone = pool(1)?;
    println!(
        "threads  budget of the table  powers of variable bases  building the table  powers of its base"
    );
    let counts = (1..).map(|doublings| 1usize << doublings).take_while(|&count| count < cores);
    for threads in counts.chain([cores]) {
        let all = pool(threads)?;
        for budget in [16, 64, 256].map(MemorySize::mib) {
            let work = Work::new(budget, threads)?;
            let mut shares = [const { Vec::new() }; 3];
            for _ in 0..ROUNDS {
                let (one, many) = (alone.install(|| work.time()), all.install(|| work.time()));
                for (shares, (one, many)) in shares.iter_mut().zip(one.into_iter().zip(many)) {
                    shares.push(one / (threads as f64 * many));
                }
            }
            let [variable, build, fixed] = shares.map(|mut shares| {
                shares.sort_by(f64::total_cmp);
                shares[ROUNDS / 2]
            });
            println!("{threads:7}  {:>19}  {variable:24.2}  {build:18.2}  {fixed:18.2}", budget.to_string());
        }
    }
    Ok(())
}
