//! Benchmark of rug-gmpmee, with a modulus of 3072 bits, as in elections. Each round has new numbers, the
//! same for both.

mod timing;

use moduli::groups::Group;
use rug::{Integer, rand::RandState};

/// The number of powers in a product.
const ROWS: usize = 100;
/// The bits of a window of GMPMEE's tables, as in Swiss Post's verifier. Such a table has 24 MiB.
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
