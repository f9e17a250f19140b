//! What is not interpreted: functions of the system's libraries, and the requests that valgrind answers, too.

use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::SeqCst};
use std::{
    collections::HashMap,
    ffi::{CStr, CString},
    fs,
    ops::Range,
};

use super::{
    machine::{Machine, Stop},
    report::Leak,
    state::Int,
};

/// The effect of a system function on memory.
#[derive(Clone, Copy)]
enum Kind {
    Copy,
    Set,
    Compare,
    Search,
    Length,
    Allocate,
    AllocateMany,
    AllocateAligned,
    Reallocate,
    Free,
    /// Writes this many public bytes to the address in its second argument.
    Writes(u64),
    /// Writes public bytes to the address in its first argument. The second argument is their number.
    Random,
    /// Outputs the bytes at the address in its second argument. The third argument is their number.
    Output,
    /// Ends the run.
    End(&'static str),
    Other,
}

const KNOWN: &[(&str, Kind)] = &[
    ("memcpy", Kind::Copy),
    ("memmove", Kind::Copy),
    ("memset", Kind::Set),
    ("memcmp", Kind::Compare),
    ("bcmp", Kind::Compare),
    ("memchr", Kind::Search),
    ("memrchr", Kind::Search),
    ("strlen", Kind::Length),
    ("getenv", Kind::Length),
    ("malloc", Kind::Allocate),
    ("calloc", Kind::AllocateMany),
    ("aligned_alloc", Kind::AllocateAligned),
    ("memalign", Kind::AllocateAligned),
    ("posix_memalign", Kind::Other),
    ("dlsym", Kind::Other),
    ("realloc", Kind::Reallocate),
    ("free", Kind::Free),
    ("clock_gettime", Kind::Writes(16)),
    ("getrandom", Kind::Random),
    ("write", Kind::Output),
    ("abort", Kind::End("abort")),
    ("_exit", Kind::End("exit")),
    ("exit", Kind::End("exit")),
    ("_Unwind_RaiseException", Kind::End("panic")),
    ("_Unwind_Resume", Kind::End("panic")),
];

pub(crate) struct Native {
    /// The addresses of this program's own code.
    own: Vec<Range<u64>>,
    kinds: HashMap<u64, (&'static str, Kind)>,
    sizes: HashMap<u64, u64>,
}

impl Native {
    pub(crate) fn new() -> Self {
        let program = fs::read_link("/proc/self/exe").unwrap_or_default();
        let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let own = maps.lines().filter_map(|line| {
            let (range, rest) = line.split_once(' ')?;
            let (from, to) = range.split_once('-')?;
            let is_own = rest.starts_with("r-x") && rest.ends_with(program.to_str()?);
            let range = u64::from_str_radix(from, 16).ok()?..u64::from_str_radix(to, 16).ok()?;
            is_own.then_some(range)
        });
        let mut kinds = HashMap::new();
        for &(name, kind) in KNOWN {
            if let Ok(text) = CString::new(name) {
                // SAFETY: the name ends with a zero byte.
                let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, text.as_ptr()) };
                kinds.insert(address as u64, (name, kind));
            }
        }
        Self { own: own.collect(), kinds, sizes: HashMap::new() }
    }

    pub(crate) fn is_own(&self, address: u64) -> bool {
        self.own.iter().any(|range| range.contains(&address))
    }
}

/// Atomically writes `new` if the memory contains `old`.
///
/// # Safety
/// The address is aligned and may be written.
pub(crate) unsafe fn exchange(address: u64, size: usize, old: u64, new: u64) -> bool {
    macro_rules! with {
        ($atomic:ty, $int:ty) => {
            // SAFETY: as the caller guarantees.
            unsafe { <$atomic>::from_ptr(address as *mut $int) }
                .compare_exchange(old as $int, new as $int, SeqCst, SeqCst)
                .is_ok()
        };
    }
    match size {
        1 => with!(AtomicU8, u8),
        2 => with!(AtomicU16, u16),
        4 => with!(AtomicU32, u32),
        _ => with!(AtomicU64, u64),
    }
}

// From valgrind.h and memcheck.h.
const RUNNING_ON_VALGRIND: u64 = 0x1001;
const COUNT_ERRORS: u64 = 0x1201;
const MAKE_UNDEFINED: u64 = 0x4d43_0001;
const MAKE_DEFINED: u64 = 0x4d43_0002;

/// Answers a request, with arguments at the address in `rax`. Without a checker, `rdx` would not change.
pub(crate) fn request(machine: &mut Machine) {
    let arguments = machine.state.general[0].value;
    let [code, address, length] = [0, 8, 16].map(|at| machine.load(arguments + at, 8).value);
    let answer = match code {
        super::WATCHING => 1,
        RUNNING_ON_VALGRIND => 1,
        COUNT_ERRORS => machine.errors(),
        MAKE_UNDEFINED | MAKE_DEFINED => {
            machine.shadow.fill(address, length, code == MAKE_UNDEFINED);
            0
        }
        super::START | super::STOP => {
            if let Some(recorder) = &mut machine.recorder {
                if code == super::START { recorder.start(&machine.state) } else { recorder.stop() }
            }
            0
        }
        _ => return,
    };
    machine.state.general[2] = Int::public(answer);
}

/// The name of the function at an address.
fn name(address: u64) -> String {
    // SAFETY: plain numbers and pointers, for which zero is a value.
    let mut found: libc::Dl_info = unsafe { core::mem::zeroed() };
    // SAFETY: any address may be asked for; a name that comes back ends with a zero byte and stays as long as
    // the library.
    unsafe {
        if libc::dladdr(address as *const _, &mut found) != 0 && !found.dli_sname.is_null() {
            return CStr::from_ptr(found.dli_sname).to_string_lossy().into_owned();
        }
    }
    format!("what is at {address:#x}")
}

/// Performs the system function at `target`, with the arguments in the registers.
pub(crate) fn call(machine: &mut Machine, target: u64) -> Result<(), Stop> {
    let Some((known, kind)) = machine.native.kinds.get(&target).copied() else {
        return Err(Stop::Unknown(format!("a call of {}", name(target))));
    };
    let arguments = [7, 6, 2, 1, 8, 9].map(|number| machine.state.general[number]);
    let [first, second, third, ..] = arguments.map(|argument| argument.value);
    let secret = |count: usize| arguments[..count].iter().any(|argument| argument.is_secret());
    match kind {
        Kind::End(how) => return Err(Stop::Panicked(how)),
        Kind::Copy => machine.leak_if(secret(3), Leak::Address),
        Kind::Set => {
            let seen = arguments[0].is_secret() || arguments[2].is_secret();
            machine.leak_if(seen, Leak::Address);
        }
        Kind::Compare => {
            let seen = secret(3) || machine.shadow.any(first, third) || machine.shadow.any(second, third);
            machine.leak_if(seen, Leak::Call);
        }
        Kind::Search => {
            let seen = secret(3) || machine.shadow.any(first, third);
            machine.leak_if(seen, Leak::Call);
        }
        Kind::Output => {
            let seen = secret(3) || machine.shadow.any(second, third);
            machine.leak_if(seen, Leak::Call);
        }
        Kind::Length => {
            // SAFETY: the program hands over a string.
            let length = unsafe { CStr::from_ptr(first as *const _) }.count_bytes() as u64;
            let seen = secret(1) || machine.shadow.any(first, length + 1);
            machine.leak_if(seen, Leak::Call);
        }
        Kind::Allocate | Kind::AllocateMany | Kind::AllocateAligned | Kind::Reallocate | Kind::Free => {
            machine
                .leak_if(secret(2) && !matches!(kind, Kind::Allocate | Kind::Free) || secret(1), Leak::Call);
        }
        Kind::Random => machine.leak_if(secret(2), Leak::Address),
        Kind::Writes(_) | Kind::Other => {}
    }
    // For memory that was allocated before the run, the allocator knows the size.
    let old = match (machine.native.sizes.get(&first), kind) {
        (Some(&size), _) => size,
        // SAFETY: the program hands over what it has allocated, or null.
        (None, Kind::Reallocate) => unsafe { libc::malloc_usable_size(first as *mut _) as u64 },
        _ => 0,
    };
    let value_marks = arguments[1].secret & 1 == 1;
    if let Some(recorder) = machine.recorder.as_mut().filter(|recorder| recorder.is_on) {
        recorder.call(known, [first, second, third]);
    }
    let result = perform(machine, target);
    let shadow = &mut machine.shadow;
    match kind {
        Kind::Copy => shadow.copy(first, second, third),
        Kind::Set => shadow.fill(first, third, value_marks),
        Kind::Writes(count) => shadow.fill(second, count, false),
        Kind::Random => shadow.fill(first, second, false),
        Kind::Allocate | Kind::AllocateMany | Kind::AllocateAligned => {
            let size = match kind {
                Kind::Allocate => first,
                Kind::AllocateMany => first * second,
                _ => second,
            };
            shadow.fill(result, size, false);
            machine.native.sizes.insert(result, size);
        }
        Kind::Reallocate => {
            if result != first {
                shadow.copy(result, first, old.min(second));
                shadow.fill(first, old, false);
            }
            if second > old {
                shadow.fill(result + old, second - old, false);
            }
            machine.native.sizes.remove(&first);
            machine.native.sizes.insert(result, second);
        }
        Kind::Free => {
            shadow.fill(first, old, false);
            machine.native.sizes.remove(&first);
        }
        _ => {}
    }
    machine.forget_after_call();
    Ok(())
}

/// Calls the function.
fn perform(machine: &mut Machine, target: u64) -> u64 {
    let state = &mut machine.state;
    let general = |number: usize| state.general[number].value;
    let stack = general(4);
    let [mut rax, mut rdx] = [general(0), general(2)];
    let [mut low, second] = [0, 1].map(|number| f64::from_bits(state.vectors[number].words[0]));
    // SAFETY: the program makes this call with these arguments. Four words of its stack are passed on, which
    // is what functions of the system take there at most.
    unsafe {
        core::arch::asm!(
            "sub rsp, 32",
            "mov r10, [r12]", "mov [rsp], r10",
            "mov r10, [r12 + 8]", "mov [rsp + 8], r10",
            "mov r10, [r12 + 16]", "mov [rsp + 16], r10",
            "mov r10, [r12 + 24]", "mov [rsp + 24], r10",
            "call r13",
            "add rsp, 32",
            in("r12") stack, in("r13") target,
            in("rdi") general(7), in("rsi") general(6), in("rcx") general(1), in("r8") general(8), in("r9") general(9),
            inout("rax") rax, inout("rdx") rdx,
            inout("xmm0") low, in("xmm1") second,
            clobber_abi("C"),
        );
    }
    state.general[0] = Int::public(rax);
    state.general[2] = Int::public(rdx);
    state.vectors[0].words[0] = low.to_bits();
    state.vectors[0].secret &= !0xff;
    rax
}
