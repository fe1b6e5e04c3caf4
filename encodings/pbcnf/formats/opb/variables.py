"""The variables of an OPB file, found in a first pass, which also tells lp_solve's LP from OPB.

Variable i is x<i>. Other names get numbers above the largest such i, in the order of their first
occurrence; one variable for each product of literals and one for each soft constraint follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from pbcnf.errors import EncodingError
from pbcnf.formats.error import FormatError, too_many_variables
from pbcnf.formats.opb.parsing import (
    Factor,
    OpbStatement,
    Parsed,
    parse,
    statements,
    without_comments,
)
from pbcnf.formats.problem_file import FileLines
from pbcnf.formats.table import ending
from pbcnf.literals import MAX_VAR, Lit, Var

# lp_solve's LP format, which shares its syntax with OPB of 1995: read if all variables are 0/1.
#
# Which format a file has is decided by `_read_variables`; `require_zero_one` refuses files of
# lp_solve that are another problem when read as OPB.

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
    """Let a FormatError about a file in ``.lp`` name lp_solve's format, unless OPB is certain."""
    try:
        yield
    except FormatError as error:
        if error.message.startswith(_NAMED) or is_surely_opb(lines):
            raise
        message = f"{_NAMED}, of which only what OPB has too is read: {error.message}"
        raise FormatError(error.source, error.line, error.column, message) from None


def is_surely_opb(lines: FileLines) -> bool:
    """Return whether the name of the file or a comment behind a star marks the file as OPB."""
    if _ending(lines) in _OPB:
        return True
    with closing(lines.again()) as opened:
        return any(row.startswith(b"*") for row in without_comments(opened, lines.source))


def has_block_comment(lines: FileLines) -> bool:
    """Return whether a line of the file begins with ``/*``, as programs write for lp_solve."""
    with closing(lines.again()) as opened:
        return any(row.startswith(b"/*") for row in opened)


def only_in_opb(statement: OpbStatement, parsed: Parsed) -> bool:
    """Return whether `statement`, read as `parsed`, has syntax that lp_solve's format lacks."""
    return (
        parsed.kind == "soft"
        or parsed.weight is not None
        or statement.text.lstrip().startswith(b"@")
        or any(factor.text.startswith(b"~") for _, product in parsed.terms for factor in product)
    )


def require_zero_one(found: Iterable[OpbStatement], certain: bool) -> None:
    """Raise FormatError unless lp_solve's format and OPB give the file one meaning, over 0/1.

    `found` are all statements of the file; `certain`: whether the file is surely lp_solve's.

    Every variable of OPB is 0/1. In lp_solve's format an undeclared variable is real, and an
    integer is 0 or more. Every variable must therefore be declared by ``bin x ;``, or by
    ``int x ;`` and bounded by 1, or be fixed to 0 or 1. Syntax with different meanings in the two
    formats is refused, except ``<``, which is ``<=`` in lp_solve's.
    """
    what = _NAMED if certain else _DOUBTFUL
    named: dict[bytes, tuple[OpbStatement, Factor]] = {}
    integers, binary, fixed = set[bytes](), set[bytes](), set[bytes]()
    # Name and ``<=`` or ``>=`` -> the bound of the variable on that side: 0 or 1.
    bounds: dict[tuple[bytes, bytes], Fraction] = {}
    for statement in found:
        parsed = parse(statement)
        for _, product in parsed.terms:
            if len(product) > 1:
                message = f"{what}: names without a sign between them are added there"
                raise statement.error(product[1].offset, message)
            name = product[0].text.removeprefix(b"~")
            named.setdefault(name, (statement, product[0]))
            if parsed.kind in ("bin", "binary"):
                binary.add(name)
            elif parsed.kind == "int":
                integers.add(name)
        if parsed.kind or parsed.weight is not None:
            continue
        if not parsed.terms:
            raise statement.error(0, f"{what}: a bound without a sum is of another row there")
        if len(parsed.terms) > 1:
            continue
        # A constraint over one variable: to lp_solve a bound, replacing an earlier one.
        weight, (factor,) = parsed.terms[0]
        value = Fraction(parsed.bound or 0, weight) if weight else None
        if value not in (0, 1) or factor.text.startswith(b"~"):
            # With a label the statement is a constraint beside the bounds, as it is in OPB.
            if parsed.labelled:
                continue
            message = f"{what}, and a bound other than 0 and 1 is no bound of a 0/1 variable"
            raise statement.error(0, message)
        # Dividing by a weight below 0 reverses the relation. For a weight above 0 the relation is
        # reversed twice, which only turns ``<`` into ``<=`` and ``>`` into ``>=``.
        relation = _OPPOSITE[parsed.relation]
        if weight > 0:
            relation = _OPPOSITE[relation]
        if relation == b"=":
            fixed.add(factor.text)
        elif bounds.setdefault((factor.text, relation), value) != value:
            raise statement.error(0, f"{what}: the last of two bounds replaces the first there")
    # The first variable that can have a value other than 0 and 1 is refused.
    for name, (statement, factor) in named.items():
        # An integer is 0 or more: an upper bound, which is 0 or 1 here, is enough.
        upper = bounds.get((name, b"<="))
        # ``bin`` resets the bounds of a variable to 0 and 1, and OPB keeps a narrower bound: only a
        # narrower bound gives the file two meanings.
        tight = upper == 0 or bounds.get((name, b">=")) == 1
        integer = name in integers and upper is not None
        if name in fixed or integer or (name in binary and not tight):
            continue
        shown = name.decode("ascii")
        why = f"{shown} is real"
        if name in binary:
            why = f"'bin {shown}' replaces the bounds of {shown}"
        elif name in integers:
            why = f"{shown} <= 1 is missing"
        raise statement.error(factor.offset, f"{what}, where {why}: only 0/1 is read")


def _ending(lines: FileLines) -> str:
    try:
        return ending(lines.path)
    except EncodingError:
        return ""


PLAIN_SUM: Final = rb"\s*(?:[+-]?[0-9]+(?:\s+|\*)~?x[1-9][0-9]*(?:\s+|(?=[><=])|\Z))*"
"""A sum of weighted literals of variables x1, x2, ..., a blank or a star between both."""

_PLAIN_STATEMENT: Final = re.compile(
    rb"(?:\s*(?:min|max):)?" + PLAIN_SUM + rb"(?:(?:>=|<=|=)\s*[+-]?[0-9]+\s*)?"
)
_DIALECT: Final = re.compile(rb"max:|<|(?:[-+;:]|\A)\s*x")
"""A maximum, `<=` or a term without a weight: of lp_solve's LP, and not of OPB since 2005."""
_NUMBERED: Final = re.compile(rb"x([1-9][0-9]{0,10})(?![0-9])")
_COMMENTS: Final = re.compile(rb"^\*.*$", re.MULTILINE)
_CHARACTERS: Final = b"0123456789 \t\r\n+-~x<>=;*"
_REACH: Final = 64
"""The overlap in bytes of two pieces of a file, longer than any pattern to find."""


@dataclass(slots=True)
class Variables:
    """The variables of a file, and their numbers."""

    numbered: Var = 0
    """The largest i of all names ``x<i>`` in the file, at most MAX_VAR."""
    others: dict[bytes, Var] = field(default_factory=dict)
    """Variable numbers of names other than ``x1``, ``x2``, ..."""
    products: dict[tuple[Lit, ...], Var] = field(default_factory=dict)
    """Sorted literals of a product of two or more -> the variable defined as the product."""
    soft: int = 0
    """The number of soft constraints."""
    lp_solve: bool = False
    """Whether the file is in lp_solve's LP format, where ``<`` is ``<=``."""

    @property
    def own(self) -> Var:
        """The largest variable that has a name in the file."""
        return self.numbered + len(self.others)

    def literal(self, text: bytes) -> Lit:
        """Return the literal of a written name; beyond MAX_VAR for a number that is too large."""
        name = text.removeprefix(b"~")
        if name in self.others:
            var = self.others[name]
        else:
            var = int(name[1:]) if len(name) < 12 else MAX_VAR + 1
        return var if name is text else -var


def product_of(lits: list[Lit]) -> tuple[Lit, ...] | None:
    """Return the distinct literals of a product, sorted; None for a product that is always 0.

    >>> product_of([3, -2, 3]), product_of([1, -1])
    ((-2, 3), None)
    """
    found = set(lits)
    return None if any(-lit in found for lit in found) else tuple(sorted(found, key=abs))


def find_variables(lines: FileLines, declared: Var | None) -> Variables:
    """Return the variables of a file; `declared` is the number in the header, None without one.

    A plain file is searched with regular expressions. Any other file is read statement by
    statement, with FormatError for text that is not of the format.
    """
    if named_lp(lines):
        with naming_lp(lines):
            return _read_variables(lines, declared)
    largest = declared or 0
    unusual = _unusual(largest)
    surely = is_surely_opb(lines)
    for text in _texts(lines):
        if not surely and _DIALECT.search(text):
            return _read_variables(lines, declared)
        rest = text.translate(None, _CHARACTERS)
        if rest.replace(b"min:", b"").replace(b"ma:", b""):
            return _read_variables(lines, declared)
        while (match := unusual.search(text)) is not None:
            if match[1] is None:
                return _read_variables(lines, declared)
            found = max(map(int, _NUMBERED.findall(text)), default=0)
            # A number of more than 11 digits, not found by `_NUMBERED`, is left to the parser.
            if found <= largest:
                return _read_variables(lines, declared)
            largest = found
            unusual = _unusual(largest)
    return Variables(min(largest, MAX_VAR))


def _texts(lines: FileLines) -> Iterator[bytes]:
    """Yield the file in pieces without comments; each begins with the end of the previous piece."""
    end = b""
    with closing(lines.blocks()) as blocks:
        for block in blocks:
            text = block
            if b"*" in text:
                text = _COMMENTS.sub(b"", text)
            text = b"%b\n%b" % (end, text)
            yield text
            end = text[-4 * _REACH :].rstrip()[-_REACH:]


def _unusual(largest: int) -> re.Pattern[bytes]:
    """Return the pattern of an x<i> with i > `largest` (group 1), and of an x outside any term."""
    digits = str(largest)
    larger = [f"[1-9][0-9]{{{len(digits)}}}"]
    for place, digit in enumerate(digits):
        if digit != "9":
            left = len(digits) - place - 1
            larger.append(f"{digits[:place]}[{int(digit) + 1}-9][0-9]{{{left}}}")
    return re.compile(rf"x(?:({'|'.join(larger)})|(?![1-9:])|[0-9]+[ \t\r\n*]*~?x)".encode())


def _read_variables(lines: FileLines, declared: Var | None) -> Variables:
    """Return the variables of a file that is read statement by statement, and its format.

    A file is of lp_solve if it has declarations, or if its name ends in ``.lp``. A file that has
    more than the OPB of 2005 (``min:``, weights, x1, x2, ..., ``>=`` and ``=``) can be of either
    format, and must pass `require_zero_one` unless its name ends in ``.opb`` or it has syntax of
    OPB alone: a comment behind a star, ``~x``, ``[3]``, ``soft:`` or ``@label``.
    """
    found = Variables(declared or 0)
    names: dict[bytes, Var] = {}
    products: dict[tuple[bytes, ...], None] = {}
    largest, plain, declarations, opb = 0, True, False, False
    for statement in statements(lines.again(), lines.source):
        text = statement.text
        if _PLAIN_STATEMENT.fullmatch(text):
            plain, opb = plain and not _DIALECT.search(text), opb or b"~" in text
            largest = max(largest, *map(int, _NUMBERED.findall(text)), 0)
            continue
        parsed = parse(statement)
        found.soft += parsed.weight is not None
        declarations = declarations or parsed.kind in ("int", "bin", "binary")
        plain, opb = False, opb or only_in_opb(statement, parsed)
        for _, factors in parsed.terms:
            for factor in factors:
                name = factor.text.removeprefix(b"~")
                if re.fullmatch(rb"x[1-9][0-9]*", name):
                    largest = max(largest, int(name[1:]) if len(name) < 12 else 0)
                else:
                    names.setdefault(name, 0)
            if len(factors) > 1:
                products.setdefault(tuple(factor.text for factor in factors))
    certain = declarations or named_lp(lines)
    doubtful = certain or not plain or has_block_comment(lines)
    if declarations or (doubtful and not opb and not is_surely_opb(lines)):
        require_zero_one(statements(lines.again(), lines.source), certain)
        found.lp_solve = True
    found.numbered = largest = min(largest, MAX_VAR)
    found.others = {name: largest + place for place, name in enumerate(names, start=1)}
    first = max(found.own, declared or 0) + 1
    for texts in products:
        lits = product_of([found.literal(text) for text in texts])
        if lits is not None and len(lits) > 1:
            found.products.setdefault(lits, first + len(found.products))
    last = first - 1 + len(found.products) + found.soft
    if last > MAX_VAR:
        raise FormatError(lines.source, None, None, too_many_variables(last))
    return found
