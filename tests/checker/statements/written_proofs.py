"""Proofs written by hand, of one integer in three encodings and a Boolean, and changes of them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, NamedTuple, Self

from satsweeper.checker.statements.recheck import RecheckedStatements, recheck_statements
from scripts.fuzzing.plain_statements import content
from tests.problem_files import cnf, pb_proof


class Written(NamedTuple):
    """Three files. The steps are in parts: clauses, links, the turn, and all that follows it."""

    file: dict[str, Any]
    variables: int
    clauses: list[list[int]]
    derived: list[str]
    links: list[str]
    turn: list[str]
    back: list[str]
    rows: int = 6

    def check(self) -> RecheckedStatements:
        steps = [*self.derived, *self.links, *self.turn, *self.back]
        proof = pb_proof(*steps, given=self.rows)
        formula = cnf(self.variables, self.clauses)
        return recheck_statements(content(self.file), formula.encode(), proof.encode())

    def forward(self) -> Self:
        """Only the first half, which ends before the turn."""
        return self._replace(turn=[], back=[])

    def changed_file(self, **entries: Any) -> Self:
        return self._replace(file=deepcopy(self.file) | entries)


def halves(v: int, sum_of: str, need: int, rest: str, most: int) -> list[str]:
    """The two constraints that say: v is true exactly if a sum of weight ``most`` reaches need."""
    return [
        f"red {need} ~x{v} {sum_of} >= {need} : x{v} -> 0 ;",
        f"red {most - need + 1} x{v} {rest} >= {most - need + 1} : x{v} -> 1 ;",
    ]


def same(v: int, other: str) -> list[str]:
    """The two constraints that say: v is a literal, first that v is implied."""
    opposite = other[1:] if other.startswith("~") else f"~{other}"
    return halves(v, f"1 {other}", 1, f"1 {opposite}", 1)[::-1]


def statement(domain: list[list[int]]) -> dict[str, Any]:
    """Of a Boolean b and an integer n: n >= 2 or b.

    The variables of the proof are 1: b, 2 and 3: n is at least its second and third value, 4: n >=
    2, 5: the statement; those of the CNF but b begin at 6. The rows are 1: order of 2 and 3, 2 and
    3: what 4 is, 4 and 5: what 5 is, 6: the statement.
    """
    return {
        "schema": "satsweeper/statements/1", "booleans": 1, "names": {"1": "b"},
        "integers": [{"name": "n", "domain": domain}],
        "nodes": [
            {"integer": 0}, {"compare": [[1, 0]], "lower": 2, "upper": None}, {"literal": 1},
            {"or": [1, 2]},
        ],
        "statements": [3],
    }  # fmt: skip


STATED = halves(5, "1 x1 1 x4", 1, "1 ~x1 1 ~x4", 2)
WIDE = halves(4, "1 x2 2 x3", 1, "1 ~x2 2 ~x3", 3)
"""Both halves of the definition of x4, for an n of the values 1, 2 and 4."""
NARROW = halves(4, "1 x2 1 x3", 1, "1 ~x2 1 ~x3", 2)
"""Both halves of the definition of x4, for an n of the values 1, 2 and 3."""

WRITTEN = {
    # 6: n >= 2, 7: n >= 4.
    "order": Written(
        statement([[1, 2], [4, 4]]), 3, [[2, -3], [2, 1]],
        [*same(6, "x2"), *same(7, "x3"),
         "rup 1 x6 1 ~x7 >= 1 : ~ 1 7 10 ;", "rup 1 x1 1 x6 >= 1 : ~ 6 4 2 7 1 ;"],
        ["pol 8 10 2 * + ;", "pol 7 9 2 * + ;", "del id 7 8 9 10 ;"],
        ["del id 1 2 3 4 5 6 13 14 ;"],
        [*same(2, "x6"), *same(3, "x7"), "rup 1 x2 1 ~x3 >= 1 : ~ 11 15 18 ;", *WIDE, *STATED,
         "rup 1 x5 >= 1 : ~ 23 12 21 15 ;", "pol 15 17 2 * + ;", "pol 16 18 2 * + ;"],
    ),
    # 6: n = 1, 7: n = 2, 8: n = 4.
    "direct": Written(
        statement([[1, 2], [4, 4]]), 4, [[2, 3, 4], [-2, -3], [-2, -4], [-3, -4], [1, -2]],
        [*same(6, "~x2"), *halves(7, "1 x2 1 ~x3", 2, "1 ~x2 1 x3", 2), *same(8, "x3"),
         "rup 1 x6 1 x7 1 x8 >= 1 : ~ 7 10 11 ;", "rup 1 ~x6 1 ~x7 >= 1 : ~ 8 9 ;",
         "rup 1 ~x6 1 ~x8 >= 1 : ~ 8 12 1 ;", "rup 1 ~x7 1 ~x8 >= 1 : ~ 9 12 ;",
         "rup 1 x1 1 ~x6 >= 1 : ~ 8 6 4 2 1 ;"],
        ["pol 8 9 1 + 2 d 2 * + 12 4 * + ;", "pol 7 10 2 * + 11 4 * + ;",
         "del id 7 8 9 10 11 12 ;"],
        ["del id 1 2 3 4 5 6 18 19 ;"],
        [*same(3, "x8"), *same(2, "~x6"), "rup 1 x2 1 ~x3 >= 1 : ~ 22 21 15 ;", *WIDE, *STATED,
         "rup 1 x5 >= 1 : ~ 28 26 22 17 ;", "pol 22 20 2 * + 14 15 + 16 + 2 d 2 * + ;",
         "pol 23 21 2 * + 13 2 * + ;"],
    ),
    # n = 1 + x6 + 2 * x7.
    "binary": Written(
        statement([[1, 3]]), 3, [[-2, -3], [1, 2, 3]],
        [*halves(6, "1 x2 1 ~x3", 2, "1 ~x2 1 x3", 2), *same(7, "x3"),
         "rup 1 ~x6 1 ~x7 >= 1 : ~ 7 10 ;", "rup 1 x1 1 x6 1 x7 >= 1 : ~ 9 8 6 4 2 ;"],
        ["pol 7 1 + 2 d 10 2 * + ;", "pol 8 9 2 * + ;", "del id 7 8 9 10 ;"],
        ["del id 1 2 3 4 5 6 13 14 ;"],
        [*same(3, "x7"), *halves(2, "1 x6 1 x7", 1, "1 ~x6 1 ~x7", 2)[::-1],
         "rup 1 x2 1 ~x3 >= 1 : ~ 16 17 ;", *NARROW, *STATED,
         "rup 1 x5 >= 1 : ~ 23 21 17 12 ;", "pol 17 11 + 2 d 15 + ;", "pol 18 16 + ;"],
    ),
}  # fmt: skip
