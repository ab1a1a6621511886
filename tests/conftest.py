"""What tests share. Alice owns, Bob sits beside her, Carol is a stranger, Root runs the tenant."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import translation

from adminchat.accounts.models import Tenant, User
from tests import browsers, needs, servers
from tests.factories import TenantFactory, UserFactory
from tests.fakes.serve import FakeServer
from tests.scenes import Scene

LACKS = "this machine lacks "


@pytest.fixture(autouse=True)
def language() -> Iterator[None]:
    """Every test begins in English: a request leaves its language in the thread that answered it."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """What others have counted against rate limits is forgotten."""
    cache.clear()


@pytest.fixture(autouse=True)
def closed_browsers() -> Iterator[None]:
    yield
    browsers.close_all()


@pytest.fixture
def tenant(db: None) -> Tenant:
    return TenantFactory.create(name="Acme")


@pytest.fixture
def alice(tenant: Tenant) -> User:
    return UserFactory.create(username="alice", tenant=tenant)


@pytest.fixture
def bob(tenant: Tenant) -> User:
    return UserFactory.create(username="bob", tenant=tenant)


@pytest.fixture
def root(tenant: Tenant) -> User:
    return UserFactory.create(username="root", tenant=tenant, super_admin=True)


@pytest.fixture
def carol(db: None) -> User:
    return UserFactory.create(username="carol", tenant__name="Elsewhere")


@pytest.fixture
def serve(transactional_db: None, tmp_path: Path) -> Iterator[Callable[..., servers.Site]]:
    """Start web processes: ``serve(processes=2, broker=True, environment={...})``. They end with the test."""
    with ExitStack() as running:

        def start(**options: Any) -> servers.Site:
            directory = tmp_path / f"site-{len(list(tmp_path.iterdir()))}"
            directory.mkdir()
            return running.enter_context(servers.serving(directory, **options))

        yield start


@pytest.fixture
def served(serve: Callable[..., servers.Site]) -> servers.Site:
    """One web process."""
    return serve()


@pytest.fixture
def fake_models() -> Iterator[FakeServer]:
    """A model endpoint that speaks both protocols; see ``tests.fakes.replies`` for the models it knows."""
    with FakeServer() as server:
        yield server


@pytest.fixture(scope="session")
def models_process() -> Iterator[servers.FakeModels]:
    """The same endpoint in a process of its own, shared by all tests."""
    with servers.FakeModels() as server:
        yield server


@pytest.fixture(scope="session")
def shared_site(
    tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[Callable[[str], servers.Site]]:
    """``shared_site("sqlite")`` or ``("postgresql")``: two web processes with a broker, started when first asked for."""
    made: dict[str, servers.Site] = {}
    with ExitStack() as running:

        def get(kind: str) -> servers.Site:
            if kind not in made:
                with django_db_blocker.unblock():
                    made[kind] = servers.start_site(kind, tmp_path_factory.mktemp(kind), running)
            return made[kind]

        yield get


@pytest.fixture
def site(shared_site: Callable[[str], servers.Site], django_db_blocker: Any) -> Iterator[servers.Site]:
    """Two web processes; the models of the test work on their database."""
    found = shared_site("sqlite")
    with django_db_blocker.unblock(), found.database():
        yield found


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))])
def any_site(
    request: pytest.FixtureRequest, shared_site: Callable[[str], servers.Site], django_db_blocker: Any
) -> Iterator[servers.Site]:
    """The same on each kind of database."""
    found = shared_site(request.param)
    with django_db_blocker.unblock(), found.database():
        yield found


@pytest.fixture
def scene(site: servers.Site, models_process: servers.FakeModels) -> Iterator[Scene]:
    """Somebody with a model to talk to."""
    with closing(Scene(site, models_process)) as made:
        yield made


@pytest.fixture
def stranger(site: servers.Site, models_process: servers.FakeModels) -> Iterator[Scene]:
    """Somebody else, of another tenant, on the same site."""
    with closing(Scene(site, models_process)) as made:
        yield made


@pytest.fixture
def any_scene(any_site: servers.Site, models_process: servers.FakeModels) -> Iterator[Scene]:
    """The same on each kind of database."""
    with closing(Scene(any_site, models_process)) as made:
        yield made


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        for part in mark.args:
            words, find = needs.PARTS[part]
            if find() is None:
                (pytest.fail if needs.REQUIRED else pytest.skip)(f"{LACKS}{words}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for kind in ("skipped", "failed") for report in terminalreporter.stats.get(kind, [])]
    lacking = {
        words for words, _find in needs.PARTS.values() if any(f"{LACKS}{words}" in str(one.longrepr) for one in reports)
    }
    if lacking:
        terminalreporter.section("what this machine lacks")
        for words in sorted(lacking):
            terminalreporter.line(f"Tests were left out for want of {words}.")
