//! Runs compiled x86-64 code instruction by instruction and follows secrets through it.
//!
//! [`run`] takes a closure, which is compiled like any other, and interprets its machine code in place, in this process,
//! with all functions of this program that it calls. Every byte of the registers and of memory has a mark: secret or not. Code
//! marks its secrets by the requests of valgrind's memcheck, so that the same code can be watched by either; in the terms
//! of that tool a secret is undefined. A [`Report`] names each branch, address and division that depended on a secret.
//!
//! What memcheck does not have and this does: AVX-512 (F, VL, DQ, IFMA), on machines that lack it too; divisions; loads
//! and stores under a secret mask.
//!
//! Marks are kept by the byte. Sums carry them upward, products to all higher bytes, masks and shifts move or clear them as
//! they do the bits. So there may be a finding where there is no leak: a bit that a byte shares with a secret one counts as
//! secret. Functions of the system's libraries are called as they are. Those that copy, set, compare, search and allocate are
//! known, and so is what they do with secrets. Any other function, and an instruction without a meaning here, stops the run.
//!
//! Empty on other systems than Linux on x86-64.

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

/// The request to which [`run`] answers 1, and valgrind and processors nothing.
pub const WATCHING: u64 = 0x4d4f_0001;

/// The requests that begin and end a record.
const START: u64 = 0x4d4f_0002;
const STOP: u64 = 0x4d4f_0003;

/// Bytes of the stack that the code has.
const STACK: usize = 64 << 20;

/// Runs `code`, at most `limit` instructions of it. What it holds is not dropped if it is stopped before its end.
pub fn run(limit: u64, code: impl FnOnce()) -> Report {
    interpret(limit, code, None).0
}

/// As [`run`], with a record of what was executed between the last [`start_recording`] and [`stop_recording`].
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
    // Pages that nobody touches take no memory.
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

/// Lets a panic of interpreted code write its message and no more. Stopped at a function of the system that is not known, as
/// those are that make a backtrace, it would leave this thread inside of its panic hook, where the next panic, that of the
/// failed test, ends the whole process.
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
