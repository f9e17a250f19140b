"""DSA (FIPS 186-4) with tables of the generator: keys in PEM, deterministic nonces (RFC 6979), signatures in DER."""

from ._moduli import DsaPrivateKey as PrivateKey
from ._moduli import DsaPublicKey as PublicKey
from ._moduli import DsaSigner as Signer

__all__ = ["PrivateKey", "PublicKey", "Signer"]
