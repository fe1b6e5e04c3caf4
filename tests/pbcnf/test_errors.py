"""What cannot be encoded or written raises the one error that is there for it."""

from collections.abc import Callable
from io import BytesIO

import pytest

from pbcnf import (
    Cardinality,
    Choices,
    EncodingError,
    Formula,
    Problem,
    PseudoBoolean,
    encode,
    encode_problem,
    write_problem,
)

FORMULA = Formula(9)
FIVE = Cardinality(range(1, 6), upper=2)
WEIGHTED = PseudoBoolean([1, 2, 3], [2, 3, 4], upper=6)
LARGE = PseudoBoolean([1, 2, 3], [10**20, 10**19 + 1, 7], upper=10**20 + 3)


def encode_all(*arguments: int | None, **names: str) -> None:
    for _ in encode_problem([FIVE], FORMULA, Choices(**names), *arguments):
        pass


REFUSED: dict[str, Callable[[], None]] = {
    "unknown encoder": lambda: encode(FIVE, FORMULA, "no such encoder"),
    "bounds": lambda: encode(FIVE, FORMULA, "pairwise"),
    "weights": lambda: encode(WEIGHTED, FORMULA, "totalizer"),
    "an encoder without weights": lambda: encode_all(pseudo_boolean="direct"),
    "too many clauses": lambda: encode_all(1),
    "bounds in a problem": lambda: encode_all(cardinality="pairwise"),
    "unknown format": lambda: write_problem(Problem(3, (WEIGHTED,)), BytesIO(), "docx"),
    "weights in KNF": lambda: write_problem(Problem(3, (WEIGHTED,)), BytesIO(), "knf"),
    "large weights in LP": lambda: write_problem(Problem(3, (LARGE,)), BytesIO(), "lp"),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_encoded_is_an_encoding_error(call: Callable[[], None]) -> None:
    with pytest.raises(EncodingError):
        call()
    assert FORMULA.num_clauses == 0
