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
    from pbcnf.constraint import Cardinality, PseudoBoolean
    from pbcnf.counter import Counter, Direction, UnaryCount
    from pbcnf.encoder import Encoder, EncodingSize, Propagation
    from pbcnf.encoding import encode
    from pbcnf.formats.dimacs import dimacs, write_dimacs
    from pbcnf.formula import Formula
    from pbcnf.literals import MAX_VAR, Clause, Lit, Var
    from pbcnf.registry import ENCODERS, find_encoder
    from pbcnf.sink import ClauseSink
    from pbcnf.stamp import encode_many
    from pbcnf.template import Template, instantiate

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
    "ENCODERS": "pbcnf.registry",
    "MAX_VAR": "pbcnf.literals",
    "Cardinality": "pbcnf.constraint",
    "Clause": "pbcnf.literals",
    "ClauseSink": "pbcnf.sink",
    "Counter": "pbcnf.counter",
    "Direction": "pbcnf.counter",
    "Encoder": "pbcnf.encoder",
    "EncodingSize": "pbcnf.encoder",
    "Formula": "pbcnf.formula",
    "Lit": "pbcnf.literals",
    "Propagation": "pbcnf.encoder",
    "PseudoBoolean": "pbcnf.constraint",
    "Template": "pbcnf.template",
    "UnaryCount": "pbcnf.counter",
    "Var": "pbcnf.literals",
    "dimacs": "pbcnf.formats.dimacs",
    "encode": "pbcnf.encoding",
    "encode_many": "pbcnf.stamp",
    "find_encoder": "pbcnf.registry",
    "instantiate": "pbcnf.template",
    "write_dimacs": "pbcnf.formats.dimacs",
}


def __getattr__(name: str) -> Any:
    """Import the public names on first use: who checks a proof loads no encoder."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value
