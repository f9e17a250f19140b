//! A residue in Montgomery form.

use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use crypto_bigint::{BoxedUint, Choice, CtEq, CtSelect};

use crate::{
    error::{Error, ModulusError},
    exponent::SignedExponent,
    modulus::Modulus,
};
use moduli_kernel::{Session, Words, limbs, mask};

/// A residue modulo a [`Modulus`], in Montgomery form: convert once, compute, convert back once.
///
/// Every operation is constant-time unless its name ends in `_vartime`. The residue may be secret: it is
/// wiped on drop and has no `Debug`. Operands of different moduli give [`Error::Modulus`]; the operators
/// (`+`, `-`, `*`) panic.
#[derive(Clone)]
pub struct Element {
    modulus: Modulus,
    residue: Words,
}

impl Modulus {
    /// The element `x mod p`. Constant-time. Cost: a division of the declared lengths and a product.
    ///
    /// A random element, with a generator of rand_core 0.10 and crypto-bigint's feature `rand_core`. The
    /// number of draws varies, but reveals nothing about the element:
    ///
    /// ```
    /// use crypto_bigint::{BoxedUint, RandomMod};
    /// use moduli::{Element, Modulus};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let p = Modulus::new(&BoxedUint::from(1_000_003u64))?;
    /// let x = BoxedUint::try_random_mod_vartime(&mut getrandom::SysRng, p.value().as_nz_ref())?;
    /// let x: Element = p.element(&x);
    /// # Ok(())
    /// # }
    /// ```
    pub fn element(&self, x: &BoxedUint) -> Element {
        Element::new(self, x)
    }

    /// The element 0. Constant-time.
    pub fn zero(&self) -> Element {
        self.element(&BoxedUint::zero())
    }

    /// The element 1. Constant-time.
    pub fn one(&self) -> Element {
        Element::from_residue(self, Words::copy_of(self.session().one()))
    }
}

impl Element {
    fn new(modulus: &Modulus, x: &BoxedUint) -> Self {
        Self { residue: modulus.to_montgomery(x), modulus: modulus.clone() }
    }

    pub(crate) fn from_residue(modulus: &Modulus, residue: Words) -> Self {
        Self { modulus: modulus.clone(), residue }
    }

    /// The modulus of the element.
    pub fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    /// The value, below the modulus, at its precision. Cost: about a product.
    pub fn to_uint(&self) -> BoxedUint {
        self.modulus.from_montgomery(&self.residue)
    }

    /// The value as big-endian bytes, as many as the modulus has.
    pub fn to_be_bytes(&self) -> alloc::vec::Vec<u8> {
        let value = zeroize::Zeroizing::new(self.to_uint());
        let bytes = zeroize::Zeroizing::new(value.to_be_bytes());
        let length = self.modulus.bits().div_ceil(8) as usize;
        bytes[bytes.len() - length..].to_vec()
    }

    /// The element of a big-endian byte string of any length, which must be below the modulus. Constant-time
    /// except for the length and for whether it is below.
    ///
    /// # Errors
    /// [`Error::Parameter`] if it is not.
    pub fn from_be_bytes(modulus: &Modulus, bytes: &[u8]) -> Result<Self, Error> {
        let out_of_range = || Error::parameter("element", "must be below the modulus");
        let length = modulus.bits().div_ceil(8) as usize;
        let (above, bytes) = bytes.split_at(bytes.len().saturating_sub(length));
        let bits = 8 * bytes.len() as u32;
        let value =
            zeroize::Zeroizing::new(BoxedUint::from_be_slice(bytes, bits).map_err(|_| out_of_range())?);
        let above = mask::equal(above.iter().fold(0, |all, &byte| all | u64::from(byte)), 0);
        // One condition for all reasons: from conditions that are not masks, the compiler would
        // make a branch each.
        if above & mask::of(*value < *modulus.value().as_ref()) == 0 {
            return Err(out_of_range());
        }
        Ok(Self::new(modulus, &value))
    }

    fn with(
        &self,
        other: &Self,
        operation: impl Fn(&mut Session<'_>, &mut [u64], &[u64]),
    ) -> Result<Self, Error> {
        if !self.modulus.is_same(&other.modulus) {
            return Err(Error::Modulus(ModulusError::Mismatch));
        }
        let mut result = self.clone();
        operation(&mut self.modulus.session(), &mut result.residue, &other.residue);
        Ok(result)
    }

    /// `self + other`. Cost: far below a product.
    ///
    /// # Errors
    /// [`Error::Modulus`].
    pub fn try_add(&self, other: &Self) -> Result<Self, Error> {
        self.with(other, |session, x, b| session.add(x, b))
    }

    /// `self − other`. Cost: far below a product.
    ///
    /// # Errors
    /// [`Error::Modulus`].
    pub fn try_sub(&self, other: &Self) -> Result<Self, Error> {
        self.with(other, |session, x, b| session.sub(x, b))
    }

    /// `self·other`: one product.
    ///
    /// # Errors
    /// [`Error::Modulus`].
    pub fn try_mul(&self, other: &Self) -> Result<Self, Error> {
        self.with(other, |session, x, b| session.mul(x, b))
    }

    /// `self²`: one squaring.
    #[must_use]
    pub fn square(&self) -> Self {
        let mut result = self.clone();
        self.modulus.session().square(&mut result.residue);
        result
    }

    /// The inverse of the element if the exponent is negative, otherwise the element. Inverts for
    /// every exponent with a sign.
    pub(crate) fn signed(&self, e: &SignedExponent<'_>) -> Result<Self, Error> {
        let mut base = self.clone();
        if e.is_signed() {
            mask::assign(&mut base.residue, &self.invert()?.residue, e.negative_mask());
        }
        Ok(base)
    }

    pub(crate) fn into_residue(self) -> Words {
        self.residue
    }

    pub(crate) fn residue(&self) -> &[u64] {
        &self.residue
    }

    /// `self^(−1)`, as [`Modulus::invert`].
    ///
    /// # Errors
    /// [`Error::NotInvertible`].
    pub fn invert(&self) -> Result<Self, Error> {
        let mut session = self.modulus.session();
        let mut value = session.value();
        session.from_montgomery(&mut value, &self.residue);
        let inverse = self.modulus.inverted_limbs(&value)?;
        let mut residue = session.residue();
        session.to_montgomery(&mut residue, &inverse);
        Ok(Self::from_residue(&self.modulus, residue))
    }

    fn limbs(&self) -> zeroize::Zeroizing<alloc::vec::Vec<u64>> {
        limbs::to_limbs(&zeroize::Zeroizing::new(self.to_uint()), self.modulus.dimensions().limbs)
    }
}

/// Wipes the residue. Elements share the modulus, which the last one wipes.
impl zeroize::ZeroizeOnDrop for Element {}

/// Whether both are equal, in constant time. Elements of different moduli never are. Cost: about two
/// products.
impl CtEq for Element {
    fn ct_eq(&self, other: &Self) -> Choice {
        if !self.modulus.is_same(&other.modulus) {
            return Choice::FALSE;
        }
        let (a, b) = (self.limbs(), other.limbs());
        let difference = a.iter().zip(b.iter()).fold(0, |difference, (a, b)| difference | (a ^ b));
        Choice::from_u8_lsb((mask::equal(difference, 0) & 1) as u8)
    }
}

/// `other` if the choice is true, otherwise `self`, in constant time.
///
/// # Panics
/// If the moduli differ.
impl CtSelect for Element {
    fn ct_select(&self, other: &Self, choice: Choice) -> Self {
        assert!(self.modulus.is_same(&other.modulus), "{}", Error::Modulus(ModulusError::Mismatch));
        let mut selected = self.clone();
        mask::assign(&mut selected.residue, &other.residue, mask::of(choice.to_bool()));
        selected
    }
}

/// An operator on elements of one modulus, by value or by reference.
macro_rules! operator {
    ($($operator:ident, $method:ident, $assign:ident, $assigning:ident, $checked:ident, $what:literal;)*) => {$(
        #[doc = concat!($what, ". Constant-time.")]
        ///
        /// # Panics
        #[doc = concat!("If the moduli differ; [`Element::", stringify!($checked), "`] gives an error instead.")]
        impl $operator<&Element> for &Element {
            type Output = Element;

            fn $method(self, other: &Element) -> Element {
                match self.$checked(other) {
                    Ok(result) => result,
                    Err(error) => panic!("{error}"),
                }
            }
        }

        #[doc = concat!($what, " in this place. As for references.")]
        impl $assign<&Element> for Element {
            fn $assigning(&mut self, other: &Element) {
                *self = $operator::$method(&*self, other);
            }
        }

        #[doc = concat!($what, ". As for references.")]
        impl $operator<Element> for &Element {
            type Output = Element;

            fn $method(self, other: Element) -> Element {
                $operator::$method(self, &other)
            }
        }

        #[doc = concat!($what, ". As for references.")]
        impl $operator<&Element> for Element {
            type Output = Element;

            fn $method(self, other: &Element) -> Element {
                $operator::$method(&self, other)
            }
        }

        #[doc = concat!($what, ". As for references.")]
        impl $operator for Element {
            type Output = Element;

            fn $method(self, other: Element) -> Element {
                $operator::$method(&self, &other)
            }
        }
    )*};
}

operator! {
    Add, add, AddAssign, add_assign, try_add, "The sum";
    Sub, sub, SubAssign, sub_assign, try_sub, "The difference";
    Mul, mul, MulAssign, mul_assign, try_mul, "The product";
}

/// `−self`. Constant-time. Cost: about a product.
impl Neg for &Element {
    type Output = Element;

    fn neg(self) -> Element {
        let mut session = self.modulus.session();
        let mut residue = session.residue();
        session.to_montgomery(&mut residue, &session.value());
        session.sub(&mut residue, &self.residue);
        Element::from_residue(&self.modulus, residue)
    }
}

/// `−self`, as for a reference.
impl Neg for Element {
    type Output = Element;

    fn neg(self) -> Element {
        -&self
    }
}
