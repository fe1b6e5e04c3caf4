"""A pseudo-Boolean problem as a file of clauses: read, encoded and written piece by piece."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, Final

from pbcnf.constraints.constraint import Parity
from pbcnf.emission.dispatch import Kind
from pbcnf.emission.whole_problems import (
    Choices,
    CountingSink,
    Encoded,
    Tally,
    encode_problem,
    tallied,
)
from pbcnf.formats.problem_file import ProblemFile
from pbcnf.formats.table import FORMATS
from pbcnf.formats.write.dimacs import head
from pbcnf.formats.write.dimacs_stream import DimacsStream
from pbcnf.formats.write.xcnf import xor_lines
from pbcnf.formats.writing import write_json
from pbcnf.formula import EncodingSize, Formula
from pbcnf.wording import counted
from satsweeper.export.name_map import PROBLEM_MAP
from satsweeper.version import __version__

_SCHEMA: Final = "satsweeper/encode/1"


@dataclass(frozen=True)
class ProblemReport:
    """What became of a problem."""

    format: str
    inputs: int
    """The number of the problem's own variables."""
    total: EncodingSize
    """All variables, those of the problem included; all clauses and literals."""
    tallies: dict[Kind, Tally]
    objective: str | None
    """The objective in words; it is left out unless it is kept."""
    xor_lines: int = 0
    """The parities that are lines of their own, beside the clauses."""
    objective_kept: bool = False
    """Whether the objective is in the file, as soft clauses."""
    objective_scale: int = 1
    """It is so many times the objective of the problem, whose weights are no integers."""
    steps: int | None = None
    """Of the proof, if there is one."""

    def as_json(self) -> dict[str, Any]:
        """Schema ``satsweeper/encode/1``."""
        return {
            "schema": _SCHEMA,
            "format": self.format,
            "inputs": self.inputs,
            **vars_of(self.total),
            "xor_lines": self.xor_lines,
            "objective": self.objective,
            "objective_kept": self.objective_kept,
            "objective_scale": self.objective_scale,
            **({} if self.steps is None else {"steps": self.steps}),
            "kinds": {
                kind.value: {
                    "constraints": tally.constraints,
                    **vars_of(tally.size),
                    "encoders": dict(sorted(tally.encoders.items())),
                }
                for kind, tally in self.tallies.items()
            },
        }


def vars_of(size: EncodingSize) -> dict[str, int]:
    """The three numbers of a size, by name."""
    return {"variables": size.variables, "clauses": size.clauses, "literals": size.literals}


def encode_file(
    problem: ProblemFile,
    stream: IO[bytes],
    format: str,
    choices: Choices,
    most_clauses: int | None = None,
    names: IO[bytes] | None = None,
) -> ProblemReport:
    """Write the formula of a problem, and what its variables stand for to ``names`` if it is given.

    The clauses of CNF (and of xcnf, with parities behind them) wait in a temporary file for the
    header, which has their number; in any other format the formula is in memory meanwhile.

    Raises:
        FormatError: the problem's text is wrong somewhere.
        ValueError: an encoder cannot express a constraint, or would need too many clauses.
        OSError: something cannot be read or written.
    """
    auxiliaries: list[Encoded] = []
    kept: list[Parity] | None = [] if FORMATS[format].keeps_parities else None

    def noted(sink: CountingSink) -> Iterator[Encoded]:
        for one in encode_problem(problem.constraints, sink, choices, most_clauses, kept):
            if names is not None and one.size.variables:
                auxiliaries.append(one)
            yield one

    def encoded(sink: CountingSink) -> tuple[ProblemReport, tuple[str, ...]]:
        tallies = tallied(noted(sink))
        total = EncodingSize(sink.num_vars, sink.num_clauses, sink.num_literals)
        report = ProblemReport(
            *(problem.format, problem.num_vars, total, tallies, problem.objective),
            len(kept or ()),
            FORMATS[format].keeps_objective and problem.objective is not None,
            1 if problem.parsed_objective is None else problem.parsed_objective.scale,
        )
        return report, tuple(comments_of(report))

    if format in ("cnf", "xcnf"):
        with tempfile.TemporaryFile() as body:
            clauses = DimacsStream(body, problem.num_vars)
            report, comments = encoded(clauses)
            clauses.flush()
            stream.write(head(clauses.num_vars, clauses.num_clauses + len(kept or ()), comments))
            body.seek(0)
            shutil.copyfileobj(body, stream)
            stream.writelines(xor_lines(kept or ()))
    else:
        formula = Formula(problem.num_vars)
        report, comments = encoded(formula)
        objective = {"objective": problem.parsed_objective} if report.objective_kept else {}
        write = FORMATS[format].load_writer()
        write(formula, problem.num_vars, stream, comments, **objective)
    if names is not None:
        write_json(map_of(report, own_names(problem), auxiliaries), names)
    return report


def comments_of(report: ProblemReport) -> Iterator[str]:
    """What stands above the clauses."""
    yield f"satsweeper {__version__}"
    numbers = f"1 to {report.inputs}" if report.inputs else "none"
    yield f"problem {report.format}, its variables {numbers}"
    for kind, tally in report.tallies.items():
        for encoder, times in sorted(tally.encoders.items()):
            yield f"encoding of {kind.value}: {encoder}, {counted(times, 'time')}"
    if report.xor_lines:
        yield f"parities: {counted(report.xor_lines, 'XOR line')}, behind the clauses"
    if report.objective is not None and not report.objective_kept:
        yield "the objective is left out"
    elif report.objective_scale != 1:
        yield f"the objective here is {report.objective_scale} times that of the problem"


def own_names(problem: ProblemFile) -> list[str]:
    """What the problem calls its variables, variable i at place i - 1, each name once.

    A name that its file gives to several gets the number of the variable behind it.
    """
    names = _names(problem, problem.names())
    times = Counter(names)
    return [
        name if times[name] == 1 else f"{name} [{var}]" for var, name in enumerate(names, start=1)
    ]


def spelled_names(problem: ProblemFile) -> list[str]:
    """As ``own_names``, but as its constraints call them, whatever its comments do."""
    return _names(problem, problem.spelled())


def _names(problem: ProblemFile, given: Mapping[int, str]) -> list[str]:
    prefix = "x" if problem.format == "opb" else ""
    return [given.get(var, f"{prefix}{var}") for var in range(1, problem.num_vars + 1)]


def map_of(report: ProblemReport, names: list[str], auxiliaries: list[Encoded]) -> dict[str, Any]:
    """The name map, as JSON."""
    return {
        "schema": PROBLEM_MAP,
        "variables": {str(var): name for var, name in enumerate(names, start=1)},
        "auxiliaries": [
            {
                "first": one.first_auxiliary,
                "last": one.last_auxiliary,
                "constraint": one.number,
                "kind": one.kind.value,
                "encoding": one.encoder,
            }
            for one in auxiliaries
        ],
    }
