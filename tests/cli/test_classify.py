"""``classify`` and ``engines``: verdicts by every engine, encoding and solver, and by programs."""

import gzip
import json
import os
import re
from typing import Any
from unittest.mock import patch

import pytest

from pbcnf import ENCODERS
from pbcnf.encoders.table import expresses
from satsweeper import Position
from satsweeper.answers.classification import Classification, Status
from satsweeper.answers.options import Options
from satsweeper.engines import table
from satsweeper.engines.compare import EngineProcess, EngineReply
from satsweeper.engines.table import ENGINES
from satsweeper.solvers.table import AUTO, SOLVERS
from tests.commands import EXAMPLES, call, done

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
def test_an_example_has_the_verdicts_found_by_hand(name):
    ended = done("classify", "--json", EXAMPLES / f"{name}.txt")
    answer, grid = ended.json, GRIDS[name]
    assert (answer["status"], answer["grid"]) == ("consistent", grid)
    assert (answer["rows"], answer["columns"]) == (len(grid), len(grid[0]))
    assert answer["mines"] == MINES.get(name)
    signs = {"safe": "S", "mine": "M", "unknown": "?"}
    assert answer["counts"] == {what: "".join(grid).count(sign) for what, sign in signs.items()}


def test_the_expert_example_has_the_counts_it_is_shown_with():
    answer = call("classify", "--json", EXAMPLES / "expert.txt").json
    assert (answer["rows"], answer["columns"], answer["mines"]) == (16, 30, 99)
    assert answer["counts"] == {"safe": 21, "mine": 73, "unknown": 96}
    given = (EXAMPLES / "expert.txt").read_text().splitlines()[3:]
    assert [re.sub("[SM]", "?", row) for row in answer["grid"]] == given


def test_every_example_board_is_tried():
    known = {*GRIDS, "expert", "contradiction", "covered_4x4"}
    assert {path.stem for path in EXAMPLES.glob("*.txt")} == known


def test_the_object_of_a_consistent_board_has_these_keys():
    ended = call("classify", "--json", EXAMPLES / "wikipedia_corner.txt")
    answer = ended.json
    assert ended.out == json.dumps(answer) + "\n"
    assert list(answer) == [*KEYS, "counts", "grid", *MADE_BY]
    assert answer["schema"] == "satsweeper/classify/1"
    assert (answer["engine"], answer["solver"], answer["encoding"]) == ("portfolio", AUTO, "direct")
    assert answer["stats"]["sat_calls"] == 0


def test_a_named_solver_answers_what_the_rules_leave():
    board = EXAMPLES / "wikipedia_corner.txt"
    answer = call("classify", "--json", "--solver", "glucose4", board).json
    assert answer["solver"] == "glucose4"
    assert answer["stats"]["sat_calls"] > 0


def test_the_object_of_an_inconsistent_board_has_a_conflict_and_no_grid():
    ended = call("classify", "--json", EXAMPLES / "contradiction.txt")
    assert (ended.code, ended.err) == (20, "")
    assert list(ended.json) == [*KEYS, "conflict", *MADE_BY]
    assert ended.json["status"] == "inconsistent"
    clash = {"clues": [[0, 0], [0, 2]], "flags": [], "total": False, "irreducible": True}
    assert ended.json["conflict"] == clash


def test_text_shows_verdicts_or_the_clash():
    shown = done("classify", EXAMPLES / "wikipedia_corner.txt")
    assert "2   ? ? S\n" in shown.out
    assert "1 safe, 0 mine, 4 unknown" in shown.out
    assert "\x1b" not in shown.out
    clash = call("classify", EXAMPLES / "contradiction.txt")
    assert (clash.code, clash.err) == (20, "")
    assert "No layout exists: the clues at (0, 0), (0, 2) cannot all be met at once." in clash.out


def test_stats_are_shown_on_demand():
    board = EXAMPLES / "wikipedia_corner.txt"
    assert "sat calls" not in call("classify", board).out
    assert re.search(r"^sat calls +\d+$", call("classify", "--stats", board).out, re.M)


def test_the_total_on_the_command_line_overrides_that_of_the_board():
    for mines, grid in ((1, "1MS"), (2, "1MM"), (None, "1M?")):
        words = ("classify", "--json", "--mines", mines or "unknown", "-")
        for board in ("1 3 2\n1??\n", "1 3 ?\n1??\n"):
            answer = call(*words, board=board).json
            assert (answer["mines"], answer["grid"]) == (mines, [grid])


def test_the_total_counts_flags_and_alone_can_clash():
    answer = call("classify", "--json", "--mines", "2", "-", board="F2?\n???\n").json
    assert (answer["mines"], answer["grid"]) == (2, ["F2?", "???"])
    assert call("classify", "--json", "--mines", "1", "-", board="F2?\n???\n").code == 20
    ended = call("classify", "--json", "--mines", "3", "-", board="1??\n")
    conflict = {"clues": [], "flags": [], "total": True, "irreducible": True}
    assert (ended.code, ended.json["conflict"]) == (20, conflict)


def test_ignored_flags_get_verdicts():
    assert call("classify", "--json", "-", board="1F?\n").json["grid"] == ["1F?"]
    answer = call("classify", "--json", "--flags", "ignore", "-", board="1FF\n").json
    assert answer["grid"] == ["1M?"]
    assert answer["counts"] == {"safe": 0, "mine": 1, "unknown": 1}


def test_a_wrong_flag_that_is_trusted_is_named_in_the_contradiction():
    # The 0 makes its neighbour safe; the other flag is right and plays no part.
    board = "0F1F\n0011\n"
    ended = call("classify", "--json", "--flags", "trust", "-", board=board)
    conflict = ended.json["conflict"]
    assert (ended.code, conflict["flags"]) == (20, [[0, 1]])
    assert conflict["clues"] in ([[0, 0]], [[1, 0]], [[1, 1]])
    right = call("classify", "--json", "--flags", "ignore", "-", board=board).json
    assert right["grid"] == ["0S1M", "0011"]


@pytest.mark.parametrize("encoding", [name for name in ENCODERS if expresses(name, 8, 3, 3)])
def test_every_encoding_gives_the_same_verdicts(encoding):
    for option in ("--encoding", "--total-encoding"):
        for name in ("expert", "minesweepr"):
            board = EXAMPLES / f"{name}.txt"
            other = call("classify", "--json", option, encoding, board)
            assert other.json["grid"] == call("classify", "--json", board).json["grid"]
    assert call("classify", "--json", "--encoding", encoding, board).json["encoding"] == encoding


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_gives_the_same_verdicts(solver):
    board = EXAMPLES / "expert.txt"
    answer = call("classify", "--json", "--solver", solver, board).json
    assert answer["solver"] == solver
    assert answer["grid"] == call("classify", "--json", board).json["grid"]


@pytest.mark.parametrize("name", [*GRIDS, "contradiction"])
def test_the_plain_way_gives_the_same_answer(name):
    board, keys = EXAMPLES / f"{name}.txt", ("grid", "counts", "status")
    one, two = (call("classify", "--json", *extra, board) for extra in ([], ["--plain"]))
    assert (one.code, two.json["engine"]) == (two.code, "plain")
    assert [one.json.get(key) for key in keys] == [two.json.get(key) for key in keys]


# ``engines`` and ``classify --engine`` on the command line


PLAIN = (
    "portfolio", "sat", "brute_force", "enumeration", "single_clue", "subset", "assumption",
    "elimination",
)  # fmt: skip
CORNER = "01?\n12?\n???\n"


def no_layout(position: Position, options: Options) -> Classification:
    return Classification.of(position.view(), Status.INCONSISTENT)


def test_engines_are_listed_with_what_they_promise():
    ended = call("engines")
    assert ended.code == 0
    for engine in ENGINES.values():
        kind = "complete" if engine.complete else "incomplete"
        assert f"{engine.name}: {kind}" in ended.out
    rows = call("engines", "--json").json["engines"]
    assert [row["name"] for row in rows] == list(ENGINES)
    assert all(row.keys() == {"name", "complete", "promise", "extra", "installed"} for row in rows)
    assert {row["name"] for row in rows if row["extra"] is None} >= set(PLAIN)


@pytest.mark.parametrize("name", [name for name in ENGINES if ENGINES[name].extra is None])
def test_an_engine_answers_as_the_contract_says(name):
    ended = call("classify", "-", "--engine", name, "--json", board=CORNER)
    answer = ended.json
    assert answer["engine"] == name
    assert answer["schema"] == "satsweeper/classify/1"
    if ENGINES[name].complete:
        assert (ended.code, ended.err, answer["status"]) == (0, "", "consistent")
        assert answer["grid"] == ["01?", "12?", "??S"]
        assert answer["counts"] == {"safe": 1, "mine": 0, "unknown": 4}
    else:
        assert (ended.code, answer["status"]) == (124, "undecided")
        assert ended.err.startswith(f"note: {name} is incomplete")


def test_an_incomplete_engine_that_settles_a_board_says_so():
    ended = call("classify", "-", "--engine", "single_clue", "--json", board="2?\n?1\n")
    assert (ended.code, ended.json["status"]) == (20, "inconsistent")
    ended = call("classify", "-", "--engine", "single_clue", "--json", board="1?\n")
    assert (ended.code, ended.err, ended.json["grid"]) == (0, "", ["1M"])


@pytest.mark.parametrize("limit", [(), ("--timeout", "60")])
@pytest.mark.parametrize("name", PLAIN)
def test_an_inconsistent_board_has_no_grid_and_an_irreducible_conflict(name, limit):
    ended = call("classify", "-", "--engine", name, "--json", *limit, board="1?3\n???\n")
    assert (ended.code, ended.json["status"]) == (20, "inconsistent")
    assert not ended.json.keys() & {"grid", "counts"}
    clash = {"clues": [[0, 0], [0, 2]], "flags": [], "total": False, "irreducible": True}
    assert ended.json["conflict"] == clash
    ended = call("classify", "-", "--engine", name, *limit, board="1?3\n???\n")
    assert ended.code == 20
    assert "No layout exists" in ended.out


def test_an_engine_that_our_own_search_contradicts_is_an_error():
    with patch("satsweeper.engines.enumeration.classify", no_layout):
        ended = call("classify", "-", "--engine", "enumeration", "--json", board=CORNER)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert "engine enumeration and our own search disagree" in ended.err


def test_clues_that_clash_are_not_searched_for_without_end(data):
    board = data / "positions" / "mutilated_8.txt"
    with (
        patch("satsweeper.engines.subset.classify", no_layout),
        patch("satsweeper.engines.classify._EFFORT", 100),
    ):
        ended = call("classify", board, "--engine", "subset", "--json")
    assert ended.code == 20
    assert ended.json["conflict"]["irreducible"] is False
    assert len(ended.json["conflict"]["clues"]) == 62
    assert "the engine's word" in ended.err


def test_a_cap_leaves_large_regions_alone():
    ended = call("classify", "-", "--engine", "enumeration", "--cap", 4, "--json", board=CORNER)
    assert (ended.code, ended.json["status"]) == (124, "undecided")
    assert ended.err == "note: regions of more than 4 cells left alone: 1\n"
    ended = done("classify", "-", "--engine", "enumeration", "--cap", 5, "--json", board=CORNER)


def test_a_missing_package_is_one_line_that_names_the_extra():
    for engine in ENGINES.values():
        if engine.extra:
            with patch.object(table, "find_spec", return_value=None):
                ended = call("classify", "-", "--engine", engine.name, board=CORNER)
                listed = call("engines", "--engine", engine.name, "--json").json
            assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
            assert f"pip install 'satsweeper[{engine.extra}]'" in ended.err
            assert not listed["engines"][0]["installed"]


def test_engines_are_compared_on_files_and_folders(tmp_path):
    (tmp_path / "corner.txt").write_text(CORNER)
    (tmp_path / "strip.txt").write_text("?" * 30 + "\n")
    (tmp_path / "corner.expected.json").write_text("{}")
    arguments = ("engines", "--compare", tmp_path, "--engine", ",".join(PLAIN))
    ended = done(*arguments)
    assert "disagreements: 0" in ended.out
    assert "refused: brute_force" in ended.out
    answer = call(*arguments, "--json").json
    assert answer["disagreements"] == []
    assert len(answer["boards"]) == 2 * len(PLAIN)
    assert {row["kind"] for row in answer["boards"]} == {"answered", "refused"}
    assert json.dumps(answer)


LIE = Classification.of(Position.parse(CORNER).view(), Status.CONSISTENT, 1 << 2)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (EngineReply("answered", LIE, "", 0.0), "certain without reason of [(0, 2)]"),
        (EngineReply("failed", None, "engine enumeration: it fell over", 0.0), "it fell over"),
    ],
)
def test_a_disagreement_or_a_failure_is_a_failed_check(tmp_path, reply, said):
    board = tmp_path / "corner.txt"
    board.write_text(CORNER)
    right = EngineProcess.ask

    def ask(self: EngineProcess, position: Any, options: Any) -> EngineReply:
        return reply if self.name == "enumeration" else right(self, position, options)

    with patch.object(EngineProcess, "ask", ask):
        ended = call("engines", "--compare", board, "--engine", "sat,enumeration")
    assert ended.code == 1
    assert said in ended.err
    assert said in ended.out or reply.kind == "answered"


def test_a_corpus_is_compared_with_its_totals_and_without(tmp_path):
    records = "; id=one kind=mid\n1 3 1\n?1?\n\n; id=two kind=mid\n1 3 2\n?2?\n"
    corpus = tmp_path / "small.ms.gz"
    corpus.write_bytes(gzip.compress(records.encode()))
    arguments = ("engines", "--compare", corpus, "--engine", "sat,single_clue")
    both = call(*arguments, "--mines", "both", "--json").json["boards"][::2]
    found = [(row["board"].removeprefix("small: "), row["mines"]) for row in both]
    assert found == [("one", 1), ("two", 2), ("one", None), ("two", None)]
    for mines, totals in (("given", [1, 2]), ("unknown", [None, None])):
        rows = call(*arguments, "--mines", mines, "--json").json["boards"]
        assert [row["mines"] for row in rows[::2]] == totals
    ended = call(*arguments, "--mines", "both", "--limit", 1)
    assert "1 board, total known, 0 certain cells" in ended.out
    assert "1 board, total unknown" in ended.out
    assert "small: two" not in ended.out
    assert call(*arguments, "--limit", 0).code == 2
    corpus.write_bytes(gzip.compress(b"; id=one kind=mid\n1 3 1\n?x?\n"))
    ended = call(*arguments)
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "(one)" in ended.err


# Programs as solvers of ``classify`` and ``explain``: whatever they do, one line and a code


COVERED = "?1?\n???\n"


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    def write(text: str) -> str:
        path = tmp_path / "fake"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return "external:fake"

    return write


LIES = {
    "says that every question has no model": (
        "echo s UNSATISFIABLE; exit 20",
        "a solver says that the board has no layout, but it has one",
    ),
    "gives a wrong model": ("echo s SATISFIABLE; echo v -1 0; exit 10", "wrong model"),
    "crashes": ("kill -SEGV $$", "it ended with SIGSEGV, which is no answer"),
    "gives up": ("echo s UNKNOWN", "it gave up (UNKNOWN)"),
}


@pytest.mark.parametrize("limit", [[], ["--timeout", 60]], ids=["here", "in a worker"])
@pytest.mark.parametrize("how", LIES)
def test_a_program_that_fails_is_one_line(script, how, limit):
    text, message = LIES[how]
    ended = call("classify", "--solver", script(text), *limit, "-", board=COVERED)
    assert (ended.code, ended.out) == (1, "")
    assert message in ended.err
    assert ended.err.count("\n") == 1


def test_a_program_that_hangs_ends_in_a_partial_answer(script):
    name = script("while :; do :; done")
    ended = call("classify", "--json", "--solver", name, "--timeout", 1.2, "-", board=COVERED)
    assert (ended.code, ended.err) == (124, "")
    found = [ended.json[key] for key in ("status", "solver", "grid")]
    assert found == ["undecided", name, ["?1?", "???"]]
