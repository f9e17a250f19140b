"""Benchmark of electionguard in the standard's group of 4096 bits; with moduli also with automatic tables. Each round has new ciphertexts.
"""

import dataclasses
import itertools
import logging
import sys

logging.disable(logging.CRITICAL)
# The package was written for Python 3.9 and 3.10, which accepted defaults of dataclasses without a hash.
plain = dataclasses.dataclass
dataclasses.dataclass = lambda class_=None, /, **options: plain(class_, **{"unsafe_hash": True, **options})

import electionguard.group as group  # noqa: E402
import gmpy2  # noqa: E402
import moduli  # noqa: E402
import timing  # noqa: E402
from electionguard.chaum_pedersen import make_disjunctive_chaum_pedersen_zero  # noqa: E402
from electionguard.elgamal import elgamal_encrypt, elgamal_keypair_from_secret  # noqa: E402
from electionguard.group import ONE_MOD_Q, ElementModQ  # noqa: E402
from electionguard.nonces import Nonces  # noqa: E402
from moduli import gmpy2 as moduli_gmpy2  # noqa: E402

nonces = Nonces(ElementModQ(31337))
keys = elgamal_keypair_from_secret(nonces[0])
fresh = itertools.count(1)
encrypted, proved = [], []


def use(after):
    module = moduli_gmpy2 if after else gmpy2
    group.powmod, group.invert = module.powmod, module.invert
    encrypted.clear()
    proved.clear()


def encrypt():
    for _ in range(2):
        nonce = nonces[next(fresh)]
        encrypted.append((elgamal_encrypt(0, nonce, keys.public_key), nonce))


def prove():
    for ciphertext, nonce in encrypted:
        proved.append((ciphertext, make_disjunctive_chaum_pedersen_zero(ciphertext, nonce, keys.public_key, ONE_MOD_Q, nonces[next(fresh)])))


def verify():
    for ciphertext, proof in proved:
        assert proof.is_valid(ciphertext, keys.public_key, ONE_MOD_Q)


operations = {"encrypt": encrypt, "prove": prove, "verify": verify}

if sys.argv[1:] == ["tables"]:
    moduli.auto_tables("32MiB")
    use(True)
    for _ in range(6):
        encrypt()
        prove()
        verify()
        encrypted.clear()
        proved.clear()
    timing.compare({f"{name}, automatic tables": each for name, each in operations.items()}, use)
else:
    timing.compare(operations, use)
