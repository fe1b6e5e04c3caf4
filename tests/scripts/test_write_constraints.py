"""One file of tested versions for every Python: its markers, its lines, what has moved."""

from pathlib import Path

import pytest
from packaging.requirements import Requirement

from scripts.write_constraints import HEAD, constraints, markers_of, moved, name_of, versions_in

FILE = Path(__file__).parents[2] / "scripts" / "constraints.txt"


@pytest.mark.parametrize(
    ("requires", "markers"),
    [
        ("", []),
        (">=3.8", []),
        (">=3.11", []),
        (">=3.9,<4.0", []),
        ("!=3.9.7,>=3.8", []),
        (">=3.11.5", ['python_full_version >= "3.11.5"']),
        ("!=3.14.1,>=3.11", ['python_full_version != "3.14.1"']),
        (">=3.11,<3.14", ['python_full_version < "3.14"']),
        (">=3.12, !=3.13.*", ['python_full_version != "3.13.*"', 'python_full_version >= "3.12"']),
    ],
)
def test_a_version_is_pinned_just_where_its_package_allows(
    requires: str, markers: list[str]
) -> None:
    assert markers_of(requires) == markers
    line = Requirement(f"x==1; {' and '.join(markers)}") if markers else Requirement("x==1")
    for python in ("3.11.0", "3.11.2", "3.11.9", "3.12.3", "3.13.0", "3.14.0", "3.14.1"):
        held = line.marker is None or line.marker.evaluate({"python_full_version": python})
        assert held == (requires == "" or by_hand(requires, python))


def by_hand(requires: str, python: str) -> bool:
    """Whether a Python is allowed, for just the clauses that stand in the cases."""
    here = tuple(map(int, python.split(".")))
    for clause in requires.replace(" ", "").split(","):
        operator = clause.rstrip("0123456789.*")
        text = clause.removeprefix(operator)
        there = tuple(map(int, text.removesuffix(".*").split(".")))
        same = here[: len(there)] == there if text.endswith("*") else here == there
        if not {">=": here >= there, "<": here < there, "!=": not same}[operator]:
            return False
    return True


def test_lines_are_sorted_and_read_again() -> None:
    text = constraints(
        {"b": "2.0.dev1", "a-c": "1!1.0+x"}, {"b": ['python_version != "3.14"'], "a-c": []}
    )
    assert text == f'{HEAD}a-c==1!1.0+x\nb==2.0.dev1; python_version != "3.14"\n'
    assert versions_in(text) == {"b": "2.0.dev1", "a-c": "1!1.0+x"}


def test_what_has_moved_come_or_gone_is_said() -> None:
    assert moved({"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"}) == [
        "b 1 -> 2",
        "c 1 -> (none)",
        "d (none) -> 1",
    ]


def test_the_file_has_a_version_of_each_package_and_names_no_place() -> None:
    text = FILE.read_text("utf-8")
    assert text.startswith(HEAD)
    lines = text.removeprefix(HEAD).splitlines()
    names = [Requirement(line).name for line in lines]
    assert names == sorted({name_of(name) for name in names})
    for line in lines:
        [pinned] = Requirement(line).specifier
        assert pinned.operator == "=="
        assert "@" not in line
