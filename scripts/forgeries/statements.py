"""Forged proofs of encodings of statements: formulas, integers, relations.

Random statements files of few variables are encoded with a proof. Besides random changes, also of
values in the file: a clause left out, added or changed in clauses and proof at once. What is
accepted is judged by trying all values: each solution must be what a model of the clauses says, by
the links that a reader found; if both are said to be equivalent, each model must say a solution.
"""

import io
import json
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, Final, NamedTuple

from pysat.solvers import Solver

from pbcnf import dimacs
from pbcnf.derivation import write_proof
from pbcnf.derivation.statements.whole import derive_statements
from pbcnf.errors import EncodingError
from pbcnf.proof.cutting_planes.canonical import canonical_rows
from pbcnf.proof.cutting_planes.proved_statements import check_statements
from satsweeper.checker.encoding import check_files
from satsweeper.checker.statements.recheck import recheck_statements
from scripts.forgeries.clauses import BOTH, changed_in_both
from scripts.forgeries.encodings import clauses_of
from scripts.forgeries.forgery import Files, judged, mutated
from scripts.fuzzing.plain_statements import content, drawn, solutions, values_of

NAMES: Final = ("statements.json", "formula.cnf", "proof.pbp")
MOST_TRIED: Final = 20_000
"""Largest number of values of all variables together that are tried, or said by models."""


class Shown(NamedTuple):
    """Result of a reader; of each integer its name, and constant and weights of its literals."""

    equivalent: bool
    integers: Sequence[tuple[str, int, Sequence[tuple[int, int]]]]


def make(rng: random.Random, problems: int) -> list[Files]:
    """Return ``problems`` statements files with their clauses and proofs."""
    found: list[Files] = []
    while len(found) < problems:
        file = drawn(rng)
        for integer in file["integers"]:
            integer["encoding"] = rng.choice(["order", "direct", "binary"])
        raw = content(file)
        try:
            made = derive_statements(raw)
        except EncodingError:  # some nodes have no proof yet
            continue
        # Most are not settled by their constants alone.
        if made.formula.num_clauses > 2 or rng.random() < 0.1:
            proof = io.BytesIO()
            write_proof(made.derivation, proof)
            files = raw, dimacs(made.formula).encode(), proof.getvalue()
            found.append(dict(zip(NAMES, files, strict=True)))
    return found


def changed(target: Files, originals: Sequence[Files], rng: random.Random) -> tuple[str, Files]:
    """Return the name of a change, and the files after it."""
    kind = rng.choice((*NAMES, *BOTH))
    if kind in BOTH:
        booleans, more = _numbers(target[NAMES[0]])

        def in_proof(lit: int) -> int:
            return lit if abs(lit) <= booleans else lit + more if lit > 0 else lit - more

        both = changed_in_both(kind, target[NAMES[1]], target[NAMES[2]], rng, in_proof)
        return kind, {**target, **dict(zip(NAMES[1:], both, strict=True))}
    others = [each[kind] for each in originals if each is not target]
    return kind, {**target, kind: mutated(target[kind], rng, others)}


@cache
def _numbers(raw: bytes) -> tuple[int, int]:
    """Return the number of Booleans, and of canonical variables beside Booleans."""
    rows = canonical_rows(raw)
    return rows.booleans, rows.variables - rows.booleans


def judge(folder: Path) -> tuple[str, str]:
    """Return the outcome of checking the files of a folder, and the reason."""
    paths = [folder / name for name in NAMES]
    raw, formula, proof = (path.read_bytes() for path in paths)

    def first() -> Shown:
        found = check_statements(raw, formula, proof, NAMES)
        return Shown(found.equivalent, [(e.name, e.constant, e.terms) for e in found.integers])

    def second() -> Shown:
        found = recheck_statements(raw, formula, proof, NAMES)
        pairs = [(e.name, e.constant, [(w, v) for v, w in e.weights.items()]) for e in found.links]
        return Shown(found.equivalent, pairs)

    def both() -> Shown:
        check_files(*paths, external=False)
        return second()

    readers: dict[str, Callable[[], Shown]] = {"check": both, "first": first, "second": second}
    return judged(readers, lambda found: false_claim(found, json.loads(raw), formula.decode()))


def false_claim(found: Shown, file: dict[str, Any], formula: str) -> str | None:
    """Return the false claim of ``found`` in words; None if all is true."""
    domains = [values_of(integer["domain"]) for integer in file["integers"]]
    if 2 ** file["booleans"] * prod(map(len, domains)) > MOST_TRIED:
        return "what cannot be tried: too many values"
    if [name for name, _, _ in found.integers] != [each["name"] for each in file["integers"]]:
        return "links of other integers"
    said, due = {*_said(found, file["booleans"], formula)}, {*solutions(file)}
    if due - said:
        return f"the solution {min(due - said)} is lost"
    if found.equivalent and said - due:
        return f"a model says {min(said - due)}, which is no solution"
    return None


def _said(
    found: Shown, booleans: int, formula: str
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the values of Booleans and integers in the models of a formula."""
    inputs = [*range(1, booleans + 1)]
    shown = dict.fromkeys([*inputs, *(v for _, _, terms in found.integers for _, v in terms)])
    with Solver("minisat22", bootstrap_with=clauses_of(formula)) as solver:
        for v in shown:
            solver.add_clause([v, -v])
        for _ in range(MOST_TRIED):
            if not solver.solve():
                return
            true = {lit for lit in solver.get_model() or [] if lit > 0}
            integers = [c + sum(w for w, v in terms if v in true) for _, c, terms in found.integers]
            yield tuple(int(v in true) for v in inputs), tuple(integers)
            solver.add_clause([-v if v in true else v for v in shown])
            if not shown:
                return
    raise ValueError("more models than can be tried")
