"""lp_solve's LP format, which shares its syntax with OPB of 1995: read if all variables are 0/1.

Every variable of OPB is 0/1. In lp_solve's format an undeclared variable is real, and an integer is
0 or more: read as OPB, such a file would be another problem. So every variable must be declared by
``bin x ;``, or by ``int x ;`` and bounded by 1, or be fixed to 0 or 1. Syntax with different
meanings in the two formats is refused, except `<`, which is `<=` in lp_solve's.

A file is of lp_solve if it has declarations, or if its name ends in ``.lp``. A file that has more
than the OPB of 2005 (``min:``, weights, x1, x2, ..., ``>=`` and ``=``) can be of either format, and
is refused unless its name ends in ``.opb`` or it has syntax of OPB alone: a comment behind a star,
``~x``, ``[3]``, ``soft:`` or ``@label``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from fractions import Fraction
from typing import Final

from pbcnf.errors import EncodingError
from pbcnf.formats.error import FormatError
from pbcnf.formats.opb.parsing import Factor, OpbStatement, Parsed, parse, without_comments
from pbcnf.formats.problem_file import FileLines
from pbcnf.formats.table import ending

_OPB: Final = ("opb", "wbo", "pb", "pbo")
_NAMED: Final = "this is lp_solve's LP format"
_DOUBTFUL: Final = (
    "neither a name in .opb nor a comment '* #variable= ...' tells this from lp_solve's LP format"
)
_OPPOSITE: Final = {b">=": b"<=", b">": b"<=", b"<=": b">=", b"<": b">=", b"=": b"="}


def named_lp(lines: FileLines) -> bool:
    """Return whether the name of the file ends in ``.lp``."""
    return _ending(lines) == "lp"


@contextmanager
def naming_lp(lines: FileLines) -> Iterator[None]:
    """Let a FormatError about a file in ``.lp`` name lp_solve's format, unless it is surely OPB."""
    try:
        yield
    except FormatError as error:
        if error.message.startswith(_NAMED) or is_surely_opb(lines):
            raise
        message = f"{_NAMED}, of which only what OPB has too is read: {error.message}"
        raise FormatError(error.source, error.line, error.column, message) from None


def is_surely_opb(lines: FileLines) -> bool:
    """Return whether the name of the file or a comment behind a star says that it is OPB."""
    if _ending(lines) in _OPB:
        return True
    with closing(lines.again()) as opened:
        return any(row.startswith(b"*") for row in without_comments(opened, lines.source))


def has_block_comment(lines: FileLines) -> bool:
    """Return whether a line of the file begins with ``/*``, as programs write for lp_solve."""
    with closing(lines.again()) as opened:
        return any(row.startswith(b"/*") for row in opened)


def only_in_opb(statement: OpbStatement, parsed: Parsed) -> bool:
    """Return whether `statement`, read as `parsed`, has what lp_solve's format cannot write."""
    return (
        parsed.kind == "soft"
        or parsed.weight is not None
        or statement.text.lstrip().startswith(b"@")
        or any(factor.text.startswith(b"~") for _, product in parsed.terms for factor in product)
    )


def require_zero_one(found: Iterable[OpbStatement], certain: bool) -> None:
    """Raise FormatError at the first of `found` that is no 0/1 problem, or another one in OPB.

    `found` are all statements of the file; `certain` says whether it is surely lp_solve's.
    """
    checked = _Declarations(_NAMED if certain else _DOUBTFUL)
    for statement in found:
        checked.take(statement, parse(statement))
    checked.finish()


class _Declarations:
    """The declarations and bounds of variables in a file; `what` begins each message."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.named: dict[bytes, tuple[OpbStatement, Factor]] = {}
        self.integers: set[bytes] = set()
        self.binary: set[bytes] = set()
        self.fixed: set[bytes] = set()
        self.bounds: dict[tuple[bytes, bytes], Fraction] = {}
        """Name and ``<=`` or ``>=`` -> the bound of the variable on that side: 0 or 1."""

    def take(self, statement: OpbStatement, parsed: Parsed) -> None:
        """Note the names, declarations and bounds of the next statement."""
        for _, product in parsed.terms:
            if len(product) > 1:
                message = f"{self.what}: names without a sign between them are added there"
                raise statement.error(product[1].offset, message)
            name = product[0].text.removeprefix(b"~")
            self.named.setdefault(name, (statement, product[0]))
            if parsed.kind in ("bin", "binary"):
                self.binary.add(name)
            elif parsed.kind == "int":
                self.integers.add(name)
        if parsed.kind or parsed.weight is not None:
            return
        if not parsed.terms:
            raise statement.error(0, f"{self.what}: a bound without a sum is of another row there")
        if len(parsed.terms) == 1:
            self._bound(statement, parsed)

    def _bound(self, statement: OpbStatement, parsed: Parsed) -> None:
        """Note a constraint over one variable: to lp_solve a bound, replacing an earlier one."""
        weight, (factor,) = parsed.terms[0]
        value = Fraction(parsed.bound or 0, weight) if weight else None
        if value not in (0, 1) or factor.text.startswith(b"~"):
            # With a label this is a constraint beside the bounds, and means the same in OPB.
            if parsed.labelled:
                return
            message = f"{self.what}, and a bound other than 0 and 1 is no bound of a 0/1 variable"
            raise statement.error(0, message)
        # Dividing by a weight below 0 turns the relation. Turned twice, ``<`` has become ``<=``.
        relation = _OPPOSITE[parsed.relation]
        if weight > 0:
            relation = _OPPOSITE[relation]
        if relation == b"=":
            self.fixed.add(factor.text)
        elif self.bounds.setdefault((factor.text, relation), value) != value:
            raise statement.error(
                0, f"{self.what}: the last of two bounds replaces the first there"
            )

    def finish(self) -> None:
        """Raise FormatError at the first variable that can have other values than 0 and 1."""
        for name, (statement, factor) in self.named.items():
            # An integer is 0 or more, so that a bound from above is enough, and 0 or 1 by then.
            upper = self.bounds.get((name, b"<="))
            # ``bin`` gives a variable the bounds 0 and 1 whatever was said of it before: only a
            # bound that OPB would read as narrower makes a difference.
            tight = upper == 0 or self.bounds.get((name, b">=")) == 1
            integer = name in self.integers and upper is not None
            if name in self.fixed or integer or (name in self.binary and not tight):
                continue
            shown = name.decode("ascii")
            why = f"{shown} is real"
            if name in self.binary:
                why = f"'bin {shown}' replaces the bounds of {shown}"
            elif name in self.integers:
                why = f"{shown} <= 1 is missing"
            raise statement.error(factor.offset, f"{self.what}, where {why}: only 0/1 is read")


def _ending(lines: FileLines) -> str:
    try:
        return ending(lines.path)
    except EncodingError:
        return ""
