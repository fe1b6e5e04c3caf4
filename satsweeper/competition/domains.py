"""An entry to the PB Competition: a folder for each family, from which organisers draw instances.

PB26 draws 10 instances of every folder, or 15 of linear decisions, and counts files of one MD5 as
one. So every folder has at least that many, all different: also without their comments. Decisions,
optimisation and soft constraints are apart. Nothing is measured.
"""

import hashlib
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from pbcnf.formats.write.opb import write_opb
from pbcnf.formats.write.wbo import write_wbo
from pbcnf.formats.writing import replacing
from pbcnf.wording import counted
from satsweeper.board.errors import DefectError
from satsweeper.compare.sweep.journal import (
    RESULTS,
    Journal,
    locked,
    read_manifest,
    read_results,
    versions,
    write_manifest,
)
from satsweeper.competition.description import domain_document
from satsweeper.competition.entry import (
    CHECKSUMS,
    DESCRIPTION,
    description_texts,
    readme,
    write_checksums,
    write_texts,
)
from satsweeper.competition.files import check_constraints, provenance, sha256, stem
from satsweeper.competition.instance import Series, TooLargeError, series_of, stated
from satsweeper.competition.measurement import Probe
from satsweeper.competition.run import refuse_other
from satsweeper.competition.selection import SEEDS, grown
from satsweeper.families.table import FAMILIES

SCHEMA: Final = "satsweeper/pb-entry/1"
CHECKED_TOGETHER: Final = "MD5SUMS"
CATEGORIES: Final = {"decide": "DEC-LIN", "optimise": "OPT-LIN", "soft": "WBO"}
"""Goal of a family -> the folder of its folder."""
MOST_BITS: Final = 63
"""The largest ``intsize``: all sums are below 2^63, so that no instance has big integers."""


@dataclass(frozen=True, slots=True)
class Told:
    """A written instance: the object of its line in the journal and in ``entry.json``."""

    job: Probe
    row: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """The object of a line of the journal."""
        return {"id": self.job.id, **self.row}


def domains() -> dict[str, Series]:
    """Every series of decisions, then the families with an objective, by their names."""
    rest = {name: Series(each) for name, each in FAMILIES.items() if each.goal != "decide"}
    return {**series_of("pb"), **rest}


def candidates(series: Series, seed: int) -> Iterator[Probe]:
    """Yield the instances of a folder, smallest first: ``SEEDS`` of a size where seeds matter.

    The first size is the largest that any solver decides; the next ones are consecutive, or grow by
    40 % where the family has seeds: from easy to hard, or far beyond what search decides. After the
    last size the first one comes again, with other seeds.
    """
    seeds, factor = (SEEDS if series.seeded else 1), 1.4 if series.family.seeded else 1.0
    for first in range(seed, seed + _ROUNDS * seeds, seeds) if series.seeded else [seed]:
        size: int | None = series.family.small[-1]
        while size is not None:
            for more in range(seeds):
                yield Probe(series.name, size, first + more)
            size = grown(series.family.sizes, size, factor)


_ROUNDS: Final = 20
"""The most rounds through the sizes of a family with seeds."""


def write_domains(
    folder: Path,
    each: int,
    seed: int,
    *,
    reach: Callable[[int], None] = lambda written: None,
    only: Sequence[str] = (),
) -> dict[str, Any]:
    """Write ``each`` instances of every family into folders; return the content of the entry.

    Instances that the folder holds already, unchanged, are kept.

    Args:
        folder: created if missing; empty, or begun by this function with the same seed.
        each: instances of a folder, at least 1.
        seed: the first seed of instances.
        reach: is called with the number of instances so far.
        only: names of series; all unless given.

    Raises:
        FolderTakenError: the folder holds anything else.
        JournalError: a line of the journal is damaged, or another run writes into the folder.
        DefectError: a file is not what it should be.
        OSError: a file cannot be written.
    """
    settings = {"track": "pb", "seed": seed}
    refuse_other(folder, SCHEMA, settings)
    known = {name: one for name, one in domains().items() if not only or name in only}
    with locked(folder):
        if read_manifest(folder, SCHEMA) is None:
            about = {"schema": SCHEMA, "versions": versions(), "settings": settings}
            write_manifest(folder, about)
        (folder / CHECKSUMS).unlink(missing_ok=True)
        held = {told.job: told for told in told_in(folder)}
        seen: set[str] = set()
        taken: list[Told] = []
        with Journal(folder) as journal:
            for series in known.values():
                for told in _folder(folder, series, each, seed, held, seen):
                    if told.job not in held:
                        journal.append(told)
                    taken.append(told)
                    reach(len(taken))
        return _finish(folder, each, seed, known, taken)


def unfinished(folder: Path, each: int, seed: int) -> dict[str, Any]:
    """Return the content of an entry that a limit ended; its descriptions are not written."""
    return _content(each, seed, domains(), told_in(folder))


def told_in(folder: Path) -> list[Told]:
    """Return the instances in a folder, in the order in which they were written."""

    def read(line: object) -> Told:
        try:
            row: dict[str, Any] = dict(line)  # type: ignore[call-overload]
            del row["id"]
            job = Probe(str(row["series"]), int(row["size"]), int(row["seed"]))
            str(row["file"]), str(row["sha256"]), str(row["constraints_md5"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"no instance of an entry: {error}") from None
        return Told(job, row)

    return read_results(folder / RESULTS, read)


def _folder(
    folder: Path, series: Series, each: int, seed: int, held: Mapping[Probe, Told], seen: set[str]
) -> Iterator[Told]:
    """Yield the instances of a folder, and write those that are not there; ``seen``: their MD5s."""
    given = 0
    for job in candidates(series, seed):
        if given == each:
            return
        told = held.get(job)
        if told is None or not _unchanged(folder, told):
            told = _written(folder, series, job, seen)
        elif told.row["constraints_md5"] in seen:
            told = None
        if told is not None:
            seen.add(told.row["constraints_md5"])
            given += 1
            yield told


def _unchanged(folder: Path, told: Told) -> bool:
    path = folder / told.row["file"]
    return path.is_file() and sha256(path) == str(told.row["sha256"])


def _written(folder: Path, series: Series, job: Probe, seen: set[str]) -> Told | None:
    """Write an instance and read it again; None if too large, or its constraints are ``seen``."""
    try:
        problem, _, _ = stated(series, job.size, job.seed)
    except TooLargeError:
        return None
    family, buffer = series.family, io.BytesIO()
    write = write_wbo if family.goal == "soft" else write_opb
    write(problem, buffer, provenance(series, job))
    text = buffer.getvalue()
    facts = facts_of(text)
    if facts["intsize"] > MOST_BITS:
        raise DefectError(f"{job.id}: integers of {facts['intsize']} bits")
    rows = (line for line in text.splitlines() if not line.startswith(b"*"))
    constraints = hashlib.md5(b"\n".join(rows), usedforsecurity=False).hexdigest()
    if constraints in seen:
        return None
    category, name = CATEGORIES[family.goal], series.name.replace("_", "-")
    ending = "wbo.xz" if family.goal == "soft" else "opb.xz"
    path = folder / category / name / f"{stem(job)}.{ending}"
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as stream:
        stream.write(text)
    check_constraints(path, problem)
    row = {
        "file": f"{category}/{name}/{path.name}",
        "category": category,
        "domain": name,
        "family": family.name,
        "series": series.name,
        "size": job.size,
        "seed": job.seed,
        "status": "satisfiable" if series.satisfiable else "unsatisfiable",
        "optimum": family.optimum(job.size, job.seed),
        "why": series.why,
        **facts,
        "md5": hashlib.md5(text, usedforsecurity=False).hexdigest(),
        "constraints_md5": constraints,
        "sha256": sha256(path),
    }
    return Told(job, row)


_HEADER: Final = re.compile(rb"\* #variable= (\d+) #constraint= (\d+)(?: #equal= (\d+))?")
_INTEGER: Final = re.compile(rb"(?<!x)[+-]?\b\d+")


def facts_of(text: bytes) -> dict[str, int]:
    """Count what is in a file of constraints, line by line.

    Raises:
        DefectError: the header has other numbers.

    >>> facts_of(b"* #variable= 2 #constraint= 1 #equal= 0 intsize= 2\\n+1 x1 -1 x2 >= 0 ;\\n")
    {'variables': 2, 'constraints': 1, 'equations': 0, 'intsize': 2}
    """
    rows = [line for line in text.splitlines() if not line.startswith(b"*")]
    constraints = [row for row in rows if b"=" in row]
    equations = sum(b">=" not in row for row in constraints)
    # The weight in brackets is no part of a sum.
    sums = [
        sum(abs(int(each)) for each in _INTEGER.findall(row.partition(b"]")[2] or row))
        for row in rows
    ]
    variables = len({int(each) for row in rows for each in re.findall(rb"x(\d+)", row)})
    said = _HEADER.match(text)
    numbers = (variables, len(constraints), equations)
    if said is None or any(
        found is not None and int(found) != number
        for found, number in zip(said.groups(), numbers, strict=True)
    ):
        raise DefectError(f"a header that is not {numbers}: {text[:80]!r}")
    return {
        "variables": variables,
        "constraints": len(constraints),
        "equations": equations,
        "intsize": max(sums, default=0).bit_length(),
    }


def _content(
    each: int, seed: int, known: Mapping[str, Series], taken: Sequence[Told]
) -> dict[str, Any]:
    rows = [dict(told.row) for told in taken]
    counts = {name: sum(row["series"] == name for row in rows) for name in known}
    return {
        "schema": SCHEMA,
        "track": "pb",
        "each": each,
        "seed": seed,
        "measured": 0,
        "missing": [f"{name}: {n} of {each}" for name, n in counts.items() if n < each],
        "domains": [
            {
                "category": CATEGORIES[series.family.goal],
                "domain": name.replace("_", "-"),
                "family": series.family.name,
                "instances": counts[name],
            }
            for name, series in known.items()
        ],
        "instances": rows,
    }


def _finish(
    folder: Path, each: int, seed: int, known: Mapping[str, Series], taken: Sequence[Told]
) -> dict[str, Any]:
    """Write descriptions and lists, and remove what an earlier entry had more."""
    (folder / DESCRIPTION).mkdir(exist_ok=True)
    content = _content(each, seed, known, taken)
    by_family = groupby(
        sorted(taken, key=lambda told: str(told.row["family"])), key=lambda told: told.row["family"]
    )
    documents = {
        name: domain_document(FAMILIES[name], [told.job for told in these], list(map(_row, these)))
        for name, group in by_family
        for these in [list(group)]
    }
    sums = "".join(f"{row['md5']}  {row['file'][:-3]}\n" for row in content["instances"])
    texts = {
        **description_texts(documents, documents.values()),
        "README.md": readme(
            f"{counted(len(taken), 'instance')} in {counted(len(content['domains']), 'folder')} for"
            " the Pseudo-Boolean Competition",
            f"--track pb --each {each} --seed {seed}",
            "A folder is a family: `DEC-LIN` decisions, `OPT-LIN` with an objective, `WBO` with"
            " soft constraints. Sizes grow from one that any solver decides. Hardness was not"
            f" measured. `{CHECKED_TOGETHER}` lists the files without `.xz`.",
        ),
        CHECKED_TOGETHER: sums,
        "entry.json": json.dumps(content, indent=1) + "\n",
    }
    written = [folder / row["file"] for row in content["instances"]]
    written += write_texts(folder, texts)
    for name in (DESCRIPTION, *CATEGORIES.values()):
        for path in set((folder / name).rglob("*.*")) - set(written):
            path.unlink()
    write_checksums(folder, written)
    return content


def _row(told: Told) -> tuple[str, ...]:
    row = told.row
    expected = row["status"] if row["optimum"] is None else f"optimum {row['optimum']}"
    if row["category"] != "DEC-LIN" and row["optimum"] is None:
        expected = "unknown optimum"
    numbers = (str(row[name]) for name in ("variables", "constraints", "equations", "intsize"))
    return (stem(told.job), expected, *numbers)
