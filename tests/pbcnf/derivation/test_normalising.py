"""Normal forms of rows that no assignment satisfies."""

import io

import pytest

from pbcnf import dimacs
from pbcnf.derivation import write_proof
from pbcnf.derivation.opb import derive_opb
from pbcnf.formats.problems import read_problem
from pbcnf.proof.cutting_planes.encodings import check_encoding

ROWS = (
    "2 x1 4 x2 6 x3 = 5",
    "2 x1 -4 ~x2 6 x3 = 3",
    "4 x1 6 x2 6 x3 6 x4 = 9",
    "7 x1 2 x2 4 x3 = 3",
)


@pytest.mark.parametrize("row", ROWS)
def test_an_equality_in_a_gap_between_multiples_becomes_the_empty_clause(row: str) -> None:
    raw = f"{row} ;\n".encode()
    made = derive_opb(raw, read_problem(io.BytesIO(raw)).constraints)
    stream = io.BytesIO()
    write_proof(made.derivation, stream)
    assert [] in [*made.formula.clauses()]
    check_encoding(raw, dimacs(made.formula).encode(), stream.getvalue())
