"""RSA (RFC 8017): keys as PEM, signatures by PSS and PKCS#1 v1.5, and the operations without padding."""

from ._moduli import RsaPrivateKey as PrivateKey
from ._moduli import RsaPublicKey as PublicKey

__all__ = ["PrivateKey", "PublicKey"]
