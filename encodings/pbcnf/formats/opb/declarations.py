"""``int x, y ;`` in a file of lp_solve, whose format OPB is a part of: its variables must be 0/1.

In OPB every variable is. There an integer is 0 or more, and a variable that is not declared is
real; so each must be declared and bounded by 1 in a constraint of its own, or fixed to 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbcnf.formats.opb.parsing import Factor, Parsed, parse
from pbcnf.formats.opb.statements import Statement


def require_zero_one(found: Iterable[Statement]) -> None:
    """Raise FormatError at the first of the variables that may have other values."""
    named: dict[bytes, tuple[Statement, Factor]] = {}
    declared: set[bytes] = set()
    bounded: set[bytes] = set()
    fixed: set[bytes] = set()
    for statement in found:
        parsed = parse(statement)
        factors = [factor for _, product in parsed.terms for factor in product]
        for factor in factors:
            name = factor.text.removeprefix(b"~")
            named.setdefault(name, (statement, factor))
            if parsed.kind == "int":
                declared.add(name)
        if parsed.weight is None and len(factors) == 1 and not parsed.kind:
            _bound(parsed, factors[0].text, bounded, fixed)
    for name, (statement, factor) in named.items():
        if name not in fixed and not (name in declared and name in bounded):
            shown = name.decode("ascii")
            what = f"{shown} <= 1 is missing" if name in declared else f"{shown} is real"
            raise statement.error(factor.offset, f"beside 'int' {what}: only 0/1 is read")


def _bound(parsed: Parsed, text: bytes, bounded: set[bytes], fixed: set[bytes]) -> None:
    """Note a variable that its constraint bounds by 1 at the most, or fixes to 0 or 1."""
    weight, bound = parsed.terms[0][0], parsed.bound or 0
    if weight > 0 and not text.startswith(b"~"):
        if parsed.relation == b"=" and bound in (0, weight):
            fixed.add(text)
        if parsed.relation in (b"<=", b"=") and 0 <= bound <= weight:
            bounded.add(text)
