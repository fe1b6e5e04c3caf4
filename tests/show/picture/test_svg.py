"""Pictures as SVG, read by a parser that knows no more of them than their names."""

import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from satsweeper import Position, classify, explain, odds
from satsweeper.board.size import BoardSize
from satsweeper.play.game import Game
from satsweeper.play.narration import narrate_record, narrate_strategy
from satsweeper.show.picture.boards import (
    explanation_scene,
    game_film,
    odds_scene,
    plain_scene,
    verdict_scene,
)
from satsweeper.show.picture.marks import THEMES
from satsweeper.show.picture.scene import Film, Scene
from satsweeper.show.picture.strokes import GLYPHS, text_width, wrapped
from satsweeper.show.picture.svg import film_svg
from tests.oracles import layouts

SVG = "{http://www.w3.org/2000/svg}"
BOARD = "3 3 ?\n01?\n12?\nF??"


def shown(document: str, until: float = 1.0) -> list[list[str]]:
    """What is said of each cell, row by row, at a share of the film: nothing of ours is used."""
    root = ElementTree.fromstring(document)
    said = {each.get("id"): each.findtext(f"{SVG}title") for each in root.iter(f"{SVG}g")}
    cells: dict[tuple[float, float], str] = {}
    for group in root.findall(f"{SVG}g"):
        moves = group.find(f"{SVG}animate")
        if moves is not None and float(moves.get("keyTimes", "").split(";")[1]) > until:
            continue
        for use in group.findall(f"{SVG}use"):
            numbers = re.findall(r"[\d.]+", use.get("transform", ""))
            cells[float(numbers[1]), float(numbers[0])] = said[use.get("href", "")[1:]] or ""
    rows = sorted({y for y, _ in cells})
    return [[cells[at] for at in sorted(cells) if at[0] == row] for row in rows]


def svg(scene: Scene, cell: int | None = None) -> str:
    return film_svg(Film((scene,), (0,)), THEMES["light"], cell, "a <title>")


def by_hand(position: Position) -> list[list[str]]:
    """Return the description of each cell of a small board, by trying all layouts."""
    found = layouts(position)

    def said(cell: tuple[int, int], code: int) -> str:
        if code >= 0:
            return f"{code}, clue"
        mined = sum(cell in mines for mines in found)
        certain = {0: "S, safe", len(found): "M, mine"}
        return "F, flag" if code == -2 else certain.get(mined, "?, unknown")

    return [
        [said((r, c), code) for c, code in enumerate(row)]
        for r, row in enumerate(position.cells.tolist())
    ]


@pytest.mark.parametrize("board", [BOARD, "3 3 ?\n01?\n12?\n???", "2 4 ?\n?1??\n?1??"])
def test_a_picture_says_what_trying_all_layouts_says(board: str) -> None:
    position = Position.parse(board)
    assert shown(svg(verdict_scene(classify(position))))[: position.rows] == by_hand(position)


def test_a_digit_is_drawn_by_lines_and_what_is_safe_upon_a_disc() -> None:
    root = ElementTree.fromstring(
        svg(verdict_scene(classify(Position.parse("3 3 ?\n01?\n12?\n???"))))
    )
    drawn = {
        tile.findtext(f"{SVG}title"): [shape.tag.removeprefix(SVG) for shape in tile]
        for tile in root.iter(f"{SVG}g")
    }
    assert drawn["1, clue"][1:] == ["path", "path", "path"]
    assert drawn["S, safe"][1:] == ["path", "circle", "path"]


def test_the_legend_names_the_signs_that_are_there_and_no_others() -> None:
    document = svg(verdict_scene(classify(Position.parse("1 2 ?\n1?"))))
    labels = {each.get("aria-label") for each in ElementTree.fromstring(document).iter()}
    assert {"mine"} < labels
    assert not {"safe", "unknown", "flag"} & labels


def test_a_chance_is_shown_in_percent_and_only_certainty_as_a_letter() -> None:
    position = Position.parse("2 3 2\n1??\n???")
    chances = odds(position).mine
    found = shown(svg(odds_scene(odds(position))))
    for (row, column), chance in chances.items():
        glyph = found[row][column].split(",")[0]
        if chance in (0, 1):
            assert glyph == "SM"[int(chance)]
        else:
            assert abs(Fraction(int(glyph), 100) - chance) <= Fraction(1, 100)


def test_a_plain_board_has_no_verdicts() -> None:
    assert shown(svg(plain_scene(Position.parse(BOARD))))[:3] == [
        ["0, clue", "1, clue", "covered"],
        ["1, clue", "2, clue", "covered"],
        ["F, flag", "covered", "covered"],
    ]


def test_a_reason_marks_the_cell_and_the_clues_that_force_it() -> None:
    position = Position.parse("3 3 ?\n01?\n12?\n???")
    reason = explain(position, (2, 2))
    found = shown(svg(explanation_scene(reason, classify(position))))
    marked = {(r, c) for r in range(3) for c in range(3) if "a reason" in found[r][c]}
    assert found[2][2] == "S, safe, the cell in question"
    assert marked == {(0, 1), (1, 0), (1, 1)}
    assert "no reason" not in str(found)


def test_an_unknown_cell_is_shown_with_two_layouts_that_differ_there() -> None:
    position = Position.parse("3 3 ?\n01?\n12?\n???")
    found = shown(svg(explanation_scene(explain(position, (0, 2)), classify(position))))
    assert {found[0][2][0], found[0][5][0]} == {"S", "M"}


def test_what_clashes_is_marked() -> None:
    found = shown(svg(verdict_scene(classify(Position.parse("2 3 ?\n1?3\n???")))))
    assert found[0][2] == "3, clue, clashes"


@pytest.mark.parametrize("cell", [8, 28, 96])
def test_cells_are_as_large_as_asked(cell: int) -> None:
    root = ElementTree.fromstring(svg(plain_scene(Position.parse(BOARD)), cell))
    xs = {
        re.findall(r"[\d.]+", u.get("transform", ""))[0]
        for u in root.iter(f"{SVG}use")
        if "scale" in u.get("transform", "")
    }
    steps = sorted(map(float, xs))
    assert cell in {b - a for a, b in combinations(steps, 2)}
    assert float(root.get("width", "0")) >= 3 * cell


def test_a_film_shows_at_every_moment_what_was_open_then() -> None:
    """The pictures that lie over one another are those of the game, cell by cell."""
    moments = list(narrate_strategy(BoardSize(6, 6, 6), seed=3))
    film = game_film(moments, "a game")
    document = film_svg(film, THEMES["dark"], None, "a game")
    begins, whole = 0, sum(film.durations)
    for moment, lasts in zip(moments, film.durations, strict=True):
        found = shown(document, begins / whole + 1e-5)
        geometry = moment.layout.geometry
        opened = {(r, c) for r in range(6) for c in range(6) if "clue" in found[r][c]}
        assert opened == {
            (r, c)
            for r in range(6)
            for c in range(6)
            if moment.opened >> geometry.index((r, c)) & 1
        }
        begins += lasts


def test_the_words_of_a_recorded_game_are_those_of_a_film(tmp_path: Path) -> None:
    game = Game("5x5/3", "opening", seed=2)
    game.open((2, 2))
    film = game_film(narrate_record(game), "5x5/3")
    assert "safe by convention" in film.scenes[1].caption[1]


def test_every_character_that_is_said_has_a_glyph() -> None:
    said = {
        c
        for each in (narrate_strategy(BoardSize(8, 8, 10), seed=s, go_on=True) for s in (1, 5))
        for m in each
        for c in m.sentence
    }
    assert said - {" "} <= GLYPHS.keys()


def test_lines_are_wrapped_between_words_and_lose_none() -> None:
    text = "nothing is certain here, so that a guess is needed"
    lines = wrapped(text, 90)
    assert " ".join(lines) == text
    assert all(text_width(line) <= 90 for line in lines)
    assert len(lines) > 2
