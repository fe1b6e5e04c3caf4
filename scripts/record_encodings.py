#!/usr/bin/env python3
"""Puts the clauses of every encoder on record: encodings/pbcnf/audit/recorded.json.

The audit compares every encoding of at most six inputs with it, so that a change which breaks no
claim shows as well. Run this after a change that is meant; --check only tells.

Example: scripts/record_encodings.py --check
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from pbcnf import ENCODERS
from pbcnf.audit.bounds import Bound
from pbcnf.audit.recorded import digest, recordable, to_json
from pbcnf.emission.template import template

FILE = Path(__file__).resolve().parents[1] / "encodings" / "pbcnf" / "audit" / "recorded.json"


def digests(name: str) -> dict[Bound, str]:
    """The digest of what the encoder emits for every bound that it expresses."""
    found = {}
    for bound in recordable():
        try:
            found[bound] = digest(template(name, bound.n, bound.lower, bound.upper).clauses)
        except ValueError:
            continue
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Write the record, or only check it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if it is stale")
    arguments = parser.parse_args(argv)
    new = to_json({name: digests(name) for name in ENCODERS})
    if not arguments.check:
        FILE.write_text(new, "ascii")
        return 0
    if not FILE.exists() or FILE.read_text("ascii") != new:
        print(f"{FILE.name} is stale: run python scripts/record_encodings.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
