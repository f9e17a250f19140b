//! Generates DSA domain parameters from a seed:
//! `cargo run --release -p moduli --example generate_parameters -- 3072 256 "moduli DSA 3072/256"`.

use moduli::scheme::parameters;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [modulus_bits, order_bits, seed] = arguments.as_slice() else {
        eprintln!("usage: generate_parameters MODULUS-BITS ORDER-BITS SEED");
        return ExitCode::from(2);
    };
    let (Ok(modulus_bits), Ok(order_bits)) = (modulus_bits.parse(), order_bits.parse()) else {
        eprintln!("the lengths are decimal numbers of bits");
        return ExitCode::from(2);
    };
    match parameters::generate(modulus_bits, order_bits, seed.as_bytes()) {
        Ok(found) => {
            let seed: String = found.seed.iter().map(|byte| format!("{byte:02x}")).collect();
            println!("p {}", found.p.to_string_radix_vartime(16));
            println!("q {}", found.q.to_string_radix_vartime(16));
            println!("g {}", found.g.to_string_radix_vartime(16));
            println!("seed {seed}\ncounter {}", found.counter);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
