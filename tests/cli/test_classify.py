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
from tests.commands import EXAMPLES, call, done, refused

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
CLASH = {"clues": [[0, 0], [0, 2]], "flags": [], "total": False, "irreducible": True}


@pytest.mark.parametrize("name", GRIDS)
def test_an_example_has_the_verdicts_found_by_hand_and_the_same_in_the_plain_way(name):
    answer, grid = done("classify", "--json", EXAMPLES / f"{name}.txt").json, GRIDS[name]
    assert (answer["status"], answer["grid"]) == ("consistent", grid)
    assert (answer["rows"], answer["columns"]) == (len(grid), len(grid[0]))
    assert answer["mines"] == {"danamlund_8x8": 10, "minesweepr": 10}.get(name)
    signs = {"safe": "S", "mine": "M", "unknown": "?"}
    assert answer["counts"] == {what: "".join(grid).count(sign) for what, sign in signs.items()}
    plain = done("classify", "--json", "--plain", EXAMPLES / f"{name}.txt").json
    assert (plain["engine"], plain["status"]) == ("plain", "consistent")
    assert (plain["grid"], plain["counts"]) == (grid, answer["counts"])


def test_every_example_board_is_tried_and_the_expert_one_has_the_counts_it_is_shown_with():
    known = {*GRIDS, "expert", "contradiction", "covered_4x4"}
    assert {path.stem for path in EXAMPLES.glob("*.txt")} == known
    answer = call("classify", "--json", EXAMPLES / "expert.txt").json
    assert (answer["rows"], answer["columns"], answer["mines"]) == (16, 30, 99)
    assert answer["counts"] == {"safe": 21, "mine": 73, "unknown": 96}
    given = (EXAMPLES / "expert.txt").read_text().splitlines()[3:]
    assert [re.sub("[SM]", "?", row) for row in answer["grid"]] == given


def test_the_object_has_a_grid_or_a_conflict_and_tells_by_what_it_was_made():
    keys = ["schema", "rows", "columns", "mines", "status"]
    made_by = ["engine", "solver", "encoding", "stats"]
    ended = call("classify", "--json", EXAMPLES / "wikipedia_corner.txt")
    answer = ended.json
    assert ended.out == json.dumps(answer) + "\n"
    assert list(answer) == [*keys, "counts", "grid", *made_by]
    assert answer["schema"] == "satsweeper/classify/1"
    assert [answer[key] for key in made_by[:3]] == ["portfolio", AUTO, "direct"]
    assert answer["stats"]["sat_calls"] == 0
    for options, engine in (((), "portfolio"), (("--plain",), "plain")):
        ended = call("classify", "--json", *options, EXAMPLES / "contradiction.txt")
        assert (ended.code, ended.err, ended.json["engine"]) == (20, "", engine)
        assert list(ended.json) == [*keys, "conflict", *made_by]
        assert (ended.json["status"], ended.json["conflict"]) == ("inconsistent", CLASH)


def test_text_shows_verdicts_or_the_clash_and_stats_on_demand():
    shown = done("classify", EXAMPLES / "wikipedia_corner.txt")
    assert "2   ? ? S\n" in shown.out
    assert "1 safe, 0 mine, 4 unknown" in shown.out
    assert not re.search("\x1b|sat calls", shown.out)
    stats = done("classify", "--stats", EXAMPLES / "wikipedia_corner.txt")
    assert re.search(r"^sat calls +\d+$", stats.out, re.M)
    clash = call("classify", EXAMPLES / "contradiction.txt")
    assert (clash.code, clash.err) == (20, "")
    assert "No layout exists: the clues at (0, 0), (0, 2) cannot all be met at once." in clash.out


@pytest.mark.parametrize(
    ("board", "options", "grid"),
    [*((f"1 3 {total}\n1??\n", f"--mines {mines}", [grid]) for total in "2?"
       for mines, grid in (("1", "1MS"), ("2", "1MM"), ("unknown", "1M?"))),
     ("F2?\n???\n", "--mines 2", ["F2?", "???"]), ("1F?\n", "", ["1F?"]),
     ("1FF\n", "--flags ignore", ["1M?"]), ("0F1F\n0011\n", "--flags ignore", ["0S1M", "0011"])],
)  # fmt: skip
def test_the_total_on_the_command_line_counts_and_ignored_flags_get_verdicts(board, options, grid):
    answer = done("classify", "--json", *options.split(), "-", board=board).json
    assert answer["grid"] == grid
    if "--mines" in options:
        total = options.split()[1]
        assert answer["mines"] == (None if total == "unknown" else int(total))
    assert answer["counts"]["mine"] == "".join(grid).count("M")


def test_a_total_alone_can_clash_and_a_wrong_flag_that_is_trusted_is_named():
    assert call("classify", "--json", "--mines", "1", "-", board="F2?\n???\n").code == 20
    ended = call("classify", "--json", "--mines", "3", "-", board="1??\n")
    conflict = {"clues": [], "flags": [], "total": True, "irreducible": True}
    assert (ended.code, ended.json["conflict"]) == (20, conflict)
    # The 0 makes its neighbour safe; the other flag is right and plays no part.
    ended = call("classify", "--json", "--flags", "trust", "-", board="0F1F\n0011\n")
    conflict = ended.json["conflict"]
    assert (ended.code, conflict["flags"]) == (20, [[0, 1]])
    assert conflict["clues"] in ([[0, 0]], [[1, 0]], [[1, 1]])


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
    assert (answer["solver"], answer["stats"]["sat_calls"] > 0) == (solver, True)
    assert answer["grid"] == call("classify", "--json", board).json["grid"]


# ``engines`` and ``classify --engine`` on the command line


PLAIN = (
    "portfolio", "sat", "brute_force", "enumeration", "single_clue", "subset", "assumption",
    "elimination",
)  # fmt: skip
CORNER = "01?\n12?\n???\n"


def no_layout(position: Position, options: Options) -> Classification:
    return Classification.of(position.view(), Status.INCONSISTENT)


def test_engines_are_listed_with_what_they_promise():
    ended = done("engines")
    for engine in ENGINES.values():
        assert f"{engine.name}: {'' if engine.complete else 'in'}complete" in ended.out
    rows = call("engines", "--json").json["engines"]
    assert [row["name"] for row in rows] == list(ENGINES)
    assert all(row.keys() == {"name", "complete", "promise", "extra", "installed"} for row in rows)
    assert {row["name"] for row in rows if row["extra"] is None} >= set(PLAIN)


@pytest.mark.parametrize("name", [name for name in ENGINES if ENGINES[name].extra is None])
def test_an_engine_answers_as_the_contract_says(name):
    ended = call("classify", "-", "--engine", name, "--json", board=CORNER)
    answer = ended.json
    assert (answer["engine"], answer["schema"]) == (name, "satsweeper/classify/1")
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
    words = ("classify", "-", "--engine", name, *limit)
    ended = call(*words, "--json", board="1?3\n???\n")
    assert (ended.code, ended.json["status"]) == (20, "inconsistent")
    assert not ended.json.keys() & {"grid", "counts"}
    assert ended.json["conflict"] == CLASH
    ended = call(*words, board="1?3\n???\n")
    assert (ended.code, "No layout exists" in ended.out) == (20, True)


def test_an_engine_that_our_own_search_contradicts_is_an_error():
    with patch("satsweeper.engines.enumeration.classify", no_layout):
        ended = refused(1, "classify", "-", "--engine", "enumeration", "--json", board=CORNER)
    assert "engine enumeration and our own search disagree" in ended.err


def test_clues_that_clash_are_not_searched_for_without_end(data):
    lie = patch("satsweeper.engines.subset.classify", no_layout)
    with lie, patch("satsweeper.engines.classify._EFFORT", 100):
        board = data / "positions" / "mutilated_8.txt"
        ended = call("classify", board, "--engine", "subset", "--json")
    assert (ended.code, ended.json["conflict"]["irreducible"]) == (20, False)
    assert len(ended.json["conflict"]["clues"]) == 62
    assert "the engine's word" in ended.err


def test_a_cap_leaves_large_regions_alone():
    words = ("classify", "-", "--engine", "enumeration", "--json", "--cap")
    ended = call(*words, 4, board=CORNER)
    assert (ended.code, ended.json["status"]) == (124, "undecided")
    assert ended.err == "note: regions of more than 4 cells left alone: 1\n"
    done(*words, 5, board=CORNER)


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
    [(EngineReply("answered", LIE, "", 0.0), "certain without reason of [(0, 2)]"),
     (EngineReply("failed", None, "engine enumeration: it fell over", 0.0), "it fell over")],
)  # fmt: skip
def test_a_disagreement_or_a_failure_is_a_failed_check(tmp_path, reply, said):
    board = tmp_path / "corner.txt"
    board.write_text(CORNER)
    right = EngineProcess.ask

    def ask(self: EngineProcess, position: Any, options: Any) -> EngineReply:
        return reply if self.name == "enumeration" else right(self, position, options)

    with patch.object(EngineProcess, "ask", ask):
        ended = call("engines", "--compare", board, "--engine", "sat,enumeration")
    assert (ended.code, said in ended.err) == (1, True)
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
    assert "(one)" in refused(1, *arguments).err


# Programs as solvers of ``classify`` and ``explain``: whatever they do, one line and a code


COVERED = "?1?\n???\n"


@pytest.mark.parametrize("limit", [[], ["--timeout", 60]], ids=["here", "in a worker"])
@pytest.mark.parametrize(
    ("text", "message"),
    [("echo s UNSATISFIABLE; exit 20", "a solver says that the board has no layout, but it has"),
     ("echo s SATISFIABLE; echo v -1 0; exit 10", "wrong model"),
     ("kill -SEGV $$", "it ended with SIGSEGV, which is no answer"),
     ("echo s UNKNOWN", "it gave up (UNKNOWN)")],
    ids=["denies every model", "gives a wrong model", "crashes", "gives up"],
)  # fmt: skip
def test_a_program_that_fails_is_one_line(script, text, message, limit):
    words = ("classify", "--solver", script(text), *limit, "-")
    assert message in refused(1, *words, board=COVERED).err


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    def write(text: str) -> str:
        (tmp_path / "fake").write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "fake").chmod(0o755)
        return "external:fake"

    return write


def test_a_program_that_hangs_ends_in_a_partial_answer(script):
    name = script("while :; do :; done")
    ended = call("classify", "--json", "--solver", name, "--timeout", 1.2, "-", board=COVERED)
    assert (ended.code, ended.err) == (124, "")
    found = [ended.json[key] for key in ("status", "solver", "grid")]
    assert found == ["undecided", name, ["?1?", "???"]]
