"""Random mutations of certificates and proofs: each is rejected, or what is accepted is true.

Certificates of random small boards, problems, games and statements are made, and all readers of
their kind must accept them as written. Then they are changed: a byte, a line, a word, a value of
JSON, a file emptied, cut off or of another certificate, a clause or a claim in all files that must
agree with it, hashes made to fit. What is accepted is judged by trying every layout or assignment.

kinds, in scripts/forgeries, and their readers: verdicts and odds (`check`, and the small checker
`satsweeper-check`), rules and games (`check`), encodings and answers (the first follower of steps,
the second alone, the small checker), statements (both readers of file and proof, each alone).
Where readers differ, that is printed, with the readers that accept; a second follower, or the small
checker, may know fewer or other forms of a step, but none may accept what is false.

Exit codes: 0 no false claim was accepted, and no certificate refused as written; 1 otherwise, or a
reader failed otherwise than by refusing; 130 interrupted. The same seed makes the same mutations.
"""

import random
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from rich.console import Console
from rich.table import Table

from satsweeper.show.progress import progress
from scripts.forgeries.forgery import Files
from scripts.frame.arguments import INTERRUPTED, names_of, parser_of, positive

KINDS: Final = ("verdicts", "rules", "odds", "games", "encodings", "answers", "statements")
AS_WRITTEN: Final = "as written"
COLUMNS: Final = ("rejected", "harmless", "readers differ", "FALSE", "FAILED")


def written(folder: Path, files: Files) -> Path:
    """Write the files of a certificate into ``folder``, which has nothing else then."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def main(argv: Sequence[str] | None = None) -> int:
    """Change certificates as often as the arguments say, and print a table of outcomes."""
    parser = parser_of(__doc__)
    add = parser.add_argument
    about = f"of {', '.join(KINDS)} (default: all)"
    add("--kind", type=names_of(KINDS), default=[*KINDS], metavar="K,...", help=about)
    add("--count", type=positive, default=1000, metavar="N", help="mutations (%(default)s)")
    also = ("--boards", "--games", "--problems")
    about = "certificates of each kind that are changed (%(default)s)"
    add("--originals", *also, type=positive, default=40, metavar="N", help=about)
    add("--seed", type=int, default=0, help="of certificates and mutations (%(default)s)")
    arguments = parser.parse_args(argv)
    found: Counter[tuple[str, str, str]] = Counter()
    complaints: list[str] = []

    def tell(kind: str, change: str, outcome: str, why: str) -> None:
        if change == AS_WRITTEN and outcome != "harmless":
            outcome, why = "FAILED", f"{outcome}: {why}"
        found[kind, change, outcome] += 1
        if outcome not in ("rejected", "harmless"):
            complaints.append(f"{kind} {found.total() - 1}, {change}: {outcome}: {why}")

    kinds_asked: list[str] = arguments.kind
    try:
        with TemporaryDirectory() as name, progress("mutations", arguments.count) as reach:
            for at, kind in enumerate(kinds_asked):
                forger, rng = (
                    import_module(f"scripts.forgeries.{kind}"),
                    random.Random(arguments.seed),
                )
                originals: list[Files] = forger.make(rng, arguments.originals)
                for each in {id(each): each for each in originals}.values():
                    tell(kind, AS_WRITTEN, *forger.judge(written(Path(name, "c"), each)))
                done, end = (arguments.count * n // len(kinds_asked) for n in (at, at + 1))
                for number in range(done, end):
                    files = target = rng.choice(originals)
                    while files == target:
                        change, files = forger.changed(target, originals, rng)
                    tell(kind, change, *forger.judge(written(Path(name, "c"), files)))
                    reach(number + 1)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    _print(found, complaints, len(kinds_asked) > 1)
    return 1 if any(outcome in ("FALSE", "FAILED") for _, _, outcome in found) else 0


def _print(found: Counter[tuple[str, str, str]], complaints: list[str], by_kind: bool) -> None:
    """Print a table with a line for each kind, or for each change of one kind; then complaints."""
    rows: dict[str, Counter[str]] = {}
    for (kind, change, outcome), number in sorted(found.items()):
        column = outcome if outcome in COLUMNS else "readers differ"
        names = [f"{kind}{', as written' * (change == AS_WRITTEN)}" if by_kind else change, "all"]
        for name in names:
            rows.setdefault(name, Counter())[column] += number
    whole = rows.pop("all")
    table = Table(title=f"{found.total()} certificates", show_footer=True)
    table.add_column("kind" if by_kind else "what was changed", footer="all")
    for column in COLUMNS:
        table.add_column(column, justify="right", footer=str(whole[column]))
    for name, row in rows.items():
        table.add_row(name, *(str(row[column]) for column in COLUMNS))
    console = Console()
    console.print(table)
    for complaint in complaints:
        console.print(complaint, markup=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
