"""``play`` in a real terminal, and ``render``: boards and games as pictures."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from pbcnf.wording import install_hint
from satsweeper.cli.main import main
from satsweeper.play.game import Game
from satsweeper.play.record import read_game, write_game
from satsweeper.show.play.keys import Keys, read_keys
from tests.commands import EXAMPLES, call, done, living, refused


def test_without_a_terminal_it_is_one_line_and_exit_code_1(child):
    line = "play needs a terminal, and standard input, where keys come from, is none\n"
    assert child("play", "--level", 2, stdin=subprocess.DEVNULL) == (1, "", line, "")


NO_CURSOR = "play needs a terminal that can move its cursor, and TERM names none\n"
NO_TEXTUAL = f"play needs textual: {install_hint('satsweeper[tui]')}\n"


@pytest.mark.parametrize(
    ("term", "said"), [("dumb", NO_CURSOR), ("", NO_CURSOR), ("xterm", NO_TEXTUAL)]
)
def test_a_terminal_must_move_its_cursor_and_textual_be_there(monkeypatch, capsys, term, said):
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(getattr(sys, name), "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr("satsweeper.engines.table.find_spec", lambda name: None)
    assert main(["play"]) == 1
    assert capsys.readouterr().err == said


def test_keys_are_printed_as_a_file_of_keys_and_other_files_are_exit_code_1(tmp_path):
    assert read_keys(done("play", "--print-keys").out.encode(), "k.toml") == Keys.default()
    keys = tmp_path / "keys.json"
    keys.write_text('{"flag": ["m", "space"]}')
    printed = call("play", "--print-keys", "--keys", keys).out
    assert read_keys(printed.encode(), "k.toml").of["flag"] == ("m", "space")
    keys.write_text('{"flags": "m"}')
    ended = refused(1, "play", "--keys", keys)
    assert ended.err.startswith(f"{keys}: unknown action 'flags'; did you mean 'flag'?")


class Terminal:
    """A command in a pane of tmux, of 80 columns and 24 lines."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._tmux = ["tmux", "-f", os.devnull, "-S", str(folder / "socket")]
        self._environment = environment

    def start(self, *words: object, again: bool = False) -> None:
        """Run a command, ``again`` in the place of the one before."""
        # What is on the screen when the command has ended stays there.
        command = shlex.join([sys.executable, "-m", "satsweeper", *map(str, words)])
        where = ["respawn-pane", "-k"] if again else ["new-session", "-d", "-x80", "-y24"]
        self._do(*where, f"{command}; echo code $?.; cat")

    def _do(self, *words: str) -> str:
        usual: Any = {"text": True, "capture_output": True, "check": True, "timeout": 60}
        ended = subprocess.run([*self._tmux, *words], env=self._environment, **usual)
        return str(ended.stdout)

    def press(self, *keys: str) -> None:
        self._do("send-keys", *keys)

    def wait_for(self, *texts: str) -> str:
        """The screen as soon as all of these are on it; a minute at the most."""
        deadline = monotonic() + 60
        while monotonic() < deadline:
            screen = self._do("capture-pane", "-p")
            if all(text in screen for text in texts):
                return screen
        raise AssertionError(f"{texts} not seen on:\n{screen}")

    def pid(self) -> int:
        """Of the command."""
        shell = self._do("display-message", "-p", "#{pane_pid}").strip()
        return living(1, int(shell))[0]

    def end(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False, timeout=60)


@pytest.fixture
def terminal(tmp_path, environment):
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not on PATH")
    pytest.importorskip("textual")
    colors = {"NO_COLOR", "FORCE_COLOR", "TMUX"}
    clean = {name: value for name, value in environment.items() if name not in colors}
    found = Terminal(tmp_path, {**clean, "LC_ALL": "C.UTF-8"})
    yield found
    found.end()


def test_a_game_in_a_real_terminal(terminal):
    terminal.start("play", "--level", 3, "--seed", 7, "--first-click", "opening", "--ascii")
    rows = [">" + 78 * ".", *[" " + 78 * "."] * 20]
    terminal.wait_for("78x21/450", "row 0, column 0: covered", "\n".join(rows))
    for key, seen in (
        ("0", "9x9/10  mines left 10"), ("Enter", "row 0, column 0: open, 0"), ("s", "safe cell"),
        ("o", "Safe: ("), ("n", "n once more leaves it"), ("A", "You have "),
        ("h", "Minesweeper, 9x9/10, first click: opening, seed 7, game 1"),
    ):  # fmt: skip
        terminal.press(key)
        terminal.wait_for(seen)
    # The first puts the help away, however fast the second comes.
    terminal.press("x", "q")
    terminal.wait_for("9x9/10, first click: opening, --seed 7, game 1: ", "code 0.")


def test_a_game_without_guessing_in_a_real_terminal(terminal):
    terminal.start("play", "--size", "intermediate", "--no-guess", "--seed", 7)
    terminal.wait_for("16x16/40 no guess  mines left 40", "row 0, column 0: covered", "o odds")
    for key, seen in (("Enter", "row 0, column 0: open, 0"), ("a", "You have won")):
        terminal.press(key)
        terminal.wait_for(seen)
    terminal.press("q")
    terminal.wait_for("16x16/40, first click: opening, --no-guess --strength complete", "code 0.")


def test_a_game_under_rules_in_a_real_terminal(terminal, tmp_path):
    terminal.start("play", "--rules", "C", "--size", "6x6/10", "--seed", 7, "--ascii")
    terminal.wait_for("6x6/10 square, rule C  mines left 10", "[.]", "row 0, column 0: covered")
    keys = (("Down", "row 1, column 0: "), ("s", "safe cell"), ("o", "Safe: "), ("a", "Opened "))
    for key, seen in keys:
        terminal.press(key)
        terminal.wait_for(seen)
    terminal.press("q")
    terminal.wait_for("rules C, square, --seed 7: ", "code 0.")
    file = tmp_path / "game.json"
    words = ("game", "new", file, "--geometry", "hexagonal", "--size", "5x4/4", "--seed", 1)
    assert call(*words).code == 0
    terminal.start("play", file, again=True)
    terminal.wait_for("5x4/4 hexagonal, rule V  mines left 4")
    terminal.press("C-c")
    terminal.wait_for("code 130.")
    assert "--size is for a new game" in refused(2, "play", file, "--size", "5x5/3").err
    assert "--record is for squares" in refused(2, "play", file, "--record", file).err
    assert "unknown rule 'ZZ'" in refused(2, "play", "--rules", "ZZ").err


@pytest.mark.parametrize(("signal", "code"), [("C-c", 130), ("INT", 130), ("TERM", 143)])
def test_ctrl_c_and_signals_give_the_terminal_back(terminal, signal, code):
    terminal.start("play", "--size", "5x5/5")
    terminal.wait_for("row 0, column 0: covered", "0>[")
    if signal == "C-c":
        terminal.press(signal)
    else:
        subprocess.run(["kill", f"-{signal}", str(terminal.pid())], check=True)
    screen = terminal.wait_for(f"code {code}.")
    assert not any(text in screen for text in ("row 0", "Traceback"))
    assert ("interrupted" in screen) == (code == 130)


def test_a_saved_game_goes_on(terminal, tmp_path):
    file = tmp_path / "game.txt"
    assert call("game", "new", file, "--seed", "1", "--first-click", "opening").code == 0
    before = file.read_bytes()
    terminal.start("play", file, "--ascii")
    screen = terminal.wait_for("8x8/10", "row 0, column 0: open, 0", "0>[ ]", "7  . . . . . . . .")
    lines = screen.splitlines()
    (top,) = [number for number, line in enumerate(lines) if "0>[" in line]
    shown = [line[lines[top].index("0>[") + 2 :].rstrip() for line in lines[top : top + 8]]
    rows = before.decode().splitlines()[1:9]
    places = [[line[2 * c + 1 : 2 * c + 2] or " " for c in range(8)] for line in shown]
    assert ["".join(row) for row in places] == rows
    terminal.press("q")
    terminal.wait_for("8x8/10, first click: none: in play", "code 0.")
    assert file.read_bytes() == before


def test_a_game_is_proved_while_it_is_played(terminal, tmp_path):
    file = tmp_path / "game.lidrup"
    words = ["play", "--size", "9x9/10", "--seed", 3, "--first-click", "opening", "--proof", file]
    terminal.start(*words)
    terminal.wait_for("row 0, column 0: covered")
    terminal.press("Enter")
    terminal.wait_for("row 0, column 0: open, 0")
    assert call("check", file, "--no-external").code == 0
    terminal.press("q")
    terminal.wait_for("code 0.")
    assert call("check", file, "--no-external").code == 0


def test_a_game_is_recorded_and_goes_on_from_its_record(terminal, tmp_path):
    file = tmp_path / "game.jsonl"
    first = ["play", "--size", "9x9/10", "--seed", 3, "--first-click", "opening"]
    terminal.start(*first, "--record", file)
    terminal.wait_for("row 0, column 0: covered", "0>[")
    terminal.press("Enter", "G", "End", "f")
    terminal.wait_for("row 8, column 8: covered, flagged")
    # However it ends, the game is kept.
    terminal.press("C-c")
    terminal.wait_for("code 130.")
    game = read_game(file.read_bytes(), "game.jsonl")
    assert [move.action for move in game.moves] == ["open", "flag"]
    terminal.start("play", file, again=True)
    terminal.wait_for("9x9/10  mines left 9", "0>[")
    terminal.press("u")
    terminal.wait_for("9x9/10  mines left 10")
    terminal.press("u")
    terminal.wait_for("81 covered")
    terminal.press("q")
    terminal.wait_for("9x9/10, first click: opening, --seed 3, game 0: in play", "code 0.")


# ``satsweeper render``: the files it writes, what it refuses, and what it needs


@pytest.fixture
def record(tmp_path):
    game = Game("9x9/10", "opening", seed=7)
    game.open((4, 4))
    game.flag((8, 8))
    file = tmp_path / "game.jsonl"
    file.write_bytes(write_game(game))
    return file


@pytest.mark.parametrize("options", [[], ["--odds"], ["--plain"], ["--explain", "1,3"]])
@pytest.mark.parametrize("ending", ["svg", "html", "png"])
def test_a_board_is_drawn_and_twice_the_same(tmp_path, options, ending):
    files = [tmp_path / f"{name}.{ending}" for name in "ab"]
    for file in files:
        assert call("render", EXAMPLES / "lp_5x5.txt", *options, "-o", file) == (0, "", "", "")
    assert files[0].read_bytes() == files[1].read_bytes()
    assert ending != "svg" or ElementTree.parse(files[0]).getroot().tag.endswith("svg")


@pytest.mark.parametrize("ending", ["svg", "html", "png", "gif", "webp"])
def test_a_record_is_shown_move_by_move(record, tmp_path, ending):
    file = tmp_path / f"game.{ending}"
    assert call("render", record, "-o", file) == (0, "", "", "")
    assert file.stat().st_size > 1000
    if ending == "html":
        assert "is safe by convention" in file.read_text()


@pytest.mark.parametrize("ending", ["svg", "html", "png"])
def test_standard_output_has_the_bytes_of_the_file(child, tmp_path, ending):
    board = EXAMPLES / "lp_5x5.txt"
    same, named, bare = (tmp_path / name for name in (f"a.{ending}", "named", "bare"))
    assert child("render", board, "-o", same).code == 0
    format = [] if ending == "svg" else ["--format", ending]
    with open(named, "wb") as stream:
        ended = child("render", board, "-o", "-", *format, stdout=stream)
    assert (ended.code, ended.err) == (0, "")
    assert child("render", board, "-o", bare, "--format", ending).code == 0
    assert named.read_bytes() == bare.read_bytes() == same.read_bytes()


def test_a_game_from_a_seed_is_one_command(tmp_path):
    files = [tmp_path / f"{name}.gif" for name in "abc"]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        assert call("render", "--play", "8x8/10", "--seed", seed, "-o", file).code == 0
    first, again, other = (file.read_bytes() for file in files)
    assert first == again != other


@pytest.mark.parametrize("options", [[], ["--odds"], ["--explain", "0,1"]])
def test_an_inconsistent_board_is_drawn_with_what_clashes(tmp_path, options):
    file = tmp_path / "clash.html"
    ended = call("render", EXAMPLES / "contradiction.txt", *options, "-o", file)
    assert ended == (20, "", "", "")
    assert "No layout exists: the clues at (0, 0), (0, 2)" in file.read_text()


def test_what_cannot_be_drawn_is_told_with_the_name_of_the_file(record, tmp_path):
    file, board = tmp_path / "a.svg", EXAMPLES / "lp_5x5.txt"
    large, empty = tmp_path / "large.txt", tmp_path / "empty.jsonl"
    large.write_text(("?" * 300 + "\n") * 300)
    empty.write_bytes(write_game(Game("5x5/3", seed=1)))
    for code, words, said in (
        (1, (board, "--explain", "0,0"), f"{board}: cell (0, 0)"),
        (1, (large,), f"{large}: 90000 cells; a picture has 40000 at the most\n"),
        (1, (empty,), f"{empty}: no cell is ever opened: there is nothing to show\n"),
        (2, (record, "--odds"), "satsweeper render: --odds is for a board, and this is a game"),
    ):
        assert refused(code, "render", *words, "-o", file).err.startswith(said)
    assert call("render", large, "-o", large).code == 2
    assert not file.exists()


@pytest.mark.parametrize("ending", ["png", "gif", "webp"])
def test_without_pillow_a_line_names_the_extra_and_the_way_out(tmp_path, monkeypatch, ending):
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    words = ("render", "--play", "8x8/10", "-o")
    ended = refused(1, *words, tmp_path / f"a.{ending}")
    assert ended.err.startswith(f".{ending} needs pillow: ")
    assert "satsweeper[render]" in ended.err
    assert call(*words, tmp_path / "a.svg").code == 0


def test_the_pictures_of_the_documents_are_those_that_their_commands_draw(tmp_path, monkeypatch):
    docs = EXAMPLES.parent / "docs"
    lines = (docs / "pictures.md").read_text().splitlines()
    pictures = {path.name: path.read_bytes() for path in (docs / "pictures").iterdir()}
    # Drawn by hand.
    del pictures["trust.svg"]
    found = {}
    monkeypatch.chdir(EXAMPLES.parent)
    for words in (line.split()[1:] for line in lines if line.startswith("satsweeper render")):
        if words[-1].startswith("docs/"):
            file = tmp_path / Path(words[-1]).name
            assert call(*words[:-1], file).code in (0, 20)
            found[file.name] = file.read_bytes()
    # The tutorial's, of boards that it writes.
    tutorial = (docs / "tutorial_board.md").read_text()
    monkeypatch.chdir(tmp_path)
    for board, name in re.findall(r"printf '(.*?)' > (\w+\.txt)", tutorial):
        Path(name).write_text(board.replace("\\n", "\n"))
    for words, name in re.findall(r"`satsweeper (render .*?) -o (\w+\.svg)`", tutorial):
        assert call(*words.split(), "--theme", "auto", "-o", name).code == 0
        found[f"corner_{name}"] = Path(name).read_bytes()
    assert found == pictures
