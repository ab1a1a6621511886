"""What can become of learning in a turn: the closed list of LEARN-18."""

from django.db.models import TextChoices


class Outcome(TextChoices):
    """The codes that a receipt, a refused operation and the record of a turn carry."""

    UPDATED = "updated"
    OFF = "off"
    READ_ONLY = "read_only"
    POLICY = "policy"
    NOT_TRIGGERED = "not_triggered"
    OPT_OUT = "opt_out"
    TOO_LONG = "too_long"
    LEARN_UNAVAILABLE = "learn_unavailable"
    NO_CANDIDATES = "no_candidates"
    NO_DIFFERENCE = "no_difference"
    PINNED = "pinned"
    CAPACITY = "capacity"
    REVISION_CONFLICT = "revision_conflict"
    INVALID_OUTPUT = "invalid_output"
    INVALID_EVIDENCE = "invalid_evidence"
    UNSAFE = "unsafe"
    TIMEOUT = "timeout"
    FAILED = "failed"
    CANCELLED = "cancelled"
