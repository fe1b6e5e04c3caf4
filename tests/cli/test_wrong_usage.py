"""Wrong usage: the usage in one line, then what is wrong; and what may have been meant."""

import pytest

from satsweeper.cli.main import COMMANDS, parser_of
from tests.commands import EXAMPLES, call

BOARD = "wikipedia_corner.txt"
MISTYPED = [
    (["clasify", BOARD], "command 'clasify'", "classify"),
    (["--vrsion"], "option '--vrsion'", "--version"),
    (["classify", BOARD, "--jsn"], "option '--jsn'", "--json"),
    # The board is missing as well, which is no reason to speak of that alone.
    (["classify", "--jsn"], "option '--jsn'", "--json"),
    (["classify", BOARD, "--time-out=5"], "option '--time-out'", "--timeout"),
    (["classify", BOARD, "--flags", "ingore"], "value 'ingore'", "ignore"),
    (["classify", BOARD, "--encoding", "totaliser"], "encoder 'totaliser'", "totalizer"),
    (["classify", BOARD, "--total-encoding", "Adder"], "encoder 'Adder'", "adder"),
    (["classify", BOARD, "--solver", "minsat22"], "solver 'minsat22'", "minisat22"),
    (["classify", BOARD, "--engine", "sats"], "engine 'sats'", "sat"),
    (["classify", BOARD, "--engine", "brute-force"], "engine 'brute-force'", "brute_force"),
    (["engines", "--engine", "sat,subsets"], "engine 'subsets'", "subset"),
    (["explain", BOARD, "2,2", "--solver", "glucose"], "solver 'glucose'", "glucose4"),
    (["certify", BOARD, "-o", "x", "--encoding", "direkt"], "encoder 'direkt'", "direct"),
    (["certify", BOARD, "-o", "x", "--solver", "glucos4"], "solver 'glucos4'", "glucose4"),
    (["export", BOARD, "--format", "cfn"], "value 'cfn'", "cnf"),
    (["export", BOARD, "--total-encoding", "ader"], "encoder 'ader'", "adder"),
    (["encode", BOARD, "--cardinality", "totaliser"], "encoder 'totaliser'", "totalizer"),
    (["encode", BOARD, "--encoding", "totaliser"], "encoder 'totaliser'", "totalizer"),
    (["encode", BOARD, "--format", "op"], "value 'op'", "opb"),
    (["sat", BOARD, "--solver", "cadical159"], "solver 'cadical159'", "cadical195"),
    (["solve", BOARD, "--strategy", "liner"], "strategy 'liner'", "linear"),
    (["solve", BOARD, "--solver", "cadical159"], "solver 'cadical159'", "cadical195"),
    (["solve", BOARD, "--encoding", "totaliser"], "encoder 'totaliser'", "totalizer"),
    (["convert", BOARD, "--to", "tathm"], "value 'tathm'", "tatham"),
    (["convert", BOARD, "--to", "text", "--drop", "flag"], "value 'flag'", "flags"),
    (["compare", BOARD, "--encodings", "totaliser"], "encoder 'totaliser'", "totalizer"),
    (["compare", BOARD, "--solvers", "minisat"], "solver 'minisat'", "minisat22"),
    (["compare", BOARD, "--orders", "revresed"], "order 'revresed'", "reversed"),
    (["compare", BOARD, "--tasks", "clasify"], "task 'clasify'", "classify"),
    (["game", "slove", BOARD], "value 'slove'", "solve"),
    (["game", "new", "x", "--first-click", "openning"], "value 'openning'", "opening"),
    (["play", "--first-click", "openning"], "value 'openning'", "opening"),
    (["render", "-o", "a.svg", "--theme", "drak"], "value 'drak'", "dark"),
    (["simulate", "--strategy", "safset"], "strategy 'safset'", "safest"),
    (["simulate", "--first-click", "saef"], "first click 'saef'", "safe"),
    (["simulate", "--boards", "exprt"], "board 'exprt'", "expert"),
    (["simulate", "--narrow", "rate"], "value 'rate'", "rates"),
    (["family", "safe_hole", "--size", "5"], "family 'safe_hole'", "safehole"),
    (["family", "ones", "--size", "5", "--to", "josn"], "format 'josn'", "json"),
    (["family", "ones", "--size", "5", "-o", "x.obp"], "format 'obp'", "opb"),
    (["competition", "--track", "sta", "-o", "x"], "track 'sta'", "sat"),
    (["competition", "--strong", "glucos4", "-o", "x"], "solver 'glucos4'", "glucose4"),
    (["audit", "totaliser"], "encoder 'totaliser'", "totalizer"),
    (["audit", "pysat:totaliser"], "encoder 'pysat:totaliser'", "pysat:totalizer"),
    (["audit", "--against", "pysta"], "library 'pysta'", "pysat"),
]


@pytest.mark.parametrize(("arguments", "what", "meant"), MISTYPED, ids=lambda case: str(case))
def test_of_every_name_that_is_mistyped_the_nearest_is_named(
    arguments: list[str], what: str, meant: str
) -> None:
    typed = [EXAMPLES / word if word == BOARD else word for word in arguments]
    ended = call(*typed)
    assert (ended.code, ended.out) == (2, "")
    assert f"unknown {what}; did you mean {meant!r}?" in ended.err
    command = f"satsweeper {arguments[0]}" if arguments[0] in COMMANDS else "satsweeper"
    assert ended.usage.startswith(f"usage: {command} [options]")
    assert ended.err.startswith(f"{command}: ")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_every_command_is_found_when_two_letters_are_swapped(command: str) -> None:
    options = [
        name
        for action in parser_of([command])[1][command]._actions
        for name in action.option_strings
        if name.startswith("--") and len(name) > 5
    ]
    for name in options:
        swapped = name[:-3] + name[-2] + name[-3] + name[-1]
        # How another option begins is that option.
        if swapped != name and not any(other.startswith(swapped) for other in options):
            ended = call(command, swapped)
            assert ended.code == 2
            near = f"satsweeper {command}: unknown option {swapped!r}; did you mean '--"
            assert ended.err.startswith(near)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["classify"], "the following arguments are required: BOARD"),
        (["classify", "-x", "board"], "unknown option '-x'"),
        (["classify", "--qqq", "board"], "'--qqq'; satsweeper classify --help names them"),
        (["classify", "board", "other"], "one argument too many: 'other'"),
        (["classify", "board", "--timeout"], "expected one argument"),
        (["convert", "board"], "-o -: the name says no format; --to does: text, json, mine"),
        (["odds", "board", "--m", "3"], "ambiguous option: --m could match"),
    ],
)
def test_other_wrong_usage_is_the_usage_and_one_line(arguments: list[str], message: str) -> None:
    ended = call(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.usage.startswith(f"usage: satsweeper {arguments[0]} [options] ")
    assert len(ended.usage) <= 80
    assert ended.err.startswith(f"satsweeper {arguments[0]}: ")
    assert message in ended.err
    assert ended.err.count("\n") == 1


def test_a_word_with_a_blank_is_an_argument_and_an_option_may_be_shortened() -> None:
    assert call("classify", "--no such board").err == "--no such board: No such file or directory\n"
    assert call("classify", "--js", "-", board="1?\n").json["status"] == "consistent"
    assert call("classify", "--", "--jsn").err == "--jsn: No such file or directory\n"
