"""Sweeps made up: results as a run of real jobs would leave them, noise included."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pbcnf.constraints.order import LiteralOrder
from satsweeper.compare.job.job import Job, JobStatus, Measured, Result, Task


def one(
    encoding: str = "direct",
    instance: str = "i1",
    seed: int = 0,
    *,
    status: JobStatus = JobStatus.SAT,
    solve: float = 1.0,
    encode: float = 0.0,
    memory: int = 1 << 20,
    **fields: Any,
) -> Result:
    """A result; ``fields`` go to the job or to the result, whichever has them."""
    job: dict[str, Any] = {
        "name": instance,
        "task": Task.CLASSIFY,
        "total_encoding": "",
        "solver": "minisat22",
        "order": LiteralOrder.GIVEN,
    }
    for key in list(fields):
        if key in job:
            job[key] = fields.pop(key)
    if status.solved:
        fields.setdefault("verdicts", f"answer of {instance}")
    return Result(
        Job(instance=f"digest of {instance}", encoding=encoding, seed=seed, **job),
        status,
        Measured(encode, solve, memory),
        **fields,
    )


def noisy(factors: dict[str, float], instances: int, seeds: int = 3, draw: int = 0) -> list[Result]:
    """A sweep in which the encodings differ by these factors of time, and by noise.

    Instances come in families of four of like difficulty (lognormal, over three decades); seeds
    matter; the machine slows down and recovers by 30 % on the way; each instance has noise of its
    own level, 5 to 20 %; every 20th run takes three times as long.
    """
    rng = np.random.default_rng([draw, instances, seeds])
    results = []
    runs = instances * seeds * len(factors)
    family = rng.normal(0, 1.5, instances)
    clock = 0
    for at in range(instances):
        hard = np.exp(family[at // 4] + rng.normal(0, 0.7)) * 0.05
        level = rng.uniform(0.05, 0.2)
        for seed in range(seeds):
            luck = np.exp(rng.normal(0, 0.3))
            names = list(factors)
            rng.shuffle(names)
            for name in names:
                clock += 1
                drift = 1 + 0.15 * (1 + np.sin(7 * clock / runs))
                outlier = 3.0 if rng.random() < 0.05 else 1.0
                noise = np.exp(rng.normal(0, level, 2)) * drift * outlier
                results.append(
                    one(
                        name,
                        f"board {at}",
                        seed,
                        solve=float(hard * luck * factors[name] * noise[0]),
                        encode=float(0.002 * factors[name] * noise[1]),
                        conflicts=int(100 * hard * luck),
                        propagations=int(10_000 * hard * luck),
                        variables=int(400 * hard) + 40,
                        clauses=int(3000 * hard) + 200,
                        literals=int(9000 * hard) + 600,
                    )
                )
    return results


def write_sweep(
    folder: Path, results: Sequence[Result], *, timeout: float | None = 10.0, **manifest: Any
) -> Path:
    """A folder as a run leaves it."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(result.as_json()) + "\n" for result in results]
    (folder / "results.jsonl").write_text("".join(lines))
    content = {
        "schema": "satsweeper/compare/1",
        "versions": {"satsweeper": "0.1.0", "pysat": "1.9"},
        "machine": {"cpu": "made up <&> nowhere", "cores": 2},
        "arguments": ["compare", "boards", "--encodings", "direct,totalizer", "-o", "DIR"],
        "jobs": len(results),
        "limits": {"timeout": timeout, "memory": None},
    }
    (folder / "manifest.json").write_text(json.dumps(content | manifest))
    return folder


@pytest.fixture(scope="session")
def made_up() -> Callable[..., Result]:
    return one


@pytest.fixture(scope="session")
def simulate() -> Callable[..., list[Result]]:
    return noisy


@pytest.fixture(scope="session")
def save() -> Callable[..., Path]:
    return write_sweep


@pytest.fixture(autouse=True)
def odd_encoders(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Encoders of a user's own, in ``tests/data/compare/odd_encoders.py``, can be imported."""
    monkeypatch.syspath_prepend(str(data / "compare"))


@pytest.fixture(scope="session")
def scheduler() -> Iterator[str]:
    """The address of a Dask scheduler with two workers."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
    ) as cluster:
        yield cluster.scheduler_address
