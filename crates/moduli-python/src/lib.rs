//! The extension module of the Python package `moduli`: the library's functions, for Python's integers, bytes
//! and arrays.
//!
//! Its functions are documented where Python's users look: in the docstrings, in `docs/python.md` and in
//! `python/moduli/_moduli.pyi`.
#![deny(unsafe_code)]

mod auto;
mod cache;
mod crt;
mod digits;
mod drop_in;
mod dsa;
mod error;
mod even;
mod even_modulus;
mod fixed_base;
mod groups;
mod integer;
mod inverse;
mod list_plan;
mod lists;
mod members;
mod memory;
mod modulus;
mod mpz;
mod plan;
mod power;
mod product;
mod rns;
mod rows;
mod rsa;
mod short;
mod table_file;
mod text;
mod work;

use pyo3::prelude::*;

#[pymodule(name = "_moduli", gil_used = false)]
fn extension(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(auto::cache_clear, module)?)?;
    module.add_function(wrap_pyfunction!(power::powmod, module)?)?;
    module.add_function(wrap_pyfunction!(power::powmod_sec, module)?)?;
    module.add_function(wrap_pyfunction!(lists::powmod_exp_list, module)?)?;
    module.add_function(wrap_pyfunction!(lists::powmod_base_list, module)?)?;
    module.add_function(wrap_pyfunction!(lists::powmod_batch, module)?)?;
    module.add_function(wrap_pyfunction!(inverse::invert, module)?)?;
    module.add_function(wrap_pyfunction!(inverse::invert_batch, module)?)?;
    module.add_function(wrap_pyfunction!(product::multi_pow, module)?)?;
    module.add_function(wrap_pyfunction!(members::are_members, module)?)?;
    module.add_function(wrap_pyfunction!(members::is_probable_prime, module)?)?;
    module.add_function(wrap_pyfunction!(plan::plan, module)?)?;
    module.add_function(wrap_pyfunction!(groups::group, module)?)?;
    module.add_function(wrap_pyfunction!(groups::names, module)?)?;
    module.add_function(wrap_pyfunction!(auto::auto_tables, module)?)?;
    module.add_function(wrap_pyfunction!(auto::auto_tables_info, module)?)?;
    module.add_class::<auto::AutoTables>()?;
    module.add_class::<modulus::Modulus>()?;
    module.add_class::<crt::CrtModulus>()?;
    module.add_class::<even_modulus::EvenModulus>()?;
    module.add_class::<fixed_base::FixedBase>()?;
    module.add_class::<plan::Plan>()?;
    module.add_class::<groups::Group>()?;
    module.add("InvalidSignature", module.py().get_type::<error::InvalidSignature>())?;
    // The functions that moduli.gmpy2 exports. Their messages use these names, and pickle finds them by these
    // names.
    for (name, function) in [
        ("gmpy2_powmod", wrap_pyfunction!(drop_in::gmpy2_powmod, module)?),
        ("gmpy2_powmod_sec", wrap_pyfunction!(drop_in::gmpy2_powmod_sec, module)?),
        ("gmpy2_invert", wrap_pyfunction!(drop_in::gmpy2_invert, module)?),
    ] {
        function.setattr("__module__", "moduli.gmpy2")?;
        module.add(name, function)?;
    }
    module.add_function(wrap_pyfunction!(drop_in::gmpy2_is, module)?)?;
    module.add_function(wrap_pyfunction!(drop_in::gmpy2_exp_list, module)?)?;
    module.add_function(wrap_pyfunction!(drop_in::gmpy2_base_list, module)?)?;
    // The functions and classes that moduli.dsa, moduli.rsa and moduli.rns export under shorter names.
    module.add("rns_invert", wrap_pyfunction!(rns::invert, module)?)?;
    module.add("DsaPrivateKey", module.py().get_type::<dsa::PrivateKey>())?;
    module.add("DsaPublicKey", module.py().get_type::<dsa::PublicKey>())?;
    module.add("DsaSigner", module.py().get_type::<dsa::Signer>())?;
    module.add("RsaPrivateKey", module.py().get_type::<rsa::PrivateKey>())?;
    module.add("RsaPublicKey", module.py().get_type::<rsa::PublicKey>())?;
    Ok(())
}
