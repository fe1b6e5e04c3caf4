"""What a solver says of a problem as it stands, by the problem's own names, checked there.

That is what ``solve`` prints, and what solvers of the pseudo-Boolean competitions and the MaxSAT
Evaluations print of OPB, WBO and WCNF: no map of variables is needed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from pbcnf.constraints.constraint import Cardinality, Constraint, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formats.error import FormatError, excerpt
from satsweeper.export.decode import Judgement, MapMismatchError
from satsweeper.export.decode_problem import DecodedProblem, decode_problem
from satsweeper.export.name_map import ProblemMap
from satsweeper.optimisation import Settings, Status, solve
from satsweeper.solvers.output import Claim, Output

_WORD: Final = re.compile(rb"-?\|[^|]*\|(?:=\S*)?|\S+")
_NUMBER: Final = re.compile(rb"-?[0-9]{1,4000}")


@dataclass(frozen=True)
class Vocabulary:
    """What the values of a problem are called where it is printed: names are told by place."""

    names: Sequence[str] = field(repr=False)
    """Of the problem's own variables, as ``v`` lines have them."""
    called: Sequence[str] = field(repr=False)
    """Of all variables, as a person is told."""
    integers: Mapping[str, Objective]
    """The sums behind integers, as ``v`` lines name these."""
    digits: bool
    """Whether a line of digits, one a variable, is a model."""


def numbered(
    lines: Iterable[bytes], source: str, words: Vocabulary, fixed: list[Constraint]
) -> Iterator[bytes]:
    """The lines with ``v x3 -x4`` for names or digits; values of integers go to ``fixed``.

    Raises FormatError for a word that is neither.
    """
    numbers = {name.encode(): var for var, name in enumerate(words.names, start=1)}
    integers = {name.encode(): each for name, each in words.integers.items()}
    for place, line in enumerate(lines, start=1):
        if line.split(None, 1)[:1] != [b"v"]:
            yield line
            continue
        if words.digits and re.fullmatch(rb"v\s+[01]{%d}\s*" % len(words.names), line):
            digits = enumerate(line.split()[1], start=1)
            yield b"v " + b" ".join(_word(var, digit == ord("1")) for var, digit in digits)
            continue
        found = []
        for match in _WORD.finditer(line, line.index(b"v") + 1):
            word = match[0]
            name, _, value = word.rpartition(b"=")
            if name in integers and _NUMBER.fullmatch(value):
                fixed.append(_equation(integers[name], int(value)))
            elif word in numbers:
                found.append(_word(numbers[word], True))
            elif word[:1] == b"-" and word[1:] in numbers:
                found.append(_word(numbers[word[1:]], False))
            else:
                message = f"'{excerpt(word)}': no variable of the problem"
                raise FormatError(source, place, match.start() + 1, message)
        yield b"v " + b" ".join(found)


def _word(var: int, true: bool) -> bytes:
    return b"%sx%d" % (b"" if true else b"-", var)


def _equation(integer: Objective, value: int) -> Constraint:
    left = value - integer.constant
    return PseudoBoolean(integer.lits, integer.weights, lower=left, upper=left)


def decode_solution(
    problem: Problem,
    words: Vocabulary,
    output: Output,
    fixed: Sequence[Constraint],
    seconds: float | None,
) -> DecodedProblem:
    """A claim on the problem; variables that it does not name get the values that cost least.

    Raises MapMismatchError for a model that leaves open what a constraint depends on, and if no
    values of the others are found in time.
    """
    names = ProblemMap(tuple(words.called), problem.num_vars)
    own = len(words.names)
    behind = {abs(lit) for each in words.integers.values() for lit in each.lits}
    if output.claim is not Claim.SATISFIABLE or (own == problem.num_vars and not behind):
        return decode_problem(problem, names, output)
    equated = {abs(lit) for each in fixed for lit in each.lits}
    given = {*map(abs, output.literals), *equated}
    used = {abs(lit) for each in problem.constraints for lit in each.lits}
    missing = sorted(var for var in used if var <= own and var not in given)
    if missing:
        raise MapMismatchError(
            f"the model is incomplete: no value for {words.called[missing[0] - 1]}"
        )
    units = tuple(Cardinality([lit], lower=1) for lit in output.literals)
    settled = replace(problem, constraints=(*problem.constraints, *units, *fixed))
    outcome = solve(settled, Settings(), seconds=seconds)
    if outcome.model is None:
        if outcome.status is Status.UNKNOWN:
            raise MapMismatchError("the values of the other variables were not found in time")
        return _contradicted(problem, names, output)
    whole = replace(output, literals=outcome.model)
    decoded = decode_problem(problem, names, whole)
    true = set(outcome.model)
    values = {
        name: value
        for var, (name, value) in enumerate(decoded.values.items(), start=1)
        if var <= own and var not in behind
    }
    values |= {name: each.value(true) for name, each in words.integers.items()}
    return replace(decoded, values=values)


def _contradicted(problem: Problem, names: ProblemMap, output: Output) -> DecodedProblem:
    try:
        decoded = decode_problem(problem, names, output)
    except MapMismatchError:
        decoded = None
    if decoded is not None and decoded.judgement is Judgement.WRONG:
        return decoded
    sentence = "wrong model: its values contradict the constraints"
    return DecodedProblem(
        output.claim, Judgement.WRONG, sentence, wrong={"claim": str(output.claim)}
    )
