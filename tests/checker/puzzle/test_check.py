"""Certificates of boards under rules: what is verified is what brute force over layouts says."""

import random

import pytest

from satsweeper.certificate.puzzle.certify import certify_puzzle
from satsweeper.checker.puzzle.board import LAYOUT_RULES
from satsweeper.checker.puzzle.grid import GEOMETRIES
from satsweeper.puzzle.puzzle import Puzzle
from tests.checker.puzzle.boards import CLUES, drawn, fits, true_verdicts
from tests.checker.puzzle.large import LARGE
from tests.puzzle.published import WORKED, Worked

RULES = [*LAYOUT_RULES, *CLUES, "C W", "O 2X'", "S 2A", "Q C T V", "2C #"]
CASES = [(rules, name) for rules in RULES for name in GEOMETRIES if fits(rules.split(), name)]


@pytest.mark.parametrize("worked", WORKED, ids=[each.rule for each in WORKED])
def test_the_certificate_of_each_worked_position_has_its_answers(certified, worked: Worked) -> None:
    checked = certified(worked.text).check(board=worked.text)
    shown = "".join(
        mark for row in checked.grid for mark, cell in zip(row, row, strict=True) if cell in "SM?"
    )
    assert shown == worked.verdicts
    assert (checked.status, checked.board.rules) == ("consistent", (worked.rule,))


def require_certificate(certified, text: str, flags: str) -> None:
    """Require a certificate that is verified, and that says what all layouts say."""
    expected = true_verdicts(text, flags)
    made = certified(text, flags)
    checked = made.check(board=text, flags=flags)
    assert made.about["verdicts"] == expected, text
    if expected is None:
        assert (checked.status, checked.grid) == ("inconsistent", None)
    else:
        assert checked.proved == len(expected) - expected.count("?")
        assert checked.witnessed == expected.count("?")


@pytest.mark.parametrize(("rules", "geometry"), CASES)
def test_what_is_certified_under_each_rule_on_each_geometry_is_what_all_layouts_say(
    certified, rules: str, geometry: str
) -> None:
    rng = random.Random(f"{geometry} {rules}")
    text = drawn(rules.split(), geometry, 3, 3, rng)
    if text is not None:
        require_certificate(certified, text, rng.choice(["trust", "ignore"]))


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "geometry"), CASES)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_certified_on_larger_boards_is_what_all_layouts_say(
    certified, rules: str, geometry: str, seed: int
) -> None:
    rng = random.Random(f"{geometry} {rules} {seed}")
    text = drawn(rules.split(), geometry, 3, 4, rng)
    if text is not None:
        require_certificate(certified, text, rng.choice(["trust", "ignore"]))
        # Another number somewhere: most of these boards have no layout.
        rows = text.index("\n", text.rindex(":")) + 1
        digits = [place for place, mark in enumerate(text) if place > rows and mark.isdigit()]
        if digits and {*rules.split()}.isdisjoint({"#", "W", "2X", "2P"}):
            place = rng.choice(digits)
            other = text[:place] + rng.choice("0123") + text[place + 1 :]
            require_certificate(certified, other, "trust")


SHAPES = {
    "nothing covered": "rules: C\n0 0\n0 0\n",
    "nothing known": "rules: C\n? ? ?\n? ? ?\n",
    "no mines": "rules: C\nmines: 0\n? ? ?\n? ? ?\n",
    "no mines for a path": "rules: S\nmines: 0\n? ? ?\n? ? ?\n",
    "all mines": "rules: C\nmines: 6\n? ? ?\n? ? ?\n",
    "all mines but none outside": "rules: O\nmines: 9\n? ? ?\n? ? ?\n? ? ?\n",
    "one cell": "rules: S\n?\n",
    "a row": "rules: 2H X'\nmines: 4\n? 1 ? ? ? 1 ?\n",
    "flags apart": "rules: C\nF ? ?\n? ? ?\n? ? F\n",
    "flags parted by clues": "rules: C V\nF 1 ?\n1 2 1\n? 1 F\n",
    "product of no pair": "rules: 2P\n3 ? ?\n? ? ?\n? ? ?\n",
    "a remainder that is none": "rules: 2M\n3 ? ?\n? ? ?\n",
    "an area too large": "rules: 2A\n9 ? ?\n? ? ?\n",
    "an area beyond all boards": "rules: 2A\n999999999 ? ?\n? ? ?\n",
    "an area without cells": "rules: 2A\n5\n",
    "one column": "rules: 2P\nmines: 3\ncolumns: 1\n10\n?\n?\n?\n?\n",
    "letters of flags and covered cells": "rules: 2E\nmines: 2\nF ? H\n? ? !\n",
    "no cells seen": "rules: E\n0 ? ?\n? ? ?\n",
    "no area": "rules: 2A\n0 ? ?\n? ? ?\n",
    "a liar at the border": "rules: L\nmines: 1\n0 ? 0\n? ? ?\n",
    "letters": "rules: 2E\nmines: 2\nA ? B\n? ? ?\nA ? A\n",
    "letters for one number": "rules: 2E\nA ? B\n",
    "no square board for liars": "rules: 2L\n1 ? ?\n? ? ?\n",
    "liars": "rules: 2L\nmines: 2\n1 ? ?\n? ? ?\n? ? 1\n",
    "a direction": "rules: 2I\n1 ? ?\n? 2 ?\n? ? 0\n",
}


@pytest.mark.parametrize("flags", ["trust", "ignore"])
@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES.keys())
def test_boards_of_every_shape(certified, text: str, flags: str) -> None:
    require_certificate(certified, text, flags)


@pytest.mark.parametrize("text", LARGE, ids=["C", "O", "2C", "S"])
def test_connections_of_144_cells_take_less_than_a_megabyte(certified, text: str) -> None:
    made = certified(text)
    assert sum(map(len, made.files.values())) < 1_000_000
    checked = made.check()
    assert (checked.status, checked.cuts > 0) == ("consistent", True)


def test_the_board_that_is_asked_for_has_to_be_the_board(certified) -> None:
    text = "rules: C W\ngeometry: torus\nmines: 5\n? 2 ?\n? ? ?\n? ? F\n? ? ?\n"
    made = certified(text)
    made.check(board="; the same\nmines:5\nrules: W C\ngeometry: torus\n.2.\n...\n..!\n...\n")
    for old, new, why in (
        ("torus", "square", "another geometry or size"), ("C W", "C", "other rules"),
        ("C W", "C W Q", "other rules"), ("? 2 ?", "? 3 ?", "another board"),
        ("? ? F", "? ? ?", "another board"), ("mines: 5", "mines: 4", "about total 5"),
        ("mines: 5", "mines: ?", "about total 5"), ("? ? F\n", "", "another geometry or size"),
    ):  # fmt: skip
        assert why in made.refused(board=text.replace(old, new))
    assert "about total 5" in made.refused(mines=6)
    assert "about total 5" in made.refused(mines="unknown")
    assert "flags read as 'trust'" in made.refused(flags="ignore")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rules: Q\ngeometry: hexagonal\n? ?\n", "rule Q needs squares"),
        ("rules: 2S\ngeometry: torus\n? ? ?\n? ? ?\n? ? ?\n", "rule 2S needs rows with ends"),
        ("rules: tests.own:RULE\n? ?\n", "rule tests.own:RULE"),
    ],
)
def test_boards_without_a_certificate_are_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as caught:
        certify_puzzle(Puzzle.parse(text))
    assert "\n" not in str(caught.value)
