"""The command as a whole: help, examples, wrong usage, refusals, and output that nobody reads."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from satsweeper import __version__
from satsweeper.cli.main import COMMANDS, module_of, parser_of
from tests.commands import EXAMPLES, call, done, refused

EXIT_CODES = ["0 done", "20 the board is inconsistent", "124 a limit", "130 interrupted"]
CODES_OF_SOLVERS = {
    "sat": ["10 SATISFIABLE", "20 UNSATISFIABLE", "0 UNKNOWN", "130 interrupted"],
    "solve": ["30 OPTIMUM FOUND", "10 SATISFIABLE", "20 UNSATISFIABLE", "130 interrupted"],
}
"""The commands that end as solvers do in the competitions."""


def test_without_a_command_the_commands_are_named_and_the_exit_code_is_2():
    needed = f"satsweeper: a command is needed: {', '.join(COMMANDS)}; "
    said = f"{needed}satsweeper --help says what each does\n"
    assert call() == (2, "", said, "usage: satsweeper [options] COMMAND ...")


def test_help_names_every_command_and_every_exit_code_and_the_version_is_that_of_the_package():
    ended = done("--help")
    assert all(f"  {name}" in ended.out for name in COMMANDS)
    assert all(code in " ".join(ended.out.split()) for code in EXIT_CODES)
    assert "example: satsweeper" in ended.out
    assert call("--version").out == f"satsweeper {__version__}\n"


NO_FILES = {
    "audit", "compare", "competition", "completion", "doctor", "families", "family", "game",
    "generate", "page", "play", "report", "rules", "simulate",
}  # fmt: skip
"""Commands whose examples read no file that is there already."""


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_a_summary_an_example_and_the_exit_codes(command):
    ended = done(command, "--help")
    codes = CODES_OF_SOLVERS.get(command, EXIT_CODES)
    assert all(code in " ".join(ended.out.split()) for code in codes)
    assert (EXIT_CODES[0] in ended.out) is (codes is EXIT_CODES)
    shown = [word for word in ended.out.split() if word.startswith("examples/")]
    assert f"  satsweeper {command} " in ended.out or f": satsweeper {command} " in ended.out
    assert shown or command in NO_FILES
    assert all((EXAMPLES.parent / board).is_file() for board in shown)


def test_the_module_is_the_command_and_a_board_comes_through_a_pipe(child, start):
    ended = child("classify", "--json", EXAMPLES / "contradiction.txt")
    assert (ended.code, ended.err, ended.json["status"]) == (20, "", "inconsistent")
    assert child().code == 2
    process = start("classify", "--json", "-", stdin=subprocess.PIPE)
    out, err = process.communicate("1?\n", timeout=60)
    assert (process.returncode, err) == (0, "")
    assert '"grid": ["1M"]' in out


@pytest.fixture(
    params=["classify --help", "classify --json BOARD", "classify --json --timeout 50 BOARD",
            "explain BOARD 2,2"],
)  # fmt: skip
def arguments(request):
    return request.param.replace("BOARD", str(EXAMPLES / "wikipedia_corner.txt")).split()


def into_a_closed_pipe(child, arguments: list[str]) -> Any:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return child(*arguments, stdout=writer)
    finally:
        os.close(writer)


def test_a_reader_that_has_gone_is_no_error(child, arguments):
    ended = into_a_closed_pipe(child, arguments)
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize("json", [[], ["--json"]], ids=["text", "json"])
def test_a_reader_that_has_gone_is_no_error_without_buffers(child, json, environment, monkeypatch):
    monkeypatch.setitem(environment, "PYTHONUNBUFFERED", "1")
    ended = into_a_closed_pipe(child, ["classify", *json, str(EXAMPLES / "expert.txt")])
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_line_and_exit_code_1(child, arguments):
    with open("/dev/full", "w") as full:
        ended = child(*arguments, stdout=full)
    assert (ended.code, len(ended.err.splitlines())) == (1, 1)
    assert "No space left" in ended.err


@pytest.mark.parametrize("options", [[], ["--json"], ["--timeout", "50"]], ids=" ".join)
def test_a_closed_error_stream_is_no_error_and_a_fault_keeps_its_exit_code(child, options):
    for board, code in ((EXAMPLES / "wikipedia_corner.txt", 0), ("/no/board", 1)):
        ended = child("classify", *options, board, stderr=None, preexec_fn=lambda: os.close(2))
        assert (ended.code, ended.err, bool(ended.out)) == (code, "", code == 0)


def test_a_closed_standard_input_is_one_line(child):
    ended = child("classify", "-", preexec_fn=lambda: os.close(0))
    assert ended == (1, "", "<stdin>: standard input is closed\n", "")


# The examples in every command's own help, run as they stand beside a copy of examples/


def lines_of(command: str) -> list[list[str]]:
    """The command lines of a help's examples, as words; several of one line one by one."""
    shown = module_of(command).EXAMPLE.replace("&&", "\n").splitlines()
    words = [shlex.split(line.removeprefix("example:").strip()) for line in shown]
    return [line for line in words if line not in ([], ["examples:"])]


def run(words: list[str]) -> int:
    """Run one line as a shell would: with its input and its output."""
    typed = b""
    if "<" in words:
        words, typed = words[: words.index("<")], Path(words[-1]).read_bytes()
    file = Path(words[-1]) if ">" in words else None
    words = words[: words.index(">")] if ">" in words else words
    ended = call(*words[1:], board=typed)
    if file is not None:
        file.write_bytes(ended.data)
    return ended.code


@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_of_a_help_run(command, tmp_path, monkeypatch):
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    # The examples of check read what those of others write.
    needed = ["certify", "encode", "solve"] if command == "check" else []
    assert any(words[:2] == ["satsweeper", command] for words in lines_of(command))
    for words in [line for each in [*needed, command] for line in lines_of(each)]:
        names = [word.removeprefix("external:") for word in words if word.startswith("external:")]
        if words[0] != "satsweeper" or not all(shutil.which(name) for name in names):
            continue
        # 10, 20 and 30 are answers: satisfiable, unsatisfiable or inconsistent, optimal.
        expected: tuple[int, ...] = (0, 10, 20, 30)
        if words[1] == "page":  # A page that was built is served for ever.
            words, expected = [*words, "--timeout", "0.1"], (0, 1)
        elif words[1] == "play" and ">" not in words:  # It needs a terminal.
            expected = (1,)
        assert run(words) in expected, words


# Wrong usage: the usage in one line, then what is wrong; and what may have been meant


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_every_command_is_found_when_two_letters_are_swapped(command):
    actions = parser_of([command])[1][command]._actions
    options = [name for action in actions for name in action.option_strings if name[:2] == "--"]
    for name in (name for name in options if len(name) > 5):
        swapped = name[:-3] + name[-2] + name[-3] + name[-1]
        # How another option begins is that option.
        if swapped != name and not any(other.startswith(swapped) for other in options):
            ended = call(command, swapped)
            near = f"satsweeper {command}: unknown option {swapped!r}; did you mean '--"
            assert (ended.code, ended.err[: len(near)]) == (2, near)


def test_a_word_with_a_blank_is_an_argument_and_an_option_may_be_shortened():
    assert call("classify", "--no such board").err == "--no such board: No such file or directory\n"
    assert call("classify", "--js", "-", board="1?\n").json["status"] == "consistent"
    assert call("classify", "--", "--jsn").err == "--jsn: No such file or directory\n"


# Refusals of all commands: a line, the exit code, and no file is written


FILE = Path(__file__).parents[1] / "data" / "refusals.txt"
REFUSALS = [line for line in FILE.read_text("utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_what_cannot_be_is_one_line_and_nothing_is_written(tmp_path, monkeypatch, refusal):
    asked, _, message = refusal.partition(" => ")
    command, _, typed = asked.partition(" << ")
    code, *words = shlex.split(command)
    words = [word.replace("\\0", "\0").replace("\\e", "\x1b") for word in words]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(EXAMPLES)
    (tmp_path / "boards").symlink_to(FILE.parent / "notation")
    (tmp_path / "notes.txt").write_text("mine\n")
    ended = refused(int(code), *words, board=typed.replace("\\n", "\n"))
    assert message in ended.err
    assert "\x1b" not in ended.err
    if ended.code == 2:
        command = f"satsweeper {words[0]}" if words[0] in COMMANDS else "satsweeper"
        assert ended.usage.startswith(f"usage: {command} [options]")
        assert ended.err.startswith(f"{command}: ")
        assert len(ended.usage) <= 80
    assert {path.name for path in tmp_path.iterdir()} == {"boards", "examples", "notes.txt"}
    assert (tmp_path / "notes.txt").read_text() == "mine\n"


# The fixture that holds every command with --json to one object sees what is wrong


@pytest.mark.parametrize(
    "printed", ["Running a solver\n{}\n", "{}\n{}\n", "{}", "[]\n", ""],
    ids=["a foreign line", "two objects", "no end of the line", "no object", "nothing"],
)  # fmt: skip
def test_what_is_not_one_object_does_not_pass(monkeypatch, printed):
    def run(arguments: object) -> int:
        print(end=printed)
        return 0

    monkeypatch.setattr("satsweeper.cli.classify.run", run)
    with pytest.raises((AssertionError, ValueError)):
        call("classify", "--json", EXAMPLES / "expert.txt")
    assert call("classify", EXAMPLES / "expert.txt").out == printed
    child = [sys.executable, "-c", f"print(end={printed!r})", "satsweeper", "--json"]
    with pytest.raises((AssertionError, ValueError)):
        subprocess.run(child, capture_output=True, check=True)
    assert subprocess.run(child[:-1], stdout=subprocess.PIPE, check=True).stdout.decode() == printed


def test_what_fails_may_print_nothing():
    assert call("classify", "--json", os.devnull).code == 1
    assert call("classify", "--json").code == 2


# A board without a layout has one answer, whatever is asked of it: the clues that clash


@pytest.mark.parametrize(
    "question",
    ["odds -", "odds - --certify folder", "advise -", "explain - 0,1 --flags ignore",
     "explain - 0,1 --flags ignore --timeout 60", "certify - -o folder",
     "certify - -o folder --cell 0,1"],
)  # fmt: skip
@pytest.mark.parametrize(
    "board", ["1?3\n???\n", "0F\n?1\n", "1 3 0\n1??\n"], ids=["two clues", "a flag", "the total"]
)
def test_every_command_says_of_a_board_without_a_layout_what_classify_says(
    tmp_path, monkeypatch, board, question
):
    monkeypatch.chdir(tmp_path)
    words = question.split()
    how = ("--flags", "ignore") if "--flags" in words else ()
    classified = call("classify", "-", "--json", *how, board=board)
    asked = call(*words, "--json", board=board)
    assert asked.code == classified.code == 20
    # What certify prints is the manifest of its folder.
    schema = "certificate" if words[0] == "certify" else words[0]
    assert asked.json["schema"] == f"satsweeper/{schema}/1"
    for name in ("status", "conflict", "rows", "columns", "mines"):
        assert asked.json[name] == classified.json[name]
    assert words[0] != "explain" or asked.json["cell"] == [0, 1]
    sentence = call("classify", "-", *how, board=board).out.splitlines()[-2]
    assert sentence.startswith("No layout exists: ")
    assert sentence in call(*words, board=board).out.splitlines()
