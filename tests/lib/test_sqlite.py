from threading import Barrier, Thread

import pytest
from django.conf import settings
from django.db import OperationalError, connection, connections, transaction

from adminchat.accounts.models import Tenant

needs_sqlite = pytest.mark.skipif(
    settings.DATABASES["default"]["ENGINE"] != "adminchat.lib.sqlite", reason="about SQLite alone"
)
pytestmark = [pytest.mark.django_db(transaction=True), needs_sqlite]


def in_threads(count: int, work: object) -> None:
    def run() -> None:
        try:
            work()  # type: ignore[operator]
        finally:
            connections.close_all()

    threads = [Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)


def test_writers_of_one_process_lose_nothing() -> None:  # REL-6
    tenant = Tenant.objects.create(name="0")
    together = Barrier(8)

    def count_up() -> None:
        together.wait()
        for _ in range(10):
            with transaction.atomic():
                row = Tenant.objects.get(pk=tenant.pk)
                Tenant.objects.filter(pk=tenant.pk).update(name=str(int(row.name) + 1))

    in_threads(8, count_up)
    tenant.refresh_from_db()
    assert tenant.name == "80"


@pytest.mark.parametrize("way", ["rolled back", "closed"])
def test_next_writer_gets_its_turn_after_one_that_broke_off(way: str) -> None:  # REL-4
    try:
        with transaction.atomic():
            Tenant.objects.create(name="never")
            if way == "closed":
                connection.close()
            raise OperationalError
    except OperationalError:
        pass
    in_threads(1, lambda: Tenant.objects.create(name="next"))
    with transaction.atomic():
        Tenant.objects.create(name="last")
    assert set(Tenant.objects.values_list("name", flat=True)) == {"next", "last"}


def test_writer_that_waits_too_long_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:  # REL-4
    errors: list[Exception] = []

    def write() -> None:
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.05)
        try:
            with transaction.atomic():
                Tenant.objects.create(name="late")
        except OperationalError as error:
            errors.append(error)

    with transaction.atomic():
        in_threads(1, write)
    assert len(errors) == 1
