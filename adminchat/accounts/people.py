"""The writes to people: create, change, deactivate, reactivate, password (CHAT-24).

Every change of role or access locks the tenant first, so that two at once cannot remove the last super administrator.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar
from uuid import UUID

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from adminchat.accounts.models import Tenant, User
from adminchat.lib.events import announce_lost_rights

# Without 0/o, 1/l/i: a password is read from one screen and typed at another.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


class ChangeRefused(Exception):
    """A change that may not be made; ``sentence`` says why, for people."""

    sentence: ClassVar[StrOrPromise]


class LastSuperAdmin(ChangeRefused):
    sentence = _("This is the last active super administrator. Make somebody else one first.")


class OperatorAccount(ChangeRefused):
    sentence = _("This account belongs to the operator of this site; only an operator can change it.")


def generated_password() -> str:
    """Return a password of four groups of four characters, about 79 bits."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(4))


def may_change(actor: User, person: User) -> bool:
    """Whether ``actor`` may change ``person``; an operator's account would lend them rights over every tenant."""
    if not actor.is_super_admin or actor.tenant_id != person.tenant_id:
        return False
    return actor.is_superuser or not (person.is_superuser or person.is_staff)


def create(actor: User, *, username: str, password: str, role: str, first_name: str = "", last_name: str = "") -> User:
    """Add a person to the tenant of ``actor``. Raises IntegrityError when the user name is taken."""
    return User.objects.create_user(
        username,
        password=password,
        tenant_id=actor.tenant_id,
        role=role,
        first_name=first_name,
        last_name=last_name,
    )


def change(actor: User, person: User, *, role: str, first_name: str, last_name: str) -> None:
    """Change role and names of ``person``. Raises LastSuperAdmin, OperatorAccount."""
    with _changing(actor, person) as locked:
        locked.role, locked.first_name, locked.last_name = role, first_name, last_name
        locked.save(update_fields=["role", "first_name", "last_name"])


def deactivate(actor: User, person: User) -> None:
    """Close the account and end its login sessions at once. Raises LastSuperAdmin, OperatorAccount."""
    with _changing(actor, person) as locked:
        locked.is_active = False
        locked.save(update_fields=["is_active"])
        end_login_sessions(locked)
        announce_lost_rights(locked.pk)


def reactivate(actor: User, person: User) -> None:
    """Open the account again. Raises OperatorAccount."""
    with _changing(actor, person) as locked:
        locked.is_active = True
        locked.save(update_fields=["is_active"])


def reset_password(actor: User, person: User, password: str) -> None:
    """Set another person's password and end their login sessions (SEC-9). Raises OperatorAccount."""
    if not may_change(actor, person):
        raise OperatorAccount
    person.set_password(password)
    person.save(update_fields=["password"])
    end_login_sessions(person)


def end_login_sessions(person: User) -> None:
    """Sign ``person`` out everywhere."""
    for login_session in UserSession.objects.filter(user=person):
        login_session.end()


def is_last_super_admin(person: User) -> bool:
    """Whether the tenant would have no active super administrator without ``person``."""
    others = User.objects.filter(tenant=person.tenant_id, role=User.Role.SUPER_ADMIN, is_active=True)
    return person.is_active and person.is_super_admin and not others.exclude(pk=person.pk).exists()


def lock(tenant_id: UUID) -> None:
    """Let the people of a tenant be changed by one transaction at a time; to be called inside it."""
    Tenant.objects.select_for_update().get(pk=tenant_id)


@contextmanager
def _changing(actor: User, person: User) -> Iterator[User]:
    """Lock the tenant, give the person as stored now, and roll back a change that leaves no super administrator."""
    if not may_change(actor, person):
        raise OperatorAccount
    with transaction.atomic():
        lock(person.tenant_id)
        stored = User.objects.get(pk=person.pk)
        was_last = is_last_super_admin(stored)
        yield stored
        if was_last and not (stored.is_active and stored.is_super_admin):
            raise LastSuperAdmin
