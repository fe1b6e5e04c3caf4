"""``classify`` on the command line: the examples, the object it prints, its options."""

import json
import re

import pytest

from pbcnf import ENCODERS
from pbcnf.encoders.table import expresses
from satsweeper.solvers.table import AUTO, SOLVERS
from tests.commands import EXAMPLES, call

# Worked out by hand from the clues, or published with the board.
GRIDS = {
    "ilp_3x3": ["1MS", "12?", "01?"],
    "lp_5x5": ["001M?", "001S?", "011S?", "12MS?", "1MS??"],
    "wikipedia_corner": ["01?", "12?", "??S"],
    "danamlund_8x8": [
        *("001S????", "001M????", "0012????", "0001S???"),
        *("0001????", "0013????", "001MM???", "001S????"),
    ],
    "minesweepr": [
        *("001S??????", "002M??????", "003M??????", "002M??????", "112S??????", "??S???????"),
        *["??????????"] * 4,
    ],
    "kaye_wire": [
        *("S000000000000S", "S111111111111S", "??1??1??1??1??"),
        *("S111111111111S", "S000000000000S"),
    ],
}
MINES = {"danamlund_8x8": 10, "minesweepr": 10}
KEYS = ["schema", "rows", "columns", "mines", "status"]
MADE_BY = ["engine", "solver", "encoding", "stats"]


@pytest.mark.parametrize("name", GRIDS)
def test_an_example_has_the_verdicts_found_by_hand(name: str) -> None:
    ended = call("classify", "--json", EXAMPLES / f"{name}.txt")
    assert (ended.code, ended.err) == (0, "")
    answer, grid = ended.json, GRIDS[name]
    cells = "".join(grid)
    assert answer["grid"] == grid
    assert answer["status"] == "consistent"
    assert (answer["rows"], answer["columns"]) == (len(grid), len(grid[0]))
    assert answer["mines"] == MINES.get(name)
    assert answer["counts"] == {
        "safe": cells.count("S"),
        "mine": cells.count("M"),
        "unknown": cells.count("?"),
    }


def test_the_expert_example_has_the_counts_it_is_shown_with() -> None:
    answer = call("classify", "--json", EXAMPLES / "expert.txt").json
    assert (answer["rows"], answer["columns"], answer["mines"]) == (16, 30, 99)
    assert answer["counts"] == {"safe": 21, "mine": 73, "unknown": 96}
    given = (EXAMPLES / "expert.txt").read_text().splitlines()[3:]
    assert [re.sub("[SM]", "?", row) for row in answer["grid"]] == given


def test_every_example_board_is_tried() -> None:
    known = {*GRIDS, "expert", "contradiction", "covered_4x4"}
    assert {path.stem for path in EXAMPLES.glob("*.txt")} == known


def test_the_object_of_a_consistent_board_has_these_keys() -> None:
    ended = call("classify", "--json", EXAMPLES / "wikipedia_corner.txt")
    answer = ended.json
    assert ended.out == json.dumps(answer) + "\n"
    assert list(answer) == [*KEYS, "counts", "grid", *MADE_BY]
    assert answer["schema"] == "satsweeper/classify/1"
    assert (answer["engine"], answer["solver"], answer["encoding"]) == ("portfolio", AUTO, "direct")
    assert answer["stats"]["sat_calls"] == 0


def test_a_named_solver_answers_what_the_rules_leave() -> None:
    board = EXAMPLES / "wikipedia_corner.txt"
    answer = call("classify", "--json", "--solver", "glucose4", board).json
    assert answer["solver"] == "glucose4"
    assert answer["stats"]["sat_calls"] > 0


def test_the_object_of_an_inconsistent_board_has_a_conflict_and_no_grid() -> None:
    ended = call("classify", "--json", EXAMPLES / "contradiction.txt")
    assert (ended.code, ended.err) == (20, "")
    assert list(ended.json) == [*KEYS, "conflict", *MADE_BY]
    assert ended.json["status"] == "inconsistent"
    clash = {"clues": [[0, 0], [0, 2]], "flags": [], "total": False, "irreducible": True}
    assert ended.json["conflict"] == clash


def test_text_shows_verdicts_or_the_clash() -> None:
    shown = call("classify", EXAMPLES / "wikipedia_corner.txt")
    assert (shown.code, shown.err) == (0, "")
    assert "2   ? ? S\n" in shown.out
    assert "1 safe, 0 mine, 4 unknown" in shown.out
    assert "\x1b" not in shown.out
    clash = call("classify", EXAMPLES / "contradiction.txt")
    assert (clash.code, clash.err) == (20, "")
    assert "No layout exists: the clues at (0, 0), (0, 2) cannot all be met at once." in clash.out


def test_stats_are_shown_on_demand() -> None:
    board = EXAMPLES / "wikipedia_corner.txt"
    assert "sat calls" not in call("classify", board).out
    assert re.search(r"^sat calls +\d+$", call("classify", "--stats", board).out, re.M)


def test_the_total_on_the_command_line_overrides_that_of_the_board() -> None:
    board = "1 3 ?\n1??\n"
    assert call("classify", "--json", "-", board=board).json["grid"] == ["1M?"]
    one = call("classify", "--json", "--mines", "1", "-", board="1 3 2\n1??\n").json
    assert (one["mines"], one["grid"]) == (1, ["1MS"])
    two = call("classify", "--json", "--mines", "2", "-", board=board).json
    assert (two["mines"], two["grid"]) == (2, ["1MM"])
    unknown = call("classify", "--json", "--mines", "unknown", "-", board="1 3 2\n1??\n").json
    assert (unknown["mines"], unknown["grid"]) == (None, ["1M?"])


def test_the_total_counts_flags() -> None:
    answer = call("classify", "--json", "--mines", "2", "-", board="F2?\n???\n").json
    assert answer["mines"] == 2
    assert answer["grid"] == ["F2?", "???"]
    assert call("classify", "--json", "--mines", "1", "-", board="F2?\n???\n").code == 20


def test_the_total_alone_can_clash() -> None:
    ended = call("classify", "--json", "--mines", "3", "-", board="1??\n")
    assert ended.code == 20
    conflict = ended.json["conflict"]
    assert (conflict["clues"], conflict["flags"], conflict["total"]) == ([], [], True)


def test_ignored_flags_get_verdicts() -> None:
    assert call("classify", "--json", "-", board="1F?\n").json["grid"] == ["1F?"]
    answer = call("classify", "--json", "--flags", "ignore", "-", board="1FF\n").json
    assert answer["grid"] == ["1M?"]
    assert answer["counts"] == {"safe": 0, "mine": 1, "unknown": 1}


def test_a_wrong_flag_that_is_trusted_is_named_in_the_contradiction() -> None:
    # The 0 makes its neighbour safe; the other flag is right and plays no part.
    board = "0F1F\n0011\n"
    ended = call("classify", "--json", "--flags", "trust", "-", board=board)
    assert ended.code == 20
    conflict = ended.json["conflict"]
    assert conflict["flags"] == [[0, 1]]
    assert len(conflict["clues"]) == 1
    assert conflict["clues"][0] in ([0, 0], [1, 0], [1, 1])
    right = call("classify", "--json", "--flags", "ignore", "-", board=board).json
    assert right["grid"] == ["0S1M", "0011"]


@pytest.mark.parametrize("encoding", [name for name in ENCODERS if expresses(name, 8, 3, 3)])
def test_every_encoding_gives_the_same_verdicts(encoding: str) -> None:
    for option in ("--encoding", "--total-encoding"):
        for name in ("expert", "minesweepr"):
            board = EXAMPLES / f"{name}.txt"
            other = call("classify", "--json", option, encoding, board)
            assert other.json["grid"] == call("classify", "--json", board).json["grid"]
    assert call("classify", "--json", "--encoding", encoding, board).json["encoding"] == encoding


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_gives_the_same_verdicts(solver: str) -> None:
    board = EXAMPLES / "expert.txt"
    answer = call("classify", "--json", "--solver", solver, board).json
    assert answer["solver"] == solver
    assert answer["grid"] == call("classify", "--json", board).json["grid"]


@pytest.mark.parametrize("name", [*GRIDS, "contradiction"])
def test_the_plain_way_gives_the_same_answer(name: str) -> None:
    one, two = (
        call("classify", "--json", *extra, EXAMPLES / f"{name}.txt") for extra in ([], ["--plain"])
    )
    assert one.code == two.code
    assert [one.json.get(key) for key in ("grid", "counts", "status")] == [
        two.json.get(key) for key in ("grid", "counts", "status")
    ]
    assert two.json["engine"] == "plain"
