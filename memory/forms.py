"""What people type about entries, checked."""

from datetime import datetime, time, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext_lazy as _

from memory.entries import Content
from memory.models import Entry, Kind, Tier
from memory.places import Place
from memory.safety import dangers

SCOPES = [("global", _("My global")), ("workspace", _("This workspace"))]


class ExpiryField(forms.Field):
    """A date, which ends with that day, or a date and time; in the account's time zone (ENTRY-7)."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    default_error_messages = {
        "invalid": _("Write a date like 2027-03-31, or with a time like 2027-03-31T18:00."),
    }

    def to_python(self, value: Any) -> datetime | None:
        given = str(value or "").strip()
        if not given:
            return None
        try:
            day = parse_date(given)
            if day:
                return timezone.make_aware(datetime.combine(day + timedelta(days=1), time()))
            moment = parse_datetime(given.replace(" ", "T"))
            if moment is None:
                raise ValueError
            return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
        except (ValueError, OverflowError):
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None

    def prepare_value(self, value: Any) -> Any:
        """The last day of validity where it ends with that day, else the moment."""
        if not isinstance(value, datetime):
            return value
        local = timezone.localtime(value)
        if local.time() == time():
            return (local.date() - timedelta(days=1)).isoformat()
        return local.strftime("%Y-%m-%dT%H:%M")


class EntryForm(forms.Form):
    """An entry, new or changed. ``revision`` is that of the entry which its author saw.

    ``overrides`` is the global entry whose place a new one takes in the workspace, ``message`` the message that it comes
    from. ``confirm_warning`` says that the warning about what it holds was read (LEARN-15).
    """

    text = forms.CharField(label=_("Text"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 3}))
    scope = forms.ChoiceField(label=_("Scope"), choices=SCOPES, required=False, widget=forms.RadioSelect)
    tier = forms.ChoiceField(label=_("Tier"), choices=Tier.choices, required=False, widget=forms.RadioSelect)
    topic = forms.CharField(label=_("Topic"), required=False, strip=False)
    kind = forms.ChoiceField(label=_("Kind"), choices=Kind.choices, required=False)
    expires_at = ExpiryField(label=_("Valid until"), required=False)
    pinned = forms.BooleanField(label=_("Pinned"), required=False, help_text=_("Learning can’t change or delete it."))
    revision = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    overrides = forms.UUIDField(required=False, widget=forms.HiddenInput)
    message = forms.UUIDField(required=False, widget=forms.HiddenInput)
    confirm_warning = forms.BooleanField(label=_("Save it all the same"), required=False)

    def __init__(
        self,
        *args: Any,
        place: Place | None,
        entry: Entry | None = None,
        initial: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        values: dict[str, Any] = {"tier": Tier.CORE, "kind": Kind.PREFERENCE, "scope": "global"}
        if entry:
            values = {
                "text": entry.text,
                "tier": entry.tier,
                "topic": entry.topic,
                "kind": entry.kind,
                "expires_at": entry.expires_at,
                "pinned": entry.pinned,
                "revision": entry.revision,
                "scope": entry.scope,
            }
        super().__init__(*args, **options, initial=values | (initial or {}))  # type: ignore[misc]
        self.place, self.entry = place, entry
        self.content = Content(text="")

    def clean_expires_at(self) -> datetime | None:
        moment: datetime | None = self.cleaned_data["expires_at"]
        if moment and moment <= timezone.now() and not (self.entry and self.entry.expires_at == moment):
            raise ValidationError(_("This is over already. Choose a later day, or leave it empty."), code="past")
        return moment

    def clean_scope(self) -> str:
        scope: str = self.cleaned_data["scope"] or "global"
        if not self.entry and scope == "workspace" and not (self.place and self.place.workspace):
            raise ValidationError(
                _("Entries of a workspace can be added only from a chat in that workspace."), code="no_workspace"
            )
        return scope

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        content = Content(
            text=data.get("text", ""),
            tier=data.get("tier") or Tier.CORE,
            topic=data.get("topic", ""),
            kind=data.get("kind") or Kind.PREFERENCE,
            pinned=bool(data.get("pinned")),
            expires_at=data.get("expires_at"),
        )
        self.content = content.cleaned()
        found = dangers(f"{self.content.topic} {self.content.text}")
        if refused := [danger for danger in found if danger.is_refused]:
            self.add_error("text", [str(danger.label) for danger in refused])
        elif found and not data.get("confirm_warning"):
            self.add_error("confirm_warning", [str(danger.label) for danger in found])
        return data

    @property
    def overridden(self) -> UUID | None:
        return self.cleaned_data.get("overrides")


class FilterForm(forms.Form):
    """Which entries are listed, and in which order. What is not understood counts as not chosen."""

    scope = forms.ChoiceField(
        label=_("Scope"),
        required=False,
        choices=[("", _("Here")), *SCOPES, ("all", _("All my entries"))],
    )
    tier = forms.ChoiceField(label=_("Tier"), required=False, choices=[("", _("All tiers")), *Tier.choices])
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=[("", _("All kinds")), *Kind.choices])
    show = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("All")), ("pinned", _("Pinned")), ("stale", _("Expired or unused"))],
    )
    sort = forms.ChoiceField(
        label=_("Order"),
        required=False,
        choices=[
            ("", _("Last changed first")),
            ("oldest", _("Oldest first")),
            ("topic", _("By topic")),
            ("text", _("By text")),
        ],
    )
    q = forms.CharField(label=_("Search in entries"), required=False, max_length=300)

    def chosen(self) -> dict[str, str]:
        self.is_valid()
        return {name: self.cleaned_data.get(name) or "" for name in self.fields}
