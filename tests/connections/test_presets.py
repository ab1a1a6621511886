import pytest
from django.utils import translation
from pytest_django import Settings

from adminchat.accounts.models import Tenant
from adminchat.connections import catalogue
from adminchat.connections.endpoints import endpoint_of
from adminchat.connections.models import BUILT_IN_LABEL, BUILT_IN_NAME, ChatModel, Connection
from adminchat.connections.presets import sync_presets
from adminchat.providers.base import Endpoint
from adminchat.providers.built_in import MODEL_NAME
from adminchat.providers.openai import OpenAIProvider
from tests.factories import ChatModelFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def preset(settings: Settings) -> Settings:
    settings.ADMINCHAT_MODEL_KIND = "openai"
    settings.ADMINCHAT_MODEL_BASE_URL = "http://10.0.0.5/v1"
    settings.ADMINCHAT_MODEL_API_KEY = "sk-operator"
    settings.ADMINCHAT_MODEL_NAME = "qwen3"
    settings.ADMINCHAT_LOCAL_MODEL_URL = ""
    return settings


@pytest.fixture
def local(settings: Settings) -> Settings:
    settings.ADMINCHAT_MODEL_NAME = ""
    settings.ADMINCHAT_LOCAL_MODEL_URL = "http://127.0.0.1:40001/v1"
    return settings


def default_of(tenant: Tenant) -> ChatModel:
    return ChatModel.objects.get(connection__tenant=tenant, is_default=True)


def test_preset_becomes_the_default_and_is_trusted(tenant: Tenant, preset: Settings) -> None:  # CHAT-17, CHAT-20
    sync_presets(tenant)
    endpoint = endpoint_of(default_of(tenant).connection)
    assert default_of(tenant).name == "qwen3"
    assert (endpoint.base_url, endpoint.api_key, endpoint.trusted) == ("http://10.0.0.5/v1", "sk-operator", True)


def test_connection_of_the_browser_is_not_trusted(tenant: Tenant) -> None:  # CHAT-20
    connection = Connection(tenant=tenant, kind="openai", base_url="http://10.0.0.5/v1")
    assert not endpoint_of(connection).trusted


def test_syncing_again_changes_nothing(tenant: Tenant, preset: Settings, local: Settings) -> None:  # CHAT-17
    preset.ADMINCHAT_MODEL_NAME = "qwen3"
    sync_presets(tenant)
    before = list(ChatModel.objects.order_by("pk").values())
    sync_presets(tenant)
    assert list(ChatModel.objects.order_by("pk").values()) == before
    assert Connection.objects.count() == 2


def test_choice_made_in_the_browser_survives_a_restart(tenant: Tenant, preset: Settings) -> None:  # CHAT-17
    sync_presets(tenant)
    chosen = ChatModelFactory.create(connection__tenant=tenant, connection__origin="browser")
    catalogue.make_default(chosen)
    sync_presets(tenant)
    assert default_of(tenant) == chosen


def test_changed_environment_is_followed(tenant: Tenant, preset: Settings) -> None:  # CHAT-17
    sync_presets(tenant)
    preset.ADMINCHAT_MODEL_NAME, preset.ADMINCHAT_MODEL_API_KEY = "qwen4", "sk-rotated"
    sync_presets(tenant)
    connection = Connection.objects.get(origin="preset")
    assert connection.api_key == "sk-rotated"
    assert default_of(tenant).name == "qwen4"
    assert [model.name for model in connection.models.filter(enabled=True)] == ["qwen4"]


def test_what_is_no_longer_preset_is_off_and_comes_back(tenant: Tenant, preset: Settings) -> None:  # CHAT-17
    sync_presets(tenant)
    preset.ADMINCHAT_MODEL_NAME = ""
    sync_presets(tenant)
    assert not Connection.objects.get(origin="preset").enabled
    preset.ADMINCHAT_MODEL_NAME = "qwen3"
    sync_presets(tenant)
    assert Connection.objects.get(origin="preset").enabled


def test_built_in_model_is_labelled_and_the_default_of_a_fresh_tenant(  # CHAT-18, OPS-2
    tenant: Tenant, local: Settings
) -> None:
    sync_presets(tenant)
    model = default_of(tenant)
    assert (model.name, model.label, model.takes_tools) == (MODEL_NAME, BUILT_IN_LABEL, False)
    assert endpoint_of(model.connection).kind == "local"


def test_built_in_model_does_not_displace_a_default(tenant: Tenant, local: Settings) -> None:  # CHAT-18
    chosen = ChatModelFactory.create(connection__tenant=tenant, connection__origin="browser", is_default=True)
    sync_presets(tenant)
    assert default_of(tenant) == chosen


def test_name_taken_in_the_browser_is_left_alone(tenant: Tenant, preset: Settings) -> None:  # CHAT-17
    Connection.objects.create(tenant=tenant, kind="openai", name="Preset")
    sync_presets(tenant)
    assert Connection.objects.get(origin="preset").name == "Preset 2"


def test_presets_of_one_tenant_leave_others_alone(tenant: Tenant, preset: Settings, carol: object) -> None:  # SEC-1
    sync_presets(tenant)
    assert set(Connection.objects.values_list("tenant", flat=True)) == {tenant.pk}


def test_local_preset_without_an_address_is_the_built_in_model_and_never_a_vendors(  # OPS-2, CHAT-18
    tenant: Tenant, local: Settings
) -> None:
    local.ADMINCHAT_MODEL_KIND, local.ADMINCHAT_MODEL_BASE_URL, local.ADMINCHAT_MODEL_NAME = "local", "", "smollm"
    sync_presets(tenant)
    assert set(Connection.objects.values_list("origin", "base_url")) == {("built_in", "http://127.0.0.1:40001/v1")}
    with pytest.raises(ValueError, match="no address"):
        OpenAIProvider(Endpoint(kind="local", base_url="", api_key="", trusted=True))


def test_what_adminchat_named_is_named_in_the_readers_language(tenant: Tenant, preset: Settings) -> None:  # I18N-1
    preset.ADMINCHAT_LOCAL_MODEL_URL = "http://127.0.0.1:40001/v1"
    sync_presets(tenant)
    with translation.override("zh-hans"):
        names = {str(connection) for connection in Connection.objects.all()}
        assert names == {"预置连接", "内置模型"}
        assert str(Connection(name=BUILT_IN_NAME, origin="browser")) == BUILT_IN_NAME, "what people named stays"
        assert ChatModel.objects.get(name=MODEL_NAME).label == "SmolLM2（英文演示）"
