"""The variables of an OPB file, found in a first pass over the file.

Variable i is x<i>. Other names get numbers behind the largest of these, as they occur; then follow
one variable for each product of literals, and one for each soft constraint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from pbcnf.formats.error import FormatError, too_many_variables
from pbcnf.formats.opb.lp_solve import (
    has_block_comment,
    is_surely_opb,
    named_lp,
    naming_lp,
    only_in_opb,
    require_zero_one,
)
from pbcnf.formats.opb.parsing import parse, statements
from pbcnf.formats.problem_file import FileLines
from pbcnf.literals import MAX_VAR, Lit, Var

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


@dataclass(slots=True)
class Variables:
    """The variables of a file, and their numbers."""

    numbered: Var = 0
    """The largest i of all x<i>, as far as it can be one."""
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
    """Return the variables of a file.

    A plain file is looked through by regular expressions. One that is not is read statement by
    statement; then this raises FormatError for whatever is not of the format.
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
            # A number too long to be one is left to the reader.
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
