"""Probes of solvers by trial: ``python -m satsweeper.solvers.probe NAME``.

Several solvers answer wrongly or end the interpreter where they lack a feature, so that a probe
runs in a process of its own, in which a crash is a result like any other. ``solvers/table.py``
records the results.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from random import Random
from typing import Any, Final

from satsweeper.board.errors import FailedError
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.standard_output import print_answer
from satsweeper.processes.worker import WorkerDiedError, within
from satsweeper.solvers.pysat import class_of as solver_class
from satsweeper.solvers.table import Features

Clauses = list[list[int]]

_HOLES: Final = 9
"""Ten pigeons in nine holes take a CDCL solver far more conflicts than ``_BUDGET``."""
_BUDGET: Final = 50
"""Conflicts of the question that has to be stopped by its budget."""
_SECONDS: Final = 60.0
"""The time limit of a probe, in seconds."""


class ProbeError(FailedError):
    """A solver did something that a session cannot work with."""


def probe(name: str, seconds: float = _SECONDS) -> Features | str:
    """Return the features of a solver of PySAT, or the reason why a session cannot use the solver.

    The probe runs in a separate process, which is ended after ``seconds``.
    """
    try:
        answer: Features | str | None = within(seconds, name, _in_worker, name)
    except WorkerDiedError as error:
        return f"the process of the probe ended without an answer ({error.how})"
    return f"no answer within {seconds:g} seconds" if answer is None else answer


def _in_worker(send: object, deadline: Deadline, name: str) -> Features | str:
    """Call ``_probed(name)`` in a worker, with the solver's standard output and error discarded."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    return _probed(name)


def _probed(name: str) -> Features | str:
    """Probe the solver ``name`` in this process; return its features, or the reason of failure."""
    try:
        return probe_here(name)
    except ProbeError as error:
        return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def probe_here(name: str) -> Features:
    """Return the features of a solver by trial in this process, which the solver may crash.

    Raises:
        ProbeError: a session cannot use the solver.
    """
    create = solver_class(name)
    random = Random(1)
    for _ in range(10):
        clauses = _random_clauses(random, 12, 5)
        models = _models(clauses, 5)
        solver = _solver_with(create, clauses)
        for _ in range(6):
            _ask(solver, models, _random_cube(random, 5))
        solver.delete()
    # Incremental use: clauses with old and new variables, added after a solve, have to be obeyed.
    random = Random(2)
    for _ in range(10):
        clauses = []
        solver = create()
        for variables in (4, 5, 6):
            for clause in _random_clauses(random, 5, variables):
                clauses.append(clause)
                solver.add_clause(clause)
            _ask(solver, _models(clauses, 6), _random_cube(random, variables))
        solver.delete()
    return Features(
        budget=_stops_on_budget(create),
        phases=_takes_phases(create),
        native=_counts_itself(create),
        proof=_proves(create),
    )


def pigeons(holes: int, selector: int) -> Clauses:
    """Return pigeonhole clauses with ``holes + 1`` pigeons, enabled by ``selector``.

    They are contradictory if ``selector`` is true, and hard for resolution.
    """

    def sits(pigeon: int, hole: int) -> int:
        return selector + 1 + pigeon * holes + hole

    clauses = [[-selector, *(sits(p, h) for h in range(holes))] for p in range(holes + 1)]
    for hole in range(holes):
        for p, q in combinations(range(holes + 1), 2):
            clauses.append([-sits(p, hole), -sits(q, hole)])
    return clauses


def _models(clauses: Iterable[Sequence[int]], variables: int) -> list[set[int]]:
    """Return all models over the variables 1 to ``variables``, by trying every assignment."""
    rows = list(clauses)
    found = []
    for signs in product((-1, 1), repeat=variables):
        true = {sign * (v + 1) for v, sign in enumerate(signs)}
        if all(not true.isdisjoint(row) for row in rows):
            found.append(true)
    return found


def _require(fact: bool, otherwise: str) -> None:
    if not fact:
        raise ProbeError(otherwise)


def _ask(
    solver: Any, models: Iterable[set[int]], assumed: Sequence[int], idle: Sequence[int] = ()
) -> None:
    """Solve under the assumptions ``assumed``, and compare the answer with all models.

    Args:
        solver: the solver to test.
        models: all models of the clauses, as sets of literals.
        assumed: the assumptions.
        idle: further assumptions, which disable clauses that ``models`` does not account for.
    """
    everything = list(models)
    fitting = [model for model in everything if model.issuperset(assumed)]
    assumptions = [*assumed, *idle]
    found = solver.solve(assumptions)
    _require(found is bool(fitting), f"asked under assumptions it answers {found} wrongly")
    if found:
        model = set(solver.get_model())
        _require(model.isdisjoint([-lit for lit in assumptions]), "a model breaks an assumption")
        # The solver's model may lack the last variables, or have further ones: it is restricted to
        # the variables of each fitting model, and has to be a part of one of them.
        known = [model & {*fit, *(-lit for lit in fit)} for fit in fitting]
        parts = zip(known, fitting, strict=True)
        _require(any(part <= fit for part, fit in parts), "a wrong model")
        return
    core = set(solver.get_core() or [])
    _require(core.issubset(assumptions), "a core is no subset of the assumptions")
    core.difference_update(idle)
    _require(not any(model.issuperset(core) for model in everything), "a core has a model")


def _random_clauses(random: Random, count: int, variables: int) -> Clauses:
    return [
        [v * random.choice((1, -1)) for v in random.sample(range(1, variables + 1), 3)]
        for _ in range(count)
    ]


def _random_cube(random: Random, variables: int) -> list[int]:
    size = random.randrange(variables + 1)
    return [v * random.choice((1, -1)) for v in random.sample(range(1, variables + 1), size)]


def _solver_with(create: Callable[[], Any], clauses: Iterable[Sequence[int]]) -> Any:
    solver = create()
    for clause in clauses:
        solver.add_clause(clause)
    return solver


def _stops_on_budget(create: Callable[[], Any]) -> bool:
    """Whether a budget of conflicts stops a hard search and leaves the solver usable."""
    selector = 3
    easy = [[1, 2], [-1, 2]]
    # Under the selector the formula is a pigeonhole problem, hard for any budget; without it two
    # easy clauses, which show whether the solver survived the interruption.
    solver = _solver_with(create, [*easy, *pigeons(_HOLES, selector)])
    try:
        solver.conf_budget(_BUDGET)
        stopped = solver.solve_limited([selector]) is None
    except NotImplementedError:
        return False
    if stopped:
        solver.conf_budget(-1)
        for assumed in ([], [1], [-2], [1, -2], [-1, 2]):
            _ask(solver, _models(easy, 2), assumed, [-selector])
    solver.delete()
    return stopped


def _takes_phases(create: Callable[[], Any]) -> bool:
    solver = create()
    solver.add_clause([1, 2])
    try:
        solver.set_phases([-1, 2])
    except NotImplementedError:
        return False
    _require(solver.solve() is True, "it cannot solve after being told phases")
    solver.delete()
    return True


def _counts_itself(create: Callable[[], Any]) -> bool:
    """Whether the solver has native cardinality constraints, and answers correctly with them.

    Propagators written in Python, which have to be enabled, are not tested.
    """
    if not create().supports_atmost():
        return False
    literals = [1, -2, 3, 4]
    clauses = [[1, 3, 5], [2, -4, 5], [-1, -3, -5]]
    for bound in range(4):
        solver = _solver_with(create, clauses)
        solver.add_atmost(literals, bound)
        models = [m for m in _models(clauses, 5) if len(m.intersection(literals)) <= bound]
        for assumed in product((1, -1), (2, -2), (3, -3), (4, -4)):
            _ask(solver, models, assumed)
        solver.delete()
    return True


def _proves(create: Callable[..., Any]) -> bool:
    """Whether the solver's proofs are valid DRUP.

    Each lemma, and last the empty clause, has to follow by unit propagation from the clauses and
    the lemmas before.
    """
    random = Random(3)
    formulas = [[[1], *pigeons(holes, 1)] for holes in (2, 3, 4)]
    formulas += [_random_clauses(random, 60, 7) for _ in range(6)]
    for clauses in formulas:
        try:
            solver = create(with_proof=True)
        except (NotImplementedError, TypeError):
            return False
        for clause in clauses:
            solver.add_clause(clause)
        _require(solver.solve() is False, "it finds a model of what has none")
        lemmas = [line.split()[:-1] for line in solver.get_proof() or [] if line[0] != "d"]
        solver.delete()
        known = list(clauses)
        for lemma in ([int(word) for word in words] for words in [*lemmas, []]):
            if not _conflicts(known, [-literal for literal in lemma]):
                return False
            known.append(lemma)
    return True


def _conflicts(clauses: Clauses, literals: Iterable[int]) -> bool:
    """Whether unit propagation of ``clauses`` from ``literals`` ends in a conflict."""
    true = set(literals)
    before = -1
    while before < len(true):
        before = len(true)
        for clause in clauses:
            # For a clause without a true literal: if all its literals are false there is a
            # conflict, and if a single literal is not false, the literal is propagated.
            if true.isdisjoint(clause):
                left = {literal for literal in clause if -literal not in true}
                if not left:
                    return True
                if len(left) == 1:
                    true |= left
    return False


def main(argv: Sequence[str] | None = None) -> int:
    """Print what one solver can do as a JSON object, or why a session cannot use it."""
    parser = argparse.ArgumentParser(
        prog="python -m satsweeper.solvers.probe",
        description=__doc__,
        epilog="example: python -m satsweeper.solvers.probe minisat22",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", metavar="NAME", help="a solver of PySAT")
    name = parser.parse_args(argv).name
    found = _probed(name)
    known = {"reason": found} if isinstance(found, str) else {"features": found._asdict()}
    print_answer(json.dumps({"solver": name, **known}))
    return int(isinstance(found, str))


if __name__ == "__main__":
    sys.exit(main())
