"""An entry as a folder: instances, descriptions, times and a list of checksums."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from pbcnf.formats.writing import replacing
from pbcnf.wording import counted
from satsweeper.compare.sweep.journal import machine, versions
from satsweeper.competition.description import (
    Document,
    bibliography,
    cited,
    document,
    latex,
    markdown,
)
from satsweeper.competition.files import ENDINGS, sha256, stem, write_instance
from satsweeper.competition.instance import series_of
from satsweeper.competition.measurement import Measurement
from satsweeper.competition.measuring import WEAK, Bar
from satsweeper.competition.selection import Wish, chosen, missing
from satsweeper.competition.solving import ELIMINATION
from satsweeper.competition.tables import HEADS, as_json, csv_text, row
from satsweeper.report.table import markdown_table
from satsweeper.version import __version__

SCHEMA: Final = "satsweeper/entry/1"
CHECKSUMS: Final = "SHA256SUMS"
INSTANCES: Final = "instances"
DESCRIPTION: Final = "description"


def write_entry(
    folder: Path, wish: Wish, bar: Bar, measured: Sequence[Measurement]
) -> dict[str, Any]:
    """Choose the entry, write it, and return its content in the schema ``satsweeper/entry/1``.

    Files of an earlier entry are removed from the folders. ``SHA256SUMS`` is written last: an entry
    with this file is complete.

    Raises:
        DefectError: a file does not hold its instance or breaks a rule of the competition.
        OSError: a file cannot be written.
    """
    (folder / CHECKSUMS).unlink(missing_ok=True)
    for name in (INSTANCES, DESCRIPTION):
        (folder / name).mkdir(exist_ok=True)
    taken, known = chosen(wish, measured), series_of(wish.track)
    written: list[Path] = []
    rows = []
    for each in taken:
        series = known[each.job.series]
        paths = write_instance(folder / INSTANCES, wish.track, series, each)
        written += paths
        file = f"{INSTANCES}/{stem(each.job)}.{ENDINGS[wish.track]}"
        rows.append({"file": file, "sha256": sha256(paths[0]), **as_json(series, bar, each)})
    content = {
        "schema": SCHEMA,
        **asdict(wish),
        "weak": WEAK,
        **asdict(bar),
        "strong": ELIMINATION if wish.track == "counting" else bar.strong,
        "missing": missing(wish, measured),
        "measured": len(measured),
        "unsolved": sum(each.grade == "unsolved" for each in measured),
        "unmeasured": sorted(set(known) - {each.job.series for each in measured}),
        "instances": rows,
    }
    families = {known[each.job.series].family.name: known[each.job.series].family for each in taken}
    documents = [document(family, wish, bar, taken, measured) for family in families.values()]
    texts = {
        **description_texts(families, documents),
        "README.md": readme(
            f"{counted(len(taken), 'instance')} of "
            f"{len(families)} famil{'y' if len(families) == 1 else 'ies'} for the track"
            f" {wish.track}",
            f"--track {wish.track} --count {wish.count} --hard {wish.hard} --seed {wish.seed}"
            f" --weak-seconds {bar.weak_seconds:g} --strong-seconds {bar.strong_seconds:g}"
            + (f" --strong {bar.strong}" if wish.track != "counting" else ""),
            "Sizes of each family grew until MiniSat 2.2 had no answer in time; the rule is in the"
            " help of that command, all measurements are in `results.jsonl`, those of the entry in"
            " `times.md`.",
        ),
        "times.csv": csv_text(rows),
        "times.md": _times(wish, bar, taken, content),
        "entry.json": json.dumps(content, indent=1) + "\n",
    }
    written += write_texts(folder, texts)
    for name in (INSTANCES, DESCRIPTION):
        for path in set((folder / name).iterdir()) - set(written):
            path.unlink()
    write_checksums(folder, written)
    return content


def description_texts(names: Iterable[str], documents: Iterable[Document]) -> dict[str, str]:
    """Return the files of descriptions, each in Markdown and LaTeX, and their bibliography."""
    texts, keys = {}, []
    for name, each in zip(names, documents, strict=True):
        start = f"{DESCRIPTION}/{name.replace('_', '-')}"
        texts[f"{start}.md"], texts[f"{start}.tex"] = markdown(each), latex(each)
        keys += cited(each)
    return texts | {f"{DESCRIPTION}/references.bib": bibliography(keys)}


def readme(what: str, options: str, how: str) -> str:
    """Return the text that tells organisers what an entry holds, and submitters what is left to do.

    Args:
        what: number and kind of instances.
        options: the options of ``satsweeper competition`` that write the entry again.
        how: how the instances were chosen.
    """
    parts = [
        f"# {what[0].upper()}{what[1:]}",
        "A file is called by its family, its size *n* and its seed *s*. Its comments name the"
        " program, the family and both numbers, and not the answer. `entry.json` has the expected"
        " answer of each file and the argument for it; answers that no argument gives are `null`."
        " No two files hold the same constraints. `SHA256SUMS` lists all files.",
        f"`satsweeper competition {options} -o DIR` (version {__version__}) chose and wrote them."
        f" {how}",
        "`description/` has each family on one to two pages, in Markdown and in LaTeX of IEEE"
        " conferences (`pdflatex`, `bibtex`, `pdflatex` twice).",
        "Before this is submitted: put authors into the `.tex` files, and say under which licence"
        " the instances may be used. All of them are made by the program from a size and a seed;"
        " nothing is taken from the benchmarks of others. The program is under the MIT licence.",
    ]
    return "\n\n".join(parts) + "\n"


def write_texts(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write these texts by their names in the folder; return their paths."""
    for name, text in texts.items():
        with replacing(folder / name) as stream:
            stream.write(text.encode())
    return [folder / name for name in texts]


def write_checksums(folder: Path, written: Iterable[Path]) -> None:
    """Write the list of the SHA-256 of all files of an entry, its last file."""
    listed = sorted(os.path.relpath(path, folder) for path in written)
    with replacing(folder / CHECKSUMS) as stream:
        stream.writelines(f"{sha256(folder / name)}  {name}\n".encode() for name in listed)


def _times(wish: Wish, bar: Bar, taken: Sequence[Measurement], content: dict[str, Any]) -> str:
    here, used = machine(), versions()
    table = markdown_table(HEADS[wish.track], [row(wish.track, each) for each in taken])
    whys = {each["series"]: (each["status"], each["why"]) for each in content["instances"]}
    reasons = [f"* `{name}`: {status}: {why}" for name, (status, why) in whys.items()]
    short = [f"Short of the bar: {'; '.join(content['missing'])}."] if content["missing"] else []
    about = (
        f"CPU seconds, loading included. weak: `{WEAK}`, {bar.weak_seconds:g} s; strong:"
        f" `{content['strong']}`, {bar.strong_seconds:g} s, asked where the weak one had no"
        f" answer. PySAT {used['pysat']}, satsweeper {used['satsweeper']}; {here['cpu']},"
        f" {here['cores']} cores, {here['os']}."
    )
    tried = f"{counted(content['measured'], 'instance')} measured, {content['unsolved']} of them"
    tried += " solved by neither solver within these seconds."
    if content["unmeasured"]:
        tried += f" Nothing was measured of {', '.join(content['unmeasured'])}."
    parts = [f"# Measured times, track {wish.track}", about, tried, *short, table]
    return "\n\n".join([*parts, "## Expected answers, and why", "\n".join(reasons)]) + "\n"
