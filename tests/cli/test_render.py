"""``render`` of boards of any shape under any rules: what is drawn, exit codes, refusals."""

import re

import pytest

from tests.commands import call, refused
from tests.show.drawings import cells, texts

TRIANGLES = "rules: C\ngeometry: triangular\nmines: 2\n1 ? ? ? ?\n? ? ? ? ?\n? 1 ? ? ?\n"


@pytest.fixture
def board(tmp_path):
    file = tmp_path / "board.txt"
    file.write_text(TRIANGLES)
    return file


@pytest.mark.parametrize("ending", ["svg", "html", "png"])
@pytest.mark.parametrize("options", [[], ["--plain"], ["--explain", "1,1"], ["--explain", "0,2"]])
def test_a_board_with_rules_is_drawn_and_twice_the_same(board, tmp_path, ending, options):
    files = [tmp_path / f"{name}.{ending}" for name in "ab"]
    for file in files:
        assert call("render", board, *options, "-o", file) == (0, "", "", "")
    assert files[0].read_bytes() == files[1].read_bytes()


def test_verdicts_reasons_and_layouts_are_those_of_the_board(board, tmp_path):
    file = tmp_path / "a.svg"

    def drawn(*options):
        assert call("render", board, *options, "--cell", "40", "-o", file).code == 0
        return [*cells(file.read_text(), 40).values()]

    # The grid of classify: 1S???, SS???, S1SSS.
    assert drawn().count("S, safe") == 7
    assert drawn("--plain").count("covered") == 13
    why = drawn("--explain", "1,1")
    assert (why.count("S, safe"), why.count("S, safe, the cell in question")) == (6, 1)
    assert "1, clue, a reason" in why
    both = drawn("--explain", "0, 2")
    assert len(both) == 30
    assert "M, mine, the cell in question" in both
    assert "S, safe, the cell in question" in both
    assert "triangular 5x3, mines: 2." in texts(file.read_text())


def test_mines_and_flags_are_replaced_and_a_clash_has_its_exit_code(board, tmp_path):
    file = tmp_path / "a.svg"
    assert call("render", board, "--mines", "unknown", "-o", file).code == 0
    assert "triangular 5x3, mines: unknown." in texts(file.read_text())
    assert call("render", board, "--mines", "0", "-o", file).code == 20
    said = " ".join(texts(file.read_text()))
    assert "No layout exists with" in said
    assert "the total of 0 mines" in said


def test_what_cannot_be_drawn_is_refused_in_one_line(board, tmp_path):
    file, wide = tmp_path / "a.svg", tmp_path / "wide.txt"
    wide.write_text("geometry: hexagonal\n" + ("?" * 90 + "\n") * 90)
    for code, words, said in (
        (1, (board, "--explain", "9,9"), f"{board}: cell '9,9': there is no such cell"),
        (1, (board, "--explain", "0,0"), f"{board}: cell (0, 0) is not covered"),
        (1, (wide, "--cell", "96", "--plain"), f"{wide}: "),
        (2, (board, "--seed", "3"), "satsweeper render: --seed is for --play BOARD"),
    ):
        assert refused(code, "render", *words, "-o", file).err.startswith(said)
    assert not file.exists()


def test_a_cell_of_squares_is_named_by_two_numbers(tmp_path):
    plain = tmp_path / "plain.txt"
    plain.write_text("1??\n12?\n01?\n")
    ended = refused(2, "render", plain, "--explain", "a", "-o", tmp_path / "a.svg")
    assert ended.err.startswith("satsweeper render: argument --explain: 'a' is not ROW,COLUMN")


def test_under_the_theme_auto_light_and_dark_are_one_drawing(board, tmp_path):
    files = {theme: tmp_path / f"{theme}.svg" for theme in ("light", "dark", "auto")}
    for theme, file in files.items():
        assert call("render", board, "--theme", theme, "--cell", "40", "-o", file).code == 0
    light, dark, auto = (file.read_text() for file in files.values())
    assert cells(light, 40) == cells(dark, 40) == cells(auto, 40)

    def colours(document: str) -> set[str]:
        return set(re.findall(r"#[0-9a-f]{6}\b", document))

    assert colours(light) | colours(dark) == colours(auto)
