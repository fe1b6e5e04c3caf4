"""``certify`` and ``check`` on boards of other geometries and under rules."""

import json
import os

from tests.commands import ROOT, call, refused

BOARD = "rules: W\ngeometry: torus\nmines: 2\n2 ? ?\n? ? ?\n? ? ?\n? ? 1\n"
CLASH = "rules: H\nmines: 3\n? ? ?\n"


def test_a_board_under_rules_is_certified_and_verified(tmp_path):
    folder, board = tmp_path / "c", tmp_path / "board.txt"
    board.write_text(BOARD)
    ended = call("certify", board, "-o", folder)
    assert (ended.code, ended.err) == (0, "")
    assert sorted(os.listdir(folder)) == [
        "board.txt", "layouts.json", "manifest.json", "proof.opb", "proof.pbp",
    ]  # fmt: skip
    checked = call("check", folder, "--board", board, "--no-external")
    assert checked.code == 0
    assert "certain verdict" in checked.out
    assert "total 2, flags: trust, torus, rules W" in checked.out
    said = call("check", folder, "--board", board, "--no-external", "--json").json
    assert said["board"] == {"rows": 4, "columns": 3, "mines": 2, "flags": "trust"}
    assert (said["rules"], said["geometry"], said["status"]) == (["W"], "torus", "consistent")
    assert (said["schema"], said["verified"], said["read_by"]) == (
        "satsweeper/check/1", True, "checker",
    )  # fmt: skip
    # The answers are those of `classify`.
    manifest = json.loads((folder / "manifest.json").read_text())
    marks = "".join(cell for row in said["grid"] for cell in row if cell in "SM?")
    assert marks == manifest["verdicts"]


def test_the_board_may_be_a_game(tmp_path):
    game, other, folder = tmp_path / "game.json", tmp_path / "other.json", tmp_path / "c"
    for file, seed in ((game, 1), (other, 2)):
        call("generate", "4x4/3", "--rules", "C", "--seed", seed, "--style", "puzzle", "-o", file)
    assert call("certify", game, "-o", folder).code == 0
    checked = call("check", folder, "--board", game, "--no-external", "--json")
    assert (checked.code, checked.json["verified"]) == (0, True)
    assert "another board" in refused(1, "check", folder, "--board", other, "--no-external").err


def test_json_of_certify_is_the_manifest(tmp_path):
    ended = call("certify", "-", "--json", "-o", tmp_path / "c", board=BOARD)
    assert ended.json == json.loads((tmp_path / "c" / "manifest.json").read_text())


def test_an_inconsistent_board_under_rules(tmp_path):
    ended = call("certify", "-", "--json", "-o", tmp_path / "c", board=CLASH)
    assert (ended.code, ended.json["conflict"]["rules"]) == (20, ["H"])
    ended = call("certify", "-", "-o", tmp_path / "c", board=CLASH)
    assert (ended.code, "rule H and the total of 3 mines" in ended.out) == (20, True)
    checked = call("check", tmp_path / "c", "--no-external", "--json")
    assert (checked.code, checked.json["status"], checked.json["grid"]) == (
        20, "inconsistent", None,
    )  # fmt: skip


def test_another_board_total_or_reading_of_flags_is_refused(tmp_path):
    call("certify", "-", "-o", tmp_path / "c", board=BOARD)
    folder = tmp_path / "c"
    for arguments, board in (
        (["--board", "-"], BOARD.replace("rules: W", "rules: P")),
        (["--board", "-"], "? ?\n"),
        (["--mines", "3"], ""),
        (["--flags", "ignore"], ""),
    ):
        ended = call("check", folder, *arguments, "--no-external", board=board)
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)


def test_a_certificate_that_is_not_one_is_refused_as_others_are(tmp_path):
    call("certify", "-", "-o", tmp_path / "c", board=BOARD)
    (tmp_path / "c" / "proof.pbp").write_text("")
    ended = call("check", tmp_path / "c", "--json")
    assert (ended.code, ended.json["verified"], ended.json["file"]) == (1, False, "proof.pbp")


def test_options_for_plain_boards_are_refused(tmp_path):
    for options in (["--cell", "0,0"], ["--encoding", "totalizer"], ["--clauses"]):
        ended = refused(2, "certify", "-", *options, "-o", tmp_path / "c", board=BOARD)
        assert "is for boards of squares without rules" in ended.err


def test_what_has_no_certificate_is_said_in_one_line(tmp_path):
    own = "satsweeper.puzzle.rules.layout.pairs:no_edge_pair"
    ended = call("certify", "-", "--rules", own, "-o", tmp_path / "c", board="? ?\n? ?\n")
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert "a rule of your own has no certificate" in ended.err
    assert not (tmp_path / "c").exists()


def test_a_time_limit_gives_the_same_certificate_or_none(tmp_path):
    ended = call("certify", "-", "--timeout", "60", "-o", tmp_path / "c", board=BOARD)
    assert ended.code == 0
    assert call("check", tmp_path / "c", "--no-external").code == 0


def test_a_board_without_rules_but_with_their_lines_is_a_plain_board(tmp_path):
    board = "rules: V\nmines: 1\n1 ? ?\n? ? ?\n"
    call("certify", "-", "-o", tmp_path / "c", board=board)
    assert call("check", tmp_path / "c", "--board", "-", "--no-external", board=board).code == 0
    ended = refused(1, "check", tmp_path / "c", "--board", "-", board=BOARD)
    assert "a board under rules; the certificate is about one without" in ended.err


def test_json_boards_and_levels_are_certified_and_held_to_every_field(tmp_path):
    for name in ("graph.json", "cubes.json", "weights.json", "capacity.json", "mask.json",
                 "../flower.hexcells"):  # fmt: skip
        board = ROOT / "examples" / "rules" / name
        folder = tmp_path / board.stem
        assert call("certify", board, "-o", folder).code == 0
        checked = call("check", folder, "--board", board, "--no-external")
        assert (checked.code, "certain verdict" in checked.out) == (0, True)
        assert ("was read as certify reads it" in checked.out) == name.endswith("hexcells")
        other = call("check", folder, "--board", "-", "--no-external", board=BOARD)
        assert (other.code, other.out, other.err.count("\n")) == (1, "", 1)
    # Without rows each cell has a line with its name, and a line names what else the board has.
    ended = call("check", tmp_path / "graph", "--no-external")
    assert (
        "board.json in the certificate also has regions (1), neighbours\na: S\nb: 1\n" in ended.out
    )
    said = call("check", tmp_path / "cubes", "--no-external", "--json").json
    assert (said["names"][:2], len(said["grid"][0])) == ([[0, 0, 0], [0, 0, 1]], 12)
    # One field of the board changed, on either side.
    text = (ROOT / "examples" / "rules" / "graph.json").read_text()
    for old, new in (('"mines": 2', '"mines": 1'), ('["a", "c"]', '["a"]'), ('"C"', '"U"')):
        ended = call("check", tmp_path / "graph", "--board", "-", board=text.replace(old, new))
        assert (ended.code, ended.err.count("\n")) == (1, 1)
    ended = call("certify", "-", "--timeout", "60", "-o", tmp_path / "again", board=text)
    assert ended.code == 0
    assert call("check", tmp_path / "again", "--board", "-", "--no-external", board=text).code == 0
