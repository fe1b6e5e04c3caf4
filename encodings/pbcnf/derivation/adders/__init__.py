"""Derivations of sums in binary: adders put down one after the other, then a comparison."""
