"""Forged proofs of encodings of OPB problems.

Random problems of a few variables are encoded by every encoder with a proof, with groups and
without. Besides random changes: a clause is left out, added, shortened or turned around in clauses
and proof at once, also in the way back. What is accepted is judged by trying every assignment: each
that satisfies the rows must extend to a model of the clauses; if they are said to be equivalent, no
other one may; and nothing may be said of a solution where there is none.
"""

import io
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

from pysat.solvers import Solver

import satsweeper_check
from pbcnf import dimacs
from pbcnf.derivation import write_proof
from pbcnf.derivation.families import DERIVABLE
from pbcnf.derivation.opb import derive_opb
from pbcnf.emission.whole_problems import Choices, suited
from pbcnf.errors import EncodingError
from pbcnf.formats.problems import read_problem
from pbcnf.proof.cnf_reader import parse_cnf
from pbcnf.proof.cutting_planes.formula import read_formula
from satsweeper.checker.derivation_recheck import recheck_derivation
from satsweeper.checker.encoding import check_files
from satsweeper.checker.errors import WrongCertificateError
from scripts.forgeries.clauses import BOTH, changed_in_both
from scripts.forgeries.forgery import Files, judged, mutated, text_of

MOST_INPUTS: Final = 12
"""Largest number of inputs of a problem of which all assignments are tried."""
NAMES: Final = ("problem.opb", "formula.cnf", "proof.pbp")
_ROW: Final = re.compile(r"([+-]?[0-9]+)\s+(~?)x([0-9]+)|(>=|<=|=)\s*([+-]?[0-9]+)")

Rows = list[tuple[list[tuple[int, bool, int]], Sequence[str]]]
"""For each constraint its terms, (weight, negated, variable), and its relation and bound."""


def make(rng: random.Random, problems: int) -> list[Files]:
    """Return ``problems`` problems with their clauses and proofs, each encoder in turn."""
    return [certified(rng, DERIVABLE[at % len(DERIVABLE)]) for at in range(problems)]


def certified(rng: random.Random, encoder: str) -> Files:
    """Return a random problem, its clauses by ``encoder``, and their proof.

    A third of the problems have an at-most-one row over some of the literals of another one, which
    is encoded over groups where ``encoder`` takes them; a few have no row, or one that is always or
    never so.
    """
    inputs, rows = rng.randint(3, 7), rng.choice([0, *[1] * 3, *[2] * 16])
    weighted = "pseudo_boolean" in suited(encoder)
    groups: Any = "find" if rng.random() < 0.3 else None
    lines = [f"* #variable= {inputs} #constraint= {rows}"]
    for row in range(rows):
        one = groups is not None and not row
        chosen = rng.sample(range(1, inputs + 1), rng.randint(2, inputs - one))
        weights = [rng.randint(1, 6) if weighted and not one else 1 for _ in chosen]
        marks = [rng.choice(("", "", "~")) if groups is None else "" for _ in chosen]
        relation, bound = rng.choice((">=", "<=", "=")), rng.randint(1, sum(weights))
        if one:
            relation, bound = "<=", 1
        elif rng.random() < 0.05:
            bound = rng.choice([0, -1, sum(weights) + 1])
        terms = " ".join(f"+{w} {m}x{v}" for w, m, v in zip(weights, marks, chosen, strict=True))
        lines.append(f"{terms} {relation} {bound} ;")
    raw = ("\n".join(lines) + "\n").encode()
    constraints, choices = read_problem(io.BytesIO(raw)).constraints, Choices(**suited(encoder))
    try:
        made = derive_opb(raw, constraints, choices, groups=groups)
    except EncodingError:  # the encoder takes no groups
        made = derive_opb(raw, constraints, choices)
    stream = io.BytesIO()
    write_proof(made.derivation, stream)
    return dict(zip(NAMES, (raw, dimacs(made.formula).encode(), stream.getvalue()), strict=True))


def changed(target: Files, originals: Sequence[Files], rng: random.Random) -> tuple[str, Files]:
    """Return the name of a change, and the files after it."""
    kind = rng.choice((*NAMES, *BOTH))
    if kind in BOTH:
        both = changed_in_both(kind, target[NAMES[1]], target[NAMES[2]], rng, int)
        return kind, {**target, **dict(zip(NAMES[1:], both, strict=True))}
    others = [each[kind] for each in originals if each is not target]
    return kind, {**target, kind: mutated(target[kind], rng, others)}


def judge(folder: Path) -> tuple[str, str]:
    """Return the outcome of checking the files of a folder, and the reason."""
    paths = [folder / name for name in NAMES]
    raw = [path.read_bytes() for path in paths]
    problem, formula = (content.decode("latin-1") for content in raw[:2])
    readers: dict[str, Callable[[], Mapping[str, Any]]] = {
        "check": lambda: check_files(*paths, external=False).as_json(),
        "second": lambda: _followed_again(raw, text_of(paths[2])),
        "small": lambda: satsweeper_check.check([*map(str, paths)]),
    }
    return judged(readers, lambda found: false_claim(found, problem, formula))


def _followed_again(raw: Sequence[bytes], proof: str) -> dict[str, Any]:
    """Return the claim of the second follower of steps alone; both read the files alike."""
    inputs, formula = read_formula(raw[0], objective=True).variables, parse_cnf(raw[1], NAMES[1])
    left = recheck_derivation(raw[0].decode(), proof, inputs, NAMES[2], formula.num_vars)
    if left.clauses != [frozenset(clause) for clause in formula.clauses]:
        raise WrongCertificateError(NAMES[2], "other clauses are left")
    if formula.num_vars < inputs:
        raise WrongCertificateError(NAMES[1], "too few variables")
    return {"shown": "equivalent" if left.equivalent else "no solution lost"}


def false_claim(found: Mapping[str, Any], problem: str, formula: str) -> str | None:
    """Return a false claim of ``found``, the JSON of a check; None if all claims hold.

    A problem without a solution can lose none. So a status is a false claim of its own then: it
    would say that the problem has a solution, which no proof of an encoding shows.
    """
    status = found.get("status")
    if status is not None and not any(_solutions(*_rows(problem))):
        return f"the status is {status}, and the problem has no solution"
    if "equivalent" in (found.get("shown"), found.get("says")):
        return lost_solution(problem, formula) or added_model(problem, formula)
    return lost_solution(problem, formula)


def lost_solution(problem: str, formula: str) -> str | None:
    """Return in words a solution of ``problem`` that no model of ``formula`` extends, or None."""
    return _disagreement(problem, formula, of_solutions=True)


def added_model(problem: str, formula: str) -> str | None:
    """Return in words a model of ``formula`` that is no solution of ``problem``, or None."""
    return _disagreement(problem, formula, of_solutions=False)


def _disagreement(problem: str, formula: str, *, of_solutions: bool) -> str | None:
    rows, inputs = _rows(problem)
    if inputs > MOST_INPUTS:
        return f"what cannot be tried: {inputs} variables"
    with Solver("minisat22", bootstrap_with=clauses_of(formula)) as solver:
        # Every solution of the problem, as assumptions on the inputs, must leave a model, and
        # nothing else may.
        solutions = {tuple(units) for units in _solutions(rows, inputs)}
        if of_solutions:
            lost = (each for each in sorted(solutions) if not solver.solve(assumptions=each))
            return next((f"the solution {[*each]} is lost" for each in lost), None)
        for signs in product((1, -1), repeat=inputs):
            units = tuple(sign * v for v, sign in enumerate(signs, start=1))
            if units not in solutions and solver.solve(assumptions=units):
                return f"the model {[*units]} is no solution"
    return None


def clauses_of(formula: str) -> list[list[int]]:
    """Return the clauses of a DIMACS text."""
    lines = [line for line in formula.split("\n") if line.strip()[:1] not in ("", "c", "p")]
    clauses: list[list[int]] = [[]]
    for number in [int(word) for line in lines for word in line.split()]:
        if number:
            clauses[-1].append(number)
        else:
            clauses.append([])
    return clauses[:-1]


def _rows(problem: str) -> tuple[Rows, int]:
    """Return the rows of an OPB text, and its number of variables."""
    rows: Rows = []
    inputs = 0
    text = "\n".join(line for line in problem.split("\n") if not line.startswith("*"))
    for statement in text.split(";")[:-1]:
        parts = _ROW.findall(statement)
        if parts and not statement.strip().startswith("min:"):
            rows.append(([(int(w), bool(n), int(v)) for w, n, v, _, _ in parts[:-1]], parts[-1]))
        inputs = max([inputs, *(int(v) for _, _, v, relation, _ in parts if not relation)])
    return rows, inputs


def _solutions(rows: Rows, inputs: int) -> Iterator[list[int]]:
    """Yield the assignments that satisfy all ``rows``, as lists of literals."""
    for values in product((False, True), repeat=inputs):
        for terms, end in rows:
            total = sum(weight for weight, negated, v in terms if values[v - 1] != negated)
            bound = int(end[4])
            if not {">=": total >= bound, "<=": total <= bound, "=": total == bound}[end[3]]:
                break
        else:
            yield [v if value else -v for v, value in enumerate(values, start=1)]
