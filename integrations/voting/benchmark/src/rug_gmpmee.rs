//! rug-gmpmee: modulo 3072 bits, as elections have it. Numbers are new in each round, and the same for both.

mod timing;

use moduli::groups::Group;
use rug::{Integer, rand::RandState};

/// Rows of a product.
const ROWS: usize = 100;
/// Bits of the windows of GMPMEE's tables, as Swiss Post's verifier has it: 24 MiB.
const WIDTH: usize = 16;

type Numbers<'a> = &'a mut dyn FnMut(u32) -> Integer;

macro_rules! operations {
    ($library:ident) => {{
        use $library::{fpowm::FPowmTable, spown::spowm};
        let group = Group::named("ffdhe3072").expect("a group");
        let p =
            Integer::from_str_radix(&group.modulus().to_string_radix_vartime(16), 16).expect("hexadecimal");
        let table = FPowmTable::init_precomp(&Integer::from(4), &p, WIDTH, 3072).expect("a table");
        let operation = |seed: u32, compute: Box<dyn Fn(&Integer, Numbers) -> Integer>| {
            let p = p.clone();
            let mut random = RandState::new();
            random.seed(&Integer::from(seed));
            let compute = move || {
                compute(&p, &mut |bits| Integer::from(Integer::random_bits(bits, &mut random))).to_string()
            };
            Box::new(compute) as Box<dyn FnMut() -> String>
        };
        let product = |bits: u32| {
            Box::new(move |p: &Integer, random: Numbers| {
                let bases: Vec<_> = (0..ROWS).map(|_| random(3071)).collect();
                let exponents: Vec<_> = (0..ROWS).map(|_| random(bits)).collect();
                spowm(&bases, &exponents, p).expect("as many")
            })
        };
        [
            operation(1, product(256)),
            operation(2, product(3071)),
            operation(3, Box::new(move |_, random| table.fpowm(&random(3071)))),
            operation(
                4,
                Box::new(|p, random| {
                    let table = FPowmTable::init_precomp(&random(3071), p, WIDTH, 3072).expect("a table");
                    (0..100).fold(Integer::new(), |sum, _| sum + table.fpowm(&random(3071)))
                }),
            ),
        ]
    }};
}

const NAMES: [&str; 4] = [
    "product of 100 powers, exponents of 256 bits",
    "product of 100 powers",
    "g^e by a table of 24 MiB",
    "such a table and 100 powers by it",
];

fn main() {
    let both = operations!(rug_gmpmee_as_it_is).into_iter().zip(operations!(rug_gmpmee_with_moduli));
    timing::compare(NAMES.into_iter().zip(both).collect());
}
