//! Interprets compiled x86-64 code instruction by instruction, and follows secrets through it.
//!
//! [`run`] takes a closure, which is compiled as usual. It interprets the machine code of the closure in this
//! process, with all functions of this program that it calls. Every byte of registers and memory is marked as
//! secret or public. Code marks its secrets with the requests of valgrind's memcheck, so that both tools can
//! check the same code; memcheck calls a secret undefined. A [`Report`] lists each branch, address and
//! division that depended on a secret.
//!
//! Beyond memcheck, it supports AVX-512 (F, VL, DQ, IFMA), even on machines that lack it, and checks
//! divisions, and loads and stores under a secret mask.
//!
//! Marks are kept per byte. Sums carry them upward, products pass them to all higher bytes, and masks and
//! shifts clear or move them as they do with bits. A finding can be a false positive, because a public bit
//! counts as secret if its byte has a secret bit. Functions of the system's libraries are called natively.
//! Those that copy, set, compare, search and allocate are known, with their effect on secrets. Any other
//! function, and any unsupported instruction, stops the run.
//!
//! The crate is empty on systems other than Linux on x86-64.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod client;
pub mod elf;
mod floats;
mod integers;
mod lanes;
mod machine;
mod masks;
mod native;
mod permutations;
mod recorder;
mod report;
mod scalar;
mod shadow;
mod state;
mod symbols;
mod vector;

pub use client::{
    assert_constant_time, assert_public, classify, declassify, is_interpreted, is_watched, leaks,
    start_recording, stop_recording, watch,
};
pub use recorder::{Access, Call, Change, Code, Registers, Step, Trace};
pub use report::{Finding, Leak, Report};
pub use symbols::{function_at, load_bias, program};

use std::{panic, sync::Once};

use symbols::place;

/// The request that [`run`] answers with 1. Valgrind and processors ignore it.
pub const WATCHING: u64 = 0x4d4f_0001;

/// The requests that start and end a record.
const START: u64 = 0x4d4f_0002;
const STOP: u64 = 0x4d4f_0003;

/// The size of the stack for the code, in bytes.
const STACK: usize = 64 << 20;

/// Runs `code`, up to `limit` instructions. If it is stopped before its end, its values are not dropped.
pub fn run(limit: u64, code: impl FnOnce()) -> Report {
    interpret(limit, code, None).0
}

/// Like [`run`], and records the code executed between the last [`start_recording`] and [`stop_recording`].
pub fn record(limit: u64, code: impl FnOnce()) -> (Report, Trace) {
    interpret(limit, code, Some(recorder::Recorder::new()))
}

fn interpret(limit: u64, code: impl FnOnce(), recorder: Option<recorder::Recorder>) -> (Report, Trace) {
    extern "C" fn enter<F: FnOnce()>(code: &mut Option<F>) {
        if let Some(code) = code.take() {
            code();
        }
    }
    fn address<F: FnOnce()>(_: &Option<F>) -> u64 {
        enter::<F> as extern "C" fn(&mut Option<F>) as usize as u64
    }
    report_panics();
    let mut code = Some(code);
    // Pages that are never accessed take no memory.
    let stack = vec![0u8; STACK];
    let top = stack.as_ptr() as u64 + STACK as u64;
    let mut machine = machine::Machine::new();
    machine.recorder = recorder;
    let function = address(&code);
    // SAFETY: the function takes this argument, and the stack is as long as that.
    let ended = unsafe { machine.call(function, &raw mut code as u64, top, limit) };
    drop(stack);
    let trace = machine.recorder.take().map(|recorder| recorder.trace).unwrap_or_default();
    (machine.report(ended.map_err(|stop| describe(&machine, stop))), trace)
}

/// Lets a panic of interpreted code write only its message. A backtrace would call unknown functions of the
/// system, which stop the run. The thread would then remain inside its panic hook, and its next panic, that
/// of the failed test, would abort the whole process.
fn report_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| match is_interpreted() {
            true => eprintln!("{panicked}"),
            false => usual(panicked),
        }));
    });
}

fn describe(machine: &machine::Machine, stop: machine::Stop) -> String {
    let what = match stop {
        machine::Stop::Unknown(instruction) => format!("no meaning is known here of `{instruction}`"),
        machine::Stop::Panicked(how) => format!("the code ended itself: {how}"),
        machine::Stop::Runaway => "the limit of instructions was reached".to_string(),
    };
    format!("{what}, in\n    {}", place(machine.here).join("\n    "))
}
