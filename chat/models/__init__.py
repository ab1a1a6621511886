from chat.models.message import Message
from chat.models.profile import ChatPreferences, Profile
from chat.models.session import Session
from chat.models.turn import Turn

__all__ = ["ChatPreferences", "Message", "Profile", "Session", "Turn"]
