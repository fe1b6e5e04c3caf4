"""The manifest of a sweep, written before the first job: versions, machine, arguments, jobs."""

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from pbcnf.formats.writing import replacing
from pbcnf.wording import counted
from satsweeper.compare.sweep.journal import JournalError
from satsweeper.version import __version__

MANIFEST: Final = "manifest.json"

_BEGINNING: Final = ("versions", "machine", "started")
"""Fields that belong to the moment when a sweep began."""
_PACKAGES: Final = {"pysat": "python-sat", "numpy": "numpy", "joblib": "joblib"}


def manifest(
    schema: str,
    *,
    arguments: Sequence[str],
    jobs: int,
    digest: str,
    shard: tuple[int, int] | None,
    **own: Any,
) -> dict[str, Any]:
    """The manifest of a sweep that starts now, on this machine.

    ``digest`` is that of all jobs, ``jobs`` the number of those of this shard, ``own`` whatever
    else this kind of sweep is to be known by.
    """
    return {
        "schema": schema,
        "versions": versions(),
        "machine": machine(),
        "started": _now(),
        "arguments": list(arguments),
        "jobs": jobs,
        "digest": digest,
        "shard": None if shard is None else list(shard),
        "resumed": [],
        **own,
    }


def resumed(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest of a sweep that goes on now: when that was, and on which machine, is added.

    ``now`` is its manifest as if it began: a sweep that has grown is known by that.
    """
    again = [*before.get("resumed", []), {key: now[key] for key in ("started", "machine")}]
    return {**before, **now, **{key: before[key] for key in _BEGINNING}, "resumed": again}


def changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether other things are said of what the sweep is; how it was called does not count."""
    said = [key for key in now if key not in {*_BEGINNING, "resumed", "arguments"}]
    return any(before.get(key) != json.loads(json.dumps(now[key])) for key in said)


def versions() -> dict[str, str | None]:
    """The versions of what is compared, and of what compares."""
    found: dict[str, str | None] = {"satsweeper": __version__, "python": platform.python_version()}
    for name, package in _PACKAGES.items():
        try:
            found[name] = version(package)
        except PackageNotFoundError:
            found[name] = None
    return found


def machine() -> dict[str, Any]:
    """Processor, cores, bytes of memory, operating system; None where that is not told."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "memory": _memory(),
        "os": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
    }


def write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """Write the manifest of a folder, whole or not at all."""
    with replacing(folder / MANIFEST) as stream:
        stream.write(json.dumps(content, indent=1).encode("ascii") + b"\n")


def read_manifest(folder: Path, schema: str) -> dict[str, Any] | None:
    """Return the manifest of a folder; None if there is no manifest.

    Raises:
        JournalError: the file is not a manifest.
    """
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_bytes())
        if content["schema"] != schema:
            raise ValueError(f"schema {content['schema']!r}, not {schema}")
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError(f"{path}: not the manifest of a sweep ({error})") from None
    return dict(content)


def check_same(
    folder: Path, before: Mapping[str, Any], now: Mapping[str, Any], same: Iterable[str]
) -> None:
    """Refuse to resume another sweep, a larger sweep, or other versions of ``same``.

    Raises:
        JournalError: they differ, and in what.
    """
    other = (before.get("digest"), before.get("shard")) != (now["digest"], now["shard"])
    if other or before.get("jobs", 0) > now["jobs"]:
        older = "" if "sizes" in before else ", and sizes were written rows first then"
        raise JournalError(
            f"{folder}: holds {_sweep(before)}{older}; these arguments say {_sweep(now)}"
        )
    for name in same:
        held = before.get("versions", {}).get(name)
        if held != now["versions"][name]:
            raise JournalError(
                f"{folder}: was measured with {name} {held}, this is {now['versions'][name]}"
            )


def _sweep(content: Mapping[str, Any]) -> str:
    part = content.get("shard")
    which = "" if part is None else f" in shard {part[0]}/{part[1]}"
    return f"{counted(content.get('jobs', 0), 'job')}{which} of the sweep {content.get('digest')}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _cpu() -> str | None:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
        found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        found = []
    return found[0] if found else platform.processor() or None


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
