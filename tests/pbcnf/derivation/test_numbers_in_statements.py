"""Maxima, products and elements in statements are proved equivalent to their clauses."""

import json

import pytest

from pbcnf.language import Builder, all_different, element, maximum, minimum, read_statements, table
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.proved_statements import check_statements
from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.statements.recheck import recheck_statements
from scripts.fuzzing import plain_statements
from tests.pbcnf.derivation.random_statements import (
    RandomNumbers,
    proved,
    statements_of,
    without_clause,
)
from tests.pbcnf.derivation.test_statements import proved_and_checked

ENCODINGS = ["order", "direct", "binary"]


@pytest.mark.parametrize("seed", range(12))
def test_random_numbers_are_proved_and_what_models_say_are_their_solutions(seed):
    proved_and_checked(RandomNumbers(seed).builder)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_more_random_numbers_are_proved(seed):
    proved_and_checked(RandomNumbers(seed).builder)


def stated(x, y, z, wet):
    """Statements of each kind of number, over three integers and a Boolean."""
    return {
        "largest at most": [maximum([x, y + 1, 2 * z]) <= 4],
        "largest at least": [maximum([x, y, z]) >= 3],
        "largest equals": [maximum([x, y]) == z],
        "least": [minimum([x, y]) >= 1, minimum([y, z + 1]) != 2],
        "distances": [abs(x - y) >= 2, abs(x - y) + abs(y - z) <= 3],
        "largest less least": [maximum([x, y, z]) - minimum([x, y, z]) == 1],
        "largest of sums": [maximum([x + y, y - 2 * z, 3]) <= 5],
        "largest in a product": [maximum([x, 2 * y]) * z <= 6],
        "largest of products": [maximum([x * y, 3 * wet]) >= 4],
        "many largest": [maximum([x, y, z]) + maximum([x, y - z, 1, 2]) + maximum(
            [x - y, y, z, 0, 1, wet]) <= 7],
        "product": [x * y <= 5, x * y >= 2],
        "squares": [x * x + y * y == z * z],
        "chosen": [wet * x + (~wet) * y <= 1, (~wet) * (z - 2) >= 0],
        "product of negative numbers": [(x - 2) * (y - 3) == 2],
        "entry that is a number": [element([x, y, 3], z) + y <= 4],
        "largest is different": [all_different([maximum([x, y]), 2 * z, x + y])],
        "product is a row": [table([x * y, maximum([y, z])], [[2, 2], [0, 3], [4, 2]])],
    }  # fmt: skip


def over(builder, encoding=None):
    """The statements over variables of a builder."""
    x, y, z = (builder.integer(name, 0, 3, encoding=encoding) for name in "xyz")
    return stated(x, y, z, builder.boolean("wet"))


KINDS = [*over(Builder())]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_number_is_proved_in_each_encoding(kind, encoding):
    b = Builder()
    b.add(*over(b, encoding)[kind])
    proved_and_checked(b)


def test_values_between_those_of_a_maximum_are_not_reached():
    b = Builder()
    x, y = b.integer("x", domain=[0, 3, 7]), b.integer("y", domain=[-2, 5])
    b.add(maximum([2 * x, 3 * y]) * b.boolean("wet") + maximum([x + y, x]) >= 9)
    proved_and_checked(b)


def sample():
    b = Builder()
    x, y = b.integers("xy", 0, 2)
    b.add(maximum([x, y + 1]) <= 2, x * y >= 1)
    text = statements_of(b)
    _, cnf, proof = proved(text)
    return text, cnf, proof


TEXT, CNF, PROOF = sample()


@pytest.mark.parametrize("at", range(CNF.count(b"\n") - 1))
def test_a_clause_of_a_maximum_or_product_that_is_left_out_is_missed(at):
    cnf, proof = without_clause(TEXT, CNF, PROOF, at)
    with pytest.raises((ProofError, ProofFormatError)):
        check_statements(TEXT, cnf, proof)
    with pytest.raises(WrongCertificateError):
        recheck_statements(TEXT, cnf, proof)


def test_a_proof_is_of_no_file_with_a_part_more_or_less():
    file = json.loads(TEXT)
    for at, node in enumerate(file["nodes"]):
        for kind in {"maximum", "product"} & set(node):
            other = {kind: [node[kind][0]] * 2}
            nodes = [*file["nodes"][:at], other, *file["nodes"][at + 1 :]]
            with pytest.raises((ProofError, ProofFormatError)):
                check_statements(json.dumps(file | {"nodes": nodes}).encode(), CNF, PROOF)


def test_an_element_whose_key_is_there_twice_is_the_sum_of_both_entries():
    nodes = [{"integer": 0}, {"literal": 1}, {"element": 0, "entries": [[1, 0], [1, 1], [0, 1]]},
             {"compare": [[1, 2]], "lower": 2, "upper": None}]  # fmt: skip
    file = {"schema": "satsweeper/statements/1", "booleans": 1, "names": {"1": "x"}, "nodes": nodes,
            "statements": [3], "integers": [{"name": "n", "domain": [[0, 1]]}]}  # fmt: skip
    text = json.dumps(file).encode()
    builder = read_statements(text)
    held = [(x, n) for x in (0, 1) for n in (0, 1) if builder.holds({"x": x, "n": n})]
    assert held == [(x, n) for (x,), (n,) in plain_statements.solutions(file)] == [(1, 1)]
    assert check_statements(text, *proved(text)[1:]).equivalent
