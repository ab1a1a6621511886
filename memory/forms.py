"""What people type about entries, checked."""

from datetime import datetime, time
from typing import Any, cast
from uuid import UUID

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from memory.entries import Content
from memory.expiry import YEARS, day_and_time, end_of
from memory.models import Entry, Kind, Tier
from memory.places import Place
from memory.safety import dangers

SCOPES = [("global", _("My global")), ("workspace", _("This workspace"))]
HERE, EVERYWHERE = ("", _("Here")), ("all", _("All my entries"))


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
            moment = end_of(day) if day else parse_datetime(given.replace(" ", "T"))
            if moment is None or moment.year not in YEARS:
                raise ValueError
            return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
        except (ValueError, OverflowError):
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None


class EntryForm(forms.Form):
    """An entry, new or changed. ``revision`` is that of the entry which its author saw.

    ``expires_time`` is for those who want an entry to end within the day; ``expires_at`` takes a time as well.
    ``overrides`` is the global entry whose place a new one takes in the workspace, ``message`` the message that it comes
    from. ``confirm_warning`` says that the warning about what it holds was read (LEARN-15).
    """

    text = forms.CharField(label=_("Text"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 2}))
    scope = forms.ChoiceField(label=_("Scope"), choices=SCOPES, required=False, widget=forms.RadioSelect)
    tier = forms.ChoiceField(label=_("Tier"), choices=Tier.choices, required=False, widget=forms.RadioSelect)
    topic = forms.CharField(label=_("Topic"), required=False, strip=False)
    kind = forms.ChoiceField(label=_("Kind"), choices=Kind.choices, required=False)
    expires_at = ExpiryField(label=_("Valid until"), required=False)
    expires_time = forms.TimeField(
        label=_("Time"), required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    pinned = forms.BooleanField(
        label=pgettext_lazy("an entry", "Pinned"), required=False, help_text=_("Learning can’t change or delete it.")
    )
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
                "pinned": entry.pinned,
                "revision": entry.revision,
                "scope": entry.scope,
            }
            if entry.expires_at:
                values["expires_at"], values["expires_time"] = day_and_time(entry.expires_at)
        options.setdefault("auto_id", f"entry-{entry.pk}-%s" if entry else "entry-new-%s")
        super().__init__(*args, **options, initial=values | (initial or {}))  # type: ignore[misc]
        self.fields["text"].widget.attrs["data-limit"] = settings.ADMINCHAT_MEMORY_TEXT_CHARACTERS
        self.fields["topic"].widget.attrs |= {
            "data-limit": settings.ADMINCHAT_MEMORY_TOPIC_CHARACTERS,
            "list": "topics-known",
            "autocomplete": "off",
        }
        self.place, self.entry = place, entry
        self.content = Content(text="")

    def _expiry(self, data: dict[str, Any]) -> datetime | None:
        """The moment that both fields name. What was left as it is shown stays as exact as it was."""
        moment: datetime | None = data.get("expires_at")
        within: time | None = data.get("expires_time")
        if moment is None:
            if within and "expires_at" not in self.errors:
                self.add_error("expires_at", ValidationError(_("Choose the day as well."), code="day_missing"))
            return None
        day, exact = day_and_time(moment)
        if within and not exact:
            moment = timezone.make_aware(datetime.combine(day, within))
        kept = self.entry.expires_at if self.entry else None
        if kept and day_and_time(kept) == day_and_time(moment):
            return kept
        if moment <= timezone.now():
            over = _("This is over already. Choose a later day, or leave it empty.")
            self.add_error("expires_at", ValidationError(over, code="past"))
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
            expires_at=self._expiry(data),
        )
        self.content = content.cleaned()
        found = dangers(f"{self.content.topic} {self.content.text}")
        if refused := [danger for danger in found if danger.is_refused]:
            self.add_error("text", [str(danger.label) for danger in refused])
        elif found and not data.get("confirm_warning"):
            self.add_error("confirm_warning", [str(danger.label) for danger in found])
        return data

    def rebase(self, newer: Entry) -> None:
        """Let what was typed be a change of this version, which its author is shown (ENTRY-30)."""
        self.data = {**dict(self.data.items()), "revision": newer.revision}

    @property
    def overridden(self) -> UUID | None:
        return self.cleaned_data.get("overrides")


class FilterForm(forms.Form):
    """Which entries are listed, and in which order. What is not understood counts as not chosen."""

    scope = forms.ChoiceField(
        label=_("Scope"),
        required=False,
        choices=[HERE, SCOPES[0], EVERYWHERE],
    )
    tier = forms.ChoiceField(label=_("Tier"), required=False, choices=[("", _("All tiers")), *Tier.choices])
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=[("", _("All kinds")), *Kind.choices])
    show = forms.ChoiceField(
        label=_("Show"),
        required=False,
        choices=[("", _("All")), ("pinned", pgettext_lazy("an entry", "Pinned")), ("stale", _("Expired or unused"))],
        widget=forms.RadioSelect,
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

    def __init__(self, *args: Any, place: Place | None, **options: Any) -> None:
        super().__init__(*args, **{"auto_id": "entry-filter-%s"} | options)
        if place and place.workspace:
            scope = cast("forms.ChoiceField", self.fields["scope"])
            scope.choices = [HERE, *SCOPES, EVERYWHERE]

    def chosen(self) -> dict[str, str]:
        self.is_valid()
        return {name: self.cleaned_data.get(name) or "" for name in self.fields}
