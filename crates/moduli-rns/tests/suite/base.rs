//! Bases, conversion, the Cox and the named fields, against num-bigint.

use crypto_bigint::BoxedUint;
use moduli::{Error, error::ParameterError, primality::is_probable_prime_vartime};
use moduli_rns::{
    base::{Base, BaseShape, Family},
    cox::{Alpha, Cox, SmallResidue},
    fields::{FIELDS, Field},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

/// Shapes that hold 26·P for a prime of so many bits: few wide channels, many narrow ones, and one between.
fn shapes(bits: u32) -> Vec<BaseShape> {
    let channels = |width: u32| (bits + 6).div_ceil(width - 1) as usize;
    [64, 33, 32, 24].map(|width| BaseShape::new(channels(width), width)).to_vec()
}

fn offset_for(p: &BigUint) -> (BigUint, BoxedUint, BoxedUint, BoxedUint) {
    let offset = p * 12u32;
    (offset.clone(), boxed(&offset), boxed(&(&offset - p)), boxed(&(&offset + p)))
}

#[test]
fn named_fields_are_primes_of_the_size_in_their_name() {
    for field in FIELDS {
        let p = field.prime();
        assert!(is_probable_prime_vartime(&p, 32), "{}", field.name);
        let digits: String = field.name.chars().skip_while(|c| !c.is_ascii_digit()).collect();
        let size = match field.name {
            "curve25519" => 255,
            _ => digits.split(['k', 'r']).next().unwrap().parse().unwrap(),
        };
        assert_eq!(p.bits_vartime(), size, "{}", field.name);
        assert_eq!(Field::named(&field.name.to_lowercase()).unwrap(), field);
    }
    let one = BigUint::from(1u32);
    assert_eq!(big(&Field::named("curve25519").unwrap().prime()), (&one << 255) - 19u32);
    assert_eq!(big(&Field::named("p-521").unwrap().prime()), (&one << 521) - 1u32);
    assert_eq!(big(&Field::named("secp256k1").unwrap().prime()), (&one << 256) - (&one << 32) - 977u32);
    assert!(matches!(Field::named("P-257"), Err(Error::Parameter(ParameterError { name: "prime", .. }))));
}

#[test]
fn moduli_are_what_a_base_promises() {
    for (channels, width, q) in
        [(8, 33, 12), (12, 22, 12), (3, 8, 12), (9, 64, 144), (36, 17, 12), (8, 40, 840)]
    {
        let base = Base::new(BaseShape::new(channels, width), &Family::for_residues_modulo(q)).unwrap();
        assert_eq!(base.moduli().len(), channels);
        let product: BigUint = base.moduli().iter().map(|&m| BigUint::from(m)).product();
        assert_eq!(big(base.product()), product);
        for (i, &m) in base.moduli().iter().enumerate() {
            let r = (1u128 << width) - u128::from(m);
            assert!(m % 2 == 1 && r > 0 && r < 1 << (width / 2));
            assert_eq!(gcd(m, q), 1);
            assert!(base.moduli()[..i].iter().all(|&other| gcd(other, m) == 1));
            let quotient = &product / m;
            assert_eq!(BigUint::from(base.cofactors()[i]), &quotient % m);
            assert_eq!(BigUint::from(base.weights(Some(q))[i]), &quotient % q);
            assert_eq!(base.weights(None)[i], quotient.iter_u64_digits().next().unwrap_or(0));
        }
        // Where moduli ≡ 1 modulo Q abound, they are taken: their weights are 1.
        if width >= 33 {
            assert!(base.moduli().iter().all(|m| m % q == 1), "{channels} × {width}, Q = {q}");
        }
        // The same moduli are accepted as given, and prefixes of them; spoilt ones are not.
        let again = Base::from_moduli(width, base.moduli()).unwrap();
        assert_eq!(again.product(), base.product());
        assert_eq!(base.prefix(1).unwrap().moduli(), &base.moduli()[..1]);
        assert!(base.prefix(0).is_err() && base.prefix(channels + 1).is_err());
        let mut spoilt = base.moduli().to_vec();
        spoilt[0] = spoilt[channels - 1];
        assert!(Base::from_moduli(width, &spoilt).is_err() || channels == 1);
        spoilt[0] = base.moduli()[0] - 1;
        assert!(Base::from_moduli(width, &spoilt).is_err());
        spoilt[0] = 1 << (width - 1);
        assert!(Base::from_moduli(width, &spoilt).is_err());
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn a_base_that_is_too_small_names_the_shapes_that_would_do() {
    let p = Field::named("P-256").unwrap().prime();
    let room = boxed(&(big(&p) * 26u32));
    let family = Family::for_residues_modulo(12);
    let reason = |result: Result<Base, Error>| match result {
        Err(Error::Parameter(ParameterError { name: "channels", reason, .. })) => reason.to_string(),
        other => panic!("{other:?}"),
    };
    let message = reason(Base::holding(BaseShape::new(8, 32), &family, &room));
    assert!(message.contains("at least 9 channels") && message.contains("at least 33 bits"), "{message}");
    // What it names is right: it works, and less does not.
    Base::holding(BaseShape::new(9, 32), &family, &room).unwrap();
    Base::holding(BaseShape::new(8, 33), &family, &room).unwrap();
    // Too few moduli of a width.
    let message = reason(Base::holding(BaseShape::new(200, 17), &family, &room));
    assert!(message.contains("moduli of 17 bits exist"), "{message}");
    let message = reason(Base::holding(BaseShape::new(2, 8), &family, &room));
    assert!(message.contains("no number of channels is enough"), "{message}");
    assert!(message.contains("no width up to 64 bits is enough"), "{message}");
    for shape in
        [BaseShape::new(8, 7), BaseShape::new(8, 65), BaseShape::new(0, 33), BaseShape::new(1025, 64)]
    {
        assert!(matches!(Base::new(shape, &family), Err(Error::Parameter(_))), "{shape:?}");
    }
    let message = match Base::pair(BaseShape::new(4, 8), &Family::default(), &BoxedUint::one()) {
        Err(Error::Parameter(ParameterError { reason, .. })) => reason.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(message.contains("at least 10 bits"), "{message}");
    // 2·3 coprime odd moduli of 8 bits exist: 253, 251, 249, 247, 245, 241; taking 255 first would spoil it.
    Base::pair(BaseShape::new(3, 8), &Family::default(), &BoxedUint::one()).unwrap();
}

#[test]
fn numbers_enter_and_leave_in_every_field() {
    let mut random = Random(1);
    for field in FIELDS {
        let p = big(&field.prime());
        for shape in shapes(p.bits() as u32) {
            let base = Base::new(shape, &Family::for_residues_modulo(12)).unwrap();
            let product = big(base.product());
            for _ in 0..20 {
                let value = random.below(product.bits() as u32 + 40);
                let residues = base.to_residues(&boxed(&value));
                for (&residue, &m) in residues.iter().zip(base.moduli()) {
                    assert_eq!(BigUint::from(residue), &value % m);
                }
                assert_eq!(big(&base.from_residues(&residues).unwrap()), value % &product);
            }
            let zero = base.channels().zeros();
            assert!(base.from_residues(&zero[1..]).is_err());
            for word in [base.moduli()[0], u64::MAX] {
                let mut large = zero.clone();
                large[0] = word;
                assert!(base.from_residues(&large).is_err());
            }
        }
    }
}

/// The Cox of every field and shape at its least t, on values across its interval and at both ends; t one
/// less is refused. Values modulo Q and modulo 2^k come with it.
#[test]
fn a_cox_is_exact_on_its_interval() {
    let mut random = Random(2);
    for field in FIELDS {
        let p = big(&field.prime());
        let (offset, boxed_offset, low, high) = offset_for(&p);
        for shape in shapes(p.bits() as u32) {
            let base = Base::new(shape, &Family::for_residues_modulo(12)).unwrap();
            let product = big(base.product());
            let least = Cox::least_bits(&base, Alpha::HALF, &low, &high).unwrap();
            assert!(least <= 6, "{} {shape:?}: t = {least}", field.name);
            if least > 1 {
                assert!(Cox::exact(&base, least - 1, Alpha::HALF, &low, &high).is_err());
            }
            let cox = Cox::exact(&base, least, Alpha::HALF, &low, &high).unwrap();
            // Without an offset inside, no t will do.
            if shape.channels > 1 {
                assert_eq!(Cox::least_bits(&base, Alpha::ZERO, &BoxedUint::zero(), &high), None);
            }
            let small = [2, 3, 4, 12, 72, 144, 720, 840, 65_536]
                .map(|q| (q, SmallResidue::modulo(&base, q, &boxed_offset).unwrap()));
            let bits =
                [1, 2, 31, 32, 63, 64].map(|k| (k, SmallResidue::low_bits(&base, k, &boxed_offset).unwrap()));
            let edges = [0u32, 1, 2]
                .map(BigUint::from)
                .into_iter()
                .flat_map(|x| [&offset - &p + &x, &offset + &p - x]);
            let around = (0..200).map(|_| &offset - &p + random.below(p.bits() as u32 + 20) % (&p * 2u32));
            for shifted in edges.chain(around.collect::<Vec<_>>()) {
                let mut scaled = base.to_residues(&boxed(&shifted));
                base.channels().multiply(&mut scaled, base.cofactor_inverses(), &mut ());
                let sum: BigUint =
                    scaled.iter().zip(base.moduli()).map(|(&digit, &m)| &product / m * digit).sum();
                let quotient = cox.quotient(&scaled, &mut ());
                assert_eq!(BigUint::from(quotient), &sum / &product, "{} {shape:?}", field.name);
                for (q, residue) in &small {
                    let expected = (&shifted + &offset * (q - 1)) % *q;
                    assert_eq!(BigUint::from(residue.of(&scaled, quotient, &mut ())), expected, "Q = {q}");
                }
                for (k, residue) in &bits {
                    let q = BigUint::from(1u32) << *k;
                    let expected = (&shifted + &offset * (&q - 1u32)) % q;
                    assert_eq!(BigUint::from(residue.of(&scaled, quotient, &mut ())), expected, "k = {k}");
                }
            }
        }
    }
}

/// The trap: α = 0 with the small offset, where the truncated sum falls below the quotient most of the time.
/// The condition refuses it.
#[test]
fn a_cox_without_alpha_is_refused() {
    let p = big(&Field::named("P-256").unwrap().prime());
    let (_, _, low, high) = offset_for(&p);
    let base = Base::new(BaseShape::new(8, 33), &Family::for_residues_modulo(12)).unwrap();
    assert_eq!(Cox::least_bits(&base, Alpha::ZERO, &low, &high), Some(8));
    for bits in 1..8 {
        assert!(Cox::exact(&base, bits, Alpha::ZERO, &low, &high).is_err());
    }
    for (bits, alpha) in [(0, Alpha::HALF), (34, Alpha::HALF), (6, Alpha { numerator: 2, bits: 1 })] {
        assert!(Cox::exact(&base, bits, alpha, &low, &high).is_err());
    }
    assert!(SmallResidue::modulo(&base, 1, &low).is_err());
    assert!(SmallResidue::modulo(&base, 65_537, &low).is_err());
    assert!(SmallResidue::low_bits(&base, 65, &low).is_err());
}
