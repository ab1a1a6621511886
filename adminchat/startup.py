"""What has to be right before quickstart starts anything; each refusal says what to do (REL-7)."""

import fcntl
import os
import shutil
import socket
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from adminchat import keycheck

FREE_BYTES = 100_000_000


def prepare_data_dir() -> None:
    """Make the data directory, readable by its owner alone. Raises CommandError when it can't be written or is full."""
    data: Path = settings.ADMINCHAT_DATA_DIR
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        (data / "logs").mkdir(mode=0o700, exist_ok=True)
        probe = data / f".probe.{os.getpid()}"
        probe.write_bytes(b"0" * 4096)
        probe.unlink()
    except OSError as error:
        raise CommandError(
            _(
                "The data directory %(path)s cannot be written (%(problem)s). Make it writable for this user, or set "
                "ADMINCHAT_DATA_DIR to a directory that is."
            )
            % {"path": data, "problem": error.strerror}
        ) from error
    free = shutil.disk_usage(data).free
    if free < FREE_BYTES:
        raise CommandError(
            _(
                "The disk of the data directory %(path)s is full (%(free)d MB are free, %(needed)d MB are needed). "
                "Free some space, or set ADMINCHAT_DATA_DIR to another disk."
            )
            % {"path": data, "free": free // 1_000_000, "needed": FREE_BYTES // 1_000_000}
        )


def lock_data_dir(lowest: int) -> int:
    """Hold the data directory as long as a process has the returned descriptor. Raises CommandError when it is held.

    The descriptor is at least ``lowest``. The process that this one becomes has it; the supervisor and the programs get
    it too, since they may outlive that.
    """
    descriptor = os.open(settings.ADMINCHAT_DATA_DIR / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise CommandError(
            _(
                "AdminChat already runs with the data directory %(path)s. Stop it first, or set ADMINCHAT_DATA_DIR to "
                "another directory."
            )
            % {"path": settings.ADMINCHAT_DATA_DIR}
        ) from error
    held = fcntl.fcntl(descriptor, fcntl.F_DUPFD, lowest)
    os.close(descriptor)
    return held


def check_port() -> None:
    """Raise CommandError when the web server could not listen."""
    host, port = settings.ADMINCHAT_HOST, settings.ADMINCHAT_PORT
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise CommandError(
            _(
                "Nothing can listen on %(host)s port %(port)d (%(problem)s). Stop what uses it, or set ADMINCHAT_PORT "
                "(and ADMINCHAT_HOST) to others."
            )
            % {"host": host, "port": port, "problem": error.strerror}
        ) from error


def check_database() -> None:
    """Raise CommandError when the database is away, of a newer version, or written with other keys."""
    try:
        loader = MigrationLoader(connection)
        applied = set(loader.applied_migrations)
        unknown = sorted(applied - set(loader.disk_migrations))
        ours = [f"{app}.{name}" for app, name in unknown if app in loader.migrated_apps]
        if ours:
            raise CommandError(
                _(
                    "The database was written by another version of AdminChat (it has %(migrations)s). Install that "
                    "version, or restore a backup of this one."
                )
                % {"migrations": ", ".join(ours)}
            )
        if ("accounts", "0001_initial") in applied:
            keycheck.verify()
    except keycheck.WrongKey as error:
        raise CommandError(str(error)) from error
    except DatabaseError as error:
        raise CommandError(
            _(
                "The database cannot be used. Check DATABASE_URL, that the server runs and lets this user in, and that "
                "the disk is neither full nor read-only."
            )
        ) from error
