"""A fork server: jobs in a forked child within limits, and every bad end by its name."""

from types import ModuleType

import pytest

from satsweeper.processes.forked import ForkServer
from satsweeper.processes.limits import Ended, Limits


def test_one_child_does_job_after_job_until_one_is_its_last(odd_jobs: ModuleType) -> None:
    with ForkServer(odd_jobs.opening, Limits()) as server:
        first = server.ask("job")
        assert server.ask("job") == server.ask("last") == first
        assert server.ask("job") not in {first, None}


@pytest.mark.parametrize(
    ("asked", "limits", "how", "what", "replaced"),
    [
        ("panic", Limits(), "error", "Panic: over two lines", False),
        ("abort", Limits(), "crash", "SIGABRT", True),
        ("spin", Limits(seconds=0.2), "timeout", None, True),
        ("sleep", Limits(wall=0.2), "timeout", None, True),
        ("fill", Limits(memory=10**9), "memory", None, True),
    ],
)
def test_every_bad_end_has_a_name_and_the_next_job_is_done(
    odd_jobs: ModuleType, asked: str, limits: Limits, how: str, what: str, replaced: bool
) -> None:
    with ForkServer(odd_jobs.opening, limits) as server:
        # Where the clock is the limit, a busy machine may make it too short for anything else.
        first = None if limits.wall else server.ask("job")
        ended = server.ask(asked)
        assert isinstance(ended, Ended)
        assert (ended.how, ended.what) == (how, what)
        assert str(ended) == (f"{how} ({what})" if what else how)
        assert ended.memory > 10**6
        if first is not None:
            assert (server.ask("job") != first) == replaced


def test_who_cannot_open_says_why_each_time(odd_jobs: ModuleType) -> None:
    with ForkServer(odd_jobs.opening_nothing, Limits()) as server:
        for _ in range(2):
            assert server.ask("job") == Ended("error", "nothing to open")
