//! Temporary files and directories: they go when they are dropped, and (on Unix) when the run is interrupted.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, Once},
};

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Something of ours at a path where nothing is to be left behind.
pub struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// Lets `create` make what is to stand at `path`, and watches over it from then on: an interruption comes before or
    /// after both.
    pub fn create<T, E>(path: PathBuf, create: impl FnOnce(&Path) -> Result<T, E>) -> Result<(Self, T), E> {
        static WATCH: Once = Once::new();
        WATCH.call_once(watch);
        let mut paths = paths();
        let created = create(&path)?;
        paths.push(path.clone());
        Ok((Self { path }, created))
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        remove(&self.path);
        paths().retain(|path| *path != self.path);
    }
}

/// Waits for SIGINT, SIGTERM and SIGHUP in a thread of its own, except for those that whoever started us has chosen
/// to ignore (as nohup does): they stay ignored. Where no thread can be started, signals end the run as they always do,
/// and the next one clears up.
fn watch() {
    #[cfg(unix)]
    {
        use signal_hook::{
            consts::{SIGHUP, SIGINT, SIGTERM},
            iterator::Signals,
        };
        let ignored = ignored();
        let wanted =
            [SIGINT, SIGTERM, SIGHUP].into_iter().filter(move |signal| ignored >> (signal - 1) & 1 == 0);
        // The thread comes first: signals that are caught and that nobody waits for would be lost.
        let (ready, is_ready) = std::sync::mpsc::channel();
        let wait = move || {
            let signals = Signals::new(wanted);
            // The receiver waits.
            let _ = ready.send(());
            if let Some(signal) = signals.ok().and_then(|mut signals| signals.forever().next()) {
                interrupted(signal);
            }
        };
        if std::thread::Builder::new().spawn(wait).is_ok() {
            let _ = is_ready.recv();
        }
    }
}

/// The signals ignored by this process, signal n in bit n − 1, where the system tells (Linux).
#[cfg(unix)]
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Holds on to the list, so that nothing new is begun. The status is the one that shells report of a run that the signal ended.
#[cfg(unix)]
fn interrupted(signal: i32) {
    let paths = paths();
    paths.iter().for_each(|path| remove(path));
    std::process::exit(128 + signal);
}

fn paths() -> MutexGuard<'static, Vec<PathBuf>> {
    PATHS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A file that has been renamed is not there any more, which is as well.
fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}
