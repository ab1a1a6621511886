from memory.models.activity import Activity
from memory.models.book import Book, Kind, Source, Tier
from memory.models.change import Change
from memory.models.entry import Entry
from memory.models.learning import Learning
from memory.models.suggestion import Suggestion

__all__ = ["Activity", "Book", "Change", "Entry", "Kind", "Learning", "Source", "Suggestion", "Tier"]
