"""Forged certificates of boards under rules are refused, each for what is wrong with it."""

import json
import random

import pytest

from satsweeper.checker.errors import WrongCertificateError
from tests.checker.mutated import mutated
from tests.checker.puzzle.boards import true_verdicts
from tests.puzzle.published import WORKED

BOARD = "rules: C H\nmines: 5\n? ? ? ?\n? 3 ? ?\n? ? ? ?\n? ? 1 ?\n"
"""Without C, and without H, more is unknown."""
FIRST = "rules: C\nmines: 3\n1 ? ? 1\n? ? ? ?\n1 ? ? ?\n"


def with_verdicts(made, verdicts: str):
    made.about["verdicts"] = verdicts
    return made


@pytest.fixture
def made(certified):
    made = certified(BOARD)
    assert {*made.about["verdicts"]} == {*"SM?"}
    assert made.check().proved
    return made


def test_the_board_needs_each_of_its_rules() -> None:
    for rules in ("C", "H", ""):
        assert true_verdicts(BOARD.replace("C H", rules)) != true_verdicts(BOARD)


@pytest.mark.parametrize(("old", "new"), [("S", "M"), ("M", "S"), ("?", "S"), ("?", "M")])
def test_another_verdict(made, old: str, new: str) -> None:
    right = made.about["verdicts"]
    for place, verdict in enumerate(right):
        if verdict == old:
            why = with_verdicts(made, right[:place] + new + right[place + 1 :]).refused()
            assert "contradicts the certain verdict" in why


def test_a_certain_cell_called_unknown_and_an_unknown_one_called_certain(made) -> None:
    right = made.about["verdicts"]
    place = right.index("S")
    why = with_verdicts(made, right[:place] + "?" + right[place + 1 :]).refused()
    assert "no two layouts differ at the unknown cell" in why
    # With the layouts that are in the way left out, the proof has to be refused.
    place = right.index("?")
    row, column = [(r, c) for r, line in enumerate(BOARD.splitlines()[2:])
                   for c, mark in enumerate(line.split()) if mark == "?"][place]  # fmt: skip
    rest = [each for each in made.layouts() if each[row][column] == "."]
    made.put_layouts(rest)
    assert with_verdicts(made, right[:place] + "S" + right[place + 1 :]).refused()


@pytest.mark.parametrize("verdicts", ["", "?", "S" * 20, None, 7, ["S"], "SSSSSSSSSSSSS!"])
def test_verdicts_that_are_missing_or_none(made, verdicts: object) -> None:
    assert with_verdicts(made, verdicts).refused().startswith("manifest.json: ")


def test_a_missing_verdict_is_no_verdict(made) -> None:
    assert "verdicts" in with_verdicts(made, made.about["verdicts"][:-1]).refused()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("rules: C H", "rules: H", "where 16 are needed"),
        ("rules: C H", "rules: C", "the board does not say so"),
        ("rules: C H", "rules:", "where 16 are needed"),
        ("rules: C H", "rules: C H Q", "rule Q is broken|it lacks"),
        ("rules: C H", "rules: C C", "a rule is there twice"),
        ("rules: C H", "rules: C H Y", "there is no rule 'Y'"),
        ("rules: C H", "rules: C H\ngeometry: torus", "layout 0"),
        ("rules: C H", "rules: C H\ngeometry: round", "there is no geometry"),
        ("mines: 5", "mines: 6", "the total is 6"),
        ("mines: 5", "mines: ?", "the board does not say so"),
        ("3", "2", "the clue at"),
        ("3", "?", "verdicts"),
        ("1", "F", "no mine under the flag"),
    ],
)
def test_another_board(made, old: str, new: str, why: str) -> None:
    made.replace("board.txt", old, new)
    assert any(each in made.refused() for each in why.split("|"))


def test_a_layout_that_breaks_nothing_but_a_rule(made) -> None:
    """Layouts without C or without H that meet clues and total are no layouts of the board."""
    for rules in ("C", "H"):
        looser = made.__class__.__new__(made.__class__)
        looser.__dict__.update(made.__dict__, files=dict(made.files))
        from satsweeper.certificate.puzzle.certify import certify_puzzle
        from satsweeper.puzzle.puzzle import Puzzle

        other = certify_puzzle(Puzzle.parse(BOARD.replace("C H", rules)))
        looser.files["layouts.json"] = other.files["layouts.json"]
        missing = "H" if rules == "C" else "C"
        assert f"rule {missing} is broken" in looser.refused()


@pytest.mark.parametrize(
    "layouts", [[], None, {}, [[]], [["*"]], [["....", "....", "....", "...."]], [7], ["*..."]]
)
def test_no_layout_or_no_layouts_of_the_board(made, layouts: object) -> None:
    made.put_layouts(layouts)
    assert "layouts.json" in made.refused()


def test_layouts_that_leave_an_unknown_cell_with_one_value(made) -> None:
    layouts = made.layouts()
    made.put_layouts(layouts[:1])
    assert "no two layouts differ" in made.refused()


def test_no_layouts_are_no_proof_of_a_contradiction(made) -> None:
    made.about.update(status="inconsistent", verdicts=None)
    del made.files["layouts.json"]
    # The claim that only verdicts have is one constraint more than an inconsistent board has.
    assert "the board does not say so" in made.refused()
    made.put_lines("proof.opb", made.lines("proof.opb")[:-1])
    assert made.refused()


def test_an_inconsistent_board_called_consistent(certified) -> None:
    made = certified("rules: H\nmines: 5\n? ? ?\n? ? ?\n")
    assert made.check().status == "inconsistent"
    for verdicts in ("SSSSSS", "??????", "MMMMMM"):
        made.about.update(status="consistent", verdicts=verdicts)
        for layouts in ([], [["***", "**."]], [["*.*", "*.*"]]):
            made.put_layouts(layouts)
            saved = dict(made.files)
            if verdicts == "??????":
                del made.files["proof.opb"], made.files["proof.pbp"]
            assert "layouts.json" in made.refused()
            made.files = saved


def test_each_row_of_the_problem_lost_doubled_or_changed(made) -> None:
    lines = made.lines("proof.opb")
    for place in range(1, len(lines)):
        made.put_lines("proof.opb", [*lines[:place], *lines[place + 1 :]])
        assert made.refused(), lines[place]
        *terms, relation, degree, end = lines[place].split(" ")
        stronger = " ".join([*terms, relation, str(int(degree) + 1), end])
        made.put_lines("proof.opb", [*lines[:place], stronger, *lines[place + 1 :]])
        assert made.refused(), lines[place]
        # A cut with a literal more is still a cut.
        if not (lines[place].startswith("-") and "+1" in terms):
            more = " ".join(["+1 x1", *terms, relation, degree, end])
            made.put_lines("proof.opb", [*lines[:place], more, *lines[place + 1 :]])
            assert made.refused(), lines[place]


@pytest.mark.parametrize(
    "row", ["+1 x1 >= 1 ;", "-1 x1 >= 0 ;", "+1 x1 +1 x2 >= 1 ;", "+0 x1 >= 1 ;",
            "-1 x1 -1 x16 >= -1 ;", "-1 x1 +1 x2 >= 0 ;", "+1 x99 >= 1 ;",
            "-1 x1 -1 x2 -1 x16 >= -2 ;"]
)  # fmt: skip
def test_a_row_more_than_the_board_says(made, row: str) -> None:
    lines = made.lines("proof.opb")
    for place in (1, len(lines) - 1, len(lines)):
        made.put_lines("proof.opb", [*lines[:place], row, *lines[place:]])
        assert "proof.opb" in made.refused()


def test_cuts_that_cut_nothing_off(certified) -> None:
    """Without C the same clauses say more than the board."""
    made = certified(FIRST)
    lines = made.lines("proof.opb")
    cuts = made.check().cuts
    assert cuts
    kinds = set()
    for place in range(len(lines) - 1 - cuts, len(lines) - 1):
        terms = lines[place].split(" ")
        for at in [k for k, each in enumerate(terms) if each == "+1"]:
            # Without a cell between there is a way to the others; and each cell that can be the
            # first of the set has to be said to be.
            kinds.add(int(terms[at + 1][1:]) > 12)
            fewer = " ".join(terms[:at] + terms[at + 2 :])
            made.put_lines("proof.opb", [*lines[:place], fewer, *lines[place + 1 :]])
            assert "the board does not say so" in made.refused()
    assert kinds == {True, False}
    made.put_lines("proof.opb", lines)
    made.replace("board.txt", "rules: C", "rules:")
    assert "where 12 are needed" in made.refused()


def test_each_line_of_the_proof_lost_or_changed(made) -> None:
    """A line that is lost may not matter (a deletion); what stays verified is what is true."""
    lines = made.lines("proof.pbp")
    right = made.about["verdicts"]
    refused = 0
    for place in range(len(lines)):
        made.put_lines("proof.pbp", [*lines[:place], *lines[place + 1 :]])
        try:
            assert made.check().proved == len(right) - right.count("?")
            assert lines[place].startswith(("del", "f "))
        except WrongCertificateError:
            refused += 1
    assert refused > len(lines) // 2
    for place, line in enumerate(lines):
        if line.startswith(("rup 1", "pol")):
            made.put_lines("proof.pbp", [*lines[:place], "rup >= 1 : ~ 1 ;", *lines[place + 1 :]])
            assert made.refused()


@pytest.mark.parametrize(
    ("name", "why"), [("proof.pbp", "not named"), ("layouts.json", "not named")]
)
def test_a_file_that_is_missing(made, name: str, why: str) -> None:
    del made.files[name]
    assert why in made.refused()


def test_a_file_too_many_and_a_hash_that_does_not_fit(made) -> None:
    made.files["more.txt"] = b"\n"
    assert "has no such file" in made.refused()
    del made.files["more.txt"]
    folder = made.write()
    (folder / "board.txt").write_bytes(made.files["board.txt"].replace(b"5", b"6"))
    from satsweeper.checker.puzzle.check import check_puzzle

    with pytest.raises(WrongCertificateError, match="its hash is not that of the manifest"):
        check_puzzle(folder)


def changed_at_random(made, text: str, rng: random.Random) -> bool:
    """Change a file at random; return whether it is verified, which it may only with the truth."""
    name = rng.choice(["proof.opb", "proof.pbp", "proof.pbp", "board.txt", "layouts.json", ""])
    if name == "":
        verdicts = [*made.about["verdicts"]]
        verdicts[rng.randrange(len(verdicts))] = rng.choice("SM?")
        made.about["verdicts"] = "".join(verdicts)
    elif name == "layouts.json":
        layouts = made.layouts()
        rows = rng.choice(layouts)
        at = rng.randrange(len(rows))
        place = rng.randrange(len(rows[at]))
        rows[at] = rows[at][:place] + rng.choice("*.") + rows[at][place + 1 :]
        if rng.random() < 0.3:
            layouts.remove(rows)
        made.put_layouts(layouts)
    elif name not in made.files:
        return False
    else:
        made.put_lines(name, mutated(made.lines(name), rng))
    try:
        made.check()
    except WrongCertificateError:
        return False
    expected = true_verdicts(made.text("board.txt"), made.about["flags"])
    assert made.about["verdicts"] == expected, (text, json.dumps(made.about))
    return True


def mutate(certified, cases: list[tuple[str, int]], times: int) -> tuple[int, int]:
    """Change certificates at random; return how many were, and how many were still verified."""
    done = verified = 0
    for text, seed in cases:
        whole = certified(text)
        files, about = dict(whole.files), dict(whole.about)
        rng = random.Random(f"{text} {seed}")
        for _ in range(times):
            whole.files, whole.about = dict(files), dict(about)
            verified += changed_at_random(whole, text, rng)
            done += 1
    return done, verified


def test_certificates_changed_at_random_prove_nothing_that_is_false(certified) -> None:
    small = [
        each.text for each in WORKED if each.rule in ("C", "O", "2C", "H", "E", "2P", "L", "P")
    ]
    done, verified = mutate(certified, [(text, 1) for text in (BOARD, FIRST, *small)], 20)
    assert (done, verified < done // 2) == (180, True)


@pytest.mark.slow
def test_many_certificates_changed_at_random_prove_nothing_that_is_false(certified) -> None:
    done, verified = mutate(certified, [(each.text, 2) for each in WORKED], 30)
    assert (done, verified < done // 2) == (990, True)
