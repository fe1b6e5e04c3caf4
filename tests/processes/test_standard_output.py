"""Answers have a stream of their own, and nothing of ours prints anywhere else."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pbcnf
import satsweeper
from satsweeper.processes import standard_output
from satsweeper.processes.standard_output import answer_stream, print_answer

PATHS = [str(Path(package.__path__[0]).parent) for package in (pbcnf, satsweeper)]
PLAIN = {"PYTHONPATH": os.pathsep.join(PATHS), "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
"""Variables with which not every character can be printed."""
RESERVED = """
import os, subprocess, sys
from satsweeper.processes.standard_output import print_answer, flush_stdout, reserve_stdout
reserve_stdout()
print_answer("first")
print("by Python")
os.write(1, b"by its descriptor\\n")
sys.stderr.write("an error\\n")
subprocess.run([sys.executable, "-c", "print('by a child')"], check=True)
if not os.fork():
    print("by a fork \\N{SNOWMAN}")
    os._exit(0)
os.wait()
sys.stdout.write("unfinished")
print_answer("second", "third")
flush_stdout()
"""


@pytest.mark.parametrize("unbuffered", [False, True])
def test_only_answers_reach_standard_output_and_the_rest_keeps_its_order(unbuffered):
    options = ["-u"] if unbuffered else []
    command = [sys.executable, "-X", "utf8=0", *options, "-c", RESERVED]
    ended = subprocess.run(command, capture_output=True, check=True, env=os.environ | PLAIN)
    assert ended.stdout == b"first\nsecond\nthird\n"
    said = ["by Python", "by its descriptor", "an error", "by a child", "by a fork \\u2603"]
    assert ended.stderr.decode("ascii").splitlines() == [*said, "unfinished"]


def test_where_nothing_is_reserved_answers_go_where_python_prints(capsys):
    print_answer("one", 2)
    assert answer_stream() is sys.stdout
    assert capsys.readouterr().out == "one\n2\n"


def printing(source: str) -> list[str]:
    """Calls and names in a module that write to ``sys.stdout``, as they stand in its source."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            said = {keyword.arg for keyword in node.keywords}
            bare = isinstance(node.func, ast.Name) and name == "print" and "file" not in said
            if bare or (name == "Console" and said.isdisjoint({"file", "stderr"})):
                found.append(ast.unparse(node))
        elif isinstance(node, ast.Attribute) and node.attr in ("stdout", "__stdout__"):
            found += [ast.unparse(node)] if ast.unparse(node.value) == "sys" else []
        elif isinstance(node, ast.ImportFrom) and node.module == "sys":
            found += [alias.name for alias in node.names if "stdout" in alias.name]
    return found


def test_the_reader_of_what_is_printed_sees_every_way_to_standard_output():
    ways = ["print(1)", "Console()", "rich.console.Console(width=3)"]
    ways += ["sys.stdout", "sys.__stdout__"]
    assert [printing(way) for way in ways] == [[way] for way in ways]
    assert printing("from sys import stdout as out") == ["stdout"]
    others = ["print(1, file=f)", "console.print(1)", "Console(file=f)", "Console(stderr=True)"]
    others += ["child.stdout", "'''>>> print(1)'''"]
    assert [printing(other) for other in others] == [[]] * len(others)


def test_one_module_knows_where_answers_are_printed():
    package = Path(satsweeper.__path__[0])
    assert {
        str(path.relative_to(package)): ways
        for path in package.rglob("*.py")
        if path != Path(standard_output.__file__) and (ways := printing(path.read_text("utf-8")))
    } == {}
