"""The families of boards and problems whose answer is known by an argument.

Of each: what its size counts and which there are, whether the seed draws anything, the answer and
why, what always suffices to refute it or to prove its certain cells, and how it grows: n is the
size. family writes a member.

--json prints {"schema": "satsweeper/families/1", "families": [{"name", "of" (board or problem),
"status", "satisfiable", "why", "decided_by": [NAME], "grows", "size": {"counts", "least", "most",
"step", "small": [N]}, "seeded"}]}.
"""

import argparse
from typing import Final

from satsweeper.cli.exit_codes import DONE
from satsweeper.cli.files import print_json

EXAMPLE: Final = """\
examples:
  satsweeper families
  satsweeper families --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How to print them."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """List them."""
    from satsweeper.families.table import FAMILIES

    if arguments.json:
        rows = [family.as_json() for family in FAMILIES.values()]
        print_json({"schema": "satsweeper/families/1", "families": rows})
        return DONE
    from satsweeper.show.families import families_lines

    print(*families_lines(FAMILIES.values()), sep="\n")
    return DONE
