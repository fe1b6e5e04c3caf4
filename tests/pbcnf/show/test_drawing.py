"""Drawings of encodings: what is in them, and that they can be looked at."""

import re
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import pytest

from pbcnf.show.drawing import Drawing, dot, draw
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


@pytest.fixture
def groups(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {element.get("id", ""): element for element in root.iter(f"{SVG}g")}


def test_every_variable_and_every_clause_is_drawn_once(drawn: Drawing, root) -> None:
    ids = Counter(element.get("id") for element in root.iter() if element.get("id"))
    wanted = [f"v{v}" for v in range(1, drawn.num_vars + 1)]
    wanted += [f"c{index}" for index in range(len(drawn.clauses))]
    assert ids == Counter(wanted)


def test_the_marks_of_a_clause_are_the_signs_of_its_literals(drawn: Drawing, groups) -> None:
    for index, clause in enumerate(drawn.clauses):
        styles = Counter(element.get("class") for element in groups[f"c{index}"])
        assert styles["positive"] == sum(lit > 0 for lit in clause)
        assert styles["negative"] == sum(lit < 0 for lit in clause)
        assert styles["wire"] == (1 if len(clause) == 2 else len(clause))
        assert styles["node"] == (len(clause) != 2)


def test_the_marks_touch_the_variables_of_the_clause(drawn: Drawing, groups) -> None:
    boxes = place(drawn).boxes
    for index, clause in enumerate(drawn.clauses):
        places = []
        for element in groups[f"c{index}"]:
            if element.get("class") == "positive":
                x, y = re.match(r"M(\S+) (\S+)", element.get("d", "")).groups()
                places.append((1, float(x), float(y)))
            elif element.get("class") == "negative":
                places.append((-1, float(element.get("cx", "")), float(element.get("cy", ""))))
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
    for path in root.iter(f"{SVG}path"):
        if path.get("class") == "wire":
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
    ("clauses", "depth"),
    [
        ([(-1, 3), (-3, 4), (-2, 4)], [0, 0, 1, 2]),
        ([(-1, 3), (1, -3), (-3, 4), (3, -4), (-2, 4)], [0, 0, 1, 2]),
        ([(-1, -2, 3), (-1, 4), (-3, -4)], [0, 0, 1, 2]),
        ([(-1, -4), (-4, 3), (-3, 5)], [0, 0, 2, 1, 3]),
        ([(-1, -2)], [0, 0]),
        ([(3, 4)], [0, 0, 1, 2]),
    ],
)
def test_depth_is_the_longest_chain_from_the_inputs(
    clauses: list[tuple[int, ...]], depth: list[int]
) -> None:
    drawn = Drawing("", (1, 1), len(depth), tuple(clauses))
    assert list(dict(sorted(drawn.depth.items())).values()) == depth


def test_the_levels_of_a_totalizer_are_the_levels_of_its_tree() -> None:
    drawn = draw("totalizer", [1] * 16, 8, 8)
    # Eight nodes of two outputs, four of four, two of eight; the bounds tie the last two together.
    levels = Counter(depth for v, depth in drawn.depth.items() if v > 16)
    assert levels == {1: 16, 2: 16, 3: 8, 4: 8}
