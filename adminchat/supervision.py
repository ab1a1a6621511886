"""Runs supervisord, says when AdminChat is ready, and passes signals on. Knows no Django, to stay small in memory.

``python -m adminchat.supervision CONFIG HOST PORT LOCK DATABASE READY STOPPING FAILED``: ``/readyz`` is asked there
until it answers 200; LOCK is the descriptor of the data directory's lock, which all processes keep open; DATABASE is
SQLite's file, or ""; the last three are the lines to say, in the language of the terminal.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from types import FrameType

READY_SECONDS = 120
POLL_SECONDS = 0.1


def main(
    config: str, host: str, port: str, lock: str, database: str, ready_line: str, stopping_line: str, failed_line: str
) -> int:
    """Return the exit code: 0 when asked to stop, else 1. A second Ctrl-C ends all processes at once."""
    supervisord = subprocess.Popen(
        [sys.executable, "-m", "adminchat.supervisord", "--nodaemon", "--configuration", config],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
        pass_fds=[int(lock)],
        text=True,
        errors="replace",
    )
    asked_to_stop = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        if asked_to_stop.is_set() and number == signal.SIGINT:
            end_session(supervisord.pid)
            return
        if not asked_to_stop.is_set():
            asked_to_stop.set()
            print(f"\n{stopping_line}", flush=True)
        supervisord.terminate()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)

    ready = threading.Event()

    def announce() -> None:
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline and not asked_to_stop.is_set():
            if is_ready(host, int(port)):
                ready.set()
                print(ready_line, flush=True)
                return
            time.sleep(POLL_SECONDS)
        if not asked_to_stop.is_set():
            print(failed_line, file=sys.stderr, flush=True)
            supervisord.terminate()

    threading.Thread(target=announce, daemon=True).start()
    assert supervisord.stdout is not None
    for line in supervisord.stdout:
        print(line, end="", file=sys.stderr, flush=True)
    code = supervisord.wait()
    if database:
        fold_log(database)
    return 0 if asked_to_stop.is_set() and ready.is_set() and code == 0 else 1


def fold_log(database: str) -> None:
    """Write what SQLite's log holds into the database, so that one file is all of it for who copies it now: processes
    that are ended leave their log."""
    import sqlite3  # its memory is needed only now

    with suppress(sqlite3.Error), closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def end_session(leader: int) -> None:
    """Kill ``leader``, so that it starts nothing again, and then whatever runs in its session."""
    with suppress(ProcessLookupError):
        os.kill(leader, signal.SIGKILL)
    for directory in Path("/proc").glob("[1-9]*"):
        with suppress(ProcessLookupError):
            if os.getsid(int(directory.name)) == leader:
                os.kill(int(directory.name), signal.SIGKILL)


def is_ready(host: str, port: int) -> bool:
    """Ask once; by hand, because a client library would take more memory than all the rest here."""
    try:
        with socket.create_connection((host, port), timeout=5) as connection:
            connection.sendall(b"GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n")
            return connection.recv(64).split(b" ")[1:2] == [b"200"]
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
