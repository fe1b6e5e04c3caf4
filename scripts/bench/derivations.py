"""Sums, and the cost of deriving the clauses that an encoder makes of a sum."""

import io
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pbcnf import dimacs
from pbcnf.derivation import write_proof
from pbcnf.derivation.opb import derive_opb
from pbcnf.emission.whole_problems import Choices, suited
from pbcnf.encoders.protocol import WeightedEncoder
from pbcnf.encoders.table import ENCODERS, expresses
from pbcnf.formats.problems import read_problem
from pbcnf.proof.cutting_planes.encodings import check_encoding
from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits

COLUMNS: Final = (
    "encoder", "clauses", "variables", "steps", "steps/clause", "bytes/clause", "made ms",
    "checked ms",
)  # fmt: skip


class Sum(NamedTuple):
    """The constraint ``sum of weight * input <= upper``."""

    title: str
    weights: tuple[int, ...]
    upper: int

    def opb(self) -> bytes:
        """Return the constraint as an OPB problem."""
        terms = " ".join(f"+{weight} x{var}" for var, weight in enumerate(self.weights, 1))
        return f"{terms} <= {self.upper} ;\n".encode()

    def clauses(self, name: str) -> int | None:
        """The number of clauses that an encoder emits; None if the sum cannot be expressed."""
        encoder, n = ENCODERS[name], len(self.weights)
        if set(self.weights) == {1}:
            expressed = expresses(encoder, n, 0, self.upper)
            return encoder.size(n, 0, self.upper).clauses if expressed else None
        if not isinstance(encoder, WeightedEncoder):
            return None
        return encoder.weighted_size(self.weights, 0, self.upper).clauses


class Figures(NamedTuple):
    """The figures of one derivation; times are milliseconds of CPU time."""

    clauses: int
    variables: int
    steps: int
    size: int
    made_ms: float
    checked_ms: float


@dataclass(frozen=True, slots=True)
class Row:
    """The measurement of an encoder, or the reason for its absence."""

    encoder: str
    found: Figures | str

    @property
    def cells(self) -> list[str]:
        """The cells of the row as Markdown text."""
        if isinstance(self.found, str):
            return [f"`{self.encoder}`", self.found, *[""] * (len(COLUMNS) - 2)]
        counts = [str(number) for number in self.found[:3]]
        times = [f"{time:.0f}" for time in self.found[-2:]]
        return [f"`{self.encoder}`", *counts, *self.rate.split(", "), *times]

    @property
    def rate(self) -> str:
        """Steps, and bytes, per clause; empty if nothing was measured."""
        if isinstance(self.found, str):
            return ""
        clauses, _, steps, size, *_ = self.found
        return f"{steps / clauses:.2f}, {size / clauses:.0f}"


def sums(counts: Sequence[int], ones: Sequence[int], weighted: Sequence[int]) -> list[Sum]:
    """Return sums of the given sizes, with weights that are equal in every run."""
    found = [
        Sum(f"at most {upper} of {n}", (1,) * n, upper) for n in counts for upper in (n // 2, 3)
    ]
    found += [Sum(f"at most 1 of {n}", (1,) * n, 1) for n in ones]
    for n in weighted:
        draw = random.Random(n)
        weights = tuple(draw.randint(1, 100) for _ in range(n))
        found.append(Sum(f"half of {n} weights", weights, sum(weights) // 2))
    return found


def measure_one(of: Sum, name: str) -> Figures:
    """Derive, write and check once. Raises ProofError if what is derived is refused."""
    raw = of.opb()
    problem = read_problem(io.BytesIO(raw), "row.opb")
    choices, stream = Choices(**suited(name)), io.BytesIO()
    start = time.thread_time_ns()
    made = derive_opb(raw, problem.constraints, choices)
    write_proof(made.derivation, stream)
    cnf, proof = dimacs(made.formula).encode(), stream.getvalue()
    between = time.thread_time_ns()
    checked = check_encoding(raw, cnf, proof)
    end = time.thread_time_ns()
    variables = checked.variables - checked.inputs
    times = (between - start) / 1e6, (end - between) / 1e6
    return Figures(checked.clauses, variables, checked.steps, len(proof), *times)


def measure(
    of: Sum, name: str, repeat: int, most_clauses: int, limits: Limits
) -> Figures | str | None:
    """Return the least times of `repeat` runs in a child process, or why there are none.

    None stands for an encoder that does not express the sum.

    Raises ValueError for a derivation that fails or is refused.
    """

    def once() -> Figures | str | None:
        clauses = of.clauses(name)
        if clauses is None or clauses <= most_clauses:
            return None if clauses is None else measure_one(of, name)
        return f"{clauses if clauses < 10**7 else format(clauses, '.0e')}: too many"

    found: list[Figures] = []
    with Forked(lambda _: once(), limits) as child:
        for _ in range(repeat):
            answer: Figures | Ended | str | None = child.ask(None)
            if isinstance(answer, Ended) and answer.how == "error":
                raise ValueError(f"{name}, {of.title}: {answer.what}")
            if isinstance(answer, Ended):
                return f"not within {limits.seconds:g} s" if answer.how == "timeout" else answer.how
            if not isinstance(answer, Figures):
                return answer
            found.append(answer)
    made, checked = (min(getattr(each, side) for each in found) for side in Figures._fields[-2:])
    return found[0]._replace(made_ms=made, checked_ms=checked)
