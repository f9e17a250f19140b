//! The machine and the date of a run, without which timings mean nothing.

use std::{
    fs,
    time::{SystemTime, UNIX_EPOCH},
};

use moduli::KernelChoice;
use serde::Serialize;

use crate::threads;

/// The machine, the program and the day.
#[derive(Serialize)]
pub struct Machine {
    pub processor: String,
    pub cores: usize,
    /// The supported kernels, fastest first.
    pub kernels: Vec<&'static str>,
    pub version: &'static str,
    /// The commit from which the program was built, if the build knew it.
    pub commit: Option<&'static str>,
    /// Year, month and day in UTC.
    pub date: String,
    /// The load average over a minute at the beginning and at the end, if the system reports it.
    pub load: [Option<f64>; 2],
}

impl Machine {
    /// Describes this machine at the start of the run.
    pub fn here() -> Self {
        let supported = KernelChoice::ALL.iter().filter(|kernel| kernel.is_supported());
        Self {
            processor: processor(),
            cores: threads::all(),
            kernels: supported.map(|kernel| kernel.name()).collect(),
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("MODULI_COMMIT").filter(|commit| !commit.is_empty()),
            date: date(),
            load: [load(), None],
        }
    }

    /// Records the load again.
    pub fn finish(&mut self) {
        self.load[1] = load();
    }
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let family = || Some(format!("family {}, model {}", value("cpu family")?, value("model\t")?));
    let name = value("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    family().map_or(name.clone(), |family| format!("{name}, {family}"))
}

fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// The available memory in bytes, if the system reports it.
pub fn free_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}

fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// The year, month and day for a number of days since 1970.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn days_become_dates() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (365, (1971, 1, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_453, (2025, 12, 31)),
            (20_454, (2026, 1, 1)),
        ] {
            assert_eq!(civil(days), date);
        }
    }
}
