import pytest

from pbcnf.encoders.at_most_one.bimander import Bimander
from pbcnf.encoders.at_most_one.bitwise import Bitwise
from tests.pbcnf.emitted import encoded


def test_groups_of_one_are_bitwise():
    for n in range(3, 12):
        for bounds in [(0, 1), (1, 1), (n - 1, n)]:
            found = encoded(Bimander(group_size=1), n, *bounds)
            assert list(found) == list(encoded(Bitwise(), n, *bounds))


def test_one_group_is_pairwise():
    assert list(encoded(Bimander(group_size=9), 3, 0, 1)) == [[-1, -2], [-1, -3], [-2, -3]]


def test_encoders_are_equal_if_their_groups_are():
    assert Bimander() == Bimander(group_size=2)
    assert Bimander() != Bimander(group_size=3)
    assert hash(Bimander(4)) == hash(Bimander(4))


@pytest.mark.parametrize("group_size", [0, -2])
def test_empty_groups_are_refused(group_size):
    with pytest.raises(ValueError, match=f"at least 1, not {group_size}"):
        Bimander(group_size)


@pytest.mark.parametrize("group_size", [2.0, "2", True])
def test_a_group_size_that_is_no_int_is_refused(group_size):
    with pytest.raises(TypeError, match="the group size must be an int"):
        Bimander(group_size)
