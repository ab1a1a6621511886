"""The only reads of connections and models. Each takes the acting user, and with them their tenant."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from adminchat.accounts.models import User, Workspace
from adminchat.connections.models import ChatModel, Connection


def connections(actor: User) -> QuerySet[Connection]:
    """Every connection of the tenant with its models, without keys, for those who manage them."""
    found = Connection.objects.filter(tenant=actor.tenant_id).prefetch_related("models").order_by("name")
    return found.defer("api_key")


def connection(actor: User, connection_id: UUID) -> Connection:
    return connections(actor).get(pk=connection_id)


def models(actor: User) -> QuerySet[ChatModel]:
    """Every model of the tenant, for those who manage them."""
    return _with_connection(ChatModel.objects.filter(connection__tenant=actor.tenant_id))


def usable_models(user: User, workspace: Workspace | None = None) -> QuerySet[ChatModel]:
    """The models that ``user`` may talk to: enabled, and meant for them (CHAT-16).

    A connection for chosen workspaces is open to the members of these; in a session of a workspace only when it is one
    of them. The default comes first, then by connection and name.
    """
    chosen = Workspace.objects.filter(connections=OuterRef("connection"), memberships__user=user)
    if workspace is not None:
        chosen = chosen.filter(pk=workspace.pk)
    meant = Q(connection__audience=Connection.Audience.EVERYONE) | Q(
        Exists(chosen), connection__audience=Connection.Audience.WORKSPACES
    )
    if user.is_super_admin:
        meant |= Q(connection__audience=Connection.Audience.SUPER_ADMINS)
    usable = ChatModel.objects.filter(meant, enabled=True, connection__enabled=True, connection__tenant=user.tenant_id)
    return _with_connection(usable).order_by("-is_default", "connection__name", "name")


def may_use(user: User, model: ChatModel, workspace: Workspace | None = None) -> bool:
    """Whether ``model`` is one of ``usable_models``; asks the database only where it isn't meant for everyone."""
    connection = model.connection
    if not (model.enabled and connection.enabled and connection.tenant_id == user.tenant_id):
        return False
    if connection.audience == Connection.Audience.EVERYONE:
        return True
    return usable_models(user, workspace).filter(pk=model.pk).exists()


def default_model(user: User, workspace: Workspace | None = None) -> ChatModel | None:
    """The model a session starts with: the tenant's default where ``user`` may use it, the built-in one last."""
    default = models(user).filter(is_default=True).first()
    if default and may_use(user, default, workspace):
        return default
    usable = list(usable_models(user, workspace))
    return min(usable, key=_preference, default=None)


def _with_connection(models: QuerySet[ChatModel]) -> QuerySet[ChatModel]:
    """Without its key, which only a call needs."""
    return models.select_related("connection").defer("connection__api_key")


def _preference(model: ChatModel) -> tuple[bool, bool]:
    return not model.is_default, model.connection.origin == Connection.Origin.BUILT_IN
