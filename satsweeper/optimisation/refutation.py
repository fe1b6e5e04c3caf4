"""Refutations of whole problems by sums of their rows: pigeons and holes, and parity arguments.

Each is checked in integers. Search by resolution may need exponentially many conflicts for them.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from pbcnf.constraints.constraint import Parity
from pbcnf.constraints.normal_form import parity_normal_form
from pbcnf.constraints.problem import Problem
from satsweeper.linear.elimination import eliminate
from satsweeper.linear.equations import Equation, follows
from satsweeper.linear.inequalities import (
    AtLeastRow,
    Multipliers,
    inequalities,
    proved_least,
    refutes,
    summed_refutation,
)
from satsweeper.linear.row_relaxation import RelaxationProof, relaxed
from satsweeper.optimisation.search import Cost

_QUICK: Final = 300_000
"""The limit on terms of a problem whose rows are summed before any search."""


def quick_refutation(
    problem: Problem, given: Callable[[], Sequence[AtLeastRow]] | None = None
) -> Multipliers | None:
    """Return multipliers of rows that refute ``problem``, found without a linear program.

    The rows are those of `inequalities`, which ``given`` returns if it is not None. None: none was
    found, or all rows are clauses, or there are very many terms.
    """
    if sum(len(constraint.lits) for constraint in problem.constraints) > _QUICK:
        return None
    rows = inequalities(problem) if given is None else given()
    if all(row.clausal for row in rows):
        return None
    found = summed_refutation(rows)
    return found if found and refutes(rows, found) else None


def linear_refutation(problem: Problem, seconds: float | None = None) -> Multipliers | None:
    """Return multipliers of the rows of ``problem`` that refute it, by a linear program if needed.

    Args:
        problem: a problem; its objective does not matter.
        seconds: the limit of the linear program, None for none. Without HiGHS there is none.

    >>> from pbcnf import Cardinality
    >>> pigeons = [Cardinality([1, 2], lower=1), Cardinality([3, 4], lower=1)]
    >>> hole = Cardinality([1, 2, 3, 4], upper=1)
    >>> linear_refutation(Problem(4, (*pigeons, hole)))
    {0: 1, 1: 1, 2: 1}
    """
    return quick_refutation(problem) or by_relaxation(inequalities(problem), seconds)


def by_relaxation(rows: Sequence[AtLeastRow], seconds: float | None) -> Multipliers | None:
    """Return multipliers that refute ``rows`` from the ray of an infeasible linear program."""
    # Where every row is a clause of two literals or more, all variables may be 1/2.
    if all(row.clausal for row in rows) or (program := relaxed(rows, {}, 0)) is None:
        return None
    proved = program.proved(program.run(seconds))
    if proved is None or not proved.reaches(None):
        return None
    return proved.multipliers if refutes(rows, proved.multipliers) else None


def linear_bound(problem: Problem, seconds: float | None = None) -> RelaxationProof | None:
    """Return a proof that the cost of every solution reaches a bound, from the relaxation.

    The cost is `Cost.linear` of the objective, without its constant: ``factor`` times it is at
    least ``least``, by the sum of the rows of `inequalities` times ``multipliers``. None without
    HiGHS, if there are no rows, and if the relaxation has no optimum.

    Args:
        problem: a problem with an objective.
        seconds: the limit of the linear program, None for none.
    """
    assert problem.objective is not None
    terms, _ = Cost.of(problem.objective).linear
    rows = inequalities(problem)
    program = relaxed(rows, terms, problem.num_vars)
    proof = None if program is None else program.proved(program.run(seconds))
    if proof is None or not proof.factor:
        return None
    # Computed again, by Python's integers and from the rows alone.
    least = proved_least(rows, proof.multipliers, terms, proof.factor)
    return proof._replace(least=least)


class ModularRefutation(NamedTuple):
    """Equations whose sum is impossible modulo 2 or 3: as rows from below, and from above.

    ``lower`` and ``upper`` are multipliers of rows of `inequalities`; empty where a parity is among
    the equations, which is no row.
    """

    modulus: int
    lower: Multipliers
    upper: Multipliers


def refuted_modulo(problem: Problem) -> ModularRefutation | None:
    """Return sums of equations modulo 2 or 3 that show that ``problem`` has no solution."""
    rows = inequalities(problem)
    equations: dict[int, list[Equation]] = {2: [], 3: []}
    places: dict[int, list[int]] = {2: [], 3: []}
    """For each equation the place of its first row, -1 for a parity."""
    for constraint in problem.constraints:
        if isinstance(constraint, Parity):
            variables, odd = parity_normal_form(constraint)
            equations[2].append((variables, int(odd)))
            places[2].append(-1)
    for place, ((terms, least, _), other) in enumerate(pairwise(rows)):
        if not other.paired or other.least != -least or max(terms, default=0) > problem.num_vars:
            continue
        # Modulo 2 a factor is 1 or 0, whatever its sign.
        equations[2].append(([var for var, factor in terms.items() if factor % 2], least % 2))
        places[2].append(place)
        if {*terms.values()} == {1}:
            equations[3].append((list(terms), least))
            places[3].append(place)
    for modulus, given in equations.items():
        clash = eliminate(given, modulus).clash
        if clash is not None and clash.value % modulus and follows(given, clash):
            of = {places[modulus][index]: factor for index, factor in clash.multipliers.items()}
            of = {} if -1 in of else {place: factor % modulus for place, factor in of.items()}
            return ModularRefutation(modulus, of, {place + 1: of[place] for place in of})
    return None
