#!/usr/bin/env python3
"""Cost of deriving an encoding: steps, bytes, and milliseconds of making and checking.

For every encoder whose clauses can be derived, and every sum that it expresses: at most half and
at most 3 of n, at most 1 of n, and weighted sums up to half of their total, with weights from 1 to
100. Made is what `satsweeper encode --proof` writes, clauses and derivation; checked is what
`satsweeper check` does first. CPU time of forked children, the least of several runs. Variables are
the auxiliary ones; a step adds one constraint.

Exit codes: 0 done; 1 a derivation is refused (printed), or bad input; 2 wrong usage; 130
interrupted, after printing what there is.

Examples: scripts/bench_derivations.py --encoders totalizer,adder
  scripts/bench_derivations.py --counts 100 --ones 100 --weighted 40 --update encodings/README.md
"""

import argparse
import io
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf import dimacs
from pbcnf.derivation import write_proof
from pbcnf.derivation.families import DERIVABLE
from pbcnf.derivation.opb import derive_opb
from pbcnf.emission.whole_problems import Choices, suited
from pbcnf.encoders.protocol import WeightedEncoder
from pbcnf.encoders.table import ENCODERS, expresses
from pbcnf.formats.problems import read_problem
from pbcnf.proof.cutting_planes.encodings import check_encoding
from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits
from satsweeper.report.table import markdown_table
from satsweeper.show.progress import progress
from scripts.bench.output import describe, lines
from scripts.frame import arguments as frame

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
        """Return the number of clauses that the encoder ``name`` emits for the sum.

        None if the encoder does not express the sum.
        """
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


Row = dict[str, Figures | str]
"""The measurement of a sum by encoder, or the reason for its absence."""


def _cells(encoder: str, found: Figures | str) -> list[str]:
    if isinstance(found, str):
        return [f"`{encoder}`", found, *[""] * (len(COLUMNS) - 2)]
    counts = [str(number) for number in found[:3]]
    times = [f"{time:.0f}" for time in found[-2:]]
    return [f"`{encoder}`", *counts, *_rate(found).split(", "), *times]


def _rate(found: Figures | str) -> str:
    """Return steps, and bytes, per clause; an empty text if nothing was measured."""
    if isinstance(found, str):
        return ""
    return f"{found.steps / found.clauses:.2f}, {found.size / found.clauses:.0f}"


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
    """Derive, write and check one encoding of ``of``; raise ProofError if the check refuses it."""
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


SECTION: Final = "derivations"
DERIVED: Final = [name for name in ENCODERS if name in DERIVABLE]


def markdown(found: dict[str, Row]) -> str:
    """Return a table for each sum, then a table of all rates."""
    parts = [
        f"**{title.capitalize()}**\n\n{_table(COLUMNS, [_cells(*item) for item in held.items()])}"
        for title, held in found.items()
    ]
    if len(found) > 1:
        rates = {name: [_rate(held.get(name, "")) for held in found.values()] for name in DERIVED}
        lines = [[f"`{name}`", *held] for name, held in rates.items() if any(held)]
        parts.append(f"**Steps, and bytes, per clause**\n\n{_table(['encoder', *found], lines)}")
    return "\n\n".join(parts)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return markdown_table(heads, rows, range(1, len(heads)))


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and put them into a page if asked."""
    parser = frame.parser_of(__doc__)
    add = parser.add_argument
    add("--encoders", type=frame.names_of(DERIVED), default=[*DERIVED], metavar="A,B",
        help="default: all")  # fmt: skip
    add("--counts", type=frame.sizes, default=[20, 50, 100, 200], metavar="N,N",
        help="inputs of at most half and at most 3; default: 20,50,100,200")  # fmt: skip
    add("--ones", type=frame.sizes, default=[100, 1000], metavar="N,N",
        help="inputs of at most 1; default: 100,1000")  # fmt: skip
    add("--weighted", type=frame.sizes, default=[20, 40, 80], metavar="N,N",
        help="inputs of weighted sums; default: 20,40,80")  # fmt: skip
    add("--repeat", type=frame.positive, default=3, metavar="N", help="timed runs (%(default)s)")
    add("--most-clauses", type=frame.positive, default=20_000, metavar="N",
        help="nothing larger is derived (%(default)s)")  # fmt: skip
    add("--time-limit", type=frame.positive, default=60, metavar="S",
        help="CPU seconds of a run (%(default)s)")  # fmt: skip
    frame.add_update(parser)
    arguments = parser.parse_args(argv)
    return frame.ended("bench_derivations", lambda: _bench(arguments, argv))


def _bench(arguments: argparse.Namespace, argv: Sequence[str] | None) -> int:
    frame.require_section(arguments.update, SECTION)
    wanted = sums(arguments.counts, arguments.ones, arguments.weighted)
    limits = Limits(arguments.time_limit, memory=4 * 2**30)
    found: dict[str, Row] = {}
    try:
        with progress("derivations", len(wanted)) as reach:
            for done, each in enumerate(wanted, start=1):
                row = found.setdefault(each.title, {})
                for name in arguments.encoders:
                    of = measure(each, name, arguments.repeat, arguments.most_clauses, limits)
                    if of is not None:
                        row[name] = of
                reach(done)
    except KeyboardInterrupt:
        print(markdown(found))
        raise
    print("\n".join(["```", *lines(describe()), "```", "", markdown(found)]))
    if arguments.update is not None:
        made_by = frame.command_of("bench_derivations", argv)
        frame.update(arguments.update, made_by, {SECTION: markdown(found)})
    return 0


if __name__ == "__main__":
    sys.exit(main())
