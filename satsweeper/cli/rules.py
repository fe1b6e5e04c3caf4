"""The rules of boards, one a line: letters, name, what it says, and what it is about; geometries.

With LETTERS one rule, and what its code says of it. `rules: C W` stands before the rows of a board
file, or --rules "C W" on the command line; MODULE:NAME is a rule of your own, in the current folder
or on Python's module path. --json prints {"schema": "satsweeper/rules/1", "rules": [{"letters",
"name", "kind", "summary"}], "geometries": [{"name", "summary"}]}.
"""

import argparse
from typing import TYPE_CHECKING, Any, Final

from satsweeper.cli.exit_codes import DONE, usage_errors
from satsweeper.cli.files import print_json
from satsweeper.cli.options import JSON, option, timeout
from satsweeper.processes.standard_output import print_answer

if TYPE_CHECKING:
    from satsweeper.puzzle.rules.describe import Description
    from satsweeper.report.table import Table

EXAMPLE = """examples:
  satsweeper rules
  satsweeper rules C
"""

OPTIONS: Final = (
    option("letters LETTERS", "a rule, as C or W, or MODULE:NAME", nargs="?"),
    timeout("stop then, with nothing printed (exit code 124)"),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """List the rules and geometries, or describe one rule."""
    from satsweeper.puzzle.rules.describe import described, geometries, known

    if arguments.letters is None:
        rules, shapes = known(), geometries()
    else:
        with usage_errors():
            rules, shapes = [described(arguments.letters)], []
    if arguments.json:
        listed = [each.as_json() for each in rules]
        answer: dict[str, Any] = {"schema": "satsweeper/rules/1", "rules": listed}
        if arguments.letters is None:
            answer["geometries"] = [{"name": name, "summary": said} for name, said in shapes]
        print_json(answer)
    elif arguments.letters is not None:
        rule = rules[0]
        said = f"{rule.letters} ({rule.name}), a rule of {rule.kind}: {rule.summary}"
        print_answer(f"{said}\n\n{rule.text}" if rule.text else said)
    else:
        from satsweeper.show.table import show_table
        from satsweeper.show.terminal import console_for

        for table in _tables(rules, shapes):
            show_table(console_for(), table)
    return DONE


def _tables(rules: "list[Description]", shapes: list[tuple[str, str]]) -> "list[Table]":
    from satsweeper.report.table import Table

    found = []
    for kind, caption in (
        ("layouts", "Rules of layouts: every layout of mines meets them"),
        ("clues", "Rules of clues: what the number in an opened cell means"),
    ):
        rows = [(each.letters, each.name, each.summary) for each in rules if each.kind == kind]
        found.append(Table(caption, ("rule", "name", "what it says"), tuple(rows)))
    caption = "Geometries: which cells are neighbours"
    found.append(Table(caption, ("name", "cells"), tuple(shapes)))
    return found
