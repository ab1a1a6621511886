"""The whole installation by one command, and what it refuses (OPS-1, OPS-2, REL-7). Without the built-in model."""

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psutil
import pytest

from adminchat.settings.keyfiles import new_encryption_key
from tests import needs
from tests.servers import ROOT, eventually, free_port, postgresql_database

START_SECONDS = 90
STOP_SECONDS = 2
MEMORY_LIMIT = 350_000_000  # bytes


class Installation:
    """A data directory and the processes on it."""

    def __init__(self, directory: Path) -> None:
        self.data = directory / "data"
        self.output = directory / "output.txt"
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def environment(self, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        own = {
            "ADMINCHAT_DATA_DIR": str(self.data),
            "ADMINCHAT_PORT": str(self.port),
            "ADMINCHAT_LOCAL_MODEL": "0",
            "PYTHONUNBUFFERED": "1",
        }
        return kept | own | more

    def start(self, **more: str) -> str:
        """Start, wait until it says that it is ready, and return what it printed."""
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "quickstart"],
                cwd=ROOT,
                env=self.environment(**more),
                stdout=output,
                stderr=output,
            )
        eventually(lambda: self.process.poll() is not None or "is ready at" in self.printed, START_SECONDS)  # type: ignore[union-attr]
        assert self.process.poll() is None, self.printed
        return self.printed

    def refuse(self, **more: str) -> str:
        """Start, expect that it ends by itself with a failure, and return what it printed."""
        command = [sys.executable, "manage.py", "quickstart"]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment(**more), capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode != 0
        assert "Traceback" not in done.stderr
        return done.stderr

    @property
    def printed(self) -> str:
        return self.output.read_text()

    @property
    def parts(self) -> dict[str, psutil.Process]:
        """The supervised processes by what they are."""
        assert self.process
        words = {"valkey-server": "broker", "celery": "worker", "uvicorn": "web"}
        (supervisord,) = psutil.Process(self.process.pid).children()
        found = {}
        for part in supervisord.children():
            with contextlib.suppress(psutil.Error):  # it has just ended
                command = " ".join(part.cmdline())
                found |= {name: part for word, name in words.items() if word in command}
        return found

    def stop(self, number: int = signal.SIGINT) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(number)
        try:
            return self.process.wait(60)
        finally:
            self.process = None


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    made = Installation(tmp_path)
    yield made
    made.stop(signal.SIGTERM)


def _signed_in(installation: Installation, password: str) -> httpx.Client:
    """A browser of the first super administrator's."""
    browser = httpx.Client(base_url=f"http://127.0.0.1:{installation.port}", trust_env=False)
    browser.get("/accounts/login/")
    form = {"login": "admin", "password": password, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
    answer = browser.post("/accounts/login/", data=form)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    return browser


def test_one_command_starts_everything_and_ctrl_c_stops_it(installation: Installation) -> None:  # OPS-1, OPS-2, OPS-8
    printed = installation.start()
    password = printed.partition("(shown only this once): ")[2].split()[0]
    assert f"AdminChat is ready at http://127.0.0.1:{installation.port} (sign in as admin)" in printed
    for name in ("secret_key", "field_encryption_key"):
        assert installation.data.joinpath(name).stat().st_mode & 0o777 == 0o600

    _signed_in(installation, password).close()

    running = list(installation.parts.values())
    assert set(installation.parts) == {"broker", "worker", "web"}
    assert installation.stop(signal.SIGINT) == 0
    assert not any(part.is_running() for part in running)
    assert list(installation.data.glob("*.sqlite3*")) == [
        installation.data / "adminchat.sqlite3"
    ]  # whole, to be copied

    printed = installation.start()  # the second time
    assert "shown only this once" not in printed


def test_ctrl_c_is_quick_when_no_reply_runs(installation: Installation) -> None:  # OPS-1
    took = []
    while not took or took[-1] > STOP_SECONDS:
        assert len(took) < 3, f"{took} s, also in the third try"  # the machine may be busy with other tests
        installation.start()
        asked = time.monotonic()
        installation.stop(signal.SIGINT)
        took.append(time.monotonic() - asked)


def test_a_part_that_dies_is_started_again(installation: Installation) -> None:  # OPS-2
    installation.start()
    before = installation.parts
    for part in before.values():
        part.kill()

    def all_back() -> bool:
        now = installation.parts
        return set(now) == set(before) and all(now[name].pid != before[name].pid for name in before)

    eventually(all_back, 30)
    eventually(lambda: _ready(installation), 30)


def test_what_is_left_behind_is_swept_without_anybody_asking(
    installation: Installation,
) -> None:  # OPS-2, REL-2, CHAT-4
    installation.start(ADMINCHAT_SWEEP_SECONDS="1", ADMINCHAT_ADMIN_PASSWORD="entirely my own")
    with contextlib.closing(_signed_in(installation, "entirely my own")) as browser:
        for temporary in ("on", "off"):
            form = {"message": "Hello", "temporary": temporary, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
            assert browser.post("/sessions/", data=form).status_code == 303
    with contextlib.closing(sqlite3.connect(installation.data / "adminchat.sqlite3", timeout=10)) as database:
        died = "UPDATE chat_turn SET state = 'running', heartbeat_at = '2020-01-01' WHERE session_id IN "
        database.execute(died + "(SELECT id FROM chat_session WHERE NOT temporary)")
        database.execute("UPDATE chat_session SET active_at = '2020-01-01' WHERE temporary")
        database.commit()
        left = "SELECT temporary, state FROM chat_session JOIN chat_turn ON chat_turn.session_id = chat_session.id"
        eventually(lambda: database.execute(left).fetchall() == [(0, "interrupted")], 30)


def test_the_processes_together_stay_small(installation: Installation) -> None:  # PERF-8
    installation.start()
    assert installation.process
    everything = [
        psutil.Process(installation.process.pid),
        *psutil.Process(installation.process.pid).children(recursive=True),
    ]
    assert sum(process.memory_full_info().pss for process in everything) <= MEMORY_LIMIT


def test_the_first_super_administrator_comes_from_the_environment(installation: Installation) -> None:  # OPS-1
    printed = installation.start(ADMINCHAT_ADMIN_USERNAME="grace", ADMINCHAT_ADMIN_PASSWORD="entirely my own")
    assert "(sign in as grace)" in printed
    assert "entirely my own" not in printed


def test_a_broker_of_ones_own_replaces_the_embedded_one(installation: Installation) -> None:  # OPS-2
    installation.start(REDIS_URL=f"redis://127.0.0.1:{free_port()}/0")
    assert set(installation.parts) == {"worker", "web"}


def test_a_long_path_still_has_a_broker(tmp_path: Path) -> None:  # OPS-2
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    installation = Installation(deep)
    try:
        installation.start()
        answer = httpx.get(f"http://127.0.0.1:{installation.port}/readyz", trust_env=False)
        assert answer.json()["broker"] == "ok"
    finally:
        installation.stop()


def test_a_taken_port_is_refused(installation: Installation) -> None:  # REL-7
    with socket.create_server(("127.0.0.1", installation.port)):
        assert "ADMINCHAT_PORT" in installation.refuse()


def test_a_data_directory_that_cannot_be_written_is_refused(installation: Installation) -> None:  # REL-7
    installation.data.write_text("a file where the directory should be")
    assert "ADMINCHAT_DATA_DIR" in installation.refuse()


def test_a_wrong_key_is_refused(installation: Installation) -> None:  # REL-7, OPS-8
    installation.start()
    installation.stop()
    assert "does not fit this database" in installation.refuse(FIELD_ENCRYPTION_KEY=new_encryption_key())


def test_a_missing_key_file_is_named_and_not_made_anew(installation: Installation) -> None:  # REL-7, OPS-8
    installation.start()
    installation.stop()
    file = installation.data / "field_encryption_key"
    kept = file.rename(installation.data.parent / "kept")
    assert f"The key file {file} is missing" in installation.refuse()
    assert not file.exists()
    kept.rename(file)
    installation.start()


@pytest.mark.needs("postgresql")
def test_a_key_file_that_a_database_elsewhere_needs_is_not_made_anew(  # REL-7, OPS-8
    installation: Installation,
) -> None:
    server = needs.postgresql()
    assert server
    with postgresql_database(server, f"test_keys_{uuid4().hex}") as address:
        installation.start(DATABASE_URL=address)
        installation.stop()
        installation.data.rename(installation.data.parent / "lost")
        file = installation.data / "field_encryption_key"
        assert f"The key file {file} is missing" in installation.refuse(DATABASE_URL=address)
        assert not file.exists()


def test_no_key_is_made_for_a_database_that_is_away(installation: Installation) -> None:  # REL-7, OPS-8
    installation.refuse(DATABASE_URL=f"postgresql://x@127.0.0.1:{free_port()}/x")
    assert not installation.data.exists()


def test_a_key_that_is_none_is_refused(installation: Installation) -> None:  # REL-7
    assert "is not a Fernet key" in installation.refuse(FIELD_ENCRYPTION_KEY="secret")


def test_a_database_that_is_away_is_refused(installation: Installation) -> None:  # REL-7
    assert "DATABASE_URL" in installation.refuse(DATABASE_URL=f"postgresql://x@127.0.0.1:{free_port()}/x")


def test_a_setting_that_does_not_parse_is_refused(installation: Installation) -> None:  # OPS-7
    assert "ADMINCHAT_PORT is not readable as whole number" in installation.refuse(ADMINCHAT_PORT="eighty")


@pytest.mark.parametrize(
    "name",
    ["REDIS_URL", "DATABASE_URL", "ADMINCHAT_BASE_URL", "ADMINCHAT_MODEL_BASE_URL", "ADMINCHAT_LOCAL_MODEL_URL"]
    + ["CSRF_TRUSTED_ORIGINS"],
)
def test_an_address_that_is_none_is_refused(installation: Installation, name: str) -> None:  # OPS-7
    assert f"AdminChat cannot start. {name} is not " in installation.refuse(**{name: "foo"})


def test_a_second_one_on_the_same_data_is_refused(installation: Installation) -> None:  # REL-7
    installation.start()
    assert "already runs" in installation.refuse(ADMINCHAT_PORT=str(free_port()))


def test_a_second_one_is_refused_while_parts_of_a_killed_one_live(installation: Installation) -> None:  # REL-7
    installation.start()
    assert installation.process
    parts = list(installation.parts.values())
    for process in (*psutil.Process(installation.process.pid).children(), psutil.Process(installation.process.pid)):
        process.kill()
    installation.process.wait(10)
    installation.process = None
    try:
        living = [part for part in parts if part.is_running()]
        assert living
        assert "already runs" in installation.refuse(ADMINCHAT_PORT=str(free_port()))
    finally:
        for part in parts:
            with contextlib.suppress(psutil.Error):
                for process in (*part.children(recursive=True), part):
                    process.kill()
        psutil.wait_procs(parts, 10)


def test_a_second_ctrl_c_ends_everything_at_once(installation: Installation) -> None:  # OPS-1
    installation.start()
    assert installation.process
    running = psutil.Process(installation.process.pid).children(recursive=True)
    installation.parts["web"].suspend()  # it won't end by itself
    installation.process.send_signal(signal.SIGINT)
    eventually(lambda: "Stopping" in installation.printed)
    installation.stop(signal.SIGINT)
    _gone, alive = psutil.wait_procs(running, 10)
    assert not alive


def _ready(installation: Installation) -> Any:
    try:
        answer = httpx.get(f"http://127.0.0.1:{installation.port}/readyz", trust_env=False)
    except httpx.TransportError:
        return False
    return answer.json()["status"] == "ok"
