"""Inversion in residue number systems: what the hardware core computes, in software."""

from ._moduli import rns_invert as invert

__all__ = ["invert"]
