"""Clauses and derivations of one shape, made once and copied as text for every clue of that shape.

Both are formatted in one go: what differs between clues of a shape is numbers.
"""

import io
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pbcnf.constraints.constraint import Cardinality
from pbcnf.derivation import Derivation, Given, derive, write_proof
from pbcnf.emission.encode import encode
from pbcnf.formula import Formula

VERIPB: Final = "3.0"
"""The version of VeriPB's format that derivations are written in."""

_VARIABLE: Final = re.compile(r"x(\d+)")
_NUMBER: Final = re.compile(r"(?<![x\d])(\d+)")


class Template(NamedTuple):
    """Text with places for numbers, and which of the numbers go there."""

    text: str
    places: tuple[int, ...]

    def filled(self, numbers: Sequence[int]) -> str:
        """The text with ``numbers[place]`` in every place."""
        return self.text % tuple([numbers[place] for place in self.places])


class Pattern(NamedTuple):
    """For inputs 1 .. n, auxiliary variables from n + 1, bounds that are constraints 1 and 2.

    The numbers in ``lines`` (clauses in DIMACS) are variables, those in ``steps`` are variables
    and then constraints.
    """

    auxiliaries: int
    clauses: list[list[int]]
    lines: Template
    steps: Template
    added: int
    """How many constraints the steps add."""

    def clauses_of(self, variables: Sequence[int]) -> Iterator[list[int]]:
        """The clauses with other variables, inputs first."""
        lookup = (0, *variables, *[-variable for variable in reversed(variables)])
        for clause in self.clauses:
            yield [lookup[literal] for literal in clause]

    def lines_of(self, variables: Sequence[int]) -> str:
        """The same as lines of DIMACS."""
        return self.lines.filled((0, *variables))

    def steps_of(self, variables: Sequence[int], bound: int, taken: int) -> str:
        """The steps with other variables, ``bound`` and ``bound`` + 1 as the bounds' numbers.

        ``taken``: constraints before the first of these steps.
        """
        added = range(taken + 1, taken + 1 + self.added)
        return self.steps.filled((0, *variables, 0, bound, bound + 1, *added))


@lru_cache(maxsize=1024)
def pattern(encoding: str, n: int, mines: int) -> Pattern:
    """The pattern of "exactly ``mines`` of ``n`` inputs".

    Raises:
        ValueError: the encoding's clauses cannot be derived.
    """
    constraint = Cardinality(range(1, n + 1), mines, mines)
    derivation = Derivation(formula=2)
    derive(constraint, encoding, Given(1, 2), derivation, n + 1)
    formula = Formula(num_vars=n)
    encode(constraint, formula, encoding)
    clauses = list(formula.clauses())
    literals = [literal for clause in clauses for literal in clause]
    signed = [" ".join(["%d" if v > 0 else "-%d" for v in clause] + ["0\n"]) for clause in clauses]
    return Pattern(
        formula.num_vars - n,
        clauses,
        Template("".join(signed), tuple(map(abs, literals))),
        _step_template(steps_text(derivation), formula.num_vars + 1),
        len(derivation.steps),
    )


def steps_text(derivation: Derivation) -> str:
    """The steps of a derivation as VeriPB reads them, without what stands before and behind."""
    stream = io.BytesIO()
    write_proof(derivation, stream, VERIPB)
    return "".join(stream.getvalue().decode("ascii").splitlines(keepends=True)[2:-3])


def proof_text(formula: int, steps: str, contradiction: int | None = None) -> bytes:
    """A whole proof from steps, ``formula`` being the number of constraints before them.

    ``contradiction``: the number of a constraint that cannot hold, if it ends in one.
    """
    stream = io.BytesIO()
    write_proof(Derivation(formula), stream, VERIPB, contradiction=contradiction)
    lines = stream.getvalue().decode("ascii").splitlines(keepends=True)
    return "".join([*lines[:2], steps, *lines[2:]]).encode("ascii")


def _step_template(text: str, shift: int) -> Template:
    """``rup C : ~ ids``, ``pol ids and operations``, ``red C : x1 -> 0``: ids are shifted."""
    places: list[int] = []

    def variable(match: re.Match[str]) -> str:
        places.append(int(match[1]))
        return "x%d"

    def either(match: re.Match[str]) -> str:
        if match[1] is not None:
            return variable(match)
        places.append(shift + int(match[2]))
        return "%d"

    both = re.compile(f"{_VARIABLE.pattern}|{_NUMBER.pattern}")
    lines = []
    for line in text.splitlines(keepends=True):
        rule = line.partition(" ")[0]
        constraint, colon, hints = line.partition(":") if rule != "pol" else ("", "", line)
        constraint = _VARIABLE.sub(variable, constraint)
        hints = _VARIABLE.sub(variable, hints) if rule == "red" else both.sub(either, hints)
        lines.append(constraint + colon + hints)
    return Template("".join(lines), tuple(places))
