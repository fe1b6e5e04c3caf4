"""Formulas without repeated clauses, as clues make them that share some of their cells."""

from pbcnf.formula import Formula


def distinct(formula: Formula) -> Formula:
    """Return `formula` with the first of all clauses of the same literals, and all its variables.

    It is `formula` itself if no clause is repeated.

    >>> formula = Formula(num_vars=9)
    >>> for clause in ([2, -7], [7], [-7, 2], [2, 7]):
    ...     formula.add_clause(clause)
    >>> list(distinct(formula)), distinct(formula).num_vars
    ([[2, -7], [7], [2, 7]], 9)
    """
    first: dict[frozenset[int], list[int]] = {}
    for clause in formula:
        first.setdefault(frozenset(clause), clause)
    if len(first) == formula.num_clauses:
        return formula
    found = Formula(num_vars=formula.num_vars)
    for clause in first.values():
        found.add_terminated([*clause, 0], 1)
    return found
