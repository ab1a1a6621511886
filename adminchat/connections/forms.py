"""What super administrators type about connections and models (CHAT-16, CHAT-20)."""

import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, ClassVar

from django import forms
from django.core import signing
from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import Workspace
from adminchat.connections.endpoints import allowed_private_hosts, receiver
from adminchat.connections.models import ASSUMED_CONTEXT_TOKENS, ChatModel, Connection
from adminchat.lib.netguard import AddressRefused, Refusal, check_url
from adminchat.providers.base import ModelInfo

KINDS = [(kind.value, kind.label) for kind in (Connection.Kind.OPENAI, Connection.Kind.ANTHROPIC)]

OFFER_SECONDS = 3600
MODEL_NAME_LIMIT = 200  # characters
_SALT = "adminchat.connections.offered"

REFUSALS = {
    Refusal.NOT_HTTP: _("The address must begin with https:// or http://."),
    Refusal.CREDENTIALS: _("Leave username and password out of the address; the key has a field of its own."),
    Refusal.MALFORMED: _("This is not a complete address. It looks like https://api.example.com/v1."),
    Refusal.FORBIDDEN: _("This address is never allowed: it belongs to the network’s own machinery."),
    Refusal.PRIVATE: _(
        "This address is in a private network. The operator can allow it with ADMINCHAT_ALLOWED_PRIVATE_HOSTS."
    ),
}


class ConnectionForm(forms.ModelForm[Connection]):
    """A connection as it is added or edited in the browser. The stored key is never part of it."""

    kind = forms.ChoiceField(label=_("Kind"), choices=KINDS, widget=forms.RadioSelect)
    base_url = forms.CharField(
        label=_("Base URL"),
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "For example https://api.deepseek.com/v1 or http://localhost:11434/v1. Empty is the vendor’s own: OpenAI or"
            " Anthropic."
        ),
    )
    # What was just typed is shown again beside an error, so that nothing is lost; the stored key never is.
    new_key = forms.CharField(
        label=_("Key"),
        required=False,
        max_length=1000,
        widget=forms.PasswordInput(render_value=True, attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    remove_key = forms.BooleanField(label=_("Remove the stored key"), required=False)

    class Meta:
        model = Connection
        fields = ("name", "kind", "base_url", "enabled", "allows_memory", "audience", "workspaces")
        widgets: ClassVar = {"audience": forms.RadioSelect, "workspaces": forms.CheckboxSelectMultiple}

    field_order: tuple[str, ...] = (
        "name",
        "kind",
        "base_url",
        "new_key",
        "remove_key",
        "enabled",
        "allows_memory",
        "audience",
        "workspaces",
    )

    def __init__(self, *args: Any, workspaces: QuerySet[Workspace], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored = Connection.objects.defer("api_key").filter(pk=self.instance.pk).first()
        self.key_state = self.stored.key_state if self.stored else "none"
        choice = self.fields["workspaces"]
        assert isinstance(choice, forms.ModelMultipleChoiceField)
        choice.queryset = workspaces
        if not workspaces:
            del self.fields["workspaces"]
            audience = self.fields["audience"]
            assert isinstance(audience, forms.ChoiceField)
            audience.choices = [
                choice for choice in Connection.Audience.choices if choice[0] != Connection.Audience.WORKSPACES
            ]
        if self.stored and self.stored.origin != Connection.Origin.BROWSER:
            for name in set(self.fields) - {"allows_memory", "audience", "workspaces"}:
                del self.fields[name]
        elif self.key_state == "stored":
            self.fields["new_key"].help_text = _("A key is stored. Leave this empty to keep it.")
        elif self.key_state == "unreadable":
            self.fields["new_key"].help_text = _("The stored key can’t be read; type it again.")
        else:
            self.fields["new_key"].help_text = _("It is stored encrypted and never shown again.")
            self.fields.pop("remove_key")

    def clean_base_url(self) -> str:
        url: str = self.cleaned_data["base_url"]
        if url:
            try:
                check_url(url, allowed_private_hosts())
            except AddressRefused as refused:
                raise forms.ValidationError(REFUSALS[refused.reason]) from None
        return url

    def clean_new_key(self) -> str:
        key: str = self.cleaned_data["new_key"]
        if not re.fullmatch(r"[!-~]*", key):
            raise forms.ValidationError(_("A key has only letters, digits and signs, without spaces. Copy it again."))
        return key

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("audience") == Connection.Audience.WORKSPACES and not data.get("workspaces"):
            self.add_error("workspaces", _("Choose at least one workspace."))
        if data.get("new_key") and data.get("remove_key"):
            self.add_error("remove_key", _("You typed a new key. Either keep that or remove the key."))
        if self._would_send_stored_key_elsewhere(data):
            self.add_error(
                "new_key", _("The address has changed. Type the key again, so that it goes nowhere unasked.")
            )
        return data

    def save(self, commit: bool = True) -> Connection:
        if self.cleaned_data.get("new_key"):
            self.instance.api_key = self.cleaned_data["new_key"]
        elif self.cleaned_data.get("remove_key"):
            self.instance.api_key = ""
        return super().save(commit)

    def _would_send_stored_key_elsewhere(self, data: dict[str, Any]) -> bool:
        if self.stored is None or self.key_state == "none" or data.get("new_key") or data.get("remove_key"):
            return False
        if "kind" not in data or "base_url" not in data:
            return False
        return receiver(self.stored.kind, self.stored.base_url) != receiver(data["kind"], data["base_url"])


class ConnectionCreateForm(ConnectionForm):
    """A new connection, with the first model where its name is known."""

    model = forms.CharField(
        label=_("Model"),
        required=False,
        max_length=MODEL_NAME_LIMIT,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "The name that the service uses, for example gpt-5-mini. You can also fetch the models afterwards."
        ),
    )

    field_order: tuple[str, ...] = (
        "name",
        "kind",
        "base_url",
        "new_key",
        "model",
        "enabled",
        "allows_memory",
        "audience",
        "workspaces",
    )


class ModelForm(forms.ModelForm[ChatModel]):
    """How a model is shown, what it can do and what it costs."""

    class Meta:
        model = ChatModel
        fields = (
            "display_name",
            "enabled",
            "context_tokens",
            "takes_images",
            "takes_tools",
            "input_price",
            "output_price",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["context_tokens"].help_text = _(
            "How much the model can read at once; the service’s description says it. Empty: %(tokens)s are assumed. "
            "Where it is less, long chats may fail; where it is more, old messages are left out too early."
        ) % {"tokens": number_format(ASSUMED_CONTEXT_TOKENS, force_grouping=True)}
        for name in ("input_price", "output_price"):
            self.fields[name].validators.append(_not_negative)
            self.fields[name].widget.attrs["min"] = 0
        if self.instance.connection.origin != Connection.Origin.BROWSER:
            del self.fields["enabled"]


class OfferedModels(forms.Field):
    """Check boxes whose values carry, signed, what the endpoint said about each model."""

    widget = forms.CheckboxSelectMultiple

    def clean(self, value: list[str] | None) -> list[ModelInfo]:
        try:
            return [ModelInfo(**signing.loads(signed, salt=_SALT, max_age=OFFER_SECONDS)) for signed in value or []]
        except signing.BadSignature:
            raise forms.ValidationError(_("This list is too old. Fetch the models again.")) from None


class AddModelsForm(forms.Form):
    """Models to offer: typed, or ticked in the list that the endpoint gave."""

    name = forms.CharField(
        label=_("Model name"),
        required=False,
        max_length=MODEL_NAME_LIMIT,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    found = OfferedModels(label=_("Models that the service offers"), required=False)

    def __init__(self, *args: Any, offered: Iterable[ModelInfo] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        widget = self.fields["found"].widget
        assert isinstance(widget, forms.CheckboxSelectMultiple)
        widget.choices = [(signing.dumps(asdict(info), salt=_SALT), info.display_name or info.name) for info in offered]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not data.get("name") and not data.get("found") and not self.errors:
            self.add_error("name", _("Type the name of a model, or fetch the list and choose some."))
        return data

    def models(self) -> list[ModelInfo]:
        """What was chosen, the typed one first."""
        typed = [ModelInfo(name=self.cleaned_data["name"])] if self.cleaned_data["name"] else []
        return [*typed, *self.cleaned_data["found"]]


def _not_negative(price: Any) -> None:
    if price is not None and price < 0:
        raise forms.ValidationError(_("A price cannot be negative."))
