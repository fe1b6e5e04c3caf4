"""Random mutations of proofs of answers: each is rejected, or what is accepted is true.

Random OPB problems of a few variables are solved, and their answers proved in each of the ways that
there are: sums of rows, branching, cores, clauses, and bounds beside a solution that need not be
best. Then a byte, a line or a word of the problem or the proof changes, or the proof becomes that
of another problem; or a bound of the conclusion, the number of a constraint, a weight of the
objective or a literal of the solutions is another one, or a step is left out. What is accepted is
judged by trying every assignment of the problem that was accepted. `check` follows a proof twice,
and both must agree; the small checker is asked as well: where it differs, that is printed.

Exit codes: 0 no false claim was accepted; 1 one was, or the checker failed otherwise than by
refusing; 130 interrupted. The same seed makes the same mutations.
"""

import io
import random
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf.formats.problems import read_problem
from satsweeper.certificate.answer import answer_proof
from satsweeper.checker.answer import check_answer
from satsweeper.optimisation.run import Settings, solve
from satsweeper.optimisation.search import SearchLog, SolveStatus
from scripts.fuzzing.forgery import Outcome, judged, mutated, run

MOST_TRIED: Final = 12
"""Largest number of variables of a problem of which all assignments are tried."""
NAMES: Final = ("problem.opb", "proof.pbp")
WAYS: Final = ("branching", "cores", "clauses", "bounds")
_TERM: Final = re.compile(r"([+-]?[0-9]+)\s+(~?)x([0-9]+)")

Files = tuple[bytes, bytes]
"""The contents of the files of `NAMES`."""


def make(rng: random.Random, problems: int, folder: Path) -> list[Files]:
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
            return raw, made.text


def drawn(rng: random.Random) -> str:
    """Return a random OPB file: an objective four times of five, and rows of any relation."""
    n = rng.randint(4, 8)

    def total(size: int, weights: range) -> str:
        lits = [rng.choice(["", "", "~"]) + f"x{v}" for v in rng.sample(range(1, n + 1), size)]
        return " ".join(f"{rng.choice(weights) or 1:+} {lit}" for lit in lits)

    lines = [f"* #variable= {n} #constraint= {n}"]
    if rng.random() < 0.8:
        lines.append(f"min: {total(n, rng.choice([range(1, 9), range(-4, 12, 4)]))} ;")
    for _ in range(n):
        size, relation = rng.randint(2, min(n, 5)), rng.choice([">=", ">=", "<=", "="])
        lines.append(f"{total(size, rng.choice([range(1, 2), range(-3, 7)]))} {relation} 2 ;")
    return "\n".join(lines) + "\n"


def mutate(originals: Sequence[Files], folder: Path, rng: random.Random) -> Outcome:
    """Change a file, check, and judge the claim if accepted; return change, outcome, and why."""
    target = rng.choice(originals)
    files = target
    while files == target:
        kind = rng.choice([*NAMES, *CHANGES])
        if kind in CHANGES:
            texts = CHANGES[kind](target[0].decode(), target[1].decode(), rng)
            files = texts[0].encode(), texts[1].encode()
        elif kind == NAMES[0]:
            files = mutated(target[0], rng, [each[0] for each in originals]), target[1]
        else:
            files = target[0], mutated(target[1], rng, [each[1] for each in originals])
    paths = [folder / name for name in NAMES]
    for path, content in zip(paths, files, strict=True):
        path.write_bytes(content)
    outcome = judged(
        lambda: check_answer(*paths, external=False).as_json(),
        lambda found: false_claim(found, files[0].decode()),
        (paths, lambda found: false_claim(found, files[0].decode())),
    )
    return kind, *outcome


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


main: Final = partial(run, __doc__, make, mutate, of="problems")

if __name__ == "__main__":
    sys.exit(main())
