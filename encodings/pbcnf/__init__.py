"""Encodings of cardinality, pseudo-Boolean and parity constraints in CNF.

>>> from pbcnf import Cardinality, Formula, encode
>>> f = Formula()
>>> xs = [f.new_var() for _ in range(4)]
>>> encode(Cardinality(xs, lower=1, upper=2), f, encoder="totalizer")
>>> f.num_vars, f.num_clauses
(8, 15)
"""

from typing import TYPE_CHECKING

from pbcnf.late_imports import late_imports

__version__ = "0.1.0"

if TYPE_CHECKING:
    # A star stands for the names in ``__all__`` of a face below, which are kept there alone.
    from pbcnf.constraints.constraint import Cardinality as Cardinality
    from pbcnf.constraints.constraint import Constraint as Constraint
    from pbcnf.constraints.constraint import Parity as Parity
    from pbcnf.constraints.constraint import PseudoBoolean as PseudoBoolean
    from pbcnf.constraints.problem import Objective as Objective
    from pbcnf.constraints.problem import Problem as Problem
    from pbcnf.emission.dispatch import Choice as Choice
    from pbcnf.emission.dispatch import choose as choose
    from pbcnf.emission.dispatch import instantiate as instantiate
    from pbcnf.emission.encode import encode as encode
    from pbcnf.emission.encode import encode_many as encode_many
    from pbcnf.emission.whole_problems import Choices as Choices
    from pbcnf.emission.whole_problems import encode_problem as encode_problem
    from pbcnf.encoders.circuits.template import Template as Template
    from pbcnf.encoders.counter import Counter as Counter
    from pbcnf.encoders.counter import Direction as Direction
    from pbcnf.encoders.counter import UnaryCount as UnaryCount
    from pbcnf.encoders.counter import WeightedCount as WeightedCount
    from pbcnf.encoders.counter import WeightedCounter as WeightedCounter
    from pbcnf.encoders.protocol import Encoder as Encoder
    from pbcnf.encoders.protocol import ParityEncoder as ParityEncoder
    from pbcnf.encoders.protocol import Propagation as Propagation
    from pbcnf.encoders.protocol import WeightedEncoder as WeightedEncoder
    from pbcnf.encoders.table import ENCODERS as ENCODERS
    from pbcnf.encoders.table import PARITY_ENCODERS as PARITY_ENCODERS
    from pbcnf.encoders.table import find_encoder as find_encoder
    from pbcnf.errors import EncodingError as EncodingError
    from pbcnf.errors import Error as Error
    from pbcnf.formats.error import FormatError as FormatError
    from pbcnf.formats.problems import read_problem as read_problem
    from pbcnf.formats.problems import write_formula as write_formula
    from pbcnf.formats.problems import write_problem as write_problem
    from pbcnf.formats.smtlib import *  # noqa: F403
    from pbcnf.formats.table import FORMATS as FORMATS
    from pbcnf.formats.write.dimacs import dimacs as dimacs
    from pbcnf.formats.write.dimacs import write_dimacs as write_dimacs
    from pbcnf.formula import EncodingSize as EncodingSize
    from pbcnf.formula import Formula as Formula
    from pbcnf.language import *  # noqa: F403
    from pbcnf.literals import MAX_VAR as MAX_VAR
    from pbcnf.literals import Clause as Clause
    from pbcnf.literals import Lit as Lit
    from pbcnf.literals import Var as Var
    from pbcnf.show import *  # noqa: F403
    from pbcnf.sink import ClauseSink as ClauseSink
else:
    __getattr__, __dir__, __all__ = late_imports(__spec__)
