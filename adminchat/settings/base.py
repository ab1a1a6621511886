"""Settings read from the environment (OPS-7). A setting that AdminChat adds to Django's is named as its variable."""

from pathlib import Path
from typing import Any
from wsgiref.headers import Headers

import django_stubs_ext
from django.utils.translation import gettext_lazy as _

from adminchat import logs
from adminchat.settings import keyfiles
from adminchat.settings.environment import env
from adminchat.settings.limits import *

django_stubs_ext.monkeypatch()  # so that ModelForm[User] is something at run time, too

BASE_DIR = Path(__file__).resolve().parent.parent.parent

# --- keys -------------------------------------------------------------------------------------------------------------

SECRET_KEY = env.text("SECRET_KEY", about="Signs sessions and forms. The same on every instance.")
FIELD_ENCRYPTION_KEY = env.words(
    "FIELD_ENCRYPTION_KEY",
    about="Fernet keys of the encrypted fields: the first encrypts, all decrypt. The same on every instance.",
)
keyfiles.refuse_bad_keys(FIELD_ENCRYPTION_KEY)

# --- where it runs ----------------------------------------------------------------------------------------------------

DEBUG = env.switch("DEBUG", False, about="Django's debug pages. Never on a machine that others reach.")
ADMINCHAT_DATA_DIR = Path(
    env.text(
        "ADMINCHAT_DATA_DIR",
        str(BASE_DIR / "data"),
        about="Embedded database, broker, keys, logs and files.",
        shown="./data",
    )
).absolute()
ADMINCHAT_HOST = env.text("ADMINCHAT_HOST", "127.0.0.1", about="Address that quickstart listens on.")
ADMINCHAT_PORT = env.number("ADMINCHAT_PORT", 8000, about="Port that quickstart listens on.", lowest=1, highest=65535)
ADMINCHAT_BASE_URL = env.address(
    "ADMINCHAT_BASE_URL",
    "",
    about="Address that people type, such as `https://chat.example.org`. With https, cookies are sent over TLS only, "
    "plain requests are redirected, and browsers are told to stay with TLS.",
).rstrip("/")
ADMINCHAT_TRUSTED_PROXIES = env.number(
    "ADMINCHAT_TRUSTED_PROXIES",
    0,
    about="How many proxies in front set `X-Forwarded-For` and `X-Forwarded-Proto`; 0 ignores these headers.",
)

SECURE = ADMINCHAT_BASE_URL.startswith("https://")
_public_host = ADMINCHAT_BASE_URL.partition("://")[2].partition("/")[0].rpartition("@")[2]
_public_name = _public_host.rpartition(":")[0] if _public_host.rpartition(":")[2].isdigit() else _public_host
ALLOWED_HOSTS = [
    "localhost",
    "127.0.0.1",
    "[::1]",
    *env.words(
        "ALLOWED_HOSTS",
        [],
        about="Names that this site answers to, besides the one of `ADMINCHAT_BASE_URL` and those of this machine.",
    ),
]
if _public_name:
    ALLOWED_HOSTS = [*ALLOWED_HOSTS, _public_name]
CSRF_TRUSTED_ORIGINS = env.origins(
    "CSRF_TRUSTED_ORIGINS", [], about="Further origins whose forms are accepted, with their scheme."
)
if ADMINCHAT_BASE_URL:
    CSRF_TRUSTED_ORIGINS = [*CSRF_TRUSTED_ORIGINS, ADMINCHAT_BASE_URL.partition("://")[0] + "://" + _public_host]

# --- storage ----------------------------------------------------------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.database(
        "DATABASE_URL",
        f"sqlite:///{ADMINCHAT_DATA_DIR / 'adminchat.sqlite3'}",
        about="Address of the database: `postgresql://user:password@host/name`, or `sqlite:///path`.",
        shown="SQLite in the data directory",
    )
}
# Pages run in a pool of threads, each with a connection that it keeps (adminchat.handlers).
DATABASES["default"]["CONN_MAX_AGE"] = None
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "adminchat.lib.sqlite"
    DATABASES["default"]["OPTIONS"] = {
        # Readers don't wait for a writer; writers queue up at BEGIN instead of failing half-way.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
        "transaction_mode": "IMMEDIATE",
        "timeout": 10,  # seconds
    }
else:
    DATABASES["default"]["OPTIONS"] = {**DATABASES["default"].get("OPTIONS", {}), "connect_timeout": 5}  # seconds
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.address(
    "REDIS_URL",
    "",
    ("redis", "rediss", "unix"),
    about="Address of Redis or Valkey: `redis://host:6379/0` or `unix:///path`.",
    shown="embedded",
)
CACHES: dict[str, dict[str, Any]] = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
if REDIS_URL:
    CACHES["default"] = {
        "BACKEND": "adminchat.cache.SteadyCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "adminchat",
        "OPTIONS": {"SOCKET_CONNECT_TIMEOUT": 1, "SOCKET_TIMEOUT": 1},  # seconds
    }

# --- the product ------------------------------------------------------------------------------------------------------

ADMINCHAT_MULTI_TENANT = env.switch("ADMINCHAT_MULTI_TENANT", False, about="Several tenants; their names are shown.")
ADMINCHAT_ADMIN_USERNAME = env.text(
    "ADMINCHAT_ADMIN_USERNAME",
    "admin",
    about="Name of the first super administrator, whom quickstart makes when there is none.",
)
ADMINCHAT_ADMIN_PASSWORD = env.text(
    "ADMINCHAT_ADMIN_PASSWORD", "", about="Their password.", shown="made and printed once"
)
ADMINCHAT_MODEL_KIND = env.choice(
    "ADMINCHAT_MODEL_KIND", "", ("", "openai", "anthropic", "local"), about="Kind of a preset model connection."
)
ADMINCHAT_MODEL_BASE_URL = env.address("ADMINCHAT_MODEL_BASE_URL", "", about="Its address; empty is the vendor's own.")
ADMINCHAT_MODEL_API_KEY = env.text("ADMINCHAT_MODEL_API_KEY", "", about="Its key.")
ADMINCHAT_MODEL_NAME = env.text("ADMINCHAT_MODEL_NAME", "", about="Its model, which becomes the default.")
ADMINCHAT_LOCAL_MODEL = env.switch("ADMINCHAT_LOCAL_MODEL", True, about="Whether quickstart starts the built-in model.")
ADMINCHAT_LOCAL_MODEL_URL = env.address(
    "ADMINCHAT_LOCAL_MODEL_URL",
    "",
    about="Address of the built-in model's server, where it runs.",
    shown="quickstart's",
)
ADMINCHAT_ALLOWED_PRIVATE_HOSTS = env.words(
    "ADMINCHAT_ALLOWED_PRIVATE_HOSTS",
    [],
    about="Private hosts, addresses or networks that connections made in the browser may reach.",
    shown="none; in quickstart this machine",
)

# A message over its limit has to reach the form, which says so and keeps what was typed.
DATA_UPLOAD_MAX_MEMORY_SIZE = env.number(
    "ADMINCHAT_REQUEST_LIMIT", 8_000_000, about="Largest request, in bytes.", lowest=1_000_000
)
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
FILE_UPLOAD_MAX_MEMORY_SIZE = 1_000_000  # bytes

# --- Django -----------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "adminchat",
    "chat",
    "memory",
    "adminchat.prompts",
    "adminchat.connections",
    "adminchat.accounts",
    "encrypted_model_fields",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.usersessions",
    "servestatic",
    "django_structlog",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "adminchat.logs.RequestLogMiddleware",
    "adminchat.middleware.page_headers",
    "adminchat.middleware.PageGZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "adminchat.accounts.middleware.AccountPreferencesMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "adminchat.accounts.middleware.WholePageRedirectMiddleware",
]

ROOT_URLCONF = "adminchat.urls"
ASGI_APPLICATION = "adminchat.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "chat.sidebar.sidebar",
            ],
        },
    }
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "adminchat.formats"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "adminchat.storage.StaticFilesStorage"},
}
SERVESTATIC_USE_ZSTD = False
SERVESTATIC_ALLOW_ALL_ORIGINS = False


def SERVESTATIC_ADD_HEADERS_FUNCTION(headers: Headers, path: str, url: str) -> None:  # noqa: N802 (a setting)
    """Static files pass by Django's middleware, which adds this to pages (SEC-4)."""
    headers["X-Content-Type-Options"] = "nosniff"


# --- people -----------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": name}
    for name in (
        "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "adminchat.accounts.passwords.LengthValidator",
        "django.contrib.auth.password_validation.CommonPasswordValidator",
        "django.contrib.auth.password_validation.NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"

ACCOUNT_ADAPTER = "adminchat.accounts.adapter.AccountAdapter"
ACCOUNT_SIGNUP_ENABLED = False
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300  # seconds
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {"login_failed": "10/m/ip,5/5m/key"}
ALLAUTH_TRUSTED_PROXY_COUNT = ADMINCHAT_TRUSTED_PROXIES
USERSESSIONS_TRACK_ACTIVITY = False  # it would write to the database on every request

# --- security ---------------------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
    }
}
if ADMINCHAT_TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = SECURE
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE
SECURE_HSTS_PRELOAD = SECURE
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE
LANGUAGE_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"

# --- mail, as Django's settings of the same names ---------------------------------------------------------------------

EMAIL_HOST = env.text("ADMINCHAT_EMAIL_HOST", "", about="Mail server; empty sends no mail.")
EMAIL_PORT = env.number("ADMINCHAT_EMAIL_PORT", 587, about="Its port.")
EMAIL_HOST_USER = env.text("ADMINCHAT_EMAIL_HOST_USER", "", about="User at the mail server.")
EMAIL_HOST_PASSWORD = env.text("ADMINCHAT_EMAIL_HOST_PASSWORD", "", about="Password at the mail server.")
EMAIL_USE_TLS = env.switch("ADMINCHAT_EMAIL_USE_TLS", True, about="STARTTLS.")
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = env.text("ADMINCHAT_EMAIL_FROM", "adminchat@localhost", about="Sender of mail.")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'dummy'}.EmailBackend"

# --- work in the background -------------------------------------------------------------------------------------------

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1) or "memory://"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "maintenance"
CELERY_TASK_CREATE_MISSING_QUEUES = True
CELERY_TASK_ROUTES = {"memory.tasks.learn": {"queue": "learning"}}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 270  # seconds
CELERY_TASK_TIME_LIMIT = 300  # seconds
# Who queues a task is answering somebody and cannot wait for a broker; the sweep queues again what was missed (REL-3).
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_TIMEOUT = 1  # seconds
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": CELERY_TASK_TIME_LIMIT + 30,  # seconds until a lost worker's task is given to another
    "global_keyprefix": "adminchat:",
    "socket_connect_timeout": 1,  # seconds
    "socket_timeout": 5,  # seconds
    "max_retries": 0,
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "chat.tasks.sweep",
        "schedule": ADMINCHAT_SWEEP_SECONDS,
        "options": {"expires": ADMINCHAT_SWEEP_SECONDS},
    }
}

# --- logs -------------------------------------------------------------------------------------------------------------

ADMINCHAT_LOG_LEVEL = env.choice(
    "ADMINCHAT_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"), about="What is logged."
)
ADMINCHAT_LOG_FORMAT = env.choice("ADMINCHAT_LOG_FORMAT", "json", ("json", "text"), about="How a line looks.")
LOGGING = logs.configuration(ADMINCHAT_LOG_LEVEL, ADMINCHAT_LOG_FORMAT)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_USER_ID_FIELD = ""
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = 10
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = 20
DJANGO_STRUCTLOG_REQUEST_CANCELLED_LOG_LEVEL = 10
