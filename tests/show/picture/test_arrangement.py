"""Where cells of each geometry are drawn: neighbours touch, and nothing lies upon anything."""

import math
from itertools import combinations

import networkx
import pytest

from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.graph import graph
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.geometry.table import grid
from satsweeper.show.picture.arrangement import Arrangement, arranged
from satsweeper.show.picture.forms import Form, outline

Corners = list[tuple[float, float]]


def hexcells(down: int, right: int) -> Geometry:
    """Hexagons in doubled coordinates with a hole, two apart along the axis (down, right)."""
    cells = tuple(
        (r, c) for r in range(7) for c in range(7) if (r + c) % 2 == 0 and (r, c) != (3, 3)
    )
    numbers = {cell: number for number, cell in enumerate(cells)}
    steps = [(1, 1), (1, -1), (-1, 1), (-1, -1), (down, right), (-down, -right)]
    near = tuple(
        tuple(numbers[r + a, c + b] for a, b in steps if (r + a, c + b) in numbers)
        for r, c in cells
    )
    return Geometry("hexcells", cells, neighbours=near, touching=near, beside=near)


def of_network(network: networkx.Graph) -> Geometry:
    return graph({node: [*network.adj[node]] for node in network})


GRIDS = {name: grid(name, 4, 5) for name in ("square", "torus", "hexagonal", "triangular")}
DOUBLED = {"pointed": hexcells(0, 2), "flat": hexcells(2, 0)}
GRAPHS = {
    "Petersen": of_network(networkx.petersen_graph()),
    "scattered": of_network(networkx.gnp_random_graph(40, 0.06, seed=3)),
    "complete": of_network(networkx.complete_graph(12)),
    "without edges": of_network(networkx.empty_graph(5)),
    "one node": of_network(networkx.path_graph(1)),
}
ALL = {**GRIDS, **DOUBLED, **GRAPHS, "cubes": cubes(3, 2, 4), "knight": grid("knight", 3, 4)}


def corners(plan: Arrangement, cell: int) -> Corners:
    """The corners of a cell; of a disc, 24 points of its edge."""
    x, y = plan.places[cell]
    if plan.forms[cell] is Form.DISC:
        turns = [math.tau * k / 24 for k in range(24)]
        return [(x + 0.5 * math.cos(t), y + 0.5 * math.sin(t)) for t in turns]
    return [(round(x + a - 0.5, 6), round(y + b - 0.5, 6)) for a, b in outline(plan.forms[cell])]


def overlap(one: Corners, other: Corners) -> bool:
    """Whether two convex polygons have inner points in common: no edge of either parts them."""
    if math.dist(one[0], other[0]) > 4:
        return False
    for shape in (one, other):
        for (ax, ay), (bx, by) in zip(shape, shape[1:] + shape[:1], strict=True):
            along = [
                [(x - ax) * (by - ay) - (y - ay) * (bx - ax) for x, y in each]
                for each in (one, other)
            ]
            if max(along[0]) <= min(along[1]) + 1e-5 or max(along[1]) <= min(along[0]) + 1e-5:
                return False
    return True


def common(plan: Arrangement, a: int, b: int) -> int:
    return sum(math.dist(p, q) < 1e-4 for p in corners(plan, a) for q in corners(plan, b))


@pytest.mark.parametrize(
    ("geometry", "shared"),
    [(GRIDS["square"], 1), (GRIDS["triangular"], 1), (GRIDS["hexagonal"], 2), (DOUBLED["flat"], 2),
     (DOUBLED["pointed"], 2)],
    ids=["square", "triangular", "hexagonal", "flat", "pointed"],
)  # fmt: skip
def test_cells_are_neighbours_exactly_where_their_outlines_share_a_corner(geometry, shared):
    plan = arranged(geometry)
    for a, b in combinations(range(len(geometry)), 2):
        assert (common(plan, a, b) >= shared) == (b in geometry.neighbours[a]), (a, b)
        assert (common(plan, a, b) == 2) == (b in geometry.beside[a])


@pytest.mark.parametrize(
    ("name", "distances"),
    [("square", {1.0, 1.414}), ("hexagonal", {1.0}), ("knight", {2.236}),
     # Two inner radii of a triangle.
     ("triangular", {1.01})],
)  # fmt: skip
def test_middles_of_neighbours_are_at_the_distance_of_the_geometry(name, distances):
    geometry = grid(name, 4, 5)
    places = arranged(geometry).places
    near = geometry.beside if name == "triangular" else geometry.neighbours
    found = {
        round(math.dist(places[a], places[b]), 3) for a in range(len(geometry)) for b in near[a]
    }
    assert found == distances


@pytest.mark.parametrize("name", ALL)
def test_no_cell_lies_upon_another_and_every_cell_stands_in_one_row(name):
    plan = arranged(ALL[name])
    number = len(ALL[name])
    drawn = [corners(plan, cell) for cell in range(number)]
    for a, b in combinations(range(number), 2):
        assert not overlap(drawn[a], drawn[b]), (a, b)
    assert sorted(cell for row in plan.rows for cell in row) == [*range(number)]
    for row in plan.rows[: 1 if plan.forms[0] is Form.DISC else None]:
        assert plan.forms[0] is Form.DISC or [*row] == sorted(row, key=lambda c: plan.places[c][0])


def test_hexagons_upon_one_another_would_be_found():
    plan = arranged(DOUBLED["flat"])
    moved = [(x + 0.2, y + 0.1) for x, y in corners(plan, 0)]
    assert overlap(corners(plan, 0), moved)


@pytest.mark.parametrize("name", ALL)
def test_labels_are_off_the_cells_and_off_one_another_and_within_the_box(name):
    plan = arranged(ALL[name])
    (west, north), (east, south) = plan.box
    middles = [label.at for label in plan.labels]
    drawn = [corners(plan, cell) for cell in range(len(plan.places))]
    for x, y in middles:
        assert west < x < east
        assert north < y < south
        box = [(x - 0.1, y - 0.1), (x + 0.1, y - 0.1), (x + 0.1, y + 0.1), (x - 0.1, y + 0.1)]
        assert not any(overlap(box, each) for each in drawn), (name, x, y)
    assert all(math.dist(a, b) > 0.25 for a, b in combinations(middles, 2))
    for across, below in (corner for each in drawn for corner in each):
        assert west - 1e-6 <= across <= east + 1e-6
        assert north - 1e-6 <= below <= south + 1e-6


def test_a_torus_has_a_dashed_border_and_a_graph_a_line_for_each_edge():
    plan = arranged(GRIDS["torus"])
    assert len(plan.lines) > 20
    assert all(not (0 < x < 5 and 0 < y < 4) for line in plan.lines for x, y in line)
    assert arranged(GRIDS["square"]).lines == ()
    network = networkx.petersen_graph()
    plan = arranged(GRAPHS["Petersen"])
    ends = {frozenset(plan.places.index(at) for at in line) for line in plan.lines}
    assert ends == {frozenset(edge) for edge in network.edges}


def test_nodes_with_an_edge_are_nearer_than_others():
    """A layout that says nothing would fail: on a path the order of the nodes is that of places."""
    plan = arranged(of_network(networkx.path_graph(9)))
    for near, far in ((1, 2), (2, 5), (5, 8)):
        assert math.dist(plan.places[0], plan.places[near]) < math.dist(
            plan.places[0], plan.places[far]
        )
    ladder = networkx.grid_2d_graph(4, 4)
    geometry = of_network(ladder)
    plan = arranged(geometry)
    lengths = [
        math.dist(plan.places[a], plan.places[b]) for a in range(16) for b in geometry.neighbours[a]
    ]
    assert max(lengths) < 1.5 * min(lengths)


def test_a_graph_of_many_nodes_stands_in_rows():
    plan = arranged(of_network(networkx.cycle_graph(900)))
    assert len({y for _, y in plan.places}) == 30


def test_layers_of_cubes_stand_beside_each_other_and_further_ones_below():
    plan = arranged(cubes(4, 2, 3))
    assert len({y for _, y in plan.places}) == 2
    plan = arranged(cubes(9, 5, 5))
    assert len({y for _, y in plan.places}) == 15
    assert [label.text for label in plan.labels if "layer" in label.text] == [
        f"layer {at}" for at in range(9)
    ]
