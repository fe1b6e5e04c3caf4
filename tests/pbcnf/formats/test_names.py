import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf.constraints.problem import Problem
from pbcnf.formats.names import legal_names


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.integers(1, 12), st.text(max_size=80) | st.sampled_from(["x3", "X3"])))
def test_names_are_made_legal_and_unique(names: dict[int, str]) -> None:
    legal = legal_names(Problem(12, (), names))
    assert len({name.lower() for name in legal}) == 12
    for name in legal:
        assert name.isascii()
        assert name.isidentifier()
        assert len(name) <= 80


@pytest.mark.parametrize("word", ["end", "Free", "inf", "st", "e", "E5", "e12", "true", "bvand"])
def test_words_of_the_formats_do_not_become_names(word: str) -> None:
    assert legal_names(Problem(1, (), {1: word})) == [f"v_{word}"]


def test_what_literals_of_integers_say_can_be_read_in_a_file() -> None:
    names = {1: "n>=3", 2: "n=-1", 3: "n=1", 4: "('a', -2)<=5", 5: "n_bit0", 6: "a-1", 7: "- 1"}
    assert legal_names(Problem(7, (), names)) == [
        "n_ge_3", "n_eq_m1", "n_eq_1", "v__a_m2__le_5", "n_bit0", "a_1", "v__1",
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["m_0_2", "easy", "e_1", "ending", "interior", "x1"])
def test_a_legal_name_stays_as_it_is(word: str) -> None:
    assert legal_names(Problem(1, (), {1: word})) == [word]
