"""The pool of names: numbers that are nobody else's, whatever is reserved in whatever order."""

import io
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf import MAX_VAR, Builder, Names, Problem, read_problem, write_problem

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("number"), st.sampled_from("abcdef")),
        st.tuples(st.just("fresh"), st.none()),
        st.tuples(st.just("reserve"), st.tuples(st.integers(1, 20), st.integers(0, 6))),
    ),
    max_size=25,
)


@given(STEPS)
def test_no_number_is_given_twice_or_while_it_is_reserved(steps) -> None:
    names, given_out, reserved, by_name = Names(), [], set(), {}
    for what, argument in steps:
        if what == "reserve":
            first, count = argument
            wanted = set(range(first, first + count))
            if wanted & set(given_out):
                with pytest.raises(ValueError, match="cannot be reserved"):
                    names.reserve(first, first + count - 1)
            else:
                names.reserve(first, first + count - 1)
                reserved |= wanted
        elif what == "fresh" or argument not in by_name:
            found = names.fresh() if what == "fresh" else names.number(argument)
            assert found not in reserved
            assert found not in given_out
            given_out.append(found)
            if what == "number":
                by_name[argument] = found
        else:
            assert names.number(argument) == by_name[argument]
    assert {name: names.number(name) for name in names} == by_name
    assert all(names.name(number) == name for name, number in by_name.items())
    assert names.last == max([*given_out, *reserved], default=0)
    assert names.in_files() == {number: name for name, number in by_name.items()}


def test_names_are_any_objects_but_none() -> None:
    names = Names()
    objects = ["x", ("x", 1), 7, frozenset({1, 2}), 2.5]
    assert [names.number(each) for each in objects] == [1, 2, 3, 4, 5]
    assert len(names) == 5
    assert (7 in names, 8 in names) == (True, False)
    with pytest.raises(TypeError, match="None is no name"):
        names.number(None)
    with pytest.raises(TypeError, match="unhashable"):
        names.number([1])


def test_ranges_beyond_the_variables_are_refused() -> None:
    names = Names()
    for first, last in ((0, 3), (5, MAX_VAR + 1)):
        with pytest.raises(ValueError, match="there can be 1 to"):
            names.reserve(first, last)
    names.reserve(1, MAX_VAR)
    with pytest.raises(ValueError, match="at most"):
        names.fresh()


def test_a_builder_finds_its_variables_by_name() -> None:
    builder = Builder()
    x, n = builder.boolean("x"), builder.integer("n", 0, 3)
    assert builder["n"] is n
    assert builder["x"].lit == x.lit
    assert ("x" in builder, "y" in builder) == (True, False)
    with pytest.raises(KeyError, match="y"):
        builder["y"]


ODD = ["end", "inf", "a b", "é", ("t", -1), ("t", 1), 1, "1", "x1", "X1", "y" * 300, "", "~p", "\n"]


@pytest.mark.parametrize("name", ["opb", "lp", "mps", "smt2", "wcnf", "knf", "cnf", "cnf+"])
def test_answers_come_back_to_odd_names_that_collide_in_files(name: str) -> None:
    builder = Builder()
    lits = builder.booleans(ODD)
    n = builder.integer(2, -1, 1, encoding="direct")
    m = builder.integer("2", 0, 2, encoding="order")
    builder.add(*(a | b for a, b in pairwise(lits)), (n == -1) | (m >= 1))
    problem = builder.problem()
    assert list(problem.integers) == ["2", "2_"]
    stream = io.BytesIO()
    write_problem(problem, stream, name)
    again: Problem = read_problem(io.BytesIO(stream.getvalue()))
    legal = {v: text for v, text in again.variables() if v <= problem.num_vars}
    assert list(legal) == list(range(1, problem.num_vars + 1))
    assert len(set(legal.values())) == problem.num_vars
    numbers = {text: var for var, text in legal.items()}
    for pattern, k, j in product(((0, 1), (1, 0), (1, 1)), (-1, 0, 1), (0, 1, 2)):
        values = {each: bool(pattern[i % 2]) for i, each in enumerate(ODD)} | {2: k, "2": j}
        true = {var for var, each in enumerate(ODD, start=1) if values[each]}
        true |= {numbers[f"v_2_eq_{'m1' if k < 0 else k}"]}
        true |= {numbers[f"v_2_ge_{i}"] for i in (1, 2) if i <= j}
        assert builder.decode(true) == values
        assert builder.holds(values) == (k == -1 or j >= 1)
