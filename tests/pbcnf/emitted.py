"""Clauses of an encoder over the inputs 1 .. n, their size, and their models on the inputs."""

from pysat.solvers import Solver

from pbcnf import Cardinality, EncodingSize, Formula, encode
from pbcnf.encoders.protocol import Encoder
from tests.oracles import Assignment, assignments, true_literals


def encoded(encoder: str | Encoder, n: int, lower: int, upper: int) -> Formula:
    """The clauses of ``lower <= sum of inputs <= upper``."""
    formula = Formula(num_vars=n)
    encode(Cardinality(range(1, n + 1), lower, upper), formula, encoder)
    return formula


def size_of(formula: Formula, inputs: int) -> EncodingSize:
    """The size of what was added to a formula that had nothing but its inputs."""
    return EncodingSize(formula.num_vars - inputs, formula.num_clauses, formula.num_literals)


def extending(formula: Formula, inputs: int, *assumed: int) -> list[Assignment]:
    """The assignments of the inputs that extend to a model, asked of a solver one by one."""
    every = assignments(inputs)
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        return [bits for bits in every if solver.solve([*true_literals(bits), *assumed])]
