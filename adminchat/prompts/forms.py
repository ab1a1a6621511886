"""What super administrators type about prompts, checked (PROMPT-1, PROMPT-2)."""

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from adminchat.accounts.models import User
from adminchat.connections.models import ChatModel
from adminchat.connections.selectors import models
from adminchat.prompts.codes import Code, Step
from adminchat.prompts.models import STOP_LENGTH, STOP_LIMIT, PromptVersion
from adminchat.prompts.versions import Content

_UNESCAPED = {"n": "\n", "\\": "\\"}

STEPS = {
    Step.AIMING: _("Another attempt at the same tactic"),
    Step.BRANCH: _("A branch of the tactic"),
    Step.TACTIC: _("A new tactic"),
}


class ModelChoice(forms.ModelChoiceField[ChatModel]):
    """The models of the tenant, each with its connection."""

    def label_from_instance(self, obj: ChatModel) -> str:
        return f"{obj.connection} · {obj.label}"


class StopField(forms.CharField):
    """Stop sequences, one in a line, each as ``escaped``."""

    widget = forms.Textarea(attrs={"rows": 2, "spellcheck": "false", "class": "code"})

    def prepare_value(self, value: Any) -> Any:
        return escaped(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        lines = super().clean(value).replace("\r\n", "\n").split("\n")
        found = [re.sub(r"\\([n\\])", lambda found: _UNESCAPED[found[1]], line) for line in lines if line.strip()]
        if len(found) > STOP_LIMIT:
            raise ValidationError(
                ngettext_lazy("At most %(count)d is possible.", "At most %(count)d are possible.", STOP_LIMIT)
                % {"count": STOP_LIMIT}
            )
        if any(len(each) > STOP_LENGTH for each in found):
            raise ValidationError(_("One is longer than %(limit)d characters.") % {"limit": STOP_LENGTH})
        return found


class VersionForm(forms.ModelForm[PromptVersion]):
    """What a version holds; for a new one also how it follows the one that it is made from."""

    step = forms.ChoiceField(label=_("What it is"), widget=forms.RadioSelect)
    model = ModelChoice(
        label=_("Model"),
        queryset=ChatModel.objects.none(),
        required=False,
        empty_label=_("The chat’s own"),
        help_text=_("With a model of its own, it is this one that reads what people write, whichever they chat with."),
    )
    stop = StopField(
        label=_("Stop sequences"),
        required=False,
        strip=False,
        max_length=STOP_LIMIT * 4 * STOP_LENGTH,
        help_text=_("One in a line. The answer ends before any of them. Write \\n for a line break."),
    )

    class Meta:
        model = PromptVersion
        fields = ("step", "text", "model", "temperature", "top_p", "max_tokens", "stop", "note")
        widgets: ClassVar = {"text": forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "class": "code"})}
        help_texts: ClassVar = {
            "temperature": _("0 always gives the likeliest words. Empty: as the model has it."),
            "top_p": _(
                "Leaves unlikely words out: .9 keeps the likeliest that make up 90 %. Empty: as the model has it."
            ),
            "max_tokens": _("Models that think before they write need room for that, too."),
            "note": _("What you tried, for those who come after you."),
        }

    def __init__(self, *args: Any, actor: User, codes: dict[Step, Code] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice, step = self.fields["model"], self.fields["step"]
        assert isinstance(choice, forms.ModelChoiceField) and isinstance(step, forms.ChoiceField)
        offered = Q(enabled=True, connection__enabled=True) | Q(pk__in=[self.instance.model_id])
        choice.queryset = models(actor).filter(offered).order_by("connection__name", "name")
        if codes and len(codes) > 1:
            step.choices = [(each.value, f"{STEPS[each]} · {code}") for each, code in codes.items()]
            step.initial = next(iter(codes)).value
        else:
            del self.fields["step"]

    def clean_text(self) -> str:
        return plain_lines(self.cleaned_data["text"])

    def content(self) -> Content:
        """What was typed, after it was found valid."""
        names = ("text", "model", "temperature", "top_p", "max_tokens", "note")
        return Content(**{name: self.cleaned_data[name] for name in names}, stop=tuple(self.cleaned_data["stop"]))

    def step_among(self, steps: Iterable[Step]) -> Step:
        """The step that was chosen, or the only one."""
        return Step(self.cleaned_data["step"]) if "step" in self.fields else next(iter(steps))


class ImportForm(forms.Form):
    """A file with prompts; afterwards what was in it, with the consent to add it."""

    file = forms.FileField(
        label=_("File"), required=False, widget=forms.FileInput(attrs={"accept": ".json,application/json"})
    )
    document = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
    confirm = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not data.get("file") and not data.get("document") and not self.errors:
            self.add_error("file", _("Choose a file."))
        return data


def escaped(stop: Iterable[str]) -> str:
    """Stop sequences as they are typed: one in a line, with ``\\n`` for a line break and ``\\\\`` for a backslash."""
    return "\n".join(each.replace("\\", "\\\\").replace("\n", "\\n") for each in stop)


def plain_lines(text: str) -> str:
    """``text`` with plain line feeds, as it is stored."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
