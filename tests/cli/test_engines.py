"""``engines`` and ``classify --engine`` on the command line."""

import gzip
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from satsweeper import Position
from satsweeper.answers.classification import Classification, Status
from satsweeper.answers.options import Options
from satsweeper.engines import table
from satsweeper.engines.compare import EngineProcess, EngineReply
from satsweeper.engines.table import ENGINES
from tests.commands import call

PLAIN = (
    "portfolio",
    "sat",
    "brute_force",
    "enumeration",
    "single_clue",
    "subset",
    "assumption",
    "elimination",
)
CORNER = "01?\n12?\n???\n"


def no_layout(position: Position, options: Options) -> Classification:
    return Classification.of(position.view(), Status.INCONSISTENT)


def test_engines_are_listed_with_what_they_promise() -> None:
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
def test_an_engine_answers_as_the_contract_says(name: str) -> None:
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


def test_an_incomplete_engine_that_settles_a_board_says_so() -> None:
    ended = call("classify", "-", "--engine", "single_clue", "--json", board="2?\n?1\n")
    assert (ended.code, ended.json["status"]) == (20, "inconsistent")
    ended = call("classify", "-", "--engine", "single_clue", "--json", board="1?\n")
    assert (ended.code, ended.err, ended.json["grid"]) == (0, "", ["1M"])


@pytest.mark.parametrize("limit", [(), ("--timeout", "60")])
@pytest.mark.parametrize("name", PLAIN)
def test_an_inconsistent_board_has_no_grid_and_an_irreducible_conflict(
    name: str, limit: tuple[str, ...]
) -> None:
    ended = call("classify", "-", "--engine", name, "--json", *limit, board="1?3\n???\n")
    assert (ended.code, ended.json["status"]) == (20, "inconsistent")
    assert not ended.json.keys() & {"grid", "counts"}
    clash = {"clues": [[0, 0], [0, 2]], "flags": [], "total": False, "irreducible": True}
    assert ended.json["conflict"] == clash
    ended = call("classify", "-", "--engine", name, *limit, board="1?3\n???\n")
    assert ended.code == 20
    assert "No layout exists" in ended.out


def test_an_engine_that_our_own_search_contradicts_is_an_error() -> None:
    with patch("satsweeper.engines.enumeration.classify", no_layout):
        ended = call("classify", "-", "--engine", "enumeration", "--json", board=CORNER)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert "engine enumeration and our own search disagree" in ended.err


def test_clues_that_clash_are_not_searched_for_without_end(data: Path) -> None:
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


def test_a_cap_leaves_large_regions_alone() -> None:
    ended = call("classify", "-", "--engine", "enumeration", "--cap", 4, "--json", board=CORNER)
    assert (ended.code, ended.json["status"]) == (124, "undecided")
    assert ended.err == "note: regions of more than 4 cells left alone: 1\n"
    ended = call("classify", "-", "--engine", "enumeration", "--cap", 5, "--json", board=CORNER)
    assert (ended.code, ended.err) == (0, "")


def test_a_missing_package_is_one_line_that_names_the_extra() -> None:
    for engine in ENGINES.values():
        if engine.extra:
            with patch.object(table, "find_spec", return_value=None):
                ended = call("classify", "-", "--engine", engine.name, board=CORNER)
                listed = call("engines", "--engine", engine.name, "--json").json
            assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
            assert f"pip install 'satsweeper[{engine.extra}]'" in ended.err
            assert not listed["engines"][0]["installed"]


def test_engines_are_compared_on_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "corner.txt").write_text(CORNER)
    (tmp_path / "strip.txt").write_text("?" * 30 + "\n")
    (tmp_path / "corner.expected.json").write_text("{}")
    arguments = ("engines", "--compare", tmp_path, "--engine", ",".join(PLAIN))
    ended = call(*arguments)
    assert (ended.code, ended.err) == (0, "")
    assert "disagreements: 0" in ended.out
    assert "refused: brute_force" in ended.out
    answer = call(*arguments, "--json").json
    assert answer["disagreements"] == []
    assert len(answer["boards"]) == 2 * len(PLAIN)
    assert {row["kind"] for row in answer["boards"]} == {"answered", "refused"}
    assert json.dumps(answer)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            EngineReply(
                "answered",
                Classification.of(Position.parse(CORNER).view(), Status.CONSISTENT, 1 << 2),
                "",
                0.0,
            ),
            "certain without reason of [(0, 2)]",
        ),
        (EngineReply("failed", None, "engine enumeration: it fell over", 0.0), "it fell over"),
    ],
)
def test_a_disagreement_or_a_failure_is_a_failed_check(
    tmp_path: Path, reply: EngineReply, said: str
) -> None:
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


def test_a_corpus_is_compared_with_its_totals_and_without(tmp_path: Path) -> None:
    records = "; id=one kind=mid\n1 3 1\n?1?\n\n; id=two kind=mid\n1 3 2\n?2?\n"
    corpus = tmp_path / "small.ms.gz"
    corpus.write_bytes(gzip.compress(records.encode()))
    arguments = ("engines", "--compare", corpus, "--engine", "sat,single_clue")
    both = call(*arguments, "--mines", "both", "--json").json["boards"][::2]
    assert [(row["board"], row["mines"]) for row in both] == [
        ("small: one", 1),
        ("small: two", 2),
        ("small: one", None),
        ("small: two", None),
    ]
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
