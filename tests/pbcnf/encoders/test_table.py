import pytest

from pbcnf import ENCODERS, Cardinality, Formula, encode, find_encoder
from pbcnf.emission.dispatch import template


def test_every_encoder_stands_under_its_own_name():
    assert [encoder.name for encoder in ENCODERS.values()] == list(ENCODERS)


def test_the_table_cannot_be_written():
    with pytest.raises(TypeError):
        ENCODERS["mine"] = ENCODERS["direct"]


@pytest.mark.parametrize("use", [find_encoder, lambda name: template(name, 3, 1, 1)])
def test_an_unknown_name_lists_the_names_and_suggests_one(use):
    with pytest.raises(
        ValueError, match=r"'totaliser'; did you mean 'totalizer'\? \(known: direct, pairwise"
    ):
        use("totaliser")


def test_an_unknown_name_is_refused_even_for_a_trivial_bound():
    with pytest.raises(ValueError, match=r"unknown encoder 'x' \(known: direct"):
        encode(Cardinality([], 0, 0), Formula(), "x")


@pytest.mark.parametrize("encoder", ENCODERS.values(), ids=ENCODERS)
def test_an_encoder_is_a_hashable_value(encoder):
    assert encoder == type(encoder)()
    assert len({encoder, type(encoder)()}) == 1
