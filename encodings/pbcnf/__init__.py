"""Counting constraints to clauses.

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
    from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
    from pbcnf.emission.encode import encode
    from pbcnf.emission.stamp import encode_many
    from pbcnf.emission.template import Template, instantiate
    from pbcnf.encoders.counter import Counter, Direction, UnaryCount
    from pbcnf.encoders.protocol import Encoder, EncodingSize, Propagation
    from pbcnf.encoders.table import ENCODERS, find_encoder
    from pbcnf.formats.write.dimacs import dimacs, write_dimacs
    from pbcnf.formula import Formula
    from pbcnf.literals import MAX_VAR, Clause, Lit, Var
    from pbcnf.sink import ClauseSink

__version__ = "0.1.0"

__all__ = [
    "ENCODERS",
    "MAX_VAR",
    "Cardinality",
    "Clause",
    "ClauseSink",
    "Counter",
    "Direction",
    "Encoder",
    "EncodingSize",
    "Formula",
    "Lit",
    "Propagation",
    "PseudoBoolean",
    "Template",
    "UnaryCount",
    "Var",
    "dimacs",
    "encode",
    "encode_many",
    "find_encoder",
    "instantiate",
    "write_dimacs",
]

_HOME = {
    "ENCODERS": "pbcnf.encoders.table",
    "MAX_VAR": "pbcnf.literals",
    "Cardinality": "pbcnf.constraints.constraint",
    "Clause": "pbcnf.literals",
    "ClauseSink": "pbcnf.sink",
    "Counter": "pbcnf.encoders.counter",
    "Direction": "pbcnf.encoders.counter",
    "Encoder": "pbcnf.encoders.protocol",
    "EncodingSize": "pbcnf.encoders.protocol",
    "Formula": "pbcnf.formula",
    "Lit": "pbcnf.literals",
    "Propagation": "pbcnf.encoders.protocol",
    "PseudoBoolean": "pbcnf.constraints.constraint",
    "Template": "pbcnf.emission.template",
    "UnaryCount": "pbcnf.encoders.counter",
    "Var": "pbcnf.literals",
    "dimacs": "pbcnf.formats.write.dimacs",
    "encode": "pbcnf.emission.encode",
    "encode_many": "pbcnf.emission.stamp",
    "find_encoder": "pbcnf.encoders.table",
    "instantiate": "pbcnf.emission.template",
    "write_dimacs": "pbcnf.formats.write.dimacs",
}


def __getattr__(name: str) -> Any:
    """Import the public names on first use: who checks a proof loads no encoder."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value
