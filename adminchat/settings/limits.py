"""How much, how many and how long: every limit of the product, with its default (OPS-7, ENTRY-13)."""

from adminchat.settings.environment import env

ADMINCHAT_MESSAGE_LIMIT = env.number(
    "ADMINCHAT_MESSAGE_LIMIT", 100_000, about="Longest message, in characters.", lowest=1
)
ADMINCHAT_MEMORY_ENTRIES = env.number(
    "ADMINCHAT_MEMORY_ENTRIES", 80, about="Entries that one user may have, in all scopes.", lowest=1
)
ADMINCHAT_MEMORY_TEXT_CHARACTERS = env.number(
    "ADMINCHAT_MEMORY_TEXT_CHARACTERS", 300, about="Longest text of an entry, in characters.", lowest=1
)
ADMINCHAT_MEMORY_TOPIC_CHARACTERS = env.number(
    "ADMINCHAT_MEMORY_TOPIC_CHARACTERS", 40, about="Longest topic of an entry, in characters.", lowest=1
)
ADMINCHAT_MEMORY_TOKENS = env.number(
    "ADMINCHAT_MEMORY_TOKENS", 1000, about="Tokens that memory may take of a turn, its boundary text included."
)
ADMINCHAT_MEMORY_CORE_TOKENS = env.number(
    "ADMINCHAT_MEMORY_CORE_TOKENS", 300, about="Tokens of these that core entries may take."
)
ADMINCHAT_LOCAL_MEMORY_TOKENS = env.number(
    "ADMINCHAT_LOCAL_MEMORY_TOKENS", 300, about="The same as `ADMINCHAT_MEMORY_TOKENS` for the built-in model."
)
ADMINCHAT_MEMORY_UNUSED_DAYS = env.number(
    "ADMINCHAT_MEMORY_UNUSED_DAYS",
    60,
    about="Days after which an entry that was never loaded counts as unused.",
    lowest=1,
)
ADMINCHAT_SYSTEM_MESSAGE_CHARACTERS = env.number(
    "ADMINCHAT_SYSTEM_MESSAGE_CHARACTERS", 2000, about="Longest SystemMessage, in characters.", lowest=1
)
ADMINCHAT_TURNS_PER_MINUTE = env.optional_number(
    "ADMINCHAT_TURNS_PER_MINUTE", 600, about="Turns that one user may start in a minute.", lowest=1
)
ADMINCHAT_STREAMS_PER_USER = env.optional_number(
    "ADMINCHAT_STREAMS_PER_USER", 50, about="Open event streams of one user, per web process.", lowest=2
)
ADMINCHAT_CONNECT_SECONDS = env.number(
    "ADMINCHAT_CONNECT_SECONDS", 10, about="Seconds until a model endpoint must have accepted a connection.", lowest=1
)
ADMINCHAT_FIRST_TOKEN_SECONDS = env.number(
    "ADMINCHAT_FIRST_TOKEN_SECONDS", 120, about="Seconds until a model must have begun its reply.", lowest=1
)
ADMINCHAT_SILENCE_SECONDS = env.number(
    "ADMINCHAT_SILENCE_SECONDS", 60, about="Seconds that a model may be silent within a reply.", lowest=1
)
ADMINCHAT_TURN_STALE_SECONDS = env.number(
    "ADMINCHAT_TURN_STALE_SECONDS",
    30,
    about="Seconds without a sign of life after which a turn counts as interrupted.",
    lowest=2,
)
ADMINCHAT_HEARTBEAT_SECONDS = env.seconds(
    "ADMINCHAT_HEARTBEAT_SECONDS", 5, about="Seconds between two signs of life of a running turn."
)
ADMINCHAT_SAVE_SECONDS = env.seconds(
    "ADMINCHAT_SAVE_SECONDS", 1, about="Seconds between two saves of a reply that is still growing."
)
ADMINCHAT_COALESCE_SECONDS = env.seconds(
    "ADMINCHAT_COALESCE_SECONDS", 0.06, about="Seconds for which a reply's text is gathered before it is sent on."
)
ADMINCHAT_STOP_SECONDS = env.number(
    "ADMINCHAT_STOP_SECONDS", 60, about="Seconds that turns get to finish when a web process is asked to stop."
)
ADMINCHAT_SWEEP_SECONDS = env.number(
    "ADMINCHAT_SWEEP_SECONDS", 15, about="Seconds between two sweeps for what was left behind.", lowest=1
)
ADMINCHAT_LEARNING_CHARACTERS = env.number(
    "ADMINCHAT_LEARNING_CHARACTERS", 4000, about="Longest message that is learned from, in characters.", lowest=1
)
ADMINCHAT_LEARNING_SECONDS = env.number(
    "ADMINCHAT_LEARNING_SECONDS", 30, about="Seconds that the model may take to find what is to be learned.", lowest=1
)
ADMINCHAT_LEARNING_DELAY_SECONDS = env.number(
    "ADMINCHAT_LEARNING_DELAY_SECONDS",
    10,
    about="Seconds after which learning that waits is called delayed, and queued again.",
    lowest=1,
)
ADMINCHAT_LEARNING_HOURS = env.number(
    "ADMINCHAT_LEARNING_HOURS", 24, about="Hours after which learning that still waits is given up.", lowest=1
)
ADMINCHAT_LEARNING_PER_TENANT = env.number(
    "ADMINCHAT_LEARNING_PER_TENANT", 8, about="Tasks of learning that one tenant may have in the queue.", lowest=1
)
ADMINCHAT_SUGGESTION_DAYS = env.number(
    "ADMINCHAT_SUGGESTION_DAYS", 14, about="Days after which a suggestion that nobody accepted is deleted.", lowest=1
)
ADMINCHAT_MEMORY_CHANGES = env.number(
    "ADMINCHAT_MEMORY_CHANGES", 100, about="Changes that the history of a book keeps.", lowest=1
)
ADMINCHAT_FORGOTTEN_HOURS = env.number(
    "ADMINCHAT_FORGOTTEN_HOURS", 24, about="Hours for which what learning forgot can be brought back; 0 for none."
)
