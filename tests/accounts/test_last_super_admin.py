"""Nobody removes the last active super administrator of a tenant (CHAT-24, SEC-9)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client

from adminchat.accounts import people
from adminchat.accounts.models import User
from tests.factories import UserFactory


def remaining(user: User) -> int:
    return User.objects.filter(tenant=user.tenant, role="super_admin", is_active=True).count()


@pytest.mark.django_db
def test_last_one_is_not_demoted_and_the_page_says_why(as_root: Client, root: User) -> None:  # CHAT-24
    response = as_root.post(f"/people/{root.pk}/", {"role": "admin", "first_name": "Root"})
    assert response.status_code == 422
    assert "last active super administrator" in response.content.decode()
    assert remaining(root) == 1


@pytest.mark.django_db
def test_last_one_is_not_deactivated(as_root: Client, root: User) -> None:  # CHAT-24
    assert as_root.post(f"/people/{root.pk}/deactivate/").status_code == 409
    assert remaining(root) == 1


@pytest.mark.django_db
def test_deactivated_and_foreign_super_administrators_do_not_count(  # CHAT-24
    as_root: Client, root: User, dave: User
) -> None:
    UserFactory.create(tenant=root.tenant, super_admin=True, is_active=False)
    assert as_root.post(f"/people/{root.pk}/deactivate/").status_code == 409


@pytest.mark.django_db
def test_one_of_two_may_go(as_root: Client, root: User) -> None:  # CHAT-24
    UserFactory.create(tenant=root.tenant, super_admin=True)
    as_root.post(f"/people/{root.pk}/", {"role": "admin"})
    assert remaining(root) == 1


@pytest.mark.django_db
def test_operators_site_keeps_the_last_one_too(root: User) -> None:  # CHAT-24
    operator = UserFactory.create(is_superuser=True, is_staff=True, super_admin=True)
    client = Client()
    client.force_login(operator)
    form = {"username": "root", "role": "admin", "is_active": "on"}
    response = client.post(f"/admin/accounts/user/{root.pk}/change/", form)
    assert "last active super administrator" in response.content.decode()
    assert remaining(root) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "act",
    [
        lambda actor, person: people.change(actor, person, role="admin", first_name="", last_name=""),
        people.deactivate,
    ],
    ids=["demote", "deactivate"],
)
def test_two_who_remove_each_other_at_once_leave_one(act: Callable[[User, User], None], root: User) -> None:  # CHAT-24
    other = UserFactory.create(tenant=root.tenant, super_admin=True)
    start = Barrier(2)

    def remove(actor: User, person: User) -> str:
        try:
            start.wait(timeout=10)
            act(actor, person)
        except people.LastSuperAdmin:
            return "refused"
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(remove, [root, other], [other, root]))
    assert sorted(outcomes) == ["done", "refused"]
    assert remaining(root) == 1
