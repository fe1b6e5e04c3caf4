"""What a user may do by mistake: refused in one line, or right all the same."""

import pickle
from copy import copy, deepcopy

import numpy as np
import pytest

from pbcnf import (
    FALSE,
    Builder,
    Domain,
    EncodingError,
    Formula,
    Literal,
    all_different,
    at_most_one,
    element,
    exactly_one,
    maximum,
    table,
    total,
)


def refused(error, message, action) -> None:
    with pytest.raises(error, match=message) as caught:
        action()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("say", ["add", "minimise"])
def test_a_boolean_of_another_builder_is_refused_by_its_name(say) -> None:
    builder, other = Builder(), Builder()
    builder.booleans("xy")
    getattr(builder, say)(other.boolean("p") | other.boolean("q"))
    refused(EncodingError, "the Boolean p belongs to another builder", builder.problem)


def test_builders_with_one_pool_share_their_booleans() -> None:
    one = Builder()
    x = one.boolean("x")
    two = Builder(one.names)
    two.add(~x, Literal(1) | two.boolean("y"))
    assert list(two.formula()) == [[-1], [1, 2]]


@pytest.mark.parametrize("wrong", [None, "x", [1], 2.5])
def test_an_objective_that_is_no_number_is_refused(wrong) -> None:
    builder = Builder()
    for ask in (builder.minimise, builder.maximise):
        refused(TypeError, "must be an int, not", lambda ask=ask: ask(wrong))


def test_what_cannot_be_an_integer_is_refused() -> None:
    builder = Builder()
    refused(TypeError, "None is no name of an integer", lambda: builder.integer(None, 0, 3))
    assert None not in builder
    n = builder.integer("n", 0, 3)
    refused(TypeError, "a value must be an int, not 'a'", lambda: n.among([1, "a"]))  # type: ignore[list-item]
    for operation in (at_most_one, exactly_one):
        refused(TypeError, "a proposition is needed", lambda operation=operation: operation([n, n]))
    refused(ValueError, "largest or the least of no numbers", lambda: maximum([]))
    refused(ValueError, "1 value in the row .* for 2 operands", lambda: table([n, n], [(1,)]))


@pytest.mark.parametrize("encoding", ["order", "direct"])
def test_an_integer_with_too_many_literals_is_refused_at_once(encoding) -> None:
    builder = Builder()
    builder.integer("n", 0, 10**12, encoding=encoding)
    refused(EncodingError, f"in {encoding} encoding.*binary", builder.formula)


def test_integers_of_very_many_values_are_all_different_by_pairs() -> None:
    builder = Builder()
    x, y = builder.integers("xy", 0, 10**12)
    builder.add(all_different([x, y + 5]), y == 7)
    assert builder.formula().num_clauses < 1000
    assert not builder.holds({"x": 12, "y": 7})


def test_a_long_product_is_refused_in_a_short_line() -> None:
    builder = Builder()
    xs, ys = builder.booleans(range(400)), builder.booleans(range(400, 800))
    builder.add(total(xs) * total(ys) <= 3)
    refused(EncodingError, r"the product .* \.\.\. would have more than", builder.formula)


def test_a_maximum_of_too_many_values_is_refused_where_it_is_summed() -> None:
    builder = Builder()
    x, y = builder.integers("xy", 0, 10**6)
    builder.add(maximum([x, y]) <= 10)
    builder.formula()
    builder.minimise(maximum([x, y]))
    refused(EncodingError, "needs an integer variable", builder.problem)


def test_decoding_what_is_no_model_is_refused() -> None:
    builder = Builder()
    builder.integer("n", 0, 3, encoding="direct")
    builder.formula()
    refused(EncodingError, "no model: it gives the integer n no value", lambda: builder.decode([]))
    builder.integer("late", 0, 3)
    refused(EncodingError, "late is not in this encoding", lambda: builder.decode([1]))


def test_integers_and_bools_of_numpy_are_numbers_and_constants() -> None:
    builder = Builder()
    x = builder.boolean("x")
    n = builder.integer("n", np.int64(0), np.int8(4))
    m = builder.integer("m", domain=np.arange(3))
    chosen = builder.integer("chosen", domain=Domain.of([1, 2]))
    weights = np.array([3, -2, 1])
    statement = weights[0] * x + weights[1] * n + m * weights[2] >= np.int64(-3)
    builder.add(statement, np.bool_(True) & x, x | np.bool_(False), n.among(np.array([1, 2])))
    builder.add(element(np.array([5, 6, 7]), m) <= np.int16(6), chosen == np.int64(2))
    for k in range(5):
        values = {"x": True, "n": np.int64(k), "m": 1, "chosen": 2}
        assert builder.holds(values) == (k in (1, 2) and 3 - 2 * k + 1 >= -3)
    assert builder.formula().num_clauses > 0
    assert builder.value(total([np.bool_(True), True, x]), {"x": True}) == 3


def test_bools_are_entries_of_tables_and_numbers_are_places() -> None:
    builder = Builder()
    x, y, n = builder.boolean("x"), builder.boolean("y"), builder.integer("n", 0, 5)
    builder.add(element([True, False, x], n) == 1, element([x, y], 1) == 1, element({4: 1}, n) == 0)
    good = [
        (p, q, k) for p in (0, 1) for q in (0, 1) for k in range(6)
        if [True, False, p, 0, 0, 0][k] == 1 and q
    ]  # fmt: skip
    found = [
        (p, q, k) for p in (0, 1) for q in (0, 1) for k in range(6)
        if builder.holds({"x": p, "y": q, "n": k})
    ]  # fmt: skip
    assert found == good


def test_a_copy_has_the_same_variables_and_grows_apart() -> None:
    builder = Builder()
    x, n = builder.boolean("x"), builder.integer("n", 0, 3)
    builder.add(x >> (n >= 2))
    builder.minimise(n)
    other = copy(builder)
    other.add(n <= 1, other.boolean("only here") | x)
    other.integer("too", 0, 1)
    assert (len(builder.statements), len(other.statements)) == (1, 3)
    assert ("only here" in builder, "too" in builder) == (False, False)
    assert builder.boolean("later").lit == other["only here"].lit
    assert other.holds({"x": 0, "n": 1, "only here": 1, "too": 0})
    assert other.problem().objective is not None


def test_builders_are_pickled_and_copied_deeply_with_what_they_made() -> None:
    builder = Builder()
    x, n = builder.boolean("x"), builder.integer(("n", 1), 0, 9)
    builder.add(x >> (2 * n + x <= 7), n != 3, abs(n - 5) >= 2)
    clauses = list(builder.formula())
    for again in (pickle.loads(pickle.dumps(builder)), deepcopy(builder)):
        assert list(again.formula()) == clauses
        again.add(again["x"], again["n", 1] >= 3)
        assert not again.holds({"x": True, ("n", 1): 3})
        assert list(builder.formula()) == clauses


def test_a_builder_shows_how_much_it_holds() -> None:
    builder = Builder()
    builder.add(builder.boolean("x") | FALSE, builder.integer("n", 0, 3) <= 2)
    assert repr(builder) == "Builder(1 Boolean, 1 integer, 2 statements)"


def test_clauses_need_no_gates_and_say_the_same() -> None:
    builder = Builder()
    x, y, z = builder.booleans("xyz")
    builder.add(x | y, ~(x & y), x >> z, x | ~x, x | y | x, (x | y) ^ z)
    formula = Formula()
    encoding = builder.encode(formula)
    encoding.add(z | ~y, ~(z & ~z))
    clauses = [sorted(clause) for clause in formula]
    assert clauses[:3] == [[1, 2], [-2, -1], [-1, 3]]
    assert sorted([-2, 3]) in clauses
    assert [1, 2] in clauses[3:]
    assert not any(-lit in clause for clause in clauses for lit in clause)
    stranger = Builder().boolean("p")
    refused(EncodingError, "p belongs to another", lambda: encoding.add(stranger | stranger))
