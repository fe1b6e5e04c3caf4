"""Print the lowest version of each package that pyproject.toml allows, as constraints for pip.

Of every "name>=version" there, extras and what builds the project included, "name==version" is
printed; what these packages need in turn stays free.

Example: python scripts/lowest_versions.py > lowest.txt
"""

import argparse
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_BOUND = re.compile(r"([\w.-]+)(?:\[[\w,-]+\])?>=([\w.]+)")
"""A requirement with a lower bound and nothing else: its name and the bound."""


def lowest_versions(project_file: dict[str, Any]) -> list[str]:
    """Return a line ``name==version`` for each requirement in a parsed pyproject.toml.

    Raises:
        ValueError: a requirement is not ``name>=version``.
    """
    project, bounds = project_file["project"], set()
    extras: dict[str, list[str]] = project["optional-dependencies"]
    requirements = [*project_file["build-system"]["requires"], *project["dependencies"]]
    for requirement in [*requirements, *(r for extra in extras.values() for r in extra)]:
        # An extra that consists of other extras requires the project itself: no package.
        if requirement.startswith(f"{project['name']}["):
            continue
        found = _BOUND.fullmatch(requirement)
        if found is None:
            raise ValueError(f"pyproject.toml: {requirement!r} is not NAME>=VERSION")
        bounds.add(found.groups())
    return [f"{name}=={version}" for name, version in sorted(bounds)]


def main() -> None:
    """Print the lowest versions."""
    as_written = argparse.RawDescriptionHelpFormatter
    argparse.ArgumentParser(description=__doc__, formatter_class=as_written).parse_args()
    print(*lowest_versions(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))), sep="\n")


if __name__ == "__main__":
    main()
