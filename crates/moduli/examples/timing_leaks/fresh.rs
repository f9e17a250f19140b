//! Runs measurements in separate processes, because the positions of stack and heap differ between
//! processes.

use std::{env, error::Error, process::Command};

use super::{
    WARM_UP, run,
    secrets::Pool,
    statistics::{CLASSES, CROPS, Clock, Difference, Run},
    subjects::Subject,
};
use testing::Random;

/// The option that requests a run from another process.
pub const OPTION: &str = "--run";

/// A request for one run of one subject.
pub struct Asked {
    /// The index of the subject.
    pub place: usize,
    pub seed: u64,
    pub samples: usize,
    /// Calls per measured time.
    pub repeat: u32,
}

impl Asked {
    /// Parses the argument that [`ask`](Self::ask) has written.
    pub fn read(text: &str) -> Result<Self, Box<dyn Error>> {
        let numbers: Vec<u64> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
        let [place, seed, samples, repeat] = numbers[..] else {
            return Err(format!("{OPTION} {text}: there are four numbers").into());
        };
        let (place, samples) = (usize::try_from(place)?, usize::try_from(samples)?);
        Ok(Self { place, seed, samples, repeat: u32::try_from(repeat)? })
    }

    /// Performs the run in this process and prints it.
    pub fn answer(&self, subjects: &[Subject]) -> Result<(), Box<dyn Error>> {
        let subject =
            subjects.get(self.place).ok_or(format!("{OPTION}: there is no function {}", self.place))?;
        let mut clock = Clock { repeat: self.repeat, ticks: 0, error: None };
        let (mut pool, mut random) = (Pool::new(&subject.slots, 1), Random(2));
        (0..WARM_UP).for_each(|_| (subject.call)(pool.draw(&mut random).1, &mut clock));
        let run = run(subject, &mut clock, self.samples, self.seed);
        if let Some(error) = clock.error {
            return Err(format!("{} by {}: {error}", subject.name, subject.kernel).into());
        }
        let numbers = run.iter().flatten().map(|each| format!("{} {} {}", each.t, each.ticks, each.share));
        println!("{}", numbers.collect::<Vec<_>>().join(" "));
        Ok(())
    }

    /// Starts a process of this program for the run, and reads its result.
    pub fn ask(&self) -> Result<Run, Box<dyn Error>> {
        let Self { place, seed, samples, repeat } = self;
        let output = Command::new(env::current_exe()?)
            .args([OPTION, &format!("{place},{seed},{samples},{repeat}")])
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().into());
        }
        let text = String::from_utf8(output.stdout)?;
        let numbers: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        if numbers.len() != 3 * CROPS.len() * (CLASSES.len() - 1) {
            return Err(format!("a run of another process has {} numbers", numbers.len()).into());
        }
        let mut run = Run::default();
        for (each, values) in run.iter_mut().flatten().zip(numbers.chunks_exact(3)) {
            *each = Difference { t: values[0], ticks: values[1], share: values[2] };
        }
        Ok(run)
    }
}
