from chat.models.message import Message
from chat.models.profile import ChatPreferences, Profile
from chat.models.session import Session
from chat.models.system_message import GlobalSystemMessage, MySystemMessage
from chat.models.turn import Turn

__all__ = [
    "ChatPreferences",
    "GlobalSystemMessage",
    "Message",
    "MySystemMessage",
    "Profile",
    "Session",
    "Turn",
]
