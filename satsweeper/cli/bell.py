"""A timer for systems without interval timers: a thread that raises an exception in the main one.

It comes between two steps of Python, as that of a signal does; a call that waits for the system is
not broken off, but ended by it when it returns.
"""

import threading
from contextlib import suppress


class Bell:
    """Rings in the main thread; one of them at a time."""

    def __init__(self, raised: type[BaseException]) -> None:
        self._raised = raised
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def set(self, seconds: float, again: float = 0.0) -> None:
        """As ``signal.setitimer``: ring after so many seconds, 0 for never, and again after each.

        To be called in the main thread. What has rung and has not been heard is forgotten.
        """
        with self._lock:
            before, self._timer = self._timer, None
            if before is not None:
                before.cancel()
                _raise(None)
            if seconds:
                self._start(seconds, again)

    def _start(self, seconds: float, again: float) -> None:
        timer = threading.Timer(seconds, lambda: self._ring(timer, again))
        timer.daemon = True
        # Where there are no threads either, nobody rings.
        with suppress(RuntimeError):
            timer.start()
            self._timer = timer

    def _ring(self, timer: threading.Timer, again: float) -> None:
        with self._lock:
            if self._timer is timer:
                _raise(self._raised)
                if again:
                    self._start(again, again)


def _raise(error: type[BaseException] | None) -> None:
    """Raise it in the main thread as soon as that runs; None takes back what was not raised yet."""
    import ctypes

    main = ctypes.c_ulong(threading.main_thread().ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(error) if error else None)
