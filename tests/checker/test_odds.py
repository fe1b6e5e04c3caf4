"""Certified odds against every layout tried, and circuits forged one way at a time."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position
from satsweeper.certificate import folder, odds
from satsweeper.certificate.folder import write_folder
from satsweeper.certificate.odds import certify_odds
from satsweeper.checker.board import read_board
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.odds import check as checker
from satsweeper.checker.odds import circuit
from satsweeper.checker.odds.boxes import BoxRegion, Split, split_board
from satsweeper.checker.odds.check import CheckedOdds, check_odds
from satsweeper.checker.odds.division import confirm_division
from satsweeper.checker.odds.evaluation import evaluate
from satsweeper.count.odds import NoLayoutError
from scripts.forgeries.forgery import true_odds as truth
from scripts.forgeries.odds import claim_what_follows
from tests.boards import boards

BOARD = "4 4 4\n?1??\n2???\n??2?\n????\n"
"""One region: boxes of 1, 2 and 3 cells."""

Change = Callable[[list[str]], list[str]]


@pytest.fixture
def forged(tmp_path):
    """The certificate of BOARD with other circuits, and the odds that follow from these."""

    def run(change: Change, board: str = BOARD) -> CheckedOdds:
        certificate = certify_odds(Position.parse(board))
        files = dict(certificate.files)
        lines = change(files["circuits.txt"].decode().splitlines())
        files["circuits.txt"] = "".join(f"{line}\n" for line in lines).encode()
        files["odds.json"] = claim_what_follows(files, certificate.about) or files["odds.json"]
        with patch("os.fsync"):
            write_folder(tmp_path / "c", files, certificate.about)
        return check_odds(tmp_path / "c")

    return run


@settings(max_examples=40)
@given(boards(most=10, consistent=True), st.booleans(), st.sampled_from([None, Fraction(1, 5)]))
def test_what_is_verified_is_what_trying_every_layout_finds(
    tmp_path_factory, board, trust, density
):
    position = Position(board.cells, board.total)
    density = density if position.mines is None else None
    folder = tmp_path_factory.mktemp("odds") / "c"
    rows = tuple(position.text().splitlines()[1:])
    certificate = certify_odds(position, flags="trust" if trust else "ignore", density=density)
    with patch("os.fsync"):
        certificate.write(folder)
    found = check_odds(folder)
    solutions, chances = truth(rows, position.mines, trust, density)
    assert int(found.solutions) == solutions
    assert [Fraction(chance) for chance in found.chances.values()] == list(chances)
    assert found.recounted == found.regions


def replaced(*old_and_new: str) -> Change:
    def change(lines: list[str]) -> list[str]:
        for old, new in zip(old_and_new[::2], old_and_new[1::2], strict=True):
            at = lines.index(old)
            lines = [*lines[:at], *new.splitlines(), *lines[at + 1 :]]
        return lines

    return change


def without_a_node(lines: list[str]) -> list[str]:
    """The last node of a join is gone, and so is the pair that it was in."""
    change = replaced("join 10 6 3", "join 10 6 2", "node 0 0 1 1 2 2", "node 0 0 1 1")
    return change([*lines[:-3], *lines[-2:]])


FORGERIES: dict[str, tuple[Change, str]] = {
    "a pair is left out": (replaced("node 1 1 2 0", "node 1 1"), "together is missing"),
    "a node is left out": (without_a_node, "together is missing"),
    "a pair is there twice": (replaced("node 1 1 2 0", "node 1 1 1 1 2 0"), "do not ascend"),
    "pairs that differ": (replaced("node 1 1 2 0", "node 0 0 1 1"), "different numbers of mines"),
    "a node is there twice": (
        replaced("join 7 5 5", "join 7 5 6", "node 1 1 2 0", "node 1 1\nnode 2 0"), "a second node",
    ),
    "a clue is not met": (replaced("node 0 0 1 1 2 2", "node 0 1"), "a clue that closes"),
    "a number of mines is left out": (replaced("box 0 1 8", "box 0 0 8"), "other numbers of mines"),
    "a number of mines too many": (replaced("box 0 1 8", "box 0 2 8"), "other numbers of mines"),
    "a cell is in another box": (
        replaced("box 0 1 7", "box 0 1 6 7", "box 0 2 6 9 11 12 13", "box 0 2 9 11 12 13"),
        "other cells",
    ),
    "a group is joined twice": (replaced("join 8 2 5", "join 8 0 5"), "joined already"),
    "a group is joined with itself": (replaced("join 7 5 5", "join 7 7 5"), "joined already"),
    "a group that comes later": (replaced("join 7 5 5", "join 8 5 5"), "there is no group 8"),
    "a node that is not there": (replaced("node 4 0", "node 9 0"), "line 25: no pairs"),
    "half a pair": (replaced("node 4 0", "node 4 0 1"), "no pairs of nodes"),
    "half a pair alone": (replaced("node 4 0", "node 4"), "too few numbers"),
    "a number more": (replaced("join 7 5 5", "join 7 5 5 1"), "another count of numbers"),
    "a box less": (replaced("region 7 6", "region 6 6", "box 0 1 1", ""), "number of boxes"),
    "a join less": (lambda lines: replaced("region 7 6", "region 7 5")(lines[:-2]), "or joins"),
    "no region": (lambda lines: lines[:1], "not 1 region"),
    "one more region": (lambda lines: lines + lines[1:], "not 1 region"),
    "fewer joins": (lambda lines: lines[:-2], "it ends within a region"),
    "another word": (replaced("join 7 5 5", "node 7 5 5"), "line 14: 'node' where 'join'"),
    "another line": (replaced("join 7 5 5", "join 7 5 5 "), "not as certificates are written"),
    "a long number": (replaced("join 7 5 5", "join 7 5 1234567890"), "not as certificates are"),
    "a head without a body": (replaced("region 7 6", "region 999999999 6"), "'box' should be"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "fault"), FORGERIES.values(), ids=FORGERIES)
def test_a_forged_circuit_is_refused_though_the_odds_fit_it(forged, change, fault):
    with pytest.raises(WrongCertificateError, match=rf"^circuits\.txt: .*{fault}"):
        forged(change)


def test_a_region_of_clues_that_only_together_have_no_layout_is_refused():
    # One of each two of three cells is a mine.
    region = BoxRegion(((1,), (2,), (3,)), ((0, 2), (0, 1), (1, 2)), (1, 1, 1))
    leaves = [circuit.CircuitLeaf(at, 0, 1, (at,)) for at in (1, 2, 3)]
    joins = [circuit.CircuitJoin(4, 0, 1, [[0, 1], [1, 0]]), circuit.CircuitJoin(7, 3, 2, [])]
    with pytest.raises(WrongCertificateError, match="the region has no layout"):
        circuit.check_circuit(circuit.Circuit(1, leaves, joins), region)


def test_mines_that_do_not_add_up_are_noticed_where_nobody_counts_again(forged, monkeypatch):
    def wrong(*arguments: Any) -> Any:
        found = evaluate(*arguments)
        return found._replace(mined=[[0] * len(each) for each in found.mined])

    monkeypatch.setattr(checker, "recount", lambda *_: None)
    monkeypatch.setattr(checker, "evaluate", wrong)
    with pytest.raises(WrongCertificateError, match=r"^circuits\.txt: .*do not add up$"):
        forged(lambda lines: lines)


@pytest.mark.parametrize("name", ["a pair is left out", "a node is left out"])
def test_what_is_left_out_is_missed_in_two_ways(forged, name, monkeypatch):
    change, _ = FORGERIES[name]
    monkeypatch.setattr(circuit, "_require_all", lambda *_: 0)
    with pytest.raises(WrongCertificateError, match="counted again, there are other layouts"):
        forged(change)
    monkeypatch.setattr(checker, "recount", lambda *_: None)
    assert forged(change).solutions != forged(lambda lines: lines).solutions


def of_region(split: Split, **changes: Any) -> Split:
    """The split with a change of its one region."""
    return split._replace(regions=[split.regions[0]._replace(**changes)])


DIVISIONS: dict[str, Callable[[Split, BoxRegion], Split]] = {
    "another need": lambda s, r: of_region(s, needs=(0, 2, 2)),
    "a clue is missing": lambda s, r: of_region(s, needs=r.needs[:2]),
    "a box is under another clue": lambda s, r: of_region(s, clues=(r.clues[1], *r.clues[1:])),
    "a clue counts an interior cell": lambda s, r: of_region(
        s._replace(interior=[*r.boxes[0], *s.interior]), boxes=r.boxes[1:], clues=r.clues[1:]
    ),
    "a region is missing": lambda s, r: s._replace(regions=[]),
    "a region is there twice": lambda s, r: s._replace(regions=s.regions * 2),
    "a cell is known": lambda s, _: s._replace(
        known={s.interior[0]: False}, interior=s.interior[1:]
    ),
    "in two boxes": lambda s, r: of_region(s, boxes=(r.boxes[0] + r.boxes[1], *r.boxes[1:])),
    "a cell is missing": lambda s, r: s._replace(interior=s.interior[1:]),
    "a cell is there twice": lambda s, r: s._replace(interior=s.interior * 2),
}


@pytest.mark.parametrize("name", DIVISIONS)
def test_a_board_that_is_divided_otherwise_is_noticed(name):
    board = read_board("4 6 ?\n?1????\n2?????\n??2???\n??????\n", True)
    split = split_board(board)
    confirm_division(board, split)
    assert (len(split.regions), len(split.regions[0].needs)) == (1, 3)
    with pytest.raises(WrongCertificateError, match="its clues are divided otherwise"):
        confirm_division(board, DIVISIONS[name](split, split.regions[0]))


def test_a_known_cell_must_follow_from_those_before_it():
    assert not split_board(read_board("1 5 ?\n?1?1?\n", True)).known
    board = read_board("1 6 ?\n1?1?1?\n", True)
    split = split_board(board)
    confirm_division(board, split)
    assert split.known == {1: True, 2: False, 3: True}
    for known in ({2: False, 1: True, 3: True}, {1: False, 2: True, 3: False}, {1: True}):
        with pytest.raises(WrongCertificateError, match="divided otherwise"):
            confirm_division(board, split._replace(known=known))


def test_other_layouts_in_the_same_number_have_another_fingerprint(forged, monkeypatch):
    monkeypatch.setattr(checker, "check_circuit", lambda *_: None)
    # One of the boxes is always a mine, and another one never.
    board = "2 5 ?\n?1?1?\n?????\n"
    lines = certify_odds(Position.parse(board)).files["circuits.txt"].decode().splitlines()
    assert {"node 0 1", "node 1 0"} <= {*lines}

    def swap(lines: list[str]) -> list[str]:
        at, other = lines.index("node 0 1"), lines.index("node 1 0")
        lines[at], lines[other] = "node 0 0", "node 1 1"
        return lines

    with pytest.raises(WrongCertificateError, match="counted again, there are other layouts"):
        forged(swap, board)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [('"38"', '"39"', "another number of layouts"), ('"38"', "38", "another number of layouts"),
     ('"10/19"', '"9/19"', r"the chance of \(0, 0\) is another one"),
     ('"10/19"', '"20/38"', r"the chance of \(0, 0\) is another one"),
     ('"cells": [0, 1', '"cells": [1, 0', r"the chance of \(0, 0\) is another one"),
     ('"cells": [0, 1', '"cells": [false, true', r"the chance of \(0, 0\) is another one"),
     ('"cells": [0, 1', '"cells": [0, 99', r"the chance of \(0, 2\) is another one"),
     ('"5/38"', "1e999", "no JSON"), (', 5]', ']', "in the one form"),
     ('["10/19"', '["1/3", "10/19"', "the chance of"),
     ('"cells": [', '"cells": 1, "c": [', "not solutions, chances and cells")],
)  # fmt: skip
def test_other_odds_than_were_counted_are_refused(tmp_path, old, new, fault):
    certificate = certify_odds(Position.parse(BOARD))
    claims = certificate.files["odds.json"].decode()
    assert old in claims
    files = {**certificate.files, "odds.json": claims.replace(old, new, 1).encode()}
    write_folder(tmp_path / "c", files, certificate.about)
    with pytest.raises(WrongCertificateError, match=rf"^odds\.json: .*{fault}"):
        check_odds(tmp_path / "c")


@pytest.mark.parametrize(
    ("change", "fault"),
    [({"density": "1/2"}, "a density and a total exclude each other"),
     ({"mines": None, "density": "1/2"}, "not those of the board"),
     ({"mines": None, "density": "2/4"}, "density: no fraction"),
     ({"mines": None, "density": "3/2"}, "density: no fraction"),
     ({"mines": None, "density": 0}, "density: no fraction"),
     ({"mines": 5}, "not those of the board"), ({"rows": True}, "no integers"),
     ({"flags": "perhaps"}, "no mode of flags"),
     ({"schema": "satsweeper/certificate/1"}, "its schema is not"),
     ({"more": 1}, "'more' is not known here"), ({"satsweeper": 1}, "satsweeper: no text")],
)  # fmt: skip
def test_the_manifest_is_read_strictly(tmp_path, change, fault):
    certificate = certify_odds(Position.parse(BOARD))
    write_folder(tmp_path / "c", certificate.files, {**certificate.about, **change})
    with pytest.raises(WrongCertificateError, match=fault):
        check_odds(tmp_path / "c")


def test_a_board_without_a_layout_has_no_certificate(tmp_path):
    with pytest.raises(NoLayoutError):
        certify_odds(Position.parse("2 3 ?\n1?1\n2?1\n"))
    certificate = certify_odds(Position.parse("1 3 ?\n1??\n"))
    for board, mines in (("1 3 0\n1??\n", 0), ("1 3 ?\n5??\n", None)):
        files = {**certificate.files, "board.txt": board.encode()}
        write_folder(tmp_path / "c", files, {**certificate.about, "mines": mines})
        with pytest.raises(WrongCertificateError, match=r"^board\.txt: .*there are no odds"):
            check_odds(tmp_path / "c")


@pytest.mark.parametrize("limit", ["circuit.MOST_TRIED", "evaluation.MOST_BITS"])
def test_what_would_take_too_long_is_refused(forged, monkeypatch, limit):
    monkeypatch.setattr(f"satsweeper.checker.odds.{limit}", 5)
    with pytest.raises(WrongCertificateError, match=r"to be tried|are too long"):
        forged(lambda lines: lines)


def test_weights_that_would_be_too_long_are_refused(tmp_path, monkeypatch):
    board = Position(Position.parse(BOARD).cells)
    certify_odds(board, density=Fraction(1, 5)).write(tmp_path / "c")
    assert check_odds(tmp_path / "c").recounted == 1
    for name, limit in (("chances", "MOST_BITS"), ("product", "MOST_PRODUCT_BITS")):
        certify_odds(Position.parse(BOARD)).write(tmp_path / name)
        monkeypatch.setattr(f"satsweeper.checker.odds.chances.{limit}", 5)
    for name in ("c", "product"):
        with pytest.raises(WrongCertificateError, match="are too long"):
            check_odds(tmp_path / name)


def test_a_region_too_wide_for_a_second_opinion_is_said_to_have_none(forged, monkeypatch):
    found = forged(lambda lines: lines)
    solutions, _ = truth(tuple(BOARD.splitlines()[1:]), 4, True, None)
    assert (int(found.solutions), found.regions, found.recounted) == (solutions, 1, 1)
    assert found.pairs > found.nodes > 0
    monkeypatch.setattr("satsweeper.checker.odds.recount.MOST_STATES", 2)
    assert forged(lambda lines: lines).recounted == 0


def test_the_density_is_asked_for_or_there_is_none(tmp_path):
    text = "1 3 ?\n1??\n"
    certify_odds(Position.parse(text), density=Fraction(1, 5)).write(tmp_path / "c")
    assert check_odds(tmp_path / "c").density == Fraction(1, 5)
    assert check_odds(tmp_path / "c", board=text, density=Fraction(1, 5)).recounted == 0
    for asked in ({"board": text}, {"density": Fraction(1, 4)}):
        with pytest.raises(WrongCertificateError, match="is about density 1/5, asked for is"):
            check_odds(tmp_path / "c", **asked)


def test_there_are_as_many_schemas_as_kinds():
    assert odds.SCHEMA == checker.SCHEMA
    assert odds.SCHEMA in folder.SCHEMAS
