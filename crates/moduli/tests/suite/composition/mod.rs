//! Powers follow from the operations that they are made of.
//!
//! What an operation of a kernel does is the kernel's contract, and is proved of its compiled code by `moduli-prove`. Here a *ledger* hears
//! of all operations of a power. It works out by the contract alone which power of the base each residue is: a product adds exponents, a
//! square doubles them. It looks at values only to tell residues apart, so what it finds is an identity, for all bases and all moduli. What
//! was looked up is left open: the result is a sum of multiples of the looked-up exponents, and these multiples are the same for every
//! exponent. And it sees that an operation is handed nothing but what the contract allows: a residue that an operation gave, or the
//! residue 1.
//!
//! Of rows it hears what stands in each lane (`Lanes::take` reads it), and what is looked up in a lane is looked up for that lane.
//!
//! Where numbers pass from one modulus to another, as they do by the Chinese remainder theorem, residues are sums of multiples of such
//! powers. `recombined.rs` says what is shown then, and what is compared.

mod batches;
mod crt;
mod known;
mod ledger;
mod observed;
mod powers;
mod recombined;
mod refused;
mod rsa;
mod value;
