//! Shows that two processes which map one table share its pages. The system counts them.

use std::{
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use clap::Args;
use moduli::fixed::TableInfo;
use serde::Serialize;

use crate::{
    failure::Failure,
    io::opened::{self, Memory},
};

/// Map a table, say so, wait for a line, and print the sizes of the map: the second process of the
/// demonstration.
#[derive(Args)]
pub struct Share {
    file: PathBuf,
}

/// A process's memory for a mapped file in KiB: its pages, and its share of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Sizes {
    rss_kib: u64,
    pss_kib: u64,
}

/// The memory of both processes at the same time.
#[derive(Serialize)]
pub struct Report {
    first: Sizes,
    second: Sizes,
}

impl Share {
    /// Runs the second process.
    pub fn run(&self) -> Result<(), Failure> {
        let info = TableInfo::read(&self.file)?;
        let _table = opened::unverified(&self.file, Memory::Mapped, &info)?;
        let mut out = io::stdout().lock();
        let mut say = |line: String| {
            writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| Failure::output(&error))
        };
        say("mapped".to_owned())?;
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).map_err(|error| Failure::file("standard input", &error))?;
        say(match sizes(&self.file) {
            Some(Sizes { rss_kib, pss_kib }) => format!("{rss_kib} {pss_kib}"),
            None => "unknown".to_owned(),
        })
    }
}

/// Starts a second process that maps `file`, which this one has mapped, and reads the sizes of
/// both. Returns `None` if the system does not report them.
pub fn measure(file: &Path) -> Result<Option<Report>, Failure> {
    if sizes(file).is_none() {
        return Ok(None);
    }
    let failed = |error: io::Error| Failure::about("second process", error.to_string());
    let mut child = Command::new(std::env::current_exe().map_err(failed)?)
        .arg("share-table")
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let measured = converse(&mut child, file);
    // The input of the process is closed by now, so it ends in any case.
    let status = child.wait().map_err(failed)?;
    let measured = measured.map_err(failed)?;
    if status.success() { Ok(measured) } else { Err(failed(io::Error::other(status.to_string()))) }
}

fn converse(child: &mut std::process::Child, file: &Path) -> io::Result<Option<Report>> {
    let (Some(mut to), Some(from)) = (child.stdin.take(), child.stdout.take()) else { return Ok(None) };
    let mut lines = BufReader::new(from).lines();
    let mut next = || lines.next().unwrap_or(Ok(String::new()));
    next()?;
    let first = sizes(file);
    writeln!(to, "go")?;
    let second = next()?;
    let second = second
        .split_once(' ')
        .and_then(|(rss, pss)| Some(Sizes { rss_kib: rss.parse().ok()?, pss_kib: pss.parse().ok()? }));
    Ok(first.zip(second).map(|(first, second)| Report { first, second }))
}

/// This process's memory for a mapped file.
fn sizes(file: &Path) -> Option<Sizes> {
    sizes_in(&std::fs::read_to_string("/proc/self/smaps").ok()?, file.to_str()?)
}

/// The first mapping of `file` in the text of `/proc/self/smaps` (proc_pid_smaps(5)).
fn sizes_in(smaps: &str, file: &str) -> Option<Sizes> {
    let mut lines = smaps.lines().skip_while(|line| !line.ends_with(file)).skip(1);
    let mut kib = |name: &str| {
        let line = lines.find(|line| line.starts_with(name))?;
        line.strip_prefix(name)?.trim().strip_suffix("kB")?.trim().parse().ok()
    };
    // The file has this order.
    Some(Sizes { rss_kib: kib("Rss:")?, pss_kib: kib("Pss:")? })
}

impl Report {
    /// A line of text.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { first, second } = self;
        writeln!(
            out,
            "two processes map one table: Rss {} and {} KiB, Pss {} and {} KiB: {}",
            first.rss_kib,
            second.rss_kib,
            first.pss_kib,
            second.pss_kib,
            if self.is_shared() { "its pages are shared" } else { "its pages are NOT shared" }
        )
    }

    /// Whether the shares are less than three quarters of the pages. With two processes, each has
    /// half.
    fn is_shared(&self) -> bool {
        [self.first, self.second].iter().all(|sizes| 4 * sizes.pss_kib < 3 * sizes.rss_kib)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_of_the_file_is_found() {
        let smaps = "\
00400000-00500000 r-xp 00000000 08:01 1 /bin/other
Size:               1024 kB
Rss:                 900 kB
Pss:                 300 kB
7f0000000000-7f0000101000 r--s 00000000 08:01 2                  /tmp/a b/table
Size:               1028 kB
KernelPageSize:        4 kB
Rss:                1028 kB
Pss:                 514 kB
Pss_Dirty:             0 kB
";
        assert_eq!(sizes_in(smaps, "/tmp/a b/table"), Some(Sizes { rss_kib: 1028, pss_kib: 514 }));
        assert_eq!(sizes_in(smaps, "/tmp/none"), None);
    }
}
