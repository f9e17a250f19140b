//! A progress bar on standard error for long work, shown only on a terminal.

use std::{io::IsTerminal, ops::Deref, path::Path};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that disappears when it is dropped.
pub struct Bar(ProgressBar);

impl Deref for Bar {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.0
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A bar for `total` steps, or a running count if the total is unknown.
pub fn bar(total: Option<u64>, what: &'static str) -> Bar {
    let bar = match total {
        Some(total) => ProgressBar::new(total),
        None => ProgressBar::no_length(),
    };
    let template = match total {
        Some(_) => "{msg} {wide_bar} {percent}% {eta}",
        None => "{msg} {human_pos} {elapsed}",
    };
    // `stderr` draws nothing if standard error is not a terminal.
    bar.set_draw_target(ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    Bar(bar.with_message(what))
}

/// Like [`bar`], but hidden if results appear on the same terminal.
pub fn bar_beside(output: &Path, total: Option<u64>, what: &'static str) -> Bar {
    if crate::io::input::is_standard(output) && std::io::stdout().is_terminal() {
        return Bar(ProgressBar::hidden());
    }
    bar(total, what)
}
