"""Statements as plain trees, made into expressions of the language and, apart from it, computed.

A tree is a tuple: a sign and its parts, a name, or a number. `built` knows the language and nothing
of values, `computed` knows values and nothing of the language.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import product
from typing import Any

from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import Formula
from pbcnf.language.connectives import iff, ite

SIGNS: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "<=": operator.le, ">=": operator.ge,
    "<": operator.lt, ">": operator.gt, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
BUILT = SIGNS | {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, ">>": operator.rshift, "iff": iff,
    "~": operator.invert, "if": ite,
}  # fmt: skip
COMPUTED = SIGNS | {
    "&": lambda p, q: p and q, "|": lambda p, q: p or q, "^": operator.ne, "iff": operator.eq,
    ">>": lambda p, q: not p or q, "~": operator.not_, "if": lambda c, p, q: p if c else q,
}  # fmt: skip


def built(tree, known):
    """The expression of a tree; `known` are the variables by name."""
    if isinstance(tree, tuple):
        return BUILT[tree[0]](*(built(part, known) for part in tree[1:]))
    return known[tree] if isinstance(tree, str) else tree


def computed(tree, values):
    """The value of a tree."""
    if isinstance(tree, tuple):
        return COMPUTED[tree[0]](*(computed(part, values) for part in tree[1:]))
    return values[tree] if isinstance(tree, str) else tree


NUMBERS = st.integers(-4, 4)
COMPARISONS = st.sampled_from(["<=", ">=", "<", ">", "==", "!="])


def sums(of):
    """Sums of weighted operands and a constant."""
    term = of | st.tuples(st.just("*"), of, NUMBERS)
    terms = st.lists(term, min_size=2, max_size=5)
    return terms.map(lambda terms: reduce(lambda tree, term: ("+", tree, term), terms))


def propositions(atoms):
    """Formulas over what the strategy draws."""

    def larger(inner):
        # The left side has an operator of ours: two constants would be Python's alone.
        return st.one_of(
            st.tuples(st.sampled_from(["&", "|", "^", ">>", "iff"]), atoms, inner),
            st.tuples(st.just("~"), inner.filter(lambda tree: not isinstance(tree, bool))),
            st.tuples(st.just("if"), inner, inner, inner),
            st.tuples(COMPARISONS, sums(atoms), NUMBERS),
        )

    return st.recursive(atoms, larger, max_leaves=8)


def models(formula: Formula, names, builder, every_model: bool = True) -> list[tuple[int, ...]]:
    """The values of the names in the models of the formula.

    Once for each model, or, what is quicker where many variables are free, once for all models that
    agree on the literals of Booleans and integers.
    """
    inputs = range(1, formula.num_vars + 1) if every_model else sorted(builder.problem().names)
    decoded = map(builder.decode, enumerated(formula, inputs))
    return [tuple(values[name] for name in names) for values in decoded]


def enumerated(formula: Formula, inputs) -> Iterator[set[int]]:
    """The models of the formula, one of those that agree on the variables `inputs`."""
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        for var in range(1, formula.num_vars + 1):
            solver.add_clause([var, -var])
        for _ in range(5000):
            if not solver.solve():
                return
            true = set(solver.get_model())
            yield true
            solver.add_clause([-var if var in true else var for var in inputs])
    raise AssertionError("more models than any test here has")


def solutions(trees, domains) -> set[tuple[int, ...]]:
    """What all statements are true of, by trying everything; `domains` are the values by name."""
    return {
        values
        for values in product(*domains.values())
        if all(computed(tree, dict(zip(domains, values, strict=True))) for tree in trees)
    }
