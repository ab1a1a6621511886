"""Lets a signal end a wait.

Since Python 3.5 a poll goes on after a signal (PEP 475). Loops that were written before, as those of supervisord and
Celery's worker, notice only when it times out after a second that they were asked to stop.
"""

import os
import signal


def pipe() -> int:
    """Return a descriptor that becomes readable at each signal of this process. For the main thread."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading


def drain(reading: int) -> None:
    """Take what signals have written, so that the descriptor can become readable again."""
    os.read(reading, 4096)
