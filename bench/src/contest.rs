//! Measures candidates for the same work side by side: first requires equal results, then takes interleaved
//! times.

use super::clock::{self, Quiet, Watch, median, processor_time, quantile};
use super::numbers::Limbs;

/// The number of times every candidate does the work before its result is compared.
const CHECKS: usize = 3;

/// The time to spend on a contest.
#[derive(Clone, Copy)]
pub struct Effort {
    /// The approximate nanoseconds of a single measurement, if it has more than one operation.
    pub run: f64,
    /// The nanoseconds of all measurements of a contest together.
    pub contest: f64,
    /// The least number of rounds.
    pub rounds: usize,
}

/// Work that several candidates do, each in its own way.
pub struct Contest<'a> {
    name: String,
    candidates: Vec<Entrant<'a>>,
    warm: f64,
}

struct Entrant<'a> {
    name: String,
    detail: String,
    work: Box<dyn Work + 'a>,
    count: usize,
    times: Vec<f64>,
}

trait Work {
    fn operate(&mut self, index: usize);
    fn value(&mut self) -> Limbs;
}

struct Stateful<S, O, V> {
    state: S,
    operate: O,
    value: V,
}

impl<S, O: FnMut(&mut S, usize), V: FnMut(&mut S) -> Limbs> Work for Stateful<S, O, V> {
    fn operate(&mut self, index: usize) {
        (self.operate)(&mut self.state, index);
    }

    fn value(&mut self) -> Limbs {
        (self.value)(&mut self.state)
    }
}

impl<'a> Contest<'a> {
    /// A contest without candidates.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), candidates: Vec::new(), warm: 0.1 }
    }

    /// Lets every candidate run for this share of a measurement before each measurement, to fill the caches.
    #[must_use]
    pub fn warm(self, warm: f64) -> Self {
        Self { warm, ..self }
    }

    /// Adds a candidate: `operate(state, i)` does the work for the i-th input; `value(state)` then returns
    /// the value on which all candidates must agree, in little-endian limbs without leading zeros.
    pub fn enter<S: 'a>(
        &mut self,
        name: impl Into<String>,
        detail: impl Into<String>,
        state: S,
        operate: impl FnMut(&mut S, usize) + 'a,
        value: impl FnMut(&mut S) -> Limbs + 'a,
    ) {
        let work = Box::new(Stateful { state, operate, value });
        self.candidates.push(Entrant {
            name: name.into(),
            detail: detail.into(),
            work,
            count: 1,
            times: Vec::new(),
        });
    }

    /// Compares the results, then takes times.
    ///
    /// # Panics
    /// If two candidates disagree, because then times mean nothing.
    pub fn run(mut self, effort: Effort) -> Outcome {
        for index in 0..CHECKS {
            let mut agreed: Option<Limbs> = None;
            for Entrant { name, work, .. } in &mut self.candidates {
                work.operate(index);
                let value = work.value();
                let expected = agreed.get_or_insert_with(|| value.clone());
                assert!(*expected == value, "{}: {name} disagrees with the first candidate", self.name);
            }
        }
        let mut round_time = 0.0;
        for Entrant { work, count, .. } in &mut self.candidates {
            let start = processor_time();
            work.operate(CHECKS);
            let once = (processor_time() - start).max(1.0);
            *count = (effort.run / once).ceil().max(1.0) as usize;
            if *count > 1 {
                let start = processor_time();
                (0..*count).for_each(|index| work.operate(index));
                let once = (processor_time() - start) / *count as f64;
                *count = (effort.run / once).ceil().max(1.0) as usize;
            }
            round_time += once.max(effort.run) * (1.0 + self.warm);
        }
        let rounds = ((effort.contest / round_time) as usize).clamp(effort.rounds, 199);
        let mut watch = Watch::start();
        let number = self.candidates.len();
        for round in 0..rounds {
            watch.calibrate();
            for place in 0..number {
                let Entrant { work, count, times, .. } = &mut self.candidates[(round + place) % number];
                let warm = (self.warm * *count as f64).ceil() as usize;
                let first = round * (*count + warm);
                if *count > 1 {
                    (first..first + warm).for_each(|index| work.operate(index));
                }
                let start = processor_time();
                (first + warm..first + warm + *count).for_each(|index| work.operate(index));
                times.push((processor_time() - start) / *count as f64);
            }
        }
        let quiet = watch.finish();
        let standings = self.candidates.into_iter().map(Entrant::standing).collect();
        Outcome { name: self.name, rounds, quiet, standings }
    }
}

impl Entrant<'_> {
    fn standing(self) -> Standing {
        let mut sorted = self.times.clone();
        let median = median(&mut sorted);
        let spread = (quantile(&mut sorted, 0.75) - quantile(&mut sorted, 0.25)) / median;
        let least = quantile(&mut sorted, 0.0);
        Standing { name: self.name, detail: self.detail, median, least, spread, times: self.times }
    }
}

/// The result of one candidate, in nanoseconds of processor time for each operation.
#[derive(serde::Serialize)]
pub struct Standing {
    /// The candidate's name.
    pub name: String,
    /// Its parameters.
    pub detail: String,
    /// The median of all rounds.
    pub median: f64,
    /// The fastest round.
    pub least: f64,
    /// The distance of the quartiles, divided by the median.
    pub spread: f64,
    /// The times, round by round.
    #[serde(skip)]
    pub times: Vec<f64>,
}

/// The result of a contest.
#[derive(serde::Serialize)]
pub struct Outcome {
    /// The work.
    pub name: String,
    /// The number of times every candidate was measured.
    pub rounds: usize,
    /// Whether the core was quiet.
    pub quiet: Quiet,
    /// The results of all candidates, in the order of entry.
    pub standings: Vec<Standing>,
}

impl Outcome {
    /// The result of the candidate with that name.
    pub fn standing(&self, name: &str) -> Option<&Standing> {
        self.standings.iter().find(|standing| standing.name == name)
    }

    /// How many times faster `name` is than `rival`: the median over the rounds, in each of which both ran.
    pub fn ratio(&self, rival: &str, name: &str) -> Option<f64> {
        let (rival, own) = (self.standing(rival)?, self.standing(name)?);
        let mut ratios: Vec<f64> =
            rival.times.iter().zip(&own.times).map(|(rival, own)| rival / own).collect();
        Some(clock::median(&mut ratios))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { run: 1e4, contest: 1e6, rounds: 5 };

    fn spin(rounds: usize) -> u64 {
        (0..rounds).fold(1, |x: u64, _| std::hint::black_box(x.wrapping_mul(3)))
    }

    #[test]
    fn ratios_say_how_many_times_faster() {
        let mut contest = Contest::new("spinning");
        for (name, rounds) in [("long", 40_000), ("short", 10_000)] {
            contest.enter(name, "", 0, move |x, _| *x = spin(rounds), |_| vec![1]);
        }
        let outcome = contest.run(EFFORT);
        let ratio = outcome.ratio("long", "short").expect("both ran");
        assert!((2.5..6.0).contains(&ratio), "{ratio}");
        assert!(outcome.ratio("long", "nobody").is_none());
    }

    #[test]
    #[should_panic(expected = "other disagrees")]
    fn different_results_end_the_contest() {
        let mut contest = Contest::new("adding");
        contest.enter("one", "", 0, |x, _| *x += 1, |x| vec![*x]);
        contest.enter("other", "", 0, |x, i| *x += if i < 2 { 1 } else { 2 }, |x| vec![*x]);
        contest.run(EFFORT);
    }
}
