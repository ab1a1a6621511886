from memory.models.activity import Activity
from memory.models.book import Book, Kind, Source, Tier
from memory.models.entry import Entry

__all__ = ["Activity", "Book", "Entry", "Kind", "Source", "Tier"]
