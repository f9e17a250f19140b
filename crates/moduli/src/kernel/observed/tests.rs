//! Whatever a kernel does in its own way is what runs when it is observed.

use alloc::{
    boxed::Box,
    collections::BTreeSet,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::any::Any;
use std::sync::Mutex;

use super::{Dual, Kernel, Lanes, Observed, Observer, Operation};

/// Overrides every method of both contracts, and reports which one was reached.
#[derive(Default)]
struct Every(Mutex<Vec<String>>);

impl Every {
    fn reached(&self, name: &str) {
        self.0.lock().unwrap().push(name.to_string());
    }

    fn take(&self) -> Vec<String> {
        core::mem::take(&mut self.0.lock().unwrap())
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
        name() -> &'static str = "every";
        layout() -> [u8; 8] = [7; 8];
        residue_words() -> usize = 1;
        prepared_words(usize) -> usize = 1;
        max_split() -> usize = 1;
        scratch_words() -> usize = 1;
        limbs() -> usize = 1;
        are_residues_vartime(&[u64]) -> bool = false;
        one() -> &[u64] = &[1];
        enter(&mut [u64], &[u64], &mut [u64]);
        leave(&mut [u64], &[u64], &mut [u64]);
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
        row_words() -> usize = 1;
        scratch_words() -> usize = 1;
        put(&mut [u64], usize, &[u64]);
        take(&mut [u64], &[u64], usize);
        mul(&mut [u64], &[u64], &mut [u64]);
        square(&mut [u64], &mut [u64]);
        select(&mut [u64], &[u64], &[u64]);
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

/// What was reported before and after, by name.
#[derive(Default)]
struct Reported(Mutex<Vec<&'static str>>);

impl Observer for Reported {
    fn before(&self, operation: Operation, _: [&[u64]; 3]) {
        self.0.lock().unwrap().push(operation.name());
    }
}

/// The methods of a trait, from the text of its file.
fn methods(text: &str, contract: &str, prefix: &str) -> BTreeSet<String> {
    let (_, body) = text.split_once(&format!("pub trait {contract}")).unwrap();
    let (body, _) = body.split_once("\n}\n").unwrap();
    let names = body.lines().filter_map(|line| line.strip_prefix("    fn ")?.split_once(['(', '<']));
    names.map(|(name, _)| format!("{prefix}{name}")).collect()
}

#[test]
fn every_method_of_a_kernel_is_reached() {
    let (every, reported) = (Every::default(), Reported::default());
    let observed = Observed::new(&every, &reported);
    let kernel: &dyn Kernel = &observed;
    let lanes = kernel.lanes().unwrap();
    let mut reached: BTreeSet<String> = every.take().into_iter().collect();
    assert_eq!(reached.len(), 1);
    let [x, y, z] = &mut [[1], [2], [3]].map(|words: [u64; 1]| words);
    let mut exercise = |call: &mut dyn FnMut()| {
        call();
        let calls = every.take();
        assert_eq!(calls.len(), 1, "{calls:?}");
        assert!(reached.insert(calls[0].clone()), "{calls:?} for two methods");
    };
    let mut silent = |call: &mut dyn FnMut()| {
        exercise(call);
        assert_eq!(reported.0.lock().unwrap().len(), 0);
    };
    silent(&mut || assert_eq!(kernel.name(), "every"));
    silent(&mut || assert_eq!(kernel.layout(), [7; 8]));
    silent(&mut || assert_eq!(kernel.residue_words(), 1));
    silent(&mut || assert_eq!(kernel.prepared_words(1), 1));
    silent(&mut || assert_eq!(kernel.max_split(), 1));
    silent(&mut || assert_eq!(kernel.scratch_words(), 1));
    silent(&mut || assert_eq!(kernel.limbs(), 1));
    silent(&mut || assert_eq!(kernel.one(), [1]));
    silent(&mut || assert!(!kernel.are_residues_vartime(&[])));
    silent(&mut || assert!(kernel.as_any().unwrap().is::<Every>()));
    silent(&mut || assert_eq!(lanes.lanes(), 1));
    silent(&mut || assert_eq!(lanes.enough(), 1));
    silent(&mut || assert_eq!(lanes.row_words(), 1));
    silent(&mut || assert_eq!(lanes.scratch_words(), 1));

    // How often each is reported, under its own name: once, and of two moduli twice.
    let mut noted = |name: &str, times: usize, call: &mut dyn FnMut()| {
        exercise(call);
        assert_eq!(core::mem::take(&mut *reported.0.lock().unwrap()), alloc::vec![name; times]);
    };
    noted("enter", 1, &mut || kernel.enter(x, y, z));
    noted("leave", 1, &mut || kernel.leave(x, y, z));
    noted("load", 1, &mut || kernel.load(x, y, z));
    noted("store", 1, &mut || kernel.store(x, y, z));
    noted("add", 1, &mut || kernel.add(x, y, z));
    noted("sub", 1, &mut || kernel.sub(x, y, z));
    noted("mul", 1, &mut || kernel.mul(x, y, z));
    noted("square", 1, &mut || kernel.square(x, z));
    noted("prepare", 1, &mut || kernel.prepare(x, y, 1, z));
    noted("mul_prepared", 1, &mut || kernel.mul_prepared(x, y, 1, z));
    noted("mul_pair", 1, &mut || kernel.mul_pair(x, y, &[4], z));
    noted("select", 1, &mut || kernel.select(x, y, z, 0));
    noted("replace", 1, &mut || kernel.replace(x, y, 0));
    noted("swap", 1, &mut || kernel.swap(x, y, 0));
    noted("put", 1, &mut || lanes.put(x, 0, y));
    noted("take", 1, &mut || lanes.take(x, y, 0));
    noted("mul_lanes", 1, &mut || lanes.mul(x, y, z));
    noted("square_lanes", 1, &mut || lanes.square(x, z));
    noted("select_lanes", 1, &mut || lanes.select(x, y, z));
    noted("look_up_lanes", 1, &mut || lanes.look_up(x, y, z, &[0]));

    // Two moduli: the results are handed back to be seen and taken over again.
    let mut both = kernel.dual(&every).unwrap();
    assert_eq!(every.take(), ["dual"]);
    reached.insert("dual".to_string());
    let mut noted = |names: &[&str], calls: &[&str], call: &mut dyn FnMut(&mut dyn Dual)| {
        call(&mut *both);
        assert_eq!(every.take(), calls);
        assert_eq!(core::mem::take(&mut *reported.0.lock().unwrap()), names);
        reached.insert(calls[0].to_string());
    };
    noted(&[], &["dual.begin"], &mut |both| both.begin([x, y]));
    noted(&["mul_dual"; 2], &["dual.mul", "dual.end", "dual.begin"], &mut |both| {
        both.mul([x, y], [&[4], &[4]])
    });
    noted(&["square_dual"; 2], &["dual.square", "dual.end", "dual.begin"], &mut |both| {
        both.square([x, y], 1)
    });
    noted(&["select_dual"; 2], &["dual.select"], &mut |both| both.select(0, [x, y], &[5], [0, 0]));
    noted(&[], &["dual.end"], &mut |both| both.end([x, y]));

    // A method that this test forgets, or the wrapper, is missing here.
    let mut all = methods(include_str!("../contract.rs"), "Kernel", "");
    all.append(&mut methods(include_str!("../lanes.rs"), "Lanes", "lanes."));
    all.append(&mut methods(include_str!("../dual.rs"), "Dual", "dual."));
    assert!(all.len() > 35);
    assert_eq!(reached, all);
}
