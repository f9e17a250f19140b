//! Reads keys and parameters from files.

use std::path::Path;

use moduli::{
    groups::Group,
    scheme::{
        dsa::{DomainParameters, PrivateKey, PublicKey},
        parameters,
    },
};

use crate::{
    failure::Failure,
    io::{
        key_file::{self, in_file, text},
        number,
    },
};

/// The private key in a PEM file.
pub fn private(path: &Path) -> Result<PrivateKey, Failure> {
    PrivateKey::from_pem(&text(path)?).map_err(|error| in_file(path, &error))
}

/// The public key from a PEM file that contains it or the private key.
pub fn public(path: &Path) -> Result<PublicKey, Failure> {
    let of_private = |text: &str| PrivateKey::from_pem(text).map(|key| key.public_key().clone());
    key_file::public(path, of_private, PublicKey::from_pem)
}

/// The parameters of a named group.
pub fn named_parameters(name: &str) -> Result<DomainParameters, Failure> {
    let group = Group::named(name)?;
    Ok(DomainParameters::new(group.modulus(), group.order(), group.generator())?)
}

/// Parameters from a file with the output of `moduli groups NAME` or `moduli groups generate`, as
/// text or JSON. They may be untrusted, so they are validated, including primality.
pub fn parameters_file(path: &Path) -> Result<DomainParameters, Failure> {
    let text = text(path)?;
    let value = |name: &'static str| {
        let hex = field(&text, name).ok_or_else(|| Failure::about(path, format!("{name} is missing")))?;
        number::parse(&hex).map_err(|reason| Failure::about(path, format!("{name}: {reason}")))
    };
    let (p, q, g) = (value("p")?, value("q")?, value("g")?);
    parameters::validate(&p, &q, &g)
        .and_then(|()| DomainParameters::new(&p, &q, &g))
        .map_err(|error| in_file(path, &error))
}

/// The number called `name` in a JSON object, or on a line after its name.
fn field(text: &str, name: &str) -> Option<String> {
    if let Ok(document) = serde_json::from_str::<serde_json::Value>(text) {
        return document.get(name)?.as_str().map(str::to_owned);
    }
    text.lines().find_map(|line| {
        let (found, value) = line.trim().split_once(char::is_whitespace)?;
        (found == name).then(|| value.trim().to_owned())
    })
}
