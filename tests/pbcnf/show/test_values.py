"""Constraints, problems, encodings and contracts show themselves; what is written is read back."""

import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pbcnf
from pbcnf import Cardinality, Objective, Parity, Problem, PseudoBoolean, draw
from pbcnf.audit import audit_encoder
from pbcnf.emission.dispatch import template

SPITEFUL = '<script>alert("&")</script>'


class Reader(HTMLParser):
    """What a browser would show, and the elements it would make."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.text, self.elements, self.open = "", set[str](), list[str]()
        self.feed(document)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


lits = st.lists(st.integers(1, 3) | st.integers(-3, -1), max_size=5)
bounds = st.integers(-7, 7) | st.none()
sums = st.builds(Cardinality, lits, bounds, bounds) | lits.flatmap(
    lambda found: st.builds(
        PseudoBoolean,
        st.just(found),
        st.lists(st.integers(-4, 4), min_size=len(found), max_size=len(found)),
        bounds,
        bounds,
    )
)


@given(sums | st.builds(Parity, lits, st.booleans()))
def test_what_is_printed_means_the_constraint_and_a_page_says_what_is_printed(constraint) -> None:
    for values in product((False, True), repeat=3):
        model = {v if true else -v for v, true in enumerate(values, 1)}
        names = {f"x{v}": int(true) for v, true in enumerate(values, 1)}
        said = re.sub(r"~(x\d)", r"(1 - \1)", str(constraint))
        if isinstance(constraint, Parity):
            left, _, right = said.partition(" == ")
            assert (eval(left, {}, names) == int(right)) == constraint.holds(model)
        else:
            assert eval(said, {}, names) == constraint.holds(model)
    shown = Reader(constraint._repr_html_()).text
    signs = ("≤", "<="), ("≥", ">="), ("¬", "~"), ("·", "*"), ("⊕", "^"), ("\N{MINUS SIGN}", "-")
    for sign, ascii_sign in (*signs, (" = ", " == ")):
        shown = shown.replace(sign, ascii_sign)
    assert shown == str(constraint)


def test_names_are_shown_and_no_name_makes_an_element() -> None:
    problem = Problem(
        2, (Cardinality([1, -2], 1), Parity([1], True)), {1: SPITEFUL}, Objective((1,), (2,))
    )
    page = Reader(problem._repr_html_())
    assert page.text.count(SPITEFUL) == 3
    assert "script" not in page.elements
    assert f"minimise 2*{SPITEFUL}" in str(problem)


def test_of_long_lists_the_beginning_is_shown_and_how_much_there_is() -> None:
    long = Cardinality(range(1, 10_001), upper=3)
    assert Reader(long._repr_html_()).text.endswith("x40 … (9960 terms more) ≤ 3")
    problem = Problem(10_000, (long,) * 1000)
    assert len(problem._repr_html_()) < 200_000
    assert "... and 950 more" in Reader(problem._repr_html_()).text


@pytest.mark.parametrize("name", ["totalizer", "pairwise", "ladder"])
def test_the_table_of_a_contract_has_the_numbers_of_its_rows(name: str) -> None:
    found = audit_encoder(name, 4)
    page = Reader(found._repr_html_()).text
    for row in found.rows():
        failing = [case for case in row.cases if case.audit and case.audit.failures]
        if row.kind.value in ("at most", "exactly", "range"):
            assert row.kind.value in page
            assert ("no " in page) >= bool(failing)
    assert f"{name} keeps what it claims." in page
    assert f"{name} keeps what it claims." in str(found)


def test_a_drawing_is_the_same_each_time_and_styles_nothing_but_itself() -> None:
    one, other = draw("totalizer", 4, upper=1), draw("ladder", 4, upper=1)
    assert one._repr_svg_() == draw("totalizer", 4, upper=1)._repr_svg_()
    names = []
    for drawing in (one, other):
        root = ElementTree.fromstring(drawing._repr_svg_())
        names.append(root.get("class"))
        style = root.findtext("{http://www.w3.org/2000/svg}style")
        rules = [line for line in style.split("\n") if "{" in line and not line.startswith("@")]
        selectors = [s for rule in rules for s in rule.partition("{")[0].split(",")]
        assert all(s.strip().startswith(f".{names[-1]} ") for s in selectors)
    assert names[0] != names[1]


def test_a_template_is_drawn_with_all_its_clauses() -> None:
    made = template("sequential_counter", 5, 0, 2)
    root = ElementTree.fromstring(made._repr_svg_())
    ids = {element.get("id") for element in root.iter()}
    assert {f"c{at}" for at in range(len(made.clauses))} <= ids
    assert f"c{len(made.clauses)}" not in ids


def test_what_is_too_large_to_be_seen_is_not_drawn_and_says_so() -> None:
    large = draw("pairwise", 40, upper=1)
    assert large._repr_svg_() is None
    assert "780 clauses" in str(large)
    assert "not drawn" in str(large)


def test_terminals_of_few_characters_can_print_everything() -> None:
    sums = (PseudoBoolean([1, 2], [-3, 2], 0),)
    problem = Problem(2, sums, objective=Objective((1,), (-1,), 2))
    for value in (Parity([1, -2], 1), Cardinality([1, 2]), draw("adder", [3, 2], upper=3), problem):
        str(value).encode("ascii")


def test_a_notebook_without_drawings_shows_the_text_and_inside_a_list_a_line() -> None:
    pretty = pytest.importorskip("IPython.lib.pretty").pretty
    constraint = Cardinality([1, 2, 3], upper=1)
    line = "Cardinality(lits=(1, 2, 3), lower=0, upper=1)"
    assert pretty(constraint) == "x1 + x2 + x3 <= 1"
    assert pretty([constraint]) == f"[{line}]"
    assert repr(constraint) == line
    assert "14 clauses" in pretty(draw("totalizer", 5, upper=2))
    huge = pretty(Cardinality(range(1, 10_000)))
    assert len(huge) < 20_100
    assert huge.endswith("characters more")


@pytest.mark.parametrize("show", [pbcnf.as_svg, pbcnf.as_html, pbcnf.as_text])
def test_other_values_are_refused(show) -> None:
    for value in (None, 3, "x", [Parity([1], 1)]):
        with pytest.raises(TypeError, match="there is no"):
            show(value)
