"""Makes packages that this interpreter imports use moduli: gmpy2 becomes moduli.gmpy2; moduli does the pow of pycryptodome's integers.

Python imports this module when it starts, if this folder is on PYTHONPATH. No file of a package is copied or changed.
"""

import importlib.abc
import importlib.util
import sys


def pycryptodome(module):
    """Makes IntegerNat.inplace_pow use moduli for odd moduli: powmod for public exponents, otherwise in constant time."""
    import moduli

    class_ = module.IntegerNat
    own = class_.inplace_pow
    prepared = {}

    def inplace_pow(self, exponent, modulus=None):
        if modulus is None or isinstance(exponent, int) and exponent < 0:
            return own(self, exponent, modulus)
        modulus = self._check_modulus(modulus)
        number = int(modulus)
        if number < 3 or number % 2 == 0 or number.bit_length() > 65536:
            return own(self, exponent, modulus)
        exponent = self._conv(exponent)
        m = prepared.get(number)
        if m is None:
            if len(prepared) == 64:
                prepared.clear()
            m = prepared[number] = moduli.Modulus(number)
        power = (m.pow if exponent._public else m.pow_secret)(int(self), int(exponent))
        return self._adopt(class_(power, _min_bits=modulus._bits))

    class_.inplace_pow, class_.pow_of_its_own = inplace_pow, own


class AfterImport(importlib.abc.MetaPathFinder):
    """Changes a module after it was loaded."""

    def __init__(self, name, change):
        self.name, self.change = name, change

    def find_spec(self, name, path, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            self.change(module)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, AfterImport("Crypto.Math._IntegerNat", pycryptodome))
if importlib.util.find_spec("gmpy2"):
    from moduli import gmpy2

    sys.modules["gmpy2"] = gmpy2
