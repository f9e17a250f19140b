//! With an observer, too, sessions call the methods that a kernel overrides.

use std::{any::Any, collections::BTreeSet, sync::Mutex};

use moduli_kernel::{
    Dimensions, DualSession, KernelChoice, Observer, Operation, Session,
    internals::{self, Dual, Kernel, Lanes},
};

/// Overrides every method of both contracts, and reports which one was reached.
struct Every {
    calls: Mutex<Vec<String>>,
    /// Residues have one word.
    dimensions: Dimensions,
}

impl Default for Every {
    fn default() -> Self {
        let mut dimensions = KernelChoice::PORTABLE.foreseen(64).unwrap();
        dimensions.scratch_words = 1;
        Self { calls: Mutex::default(), dimensions }
    }
}

impl Every {
    fn reached(&self, name: &str) {
        self.calls.lock().unwrap().push(name.to_string());
    }

    fn take(&self) -> Vec<String> {
        core::mem::take(&mut self.calls.lock().unwrap())
    }
}

/// Methods that report their names: `name(types) -> result`.
macro_rules! telling {
    ($prefix:literal: $($name:ident($($type:ty),*) $(-> $result:ty = $value:expr)?;)*) => {
        $(fn $name(&self, $(_: $type),*) $(-> $result)? {
            self.reached(concat!($prefix, stringify!($name)));
            $($value)?
        })*
    };
}

impl Kernel for Every {
    telling! { "":
        are_residues_vartime(&[u64]) -> bool = false;
        one() -> &[u64] = &[1];
        to_montgomery(&mut [u64], &[u64], &mut [u64]);
        from_montgomery(&mut [u64], &[u64], &mut [u64]);
        load(&mut [u64], &[u64], &mut [u64]);
        store(&mut [u64], &[u64], &mut [u64]);
        add(&mut [u64], &[u64], &mut [u64]);
        sub(&mut [u64], &[u64], &mut [u64]);
        mul(&mut [u64], &[u64], &mut [u64]);
        square(&mut [u64], &mut [u64]);
        prepare(&mut [u64], &[u64], usize, &mut [u64]);
        mul_prepared(&mut [u64], &[u64], usize, &mut [u64]);
        mul_pair(&mut [u64], &mut [u64], &[u64], &mut [u64]);
        select(&mut [u64], &[u64], &[u64], u64);
        replace(&mut [u64], &[u64], u64);
        swap(&mut [u64], &mut [u64], u64);
    }

    fn dimensions(&self) -> &Dimensions {
        &self.dimensions
    }

    fn as_any(&self) -> Option<&dyn Any> {
        self.reached("as_any");
        Some(self)
    }

    fn dual<'a>(&'a self, _: &'a dyn Kernel) -> Option<Box<dyn Dual + 'a>> {
        self.reached("dual");
        Some(Box::new(EveryDual(self)))
    }

    fn lanes(&self) -> Option<&dyn Lanes> {
        self.reached("lanes");
        Some(self)
    }
}

impl Lanes for Every {
    telling! { "lanes.":
        lanes() -> usize = 1;
        enough() -> usize = 1;
        looked_at() -> usize = 1;
        row_words() -> usize = 1;
        scratch_words() -> usize = 1;
        put(&mut [u64], usize, &[u64]);
        take(&mut [u64], &[u64], usize);
        mul(&mut [u64], &[u64], &mut [u64]);
        square(&mut [u64], &mut [u64]);
        select(&mut [u64], &[u64], &[u64]);
        square_and_select((&mut [u64], u32), (&mut [u64], &[u64], &[u64]), &mut [u64]);
        look_up(&mut [u64], &[u64], &[u64], &[u64]);
    }
}

struct EveryDual<'a>(&'a Every);

impl Dual for EveryDual<'_> {
    fn begin(&mut self, _: [&mut [u64]; 2]) {
        self.0.reached("dual.begin");
    }
    fn mul(&mut self, _: [&mut [u64]; 2], _: [&[u64]; 2]) {
        self.0.reached("dual.mul");
    }
    fn square(&mut self, _: [&mut [u64]; 2], _: u32) {
        self.0.reached("dual.square");
    }
    fn end(&mut self, _: [&mut [u64]; 2]) {
        self.0.reached("dual.end");
    }
    fn select(&mut self, _: usize, _: [&mut [u64]; 2], _: &[u64], _: [u64; 2]) {
        self.0.reached("dual.select");
    }
}

fn session_of(every: &Every) -> Session<'_> {
    internals::session(every, &every.dimensions, None)
}

/// The reports: before an operation, its name and the number of operands; after it, its name and each result,
/// which is one word.
#[derive(Default)]
struct Reported {
    before: Mutex<Vec<(&'static str, usize)>>,
    after: Mutex<Vec<(&'static str, u64)>>,
}

impl Observer for Reported {
    fn before(&self, operation: Operation, operands: [&[u64]; 3]) {
        let count = operands.iter().filter(|words| !words.is_empty()).count();
        self.before.lock().unwrap().push((operation.name(), count));
    }

    fn after(&self, operation: Operation, result: &mut [u64]) {
        self.after.lock().unwrap().push((operation.name(), result[0]));
    }
}

/// The methods of a trait that write to memory, found in the text of its file.
fn writing(text: &str, contract: &str, prefix: &str) -> BTreeSet<String> {
    let (_, body) = text.split_once(&format!("pub trait {contract}")).unwrap();
    let (body, _) = body.split_once("\n}\n").unwrap();
    let signatures = body.split("    fn ").skip(1).filter(|text| {
        let end = text.find([';', '{']).unwrap();
        text[..end].contains("&mut [u64]")
    });
    signatures.map(|text| format!("{prefix}{}", &text[..text.find(['(', '<']).unwrap()])).collect()
}

#[test]
fn every_operation_is_done_by_the_kernel_in_its_own_way_and_reported() {
    let (every, reported) = (Every::default(), Reported::default());
    let mut session = internals::session(&every, &every.dimensions, Some(&reported));
    let mut lanes = internals::lane_session(&every, Some(&reported));
    let mut both = DualSession::new(&session, &session_of(&every));
    every.take();
    let mut reached = BTreeSet::new();
    let [x, y, z] = &mut [[1], [2], [3]].map(|words: [u64; 1]| words);
    // The numbers of operands reported before an operation, the results reported after it, and the methods of
    // the kernel that it calls.
    let mut noted = |name, before: &[usize], after: &[u64], calls: &[&str], call: &mut dyn FnMut()| {
        call();
        assert_eq!(every.take(), calls);
        let expected: Vec<_> = before.iter().map(|&count| (name, count)).collect();
        assert_eq!(core::mem::take(&mut *reported.before.lock().unwrap()), expected);
        let expected: Vec<_> = after.iter().map(|&word| (name, word)).collect();
        assert_eq!(core::mem::take(&mut *reported.after.lock().unwrap()), expected);
        assert!(reached.insert(calls[0].to_string()), "{calls:?} for two methods");
    };
    // The result is the first operand, 1. The scratch space has one word.
    let mut one = |name, operands, call: &mut dyn FnMut()| noted(name, &[operands], &[1], &[name], call);
    one("to_montgomery", 3, &mut || session.to_montgomery(x, y));
    one("from_montgomery", 3, &mut || session.from_montgomery(x, y));
    one("load", 3, &mut || session.load(x, y));
    one("store", 3, &mut || session.store(x, y));
    one("add", 3, &mut || session.add(x, y));
    one("sub", 3, &mut || session.sub(x, y));
    one("mul", 3, &mut || session.mul(x, y));
    one("square", 2, &mut || session.square(x));
    one("prepare", 3, &mut || session.prepare(x, y, 1));
    one("mul_prepared", 3, &mut || session.mul_prepared(x, y, 1));
    one("select", 3, &mut || session.select(x, y, z, 0));
    noted("mul_pair", &[3], &[1, 2], &["mul_pair"], &mut || session.mul_pair(x, y, &[4]));
    noted("swap", &[2], &[1, 2], &["swap"], &mut || session.swap(x, y, 0));
    noted("replace", &[2], &[], &["replace"], &mut || session.replace(x, y, 0));
    noted("put", &[2], &[1], &["lanes.put"], &mut || lanes.put(x, 0, y));
    noted("take", &[2], &[1], &["lanes.take"], &mut || lanes.take(x, y, 0));
    noted("mul_lanes", &[3], &[1], &["lanes.mul"], &mut || lanes.mul(x, y));
    noted("square_lanes", &[2], &[1], &["lanes.square"], &mut || lanes.square(x));
    noted("select_lanes", &[3], &[1], &["lanes.select"], &mut || lanes.select(x, y, z));
    noted("square_and_select_lanes", &[3], &[1, 2], &["lanes.square_and_select"], &mut || {
        lanes.square_and_select((x, 1), (y, z, &[0]));
    });
    noted("look_up_lanes", &[3], &[1], &["lanes.look_up"], &mut || lanes.look_up(x, y, z, &[0]));
    // Reports for two moduli come in pairs. The results are written back to be observed, and taken over
    // again.
    noted("begin", &[], &[], &["dual.begin"], &mut || both.begin([x, y]));
    let handed = |name| [name, "dual.end", "dual.begin"];
    noted("mul_dual", &[2; 2], &[1, 2], &handed("dual.mul"), &mut || both.mul([x, y], [&[4], &[4]]));
    noted("square_dual", &[1; 2], &[1, 2], &handed("dual.square"), &mut || both.square([x, y], 1));
    let select = &mut || both.select(0, [x, y], &[5], [0, 0]);
    noted("select_dual", &[2; 2], &[1, 2], &["dual.select"], select);
    noted("end", &[], &[], &["dual.end"], &mut || both.end([x, y]));

    // If this test or the session lacks an operation, `reached` lacks it.
    let mut all = writing(include_str!("../../src/contract.rs"), "Kernel", "");
    all.append(&mut writing(include_str!("../../src/lanes.rs"), "Lanes", "lanes."));
    all.append(&mut writing(include_str!("../../src/dual.rs"), "Dual", "dual."));
    assert!(all.len() > 24);
    assert_eq!(reached, all);
}

/// Without an observer, operations run the same way, and two moduli are not written back for it.
#[test]
fn without_an_observer_nothing_is_added() {
    let every = Every::default();
    let mut session = session_of(&every);
    let mut both = DualSession::new(&session, &session);
    every.take();
    let [x, y] = &mut [[1], [2]].map(|words: [u64; 1]| words);
    session.mul(x, y);
    both.mul([x, y], [&[4], &[4]]);
    assert_eq!(every.take(), ["mul", "dual.mul"]);
}
