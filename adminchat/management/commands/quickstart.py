"""``manage.py quickstart``: everything on one machine, in one command (OPS-1, OPS-2)."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection, connections
from django.utils.translation import gettext as _

from adminchat import health, programs, startup
from adminchat.accounts.models import Tenant, User
from adminchat.accounts.people import generated_password
from adminchat.accounts.tenants import default_tenant
from adminchat.tenancy import set_up


class Command(BaseCommand):
    requires_system_checks = [
        Tags.security,
        "adminchat",
    ]  # all of them would cost a second of each start
    help = _("Prepares the database, makes the first super administrator, and runs all processes until it is stopped.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Never returns: this process becomes the supervisor. Raises CommandError with what to do (REL-7)."""
        os.umask(0o077)
        startup.prepare_data_dir()
        lock = startup.lock_data_dir(programs.LOCK_DESCRIPTOR)
        startup.check_port()
        startup.check_database()
        wanted = self.chosen_programs()
        try:
            if health.pending_migrations():
                call_command("migrate", interactive=False, verbosity=0)
            self.prepare_tenants()
        except DatabaseError as error:
            raise CommandError(_("The database could not be prepared. Its disk may be full or read-only.")) from error
        connections.close_all()
        self.become_supervisor(wanted, lock)

    def chosen_programs(self) -> list[programs.Program]:
        """Return what runs here, and put the addresses of the embedded parts into the environment of all of them."""
        wanted = []
        if not settings.REDIS_URL:
            try:
                path = programs.broker_socket()
            except OSError as error:
                raise CommandError(
                    _(
                        "The path of the data directory is too long for the broker, and the place for it among the "
                        "temporary files cannot be used. Set ADMINCHAT_DATA_DIR to a directory with a shorter path."
                    )
                ) from error
            os.environ["REDIS_URL"] = f"unix://{path}"
            wanted.append(programs.broker(path))
        preset = settings.ADMINCHAT_MODEL_NAME and settings.ADMINCHAT_MODEL_KIND != "local"
        if settings.ADMINCHAT_LOCAL_MODEL and not settings.ADMINCHAT_LOCAL_MODEL_URL and not preset:
            port = programs.free_port()
            settings.ADMINCHAT_LOCAL_MODEL_URL = f"http://127.0.0.1:{port}/v1"
            os.environ["ADMINCHAT_LOCAL_MODEL_URL"] = settings.ADMINCHAT_LOCAL_MODEL_URL
            wanted.append(programs.local_model(port))
        return [*wanted, programs.worker(), programs.web()]

    def prepare_tenants(self) -> None:
        default_tenant()
        for tenant in Tenant.objects.all():
            set_up(tenant)
        if not User.objects.filter(role=User.Role.SUPER_ADMIN).exists():
            self.make_first_super_admin()

    def make_first_super_admin(self) -> None:
        """Make the super administrator, who is the site's operator, too; a password made here is shown this once."""
        password = settings.ADMINCHAT_ADMIN_PASSWORD or generated_password()
        User.objects.create_superuser(settings.ADMINCHAT_ADMIN_USERNAME, password=password)
        self.stdout.write(_("First super administrator: %(name)s") % {"name": settings.ADMINCHAT_ADMIN_USERNAME})
        if not settings.ADMINCHAT_ADMIN_PASSWORD:
            self.stdout.write(_("Password (shown only this once): %(password)s") % {"password": password})

    def become_supervisor(self, wanted: list[programs.Program], lock: int) -> None:
        config = settings.ADMINCHAT_DATA_DIR / "supervisord.conf"
        config.write_text(programs.configuration(wanted))
        url = settings.ADMINCHAT_BASE_URL or f"http://{_shown(settings.ADMINCHAT_HOST)}:{settings.ADMINCHAT_PORT}"
        host = settings.ADMINCHAT_HOST
        host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
        names = User.objects.filter(role=User.Role.SUPER_ADMIN, is_active=True).order_by("date_joined")
        name = names.values_list("username", flat=True).first()
        lines = [
            f"AdminChat is ready at {url}" + (f" (sign in as {name})" if name else ""),  # the same everywhere: see 10
            _("Stopping. Replies that are being written get time to finish."),
            _("AdminChat did not become ready. Its logs say why."),
        ]
        connections.close_all()
        self.stdout.flush()
        os.environ["DJANGO_SETTINGS_MODULE"] = settings.SETTINGS_MODULE
        os.chdir(settings.BASE_DIR)
        database = str(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else ""
        where = [str(config), host, str(settings.ADMINCHAT_PORT), str(lock), database]
        command = [sys.executable, "-m", "adminchat.supervision", *where, *lines]
        os.execv(command[0], command)


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
