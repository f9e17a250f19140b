"""Inversion in residue number systems: a software model of the hardware core."""

from ._moduli import rns_invert as invert

__all__ = ["invert"]
