"""Verdicts against brute force, against published answers, and against each other."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import ENCODERS
from pbcnf.encoders.table import expresses
from satsweeper import Classification, Position, Session, Status, classify
from satsweeper.answers.options import Options
from satsweeper.count.table import MOST_CELLS
from satsweeper.engines.protocol import EngineRefusedError
from satsweeper.search.at_once import classify_at_once
from satsweeper.solvers.table import SOLVERS
from tests.boards import boards, verdicts

CLUE_ENCODINGS = [name for name in ENCODERS if expresses(name, 8, 3, 3)]


@pytest.mark.parametrize("table", [0, 2, 4, MOST_CELLS])
@settings(max_examples=100)
@given(board=boards())
def test_tables_and_solvers_side_by_side_give_the_verdicts_of_brute_force(table, board):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satsweeper.search.frontier.MOST_CELLS", table)
        with Session(Position(board.cells, board.total)) as session:
            result = session.classify()
    assert verdicts(result) == board.verdicts()


@settings(max_examples=200)
@given(boards(), st.sampled_from(["trust", "ignore"]), st.sampled_from([0, 4, 12]))
def test_a_small_board_classified_at_once_is_that_of_a_session(board, flags, tabulated):
    position = Position(board.cells, board.total)
    with pytest.MonkeyPatch.context() as patch:
        for module in ("count.clue_pairs", "count.small_board", "search.at_once"):
            patch.setattr(f"satsweeper.{module}.MOST", tabulated)
        for name in ("FEW_SHARED", "MOST_SHARED"):
            patch.setattr(f"satsweeper.search.at_once.{name}", tabulated)
        found = classify_at_once(position, Options(flags=flags))
    with Session(position, flags=flags) as session:
        expected = session.classify()
    if found is None:
        assert expected.status is Status.INCONSISTENT
        return
    assert (found, found.grid()) == (expected.replaced(stats=found.stats), expected.grid())
    ours, theirs = found.stats, expected.stats
    assert (ours.by_rules, ours.constraints) == (theirs.by_rules, theirs.constraints)
    assert ours.total_asked is theirs.total_asked


@settings(max_examples=120)
@given(
    boards(),
    st.fixed_dictionaries(
        {
            "encoding": st.sampled_from(CLUE_ENCODINGS),
            "total_encoding": st.sampled_from(CLUE_ENCODINGS),
            "solver": st.sampled_from(list(SOLVERS)),
            "plain": st.booleans(),
        }
    ),
)
def test_every_encoding_and_solver_gives_the_verdicts_of_brute_force(board, options):
    result = classify(Position(board.cells, board.total), **options)
    assert verdicts(result) == board.verdicts()


@settings(max_examples=160)
@given(boards(), st.booleans())
def test_ignored_flags_are_covered_cells(board, plain):
    bare = board._replace(cells=np.where(board.cells == -2, -1, board.cells).astype(np.int8))
    result = classify(Position(board.cells, board.total), flags="ignore", plain=plain)
    assert verdicts(result) == bare.verdicts()


def flat(result: Classification) -> str:
    return "".join(ch if ch in "SM?" else "." for ch in "".join(result.grid()))


@pytest.mark.parametrize(
    ("step", "options"),
    [
        (1, {}),
        *((9, {"encoding": name, "solver": "minisat22"}) for name in CLUE_ENCODINGS),
        *((9, {"encoding": "totalizer", "solver": name}) for name in SOLVERS),
    ],
)
def test_real_positions_have_the_verdicts_that_were_counted_before(step, options, sample):
    for record in sample[::step]:
        position = Position.parse(record.text)
        assert flat(classify(Position(position.cells), **options)) == record.unknown, record.name
        if record.known != "-":
            assert flat(classify(position, **options)) == record.known, record.name


@pytest.mark.parametrize("timeout", [None, 600])
def test_plain_asks_again_where_only_a_budget_stopped_it(sample, timeout, monkeypatch):
    monkeypatch.setattr("satsweeper.solvers.search_budget._FIRST_BUDGET", 1)
    for record in sample[::6]:
        result = classify(Position.parse(record.text, mines=None), plain=True, timeout=timeout)
        assert (result.status, flat(result)) == (Status.CONSISTENT, record.unknown), record.name


@pytest.mark.parametrize("options", [{}, {"plain": True}, {"engine": "enumeration"}], ids=str)
def test_published_positions_have_their_published_verdicts(data, options):
    answered = 0
    for path in sorted((data / "positions").glob("*.json")):
        for expected in json.loads(path.read_text())["expected"]:
            position = Position.read(path.with_suffix(".txt"), mines=expected["mines"])
            try:
                result = classify(position, **options)
            except EngineRefusedError:
                continue
            answered += 1
            assert str(result.status) == expected["verdict"], path
            assert result.grid() == expected.get("grid", result.grid()), path
    assert answered >= 5


@pytest.mark.parametrize(
    ("text", "total", "grid"),
    [
        ("0?\n??", None, "0S SS"), ("0?????", None, "0S????"), ("???\n???", None, "??? ???"),
        ("???\n???", 0, "SSS SSS"), ("???\n???", 6, "MMM MMM"), ("???\n???", 3, "??? ???"),
        ("?", None, "?"), ("?", 0, "S"), ("?", 1, "M"), ("F", 1, "F"), ("1F1", 1, "1F1"),
        ("000\n000", None, "000 000"), ("000\n000", 0, "000 000"),
        ("1?????", 1, "1MSSSS"), ("1?????", 2, "1M????"), ("?1????", 1, "?1?SSS"),
        ("?1????", 4, "?1?MMM"), ("?1????", 3, "?1????"), ("?1???1?", 3, "?1?M?1?"),
        ("?1???1?", 2, "?1?S?1?"),
        ("1?????", 0, None), ("?1????", 5, None), ("FFF", 2, None), ("000", 1, None),
        ("F0", None, None), ("1?1?1\nFFFFF", None, None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("plain", [False, True])
def test_edge_cases_have_the_verdicts_worked_out_by_hand(text, total, grid, plain):
    result = classify(Position.parse(text, mines=total), plain=plain)
    if grid is None:
        assert (result.status, result.safe, result.mines) == (Status.INCONSISTENT, [], [])
        assert result.conflict is not None
    else:
        assert (result.status, result.grid()) == (Status.CONSISTENT, grid.split())


def test_the_corners_of_the_consistent_lattice_are_safe(data):
    result = classify(Position.read(data / "positions" / "mutilated_corner_8.txt"))
    assert (len(result.safe), result.mines) == (2, [])


def test_giant_boards_agree_with_the_same_board_in_pieces(sample):
    # Two covered cells around each piece keep the pieces' clues apart; large boards take other
    # paths through the rules, and several solvers.
    cells = [Position.parse(r.text).cells for r in sample if r.text.startswith("16 30")]
    blocks = [np.pad(piece, 2, constant_values=-1) for piece in cells[:12]]
    grids = [classify(Position(block)).grid() for block in blocks]
    down, across = 20, 20
    pick = [[(7 * r + 5 * c) % len(blocks) for c in range(across)] for r in range(down)]
    whole = np.vstack([np.hstack([blocks[k] for k in row]) for row in pick])
    expected = []
    for row in pick:
        expected += map("".join, zip(*(grids[k] for k in row), strict=True))
    for solver in ("auto", "cadical195"):
        result = classify(Position(whole), solver=solver)
        assert result.grid() == expected
    assert result.stats.solvers > 1
