//! A base that is raised to many exponents: plan, build, save, open, exponentiate. `cargo run --release --example fixed_base`
//!
//! The same without Rust: `moduli plan`, `moduli table build`, `moduli pow`.

use crypto_bigint::BoxedUint;
use moduli::{Error, Expected, FixedBase, MemorySize, Modulus, MultiExponentiation, groups::Group};

fn main() -> Result<(), Error> {
    let group = Group::named("electionguard-v2.1")?;
    let p = Modulus::new(group.modulus())?;

    // What fits a quarter of a mebibyte is for the planner to say.
    let builder =
        || FixedBase::builder(&p, group.generator()).exponent_bits(256).budget(MemorySize::kib(256));
    let plan = builder().plan()?;
    println!("{} in {}", plan.shape.method(), plan.bytes);
    let g = builder().build()?;

    // Constant-time in the exponent; nobody learns k from the time it takes.
    let k = BoxedUint::from(123_456_789u64);
    let power = g.pow(&k)?;
    assert_eq!(power, p.pow(group.generator(), &k));

    // A file serves other processes. Whoever opens it says of which base it should be, and every entry is verified.
    let path = std::env::temp_dir().join("moduli-example.table");
    g.save(&path)?;
    let opened = FixedBase::open(&path, &Expected::base(&p, group.generator()))?;
    assert_eq!(opened.pow(&k)?, power);
    std::fs::remove_file(&path).ok();

    // Two bases in one go share their squarings: a commitment g^a·h^b.
    let h = FixedBase::builder(&p, &power).exponent_bits(256).budget(MemorySize::kib(256)).build()?;
    let (a, b) = (BoxedUint::from(5u64), BoxedUint::from(7u64));
    let commitment = MultiExponentiation::new([&g, &h])?.pow([&a, &b])?;
    assert_eq!(commitment, p.mul(&g.pow(&a)?, &h.pow(&b)?));

    // Many at once, on all cores.
    let exponents: Vec<_> = (1..1000u64).map(BoxedUint::from).collect();
    let powers: Vec<_> = g.pow_batch(&exponents).into_iter().collect::<Result<_, _>>()?;
    println!("{} powers, the last one {:x}…", powers.len(), powers[998].as_words()[0]);
    Ok(())
}
