"""What people type about people, workspaces and themselves."""

from collections.abc import Iterable
from typing import Any, ClassVar
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib.auth import password_validation
from django.db.models import QuerySet
from django.utils.functional import lazy
from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import TenantPolicy, User, Workspace

LEARNING_LANGUAGES = [("en", _("English")), ("zh", _("Chinese"))]


def language_choices() -> list[tuple[str, str]]:
    """The interface languages, each in its own words."""
    return [(code, get_language_info(code)["name_local"]) for code, _name in settings.LANGUAGES]


def time_zone_choices() -> list[tuple[str, str]]:
    """The time zones that belong to a place, and UTC."""
    places = sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return [(name, name.replace("_", " ")) for name in ["UTC", *places]]


class NewPasswordMixin(forms.Form):
    """A password for somebody else: typed, or left empty to have one made."""

    password = forms.CharField(
        label=_("Password"),
        required=False,
        strip=False,
        max_length=128,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("Leave it empty to have one made. It is shown once."),
    )

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if password:
            password_validation.validate_password(password)
        return password


class NamesMixin(forms.ModelForm[User]):
    """Asks for the family name first in the languages that put it first."""

    def order_fields(self, field_order: Iterable[str] | None) -> None:
        super().order_fields(field_order)
        if (get_language() or "").startswith("zh"):
            swapped = {"first_name": "last_name", "last_name": "first_name"}
            super().order_fields([swapped.get(name, name) for name in self.fields])


class PersonCreateForm(NewPasswordMixin, NamesMixin):
    field_order = ("username", "first_name", "last_name", "role", "password")

    class Meta:
        model = User
        fields = ("username", "first_name", "last_name", "role")

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=username).exists():
            raise forms.ValidationError(_("This username is taken. Choose another one."))
        return username


class PersonForm(NamesMixin):
    """Another person's names and role. The role is written apart, since it is guarded."""

    class Meta:
        model = User
        fields = ("first_name", "last_name", "role")


class PasswordForm(NewPasswordMixin):
    pass


class WorkspaceForm(forms.ModelForm[Workspace]):
    class Meta:
        model = Workspace
        fields = ("name", "description")


class WorkspaceCreateForm(WorkspaceForm):
    join = forms.BooleanField(label=_("I am a member"), required=False, initial=True)


class PersonChoiceField(forms.ModelChoiceField[User]):
    def label_from_instance(self, obj: User) -> str:
        return obj.username if obj.shown_name == obj.username else f"{obj.shown_name} ({obj.username})"


class MemberForm(forms.Form):
    def __init__(self, *args: Any, candidates: QuerySet[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["person"] = PersonChoiceField(
            label=_("Person"), queryset=candidates, empty_label=_("Choose a person")
        )


class WorkspaceDeleteForm(forms.Form):
    """Deleting needs the name typed, so that it is never a slip of the hand."""

    name = forms.CharField(label=_("Type the name of the workspace"), widget=forms.TextInput({"autocomplete": "off"}))

    def __init__(self, *args: Any, workspace: Workspace, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.workspace = workspace

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.workspace.name:
            raise forms.ValidationError(_("This is not the name of the workspace. Nothing was deleted."))
        return name


class PolicyForm(forms.ModelForm[TenantPolicy]):
    learning_languages = forms.MultipleChoiceField(
        label=_("Learning languages"),
        choices=LEARNING_LANGUAGES,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Without one, nothing is learned."),
    )

    class Meta:
        model = TenantPolicy
        fields = (
            "mode_cap",
            "notes_allowed",
            "learning_languages",
            "extractor",
            "ask_first",
            "show_global_message",
            "activity_days",
            "temporary_hours",
            "archived_days",
        )


class SettingsForm(NamesMixin):
    """What a person sets for themselves."""

    language = forms.ChoiceField(label=_("Language"), required=False)
    time_zone = forms.ChoiceField(label=_("Time zone"), required=False)

    class Meta:
        model = User
        fields = ("first_name", "last_name", "language", "time_zone", "theme", "send_key")
        widgets: ClassVar = {"send_key": forms.RadioSelect, "theme": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        languages, zones = self.fields["language"], self.fields["time_zone"]
        assert isinstance(languages, forms.ChoiceField) and isinstance(zones, forms.ChoiceField)
        languages.choices = [("", _("As the browser asks for")), *language_choices()]
        zones.choices = [("", _("That of the site (%(zone)s)") % {"zone": settings.TIME_ZONE}), *time_zone_choices()]


class ThemeForm(forms.Form):
    theme = forms.ChoiceField(choices=User.Theme.choices)


class LanguageForm(forms.Form):
    language = forms.ChoiceField(choices=lazy(language_choices, list)())
