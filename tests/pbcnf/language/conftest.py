"""Statements as plain trees, made into expressions of the language and, apart from it, computed.

A tree is a tuple: a sign and its parts, a name, or a number. `built` knows the language and nothing
of values, `computed` knows values and nothing of the language.
"""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import Formula
from pbcnf.language.connectives import iff, ite


def built(tree, known):
    """The expression of a tree; `known` are the variables by name."""
    match tree:
        case bool() | int():
            return tree
        case str():
            return known[tree]
        case ("~", part):
            return ~built(part, known)
        case ("if", *parts):
            return ite(*(built(part, known) for part in parts))
    left, right = (built(part, known) for part in tree[1:])
    match tree[0]:
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case ">>":
            return left >> right
        case "iff":
            return iff(left, right)
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "<=":
            return left <= right
        case ">=":
            return left >= right
        case "<":
            return left < right
        case ">":
            return left > right
        case "==":
            return left == right
        case "!=":
            return left != right


def computed(tree, values):
    """The value of a tree."""
    match tree:
        case bool() | int():
            return tree
        case str():
            return values[tree]
        case ("~", part):
            return not computed(part, values)
        case ("if", condition, yes, no):
            return computed(yes if computed(condition, values) else no, values)
    left, right = (computed(part, values) for part in tree[1:])
    match tree[0]:
        case "&":
            return left and right
        case "|":
            return left or right
        case "^" | "!=":
            return left != right
        case ">>":
            return not left or right
        case "iff" | "==":
            return left == right
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "<=":
            return left <= right
        case ">=":
            return left >= right
        case "<":
            return left < right
        case ">":
            return left > right


NUMBERS = st.integers(-4, 4)
COMPARISONS = st.sampled_from(["<=", ">=", "<", ">", "==", "!="])


def sums(of):
    """Sums of weighted operands and a constant."""
    weighted = st.tuples(st.just("*"), of, NUMBERS)
    term = st.one_of(of, weighted)
    return st.lists(term, min_size=2, max_size=5).map(folded)


def folded(terms):
    tree = terms[0]
    for term in terms[1:]:
        tree = ("+", tree, term)
    return tree


def propositions(atoms):
    """Formulas over what the strategy draws."""

    def larger(inner):
        # The left side has an operator of ours: two constants would be Python's alone.
        pairs = [st.tuples(st.just(sign), atoms, inner) for sign in ("&", "|", "^", ">>", "iff")]
        return st.one_of(
            *pairs,
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
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        for var in range(1, formula.num_vars + 1):
            solver.add_clause([var, -var])
        found = []
        while solver.solve():
            true = set(solver.get_model())
            values = builder.decode(true)
            found.append(tuple(values[name] for name in names))
            solver.add_clause([-var if var in true else var for var in inputs])
            assert len(found) < 5000
    return found


def solutions(trees, domains) -> set[tuple[int, ...]]:
    """What all statements are true of, by trying everything; `domains` are the values by name."""
    return {
        values
        for values in product(*domains.values())
        if all(computed(tree, dict(zip(domains, values, strict=True))) for tree in trees)
    }


@pytest.fixture(scope="session")
def trees() -> SimpleNamespace:
    return SimpleNamespace(
        built=built,
        computed=computed,
        models=models,
        solutions=solutions,
        propositions=propositions,
        sums=sums,
    )
