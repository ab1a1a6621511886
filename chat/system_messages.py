"""Standing instructions: My and Global SystemMessage (chapter 05). The only reads and writes of them."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from adminchat.accounts.models import User
from adminchat.accounts.policies import policy_for
from adminchat.lib.encryption import DecryptionError, read
from chat.models import ChatPreferences, GlobalSystemMessage, MySystemMessage
from chat.profiles import preferred
from memory.texts import LINE_BREAK, has_hidden_characters


@dataclass(frozen=True)
class Standing:
    """A text in force, and the revision that a change of it has to name; 0 where there never was one.

    One that no key can read comes as "", to be replaced.
    """

    text: str
    revision: int
    changed_at: datetime | None = None
    is_readable: bool = True


class Unreadable(Exception):
    """A stored SystemMessage can't be decrypted. A turn without it would not be what was ordered; so there is none."""


class Outdated(Exception):
    """The text was changed since its author saw it; ``current`` is the newer one (SYS-8)."""

    def __init__(self, current: Standing) -> None:
        super().__init__()
        self.current = current


def cleaned(text: str) -> str:
    """Return ``text`` as it is stored: NFC, trimmed, with plain line feeds. Raises ``ValidationError`` (SYS-3)."""
    limit = settings.ADMINCHAT_SYSTEM_MESSAGE_CHARACTERS
    if len(text) <= 20 * limit + 1000:  # a longer one is refused before any work
        text = unicodedata.normalize("NFC", LINE_BREAK.sub("\n", text.replace("\r\n", "\n"))).strip()
    if len(text) > limit:
        raise ValidationError(
            _("That is %(length)d characters; at most %(limit)d are allowed."),
            code="too_long",
            params={"length": len(text), "limit": limit},
        )
    if has_hidden_characters(text.replace("\t", " ")):
        raise ValidationError(
            _("There are hidden characters in it. Type it again, or paste it as plain text."), code="hidden"
        )
    return text


def my(user: User) -> Standing:
    """The SystemMessage of ``user`` (SYS-1)."""
    mine = MySystemMessage.objects.filter(user=user, tenant=user.tenant_id)
    try:
        found = mine.first()
    except DecryptionError:
        return Standing("", mine.values_list("revision", flat=True)[0], is_readable=False)
    return Standing(found.text, found.revision, found.updated_at) if found else Standing("", 0)


@transaction.atomic
def save_my(user: User, text: str, *, revision: int) -> Standing:
    """Replace the SystemMessage of ``user`` from their next turn on. Raises ``ValidationError`` and ``Outdated``."""
    text = cleaned(text)
    mine = MySystemMessage.objects.filter(user=user, tenant=user.tenant_id)
    first = MySystemMessage(user=user, tenant_id=user.tenant_id)
    MySystemMessage.objects.bulk_create([first], ignore_conflicts=True)  # one that can't be read is replaced, too
    saved = mine.filter(revision=revision).update(text=text, revision=F("revision") + 1, updated_at=timezone.now())
    if not saved:
        raise Outdated(my(user))
    return my(user)


def versions(user: User) -> QuerySet[GlobalSystemMessage]:
    """The versions of the tenant's SystemMessage, newest first."""
    found = GlobalSystemMessage.objects.filter(tenant=user.tenant_id).select_related("author")
    return found.order_by("-number")


def current_global(user: User) -> Standing:
    """The SystemMessage of the tenant (SYS-2); its revision is the version's number."""
    found = next(iter(read(versions(user)[:1])), None)
    if found is None:
        return Standing("", 0)
    text = found.text if found.is_readable else ""
    return Standing(text, found.number, found.created_at, found.is_readable)


def may_read_global(user: User) -> bool:
    """Whether the tenant's rules let ``user`` read it; super administrators always may."""
    return user.is_super_admin or policy_for(user).show_global_message


def save_global(
    user: User, text: str, *, revision: int, announce: bool = False, restored: int | None = None
) -> Standing:
    """Store a new version, in force from everybody's next turn.

    Raises ``PermissionDenied``, ``ValidationError`` and ``Outdated``.
    """
    if not user.is_super_admin:
        raise PermissionDenied
    text = cleaned(text)
    current = current_global(user)
    if current.revision != revision:
        raise Outdated(current)
    if current.is_readable and current.text == text:
        versions(user).filter(number=current.revision, announced=False).update(announced=announce)
        return current
    try:
        with transaction.atomic():
            made = GlobalSystemMessage.objects.create(
                tenant_id=user.tenant_id,
                number=revision + 1,
                text=text,
                author=user,
                announced=announce,
                restored=restored,
            )
    except IntegrityError:  # another one was as quick
        raise Outdated(current_global(user)) from None
    return Standing(made.text, made.number, made.created_at)


def roll_back(user: User, number: int, *, revision: int, announce: bool = False) -> Standing:
    """Bring an earlier version back as a new one (SYS-8). Raises as ``save_global``, and ``DoesNotExist``, also where
    no key can read it."""
    earlier = next(iter(read(versions(user).filter(number=number))), None)
    if earlier is None or not earlier.is_readable:
        raise GlobalSystemMessage.DoesNotExist
    return save_global(user, earlier.text, revision=revision, announce=announce, restored=number)


def reach(user: User) -> int:
    """How many active users the tenant's SystemMessage reaches."""
    return User.objects.filter(tenant=user.tenant_id, is_active=True).count()


def in_force(user: User) -> tuple[str, str]:
    """The texts for a turn that begins now: the tenant's and the user's own; "" where there is none (SYS-4).

    Raises ``Unreadable``.
    """
    mine = MySystemMessage.objects.filter(user=user, tenant=user.tenant_id).values_list("text", flat=True)
    try:
        return versions(user).values_list("text", flat=True).first() or "", mine.first() or ""
    except DecryptionError:
        raise Unreadable from None


def news(user: User) -> GlobalSystemMessage | None:
    """The newest announced version that ``user`` was not told of yet, by somebody else, where they may read it."""
    if not may_read_global(user):
        return None
    seen = ChatPreferences.objects.filter(user=user).values_list("seen_global_message", flat=True).first() or 0
    newer = versions(user).defer("text").filter(announced=True, number__gt=seen, created_at__gt=user.date_joined)
    return newer.exclude(author=user).first()


def acknowledge(user: User, number: int) -> None:
    """Remember that ``user`` knows of the version."""
    known = {"last_profile": preferred(user)}  # a row without a profile means that none was chosen
    ChatPreferences.objects.get_or_create(user=user, defaults=known)
    ChatPreferences.objects.filter(user=user).update(seen_global_message=number)
