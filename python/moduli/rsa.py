"""RSA (RFC 8017): keys in PEM, signatures by PSS and PKCS#1 v1.5, and operations without padding."""

from ._moduli import RsaPrivateKey as PrivateKey
from ._moduli import RsaPublicKey as PublicKey

__all__ = ["PrivateKey", "PublicKey"]
