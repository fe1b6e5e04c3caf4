"""Drawings of many boards with their answers."""

from tests.show.drawings import texts


def test_each_board_of_a_folder_has_a_drawing_with_its_answer(run_script, tmp_path):
    boards = tmp_path / "boards"
    boards.mkdir()
    for name, text in (
        ("a", "rules: W\nmines: 5\n. . . 2\n. 13 . 3\n. . . .\n. . 11 .\n"),
        ("b", "geometry: torus\nmines: 4\n1 ? ? ?\n? 2 ? ?\n? ? ? ?\n? ? 1 ?\n"),
        ("c", "1??\n12?\n01?\n"),
    ):
        (boards / f"{name}.txt").write_text(text)
    done = run_script("draw_boards", boards, "-o", tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "")
    drawings = {path.name: path.read_text() for path in sorted((tmp_path / "out").iterdir())}
    assert [*drawings] == ["a.svg", "b.svg", "c.svg"]
    assert "W (wall): the lengths of the runs of mines around the cell." in texts(drawings["a.svg"])
    # By the worked positions of the rule: four safe cells, three mines.
    assert "4 safe, 3 mine, 5 unknown." in texts(drawings["a.svg"])
    assert "square 3x3, mines: unknown." in texts(drawings["c.svg"])
    again = run_script("draw_boards", boards / "b.txt", "-o", tmp_path / "again")
    assert again.returncode == 0
    assert (tmp_path / "again" / "b.svg").read_text() == drawings["b.svg"]
