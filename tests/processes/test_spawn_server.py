"""A server where nothing can fork: the jobs and the bad ends of a fork server."""

import os
from types import ModuleType

import pytest

from satsweeper.processes.fork_server import ForkServer
from satsweeper.processes.limits import Ended, Limits
from satsweeper.processes.servers import serving
from satsweeper.processes.spawn_server import SpawnServer


def test_one_process_does_job_after_job_until_one_is_its_last(
    odd_jobs: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    with SpawnServer(odd_jobs.opening, Limits()) as server:
        first = server.ask("job")
        assert first != os.getpid()
        assert server.ask("job") == server.ask("last") == first
        assert server.ask("job", external=True) not in {first, None}
    # Jobs print what they are asked, which is nobody's.
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("asked", "limits", "how", "what", "replaced"),
    [
        ("panic", Limits(), "error", "Panic: over two lines", False),
        ("abort", Limits(), "crash", "SIGABRT", True),
        ("spin", Limits(seconds=0.2), "timeout", None, True),
        ("fill", Limits(memory=10**9), "memory", None, True),
    ],
)
def test_every_bad_end_has_a_name_and_the_next_job_is_done(
    odd_jobs: ModuleType, asked: str, limits: Limits, how: str, what: str, replaced: bool
) -> None:
    with SpawnServer(odd_jobs.opening, limits) as server:
        first = None if limits.seconds else server.ask("job")
        ended = server.ask(asked)
        assert isinstance(ended, Ended)
        assert (ended.how, ended.what) == (how, what)
        if first is not None:
            assert (server.ask("job") != first) == replaced


def test_who_cannot_open_says_why_each_time(odd_jobs: ModuleType) -> None:
    with SpawnServer(odd_jobs.opening_nothing, Limits()) as server:
        for _ in range(2):
            assert server.ask("job") == Ended("error", "nothing to open")


def test_the_system_decides_which_server_it_is(
    odd_jobs: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    if hasattr(os, "fork"):
        assert isinstance(serving(odd_jobs.opening, Limits()), ForkServer)
    monkeypatch.delattr(os, "fork", raising=False)
    assert isinstance(serving(odd_jobs.opening, Limits()), SpawnServer)
