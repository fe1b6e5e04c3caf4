"""Counting constraints and parities to clauses.

>>> from pbcnf import Cardinality, Formula, encode
>>> f = Formula()
>>> xs = [f.new_var() for _ in range(4)]
>>> encode(Cardinality(xs, lower=1, upper=2), f, encoder="totalizer")
>>> f.num_vars, f.num_clauses
(8, 15)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbcnf.constraints.constraint import Cardinality, Constraint, Parity, PseudoBoolean
    from pbcnf.constraints.problem import Objective, Problem
    from pbcnf.emission.choose import Choice, choose
    from pbcnf.emission.encode import encode
    from pbcnf.emission.stamp import encode_many
    from pbcnf.emission.template import Template, instantiate
    from pbcnf.emission.whole_problems import Choices, encode_problem
    from pbcnf.encoders.counter import Counter, Direction, UnaryCount
    from pbcnf.encoders.parities import ParityEncoder
    from pbcnf.encoders.protocol import Encoder, Propagation
    from pbcnf.encoders.table import ENCODERS, PARITY_ENCODERS, find_encoder
    from pbcnf.encoders.weighted import WeightedEncoder
    from pbcnf.encoders.weighted_count import WeightedCount, WeightedCounter
    from pbcnf.errors import EncodingError, Error
    from pbcnf.formats.error import FormatError
    from pbcnf.formats.problems import read_problem, write_formula, write_problem
    from pbcnf.formats.smtlib.formulas import from_pysmt, to_pysmt
    from pbcnf.formats.table import FORMATS
    from pbcnf.formats.write.dimacs import dimacs, write_dimacs
    from pbcnf.formula import EncodingSize, Formula
    from pbcnf.language.builder import Builder
    from pbcnf.language.connectives import (
        all_of,
        any_of,
        at_most_one,
        exactly_one,
        iff,
        ite,
        maximum,
        minimum,
        total,
        xor,
    )
    from pbcnf.language.expressions import (
        FALSE,
        TRUE,
        Comparison,
        Literal,
        Operand,
        Proposition,
        Sum,
    )
    from pbcnf.language.integers import Domain, IntegerEncoding, IntegerVariable
    from pbcnf.language.names import Names
    from pbcnf.language.relations import all_different, element, lexicographic, table
    from pbcnf.language.transformation import Transformation
    from pbcnf.literals import MAX_VAR, Clause, Lit, Var
    from pbcnf.show.drawing import Drawing, draw
    from pbcnf.show.values import as_html, as_svg, as_text
    from pbcnf.sink import ClauseSink

__version__ = "0.1.0"

__all__ = [
    "ENCODERS",
    "FALSE",
    "FORMATS",
    "MAX_VAR",
    "PARITY_ENCODERS",
    "TRUE",
    "Builder",
    "Cardinality",
    "Choice",
    "Choices",
    "Clause",
    "ClauseSink",
    "Comparison",
    "Constraint",
    "Counter",
    "Direction",
    "Domain",
    "Drawing",
    "Encoder",
    "EncodingError",
    "EncodingSize",
    "Error",
    "FormatError",
    "Formula",
    "IntegerEncoding",
    "IntegerVariable",
    "Lit",
    "Literal",
    "Names",
    "Objective",
    "Operand",
    "Parity",
    "ParityEncoder",
    "Problem",
    "Propagation",
    "Proposition",
    "PseudoBoolean",
    "Sum",
    "Template",
    "Transformation",
    "UnaryCount",
    "Var",
    "WeightedCount",
    "WeightedCounter",
    "WeightedEncoder",
    "all_different",
    "all_of",
    "any_of",
    "as_html",
    "as_svg",
    "as_text",
    "at_most_one",
    "choose",
    "dimacs",
    "draw",
    "element",
    "encode",
    "encode_many",
    "encode_problem",
    "exactly_one",
    "find_encoder",
    "from_pysmt",
    "iff",
    "instantiate",
    "ite",
    "lexicographic",
    "maximum",
    "minimum",
    "read_problem",
    "table",
    "to_pysmt",
    "total",
    "write_dimacs",
    "write_formula",
    "write_problem",
    "xor",
]

_NAMES = {
    "pbcnf.constraints.constraint": "Cardinality Constraint Parity PseudoBoolean",
    "pbcnf.constraints.problem": "Objective Problem",
    "pbcnf.emission.choose": "Choice choose",
    "pbcnf.emission.encode": "encode",
    "pbcnf.emission.stamp": "encode_many",
    "pbcnf.emission.template": "Template instantiate",
    "pbcnf.emission.whole_problems": "Choices encode_problem",
    "pbcnf.encoders.counter": "Counter Direction UnaryCount",
    "pbcnf.encoders.parities": "ParityEncoder",
    "pbcnf.encoders.protocol": "Encoder Propagation",
    "pbcnf.encoders.table": "ENCODERS PARITY_ENCODERS find_encoder",
    "pbcnf.encoders.weighted": "WeightedEncoder",
    "pbcnf.encoders.weighted_count": "WeightedCount WeightedCounter",
    "pbcnf.errors": "EncodingError Error",
    "pbcnf.formats.error": "FormatError",
    "pbcnf.formats.problems": "read_problem write_formula write_problem",
    "pbcnf.formats.smtlib.formulas": "from_pysmt to_pysmt",
    "pbcnf.formats.table": "FORMATS",
    "pbcnf.formats.write.dimacs": "dimacs write_dimacs",
    "pbcnf.formula": "EncodingSize Formula",
    "pbcnf.language.builder": "Builder",
    "pbcnf.language.connectives": (
        "all_of any_of at_most_one exactly_one iff ite maximum minimum total xor"
    ),
    "pbcnf.language.expressions": "FALSE TRUE Comparison Literal Operand Proposition Sum",
    "pbcnf.language.integers": "Domain IntegerEncoding IntegerVariable",
    "pbcnf.language.names": "Names",
    "pbcnf.language.relations": "all_different element lexicographic table",
    "pbcnf.language.transformation": "Transformation",
    "pbcnf.literals": "MAX_VAR Clause Lit Var",
    "pbcnf.show.drawing": "Drawing draw",
    "pbcnf.show.values": "as_html as_svg as_text",
    "pbcnf.sink": "ClauseSink",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import the public names on first use: who checks a proof loads no encoder."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names alone."""
    return sorted([*__all__, "__version__"])
