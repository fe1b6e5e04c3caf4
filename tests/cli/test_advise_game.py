"""``advise`` of the record of a game: each move judged, luck, skill and clicks summed up."""

import json
from fractions import Fraction

import pytest

from satsweeper.cli.lifetime import TimeIsUp
from satsweeper.play.game import Game
from satsweeper.play.record import read_game, write_game
from tests.commands import EXAMPLES, call, done, refused

RECORD = EXAMPLES / "game.jsonl"


def test_a_guess_costs_the_chance_to_win_that_advice_on_its_position_had():
    answer = done("advise", RECORD, "--json").json
    assert (answer["schema"], answer["status"], answer["whole"]) == (
        "satsweeper/review/1", "won", True
    )  # fmt: skip
    lines = RECORD.read_text().splitlines()
    assert len(answer["moves"]) == len(lines) - 2
    guesses = [at for at, move in enumerate(answer["moves"]) if "cost" in move]
    kinds = [(answer["moves"][at]["kind"], answer["moves"][at]["cost_is"]) for at in guesses]
    assert kinds == [("guess", "estimate"), ("needless", "bound"), ("guess", "exact")]
    for at in guesses:
        move = answer["moves"][at]
        seen = read_game("\n".join(lines[: at + 1]), "part").position(flags=False).text()
        advice = call("advise", "-", "--json", board=seen).json
        chances = call("odds", "-", "--json", board=seen).json["cells"]
        (mine,) = (each["mine"] for each in chances if each["cell"] == move["cell"])
        assert Fraction(move["safe"]) == 1 - Fraction(mine)
        if move["kind"] == "needless":
            assert move["best"]["cell"] in advice["certain"]
            continue
        by_cell = {tuple(choice["cell"]): choice for choice in advice["choices"]}
        played, best = by_cell[tuple(move["cell"])], by_cell[tuple(move["best"]["cell"])]
        assert best == advice["choices"][0] or "win" not in best
        if move["cost_is"] == "exact":
            assert (move["win"], move["best"]["win"]) == (played["win"], best["win"])
            assert move["cost"] == float(Fraction(best["win"]) - Fraction(played["win"]))
    summed = answer["sum"]
    chance, luck = Fraction(1), 0.0
    for at in guesses:
        chance *= Fraction(answer["moves"][at]["safe"])
        luck += answer["moves"][at]["luck"]
    assert luck == pytest.approx(summed["survived"] - summed["expected"])
    assert (summed["guesses"], summed["needless"], summed["survived"]) == (3, 1, 3)
    assert Fraction(summed["chance"]) == chance
    assert summed["cost"]["exact"] == answer["moves"][guesses[-1]]["cost"]
    clicks = [json.loads(line).get("move") for line in lines[1:-1]]
    counted = answer["efficiency"]["clicks"]
    names = {"left": "open", "right": "flag", "chord": "chord"}
    assert {name: counted[name] for name in names} == {
        name: clicks.count(action) for name, action in names.items()
    }
    assert answer["efficiency"]["efficiency"] == answer["efficiency"]["3bv"] / len(clicks)


def test_the_table_has_a_row_for_each_move_and_the_sum_below():
    lines = [line.split() for line in done("advise", RECORD).out.splitlines() if line.strip()]
    rows = [line for line in lines if line[0].isdigit()]
    assert [row[0] for row in rows] == [str(number) for number in range(1, 33)] + ["3"]
    assert rows[1][1:4] == ["open", "0,3", "guess"]
    assert rows[3][1:] == ["flag", "1,0", "certain"]
    assert rows[25][-2:] == ["2,6", "13.3"]
    assert " ".join(rows[-1]).startswith("3 moves were guesses, and they were safe")
    assert " ".join(lines[-1]) == "3BV 18 in 32 clicks: efficiency 56 %. ZiNi 15."


def test_what_is_taken_back_is_told_and_not_summed_up():
    game = Game("5x5/5", "none", seed=3)
    game.open((0, 0))
    game.undo()
    game.open((4, 4))
    answer = call("advise", "-", "--json", board=write_game(game)).json
    assert [move.get("taken_back", False) for move in answer["moves"]] == [True, False, False]
    assert (answer["sum"]["guesses"], answer["efficiency"]["clicks"]["all"]) == (1, 1)


@pytest.mark.parametrize(
    ("code", "options", "change", "said"),
    [
        (1, [], ('"flag"', '"flog"'), ":5: move flog: there is open, flag, chord, undo"),
        (1, [], ("[1, 0]", "[9, 0]"), ":5: cell 9,0: the board is 8x8"),
        (2, ["--strategy", "safest"], ("", ""), "--strategy is for a board, and this is a game"),
        (2, ["--mines", "3"], ("", ""), "--mines is for a board, and this is a game"),
        (2, ["--rules", "C"], ("", ""), "--rules is for a board, and this is a game"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(tmp_path, code, options, change, said):
    file = tmp_path / "game.jsonl"
    old, new = change
    file.write_text(RECORD.read_text().replace(old, new, 1))
    assert said in refused(code, "advise", file, *options).err


def test_a_game_without_a_move_is_refused_and_at_the_limit_what_is_judged_is_told(monkeypatch):
    empty = call("advise", "-", board=write_game(Game("5x5/5", seed=1)))
    assert empty == (1, "", "<stdin>: no cell is ever opened: there is nothing to show\n", "")
    from satsweeper.play import narration

    whole = narration.narrate_record

    def until_the_fourth(game, judge):
        for number, moment in enumerate(whole(game, judge)):
            if number == 4:
                raise TimeIsUp
            yield moment

    monkeypatch.setattr(narration, "narrate_record", until_the_fourth)
    ended = call("advise", RECORD, "--timeout", "60", "--json")
    assert (ended.code, ended.err) == (
        124, "satsweeper advise: not done within 60 s: 3 of 32 moves are judged\n"
    )  # fmt: skip
    answer = json.loads(ended.out)
    assert (answer["whole"], len(answer["moves"]), answer["sum"]["guesses"]) == (False, 3, 1)
