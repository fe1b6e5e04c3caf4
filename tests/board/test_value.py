"""Values with named fields: equality, immutability, and what their constructor refuses."""

import copy
import pickle
from typing import Any

import pytest

from satsweeper.board.value import Value


class Sum(Value, apart=("note",)):
    """A value with a default and a field apart."""

    left: int
    right: int = 2
    note: str = ""


class LongSum(Sum):
    """A value with a field more."""

    more: tuple[int, ...] = ()


class Own(Value, eq=False):
    """A value that is equal to itself alone."""

    cells: dict[int, int]


class Cost(Value, frozen=False):
    """A value that changes."""

    calls: int = 0


def test_values_are_equal_if_class_and_compared_fields_are() -> None:
    assert Sum(1) == Sum(left=1, right=2, note="other")
    assert Sum(1) != Sum(2)
    assert LongSum(1, 2) != Sum(1, 2)
    assert len({Sum(1), Sum(1, note="other"), Sum(1, 3)}) == 2
    assert repr(LongSum(1, 2, "other", (3,))) == "LongSum(left=1, right=2, more=(3,))"


def test_a_value_without_equality_of_fields_is_equal_to_itself_alone_and_has_a_hash() -> None:
    one, other = Own({}), Own({})
    assert one == one != other
    assert len({one, other, one}) == 2


def test_copies_keep_every_field_and_replaced_ones_only_the_others() -> None:
    value = LongSum(1, 4, "kept", (5,))
    for same in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert same.as_dict() == {"left": 1, "right": 4, "note": "kept", "more": (5,)}
    assert value.replaced(left=7).as_dict() == {**value.as_dict(), "left": 7}
    assert value.left == 1


@pytest.mark.parametrize(
    ("given", "named"),
    [((), {}), ((), {"right": 1}), ((1, 2, "", 4), {}), ((1,), {"left": 1}), ((1,), {"middle": 1})],
    ids=["none", "one missing", "too many", "one twice", "an unknown one"],
)
def test_wrong_fields_are_refused(given: tuple[Any, ...], named: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="the fields of Sum are left, right, note"):
        Sum(*given, **named)


def test_a_frozen_value_cannot_be_set_and_another_can() -> None:
    with pytest.raises(AttributeError, match="immutable: 'left' cannot be set"):
        Sum(1).left = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable: 'left' cannot be deleted"):
        del Sum(1).left
    cost = Cost()
    cost.calls += 3
    assert (cost, Cost().calls) == (Cost(calls=3), 0)
    with pytest.raises(TypeError, match="unhashable"):
        hash(cost)
