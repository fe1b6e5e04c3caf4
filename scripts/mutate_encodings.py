"""Random mutations of proofs of encodings: each is rejected, or what is accepted is true.

Random OPB problems of a few variables are encoded by every encoder with a proof; then a byte, a
line or a word of the problem, the clauses or the proof changes, or one of the files becomes that of
another problem, or a clause is left out, added, shortened or turned around in the clauses and the
proof at once, also in the way back. What the checker accepts is judged by trying every assignment
of the problem that was accepted: each that satisfies its rows must extend to a model of the clauses
that were accepted; if they are said to be equivalent, no other one may; and nothing may be said of
a solution where there is none.
The small checker is asked as well: where the two differ, that is printed.

Exit codes: 0 no false claim was accepted; 1 one was, or the checker failed otherwise than by
refusing; 130 interrupted. The same seed makes the same mutations.
"""

import io
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pysat.solvers import Solver

from pbcnf import dimacs
from pbcnf.derivation import write_proof
from pbcnf.derivation.families import DERIVABLE
from pbcnf.derivation.opb import derive_opb
from pbcnf.emission.whole_problems import Choices, suited
from pbcnf.formats.problems import read_problem
from satsweeper.checker.encoding import check_files
from scripts.fuzzing.forgery import Outcome, judged, mutated, run

MOST_INPUTS: Final = 12
"""Largest number of inputs of a problem of which all assignments are tried."""
NAMES: Final = ("problem.opb", "formula.cnf", "proof.pbp")
ONE_LIE: Final = "a clause in both"
LEFT_OUT: Final = "a clause out of both"
PUT_IN: Final = "a clause into both"
BOTH: Final = (ONE_LIE, LEFT_OUT, PUT_IN)
_ROW: Final = re.compile(r"([+-]?[0-9]+)\s+(~?)x([0-9]+)|(>=|<=|=)\s*([+-]?[0-9]+)")

Files = tuple[bytes, ...]
"""The contents of the files of `NAMES`."""
Rows = list[tuple[list[tuple[int, bool, int]], Sequence[str]]]
"""For each constraint its terms, (weight, negated, variable), and its relation and bound."""


def make(rng: random.Random, problems: int, folder: Path) -> list[Files]:
    """Return ``problems`` problems with their clauses and proofs, each encoder in turn."""
    return [certified(rng, DERIVABLE[at % len(DERIVABLE)]) for at in range(problems)]


def certified(rng: random.Random, encoder: str) -> Files:
    """Return a random problem, its clauses by ``encoder``, and their proof."""
    inputs = rng.randint(3, 7)
    weighted = "pseudo_boolean" in suited(encoder)
    lines = [f"* #variable= {inputs} #constraint= 2"]
    for _ in range(2):
        chosen = rng.sample(range(1, inputs + 1), rng.randint(2, inputs))
        weights = [rng.randint(1, 6) if weighted else 1 for _ in chosen]
        terms = [
            f"+{w} {rng.choice(('', '', '~'))}x{v}" for w, v in zip(weights, chosen, strict=True)
        ]
        relation = rng.choice((">=", "<=", "="))
        lines.append(f"{' '.join(terms)} {relation} {rng.randint(1, sum(weights))} ;")
    raw = ("\n".join(lines) + "\n").encode()
    constraints = read_problem(io.BytesIO(raw)).constraints
    made = derive_opb(raw, constraints, Choices(**suited(encoder)))
    stream = io.BytesIO()
    write_proof(made.derivation, stream)
    return raw, dimacs(made.formula).encode(), stream.getvalue()


def mutate(originals: Sequence[Files], folder: Path, rng: random.Random) -> Outcome:
    """Change a file, check, and judge the claims if accepted; return change, outcome, and why."""
    target = rng.choice(originals)
    files = target
    while files == target:
        kind = rng.choice((*NAMES, *BOTH))
        if kind in BOTH:
            change = {ONE_LIE: _lie, LEFT_OUT: _left_out, PUT_IN: _put_in}[kind]
            files = target[0], *change(target[1].decode(), target[2].decode(), rng)
        else:
            at = NAMES.index(kind)
            others = [each[at] for each in originals if each is not target]
            files = *target[:at], mutated(target[at], rng, others), *target[at + 1 :]
    for name, content in zip(NAMES, files, strict=True):
        (folder / name).write_bytes(content)
    paths, texts = [folder / name for name in NAMES], (files[0].decode, files[1].decode)
    outcome = judged(
        lambda: check_files(*paths, external=False),
        lambda found: false_claim(found.as_json(), *(text() for text in texts)),
        (paths, lambda found: false_claim(found, *(text() for text in texts))),
    )
    return kind, *outcome


def _lie(formula: str, proof: str, rng: random.Random) -> tuple[bytes, bytes]:
    """Replace a clause by another clause, in the formula and wherever the proof derives it."""
    lines = formula.splitlines()
    clauses = [at for at, line in enumerate(lines) if line[:1] in "-123456789"]
    if not clauses:
        return formula.encode(), proof.encode()
    at = rng.choice(clauses)
    clause = [int(word) for word in lines[at].split()[:-1]]
    new = list(clause)
    if new and rng.random() < 0.6:
        place = rng.randrange(len(new))
        new[place : place + 1] = [] if rng.random() < 0.5 else [-new[place]]
    elif new:
        new[rng.randrange(len(new))] = rng.choice((1, -1)) * rng.randint(1, abs(max(new, key=abs)))
    lines[at] = " ".join(map(str, [*new, 0]))
    return ("\n".join(lines) + "\n").encode(), proof.replace(_rup(clause), _rup(new)).encode()


def _left_out(formula: str, proof: str, rng: random.Random) -> tuple[bytes, bytes]:
    """Leave a clause out of the formula, and delete it in the proof before its way back."""
    lines, steps, turn = _by_lines(formula, proof)
    numbers = _left(steps, turn)
    clauses = [at for at, line in enumerate(lines) if line[-1:] == "0" and line[:2] != "p "]
    if turn < len(steps) and numbers and len(numbers) == len(clauses):
        at = rng.randrange(len(numbers))
        del lines[clauses[at]]
        steps.insert(turn, f"del id {numbers[at]} ;")
        # Sometimes the way back is asked to do without it.
        if rng.random() < 0.5:
            _without(steps, turn + 1, numbers[at])
    return _joined(lines, steps, -1)


def _put_in(formula: str, proof: str, rng: random.Random) -> tuple[bytes, bytes]:
    """Add a random clause to the formula, and to the proof before its way back, with hints."""
    lines, steps, turn = _by_lines(formula, proof)
    numbers = _left(steps, turn)
    if turn < len(steps) and numbers:
        rows = int(steps[1].split()[1])
        last = rows + sum(step[:4] in _ADDING for step in steps[:turn])
        variables = int(lines[[line[:2] for line in lines].index("p ")].split()[2])
        some = rng.sample(range(1, variables + 1), min(variables, rng.randint(1, 3)))
        clause = [rng.choice((1, -1)) * v for v in some]
        lines.append(" ".join(map(str, [*clause, 0])))
        hints = " ".join(map(str, [*range(1, rows + 1), *numbers]))
        steps[turn + 1 :] = [_shifted(step, last) for step in steps[turn + 1 :]]
        steps.insert(turn, f"{_rup(clause)}: ~ {hints} ;")
    return _joined(lines, steps, 1)


_ADDING: Final = ("red ", "pol ", "rup ")


def _by_lines(formula: str, proof: str) -> tuple[list[str], list[str], int]:
    """Return the lines of both, and which line of the proof begins its way back."""
    steps = proof.splitlines()
    turn = next((at for at, step in enumerate(steps) if step.startswith("del id 1 ")), len(steps))
    return formula.splitlines(), steps, turn


def _left(steps: Sequence[str], turn: int) -> list[int]:
    """Return the numbers of the constraints that are left when the way back begins."""
    last = int(steps[1].split()[1])
    found: dict[int, None] = {}
    for step in steps[2:turn]:
        if step.startswith("del id "):
            for word in step.split()[2:-1]:
                found.pop(int(word))
        elif step[:4] in _ADDING:
            last += 1
            found[last] = None
    return [*found]


def _without(steps: list[str], start: int, number: int) -> None:
    """Take a number out of the hints of all steps from `start` on."""
    for at in range(start, len(steps)):
        if steps[at].startswith("rup "):
            head, _, hints = steps[at].partition(":")
            words = [word for word in hints.split() if word != str(number)]
            steps[at] = f"{head}: {' '.join(words)}"


def _shifted(step: str, last: int) -> str:
    """Return a step with the numbers above `last` one larger."""
    words = step.split()
    start = {"pol": 1, "del": 2}.get(words[0] if words else "", len(words))
    if step.startswith("rup "):
        start = words.index(":")
    for at in range(start, len(words)):
        is_number = words[at].isdigit() and words[at + 1 : at + 2] not in (["*"], ["d"])
        if is_number and int(words[at]) > last:
            words[at] = str(int(words[at]) + 1)
    return " ".join(words)


def _joined(lines: Sequence[str], steps: Sequence[str], more: int) -> tuple[bytes, bytes]:
    header = re.compile(r"^p cnf (\d+) (\d+)", re.MULTILINE)
    text = "\n".join(lines) + "\n"
    text = header.sub(lambda found: f"p cnf {found[1]} {int(found[2]) + more}", text)
    return text.encode(), ("\n".join(steps) + "\n").encode()


def _rup(clause: Sequence[int]) -> str:
    terms = "".join(f"1 {'~' * (lit < 0)}x{abs(lit)} " for lit in clause)
    return f"rup {terms}>= 1 "


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
    with Solver("minisat22", bootstrap_with=_clauses(formula)) as solver:
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


def _clauses(formula: str) -> list[list[int]]:
    """Return the clauses of a DIMACS text."""
    lines = [line for line in formula.split("\n") if line and line[0] not in "cp"]
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


main: Final = partial(run, __doc__, make, mutate, of="problems")

if __name__ == "__main__":
    sys.exit(main())
