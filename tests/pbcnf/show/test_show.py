"""Drawings of encodings, and how constraints, problems, encodings and contracts show themselves."""

import re
from collections import Counter
from html.parser import HTMLParser
from itertools import combinations, product
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pbcnf
from pbcnf import Cardinality, Objective, Parity, Problem, PseudoBoolean, draw
from pbcnf.audit import audit_encoder
from pbcnf.emission.dispatch import template
from pbcnf.show.drawing import Drawing, dot
from pbcnf.show.svg import place, svg

SVG = "{http://www.w3.org/2000/svg}"

DRAWINGS = {
    "tree": draw("totalizer", [1] * 6, 0, 2),
    "both bounds": draw("totalizer", [1] * 9, 3, 5),
    "grid": draw("knuth_counter", [1] * 8, 0, 3),
    "no auxiliaries": draw("direct", [1] * 5, 1, 2),
    "clauses of two inputs": draw("pairwise", [1] * 6, 0, 1),
    "wide arcs": draw("pairwise", [1] * 30, 0, 1),
    "about a hundred variables": draw("sequential_counter", [1] * 20, 0, 5),
    "always": draw("totalizer", [1] * 3, 0, 3),
    "never": draw("totalizer", [1] * 3, 2, 1),
    "one input": draw("direct", [1], 1, 1),
    "odd ones": Drawing('odd <&> "ones"', (2, 1), 4, ((), (3,), (-4,), (1, -2), (-1, 2))),
}


@pytest.fixture(params=DRAWINGS)
def drawn(request: pytest.FixtureRequest) -> Drawing:
    return DRAWINGS[request.param]


@pytest.fixture
def root(drawn: Drawing) -> ElementTree.Element:
    """The drawing as SVG."""
    return ElementTree.fromstring(svg(drawn))


def test_every_variable_and_every_clause_is_drawn_once(drawn: Drawing, root) -> None:
    ids = Counter(element.get("id") for element in root.iter() if element.get("id"))
    wanted = [f"v{v}" for v in range(1, drawn.num_vars + 1)]
    wanted += [f"c{index}" for index in range(len(drawn.clauses))]
    assert ids == Counter(wanted)


def test_the_marks_of_a_clause_are_its_signs_and_touch_its_variables(drawn: Drawing, root) -> None:
    groups = {element.get("id"): element for element in root.iter(f"{SVG}g")}
    boxes = place(drawn).boxes
    for index, clause in enumerate(drawn.clauses):
        styles = Counter(element.get("class") for element in groups[f"c{index}"])
        assert styles["wire"] == (1 if len(clause) == 2 else len(clause))
        assert styles["node"] == (len(clause) != 2)
        places = []
        for element in groups[f"c{index}"]:
            if element.get("class") == "positive":
                x, y = re.match(r"M(\S+) (\S+)", element.get("d", "")).groups()
                places.append((1, float(x), float(y)))
            elif element.get("class") == "negative":
                places.append((-1, float(element.get("cx", "")), float(element.get("cy", ""))))
        assert len(places) == len(clause)
        touched = [
            sign * int(name[1:])
            for sign, x, y in places
            for name, box in boxes.items()
            if name.startswith("v")
            and abs(abs(x - box.x) - box.width / 2) < 4
            and abs(y - box.y) <= box.height / 2
        ]
        assert sorted(touched) == sorted(clause)


def test_no_two_boxes_overlap_and_all_are_on_the_sheet(drawn: Drawing) -> None:
    placement = place(drawn)
    width, height = placement.extent
    for box in placement.boxes.values():
        assert box.width / 2 - 0.1 <= box.x <= width - box.width / 2 + 0.1
        assert box.height / 2 - 0.1 <= box.y <= height - box.height / 2 + 0.1
    for a, b in combinations(placement.boxes.values(), 2):
        apart = abs(a.x - b.x) >= (a.width + b.width) / 2 or (
            abs(a.y - b.y) >= (a.height + b.height) / 2
        )
        assert apart, (a.id, b.id)


def test_all_lines_are_on_the_sheet(root) -> None:
    width = float(root.get("width", ""))
    for path in root.iterfind(f".//{SVG}path[@class='wire']"):
        numbers = [float(x) for x in re.findall(r"-?[\d.]+", path.get("d", ""))]
        assert 0 <= min(numbers[::2]) <= max(numbers[::2]) <= width - 47


def test_svg_needs_nothing_from_elsewhere(drawn: Drawing) -> None:
    text = svg(drawn)
    assert not re.search(r"href|url\(|<script|<image|@import", text)
    assert drawn.sizes in text


def test_dot_has_every_clause_with_its_signs(drawn: Drawing) -> None:
    text = dot(drawn)
    found: dict[int, list[int]] = {int(index): [] for index in re.findall(r'id="c(\d+)"', text)}
    sign = {"normal": 1, "odot": -1}
    edge = re.compile(r"([vc])(\d+) -> ([vc])(\d+) \[arrowtail=(\w+), arrowhead=(\w+)(.*)\];")
    for tail, a, head, b, left, right, rest in edge.findall(text):
        if tail == head == "v":
            index = int(re.findall(r'id="c(\d+)"', rest)[0])
            found[index] += [sign[left] * int(a), sign[right] * int(b)]
        elif head == "c":
            found[int(b)].append(sign[left] * int(a))
        else:
            found[int(a)].append(sign[right] * int(b))
    assert [sorted(found[index]) for index in range(len(drawn.clauses))] == [
        sorted(clause) for clause in drawn.clauses
    ]
    labels = re.findall(r'^ *v(\d+) \[label="', text, flags=re.MULTILINE)
    assert sorted(map(int, labels)) == list(range(1, drawn.num_vars + 1))
    assert text.count("{") == text.count("}") == 2


@pytest.mark.parametrize(
    ("depth", "clauses"),
    [([0, 0, 1, 2], [(-1, 3), (-3, 4), (-2, 4)]), ([0, 0], [(-1, -2)]), ([0, 0, 1, 2], [(3, 4)]),
     ([0, 0, 1, 2], [(-1, 3), (1, -3), (-3, 4), (3, -4), (-2, 4)]),
     ([0, 0, 1, 2], [(-1, -2, 3), (-1, 4), (-3, -4)]),
     ([0, 0, 2, 1, 3], [(-1, -4), (-4, 3), (-3, 5)])],
)  # fmt: skip
def test_depth_is_the_longest_chain_from_the_inputs(depth: list[int], clauses) -> None:
    drawn = Drawing("", (1, 1), len(depth), tuple(clauses))
    assert [drawn.depth[var] for var in range(1, len(depth) + 1)] == depth


def test_the_levels_of_a_totalizer_are_the_levels_of_its_tree() -> None:
    drawn = draw("totalizer", [1] * 16, 8, 8)
    # Eight nodes of two outputs, four of four, two of eight; the bounds tie the last two together.
    levels = Counter(depth for v, depth in drawn.depth.items() if v > 16)
    assert levels == {1: 16, 2: 16, 3: 8, 4: 8}


SPITEFUL = '<script>alert("&")</script>'


class Reader(HTMLParser):
    """A parser of HTML that keeps the text and the elements of a document."""

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
weights = st.lists(st.integers(-4, 4), min_size=5, max_size=5)
sums = st.builds(Cardinality, lits, bounds, bounds) | st.builds(
    lambda lits, weights, *ends: PseudoBoolean(lits, weights[: len(lits)], *ends),
    lits, weights, bounds, bounds,
)  # fmt: skip


@given(sums | st.builds(Parity, lits, st.booleans()))
def test_what_is_printed_means_the_constraint_and_a_page_says_what_is_printed(constraint) -> None:
    for values in product((False, True), repeat=3):
        model = {v if true else -v for v, true in enumerate(values, 1)}
        names = {f"x{v}": int(true) for v, true in enumerate(values, 1)}
        said = re.sub(r"~(x\d)", r"(1 - \1)", str(constraint))
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
        style = root.findtext(f"{SVG}style")
        rules = style.strip("\n").replace("@media screen { ", "").split("\n")
        selectors = [s.strip() for rule in rules for s in rule.partition("{")[0].split(",")]
        # The drawing itself has a scheme; what is in it has colours.
        assert selectors[:3] == [
            f":root.{names[-1]}", f"[data-jp-theme-light=false] .{names[-1]}",
            f".vscode-dark .{names[-1]}",
        ]  # fmt: skip
        assert all(s.startswith(f".{names[-1]} ") for s in selectors[3:])
    assert names[0] != names[1]


def holds(words: str, row: tuple[int, ...], weights: tuple[int, ...]) -> bool:
    """Whether the meaning of a variable, in words, holds in an assignment of the inputs."""
    numbers = set[int]()
    for first, last in re.findall(r"x(\d+)(?:…x(\d+))?", words):
        numbers.update(range(int(first), int(last or first) + 1))
    total = sum(weights[v - 1] * row[v - 1] for v in numbers)
    bound = re.search(r"([≥<]) ?(\d+)", words)
    if bound:
        return (total >= int(bound[2])) == (bound[1] == "≥")
    if ":" in words:
        return total % 2 == (words[:3] == "odd")
    if words[:3] == "all":
        return all(row[v - 1] for v in numbers)
    return (total > 0) == (words[:3] not in ("not", "non"))


@pytest.mark.parametrize(
    ("name", "weights", "upper"),
    [
        ("sequential_counter", (1,) * 5, 2), ("totalizer", (1,) * 6, 2), ("product", (1,) * 7, 1),
        ("bitwise", (1,) * 6, 1), ("ladder", (1,) * 5, 1), ("sorting_network", (1,) * 6, 3),
        ("adder", (1,) * 5, 3), ("generalized_totalizer", (5, 3, 2, 1), 6),
        ("decision_diagram", (4, 3, 2, 1), 5),
    ],
)  # fmt: skip
def test_what_a_variable_is_said_to_mean_holds_in_some_model_of_every_assignment(
    name, weights, upper
) -> None:
    """Each allowed assignment has a model in which all variables are as their meanings say.

    By a solver, without the clauses' own propagation. And most variables have a meaning.
    """
    from pysat.solvers import Solver

    drawing = draw(name, weights, upper=upper)
    assert 2 * len(drawing.meanings) >= drawing.num_vars - drawing.inputs
    with Solver("minisat22", bootstrap_with=drawing.clauses) as solver:
        for row in product((0, 1), repeat=len(weights)):
            if sum(w * x for w, x in zip(weights, row, strict=True)) > upper:
                continue
            given = [v if x else -v for v, x in enumerate(row, 1)]
            meant = [
                v if holds(words, row, weights) else -v for v, words in drawing.meanings.items()
            ]
            assert solver.solve([*given, *meant]), (row, drawing.meanings)


def test_many_inputs_have_no_meanings_and_keep_their_names() -> None:
    drawing = draw("totalizer", 11, upper=1)
    assert drawing.meanings == {}
    assert ">a12</text>" in drawing._repr_svg_()


def test_a_template_is_drawn_with_all_its_clauses() -> None:
    made = template("sequential_counter", 5, 0, 2)
    root = ElementTree.fromstring(made._repr_svg_())
    ids = {element.get("id") for element in root.iter() if "c" in element.get("id", "")}
    assert ids == {f"c{at}" for at in range(len(made.clauses))}


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
