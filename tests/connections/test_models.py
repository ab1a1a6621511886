"""Adding, describing and choosing models (CHAT-16)."""

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import httpx
import pytest
from django.db import connection as database
from django.test import Client

from adminchat.accounts.models import User
from adminchat.connections import catalogue
from adminchat.connections.models import ChatModel, Connection
from adminchat.providers.base import ModelInfo
from adminchat.providers.built_in import MODEL_NAME
from tests.connections.conftest import ask
from tests.factories import ChatModelFactory, ConnectionFactory, UserFactory
from tests.fakes.serve import FakeServer
from tests.servers import Site

pytestmark = pytest.mark.django_db


@pytest.fixture
def model(stored: Connection) -> ChatModel:
    return ChatModelFactory.create(connection=stored, name="gpt-5-mini")


def test_models_are_fetched_and_the_chosen_ones_added(  # CHAT-16
    as_root: Client, stored: Connection, service: FakeServer
) -> None:
    stored.base_url = f"{service.url}/v1"
    stored.save()
    page = ask(as_root, f"/connections/{stored.pk}/models/fetch/").content.decode()
    boxes = re.findall(r'name="found" value="([^"]+)"[^>]*>\s*<span>([^<]+)<', page)
    offered = {name.strip(): value for value, name in boxes}
    as_root.post(f"/connections/{stored.pk}/models/", {"found": [offered["echo"], offered["tokens-100"]]})
    assert set(stored.models.values_list("name", flat=True)) == {"echo", "tokens-100"}
    again = ask(as_root, f"/connections/{stored.pk}/models/fetch/").content.decode()
    assert "<span>echo</span>" not in again


def test_fetching_without_script_gives_the_whole_page(  # UX-1
    as_root: Client, stored: Connection, service: FakeServer
) -> None:
    stored.base_url = f"{service.url}/v1"
    stored.save()
    page = ask(as_root, f"/connections/{stored.pk}/models/fetch/", htmx=False).content.decode()
    assert "<html" in page
    assert 'name="found"' in page


@pytest.mark.parametrize(
    ("key", "url", "sentence"),
    [("bad", "{}/v1", "refused the key"), ("sk", "http://127.0.0.1:1/v1", "Nothing answers")],
    ids=["key", "reach"],
)
def test_failed_fetch_says_why(  # CHAT-16, CHAT-9
    as_root: Client, stored: Connection, service: FakeServer, key: str, url: str, sentence: str
) -> None:
    stored.base_url, stored.api_key = url.format(service.url), key
    stored.save()
    response = ask(as_root, f"/connections/{stored.pk}/models/fetch/")
    assert sentence in response.content.decode()


def test_typed_model_is_added_once(as_root: Client, stored: Connection) -> None:  # CHAT-16
    for _ in range(2):
        as_root.post(f"/connections/{stored.pk}/models/", {"name": "deepseek-chat"})
    assert [model.name for model in stored.models.all()] == ["deepseek-chat"]


@pytest.mark.parametrize(
    "form", [{"name": ""}, {"name": "x" * 201}, {"found": ["forged"]}], ids=["none", "long", "forged"]
)
def test_unfit_choice_of_models_is_refused(  # CHAT-16, SEC-7
    as_root: Client, stored: Connection, form: dict[str, object]
) -> None:
    assert as_root.post(f"/connections/{stored.pk}/models/", form).status_code == 422
    assert not stored.models.exists()


def test_what_the_endpoint_says_about_a_model_is_kept(stored: Connection) -> None:  # CHAT-16
    info = ModelInfo("m", display_name="M", context_tokens=4096, images=True, tools=False)
    (model,) = catalogue.add_models(stored, [info, info])
    model.refresh_from_db()
    said = (model.display_name, model.context_tokens, model.takes_images, model.takes_tools)
    assert said == ("M", 4096, True, False)


def test_model_is_described(as_root: Client, model: ChatModel) -> None:  # CHAT-16
    form = {
        "display_name": "Mini",
        "enabled": "on",
        "context_tokens": "8192",
        "takes_images": "on",
        "input_price": "0.25",
        "output_price": "2",
    }
    assert as_root.post(f"/connections/models/{model.pk}/", form).status_code == 302
    model.refresh_from_db()
    assert (model.label, model.context_tokens, model.takes_images, model.takes_tools) == ("Mini", 8192, True, False)


@pytest.mark.parametrize("changes", [{"input_price": "-1"}, {"context_tokens": "1"}, {"display_name": "x" * 81}])
def test_impossible_description_comes_back_with_the_form(  # CHAT-16
    as_root: Client, model: ChatModel, changes: dict[str, str]
) -> None:
    form = {"display_name": "Mini", "context_tokens": "8192"} | changes
    assert as_root.post(f"/connections/models/{model.pk}/", form).status_code == 422


def test_model_is_removed_after_confirmation(as_root: Client, model: ChatModel) -> None:  # CHAT-16
    as_root.get(f"/connections/models/{model.pk}/delete/")
    assert ChatModel.objects.filter(pk=model.pk).exists()
    as_root.post(f"/connections/models/{model.pk}/delete/")
    assert not ChatModel.objects.filter(pk=model.pk).exists()


def test_tenant_has_one_default(as_root: Client, root: User, model: ChatModel) -> None:  # CHAT-16
    other = ChatModelFactory.create(connection__tenant=root.tenant, is_default=True)
    foreign = ChatModelFactory.create(is_default=True)
    as_root.post(f"/connections/models/{model.pk}/default/")
    assert set(ChatModel.objects.filter(is_default=True)) == {model, foreign}
    assert other.pk


def test_first_own_model_takes_over_from_the_built_in_one(root: User, stored: Connection) -> None:  # OPS-3
    built_in = ChatModelFactory.create(
        connection__tenant=root.tenant, connection__origin="built_in", name=MODEL_NAME, is_default=True
    )
    first, second = catalogue.add_models(stored, [ModelInfo("a"), ModelInfo("b")])
    catalogue.add_models(ConnectionFactory.create(tenant=root.tenant, origin="browser"), [ModelInfo("c")])
    assert list(ChatModel.objects.filter(is_default=True)) == [first]
    assert built_in.pk and second.pk


@pytest.mark.django_db(transaction=True)
def test_two_defaults_at_once_leave_one(root: User) -> None:  # CHAT-16
    models = [ChatModelFactory.create(connection__tenant=root.tenant, name=name) for name in "ab"]
    start = Barrier(2)

    def choose(model: ChatModel) -> None:
        try:
            start.wait(timeout=10)
            catalogue.make_default(model)
        finally:
            database.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(choose, models))
    assert ChatModel.objects.filter(is_default=True).count() == 1


def test_hostile_names_are_shown_as_text(as_root: Client, stored: Connection) -> None:  # SEC-3
    model = ChatModelFactory.create(connection=stored, name="<script>alert(1)</script>", display_name="<b>x</b>")
    for address in (f"/connections/{stored.pk}/", f"/connections/models/{model.pk}/", "/connections/"):
        page = as_root.get(address).content.decode()
        assert "<script>alert" not in page
        assert "<b>x</b>" not in page


def test_two_clicks_add_a_model_once(any_site: Site) -> None:  # CHAT-16, REL-6
    root = UserFactory.create(super_admin=True)
    stored = ConnectionFactory.create(tenant=root.tenant, origin=Connection.Origin.BROWSER)
    with any_site.client(root, process=0) as first, any_site.client(root, process=1) as second:
        for number in range(10):
            form = {"name": f"model-{number}"}
            with ThreadPoolExecutor(2) as pool:
                post = partial(httpx.Client.post, url=f"/connections/{stored.pk}/models/", data=form)
                answers = list(pool.map(post, (first, second)))
            assert [answer.status_code for answer in answers] == [302, 302]
    assert stored.models.count() == 10


@pytest.mark.parametrize("off", ["model", "connection"])
def test_model_that_is_off_does_not_become_the_default(  # CHAT-16
    as_root: Client, root: User, model: ChatModel, off: str
) -> None:
    before = ChatModelFactory.create(connection__tenant=root.tenant, is_default=True)
    (ChatModel if off == "model" else Connection).objects.exclude(pk=before.pk).exclude(pk=before.connection_id).update(
        enabled=False
    )
    page = as_root.post(f"/connections/models/{model.pk}/default/", follow=True).content.decode()
    assert "gpt-5-mini is switched off. Switch it on first." in page
    assert list(ChatModel.objects.filter(is_default=True)) == [before]


def test_model_of_a_connection_that_is_off_does_not_take_over(root: User, stored: Connection) -> None:  # CHAT-16
    stored.enabled = False
    stored.save()
    catalogue.add_models(stored, [ModelInfo("a")])
    assert not ChatModel.objects.filter(is_default=True).exists()


def test_page_of_a_refused_description_keeps_the_stored_name(as_root: Client, model: ChatModel) -> None:  # CHAT-16
    form = {"display_name": "Unsaved", "context_tokens": "1"}
    page = as_root.post(f"/connections/models/{model.pk}/", form).content.decode()
    assert "<title>gpt-5-mini" in page


def test_a_context_size_that_nobody_told_is_called_assumed(as_root: Client, stored: Connection) -> None:  # CHAT-16
    told, untold = catalogue.add_models(stored, [ModelInfo("a", context_tokens=32_768), ModelInfo("b")])
    page = as_root.get(f"/connections/{stored.pk}/").content.decode()
    assert "32,768 tokens of context · tools" in page
    assert f'32,768 tokens of context assumed, <a href="/connections/models/{untold.pk}/">change</a>' in page
    assert "Empty: 32,768 are assumed." in as_root.get(f"/connections/models/{untold.pk}/").content.decode()
    for model, size, shown in ((untold, "8192", 8192), (told, "", 32_768)):
        as_root.post(f"/connections/models/{model.pk}/", {"enabled": "on", "context_tokens": size})
        model.refresh_from_db()
        assert model.context_size == shown
    page = as_root.get(f"/connections/{stored.pk}/").content.decode()
    assert "8,192 tokens of context<" in page
    assert f'assumed, <a href="/connections/models/{told.pk}/">' in page
