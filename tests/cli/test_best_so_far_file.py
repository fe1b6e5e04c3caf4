"""The newest of what is found, in a file: whole, up to date at the end, not written too often."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

from satsweeper.cli.competition_output import BestSoFarFile


def test_of_many_that_come_quickly_few_are_written_and_the_last_always(tmp_path: Path) -> None:
    path, written, go = tmp_path / "best", [], Event()

    def lines(number: int) -> Iterator[str]:
        written.append(number)
        assert go.wait(60)
        yield f"o {number}"

    with BestSoFarFile(str(path)) as kept:
        for number in range(1_000):
            kept.put(lambda number=number: lines(number))  # type: ignore[misc]
        go.set()
    assert path.read_text() == "o 999\n"
    # One at once, and one in the pause after it at the most.
    assert written[-1] == 999
    assert len(written) <= 3


def test_without_a_name_nothing_is_made_up_at_all() -> None:
    with BestSoFarFile(None) as kept:
        kept.put(lambda: 1 / 0)  # type: ignore[return-value]
    assert kept.error is None


def test_a_file_that_cannot_be_written_is_told_at_the_end(tmp_path: Path) -> None:
    with BestSoFarFile(str(tmp_path / "none" / "best")) as kept:
        kept.put(lambda: ["o 1"])
    assert "No such file or directory" in str(kept.error)
