#!/usr/bin/env python3
"""Mutants of the product that tests of an older commit kill and today's tests do not.

Mutants are made of functions that the older tests call: a comparison, an operator, a number, a
condition or a returned value is changed, or a call is left out. Each mutant is tried with the
tests that call its function, of either side, over today's product; so cut tests in a commit that
changes nothing else. What a fixture of a module calls counts for its first test alone, so confirm
by hand that a LOST mutant lives. The exit code is 1 if a mutant lives that the older tests kill.

Examples: scripts/kill_list.py tests/notation --of satsweeper/notation --before HEAD~1
  scripts/kill_list.py tests/pbcnf/proof --of encodings/pbcnf/proof --before main --mutants 100
"""

import argparse
import ast
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
_SWAPPED: dict[type[ast.AST], str] = dict(
    pair
    for kinds, texts in (
        ((ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq), "<= < >= > != =="),
        ((ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.And, ast.Or), "- + + + + or and"),
    )
    for pair in zip(kinds, texts.split(), strict=True)
) | {ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is"}
"""Kind of operator -> the text of the operator that replaces it."""


class Mutant(NamedTuple):
    """A change of a file: ``text`` replaces the bytes ``begin`` to ``end``."""

    file: str
    line: int
    begin: int
    end: int
    text: str
    function: tuple[str, int]
    """The file and the first line of the function that is changed."""


class Traced:
    """A plugin of pytest that records the functions that each test calls, and its seconds.

    Only functions in ``folders`` are recorded.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.tests_of: dict[tuple[str, int], set[str]] = defaultdict(set)
        self.seconds: dict[str, float] = defaultdict(float)
        self._folders = tuple(map(str, folders))
        self._test = ""

    def _called(self, frame: Any, _event: str, _argument: object) -> None:
        code = frame.f_code
        if code.co_filename.startswith(self._folders):
            self.tests_of[code.co_filename, code.co_firstlineno].add(self._test)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record the calls of the test ``item``."""
        self._test = item.nodeid
        sys.settrace(self._called)
        threading.settrace(self._called)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the seconds of a phase to the seconds of its test."""
        self.seconds[report.nodeid] += report.duration


class Chosen:
    """A plugin of pytest that runs only the tests of ``seconds``, the quickest first."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep and sort the chosen tests."""
        kept = [item for item in items if item.nodeid in self._seconds]
        items[:] = sorted(kept, key=lambda item: self._seconds[item.nodeid])


class Side:
    """A copy of the product with the tests of a commit, and the functions that each test calls."""

    def __init__(self, folder: Path, tests: Sequence[str], products: Sequence[str]) -> None:
        self._folder = folder
        self._age = 0
        traced = Traced([folder / product for product in products])
        if not self._run([*tests], traced, 3600):
            output = (folder / "output.txt").read_text(errors="replace")
            raise SystemExit(f"red without a mutant:\n{output[-3000:]}")
        found = pickle.loads((folder / "traced.pickle").read_bytes())
        self.tests_of: dict[tuple[str, int], set[str]] = found[0]
        self.seconds: dict[str, float] = found[1]

    def kills(self, mutant: Mutant) -> bool:
        """Return whether a test that calls the mutant's function fails or exceeds its limit."""
        file, line = mutant.function
        tests = self.tests_of.get((str(self._folder / file), line), set())
        seconds = {test: self.seconds[test] for test in tests if test}
        if not seconds:
            return False
        path = self._folder / mutant.file
        source = path.read_bytes()
        path.write_bytes(source[: mutant.begin] + mutant.text.encode() + source[mutant.end :])
        # Python recognises a stale compiled file by the time of its source in whole seconds, so
        # each mutant gets another time.
        self._age += 10
        os.utime(path, (10**9 + self._age,) * 2)
        try:
            files = sorted({test.split("::")[0] for test in seconds})
            limit = 60 + 5 * int(sum(seconds.values()))
            return not self._run(["-x", *files], Chosen(seconds), limit)
        finally:
            path.write_bytes(source)

    def _run(self, arguments: list[str], plugin: Traced | Chosen, limit: int) -> bool:
        """Return whether all tests pass in a child process within ``limit`` seconds."""
        if (child := os.fork()) == 0:
            code = 1
            try:
                code = self._child(arguments, plugin, limit)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        return status == 0

    def _child(self, arguments: list[str], plugin: Traced | Chosen, limit: int) -> int:
        output = os.open(self._folder / "output.txt", os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.setpgid(0, 0)
        signal.alarm(limit)
        os.chdir(self._folder)
        sys.path[:0] = [str(self._folder / "encodings"), str(self._folder)]
        os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
        always = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow"]
        code = pytest.main([*always, *arguments], plugins=[plugin])
        if isinstance(plugin, Traced):
            found = (dict(plugin.tests_of), dict(plugin.seconds))
            (self._folder / "traced.pickle").write_bytes(pickle.dumps(found))
        sys.stdout.flush()
        return 0 if code in (0, 5) else 1


def mutants_of(path: Path, name: str) -> Iterator[Mutant]:
    """Yield the mutants of the functions in the file ``path``, which messages call ``name``."""
    source = path.read_bytes()
    starts = [0]
    for text in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(text))

    def span(part: Any) -> tuple[int, int]:
        begin, end = starts[part.lineno - 1], starts[part.end_lineno - 1]
        return begin + part.col_offset, end + part.end_col_offset

    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        first = min([function.lineno, *(mark.lineno for mark in function.decorator_list)])
        for node in (inner for statement in function.body for inner in ast.walk(statement)):
            if (change := _change(node, source, span)) is not None:
                yield Mutant(name, node.lineno, *change, (name, first))  # type: ignore[attr-defined]


def _change(
    node: ast.AST, source: bytes, span: Callable[[Any], tuple[int, int]]
) -> tuple[int, int, str] | None:
    """Return begin, end and new text of the change of ``node``; None if the node is not changed.

    ``span`` returns the offsets of the first byte of a node and of the byte after it.
    """
    match node:
        case (
            ast.Compare(left=left, ops=[operator], comparators=[right])
            | ast.BinOp(left=left, op=operator, right=right)
            | ast.BoolOp(op=operator, values=[left, right, *_])
        ):
            begin, end = span(left)[1], span(right)[0]
        case ast.Constant(value=bool() as value):
            return (*span(node), str(not value))
        case ast.Constant(value=int() as value):
            return (*span(node), str(value + 1))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return (span(node)[0], span(operand)[0], "")
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            begin, end = span(test)
            return begin, end, f"(not ({source[begin:end].decode()}))"
        case ast.Return(value=ast.expr() as value):
            return (*span(value), "None")
        case ast.Expr(value=ast.Call()):
            return (*span(node), "pass")
        case _:
            return None
    swapped = _SWAPPED.get(type(operator))
    # The text between the operands is not replaced if it holds more than the operator: a bracket,
    # a comment or the end of a line.
    text = source[begin:end].decode()
    if swapped is None or any(sign in text for sign in "()\n#"):
        return None
    return begin, end, f" {swapped} "


def _copy(folder: Path, commit: str | None) -> None:
    """Copy the files of the checkout to ``folder``, with the tests of ``commit``.

    ``commit`` None copies the tests of the checkout as well.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    copied = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, copied.split("\0")):
        if (ROOT / name).is_file() and not (commit and name.startswith("tests/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    if commit is not None:
        command = ["git", "archive", commit, "tests"]
        made = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        if made.returncode:
            raise SystemExit(made.stderr.decode(errors="replace").strip())
        subprocess.run(["tar", "x"], cwd=folder, input=made.stdout, check=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print for each mutant whether the older and today's tests kill it; return the exit code."""
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    add = parser.add_argument
    add("tests", nargs="+", help="folders or files of tests")
    add("--of", nargs="+", required=True, help="folders or files of the product")
    add("--before", required=True, help="the commit of the older tests")
    add("--mutants", type=int, default=60, help="how many are drawn (60)")
    add("--seed", type=int, default=0, help="of the draw (0)")
    options = parser.parse_args(arguments)
    for library in ("numpy", "pysat.solvers"):
        __import__(library)
    os.environ.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory() as temporary:
        # Both sides are copied before the tests of the first run, as the checkout may change.
        copies = [Path(temporary).resolve() / name for name in ("before", "after")]
        _copy(copies[0], options.before)
        _copy(copies[1], None)
        sides: list[Side] = []
        for folder in copies:
            tests = [test for test in options.tests if (folder / test).exists()]
            if not tests:
                parser.error(f"there are no {' '.join(options.tests)} {folder.name}")
            sides.append(Side(folder, tests, options.of))
            seconds = sides[-1].seconds
            print(f"{folder.name}: {len(seconds)} tests, {sum(seconds.values()):.0f} s")
        before, after = sides
        called = {(str(Path(file).relative_to(copies[0])), line) for file, line in before.tests_of}
        made_of = sorted(
            mutant
            for file in sorted({file for file, _ in called})
            for mutant in mutants_of(copies[0] / file, file)
            if mutant.function in called
        )
        if not made_of:
            parser.error(f"these tests call no function of {' '.join(options.of)}")
        drawn = random.Random(options.seed).sample(made_of, min(options.mutants, len(made_of)))
        killed = lost = 0
        for number, mutant in enumerate(sorted(drawn), 1):
            outcome = "lives"
            if before.kills(mutant):
                killed += 1
                outcome = "killed" if after.kills(mutant) else "LOST"
                lost += outcome == "LOST"
            source = (copies[0] / mutant.file).read_bytes()[mutant.begin : mutant.end].decode()
            change = f"{source.strip()} -> {mutant.text.strip()}"
            print(f"{number:3} {mutant.file}:{mutant.line}: {change}: {outcome}", flush=True)
        print(f"{killed} of {len(drawn)} mutants killed before, {killed - lost} of these after")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
