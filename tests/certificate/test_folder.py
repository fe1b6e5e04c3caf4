"""A certificate's folder is there whole, the old one or the new one, whatever happens."""

import json
import os
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from satsweeper.certificate import folder as folders
from satsweeper.certificate.certify import Certificate, certify
from satsweeper.certificate.folder import FolderTakenError, write_folder
from satsweeper.checker.check import check
from satsweeper.position import Position
from tests.commands import python


@pytest.fixture(scope="module")
def old() -> Certificate:
    return certify(Position.parse("1?\n"))


@pytest.fixture(scope="module")
def new() -> Certificate:
    return certify(Position.parse("1 3 1\n1??\n"), cells=[(0, 2)])


def write(folder: Path, certificate: Certificate) -> dict[str, Any]:
    return write_folder(folder, certificate.files, certificate.about)


def board(folder: Path) -> str:
    assert check(folder, external=False).status == "consistent"
    return (folder / "board.txt").read_text()


def test_the_manifest_is_what_is_in_the_folder(tmp_path: Path, new: Certificate) -> None:
    folder = tmp_path / "here"
    manifest = write(folder, new)
    assert json.loads((folder / "manifest.json").read_bytes()) == manifest
    assert set(manifest["files"]) == set(new.files)
    for name, content in new.files.items():
        assert (folder / name).read_bytes() == content
    assert os.listdir(tmp_path) == ["here"]


@pytest.mark.parametrize("with_step", [True, False], ids=["in one step", "in two steps"])
def test_an_older_certificate_is_replaced_wholly(tmp_path, old, new, with_step) -> None:
    folder = tmp_path / "here"
    for first, second in ((old, new), (new, old)):
        write(folder, first)
        with nullcontext() if with_step else patch("ctypes.CDLL", side_effect=OSError):
            write(folder, second)
        assert board(folder) == second.files["board.txt"].decode()
        assert os.listdir(tmp_path) == ["here"]


def test_an_empty_folder_is_filled(tmp_path: Path, new: Certificate) -> None:
    write(tmp_path / "here", new)
    (tmp_path / "empty").mkdir()
    write(tmp_path / "empty", new)
    assert board(tmp_path / "empty") == board(tmp_path / "here")


def test_what_is_no_certificate_is_left_alone(tmp_path: Path, new: Certificate) -> None:
    (tmp_path / "file").write_text("mine\n")
    for folder, name, text in (
        ("full", "thesis.txt", "mine\n"), ("deep", "manifest.json", "[" * 200_000),
        ("other", "manifest.json", '{"schema": "something/1"}'),
    ):  # fmt: skip
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text)
    (tmp_path / "link").symlink_to(tmp_path / "full")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    before = sorted(str(path) for path in tmp_path.rglob("*"))
    for name in ("file", "full", "other", "deep", "link", "dangling"):
        with pytest.raises(FolderTakenError, match=name):
            write(tmp_path / name, new)
    assert sorted(str(path) for path in tmp_path.rglob("*")) == before
    assert (tmp_path / "full" / "thesis.txt").read_text() == "mine\n"


@pytest.mark.parametrize("failing", ["fsync", "mkdir", "_exchange"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_certificate_and_nothing_else(tmp_path, old, new, failing, error):
    folder = tmp_path / "here"
    write(folder, old)
    target: Any = {
        "fsync": patch.object(os, "fsync", side_effect=[None, None, error]),
        "mkdir": patch.object(Path, "mkdir", side_effect=[None, error]),
        "_exchange": patch.object(folders, "_exchange", side_effect=error),
    }[failing]
    with target, pytest.raises(type(error)):
        write(folder, new)
    assert board(folder) == old.files["board.txt"].decode()
    assert os.listdir(tmp_path) == ["here"]


def test_a_failure_between_two_steps_puts_the_old_certificate_back(tmp_path, old, new) -> None:
    folder = tmp_path / "here"
    write(folder, old)
    rename = Path.rename
    calls = []

    def second_fails(self: Path, target: Path) -> Path:
        calls.append(target)
        if len(calls) == 2:
            raise OSError(5, "Input/output error")
        return rename(self, target)

    with (
        patch("ctypes.CDLL", side_effect=OSError),
        patch.object(Path, "rename", second_fails),
        pytest.raises(OSError, match="Input/output error"),
    ):
        write(folder, new)
    assert board(folder) == old.files["board.txt"].decode()
    assert os.listdir(tmp_path) == ["here"]


KILLED = """
import os, sys
from pathlib import Path
from satsweeper.certificate.certify import certify
from satsweeper.certificate.folder import write_folder
from satsweeper.position import Position

made = certify(Position.parse("1 3 1\\n1??\\n"))
ends_at, calls, sync = int(sys.argv[2]), 0, os.fsync


def stop(*arguments):
    global calls
    calls += 1
    if calls == ends_at:
        os.kill(os.getpid(), 9)
    return sync(*arguments)


os.fsync = stop
if ends_at == 99:  # When it clears away the old one, behind the exchange.
    import shutil
    shutil.rmtree = lambda *arguments, **options: os.kill(os.getpid(), 9)
write_folder(Path(sys.argv[1]), made.files, made.about)
"""


@pytest.mark.parametrize(("at", "replaced"), [(1, False), (5, False), (99, True)])
def test_a_writer_that_is_killed_leaves_the_old_certificate_or_the_new(tmp_path, old, at, replaced):
    folder = tmp_path / "here"
    write(folder, old)
    assert python("-c", KILLED, folder, at).returncode == -9
    assert board(folder) == ("1 3 1\n1??\n" if replaced else old.files["board.txt"].decode())
    # The other one may stay beside it, under a name that says whose it is.
    assert all(name.startswith((".satsweeper-", "here")) for name in os.listdir(tmp_path))
