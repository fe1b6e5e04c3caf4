"""Where jobs run: processes on this machine, or a Dask cluster, by the same code of joblib."""

import os
import pickle
import secrets
import shutil
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from typing import Any, Final, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pbcnf.wording import install_hint
from satsweeper.board.errors import Error, FailedError
from satsweeper.compare.sweep.protocol import J, R, SweepJob, SweepResult
from satsweeper.processes.signals import KILL, end_with

_MANAGER: Final = "ExecutorManagerThread"


J_contra = TypeVar("J_contra", bound=SweepJob, contravariant=True)
R_co = TypeVar("R_co", bound=SweepResult[Any], covariant=True)


class Runner(Protocol[J_contra, R_co]):
    """Does jobs, one after the other."""

    def run(self, job: J_contra, /) -> R_co:
        """The outcome of a job. An ``Error`` raised here ends all work: no job is worth doing."""
        ...


Opening = Callable[[], AbstractContextManager[Runner[J, R]]]
"""Makes a runner; picklable, with lambdas as well.

Each worker opens one and keeps it as long as it lives."""


class BackendError(FailedError):
    """Jobs cannot run there, or can no longer; the message is one line."""


@dataclass(frozen=True, slots=True)
class Backend:
    """``processes``: so many of them, on this machine. ``dask``: all workers of a scheduler."""

    name: Literal["processes", "dask"] = "processes"
    jobs: int = 1
    scheduler: str | None = None


def load() -> None:
    """Import what jobs need to run: no import outlives an exception that is raised within it."""
    import joblib  # noqa: F401  # only that it is there


def run_jobs(
    opening: Opening[J, R], jobs: Iterable[J], backend: Backend
) -> Generator[R, None, None]:
    """The results of all jobs, each as soon as it is there, in any order.

    Jobs are taken as workers come free, some ahead. To close the generator ends those that run.

    Raises:
        BackendError: Dask is not installed, its scheduler does not answer, or a worker died.
        Error: whatever a runner raised.
    """
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.backend.reduction import dumps
    from joblib.externals.loky.process_executor import BrokenProcessPool

    token = secrets.token_hex(8)
    # joblib maps an array into its workers' memory, and Dask sends it to each of them once.
    packed = np.frombuffer(bytes(dumps(opening)), np.uint8)
    owner = os.getpid() if backend.name == "processes" else None
    with ExitStack() as stack:
        stack.callback(_close_runners)
        if backend.name == "dask":
            client = stack.enter_context(_client(backend.scheduler))
            stack.enter_context(parallel_config("dask", client=client))
        else:
            _mend_ending()
            stack.enter_context(_quiet_manager())
            stack.callback(_end_processes)
            stack.enter_context(parallel_config("loky"))
        parallel = Parallel(
            n_jobs=backend.jobs if backend.name == "processes" else -1,
            return_as="generator_unordered",
            # A job costs a third of a millisecond more than in batches, and a kill loses no more
            # than the jobs that run.
            batch_size=1,
            pre_dispatch="16*n_jobs",
            max_nbytes="10K",
        )
        calls = (delayed(_run)(job, packed, token, owner) for job in jobs)
        try:
            with _starting():
                results = parallel(calls)
            with warnings.catch_warnings(), closing(results):
                # Whoever does not wait for every result is warned.
                warnings.filterwarnings("ignore", category=UserWarning, module="joblib")
                yield from results
        except BrokenProcessPool:
            raise BackendError("a worker process ended unexpectedly") from None
        except Exception as error:
            if backend.name == "processes" or isinstance(error, Error):
                raise
            why = " ".join(f"{type(error).__name__}: {error}".split())
            raise BackendError(f"Dask failed: {why}") from None


class _Kept:
    """The runner that a thread of a worker keeps."""

    def __init__(self, token: str, opening: Opening[Any, Any]) -> None:
        self.token = token
        self._stack = ExitStack()
        self.runner = self._stack.enter_context(opening())

    def close(self) -> None:
        self._stack.close()


_KEPT: dict[int, _Kept] = {}
"""By thread: a Dask worker may have several."""


def _run(job: SweepJob, packed: NDArray[np.uint8], token: str, owner: int | None) -> Any:
    """In a worker: do one job. ``token`` names the sweep, ``owner`` the process that began it."""
    thread = threading.get_ident()
    kept = _KEPT.get(thread)
    if kept is None or kept.token != token:
        if kept is not None:
            kept.close()
        if owner not in {None, os.getpid()} and not end_with(owner):
            os._exit(1)
        kept = _KEPT[thread] = _Kept(token, pickle.loads(packed.tobytes()))
    return kept.runner.run(job)


def _close_runners() -> None:
    while _KEPT:
        _KEPT.popitem()[1].close()


@contextmanager
def _quiet_manager() -> Iterator[None]:
    """The thread that feeds joblib's processes may trip when they are ended under its hands."""
    before = threading.excepthook

    def hook(failure: threading.ExceptHookArgs, /) -> None:
        if failure.thread is None or failure.thread.name != _MANAGER:
            before(failure)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = before


def _end_processes() -> None:
    """End the workers of joblib, which would wait for more work."""
    from joblib.externals.loky import reusable_executor

    executor = reusable_executor._executor
    if executor is not None:
        executor.shutdown(wait=True, kill_workers=True)
    for thread in threading.enumerate():
        if thread.name == _MANAGER:
            thread.join()


def _mend_ending() -> None:
    """joblib ends its processes by psutil or pgrep, and waits for ever where there is neither."""
    from joblib.externals.loky import process_executor
    from joblib.externals.loky.backend import utils

    if sys.platform != "win32" and utils.psutil is None and shutil.which("pgrep") is None:
        process_executor.kill_process_tree = _kill


def _kill(process: BaseProcess) -> None:
    # Processes of its own end when it does.
    with suppress(ProcessLookupError):
        os.kill(process.pid or 0, KILL)
    process.join()


@contextmanager
def _starting() -> Iterator[None]:
    """Processes started here ignore Ctrl-C, which their owner answers by ending them.

    And the one that clears up behind a killed owner does not complain of having to.
    """
    variable = "PYTHONWARNINGS"
    filters = os.environ.get(variable)
    os.environ[variable] = ",".join(filter(None, [filters, "ignore:resource_tracker"]))
    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGINT, before)
        if filters is None:
            del os.environ[variable]
        else:
            os.environ[variable] = filters


@contextmanager
def _client(scheduler: str | None) -> Iterator[Any]:
    try:
        import distributed
    except ImportError:
        raise BackendError(
            f"the backend dask is not installed: {install_hint('satsweeper[cluster]')}"
        ) from None
    if scheduler is None:
        raise BackendError("the backend dask needs the address of its scheduler")
    dask: Any = distributed
    try:
        client = dask.Client(scheduler, set_as_default=False, timeout="10s")
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split())
        raise BackendError(f"no Dask scheduler at {scheduler}: {why}") from None
    with client:
        try:
            yield client
        finally:
            with suppress(Exception):
                client.run(_close_runners)
