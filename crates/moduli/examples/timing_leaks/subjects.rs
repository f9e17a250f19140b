//! The functions to time: every function that `docs/secrecy.md` calls constant-time and that works
//! on residues, exponents or keys; and variable-time ones, to confirm that the program detects a
//! leak.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use super::{
    schemes,
    secrets::{Secret, Slot},
    statistics::Clock,
};
use crypto_bigint::{BoxedUint, CtEq, Resize};
use moduli::{
    CrtModulus, Element, Error, EvenModulus, FixedBase, KernelChoice, Modulus, MultiExponentiation,
    SignedExponent, common_operand::CommonOperand, groups::Group, power::PowerMethod, subgroup,
};
use moduli_kernel::Arithmetic;
use moduli_rns::{
    base::BaseShape,
    fields::Field,
    inverse::{Fermat, Jump, fermat::Ladder},
};

/// Bits of the exponents.
const EXPONENT_BITS: u32 = 128;

/// Part of the name of a function that leaks on purpose.
const SEEDED: &str = "seeded";

/// One function to time.
pub struct Subject {
    pub name: String,
    pub kernel: &'static str,
    /// Whether it is variable-time, so that the program must find a difference.
    pub planted: bool,
    /// The ranges of its secret numbers.
    pub slots: Vec<Slot>,
    /// Prepares a call, then times it.
    pub call: Call,
}

pub type Call = Box<dyn Fn(&Secret, &mut Clock)>;

/// The subjects of one modulus.
struct List<'a> {
    p: Modulus,
    all: &'a mut Vec<Subject>,
}

impl List<'_> {
    fn add(&mut self, name: impl Into<String>, slots: &[Slot], call: impl Fn(&Secret, &mut Clock) + 'static) {
        let name = name.into();
        let planted = name.contains("_vartime") || name.contains(SEEDED);
        let kernel = self.p.kernel_name();
        self.all.push(Subject { name, kernel, planted, slots: slots.to_vec(), call: Box::new(call) });
    }

    fn residue(&self) -> Slot {
        Slot { bits: self.p.bits() - 1, lowest: 0 }
    }

    fn unit(&self) -> Slot {
        Slot { bits: self.p.bits() - 1, lowest: 1 }
    }

    /// A function of a modulus and numbers.
    fn modulus<R>(
        &mut self,
        name: &str,
        slots: &[Slot],
        call: fn(&Modulus, &Secret) -> Result<R, Error>,
    ) -> &mut Self
    where
        R: 'static,
    {
        self.modulus_with(name.to_string(), slots, call)
    }

    /// The same, with further data.
    fn modulus_with<R: 'static>(
        &mut self,
        name: String,
        slots: &[Slot],
        call: impl Fn(&Modulus, &Secret) -> Result<R, Error> + 'static,
    ) -> &mut Self {
        let p = self.p.clone();
        self.add(format!("Modulus::{name}"), slots, move |secret, clock| clock.time(|| call(&p, secret)));
        self
    }

    /// A function of two elements, which are created outside the measured time.
    fn element<R: 'static>(
        &mut self,
        name: &str,
        call: fn(&Element, &Element) -> Result<R, Error>,
    ) -> &mut Self {
        let (p, unit) = (self.p.clone(), self.unit());
        self.add(format!("Element::{name}"), &[unit, unit], move |secret, clock| {
            let [a, b] = [0, 1].map(|i| p.element(&secret.numbers[i]));
            clock.time(|| call(&a, &b));
        });
        self
    }

    /// A function of a table and exponents.
    fn table<R: 'static>(
        &mut self,
        name: String,
        slots: &[Slot],
        table: &Arc<FixedBase>,
        call: fn(&FixedBase, &Secret) -> Result<R, Error>,
    ) {
        let table = Arc::clone(table);
        self.add(name, slots, move |secret, clock| clock.time(|| call(&table, secret)));
    }
}

/// All subjects, for all kernels that this machine supports.
pub fn all() -> Result<Vec<Subject>, Error> {
    let mut all = Vec::new();
    let prime = Field::named("brainpoolP512r1")?.prime();
    for &choice in KernelChoice::ALL.iter().filter(|choice| choice.is_supported()) {
        let mut list = List { p: Modulus::with_kernel(&prime, choice)?, all: &mut all };
        look_ups(&mut list);
        arithmetic(&mut list);
        powers(&mut list);
        fixed_bases(&mut list)?;
        groups(choice, &mut all)?;
    }
    even(&prime, &mut all)?;
    factors(&mut all)?;
    residue_numbers(&mut all)?;
    schemes::signatures(&mut all)?;
    schemes::private_operations(&mut all)?;
    Ok(all)
}

/// The secret is the index, among 64.
fn look_ups(list: &mut List<'_>) {
    let index = Slot { bits: 6, lowest: 0 };
    let p = list.p.value().as_ref().as_words().to_vec();
    let arithmetic = Rc::new(Arithmetic::new(&p, list.p.kernel()).unwrap());
    let words = arithmetic.dimensions().residue_words;
    let row: Vec<u64> = (0..63 * words as u64).collect();
    let (this, entries) = (arithmetic.clone(), row.clone());
    list.add("Session::select", &[index], move |secret, clock| {
        let out = RefCell::new(vec![0; words]);
        let index = secret.numbers[0].as_words()[0];
        clock.time(|| {
            this.session(None).select(&mut out.borrow_mut(), &entries[..words], &entries, index);
            Ok(())
        });
    });
    let row = RefCell::new(row);
    list.add("Session::replace", &[index], move |secret, clock| {
        let entry = vec![1; words];
        let index = secret.numbers[0].as_words()[0];
        clock.time(|| {
            arithmetic.session(None).replace(&mut row.borrow_mut(), &entry, index);
            Ok(())
        });
    });
}

fn arithmetic(list: &mut List<'_>) {
    let (residue, unit) = (list.residue(), list.unit());
    let wide = Slot { bits: 3 * list.p.bits(), lowest: 0 };
    list.modulus("mul", &[residue; 2], |p, s| Ok(p.mul(&s.numbers[0], &s.numbers[1])))
        .modulus("reduce", &[wide], |p, s| Ok(p.reduce(&s.numbers[0])))
        .modulus("mul_by_common", &[residue; 5], |p, s| Ok(p.mul_by_common(&s.numbers[0], &s.numbers[1..])))
        .modulus("invert", &[unit], |p, s| p.invert(&s.numbers[0]))
        .modulus("invert_batch", &[unit; 8], |p, s| {
            p.invert_batch(&s.numbers).into_iter().collect::<Result<Vec<_>, _>>()
        })
        .modulus("invert_vartime", &[unit], |p, s| p.invert_vartime(&s.numbers[0]));
    list.element("add", |a, b| a.try_add(b))
        .element("sub", |a, b| a.try_sub(b))
        .element("mul", |a, b| a.try_mul(b))
        .element("square", |a, _| Ok(a.square()))
        .element("neg", |a, _| Ok(-a))
        .element("to_be_bytes", |a, _| Ok(a.to_be_bytes()))
        .element("equals", |a, b| Ok(a.ct_eq(b)))
        .element("invert", |a, _| a.invert())
        .element("mul_pair", |a, b| a.mul_pair(b, b));
    let (p, bytes) = (list.p.clone(), list.p.bits().div_ceil(8) as usize);
    list.add("Element::from_be_bytes", &[residue], move |secret, clock| {
        let all = secret.numbers[0].to_be_bytes();
        clock.time(|| Element::from_be_bytes(&p, &all[all.len() - bytes..]));
    });
    let (p, split) = (list.p.clone(), list.p.max_split());
    list.add("CommonOperand::mul", &[residue; 2], move |secret, clock| {
        let [a, b] = [0, 1].map(|i| p.element(&secret.numbers[i]));
        let a = CommonOperand::with_split(&a, split).expect("a split within bounds");
        clock.time(|| a.mul(&b));
    });
}

/// A power that takes a thousandth longer if the exponent is 0: the smallest leak that must be
/// detected.
fn seeded_delay(list: &mut List<'_>, slots: &[Slot]) {
    // Each product depends on the one before.
    let delay = |x: u64, count: u64| (0..count).fold(x, |x, _| std::hint::black_box(x).wrapping_mul(3));
    let shortest = |call: &dyn Fn()| {
        let mut clock = Clock { repeat: 1, ticks: 0, error: None };
        let ticks = (0..50).map(|_| {
            clock.time(|| {
                call();
                Ok(())
            });
            clock.ticks
        });
        ticks.min().unwrap_or(0)
    };
    let (base, exponent) = (BoxedUint::from(2u8), BoxedUint::max(EXPONENT_BITS));
    let power = shortest(&|| drop(std::hint::black_box(list.p.pow(&base, &exponent))));
    let thousand = shortest(&|| assert_ne!(delay(1, 1_000), 0));
    let count = power.div_ceil(thousand.max(1));
    list.modulus_with(format!("pow, 0.1 % longer for 0 ({SEEDED})"), slots, move |p, s| {
        let is_zero = s.numbers[1].as_words().iter().all(|&word| word == 0);
        let power = p.pow(&s.numbers[0], &s.numbers[1]);
        Ok((delay(power.as_words()[0], count * u64::from(is_zero)), power))
    });
}

fn powers(list: &mut List<'_>) {
    let exponent = Slot { bits: EXPONENT_BITS, lowest: 0 };
    let slots = [list.unit(), exponent];
    list.modulus("pow", &slots, |p, s| Ok(p.pow(&s.numbers[0], &s.numbers[1])))
        .modulus("pow, signed", &slots, |p, s| {
            p.pow_signed(&s.numbers[0], SignedExponent::new(s.negative, &s.numbers[1]))
        })
        .modulus("pow_vartime", &slots, |p, s| p.pow_vartime(&s.numbers[0], &s.numbers[1]));
    seeded_delay(list, &slots);
    let pairs = list.p.lanes().max(2);
    list.modulus("pow_batch", &slots.repeat(pairs), |p, s| {
        let pairs = s.numbers.chunks_exact(2).map(|pair| (&pair[0], &pair[1]));
        p.pow_batch(pairs).into_iter().collect::<Result<Vec<_>, _>>()
    });
    list.modulus("multi_pow", &slots.repeat(5), |p, s| {
        p.multi_pow(s.numbers.chunks_exact(2).map(|pair| (&pair[0], &pair[1])))
    });
    let mut methods = [false, true].map(|common_operand| PowerMethod::Ladder { common_operand }).to_vec();
    methods
        .extend([false, true].map(|common_operand| PowerMethod::RightToLeft { window: 3, common_operand }));
    methods.extend([1, list.p.max_split()].map(|split| PowerMethod::LeftToRight { window: 4, split }));
    for method in methods {
        let p = list.p.clone();
        list.add(format!("Modulus::pow_with, {method}"), &slots, move |secret, clock| {
            clock.time(|| p.pow_with(&secret.numbers[0], &secret.numbers[1], method));
        });
    }
}

fn fixed_bases(list: &mut List<'_>) -> Result<(), Error> {
    let exponent = Slot { bits: EXPONENT_BITS, lowest: 0 };
    let base = BoxedUint::from(3u64);
    for method in ["comb:5,3", "radix:16", "m0m1:31,7", "residue-digits:11,8"] {
        let builder = FixedBase::builder(&list.p, &base).exponent_bits(EXPONENT_BITS).split(1);
        let table = Arc::new(builder.method(method.parse()?).build()?);
        let name = |call: &str| format!("FixedBase::{call}, {method}");
        list.table(name("pow"), &[exponent], &table, |table, s| table.pow(&s.numbers[0]));
        let long = Slot { bits: EXPONENT_BITS + 100, lowest: 0 };
        list.table(name("pow_long"), &[long], &table, |table, s| table.pow_long(&s.numbers[0]));
        list.table(name("pow, signed"), &[exponent], &table, |table, s| {
            table.pow(SignedExponent::new(s.negative, &s.numbers[0]))
        });
        list.table(name("pow_times"), &[exponent, list.residue(), exponent], &table, |table, s| {
            table.pow_times(&s.numbers[0], &s.numbers[1], &s.numbers[2])
        });
        list.table(name("pow_batch"), &[exponent; 5], &table, |table, s| {
            table.pow_batch(&s.numbers).into_iter().collect::<Result<Vec<_>, _>>()
        });
        list.table(format!("MultiExponentiation::pow, {method}"), &[exponent; 2], &table, |table, s| {
            MultiExponentiation::new([table, table])
                .and_then(|product| product.pow([&s.numbers[0], &s.numbers[1]]))
        });
        list.table(name("pow_vartime"), &[exponent], &table, |table, s| table.pow_vartime(&s.numbers[0]));
    }
    Ok(())
}

/// Subjects that need an order: 1024 bits, with an order of 160.
fn groups(choice: KernelChoice, all: &mut Vec<Subject>) -> Result<(), Error> {
    let group = Group::named("dsa-1024-160")?;
    let p = Modulus::with_kernel(group.modulus(), choice)?;
    let builder = FixedBase::builder(&p, group.generator()).exponent_bits(160).order(group.order());
    let table = Arc::new(builder.method("comb:5,3".parse()?).split(1).build()?);
    let order = group.order().clone();
    let mut list = List { p, all };
    let long = Slot { bits: 320, lowest: 0 };
    list.table("FixedBase::pow, reduced by an order".into(), &[long], &table, |table, s| {
        table.pow(&s.numbers[0])
    });
    // The lowest value, 1, is a member; the others are not.
    let (p, slot) = (list.p.clone(), list.unit());
    list.add("subgroup::is_member", &[slot], move |secret, clock| {
        clock.time(|| Ok(subgroup::is_member(&p, &order, &secret.numbers[0])));
    });
    Ok(())
}

/// Modulo a prime times a power of two with as many bits, for exponents with and without
/// shortening.
fn even(prime: &BoxedUint, all: &mut Vec<Subject>) -> Result<(), Error> {
    let bits = prime.bits();
    let modulus = Arc::new(EvenModulus::new(&prime.resize(2 * bits).shl(bits))?);
    let kernel = Modulus::new(prime)?.kernel_name();
    for (name, exponent_bits) in [("", EXPONENT_BITS), (", long", bits + 100)] {
        let modulus = Arc::clone(&modulus);
        let call: Call = Box::new(move |secret, clock| {
            clock.time(|| Ok(modulus.pow(&secret.numbers[0], &secret.numbers[1])));
        });
        let slots = vec![Slot { bits, lowest: 1 }, Slot { bits: exponent_bits, lowest: 0 }];
        all.push(Subject { name: format!("EvenModulus::pow{name}"), kernel, planted: false, slots, call });
    }
    let call: Call = Box::new(move |secret, clock| {
        let odd = &secret.numbers[0] | &BoxedUint::one_with_precision(secret.numbers[0].bits_precision());
        clock.time(|| modulus.invert(&odd))
    });
    let slots = vec![Slot { bits, lowest: 1 }];
    all.push(Subject { name: "EvenModulus::invert".into(), kernel, planted: false, slots, call });
    Ok(())
}

/// With known factors, for exponents with and without reduction.
fn factors(all: &mut Vec<Subject>) -> Result<(), Error> {
    let [p, q] = [521, 607].map(|bits| BoxedUint::max(bits).shr(BoxedUint::max(bits).bits() - bits));
    let owner = Arc::new(CrtModulus::new(&p, &q, 1)?);
    let base = Slot { bits: owner.modulus().bits() - 1, lowest: 1 };
    for (name, bits) in [("", EXPONENT_BITS), (", long", owner.modulus().bits() + 100)] {
        for (sign, is_signed) in [("", false), (", signed", true)] {
            let (owner, kernel) = (Arc::clone(&owner), owner.modulus().kernel_name());
            let call: Call = Box::new(move |secret, clock| {
                let [x, e] = [&secret.numbers[0], &secret.numbers[1]];
                let signed = SignedExponent::new(secret.negative, e);
                let e = if is_signed { signed } else { SignedExponent::from(e) };
                clock.time(|| owner.pow(x, e));
            });
            let slots = vec![base, Slot { bits, lowest: 0 }];
            all.push(Subject {
                name: format!("CrtModulus::pow{name}{sign}"),
                kernel,
                planted: false,
                slots,
                call,
            });
        }
    }
    Ok(())
}

fn residue_numbers(all: &mut Vec<Subject>) -> Result<(), Error> {
    let prime = Field::named("brainpoolP512r1")?.prime();
    let jump = Jump::new(&prime, BaseShape::new(17, 32), 30)?;
    let fermat = Fermat::new(&prime, BaseShape::new(17, 32), Ladder::BestWindow)?;
    let slots = vec![Slot { bits: prime.bits() - 1, lowest: 1 }];
    let mut add = |name: &str, call: Call| {
        all.push(Subject { name: name.into(), kernel: "rns", planted: false, slots: slots.clone(), call });
    };
    add("Jump::invert", Box::new(move |s, clock| clock.time(|| jump.invert(&s.numbers[0]))));
    add("Fermat::invert", Box::new(move |s, clock| clock.time(|| fermat.invert(&s.numbers[0]))));
    Ok(())
}
