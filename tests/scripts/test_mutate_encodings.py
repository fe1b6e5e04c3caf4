"""Random changes of proofs of encodings and games: none is accepted that says what is false."""

from collections.abc import Callable

import pytest

from satsweeper.checker.game.steps import CheckedGame
from scripts import mutate_encodings, mutate_games

MAINS = {"problems": mutate_encodings.main, "games": mutate_games.main}


@pytest.mark.parametrize("of", MAINS)
def test_three_hundred_mutations_are_rejected_or_harmless(
    of: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main: Callable[[list[str]], int] = MAINS[of]
    assert main(["--count", "300", f"--{of}", "30", "--seed", "5"]) == 0
    footer = capsys.readouterr().out.splitlines()[-2].split("│")
    rejected, harmless, false, failed = map(int, footer[2:6])
    assert (rejected + harmless, false, failed) == (300, 0, 0)
    assert rejected > 200


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("of", MAINS)
def test_five_thousand_mutations_are_rejected_or_harmless(of: str) -> None:
    main: Callable[[list[str]], int] = MAINS[of]
    assert main(["--count", "5000", f"--{of}", "150", "--seed", "1"]) == 0


def test_the_judge_of_encodings_sees_a_solution_that_is_lost() -> None:
    problem = "* c\nmin: +1 x1 ;\n+1 x1 +1 ~x2 >= 1 ;\n"
    assert mutate_encodings.lost_solution(problem, "p cnf 2 1\n1 -2 0\n") is None
    assert mutate_encodings.lost_solution(problem, "p cnf 3 2\n1 3 0\n-3 -2 0\n") is None
    lost = mutate_encodings.lost_solution(problem, "p cnf 3 2\n1 3 0\n-3 -1 0\n-3 2 0\n")
    assert lost == "the solution [-1, -2] is lost"


def test_the_judge_of_games_sees_a_verdict_that_is_false() -> None:
    def game(grid: str, status: str = "consistent", complete: bool = True) -> CheckedGame:
        rows = ("?1?",)
        return CheckedGame(rows, (grid,), 1, status, 1, 0, 1, complete, 0, 0, 0)

    assert mutate_games.false_verdict(game("?1?")) is None
    assert (
        mutate_games.false_verdict(game("S1M"))
        == "cell 0,0 is said to be S, and can be {False, True}"
    )
    assert mutate_games.false_verdict(game("?1?", "inconsistent")) == "there are 2 layouts"
