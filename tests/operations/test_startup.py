"""Refusals at the start that are hard to bring about from outside (REL-7)."""

import errno
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from adminchat import health, startup


class Usage(NamedTuple):
    free: int


def test_a_full_disk_is_refused(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # REL-7
    settings.ADMINCHAT_DATA_DIR = tmp_path / "data"
    monkeypatch.setattr(startup.shutil, "disk_usage", lambda path: Usage(free=5_000_000))
    with pytest.raises(CommandError, match=r"is full \(5 MB are free"):
        startup.prepare_data_dir()


def test_a_read_only_directory_is_refused(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # REL-7
    settings.ADMINCHAT_DATA_DIR = tmp_path / "data"

    def read_only(path: Path, data: bytes) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "write_bytes", read_only)
    with pytest.raises(CommandError, match=r"cannot be written \(Read-only file system"):
        startup.prepare_data_dir()


@pytest.mark.django_db
def test_a_database_of_a_newer_version_is_refused() -> None:  # REL-7
    MigrationRecorder(connection).record_applied("chat", "9999_from_the_future")
    with pytest.raises(CommandError, match=r"another version.*chat\.9999_from_the_future"):
        startup.check_database()


@pytest.mark.django_db
def test_a_missing_migration_makes_the_site_unready(client: Client) -> None:  # REL-7, OPS-10
    recorder = MigrationRecorder(connection)
    newest = recorder.migration_qs.filter(app="chat").order_by("name").last()
    recorder.record_unapplied("chat", newest.name)
    assert health.pending_migrations()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["migrations"]) == (503, "pending")
