"""What people type about sessions and profiles, checked."""

from typing import Any, ClassVar, cast
from uuid import UUID, uuid4

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.utils.formats import number_format
from django.utils.functional import Promise, lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from adminchat.accounts.models import MemoryMode, User, Workspace
from adminchat.accounts.selectors import own_workspaces
from adminchat.connections.models import ChatModel
from adminchat.connections.selectors import default_model, usable_models
from chat import profiles, system_messages
from chat.models import Profile, Session
from chat.models.session import TITLE_LIMIT
from chat.sessions import Choices
from chat.texts import cleaned, is_blank, one_line
from memory.learning.availability import hindrance
from memory.safety import Danger, dangers

MODEL_UNAVAILABLE = _("This model is not available to you. Choose another one.")


def default_label(model: ChatModel | None) -> str:
    """What stands for no choice of a model: the ``model`` that it means."""
    return str(_("Default: %(model)s") % {"model": model.label} if model else _("No model yet"))


class MessageField(forms.CharField):
    """A message: 1 to ``ADMINCHAT_MESSAGE_LIMIT`` characters. Control characters are dropped, see ``chat.texts``."""

    widget = forms.Textarea(attrs={"rows": 3})
    default_error_messages: ClassVar = {"required": _("Write a message first.")}

    def __init__(self, **options: Any) -> None:
        super().__init__(label=_("Message"), strip=False, **options)

    def to_python(self, value: Any) -> str:
        """Raises ``ValidationError`` for a message that is too long, before any other work is done on it."""
        limit: int = settings.ADMINCHAT_MESSAGE_LIMIT
        text = str(value or "").replace("\r\n", "\n")
        if len(text) > limit:
            raise ValidationError(
                ngettext_lazy(
                    "Your message has %(length)s characters; at most %(limit)s are possible. "
                    "Shorten it or send it in parts.",
                    "Your message has %(length)s characters; at most %(limit)s are possible. "
                    "Shorten it or send it in parts.",
                    limit,
                )
                % {
                    "length": number_format(len(text), force_grouping=True),
                    "limit": number_format(limit, force_grouping=True),
                },
                code="max_length",
            )
        text = cleaned(text)
        return "" if is_blank(text) else text


class RequestIdField(forms.Field):
    """What makes a double click or a resend the same request; one that is missing or malformed is a new request."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(required=False)

    def clean(self, value: Any) -> UUID:
        try:
            return UUID(str(value))
        except ValueError:
            return uuid4()


class MessageForm(forms.Form):
    """A message within a session, new or edited."""

    message = MessageField()
    request_id = RequestIdField()


class RegenerateForm(forms.Form):
    """Another reply: by which of ``models``, and how many replies the page showed when it was asked for."""

    model = forms.ModelChoiceField(
        ChatModel.objects.none(),
        required=False,
        error_messages={"invalid_choice": MODEL_UNAVAILABLE},
    )
    version = forms.IntegerField(required=False, min_value=0, max_value=100_000)

    def __init__(self, *args: Any, models: QuerySet[ChatModel], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["model"].queryset = models  # type: ignore[attr-defined]


class SwitchInput(forms.CheckboxInput):
    """A check box that also says ``off``, so that a field that is absent can mean the default."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        box = super().render(name, value, attrs, renderer)
        return format_html('<input type="hidden" name="{}" value="off">{}', name, box)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return data.get(name)


class SwitchField(forms.Field):
    """``on``, ``off``, or absent, which is None."""

    widget = SwitchInput(check_test=lambda value: value in (True, "on"))
    default_error_messages: ClassVar = {"invalid": _("Choose on or off.")}

    def to_python(self, value: Any) -> bool | None:
        if value in (None, ""):
            return None
        if value not in ("on", "off"):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return bool(value == "on")


class ModelField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """One of the models that ``user`` may use; a ``current`` one that has become unusable stays selectable.

    None of them means the ``default``, by default the one that the user's sessions start with.
    """

    def __init__(
        self,
        user: User,
        *,
        workspace: Workspace | None = None,
        current: UUID | None = None,
        default: ChatModel | None = None,
    ) -> None:
        usable = usable_models(user, workspace)
        models = ChatModel.objects.filter(Q(pk__in=usable.values("pk")) | Q(pk=current)) if current else usable
        super().__init__(
            models,
            label=_("Model"),
            required=False,
            empty_label=lazy(lambda: default_label(default or default_model(user, workspace)), str)(),  # when shown,
            error_messages={"invalid_choice": MODEL_UNAVAILABLE},
        )


class MemoryModeSelect(forms.RadioSelect):
    """The memory modes. Learn can't be chosen while there is nothing to learn with; where it was, it stays (ENTRY-4)."""

    hindrance: str | Promise = ""

    def create_option(self, *args: Any, **options: Any) -> dict[str, Any]:
        option = super().create_option(*args, **options)
        if option["value"] == MemoryMode.LEARN and not option["selected"] and self.hindrance:
            option["attrs"]["disabled"] = True
            option["attrs"]["title"] = self.hindrance
        return option


class LauncherForm(forms.Form):
    """A first message and the choices for the session that it starts (CHAT-1). Absent means the default."""

    message = MessageField()
    request_id = RequestIdField()
    memory_mode = forms.ChoiceField(
        label=_("Memory"),
        required=False,
        choices=MemoryMode.choices,
        widget=MemoryModeSelect,
        error_messages={"invalid_choice": _("Choose one of the memory modes.")},
    )
    notes = SwitchField(label=_("Notes"), required=False)
    temporary = SwitchField(label=_("Temporary"), required=False)

    def __init__(self, user: User, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user = user
        profile = self.initial.get("profile")
        model = (profile.model if profile else None) or default_model(user)
        cast(MemoryModeSelect, self.fields["memory_mode"].widget).hindrance = hindrance(user, model)
        self.fields["model"] = ModelField(user, default=profile.model if profile else None)
        self.fields["profile"] = forms.ModelChoiceField(
            profiles.available(user),
            label=_("Profile"),
            required=False,
            empty_label=_("No profile"),
            error_messages={"invalid_choice": _("This profile is not available to you. Choose another one.")},
        )
        self.fields["workspace"] = forms.ModelChoiceField(
            own_workspaces(user),
            label=_("Workspace"),
            required=False,
            empty_label=_("No workspace"),
            error_messages={"invalid_choice": _("You are not a member of this workspace. Choose another one.")},
        )

    def clean(self) -> dict[str, Any]:
        """A model that only members of other workspaces may use is refused."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        workspace, profile = data.get("workspace"), data.get("profile")
        model = data.get("model") or (profile.model if profile else None)
        if model and not usable_models(self.user, workspace).filter(pk=model.pk).exists():
            self.add_error(
                "model",
                _("This model is not available in this workspace. Choose another one.")
                if workspace
                else MODEL_UNAVAILABLE,
            )
        return data

    def choices(self) -> Choices:
        data = self.cleaned_data
        return Choices(
            memory_mode=data["memory_mode"] or None,
            notes=data["notes"],
            model=data["model"],
            profile=data["profile"],
            workspace=data["workspace"],
            temporary=bool(data["temporary"]),
            offered=frozenset(self.data),
        )


class LineField(forms.CharField):
    """One line: inner line breaks and control characters become spaces; one of which nothing can be seen is empty."""

    def to_python(self, value: Any) -> str:
        line = one_line(super().to_python(value) or "")
        return "" if is_blank(line) else line


class RenameForm(forms.Form):
    title = LineField(
        label=_("Title"),
        max_length=TITLE_LIMIT,
        error_messages={"required": _("A chat needs a title.")},
    )


class SessionSettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """What holds from the session's next turn (CHAT-15)."""

    class Meta:
        model = Session
        fields = (
            "memory_mode",
            "notes",
            "model",
            "temperature",
            "max_tokens",
            "flush_before_compaction",
        )
        widgets: ClassVar = {
            "memory_mode": MemoryModeSelect,
            "temperature": forms.NumberInput(attrs={"min": 0, "max": 2, "step": 0.1}),
        }
        help_texts: ClassVar = {
            "temperature": _("From 0 (steady) to 2 (varied). Empty leaves it to the profile or the model."),
            "max_tokens": _("Empty leaves it to the model."),
        }

    def __init__(self, user: User, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["model"] = ModelField(user, workspace=self.instance.workspace, current=self.instance.model_id)
        model = self.instance.model or default_model(user, self.instance.workspace)
        mode = cast(MemoryModeSelect, self.fields["memory_mode"].widget)
        mode.hindrance = hindrance(user, model, self.instance.workspace)
        self.fields["memory_mode"].show_hidden_initial = True  # what was not touched stays as others set it meanwhile
        if self.instance.temporary:
            self.fields["memory_mode"].disabled = self.fields["notes"].disabled = True


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """A preset. ``shared`` is asked of super administrators when they make one: it becomes the tenant's."""

    shared = forms.BooleanField(label=_("For everyone"), required=False)
    name = LineField(label=_("Name"), max_length=60)
    description = LineField(label=_("Description"), max_length=200, required=False)

    class Meta:
        model = Profile
        fields = (
            "name",
            "description",
            "model",
            "instructions",
            "temperature",
            "memory_default",
            "memory_cap",
            "notes",
        )
        widgets: ClassVar = {
            "instructions": forms.Textarea(attrs={"rows": 6}),
            "temperature": forms.NumberInput(attrs={"min": 0, "max": 2, "step": 0.1}),
            "memory_default": forms.RadioSelect,
            "memory_cap": forms.RadioSelect,
        }
        help_texts: ClassVar = {
            "instructions": _("Standing instructions that every chat with this profile gives to the model."),
            "temperature": _("From 0 (steady) to 2 (varied). Empty leaves it to the model."),
        }

    def __init__(self, user: User, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user = user
        self.fields["model"] = ModelField(user, current=self.instance.model_id)
        if not user.is_super_admin or not self.is_new:
            del self.fields["shared"]

    @property
    def is_new(self) -> bool:
        return bool(self.instance._state.adding)

    @property
    def is_shared(self) -> bool:
        """Whether the profile is, or is going to be, the tenant's."""
        if self.is_new:
            return bool(self.cleaned_data.get("shared"))
        return self.instance.owner_id is None

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        default, cap = data.get("memory_default"), data.get("memory_cap")
        if default and self.is_shared and default == MemoryMode.LEARN:
            self.add_error(
                "memory_default",
                _("A default for others may be at most Read only: Learn is always a person’s own choice."),
            )
        elif default and cap and MemoryMode.capped(default, cap) != default:
            self.add_error(
                "memory_default",
                _("This is above the highest memory mode of the profile."),
            )
        name = data.get("name")
        if name and profiles.name_taken(self.user, name, shared=self.is_shared, except_for=self.instance.pk):
            self.add_name_taken()
        return data

    def add_name_taken(self) -> None:
        self.add_error("name", _("There is a profile of this name already. Choose another name."))


class RevisionForm(forms.Form):
    """Which version its author took for the newest."""

    revision = forms.IntegerField(min_value=0, required=False)


class SystemMessageForm(forms.Form):
    """A SystemMessage, with the revision that its author saw.

    ``confirm_warning`` says that its author has read the warning about what it holds (LEARN-15).
    """

    text = forms.CharField(required=False, strip=False, widget=forms.Textarea(attrs={"rows": 10}))
    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    confirm_warning = forms.BooleanField(label=_("Save it all the same"), required=False)

    @property
    def limit(self) -> int:
        return int(settings.ADMINCHAT_SYSTEM_MESSAGE_CHARACTERS)

    def clean_text(self) -> str:
        if "text" not in self.data:
            raise ValidationError(_("Write the text, or leave it empty to have none."), code="required")
        return system_messages.cleaned(self.cleaned_data["text"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        found = [
            danger for danger in dangers(data.get("text", "")) if danger is not Danger.ORDER
        ]  # they are meant as such
        if refused := [danger for danger in found if danger.is_refused]:
            self.add_error("text", [str(danger.label) for danger in refused])
        elif found and not data.get("confirm_warning"):
            self.add_error("confirm_warning", ValidationError([str(danger.label) for danger in found], code="warning"))
        return data


class GlobalSystemMessageForm(SystemMessageForm):
    announce = forms.BooleanField(label=_("Tell everybody that it changed"), required=False)
