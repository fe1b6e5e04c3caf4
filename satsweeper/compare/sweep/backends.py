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
"""Seconds between two attempts to end the process of a thread that is in a job."""

Opening = Callable[[], AbstractContextManager[Any]]
"""Makes a runner, whose method ``run`` does one job and returns the result; picklable.

Each worker opens one and keeps it as long as it lives. An ``Error`` that ``run`` raises ends all
work: no job is worth doing."""


class BackendError(FailedError):
    """Jobs cannot run there, or can no longer; the message is one line."""


@dataclass(frozen=True, slots=True)
class Backend:
    """``processes``: ``jobs`` processes on this machine. ``dask``: all workers of a scheduler."""

    name: Literal["processes", "dask"] = "processes"
    jobs: int = 1
    scheduler: str | None = None


def load() -> None:
    """Import what jobs need to run: no import outlives an exception that is raised within it."""
    import joblib  # noqa: F401  # only that it is there


def run_jobs(opening: Opening, jobs: Iterable[Any], backend: Backend) -> Generator[Any, None, None]:
    """Yield the results of all jobs as soon as they are known, in any order.

    Jobs are taken as workers come free, some ahead. To close the generator ends those that run.

    Raises:
        BackendError: Dask is not installed, its scheduler does not answer, or a worker died.
        Error: whatever a runner raised.
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
            # A job costs a third of a millisecond more than in batches, and a kill loses no more
            # than the jobs that run.
            batch_size=1,
            pre_dispatch="16*n_jobs",
        )
        try:
            results = parallel(delayed(run)(job) for job in jobs)
            with warnings.catch_warnings(), closing(results):
                # Whoever does not wait for every result is warned.
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
"""By thread, as a Dask worker may have several: the token of a sweep, and its open runner."""


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
        """The process of each thread; the thread holds the lock while it starts or asks it."""
        self._ended = False

    def run(self, job: Any) -> Any:
        """Do ``job`` in the process of the calling thread."""
        lock, worker = self._of.setdefault(
            threading.get_ident(), (threading.Lock(), Worker("a worker process"))
        )
        with lock:
            # Looked at under the lock: after ``__exit__`` has had it no process is started.
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
            # Again and again: a thread that holds the lock may be about to start its process. One
            # that is in a job gets an error from the killed process, and lets go of the lock.
            while not lock.acquire(timeout=_MOMENT):
                worker.kill()
            worker.end()
            lock.release()


def _run_apart(send: object, deadline: Deadline, job: Any, packed: bytes | None) -> Any:
    """In a process of a thread: do ``job`` by the runner that ``packed``, if given, opens first.

    An Error of ours is returned, with its attributes.
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
