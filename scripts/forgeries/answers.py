"""Forged proofs of answers of `solve`: an optimum, bounds, or no solution.

Random OPB problems of a few variables are solved, and their answers proved in each of the ways that
there are: sums of rows, branching, cores, clauses, and bounds beside a solution that need not be
best. Besides random changes: a bound of the conclusion, the number of a constraint, a weight of the
objective or a literal of the solutions is another one, or a step is left out.
"""

import io
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import satsweeper_check
from pbcnf.formats.problems import read_problem
from satsweeper.certificate.answer import answer_proof
from satsweeper.checker.answer import check_answer
from satsweeper.checker.answer_recheck import recheck_answer
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.optimisation.run import Settings, solve
from satsweeper.optimisation.search import SearchLog, SolveStatus
from scripts.forgeries.forgery import Files, judged, mutated, text_of

MOST_TRIED: Final = 12
"""Largest number of variables of a problem of which all assignments are tried."""
NAMES: Final = ("problem.opb", "proof.pbp")
WAYS: Final = ("branching", "cores", "clauses", "bounds")
_TERM: Final = re.compile(r"([+-]?[0-9]+)\s+(~?)x([0-9]+)")


def make(rng: random.Random, problems: int) -> list[Files]:
    """Return ``problems`` problems with the proofs of their answers, each way in turn."""
    return [proved(rng, WAYS[at % len(WAYS)]) for at in range(problems)]


def proved(rng: random.Random, way: str) -> Files:
    """Return a random problem, and the proof of its answer by ``way``, if that leads there."""
    while True:
        raw = drawn(rng).encode()
        problem = read_problem(io.BytesIO(raw))
        settings = Settings("core-guided" if way == "cores" else "auto")
        log = SearchLog()
        outcome = solve(problem, settings, log=log)
        if way == "bounds":
            if outcome.model is None or problem.objective is None:
                continue
            outcome = replace(outcome, status=SolveStatus.SATISFIABLE)
            log.clauses[:] = [each for each in log.clauses if not each.clause]
            del log.cores[rng.randint(0, len(log.cores)) :]
        if way == "clauses":
            settings, log = Settings("linear", solver="lingeling"), SearchLog()
        with patch("satsweeper.certificate.answer.available", lambda: way == "branching"):
            made = answer_proof(raw, settings, problem, outcome, log)
        if made is not None and made.steps:
            return dict(zip(NAMES, (raw, made.text), strict=True))


def drawn(rng: random.Random) -> str:
    """Return a random OPB file: an objective four times of five, and rows of any relation."""
    n = rng.randint(4, 8)

    def total(size: int, weights: range) -> str:
        lits = [rng.choice(["", "", "~"]) + f"x{v}" for v in rng.sample(range(1, n + 1), size)]
        return " ".join(f"{rng.choice(weights) or 1:+} {lit}" for lit in lits)

    lines = [f"* #variable= {n} #constraint= {n}"]
    if rng.random() < 0.8:
        lines.append(f"min: {total(n, rng.choice([range(1, 9), range(-4, 12, 4)]))} ;")
    for _ in range(n if rng.random() < 0.95 else 0):
        size, relation = rng.randint(2, min(n, 5)), rng.choice([">=", ">=", "<=", "="])
        lines.append(f"{total(size, rng.choice([range(1, 2), range(-3, 7)]))} {relation} 2 ;")
    return "\n".join(lines) + "\n"


def changed(target: Files, originals: Sequence[Files], rng: random.Random) -> tuple[str, Files]:
    """Return the name of a change, and the files after it."""
    kind = rng.choice([*NAMES, *CHANGES])
    if kind in NAMES:
        others = [each[kind] for each in originals]
        return kind, {**target, kind: mutated(target[kind], rng, others)}
    texts = CHANGES[kind](target[NAMES[0]].decode(), target[NAMES[1]].decode(), rng)
    return kind, {name: text.encode() for name, text in zip(NAMES, texts, strict=True)}


def judge(folder: Path) -> tuple[str, str]:
    """Return the outcome of checking the files of a folder, and the reason."""
    paths = [folder / name for name in NAMES]
    problem = paths[0].read_bytes().decode("latin-1")
    readers: dict[str, Callable[[], Mapping[str, Any]]] = {
        "check": lambda: check_answer(*paths, external=False).as_json(),
        "second": lambda: _followed_again(text_of(paths[0]), text_of(paths[1])),
        "small": lambda: satsweeper_check.check([*map(str, paths)]),
    }
    return judged(readers, lambda found: false_claim(found, problem))


def _followed_again(problem: str, proof: str) -> dict[str, Any]:
    """Return the conclusion of the second follower alone."""
    found = recheck_answer(problem, proof, NAMES[1])
    if found.conclusion == "NONE":
        raise WrongCertificateError(NAMES[1], "it concludes nothing")
    says = {"UNSAT": "UNSATISFIABLE", "SAT": "SATISFIABLE"}.get(found.conclusion, "BOUNDS")
    return {"status": says, "lower": found.lower, "upper": found.upper}


def _bound(problem: str, proof: str, rng: random.Random) -> tuple[str, str]:
    """Change a bound of the conclusion, or which constraint it names."""
    *head, last, end, _ = proof.split("\n")
    words = last.split(" ")
    at = rng.choice([at for at, word in enumerate(words) if word.lstrip("-").isdigit()] or [0])
    step = rng.choice([-2, -1, 1, 2])
    words[at] = str(int(words[at]) + step) if at else words[at]
    return problem, "\n".join([*head, " ".join(words), end, ""])


def _dropped(problem: str, proof: str, rng: random.Random) -> tuple[str, str]:
    """Leave out a step."""
    lines = proof.split("\n")
    del lines[rng.randrange(2, len(lines) - 3)]
    return problem, "\n".join(lines)


def _shifted(problem: str, proof: str, rng: random.Random) -> tuple[str, str]:
    """Change a number of a step, the number of a constraint as a rule."""
    lines = proof.split("\n")
    at = rng.randrange(2, len(lines) - 3)
    numbers = [*re.finditer(r"(?<![~x0-9])[0-9]+", lines[at])]
    if numbers:
        found = rng.choice(numbers)
        new = str(max(int(found[0]) + rng.choice([-1, 1]), 0))
        lines[at] = lines[at][: found.start()] + new + lines[at][found.end() :]
    return problem, "\n".join(lines)


def _weight(problem: str, proof: str, rng: random.Random) -> tuple[str, str]:
    """Change a weight of the objective, and values in the proof by as much, sometimes."""
    lines = problem.split("\n")
    if not lines[1].startswith("min:"):
        return problem, proof
    found = rng.choice([*_TERM.finditer(lines[1])])
    step = rng.choice([-2, -1, 1, 2])
    lines[1] = lines[1][: found.start(1)] + f"{int(found[1]) + step:+}" + lines[1][found.end(1) :]
    if rng.random() < 0.5:
        values = r"(?<=: )(-?[0-9]+)(?= ;\n)|(?<=BOUNDS )(-?[0-9]+)|(-?[0-9]+)(?= : ~?x)"
        proof = re.sub(values, lambda each: str(int(each[0]) + step), proof)
    return "\n".join(lines), proof


def _solution(problem: str, proof: str, rng: random.Random) -> tuple[str, str]:
    """Turn a literal of the solutions around, in all of them or in one."""
    lines = proof.split("\n")
    shown = [at for at, line in enumerate(lines) if re.match(r"soli|conclusion (SAT|BOUNDS)", line)]
    if not shown:
        return problem, proof
    v = rng.randint(1, 8)
    for at in shown if rng.random() < 0.5 else [rng.choice(shown)]:
        new = rf"x{v}\b" if rng.random() < 0.5 and f"~x{v}" in lines[at] else rf"~?x{v}\b"
        lines[at] = re.sub(new, lambda each: each[0][1:] if each[0][0] == "~" else f"~{each[0]}",
                           lines[at])  # fmt: skip
    return problem, "\n".join(lines)


CHANGES: Final[dict[str, Callable[[str, str, random.Random], tuple[str, str]]]] = {
    "the conclusion": _bound,
    "a step left out": _dropped,
    "a number": _shifted,
    "the objective": _weight,
    "a solution": _solution,
}
"""Name of a change of the problem or its proof -> the change."""


def false_claim(found: Mapping[str, Any], problem: str) -> str | None:
    """Return in words why what a checker says of ``problem`` is false; None if it is so."""
    values = objectives(problem)
    if values is None:
        return "what cannot be tried: too many variables"
    says = found.get("status", found.get("says"))
    if (says == "UNSATISFIABLE") == bool(values):
        return f"{says}, and the problem has {len(values)} solutions"
    if says in ("OPTIMUM FOUND", "BOUNDS") and not found["lower"] <= min(values) <= found["upper"]:
        return f"from {found['lower']} to {found['upper']}, and the optimum is {min(values)}"
    return None


def objectives(problem: str) -> list[int] | None:
    """Return the objective of each solution of an OPB text, by trying; None if it is too large."""
    text = "\n".join(line for line in problem.split("\n") if not line.startswith("*"))
    used = sorted({int(v) for v in re.findall("x([0-9]+)", text)})
    if len(used) > MOST_TRIED:
        return None
    statements = [statement.strip() for statement in text.split(";")[:-1]]
    terms = [[(int(w), bool(n), int(v)) for w, n, v in _TERM.findall(s)] for s in statements]
    ends = [re.search(r"(>=|<=|=)\s*([+-]?[0-9]+)$", statement) for statement in statements]
    found = []
    for bits in product((False, True), repeat=len(used)):
        value = dict(zip(used, bits, strict=True))
        sums = [sum(w for w, negated, v in each if value[v] != negated) for each in terms]
        pairs = [(total, end[1], int(end[2])) for total, end in zip(sums, ends, strict=True) if end]
        if all({">=": t >= b, "<=": t <= b, "=": t == b}[relation] for t, relation, b in pairs):
            found.append(sums[0] if text.strip().startswith("min:") else 0)
    return found
