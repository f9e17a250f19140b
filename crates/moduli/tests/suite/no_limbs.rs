//! A zero without limbs, which `BoxedUint` supports, is an error wherever zero is one. Also other
//! inputs at the limits of their ranges.

use crypto_bigint::BoxedUint;
use moduli::{
    CrtModulus, Element, Error, Exponent, FixedBase, Modulus, Planner,
    error::{ModulusError, ParameterError, TableError},
    power::PowerPlanner,
    scheme, subgroup,
};

fn nothing() -> BoxedUint {
    let zero = BoxedUint::from_str_radix_vartime("0", 16).unwrap();
    assert_eq!(zero.bits_precision(), 0);
    zero
}

fn number(x: u64) -> BoxedUint {
    BoxedUint::from(x)
}

#[test]
fn a_zero_without_limbs_is_refused() {
    let (zero, three) = (nothing(), number(3));
    assert!(matches!(
        CrtModulus::new(&zero, &three, 1),
        Err(Error::Parameter(ParameterError { name: "p", .. }))
    ));
    assert!(matches!(
        CrtModulus::new(&three, &zero, 1),
        Err(Error::Parameter(ParameterError { name: "q", .. }))
    ));
    let p = Modulus::new(&number(23)).unwrap();
    let table = FixedBase::builder(&p, &three).exponent_bits(8).order(&zero).build();
    assert!(matches!(table, Err(Error::Parameter(ParameterError { name: "order", .. }))));
    let key = |result: Result<(), Error>| assert!(matches!(result, Err(Error::Key(_))), "{result:?}");
    key(scheme::rsa::PublicKey::new(&zero, &three).map(drop));
    key(scheme::rsa::PublicKey::new(&(BoxedUint::max(2048)), &zero).map(drop));
    key(scheme::dsa::DomainParameters::new(&zero, &three, &three).map(drop));
    key(scheme::parameters::validate(&zero, &three, &three));
    key(scheme::parameters::verify_primes(&zero, &zero, &[0; 32], 0));
    assert!(subgroup::validate_public_value_vartime(&p, &zero, &number(5)).is_err());
    assert!(subgroup::validate_public_value_vartime(&p, &number(0), &number(5)).is_err());
}

#[test]
fn powers_of_small_primes_up_to_the_size_limit() {
    // 15^k has 3.907·k bits.
    assert_eq!(CrtModulus::new(&number(3), &number(5), 16384).unwrap().modulus().bits(), 64_011);
    assert!(matches!(
        CrtModulus::new(&number(3), &number(5), 17_000),
        Err(Error::Modulus(ModulusError::TooLarge { .. }))
    ));
    assert!(matches!(
        CrtModulus::new(&number(3), &number(5), u32::MAX),
        Err(Error::Modulus(ModulusError::TooLarge { .. }))
    ));
}

#[test]
fn lengths_that_no_number_has_are_errors() {
    let crt = CrtModulus::new(&number(1009), &number(1013), 1).unwrap();
    let two = number(2);
    let longest = Exponent::from(&two).with_bits(u32::MAX).unwrap();
    assert!(matches!(crt.pow(&number(5), longest), Err(Error::ExponentTooLong { .. })));
    let p = Modulus::new(&number(23)).unwrap();
    let mut bytes = vec![0; 1 << 20];
    assert_eq!(Element::from_be_bytes(&p, &bytes).unwrap().to_uint(), number(0));
    bytes[3] = 1;
    assert!(Element::from_be_bytes(&p, &bytes).is_err());
}

#[test]
fn costs_of_another_size_are_refused() {
    let (small, large) = (Modulus::new(&number(23)).unwrap(), Modulus::new(&BoxedUint::max(2048)).unwrap());
    let costs = small.costs();
    assert!(matches!(
        Planner::new(&large).costs(&costs).plan(),
        Err(Error::Parameter(ParameterError { name: "costs", .. }))
    ));
    assert!(PowerPlanner::new(&large).costs(&costs).plan().is_err());
    assert!(Planner::new(&small).exponent_bits(8).costs(&costs).plan().is_ok());
}

#[test]
fn a_base_of_zero_is_reported_before_the_budget() {
    let p = Modulus::new(&number(23)).unwrap();
    let table = FixedBase::builder(&p, &number(46)).budget(moduli::MemorySize(4)).build();
    assert_eq!(table.err(), Some(Error::Table(TableError::BaseZero)));
}
