"""Rules for passwords beyond Django's own."""

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class LengthValidator(MinimumLengthValidator):
    """Django's, whose refusal exists in English only."""

    def get_error_message(self) -> str:
        return ngettext(
            "This password is too short. It must contain at least %(count)d character.",
            "This password is too short. It must contain at least %(count)d characters.",
            self.min_length,
        ) % {"count": self.min_length}
