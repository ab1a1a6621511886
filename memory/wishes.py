"""What a person wants of learning, beyond the rules of their tenant (LEARN-23)."""

from adminchat.accounts.models import User
from adminchat.accounts.policies import policy_for
from memory.models import Book


def asks_first(user: User) -> bool:
    """Whether ``user`` wants to be asked before anything is learned."""
    return Book.objects.filter(user=user, tenant=user.tenant_id, ask_first=True).exists()


def ask_first(user: User, wanted: bool) -> None:
    """Keep whether ``user`` wants to be asked."""
    Book.objects.update_or_create(user=user, tenant_id=user.tenant_id, defaults={"ask_first": wanted})


def must_ask(user: User) -> bool:
    """Whether what is learned waits for their yes, by their own wish or by the rules of their tenant."""
    return policy_for(user).ask_first or asks_first(user)
