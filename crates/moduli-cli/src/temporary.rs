//! Temporary files and directories: they go when they are dropped, and when the run is interrupted.

use std::{
    fs,
    path::{Path, PathBuf},
    process,
    sync::{Mutex, MutexGuard, Once},
};

/// Status of a run that was interrupted, as shells report it.
const INTERRUPTED: i32 = 130;

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Something of ours at a path where nothing is to be left behind.
pub struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// Watches over `path` from now on.
    pub fn new(path: PathBuf) -> Self {
        static WATCH: Once = Once::new();
        // Signals that whoever started us has chosen to ignore (nohup) stay ignored: then there is no watch.
        WATCH.call_once(|| drop(ctrlc::try_set_handler(interrupted)));
        paths().push(path.clone());
        Self { path }
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

/// On SIGINT, SIGTERM and SIGHUP, in a thread of its own. Holds on to the list, so that nothing new is begun.
fn interrupted() {
    let paths = paths();
    paths.iter().for_each(|path| remove(path));
    process::exit(INTERRUPTED);
}

fn paths() -> MutexGuard<'static, Vec<PathBuf>> {
    PATHS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A file that has been renamed is not there any more, which is as well.
fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}
