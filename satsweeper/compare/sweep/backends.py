"""Where jobs run: in processes on this machine, or on a Dask cluster; joblib hands them out.

On this machine joblib hands the jobs to threads, and each thread passes them to its own process.
"""

import pickle
import secrets
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from pbcnf.wording import install_hint
from satsweeper.board.errors import Error, FailedError
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.worker import Worker, WorkerDiedError

_MOMENT: Final = 0.05
"""Seconds between two attempts to end the process of a thread that runs a job."""

Opening = Callable[[], AbstractContextManager[Any]]
"""Returns a runner, whose method ``run`` does one job and returns the result; picklable.

Each worker opens one runner and keeps it until the worker ends. An ``Error`` that ``run`` raises
ends the whole sweep."""


class BackendError(FailedError):
    """Jobs cannot run on a backend, or can no longer; the message is one line."""


@dataclass(frozen=True, slots=True)
class Backend:
    """``processes``: ``jobs`` processes on this machine. ``dask``: all workers of a scheduler."""

    name: Literal["processes", "dask"] = "processes"
    jobs: int = 1
    scheduler: str | None = None


def load() -> None:
    """Import joblib before any job runs: an exception within an import would break the import."""
    import joblib  # noqa: F401  # only the import itself


def run_jobs(opening: Opening, jobs: Iterable[Any], backend: Backend) -> Generator[Any, None, None]:
    """Yield the results of all jobs as soon as they are known, in any order.

    Jobs are taken when workers become free, some ahead. Closing the generator ends running jobs.

    Raises:
        BackendError: Dask is not installed, its scheduler does not answer, or a worker died.
        Error: raised by a runner.
    """
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.backend.reduction import dumps

    with ExitStack() as stack:
        stack.callback(_close_runners)
        if backend.name == "dask":
            client = stack.enter_context(_client(backend.scheduler))
            stack.enter_context(parallel_config("dask", client=client))
        else:
            stack.enter_context(parallel_config("threading"))
        packed = bytes(dumps(opening))
        if backend.name == "processes" and backend.jobs > 1:
            run: Callable[[Any], Any] = stack.enter_context(_Processes(packed)).run
        else:
            # Dask sends an array to each of its workers once.
            array = np.frombuffer(packed, np.uint8)
            run = partial(_run, packed=array, token=secrets.token_hex(8))
        parallel = Parallel(
            n_jobs=backend.jobs if backend.name == "processes" else -1,
            return_as="generator_unordered",
            # Single jobs cost a third of a millisecond more than jobs in batches, but a kill loses
            # only the running jobs.
            batch_size=1,
            pre_dispatch="16*n_jobs",
        )
        try:
            results = parallel(delayed(run)(job) for job in jobs)
            with warnings.catch_warnings(), closing(results):
                # Joblib warns if the generator is closed before the last result.
                warnings.filterwarnings("ignore", category=UserWarning, module="joblib")
                yield from results
        except WorkerDiedError as died:
            raise BackendError(str(died)) from None
        except Exception as error:
            if backend.name == "processes" or isinstance(error, Error):
                raise
            why = " ".join(f"{type(error).__name__}: {error}".split())
            raise BackendError(f"Dask failed: {why}") from None


_KEPT: dict[int, tuple[str, ExitStack, Any]] = {}
"""Thread -> token of a sweep and its open runner; a Dask worker may have several threads."""


def _open(token: str, packed: bytes) -> Any:
    """Open the runner of this thread, in place of the runner of an earlier sweep."""
    thread = threading.get_ident()
    if thread in _KEPT:
        _KEPT.pop(thread)[1].close()
    stack = ExitStack()
    runner = stack.enter_context(pickle.loads(packed)())
    _KEPT[thread] = token, stack, runner
    return runner


def _run(job: Any, packed: NDArray[np.uint8], token: str) -> Any:
    """Do ``job`` in this process, by the runner that ``packed`` opens once a sweep, ``token``."""
    kept, _, runner = _KEPT.get(threading.get_ident(), (None, None, None))
    if runner is None or kept != token:
        runner = _open(token, packed.tobytes())
    return runner.run(job)


def _close_runners() -> None:
    while _KEPT:
        _KEPT.popitem()[1][1].close()


class _Processes:
    """A process for each thread that does jobs; the context manager ends all processes.

    Args:
        packed: the pickle of the function that opens a runner, which each process calls once.
    """

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._of: dict[int, tuple[threading.Lock, Worker]] = {}
        """Thread -> lock and process; the thread holds the lock while its process is in use."""
        self._ended = False

    def run(self, job: Any) -> Any:
        """Do ``job`` in the process of the calling thread."""
        lock, worker = self._of.setdefault(
            threading.get_ident(), (threading.Lock(), Worker("a worker process"))
        )
        with lock:
            # Read under the lock: no process is started after ``__exit__`` has held the lock.
            if self._ended:
                raise BackendError("the processes have been ended")
            # A new process opens a runner before its first job.
            packed = None if worker.running else self._packed
            found = worker.ask(None, _run_apart, job, packed)
        if isinstance(found, Error):
            raise found
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._ended = True
        for lock, worker in list(self._of.values()):
            # Repeatedly, as a thread with the lock may be about to start its process. A thread that
            # waits for a job gets an error from the killed process, and releases the lock.
            while not lock.acquire(timeout=_MOMENT):
                worker.kill()
            worker.end()
            lock.release()


def _run_apart(send: object, deadline: Deadline, job: Any, packed: bytes | None) -> Any:
    """In a process of a thread: do ``job`` by the runner that ``packed``, if given, opens first.

    An ``Error`` is returned instead of raised, so that its attributes survive.
    """
    try:
        if packed is not None:
            _open("", packed)
        return _KEPT[threading.get_ident()][2].run(job)
    except Error as error:
        return error


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
