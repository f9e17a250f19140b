//! A base with many exponents: plan, build, save, open, exponentiate. `cargo run --release
//! --example fixed_base`
//!
//! The same without Rust: `moduli plan`, `moduli table build`, `moduli pow`.

use crypto_bigint::BoxedUint;
use moduli::{Error, Expected, FixedBase, MemorySize, Modulus, MultiExponentiation, groups::Group};

fn main() -> Result<(), Error> {
    let group = Group::named("electionguard-v2.1")?;
    let p = Modulus::new(group.modulus())?;

    // The planner chooses a table of at most a quarter of a MiB.
    let builder =
        || FixedBase::builder(&p, group.generator()).exponent_bits(256).budget(MemorySize::kib(256));
    let plan = builder().plan()?;
    println!("{} in {}", plan.shape.method(), plan.bytes);
    let g = builder().build()?;

    // Constant-time in the exponent: the time reveals nothing about k.
    let k = BoxedUint::from(123_456_789u64);
    let power = g.pow(&k)?;
    assert_eq!(power, p.pow(group.generator(), &k));

    // Other processes can use the file. They must name the base that they expect, and every entry
    // is verified.
    let path = std::env::temp_dir().join("moduli-example.table");
    g.save(&path)?;
    let opened = FixedBase::open(&path, &Expected::base(&p, group.generator()))?;
    assert_eq!(opened.pow(&k)?, power);
    std::fs::remove_file(&path).ok();

    // A product of powers of two bases, such as a commitment g^a·h^b, shares the squarings.
    let h = FixedBase::builder(&p, &power).exponent_bits(256).budget(MemorySize::kib(256)).build()?;
    let (a, b) = (BoxedUint::from(5u64), BoxedUint::from(7u64));
    let commitment = MultiExponentiation::new([&g, &h])?.pow([&a, &b])?;
    assert_eq!(commitment, p.mul(&g.pow(&a)?, &h.pow(&b)?));

    // Many exponents at once, on all cores.
    let exponents: Vec<_> = (1..1000u64).map(BoxedUint::from).collect();
    let powers: Vec<_> = g.pow_batch(&exponents).into_iter().collect::<Result<_, _>>()?;
    println!("{} powers, the last one {:x}…", powers.len(), powers[998].as_words()[0]);
    Ok(())
}
