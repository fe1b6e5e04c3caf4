"""Commands on boards of any shape under any rules: verdicts, reasons, conflicts, refusals."""

from __future__ import annotations

from pathlib import Path

import networkx
import pytest

from satsweeper import Puzzle
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS
from tests.commands import EXAMPLES, call, done, refused
from tests.puzzle.plain_boards import board

WALLS = "rules: W C\nmines: 5\n? ? ? 2\n? 13 ? 3\n? ? ? ?\n? ? 11 ?\n"
CLASH = "rules: Q\nmines: 1\n? ? ?\n? 1 ?\n? ? 0\n"
OWN = '''
from satsweeper.puzzle.constraints.clause import Clause
from satsweeper.puzzle.rules.rule import ClueRule

def empty_corner(board, part):
    """The first cell holds no mine.

    And nothing more.
    """
    yield Clause(part, (-board.mine(0),))

def no_constraint(board, part):
    return [3]

def far_away(board, part):
    yield Clause(part, (99,))

def nothing_at_all(board, part):
    return None

def broken(board, part):
    raise KeyError("two\\nlines")

class Measure:
    name, numeric, counts = "measure", True, True
    def parse(self, text):
        raise OSError("no text")

LEFT = ClueRule("mines to the left", cells=lambda board, cell: [cell - 1] if cell % 3 else [])
BROKEN = ClueRule("broken", cells=lambda board, cell: 1 / 0)
MUTE = ClueRule("no value", measure=Measure())
NOTHING = None
'''


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module with rules in the current folder."""
    (tmp_path / "own_rules_of_a_test.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


# classify


def test_a_board_with_rules_has_the_verdicts_of_all_layouts():
    clues = {(0, 3): "2", (1, 1): "13", (1, 3): "3", (3, 2): "11"}
    found = done("classify", "--json", "-", board=WALLS).json
    letters = {"safe": "S", "mine": "M", "unknown": "?"}
    for cell, verdict in board("W C", 4, 4, clues, mines=5).verdicts.items():
        assert found["grid"][cell // 4][cell % 4] == letters[verdict]
    assert found["grid"][1][1] == "13"
    assert {key: found[key] for key in ("schema", "rows", "columns", "mines", "rules")} == {
        "schema": "satsweeper/classify/1", "rows": 4, "columns": 4, "mines": 5, "rules": ["W", "C"],
    }  # fmt: skip
    assert (found["geometry"], found["status"], found["engine"]) == (
        "square", "consistent", "portfolio",
    )  # fmt: skip


@pytest.mark.parametrize(
    "options",
    ["--plain", "--engine sat", "--solver cadical195", "--encoding totalizer", "--timeout 60",
     "--total-encoding adder", "--solver external:minisat", "--flags ignore",
     "--plain --timeout 60"],
)  # fmt: skip
def test_however_it_is_asked_the_verdicts_are_the_same(options):
    plain = done("classify", "--json", "-", board=WALLS).json
    found = done("classify", "--json", *options.split(), "-", board=WALLS).json
    assert found["grid"] == plain["grid"]


def test_rules_and_geometry_on_the_command_line_replace_those_of_the_file():
    board = "1??\n???\n??0\n"
    for options, head, grid in (
        (["--rules", "U"], "rules: U\n", None),
        (["--geometry", "hexagonal"], "geometry: hexagonal\n", None),
        (["--rules", "C", "--geometry", "knight", "--mines", "2"],
         "rules: C\ngeometry: knight\nmines: 2\n", None),
        (["--rules", "L"], "rules: L\n", None),
        ([], "", ["1??", "?SS", "?S0"]),
    ):  # fmt: skip
        found = done("classify", "--json", *options, "-", board=board).json
        assert found["grid"] == done("classify", "--json", "-", board=head + board).json["grid"]
        assert grid in (None, found["grid"])
    runs = done("classify", "--json", "--rules", "W", "-", board="? ? ?\n? 13 ?\n? ? ?").json
    assert (runs["columns"], runs["grid"][1][1]) == (3, "13")
    sized = done("classify", "--json", "--rules", "Q", "-", board="2 2 3\n??\n??\n").json
    assert (sized["rows"], sized["mines"], sized["rules"]) == (2, 3, ["Q"])
    header = done("classify", "--json", "--rules", "V", "-", board="rules: C\nmines: 1\n1?\n").json
    assert ("rules" in header, header["mines"], header["grid"]) == (False, 1, ["1M"])
    notation = EXAMPLES.parent / "tests" / "data" / "notation"
    for name in ("layout_3x2.mbf", "both.board", "emoji.board", "game.danamlund", "vector.tatham",
                 "position.mine", "readme.minesweepr", "all.json"):  # fmt: skip
        given = call("classify", "--json", notation / name).json
        for options in (["--rules", "Q"], ["--geometry", "knight"]):
            found = call("classify", "--json", *options, notation / name).json
            assert [found[key] for key in ("rows", "columns", "mines")] == [
                given[key] for key in ("rows", "columns", "mines")
            ]
    text = EXAMPLES / "minesweepr.txt"
    given = call("classify", "--json", "--geometry", "knight", text).json
    assert given["geometry"] == "knight"


def test_a_board_without_a_layout_has_a_conflict_that_names_rules():
    ended = call("classify", "--json", "-", board=CLASH)
    assert (ended.code, ended.err) == (20, "")
    assert ended.json["conflict"] == {
        "clues": [[2, 2]], "flags": [], "total": False, "irreducible": True, "rules": ["Q"],
    }  # fmt: skip
    assert "grid" not in ended.json
    for words in (["classify"], ["explain"], ["classify", "--plain"], ["explain", "--timeout", 60]):
        told = call(*words, "-", *["0,0"] * (words[0] == "explain"), board=CLASH)
        assert told.code == 20
        assert "No layout exists with rule Q and the 0 at (2, 2)." in told.out
        assert "? ?[0]" in told.out
    asked = call("explain", "--json", "-", "0,0", board=CLASH)
    assert (asked.code, asked.json["schema"]) == (20, "satsweeper/explain/1")
    assert asked.json["conflict"]["rules"] == ["Q"]


def test_a_limit_gives_what_is_certain_and_its_exit_code():
    board = "rules: C\n" + "\n".join(["?" * 40, "?" * 20 + "3" + "?" * 19] * 20)
    ended = call("classify", "--json", "--timeout", "0.001", "-", board=board)
    assert (ended.code, ended.json["status"]) == (124, "undecided")
    asked = call("explain", "--timeout", "0.001", "-", "0,0", board=board)
    assert (asked.code, asked.out) == (124, "(0, 0): no verdict within 0.001 s\n")


def test_stats_are_printed_below():
    told = done("classify", "--stats", "-", board=WALLS).out
    assert "rules W (wall), C (connected); square 4x4; 5 mines" in told
    assert "\nsat calls " in told


# explain


def test_a_reason_names_rules_and_clues_and_marks_them():
    flagged = "rules: U\nF ? ?\n? ? ?\n"
    found = done("explain", "--json", "-", "0,1", board=flagged).json
    assert found == {
        "schema": "satsweeper/explain/1", "cell": [0, 1], "verdict": "safe", "clues": [],
        "flags": [[0, 0]], "total": False, "irreducible": True, "rules": ["U"],
        "sentence": "(0, 1) is safe in every layout with rule U and the flag at (0, 0).",
    }  # fmt: skip
    told = done("explain", "-", "0,1", "--timeout", 60, board=flagged).out
    assert "[F|S]?" in told
    assert "1 rule, 1 flag; the total was not needed." in told


def test_an_unknown_cell_has_two_layouts():
    found = done("explain", "--json", "-", "0,1", board="rules: Q\n1 ? ?\n? ? ?\n").json
    mine, safe = (found["witnesses"][kind] for kind in ("mine", "safe"))
    assert (mine[0][1], safe[0][1]) == ("M", "S")
    told = done("explain", "-", "0,1", board="rules: Q\n1 ? ?\n? ? ?\n").out
    assert told.count("a layout in which (0, 1) is") == 2


def graph() -> Puzzle:
    return Puzzle.from_graph(networkx.path_graph(["a", "b", "c d", "e"]), clues={"b": 1, "e": 0})


def space() -> Puzzle:
    puzzle = Puzzle.parse("rules: U\n1 ?")
    return Puzzle(cubes(2, 2, 2), ("U",), clues={7: puzzle.clues[0]})


@pytest.mark.parametrize(
    ("made", "asked", "cell", "verdict"),
    [(graph, "a", "a", "mine"), (graph, "c d", "c d", "safe"), (space, "0,0,0", [0, 0, 0], None),
     (space, "1, 1, 0", [1, 1, 0], None)],
)  # fmt: skip
def test_cells_are_asked_for_by_name(monkeypatch, made, asked, cell, verdict):
    monkeypatch.setattr("satsweeper.cli.explain.read_board_or_puzzle", lambda arguments: made())
    found = done("explain", "--json", "-", asked).json
    assert found["cell"] == cell
    assert verdict in (None, found["verdict"])
    assert done("explain", "-", asked).out
    limited = call("explain", "--json", "--timeout", 60, "-", asked)
    assert (limited.code, limited.json) == (0, found)


# refusals


@pytest.mark.parametrize(
    ("code", "words", "board", "message"),
    [
        (1, "classify - --engine subset", WALLS, "engine subset takes squares with plain clues;"),
        (1, "engines --compare -", WALLS, "<stdin>:1:1: a line 'rules:', where only squares with"),
        (1, "explain - 1,1", WALLS, "<stdin>: cell (1, 1) is not covered"),
        (1, "explain - 9,9", WALLS, "<stdin>: cell '9,9': there is no such cell; cells are called"),
        (2, "explain - 9", "1?", "argument CELL: '9' is not ROW,COLUMN"),
        (2, "classify - --rules Z", "1?", "unknown rule 'Z'"),
        (2, "classify - --rules 'W P'", "1?", "rules W and P do not combine"),
        (2, "classify - --rules 'C C'", "1?", "rule C is there twice"),
        (2, "classify - --geometry cubes", "1?", "unknown geometry 'cubes'"),
        (2, "classify - --rules no_such_module:x", "1?", "rule no_such_module:x: No module named"),
        (2, "classify - --encoding nothing", WALLS, "unknown encoder 'nothing'"),
        (1, "classify - --geometry torus", "1?", "<stdin>: a torus has 3 rows and 3 columns"),
        (1, "classify - --rules N", "x?\n??", "<stdin>:1:1: 'x': a clue is a number"),
        (1, "classify - --rules 2X", "?1\n??", "<stdin>:1:2: '1'"),
        (1, "classify - --rules B --geometry torus", "??\n??", "<stdin>: "),
    ],
)
def test_what_cannot_be_is_one_line(code, words, board, message):
    import shlex

    ended = refused(code, *shlex.split(words), board=board)
    assert message in ended.err


@pytest.mark.parametrize(
    "words",
    ["classify -", "classify - --timeout 60", "classify - --plain", "explain - 0,0", "odds -",
     "advise -", "export -", "certify - -o c", "render - -o r.svg", "render - --odds -o r.svg"],
)  # fmt: skip
def test_a_file_whose_rule_lacks_what_it_needs_is_bad_input(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = refused(1, *words.split(), board="rules: A\ngeometry: hexagonal\n? ?\n? ?\n")
    needs = "rule A needs squares, which the geometry 'hexagonal' does not have"
    assert ended.err == f"<stdin>: {needs}\n"


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("rule", "code", "message"),
    [
        ("broken", 1, "<stdin>: rule own_rules_of_a_test:broken fails: KeyError: 'two\\nlines'"),
        ("BROKEN", 1, "<stdin>: rule own_rules_of_a_test:BROKEN fails: ZeroDivisionError"),
        ("MUTE", 1, "fails on '1': OSError: no text"),
        ("no_constraint", 1, "no_constraint gives 3, which is no constraint"),
        ("far_away", 1, "gives a constraint on variable 99: the variables of cells are 1 to 6"),
        ("nothing_at_all", 1, "fails: TypeError: "),
        ("nothing", 2, "has no attribute 'nothing'"),
        ("NOTHING", 1, "is no rule of layouts: a function of a board and a part"),
    ],
)
def test_a_rule_of_a_users_own_that_fails_is_one_line(rule, code, message):
    words = ("classify", "--rules", f"own_rules_of_a_test:{rule}", "-")
    assert (
        message.encode().decode("unicode_escape").replace("\n", "\\n")
        in refused(code, *words, board="?1?\n???\n").err
    )


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("limit", [[], ["--timeout", 60]], ids=["here", "in a worker"])
def test_a_rule_of_a_users_own_is_found_in_the_current_folder(limit):
    name = "own_rules_of_a_test"
    found = done("classify", "--json", *limit, "--rules", f"{name}:LEFT", "-", board="?1?\n???\n")
    assert found.json["grid"] == ["M1?", "???"]
    rules = ("--rules", f"{name}:empty_corner H")
    text = f"rules: {name}:empty_corner\n?1?\n???\n"
    found = done("classify", "--json", *limit, *rules, "-", board=text)
    assert found.json["grid"][0][0] == "S"
    # A file from a stranger has nothing imported.
    assert "is code, which no file may ask for" in refused(1, "classify", "-", board=text).err
    reason = done("explain", "--json", *limit, *rules, "-", "0,0", board=text).json
    assert reason["rules"] == [f"{name}:empty_corner"]
    shown = done("rules", f"{name}:empty_corner").out
    assert "a rule of layouts: The first cell holds no mine." in shown
    assert shown.endswith("And nothing more.\n")
    assert "a rule of clues: mines to the left" in done("rules", f"{name}:LEFT").out


# rules


def test_every_rule_and_geometry_is_listed_and_described():
    found = done("rules", "--json").json
    assert found["schema"] == "satsweeper/rules/1"
    assert [rule["letters"] for rule in found["rules"]] == [*LAYOUTS, *CLUES, "#"]
    assert all(rule["summary"] for rule in found["rules"])
    names = [shape["name"] for shape in found["geometries"]]
    assert names == [
        "square",
        "torus",
        "hexagonal",
        "triangular",
        "knight",
        "cross",
        "cubes",
        "graph",
    ]
    told = done("rules").out
    assert all(f" {rule['summary']} " in told for rule in found["rules"])
    for rule in found["rules"]:
        one = done("rules", "--json", rule["letters"]).json["rules"]
        assert [one[0][key] for key in ("letters", "name", "kind")] == [
            rule[key] for key in ("letters", "name", "kind")
        ]
        assert done("rules", rule["letters"]).out.startswith(f"{rule['letters']} ({rule['name']})")
    assert "unknown rule 'C7'" in refused(2, "rules", "C7").err


def test_completion_offers_rules_and_geometries():
    script = done("completion", "bash").out
    assert "hexagonal" in script
    assert "2X" in script


def test_every_command_with_a_board_takes_rules_and_a_geometry():
    from satsweeper.cli.main import module_of

    for command in ("classify", "explain", "odds", "advise", "certify", "export"):
        flags = [each[0] for each in module_of(command).OPTIONS if isinstance(each, tuple)]
        assert {("--rules",), ("--geometry",)} <= {*flags}
