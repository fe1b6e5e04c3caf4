"""Templates of bounds on n inputs, made once per encoder, n and bounds."""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.constraints.normal_form import settle, settled_clauses
from pbcnf.encoders.circuits.template import Template, cached, lookup_of
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.table import find_encoder
from pbcnf.formula import Formula
from pbcnf.literals import Lit, Var
from pbcnf.wording import counted


def template(encoder: str | Encoder, n: int, lower: int, upper: int) -> Template:
    """Return the template of ``lower <= sum <= upper`` for n distinct inputs, from the cache.

    Trivial bounds have templates too. Raises ValueError for a negative n, an unknown name or a
    bound that the encoder cannot express.

    >>> template("direct", 3, 1, 1).clauses
    ((-1, -2), (-1, -3), (-2, -3), (1, 2, 3))
    """
    chosen = find_encoder(encoder) if isinstance(encoder, str) else encoder
    return cached(_template, chosen, n, lower, upper)


def _template(encoder: Encoder, n: int, lower: int, upper: int) -> Template:
    formula = Formula(num_vars=n)
    inputs = range(1, n + 1)
    settled = settle(n, lower, upper)
    if settled is None:
        encoder.encode(inputs, max(lower, 0), min(upper, n), formula)
    else:
        for clause in settled_clauses(settled, inputs):
            formula.add_clause(clause)
    return Template(n, formula.num_vars - n, formula=formula)


def instantiate(template: Template, lits: Sequence[Lit], first_aux: Var) -> list[tuple[Lit, ...]]:
    """Return the clauses of `template` over `lits`, its auxiliaries numbered from `first_aux`.

    For hot loops: the literals must be plain ints and valid, they are not checked again. Repeated
    and opposite literals give right clauses, but may leave repeated literals and tautologies in
    them. Raises ValueError for a wrong number of literals.

    >>> instantiate(template("direct", 2, 1, 1), [5, -7], first_aux=8)
    [(-5, 7), (5, -7)]
    """
    if len(lits) != template.inputs:
        expected = counted(template.inputs, "input")
        raise ValueError(f"the template has {expected}, not {len(lits)}")
    lookup = lookup_of([*lits, *range(first_aux, first_aux + template.auxiliaries)])
    return [clause(lookup) for clause in template.getters]
