"""A line of progress: on a terminal, after a while, and gone before anything else is printed."""

import io
import threading
from contextlib import redirect_stderr, redirect_stdout

import pytest

from satsweeper.show import progress as module
from satsweeper.show.progress import make_room, progress


class Terminal(io.StringIO):
    """Keeps what is drawn, and tells when the first of it comes."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if text.strip():
            self.drawn.set()
        return super().write(text)


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


@pytest.mark.parametrize("total", [None, 100])
def test_what_takes_long_says_what_it_is(terminal, monkeypatch, total):
    monkeypatch.setattr(module, "_SILENT", 0.0)
    with redirect_stderr(terminal), progress("counting", total) as reach:
        reach(1)
        assert terminal.drawn.wait(60)
    assert "counting" in terminal.getvalue()
    # Erased, and the cursor shown again.
    assert "\x1b[2K" in terminal.getvalue()
    assert terminal.getvalue().rfind("\x1b[?25h") > terminal.getvalue().rfind("\x1b[?25l")


def test_what_is_printed_meanwhile_goes_to_standard_output(terminal, monkeypatch):
    monkeypatch.setattr(module, "_SILENT", 0.0)
    out = io.StringIO()
    with redirect_stderr(terminal), redirect_stdout(out), progress(lambda: "best 3"):
        assert terminal.drawn.wait(60)
        make_room()
        print("o 3")
    assert out.getvalue() == "o 3\n"
    assert "o 3" not in terminal.getvalue()
    assert "best 3" in terminal.getvalue()


def test_what_is_done_soon_says_nothing(terminal, monkeypatch):
    monkeypatch.setattr(module, "_SILENT", 1000.0)
    with redirect_stderr(terminal), progress("counting", 3) as reach:
        reach(1)
    assert terminal.getvalue() == ""


def test_nothing_is_drawn_where_nobody_looks(monkeypatch):
    shown = io.StringIO()
    monkeypatch.setattr(module, "_SILENT", 0.0)
    before = threading.active_count()
    with redirect_stderr(shown), progress("counting", 3) as reach:
        reach(1)
        assert threading.active_count() == before
    assert shown.getvalue() == ""


def test_a_line_ends_with_what_it_is_about_even_if_that_fails(terminal, monkeypatch):
    monkeypatch.setattr(module, "_SILENT", 0.0)

    def fail() -> None:
        with progress("counting"):
            assert terminal.drawn.wait(60)
            raise KeyError

    with redirect_stderr(terminal), pytest.raises(KeyError):
        fail()
    assert terminal.getvalue().endswith("\x1b[2K")
