//! Names of a core's packages, modules and macros. With different prefixes, one design can contain
//! several cores.

/// The beginning of all names of the core; in upper case for macros.
const ROOT: &str = "moduli_rns";

/// A prefix for every such name.
#[derive(Clone, Debug, Default)]
pub struct Prefix(String);

impl Prefix {
    /// Adds this prefix to all names in a text, or to the name of a file.
    pub fn apply(&self, text: &str) -> String {
        if self.0.is_empty() {
            return text.to_owned();
        }
        let text = before(text, ROOT, &format!("{}_", self.0));
        before(&text, &ROOT.to_ascii_uppercase(), &format!("{}_", self.0.to_ascii_uppercase()))
    }
}

impl std::str::FromStr for Prefix {
    type Err = String;

    /// The beginning of an identifier, short enough for tools that truncate names.
    fn from_str(text: &str) -> Result<Self, String> {
        let letter = text.starts_with(|c: char| c.is_ascii_alphabetic());
        if letter && text.len() <= 32 && text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_') {
            return Ok(Self(text.to_owned()));
        }
        Err("must be a name of at most 32 letters, digits and _, with a letter first".to_owned())
    }
}

/// Puts `prefix` before each word that begins with `root`.
fn before(text: &str, root: &str, prefix: &str) -> String {
    let mut result = String::with_capacity(text.len() * 11 / 10);
    let mut rest = text;
    while let Some(at) = rest.find(root) {
        let (head, tail) = rest.split_at(at);
        result.push_str(head);
        if !result.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            result.push_str(prefix);
        }
        result.push_str(root);
        rest = &tail[root.len()..];
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_the_prefix_and_parts_of_names_do_not() {
        let prefix: Prefix = "order".parse().unwrap();
        let text = "import moduli_rns_pkg::*; moduli_rns u_core(.x(`MODULI_RNS_ROM_DIR)); my_moduli_rns // moduli hdl";
        let wanted = "import order_moduli_rns_pkg::*; order_moduli_rns u_core(.x(`ORDER_MODULI_RNS_ROM_DIR)); \
                      my_moduli_rns // moduli hdl";
        assert_eq!(prefix.apply(text), wanted);
        assert_eq!(Prefix::default().apply(text), text);
        for wrong in ["", "1st", "a-b", "a b", "é", "_a", &"a".repeat(33)] {
            assert!(wrong.parse::<Prefix>().is_err(), "{wrong}");
        }
    }
}
