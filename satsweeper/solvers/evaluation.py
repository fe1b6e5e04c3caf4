"""Models checked against the clauses that they have to satisfy."""

from collections.abc import Sequence

from pbcnf.formula import Formula


def first_unsatisfied(formula: Formula, literals: Sequence[int]) -> list[int] | None:
    """Return the first clause that none of the true ``literals`` satisfies, or None.

    A variable without a literal has no value: None means that every completion of ``literals`` is a
    model. Literals of variables outside the formula are ignored.

    >>> formula = Formula(num_vars=2)
    >>> formula.add_clause([1, -2])
    >>> first_unsatisfied(formula, [1]), first_unsatisfied(formula, [2])
    (None, [1, -2])
    """
    import numpy as np

    most = formula.num_vars
    # true[literal + most]: whether the literal is true; the terminating 0 never is.
    true = np.zeros(2 * most + 1, np.bool_)
    held = np.asarray(literals, np.int64)
    true[held[np.abs(held) <= most] + most] = True
    true[most] = False
    for flat in formula.terminated():
        ends = np.flatnonzero(flat == 0)
        if not len(ends):
            continue
        starts = np.concatenate(([0], ends[:-1] + 1))
        holds = np.logical_or.reduceat(true[flat + most], starts)
        for at in np.flatnonzero(~holds):
            clause: list[int] = flat[starts[at] : ends[at]].tolist()
            # A tautology is satisfied whatever the value of its variable.
            if {*clause}.isdisjoint([-lit for lit in clause]):
                return clause
    return None


def completed(literals: Sequence[int], variables: int) -> list[int]:
    """Return a literal for each variable 1 to ``variables``: as in ``literals``, else negative."""
    model = list(range(-1, -variables - 1, -1))
    for lit in literals:
        if abs(lit) <= variables:
            model[abs(lit) - 1] = lit
    return model
