"""A table or a figure in every format of reports."""

import csv
import io
import re
import sys
from html.parser import HTMLParser
from itertools import chain

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satsweeper.report.html import table_html
from satsweeper.report.table import Table, escape_plain, markdown_table, padded_table, write_csv

CELLS = st.text(st.characters(exclude_categories=("C", "Z")), max_size=6)
ROWS = st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=4)


class Cells(HTMLParser):
    """Element, class and text of all heads and cells, in their order; elements are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[tuple[str, str | None, str]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag in {"th", "td"}:
            self.cells.append((tag, dict(attrs).get("class"), ""))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in {"th", "td"}:
            tag, kind, text = self.cells[-1]
            self.cells[-1] = (tag, kind, text + data)


@given(ROWS)
def test_html_has_every_text_in_its_cell_and_nothing_of_it_is_markup(rows):
    rows = [*rows, ("a", "1" * 26), ("b", "w" * 27)]
    page = Cells(table_html(Table("caption", ("<b>", "n"), tuple(rows), frozenset({1}))))
    cells = [[("th", None, first), ("td", "number", second)] for first, second in rows]
    # A longer cell may be broken into lines.
    cells[-1][1] = ("td", "words", "w" * 27)
    assert page.cells == [("th", None, "<b>"), ("th", "number", "n"), *chain(*cells)]


@given(st.lists(st.dictionaries(st.sampled_from("ab"), st.text(max_size=5)), max_size=4))
@example([{"a": "1\r2"}, {"b": "\r"}])
def test_csv_is_read_back_as_it_was(rows):
    stream = io.BytesIO()
    write_csv(["a", "b"], rows, stream)
    found = list(csv.DictReader(io.StringIO(stream.getvalue().decode(), newline="")))
    assert found == [{name: row.get(name, "") for name in "ab"} for row in rows]


def test_a_row_with_an_unknown_column_is_no_csv():
    with pytest.raises(ValueError, match="c"):
        write_csv(["a"], [{"c": 1}], io.BytesIO())


@given(ROWS)
def test_markdown_tables_have_one_line_a_row_and_padded_ones_one_width(rows):
    assert markdown_table(["a", "b"], rows).count("\n") == len(rows) + 1
    padded = padded_table(rows).split("\n")
    assert len(padded) == len(rows) + 1
    assert len({len(line) for line in padded}) == 1


def test_the_columns_left_out_are_gone_and_numbers_stay_numbers():
    table = Table("t", ("a", "b", "c"), (("1", "2", "3"),), frozenset({2}), spare=(1,))
    assert table.without([1]) == Table("t", ("a", "c"), (("1", "3"),), frozenset({1}))


def test_what_latex_acts_upon_is_written_out():
    assert escape_plain("a_b & 5 % {x} #1 $2 é") == r"a\_b \& 5 \% \{x\} \#1 \$2 ?"
    assert escape_plain("\\~^") == r"\textbackslash{}\textasciitilde{}\textasciicircum{}"


def test_without_matplotlib_there_is_one_line_that_says_how_to_get_it(monkeypatch):
    from satsweeper.report.figures import PlottingMissingError, check_plotting

    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PlottingMissingError, match=re.escape("pip install 'satsweeper[plot]'")):
        check_plotting()
