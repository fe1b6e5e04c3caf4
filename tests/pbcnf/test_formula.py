"""The formula in memory, and the sink that normalises clauses on their way into it."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import MAX_VAR, ClauseSink, Formula
from pbcnf.formula import LimitedFormula, TooManyClausesError
from pbcnf.sink import NormalisingSink

CLAUSES = st.lists(st.lists(st.sampled_from([1, -1, 2, -2, 3, -3]), max_size=4), max_size=8)
PIECES = st.lists(st.one_of(CLAUSES, st.tuples(st.integers(0, 3), st.integers(0, 3))), max_size=5)


def filled(pieces):
    """Build a formula from clause lists and block shapes; return it with the expected clauses."""
    formula, expected = Formula(num_vars=3), []
    for piece in pieces:
        if isinstance(piece, list):
            for clause in piece:
                formula.add_clause(clause)
            expected += piece
        else:
            block = np.full(piece, -2)
            formula.add_block(block)
            expected += block.tolist()
    return formula, expected


@settings(max_examples=150, deadline=None)
@given(PIECES)
def test_every_view_holds_every_clause_once_and_in_the_order_of_emission(pieces):
    formula, expected = filled(pieces)
    assert list(formula.clauses()) == expected
    assert list(formula.tuples()) == list(map(tuple, expected))
    assert formula.num_clauses == len(expected)
    assert formula.num_literals == sum(map(len, expected))
    flat = [lit for part in formula.terminated() for lit in part.tolist()]
    assert flat == [lit for clause in expected for lit in [*clause, 0]]
    rows = [row for block in formula.blocks() for row in block.tolist()]
    assert sorted(rows) == sorted(expected)
    for width in range(5):
        assert [r for r in rows if len(r) == width] == [r for r in expected if len(r) == width]


def test_reading_does_not_disturb_writing():
    formula = Formula(num_vars=2)
    formula.add_clause([1])
    assert list(formula.clauses()) == [[1]]
    formula.add_clause([2])
    assert list(formula.clauses()) == [[1], [2]]


def test_variables_are_numbered_from_one_without_gaps():
    formula = Formula()
    assert [formula.new_var(), formula.new_vars(3), formula.new_vars(0), formula.new_var()] == [
        1, 2, 5, 5,
    ]  # fmt: skip
    assert formula.num_vars == 5


@pytest.mark.parametrize("count", [-1, MAX_VAR])
def test_impossible_numbers_of_variables_are_refused(count):
    formula = Formula(num_vars=1)
    with pytest.raises(ValueError, match="cannot allocate"):
        formula.new_vars(count)
    assert formula.num_vars == 1


@pytest.mark.parametrize(
    ("lit", "message"),
    [(3, "3: variable 3 is not alloc"), (-3, "-3: variable 3 is"), (0, "outs"), (2**31, "outs")],
)
def test_a_literal_of_an_unallocated_variable_or_none_is_named(lit, message):
    formula = Formula(num_vars=2)
    with pytest.raises(ValueError, match=f"literal .*{message}"):
        formula.add_clause([1, lit])
    with pytest.raises(ValueError, match=f"literal .*{message}"):
        formula.add_block(np.array([[1, 2], [lit, 1]]))
    assert formula.num_clauses == 0


def test_a_block_changed_afterwards_does_not_change_the_formula():
    formula, block = Formula(num_vars=3), np.array([[1, 2]], dtype=np.int32)
    view = block.view()
    view.flags.writeable = False
    formula.add_block(block)
    formula.add_block(view)
    block[0, 0] = 3
    assert list(formula.clauses()) == [[1, 2], [1, 2]]


def test_what_is_stored_cannot_be_written():
    formula = Formula(num_vars=3)
    formula.add_clause([1])
    formula.add_block(np.array([[1, 2]], dtype=np.int64))
    with pytest.raises(ValueError, match="read-only"):
        next(formula.terminated())[0] = 3
    with pytest.raises(ValueError, match="read-only"):
        list(formula.blocks())[1][0, 0] = 3


def test_a_block_in_column_order_keeps_its_rows():
    formula = Formula(num_vars=4)
    formula.add_block(np.array([[1, 3], [2, 4]], dtype=np.int32).T)
    assert list(formula.clauses()) == [[1, 2], [3, 4]]
    assert [lit for part in formula.terminated() for lit in part.tolist()] == [1, 2, 0, 3, 4, 0]


def test_long_blocks_come_out_whole():
    formula, rows = Formula(num_vars=9), np.arange(90_000).reshape(-1, 3) % 9 + 1
    formula.add_block(rows)
    assert list(formula.clauses()) == rows.tolist()


def test_many_clauses_of_different_lengths_keep_their_order():
    clauses = [[*range(1, 1 + at % 7)] + [at + 1] * (at % 3) for at in range(20_000)]
    one_by_one, flat = Formula(num_vars=20_000), Formula(num_vars=20_000)
    for clause in clauses:
        one_by_one.add_clause(clause)
    flat.add_flat(np.array([lit for clause in clauses for lit in (*clause, 0)]))
    for f in (one_by_one, flat):
        assert list(f.clauses()) == clauses
        assert list(f.tuples()) == [*map(tuple, clauses)]
        assert all(type(lit) is int for clause in f for lit in clause)


@pytest.mark.parametrize("variables", [4, 60])
def test_clauses_are_normalised_one_by_one_as_in_blocks_flat_and_terminated(variables: int) -> None:
    rng = random.Random(variables)
    clauses = [
        [rng.choice((1, -1)) * rng.randint(1, variables) for _ in range(3)] for _ in range(40)
    ]
    for width in (3, 2, 0):
        some = [clause[:width] for clause in clauses]
        made = [Formula(variables) for _ in range(4)]
        for clause in some:
            NormalisingSink(made[0]).add_clause(clause)
        flat = [lit for clause in some for lit in (*clause, 0)]
        NormalisingSink(made[1]).add_flat(np.array(flat, dtype=np.int32))
        NormalisingSink(made[2]).add_terminated(flat, len(some))
        NormalisingSink(made[3]).add_block(np.array(some, dtype=np.int32).reshape(len(some), width))
        expected = [
            list(dict.fromkeys(clause))
            for clause in some
            if not any(-lit in clause for lit in clause)
        ]
        assert [[*formula] for formula in made] == [expected] * 4


@pytest.mark.parametrize(
    "add",
    [
        lambda formula: [formula.add_clause([1]) for _ in range(3)],
        lambda formula: formula.add_block(np.full((3, 2), -1)),
        lambda formula: formula.add_flat(np.array([1, 0, 2, 0, -1, 0])),
        lambda formula: formula.add_terminated([1, 0, 2, 0, -1, 0], 3),
    ],
)
def test_a_limit_on_clauses_holds_in_whatever_way_they_are_added(add):
    for most in (None, 3):
        within = LimitedFormula(2, most)
        add(within)
        assert within.num_clauses == 3
    with pytest.raises(TooManyClausesError):
        add(LimitedFormula(2, 2))


def test_repeated_literals_and_tautologies_are_dropped():
    formula = Formula()
    sink: ClauseSink = NormalisingSink(formula)
    assert (sink.new_var(), sink.new_vars(2)) == (1, 2)
    sink.add_clause([2, 1, 2])
    sink.add_clause([1, 3, -1])
    sink.add_block(np.array([[1, 1], [2, -2], [2, 3]], dtype=np.int32))
    assert list(formula.clauses()) == [[2, 1], [1], [2, 3]]
