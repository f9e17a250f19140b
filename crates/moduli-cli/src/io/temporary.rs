//! Temporary files and directories. They are removed on drop and, on Unix, when the run is
//! interrupted.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, Once},
};

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A temporary file or directory at this path.
pub struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// Calls `create` to make a file or directory at `path`, and removes it on interruption from
    /// then on. An interruption comes before or after both steps.
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

/// Waits for SIGINT, SIGTERM and SIGHUP in a separate thread, except for those that the parent
/// process has set to be ignored (as nohup does). If no thread can be started, signals end the run
/// as usual, and the next run removes the files.
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
        // The thread starts first, because a signal that is caught while no thread waits would be
        // lost.
        let (ready, is_ready) = std::sync::mpsc::channel();
        let wait = move || {
            let signals = Signals::new(wanted);
            // The receiver is waiting.
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

/// The signals that this process ignores, signal n in bit n − 1, if the system reports them
/// (Linux).
#[cfg(unix)]
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Keeps the lock on the list, so that no new file can be created. The exit status is the one that
/// shells report for this signal.
#[cfg(unix)]
fn interrupted(signal: i32) {
    let paths = paths();
    paths.iter().for_each(|path| remove(path));
    std::process::exit(128 + signal);
}

fn paths() -> MutexGuard<'static, Vec<PathBuf>> {
    PATHS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Ignores errors: a renamed file no longer exists.
fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}
