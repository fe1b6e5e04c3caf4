"""A pseudo-Boolean problem as a CNF file: read, encoded and written piece by piece."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, Final

from pbcnf.emission.whole_problems import Choices, Encoded, Kind, Tally, encode_problem, tallied
from pbcnf.encoders.protocol import EncodingSize
from pbcnf.formats.problem_file import ProblemFile
from pbcnf.formats.write.dimacs import head
from pbcnf.formats.write.dimacs_stream import DimacsStream
from pbcnf.formats.writing import write_json
from pbcnf.formula import Formula
from satsweeper.export.problem_formats import ClauseWriter
from satsweeper.version import __version__

_SCHEMA: Final = "satsweeper/encode/1"
_MAP_SCHEMA: Final = "satsweeper/problem-map/1"


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
    """What was left out of the CNF."""

    def as_json(self) -> dict[str, Any]:
        """Schema ``satsweeper/encode/1``."""
        return {
            "schema": _SCHEMA,
            "format": self.format,
            "inputs": self.inputs,
            **vars_of(self.total),
            "objective": self.objective,
            "kinds": {
                kind.value: {"constraints": tally.constraints, **vars_of(tally.size)}
                for kind, tally in self.tallies.items()
            },
        }


def vars_of(size: EncodingSize) -> dict[str, int]:
    """The three numbers of a size, by name."""
    return {"variables": size.variables, "clauses": size.clauses, "literals": size.literals}


def write_problem(
    problem: ProblemFile,
    stream: IO[bytes],
    choices: Choices,
    most_clauses: int | None = None,
    names: IO[bytes] | None = None,
) -> ProblemReport:
    """Write the CNF of a problem, and what its variables stand for to ``names`` if that is given.

    The clauses wait in a temporary file for the header, which has their number.

    Raises:
        FormatError: the problem's text is wrong somewhere.
        ValueError: an encoder cannot express a constraint, or would need too many clauses.
        OSError: something cannot be read or written.
    """
    auxiliaries: list[Encoded] = []
    used: Counter[tuple[Kind, str]] = Counter()
    with tempfile.TemporaryFile() as body:
        sink = DimacsStream(body, problem.num_vars)

        def noted() -> Iterator[Encoded]:
            for one in encode_problem(problem.constraints, sink, choices, most_clauses):
                if one.encoder is not None:
                    used[one.kind, one.encoder] += 1
                if names is not None and one.size.variables:
                    auxiliaries.append(one)
                yield one

        tallies = tallied(noted())
        sink.flush()
        total = EncodingSize(sink.num_vars, sink.num_clauses, sink.num_literals)
        report = ProblemReport(problem.format, problem.num_vars, total, tallies, problem.objective)
        stream.write(head(sink.num_vars, sink.num_clauses, _comments(report, used)))
        body.seek(0)
        shutil.copyfileobj(body, stream)
    if names is not None:
        write_json(_map(report, auxiliaries), names)
    return report


def write_problem_as(
    problem: ProblemFile,
    write: ClauseWriter,
    stream: IO[bytes],
    choices: Choices,
    most_clauses: int | None = None,
    names: IO[bytes] | None = None,
) -> ProblemReport:
    """Write the formula of a problem in another format of clauses; it is in memory meanwhile.

    Raises as ``write_problem`` does.
    """
    formula = Formula(problem.num_vars)
    encoded = list(encode_problem(problem.constraints, formula, choices, most_clauses))
    used = Counter((one.kind, one.encoder) for one in encoded if one.encoder is not None)
    total = EncodingSize(formula.num_vars, formula.num_clauses, formula.num_literals)
    report = ProblemReport(
        problem.format, problem.num_vars, total, tallied(encoded), problem.objective
    )
    write(formula, problem.num_vars, stream, tuple(_comments(report, used)))
    if names is not None:
        auxiliaries = [one for one in encoded if one.size.variables]
        write_json(_map(report, auxiliaries), names)
    return report


def _comments(report: ProblemReport, used: Counter[tuple[Kind, str]]) -> Iterator[str]:
    yield f"satsweeper {__version__}"
    yield f"problem {report.format}, its variables 1 to {report.inputs}"
    for (kind, encoder), times in sorted(used.items(), key=lambda item: str(item)):
        yield f"encoding of {kind.value}: {encoder}, {times} times"
    if report.objective is not None:
        yield "the objective is left out"


def _map(report: ProblemReport, auxiliaries: list[Encoded]) -> dict[str, Any]:
    prefix = "x" if report.format == "opb" else ""
    return {
        "schema": _MAP_SCHEMA,
        "variables": {str(var): f"{prefix}{var}" for var in range(1, report.inputs + 1)},
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
