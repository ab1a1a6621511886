"""Profiles: which a user sees, which they may change, and the ones that every tenant is given (CHAT-23)."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import override, pgettext_lazy

from adminchat.accounts.models import MemoryMode, Tenant, User
from adminchat.accounts.policies import policy_for
from chat.models import ChatPreferences, Profile

GENERAL = "general"


@dataclass(frozen=True)
class Shipped:
    code: str
    name: str | Promise
    description: str | Promise
    instructions: str = ""
    memory_cap: MemoryMode = MemoryMode.LEARN
    notes: bool = True


SHIPPED = (
    Shipped(
        GENERAL,
        pgettext_lazy("shipped profile", "General"),
        pgettext_lazy("shipped profile", "Everyday questions, with nothing preset."),
    ),
    Shipped(
        "writing",
        pgettext_lazy("shipped profile", "Writing"),
        pgettext_lazy("shipped profile", "Drafting and revising texts."),
        instructions=(
            "Help the user to draft and revise texts. Keep the language, tone and meaning of a text that they give you "
            "unless they ask for something else, return the whole revised text, and name important changes briefly "
            "after it."
        ),
    ),
    Shipped(
        "private",
        pgettext_lazy("shipped profile", "Private"),
        pgettext_lazy("shipped profile", "Nothing is remembered and no notes are kept."),
        memory_cap=MemoryMode.OFF,
        notes=False,
    ),
)


def ensure_profiles(tenant: Tenant) -> None:
    """Give a tenant the shipped profiles; calling it again changes nothing.

    A tenant that has one of them, renamed or not, has been set up: those that it deleted stay deleted. Call it once
    when a tenant is made and at every start of a single-tenant installation.
    """
    if Profile.objects.filter(tenant=tenant).exclude(shipped="").exists():
        return
    taken = set(Profile.objects.filter(tenant=tenant, owner=None).values_list("name", flat=True))
    with override("en"):  # stored in the source language, shown in the reader's
        missing = [
            Profile(
                tenant=tenant,
                shipped=item.code,
                name=str(item.name),
                description=str(item.description),
                instructions=item.instructions,
                memory_cap=item.memory_cap,
                notes=item.notes,
            )
            for item in SHIPPED
            if str(item.name) not in taken
        ]
    Profile.objects.bulk_create(missing, ignore_conflicts=True)


def available(user: User) -> QuerySet[Profile]:
    """What ``user`` can start a session with: the tenant's profiles, then their own."""
    return (
        Profile.objects.filter(tenant=user.tenant_id)
        .filter(Q(owner=None) | Q(owner=user))
        .order_by(F("owner").asc(nulls_first=True), "created_at", "pk")
    )


def editable(user: User) -> QuerySet[Profile]:
    """What ``user`` may change: their own, and as a super administrator the tenant's."""
    return available(user) if user.is_super_admin else available(user).filter(owner=user)


def profile_to_edit(user: User, profile_id: UUID) -> Profile:
    """Raises ``Profile.DoesNotExist`` for a profile that ``user`` may not change."""
    return editable(user).get(pk=profile_id)


def preferred(user: User) -> Profile | None:
    """The profile that the launcher offers: the last used one or none, at first the shipped General (CHAT-1)."""
    remembered = ChatPreferences.objects.filter(user=user).values("last_profile")
    if not remembered:
        return available(user).filter(owner=None, shipped=GENERAL).first()
    return available(user).filter(pk__in=remembered).first()


def mode_cap(user: User, profile: Profile | None = None) -> MemoryMode:
    """The highest memory mode that the tenant's policy, and the profile, leave to ``user`` (ENTRY-5)."""
    caps = [profile.memory_cap] if profile else []
    return MemoryMode.capped(policy_for(user).mode_cap, *caps)


def name_taken(user: User, name: str, *, shared: bool, except_for: UUID) -> bool:
    """Whether another profile of the tenant (``shared``), or of ``user``, has this name."""
    others = available(user).exclude(pk=except_for).filter(name=name)
    return others.filter(owner=None if shared else user).exists()


def create(user: User, profile: Profile, *, shared: bool) -> None:
    """Save a new profile as the tenant's or as the user's own. Raises ``IntegrityError`` when the name is taken."""
    profile.tenant_id = user.tenant_id
    profile.owner = None if shared else user
    with transaction.atomic():
        profile.save(force_insert=True)


def change(profile: Profile) -> None:
    """Save an edited profile; sessions keep it under its new name. Raises ``IntegrityError`` when the name is taken."""
    with transaction.atomic():
        profile.save()
