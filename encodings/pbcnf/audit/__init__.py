"""The encoding contract, checked by brute force, for the encoders here and for foreign ones.

For few inputs (8 at most) and every bound or parity, the audit decides whether the clauses are
correct, detect every conflict by unit propagation, are arc-consistent and parsimonious
(`Property`), and whether their number is as predicted. Every property that fails has a
counter-example.

>>> def pairs(n, lower, upper):
...     if lower != 0 or upper != 1:
...         raise ValueError("only at most one")
...     return n, [[-i, -j] for j in range(2, n + 1) for i in range(1, j - 1)]
>>> contract = audit_encoder(pairs, upto=4)
>>> for row in contract.rows():
...     if failing := row.failing(Property.CORRECT):
...         case, why = failing[0]
...         print(f"{case.bound}: {why}")
at most 1 of 2: given 1 2: a model too many
"""

from pbcnf.audit.bounds import (
    WEIGHTS,
    Bound,
    BoundKind,
    CountedBound,
    counted_bounds,
    every_bound,
    weighted_bounds,
)
from pbcnf.audit.contract import (
    AnyEncoder,
    Case,
    Contract,
    EncodeFunction,
    Row,
    audit,
    audit_encoder,
    bounds_of,
    cases,
)
from pbcnf.audit.examination import Audit, Finding, Property, audit_clauses, audit_truth
from pbcnf.audit.formulas import TRANSFORMATIONS, FormulaOf, ParityOf, every_formula, every_parity
from pbcnf.audit.grouped import GroupedBound, grouped_bounds
from pbcnf.audit.scenarios import MAX_INPUTS, Truth, truth

Kind = BoundKind
"""The name under which `BoundKind` was published first."""

__all__ = [
    "MAX_INPUTS",
    "TRANSFORMATIONS",
    "WEIGHTS",
    "AnyEncoder",
    "Audit",
    "Bound",
    "BoundKind",
    "Case",
    "Contract",
    "CountedBound",
    "EncodeFunction",
    "Finding",
    "FormulaOf",
    "GroupedBound",
    "Kind",
    "ParityOf",
    "Property",
    "Row",
    "Truth",
    "audit",
    "audit_clauses",
    "audit_encoder",
    "audit_truth",
    "bounds_of",
    "cases",
    "counted_bounds",
    "every_bound",
    "every_formula",
    "every_parity",
    "grouped_bounds",
    "truth",
    "weighted_bounds",
]
