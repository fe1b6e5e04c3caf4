"""Clauses of an encoder over the inputs 1 .. n, and their size."""

from pbcnf import Cardinality, EncodingSize, Formula, encode
from pbcnf.encoders.protocol import Encoder


def encoded(encoder: str | Encoder, n: int, lower: int, upper: int) -> Formula:
    """The clauses of ``lower <= sum of inputs <= upper``."""
    formula = Formula(num_vars=n)
    encode(Cardinality(range(1, n + 1), lower, upper), formula, encoder)
    return formula


def size_of(formula: Formula, inputs: int) -> EncodingSize:
    """The size of what was added to a formula that had nothing but its inputs."""
    return EncodingSize(formula.num_vars - inputs, formula.num_clauses, formula.num_literals)
