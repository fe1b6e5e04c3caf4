"""Sizes in words: columns first, as players write them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsweeper.board.size import FORM, BoardSize, size_text


@given(st.integers(1, 999), st.integers(1, 999), st.data())
def test_what_is_written_is_read_again(rows, columns, data):
    size = BoardSize(rows, columns, data.draw(st.integers(0, rows * columns)))
    assert BoardSize.parse(str(size)) == size
    assert str(size) == f"{columns}x{rows}/{size.mines}"
    assert size_text(rows, columns) == str(size).partition("/")[0]


def test_mines_may_be_a_share_of_the_cells():
    assert BoardSize.parse("30x16/20.5%") == BoardSize(16, 30, 98)
    assert BoardSize.parse("3x2/0%") == BoardSize(2, 3, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [("30x16", f"{FORM} is needed, as 30x16/99"), ("30X16/99", "is needed"),
     ("30x16/-1", "is needed"), ("\u0663\u0660x16/99", "is needed"), ("30x16/99/1", "is needed"),
     ("0x16/0", "at least one column and one row"),
     ("3x3/10", "more mines than cells, 10 and 9"),
     ("30x16/101%", "more mines than cells, 485 and 480"),
     ("99999x99999/1", "its cells are 9999800001, the limit is")],
)  # fmt: skip
def test_what_is_no_size_is_one_line(text, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        BoardSize.parse(text)
    assert str(caught.value).startswith(f"board {text!r}: ")
