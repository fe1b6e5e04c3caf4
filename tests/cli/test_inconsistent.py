"""A board without a layout has one answer, whatever is asked of it: the clues that clash."""

from pathlib import Path

import pytest

from tests.commands import call

BOARDS = {
    "two clues clash": "1?3\n???\n",
    "a flag clashes": "0F\n?1\n",
    "the total clashes": "1 3 0\n1??\n",
}
QUESTIONS = {
    "odds": ("odds", "-"),
    "odds that were to be certified": ("odds", "-", "--certify", "folder"),
    "advise": ("advise", "-"),
    "explain": ("explain", "-", "0,1", "--flags", "ignore"),
    "explain in a time": ("explain", "-", "0,1", "--flags", "ignore", "--timeout", "60"),
    "certify": ("certify", "-", "-o", "folder"),
    "certify a cell": ("certify", "-", "-o", "folder", "--cell", "0,1"),
}
OF_ANOTHER_NAME = {"certify": "satsweeper/certificate/1"}
"""The schema of the object that certify prints: the manifest of its folder."""


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("board", BOARDS)
def test_every_command_says_of_a_board_without_a_layout_what_classify_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: str, question: str
) -> None:
    monkeypatch.chdir(tmp_path)
    command, *rest = QUESTIONS[question]
    how = [word for word in ("--flags", "ignore") if word in rest]
    classified = call("classify", "-", "--json", *how, board=BOARDS[board])
    asked = call(command, *rest, "--json", board=BOARDS[board])
    assert asked.code == classified.code == 20
    assert asked.json["schema"] == OF_ANOTHER_NAME.get(command, f"satsweeper/{command}/1")
    for name in ("status", "conflict", "rows", "columns", "mines"):
        assert asked.json[name] == classified.json[name]
    sentence = call("classify", "-", *how, board=BOARDS[board]).out.splitlines()[-2]
    assert sentence.startswith("No layout exists: ")
    assert sentence in call(command, *rest, board=BOARDS[board]).out.splitlines()


def test_the_cell_that_was_to_be_explained_is_in_the_object() -> None:
    assert call("explain", "--json", "-", "1,0", board="1?3\n???\n").json["cell"] == [1, 0]
