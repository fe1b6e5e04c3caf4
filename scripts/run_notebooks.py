"""Run the notebooks of examples/, and write what they show into them.

Each runs in a kernel of its own and in an empty folder, on the packages of this checkout. With
--check nothing is written: exit code 1 if a cell fails, or shows something else than the notebook
has. Cells with the tag "varies" show times: they are run, and not compared.

Needs nbclient and ipykernel, which the extra dev brings. Exit code 2 for wrong usage.
"""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf.formats.writing import replacing
from pbcnf.wording import install_hint

ROOT: Final = Path(__file__).resolve().parents[1]
NOTEBOOKS: Final = ROOT / "examples"
PROFILE: Final = ".profile"
VARIES: Final = "varies"
SECONDS: Final = 120
"""Time limit of a cell in seconds."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the notebooks, and return the exit code."""
    known = {path.stem: path for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    parser = argparse.ArgumentParser(prog="run_notebooks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)} (all)")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    arguments = parser.parse_args(argv)
    for name in arguments.names:
        if name not in known:
            parser.exit(2, f"run_notebooks: {name}: there is {', '.join(known)}\n")
    wrong = []
    for name in arguments.names or known:
        try:
            wrong += run(known[name], check=arguments.check)
        except ImportError as error:
            hint = install_hint("nbclient ipykernel").replace("'", "")
            parser.exit(2, f"run_notebooks: {error.name} is missing: {hint}\n")
    for line in wrong:
        print(f"run_notebooks: {line}", file=sys.stderr)
    return 1 if wrong else 0


def run(path: Path, *, check: bool) -> list[str]:
    """Run a notebook; return its faults, a line each."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    nbformat: Any = import_module("nbformat")
    stored = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        # The kernel imports the packages of this checkout, and has an empty profile.
        os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "encodings"), str(ROOT)])
        for name in ("IPYTHON", "JUPYTER_RUNTIME_", "JUPYTER_CONFIG_", "JUPYTER_DATA_"):
            os.environ[f"{name}DIR"] = os.path.join(folder, PROFILE)
        os.environ["JUPYTER_PLATFORM_DIRS"] = "1"
        os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
        options: dict[str, Any] = {"kernel_name": "python3", "timeout": SECONDS}
        options |= {"extra_arguments": ["--log-level=ERROR"], "record_timing": False}
        options |= {"coalesce_streams": True, "resources": {"metadata": {"path": folder}}}
        client = NotebookClient(fresh, **options)
        try:
            client.execute()
        except CellExecutionError as error:
            return [f"{path.name}: a cell fails: {error.ename}: {error.evalue}"]
        left = [each.name for each in Path(folder).iterdir() if each.name != PROFILE]
    fresh.metadata = stored.metadata
    wrong = [f"{path.name}: left behind: {name}" for name in left]
    for at, (old, new) in enumerate(zip(stored.cells, fresh.cells, strict=True)):
        if new.cell_type != "code":
            continue
        new.metadata.pop("execution", None)
        # Outputs must not depend on the machine: no paths of this machine, no addresses in memory.
        text = str([dict(each) for each in new.outputs])
        private = (folder, str(ROOT), os.path.expanduser("~") + os.sep)
        local = [f"names {each}" for each in private if each in text]
        local += [f"shows {each}" for each in re.findall(r"\S+ at 0x[0-9a-f]+", text)]
        wrong += [f"{path.name}, cell {at}: {what}" for what in local]
        varies = VARIES in new.metadata.get("tags", ())
        if check and _kinds(old.outputs) != _kinds(new.outputs):
            wrong.append(f"{path.name}, cell {at}: other kinds of output than are stored")
        elif check and not varies and old.outputs != new.outputs:
            wrong.append(f"{path.name}, cell {at}: the output is not the one that is stored")
    if not check and not wrong:
        with replacing(str(path)) as stream:
            stream.write(nbformat.writes(fresh).rstrip("\n").encode() + b"\n")
    return wrong


def _kinds(outputs: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    return [(each["output_type"], sorted(each.get("data", ()))) for each in outputs]


if __name__ == "__main__":
    sys.exit(main())
