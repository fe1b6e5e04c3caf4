"""Build the page for browsers: a folder of static files that asks no other host for anything.

Pyodide comes from npm and PySAT's wheel for it from PyPI, in the versions and with the hashes of
page/versions.json; the package itself is built from this checkout. What was fetched stays in the
cache, so that the page is built again without a network. The folder is new or the last build.
"""

import argparse
import hashlib
import json
import os
import shutil
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# The scripts of this checkout are imported, from any current folder.
sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.show.palette import style_sheet
from scripts.frame.arguments import ran

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "page"
RUNTIME = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json",
)  # fmt: skip
"""Files of Pyodide that a page loads."""
LOCK = "pyodide-lock.json"
LEFT_OUT = (
    "pbcnf.audit", "pbcnf.derivation.at_most_one", "pbcnf.derivation.converse",
    "pbcnf.derivation.diagram_paths",
    "pbcnf.derivation.grid_compression", "pbcnf.derivation.groups", "pbcnf.derivation.leaves",
    "pbcnf.derivation.modulo_totalizers", "pbcnf.derivation.networks",
    "pbcnf.derivation.statements", "pbcnf.derivation.trimming",
    "pbcnf.derivation.weighted_totalizers", "pbcnf.formats.smtlib",
    "pbcnf.formats.statements_file", "pbcnf.language",
    "pbcnf.proof.cutting_planes", "pbcnf.pysat", "pbcnf.show", "pysat.allies", "pysat.examples",
    "pysat.integer", "pysat.process", "satsweeper_check", "satsweeper.certificate.answer",
    "satsweeper.certificate.branching", "satsweeper.certificate.propagation",
    "satsweeper.certificate.cores", "satsweeper.checker", "satsweeper.cli", "satsweeper.compare",
    "satsweeper.competition", "satsweeper.export.statements", "satsweeper.families",
    "satsweeper.linear.cuts", "satsweeper.linear.row_relaxation", "satsweeper.optimisation",
    "satsweeper.peers", "satsweeper.play.simulation", "satsweeper.report",
    "satsweeper.show.notebook",
)  # fmt: skip
"""Packages and modules that no answer of the page imports; they are not carried."""
UNUSED = (
    "_pydatetime.py", "_pyio.py", "_pyrepl/", "bdb.py", "cProfile.py", "compileall.py", "dbm/",
    "doctest.py", "encodings/cp1", "encodings/iso2022", "encodings/mac_", "ftplib.py",
    "http/cookiejar.py", "http/server.py", "imaplib.py", "logging/handlers.py", "mailbox.py",
    "modulefinder.py", "multiprocessing/", "netrc.py", "optparse.py", "pdb.py", "pickletools.py",
    "plistlib.py", "poplib.py", "profile.py", "profile/", "pstats.py", "pty.py", "pyclbr.py",
    "pydoc.py", "pydoc_data/", "rlcompleter.py", "shelve.py", "smtplib.py", "socketserver.py",
    "sqlite3/", "symtable.py", "tabnanny.py", "timeit.py", "tkinter/", "tomllib/", "trace.py",
    "turtle.py", "unittest/", "venv/", "wave.py", "webbrowser.py", "wsgiref/", "xml/dom/",
    "xml/etree/", "xml/parsers/", "xml/sax/expatreader.py", "xmlrpc/", "zipapp.py",
)  # fmt: skip
"""Parts of the standard library that no answer of the page imports."""
BUILT = "built.json"
WORKER = "service_worker.js"


class CannotBuildError(Exception):
    """The page cannot be built; the message is one line."""


def run(what: str, command: Sequence[str | Path]) -> None:
    """Run the program ``command``; raise `CannotBuildError` with a line of its errors if it fails.

    ``what`` names the step in messages.
    """
    try:
        ended = ran(command)
    except FileNotFoundError:
        of_node = command[0] in ("npm", "node")
        hint = "; on Debian and Ubuntu: apt-get install npm" if of_node else ""
        raise CannotBuildError(f"{what} needs {command[0]}, which is not here{hint}") from None
    if ended.returncode:
        lines = [line.strip() for line in (ended.stderr or ended.stdout).splitlines()]
        # Node shows the line of its error, which in Pyodide is the whole program.
        lines = [line for line in lines if len(line) < 400]
        errors = [line for line in lines if "rror" in line and not line.endswith("error:")] or lines
        raise CannotBuildError(f"{what} failed: {errors[0] if errors else ended.returncode}")


def fetched(what: str, pin: dict[str, Any], cache: Path, command: Sequence[str | Path]) -> Path:
    """Return the file of ``pin`` in the cache; ``command`` fetches a file that is missing there.

    ``pin`` is an entry of page/versions.json. A file with another hash is deleted, and
    `CannotBuildError` is raised.
    """
    path: Path = cache / pin["file"]
    if not path.is_file():
        run(what, command)
    if not path.is_file():
        raise CannotBuildError(f"{what} gave no {pin['file']}")
    if "sha256" in pin and hashlib.sha256(path.read_bytes()).hexdigest() != pin["sha256"]:
        path.unlink()
        raise CannotBuildError(f"{path.name} is not the file of page/versions.json; fetch it again")
    return path


def from_npm(name: str, pin: dict[str, Any], cache: Path) -> Path:
    """Return the archive of the npm package ``name`` in the version of ``pin``."""
    source = f"{name}@{pin['version']}"
    command = ["npm", "pack", source, "--loglevel=error", "--pack-destination", str(cache)]
    return fetched(f"npm pack {source}", pin, cache, command)


def pip(*words: str | Path) -> list[str | Path]:
    """Return the command that runs pip in this Python with the arguments ``words``."""
    return [sys.executable, "-Pm", "pip", *words, "--quiet", "--disable-pip-version-check"]


def solvers(versions: dict[str, Any], cache: Path) -> Path:
    """Return PySAT's wheel for Pyodide."""
    python, source = versions["python"], f"python-sat=={versions['python-sat']['version']}"
    options = ["--no-deps", "--only-binary=:all:", "--implementation", "cp"]
    options += ["--python-version", python, "--abi", f"cp{python.replace('.', '')}"]
    options += ["--platform", versions["platform"], "-d", str(cache)]
    command = pip("download", *options, source)
    return fetched(f"pip download {source}", versions["python-sat"], cache, command)


def own_wheel(versions: dict[str, Any], cache: Path, into: Path) -> None:
    """Build the wheel of this checkout into a folder.

    Without a network, too, if the package hatchling is in the cache.
    """
    builder = f"hatchling=={versions['hatchling']}"
    tools = cache / builder.replace("==", "-")
    if not tools.is_dir():
        with tempfile.TemporaryDirectory(dir=cache) as part:
            run(f"pip download {builder}", pip("download", "-d", part, builder))
            shutil.copytree(part, tools)
    found: list[str | Path] = ["--no-index", "--find-links", tools]
    run("pip wheel", pip("wheel", "--no-deps", *found, "-w", into, ROOT))


def build(versions: dict[str, Any], cache: Path, folder: Path) -> None:
    """Build the page in a temporary folder beside ``folder``, then move it to ``folder``."""
    cache.mkdir(parents=True, exist_ok=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    if folder.exists() and not (folder / BUILT).is_file():
        raise CannotBuildError(f"{folder} is not a page that was built: it stays as it is")
    with tempfile.TemporaryDirectory(dir=folder.parent) as part:
        made = Path(part) / "page"
        shutil.copytree(PAGE, made, ignore=shutil.ignore_patterns("versions.json"))
        (made / "palette.css").write_text(style_sheet(), "utf-8")
        unpack(from_npm("pyodide", versions["pyodide"], cache), made / "pyodide", RUNTIME)
        runtime = made / "pyodide"
        lock = json.loads((runtime / LOCK).read_text("utf-8"))
        # Nothing is loaded by the names of packages that the lock file gives.
        (runtime / LOCK).write_text(json.dumps(lock | {"packages": {}}), "utf-8")
        library = runtime / "python_stdlib.zip"
        packed([library], library, UNUSED)
        wheels = Path(part) / "wheels"
        own_wheel(versions, cache, wheels)
        left_out = tuple(name.replace(".", "/") + end for name in LEFT_OUT for end in ("/", ".py"))
        packages = made / "packages.zip"
        wheel = solvers(versions, cache)
        packed([wheel, *wheels.iterdir()], packages, left_out, (".py", ".json"))
        # Python imports no machine code from an archive, so this one is unpacked.
        packed([wheel], made / "solvers.zip", left_out, (".so",))
        # Compiled here, as compiling takes longer than all else before the first answer.
        compiler = ROOT / "scripts" / "bytecode" / "compile.mjs"
        run("compiling the page", ["node", compiler, runtime, packages, library])
        own = next(path for path in wheels.iterdir() if path.name.startswith("satsweeper-"))
        finish(made, versions, own.name.split("-")[1])
        os.chmod(made, 0o755)
        if folder.exists():
            shutil.rmtree(folder)
        made.rename(folder)


def packed(
    archives: Sequence[Path], into: Path, left_out: tuple[str, ...], kinds: tuple[str, ...] = ("",)
) -> None:
    """Pack the files of ``archives`` into one archive, but for what tells about a wheel itself.

    ``left_out`` are the beginnings of the names of more files that are left out, ``kinds`` the
    endings of the names of all that are packed.
    """
    kept: dict[str, bytes] = {}
    for archive in archives:
        with zipfile.ZipFile(archive) as opened:
            for name in opened.namelist():
                about = name.partition("/")[0].endswith((".dist-info", ".data"))
                if name.endswith(kinds) and not (about or name.startswith(left_out)):
                    kept[name] = opened.read(name)
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, content in sorted(kept.items()):
            # A fixed date, so that equal files make an equal archive.
            made.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def finish(made: Path, versions: dict[str, Any], version: str) -> None:
    """Write the record of the page in the folder ``made``, and the build into its service worker.

    The page reads from the record its ``version``, what it loads, and how many bytes that is.
    """
    files = {
        path.relative_to(made).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(made.rglob("*"))
        if path.is_file() and path.name != WORKER
    }
    runtime = (made / "pyodide" / name for name in RUNTIME)
    loaded = [made / "packages.zip", made / "solvers.zip", *runtime]
    build = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:12]
    record = {
        "version": version,
        "build": build,
        "pyodide": versions["pyodide"]["version"],
        "site_packages": f"/lib/python{versions['python']}/site-packages",
        "packages": "/lib/packages.zip",
        "bytes": sum(path.stat().st_size for path in loaded if path.suffix != ".mjs"),
    }
    text = json.dumps(record, indent=1) + "\n"
    (made / BUILT).write_text(text, "utf-8")
    files[BUILT] = hashlib.sha256(text.encode()).hexdigest()
    worker = made / WORKER
    code = worker.read_text("utf-8").replace('"BUILD"', json.dumps(build))
    worker.write_text(code.replace('{ "FILES": "" }', json.dumps(files, indent=1)), "utf-8")


def unpack(package: Path, into: Path, names: Sequence[str]) -> None:
    """Extract the files ``names`` from the archive of an npm package into the folder ``into``."""
    into.mkdir(exist_ok=True)
    with tarfile.open(package) as archive:
        for name in names:
            content = archive.extractfile(f"package/{name}")
            assert content is not None
            (into / name).write_bytes(content.read())


def main(argv: Sequence[str] | None = None) -> int:
    """Build the page and print its size; return the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/page", description=__doc__)
    parser.add_argument("--cache", metavar="DIR", type=Path, default=ROOT / "build" / "page")
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, default=ROOT / "dist" / "page")
    parser.add_argument("--axe", action="store_true",
        help="also put axe.min.js, which tests ask, into the cache")  # fmt: skip
    arguments = parser.parse_args(argv)
    folder = arguments.output.absolute()
    try:
        cache = arguments.cache.absolute()
        # `versions` are the pins: the packages to download, with versions and hashes.
        versions = json.loads((PAGE / "versions.json").read_text("utf-8"))
        build(versions, cache, folder)
        if arguments.axe:
            unpack(from_npm("axe-core", versions["axe-core"], cache), cache, ("axe.min.js",))
    except (CannotBuildError, OSError, tarfile.TarError) as error:
        print(f"scripts/page: {error}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder}: {size / 1e6:.1f} MB; satsweeper page --serve shows it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
