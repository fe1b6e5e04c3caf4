"""A problem as a file of clauses, encoded piece by piece; its proof, its map, and its encoders."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, Final, Literal

from pbcnf.constraints.constraint import Constraint, Parity
from pbcnf.constraints.order import LiteralOrder, literal_order
from pbcnf.emission.dispatch import Kind, choose
from pbcnf.emission.whole_problems import (
    Choices,
    CountingSink,
    Encoded,
    Tally,
    encode_problem,
    tallied,
)
from pbcnf.encoders.choice import Budget
from pbcnf.formats.problem_file import ProblemFile
from pbcnf.formats.problems import read_whole
from pbcnf.formats.table import FORMATS
from pbcnf.formats.write.dimacs import DimacsStream, head, write_dimacs
from pbcnf.formats.write.xcnf import xor_lines
from pbcnf.formats.writing import write_json
from pbcnf.formula import EncodingSize, Formula
from pbcnf.wording import counted
from satsweeper.export.name_map import PROBLEM_MAP, auxiliary_ranges
from satsweeper.version import __version__

_SCHEMA: Final = "satsweeper/encode/1"


@dataclass(frozen=True)
class ProblemReport:
    """Sizes, encoders and objective of an encoded problem."""

    format: str
    inputs: int
    """The number of variables of the problem itself, without auxiliary variables."""
    total: EncodingSize
    """The numbers of all variables, clauses and literals, inputs included."""
    tallies: dict[Kind, Tally]
    objective: str | None
    """The objective in words; None without an objective."""
    xor_lines: int = 0
    """The number of parities written as XOR lines beside the clauses."""
    objective_kept: bool = False
    """Whether the objective is in the file, as soft clauses."""
    objective_scale: int = 1
    """Factor by which the objective was multiplied to give integer weights."""
    steps: int | None = None
    """Number of steps of the proof; None without a proof."""
    one_way: str | None = None
    """Why the proof shows only that no solution is lost; None if it shows equivalence."""

    @property
    def shown(self) -> str:
        """The claim that the proof shows: "equivalent", or "no solution lost"."""
        return "equivalent" if self.one_way is None else "no solution lost"

    def as_json(self) -> dict[str, Any]:
        """Return the report in schema ``satsweeper/encode/1``."""
        return {
            "schema": _SCHEMA,
            "format": self.format,
            "inputs": self.inputs,
            **vars_of(self.total),
            "xor_lines": self.xor_lines,
            "objective": self.objective,
            "objective_kept": self.objective_kept,
            "objective_scale": self.objective_scale,
            **({} if self.steps is None else {"steps": self.steps, "shown": self.shown}),
            "kinds": {
                kind.value: {
                    "constraints": tally.constraints,
                    **vars_of(tally.size),
                    "encoders": dict(sorted(tally.encoders.items())),
                    **({"groups": tally.groups} if tally.groups else {}),
                }
                for kind, tally in self.tallies.items()
            },
        }


def vars_of(size: EncodingSize) -> dict[str, int]:
    """Return the numbers of variables, clauses and literals of ``size`` by name."""
    return {"variables": size.variables, "clauses": size.clauses, "literals": size.literals}


def encode_file(
    problem: ProblemFile,
    stream: IO[bytes],
    format: str,
    choices: Choices,
    most_clauses: int | None = None,
    names: IO[bytes] | None = None,
    order: LiteralOrder = LiteralOrder.GIVEN,
    *,
    groups: bool = False,
    reach: Callable[[int], None] | None = None,
) -> ProblemReport:
    """Write the formula of ``problem`` to ``stream``, and its name map to ``names`` unless None.

    In the formats cnf and xcnf the clauses are written to a temporary file first, since the header
    holds their number; in any other format the whole formula is in memory.

    Args:
        problem: the problem, read constraint by constraint.
        stream: receives the formula.
        format: name of a format of clauses in ``FORMATS``.
        choices: the encoder of each kind of constraint.
        most_clauses: limit on the clauses of one constraint; None for no limit.
        names: receives the name map, schema ``satsweeper/problem-map/1``.
        order: of the literals of each constraint; any but the given one, and the reversed one,
            needs all constraints in memory.
        groups: whether sums use the groups of literals that at-most-one constraints and clauses of
            two literals make; the constraints are in memory then.
        reach: gets the number of constraints encoded so far, after each.

    Raises:
        FormatError: the problem's text is wrong somewhere.
        ValueError: an encoder cannot express a constraint, or would need too many clauses.
        OSError: a file cannot be read or written.
    """
    constraints = _in_order(problem.constraints, order)
    auxiliaries: list[Encoded] = []
    kept: list[Parity] | None = [] if FORMATS[format].keeps_parities else None

    # Of all encoded constraints only those with auxiliary variables are kept, for the map.
    def noted(sink: CountingSink) -> Iterator[Encoded]:
        found = encode_problem(
            constraints, sink, choices, most_clauses, kept, "find" if groups else None
        )
        for constraint in found:
            if reach is not None:
                reach(constraint.number)
            if names is not None and constraint.size.variables:
                auxiliaries.append(constraint)
            yield constraint

    def encoded(sink: CountingSink) -> tuple[ProblemReport, tuple[str, ...]]:
        tallies = tallied(noted(sink))
        total = EncodingSize(sink.num_vars, sink.num_clauses, sink.num_literals)
        report = ProblemReport(
            *(problem.format, problem.num_vars, total, tallies, problem.objective),
            len(kept or ()),
            FORMATS[format].keeps_objective and problem.objective is not None,
            1 if problem.parsed_objective is None else problem.parsed_objective.scale,
        )
        return report, tuple(_comments(report, order))

    if format in ("cnf", "xcnf"):
        # The header comes first and holds the number of clauses, which is known only after the last
        # constraint is encoded.
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
        _write_map(problem, auxiliaries, names)
    return report


def encode_certified(
    problem: ProblemFile,
    source: str,
    stream: IO[bytes],
    proof: IO[bytes],
    choices: Choices,
    most_clauses: int | None = None,
    names: IO[bytes] | None = None,
    order: LiteralOrder = LiteralOrder.GIVEN,
    *,
    groups: bool = False,
) -> ProblemReport:
    """Write the clauses as `encode_file` does, and their derivation from the rows of ``problem``.

    It is written to ``proof``, and goes on to the rows, derived from the clauses again, where the
    encoders have that. The whole problem is in memory. ``source`` names the problem in messages;
    the other parameters are those of `encode_file`.

    Raises:
        ProofError: the file is not OPB as checkers read it: rows of x1, x2, ... and nothing else.
        FormatError: the problem's text is wrong somewhere.
        ValueError: an encoder cannot express a constraint, or would need too many clauses.
        OSError: a file cannot be read or written.
    """
    from pbcnf.derivation import write_proof
    from pbcnf.derivation.opb import derive_opb

    whole = read_whole(problem)
    assert problem.lines is not None
    raw = b"".join(problem.lines.blocks())
    constraints = [*_in_order(whole.constraints, order)]
    found: Literal["find"] | None = "find" if groups else None
    made = derive_opb(raw, constraints, choices, most_clauses, source, found)
    formula = made.formula
    total = EncodingSize(formula.num_vars, formula.num_clauses, formula.num_literals)
    report = ProblemReport(
        *(problem.format, problem.num_vars, total, tallied(made.encoded), problem.objective),
        steps=made.derivation.added,
        one_way=made.one_way,
    )
    write_dimacs(formula, stream, comments=tuple(_comments(report, order)))
    write_proof(made.derivation, proof)
    if names is not None:
        _write_map(problem, made.encoded, names)
    return report


def _in_order(constraints: Iterable[Constraint], order: LiteralOrder) -> Iterable[Constraint]:
    """Return the constraints one by one, their literals in ``order``."""
    if order in (LiteralOrder.GIVEN, LiteralOrder.REVERSED):
        return map(literal_order(order, 0, ()), constraints)
    every = [*constraints]
    return map(literal_order(order, 0, every), every)


def _comments(report: ProblemReport, order: LiteralOrder) -> Iterator[str]:
    """Yield the comments above the clauses."""
    yield f"satsweeper {__version__}"
    numbers = f"1 to {report.inputs}" if report.inputs else "none"
    yield f"problem {report.format}, its variables {numbers}"
    for kind, tally in report.tallies.items():
        for encoder, times in sorted(tally.encoders.items()):
            yield f"encoding of {kind.value}: {encoder}, {counted(times, 'time')}"
        if tally.groups:
            yield f"encoding of {kind.value}: with {counted(tally.groups, 'group')} of literals"
    if order is not LiteralOrder.GIVEN:
        yield f"order of literals: {order}"
    if report.xor_lines:
        yield f"parities: {counted(report.xor_lines, 'XOR line')}, behind the clauses"
    if report.objective is not None and not report.objective_kept:
        yield "the objective is left out"
    elif report.objective_scale != 1:
        yield f"the objective here is {report.objective_scale} times that of the problem"


def own_names(problem: ProblemFile) -> list[str]:
    """Return the names of the variables of ``problem``, variable i at place i - 1, each name once.

    A name that the file gives to several variables is followed by the number of the variable, as in
    ``a [3]``.
    """
    names = _names(problem, problem.names())
    times = Counter(names)
    return [
        name if times[name] == 1 else f"{name} [{var}]" for var, name in enumerate(names, start=1)
    ]


def spelled_names(problem: ProblemFile) -> list[str]:
    """Return the names that the constraints use, without names that only comments give."""
    return _names(problem, problem.spelled())


def _names(problem: ProblemFile, given: Mapping[int, str]) -> list[str]:
    """Return the names ``given`` by variable; a variable without one is named by its number."""
    prefix = "x" if problem.format == "opb" else ""
    return [given.get(var, f"{prefix}{var}") for var in range(1, problem.num_vars + 1)]


def _write_map(problem: ProblemFile, encoded: Iterable[Encoded], stream: IO[bytes]) -> None:
    """Write the name map, schema ``satsweeper/problem-map/1``: names, and auxiliary variables."""
    names = {str(var): name for var, name in enumerate(own_names(problem), start=1)}
    auxiliaries = auxiliary_ranges(encoded)
    write_json({"schema": PROBLEM_MAP, "variables": names, "auxiliaries": auxiliaries}, stream)


@dataclass
class EncoderChoice:
    """Constraints of one kind with equal encoder and reason; encoder None: no encoder is needed."""

    kind: str
    encoder: str | None
    reason: str
    constraints: int
    size: EncodingSize
    """The size that all ``constraints`` add; units and clauses without an encoder count 0."""

    def as_json(self) -> dict[str, Any]:
        """Return an entry of schema ``satsweeper/choices/1``."""
        return {
            "kind": self.kind,
            "encoder": self.encoder,
            "reason": self.reason,
            "constraints": self.constraints,
            **vars_of(self.size),
        }

    def __str__(self) -> str:
        """Return the choice as a line of text, with the numbers of variables and clauses."""
        how = self.reason if self.encoder is None else f"{self.encoder}: {self.reason}"
        size = f"{counted(self.size.variables, 'variable')}, {counted(self.size.clauses, 'clause')}"
        return f"{self.constraints} x {self.kind}, {how} ({size})"


def chosen(constraints: Iterable[Constraint], by: str = "size") -> list[EncoderChoice]:
    """Return the encoders chosen for ``constraints``, by kind and reason, in order of appearance.

    ``by`` is the rule, as for ``pbcnf.choose``.

    >>> from pbcnf import Cardinality
    >>> found = chosen([Cardinality([1, 2, 3], 0, 1), Cardinality([2, 3, 4], 0, 1)])
    >>> [(one.constraints, one.encoder, one.size.clauses) for one in found]
    [(2, 'pairwise', 6)]
    """
    found: dict[tuple[str, str | None, str], EncoderChoice] = {}
    budget = Budget()
    for constraint in constraints:
        choice = choose(constraint, budget, by)
        key = choice.kind.value, choice.encoder, choice.reason
        if key not in found:
            found[key] = EncoderChoice(*key, 0, EncodingSize(0, 0, 0))
        found[key].constraints += 1
        found[key].size += choice.size
    return [*found.values()]
