//! Describes the machine and the date, and measures time.

use std::{fs, process::Command};

/// The processor, the date and the commit, one per line.
pub fn describe() -> Vec<String> {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split_once(':')).map_or("unknown", |(_, value)| value.trim()).to_owned()
    };
    let output = |program: &str, arguments: &[&str]| {
        let output =
            Command::new(program).args(arguments).output().ok().filter(|output| output.status.success());
        output.map_or("unknown".into(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = output("git", &["rev-parse", "--short=12", "HEAD"]);
    let changed =
        !output("git", &["status", "--porcelain", "--untracked-files=no", "--", "crates", "Cargo.lock"])
            .is_empty();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown").to_owned();
    vec![
        format!(
            "Processor: {}, family {}, model {}",
            field("model name"),
            field("cpu family"),
            field("model")
        ),
        format!(
            "Date: {}; commit: {commit}{}; load at the start: {load}",
            output("date", &["-u", "+%F"]),
            if changed { " and changes" } else { "" }
        ),
        "curve25519-dalek 5.0.0, release build, one thread".into(),
    ]
}

/// The processor time of this thread in nanoseconds. It excludes the time of other programs on the
/// core.
#[cfg(target_os = "linux")]
pub fn time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// The elapsed time in nanoseconds.
#[cfg(not(target_os = "linux"))]
pub fn time() -> f64 {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as f64
}
