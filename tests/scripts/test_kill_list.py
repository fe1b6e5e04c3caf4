"""Mutants of a function: each is another program, and the number of each kind is known."""

import ast
from pathlib import Path

from scripts.kill_list import mutants_of

SOURCE = '''
LIMIT = 3


def least(numbers: list[int], default: int = 0) -> int:
    """Return the least number."""
    if not numbers or len(numbers) > LIMIT:
        print("none")
        return default + 1
    return min(numbers)
'''
TEXTS = [
    *("(not (not numbers or len(numbers) > LIMIT))", " and ", "", " >= "),
    *("pass", "None", " - ", "2", "None"),
]


def test_a_mutant_changes_one_place_of_a_function_and_can_be_parsed(tmp_path: Path) -> None:
    path = tmp_path / "least.py"
    path.write_text(SOURCE)
    mutants = list(mutants_of(path, "least.py"))
    assert sorted(m.text for m in mutants) == sorted(TEXTS)
    source = path.read_bytes()
    changed = {source[: m.begin] + m.text.encode() + source[m.end :] for m in mutants}
    assert len(changed) == len(mutants)
    assert ast.unparse(ast.parse(source)) not in {ast.unparse(ast.parse(text)) for text in changed}
    assert {m.function for m in mutants} == {("least.py", 5)}
