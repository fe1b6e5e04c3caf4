"""Sums counted by quotient and remainder: the modulo totalizers."""
