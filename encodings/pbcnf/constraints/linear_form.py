"""A problem whose constraints are bounds on sums alone: parities become equations with slack."""

from __future__ import annotations

from pbcnf.constraints.constraint import Constraint, Linear, Parity
from pbcnf.constraints.parity_normal_form import parity_equation, parity_normal_form, slack_bits
from pbcnf.constraints.problem import Problem


def linear_form(problem: Problem) -> Problem:
    """Return the problem with an equation for every parity; without parities, the problem itself.

    ``x1 + x2 + x3 + x4`` is even if and only if ``x1 + x2 + x3 + x4 - 2*s0 - 4*s1 = 0`` for some
    s0 and s1 (see `parity_equation`). The slack variables follow those of the problem and are
    called ``parity_<number of the constraint>_slack_<0, 1, ...>``; every model of the problem
    extends to exactly one of what is returned.

    >>> found = linear_form(Problem(2, (Parity([1, 2], odd=False),)))
    >>> found.num_vars, found.constraints[0].weights, found.names
    (3, (1, 1, -2), {3: 'parity_1_slack_0'})
    """
    if not any(isinstance(constraint, Parity) for constraint in problem.constraints):
        return problem
    last, names = problem.num_vars, dict(problem.names)
    found: list[Constraint] = []
    for number, constraint in enumerate(problem.constraints, start=1):
        if isinstance(constraint, Parity):
            variables, odd = parity_normal_form(constraint)
            found.append(parity_equation(variables, odd, last + 1))
            for bit in range(slack_bits(len(variables), odd)):
                last += 1
                names[last] = f"parity_{number}_slack_{bit}"
        else:
            found.append(constraint)
    return Problem(last, tuple(found), names, problem.objective)


def sums(problem: Problem) -> tuple[Linear, ...]:
    """Return the constraints of the linear form of a problem."""
    return tuple(
        constraint
        for constraint in linear_form(problem).constraints
        if not isinstance(constraint, Parity)
    )
