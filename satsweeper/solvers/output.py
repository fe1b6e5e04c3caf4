"""Outputs of solver programs: claim and model, read strictly.

Three forms are distinguished by the first line that is not a comment:

* the SAT competitions' (https://satcompetition.github.io/2024/output.html): one ``s`` line, and
  for a model ``v`` lines that end with 0; pseudo-Boolean solvers name variables ``x7`` in ``v``
  lines and write no 0;
* MiniSat's result file: ``SAT``, ``UNSAT`` or ``INDET``, then literals that end with 0;
* nothing but literals: a model without a claim of its own.

Lines beginning with ``c`` are comments. Any other text is an error with its line and column: output
that was truncated or interleaved must not be accepted as an answer.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal, NoReturn

from pbcnf.formats.error import FormatError, excerpt


class Claim(StrEnum):
    """A solver's claim about its formula."""

    SATISFIABLE = "SATISFIABLE"
    UNSATISFIABLE = "UNSATISFIABLE"
    UNKNOWN = "UNKNOWN"


Form = Literal["competition", "result file", "literals"]


@dataclass(frozen=True)
class Output:
    """A solver's claim, and its ``literals`` in the order of the output, without contradictions."""

    claim: Claim
    form: Form
    literals: tuple[int, ...] = field(repr=False)


_STATUS: Final = {
    b"SATISFIABLE": Claim.SATISFIABLE,
    b"OPTIMUM FOUND": Claim.SATISFIABLE,
    b"UNSATISFIABLE": Claim.UNSATISFIABLE,
    b"UNKNOWN": Claim.UNKNOWN,
    b"INDETERMINATE": Claim.UNKNOWN,
}
_RESULT: Final = {
    b"SAT": Claim.SATISFIABLE,
    b"UNSAT": Claim.UNSATISFIABLE,
    b"INDET": Claim.UNKNOWN,
}
_LITERALS: Final = re.compile(rb"\s*(?:(?:-?x?[1-9][0-9]{0,9}|0)(?:\s+|$))*")
_WORD: Final = re.compile(rb"\S+")


def read_output(
    lines: Iterable[bytes], source: str, variables: int | None = None, *, named: bool = False
) -> Output:
    r"""Read a solver's output.

    Args:
        lines: the lines, each as bytes.
        source: the name of the output in error messages.
        variables: the number of variables; a literal of a larger variable is an error. None: no
            limit.
        named: whether the solver names variables ``x7``, so that no 0 ends the model, not even a
            model without any variable.

    Raises:
        FormatError: the output has none of the three forms, is truncated, or contradicts itself.

    >>> read_output([b"s SATISFIABLE\n", b"v 1 -2 0\n"], "solver")
    Output(claim=<Claim.SATISFIABLE: 'SATISFIABLE'>, form='competition')
    """
    reader = _Reader(source, variables, named)
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        # Comments only: no word of MiniSat's result file begins with c.
        if stripped and stripped != b"c" and not stripped.startswith((b"c ", b"c\t")):
            reader.take(number, line)
    return reader.result()


class _Reader:
    def __init__(self, source: str, variables: int | None, named: bool) -> None:
        self._source = source
        self._variables = variables
        self._form: Form | None = None
        self._claim: Claim | None = None
        self._literals: list[int] = []
        self._seen: set[int] = set()
        self._closed = self._values = False
        self._named = named

    def take(self, number: int, line: bytes) -> None:
        """Read a line that is neither empty nor a comment."""
        word = line.split(None, 1)[0]
        if self._form is None:
            self._begin(number, line, word)
        elif self._form != "competition":
            self._take_literals(number, line, 0)
        else:
            self._take_competition(number, line, word)

    def _begin(self, number: int, line: bytes, word: bytes) -> None:
        if line.strip() in _RESULT:
            self._form, self._claim = "result file", _RESULT[line.strip()]
        elif word in (b"s", b"v", b"o"):
            self._form = "competition"
            self._take_competition(number, line, word)
        elif _LITERALS.fullmatch(line):
            self._form, self._claim = "literals", Claim.SATISFIABLE
            self._take_literals(number, line, 0)
        else:
            self._fail(number, line, 0, "neither an s or v line, nor SAT or UNSAT, nor literals")

    def _take_competition(self, number: int, line: bytes, word: bytes) -> None:
        if word == b"v":
            self._take_literals(number, line, 1)
        elif word == b"s":
            status = b" ".join(line.split()[1:])
            if status not in _STATUS:
                self._fail(number, line, 1, f"no claim: one of {', '.join(Claim)} is needed")
            if self._claim is not None:
                self._fail(number, line, 0, "a second s line")
            self._claim = _STATUS[status]
        elif word != b"o":
            self._fail(number, line, 0, "neither a c, s nor v line")

    def _take_literals(self, number: int, line: bytes, skip: int) -> None:
        """Read the literals of a line, after ``skip`` words."""
        self._values = True
        start = line.index(b"v") + 1 if skip else 0
        if not _LITERALS.fullmatch(line, start):
            words = line.split()[skip:]
            bad = next(k for k, word in enumerate(words) if not _LITERALS.fullmatch(word))
            self._fail(number, line, bad + skip, "no literal")
        named = b"x" in line
        found = [int(word) for word in line[start:].replace(b"x", b"").split()]
        self._named |= named
        if self._closed and found:
            self._fail(number, line, skip, "something after the 0 that ends the model")
        if 0 in found:
            end = found.index(0)
            if end < len(found) - 1:
                self._fail(
                    number, line, skip + end + 1, "something after the 0 that ends the model"
                )
            self._closed = True
            del found[end:]
        if self._claim in (Claim.UNSATISFIABLE, Claim.UNKNOWN) and self._form == "result file":
            self._fail(number, line, skip, f"literals of a model, and the claim is {self._claim}")
        self._note(number, line, skip, found)

    def _note(self, number: int, line: bytes, skip: int, found: list[int]) -> None:
        """Add the literals ``found``; an error for a literal out of range or a contradiction."""
        seen, most = self._seen, self._variables
        if most is not None and found and (max(found) > most or min(found) < -most):
            at = next(k for k, lit in enumerate(found) if abs(lit) > most)
            self._fail(number, line, skip + at, f"a literal of no variable (there are {most})")
        seen.update(found)
        if any(-lit in seen for lit in found):
            seen.difference_update(found)
            seen.update(self._literals)
            for at, lit in enumerate(found):
                if -lit in seen:
                    self._fail(number, line, skip + at, f"the model holds {-lit} already")
                seen.add(lit)
        self._literals += found

    def result(self) -> Output:
        """Return the output, after the last line; an error if the output is truncated."""
        if self._form is None:
            raise FormatError(self._source, message="empty: no claim, no literals")
        claim = self._claim
        if claim is None:
            raise FormatError(self._source, message="v lines, but no s line: cut off?")
        if claim is not Claim.SATISFIABLE and self._values:
            raise FormatError(self._source, message=f"a model, and the claim is {claim}")
        if claim is Claim.SATISFIABLE and not self._values:
            raise FormatError(self._source, message=f"the claim is {claim}, and there is no model")
        needs_end = self._values and self._form != "literals" and not self._named
        if needs_end and not self._closed:
            raise FormatError(self._source, message="no 0 ends the model: cut off?")
        return Output(claim, self._form, tuple(self._literals))

    def _fail(self, number: int, line: bytes, word: int, message: str) -> NoReturn:
        places: Iterator[re.Match[bytes]] = _WORD.finditer(line)
        at = next((match for k, match in enumerate(places) if k == word), None)
        column = 1 if at is None else at.start() + 1
        shown = "" if at is None else f"'{excerpt(at.group())}': "
        raise FormatError(self._source, number, column, shown + message)
